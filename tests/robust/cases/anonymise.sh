# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Recordings that tell nothing of whose machine it is.

# rail-order judges by the names of netdevs, which are what is taken away; port-in-use tells a spare port from one whose address is missing by the
# numbers in the others' addresses, which are, too.
verdicts() { # ROOT
	build/roce --root "$1" -j doctor 2>/dev/null | jq -r '.findings[] | select(.id != "rail-order") |
		if .id == "port-in-use" and .verdict == "warn" then .verdict = "info" else . end | "\(.id) \(.verdict)"' | sort
}
# Every fact is there still, and is what it was but for text. (The machine that is broken loses what was no fact.)
facts_of() { # ROOT
	build/roce --root "$1" facts 2>/dev/null | jq -c '[del(.findings, .found_by_doctor) | paths(type != "object" and type != "array") as $p |
		[($p | map(if type == "number" then 0 else . end) | join(".")), (getpath($p) | if type == "string" then "text" else . end)]] |
		map(select(.[0] | test("guid|time|names|^host$") | not)) | sort | .[]'
}
case_anonymised_machines_are_judged_the_same() {
	local name
	for name in $(fixtures); do
		build/roce --root "$(fixture "$name")" record "$work/$name" 2>/dev/null
		run --root "$(fixture "$name")" record --anonymise "$work/$name.anonymous"
		status_is 0
		verdicts "$work/$name" >"$work/before"
		verdicts "$work/$name.anonymous" >"$work/after"
		[ "$(wc -l <"$work/before")" -gt 40 ] || fault "$name: judged by $(wc -l <"$work/before") findings"
		cmp -s "$work/before" "$work/after" || fault "$name: $(diff "$work/before" "$work/after" | grep '^[<>]' | head -3 | tr '\n' ' ')"
		[ "$name" = broken ] && continue
		facts_of "$work/$name" >"$work/before"
		facts_of "$work/$name.anonymous" >"$work/after"
		cmp -s "$work/before" "$work/after" || fault "$name: $(diff "$work/before" "$work/after" | grep '^[<>]' | head -3 | tr '\n' ' ')"
	done
}

# canary_in FILE: what of the canaries is in it, as text or in its bytes. Names have c4n4ry in them, addresses end in ca:4a:27 or 202.74.39.
canary_in() {
	run record --unpack "$1" "$1.tree"
	status_is 0
	grep -aoiE 'c4n4ry|ca:?4a:?27|202\.74\.39' "$1" | sort | uniq -c
	LC_ALL=C grep -rlaP 'c4n4ry|\xca\x4a\x27|\x27\x4a\xca' "$1.tree"
	find "$1.tree" -iname '*c4n4ry*' -o -lname '*c4n4ry*'
}
case_anonymised_tree_has_no_canary() {
	local net ib real root=$work/machine
	fixture_tree fault-services "$root"
	net=$(basename "$(find "$root/sys/class/net" -type l ! -name lo | head -1)")
	ib=$(basename "$(find "$root/sys/class/infiniband" -type l | head -1)")
	# a netdev and a device that a person has named
	for real in $(find "$root/sys" "$root/proc" -depth -name "$net") $(find "$root" -depth -name "$ib"); do
		mv -T "$real" "${real%/*}/c4n4ry-${real: -1}"
	done
	find "$root" -type l -lname "*/$net" -o -type l -lname "*/$ib" | while read -r real; do
		ln -sfnT "$(readlink "$real" | sed -E 's|/[^/]*(.)$|/c4n4ry-\1|')" "$real"
	done
	find "$root/sys" -name ndevs -type d -exec sh -c 'for f in "$1"/*; do echo c4n4ry-0 >"$f"; done' sh {} \;
	find "$root/sys" -name node_desc -exec sh -c 'echo "c4n4ry HCA-1" >"$1"' sh {} \;
	find "$root/sys" -name address -exec sh -c 'echo 02:00:00:ca:4a:27 >"$1"' sh {} \;
	find "$root/sys" -path '*/gids/0' -exec sh -c 'echo fe80:0000:0000:0000:0200:00ff:feca:4a27 >"$1"' sh {} \;
	find "$root/sys" -path '*/gids/1' -exec sh -c 'echo 0000:0000:0000:0000:0000:ffff:0aca:4a27 >"$1"' sh {} \;
	find "$root/sys" -name 'node_guid' -exec sh -c 'echo 0200:0003:00ca:4a27 >"$1"' sh {} \;
	mkdir -p "$root"/{probe,proc/self,proc/sys/kernel,proc/fs/nfsd,etc/exports.d,etc/nfs.conf.d,etc/rdma/modules,etc/libibverbs.d,usr/local/etc/libibverbs.d}
	echo 'machine of c4n4ry' >"$root/NOTE"
	echo c4n4ry.example.com >"$root/proc/sys/kernel/hostname"
	echo 6.1.0-c4n4ry-28-amd64 >"$root/proc/sys/kernel/osrelease"
	echo 'root=/dev/c4n4ry ip=10.202.74.39 iommu=c4n4ry c4n4ry.password=x' >"$root/proc/cmdline"
	printf 'ID=c4n4ry\nPRETTY_NAME="C4n4ry Linux 12"\nHOME_URL=https://c4n4ry\n' >"$root/etc/os-release"
	echo 'c4n4ry_module 16384 0 - Live 0xca4a270000000000' >>"$root/proc/modules"
	echo 'c4n4ry:/c4n4ry /mnt/c4n4ry nfs4 rw,proto=rdma,addr=10.202.74.39 0 0' >"$root/proc/self/mounts"
	echo '/c4n4ry 10.202.74.39(rw)' | tee "$root/etc/exports" >"$root/etc/exports.d/c4n4ry.exports"
	printf '# c4n4ry\n[nfsd]\nrdma=y\nhost=c4n4ry\n' | tee "$root/etc/nfs.conf" >"$root/etc/nfs.conf.d/c4n4ry.conf"
	printf '# c4n4ry\nc4n4ry_module\n' >"$root/etc/rdma/modules/c4n4ry.conf"
	echo 'driver c4n4ry' | tee "$root/etc/libibverbs.d/c4n4ry.driver" >"$root/usr/local/etc/libibverbs.d/c4n4ry.driver"
	printf '%s\n' NCCL_COMM_ID=10.202.74.39:5000 NCCL_IB_HCA=c4n4ry-0:1 NCCL_IB_ADDR_RANGE=10.202.74.39/32 \
		UCX_LOG_FILE=/c4n4ry UCX_TLS=c4n4ry NCCL_C4N4RY=1 >"$root/probe/environment"
	{
		echo 'c4n4ry kernel: mlx5_core 0000:17:00.0: Port module event[error]: module 0, Cable error c4n4ry'
		echo '[42 s ago] c4n4ry mlx5_core 0000:17:00.0 c4n4ry-0: Link down c4n4ry'
	} >"$root/probe/kernel-log"
	mkdir -p "$root"/{etc/ucx,etc/openmpi,proc/net/vlan,proc/fs/cifs,proc/4711,sys/class/nvme/nvme0,sys/class/scsi_host/host7} \
		"$root"/sys/class/{iscsi_session/session3,iscsi_connection/connection3:0} "$root"/sys/kernel/debug/lnet \
		"$root"/sys/kernel/config/nvmet/ports/1/subsystems "$root"/sys/kernel/config/target/iscsi/iqn.c4n4ry/tpgt_1/np/10.202.74.39:3260
	printf '%s\n' '# c4n4ry' NCCL_IB_HCA=c4n4ry-0 NCCL_TOPO_FILE=/c4n4ry NCCL_C4N4RY=c4n4ry c4n4ry=1 |
		tee "$root/etc/nccl.conf" >"$root/etc/rccl.conf"
	printf '%s\n' '[c4n4ry]' 'CPU model=c4n4ry' UCX_TLS=c4n4ry UCX_NET_DEVICES=c4n4ry-0:1 UCX_C4N4RY=c4n4ry >"$root/etc/ucx/ucx.conf"
	printf '%s\n' 'pml = c4n4ry' 'btl_c4n4ry = c4n4ry' 'c4n4ry = 1' >"$root/etc/openmpi/openmpi-mca-params.conf"
	printf '%s\t%s\t%s\n' nccl /home/c4n4ry/c4n4ry.conf:3 NCCL_IB_ADDR_RANGE=10.202.74.39/24 'ucx?' c4n4ry:1 UCX_TLS=c4n4ry \
		c4n4ry c4n4ry:1 c4n4ry=1 nccl ./c4n4ry:1 NCCL_C4N4RY=c4n4ry >"$root/probe/settings"
	printf '%s\n' 'path c4n4ry' 'path docker' 'c4n4ry' >"$root/probe/container"
	printf '%s\n' filter c4n4ry | tee "$root/proc/net/ip_tables_names" >"$root/proc/net/ip6_tables_names"
	printf '%s\n' 'c4n4ry-0.7  VID: 7 c4n4ry' 'Device: c4n4ry-0' ' EGRESS priority mappings: 2:3 c4n4ry' >"$root/proc/net/vlan/c4n4ry-0.7"
	echo 'device c4n4ry:/c4n4ry mounted on /c4n4ry with fstype nfs4' >"$root/proc/self/mountstats"
	echo '0::/c4n4ry' >"$root/proc/4711/cgroup"
	mkdir -p "$root/proc/c4n4ry"
	printf 'Name:\tc4n4ry\nVmPin:\t60 kB\n' | tee "$root/proc/c4n4ry/status" >"$root/proc/4711/status"
	printf 'wish\t%s\trdma\t%s\tc4n4ry\tc4n4ry\n' nfs-client /c4n4ry nvme-host /etc/c4n4ry c4n4ry /etc/fstab >"$root/probe/services"
	printf 'blocked\t%s\talways\t/etc/modprobe.d/c4n4ry.conf\n' nvme_rdma c4n4ry >>"$root/probe/services"
	printf '%s\n' '1) ConnectionId: 0x1 Hostname: c4n4ry' 'SMBDirect c4n4ry' 'TCP status: c4n4ry' '1) Address: c4n4ry' >"$root/proc/fs/cifs/DebugData"
	echo '10.202.74.39@o2ib up 0 12' >"$root/sys/kernel/debug/lnet/nis"
	echo nqn.c4n4ry | tee "$root/sys/class/nvme/nvme0/subsysnqn" "$root/sys/kernel/config/nvmet/ports/1/subsystems/nqn.c4n4ry" >"$root/sys/class/iscsi_session/session3/targetname"
	echo 'traddr=10.202.74.39,trsvcid=4420' >"$root/sys/class/nvme/nvme0/address"
	echo rdma | tee "$root/sys/class/nvme/nvme0/transport" >"$root/sys/kernel/config/nvmet/ports/1/addr_trtype"
	echo 10.202.74.39 | tee "$root/sys/kernel/config/nvmet/ports/1/addr_traddr" >"$root/sys/class/iscsi_connection/connection3:0/persistent_address"
	echo 1 >"$root/sys/kernel/config/target/iscsi/iqn.c4n4ry/tpgt_1/np/10.202.74.39:3260/iser"
	run --root "$root" record "$work/plain"
	status_is 0
	[ "$(canary_in "$work/plain" | wc -l)" -gt 20 ] || fault "only $(canary_in "$work/plain") would be found"
	run --root "$root" record --anonymise "$work/anonymous"
	status_is 0
	[ -z "$(canary_in "$work/anonymous")" ] || fault "$ran leaves: $(canary_in "$work/anonymous" | head -5)"
	run --root "$work/anonymous" -j gids
	json_is '.gids | length > 1'
}

services_of() { # ROOT: what stays of each user when names and addresses change; nvme0's first queue of none
	"$roce" --root "$1" -j users | jq -c 'def text: . // "";
		.users[] | [.kind, .state, .handle, .device, .rdma_sent, .connects, .note, (.local | text | test("[0-9a-z]:[0-9]+$")),
			(.peer | text | test("^10[.].*:[0-9]+$")), (.name | text | split(" ")[0] | text | sub(":/.*"; ":") | sub("[0-9a-f]{6}(?<c>:?)$"; .c)),
			.job != null, .pod != null, .container]' |
		sed 's/containerd [0-9a-f]*/containerd/' | sort
}
case_anonymised_services_are_the_same_users() {
	local root=$work/machine
	fixture_tree rxe-in-use "$root"
	mkdir -p "$root"/{proc/self,proc/fs/cifs,proc/fs/nfsd,proc/192,proc/197,sys/class/nvme/nvme0,sys/class/iscsi_connection/connection3:0} \
		"$root"/sys/class/iscsi_session "$root"/sys/class/scsi_host/host{4,7} "$root"/sys/devices/platform/host7/session3/iscsi_session/session3 \
		"$root"/sys/kernel/debug/lnet "$root"/sys/kernel/config/nvmet/ports/1/subsystems "$root"/sys/kernel/config/nvmet/subsystems/nqn.b.disk \
		"$root"/sys/kernel/config/target/iscsi/iqn.c.disk/tpgt_1/np/10.0.0.1:3260
	printf '%s\n' 'a:/x on' 'a:/home /mnt/a nfs4 rw,proto=rdma,port=20049,addr=10.0.0.2 0 0' '10.0.0.3:/b /b nfs rw,proto=rdma,addr=10.0.0.3 0 0' >"$root/proc/self/mounts"
	printf '%s\n' 'device a:/home mounted on /mnt/a with fstype nfs4 statvers=1.1' $'\txprt:\trdma 0 0 1 0 1 99 99 0 574 0 32 32 14 4294880 4195540 7 9 113900 2 0 0 0 0 33 0 0 0' \
		'device 10.0.0.3:/b mounted on /b with fstype nfs statvers=1.1' $'\txprt:\trdma 0 0 2 0 1 99 99 0 574 0 32 32 14 12 13 7 9 113900 2 0 0 0 0 33 0 0 0' >"$root/proc/self/mountstats"
	echo 'rdma 20049' >"$root/proc/fs/nfsd/portlist"
	echo 8 >"$root/proc/fs/nfsd/threads"
	echo '0::/kubepods/pod3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f/cri-containerd-0123456789abcdef0123456789abcdef0123456789abcdef.scope' >"$root/proc/192/cgroup"
	echo '0::/system.slice/slurmstepd.scope/job_77/step_0' >"$root/proc/197/cgroup"
	echo rdma | tee "$root/sys/class/nvme/nvme0/transport" >"$root/sys/kernel/config/nvmet/ports/1/addr_trtype"
	echo 'traddr=10.0.0.2,trsvcid=4420' >"$root/sys/class/nvme/nvme0/address"
	echo live >"$root/sys/class/nvme/nvme0/state"
	echo nqn.a.disk >"$root/sys/class/nvme/nvme0/subsysnqn"
	ln -s ../../../subsystems/nqn.b.disk "$root/sys/kernel/config/nvmet/ports/1/subsystems/nqn.b.disk"
	echo 10.0.0.1 >"$root/sys/kernel/config/nvmet/ports/1/addr_traddr"
	echo 4420 >"$root/sys/kernel/config/nvmet/ports/1/addr_trsvcid"
	echo 1 >"$root/sys/kernel/config/target/iscsi/iqn.c.disk/tpgt_1/np/10.0.0.1:3260/iser"
	ln -s ../../devices/platform/host7/session3/iscsi_session/session3 "$root/sys/class/iscsi_session/session3"
	echo iqn.d.disk >"$root/sys/class/iscsi_session/session3/targetname"
	echo LOGGED_IN >"$root/sys/class/iscsi_session/session3/state"
	echo iscsi_iser >"$root/sys/class/scsi_host/host7/proc_name"
	echo 10.0.0.2 >"$root/sys/class/iscsi_connection/connection3:0/persistent_address"
	echo 3260 >"$root/sys/class/iscsi_connection/connection3:0/persistent_port"
	echo rxe0 >"$root/sys/class/scsi_host/host4/local_ib_device"
	echo 1 >"$root/sys/class/scsi_host/host4/local_ib_port"
	echo 0x0002c90300304c20 >"$root/sys/class/scsi_host/host4/id_ext"
	echo fe80:0000:0000:0000:0002:c903:0030:9441 >"$root/sys/class/scsi_host/host4/orig_dgid"
	echo '10.0.0.1@o2ib1 up 0 12' >"$root/sys/kernel/debug/lnet/nis"
	printf '%s\n' '1) ConnectionId: 0x1 Hostname: filer' 'SMBDirect (in hex) protocol version: 100' 'TCP status: 1' '1) Address: 10.0.0.7' >"$root/proc/fs/cifs/DebugData"
	run --root "$root" record "$work/plain"
	status_is 0
	run --root "$root" record --anonymise "$work/anonymous"
	status_is 0
	services_of "$work/plain" >"$work/before"
	services_of "$work/anonymous" >"$work/after"
	[ "$(grep -c . "$work/before")" -ge 12 ] || fault "only $(grep -c . "$work/before") users"
	sed -i 's/"filer"/"server"/; s/"0x000[0-9a-z]*"/"name"/; s/"[in]qn[.][a-d][.]disk"/"QN"/; s/"a:"/"server:"/; s/"10[.][0-9.]*:"/"IP:"/; s/"10[.][0-9.]*@/"IP@/' "$work/before"
	sed -i 's/"[in]qn[.]"/"QN"/; s/"10[.][0-9.]*:"/"IP:"/; s/"10[.][0-9.]*@/"IP@/' "$work/after"
	cmp -s "$work/before" "$work/after" || fault "$(diff "$work/before" "$work/after")"
}
