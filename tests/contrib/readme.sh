# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/README.md names what there is, and what it shows can be read by whom it is for.
named() { # each file or directory below contrib/ that the README names is there
	local name bad=0
	while IFS= read -r name; do
		[ -e "contrib/$name" ] || { echo "contrib/$name isn't there" && bad=1; }
	done < <(sed -n 's/`/\n/gp' contrib/README.md | grep -E '^(gate|slurm|nhc|kubernetes|node-problem-detector|nagios|zabbix|collectd|prometheus|grafana|systemd|verify)/[a-z0-9./-]+$')
	return $bad
}
all_told() {
	local file bad=0
	while IFS= read -r file; do
		grep -q -F "\`$file" contrib/README.md || { echo "nothing of $file" && bad=1; }
	done < <(cd contrib && find . -mindepth 2 -maxdepth 2 -path './*/roce*' -printf '%P\n')
	return $bad
}
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" contrib/README.md | sed '1d;$d'; }
check "the files that the README names are there" named
check "and it names those that there are" all_told
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	block yaml | /usr/bin/python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' >"$work/otel.json"
	json "the OpenTelemetry collector's receiver is YAML, and a scrape" '.receivers.prometheus.config.scrape_configs[0].static_configs[0].targets == ["127.0.0.1:9100"]' "$work/otel.json"
else
	result skipped "the OpenTelemetry collector's receiver" "python3-yaml is not installed"
fi
if /usr/bin/python3 -c 'import tomllib' 2>/dev/null; then
	block toml | /usr/bin/python3 -c 'import json, sys, tomllib; json.dump(tomllib.load(sys.stdin.buffer), sys.stdout)' >"$work/telegraf.json"
	json "Telegraf's inputs are TOML" '.inputs.exec | map(.data_format) == ["prometheus", "nagios"]' "$work/telegraf.json"
	# shellcheck disable=SC2016  # jq's own
	command=$(jq -r '.inputs.exec[1].commands[0]' "$work/telegraf.json")
	machine fault-link
	read -ra words <<<"${command/\/var\/lib\/telegraf/$work}"
	check_status "what Telegraf runs as a plugin ends as one" 2 "$roce" -r "$work/machine" "${words[@]:1}"
else
	result skipped "Telegraf's inputs" "this python3 has no tomllib"
fi

# Families of metrics that are printed with an option only: who shows them or looks at them says which.
"$roce" metrics --list -j | jq -r '.families[] | select(.option) | "\(.name) \(.option)"' >"$work/optional"
of_option() { grep -q " $1\$" "$work/optional" && awk -v option="$1" '$2 == option {print $1}' "$work/optional"; }
panels_say() {
	local option family bad=0
	for option in gids checks; do
		while IFS= read -r family; do
			jq -r --arg family "$family" --arg option "--$option" '.panels[] | select(any(.targets[]?; .expr | contains($family))) | select(.description | contains($option) | not) | .title' contrib/grafana/roce.json
		done < <(of_option "$option")
	done | sort -u | grep . && bad=1
	return $bad
}
# The alerts that look at an option's families, by name.
alerts_of() {
	local families
	families=$(of_option "$1" | paste -sd '|')
	awk -v families="$families" '/- alert:/ {alert = $3} $0 !~ /^ *#/ && $0 ~ families {print alert}' contrib/prometheus/roce-rules.yml | sort -u
}
alerts_are_told() {
	local option alert bad=0
	for option in gids checks; do
		[ -n "$(alerts_of "$option")" ] || { echo "no alert looks at what --$option prints" && bad=1; }
		while IFS= read -r alert; do
			sed '/^groups:/q' contrib/prometheus/roce-rules.yml | grep -q -F "$alert" || { echo "the rules' head doesn't tell what $alert needs" && bad=1; }
			grep '^|' contrib/README.md | grep -q -F "$alert" || { echo "the README doesn't tell which unit $alert needs" && bad=1; }
			grep -q -F "$alert" man/roce-metrics.7 || { echo "roce-metrics(7) doesn't tell what $alert needs" && bad=1; }
		done < <(alerts_of "$option")
	done
	return $bad
}
check "panels of what only an option prints name the option" panels_say
check "alerts of such are named with what they need" alerts_are_told

# The gate itself, where no other part does it.
gate() { ROCE="$roce --root $top/$(fixture "${1:-mlx5-roce-train}")" contrib/gate/roce-gate "${@:2}"; }
check_status "roce-gate: healthy is 0" 0 gate mlx5-roce-train --fail-on fail
check_status "roce-gate: a fault is 1" 1 gate fault-link --fail-on fail
check_status "roce-gate: a wrong option is 2" 2 gate mlx5-roce-train --frob
shows "roce-gate: which it says" "^UNKNOWN roce: .*unknown option '--frob'" gate mlx5-roce-train --frob
check_status "roce-gate: no such machine is 2" 2 env ROCE="$roce --root /nowhere" contrib/gate/roce-gate
shows "roce-gate: a time that is none is said" "^UNKNOWN ROCE_GATE_TIMEOUT isn't a number" env ROCE_GATE_TIMEOUT=soon contrib/gate/roce-gate
shows "roce-gate: --help" '^usage: roce-gate' contrib/gate/roce-gate --help
equal "roce-gate: one line of at most 80 characters" "1 yes" \
	"$(gate fault-link | wc -l) $([ "$(gate fault-link | wc -L)" -le 80 ] && echo yes)"
killed() { printf '#!/bin/bash\nkill -SEGV $$\n' >"$work/killed" && chmod +x "$work/killed" && env ROCE="$work/killed" contrib/gate/roce-gate; }
forged() { ROCE="$roce --root $top/$(fixture fault-link)" contrib/gate/roce-gate $'x\nOK all well\nstatus 0\n'; }
check_status "roce-gate: a name that looks like its end is not believed" 2 forged
shows "roce-gate: a roce that dies is UNKNOWN" '^UNKNOWN roce ' killed
