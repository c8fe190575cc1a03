# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/zabbix: a real agent answers what the template asks, and what the template makes of that is so.
packages zabbix-agent
/usr/bin/python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
in_namespaces
blind_machine "$work/blind"
template=$work/template.json
/usr/bin/python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' <contrib/zabbix/roce.yaml >"$template"
cd "$work" || exit
mkdir -p local/bin lib
mount --bind "$work/local" /usr/local
printf '#!/bin/sh\nexec %s --root %s/machine "$@"\n' "$roce" "$work" >local/bin/roce
chmod +x local/bin/roce
sed "s|/var/lib/zabbix|$work/lib|" "$top/contrib/zabbix/roce.conf" >roce.conf
cat >agent.conf <<CONF
Server=127.0.0.1
ListenIP=127.0.0.1
LogType=console
PidFile=$work/pid
AllowRoot=1
Timeout=15
Include=$work/roce.conf
CONF
LD_LIBRARY_PATH=$libraries "$packages/usr/sbin/zabbix_agentd" -f -c agent.conf >agent.log 2>&1 &
# ask KEY: the agent's answer, by its protocol: ZBXD, a byte 1, eight bytes of length, least first, and the text
ask() {
	local length=${#1} bytes
	exec {agent}<>/dev/tcp/127.0.0.1/10050 || return
	# shellcheck disable=SC2059  # the header's bytes
	printf "ZBXD\x01\x$(printf %02x "$length")\0\0\0\0\0\0\0%s" "$1" >&"$agent"
	bytes=$(timeout 160 tail -c +14 <&"$agent" | tr '\0' '?')
	exec {agent}>&-
	printf '%s\n' "$bytes"
}
machine mlx5-roce-train
until_so 10 eval '(: >/dev/tcp/127.0.0.1/10050) 2>/dev/null'
shows "the agent answers: a healthy host is OK" '^ROCE OK - 0 failures, 0 warnings' ask roce.doctor
ask roce.ports >ports.json
json "the agent answers: the ports" '.ports | length == 12 and all(.state == "ACTIVE")' ports.json
equal "the agent answers: a counter" "$("$roce" -r "$top/$(fixture mlx5-roce-train)" counters --no-header --format csv -o value mlx5_0/1 port_rcv_data)" \
	"$(ask 'roce.counter[mlx5_0,1,port_rcv_data]')"
shows "a counter that there isn't is said to be so" 'no .*such' ask 'roce.counter[mlx5_0,1,such]'
machine fault-link
shows "the agent answers: a fault, with device and port" '^ROCE CRITICAL - .*: port-active mlx5_6/1' ask roce.doctor
ask roce.doctor >fault
ln -sfn "$work/blind" machine
shows "the agent answers: what can't be looked at" '^ROCE UNKNOWN - ' ask roce.doctor
ask roce.doctor >blind-answer
rm machine && mkfifo machine
shows "the agent answers: that a roce hangs, when its Timeout is over" '^ZBX_NOTSUPPORTED.Timeout' ask roce.doctor
rm local/bin/roce
shows "the agent answers: that there is no roce" 'not found' ask roce.doctor
ask roce.doctor >missing

# ---- the template, as Zabbix would apply it
all='[.zabbix_export.templates[0] | .items[], .discovery_rules[], .discovery_rules[].item_prototypes[]]'
json "every id is there once, of version 4" '[.. | .uuid? // empty] | (unique | length) == length and length > 15 and all(test("^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$"))' "$template"
asked=$(jq -r "$all"' | map(select(.type == null)) | .[].key' "$template" | sort)
equal "what it asks the agent for is what roce.conf has" "$asked" "$(sed -n 's/^UserParameter=\([^,[]*\),.*/\1/p' "$top/contrib/zabbix/roce.conf" | sort)"
# shellcheck disable=SC2016  # jq's own
json "what depends on another item depends on one that is asked for" "$all"' | (map(select(.type == null) | .key)) as $asked | map(select(.type == "DEPENDENT") | .master_item.key) | length == 8 and (. - $asked == [])' "$template"
# shellcheck disable=SC2016  # jq's own
json "a trigger speaks of items that there are" "$all"' | (map(.key) | map(sub("\\[.*"; ""))) as $keys | [.. | .expression?, .recovery_expression? | strings | scan("/RDMA by roce/([a-z_.]+)")[0]] | length > 5 and (. - $keys == [])' "$template"
regexes() { jq -r "$all"'[] | .preprocessing[]? | select(.type == "REGEX") | .parameters[0]' "$template"; }
found() { # FILE: the count that each of the template's expressions takes of an answer
	local regex
	while IFS= read -r regex; do grep -o -P -m 1 -e "$regex" "$1" | head -n 1; done < <(regexes)
}
shows "the counts are found in an answer" '^fail=[1-9][0-9]*$' found fault
equal "all of them" 3 "$(found fault | wc -l)"
fires() { # FILE: the names of the triggers of roce.doctor that an answer fires
	local name function
	while IFS=$'\t' read -r name function; do
		case $function in
		*'"like","'*)
			function=${function#*\"like\",\"}
			! grep -q -F -e "${function%%\"*}" "$1" || echo "$name"
			;;
		*'"regexp","'*)
			function=${function#*\"regexp\",\"}
			grep -q -P -e "${function%%\"*}" "$1" || echo "$name"
			;;
		esac
	done < <(jq -r '.zabbix_export.templates[0].items[0].triggers[] | "\(.name)\t\(.expression)"' "$template")
}
equal "a fault fires" "RDMA fails" "$(fires fault)"
equal "what can't be looked at fires" "RDMA could not be looked at" "$(fires blind-answer)"
equal "a missing roce fires" "RDMA could not be looked at" "$(fires missing)"
echo 'ROCE OK - 0 failures, 0 warnings, 66 passed' >healthy
empty "a healthy host fires nothing" "$(fires healthy)"
# $.ports[?(@.device == "{#DEVICE}" && @.port == {#PORT})].KEY.first(), for a port that the discovery's paths find
# shellcheck disable=SC2016  # jq's own
json "what is told of a port is found in an answer" --slurpfile answer ports.json '
	.zabbix_export.templates[0].discovery_rules[0] as $rule
	| ($rule.lld_macro_paths | map(.path | ltrimstr("$."))) == ["device", "port"]
	and ([$rule.item_prototypes[].preprocessing[0].parameters[0]
	      | capture("^\\$\\.ports\\[\\?\\(@\\.device == \"\\{#DEVICE\\}\" && @\\.port == \\{#PORT\\}\\)\\]\\.(?<key>[a-z_]+)\\.first\\(\\)$").key]
	     | length == 4 and (. - ($answer[0].ports[0] | keys) == []))' "$template"
