# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What a scenario has at hand in the guest. tests/vm/README.md shows how to write one.
#
# Variables: role (A, in the second guest B), guests, kernel, scenario, repo, vm; the scenario starts in an empty directory
# of its own (/run/work/$scenario); /mnt/$scenario is shared by both guests.
# shellcheck disable=SC2269  # says that they are set, for shellcheck, and fails when they aren't
role=${role:?this file is for guests} guests=$guests kernel=$kernel repo=$repo vm=$vm dcbsim=$dcbsim siw=$siw

# Checks, skip and require. $work: where they put what a command prints; here that is of no scenario's concern.
# shellcheck disable=SC2034  # tests/lib.sh uses it
work=${TMPDIR:?}
# shellcheck source=/dev/null  # the path is of the script that reads this file: it would be this file again
. "$repo/tests/lib.sh"

# result ok|FAILED|skipped NAME [WHY]: the outcome of one check, for the host; the whole of it for the log.
result() {
	echo "$1: $2${3:+: $3}"
	[ "$1" != skipped ] || set -- skipped "$3"
	echo "$1 $2" >>"/mnt/$role.results"
}

# figure WHAT HELD ALL: for the table of what was held (tests/vm/run-scenarios adds up those of all guests).
figure() {
	echo "$*" >>"/mnt/$role.results"
}

# ---- waiting: always with a deadline

# eventually SECONDS COMMAND…: succeeds as soon as COMMAND does, fails when it still doesn't after SECONDS: ten tries for each, as a guest that
# the host keeps from running has waited for nothing meanwhile.
eventually() {
	local tries=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		((--tries > 0)) || return 1
		sleep 0.1
	done
}

# listens PORT [PID]: some process takes TCP connections there, in this namespace or that of PID.
listens() {
	local hex sockets
	printf -v hex :%04X "$1"
	sockets=$(cat "/proc/${2:-self}"/net/tcp{,6})
	[[ $sockets =~ $hex\ 0+:0000\ 0A\  ]]
}

# barrier NAME [SECONDS]: waits until both guests are here (or at most SECONDS). Names are used once in a scenario.
barrier() {
	local mine=/mnt/.${scenario-}-$1-$role other=/mnt/.${scenario-}-$1-A
	[ "$role" = B ] || other=/mnt/.${scenario-}-$1-B
	: >"$mine"
	if ! eventually "${2:-30}" test -e "$other"; then
		echo "the other guest never came to '$1'"
		return 1
	fi
}

# ---- the end of a scenario

laters=()

# later COMMAND…: when the scenario ends, however it does, the last one first. For what reset_machine doesn't know.
later() {
	laters+=("${*@Q}")
}

finish_scenario() {
	local status=$? i
	trap - ERR
	set +eu
	for ((i = ${#laters[@]} - 1; i >= 0; i--)); do
		eval "${laters[i]}"
	done
	exit "$status"
}

# stop PID…: ends background processes, if they are still there.
stop() {
	local pid
	for pid; do
		if kill "$pid" 2>/dev/null; then
			wait "$pid" 2>/dev/null || :
		fi
	done
}

# bring FILE…: to the host, into build/vm/brought/KERNEL/SCENARIO/.
bring() {
	mkdir -p "/mnt/brought/$kernel/$scenario"
	cp -r "$@" "/mnt/brought/$kernel/$scenario/"
}

# documented COMMAND FILE: what roce COMMAND printed isn't empty, and is brought to the host, which holds it against roce-json(5) and the schema
# (tests/vm/documented): the validator takes ten times as long in here. Afterwards `bring answers`.
documented() {
	check "$1: it prints something" test -s "$2"
	mkdir -p answers
	cp "$2" "answers/$1.json"
}

# ---- the machine

# Everything that RDMA hosts have loaded. crc32_generic: without it rxe can't make a device (kernels up to 6.12).
load_modules() {
	local module
	for module in crc32_generic rdma_rxe rdma_ucm ib_umad; do
		[ -d "/sys/module/$module" ] || modprobe -q "$module" || [ "$module" = crc32_generic ]
	done
}

# mac_of NAME: always the same for a name, so that recordings and GIDs are.
mac_of() {
	local sum
	sum=$(md5sum <<<"$1")
	echo "02:${sum:0:2}:${sum:2:2}:${sum:4:2}:${sum:6:2}:${sum:8:2}"
}

# pair NAME PEER [MTU]: two netdevs joined by a cable, both up.
pair() {
	ip -batch - <<-END
		link add $1 mtu ${3:-1500} address $(mac_of "$1") type veth peer name $2 mtu ${3:-1500} address $(mac_of "$2")
		link set $1 up
		link set $2 up
	END
}

has_gids() {
	local gid
	read -r gid <"/sys/class/infiniband/$1/ports/1/gids/${2:-0}" && [ "$gid" != 0000:0000:0000:0000:0000:0000:0000:0000 ]
}

port_is_active() {
	local state
	read -r state <"/sys/class/infiniband/$1/ports/1/state" && [[ $state == *ACTIVE ]]
}

# rxe DEVICE NETDEV [GIDS]: a RoCE device on NETDEV; returns when it has so many GIDs (1) and its port is up.
rxe() {
	rdma link add "$1" type rxe netdev "$2"
	eventually 10 has_gids "$1" "$((${3:-1} - 1))" &&
		eventually 10 port_is_active "$1"
}

# boot_again FILE…: the machine is switched off, and boots again with nothing but these files as they are now, systemd and udevd as processes
# (tests/vm/systemd); then the scenario is run once more, and finds /mnt/disk. For a scenario with a boot of its own.
boot_again() {
	mkdir /mnt/disk
	tar -C / -cf - "${@#/}" | tar -C /mnt/disk -xf -
	touch /mnt/again
	exec busybox poweroff -f
}

# dcbsim: the test netdevs dcb0 and dcb1, a cable between them, up; they answer dcb, ethtool and devlink (tests/vm/dcbsim).
dcbsim() {
	insmod "$dcbsim"
	ip link set dcb0 up
	ip link set dcb1 up
}

# dcb …: the program, tried again where it trips over itself: it numbers its messages by the clock's seconds, and one that begins a second
# after the last calls that one's late acknowledgement a protocol error.
dcb() {
	local status=0
	for _ in 1 2 3; do
		status=0
		command dcb "$@" 2>"$TMPDIR/dcb.errors" || status=$?
		grep -q "Protocol error" "$TMPDIR/dcb.errors" || break
	done
	cat "$TMPDIR/dcb.errors" >&2
	return "$status"
}

# siw DEVICE NETDEV: an iWARP device on NETDEV; returns when its port is up.
siw() {
	if [ ! -d /sys/module/siw ]; then
		[ -d "${siw%.ko}" ] || skip "the source of siw could not be fetched"
		modprobe iw_cm
		modprobe libcrc32c 2>/dev/null || :
		insmod "$siw"
	fi
	rdma link add "$1" type siw netdev "$2"
	eventually 10 port_is_active "$1"
}

# statistic NETDEV NAME: one number of `ethtool -S`.
statistic() {
	ethtool -S "$1" | sed -n "s/^ *$2: //p"
}

# bond MODE MEMBER…: bond0, up, over netdevs that are down.
bond() {
	local mode=$1 member
	shift
	modprobe bonding max_bonds=0
	ip link add bond0 type bond mode "$mode" miimon 100
	for member; do
		ip link set "$member" down
		ip link set "$member" master bond0
	done
	ip link set bond0 up
}

# plain_host: one RoCE device as in most scenarios: rxe0 on eth0, 10.0.0.1 (B: 10.0.0.2); alone, eth0's cable ends in eth0peer.
# GID 0 is the link-local one, GID 1 the IPv4 one.
plain_host() {
	local address=10.0.0.1
	[ "$role" = A ] || address=10.0.0.2
	[ -e /sys/class/net/eth0 ] || pair eth0 eth0peer
	ip -batch - <<-END
		addr add $address/24 dev eth0
		link set eth0 up
	END
	rxe rxe0 eth0 2
}

# two_namespaces: two hosts in one guest, for kernels whose rxe knows network namespaces (7.2): namespaces A and B, in each
# eth0 with 10.0.0.1 (10.0.0.2) and rxeA (rxeB). `at A COMMAND…` runs there.
two_namespaces() {
	local host number=1
	for host in A B; do
		ip netns add "$host"
	done
	ip -n A link add eth0 type veth peer name eth0 netns B
	for host in A B; do
		ip -n "$host" -batch - <<-END
			addr add 10.0.0.$number/24 dev eth0
			link set lo up
			link set eth0 up
		END
		number=2
	done
	for host in A B; do
		at "$host" rdma link add "rxe$host" type rxe netdev eth0
	done
	eventually 10 has_gids rxeA 1 && eventually 10 has_gids rxeB 1
}

# pingpong CLIENT SECONDS OPTION…: ibv_rc_pingpong from one namespace (A or B) to the other. Status: the client's; 124: not done within SECONDS.
pingpong() {
	local client=$1 seconds=$2 server=B address=10.0.0.2 status=0
	[ "$client" = A ] || server=A address=10.0.0.1
	shift 2
	ip netns exec "$server" ibv_rc_pingpong -d "rxe$server" -g 1 "$@" >/dev/null 2>&1 &
	eventually 10 listens 18515 $!
	timeout "$seconds" ip netns exec "$client" ibv_rc_pingpong -d "rxe$client" -g 1 "$@" "$address" || status=$?
	stop $!
	return "$status"
}

# at NAMESPACE COMMAND…: a program, or a function of this file. (Not for what is to be stopped: in the background, $! is a shell above it.)
at() {
	local namespace=$1
	shift
	if [ "$(type -t "$1")" = function ]; then
		# shellcheck disable=SC2016  # for that shell
		ip netns exec "$namespace" bash -c '. "$vm/lib.sh"; "$@"' at "$@"
	else
		ip netns exec "$namespace" "$@"
	fi
}

# as_nobody COMMAND…: without any privilege.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"
}

# settled: no address is being probed for duplicates any more, so the machine stays as it is.
settled() {
	eventually 15 eval '! ip -6 address show tentative | grep -q .'
}

# replays NAME [AS…]: `roce record` saves this machine in NAME.machine; --root answers each listing command with the same JSON, and the same exit
# status, as the machine itself does: the host holds that (tests/vm/replayed), as commands take twenty times as long in here. AS is put in front of roce
# where it reads the machine.
replays() {
	local name=$1 command live dir=/mnt/brought/$kernel/$scenario/replays/$1.$role
	shift
	settled || echo "some address is tentative still"
	mkdir -p "$dir/live" live
	check "$name: recorded" "$@" roce record "$name.machine"
	for command in status devices "devices --caps" links gids "gids --all" "gids --for nccl" counters qos mode resources topo; do
		live=0
		# shellcheck disable=SC2086  # a command and its option
		"$@" roce -j $command >"live/$command" || live=$?
		echo "$live $command" >>live/statuses
	done
	mv live/statuses "$dir/statuses"
	check "$name: twelve answers" all_answer live/*
	cp live/* "$dir/live/"
	cp "$name.machine" "$dir/machine"
	rm -r live
}

# all_answer FILE…: twelve, with an object each.
all_answer() {
	local file
	for file; do
		[[ $(<"$file") == "{"*"}" ]] || return 1
	done
	[ $# = 12 ]
}

# Ends what earlier scenarios left running: every process but kernel threads, process 1, and this shell with its parents.
kill_strays() {
	local keep=" $$ $BASHPID 1 " pid=$$ dir
	while [ "$pid" -gt 1 ]; do
		pid=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status")
		keep+="$pid "
	done
	for dir in /proc/[0-9]*; do
		pid=${dir#/proc/}
		if [[ $keep != *" $pid "* ]] && [ -e "$dir/exe" ]; then
			kill -9 "$pid" 2>/dev/null && echo "left running: $pid"
		fi
	done
}

# reset_machine: between two scenarios: no device, namespace, netdev, filter or stray process of the last one remains.
reset_machine() {
	local path name
	kill_strays
	for path in /sys/class/infiniband/*; do
		[ ! -e "$path" ] || rdma link delete "${path##*/}"
	done
	for path in /run/netns/*; do
		[ ! -e "$path" ] || ip netns delete "${path##*/}"
	done
	# Possible only when all other namespaces are gone, and the kernel takes its time for that.
	eventually 20 rdma system set netns shared
	[ ! -d /sys/module/dcbsim ] || rmmod dcbsim
	[ ! -d /sys/module/siw ] || rmmod siw
	for path in /sys/class/net/*/; do
		name=$(basename "$path")
		if [ "$name" = lo ] || [ ! -e "$path" ]; then
			continue
		elif [ -e "$path/device" ]; then
			tc qdisc del dev "$name" root 2>/dev/null
			ip link set "$name" down mtu 1500 nomaster
			ip addr flush dev "$name"
		else
			ip link delete "$name"
		fi
	done
	ip addr flush dev lo scope global
	ip route flush dev lo proto boot
	ip -6 route flush dev lo proto boot
	[ ! -d /sys/module/nf_tables ] || nft flush ruleset
	for path in /sys/kernel/config/rdma_cm/*/; do
		[ ! -e "$path" ] || rmdir "$path"
	done
	load_modules
}

# A scenario is a script that reads this file first: any command of it that fails unexpectedly ends it, and says where.
if [ "${BASH_SOURCE[1]-}" ] && [[ ${BASH_SOURCE[1]} == */scenarios/* ]]; then
	set -eEu
	trap 'echo "line $LINENO: \`$BASH_COMMAND\` ended with $?"' ERR
	trap finish_scenario EXIT
fi
