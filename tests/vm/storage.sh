# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What a host serves over RDMA, for scenarios: of 10.0.0.1, until the scenario ends.
nvmet=/sys/kernel/config/nvmet

# serve_nvme FILE: the subsystem nqn.test, of a file or a block device.
serve_nvme() {
	local subsystem=$nvmet/subsystems/nqn.test port=$nvmet/ports/1
	mkdir "$subsystem" "$subsystem/namespaces/1" "$port"
	echo 1 >"$subsystem/attr_allow_any_host"
	[ -b "$1" ] || echo 1 >"$subsystem/namespaces/1/buffered_io" # a file in memory takes no other
	echo -n "$1" >"$subsystem/namespaces/1/device_path"
	echo 1 >"$subsystem/namespaces/1/enable"
	echo rdma >"$port/addr_trtype"
	echo ipv4 >"$port/addr_adrfam"
	echo 10.0.0.1 >"$port/addr_traddr"
	echo 4420 >"$port/addr_trsvcid"
	ln -s "$subsystem" "$port/subsystems/nqn.test"
	later unserve_nvme
}
# What is left of that, and of who is connected to it: the next scenario of this boot would see it.
# shellcheck disable=SC2317  # later calls it
unserve_nvme() {
	local at
	for at in /sys/class/nvme/nvme*/delete_controller; do [ ! -e "$at" ] || echo 1 >"$at"; done
	rm -f "$nvmet"/ports/*/subsystems/nqn.test
	for at in "$nvmet"/ports/* "$nvmet"/subsystems/*/namespaces/* "$nvmet"/subsystems/*; do [ ! -e "$at" ] || rmdir "$at"; done
}

# serve_nfs CLIENTS: /srv/nfs, on port 20049.
serve_nfs() {
	mkdir -p /srv/nfs /run/rpc_pipefs /var/lib/nfs/v4recovery
	mount -t tmpfs none /srv/nfs
	later umount -l /srv/nfs
	mount -t nfsd none /proc/fs/nfsd
	ip link set lo up
	exportfs -o rw,no_root_squash,fsid=0,insecure "$1:/srv/nfs"
	rpc.mountd -N 3
	echo 10 >/proc/fs/nfsd/nfsv4leasetime # what opens would wait for, in case the grace can't be ended
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	rpc.nfsd -N 3 --rdma=20049 2
	later exportfs -ua
	later rpc.nfsd 0
	# shellcheck disable=SC2317  # eventually calls it
	end_grace() { echo Y >/proc/fs/nfsd/v4_end_grace; }
	eventually 2 end_grace || : # 7.2 says "busy"
}
