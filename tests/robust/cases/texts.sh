# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Texts of the machine and of the command line that would do something to a terminal.

case_escapes_in_texts() {
	machine
	local evil=$'\x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b1m\xff\xfe \xc3\x28 \xed\xa0\x80'
	local file
	for file in "$device/node_desc" "$device/fw_ver" "$device/hca_type" "$device/board_id" "$port/state" "$port/rate" "$port/link_layer" \
		"$port/gid_attrs/ndevs/0" "$port/gid_attrs/types/1" "$netdev/operstate" "$root/etc/os-release"; do
		printf '%s\n' "$evil" >"$file"
	done
	listings_show "$root" irdma1
	listings_show "$root" irdma0
	run --root "$root" --color always status
}
case_escapes_in_names() {
	machine
	local evil=$'evil\x1b[31m\x07\xff'
	cp -a "$device" "$pci/infiniband/$evil"
	ln -s "../../devices/pci0000:16/0000:16:02.0/0000:17:00.1/infiniband/$evil" "$root/sys/class/infiniband/$evil"
	printf '7\n' >"$port/hw_counters/"$'cnt\x1b[31m\xfe'
	ln -s nothing "$root/sys/class/infiniband/"$'new\nline'
	listings_show "$root" irdma1
	run --root "$root" -j devices
	json_is '.devices | length >= 3'
}
case_option_text_is_hostile() {
	run --root "$(fixture siw)" devices $'no\x1b[31msuch\xff'
	status_is 2
	run --root "$(fixture siw)" devices -o $'co\x1b[31mlumn'
	status_is 2
	run $'com\x1b[31mmand'
	status_is 2
}
