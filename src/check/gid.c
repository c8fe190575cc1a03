/* SPDX-License-Identifier: MIT */
/* The GID table: does it have what connections need? */
#include "check/judge.h"
#include "check/use.h"

#include "model/topology.h"

const char *gid_path(struct judgement *j, const struct port *port, uint32_t index)
{
    return arena_printf(j->arena, "/sys/class/infiniband/%s/ports/%u/gids/%u", port->device->name, port->number,
                        index);
}

PRECONDITION(no_gid_table)
{
    if (!port_is_roce(s->port) || !port_carries_traffic(s))
        return judge_na(j, "not a RoCE port");
    if (num_is(s->port->gid_table_len, 0))
        return judge_na(j, "RoCE is off: see roce-enabled");
    if (!s->port->gid_table_len.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "gids"));
    return VERDICTS;
}

PRECONDITION(no_gids)
{
    enum verdict verdict = no_gid_table(s, j);
    return verdict == VERDICTS && !s->port->ngids ? judge_na(j, "the table is empty: see gid-table") : verdict;
}

/* A port that isn't up needs no routable GID; port-active covers it. */
PRECONDITION(no_active_gids)
{
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    return no_gids(s, j);
}

int gid_slot_problem(const struct host *host, const struct port *port, struct arena *arena)
{
    const char *slots = arena_printf(arena, "sys/class/infiniband/%s/ports/%u/gids/", port->device->name,
                                     port->number);
    for (size_t i = 0; i < host->nproblems; i++)
        if (text_starts(host->problems[i].what, slots))
            return host->problems[i].err;
    return 0;
}

JUDGE(gid_table)
{
    if (s->port->ngids)
        return judge_pass(j, "%zu of %" PRIu64 " slots are filled", s->port->ngids,
                          s->port->gid_table_len.value);
    int err = gid_slot_problem(s->host, s->port, j->arena);
    if (err)
        return judge_unknown(j, "%s: %s", port_path(j, s->port, "gids"), judge_errno(j, err));
    if (netdev_is_backup(s->netdev))
        return judge_na(j, "%s is a backup member of %s: it gets the bond's GIDs when it takes over",
                        s->netdev->name, s->netdev->master ? s->netdev->master : "a bond");
    if (s->netdev)
        fix_address(s, j, "ip link set dev {netdev} up && ", "{ADDRESS/PREFIX}", "");
    return judge_fail(j, "%s: all %" PRIu64 " slots are empty", port_path(j, s->port, "gids"),
                      s->port->gid_table_len.value);
}

/* iWARP's GID is a MAC: a connection needs the netdev's addresses instead. */
static enum verdict judge_iwarp_address(const struct subject *s, struct judgement *j)
{
    const struct address *address = netdev_main_address(s->netdev);
    const char *text = address ? arena_address(j->arena, address) : NULL;
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    if (!s->netdev)
        return judge_na(j, "the port has no netdev here: see port-netdev");
    if (!s->netdev->addresses_known)
        return judge_unknown(j, "the addresses of %s could not be read", s->netdev->name);
    if (address && address_is_routable(address))
        return judge_pass(j, "iWARP; %s has %s", s->netdev->name, text);
    fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
    if (!address)
        return judge_fail(j, "iWARP; %s has no address", s->netdev->name);
    return judge_warn(j, "iWARP; %s has only link-local addresses: %s", s->netdev->name, text);
}

/* Not routable, but intended on some hosts: two joined by a cable manage with it. */
static enum verdict judge_on_link(const struct subject *s, struct judgement *j)
{
    const struct gid *gid = port_main_gid(s->port);
    const char *text = gid_address_text(j->arena, gid->raw);
    if (gid_reach(gid->raw))
        return judge_info(j, "%s: %s: peers on the same link only", gid_path(j, s->port, gid->index), text);
    const struct port *half = port_other_half(s->host, s->port);
    if (half)
        return judge_info(j,
                          "%s: %s, and %s/%u, on the other PCIe link of the same port, has an address: peers "
                          "on the same link only",
                          gid_path(j, s->port, gid->index), text, half->device->name, half->number);
    return judge_fail(j, "%s: %s; all GIDs are link-local", gid_path(j, s->port, gid->index), text);
}

/* An uplink of a host whose address is lo's, which it announces (unnumbered BGP, NVIDIA/nccl issue 1053). */
static bool is_unnumbered(const struct host *host, const struct netdev *netdev)
{
    const struct netdev *lo = host_find_netdev(host, "lo");
    bool leads = false, announces = false;
    for (size_t i = 0; i < host->nroutes; i++)
        leads |= !host->routes[i].prefix && text_is(host->routes[i].netdev, netdev->name);
    for (size_t i = 0; lo && i < lo->naddresses; i++)
        announces |= address_is_routable(&lo->addresses[i]) && lo->addresses[i].prefix == 32;
    return leads && announces;
}

/* A switch's uplink: without an address it carries the frames of virtual machines and pods, and this host
 * doesn't use its device. */
static enum verdict judge_idle_uplink(const struct subject *s, struct judgement *j)
{
    const struct netdev *taker;
    enum frames frames = s->netdev ? netdev_frames(s->host, s->netdev, &taker) : FRAMES_KEPT;
    if (port_use(s->host, s->port, j->arena).use == USE_HERE)
        return VERDICTS;
    if (s->netdev && is_unnumbered(s->host, s->netdev))
        return judge_info(j,
                          "the host's routes leave by %s, which has no address, for that is on lo: RDMA would "
                          "need one here",
                          s->netdev->name);
    if (frames != FRAMES_TO_BRIDGE && frames != FRAMES_TO_OPENVSWITCH)
        return VERDICTS;
    fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
    return judge_info(j, "%s is %s %s, and gives no address to the device: its frames are others'",
                      s->netdev->name, frames_text(frames), taker->name);
}

JUDGE(gid_routable)
{
    if (s->port->transport == TRANSPORT_IWARP && port_carries_traffic(s))
        return judge_iwarp_address(s, j);
    enum verdict verdict = no_active_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    bool any_here = false;
    const struct gid *routable = NULL;
    for (size_t i = 0; i < s->port->ngids; i++)
        any_here |= !s->port->gids[i].elsewhere;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (!gid_is_routable(gid->raw) || (any_here && gid->elsewhere))
            continue;
        routable = gid;
        if (!gid_is_cut_off(s->host, s->port, gid, NULL))
            return judge_pass(j, "%s: %s", gid_path(j, s->port, gid->index),
                              gid_address_text(j->arena, gid->raw));
    }
    verdict = routable ? VERDICTS : judge_idle_uplink(s, j);
    if (verdict != VERDICTS)
        return verdict;
    if (s->netdev)
        fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
    if (routable)
        return judge_fail(j, "%s: %s, whose packets don't reach %s", gid_path(j, s->port, routable->index),
                          gid_address_text(j->arena, routable->raw), s->device->name);
    return judge_on_link(s, j);
}

/* mlx4 names a card by its PCI id: the Pro, which does v2 (MLX4_DEV_CAP_FLAG2_ROCE_V1_V2), is MT4103. */
#define CONNECTX_3 "MT4099"

JUDGE(gid_v2)
{
    bool unknown = false;
    for (size_t i = 0; i < s->port->ngids; i++) {
        if (s->port->gids[i].type == GID_TYPE_ROCE_V2)
            return judge_pass(j, "GID %u is RoCE v2", s->port->gids[i].index);
        unknown |= s->port->gids[i].type == GID_TYPE_UNKNOWN && !s->port->gids[i].unknown_type;
    }
    if (unknown)
        return judge_unknown(j, "%s/types could not be read", port_path(j, s->port, "gid_attrs"));
    const char *types = arena_printf(j->arena, "%s/types: none is RoCE v2", port_path(j, s->port, "gid_attrs"));
    if (text_is(s->device->hca_type, CONNECTX_3))
        return judge_info(j, "%s; a ConnectX-3 that isn't a Pro does nothing else", types);
    return judge_warn(j, "%s", types);
}

JUDGE(gid_type)
{
    if (!port_tells_types(s->port)) /* Linux before 4.5, and others' recordings */
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "gid_attrs/types"));
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (gid->type != GID_TYPE_UNKNOWN)
            continue;
        const char *dir = port_path(j, s->port, "gid_attrs");
        if (gid->unknown_type)
            return judge_warn(j, "%s/types/%u says \"%s\", which is neither RoCE v1 nor v2", dir, gid->index,
                              gid->unknown_type);
        return judge_warn(j, "%s/types/%u could not be read, although the slot is filled", dir, gid->index);
    }
    return judge_pass(j, "all %zu GIDs say their type", s->port->ngids);
}
