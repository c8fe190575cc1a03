/* SPDX-License-Identifier: MIT */
/* Asks rtnetlink about the host's netdevs, their addresses, and how packets leave the host. */
#include "base/mem.h"
#include "model/services.h"
#include "source/netlink/ask.h"
#include "source/netlink/links.h"
#include "source/netlink/read.h"
#include "source/netlink/rtnl.h"

static int take_addresses(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    struct rtnl_address *addresses = NULL;
    size_t count = 0;
    int r = rtnl_parse_addresses(reply.data, reply.len, reader->arena, &addresses, &count);
    for (size_t i = 0; i < host->nnetdevs; i++)
        host->netdevs[i].addresses_known = true;
    for (size_t i = 0; i < count; i++) {
        struct netdev *netdev = host_find_netdev_by_index(host, addresses[i].ifindex.value);
        if (netdev)
            *ARENA_PUSH(reader->arena, netdev->addresses, netdev->naddresses) = addresses[i].address;
    }
    return r;
}

static const char *name_of(const struct host *host, struct num ifindex)
{
    const struct netdev *netdev = ifindex.known ? host_find_netdev_by_index(host, ifindex.value) : NULL;
    return netdev ? netdev->name : NULL;
}

static int take_routes(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_routes(reply.data, reply.len, reader->arena, &host->routes, &host->nroutes);
    for (size_t i = 0; i < host->nroutes; i++)
        host->routes[i].netdev = name_of(host, host->routes[i].ifindex);
    host->routes_known = r == 0;
    return r;
}

static int take_neighbours(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_neighbours(reply.data, reply.len, reader->arena, &host->neighbours, &host->nneighbours);
    for (size_t i = 0; i < host->nneighbours; i++)
        host->neighbours[i].netdev = name_of(host, host->neighbours[i].ifindex);
    return r;
}

static int take_rules(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_rules(reply.data, reply.len, reader->arena, &host->rules, &host->nrules);
    host->rules_known = r == 0;
    return r;
}

static void read_routes(struct reader *reader)
{
    netlink_read(reader, ASK_ROUTES, NULL, take_routes, NULL);
    netlink_read(reader, ASK_RULES, NULL, take_rules, NULL);
}

void read_rtnl(struct reader *reader)
{
    if (read_links(reader) == 0 && reader->needs & NEED_ADDRESSES)
        netlink_read(reader, ASK_ADDRESSES, NULL, take_addresses, NULL);
    if (reader->needs & NEED_ROUTES) {
        read_routes(reader);
        netlink_read(reader, ASK_NEIGHBOURS, NULL, take_neighbours, NULL);
    }
}

/* Does it name a peer, and nothing that tells the device? */
static bool asks_for_route(const struct service *service)
{
    return service->peer && !service->device && !service->reason;
}

void read_routes_of_services(struct reader *reader)
{
    const struct services *services = reader->host->system.services;
    bool asked = reader->needs & NEED_ROUTES || !(reader->needs & NEED_ADDRESSES);
    for (size_t i = 0; i < services->count && !asked; i++) {
        asked = asks_for_route(&services->items[i]);
        if (asked)
            read_routes(reader);
    }
}
