/* SPDX-License-Identifier: MIT */
/* Netdevs: their kinds, their addresses, and how they are stacked. */
#include "model/netdev.h"

#include <arpa/inet.h>

#include "model/host.h"

/* The kernel nests no deeper than 8; a forged recording may contain a loop. */
enum { MOST_LAYERS = 16, LAYERS_ABOVE = 8 };

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

enum netdev_kind netdev_kind_of(const char *word)
{
    for (size_t i = 0; i < ARRAY_SIZE(kind_texts); i++)
        if (strcmp(kind_texts[i], word) == 0)
            return (enum netdev_kind)i;
    return strcmp(word, "macvtap") == 0  ? NETDEV_MACVLAN
           : strcmp(word, "ipvtap") == 0 ? NETDEV_IPVLAN
                                         : NETDEV_OTHER;
}

/* Skips a prefix and the number after it; NULL if text doesn't begin with them. */
static const char *skip_numbered(const char *text, const char *prefix)
{
    size_t len = strlen(prefix), digits;
    if (!text || strncmp(text, prefix, len) != 0)
        return NULL;
    digits = strspn(text + len, "0123456789");
    return digits ? text + len + digits : NULL;
}

bool netdev_is_representor_name(const char *phys_port_name)
{
    const char *of_controller = skip_numbered(phys_port_name, "c");
    const char *rest = skip_numbered(of_controller ? of_controller : phys_port_name, "pf");
    const char *of_vf = skip_numbered(rest, "vf"), *of_sf = skip_numbered(rest, "sf");
    rest = of_vf ? of_vf : of_sf ? of_sf : rest;
    return rest && !*rest;
}

bool device_is_switch(const struct host *host, const struct device *device)
{
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (device->parent && text_is(netdev->parent, device->parent) &&
            (netdev->phys_switch_id || netdev_is_representor_name(netdev->phys_port_name)))
            return true;
    }
    return false;
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

const struct netdev *netdev_vlan(const struct host *host, const struct netdev *netdev)
{
    for (int i = 0; i < MOST_LAYERS && netdev && netdev->kind != NETDEV_VLAN; i++)
        netdev = netdev->lower ? host_find_netdev(host, netdev->lower) : NULL;
    return netdev && netdev->kind == NETDEV_VLAN ? netdev : NULL;
}

const struct netdev *netdev_vlan_real(const struct host *host, const struct netdev *vlan)
{
    for (int i = 0; i < MOST_LAYERS && vlan && vlan->kind == NETDEV_VLAN; i++)
        vlan = vlan->lower ? host_find_netdev(host, vlan->lower) : NULL;
    return vlan && vlan->kind != NETDEV_VLAN ? vlan : NULL;
}

/* The netdevs below one, in the order they are reached. Each is visited once: in a recording anything may be a
 * member of anything. */
struct descent {
    const struct host *host;
    bool *met; /* by index in the host's netdevs */
    const struct netdev **netdevs;
    size_t count;
};

static void meet(struct descent *d, const char *name)
{
    const struct netdev *netdev = host_find_netdev(d->host, name);
    if (!netdev || d->met[netdev - d->host->netdevs])
        return;
    d->met[netdev - d->host->netdevs] = true;
    d->netdevs[d->count++] = netdev;
}

static bool reaches(struct descent *d, const struct netdev *target)
{
    size_t at = 0;
    for (int layer = 0; layer <= LAYERS_ABOVE; layer++)
        for (size_t end = d->count; at < end; at++) {
            const struct netdev *netdev = d->netdevs[at];
            if (netdev == target)
                return true;
            meet(d, netdev->lower);
            for (size_t i = 0; i < netdev->nmembers; i++)
                meet(d, netdev->members[i]);
        }
    return false;
}

bool netdev_is_above(const struct host *host, const struct netdev *upper, const struct netdev *netdev)
{
    /* mostly a VLAN or two */
    for (int layer = 0; !upper->nmembers; layer++) {
        if (upper == netdev)
            return true;
        upper = upper->lower && layer < LAYERS_ABOVE ? host_find_netdev(host, upper->lower) : NULL;
        if (!upper)
            return false;
    }
    struct descent d = { .host = host,
                         .met = mem_alloc(host->nnetdevs + 1, sizeof(*d.met)),
                         .netdevs = mem_alloc(host->nnetdevs + 1, sizeof(*d.netdevs)) };
    d.netdevs[d.count++] = upper;
    bool found = reaches(&d, netdev);
    free(d.met);
    free((void *)d.netdevs);
    return found;
}

struct num netdev_vlan_pcp(const struct netdev *vlan, unsigned priority)
{
    if (vlan->classes)
        return num_of(vlan->classes->of_priority[priority % KERNEL_PRIORITIES] & 7);
    if (vlan->classes_unknown)
        return (struct num){ 0 };
    for (size_t i = 0; i < vlan->negress; i++)
        if (vlan->egress[i].priority == priority)
            return num_of(vlan->egress[i].pcp);
    return num_if(vlan->egress_known, 0);
}

bool netdev_has_address(const struct netdev *netdev, const uint8_t gid[static 16])
{
    uint8_t own[16];
    for (size_t i = 0; i < netdev->naddresses; i++) {
        gid_of_address(netdev->addresses[i].family, netdev->addresses[i].raw, own);
        if (memcmp(own, gid, sizeof(own)) == 0)
            return true;
    }
    return false;
}

const struct netdev *netdev_with_address(const struct host *host, const uint8_t gid[static 16])
{
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (netdev_has_address(&host->netdevs[i], gid))
            return &host->netdevs[i];
    return NULL;
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
