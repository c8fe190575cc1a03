# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# A directory that somebody calls a recording: what is no file is not opened, and there is an end to what is read.

case_budget_of_bytes() { # little on disk, 300 MB to read
	machine
	mkdir -p "$root/netlink"
	truncate -s 60M "$work/sparse"
	local name
	for name in rtnl-links rtnl-addresses rtnl-routes rtnl-neighbours rtnl-rules nldev-devices; do
		ln -f "$work/sparse" "$root/netlink/$name"
	done
	run --root "$root" doctor
	status_is 2
	err_has "it holds more than 256 MB or 2097152 files to read"
	out_is_empty
	run --root "$root" record "$work/recorded"
	status_is 2
	err_has "it holds more than"
	[ ! -e "$work/recorded" ] || fault "$ran: saves it"
	run --root "$root" gids # which needs none of it
	status_is 0
}
case_budget_of_a_file() {
	machine
	rm -f "$device/fw_ver"
	truncate -s 1T "$device/fw_ver"
	run --root "$root" -j devices
	status_is 0
	json_is '.problems | map(select(.what | endswith("/fw_ver"))) | length == 1'
}
case_budget_of_netdevs() { # more than 16,384 of them
	machine
	(cd "$root/sys/class/net" && seq -f 'many%.0f' 17000 | xargs -n 2000 mkdir)
	run --root "$root" -j links
	status_is 0
	json_is '.problems | map(select(.what == "sys/class/net")) | length == 1'
}
# 50 MB of netdevs: one message, a million times. run's limit on CPU time holds that it ends.
case_budget_of_links_told() {
	machine
	local links=$root/netlink/rtnl-links
	mkdir -p "${links%/*}"
	printf '\x30\0\0\0\x10\0\2\0\0\0\0\0\0\0\0\0\0\0\1\0\7\0\0\0\x43\x10\0\0\0\0\0\0\x09\0\3\0netd\0\0\0\0\4\0\x42\0' >"$links"
	while [ "$(stat -c %s "$links")" -lt 50000000 ]; do
		cat "$links" "$links" >"$work/twice"
		mv "$work/twice" "$links"
	done
	printf '\x14\0\0\0\3\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0' >>"$links"
	for command in links doctor; do
		run --root "$root" -j "$command"
		[ "$status" -le 1 ] || fault "$ran: status $status"
		json_is '.problems | map(select(.what == "netlink rtnl-links" and .error == "E2BIG")) | length == 1'
	done
}
case_budget_of_layers() { # every bond has every other one as a member
	machine
	local net=$root/sys/class/net i j
	for ((i = 1; i <= 24; i++)); do
		mkdir -p "$net/bond$i/bonding"
		echo "balance-rr 0" >"$net/bond$i/bonding/mode"
		echo "$((100 + i))" >"$net/bond$i/ifindex"
		printf 'DEVTYPE=bond\nINTERFACE=bond%d\nIFINDEX=%d\n' "$i" "$((100 + i))" >"$net/bond$i/uevent"
		for ((j = 1; j <= 24; j++)); do
			[ "$i" -eq "$j" ] || ln -s "../bond$j" "$net/bond$i/lower_bond$j"
		done
	done
	for command in doctor links topo qos; do
		run --root "$root" "$command"
		[ "$status" -le 1 ] || fault "$ran: status $status"
	done
}
case_budget_of_a_fan() { # VLANs, all members of a bond: it is drawn once, not on each of them
	machine
	local net=$root/sys/class/net i
	mkdir -p "$net/bond9/bonding"
	echo "balance-rr 0" >"$net/bond9/bonding/mode"
	printf 'DEVTYPE=bond\nINTERFACE=bond9\nIFINDEX=900\n' >"$net/bond9/uevent"
	for ((i = 1; i <= 40; i++)); do
		mkdir "$net/v$i"
		printf 'DEVTYPE=vlan\nINTERFACE=v%d\nIFINDEX=%d\n' "$i" "$((100 + i))" >"$net/v$i/uevent"
		ln -s ../enp23s0f1 "$net/v$i/lower_enp23s0f1"
		ln -s ../bond9 "$net/v$i/master"
	done
	run --root "$root" topo
	status_is 0
	[ "$(grep -c 'bond9 bond' "$work/out")" = 1 ] || fault "$ran: the bond is there $(grep -c 'bond9 bond' "$work/out") times"
	[ "$(grep -c ' v[0-9]* vlan' "$work/out")" = 40 ] || fault "$ran: $(grep -c ' v[0-9]* vlan' "$work/out") VLANs"
}
case_nodes_are_not_opened() {
	machine
	rm -f "$device/fw_ver" "$device/board_id" "$root/proc/modules"
	mkfifo "$device/fw_ver" "$root/proc/modules"
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$device/board_id" 2>/dev/null || mkfifo "$device/board_id"
	strace -f -qq -e trace=open,openat,openat2 -o "$work/trace" "$roce" --root "$root" -j doctor >"$work/out" 2>"$work/err" || :
	ran="roce doctor"
	if [ -s "$work/trace" ] && grep -E '"(fw_ver|board_id|proc/modules)"' "$work/trace" | grep -qv O_PATH; then fault "$ran: opens what is no file"; fi
	run --root "$root" -j devices
	status_is 0
	json_is '.problems | map(select(.what | endswith("/fw_ver"))) | length == 1'
	run --root "$root" status
	status_is 0
}
