/* SPDX-License-Identifier: MIT */
/* The slots that GIDs are in, duplicates of them, and where their netdevs are. */
#include "check/judge.h"
#include "consumer/consumer.h"

enum { MANY_SLOTS = 8 };

/* The library that takes a fixed index on this port, from its variable; CONSUMERS if none, and then it doesn't
 * matter where a GID is. */
static enum consumer pinned_by(const struct host *host, const struct port *port, uint32_t *index)
{
    static const enum consumer asked[] = { CONSUMER_NCCL, CONSUMER_RCCL, CONSUMER_UCX };
    for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
        if (consumer_takes_port(asked[i], &host->system, port) && consumer_pin(asked[i], &host->system, index))
            return asked[i];
    return CONSUMERS;
}

/* The position of GIDs is a fault only if somebody depends on it, and what he takes is none that works. */
static enum verdict judge_place(const struct subject *s, const struct port *port, struct judgement *j,
                                const char *evidence)
{
    uint32_t index;
    enum consumer consumer = pinned_by(s->host, port, &index);
    if (consumer == CONSUMERS)
        return judge_info(j, "%s; nothing here pins an index", evidence);
    bool works = !gid_complaint(port, index);
    return judge_as(j, works ? VERDICT_INFO : VERDICT_WARN, "%s; %s is set to take %" PRIu32 "%s", evidence,
                    consumer_name(consumer), index, works ? ", which works here" : "");
}

/* Which NCCL: its src/transport/net_ib.cc, NCCL_PARAM(IbGidIndex) in v2.20.5-1, ncclIbRoceGetVersionNum() from
 * v2.21.5-1 on, to which EINVAL is no error any more in v2.26.2-1. */
JUDGE(gid_holes)
{
    const struct gid *used = port_first_routable(s->port);
    if (!used)
        return judge_na(j, "no routable RoCE v2 GID: see gid-routable, gid-v2");
    uint32_t first = 0;
    while (first < used->index && port_gid(s->port, first))
        first++;
    if (first == used->index)
        return judge_pass(j, "no empty slot before GID %u", used->index);
    const struct netdev *netdev = system_is_container(s->system) ? NULL : gid_netdev(s->host, used);
    const char *name = netdev ? fix_name(j, netdev->name) : "";
    judge_advice(j,
                 "unset NCCL_IB_GID_INDEX UCX_IB_GID_INDEX # let the library choose; NCCL before 2.26 may need "
                 "NCCL_IB_GID_INDEX=%" PRIu32 " here%s%s%s%s%s",
                 used->index, netdev ? "; ip link set dev " : "", name,
                 netdev ? " down && ip link set dev " : "", name,
                 netdev ? " up fills the slots from the start, but interrupts traffic" : "");
    return judge_place(s, s->port, j,
                       arena_printf(j->arena, "%s is empty, the first routable RoCE v2 GID is %u",
                                    gid_path(j, s->port, first), used->index));
}

/* Is its netdev of this kind, which is above ports, or a VLAN on one? */
static bool is_of(const struct host *host, const struct gid *gid, enum netdev_kind kind)
{
    const struct netdev *netdev = gid_netdev(host, gid);
    return netdev && netdev_base(host, netdev)->kind == kind;
}

/* Another GID equal to gid of port, on another port or netdev; *where is its port. The members of a bond over
 * two cards each have the bond's GIDs, as they have its address: bond-cards covers that. */
static const struct gid *find_twin(const struct host *host, const struct port *port, const struct gid *gid,
                                   const struct port **where)
{
    *where = NULL;
    while ((*where = host_next_port(host, *where)))
        for (const struct gid *other = NULL;
             port_is_roce(*where) && (other = port_next_gid(*where, gid->raw, other));) {
            bool same_place = other->netdev && text_is(gid->netdev, other->netdev) &&
                              (*where == port || is_of(host, gid, NETDEV_BOND));
            if (other != gid && !same_place && other->type == gid->type)
                return other;
        }
    return NULL;
}

/* The address of a netdev above several ports becomes a GID of each (roce_gid_mgmt.c). With a bridge that works
 * (github.com/namjaejeon/ksmbd/issues/513), each queue pair on its own port. A team doesn't merge its ports as
 * RoCE LAG does a bond's, so answers arrive at either. */
static enum verdict judge_above_both(const struct subject *s, struct judgement *j, const struct gid *gid,
                                     const char *text, const struct port *where)
{
    const struct netdev *netdev = gid_netdev(s->host, gid);
    bool bridge = is_of(s->host, gid, NETDEV_BRIDGE);
    if (bridge)
        judge_advice(j, "name the device whose port the peer is behind: RDMA doesn't pass the bridge");
    else if (netdev && netdev->kind == NETDEV_TEAM)
        judge_advice(j, "make a bond of it: RoCE LAG knows the bonding driver alone, not teams");
    return judge_as(j, bridge ? VERDICT_INFO : VERDICT_WARN,
                    "GID %" PRIu32 " (%s) is of %s, which is above %s/%u as well", gid->index, text,
                    gid->netdev, where->device->name, where->number);
}

/* On one port, the address of the port's own netdev is also that of one above it, such as a VXLAN's
 * (github.com/openucx/ucx/pull/9484): that one should go. Until then only the index tells the two apart. */
static void fix_duplicate(const struct subject *s, struct judgement *j, const struct gid *gid,
                          const struct gid *twin)
{
    const struct netdev *own = port_netdev(s->host, s->port), *a = gid_netdev(s->host, gid),
                        *b = gid_netdev(s->host, twin);
    const struct netdev *base = own && own->master && host_find_netdev(s->host, own->master)
                                    ? host_find_netdev(s->host, own->master)
                                    : own;
    if (!a || !b || (a != own && a != base && b != own && b != base))
        return;
    bool first_is_own = a == own || a == base;
    const struct netdev *other = first_is_own ? b : a;
    const struct address *address = address_with_gid(other, gid->raw);
    uint32_t wanted = (first_is_own ? gid : twin)->index;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *v2 = &s->port->gids[i];
        if (v2->type == GID_TYPE_ROCE_V2 && memcmp(v2->raw, gid->raw, 16) == 0 &&
            gid_netdev(s->host, v2) != other)
            wanted = v2->index;
    }
    if (address)
        judge_interrupting(j,
                           "ip address del %s dev %s # if %s needs it: NCCL_IB_GID_INDEX=%" PRIu32
                           " UCX_IB_GID_INDEX=%" PRIu32 ", which is %s's",
                           arena_address(j->arena, address), fix_name(j, other->name), fix_name(j, other->name),
                           wanted, wanted, fix_name(j, (first_is_own ? a : b)->name));
}

/* RDMA_CM knows an iWARP device by its netdev, and takes the first device that fits an address
 * (cma_acquire_dev_by_src_ip() of core/cma.c): the one that was made first, whatever the peer takes. */
static enum verdict judge_beside_iwarp(const struct subject *s, struct judgement *j)
{
    const struct device *own = s->device, *other;
    for (const struct port *port = NULL;
         s->netdev && port_is_roce(s->port) && (port = host_next_port(s->host, port));) {
        if (port->transport != TRANSPORT_IWARP || port_netdev(s->host, port) != s->netdev)
            continue;
        other = port->device;
        return judge_info(j, "RDMA_CM finds %s and, by iWARP, %s by the addresses of %s: it takes %s",
                          own->name, other->name, s->netdev->name,
                          !own->index.known || !other->index.known ? "the one made first"
                          : own->index.value < other->index.value  ? own->name
                                                                   : other->name);
    }
    return judge_pass(j, "none of its GIDs appears twice");
}

JUDGE(gid_duplicate)
{
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct port *where;
        /* a VLAN has its netdev's MAC, and so the same link-local address: only routable ones must be unique */
        const struct gid *twin = gid_is_routable(gid->raw) ? find_twin(s->host, s->port, gid, &where) : NULL;
        if (!twin)
            continue;
        if (where == s->port && !port_tells_types(where)) /* as v1 and as v2 */
            return judge_unknown(j, "%s: its type could not be read", gid_path(j, s->port, gid->index));
        const char *text = gid_address_text(j->arena, gid->raw);
        if (gid->netdev && text_is(twin->netdev, gid->netdev))
            return judge_above_both(s, j, gid, text, where);
        if (where == s->port)
            fix_duplicate(s, j, gid, twin);
        return judge_warn(j, "%s (%s): %s, also %s/%u GID %u (%s)", gid_path(j, s->port, gid->index),
                          gid->netdev ? gid->netdev : "no netdev", text, where->device->name, where->number,
                          twin->index, twin->netdev ? twin->netdev : "no netdev");
    }
    return judge_beside_iwarp(s, j);
}

JUDGE(gid_index)
{
    const struct port *first = NULL;
    uint32_t index = 0;
    size_t ports = 0;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        const struct gid *gid = port_is_roce(port) ? port_first_routable(port) : NULL;
        if (!gid || !port_is_active(port) || !device_is_given(s->host, port->device))
            continue;
        ports++;
        if (!first) {
            first = port;
            index = gid->index;
        } else if (gid->index != index && (judge_about(j, first->device) || judge_about(j, port->device))) {
            const char *text = arena_printf(j->arena, "first routable RoCE v2 GID: %s/%u has %u, %s/%u has %u",
                                            first->device->name, first->number, index, port->device->name,
                                            port->number, gid->index);
            enum verdict verdict = judge_place(s, first, j, text);
            return verdict == VERDICT_WARN ? verdict : judge_place(s, port, j, text);
        }
    }
    if (ports < 2)
        return judge_na(j, "fewer than two ACTIVE RoCE ports with a routable GID");
    return judge_pass(j, "index %u on all %zu ports", index, ports);
}

JUDGE(gid_namespace)
{
    if (!device_is_given(s->host, s->device))
        return judge_na(j, "%s was not given to this container", s->device->name);
    if (!host_knows_netdevs(s->host))
        return judge_unknown(j, "/sys/class/net is not here");
    const struct gid *elsewhere = NULL;
    bool here = false;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        here |= gid_netdev(s->host, gid) != NULL;
        if (gid->netdev && !elsewhere && !gid_netdev(s->host, gid))
            elsewhere = gid;
    }
    /* besides its own GIDs, those of containers that were given a VLAN or a macvlan on it are harmless */
    if (elsewhere && s->host->partial)
        return judge_unknown(j, "%s, the netdev of GID %u, is not in this tree", elsewhere->netdev,
                             elsewhere->index);
    if (elsewhere)
        return judge_as(j, here ? VERDICT_INFO : VERDICT_WARN,
                        "%s/ndevs/%u: %s, which is not in this network namespace",
                        port_path(j, s->port, "gid_attrs"), elsewhere->index, elsewhere->netdev);
    return judge_pass(j, "the netdevs of all %zu GIDs are here", s->port->ngids);
}

static const struct netdev *vlan_of(const struct host *host, const struct gid *gid)
{
    const struct netdev *netdev = gid_netdev(host, gid);
    return netdev && netdev->kind == NETDEV_VLAN ? netdev : NULL;
}

JUDGE(gid_vlan)
{
    size_t vlans = 0;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = vlan_of(s->host, gid);
        if (!netdev)
            continue;
        vlans++;
        if (!netdev->vlan_id.known)
            return judge_unknown(j, "/proc/net/vlan/%s could not be read, nor netlink's VLAN id", netdev->name);
        if (netdev->vlan_id.value == 0) {
            judge_interrupting(
                j, "ip link delete %s && ip link add link %s name %s type vlan id {ID} # ID: the switch's",
                fix_name(j, netdev->name), netdev->lower ? fix_name(j, netdev->lower) : "{NETDEV}",
                fix_name(j, netdev->name));
            return judge_warn(j, "GID %u belongs to %s, whose VLAN id is 0", gid->index, netdev->name);
        }
    }
    return vlans ? judge_pass(j, "%zu GIDs of VLANs have a tag", vlans) : judge_na(j, "no GID of a VLAN");
}

JUDGE(port_guid)
{
    const struct gid *gid = port_gid(s->port, 0);
    static const uint8_t none[8];
    if (gid && memcmp(gid->raw + 8, none, 8) != 0)
        return judge_pass(j, "%s is filled", gid_path(j, s->port, 0));
    if (!gid && port_first_routable(s->port))
        return judge_na(j, "no GID in slot 0: see gid-holes");
    /* is_ndev_for_default_gid_filter() in core/roce_gid_mgmt.c: a macvlan's or VLAN's GID never comes there */
    if (system_is_container(s->system))
        judge_advice(
            j, "name a GID of this container (roce gids), never index 0: that is the port's own netdev's");
    else if (s->netdev)
        judge_interrupting(j, "ip link set dev {netdev} down && ip link set dev {netdev} up # the default GID "
                              "comes back in slot 0");
    return judge_place(s, s->port, j,
                       arena_printf(j->arena, "%s: low 8 bytes are zero", gid_path(j, s->port, 0)));
}

JUDGE(gid_table_full)
{
    uint64_t slots = s->port->gid_table_len.value;
    return judge_as(j, slots >= MANY_SLOTS && s->port->ngids >= slots ? VERDICT_WARN : VERDICT_PASS,
                    "%s: %zu of %" PRIu64 " slots are filled", port_path(j, s->port, "gids"), s->port->ngids,
                    slots);
}
