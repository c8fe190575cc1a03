# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Texts of the machine and of the command line that would do something to a terminal.

case_escapes_in_texts() {
	machine
	local evil=$'\x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b1m\xff\xfe \xc3\x28 \xed\xa0\x80'
	local file
	for file in "$device/node_desc" "$device/fw_ver" "$device/hca_type" "$device/board_id" "$port/state" "$port/rate" "$port/link_layer" \
		"$port/gid_attrs/ndevs/0" "$port/gid_attrs/types/1" "$netdev/operstate" "$root/etc/os-release"; do
		printf '%s\n' "$evil" >"$file"
	done
	listings_show "$root" irdma1
	listings_show "$root" irdma0
	run --root "$root" --color always status
}
case_escapes_in_names() {
	machine
	local evil=$'evil\x1b[31m\x07\xff'
	cp -a "$device" "$pci/infiniband/$evil"
	ln -s "../../devices/pci0000:16/0000:16:02.0/0000:17:00.1/infiniband/$evil" "$root/sys/class/infiniband/$evil"
	printf '7\n' >"$port/hw_counters/"$'cnt\x1b[31m\xfe'
	ln -s nothing "$root/sys/class/infiniband/"$'new\nline'
	listings_show "$root" irdma1
	run --root "$root" -j devices
	json_is '.devices | length >= 3'
	out_lacks '\u00' # jansson would write it so
}
case_option_text_is_hostile() {
	run --root "$(fixture siw)" devices $'no\x1b[31msuch\xff'
	status_is 2
	run --root "$(fixture siw)" devices -o $'co\x1b[31mlumn'
	status_is 2
	run $'com\x1b[31mmand'
	status_is 2
}
case_hostile_names_are_quoted() {
	local evil name
	# shellcheck disable=SC2016 # that is the point
	for name in 'x$(id)' "q'uote" 'semi;colon' $'esc\x1b[31m' 'pipe|d' $'bell\x07' $'c1\xc2\x9b'; do
		machine
		evil=$name
		mv "$device" "$pci/infiniband/$evil"
		rm "$root/sys/class/infiniband/irdma1"
		ln -s "../../devices/pci0000:16/0000:16:02.0/0000:17:00.1/infiniband/$evil" "$root/sys/class/infiniband/$evil"
		grep -rl irdma1 --include=ibdev "$root/sys" | while read -r file; do printf '%s\n' "$evil" >"$file"; done
		for consumer in nccl ucx perftest mpi libfabric rdma_cm; do
			run --root "$root" gids --for $consumer
			[ "$status" -le 1 ] || fault "$ran: status $status"
			pasted_is_harmless
			run --root "$root" -j gids --for $consumer
			out_is_json
		done
		for command in "topo --dot" resources doctor "doctor --nagios" "doctor --one-line" "doctor -v" "mode" qos; do
			# shellcheck disable=SC2086
			run --root "$root" $command
			[ "$status" -le 2 ] || fault "$ran: status $status"
		done
		run --root "$root" doctor --nagios
		! tail -n +2 "$work/out" | grep -qF '|' || fault "$ran: a separator in a finding's line"
		[ "$(head -n 1 "$work/out" | tr -dc '|' | wc -c)" = 1 ] || fault "$ran: more than one separator"
		"$roce" complete -- --root "$root" status '' | cut -f 1 >"$work/out"
		ran="roce complete"
		out_lacks "$evil"
		out_has irdma0
	done
}
# What the paste line is for a shell: assignments and words, and nothing that runs.
pasted_is_harmless() {
	local line words
	line=$(sed -n 's/^  \(\(unset\|export\|mpirun\|ib_write_bw\|rping\) .*\)/\1/p' "$work/out" | tail -n 1)
	[ -n "$line" ] || return 0
	words=$(
		cd "$work" && PATH=/nonexistent "$BASH" -c '
			unset() { :; }
			export() { printf "%s\n" "$@"; }
			mpirun() { printf "%s\n" "$@"; }
			ib_write_bw() { printf "%s\n" "$@"; }
			rping() { printf "%s\n" "$@"; }
			'"$line" 2>&1
	) || :
	case $ran in
	*nccl | *ucx | *mpi) [[ $words == *"$evil"* ]] || fault "$ran: pasted, '$line' doesn't name the device: $words" ;;
	esac
	[[ $words != *"not found"* && $words != *"uid="* && $words != *"syntax error"* && $words != *"unexpected"* ]] ||
		fault "$ran: pasted, '$line' says: $words"
}
case_ages_that_no_log_has() { # what isn't known to be old isn't taken for old
	local age
	machine
	for age in -5 18446744073709551616 99999999999999999999999; do
		mkdir -p "$root/probe"
		echo "[$age s ago] mlx5_core 0000:17:00.1: Fatal error 3 detected" >"$root/probe/kernel-log"
		run --root "$root" doctor --only kernel-log
		out_has 'FAIL kernel-log'
		out_has 'no telling when'
	done
}
