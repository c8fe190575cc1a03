# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What link and mode install for the next boot: never from a recording.

case_boot_not_from_a_recording() {
	local f
	f=$(fixture mlx5-dual-port)
	run --root "$f" link add rxe0 type rxe netdev enp61s0f0np0 --persist --write
	status_is 2
	out_is_empty
	err_has "live machine only"
	run --root "$f" link delete rxe0
	status_is 2
	err_has "live machine only"
	run --root "$f" mode set mlx5_0 v2 --persist --write
	status_is 2
	out_is_empty
	err_has "a recording can't be changed"
	run --root "$f" mode tos mlx5_0/1 106 --persist
	status_is 2
	out_is_empty
	run --root "$f" mode forget mlx5_0
	status_is 2
	err_has "a recording can't be changed"
}
case_boot_options_belong_together() {
	local f
	f=$(fixture mlx5-dual-port)
	run --root "$f" mode set mlx5_0 v2 --write
	status_is 2
	err_has "give both"
	run --root "$f" -j mode set mlx5_0 v2 --persist
	status_is 2
	err_has "no place for them"
	run --root "$f" mode --persist
	status_is 2
	err_has "belong to"
	run --root "$f" mode set mlx5_0
	status_is 2
	err_has "a device or port and a value"
	run --root "$f" mode tos mlx5_0 256
	status_is 2
	err_has "0 to 255"
	run --root "$f" mode set mlx5_0 v3
	status_is 2
	err_has "v1 or v2"
}
# A live device of two ports: /sys is a recorded machine's, and its RDMA_CM files ordinary ones, longer with each write. roce runs as /mnt/roce, whatever
# directory this checkout is in: a unit never names a program that others could replace, as they could below /tmp.
case_boot_both_ports() {
	local port cm
	machine
	cm=$root/sys/kernel/config/rdma_cm/irdma1/ports
	cp -r "$device/ports/1" "$device/ports/2"
	for port in 1 2; do
		mkdir -p "$cm/$port"
		echo "RoCE v2" >"$cm/$port/default_roce_mode"
		echo 0 >"$cm/$port/default_roce_tos"
	done
	on_it() {
		status=0 ran="roce $*"
		# shellcheck disable=SC2016,SC2034  # for that shell; status_is reads it
		unshare -rm sh -c 'mount --rbind "$0/sys" /sys && mount -t tmpfs -o mode=755 roce /mnt && touch /mnt/roce &&
			mount --bind "$1" /mnt/roce && shift && exec /mnt/roce "$@"' "$root" "$roce" "$@" >"$work/out" 2>"$work/err" || status=$?
	}
	on_it mode set irdma1 v1
	if grep -q '^unshare:\|^mount:' "$work/err"; then
		skip "no namespace of its own here: $(head -n 1 "$work/err")"
	fi
	status_is 0
	out_has "irdma1/1: mode IB/RoCE v1 (it was RoCE v2)"
	out_has "irdma1/2: mode IB/RoCE v1 (it was RoCE v2)"
	out_has "ExecStart=/mnt/roce -q mode set irdma1/1 v1"
	out_has "ExecStart=/mnt/roce -q mode set irdma1/2 v1"
	on_it mode tos irdma1 106
	status_is 0
	for port in 1 2; do
		[ "$(cat "$cm/$port/default_roce_mode") $(cat "$cm/$port/default_roce_tos")" = "IB/RoCE v1 106" ] ||
			fault "$ran: port $port has $(cat "$cm/$port/default_roce_mode") and $(cat "$cm/$port/default_roce_tos")"
		echo "RoCE v2" >"$cm/$port/default_roce_mode"
	done
	on_it mode set irdma1 v1 --persist
	status_is 0
	[ "$(grep -c '^ *ExecStart=.* mode tos irdma1/[12] 106$' "$work/out")" = 2 ] || fault "$ran: the unit hasn't the TOS of both ports"
	for port in 1 2; do
		echo "RoCE v2" >"$cm/$port/default_roce_mode"
	done
	on_it mode set irdma1/2 v1
	status_is 0
	[ "$(cat "$cm/1/default_roce_mode") $(cat "$cm/2/default_roce_mode")" = "RoCE v2 IB/RoCE v1" ] || fault "$ran: it isn't port 2 alone that has changed"
	on_it mode set irdma1/3 v2
	status_is 2
	err_has "no port '3'"
}
