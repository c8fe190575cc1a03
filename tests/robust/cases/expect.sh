# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Facts, and doctor --expect: the file is somebody's own, written by hand.

facts_machine() {
	root=$work/machine
	fixture_tree mlx5-roce-train "$root"
}
# expecting TEXT [OPTION…]: doctor with a file that says so.
expecting() {
	printf '%s' "$1" >"$work/expect.json"
	run --root "$root" doctor --only as-expected --expect "$work/expect.json" "${@:2}"
}
refused() { # LINE WORD
	status_is 2
	err_has "expect.json', line $1: "
	err_has "$2"
}
case_expect_own_facts_are_met() {
	facts_machine
	run --root "$root" facts --for-expect
	status_is 0
	cp "$work/out" "$work/facts.json"
	run --root "$root" doctor --expect "$work/facts.json" --fail-on warn
	status_is 0
	run --root "$root" facts
	cp "$work/out" "$work/facts.json"
	run --root "$root" doctor -j --only as-expected --expect "$work/facts.json"
	status_is 0
	json_is '.findings[0].verdict == "pass"'
}
# What a stranger is sent: small, and no key in it by which one gets in anywhere.
case_facts_are_lean() {
	facts_machine
	run --root "$root" facts
	status_is 0
	[ "$(wc -l <"$work/out")" = 1 ] || fault "more than a line"
	[ "$(wc -c <"$work/out")" -lt 16384 ] || fault "facts of 12 ports take $(wc -c <"$work/out") bytes"
	json_is '(.ports | length) == 12 and (.ports[0] | .pfc == [3] and .subnets == ["10.100.0.0/24"] and .fec == "rs" and .ecn_np == [3])'
	json_is '.devices[0].iommu == "identity" and .memlock == "unlimited" and .found_by_doctor == []'
}
# Not one more finding, whatever of the host is in its containers.
case_expect_facts_of_host_with_containers() {
	root=$work/machine
	fixture_tree mlx5-sriov-host "$root"
	run --root "$root" facts --for-expect
	cp "$work/out" "$work/facts.json"
	run --root "$root" doctor -j --expect "$work/facts.json"
	status_is 0
	json_is '.summary.check_counts.fail == 0 and .summary.check_counts.warn == 0'
}
case_facts_of_unreadable_devices() {
	facts_machine
	rm -r "$root/sys/class/infiniband"
	spoil sys/class/infiniband EACCES
	run --root "$root" facts
	status_is 2
	[ ! -s "$work/out" ] || fault "facts of what could not be read"
}
case_expect_differences_fail() {
	facts_machine
	expecting '{"ports": [{"device": "mlx5_3", "port": 1, "rate_mbps": 800000}], "devices": [{"device": "mlx5_*", "count": 13}]}'
	status_is 1
	out_has "mlx5_3/1 rate_mbps: expected 800000, found 400000"
	out_has "mlx5_* count: expected 13, found 12"
	expecting '{"devices": [{"device": "mlx5_12"}]}' --nagios
	status_is 2
	out_has "mlx5_12 is not here"
}
case_expect_mistakes_have_their_line() {
	facts_machine
	expecting $'{\n"ports": [{"device": "mlx5_0",\n"rate_mpbs": 1}]}'
	refused 3 "did you mean 'rate_mbps'?"
	expecting $'{\n"ports": [{"device": "mlx5_0",\n"rate_mbps": "fast"}]}'
	refused 3 "must be a whole number"
	expecting $'{\n"ports": [' --json
	refused 2 "not valid JSON"
	expecting $'{"kernel": "\xff"}'
	refused 1 "not valid JSON"
	expecting ''
	refused 1 "not valid JSON"
	expecting '{"ker\u001bnel": "1"}'
	refused 1 '\x1b'
	expecting '{' --nagios
	status_is 3
	err_has "line 1"
}
case_expect_file_cannot_be_read() {
	facts_machine
	run --root "$root" doctor --expect "$work/nowhere.json"
	status_is 2
	err_has "--expect: cannot read"
	run --root "$root" doctor --expect "$work"
	status_is 2
	head -c 1100000 /dev/zero | tr '\0' ' ' >"$work/huge.json"
	run --root "$root" doctor --expect "$work/huge.json"
	status_is 2
	err_has "--expect: cannot read"
	yes '[' | head -n 100000 | tr -d '\n' >"$work/deep.json"
	run --root "$root" doctor --expect "$work/deep.json"
	status_is 2
	err_has "not valid JSON"
}

case_expect_more_than_is_here() { # what each of many entries adds is bounded, in time and in what is told
	facts_machine
	jq -cn '{version: 1, ports: [range(12000) | {device: "gone\(.)", port: 1}, {device: "mlx5_0", port: 1, mtu: .}]}' >"$work/expect.json"
	run --root "$root" doctor --only as-expected --expect "$work/expect.json"
	status_is 1
	out_has 'gone0, gone1,'
	out_has 'expected 22, found 4096; and 11976 more'
}
