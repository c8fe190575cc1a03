# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/prometheus: the rules, by promtool; what `roce metrics` prints of every fixture, by promtool and by Python's parser of OpenMetrics; and end to
# end with Debian 12's servers and with the newest that Debian has: file → node_exporter → Prometheus → Alertmanager, and socket → Prometheus.
versions=(bookworm sid)
for suite in "${versions[@]}"; do prometheus_of "$suite"; done
packages python3-prometheus-client python3-decorator
require curl systemd-socket-activate
in_namespaces

promtool() { # SUITE ARGUMENT…
	"$top/build/packages/prometheus-$1/usr/bin/promtool" "${@:2}"
}
mkdir "$work/rules"
cp contrib/prometheus/roce-rules.yml tests/contrib/rules-test.yml "$work/rules"
for suite in "${versions[@]}"; do
	check "$suite: the rules are understood" promtool "$suite" check rules contrib/prometheus/roce-rules.yml
	check "$suite: each alert fires, and ends" promtool "$suite" test rules "$work/rules/rules-test.yml"
done
tested() { # in one machine's time each alert is quiet, fires and is quiet again
	/usr/bin/python3 - contrib/prometheus/roce-rules.yml tests/contrib/rules-test.yml <<-'END'
		import re, sys, yaml
		rules, tests = (yaml.safe_load(open(path)) for path in sys.argv[1:])
		alerts = [r["alert"] for g in rules["groups"] for r in g["rules"] if "alert" in r]
		def seconds(time):
		    return sum(int(n) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit] for n, unit in re.findall(r"(\d+)([smhd])", str(time)))
		def states(alert, test):
		    asked = sorted((t for t in test.get("alert_rule_test", []) if t["alertname"] == alert), key=lambda t: seconds(t["eval_time"]))
		    return "".join("!" if t.get("exp_alerts") else "." for t in asked)
		bad = [a for a in alerts if not any(re.search(r"\.!+\.", states(a, test)) for test in tests["tests"])]
		sys.exit(f"of {len(alerts)} alerts these aren't seen to come and go: {bad}" if bad or len(alerts) < 12 else 0)
	END
}
check "each alert is tested: before, while it lasts, and when it is over" tested
known() { # each family that a rule names is one
	local name bad=0
	"$roce" metrics --list -o name --no-header >"$work/families"
	while read -r name; do
		grep -qx "$name" "$work/families" || { echo "no family is called $name" && bad=1; }
	done < <(sed 's/[a-z_]*:roce[a-z_]*:[a-z0-9_]*//g' contrib/prometheus/roce-rules.yml | grep -v '^ *\(- name\|description\|#\)' | grep -oE '\broce_[a-z_]+' | sort -u)
	return $bad
}
check "the rules name families that there are" known

# ---- what is printed of every fixture
# One name of the fixture `broken` is made to be odd, and promtool has something to say of it.
lint() { # FIXTURE OPTION…
	local said
	said=$("$roce" -q --root "$(fixture "$1")" metrics "${@:2}" | promtool sid check metrics 2>&1 | grep -v '^roce_hw_counters_a_counter_nobody_knows_total ')
	[ -z "$said" ] || { echo "$1: $said" && return 1; }
}
lint_all() {
	local name bad=0
	for name in $(fixtures); do
		lint "$name" || bad=1
	done
	for name in mlx5-roce-train fault-link rxe-in-use hfi1 broken; do
		lint "$name" --checks --gids --gid-info --processes --limits || bad=1
		lint "$name" --only '*counters_*' || bad=1
		lint "$name" --names node-exporter || bad=1
	done
	return $bad
}
check "promtool finds nothing to mend in what is printed of every fixture" lint_all
open_metrics() {
	local name
	mkdir "$work/pages"
	for name in $(fixtures); do
		"$roce" -q --root "$(fixture "$name")" metrics --openmetrics --checks --gids --gid-info --processes --limits >"$work/pages/$name" || return
	done
	PYTHONPATH=$packages/usr/lib/python3/dist-packages /usr/bin/python3 - "$work/pages"/* <<-'END'
		import sys
		from prometheus_client.openmetrics.parser import text_string_to_metric_families
		for path in sys.argv[1:]:
		    families = list(text_string_to_metric_families(open(path, newline="").read()))
		    names = [f.name for f in families]
		    assert len(names) == len(set(names)), path
		    assert all(f.documentation and f.type != "unknown" for f in families), path
		    assert sum(len(f.samples) for f in families) > 5, path
	END
}
check "OpenMetrics of every fixture is read by Python's strict parser" open_metrics

# ---- end to end
cd "$work" || exit
mount -t overlay overlay -o "lowerdir=$top/build/packages/prometheus-sid/usr/share:/usr/share" /usr/share 2>/dev/null || # Debian's Alertmanager looks there
	skip "no overlay can be mounted here, for Alertmanager's default.tmpl"

server() { # NAME COMMAND…: in the background
	"${@:2}" >"$dir/$1.log" 2>&1 &
}
ask() { curl -s -m 5 "http://127.0.0.1:$1"; } # PORT/PATH
# What fires at Alertmanager: "NAME DEVICE/PORT JOB", sorted.
firing() {
	ask "$((base + 3))/api/v2/alerts?active=true" | jq -r '.[].labels | "\(.alertname) \(.device // "")/\(.port // "") \(.job)"' | sort
}
fires() { [ "$(firing)" = "$1" ]; }
scraped() { # both jobs, twice at least
	[ "$(ask "$((base + 2))/api/v1/query?query=count_over_time(roce_build_info%5B1m%5D)" | jq '[.data.result[].value[1] | tonumber | select(. >= 3)] | length')" = 2 ]
}
# The timer's part: each second in place of each quarter of a minute.
textfile() {
	while :; do
		"$roce" -q -r machine metrics --checks --output textfile/roce.prom
		sleep 1
	done
}
begin() { # SUITE: the servers, on ports from $base
	local bin=$top/build/packages/prometheus-$1/usr/bin
	mkdir textfile data alerts
	cat >prometheus.yml <<-CONF
		global: {scrape_interval: 1s, evaluation_interval: 1s}
		rule_files: ["$top/contrib/prometheus/roce-rules.yml"]
		scrape_configs:
		  - {job_name: node, static_configs: [{targets: ["127.0.0.1:$((base + 1))"], labels: {instance: a}}]}
		  - {job_name: roce, static_configs: [{targets: ["127.0.0.1:$base"], labels: {instance: a}}]}
		alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:$((base + 3))"]}]}]}
	CONF
	printf 'route: {receiver: nobody, group_wait: 0s}\nreceivers: [{name: nobody}]\n' >alertmanager.yml
	server textfile textfile
	server socket systemd-socket-activate --accept --inetd -l "127.0.0.1:$base" "$roce" -q -r machine metrics --http
	server node-exporter "$bin/prometheus-node-exporter" --collector.disable-defaults --collector.textfile --collector.textfile.directory="$PWD/textfile" \
		--web.listen-address="127.0.0.1:$((base + 1))"
	server alertmanager "$bin/prometheus-alertmanager" --config.file=alertmanager.yml --storage.path=alerts --web.listen-address="127.0.0.1:$((base + 3))" \
		--cluster.listen-address=
	server prometheus "$bin/prometheus" --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$((base + 2))"
}
# One thing each: a link goes down, a cable is bad, a device falls off the bus.
break_machine() {
	local class=machine/sys/class/infiniband file
	cp "$class/mlx5_3/ports/1/state" state
	echo '1: DOWN' >"$class/mlx5_3/ports/1/state"
	file=$class/mlx5_5/ports/1/hw_counters/rx_icrc_encapsulated
	echo $(($(cat "$file") + 50)) >"$file"
	mv "$class/mlx5_7" gone
}
mend_machine() {
	local class=machine/sys/class/infiniband
	cat state >"$class/mlx5_3/ports/1/state"
	mv gone "$class/mlx5_7"
}
both_jobs() { # NAME DEVICE/PORT…, a line each
	local job line
	while read -r line; do
		for job in node roce; do echo "$line $job"; done
	done | sort
}
end_to_end() { # SUITE BASE
	local suite=$1 base=$2 dir=$work/$1
	mkdir "$dir" && cd "$dir" || return
	"$roce" record --unpack "$top/$(fixture mlx5-roce-train)" machine
	begin "$suite"
	check "$suite: both ways are scraped" until_so 60 scraped
	empty "$suite: a healthy machine fires nothing" "$(firing)"
	equal "$suite: node_exporter tells how old the file is, under the name that the alert looks for" 1 \
		"$(ask "$((base + 2))/api/v1/query?query=count(node_textfile_mtime_seconds%7Bfile%3D~%22.*roce%5C%5C.prom%22%7D)" | jq -r '.data.result[0].value[1]')"
	break_machine
	check "$suite: a port down, a bad cable, a device gone and what doctor finds are told within 15 s, with device and port" until_so 15 fires "$(
		{
			printf '%s\n' 'RocePortDown mlx5_3/1' 'RocePhysicalErrors mlx5_5/1' 'RoceDeviceGone mlx5_7/' | both_jobs
			echo 'RoceFinding mlx5_3/1 node'
		} | sort
	)" || firing
	mend_machine
	check "$suite: what is mended ends; damaged packets are told for a quarter of an hour" until_so 20 fires "$(echo 'RocePhysicalErrors mlx5_5/1' | both_jobs)"
	shows "$suite: Prometheus has nothing against its two targets" '^0$' \
		jq '[.data.activeTargets[] | select(.lastError != "")] | length' <(ask "$((base + 2))/api/v1/targets")
	check "$suite: no server has logged an error of ours" eval '! grep -hE "level=(error|ERROR)|roce: " *.log'
	firing >"$dir/at-the-end"
}
tally_lines < <(
	{
		end_to_end bookworm 20000 &
		end_to_end sid 21000 &
		wait %1 %2 2>/dev/null || wait
	} 2>&1
)
