/* SPDX-License-Identifier: MIT */
/* Do rails have addresses of one plan? One without its lease, or with another prefix length, stands out. */
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <netinet/in.h>

#include "check/judge.h"
#include "check/rail.h"
#include "model/topology.h"

/* -- the plan ------------------------------------------------------------------------------------------- */

/* A rail and its IPv4 address. */
struct place {
    const struct rail *rail;
    int64_t network, number; /* network: as a number, without the bits of the host's number */
};

/* The subnets of ports that are alike follow each other: with each port by the same step, or not at all. */
struct plan {
    struct place *places;
    size_t count;
    unsigned prefix;
    int64_t network; /* the subject's, by the plan */
};

static int64_t number_of(const struct address *address)
{
    uint32_t number;
    memcpy(&number, address->raw, sizeof(number));
    return ntohl(number);
}

static int64_t host_mask(unsigned prefix)
{
    return prefix < 32 ? (INT64_C(1) << (32 - prefix)) - 1 : 0;
}

/* The ways of other ports like the subject's, in IPv4. One that leads to the outside is of another kind. */
static struct plan others_of(const struct subject *s, const struct rails *rails, struct arena *arena)
{
    struct plan plan = { 0 };
    for (size_t i = 0; i < rails->count; i++) {
        const struct rail *rail = &rails->rails[i];
        if (rail->port == s->port || rail->address->family != AF_INET ||
            !ports_are_alike(s->host, rail->port, s->port) || rail->leads_outside)
            continue;
        int64_t mask = host_mask(rail->address->prefix), address = number_of(rail->address);
        *ARENA_PUSH(arena, plan.places, plan.count) = (struct place){ rail, address & ~mask, address & mask };
    }
    return plan;
}

/* Three others make a plan: through two there is always a line. */
static bool follows_plan(const struct subject *s, struct plan *plan)
{
    enum { LEAST = 3 };
    if (plan->count < LEAST)
        return false;
    const struct place *a = &plan->places[0], *b = &plan->places[1];
    int64_t step = b->network - a->network, along = b->rail->at - a->rail->at;
    if (!along) /* each is like the subject, but not like the other */
        return false;
    plan->prefix = a->rail->address->prefix;
    for (size_t i = 0; i < plan->count; i++) {
        const struct place *c = &plan->places[i];
        if (c->rail->address->prefix != plan->prefix ||
            (c->network - a->network) * along != step * (c->rail->at - a->rail->at))
            return false;
    }
    int64_t way = step * (rail_place(s->host, s->port) - a->rail->at);
    plan->network = a->network + way / along;
    return way % along == 0 && plan->network > 0 && plan->network <= UINT32_MAX;
}

static const char *text_of(struct arena *arena, int64_t number, unsigned prefix)
{
    struct address address = { .family = AF_INET, .prefix = (uint8_t)prefix };
    uint32_t raw = htonl((uint32_t)number);
    memcpy(address.raw, &raw, sizeof(raw));
    return arena_address(arena, &address);
}

const char *rail_planned_address(const struct subject *s, struct arena *arena)
{
    if (!s->port)
        return NULL;
    struct rails rails = find_rails(s, arena);
    struct plan plan = others_of(s, &rails, arena);
    if (!follows_plan(s, &plan))
        return NULL;
    for (size_t i = 0; i < plan.count; i++)
        if (plan.places[i].number != plan.places[0].number || plan.places[i].network == plan.network)
            return NULL;
    return text_of(arena, plan.network + plan.places[0].number, plan.prefix);
}

/* -- what stands out ------------------------------------------------------------------------------------- */

static const struct rail *rail_of(const struct rails *rails, const struct port *port, uint8_t family)
{
    for (size_t i = 0; i < rails->count; i++)
        if (rails->rails[i].port == port && rails->rails[i].address->family == family)
            return &rails->rails[i];
    return NULL;
}

/* Is an address of another prefix length where the plan has it? */
static bool differs_in_prefix(const struct rail *own, const struct plan *plan)
{
    return own->address->prefix != plan->prefix &&
           (number_of(own->address) & ~host_mask(plan->prefix)) == plan->network;
}

bool rail_has_other_prefix(const struct host *host, const struct port *port, struct found_rails *found,
                           struct arena *arena)
{
    const struct subject s = { .host = host, .port = port, .rails = found };
    struct rails rails = find_rails(&s, arena);
    struct plan plan = others_of(&s, &rails, arena);
    const struct rail *own = rail_of(&rails, port, AF_INET);
    return own && port_has_default_route(host, port) == TRI_NO && follows_plan(&s, &plan) &&
           differs_in_prefix(own, &plan);
}

/* Other ports like this one that have only addresses of 169.254.0.0/16. */
static size_t count_self_assigned(const struct subject *s)
{
    size_t count = 0;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        const struct gid *gid = port_main_gid(port);
        count += port != s->port && port_is_active(port) && ports_are_alike(s->host, port, s->port) && gid &&
                 gid_is_v4_link_local(gid->raw) && !port_is_idle(s, port);
    }
    return count;
}

/* DHCP that answers the others leaves a lease with them. */
static void fix_self_assigned(const struct subject *s, struct judgement *j, const struct place *other)
{
    if (!(other->rail->address->flags & IFA_F_PERMANENT) && !port_is_taken(s->host, s->port))
        judge_advice(j,
                     "DHCP answers %s and not {netdev}: look at the VLAN of the switch's port and at the DHCP "
                     "server's or relay's log, then take {netdev} down and up",
                     fix_name(j, other->rail->netdev->name));
    else
        fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
}

/* Between two hosts joined by a cable all have such addresses, and that is fine. */
static enum verdict judge_self_assigned(const struct subject *s, struct judgement *j, const struct plan *plan)
{
    const struct gid *gid = port_main_gid(s->port);
    if (!gid || !gid_is_v4_link_local(gid->raw))
        return judge_na(j, "no routable address: see gid-routable");
    const char *own = gid_address_text(j->arena, gid->raw);
    if (port_other_half(s->host, s->port))
        return judge_pass(j, "%s; it is another PCIe link of a port that has an address", own);
    if (plan->count <= count_self_assigned(s))
        return judge_pass(j, "%s, and most ports like it have no other", own);
    const struct place *other = &plan->places[0];
    fix_self_assigned(s, j, other);
    return judge_warn(j, "%s alone, which was taken for want of one; %zu other%s (%s/%u: %s)", own, plan->count,
                      plan->count == 1 ? " like it has an address" : "s like it have addresses",
                      other->rail->port->device->name, other->rail->port->number,
                      arena_address(j->arena, other->rail->address));
}

static enum verdict judge_prefix(const struct subject *s, struct judgement *j, const struct rail *own,
                                 const struct plan *plan)
{
    const char *right = text_of(j->arena, number_of(own->address), plan->prefix);
    const char *text = arena_address(j->arena, own->address);
    judge_interrupting(
        j,
        "ip address del %s dev %s && ip address add %s dev %s # static routes have to be set again; "
        "and the same where the address is configured",
        text, fix_name(j, own->netdev->name), right, fix_name(j, own->netdev->name));
    return judge_warn(j, "%s of %s has a prefix length of %u, the %zu others like %s/%u have %u", text,
                      own->netdev->name, own->address->prefix, plan->count, s->device->name, s->port->number,
                      plan->prefix);
}

/* An address that isn't where the plan has it may be of another network on purpose: a storage port's. */
static enum verdict judge_planned(const struct subject *s, struct judgement *j, const struct rail *own,
                                  const struct plan *plan)
{
    const struct netdev *taker;
    enum frames frames = netdev_frames(s->host, own->netdev, &taker);
    if (frames_include_arp(frames))
        return judge_na(j, "%s is %s %s: no address of its own works", own->netdev->name, frames_text(frames),
                        taker->name);
    int64_t network = number_of(own->address) & ~host_mask(plan->prefix);
    if (differs_in_prefix(own, plan))
        return judge_prefix(s, j, own, plan);
    for (size_t i = 0; i < plan->count && network != plan->network; i++) {
        const struct rail *other = plan->places[i].rail;
        if (plan->places[i].network != network || other->netdev == own->netdev) /* two devices of one bond */
            continue;
        judge_command(j, "ip address add {ADDRESS/PREFIX} dev %s", fix_name(j, own->netdev->name));
        return judge_warn(j,
                          "%s of %s is in the subnet of %s/%u; by those of the %zu others, %s would be its own",
                          arena_address(j->arena, own->address), own->netdev->name, other->port->device->name,
                          other->port->number, plan->count, text_of(j->arena, plan->network, plan->prefix));
    }
    return judge_pass(j, network == plan->network ? "its subnet is what those of the others like it lead to"
                                                  : "its subnet is none of those of the others like it");
}

JUDGE(rail_address)
{
    if (!port_is_roce(s->port) || !port_carries_traffic(s) || !port_is_active(s->port) || !s->netdev)
        return judge_na(j, "not an ACTIVE RoCE port with a netdev here");
    struct rails rails = find_rails(s, j->arena);
    struct plan plan = others_of(s, &rails, j->arena);
    const struct rail *own = rail_of(&rails, s->port, AF_INET), *v6 = rail_of(&rails, s->port, AF_INET6);
    enum tristate front_end = port_has_default_route(s->host, s->port);
    if (!plan.count)
        return judge_na(j, "no other port like it has an IPv4 address");
    if (front_end == TRI_UNKNOWN)
        return judge_unknown(j, "whether the default route leaves here: no routes were read");
    if (front_end == TRI_YES)
        return judge_na(j, "the default route leaves here: no rail");
    if (!own && !v6)
        return judge_self_assigned(s, j, &plan);
    if (!own && plan.count >= 2 && v6->address->flags & IFA_F_PERMANENT)
        return judge_warn(j, "an IPv6 address alone (%s), where %zu others like it have IPv4",
                          gid_address_text(j->arena, v6->gid->raw), plan.count);
    if (!own || !follows_plan(s, &plan))
        return judge_pass(j, "%zu others like it follow no plan by which it would stand out", plan.count);
    return judge_planned(s, j, own, &plan);
}

/* -- subnets within each other ---------------------------------------------------------------------------- */

static bool lies_within(const struct address *wide, const struct address *narrow)
{
    return wide->family == narrow->family && wide->prefix && wide->prefix < narrow->prefix &&
           narrow->prefix < (narrow->family == AF_INET ? 32 : 128) &&
           prefix_holds(wide->raw, wide->prefix, narrow->raw);
}

static bool overlap(const struct host *host, const struct rail *wide, const struct rail *narrow)
{
    return ports_are_alike(host, wide->port, narrow->port) && lies_within(wide->address, narrow->address) &&
           netdevs_can_be_mixed_up(host, wide->netdev, narrow->netdev) &&
           port_has_default_route(host, wide->port) != TRI_YES &&
           port_has_default_route(host, narrow->port) != TRI_YES;
}

static size_t count_with_prefix(const struct rails *rails, const struct rail *like)
{
    size_t count = 0;
    for (size_t i = 0; i < rails->count; i++)
        count += ports_are_alike(rails->host, rails->rails[i].port, like->port) &&
                 rails->rails[i].address->family == like->address->family &&
                 rails->rails[i].address->prefix == like->address->prefix;
    return count;
}

/* Of two that overlap, the mistake is most likely the prefix length that fewer have, else the shorter one. */
static bool is_mistaken(const struct rails *rails, const struct rail *own, const struct rail *other)
{
    size_t mine = count_with_prefix(rails, own), its = count_with_prefix(rails, other);
    return mine != its ? mine < its : own->address->prefix < other->address->prefix;
}

static enum verdict judge_overlap(const struct subject *s, struct judgement *j, const struct rail *own,
                                  const struct rail *other)
{
    if (!s->host->routes_known)
        return judge_unknown(j, "which port the default route leaves by: no routes were read");
    judge_advice(j, "give %s a prefix length with which its subnet neither holds that of %s nor lies in it",
                 fix_name(j, own->netdev->name), fix_name(j, other->netdev->name));
    return judge_warn(j, "the subnet of %s (%s) %s that of %s (%s, %s/%u)",
                      arena_address(j->arena, own->address), own->netdev->name,
                      own->address->prefix < other->address->prefix ? "holds" : "lies in",
                      arena_address(j->arena, other->address), other->netdev->name, other->port->device->name,
                      other->port->number);
}

JUDGE(rail_overlap)
{
    struct rails rails = find_rails(s, j->arena);
    bool has = false;
    for (size_t i = 0; i < rails.count; i++)
        for (size_t n = 0; n < rails.count && rails.rails[i].port == s->port; n++) {
            const struct rail *own = &rails.rails[i], *other = &rails.rails[n];
            has = true;
            if ((overlap(s->host, own, other) || overlap(s->host, other, own)) &&
                is_mistaken(&rails, own, other))
                return judge_overlap(s, j, own, other);
        }
    return has ? judge_pass(j, "no other port's subnet holds its own, or lies in it")
               : judge_na(j, "no ACTIVE RoCE port with an address here");
}
