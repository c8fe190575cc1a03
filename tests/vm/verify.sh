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

# plant TOOL SED FACT: until all_are_found, what it prints is changed so, by which that fact (extended REGEX) differs.
plants=()
plant() {
	mkdir -p planted
	# shellcheck disable=SC2016  # that shell's
	[ -e "planted/$1" ] || printf '#!/usr/bin/env bash\n"%s" "$@" | sed -f "$0.sed"\n' "$(type -P "$1")" >"planted/$1"
	chmod +x "planted/$1"
	echo "$2" >>"planted/$1.sed"
	plants+=("$1: .*$3.*, roce '")
}
# all_are_found: each is, and told with both answers.
all_are_found() {
	local difference tools
	tools=$(cd planted && echo *.sed)
	# shellcheck disable=SC2086  # a list
	PATH=$PWD/planted:$PATH check_status "what is planted differs" 1 verify -o - ${tools//.sed/}
	cp "$work/check" found
	for difference in "${plants[@]}"; do
		check "planted: $difference" grep -qE "^$difference" found
	done
	rm -r planted
}
