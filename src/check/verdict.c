/* SPDX-License-Identifier: MIT */
/* One word for a port, from what a listing reads anyway. */
#include "check/judge.h"

static struct port_verdict state_verdict(const struct port *port)
{
    if (!port->state.known)
        return (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    switch (port->state.value) {
    case PORT_STATE_ACTIVE:
    case PORT_STATE_ACTIVE_DEFER:
        return (struct port_verdict){ "ok", VERDICT_PASS };
    case PORT_STATE_DOWN:
        return (struct port_verdict){ "down", VERDICT_FAIL };
    case PORT_STATE_INIT:
        return (struct port_verdict){ "init", VERDICT_FAIL };
    case PORT_STATE_ARMED:
        return (struct port_verdict){ "armed", VERDICT_FAIL };
    default:
        return (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    }
}

static struct port_verdict gid_verdict(const struct host *host, const struct port *port)
{
    bool v2 = false, routable = false;
    if (num_is(port->gid_table_len, 0) && device_is_switch(host, port->device))
        return (struct port_verdict){ "switchdev", VERDICT_NA };
    if (port_has_roce_off(port))
        return (struct port_verdict){ "roce-off", host_infiniband_port(host) ? VERDICT_NA : VERDICT_FAIL };
    if (!port->ngids && netdev_is_backup(port_netdev(host, port)))
        return (struct port_verdict){ "backup", VERDICT_NA };
    if (!port->ngids)
        return port->gid_table_len.known ? (struct port_verdict){ "no-gid", VERDICT_FAIL }
                                         : (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        v2 = v2 || gid->type == GID_TYPE_ROCE_V2;
        routable = routable || gid_is_routable(gid->raw);
    }
    if (!routable)
        return (struct port_verdict){ "link-local", VERDICT_WARN };
    if (!port_tells_types(port))
        return (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    if (!v2)
        return (struct port_verdict){ "v1-only", VERDICT_WARN };
    return (struct port_verdict){ "ok", VERDICT_PASS };
}

/* What is wrong with the netdev of a port that is ACTIVE. */
static struct port_verdict netdev_verdict(const struct host *host, const struct port *port,
                                          const struct netdev *netdev)
{
    if (host->partial && !netdev)
        return (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    if (!port->netdev)
        return (struct port_verdict){ "no-netdev", VERDICT_FAIL };
    if (netdev && text_is(netdev->operstate, "down"))
        return (struct port_verdict){ "netdev-down", VERDICT_FAIL };
    if (netdev && netdev->carrier == TRI_NO)
        return (struct port_verdict){ "no-carrier", VERDICT_FAIL };
    return (struct port_verdict){ "ok", VERDICT_PASS };
}

/* An iWARP port depends on the netdev's addresses. Without an IPv4 one the core calls it INIT (iw_query_port()
 * of drivers/infiniband/core/device.c), but a driver may still say ACTIVE: siw only follows its netdev. */
static struct port_verdict iwarp_verdict(const struct host *host, const struct port *port,
                                         const struct netdev *netdev)
{
    struct port_verdict verdict = state_verdict(port);
    const struct address *address = netdev_main_address(netdev);
    if (num_is(port->state, PORT_STATE_INIT) ||
        (port_is_active(port) && netdev && netdev->addresses_known && !netdev->naddresses))
        return (struct port_verdict){ "no-address", VERDICT_FAIL };
    if (verdict.verdict == VERDICT_PASS && netdev)
        verdict = netdev_verdict(host, port, netdev);
    if (verdict.verdict == VERDICT_PASS && address && !address_is_routable(address))
        return (struct port_verdict){ "link-local", VERDICT_WARN };
    return verdict;
}

struct port_verdict check_port_verdict(const struct host *host, const struct port *port)
{
    const struct netdev *netdev = port_netdev(host, port);
    struct port_verdict verdict = state_verdict(port);
    if (port_is_raw(port))
        return (struct port_verdict){ "raw", VERDICT_NA };
    if (port->transport == TRANSPORT_IWARP)
        return iwarp_verdict(host, port, netdev);
    if (verdict.verdict != VERDICT_PASS || !port_is_roce(port))
        return verdict;
    if (netdev && netdev_is_representor_name(netdev->phys_port_name))
        return (struct port_verdict){ "representor", VERDICT_NA };
    verdict = netdev_verdict(host, port, netdev);
    if (verdict.verdict == VERDICT_PASS && host->needs & (NEED_GIDS | NEED_GID_SUMMARY))
        verdict = gid_verdict(host, port);
    /* its addresses are elsewhere: RDMA_CM finds no device for any address here */
    if (verdict.verdict == VERDICT_PASS && !netdev && host->needs & (NEED_NETDEV | NEED_NETDEV_ALL))
        return (struct port_verdict){ "other-namespace", VERDICT_WARN };
    int err = port->device->uverbs.err;
    if (verdict.verdict == VERDICT_PASS && host->needs & NEED_NODES && port->device->uverbs.tried &&
        (err == EACCES || err == EPERM)) /* without the node only the kernel uses the device */
        return (struct port_verdict){ "no-access", VERDICT_WARN };
    return verdict;
}
