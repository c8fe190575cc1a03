# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# roce compare: files of facts are strangers'. What is damaged or foreign is named, and the rest compared.

# Facts of so many hosts, a file each in $work/fleet.
fleet() { # HOSTS
	root=$work/machine
	fixture_tree rxe-plain "$root"
	run --root "$root" facts
	status_is 0
	mkdir -p "$work/fleet"
	for ((n = 1; n <= $1; n++)); do
		jq -c --arg n "$n" '.host = "h" + $n | .devices[].node_guid = "0000:0000:0000:000" + $n | .ports[].mac = "02:00:00:00:00:0" + $n
			| .ports[].addresses = ["10.0.0." + $n + "/24"]' "$work/out" >"$work/fleet/h$n"
	done
}
case_compare_damaged_and_foreign_files_are_named() {
	fleet 3
	head -c 300 "$work/fleet/h3" >"$work/fleet/cut"
	echo '# Notes' >"$work/fleet/notes.md"
	printf '{"version": 1,\n"findings": []}' >"$work/fleet/doctor.json"
	printf '\377\0\1\033{"\n\0}]' >"$work/fleet/random"
	: >"$work/fleet/empty"
	sed 's/"rate_mbps":[0-9]*/"rate_mbps":"fast"/' "$work/fleet/h3" >"$work/fleet/typed"
	ln -s nowhere "$work/fleet/dangling"
	printf '# roce recording 1\n\nsys/\n  x\n  x\n' >"$work/fleet/bad.machine"
	run compare -j "$work/fleet"
	status_is 2
	json_is '.summary.nhosts == 3 and .findings == [] and (.refused | length) == 8'
	json_is '[.refused[].file | sub(".*/"; "")] == ["bad.machine", "cut", "dangling", "doctor.json", "empty", "notes.md", "random", "typed"]'
	err_has "cut', line 1: it ends"
	err_has "doctor.json', line 1: these are not the facts"
	err_has "typed', line 1: 'rate_mbps'"
	err_has "dangling': no such file"
	err_has "empty': it is empty"
	sed -i 's/"kernel":"[^"]*"/"kernel":"9.9"/' "$work/fleet/h1"
	run compare "$work/fleet"
	status_is 1
	out_has "h1: 9.9"
}
case_compare_damaged_line_costs_itself_alone() {
	fleet 3
	{
		cat "$work/fleet/h1"
		head -c 500 "$work/fleet/h2"
		echo
		cat "$work/fleet/h3"
		echo "srun: error: h2: task 1: Exited with exit code 2"
	} >"$work/facts.jsonl"
	run compare -j "$work/facts.jsonl"
	status_is 2
	json_is '.summary.nhosts == 2 and (.refused | length) == 1 and .refused[0].line == 2'
	err_has "and 1 more in this file"
}
case_compare_huge_facts_are_refused() {
	fleet 2
	{
		printf '{"version":1,"host":"big","kernel":"'
		head -c 5000000 /dev/zero | tr '\0' x
		printf '","ports":[]}\n'
	} >"$work/fleet/big"
	yes '[' | head -n 100000 | tr -d '\n' >"$work/fleet/deep"
	run compare -j "$work/fleet"
	status_is 2
	json_is '.summary.nhosts == 2 and (.refused | length) == 2'
	err_has "big', line 1: more bytes than"
}
case_compare_the_later_of_two_records_counts() {
	fleet 3
	jq -c '.time = "2026-11-21T00:00:00Z" | .kernel = "older"' "$work/fleet/h1" >"$work/fleet/a"
	jq -c '.time = "2026-11-22T00:00:00Z"' "$work/fleet/h1" >"$work/fleet/b" && rm "$work/fleet/h1"
	run compare -j "$work/fleet"
	status_is 0
	json_is '.summary.nhosts == 3 and .summary.replaced == 1 and .findings == []'
}
case_compare_terminal_codes_stay_text() {
	fleet 2
	sed -i 's/"kernel":"[^"]*"/"kernel":"\\u001b[31m\\u202e"/; s/"host":"h1"/"host":"h1;reboot"/' "$work/fleet/h1"
	run compare "$work/fleet"
	status_is 1
	out_has '\x1b[31m'
	out_has 'h1_reboot'
	[ "$(tr -d '\n -~' <"$work/out" | wc -c)" = 0 ] || fault "bytes that a terminal may obey"
}
case_compare_nothing_to_compare() {
	run compare
	status_is 2
	err_has "compare what?"
	mkdir "$work/none"
	run compare "$work/none"
	status_is 2
	err_has "no host to compare"
	run compare "$work/nowhere"
	status_is 2
	err_has "nowhere'"
	fleet 2
	run compare --only kernal "$work/fleet"
	status_is 2
	err_has "did you mean 'kernel'?"
	run compare --by rack "$work/fleet"
	status_is 2
	run compare --against "$work/fleet" "$work/fleet"
	status_is 2
	err_has "--against: cannot read '$work/fleet'"
	echo '{"ports": [{"device": "*", "sate": "ACTIVE"}]}' >"$work/expected"
	run compare --against "$work/expected" "$work/fleet"
	status_is 2
	err_has "line 1: there is no key 'sate' in ports; did you mean 'state'?"
	echo '{"devices": [{"device": "*", "fw_ver": "1"}]}' >"$work/expected"
	echo '{"host": "h", "devices": [{"hca_type": "MT1"}], "ports": [{"port": 1}]}' >"$work/nameless"
	run compare --against "$work/expected" "$work/nameless"
	status_is 1
	out_has "missing"
	run compare --html -j "$work/fleet"
	status_is 2
}
case_compare_plan_is_a_strangers() {
	fleet 2
	printf 'host,nic,switch,switch port\nh1,rxe\0339,leaf\377,swp\0071\nh\033]2,rxe0,leaf1,swp2\n' >"$work/plan.csv"
	run compare --against "$work/plan.csv" "$work/fleet"
	status_is 1
	out_has 'rxe\x1b9'
}
case_compare_page_on_a_full_disk() {
	fleet 2
	status=0
	"$roce" compare --html "$work/fleet" >/dev/full 2>"$work/err" || status=$?
	[ $status = 2 ] || fault "a page that wasn't written is no success"
}
