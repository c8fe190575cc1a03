#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2317,SC2034  # what parts use
# lib.sh PART DIR: runs a part of the suite, tests/contrib/PART.sh, in namespaces of its own, with what they share; DIR is its own, and empty.
#
# A part has, besides the words of tests/lib.sh: $top (of the tree), $work, $roce, `packages`, `until_so`, `machine`, and a loopback.
set -u
part=$1 work=$(realpath "$2") top=$PWD
. tests/lib.sh
. tests/slurm.sh
. "$top/tests/engines.sh"
passed=0 failed=0 skipped=0 case=$part suite=
# shellcheck disable=SC2034  # for the parts
roce=$top/build/roce

# in_namespaces: what follows runs with a network, processes, mounts and a host name of its own; all that it started ends with it.
in_namespaces() {
	local status
	if [ $$ = 1 ]; then # it does already
		ip link set lo up
		return
	fi
	[ "$(id -u)" = 0 ] || skip "the servers are started as root, in namespaces"
	unshare -m -u -n -p -f true 2>/dev/null || skip "no namespaces can be made here"
	timeout -k 5 1500 unshare -m -u -n -p -f --kill-child --mount-proc tests/contrib/lib.sh "$part" "$work"
	status=$?
	[ "$status" = 0 ] || result FAILED "$part" "it ended with status $status"
	exit
}

# unpacked NAME OPTIONS PACKAGE…: in build/packages/NAME, with tests/debian-packages' options; what that takes to fetch is counted (tests/contrib/run).
unpacked() {
	local dir=build/packages/$1 options=$2
	shift 2
	# shellcheck disable=SC2086  # options, or none
	tests/debian-packages $options "$top/$dir" "$@" >"$work/packages" 2>&1 ||
		skip "Debian's packages could not be fetched: $(tail -n 1 "$work/packages")"
	echo "$dir" >>"$work/fetched"
}

# packages [-n] PACKAGE…: unpacked, with what they need and isn't installed (-n: without), into $packages, which is named for $part.
packages() {
	local needs=-d
	[ "$1" != -n ] || { needs='' && shift; }
	unpacked "$part" "$needs" "$@"
	packages=$top/build/packages/$part
	libraries=$packages/usr/lib/$(gcc -print-multiarch):$packages/lib/$(gcc -print-multiarch)
}

# slurm_packages: those of Slurm, for the parts that need them; unpacked once.
slurm_packages() {
	part=slurm packages slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge
	slurm_in "$packages"
}

# prometheus_of SUITE: Prometheus' servers, for the parts that need some of them; unpacked once.
prometheus_of() {
	local tools=()
	[ "$1" = bookworm ] || tools=(promtool)
	unpacked "prometheus-$1" "-s $1" prometheus "${tools[@]}" prometheus-node-exporter prometheus-alertmanager
}

# until_so SECONDS COMMAND…: waits until it succeeds; four times as long, for machines that are busy with others' work.
until_so() {
	local end=$((SECONDS + 4 * $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# machine NAME: the one that $work/machine is from now on.
machine() {
	ln -sfn "$top/$(fixture "$1")" "$work/machine.new" && mv -T "$work/machine.new" "$work/machine"
}

# blind_machine DIR: a machine that can't be looked at: its ports' states can't be read.
blind_machine() {
	local file
	fixture_tree mlx5-roce-train "$1"
	find "$1/sys" -path '*/ports/*/state' -printf '%P\n' | while read -r file; do
		rm "$1/sys/$file"
		printf 'sys/%s\tEIO\n' "$file" >>"$1/errors"
	done
}

[ $$ = 1 ] || trap 'echo "end of $part"' EXIT
# shellcheck source=/dev/null
. "tests/contrib/$part.sh"
exit 0
