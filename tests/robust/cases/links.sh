# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Links out of the recording and in circles, and devices that come and go.

case_link_out_of_the_root() {
	machine
	mkdir "$work/outside"
	echo 'SECRET-FIRMWARE' >"$work/outside/fw_ver"
	echo 'SECRET-TYPE' >"$work/outside/node_type"
	ln -sf "$work/outside/fw_ver" "$device/fw_ver"
	rm "$device/node_desc"
	ln -s ../../../../../../../../../../../../../../../../../../"$work/outside/fw_ver" "$device/node_desc"
	ln -s "$work/outside" "$root/sys/class/infiniband/outside0"
	ln -s ../../../../../../../../../../../../../../../../../"$work/outside" "$root/sys/class/infiniband/outside1"
	listings_show "$root" irdma1
	local command
	for command in devices links doctor; do
		run --root "$root" "$command"
		out_lacks SECRET
		err_lacks SECRET
		run --root "$root" -j "$command"
		out_lacks SECRET
	done
}
case_links_in_a_circle() {
	machine
	ln -s circle1 "$root/sys/class/infiniband/circle0"
	ln -s circle0 "$root/sys/class/infiniband/circle1"
	ln -s . "$port/gids/self"
	ln -s .. "$device/up"
	rm "$device/fw_ver"
	ln -s fw_ver "$device/fw_ver"
	ln -s enp23s0f1 "$root/sys/class/net/again"
	listings_show "$root" irdma1
	listings_show "$root" irdma0
	run --root "$root" devices
	err_has 'fw_ver'
}
case_bonds_in_a_circle() {
	machine
	ln -sfn . "$netdev/master"
	ln -s . "$netdev/lower_enp23s0f1"
	ln -s . "$netdev/upper_enp23s0f1"
	listings_show "$root" irdma1
	run --root "$root" topo
	status_is 0
}

# Two functions aren't one because both are "..".
case_links_without_a_name() {
	machine
	rm -r "$root/netlink"
	local function
	for function in 0/infiniband/irdma0 0/net/enp23s0f0 1/infiniband/irdma1 1/net/enp23s0f1; do
		ln -sfn ../.. "${pci%.1}.$function/device"
	done
	run --root "$root" -j links
	status_is 0
	json_is '[.links[] | select(.role == "port") | .netdev] == ["enp23s0f0", "enp23s0f1"]'
}

case_device_is_gone_when_opened() {
	machine
	rm -rf "$device" # the class link still is there: the name was listed, the directory vanished
	listings_show "$root" irdma0
	run --root "$root" devices
	err_has 'irdma1'
}
case_device_is_gone_when_read() {
	machine
	local file
	while read -r file; do
		spoil "sys/class/infiniband/irdma1/${file#"$device"/}" ENODEV
		rm "$file"
	done < <(find "$device" -type f)
	listings_show "$root" irdma0
}
case_device_comes_and_goes() {
	machine
	(
		while :; do
			mv "$device" "$pci/infiniband/away"
			mv "$pci/infiniband/away" "$device"
		done
	) 2>/dev/null &
	local mover=$!
	for _ in $(seq 20); do
		run --root "$root" -j gids
		status_is 0
		out_is_json
		json_is '[.gids[] | select(.device == "irdma0")] | length == 1'
		json_is '[.gids[] | select(.device == "irdma1")] | length <= 2'
		[ -z "$faults" ] || break
	done
	kill "$mover"
	wait "$mover" 2>/dev/null || :
}
