# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The functions that every suite is written with.
#
# A suite sources it from the top of the tree: `. tests/lib.sh`, then `suite NAME`, and ends with `finish`. Scenarios in guests use it too
# (tests/vm/lib.sh), with their own `result`. What follows here means the same everywhere.

# jq is gojq where that is installed: it starts in an eighth of the time. It always sorts keys, so it has no -S.
jq() {
	local argument arguments=()
	type -P gojq >/dev/null || {
		command jq "$@"
		return
	}
	for argument; do
		[ "$argument" = -S ] || arguments+=("$argument")
	done
	gojq "${arguments[@]}"
}

# Compare the output of a UTF-8 locale, wherever the tests run.
export LC_ALL=C.UTF-8

# ---- checks: each has a name, gives one result, and lets the suite go on

# check NAME COMMAND…: ok when COMMAND succeeds; else its output is shown.
check() {
	local name=$1 status=0
	shift
	"$@" >"$work/check" 2>&1 || status=$?
	if [ "$status" = 0 ]; then
		result ok "$name"
	else
		result FAILED "$name" "status $status of $(cut -c -100 <<<"$*")"
		sed 's/^/    /' "$work/check" | head -n 60
	fi
}

# check_status NAME STATUS COMMAND…: ok when COMMAND exits with exactly that status.
check_status() {
	local name=$1 want=$2 status=0
	shift 2
	"$@" >"$work/check" 2>&1 || status=$?
	if [ "$status" = "$want" ]; then
		result ok "$name"
	else
		result FAILED "$name" "status $status, not $want, of $*"
		sed 's/^/    /' "$work/check" | head -n 60
	fi
}

# equal NAME WANT GOT: ok when both are the same text, and some: two commands that both failed print the same, too.
equal() {
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		result ok "$1"
	else
		result FAILED "$1"
		printf '  want: %s\n  got:  %s\n' "${2:-(nothing: then say so by the word empty)}" "$3"
	fi
}

# alike NAME WANT GOT: the same, where both may be empty.
alike() {
	if [ -n "$2$3" ]; then equal "$@"; else result ok "$1"; fi
}

# empty NAME GOT: ok when GOT is empty.
empty() {
	if [ -z "$2" ]; then
		result ok "$1"
	else
		result FAILED "$1"
		printf '  not wanted: %s\n' "$2"
	fi
}

# shows NAME REGEX COMMAND…: ok when what COMMAND prints (on either stream, whatever its status) matches the extended REGEX.
shows() {
	local name=$1 regex=$2 text status=0
	shift 2
	text=$("$@" 2>&1) || status=$?
	if grep -q -E -e "$regex" <<<"$text"; then
		result ok "$name"
	else
		result FAILED "$name"
		echo "  no match of: $regex"
		echo "  in what \`$*\` prints (status $status):"
		echo "$text"
	fi
}

# same NAME WANT GOT: ok when two files, or two directories, are equal.
same() {
	if diff -r -u "$2" "$3"; then
		result ok "$1"
	else
		result FAILED "$1"
	fi
}

timeless() { jq -S 'if type == "object" then del(.time) else . end'; }
# same_json NAME WANT GOT: ok when two files hold the same JSON, whatever the order of keys, the layout, and the time given in an answer.
same_json() {
	local want got
	if want=$(timeless <"$2") && got=$(timeless <"$3") && [ -n "$want" ] && diff -u <(printf '%s\n' "$want") <(printf '%s\n' "$got"); then
		result ok "$1"
	else
		result FAILED "$1"
	fi
}

# json NAME FILTER [FILE]: ok when the jq FILTER is true of FILE (or of standard input).
json() {
	local name=$1 filter=$2
	shift 2
	if jq -e "$filter" "$@" >/dev/null; then
		result ok "$name"
	else
		result FAILED "$name"
		printf '  not true: %s\n' "$filter"
		[ $# = 0 ] || jq -c . "$@"
	fi
}

# skip WHY: ends its caller (a scenario, a case of `cases`, a suite that has not checked anything yet), which counts as skipped.
skip() {
	result skipped "${case:-${suite:-${scenario:-}}}" "$*"
	[ -n "${case:-}" ] || [ -z "${suite:-}" ] || finish
	exit 0
}

# require COMMAND…: skips when a tool isn't installed.
require() {
	local command
	for command; do
		type -P "$command" >/dev/null || skip "'$command' is not installed"
	done
}

# catches PID SIGNAL: waits until PID catches SIGNAL (INT, TERM, …), however busy the host is. The shell that is about to become roce catches some
# as well, and loses them.
catches() {
	local bit=$((1 << ($(kill -l "$2") - 1)))
	for _ in {1..400}; do
		[ "$(cat "/proc/$1/comm")" = roce ] && ((0x$(sed -n 's/^SigCgt:\s*//p' "/proc/$1/status") & bit)) && return
		sleep 0.05
	done
	return 1
}

# ---- a suite

# Temporary files are made in memory if it has enough room: on disk, creating a machine's files takes several times as long as the test that uses
# them, on some disks a hundred times.
# memory_has_room: /dev/shm has room for files, and they can be run from there.
memory_has_room() {
	[ -w /dev/shm ] && [ "$(df --output=avail /dev/shm | tail -n 1)" -gt $((1 << 20)) ] && ! grep -qE '^[^ ]+ /dev/shm [^ ]+ [^ ]*noexec' /proc/mounts
}
[ -n "${TMPDIR:-}" ] || ! memory_has_room || export TMPDIR=/dev/shm

# suite NAME: begins a suite. $work is a directory of its own, removed at the end.
suite() {
	suite=$1 case=
	passed=0 failed=0 skipped=0
	unset ROCE_ROOT SYSFS_PATH NO_COLOR
	mkdir -p build/results
	rm -f "build/results/$suite"
	work=$(mktemp -d)
	trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
}

# result ok|FAILED|skipped NAME [WHY]: the outcome of one check, for all of the above.
result() {
	echo "$1 $2${3:+: $3}"
	tally "$1"
}
tally() { # OUTCOME [COUNT]
	case $1 in
	ok) passed=$((passed + ${2:-1})) ;;
	FAILED) failed=$((failed + ${2:-1})) ;;
	skipped) skipped=$((skipped + ${2:-1})) ;;
	esac
}

# tally_lines: adds up the results on standard input, from a separate process, and passes them on.
tally_lines() {
	local line
	while IFS= read -r line; do
		printf '%s\n' "$line"
		tally "${line%% *}"
	done
}

# measured WHAT HELD ALL: a line for the table at the end of tests/check: of ALL that was compared with something else, HELD was right.
measured() {
	echo "measured $1: $2 of $3"
}

# finish: ends the suite, which fails if it checked nothing.
finish() {
	[ $((passed + failed + skipped)) != 0 ] || result FAILED "$suite" "it checked nothing"
	echo "$passed $failed $skipped" >"build/results/$suite"
	echo "$suite: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}

# build [VARIABLE=VALUE]… TARGET…: builds what the suite needs; if that fails, the suite ends.
build() {
	env ${HUGE:+"$HUGE"} make --no-print-directory "-j$(nproc)" "$@" >"$work/build" 2>&1 && return
	result FAILED "make $*"
	tail -n 20 "$work/build"
	finish
	exit 1
}

# ---- many texts in one file, each after a line "=== NAME"

# sections FILE: prints their names.
sections() { sed -n 's/^=== //p' "$1"; }

# section FILE NAME: prints that text; fails if there is none.
section() {
	name=$2 awk '/^=== / {on = $0 == "=== " ENVIRON["name"]; found += on; next} on; END {exit !found}' "$1"
}

# section_set FILE NAME: replaces that text with standard input.
section_set() {
	local one
	cat >"$work/section"
	{ sections "$1" && echo "$2"; } | awk '!seen[$0]++' | while read -r one; do
		echo "=== $one"
		if [ "$one" = "$2" ]; then cat "$work/section"; else section "$1" "$one"; fi
	done >"$work/sections"
	cp "$work/sections" "$1"
}

# ---- recorded machines

# fixtures: prints the name of each.
fixtures() {
	local machine
	for machine in fixtures/*.machine; do
		basename "$machine" .machine
	done
}

# fixture NAME: prints the --root argument that reads it.
fixture() {
	echo "fixtures/$1.machine"
}

# fixture_tree NAME DIR: puts its files into a new DIR, as on the machine: to break them, or for a tool that reads /sys.
fixture_tree() {
	rm -rf "$2"
	mkdir -p "$(dirname "$2")"
	build/roce record --unpack "$(fixture "$1")" "$2" || return
	rm -f "$2/NOTE"
}

# for_lspci DIR: a tree that lspci reads: it asks for what it never prints, and for resources that nobody recorded.
for_lspci() {
	local file
	find "$1/sys/devices" -name vendor 2>/dev/null | while read -r file; do
		[ -e "${file%/*}/irq" ] || echo 0 >"${file%/*}/irq"
		[ -e "${file%/*}/resource" ] || yes "0x0 0x0 0x0" | head -n 13 >"${file%/*}/resource"
	done
}
