/* SPDX-License-Identifier: MIT */
#include "command/port_pairs.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "check/judge.h"
#include "check/rail.h"
#include "model/route.h"

static bool same_kind(const struct gid *a, const struct gid *b)
{
    return a->type == b->type && gid_is_v4_mapped(a->raw) == gid_is_v4_mapped(b->raw) &&
           gid_is_link_local(a->raw) == gid_is_link_local(b->raw);
}

/* 0: none that is worth a try. */
static int worth(const struct gid *a, const struct gid *b)
{
    return !same_kind(a, b) ? 0
                            : 1 + 4 * (a->type == GID_TYPE_ROCE_V2) + 2 * gid_is_routable(a->raw) +
                                  gid_is_v4_mapped(a->raw);
}

static void choose(struct port_pair *pair)
{
    int best = 0;
    for (size_t i = 0; i < pair->from->ngids; i++)
        for (size_t j = 0; j < pair->to->ngids; j++) {
            int points = worth(&pair->from->gids[i], &pair->to->gids[j]);
            if (points <= best)
                continue;
            best = points;
            pair->from_gid = &pair->from->gids[i];
            pair->to_gid = &pair->to->gids[j];
        }
}

static enum tristate share_network(const struct host *host, const struct port_pair *pair)
{
    const struct netdev *from = gid_netdev(host, pair->from_gid), *to = gid_netdev(host, pair->to_gid);
    const struct address *a = from ? address_of_gid(from, pair->from_gid) : NULL;
    const struct address *b = to ? address_of_gid(to, pair->to_gid) : NULL;
    if (!a || !b || gid_is_link_local(pair->from_gid->raw))
        return TRI_UNKNOWN; /* link-local addresses are all of one subnet, whatever they are plugged into */
    return addresses_share_subnet(a, b) ? TRI_YES : TRI_NO;
}

/* The one that takes nothing from addresses of its own host; NULL: neither, or it isn't known. A route from
 * such a sender is refused without accept_local (net/ipv4/fib_frontend.c, fib_validate_source), and ARP
 * answers only whom it has a route from (net/ipv4/arp.c, arp_process). */
static const struct netdev *deaf_of(const struct host *host, const struct port_pair *pair)
{
    const struct netdev *netdevs[] = { gid_netdev(host, pair->from_gid), gid_netdev(host, pair->to_gid) };
    for (size_t i = 0; i < ARRAY_SIZE(netdevs); i++)
        if (netdevs[i] && sysctl_of_netdev(&host->system, netdevs[i]->name, "accept_local") == 0)
            return netdevs[i];
    return NULL;
}

static const char *why_not(const struct host *host, const struct port_pair *pair)
{
    bool v4 = gid_is_v4_mapped(pair->from_gid->raw);
    char from[GID_ADDRESS_SIZE], to[GID_ADDRESS_SIZE];
    const struct netdev *netdev = gid_netdev(host, pair->from_gid);
    struct route_flow flow = { .family = v4 ? AF_INET : AF_INET6,
                               .source = pair->from_gid->raw + (v4 ? 12 : 0),
                               .destination = pair->to_gid->raw + (v4 ? 12 : 0),
                               .out = netdev };
    gid_address(pair->from_gid->raw, from);
    gid_address(pair->to_gid->raw, to);
    if (!netdev || !gid_netdev(host, pair->to_gid) || gid_is_link_local(pair->from_gid->raw))
        return NULL; /* another namespace's routes aren't known here */
    struct route_lookup found = host_look_up(host, &flow);
    if (found.kind == LOOKUP_REFUSED)
        return arena_printf(host->arena, "no route from %s to %s", from, to);
    /* rxe: what comes in by a netdev from an address of this host passes net.ipv4 first, which takes it for
     * spoofed (fib_validate_source() of net/ipv4/fib_frontend.c) */
    bool soft = device_is_rxe(pair->from->device) || device_is_rxe(pair->to->device);
    const struct netdev *deaf = v4 && soft ? deaf_of(host, pair) : NULL;
    return deaf
               ? arena_printf(
                     host->arena,
                     "Linux drops what soft-RoCE receives from an address of its own host: net.ipv4.conf.%s.accept_local is 0",
                     deaf->name)
               : NULL;
}

struct port_pair port_pair_of(const struct host *host, const struct port *from, const struct port *to)
{
    struct port_pair pair = { .from = from, .to = to, .same_network = TRI_UNKNOWN };
    choose(&pair);
    if (!pair.from_gid) {
        pair.why = "no GIDs of one kind: they differ in RoCE's version, or one has IPv4 and the other IPv6";
        return pair;
    }
    pair.same_network = share_network(host, &pair);
    pair.why = why_not(host, &pair);
    return pair;
}

static bool finds_no_way(const struct failure *failure)
{
    bool connecting = failure->step == STEP_RTR || failure->step == STEP_AH;
    return failure_is_silence(failure) ||
           (connecting &&
            (failure->err == ETIMEDOUT || failure->err == ENETUNREACH || failure->err == EHOSTUNREACH));
}

static bool is_unanswered(const struct failure *failure)
{
    return (failure->step == STEP_RTR || failure->step == STEP_AH) && failure->err == ETIMEDOUT;
}

void port_pair_judge(const struct host *host, const struct port_pair *pair, struct result *result)
{
    const struct netdev *deaf = is_unanswered(&result->failure) ? deaf_of(host, pair) : NULL;
    if (result->verdict != VERDICT_FAIL || !finds_no_way(&result->failure) ||
        (pair->same_network == TRI_YES && !deaf))
        return;
    result->verdict = VERDICT_NA;
    result->failure = (struct failure){ 0 };
    if (deaf)
        snprintf(
            result->note, sizeof(result->note),
            "ARP goes unanswered: Linux ignores requests from its own host while net.ipv4.conf.%s.accept_local is 0",
            deaf->name);
    else
        snprintf(result->note, sizeof(result->note), "nothing comes through, and %s",
                 pair->same_network == TRI_NO ? "they are in different subnets, which need not be connected"
                                              : "roce can't tell whether they are in one network");
}
