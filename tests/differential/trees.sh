# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034  # run uses the variables
# Machines to compare on, one odd thing each: tree_NAME DIRECTORY makes one.

device_files=(node_type fw_ver hw_rev hca_type node_guid sys_image_guid board_id node_desc ports)
port_files=(ports/1/state ports/1/phys_state ports/1/lid ports/1/sm_lid ports/1/lid_mask_count ports/1/sm_sl ports/1/cap_mask
	ports/1/rate ports/1/link_layer ports/1/gids/0 ports/1/gids ports/1/pkeys ports/1/pkeys/0)

put() { # FILE TEXT
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >"$1"
}

# make_port PORT-DIRECTORY
make_port() {
	put "$1/state" "4: ACTIVE"
	put "$1/phys_state" "5: LinkUp"
	put "$1/rate" "100 Gb/sec (4X EDR)"
	put "$1/lid" 0x1f
	put "$1/sm_lid" 0x2
	put "$1/lid_mask_count" 3
	put "$1/sm_sl" 0
	put "$1/cap_mask" 0x00010000
	put "$1/link_layer" Ethernet
	put "$1/gids/0" fe80:0000:0000:0000:0e42:a1ff:feaa:1f09
	put "$1/gids/1" 0000:0000:0000:0000:0000:0000:0000:0000
	put "$1/pkeys/0" 0xffff
}

# make_device DIRECTORY NAME [PORTS]
make_device() {
	local device=$1/class/infiniband/$2 port
	put "$device/node_type" "1: CA"
	put "$device/fw_ver" 20.41.1000
	put "$device/hw_rev" 0
	put "$device/hca_type" MT4123
	put "$device/board_id" MT_0000000224
	put "$device/node_desc" "host HCA"
	put "$device/node_guid" 0c42:a103:00aa:1f08
	put "$device/sys_image_guid" 0c42:a103:00aa:1f08
	for ((port = 1; port <= ${3:-1}; port++)); do make_port "$device/ports/$port"; done
}

tree_names() {
	compgen -A function tree_ | grep -v '^tree_names$' | sed 's/^tree_//' | sort
}

tree_nothing_at_all() { :; }
tree_an_empty_class() { mkdir -p "$1/class/infiniband"; }
tree_slots_without_a_guid() {
	make_device "$1" mlx4_0
	put "$1/class/infiniband/mlx4_0/ports/1/link_layer" InfiniBand
	put "$1/class/infiniband/mlx4_0/ports/1/gids/0" fe80:0000:0000:0000:0000:0000:0000:0000
	put "$1/class/infiniband/mlx4_0/ports/1/gids/1" fec0:0000:0000:0007:0000:0000:0000:0000
}
tree_twelve_devices() {
	local i
	for i in {0..11}; do make_device "$1" "mlx5_$i"; done
	for i in {00..19}; do put "$1/class/infiniband/mlx5_10/ports/1/gids/$((10#$i))" "fe80:0000:0000:0000:0000:0000:0000:00$i"; done
}
tree_mixed_names() {
	local name
	for name in mlx5_0 MLX5_0 bnxt_re0 rocep3s0f0 _x a-b aB; do make_device "$1" "$name"; done
}
tree_ten_ports() { make_device "$1" mlx5_0 10; }
tree_nine_ports() { make_device "$1" mlx5_0 9; }
tree_port_named_two() {
	make_device "$1" mlx5_0
	make_port "$1/class/infiniband/mlx5_0/ports/two"
}
tree_ports_1_and_3() {
	make_device "$1" mlx5_0 3
	rm -r "$1/class/infiniband/mlx5_0/ports/2"
}
tree_no_pkeys_in_pkeys() {
	make_device "$1" mlx5_0
	rm "$1/class/infiniband/mlx5_0/ports/1/pkeys/0"
}
tree_many_pkeys() {
	local i
	make_device "$1" mlx5_0
	for i in {0..127}; do put "$1/class/infiniband/mlx5_0/ports/1/pkeys/$i" 0x0000; done
}
tree_a_link_to_nowhere() {
	make_device "$1" mlx5_0
	make_device "$1" mlx5_2
	ln -s ../../devices/gone "$1/class/infiniband/mlx5_1"
}
tree_a_plain_file_among_devices() {
	make_device "$1" mlx5_0
	put "$1/class/infiniband/a_file" text
}
tree_long_names_and_texts() {
	make_device "$1" mlx5_0123456789012
	put "$1/class/infiniband/mlx5_0123456789012/hca_type" "a text that is longer than the forty bytes there are"
	put "$1/class/infiniband/mlx5_0123456789012/fw_ver" "0123456789012345678901234"
	put "$1/class/infiniband/mlx5_0123456789012/hw_rev" "0123456789012345678"
	put "$1/class/infiniband/mlx5_0123456789012/ports/1/link_layer" "A link layer longer than any"
}
tree_two_newlines() {
	make_device "$1" mlx5_0
	printf '3.0.000\n\n' >"$1/class/infiniband/mlx5_0/fw_ver"
}
tree_empty_texts() {
	make_device "$1" mlx5_0
	local file
	for file in fw_ver hw_rev hca_type; do : >"$1/class/infiniband/mlx5_0/$file"; done
}
tree_node_types() {
	local type
	for type in "1: CA" "2: SWITCH" "3: ROUTER" "4: RNIC" "5: usNIC" "6: usNIC UDP" "7: unspecified" "8: <unknown>" "0: none"; do
		make_device "$1" "dev_${type%%:*}"
		put "$1/class/infiniband/dev_${type%%:*}/node_type" "$type"
	done
}
tree_states() {
	local number=0 text
	for text in NOP DOWN INIT ARMED ACTIVE ACTIVE_DEFER UNKNOWN; do
		make_device "$1" "mlx5_$number"
		put "$1/class/infiniband/mlx5_$number/ports/1/state" "$number: $text"
		number=$((number + 1))
	done
}
tree_physical_states() {
	local number=0 text
	for text in "<unknown>" Sleep Polling Disabled PortConfigurationTraining LinkUp LinkErrorRecovery "Phy Test" "<unknown>"; do
		make_device "$1" "mlx5_$number"
		put "$1/class/infiniband/mlx5_$number/ports/1/phys_state" "$number: $text"
		number=$((number + 1))
	done
}
tree_rates() {
	local number=0 rate
	for rate in "2.5 Gb/sec (1X SDR)" "2.5 Gb/sec (1X)" "10 Gb/sec (1X FDR10)" "40 Gb/sec (4X FDR10)" "56 Gb/sec (4X FDR)" \
		"14 Gb/sec (1X FDR)" "25 Gb/sec (1X EDR)" "112.5 Gb/sec (9X)" "200 Gb/sec (2X NDR)" "800 Gb/sec (4X XDR)" "2 Gb/sec (x)" \
		"5 Gb/sec (1X DDR)"; do
		make_device "$1" "mlx5_$number"
		put "$1/class/infiniband/mlx5_$number/ports/1/rate" "$rate"
		number=$((number + 1))
	done
}
tree_an_empty_slot_0() {
	make_device "$1" mlx5_0
	put "$1/class/infiniband/mlx5_0/ports/1/gids/0" 0000:0000:0000:0000:0000:0000:0000:0000
	put "$1/class/infiniband/mlx5_0/ports/1/gids/1" fe80:0000:0000:0000:0e42:a1ff:feaa:1f09
}
tree_guids_that_are_none() {
	make_device "$1" mlx5_0
	put "$1/class/infiniband/mlx5_0/node_guid" 0000:0000:0000:0000
	make_device "$1" mlx5_1
	put "$1/class/infiniband/mlx5_1/node_guid" "no guid"
}
tree_big_numbers() {
	make_device "$1" mlx5_0
	put "$1/class/infiniband/mlx5_0/ports/1/lid" 0xffff
	put "$1/class/infiniband/mlx5_0/ports/1/sm_lid" 0xbfff
	put "$1/class/infiniband/mlx5_0/ports/1/cap_mask" 0xffffffff
}

# make_vpd DIRECTORY: a recording of a card with vital product data: a name, and keywords with their values.
make_vpd() {
	fixture_tree mlx5-lag "$1"
	local function
	for function in "$1"/sys/bus/pci/devices/*; do
		[ ! -e "$function/infiniband" ] ||
			printf '\202\030\000ConnectX-6 Dx EN adapter\220\041\000PN\020MCX623106AN-CDATEC\002A9SN\006MT2042V0\000\001\170' >"$function/vpd"
	done
}
# make_xdr DIRECTORY: a recording of a port of XDR, on a kernel and with an rdma-core (65) that tell all they can.
make_xdr() {
	fixture_tree mlx5-dual-port "$1"
	jq '.odp_rc_caps = 239 | .device_cap_flags_ex = "0x3d5ed721c36" | .pacing_qpts = 260 | .comp_cntr_known = 1 | .max_comp_cntr = 4096 |
		.comp_cntr_attach_ops = 63 | .ports[0] += {active_speed: 128, active_speed_ex: 256, effective_speed_known: 1, effective_speed: 8000}' \
		"$1/verbs/mlx5_1" >"$1/verbs/new" && mv "$1/verbs/new" "$1/verbs/mlx5_1"
}
