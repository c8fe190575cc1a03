/* SPDX-License-Identifier: MIT */
/* A file of a recording that is to be anonymised: any bytes, of a form that the first byte chooses. What
 * comes out is read by nobody here; it must come out. */
#include "target.h"

#include "source/anonymise/anonymise.h"
#include "source/files/forms.h"

static const struct {
    const char *form, *path;
} files[] = {
    { "{netlink}", "netlink/rtnl-links" },
    { "{netlink}", "netlink/rtnl-addresses" },
    { "{netlink}", "netlink/rtnl-routes" },
    { "{netlink}", "netlink/rtnl-neighbours" },
    { "{netlink}", "netlink/rtnl-rules" },
    { "{netlink}", "netlink/dcb-ieee.eth0" },
    { "{netlink}", "netlink/nldev-devices" },
    { "{netlink}", "netlink/nldev-ports.mlx5_0" },
    { "{netlink}", "netlink/nldev-totals" },
    { "{netlink}", "netlink/nldev-qp.mlx5_0" },
    { "{netlink}", "netlink/nldev-cm_id.mlx5_0" },
    { "{netlink}", "netlink/nldev-values.mlx5_0.1" },
    { "{netlink}", "netlink/nldev-stat_qp.mlx5_0" },
    { "{netlink}", "netlink/genl-ethtool" },
    { "{netlink}", "netlink/ethtool-linkmodes.eth0" },
    { "{netlink}", "netlink/ethtool-fec.eth0" },
    { "{netlink}", "netlink/ethtool-statistics.eth0" },
    { "{netlink}", "netlink/ethtool-fecparam.eth0" },
    { "{netlink}", "netlink/devlink-parameters" },
    { "{netlink}", "netlink/nft-rules" },
    { "{verbs}", "sys/x/y" },
    { "{variable}\n", "sys/x/y" },
    { "{log}\n", "sys/x/y" },
    { "{parameters}", "sys/x/y" },
    { "{module} {rest}\n", "sys/x/y" },
    { FORM_MOUNTS, "sys/x/y" },
    { FORM_STATUS, "sys/x/y" },
    { FORM_VLAN, "sys/x/y" },
    { "{release}", "sys/x/y" },
    { FORM_OS_RELEASE, "sys/x/y" },
    { FORM_NFS_CONF, "sys/x/y" },
    { FORM_EXPORTS, "sys/x/y" },
    { "driver {module}\n", "sys/x/y" },
    { "{configured-module}\n", "sys/x/y" },
    { FORM_PORTLIST, "sys/x/y" },
    { "{mac}", "sys/x/y" },
    { FORM_UEVENT, "sys/x/y" },
    { "{names}", "sys/x/y" },
    { "{switch-id}", "sys/x/y" },
    { "{pci-config}", "sys/x/y" },
    { "{netlink}", "netlink/nft-tables" },
    { "{netlink}", "netlink/nft-chains" },
    { "{netlink}", "netlink/devlink-health" },
    { "{netlink}", "netlink/ethtool-module-qsfp.eth0" },
    { "{nccl-conf}", "sys/x/y" },
    { "{ucx-conf}", "sys/x/y" },
    { "{mpi-conf}", "sys/x/y" },
    { "{setting}\n", "sys/x/y" },
    { FORM_MARKS, "sys/x/y" },
    { "{filter|nat|mangle|raw|security}\n", "sys/x/y" },
    { FORM_RATE, "sys/x/y" },
    { "{netlink}", "netlink/smc-links" },
    { "{netlink}", "netlink/smc-devices" },
    { "{netlink}", "netlink/smc-statistics" },
    { "{netlink}", "netlink/smc-fallbacks" },
    { "{netlink}", "netlink/smc-sockets" },
    { FORM_MOUNTSTATS, "sys/x/y" },
    { "{smb}\n", "sys/x/y" },
    { "{cgroup}", "sys/x/y" },
    { FORM_LNET, "sys/x/y" },
    { "{nvme-address}", "sys/x/y" },
    { "{node-desc}", "sys/x/y" },
    { "{qualified}", "sys/x/y" },
    { "{host}", "sys/x/y" },
    { "{daemon}\n", "sys/x/y" },
    { FORM_LIMITS, "sys/x/y" },
    { "{decimal} {decimal}", "sys/x/y" },
    { FORM_AER, "sys/x/y" },
    { FORM_MEMINFO, "sys/x/y" },
    { "{history}", "probe/history/0" },
};

TARGET(anonymise)
{
    if (size == 0)
        return 0;
    struct bytes out = { 0 };
    char *copy = malloc(size); /* with its NUL exactly as long: a read behind it is seen */
    if (!copy)
        abort();
    memcpy(copy, data + 1, size - 1);
    copy[size - 1] = '\0';
    size_t file = data[0] % ARRAY_SIZE(files);
    (void)anonymise_file(files[file].form, files[file].path, copy, size - 1, &out);
    free(copy);
    bytes_free(&out);
    return 0;
}
