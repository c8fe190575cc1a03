# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Files that answer errors, rubbish or too much.

case_file_answers_an_error() {
	machine
	rm "$port/state" "$device/fw_ver"
	spoil sys/class/infiniband/irdma1/ports/1/state EACCES
	spoil sys/class/infiniband/irdma1/fw_ver EIO
	listings_show "$root" irdma1
	listings_show "$root" irdma0
	run --root "$root" devices
	err_has 'fw_ver'
	err_has 'EIO'
	run --root "$root" status
	err_has 'ports/1/state'
	err_has 'EACCES'
}
case_file_is_unreadable() {
	machine
	chmod -R a+rX "$root" # but for two files
	chmod 000 "$port/rate" "$device/fw_ver"
	if [ "$(id -u)" -eq 0 ]; then # root may read everything: be somebody else
		chmod 755 "$work"
		cp "$roce" "$work/roce"
		printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s "$@"\n' "$work/roce" >"$work/as-nobody"
		chmod 755 "$work/roce" "$work/as-nobody"
		local roce=$work/as-nobody
	fi
	listings_show "$root" irdma1
	run --root "$root" devices
	err_has 'fw_ver'
	err_has 'EACCES'
	run --root "$root" status
	err_has 'ports/1/rate'
	chmod 644 "$port/rate" "$device/fw_ver"
}
case_file_of_10_megabytes() {
	machine
	local file
	for file in "$device/node_desc" "$device/fw_ver" "$port/state" "$port/gids/1" "$port/hw_counters/RxUDP" "$netdev/mtu" "$root/proc/modules"; do
		head -c 10485760 /dev/zero | tr '\0' 'A' >"$file"
	done
	listings_show "$root" irdma1
	run --root "$root" devices
	err_has 'fw_ver'
	[ "$(wc -c <"$work/out")" -lt 65536 ] || fault "$ran: prints the whole file"
	doctor_runs
}
case_file_is_a_directory() {
	machine
	rm "$port/state" "$port/gids/0"
	mkdir "$port/state" "$port/gids/0"
	listings_show "$root" irdma1
	listings_show "$root" irdma0
}
case_directory_is_a_file() {
	machine
	rm -rf "$port/gids" "$port/hw_counters"
	echo rubbish >"$port/gids"
	echo rubbish >"$port/hw_counters"
	listings_show "$root" irdma1 gids counters
	listings_show "$root" irdma0
}
case_files_are_empty() {
	machine
	find "$device" "$netdev" -type f -exec truncate -s 0 {} +
	listings_show "$root" irdma1 gids
	listings_show "$root" irdma0
	run --root "$root" -j links # what is empty says nothing
	json_is '[.links[] | select(.device == "irdma1" and .netdev == "enp23s0f1")] | length > 0 and all(.[]; .duplex == null)'
	run --root "$root" devices
	out_lacks " , "
	run --root "$root" topo
	! grep irdma1 "$work/out" | grep -q firmware || fault "$ran: firmware without a version"
	printf '\n' >"$netdev/duplex"
	printf '\n' >"$device/fw_ver"
	run --root "$root" -j links
	json_is '[.links[] | select(.netdev == "enp23s0f1" and .duplex != null)] == []'
	run --root "$root" topo
	! grep irdma1 "$work/out" | grep -q firmware || fault "$ran: firmware without a version"
}
case_no_gid_tables() { # as of others' trees: nothing says that tables are empty
	machine
	find "$root/sys/devices" -depth \( -name gids -o -name gid_attrs \) -type d -exec rm -r {} +
	run --root "$root" gids
	err_has "no port's GID table could be read: there is no directory gids"
	err_lacks "empty"
}
case_files_are_binary_rubbish() {
	machine
	local file n=0
	while read -r -d '' file; do # a different piece of the binary for each
		n=$((n + 1))
		dd if="$roce" of="$file" bs=512 skip="$((n % 2000))" count=1 status=none
	done < <(find "$device" "$netdev" "$root/proc" "$root/etc" -type f -print0)
	listings_show "$root" irdma1 gids
	listings_show "$root" irdma0
	doctor_runs
}
case_numbers_do_not_fit() {
	machine
	echo 18446744073709551616 >"$port/hw_counters/RxUDP"
	echo -1 >"$port/hw_counters/TxUDP"
	echo 99999999999999999999999 >"$netdev/mtu"
	echo 0xffffffffffffffffff >"$port/lid"
	echo '4294967300: ACTIVE' >"$port/state"
	listings_show "$root" irdma1
	run --root "$root" -j counters irdma1
	json_is '[.counters[] | select(.name == "rx_udp" or .name == "RxUDP") | .value] == [null]'
}
# A page of a machine without its directories of one kind, and what is below them: each kind once, in the first machine that has it.
case_report_less_a_directory() {
	local kind file kinds='function kind(part, i) {
		if (part[i - 1] ~ /^(net|infiniband|conf)$/) return part[i - 1] "/"
		gsub(/[0-9a-f:.]*:[0-9a-f:.]+/, "PCI", part[i])
		gsub(/[0-9]+/, "N", part[i])
		return part[i]
	}'
	while read -r kind file; do
		awk -v wanted="$kind" "$kinds"'/^[^ #].*\/$/ {
			n = split($0, part, "/")
			gone = 0
			for (i = 1; i < n; i++) gone = gone || kind(part, i) == wanted
		} !gone' "$file" >"$work/less"
		run -q --root "$work/less" report -
		[ "$status" = 0 ] || [ "$kind" = sys ] || fault "$ran ($file less $kind): status $status: $(<"$work/err")"
	done < <(awk "$kinds"'/^[^ #].*\/$/ {
		n = split($0, part, "/")
		name = kind(part, n - 1)
		if (!(name in seen)) print name, FILENAME
		seen[name]
	}' fixtures/*.machine)
}
