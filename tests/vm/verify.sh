# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios that hold roce to other tools by contrib/verify/roce-verify, as an operator runs it.
verify=${repo:?}/contrib/verify/roce-verify

verify() { # OPTION… TOOL…
	"$verify" --roce "$(type -P roce)" "$@"
}

# agree NAME TOOL…: all of these have facts, and none differs.
agree() {
	local name=$1 tool
	shift
	check_status "$name: no fact differs" 0 verify --facts -o - "$@"
	cp "${work:?}/check" agreed
	grep ', roce ' agreed || :
	for tool; do
		check "$tool has facts to compare" grep -qE "^$tool +[1-9][0-9]* facts" agreed
	done
	# shellcheck disable=SC2046  # two numbers
	figure facts $(sed -nE 's/^([0-9]+) facts compared, ([0-9]+) differ/\1 \2/p' agreed | awk '{print $1 - $2, $1}')
}

# planted TOOL SED: with its output changed so, a difference is found, and told of that tool alone.
planted() {
	mkdir -p planted
	printf '#!/usr/bin/env bash\n"%s" "$@" | sed %q\n' "$(type -P "$1")" "$2" >"planted/$1"
	chmod +x "planted/$1"
	PATH=$PWD/planted:$PATH check_status "$1: what is planted differs" 1 verify -o - "$1"
	cp "$work/check" found
	check "$1: and is told with both answers" grep -q "^$1: .*, roce '" found
	rm "planted/$1"
}
