/* SPDX-License-Identifier: MIT */
/* What a neighbor's LLDP means: its names, whether it is a switch, and whose cable it is. */
#include "model/lldp.h"

#include "model/host.h"
#include "model/qos.h"

enum { PORT_NAME_MOST = 40, ROCE_V2_PORT = 4791 };

/* "swp5s0", "Ethernet1/10", "TwoHundredGigE1/0/1:1", "xe-0/0/4"; not "host7:eth0", SONiC's name for the other
 * end. */
static bool looks_like_port(const char *text)
{
    size_t len = text ? strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.:-_") : 0;
    if (!len || text[len] || len > PORT_NAME_MOST || !strpbrk(text, "0123456789"))
        return false;
    const char *lane = strchr(text, ':');
    return !lane || strspn(lane + 1, "0123456789") == strlen(lane + 1);
}

static bool has_letter(const char *text)
{
    return strpbrk(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

const char *lldp_port_name(const struct lldp_neighbor *neighbor)
{
    bool is_number = neighbor->port_type == PORT_LOCAL && !has_letter(neighbor->port);
    if ((neighbor->port_type == PORT_MAC || is_number) && looks_like_port(neighbor->port_description))
        return neighbor->port_description;
    return neighbor->port;
}

const char *lldp_system_name(const struct lldp_neighbor *neighbor)
{
    return neighbor->system && *neighbor->system ? neighbor->system : neighbor->chassis;
}

const char *lldp_text(struct arena *arena, const struct lldp_neighbor *neighbor)
{
    const char *system = lldp_system_name(neighbor), *port = lldp_port_name(neighbor);
    return strcmp(system, port) == 0 ? system : arena_printf(arena, "%s %s", system, port);
}

bool lldp_is_host(const struct lldp_neighbor *neighbor)
{
    uint64_t forwards = neighbor->enabled.value & (LLDP_BRIDGE | LLDP_ROUTER);
    if (num_is(neighbor->enabled, LLDP_STATION))
        return true;
    return neighbor->chassis_type == CHASSIS_MAC && neighbor->port_type == PORT_MAC && !forwards &&
           !looks_like_port(neighbor->port_description);
}

bool lldp_is_same_port(const struct lldp_neighbor *a, const struct lldp_neighbor *b)
{
    return a->chassis_type == b->chassis_type && a->port_type == b->port_type &&
           text_is(a->chassis, b->chassis) && text_is(a->port, b->port) &&
           text_is(lldp_port_name(a), lldp_port_name(b));
}

const struct qos_dcb *lldp_dcb(const struct lldp_neighbor *neighbor)
{
    return neighbor->ieee ? neighbor->ieee : neighbor->cee;
}

bool netdev_has_cable(const struct netdev *netdev)
{
    return netdev->kind == NETDEV_PHYSICAL || netdev->kind == NETDEV_VETH;
}

const struct netdev *netdev_cabled(const struct host *host, const struct netdev *netdev)
{
    const struct netdev *base = netdev ? netdev_base(host, netdev) : NULL, *found = NULL;
    bool is_set = base && (base->kind == NETDEV_BOND || base->kind == NETDEV_TEAM);
    for (size_t i = 0; is_set && i < base->nmembers && !(found && found->lldp.count); i++) {
        const struct netdev *member = host_find_netdev(host, base->members[i]);
        if (member && (!found || member->lldp.count))
            found = member;
    }
    return found ? found : base;
}

const struct lldp_neighbor *netdev_neighbor(const struct netdev *netdev)
{
    const struct lldp_neighbor *only_switch = NULL;
    size_t nswitches = 0;
    for (size_t i = 0; netdev && i < netdev->lldp.count; i++) {
        if (lldp_is_host(&netdev->lldp.neighbors[i]))
            continue;
        only_switch = &netdev->lldp.neighbors[i];
        nswitches++;
    }
    if (netdev && netdev->lldp.count == 1)
        return &netdev->lldp.neighbors[0];
    return nswitches == 1 ? only_switch : NULL;
}

const struct lldp_neighbor *port_neighbor(const struct host *host, const struct port *port)
{
    return netdev_neighbor(netdev_cabled(host, port_netdev(host, port)));
}

const struct qos_dcb *netdev_peer_dcb(const struct host *host, const struct netdev *netdev)
{
    const struct netdev *cabled = netdev_cabled(host, netdev);
    const struct lldp_neighbor *neighbor = netdev_neighbor(cabled);
    const struct qos_dcb *told = neighbor ? lldp_dcb(neighbor) : NULL;
    const struct qos *qos = cabled ? host_qos_of(host, cabled->name) : NULL;
    return told ? told : qos ? qos->dcb.peer : NULL;
}

bool qos_roce_priority(const struct qos_dcb *dcb, unsigned *priority)
{
    bool found = false;
    for (size_t i = 0; dcb && i < dcb->napps; i++) {
        const struct qos_app *app = &dcb->apps[i];
        bool is_udp = app->selector == QOS_APP_DGRAM || app->selector == QOS_APP_ANY;
        if (!is_udp || app->protocol != ROCE_V2_PORT || (found && *priority > app->priority))
            continue;
        *priority = app->priority;
        found = true;
    }
    return found;
}

enum tristate netdev_firmware_speaks(const struct host *host, const struct netdev *netdev, const char **how)
{
    const struct qos *qos = host_find_qos(host, netdev);
    struct num dcbx = qos && qos->dcb_err == 0 ? qos->dcb.dcbx : (struct num){ 0 };
    *how = NULL;
    if (netdev->lldp.firmware_flag != TRI_UNKNOWN) {
        *how = text_is(netdev->driver, "i40e") ? "its flag disable-fw-lldp is off"
                                               : "its flag fw-lldp-agent is on";
        return netdev->lldp.firmware_flag;
    }
    if (!dcbx.known)
        return TRI_UNKNOWN;
    /* mlx5 never sets LLD_MANAGED: without HOST its firmware decides (mlx5e_dcbnl_getdcbx()); bnxt has neither
     * where its firmware speaks LLDP and leaves DCBX alone (bnxt_dcb_init()) */
    bool by_firmware = dcbx.value & DCBX_LLD_MANAGED ||
                       (text_is(netdev->driver, "mlx5_core") && dcbx.value && !(dcbx.value & DCBX_HOST)) ||
                       (text_is(netdev->driver, "bnxt_en") && dcbx.value == DCBX_IEEE);
    *how = "its DCBX mode says so";
    return tri_of(by_firmware);
}

static const char *const agents[] = {
    [LLDP_NETWORKD] = "systemd-networkd", [LLDP_LLDPD] = "lldpd", [LLDP_OTHER] = "another program"
};

const char *lldp_absence_text(const struct host *host, const struct netdev *netdev, struct arena *arena)
{
    const struct netdev_lldp *lldp = &netdev->lldp;
    const char *how;
    if (lldp->count)
        return NULL;
    if (lldp->was_down)
        return arena_printf(arena, "%s has no carrier: nothing can be heard there", netdev->name);
    if (lldp->listen_err == EPERM || lldp->listen_err == EACCES)
        return "listening needs CAP_NET_RAW: run it as root";
    if (lldp->listen_err)
        return arena_printf(arena, "listening on %s failed: %s", netdev->name, say_errno(lldp->listen_err));
    if (host->lldp.listened_s.known && netdev_firmware_speaks(host, netdev, &how) == TRI_YES)
        return arena_printf(
            arena,
            "heard nothing on %s in %u s: LLDP is off at the switch, or the NIC's firmware keeps it (%s)",
            netdev->name, (unsigned)host->lldp.listened_s.value, how);
    if (host->lldp.listened_s.known)
        return arena_printf(arena, "heard nothing on %s in %u s: LLDP is off at the switch", netdev->name,
                            (unsigned)host->lldp.listened_s.value);
    if (lldp->agent == LLDP_LLDPD || lldp->agent == LLDP_OTHER)
        return arena_printf(arena, "%s listens on %s but only it can read what it heard: add --listen%s",
                            agents[lldp->agent], netdev->name,
                            lldp->agent == LLDP_LLDPD ? ", or lldpcli show neighbors" : "");
    if (host->lldp.kept)
        return arena_printf(arena, "systemd-networkd keeps nothing for %s: add --listen (up to 35 s)",
                            netdev->name);
    return "nothing here keeps what LLDP says: add --listen (up to 35 s; needs CAP_NET_RAW)";
}
