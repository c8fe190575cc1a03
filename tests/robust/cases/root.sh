# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What --root names.

case_root_missing() {
	run --root "$work/nowhere" devices
	status_is 2
	out_is_empty
	err_has "$work/nowhere"
	err_has 'ENOENT'
	ROCE_ROOT=$work/nowhere run gids
	status_is 2
	err_has "$work/nowhere"
}
case_root_is_no_machine() {
	mkdir "$work/empty"
	run --root "$work/empty" devices
	status_is 2
	out_is_empty
	err_has "$work/empty"
	err_has 'sys'
}
case_root_is_another_file() {
	echo hello >"$work/file"
	run --root "$work/file" status
	status_is 2
	out_is_empty
	err_has "$work/file"
	err_has "its first line is not '# roce recording 1'"
}
case_root_without_rdma() {
	run --root "$(fixture no-rdma)" status
	status_is 1
	err_has 'no RDMA device'
	run --root "$(fixture no-rdma)" -j gids
	status_is 0
	json_is '.gids == []'
}
case_class_is_a_file() {
	machine
	rm -rf "$root/sys/class/infiniband"
	echo rubbish >"$root/sys/class/infiniband"
	run --root "$root" status
	status_is 1
	err_has 'no RDMA device'
}
