# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# roce users: whom its operands name, and what it says when they name nobody.

case_users_operands() {
	root=$work/machine
	fixture_tree rxe-in-use "$root"
	run --root "$root" users foo
	status_is 2
	err_has "'foo' is neither a device"
	run --root "$root" users rxe0/7
	status_is 2
	err_has "device 'rxe0' has no port '7'"
	run --root "$root" -j users 192
	status_is 0
	json_is '[.users[].pid] == [192]'
	run --root "$root" -j users 4711
	status_is 0
	json_is '.users == []'
	run --root "$root" -j users ibv_rc_pingpong
	json_is '[.users[].pid] == [192, 197]'
	run --root "$root" -j users 192 rxe0/1
	json_is '[.users[].pid] == [192, 197]'
	rm "$root"/netlink/nldev-qp* # a list that the kernel hasn't is not an empty one
	run --root "$root" -j users
	json_is '[.users[] | .qp, .cm_id] == [null, 0, null, 0]'
	rm "$root"/netlink/nldev-mr* "$root"/netlink/nldev-ctx* "$root"/netlink/nldev-pd* "$root"/netlink/nldev-cq*
	run --root "$root" users
	err_has "does not tell who holds RDMA resources"
}
