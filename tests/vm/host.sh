# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034  # others use the variables
# What the scripts of the test bed share on the host: where things are, and how they speak.

# The repository, where what is made goes, and what is fetched, for the next checkout as well.
repo=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
vm=$repo/tests/vm
out=$repo/build/vm
cache=${ROCE_VM_CACHE:-${XDG_CACHE_HOME:-${HOME:-$repo/build}/.cache}/roce-guests}

# The kernels of the bed, oldest first.
every_kernel="5.10 6.1 6.12 7.2"
# One for another architecture, as the second of two guests (`# second: arm64` in a scenario's head).
arm64_kernel=6.12-arm64

# Exit status that stands for "can't be had here" (no network, no package), apart from "failed".
unavailable=77

note() {
	printf '%s\n' "$*" >&2
}

die() {
	note "${0##*/}: $*"
	exit 2
}

# need COMMAND…: ends with the package list when a tool isn't installed.
need() {
	local command
	for command; do
		command -v "$command" >/dev/null ||
			die "'$command' is not installed: \`make deps\`, or the packages below '# vm' in tests/needs"
	done
}
