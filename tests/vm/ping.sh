# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios about `roce ping` and `roce serve`.

# Both ends spin while they measure. Put "nice -n 19" here, and they leave the guest's one CPU to what looks at them.
nicely=()
# What a client's command begins with: (ip netns exec B), or nothing.
client_at=()

# begin NAME DEVICE OPTION…: a ping that would go on for long; its output is in `out`, its process $client. Returns when data flows.
begin() {
	local name=$1 device=$2
	shift 2
	echo "$name at $SECONDS"
	"${client_at[@]}" "${nicely[@]}" roce ping 10.0.0.1 --op write --duration 100 --timeout 1.5 "$@" >out 2>&1 &
	client=$!
	eventually 20 grep -q MTU out || cat out
	check "$name: data flows" eventually 20 flows "$device" "$(packets "$device")"
}

# packets DEVICE: what it has sent.
packets() {
	rdma statistic show link "$1/1" | sed 's/.* sent_pkts \([0-9]*\).*/\1/'
}

# flows DEVICE BEFORE: more than a handshake since then.
flows() {
	[ "$(packets "$1")" -gt $(($2 + 20)) ]
}

# ended NAME REGEX…: the ping has failed by now or soon, and its output fits each of them.
ended() {
	local name=$1 status=0 regex
	shift
	check "$name: ping ends" eventually 25 gone "$client"
	wait "$client" || status=$?
	equal "$name: it fails" 1 "$status"
	for regex; do
		shows "$name: it says why ($regex)" "$regex" cat out
	done
}

gone() {
	! kill -0 "$1"
}

# faulty_network: the machine for faults of the network: rxe0 here, as only outside of any namespace 7.2 has its counters; in namespace A rxeA and a server.
faulty_network() {
	ip netns add A
	ip -batch - <<-END
		link add eth0 type veth peer name eth0 netns A
		addr add 10.0.0.2/24 dev eth0
		link set eth0 up
	END
	ip -n A -batch - <<-END
		addr add 10.0.0.1/24 dev eth0
		link set eth0 up
	END
	rxe rxe0 eth0 2
	at A rdma link add rxeA type rxe netdev eth0
	eventually 10 has_gids rxeA 1
	modprobe sch_netem
	serve --timeout 30
}

# serve OPTION…: in A, as process $server, its output in serve.log.
serve() {
	ip netns exec A "${nicely[@]}" roce serve "$@" >serve.log 2>&1 &
	# shellcheck disable=SC2034  # for scenarios
	server=$!
	eventually 10 grep -q listening serve.log || {
		cat serve.log
		false
	}
}

# ended_clients: of how many the server's log has the end.
ended_clients() {
	grep -c -E ' tests, [0-9]+ failed$' serve.log || :
}

# server_told CLIENTS: by now it has that of so many.
server_told() {
	[ "$(ended_clients)" -ge "$1" ]
}

healthy() {
	check "$1: afterwards all is well" "${client_at[@]}" "${nicely[@]}" roce ping 10.0.0.1 --verify --op compare-swap
}

# drops HOOK [HOST]: UDP port 4791, from now on.
drops() {
	${2:+ip netns exec "$2"} nft -f - <<<"table inet t { chain c { type filter hook $1 priority 0; udp dport 4791 drop; }; }"
}

# fds PID: how many descriptors a process has open.
fds() {
	find "/proc/$1/fd" -type l | wc -l
}

# few_fds PID MOST
few_fds() {
	[ "$(fds "$1")" -le "$2" ]
}
