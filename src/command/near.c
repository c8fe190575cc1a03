/* SPDX-License-Identifier: MIT */
#include "command/near.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

void near_facts(const struct host *host, const struct port *port, const struct gid *gid, struct facts *facts)
{
    const struct netdev *netdev = port_netdev(host, port);
    const struct netdev *owner = gid ? gid_netdev(host, gid) : NULL;
    facts->soft = device_is_rxe(port->device);
    facts->port_down = port->state.known && port->state.value != PORT_STATE_ACTIVE;
    const struct netdev *master = netdev ? host_find_netdev(host, netdev->master) : NULL;
    facts->bond_member = master && master->kind == NETDEV_BOND;
    facts->port_mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
    if (!gid)
        return;
    facts->link_local = gid_is_link_local(gid->raw);
    facts->address_known = owner && owner->addresses_known;
    facts->address_gone = facts->address_known;
    for (size_t i = 0; facts->address_known && i < owner->naddresses; i++) {
        const struct address *a = &owner->addresses[i];
        size_t len = a->family == AF_INET ? 4 : 16;
        if (memcmp(a->peer, gid->raw + 16 - len, len) == 0 || memcmp(a->raw, gid->raw + 16 - len, len) == 0)
            facts->address_gone = false;
    }
}

static uint32_t ifindex_of(const struct host *host, const struct gid *gid)
{
    const struct netdev *netdev = gid_netdev(host, gid);
    return netdev && netdev->ifindex.known ? (uint32_t)netdev->ifindex.value : gid->ifindex;
}

static void fill(const struct host *host, const struct port *port, const struct gid *gid,
                 struct near_gid *near)
{
    *near = (struct near_gid){ .gid = { .type = (uint8_t)gid->type,
                                        .port = port->number,
                                        .index = gid->index,
                                        .mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0 },
                               .ifindex = ifindex_of(host, gid),
                               .active = num_is(port->state, PORT_STATE_ACTIVE),
                               .soft = device_is_rxe(port->device) };
    memcpy(near->gid.raw, gid->raw, sizeof(near->gid.raw));
    snprintf(near->gid.device, sizeof(near->gid.device), "%s", port->device->name);
}

size_t near_gids(const struct host *host, struct near_gid *gids, size_t most)
{
    size_t count = 0;
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++) {
            const struct port *port = &host->devices[d].ports[p];
            for (size_t g = 0; port->transport == TRANSPORT_ROCE && g < port->ngids && count < most; g++) {
                struct facts facts = { 0 };
                near_facts(host, port, &port->gids[g], &facts);
                if (!(facts.address_known && facts.address_gone))
                    fill(host, port, &port->gids[g], &gids[count++]);
            }
        }
    return count;
}
