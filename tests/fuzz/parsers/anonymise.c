/* SPDX-License-Identifier: MIT */
/* A file of a recording that is to be anonymised: any bytes, at a path that the first byte chooses. What
 * comes out is read by nobody here; it must come out. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "source/anonymise/anonymise.h"

static const char *const paths[] = {
    "netlink/rtnl-links",
    "netlink/rtnl-addresses",
    "netlink/rtnl-routes",
    "netlink/rtnl-neighbours",
    "netlink/rtnl-rules",
    "netlink/dcb-ieee.eth0",
    "netlink/nldev-devices",
    "netlink/nldev-ports.mlx5_0",
    "netlink/nldev-totals",
    "netlink/nldev-qp.mlx5_0",
    "netlink/nldev-cm_id.mlx5_0",
    "netlink/nldev-values.mlx5_0.1",
    "netlink/nldev-stat_qp.mlx5_0",
    "netlink/genl-ethtool",
    "netlink/ethtool-linkmodes.eth0",
    "netlink/ethtool-fec.eth0",
    "netlink/ethtool-statistics.eth0",
    "netlink/ethtool-fecparam.eth0",
    "netlink/devlink-parameters",
    "netlink/nft-rules",
    "verbs/mlx5_0",
    "probe/environment",
    "probe/kernel-log",
    "proc/cmdline",
    "proc/modules",
    "proc/self/mounts",
    "proc/self/status",
    "proc/net/vlan/eth0.7",
    "proc/sys/kernel/osrelease",
    "etc/os-release",
    "etc/nfs.conf",
    "etc/exports",
    "etc/libibverbs.d/mlx5.driver",
    "etc/rdma/modules/rdma.conf",
    "proc/fs/nfsd/portlist",
    "sys/class/net/eth0/address",
    "sys/class/net/eth0/uevent",
    "sys/class/net/bond0/bonding/active_slave",
    "sys/class/net/eth0/phys_switch_id",
    "sys/bus/pci/devices/0000:17:00.0/config",
    "netlink/nft-tables",
    "netlink/nft-chains",
    "netlink/nft-sets",
    "netlink/nft-elements.0",
    "netlink/nft-elements.1",
    "netlink/devlink-health",
    "netlink/ethtool-module-qsfp.eth0",
    "etc/nccl.conf",
    "etc/ucx/ucx.conf",
    "etc/openmpi/openmpi-mca-params.conf",
    "probe/settings",
    "probe/container",
    "proc/net/ip_tables_names",
    "sys/class/net/eth0/qos/trust",
    "netlink/smc-links",
    "netlink/smc-devices",
    "netlink/smc-statistics",
    "netlink/smc-fallbacks",
    "netlink/smc-sockets",
    "proc/self/mountstats",
    "proc/fs/cifs/DebugData",
    "proc/4711/cgroup",
    "sys/kernel/debug/lnet/nis",
    "sys/class/nvme/nvme0/address",
    "sys/class/nvme/nvme0/transport",
    "sys/class/nvme/nvme0/subsysnqn",
    "sys/kernel/config/nvmet/ports/1/addr_traddr",
    "probe/daemons",
    "proc/812/limits",
    "proc/uptime",
    "sys/bus/pci/devices/0000:17:00.0/aer_dev_fatal",
    "proc/meminfo",
};

TARGET(anonymise)
{
    if (size == 0)
        return 0;
    struct anonymiser *anonymiser = anonymiser_new();
    struct bytes out = { 0 };
    char *copy = malloc(size); /* with its NUL exactly as long: a read behind it is seen */
    if (!copy)
        abort();
    memcpy(copy, data + 1, size - 1);
    copy[size - 1] = '\0';
    anonymiser_learn_sets(anonymiser, nft_sets_new(anonymiser, copy, size - 1), nft_sets_free);
    (void)anonymise_file(anonymiser, paths[data[0] % ARRAY_SIZE(paths)], copy, size - 1, &out);
    free(copy);
    bytes_free(&out);
    anonymiser_free(anonymiser);
    return 0;
}
