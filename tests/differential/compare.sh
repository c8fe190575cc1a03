# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# An original and its drop-in with the same arguments: what both print, on which stream, and how they end. contrib/verify/roce-verify runs and compares them.
#
# Set before: originals (PATH that finds them), dropins (a directory with links of their names to roce), scratch (a directory
# to write in). Each comparison is a `result`.
: "${originals:?}" "${dropins:?}" "${scratch:?}"
# shellcheck source=../../contrib/verify/roce-verify
. "${repo:-.}/contrib/verify/roce-verify"

# compare LABEL NAME [ARGUMENT…]: of those that $only is a part of.
compare() {
	local label=$1
	shift
	[[ "$label: $*" == *"${only-}"* ]] || return 0
	if beside "$@"; then
		result ok "$label: $*"
	else
		# shellcheck disable=SC2154  # beside has set them
		result FAILED "$label: $*" "status $its, the drop-in's $status"
		diff -u "$scratch"/{original,dropin}.stdout | sed 's/^/  /'
		diff -u <(without_pid "$scratch/original.stderr") <(without_pid "$scratch/dropin.stderr") | sed 's/^/  /'
	fi
}

# follows FIXTURE EXPECTED: for originals that no package has: EXPECTED holds a part for each command, "$ NAME [ARGUMENT…]", what is printed on standard
# output, a line "stderr: TEXT" for each line of the other stream, and a last line "status: N".
follows() {
	local label=$1 expected=$2 command words
	: >"$scratch/anew"
	while read -r command; do
		read -r -a words <<<"$command"
		ran dropin "$dropins:$originals" "${words[@]}"
		{
			echo "$ $command"
			cat "$scratch/dropin.stdout"
			without_pid "$scratch/dropin.stderr" | sed 's/^/stderr: /'
			echo "status: $status"
		} >"$scratch/got"
		cat "$scratch/got" >>"$scratch/anew"
		[[ "$label: $command" == *"${only-}"* ]] || continue
		if [ "${UPDATE-}" = 1 ] || awk -v head="$ $command" '/^\$ / {mine = $0 == head} mine' "$expected" | diff -u - "$scratch/got" >"$scratch/diff"; then
			result ok "$label: $command"
		else
			result FAILED "$label: $command"
			sed 's/^/  /' "$scratch/diff"
		fi
	done < <(sed -n 's/^\$ //p' "$expected")
	[ "${UPDATE-}" != 1 ] || cp "$scratch/anew" "$expected"
}
