/* SPDX-License-Identifier: MIT */
/* GIDs and the addresses they are made from. The kernel's rules are in drivers/infiniband/core/roce_gid_mgmt.c:
 * each address of the RDMA netdev and of anything above it, even a bridge, gives one GID per type (v1, then
 * v2), in the first free slot; an entry in use keeps its slot. */
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include "check/judge.h"

enum { IFA_TENTATIVE = 0x40, IFA_DADFAILED = 0x08, IFA_NOPREFIXROUTE = 0x200 };

/* RDMA_CM goes by the address, whichever device has its GID. */
static bool any_has_gid(const struct host *host, const uint8_t raw[static 16])
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port_is_roce(port) && port_next_gid(port, raw, NULL))
            return true;
    return false;
}

static bool gives_gid(const struct address *address)
{
    return (address->family == AF_INET || address->family == AF_INET6) &&
           !(address->flags & (IFA_TENTATIVE | IFA_DADFAILED));
}

static const struct address *address_without_gid(const struct subject *s, const struct netdev *netdev)
{
    if (!netdev->flags.known || !(netdev->flags.value & IFF_UP))
        return NULL;
    for (size_t i = 0; i < netdev->naddresses; i++) {
        uint8_t raw[16];
        kernels_gid(&netdev->addresses[i], raw);
        if (gives_gid(&netdev->addresses[i]) && !any_has_gid(s->host, raw))
            return &netdev->addresses[i];
    }
    return NULL;
}

/* The port has no netdev, or its addresses aren't known. */
PRECONDITION(no_addresses)
{
    if (!s->netdev)
        return judge_na(j, "the port has no netdev here");
    if (!s->netdev->addresses_known)
        return judge_unknown(j, "addresses of %s: netlink did not answer", s->netdev->name);
    return VERDICTS;
}

/* A route to the address's subnet that somebody added: NetworkManager has the kernel add none, and adds it
 * itself. */
static bool has_route(const struct host *host, const struct netdev *netdev, const struct address *address)
{
    for (size_t i = 0; i < host->nroutes; i++) {
        const struct route *route = &host->routes[i];
        if (route->family == address->family && route->prefix == address->prefix && !route->has_gateway &&
            route->type == RTN_UNICAST && text_is(route->netdev, netdev->name) &&
            prefix_holds(route->destination, route->prefix, address->peer))
            return true;
    }
    return false;
}

/* Does the kernel consider the address's subnet to be on the netdev's own link? */
static bool has_subnet(const struct host *host, const struct netdev *netdev, const struct address *address)
{
    return address->family == AF_INET && address->prefix < 32 && address_is_routable(address) &&
           (!(address->flags & IFA_NOPREFIXROUTE) || has_route(host, netdev, address));
}

/* Puts an address where it belongs: elsewhere if another netdev takes the frames of the one that has it, else
 * there anew. */
static void fix_place(const struct subject *s, struct judgement *j, const struct netdev *netdev,
                      const char *address)
{
    const struct netdev *taker;
    enum frames frames = netdev_frames(s->host, netdev, &taker);
    const char *name = fix_name(j, netdev->name), *family = strchr(address, ':') ? " -6" : "";
    if (!frames_include_arp(frames)) /* removing an address also removes the routes through it */
        judge_interrupting(j,
                           "ip%s route save dev %s >/run/routes; ip address del %s dev %s; ip address add %s "
                           "dev %s; ip%s route restore </run/routes",
                           family, name, address, name, address, name, family);
    else if (frames == FRAMES_TO_BRIDGE)
        judge_interrupting(j, "ip link set dev %s nomaster", name);
    else if (frames == FRAMES_TO_BOND || frames == FRAMES_TO_TEAM)
        judge_command(j,
                      "ip address del %s dev %s # interrupts what uses it; the %s's own address is for all its "
                      "members",
                      address, name, netdev_kind_text(taker->kind));
    else if (frames == FRAMES_TO_OPENVSWITCH)
        judge_interrupting(j,
                           "ip address del %s dev %s && ip address add %s dev %s # the bridge's internal port, "
                           "whose addresses give no GID: RDMA needs a netdev outside the vSwitch, such as a "
                           "virtual function, or: ovs-vsctl del-port %s",
                           address, name, address, fix_internal_port(s, j), name);
    else
        judge_interrupting(j, "ip address del %s dev %s && ip address add %s dev %s", address, name, address,
                           fix_name(j, taker->name));
}

static enum verdict judge_taken(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev, *taker;
    enum frames frames = netdev_frames(s->host, netdev, &taker);
    bool up = netdev->flags.known && netdev->flags.value & IFF_UP;
    for (size_t i = 0; up && frames_include_arp(frames) && i < netdev->naddresses; i++) {
        if (!has_subnet(s->host, netdev, &netdev->addresses[i]))
            continue;
        const char *text = arena_address(j->arena, &netdev->addresses[i]);
        fix_place(s, j, netdev, text);
        return judge_warn(j, "%s is on %s, %s %s: answers to its ARP requests go to %s", text, netdev->name,
                          frames_text(frames), taker->name, taker->name);
    }
    return VERDICTS;
}

/* DPDK takes the packets that it wants off the port before the kernel sees them, by rules that nothing shows. A
 * context alone is of a program that looked. */
static enum verdict judge_dpdk(const struct subject *s, struct judgement *j)
{
    const struct resources *resources = s->host->resources;
    for (size_t i = 0; resources && s->netdev->naddresses && i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        const char *software = program_software(item->comm);
        if (text_is(item->device, s->device->name) && item->type != RESOURCE_CTX && software &&
            text_starts(software, "DPDK"))
            return judge_unknown(j, "%s has %s: which packets still reach %s only %s knows", item->comm,
                                 s->device->name, s->netdev->name, software);
    }
    return VERDICTS;
}

/* Software RoCE has the GIDs of what is above its netdev, too, and only some of them are of use. */
static enum verdict judge_beside(const struct subject *s, struct judgement *j)
{
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        struct cut cut;
        if (!gid_is_routable(gid->raw) || !gid_is_cut_off(s->host, s->port, gid, &cut) || !cut.own)
            continue;
        fix_address(s, j, "", "{ADDRESS/PREFIX}", "");
        return judge_as(j, port_first_reached(s->host, s->port) ? VERDICT_INFO : VERDICT_WARN,
                        "GID %" PRIu32 " (%s) is of %s: %s takes the packets of %s and its VLANs alone",
                        gid->index, gid_address_text(j->arena, gid->raw), gid->netdev, s->device->name,
                        cut.own->name);
    }
    return VERDICTS;
}

/* The members of these have the GIDs of the netdev above, or none. */
static bool has_gids_of_master(enum frames frames)
{
    return frames == FRAMES_TO_BOND || frames == FRAMES_TO_TEAM || frames == FRAMES_TO_SYNTHETIC ||
           frames == FRAMES_UNKNOWN;
}

JUDGE(gid_address)
{
    enum verdict verdict = judge_taken(s, j);
    verdict = verdict == VERDICTS ? judge_dpdk(s, j) : verdict;
    if (verdict != VERDICTS)
        return verdict;
    if (has_gids_of_master(netdev_frames(s->host, s->netdev, NULL)))
        return judge_na(j, "%s is a member of %s", s->netdev->name, s->netdev->master);
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *netdev = &s->host->netdevs[i];
        if (!netdev_is_above(s->host, netdev, s->netdev))
            continue;
        const struct address *address = address_without_gid(s, netdev);
        if (!address)
            continue;
        if (gid_slot_problem(s->host, s->port, j->arena))
            return judge_unknown(j, "%s could not be read whole", port_path(j, s->port, "gids"));
        const char *text = arena_address(j->arena, address);
        fix_place(s, j, netdev, text);
        return judge_fail(j, "%s of %s has no GID in %s", text, netdev->name, port_path(j, s->port, "gids"));
    }
    verdict = judge_beside(s, j);
    return verdict != VERDICTS ? verdict : judge_pass(j, "each address of %s has its GID", s->netdev->name);
}

/* Was the link-local GID made from a MAC, but not from its netdev's? Then the MAC changed while the device was
 * being registered, and the core missed it (fixed by 9af0feae8016 of Linux 7.0;
 * github.com/NVIDIA/NV-Kernels/pull/358). A dev_id replaces the middle. */
static bool is_of_another_mac(const struct netdev *netdev, const uint8_t raw[static 16])
{
    uint8_t mac[6], own[16];
    bool plain = gid_is_link_local(raw) && raw[11] == 0xff && raw[12] == 0xfe;
    if (!plain || !netdev_mac(netdev, mac) || (netdev->dev_id.known && netdev->dev_id.value))
        return false;
    gid_of_mac(mac, own);
    return memcmp(raw + 8, own + 8, 8) != 0;
}

/* Only its position does harm: the GIDs after it have different indexes than on other hosts. */
static enum verdict judge_old_mac(const struct subject *s, struct judgement *j)
{
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = gid_netdev(s->host, gid);
        if (!netdev || !netdev->addresses_known || !is_of_another_mac(netdev, gid->raw) ||
            address_with_gid(netdev, gid->raw))
            continue;
        return judge_info(j, "%s: %s, of a MAC that %s had before %s; it shifts the other GIDs' indexes",
                          gid_path(j, s->port, gid->index), gid_address_text(j->arena, gid->raw), netdev->name,
                          netdev->mac);
    }
    return VERDICTS;
}

/* The kernel drops what isn't for one of its addresses before rxe sees it: the default GID, which is made from
 * the MAC, needs an address there. Hardware needs none. */
static enum verdict judge_soft_default(const struct subject *s, struct judgement *j)
{
    for (size_t i = 0; device_is_soft(s->device) && i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = gid_netdev(s->host, gid);
        if (!netdev || !netdev->addresses_known || !gid_is_link_local(gid->raw) ||
            address_with_gid(netdev, gid->raw) || gid_is_cut_off(s->host, s->port, gid, NULL))
            continue;
        const char *text = gid_address_text(j->arena, gid->raw);
        judge_command(j, "ip address add %s/64 dev %s", text, fix_name(j, netdev->name));
        return judge_info(j, "%s: %s, which isn't an address of %s: nothing that is sent to it arrives",
                          gid_path(j, s->port, gid->index), text, netdev->name);
    }
    return VERDICTS;
}

JUDGE(gid_stale)
{
    size_t looked = 0;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = gid_netdev(s->host, gid);
        if (!netdev || gid_is_link_local(gid->raw)) /* default GIDs come from the MAC, not from an address */
            continue;
        if (!netdev->addresses_known)
            return judge_unknown(j, "addresses of %s: netlink did not answer", netdev->name);
        looked++;
        if (address_with_gid(netdev, gid->raw))
            continue;
        judge_interrupting(
            j, "ip link set dev %s down && ip link set dev %s up # static routes have to be set again",
            fix_name(j, netdev->name), fix_name(j, netdev->name));
        return judge_warn(j, "%s: %s, which isn't an address of %s", gid_path(j, s->port, gid->index),
                          gid_address_text(j->arena, gid->raw), netdev->name);
    }
    enum verdict verdict = judge_old_mac(s, j);
    if (verdict == VERDICTS)
        verdict = judge_soft_default(s, j);
    if (verdict != VERDICTS)
        return verdict;
    return looked ? judge_pass(j, "%zu GIDs belong to addresses that exist", looked)
                  : judge_na(j, "no GID belongs to an address of a netdev here");
}
