# What suites share. shellcheck shell=bash
# Source it from the top of the tree: . tests/lib.sh SUITE; end with `finish`.
suite=$1
passed=0 failed=0 skipped=0
mkdir -p build/results
rm -f "build/results/$suite"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ok() {
	passed=$((passed + 1))
	echo "ok $*"
}
# fail NAME [WHY]; what standard input says, if it is given, comes below.
fail() {
	failed=$((failed + 1))
	echo "FAILED $1${2:+: $2}"
}
skip() {
	skipped=$((skipped + 1))
	echo "skipped $1: $2"
}
# check NAME COMMAND…: ok when it succeeds; its output is shown when it doesn't.
check() {
	local name=$1
	shift
	if "$@" >"$work/check" 2>&1; then
		ok "$name"
	else
		fail "$name" "status $? of $*"
		sed 's/^/    /' "$work/check" | head -n 60
	fi
}
finish() {
	echo "$passed $failed $skipped" >"build/results/$suite"
	echo "$suite: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}
