# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/verify/roce-verify on recorded machines: beside Debian's tools that read files, and beside what those print that no package has; something other
# in what each prints is found. What asks the kernel is held to it in guests (tests/vm/scenarios/beside-originals, qos, resources).
in_namespaces
mount -t tmpfs none /tmp
tree=$work/tree seen=
# see NAME [PREPARE]: that machine, its sys over /sys; PREPARE changes its files first, which its recording has as they are.
see() {
	[ -z "$seen" ] || umount /sys
	seen=$1
	fixture_tree "$1" "$tree"
	for_lspci "$tree"
	[ $# = 1 ] || "$2"
	mount --bind "$tree/sys" /sys
	machine "$1"
}
verify() { "$top/contrib/verify/roce-verify" --roce "$roce" "$@"; }
on_files() { verify --root "$work/machine" -o - "$@"; }
said() { cp "$work/check" "$work/said"; } # what the last check_status printed, for more of them
# fake NAME: a program of that name prints standard input, whatever it is asked.
mkdir "$work/bin"
fake() {
	{ echo '#!/bin/sh' && echo "cat <<'END'" && cat && echo END; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
export PATH=$work/bin:$PATH
# other NAME SED: what the program prints so changed differs, and is told of it alone.
other() {
	local original
	original=$(type -P "$1")
	printf '#!/bin/bash\n%q "$@" | sed %q\n' "$original" "$2" >"$work/other"
	[ "$original" != "$work/bin/$1" ] || mv "$original" "$original.real"
	[ "$original" != "$work/bin/$1" ] || sed -i "s|$original|$original.real|" "$work/other"
	mv "$work/other" "$work/bin/$1" && chmod +x "$work/bin/$1"
	check_status "$1: what is planted differs" 1 "${asked[@]}" "$1"
	said
	check "$1: and is told with both answers" grep -qE "^$1: .*: ('.*'|nothing), roce ('|nothing)" "$work/said"
	rm "$work/bin/$1"
	[ ! -e "$original.real" ] || mv "$original.real" "$original"
}

# ---- what reads files
see mlx5-roce-train
asked=(on_files)
check_status "a machine of eight NICs: nothing differs" 0 on_files
said
equal "ibstat, ibstatus, lspci and sysfs have facts" 4 "$(grep -cE '^(ibstat|ibstatus|lspci|sysfs) +[1-9][0-9]* facts, 0 differ' "$work/said")"
other ibstat 's/Rate: .*/Rate: 77/'
other ibstatus 's/4: ACTIVE/1: DOWN/'
other lspci 's/^\(0000:[^ ]* [0-9]*:\) 15b3:/\1 15b4:/'
other_counter() { find "$tree/sys/" -path '*mlx5_0/ports/1/counters/port_rcv_packets' -exec sh -c 'echo 4711 >"$1"' sh {} \; ; }
see mlx5-roce-train other_counter
check_status "sysfs: another number in a file differs" 1 on_files sysfs
shows "sysfs: and is told with both" "^sysfs: mlx5_0/1: counters port_rcv_packets: '4711', roce '[0-9]+'" on_files sysfs
see fault-link
check_status "a device that ibstat dies of is no difference" 0 on_files

# ---- what no package has, by its known form, beside the same recorded machine
export ROCE_ROOT=
known() { # FIXTURE TOOL COMMAND: by tests/differential/expected
	section tests/differential/expected "$1" | awk -v head="\$ $3" '/^\$ / {on = $0 == head; next} /^status: / {on = 0} on' | fake "$2"
}
beside() { ROCE_ROOT=$top/$(fixture "$of") verify -o - "$@"; }
asked=(beside)
of=bnxt-re-vlan
known $of show_gids show_gids
known $of ibdev2netdev ibdev2netdev
check_status "show_gids and ibdev2netdev agree" 0 beside show_gids ibdev2netdev
other show_gids 's/172.31.43.187/172.31.43.188/'
other ibdev2netdev 's/(Down)/(Up)/'

of=rxe-dcb
fake mlnx_qos <<'END'
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
	prio:3 dscp:26,
	prio:6 dscp:48,
Receive buffer size (bytes): 262016,0,0,0,0,0,0,0,max_buffer_size=262016
Cable len: 7
PFC configuration:
	priority    0   1   2   3   4   5   6   7
	enabled     0   0   0   1   0   0   0   0   
	buffer      0   0   0   0   0   0   0   0   
tc: 0 ratelimit: unlimited, tsa: ets, bw: 50%
	 priority:  0
tc: 3 ratelimit: unlimited, tsa: ets, bw: 50%
	 priority:  3
tc: 6 ratelimit: unlimited, tsa: strict
	 priority:  6
END
check_status "mlnx_qos agrees" 0 beside mlnx_qos
other mlnx_qos 's/dscp:26,/dscp:26,27,/'
other mlnx_qos '/enabled/s/1/0/'

of=partial-gpus-l40
fake nvidia-smi <<'END'
	[4mGPU0	GPU1	GPU2	GPU3	NIC0	NIC1	CPU Affinity	NUMA Affinity	GPU NUMA ID[0m
GPU0	 X 	NODE	SYS	SYS	SYS	SYS	0-127,256-383	0		N/A
GPU1	NODE	 X 	SYS	SYS	SYS	SYS	0-127,256-383	0		N/A
GPU2	SYS	SYS	 X 	NODE	NODE	NODE	128-255,384-511	1		N/A
GPU3	SYS	SYS	NODE	 X 	NODE	NODE	128-255,384-511	1		N/A
NIC0	SYS	SYS	NODE	NODE	 X 	PIX
NIC1	SYS	SYS	NODE	NODE	PIX	 X 

NIC Legend:

  NIC0: mlx5_0
  NIC1: mlx5_1
END
check_status "nvidia-smi agrees" 0 beside nvidia-smi
said
check "on four accelerators and two NICs" grep -q '^8 facts compared' "$work/said"
other nvidia-smi '/^GPU3/s/NODE	NODE	128/NODE	PHB	128/'

of=partial-gpus-mi300x
for gpu in 0 1 2 3 4 5 6 7; do
	printf 'GPU[%d]\t\t: (Topology) Numa Node: %d\nGPU[%d]\t\t: (Topology) Numa Affinity: %d\n' $gpu $((gpu / 4)) $gpu $((gpu / 4))
done | fake rocm-smi
check_status "rocm-smi agrees" 0 beside rocm-smi
other rocm-smi '/GPU\[7\]/s/1$/0/'
unset ROCE_ROOT

# ---- what an operator meets
see mlx5-dual-port
mount --bind /dev/null "$(type -P ibstatus)" # as if it were not installed
check_status "with few tools" 0 verify --root "$work/machine" -o -
said
check "those that are missing are named once" grep -qx 'not here: ibstatus' "$work/said"
umount "$(type -P ibstatus)"
check_status "a tool that it doesn't know" 2 verify nonsense
shows "is said" "there is no tool nonsense" verify nonsense
check_status "an option that it doesn't know" 2 verify --nonsense
shows "--help" '^usage: roce-verify' verify --help
check_status "no roce" 2 "$top/contrib/verify/roce-verify" --roce /nowhere/roce
check_status "nothing to compare is no success" 2 env ROCE_ROOT="$top/$(fixture siw-plain)" "$top/contrib/verify/roce-verify" --roce "$roce" -o - lspci
check_status "--pair asks first: nobody answers" 2 verify --pair 192.0.2.1 -o - ibstat
shows "and says what must run there" 'roce serve' verify --pair 192.0.2.1 -o - ibstat
chmod -R a+rX "$tree"
mkdir /tmp/copied && chmod 1777 /tmp/copied && cp contrib/verify/roce-verify "$roce" "$work/machine" /tmp/copied
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ TMPDIR=/tmp/copied)
check_status "as nobody, with a copied binary beside it" 0 "${nobody[@]}" /tmp/copied/roce-verify -o /tmp/copied/sent.tar.gz --root /tmp/copied/machine

# ---- the file to send
mkdir "$work/sent"
tar -xzf /tmp/copied/sent.tar.gz -C "$work/sent"
equal "what is in it" "facts originals/ibstat originals/ibstatus originals/lspci originals/sysfs recording.machine versions" \
	"$(cd "$work/sent" && find . -type f -printf '%P\n' | sort | paste -sd ' ')"
check "roce reads the recording" "$roce" -r "$work/sent/recording.machine" status
grep -hoE 'aa:?1f:?c[0-9]|10\.22\.[0-9.]+|roce-a' -r "$work/sent" >"$work/left"
equal "no address and no name of the machine is left" '' "$(sort -u "$work/left")"
# what was anonymised in both agrees: the same substitutes
port_guid() { sed -n 's/.*Port GUID: 0x//p' "$work/sent/originals/ibstat" | tail -n 1; }
equal "both have the same substitutes" "$("$roce" -q -j -r "$work/sent/recording.machine" gids | jq -r '[.gids[] | select(.device == "mlx5_1" and .index == 0)][0].gid[20:] | gsub(":"; "")')" "$(port_guid)"
