# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# roce users: whom its operands name, what it says when they name nobody, and what is counted for queue pairs.

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
	err_has "who holds RDMA resources is not known"
}

# Counters that queue pairs are bound to, which no device of a guest has: mlx5's names and numbers, as nldev gives them.
# u32 NUMBER · text WORDS · attr TYPE HEX: as hexadecimal digits, in the order of this machine.
u32() { printf '%08x' "$1" | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/'; }
text() { printf '%s\0' "$1" | od -An -v -tx1 | tr -d ' \n'; }
attr() {
	local length=$((${#2} / 2 + 4))
	printf '%02x%02x%02x%02x%s' $((length & 255)) $((length >> 8)) $(($1 & 255)) $(($1 >> 8)) "$2"
	while ((length % 4)); do
		printf 00
		length=$((length + 1))
	done
}
bound_counter() { # NUMBER NAME=VALUE,… LQPN…: RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY
	local number=$1 pair lqpn values='' queues=''
	for pair in ${2//,/ }; do
		values+=$(attr 81 "$(attr 82 "$(text "${pair%=*}")")$(attr 83 "$(u32 "${pair#*=}")00000000")")
	done
	shift 2
	for lqpn; do
		queues+=$(attr 20 "$(attr 21 "$(u32 "$lqpn")")")
	done
	attr 78 "$(attr 3 "$(u32 1)")$(attr 79 "$(u32 "$number")")$(attr 19 "$queues")$(attr 80 "$values")"
}
case_users_counters() {
	local f=$work/bound counters
	fixture_tree fault-users "$f"
	run --root "$f" users -v
	out_lacks RETX
	counters=$(attr 1 "$(u32 1)")$(attr 2 "$(text rxe0)")$(attr 77 "$(bound_counter 3 local_ack_timeout_err=2,packet_seq_err=5,rnr_nak_retry_err=7 28 26)$(bound_counter 4 out_of_sequence=9 34)")
	counters=$(u32 $((16 + ${#counters} / 2)))11140200$(u32 0)$(u32 0)$counters
	# shellcheck disable=SC2001  # each two digits
	printf %b "$(sed 's/../\\x&/g' <<<"$counters")" >"$f/netlink/nldev-stat_qp.rxe0"
	run --root "$f" users -v
	status_is 0
	out_has "COUNTER  RETX  OUT_OF_SEQ  RNR_NAKS"
	run --root "$f" -j users
	json_is '[.users[].queue_pairs[] | select(.counter != null) | [.device, .lqpn, .counter, .retransmissions, .out_of_sequence, .rnr_naks_received]] ==
		[["rxe0", 26, 3, 7, null, 7], ["rxe0", 28, 3, 7, null, 7], ["rxe0", 34, 4, null, 9, null]]'
	cp "$work/out" "$work/whole"
	run --root "$f" record --anonymise "$work/bound.machine"
	status_is 0
	run --root "$work/bound.machine" -j users
	json_is '[.users[].queue_pairs[] | select(.counter != null)] | length == 3'
	# cut short: what came before is kept, and that something is missing is said
	truncate -s -24 "$f/netlink/nldev-stat_qp.rxe0"
	run --root "$f" -j users
	json_is 'any(.problems[]; .what | test("nldev-stat_qp"))'
}
# Kinds of services, netdevs, and what the kernel calls a controller.
case_users_of_services() {
	local f
	f=$(fixture fault-users)
	run --root "$f" users 99999
	status_is 0
	err_has "nobody of that name"
	run --root "$f" -j users 'nvme target' rping
	json_is '[.users[].kind] == ["NVMe target", "process"]'
	run --root "$f" -j users eth1
	json_is '.users != [] and all(.users[]; .device == "rxe1")'
	run --root "$f" -j users rxe1/1 nvme0
	json_is '([.users[].device] | unique) == ["rxe0", "rxe1"] and any(.users[]; .handle == "nvme0")'
}
# What only root may read of services is named, and the others are shown all the same.
case_users_plain_user() {
	local f=$work/plain
	fixture_tree fault-users "$f"
	rm "$f/proc/fs/nfsd/threads"
	mkdir -p "$f/sys/module/lnet"
	echo live >"$f/sys/module/lnet/initstate"
	printf '%s\tEACCES\n' proc/fs/nfsd/threads sys/kernel/debug/lnet/nis >>"$f/errors"
	run --root "$f" -j users
	status_is 0
	json_is '(.users | length) == 9 and ([.problems[] | .what + " " + .error] | sort) == ["proc/fs/nfsd/threads EACCES", "sys/kernel/debug/lnet/nis EACCES"]'
	run --root "$f" users
	err_has "cannot read 'proc/fs/nfsd/threads': permission denied"
	err_has "root would see more"
	run --root "$(fixture fault-users)" users
	err_lacks "root would see more"
}
