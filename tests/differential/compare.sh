# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Runs an original and its drop-in with the same arguments and compares what both print, on which stream, and how they end.
#
# Set before: originals (PATH that finds them), dropins (a directory with links of their names to roce), scratch (a directory
# to write in). Each comparison is a `result`.
: "${originals:?}" "${dropins:?}" "${scratch:?}"
as_user=()

# run_as [COMMAND…]: from now on as somebody else: run_as setpriv --reuid=65534 …; without a command as oneself again.
run_as() {
	as_user=("$@")
}

# ran NAME PATH COMMAND…: leaves what it prints in $scratch/NAME.stdout and .stderr, its status in $status. Called by name, found in PATH, as users do.
ran() {
	local into=$scratch/$1 path=$2
	shift 2
	status=0
	PATH=$path "${as_user[@]}" "$@" >"$into.stdout" 2>"$into.stderr" </dev/null || status=$?
}

# What two runs can't have in common: the process id in "ibpanic: [123]".
without_pid() { # FILE
	sed -E 's/^(ib[a-z]+: )\[[0-9]+\]/\1[PID]/' "$1"
}

# ibv_devinfo is Debian 12's, of rdma-core 44, and the drop-in's output that of 65: other are the usage, two names of flags, and a line that 44
# doesn't ask the kernel for. tests/differential/expected holds what 65 prints.
alike() { # FILE…
	sed -i -E 's/\(default first device found\)/(default all devices)/; s/^(\t+)Unknown flags: 0xC0$/\1SUPPORT_FLUSH\n\1SUPPORT_ATOMIC_WRITE/
		/^\t+effective_speed:/d' "$@"
}

# compare LABEL NAME [ARGUMENT…]: of those that $only is a part of.
compare() {
	local label=$1 its
	shift
	[[ "$label: $*" == *"${only-}"* ]] || return 0
	ran original "$originals" "$@"
	its=$status
	ran dropin "$dropins:$originals" "$@"
	[ "$1" != ibv_devinfo ] || alike "$scratch"/{original,dropin}.stdout
	# Nearly always all is the same at once, and a comparison is but two processes more.
	if [ "$status" = "$its" ] && cmp -s "$scratch"/{original,dropin}.stdout &&
		{ cmp -s "$scratch"/{original,dropin}.stderr || diff <(without_pid "$scratch/original.stderr") <(without_pid "$scratch/dropin.stderr") >/dev/null; }; then
		result ok "$label: $*"
	else
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
