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
