# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What netlink and libibverbs answered, spoiled.

# Each reply of the recording becomes what spoil_reply makes of it.
spoiled_replies() { # TRANSFORMATION
	machine
	local file
	for file in "$root"/netlink/* "$root"/verbs/*; do
		"$1" "$file"
	done
	listings_show "$root" irdma1
	listings_show "$root" irdma0
	doctor_runs
}
make_rubbish() { head -c 4096 "$roce" | tail -c 3000 >"$1"; }
make_half() { truncate -s "$(($(wc -c <"$1") / 2))" "$1"; }
make_empty() { truncate -s 0 "$1"; }
# Lengths of messages and attributes that lie.
make_liars() { LC_ALL=C sed -i 's/\x04\x00/\x00\x00/g; s/\x08\x00/\xff\xff/3g' "$1"; }
case_replies_are_rubbish() { spoiled_replies make_rubbish; }
case_replies_are_cut() { spoiled_replies make_half; }
case_replies_are_empty() { spoiled_replies make_empty; }
case_replies_lie_about_lengths() { spoiled_replies make_liars; }
case_verbs_are_nested_too_deep() {
	machine
	yes '[' | head -n 200000 | tr -d '\n' >"$root/verbs/irdma1"
	run --root "$root" devices --caps
	[ "$status" -le 2 ] || fault "$ran: status $status"
	listings_show "$root" irdma1
}
case_replies_answer_an_error() {
	machine
	local file
	for file in "$root"/netlink/*; do
		spoil "netlink/${file##*/}" EPERM
		rm "$file"
	done
	listings_show "$root" irdma1
	run --root "$root" links
	err_has 'netlink rtnl-links'
	err_has 'EPERM'
}
# As on 5.10, which has no list of SRQs and contexts: what is not listed is not 0.
case_a_kernel_lists_less() {
	root=$work/machine
	fixture_tree rxe-in-use "$root"
	spoil netlink/nldev-srq.rxe0 EINVAL
	rm "$root"/netlink/nldev-srq.rxe0 "$root"/netlink/nldev-ctx.rxe0
	run --root "$root" -j users --totals
	status_is 0
	json_is '.unlisted == [{device: "rxe0", types: ["srq", "ctx"]}]'
	json_is '.problems == []'
	run --root "$root" users --totals
	out_has 'no list of srq, ctx on rxe0: this kernel, or this recording, has none'
	run --root "$root" users --objects srq
	err_has 'no list of srq: this kernel'
	spoil netlink/nldev-mr.rxe0 EPERM
	rm "$root"/netlink/nldev-mr.rxe0
	run --root "$root" -j users
	json_is '.users | length > 0 and all(.[]; .srq == null and .ctx == null and .mr == null and .mr_bytes == null)'
	json_is '.problems | length == 1'
}
