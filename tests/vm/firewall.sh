# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios about firewalls: what doctor says about a ruleset, held against what becomes of real packets.

# verdict_on_a: doctor's verdict on rxeA, in $verdict, and what it rests on, in $evidence.
verdict_on_a() {
	at A roce -j doctor --only firewall-4791 rxeA >verdict.json || :
	read -r verdict evidence < <(jq -r '.findings[] | "\(.verdict) \(.evidence)"' verdict.json)
	echo "  $verdict: $evidence"
}

# arrives: packets go both ways between A and B within a second. A failure lasts that long: the sender is told nothing, and tries on.
arrives() {
	pingpong B 1 -n 2 >/dev/null 2>&1
}

rulesets=${vm:?}/rulesets # NAME.nft for nft -f, NAME.rules for iptables-restore; the first line of each says the verdict that roce has to give

# load NAME: that ruleset in A.
load() {
	section "$rulesets" "$1" >"./$1"
	if [[ $1 == *.nft ]]; then
		at A nft -f "$1"
	else
		at A iptables-nft-restore "$1"
	fi
}

# judged NAME…: each ruleset loaded in A; what is no doubt to roce packets have to confirm.
judged() {
	local name expected arrived
	for name; do
		arrived=pass
		load "$name"
		read -r _ expected _ <"$name"
		verdict_on_a
		equal "$name: the verdict" "${expected%:}" "$verdict"
		if [ "$verdict" != unknown ]; then
			arrives || arrived=fail
			equal "$name: what packets say" "$arrived" "$verdict"
		fi
		at A nft flush ruleset
	done
}
