# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # lib.sh has role, guests, repo and vm
# For scenarios that stack netdevs: `stack` makes one, has real programs try whether data flows through it to another host, and holds every statement of
# roce's against what they found.
#
# The host under test is guest A, or the guest itself; its cables eth1 and eth2 end in a switch (namespace "switch"), as does mgmt0, a port without RDMA
# by which ibv_rc_pingpong's two ends find each other. The other host is plain, and the same for all stacks: guest B, or namespace "far" (7.2, whose rxe
# knows namespaces). It has 10.0.0.2 and 2001:db8::2 on eth0, 10.7.0.2 in VLAN 7 and 10.78.0.2 in VLAN 8 within that; 192.168.9.2 is its end of mgmt0.

# far COMMAND…: on the other host, from here; only where that is a namespace.
far() {
	ip netns exec far "$@"
}

# far_servers: on the other host: programs that answer, a pingpong for each netdev at 18520, 18521, 18522. One that a client has left in the lurch ends by
# itself.
far_servers() {
	local number=0 text index
	while sleep 0.02; do rping -s -P -a 0.0.0.0 || :; done &
	while sleep 0.02; do rping -s -P -a :: -p 7175 || :; done &
	for text in 0a00:0002 0a07:0002 0a4e:0002 2001:0db8; do
		number=$((number + 1))
		index=$(grep -l "$text" /sys/class/infiniband/far0/ports/1/gids/{?,1?} | sort -V | head -n 1)
		while sleep 0.02; do timeout 6 ibv_rc_pingpong -e -d far0 -g "${index##*/}" -p $((18519 + number)) -n 4 || :; done &
	done
	echo "the other host is ready"
	wait
}

# far_host: makes it, in this namespace.
far_host() {
	ip -batch - <<-END
		link set lo up
		addr add 10.0.0.2/24 dev eth0
		addr add 2001:db8::2/64 dev eth0 nodad
		link set eth0 up
		link add link eth0 name eth0.7 type vlan id 7
		addr add 10.7.0.2/24 dev eth0.7
		link set eth0.7 up
		link add link eth0.7 name eth0.78 type vlan id 8
		addr add 10.78.0.2/24 dev eth0.78
		link set eth0.78 up
		link add link eth0 name eth0.99 type vlan id 99
		addr add 192.168.9.2/24 dev eth0.99
		link set eth0.99 up
	END
	rdma link add far0 type rxe netdev eth0
	eventually 10 eval 'grep -q -s 0a4e:0002 /sys/class/infiniband/far0/ports/1/gids/{?,1?}'
}

# bed: the switch with its cables, and what is at its other end. As the other host it ends when the one under test is done (`barrier tried`).
bed() {
	if [ "$role" = B ]; then
		far_host
		far_servers >far.log 2>&1 &
		eventually 60 grep -q "is ready" far.log || cat far.log
		barrier made 100
		barrier tried 400
		exit
	fi
	ip netns add switch
	if [ "$guests" = 1 ]; then
		ip netns add far
		ip link add eth0 netns switch type veth peer name eth0 netns far
		# shellcheck disable=SC2016  # for that shell
		far bash -c '. "$vm/lib.sh"; . "$0"; far_host; far_servers' "${BASH_SOURCE[0]}" >far.log 2>&1 &
		eventually 60 grep -q "is ready" far.log || cat far.log
	else
		ip link set eth0 down netns switch
		barrier made 100
		later barrier tried
	fi
	ip link add mgmt0 type veth peer name mgmt netns switch
	ip -batch - <<-END
		addr add 192.168.9.1/24 dev mgmt0
		link set mgmt0 up
	END
	ip -n switch -batch - <<-END
		link add sw0 type bridge
		link set sw0 up
		link set eth0 master sw0 up
		link add link eth0 name eth0.99 type vlan id 99
		link add sw1 type bridge
		link set sw1 up
		link set eth0.99 master sw1 up
		link set mgmt master sw1 up
	END
}

# fresh: no netdev, device or rule of the last stack; new cables.
fresh() {
	local path names=()
	for path in /sys/class/infiniband/rxe*; do
		[ ! -e "$path" ] || rdma link delete "${path##*/}"
	done
	[ ! -e /run/netns/pod ] || ip netns delete pod
	[ ! -e /run/openvswitch/db.sock ] || vswitch ovs-vsctl --if-exists del-br br0
	for path in /sys/class/net/*/; do
		path=${path%/}
		case ${path##*/} in
		lo | mgmt0 | ovs-system) ;;
		*) names+=("link delete ${path##*/}") ;;
		esac
	done
	[ ${#names[@]} = 0 ] || printf '%s\n' "${names[@]}" | ip -force -batch - 2>/dev/null || :
	ip -n switch link delete channel 2>/dev/null || :
	ip -batch - <<-END
		link add eth1 address $(mac_of eth1) type veth peer name p1 netns switch
		link add eth2 address $(mac_of eth2) type veth peer name p2 netns switch
		link set eth1 up
		link set eth2 up
	END
	ip -n switch -batch - <<-END
		link set p1 master sw0 up
		link set p2 master sw0 up
	END
}

# channel MODE: the switch bundles both cables.
channel() {
	ip -n switch -batch - <<-END
		link set p1 nomaster down
		link set p2 nomaster down
		link add channel type bond mode $1 miimon 100
		link set p1 master channel
		link set p2 master channel
		link set channel master sw0 up
	END
}

# vswitch COMMAND…: of Open vSwitch or teamd, with their libraries.
vswitch() {
	local dir=$repo/build/packages/openvswitch
	OVS_RUNDIR=/run/openvswitch LD_LIBRARY_PATH=$dir/usr/lib/x86_64-linux-gnu:$dir/lib/x86_64-linux-gnu \
		PATH=$dir/usr/bin:$dir/usr/sbin:$dir/usr/lib/openvswitch-switch:$PATH "$@"
}

# vswitch_up: its daemons; they end with the scenario.
vswitch_up() {
	[ -e "$repo/build/packages/openvswitch/.packages" ] || skip "the packages of Open vSwitch could not be fetched"
	[ "$role" = A ] || return 0
	modprobe openvswitch
	modprobe tun
	mkdir -p /run/openvswitch
	vswitch ovsdb-tool create /run/openvswitch/conf.db "$repo/build/packages/openvswitch/usr/share/openvswitch/vswitch.ovsschema"
	vswitch ovsdb-server --remote=punix:/run/openvswitch/db.sock --detach --pidfile --log-file=/dev/null /run/openvswitch/conf.db
	vswitch ovs-vsctl --no-wait init
	vswitch ovs-vswitchd --detach --pidfile --log-file="$PWD/vswitchd.log"
	later rm -r /run/openvswitch
	later vswitch ovs-appctl exit --cleanup
	later cat vswitchd.log
}

# answers: does IP reach the other host?
answers() {
	# shellcheck disable=SC2086  # options
	"${as[@]}" busybox ping -c 1 -W 1 $out "$peer"
}

# by_verbs: whether ibv_rc_pingpong's data flows, by the address' GID: flows, lost (or ARP has no answer, so that the queue pair can't be made
# ready), none (there is no such GID).
by_verbs() {
	[ "$index" ] || {
		echo none
		return
	}
	local tries
	for tries in {1..80}; do
		! "${as[@]}" timeout "$patience" ibv_rc_pingpong -e -d rxe0 -g "$index" -p "$port" -n 4 "$meet" >pingpong.log 2>&1 || {
			echo flows
			return
		}
		case $(<pingpong.log) in
		*"Couldn't connect"*) sleep 0.1 ;; # the other one isn't back yet
		*) echo lost && return ;;
		esac
	done
	echo "not tried after $tries"
}

# by_cm: whether rping's does, which asks RDMA_CM for that address, or leaves the choice to the routes: flows, lost.
by_cm() {
	local other=()
	[[ $peer != *:* ]] || other=(-p 7175)
	[ "$bound" = no ] || other+=(-I "$address")
	if "${as[@]}" timeout "$patience" rping -c -a "$peer" -C 2 "${other[@]}" >rping.log 2>&1; then echo flows; else echo lost; fi
}

# truth WANTED COMMAND: what COMMAND finds; where data is to flow, it may take some tries until links are up and neighbours known.
truth() {
	local found tries=1 patience=2
	[ "$1.$answered" != flows.answers ] || tries=8 patience=5
	while :; do
		found=$("$2")
		if [ "$found" = "$1" ] || ! ((--tries > 0)); then break; fi
	done
	echo "$found"
}

# stack NAME [KEY=VALUE]… : made by what ip reads from standard input.
#   first     commands of this shell, before that
#   on        the netdev that rxe0 is made on (eth1)
#   then      commands of this shell, once rxe0 is there
#   last      commands of this shell, at the end
#   address   the one that is looked at (10.0.0.1)
#   out       ping's options, where it has to be told the way
#   ip        answers (the default) or silent: what ping finds of it
#   verbs cm  flows (the default) or not: what by_verbs and by_cm find
#   unbound   what by_cm finds where it leaves the address to come from to the routes
#   finds     what doctor warns of, IDs in alphabetical order: nothing else, and something whenever data doesn't flow
#   fix       a part of what doctor says to do about that
#   loopback  passes (the default) or fails: roce selftest by that GID
#   kin       what that netdev is called then, where it is renamed
#   as        put in front of every program
stack() {
	local name=$1 first='' on=eth1 then='' last='' address=10.0.0.1 out='' unbound='' bound=yes ip=answers verbs=flows cm=flows finds='' fix='' kin='' loopback=passes \
		as=() meet=192.168.9.2
	shift
	[ $# = 0 ] || local "$@"
	# shellcheck disable=SC2128
	read -r -a as <<<"${as-}"
	local kin=${kin:-$on} peer=${address%.*}.2 port=18520 index='' answered=silent
	fresh
	eval "$first"
	ip -batch -
	"${as[@]}" rdma link add rxe0 type rxe netdev "$on"
	eval "$then"
	case $address in
	10.7.*) port=18521 ;;
	10.78.*) port=18522 ;;
	*:*) peer=2001:db8::2 port=18523 ;;
	esac
	[ "$ip" = silent ] || eventually 1 answers || :
	[ "$verbs" = none ] || eventually 3 gid_of "$address" || :
	index=$(gid_of "$address" || :)
	! answers >/dev/null 2>&1 || answered=answers
	equal "$name: ping" "$ip" "$answered"
	equal "$name: by verbs" "$verbs" "$(truth "$verbs" by_verbs)"
	equal "$name: by RDMA_CM" "$cm" "$(truth "$cm" by_cm)"
	[ -z "$unbound" ] || equal "$name: by RDMA_CM, unbound" "$unbound" "$(bound=no truth "$unbound" by_cm)"
	statements
	eval "$last"
}

# kin NETDEV upper|lower: it and, by the kernel's links, what lies over it, however far, or those below that it is the master of.
kin() {
	local path
	echo "$1"
	for path in "/sys/class/net/$1/$2"_*; do
		if [[ -e $path && ($2 = upper || $path/master -ef /sys/class/net/$1) ]]; then kin "${path##*/"$2"_}" "$2"; fi
	done
}

# statements: those of roce about this stack, against what was found.
statements() {
	local said want told consumer subject
	"${as[@]}" roce -j status rxe0 >status.json || :
	for consumer in rdma_cm perftest; do
		"${as[@]}" roce -j gids --for "$consumer" rxe0 >"$consumer.json" || :
	done
	"${as[@]}" roce -j doctor --interval 0 rxe0 >doctor.json || :
	"${as[@]}" roce -j links rxe0 >links.json || :
	"${as[@]}" roce -j topo rxe0 >topo.json || :
	said=$(jq -n -r --arg address "$address" --slurpfile status status.json --slurpfile cm rdma_cm.json --slurpfile verbs perftest.json \
		--slurpfile doctor doctor.json --slurpfile links links.json --slurpfile topo topo.json '
		def good: if any(.[0].gids[]; .address == $address and .verdict == "good") then "good" else "not good" end;
		"status \(if $status[0].ports[0].verdict == "ok" then "ok" else "not ok" end)", "rdma_cm \($cm | good)", "perftest \($verbs | good)",
		"doctor \([$doctor[0].causes[] | select(.verdict == "warn" or .verdict == "fail") | .id] | unique | join(","))",
		"links \([$links[0].links[].netdev] | unique | join(" "))",
		"topo \([$topo | .. | objects | select(.kind == "netdev") | .name, .members[]?] | unique | join(" "))"')
	want="status ok"
	[ "$verbs$cm$finds" = flowsflows ] || want="status not ok"
	for consumer in rdma_cm perftest; do
		told=$verbs
		[ "$consumer" = perftest ] || told=$cm
		[ "$told" = flows ] || consumer+=" not"
		want+=$'\n'"$consumer good"
	done
	told=$({ kin "$kin" upper && kin "$kin" lower; } | sort -u | paste -sd ' ')
	want+=$'\ndoctor '"$finds"$'\nlinks '"$told"
	# it names each master's members
	told=$(for subject in $told; do kin "$subject" lower; done | sort -u | paste -sd ' ')
	want+=$'\ntopo '"$told"
	[ "$verbs$cm" = flowsflows ] || [ "$finds" ] || result FAILED "$name: a finding says why nothing flows"
	# shellcheck disable=SC2016  # text for jq
	[ -z "$fix" ] || json "$name: the fix" 'any(.findings[]; .fix // "" | contains($fix))' --arg fix "$fix" doctor.json
	while read -r subject told <&3 && read -r subject want <&4; do
		alike "$name: $subject" "$want" "$told"
	done 3<<<"$said" 4<<<"$want"
	[ -z "$index" ] || {
		told=passes
		"${as[@]}" roce -j selftest rxe0 --gid "$index" --verify --op send >selftest.json || told=fails
		equal "$name: selftest" "$loopback" "$told"
	}
}

# gid_of ADDRESS: the index of its GID, below 100.
gid_of() {
	local hex=2001:0db8:0000:0000:0000:0000:0000:000${1##*:} file
	# shellcheck disable=SC2046,SC2086,SC2183  # four numbers
	[[ $1 = *:* ]] || printf -v hex 'ffff:%02x%02x:%02x%02x' ${1//./ }
	# shellcheck disable=SC2016  # for that shell
	file=$("${as[@]}" bash -c 'grep -l "$0\$" /sys/class/infiniband/rxe0/ports/1/gids/[0-9] /sys/class/infiniband/rxe0/ports/1/gids/[0-9][0-9]' "$hex" | head -n 1)
	[ "$file" ] && echo "${file##*/}"
}

# shellcheck source=stacks.table
. "$vm/stacks.table"
