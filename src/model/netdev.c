/* SPDX-License-Identifier: MIT */
/* Netdevs: their kinds, their addresses, and how they are stacked. */
#include "model/netdev.h"

#include <arpa/inet.h>

#include "model/host.h"
#include "tables.h"

/* The kernel nests no deeper than 8; a forged recording may contain a loop. */
enum { MOST_LAYERS = 16, LAYERS_ABOVE = 8 };

static const char *const kind_texts[] = { WORDS_NETDEV_KIND };

const char *netdev_kind_text(enum netdev_kind kind)
{
    return kind_texts[kind];
}

bool netdev_mac(const struct netdev *netdev, uint8_t mac[static 6])
{
    return netdev->mac && text_to_bytes(netdev->mac, strlen(netdev->mac), 1, mac, 6) == 6;
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

static const char *const frames_texts[] = { WORDS_FRAMES };

const char *frames_text(enum frames frames)
{
    return frames_texts[frames];
}

bool frames_include_arp(enum frames frames)
{
    return frames >= FRAMES_TO_BOND;
}

static enum frames frames_of(const struct netdev *master)
{
    static const enum frames by_kind[] = { [NETDEV_VRF] = FRAMES_TO_VRF,
                                           [NETDEV_BOND] = FRAMES_TO_BOND,
                                           [NETDEV_TEAM] = FRAMES_TO_TEAM,
                                           [NETDEV_BRIDGE] = FRAMES_TO_BRIDGE,
                                           [NETDEV_OPENVSWITCH] = FRAMES_TO_OPENVSWITCH };
    if (master && master->kind < ARRAY_SIZE(by_kind) && by_kind[master->kind])
        return by_kind[master->kind];
    return master && text_is(master->driver, "hv_netvsc") ? FRAMES_TO_SYNTHETIC : FRAMES_UNKNOWN;
}

enum frames netdev_frames(const struct host *host, const struct netdev *netdev, const struct netdev **taker)
{
    const struct netdev *found = host_find_netdev(host, netdev->master);
    enum frames frames = netdev->master ? frames_of(found) : FRAMES_KEPT;
    for (size_t i = 0; !netdev->master && i < netdev->nuppers; i++)
        if (netdev->uppers[i]->kind == NETDEV_MACVLAN && text_is(netdev->uppers[i]->macvlan_mode, "passthru")) {
            found = netdev->uppers[i];
            frames = FRAMES_TO_MACVLAN;
        }
    if (taker)
        *taker = found;
    return frames;
}

bool port_is_taken(const struct host *host, const struct port *port)
{
    const struct netdev *netdev = port_netdev(host, port);
    return netdev && frames_include_arp(netdev_frames(host, netdev, NULL));
}

/* The datapath itself has no port's address: its own netdev is nobody's. */
const struct netdev *netdev_internal_port(const struct host *host)
{
    const struct netdev *found = NULL;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (netdev->kind != NETDEV_OPENVSWITCH || netdev->nmembers || strcmp(netdev->name, "ovs-system") == 0)
            continue;
        if (found)
            return NULL;
        found = netdev;
    }
    return found;
}

bool gid_is_cut_off(const struct host *host, const struct port *port, const struct gid *gid, struct cut *cut)
{
    const struct netdev *own = port_netdev(host, port), *netdev = gid_netdev(host, gid);
    bool soft = device_is_rxe(port->device);
    struct cut found = { 0 };
    if (!netdev || (soft && !own))
        return false;
    found.frames = netdev_frames(host, netdev, &found.taker);
    const struct netdev *real = netdev_vlan_real(host, netdev);
    if (soft && netdev != own && real && real != own) {
        found = (struct cut){ .own = own };
    } else if (!frames_include_arp(found.frames) && !(soft && found.frames == FRAMES_TO_VRF)) {
        return false;
    }
    if (cut)
        *cut = found;
    return true;
}

const struct gid *port_first_reached(const struct host *host, const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (gid->type == GID_TYPE_ROCE_V2 && gid_is_routable(gid->raw) &&
            !gid_is_cut_off(host, port, gid, NULL))
            return gid;
    }
    return NULL;
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

void kernels_gid(const struct address *address, uint8_t raw[static 16])
{
    static const uint8_t none[16];
    gid_of_address(address->family, memcmp(address->peer, none, 16) ? address->peer : address->raw, raw);
}

static int compare_gid(const void *raw, const void *address)
{
    uint8_t own[16];
    kernels_gid(*(const struct address *const *)address, own);
    return memcmp(raw, own, sizeof(own));
}

/* The first of those with one GID is the first in the array. */
static int by_gid(const void *a, const void *b)
{
    uint8_t raw[16];
    const struct address *x = *(const struct address *const *)a, *y = *(const struct address *const *)b;
    kernels_gid(x, raw);
    int order = compare_gid(raw, b);
    return order ? order : (x > y) - (x < y);
}

void netdev_order_addresses(struct netdev *netdev, struct arena *arena)
{
    netdev->by_gid = arena_alloc(arena, netdev->naddresses + 1, sizeof(*netdev->by_gid));
    for (size_t i = 0; i < netdev->naddresses; i++)
        netdev->by_gid[i] = &netdev->addresses[i];
    qsort((void *)netdev->by_gid, netdev->naddresses, sizeof(*netdev->by_gid), by_gid);
}

const struct address *address_with_gid(const struct netdev *netdev, const uint8_t raw[static 16])
{
    const struct address *const *found = NULL;
    if (netdev->by_gid && netdev->naddresses)
        found = bsearch(raw, (const void *)netdev->by_gid, netdev->naddresses, sizeof(*found), compare_gid);
    for (size_t i = 0; !netdev->by_gid && i < netdev->naddresses; i++) {
        const struct address *address = &netdev->addresses[i];
        if (compare_gid(raw, &address) == 0)
            return address;
    }
    return found ? *found : NULL;
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

const char *arena_address(struct arena *arena, const struct address *address)
{
    char text[64];
    address_format(address, text);
    return arena_strdup(arena, text);
}

const char *arena_subnet(struct arena *arena, const struct address *address)
{
    struct address subnet = *address;
    for (unsigned bit = subnet.prefix; bit < sizeof(subnet.raw) * 8; bit++)
        subnet.raw[bit / 8] &= (uint8_t) ~(0x80U >> bit % 8);
    return arena_address(arena, &subnet);
}

static const struct {
    const char *driver, *module;
} rdma_drivers[] = { RDMA_DRIVERS };

const char *rdma_module_of(const char *driver)
{
    for (size_t i = 0; i < ARRAY_SIZE(rdma_drivers); i++)
        if (text_is(driver, rdma_drivers[i].driver))
            return rdma_drivers[i].module;
    return NULL;
}

const struct netdev *host_rdma_capable_netdev(const struct host *host)
{
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (rdma_module_of(host->netdevs[i].driver))
            return &host->netdevs[i];
    return NULL;
}
