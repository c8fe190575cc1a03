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
# fake NAME: a program of that name prints standard input, whatever it is asked; of one with lines "$ COMMAND" what follows the command that it is asked.
mkdir "$work/bin"
fake() {
	cat >"$work/bin/$1.says"
	cat >"$work/bin/$1" <<-END
		#!/bin/sh
		exec awk -v head="\\$ $1 \$*" 'NR == 1 {on = !/^[$] /} /^[$] / {on = \$0 == head; next} on' '$work/bin/$1.says'
	END
	chmod +x "$work/bin/$1"
}
# says TOOL: the facts in an answer on standard input, by the script's own reader.
says() {
	mkdir -p "$work/answers"
	cat >"$work/answers/$1"
	# shellcheck disable=SC2016  # that shell's
	bash -c '. contrib/verify/roce-verify && answers=$2 "says_${1//-/_}"' bash "$1" "$work/answers"
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
Cable len: 0
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
other mlnx_qos 's/OS controlled/Firmware controlled/'
other mlnx_qos 's/tc: 3 ratelimit: unlimited/tc: 3 ratelimit: 25.0 Gbps/'
# DSCPs of a priority wrap after eight, each line with its head; what isn't ets has no share (mlnx-tools 8fbfd9c)
equal "mlnx_qos: what wraps, rates, vendor's classes" "eth2 bw 1 10,eth2 dscp 0 0,eth2 dscp 7 0,eth2 dscp 8 0,eth2 maxrate 1 2.5,eth2 maxrate 6 unlimited,eth2 tc 1 0,eth2 tc 6 6,eth2 tsa 1 ets,eth2 tsa 6 vendor" "$(
	says mlnx_qos <<-'END' | tr '\t' ' ' | sort | paste -sd ,
		$ mlnx_qos -i eth2
		dscp2prio mapping:
			prio:0 dscp:07,
			prio:0 dscp:08,00,
		tc: 0 ratelimit: 2.5 Gbps, tsa: ets, bw: 10%
			 priority:  1
		tc: 6 ratelimit: unlimited, tsa: vendor
			 priority:  6
	END
)"
equal "dcb: the order of trust" "eth2 trust dscp" "$(printf '%s\n' '$ dcb -j apptrust show dev eth2' '{"order":["ethertype","dscp","pcp"]}' | says dcb | tr '\t' ' ')"

# The forms are those of ethtool 6.1 (cmis.c, module-common.c) and devlink; the words of mlx5's fields those that it puts there.
of=fault-platform
module() { # NETDEV DEGREES
	printf '$ ethtool -m %s\n\tIdentifier                                : 0x19 (OSFP 8X Pluggable Transceiver)\n' "$1"
	printf '\tModule State                              : 0x03 (ModuleReady)\n'
	printf '\tModule temperature                        : %s degrees C / 32.00 degrees F\n' "$2"
	printf '\tModule temperature high alarm threshold   : 80.00 degrees C / 176.00 degrees F\n'
	printf '\tModule temperature high warning threshold : 75.00 degrees C / 167.00 degrees F\n'
}
{
	module ens1 76.50
	module ens2 51.29
	module ens3 49.00
	cat <<-'END'
		$ ethtool -i ens1
		driver: mlx5_core
		version: 6.1.0-28-amd64
		firmware-version: 28.39.1002 (MT_0000000838)
		expansion-rom-version: 
		bus-info: 0000:17:00.0
	END
} | fake ethtool
{
	cat <<-'END'
		$ devlink -j dev info pci/0000:17:00.0
		{"info":{"pci/0000:17:00.0":{"driver":"mlx5_core","serial_number":"MT2242XZ0123","versions":{"fixed":{"fw.psid":"MT_0000000838"},"running":{"fw.version":"28.39.1002","fw":"28.39.1002"},"stored":{"fw.version":"28.41.1000","fw":"28.41.1000"}}}}}
		$ devlink -j health show
	END
	jq -n -c 'def one($error; $recover; $state): {state: $state, error: $error, recover: $recover, grace_period: 1200000, auto_recover: true};
		[{reporter: "fw"}, {reporter: "fw_fatal"}, {reporter: "tx"}, {reporter: "rx"}] as $all | {health: {
		"pci/0000:17:00.0": ($all | map(. + one(0; 0; "healthy"))),
		"pci/0000:27:00.0": ($all | map(. + if .reporter == "fw_fatal" then one(2; 1; "error") else one(0; 0; "healthy") end)),
		"pci/0000:37:00.0": ($all[:2] | map(. + one(0; 0; "healthy"))),
		"pci/0000:37:00.0/1": ($all[2:] | map(. + if .reporter == "tx" then one(1; 1; "healthy") else one(0; 0; "healthy") end))}}'
} | fake devlink
check_status "ethtool -i and -m, devlink dev info and health agree" 0 beside ethtool devlink
said
check "on firmware, board, modules" grep -qE '^ethtool +14 facts, 0 differ' "$work/said"
check "on versions and reporters" grep -qE '^devlink +12 facts, 0 differ' "$work/said"
other ethtool 's/: 51.29 deg/: 51.40 deg/'
other ethtool '/warning threshold/s/75.00/74.00/'
other ethtool 's/0x19 (OSFP/0x18 (QSFP-DD/'
other ethtool 's/(ModuleReady)/(ModuleFault)/'
other ethtool 's/28.39.1002/28.39.1003/'
other ethtool 's/MT_0000000838/MT_0000000839/'
other devlink 's/"fw.psid":"MT_0000000838"/"fw.psid":"MT_0000000839"/'
other devlink 's/"running":{"fw.version":"28.39.1002"/"running":{"fw.version":"28.41.1000"/'
other devlink 's/"error":2/"error":3/'
other devlink 's/"driver":"mlx5_core"/"driver":"mlx5_other"/'
rm "$work"/bin/{ethtool,devlink}

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
other rocm-smi '/GPU\[7\].*Affinity/s/1$/0/'
equal "rocm-smi: the older form, and a node that nobody knows" "GPU0 NUMA node 3,GPU1 NUMA node null" \
	"$(printf 'GPU 0\t\t: (Topology) Numa Affinity: 3\nGPU[1]\t\t: (Topology) Numa Affinity: 4294967295\n' | says rocm-smi | tr '\t' ' ' | paste -sd ,)"
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
check_status "without jq" 2 env PATH=/nowhere "$BASH" "$top/contrib/verify/roce-verify" --roce "$roce"
shows "is said" '^roce-verify: there is no jq here: install it$' env PATH=/nowhere "$BASH" "$top/contrib/verify/roce-verify" --roce "$roce"
check_status "no roce" 2 "$top/contrib/verify/roce-verify" --roce /nowhere/roce
check_status "nothing to compare is no success" 2 env ROCE_ROOT="$top/$(fixture siw-plain)" "$top/contrib/verify/roce-verify" --roce "$roce" -o - lspci
check_status "--pair asks first: nobody answers" 2 verify --pair 192.0.2.1 -o - ibstat
shows "and says what must run there" 'roce serve' verify --pair 192.0.2.1 -o - ibstat
chmod -R a+rX "$tree"
mkdir /tmp/copied && chmod 1777 /tmp/copied && cp contrib/verify/roce-verify "$roce" "$work/machine" /tmp/copied
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ TMPDIR=/tmp/copied)
check_status "as nobody, with a copied binary beside it" 0 "${nobody[@]}" /tmp/copied/roce-verify -o /tmp/copied/sent.tar.gz --root /tmp/copied/machine

# ---- each tool that it knows
for tool in $(verify --list); do
	check "$tool: something planted in its output is looked for" grep -qE "^[[:blank:]]*((other|plant) $tool |check_status \"$tool: another )" "$top/tests/contrib/verify.sh" "$top"/tests/vm/scenarios/*
	check "$tool: the manual says what of it is compared" grep -q "^| $tool |" "$top/contrib/verify/README.md"
done

# ---- the file to send
mkdir "$work/sent"
tar -xzf /tmp/copied/sent.tar.gz -C "$work/sent"
equal "what is in it" "facts originals/ibstat originals/ibstatus originals/lspci originals/sysfs recording.machine versions" \
	"$(cd "$work/sent" && find . -type f -printf '%P\n' | sort | paste -sd ' ')"
check "roce reads the recording" "$roce" -r "$work/sent/recording.machine" status
grep -hoE 'aa:?1f:?c[0-9]|10\.22\.[0-9.]+|roce-a' -r "$work/sent" >"$work/left"
empty "no address and no name of the machine is left" "$(sort -u "$work/left")"
# what was anonymised in both agrees: the same substitutes
port_guid() { sed -n 's/.*Port GUID: 0x//p' "$work/sent/originals/ibstat" | tail -n 1; }
equal "both have the same substitutes" "$("$roce" -q -j -r "$work/sent/recording.machine" gids | jq -r '[.gids[] | select(.device == "mlx5_1" and .index == 0)][0].gid[20:] | gsub(":"; "")')" "$(port_guid)"

# Whatever may tell whose machine it is, planted in each tool's output: words that no recording of it knows.
see mlx5-dual-port
hostname canary7
export ROCE_ROOT=$work/machine
lines() {
	cat <<-'END'
		Kept: 42
		Node GUID: 0x02ca4afffe000001
		Port GUID: 0x0011223344556677
		node_guid: 02ca:4aff:fe00:0001
		GID[  9]: 2001:0db8:ca4a:0000:0000:0000:0000:0001, RoCE v2
		GID[ 10]: ::ffff:203.0.113.77, RoCE v2
		mlx9_9	1	0	0000:0000:0000:0000:0000:ffff:cb00:714d	203.0.113.77  	v2	eth0
		link/ether 02:ca:4a:00:00:01 brd ff:ff:ff:ff:ff:ff
		Permanent address: 02-CA-4A-00-00-01
		inet 203.0.113.77/24, inet6 2001:db8:ca4a::1/64
		Name: canary7
		Name: canary7.example.org, up
		Vendor SN                                 : SNCANARY123
		Capabilities: [100 v1] Device Serial Number 02-ca-4a-ff-fe-00-00-01
			[SN] Serial number: SNCANARY123
			[V3] Vendor specific: SNCANARY123
		asset tag: SNCANARY123
	END
}
in_json='[{"ifname":"eth9","kept":42,"address":"02:ca:4a:00:00:01","altnames":["canary7-left"],"ifalias":"rack of canary7","phys_switch_id":"001122334455",
	"permaddr":"02:ca:4a:00:00:01","link":"canary7-left","comm":"canary7d","src-addr":"203.0.113.77","dst-addr":"2001:db8:ca4a::1","src":"203.0.113.77:4711",
	"node_guid":"02ca:4aff:fe00:0001","serial_number":"SNCANARY123","board.serial_number":"SNCANARY123","hostname":"canary7",
	"info":{"board_serial_number":"SNCANARY123","uuid":"SNCANARY123"}}]'
for tool in ibstat ibstatus ibv_devices ibv_devinfo ibdev2netdev show_gids ethtool mlnx_qos lspci nvidia-smi rocm-smi; do lines | fake "$tool"; done
for tool in rdma ip dcb devlink; do fake "$tool" <<<"$in_json"; done
gid=$(find "$tree/sys/" -path '*mlx5_0/ports/1/gids/9')
echo 2001:0db8:ca4a:0000:0000:0000:0000:0001 >"$gid"
verify -o "$work/canaries.tar.gz" >"$work/said" 2>&1
rm -rf "$work/sent" && mkdir "$work/sent" && tar -xzf "$work/canaries.tar.gz" -C "$work/sent"
for tool in $(verify --list); do
	check "$tool: is in the file" test -s "$work/sent/originals/$tool"
	[ "$tool" = sysfs ] || check "$tool: what tells of nobody is kept" grep -qiE '^ *("kept": 42|Kept: 42)' "$work/sent/originals/$tool"
done
grep -riEn 'canary|ca-?:?4a|203\.0\.113|cb00:714d|0011223344' "$work/sent" >"$work/left"
empty "no address, name or serial number of any tool's is in the file" "$(sed "s|$work/sent/||" "$work/left" | head -n 5)"
unset ROCE_ROOT
rm "$work"/bin/*
