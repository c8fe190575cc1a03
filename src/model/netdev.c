/* SPDX-License-Identifier: MIT */
#include "model/netdev.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "model/host.h"

enum { MOST_LAYERS = 16 }; /* the kernel nests no deeper than 8; a forged recording may be a circle */

/* clang-format off */
static const char *const kind_texts[] = {
    [NETDEV_PHYSICAL] = "physical",
    [NETDEV_VLAN] = "vlan",
    [NETDEV_BOND] = "bond",
    [NETDEV_BRIDGE] = "bridge",
    [NETDEV_MACVLAN] = "macvlan",
    [NETDEV_IPVLAN] = "ipvlan",
    [NETDEV_IPOIB] = "ipoib",
    [NETDEV_VETH] = "veth",
    [NETDEV_VXLAN] = "vxlan",
    [NETDEV_LOOPBACK] = "loopback",
    [NETDEV_DUMMY] = "dummy",
    [NETDEV_REPRESENTOR] = "representor",
    [NETDEV_OTHER] = "other",
};
/* clang-format on */

const char *netdev_kind_text(enum netdev_kind kind)
{
    return kind_texts[kind];
}

bool netdev_is_representor_name(const char *phys_port_name)
{
    unsigned pf;
    char kind[3];
    return phys_port_name && sscanf(phys_port_name, "pf%u%2[vs]f", &pf, kind) == 2;
}

const struct netdev *netdev_base(const struct host *host, const struct netdev *netdev)
{
    for (int i = 0; i < MOST_LAYERS && netdev->lower; i++) {
        const struct netdev *lower = host_find_netdev(host, netdev->lower);
        if (!lower)
            break;
        netdev = lower;
    }
    return netdev;
}

static bool reaches(const struct host *host, const struct netdev *from, const struct netdev *target,
                    int layers)
{
    if (from == target)
        return true;
    if (layers == 0)
        return false;
    for (size_t i = 0; i < 1 + from->nmembers; i++) {
        const char *name = i == 0 ? from->lower : from->members[i - 1];
        const struct netdev *next = host_find_netdev(host, name);
        if (next && reaches(host, next, target, layers - 1))
            return true;
    }
    return false;
}

bool netdev_is_above(const struct host *host, const struct netdev *upper, const struct netdev *netdev)
{
    return reaches(host, upper, netdev, 8);
}

bool address_is_routable(const struct address *address)
{
    uint8_t gid[16];
    gid_of_address(address->family, address->raw, gid);
    return gid_is_routable(gid);
}

static int rank_of(const struct address *address)
{
    return !address_is_routable(address) ? 1 : address->family == AF_INET ? 3 : 2;
}

const struct address *netdev_main_address(const struct netdev *netdev)
{
    const struct address *best = NULL;
    for (size_t i = 0; netdev && i < netdev->naddresses; i++)
        if (!best || rank_of(&netdev->addresses[i]) > rank_of(best))
            best = &netdev->addresses[i];
    return best;
}

void address_format(const struct address *address, char text[static 64])
{
    char plain[INET6_ADDRSTRLEN];
    inet_ntop(address->family, address->raw, plain, sizeof(plain));
    snprintf(text, 64, "%s/%u", plain, address->prefix);
}
