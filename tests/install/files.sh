# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# installed_files: what `make install` puts below PREFIX, unsorted; packages have the same.
installed_files() {
	local page
	echo bin/roce
	for page in man/*.[1-8]; do echo "share/man/man${page##*.}/${page##*/}"; done
	echo share/bash-completion/completions/roce
	man/schemas man/roce-json.5 | sed 's|.*\t|share/roce/schema/|'
	echo share/zsh/site-functions/_roce
	echo share/fish/vendor_completions.d/roce.fish
	find contrib -type f -printf 'share/doc/roce/%p\n'
}
files() { (cd "$1" && find . -mindepth 1 ! -type d -printf '%P\n' | sort); }
