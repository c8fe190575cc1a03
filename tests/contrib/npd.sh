# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/node-problem-detector as NPD's custom plugin monitor reads and runs it (it isn't in Debian; its documentation and source tell how): JSON of known
# keys, durations of Go, a path that is there, a default for each permanent condition; the command in a process group of its own, killed when its time is
# over; of what it prints the first 4096 bytes, cut to max_output_length; status 0: the condition is False, 1: True, else Unknown.
config=$top/contrib/node-problem-detector/roce.json
in_namespaces
mkdir -p "$work/local/bin"
mount --bind "$work/local" /usr/local

# shellcheck disable=SC2016  # jq's own
json "NPD knows every key" '
	def only($keys): keys - $keys == [];
	only(["plugin", "pluginConfig", "source", "metricsReporting", "conditions", "rules"]) and .plugin == "custom" and (.source | length > 0)
	and (.pluginConfig | only(["invoke_interval", "timeout", "max_output_length", "concurrency", "enable_message_change_based_condition_update", "skip_initial_status"]))
	and (.conditions | all(only(["type", "reason", "message"])))
	and (.rules | all(only(["type", "condition", "reason", "path", "args", "timeout", "invoke_interval"])))' "$config"
# shellcheck disable=SC2016  # jq's own
json "durations are Go's, no rule may take longer than all, and each condition has its default" '
	def seconds: capture("^(?<n>[1-9][0-9]*)s$").n | tonumber;
	(.pluginConfig.timeout | seconds) as $most | (.pluginConfig.invoke_interval | seconds > $most)
	and ([.conditions[].type] as $types | .rules | all(.type == "permanent" and (.timeout | seconds) <= $most and ([.condition] - $types == [])))' "$config"
equal "NPD's own limit of a message is enough" 80 "$(jq .pluginConfig.max_output_length "$config")"

# plugin [SECONDS]: "CONDITION MESSAGE", as NPD makes it of the first rule
plugin() {
	local path seconds status=0 arguments output
	path=$(jq -r '.rules[0].path' "$config")
	mapfile -t arguments < <(jq -r '.rules[0].args[]' "$config")
	seconds=${1:-$(jq -r '.rules[0].timeout | rtrimstr("s")' "$config")}
	setsid timeout -s KILL "$seconds" "$path" "${arguments[@]}" >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
	output=$(head -c 4096 "$work/stdout" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')
	output=${output:0:$(jq .pluginConfig.max_output_length "$config")}
	case $status in
	0) echo "False $output" ;;
	1) echo "True $output" ;;
	*) echo "Unknown $output" ;;
	esac
}
shows "NPD asks for a roce that is there" '/usr/local/bin/roce' jq -r '.rules[0].path' "$config"
printf '#!/bin/sh\nexec %s --root %s/machine "$@"\n' "$roce" "$work" >/usr/local/bin/roce
chmod +x /usr/local/bin/roce
machine mlx5-roce-train
shows "a healthy node has no problem" '^False OK [0-9]+ passed' plugin
machine kubernetes-sriov-node
shows "nor has a node whose RDMA is all in its pods" '^False OK [0-9]+ passed' plugin
ROCE="$roce --root $work/machine" shows "and a gate lets it take work" '^OK [0-9]+ passed' contrib/gate/roce-gate --fail-on fail
machine fault-pod-exclusive
shows "a pod without its device names the mode" '^True FAIL rdma-namespace-mode host$' plugin
machine fault-link
shows "a fault is one, with device and port" '^True FAIL port-active mlx5_6/1; FAIL port-module mlx5_4/1' plugin
machine no-rdma
shows "so is a node without RDMA" '^True FAIL rdma-device host$' plugin
longest() { # the bytes of the longest line that any machine gives
	local name
	for name in $(fixtures); do
		"$roce" doctor --one-line --interval 0 -r "$(fixture "$name")" | wc -c
	done | sort -n | tail -n 1
}
check "no machine's line is cut" [ "$(longest)" -le 81 ]
blind_machine "$work/blind"
ln -sfn "$work/blind" "$work/machine"
shows "what can't be looked at is Unknown, and says so" '^Unknown UNKNOWN [0-9]+ checks could not look: port-active' plugin
rm "$work/machine" && mkfifo "$work/machine"
shows "a roce that hangs is Unknown when its time is over" '^Unknown' plugin 1
