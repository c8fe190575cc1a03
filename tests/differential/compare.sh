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

# What two runs can't have in common: the process id in "ibpanic: [123]".
same_pid() {
	sed -E 's/^(ib[a-z]+: )\[[0-9]+\]/\1[PID]/'
}

# ran DIRECTORY PATH COMMAND…: leaves stdout, stderr and status in DIRECTORY. Called by name, found in PATH, as users do.
ran() {
	local into=$1 path=$2 status=0
	shift 2
	mkdir -p "$into"
	"${as_user[@]}" env "PATH=$path" "$@" >"$into/stdout" 2>"$into/stderr.raw" </dev/null || status=$?
	same_pid <"$into/stderr.raw" >"$into/stderr"
	rm "$into/stderr.raw"
	echo "$status" >"$into/status"
}

# compare LABEL NAME [ARGUMENT…]
compare() {
	local label=$1
	shift
	rm -rf "$scratch/original" "$scratch/dropin"
	ran "$scratch/original" "$originals" "$@"
	ran "$scratch/dropin" "$dropins:$originals" "$@"
	if diff -r -u "$scratch/original" "$scratch/dropin" >"$scratch/diff"; then
		result ok "$label: $*"
	else
		result FAILED "$label: $*"
		sed 's/^/  /' "$scratch/diff"
	fi
}

# follows LABEL EXPECTED NAME [ARGUMENT…]: for originals that no package has: EXPECTED holds what is printed on standard output, a line
# "stderr: TEXT" for each line of the other stream, and a last line "status: N".
follows() {
	local label=$1 expected=$2
	shift 2
	rm -rf "$scratch/dropin"
	ran "$scratch/dropin" "$dropins:$originals" "$@"
	{
		cat "$scratch/dropin/stdout"
		sed 's/^/stderr: /' "$scratch/dropin/stderr"
		sed 's/^/status: /' "$scratch/dropin/status"
	} >"$scratch/got"
	if [ "${UPDATE-}" = 1 ]; then
		cp "$scratch/got" "$expected"
	fi
	if diff -u "$expected" "$scratch/got" >"$scratch/diff"; then
		result ok "$label: $*"
	else
		result FAILED "$label: $*"
		sed 's/^/  /' "$scratch/diff"
	fi
}
