/* SPDX-License-Identifier: MIT */
/* The differences between two looks at a machine, as events. */
#include "source/monitor.h"

#include <linux/rtnetlink.h>

#include "base/clock.h"
#include "source/netlink/parsers.h"

static void put(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text ? text : "");
}

#define PUT(field, text) put((field), sizeof(field), (text))

void tell(struct teller *teller, struct event *event)
{
    if (teller)
        teller->told++;
    if (!teller || !teller->listener)
        return;
    event->time_ms = clock_utc_ms();
    teller->listener(teller->data, event);
}

static void tell_gid(struct teller *teller, enum event_kind kind, const struct port *port,
                     const struct gid *gid)
{
    char address[GID_ADDRESS_SIZE];
    gid_address(gid->raw, address);
    bool added = kind == EVENT_GID_ADDED;
    TELL(teller, kind, num_of(port->number), num_of(gid->index), port->device->name, gid->netdev,
         .from = added ? NULL : address, .to = added ? address : NULL, .note = gid_type_text(gid->type));
}

static bool same_gid(const struct gid *a, const struct gid *b)
{
    return a->index == b->index && memcmp(a->raw, b->raw, 16) == 0 && a->type == b->type &&
           text_same(a->netdev, b->netdev);
}

/* Both tables are sorted by index. */
static void diff_gids(struct teller *teller, const struct port *before, const struct port *now)
{
    size_t b = 0, n = 0;
    while (b < before->ngids || n < now->ngids) {
        const struct gid *old = b < before->ngids ? &before->gids[b] : NULL;
        const struct gid *new = n < now->ngids ? &now->gids[n] : NULL;
        bool both = old && new && old->index == new->index;
        if (both && same_gid(old, new)) {
            b++;
            n++;
            continue;
        }
        if (old && (both || !new || old->index < new->index)) {
            tell_gid(teller, EVENT_GID_REMOVED, before, old);
            b++;
        }
        if (new && (both || !old || new->index < old->index)) {
            tell_gid(teller, EVENT_GID_ADDED, now, new);
            n++;
        }
    }
}

static void diff_port(struct teller *teller, const struct port *before, const struct port *now, bool gids)
{
    const char *device = now->device->name;
    const struct num number = num_of(now->number);
    if (!text_same(before->state_text, now->state_text))
        TELL(teller, EVENT_PORT_STATE, number, .device = device, .netdev = now->netdev,
             .from = before->state_text, .to = now->state_text, .note = now->phys_state_text);
    if (!gids)
        return;
    if (!text_same(before->netdev, now->netdev))
        TELL(teller, EVENT_PORT_NETDEV, number, .device = device, .from = before->netdev, .to = now->netdev);
    diff_gids(teller, before, now);
}

bool diff_devices(struct teller *teller, const struct host *before, const struct host *now, bool gids)
{
    bool changed = false;
    for (size_t i = 0; i < before->ndevices; i++)
        if (!host_find_device(now, before->devices[i].name)) {
            TELL(teller, EVENT_DEVICE_REMOVED, .device = before->devices[i].name);
            changed = true;
        }
    for (size_t i = 0; i < now->ndevices; i++) {
        const struct device *device = &now->devices[i];
        const struct device *old = host_find_device(before, device->name);
        if (!old) {
            TELL(teller, EVENT_DEVICE_ADDED, .device = device->name);
            changed = true;
        }
        for (size_t p = 0; p < device->nports; p++) {
            const struct port none = { .number = device->ports[p].number };
            const struct port *was = old ? device_port(old, device->ports[p].number) : NULL;
            diff_port(teller, was ? was : &none, &device->ports[p], gids);
        }
    }
    return changed;
}

void known_links_free(struct known_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free(links->items[i].addresses);
    free(links->items);
    *links = (struct known_links){ 0 };
}

static struct known_link *find_link(struct known_links *links, uint32_t ifindex)
{
    for (size_t i = 0; i < links->count; i++)
        if (links->items[i].ifindex == ifindex)
            return &links->items[i];
    return NULL;
}

static struct known_link *update_link(struct known_links *links, struct teller *teller,
                                      const struct netdev *netdev)
{
    const char *name = netdev->name, *state = netdev->operstate;
    const struct num mtu = netdev->mtu;
    uint32_t ifindex = (uint32_t)netdev->ifindex.value;
    struct known_link *link = find_link(links, ifindex);
    char was[24], is[24];
    if (!link) {
        links->items = mem_resize(links->items, links->count + 1, sizeof(*links->items));
        link = &links->items[links->count++];
        *link = (struct known_link){ .ifindex = ifindex, .mtu = mtu.value };
        PUT(link->name, name);
        PUT(link->state, state);
        TELL(teller, EVENT_NETDEV_ADDED, .netdev = name, .to = state);
    }
    link->seen = true;
    if (strcmp(link->name, name) != 0)
        TELL(teller, EVENT_NETDEV_RENAMED, .netdev = name, .from = link->name, .to = name);
    PUT(link->name, name);
    if (state && strcmp(link->state, state) != 0)
        TELL(teller, EVENT_NETDEV_STATE, .netdev = name, .from = *link->state ? link->state : NULL,
             .to = state);
    if (state)
        PUT(link->state, state);
    if (mtu.known && link->mtu != mtu.value) {
        snprintf(was, sizeof(was), "%llu", (unsigned long long)link->mtu);
        snprintf(is, sizeof(is), "%llu", (unsigned long long)mtu.value);
        TELL(teller, EVENT_NETDEV_MTU, .netdev = name, .from = was, .to = is);
        link->mtu = mtu.value;
    }
    return link;
}

static void remove_link(struct known_links *links, struct teller *teller, struct known_link *link)
{
    TELL(teller, EVENT_NETDEV_REMOVED, .netdev = link->name);
    free(link->addresses);
    *link = links->items[--links->count];
}

static struct address *find_address(struct address *addresses, size_t count, const struct address *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (addresses[i].family == wanted->family && addresses[i].prefix == wanted->prefix &&
            memcmp(addresses[i].raw, wanted->raw, 16) == 0)
            return &addresses[i];
    return NULL;
}

static void tell_address(struct teller *teller, const struct known_link *link, const struct address *address,
                         bool added)
{
    char text[64];
    address_format(address, text);
    TELL(teller, added ? EVENT_ADDRESS_ADDED : EVENT_ADDRESS_REMOVED, .netdev = link->name,
         .from = added ? NULL : text, .to = added ? text : NULL);
}

static void add_address(struct known_link *link, struct teller *teller, const struct address *address)
{
    struct address *known = find_address(link->addresses, link->naddresses, address);
    if (known) {
        known->flags = address->flags; /* an IPv6 address is no longer tentative */
        return;
    }
    link->addresses = mem_resize(link->addresses, link->naddresses + 1, sizeof(*link->addresses));
    link->addresses[link->naddresses++] = *address;
    tell_address(teller, link, address, true);
}

static void remove_address(struct known_link *link, struct teller *teller, const struct address *address)
{
    struct address *known = find_address(link->addresses, link->naddresses, address);
    if (!known)
        return;
    tell_address(teller, link, known, false);
    *known = link->addresses[--link->naddresses];
}

void known_links_compare(struct known_links *links, struct teller *teller, const struct host *host)
{
    for (size_t i = 0; i < links->count; i++)
        links->items[i].seen = false;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (!netdev->ifindex.known)
            continue;
        struct known_link *link = update_link(links, teller, netdev);
        for (size_t a = link->naddresses; netdev->addresses_known && a--;)
            if (!find_address(netdev->addresses, netdev->naddresses, &link->addresses[a]))
                remove_address(link, teller, &link->addresses[a]);
        for (size_t a = 0; a < netdev->naddresses; a++)
            add_address(link, teller, &netdev->addresses[a]);
    }
    for (size_t i = links->count; i--;)
        if (!links->items[i].seen)
            remove_link(links, teller, &links->items[i]);
}

static void hear_link(struct known_links *links, struct teller *teller, const struct netdev *netdev,
                      bool deleted)
{
    struct known_link *known = find_link(links, (uint32_t)netdev->ifindex.value);
    if (!deleted)
        update_link(links, teller, netdev);
    else if (known)
        remove_link(links, teller, known);
}

static void hear_address(struct known_links *links, struct teller *teller, const struct rtnl_address *heard,
                         bool deleted)
{
    struct known_link *link = find_link(links, (uint32_t)heard->ifindex.value);
    if (link && deleted)
        remove_address(link, teller, &heard->address);
    else if (link)
        add_address(link, teller, &heard->address);
}

/* A deletion has the same attributes as a dump. */
void known_links_hear(struct known_links *links, struct teller *teller, const void *bytes, size_t len)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    while (messages_next_answer(&messages, &message)) {
        bool deleted = message.type == RTM_DELLINK || message.type == RTM_DELADDR;
        bool is_link = message.type == RTM_NEWLINK || message.type == RTM_DELLINK;
        struct answer answer = is_link ? rtnl_links : rtnl_addresses;
        if (!deleted && message.type != answer.type)
            continue;
        answer.type = message.type;
        struct arena *arena = arena_new();
        struct answers answers = answers_of(&answer, message.header, sizeof(*message.header) + message.len,
                                            arena);
        struct netdev netdev = { 0 };
        struct rtnl_address address = { 0 };
        bool is_whole = answers_next(&answers) && answers_fill(&answers, is_link ? (void *)&netdev : &address);
        if (is_whole && is_link)
            hear_link(links, teller, &netdev, deleted);
        else if (is_whole)
            hear_address(links, teller, &address, deleted);
        arena_free(arena);
    }
}
