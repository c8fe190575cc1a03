# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Real senders of LLDP, for the scenarios neighbors and neighbors-kept, which read it after lib.sh.
# shellcheck disable=SC2269  # says that it is set, for shellcheck
repo=$repo

packages=$repo/build/packages
[ -e "$packages/lldp/.packages" ] || skip "lldpd and lldpad could not be fetched"
libraries=$packages/lldp/usr/lib/x86_64-linux-gnu:$packages/lldp/lib/x86_64-linux-gnu
with_lldp() { LD_LIBRARY_PATH=$libraries "$@"; } # COMMAND…

# A sender: lldpd in a namespace, on one netdev, as a switch would speak.
# lldpd NAME NETDEV SYSTEM; NAME "here": in this namespace, as a host's own agent
lldpd() {
	local name=$1 netdev=$2 system=$3
	mkdir -p "/run/$name"
	grep -q '^_lldpd:' /etc/passwd || echo '_lldpd:x:990:990::/run/lldpd:/usr/sbin/nologin' >>/etc/passwd
	grep -q '^_lldpd:' /etc/group || echo '_lldpd:x:990:' >>/etc/group
	grep -qs " $(uname -n)\$" /etc/hosts || echo "127.0.0.1 $(uname -n)" >>/etc/hosts # it looks its own name up
	local into=(ip netns exec "$name")
	[ "$name" != here ] || into=(nice -n 0)
	LD_LIBRARY_PATH=$libraries "${into[@]}" unshare -m sh -c "mount -t tmpfs none /run; mkdir -p /run/lldpd; chown 990 /run/lldpd
		exec $packages/lldp/usr/sbin/lldpd -d -k -u /run/lldpd.socket -I $netdev -S 'SONiC Software Version: SONiC.202305' -L /bin/false" >"$name.log" 2>&1 &
	eval "pid_of_$name=$!"
	later kill $!
	eventually 20 client "$name" show chassis || { cat "$name.log" && return 1; }
	client "$name" configure system hostname "$system"
	client "$name" configure system capabilities enabled bridge,router || :
	client "$name" configure lldp tx-interval 1
	client "$name" resume # it waits until its configuration is complete
}
# client NAME WORDS…: lldpcli there.
client() {
	local name=$1 pid=pid_of_$1
	shift
	with_lldp nsenter -t "${!pid}" -m -n "$packages/lldp/usr/sbin/lldpcli" -u /run/lldpd.socket "$@"
}
# tlv NAME OUI SUBTYPE BYTES: one of an organisation's own.
tlv() { client "$1" configure lldp custom-tlv add oui "$2" subtype "$3" oui-info "$4"; }
dcbx() { # NAME PFC: DCBX as a switch has it: PFC on these priorities (a byte), RoCE v2 and DSCP 26 on 3, half the link for it
	tlv "$1" 00,80,c2 11 "08,$2"
	tlv "$1" 00,80,c2 9 00,00,03,00,60,32,00,00,32,00,00,00,00,02,00,00,02,00,00,00,00
	tlv "$1" 00,80,c2 12 00,63,12,b7,65,00,1a,61,89,15
	tlv "$1" 00,12,0f 4 24,00
}

absent() { ! grep -q "$@"; } # WORDS FILE
