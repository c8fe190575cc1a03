/* SPDX-License-Identifier: MIT */
#include "command/near.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "selftest/queues/endpoint.h"
#include "selftest/queues/source_port.h"
#include "source/source.h"

/* Who has the address: does it have it? */
static void judge_address(const struct netdev *owner, const uint8_t raw[static 16], struct facts *facts)
{
    facts->address_known = owner && owner->addresses_known;
    facts->address_gone = facts->address_known;
    for (size_t i = 0; facts->address_known && i < owner->naddresses; i++) {
        const struct address *a = &owner->addresses[i];
        size_t len = a->family == AF_INET ? 4 : 16;
        if (memcmp(a->peer, raw + 16 - len, len) == 0 || memcmp(a->raw, raw + 16 - len, len) == 0)
            facts->address_gone = false;
    }
}

void near_facts(const struct host *host, const struct port *port, const struct gid *gid, struct facts *facts)
{
    const struct netdev *netdev = port_netdev(host, port);
    facts->iwarp = port->transport == TRANSPORT_IWARP;
    facts->soft = device_is_rxe(port->device);
    facts->port_down = port->state.known && port->state.value != PORT_STATE_ACTIVE;
    const struct netdev *master = netdev ? host_find_netdev(host, netdev->master) : NULL;
    facts->bond_member = master && master->kind == NETDEV_BOND;
    facts->port_mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
    if (!gid)
        return;
    facts->link_local = gid_is_link_local(gid->raw);
    judge_address(gid_netdev(host, gid), gid->raw, facts);
}

void near_facts_of(const struct host *host, const struct near_gid *near, struct facts *facts)
{
    const struct device *device = host_find_device(host, near->gid.device);
    const struct port *port = device ? device_port(device, near->gid.port) : NULL;
    const struct gid *gid = port && !wire_gid_is_iwarp(&near->gid) ? port_gid(port, near->gid.index) : NULL;
    facts->port_down = !port;
    if (port)
        near_facts(host, port, gid, facts);
    if (port && wire_gid_is_iwarp(&near->gid))
        judge_address(port_netdev(host, port), near->gid.raw, facts);
    else if (!gid || memcmp(gid->raw, near->gid.raw, sizeof(gid->raw)) != 0)
        facts->address_known = facts->address_gone = true;
}

static uint32_t ifindex_of(const struct host *host, const struct gid *gid)
{
    const struct netdev *netdev = gid_netdev(host, gid);
    return netdev && netdev->ifindex.known ? (uint32_t)netdev->ifindex.value : gid->ifindex;
}

struct list {
    struct near_gid *gids;
    size_t count, most;
};

/* Another one of this port; NULL: the list is full. */
static struct near_gid *add(struct list *list, const struct port *port, uint8_t type,
                            const uint8_t raw[static 16])
{
    if (list->count == list->most)
        return NULL;
    struct near_gid *near = &list->gids[list->count++];
    *near = (struct near_gid){ .gid = { .type = type, .port = port->number },
                               .active = num_is(port->state, PORT_STATE_ACTIVE),
                               .soft = device_is_rxe(port->device) };
    struct endpoint_spec soft = { .soft = near->soft };
    near->ports = (uint8_t)port_rule_of(port->device->driver, endpoint_is_fragile(&soft));
    memcpy(near->gid.raw, raw, sizeof(near->gid.raw));
    snprintf(near->gid.device, sizeof(near->gid.device), "%s", port->device->name);
    return near;
}

static void add_gids(const struct host *host, const struct port *port, struct list *list)
{
    for (size_t g = 0; g < port->ngids; g++) {
        const struct gid *gid = &port->gids[g];
        struct facts facts = { 0 };
        near_facts(host, port, gid, &facts);
        bool elsewhere = gid->netdev && host_knows_netdevs(host) && !gid_netdev(host, gid);
        if (elsewhere || (facts.address_known && facts.address_gone))
            continue;
        struct near_gid *near = add(list, port, (uint8_t)gid->type, gid->raw);
        if (!near)
            return;
        near->gid.index = gid->index;
        near->gid.mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
        near->ifindex = ifindex_of(host, gid);
    }
}

size_t near_addresses(const struct host *host, const struct port *port, struct near_gid *addresses,
                      size_t most)
{
    const struct netdev *netdev = port_netdev(host, port);
    struct list list = { addresses, 0, most };
    for (size_t i = 0; netdev && i < netdev->naddresses; i++) {
        uint8_t raw[16];
        gid_of_address(netdev->addresses[i].family, netdev->addresses[i].raw, raw);
        struct near_gid *near = address_is_routable(&netdev->addresses[i])
                                    ? add(&list, port, WIRE_GID_IWARP, raw)
                                    : NULL;
        if (near)
            near->ifindex = (uint32_t)netdev->ifindex.value;
    }
    return list.count;
}

size_t near_gids(const struct host *host, struct near_gid *gids, size_t most)
{
    struct list list = { gids, 0, most };
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++) {
            const struct port *port = &host->devices[d].ports[p];
            if (port->transport == TRANSPORT_ROCE)
                add_gids(host, port, &list);
            else if (port->transport == TRANSPORT_IWARP)
                list.count += near_addresses(host, port, gids + list.count, most - list.count);
        }
    return list.count;
}

static void append_name(char netdevs[static NEAR_COUNTING_SIZE], const char *name)
{
    size_t at = strlen(netdevs);
    if (at + strlen(name) + 2 <= NEAR_COUNTING_SIZE)
        snprintf(netdevs + at, NEAR_COUNTING_SIZE - at, "%s%s", at ? "," : "", name);
}

void near_counting(const struct host *host, const struct port *port, char netdevs[static NEAR_COUNTING_SIZE])
{
    const struct netdev *netdev = port_netdev(host, port);
    *netdevs = '\0';
    netdev = netdev ? netdev_base(host, netdev) : NULL;
    if (!netdev)
        return;
    for (size_t i = 0; i < netdev->nmembers; i++)
        append_name(netdevs, netdev->members[i]);
    if (!netdev->nmembers)
        append_name(netdevs, netdev->name);
}

struct priority_counts near_priorities(struct source *source, const char *netdevs)
{
    struct priority_counts counts = { 0 };
    struct arena *arena = arena_new();
    for (const char *at = netdevs; *at; at += *at == ',') {
        size_t len = strcspn(at, ","), count = 0;
        struct qos_statistic *statistics = NULL;
        if (source_statistics(source, arena_strndup(arena, at, len), arena, &statistics, &count) == 0)
            priority_counts_add(&counts, statistics, count);
        at += len;
    }
    arena_free(arena);
    return counts;
}
