# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# As a gate: what could not be read never passes.

# healthy_machine: a copy of a machine on which doctor finds nothing, in $root.
healthy_machine() {
	root=$work/machine
	fixture_tree mlx5-roce-train "$root"
	run --root "$root" doctor --nagios
	status_is 0
}
# unreadable NAME…: these files of every port.
unreadable() {
	local name file
	for name in "$@"; do
		while read -r file; do
			rm "$file"
			spoil "${file#"$root"/}" EIO
		done < <(find "$root/sys" -path "*/ports/*/$name")
	done
}
# no_gate_passes: neither a plugin nor who asks for what is unknown, too.
no_gate_passes() {
	run --root "$root" doctor --nagios
	status_is 3
	out_has "ROCE UNKNOWN"
	run --root "$root" doctor --nagios --fail-on fail
	status_is 3
	run --root "$root" doctor --fail-on fail+unknown
	status_is 1
	run --root "$root" doctor --one-line
	status_is 2
	out_has "UNKNOWN"
	run --root "$root" doctor --one-line --fail-on fail
	status_is 2
}
case_gate_state_is_unreadable() {
	healthy_machine
	unreadable state
	no_gate_passes
}
case_gate_phys_state_is_unreadable() {
	healthy_machine
	unreadable phys_state
	no_gate_passes
}
case_gate_rate_is_unreadable() {
	healthy_machine
	unreadable rate
	no_gate_passes
	run --root "$root" status -o verdict --no-header
	out_has unknown
}
case_gate_link_layer_is_unreadable() {
	healthy_machine
	unreadable link_layer
	no_gate_passes
	run --root "$root" doctor -j
	json_is '[.findings[] | select(.id == "gid-table") | .verdict] | all(. == "unknown")'
}
case_gate_all_three_are_unreadable() {
	healthy_machine
	unreadable state phys_state link_layer
	no_gate_passes
}
# Where everything that was asked could not be looked at, nothing is well.
case_gate_nothing_could_be_looked_at() {
	healthy_machine
	run --root "$root" doctor --only link-flaps --nagios
	status_is 3
	run --root "$root" doctor --only link-flaps --one-line
	status_is 2
	out_has "UNKNOWN 1 check could not look"
}
# The sanitized binary needs descriptors of its own: the plain one is asked.
case_gate_descriptors_run_out() {
	local limit
	roce=$(realpath build/roce)
	fixture_tree mlx5-roce-train "$work/machine"
	"$roce" --root "$work/machine" -j doctor 2>/dev/null | jq -c .findings >"$work/unlimited" || :
	for limit in 4 5 6 7 8 9; do
		# with enough of them for all that is read, the answer is the one without a limit
		(ulimit -n "$limit" && exec "$roce" --root "$work/machine" -j doctor) >"$work/out" 2>"$work/err" || :
		if [ "$limit" -gt 6 ] && jq -c .findings "$work/out" | cmp -s - "$work/unlimited"; then continue; fi
		ran="ulimit -n $limit; roce -j doctor"
		[ ! -s "$work/out" ] || json_is '[.findings[] | select(.verdict == "pass" or .verdict == "n/a")] == []'
		ran="ulimit -n $limit; roce doctor --nagios" status=0
		(ulimit -n "$limit" && exec "$roce" --root "$work/machine" doctor --nagios) >"$work/out" 2>"$work/err" || status=$?
		status_is 3
		out_lacks "ROCE OK"
	done
}
case_gate_no_sys() {
	local inside="$work/inside"
	mkdir -p "$inside"
	cp "$(realpath build/roce)" "$inside/roce"
	unshare -r true 2>/dev/null || return 0
	status=0 ran="roce doctor in a chroot without /sys"
	unshare -r chroot "$inside" /roce doctor --interval 0 --nagios >"$work/out" 2>"$work/err" || status=$?
	status_is 3
	unshare -r chroot "$inside" /roce doctor --interval 0 -v >"$work/out" 2>"$work/err" || status=$?
	out_has "/sys is not here"
	out_lacks "not loaded"
	status=0
	unshare -r chroot "$inside" /roce status >"$work/out" 2>"$work/err" || status=$?
	status_is 2
}
case_gate_formats() { # each for a program of its own, which would not see the other one
	machine
	for format in --nagios --one-line; do
		run --root "$root" -j doctor "$format"
		[ "$status" -ge 2 ] || fault "$ran: status $status"
		err_has "$format is a format of its own"
		out_is_empty
	done
}
case_gate_exit_statuses() {
	root=$work/machine
	fixture_tree fault-link "$root"
	for options in "" "--fail-on fail" "--one-line" "--nagios"; do
		# shellcheck disable=SC2086
		run --root "$root" doctor --only port-active $options
		[ "$status" -ge 1 ] || fault "$ran: status $status"
	done
	run --root "$root" doctor --nagios
	out_has ": port-active mlx5_6/1, port-module mlx5_4/1, "
	run doctor --nagios --frob
	status_is 3
	run doctor --nagios --fail-on perhaps
	status_is 3
	run doctor --frob
	status_is 2
	run --root "$root" status
	status_is 1
	run --root "$root" gids --for nccl
	status_is 1
	run --root "$root" doctor --only port-rate --fail-on fail
	status_is 0
	run --root "$root" doctor --only port-rate --nagios --fail-on fail
	status_is 0
	run --root "$root" doctor --only port-rate --nagios
	status_is 1
	run --root "$root" doctor --only transport-retries
	status_is 0
	run --root "$root" doctor --only transport-retries --fail-on unknown
	status_is 1
	run --root "$root" doctor -j --nagios
	status_is 3
	out_is_empty
	err_has "--json"
	run --root "$root" doctor --one-line
	status_is 1
	[ "$(wc -l <"$work/out")" = 1 ] || fault "$ran: more than a line"
	[ "$(head -n 1 "$work/out" | wc -L)" -le 80 ] || fault "$ran: more than 80 columns"
	fixture_tree mlx5-dual-port "$work/spare"
	run --root "$work/spare" doctor --only port-in-use
	status_is 0
	run --root "$work/spare" doctor --only port-in-use --fail-on info
	status_is 1
	run --root "$work/spare" status # its spare port is DOWN
	status_is 0
	run --root "$work/spare" status mlx5_0
	status_is 1
	fixture_tree no-rdma "$work/none"
	for command in status "gids --for nccl"; do
		# shellcheck disable=SC2086
		run --root "$work/none" $command
		status_is 1
	done
}
# A tree that roce didn't record: what isn't there could not be looked at, and is no fault.
case_gate_only_sys() {
	local what
	healthy_machine
	mkdir "$work/only"
	cp -a "$root/sys" "$work/only/"
	root=$work/only
	for what in "" infiniband_verbs net; do
		[ -z "$what" ] || rm -r "$root/sys/class/$what"
		run --root "$root" doctor -j
		status_is 0
		json_is '.summary.check_counts.fail == 0 and .summary.check_counts.warn == 0'
		json_is '[.findings[] | select(.id == "rdma-cm-node") | .verdict] == ["unknown"]'
	done
}
# The last reading is the earlier one of the next run.
case_gate_state() {
	local state=$work/state
	fixture_tree fault-counters-before "$work/earlier"
	fixture_tree fault-counters "$work/later"
	run --root "$work/earlier" doctor -j --only retransmissions --state "$state"
	status_is 0
	json_is '[.findings[].verdict] | unique == ["unknown"]'
	[ "$(stat -c %a "$state")" = 600 ] || fault "the state's mode is $(stat -c %a "$state")"
	run --root "$work/later" doctor -j --only retransmissions,link-flaps --state "$state"
	status_is 1
	json_is '.summary.interval_ms != null and ([.findings[] | select(.verdict == "warn") | .id] | index("link-flaps") != null)'
	run --root "$work/later" doctor -j --only retransmissions,link-flaps --state "$state"
	status_is 0
	json_is '[.findings[].verdict] | index("unknown") == null' # nothing since
	# of no use: of another boot, from the future, without a word of when, no recording; then it is written anew
	for spoilt in "sed -i 's/^# read [0-9]*/# read 99999999999/'" "sed -i 's/ of boot [0-9a-f]*/ of boot deadbeef/'" "sed -i 2d" "truncate -s 100" "truncate -s 0"; do
		eval "$spoilt '$state'"
		run --root "$work/later" doctor -j --only link-flaps --state "$state"
		status_is 0
		json_is '[.findings[].verdict] | unique - ["n/a"] == ["unknown"]'
		run --root "$work/later" doctor -j --only link-flaps --state "$state"
		json_is '[.findings[].verdict] | index("pass") != null'
	done
	# the clock may have been set meanwhile: how long it is since then is told by another
	local up when
	for when in '2 days ago' '1 minute ago' tomorrow; do
		read -r up _ </proc/uptime
		sed -i "s/^# read [0-9]*/# read $((${up%.*} * 1000 - 5000))/" "$state"
		touch -d "$when" "$state"
		run --root "$work/later" doctor -j --only link-flaps --state "$state"
		json_is '.summary.interval_ms | . >= 5000 and . < 60000'
	done
	# one that was stopped midway is in nobody's way, and one that can't be kept is said
	: >"$state.new"
	run --root "$work/later" doctor --only link-flaps --state "$state"
	status_is 0
	[ ! -e "$state.new" ] || fault "what a run that was stopped has left is still there"
	run --root "$work/later" doctor --only link-flaps --state "$work/nowhere/state"
	status_is 0
	err_has "--state: cannot keep"
	run --root "$work/later" doctor --state "$state" --before "$(fixture fault-counters-before)"
	status_is 2
	# one waits for the other, and in the end goes on without
	flock -F "$state.lock" sleep 600 &
	local holder=$!
	until ! flock -n "$state.lock" true; do sleep 0.05; done
	run --root "$work/later" doctor --only link-flaps --state "$state"
	status_is 0
	err_has "another roce has"
	kill "$holder"
}
