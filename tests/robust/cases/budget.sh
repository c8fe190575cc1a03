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
case_nodes_are_not_opened() {
	machine
	rm -f "$device/fw_ver" "$device/board_id"
	mkfifo "$device/fw_ver"
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$device/board_id" 2>/dev/null || mkfifo "$device/board_id"
	strace -f -qq -e trace=open,openat,openat2 -o "$work/trace" "$roce" --root "$root" -j devices >"$work/out" 2>"$work/err" || :
	ran="roce devices"
	if [ -s "$work/trace" ] && grep -E '"(fw_ver|board_id)"' "$work/trace" | grep -qv O_PATH; then fault "$ran: opens what is no file"; fi
	run --root "$root" -j devices
	status_is 0
	json_is '.problems | map(select(.what | endswith("/fw_ver"))) | length == 1'
	run --root "$root" status
	status_is 0
}
