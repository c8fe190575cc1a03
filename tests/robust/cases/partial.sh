# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Trees that somebody else made: what isn't in them has not been looked at, and is no fault of the machine.

# take_away TREE PART…: takes them away, wherever they are in it.
take_away() {
	local tree=$1 part
	shift
	for part; do
		case $part in
		*/* | dev | proc | etc | usr | verbs) rm -rf "${tree:?}/$part" ;;
		*) find "$tree/sys" -name "$part" -prune -exec rm -rf {} + ;;
		esac
	done
}
case_partial_trees_have_no_faults_of_their_own() {
	local name parts root=$work/tree everything='dev proc etc usr verbs' others='sys/class/infiniband_verbs sys/class/infiniband_mad'
	# healthy machines: a port's netdev from PCI, from GIDs, merged into a bond, InfiniBand beside Ethernet
	for name in mlx5-roce-train mlx5-lag mlx4-mixed mlx5-ib-h100 erdma; do
		fixture_tree "$name" "$work/whole"
		rm -rf "$work/whole"/{netlink,probe}
		for parts in dev proc "$everything" "$everything sys/class/net" "$everything $others" "$everything $others sys/class/net" \
			sys/class/infiniband sys/kernel gids gid_attrs ndevs counters subsystem; do
			rm -rf "$root"
			cp -a "$work/whole" "$root"
			# shellcheck disable=SC2086  # words
			take_away "$root" $parts
			run --root "$root" -j doctor
			json_is '[.findings[] | select(.verdict == "fail" or .verdict == "warn")] == []'
			json_is '.findings | length > 40'
			run --root "$root" -j status
			json_is '[.ports[].verdict] - ["ok", "unknown", "unused", "representor"] == []'
		done
	done
}
case_partial_tree_without_class_is_told_so() {
	mkdir -p "$work/bare/sys/devices"
	run --root "$work/bare" topo --gpus
	err_has "/sys/class is not here"
	run --root "$work/bare" -v doctor --only rdma-device
	out_has "/sys/class is not here"
	out_lacks "mount"
}
