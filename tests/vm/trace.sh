# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For the scenarios of roce trace.
# shellcheck disable=SC2034  # what these set is theirs

# begin_trace OPTION…: roce -j trace in the background, process $trace, which writes to steps.json and errors; returns when it hears. It doesn't
# step back: what it tells late, a scenario would wait for.
begin_trace() {
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
	nice -n 1 roce -j trace "$@" >steps.json 2>errors &
	trace=$!
	check "it starts" eventually 20 grep -q '"start"' steps.json
}

# told NAME FILTER [FILE]: soon there is a step of which the jq filter is true.
told() {
	check "$1" is_told "$2" "${3:-steps.json}"
}
# is_told FILTER FILE: else, what was told last.
is_told() {
	eventually 10 jq -e -s "any(.[]; $1)" "$2" >/dev/null || {
		tail -n 3 "$2" | cut -c -700
		false
	}
}

# steps FILTER NAME: of all steps together.
steps() {
	json "$2" "[., inputs] | $1" steps.json
}
healthy='all(.[]; .is_failure == false and .step != "gap" and .step != "unknown")'

# serve_rping ADDRESS OPTION…: a server of rping, process $server, that listens.
serve_rping() {
	rping -s -a "$@" >/dev/null 2>&1 &
	server=$!
	check "rping listens" eventually 10 rdma_listens
}
rdma_listens() { rdma resource show cm_id | grep -q "LISTEN.*:7174\|:7174.*LISTEN"; }
