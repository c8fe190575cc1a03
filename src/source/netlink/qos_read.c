/* SPDX-License-Identifier: MIT */
/* Asks dcbnl, ethtool and devlink about netdevs that are hardware or carry an RDMA device. */
#include "source/netlink/ask.h"
#include "source/netlink/read.h"

/* Linux before 5.13 reports FEC only through the ioctl. */
static void read_fec(struct reader *reader, const struct subject *subject, struct qos *qos)
{
    int r = netlink_take(reader, ASK_FEC, subject, NULL, &qos->ethtool);
    if (root_absent(r))
        r = netlink_take(reader, ASK_FECPARAM, subject, NULL, &qos->ethtool);
    if (r < 0)
        netlink_problem(reader, r, ASK_FEC, subject);
}

static int read_part(struct reader *reader, const struct subject *subject, enum module_part part,
                     struct module_bytes *bytes, struct qos *qos)
{
    int r = netlink_take(reader, ASK_MODULE + part, subject, NULL, bytes);
    return r < 0 ? r : module_take(&qos->module, part, bytes->data, bytes->len);
}

/* A failure isn't a problem of the host: a port without a module gives an error, which differs between drivers,
 * and only root may ask. */
static void read_module(struct reader *reader, const struct subject *subject, struct qos *qos)
{
    struct module_bytes bytes;
    int r = read_part(reader, subject, MODULE_ID, &bytes, qos);
    const enum module_part *parts = r < 0 ? NULL : module_parts(bytes.data[0]);
    for (size_t i = 0; parts && r == 0 && parts[i] != MODULE_PARTS && !(i && qos->module.flat); i++)
        r = read_part(reader, subject, parts[i], &bytes, qos);
    qos->module_err = -r;
}

static void read_netdev_qos(struct reader *reader, bool has_ethtool, uint16_t family, struct qos *qos)
{
    struct subject subject = { .name = qos->netdev, .family = family };
    qos->dcb_err = -netlink_read(reader, ASK_DCB, &subject, NULL, &qos->dcb);
    if (has_ethtool)
        netlink_read(reader, ASK_PAUSE, &subject, NULL, &qos->ethtool);
    if (has_ethtool && reader->needs & (NEED_QOS | NEED_FEC))
        read_fec(reader, &subject, qos);
    if (reader->needs & (NEED_QOS | NEED_STATISTICS))
        netlink_read(reader, ASK_STATISTICS, &subject, NULL, qos);
    if (!(reader->needs & NEED_QOS))
        return;
    if (has_ethtool) {
        netlink_read(reader, ASK_LINKMODES, &subject, NULL, &qos->ethtool);
        netlink_read(reader, ASK_LINKSTATE, &subject, NULL, &qos->ethtool);
    }
    struct netdev *netdev = reader->needs & NEED_LLDP ? host_find_netdev(reader->host, qos->netdev) : NULL;
    if (has_ethtool && netdev && (text_is(netdev->driver, "ice") || text_is(netdev->driver, "i40e")))
        netlink_read(reader, ASK_FLAGS, &subject, NULL, &netdev->lldp);
    if (has_ethtool && reader->needs & NEED_HEALTH)
        read_module(reader, &subject, qos);
}

int read_statistics(struct reader *reader, const char *netdev, struct qos_statistic **statistics, size_t *count)
{
    struct subject subject = { .name = netdev };
    struct qos qos = { .netdev = netdev };
    int r = netlink_take(reader, ASK_STATISTICS, &subject, NULL, &qos);
    *statistics = qos.statistics;
    *count = qos.nstatistics;
    return r;
}

/* A netdev's devlink device: that of its devlink port, else the one on its parent. */
static void set_device(struct reader *reader, struct qos *qos, const struct devlink *devlink)
{
    const struct netdev *netdev = host_find_netdev(reader->host, qos->netdev);
    if (!netdev)
        return;
    for (size_t i = 0; i < devlink->nports; i++)
        if (netdev->ifindex.known && devlink->ports[i].ifindex.value == netdev->ifindex.value)
            qos->devlink = devlink->ports[i].device;
    if (!qos->devlink && netdev->parent && netdev->parent_bus)
        qos->devlink = arena_printf(reader->arena, "%s/%s", netdev->parent_bus, netdev->parent);
}

static void read_devlink(struct reader *reader)
{
    struct host *host = reader->host;
    struct devlink devlink = { 0 };
    struct subject subject = { 0 };
    for (size_t i = 0; i < host->nqos; i++)
        host->qos[i].health_err = EOPNOTSUPP;
    if (netlink_read(reader, ASK_DEVLINK, NULL, NULL, &subject) < 0)
        return;
    netlink_read(reader, ASK_DEVLINK_PORTS, &subject, NULL, &devlink);
    netlink_read(reader, ASK_DEVLINK_PARAMETERS, &subject, NULL, &devlink);
    int health = EOPNOTSUPP;
    if (reader->needs & NEED_HEALTH)
        health = -netlink_read(reader, ASK_DEVLINK_HEALTH, &subject, NULL, &devlink);
    for (size_t i = 0; i < host->nqos; i++) {
        struct qos *qos = &host->qos[i];
        set_device(reader, qos, &devlink);
        for (size_t k = 0; qos->devlink && k < devlink.nparameters; k++)
            if (strcmp(devlink.parameters[k].device, qos->devlink) == 0)
                *ARENA_PUSH(reader->arena, qos->parameters, qos->nparameters) = devlink.parameters[k];
        qos->health_err = health;
        for (size_t k = 0; qos->devlink && k < devlink.nreporters; k++)
            if (strcmp(devlink.reporters[k].device, qos->devlink) == 0)
                *ARENA_PUSH(reader->arena, qos->reporters, qos->nreporters) = devlink.reporters[k];
    }
}

static bool is_asked(const struct host *host, const struct netdev *netdev)
{
    if (netdev->kind == NETDEV_VLAN || netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_IPOIB)
        return false;
    if (netdev->parent || netdev->nibdevs || host_has_device_on(host, netdev->name))
        return true;
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++)
            if (text_is(host->devices[d].ports[p].netdev_nldev, netdev->name))
                return true;
    return false;
}

/* For the netdevs below VLANs, each once. The kernel has no answer for a netdev without a queue (EINVAL) or
 * whose driver isn't up (ENOENT). */
static void read_classes(struct reader *reader)
{
    struct host *host = reader->host;
    bool *asked = mem_alloc(host->nnetdevs + 1, sizeof(*asked));
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *real = host->netdevs[i].kind == NETDEV_VLAN
                                        ? netdev_vlan_real(host, &host->netdevs[i])
                                        : NULL;
        if (!real || !real->ifindex.known || asked[real - host->netdevs])
            continue;
        struct subject subject = { .name = real->name, .index = (uint32_t)real->ifindex.value };
        asked[real - host->netdevs] = true;
        netlink_read(reader, ASK_QDISC, &subject, NULL, &host->netdevs[real - host->netdevs].classes);
    }
    free(asked);
}

void read_qos(struct reader *reader)
{
    struct host *host = reader->host;
    struct subject ethtool = { 0 };
    bool has_ethtool = false;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        if (!is_asked(host, &host->netdevs[i]))
            continue;
        if (!host->nqos)
            has_ethtool = netlink_read(reader, ASK_ETHTOOL, NULL, NULL, &ethtool) == 0;
        struct qos *qos = ARENA_PUSH(reader->arena, host->qos, host->nqos);
        qos->netdev = host->netdevs[i].name;
        read_netdev_qos(reader, has_ethtool, ethtool.family, qos);
    }
    if (host->nqos && reader->needs & NEED_QOS)
        read_devlink(reader);
    read_classes(reader);
}
