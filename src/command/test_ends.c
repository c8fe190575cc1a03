/* SPDX-License-Identifier: MIT */
/* The ends of a test: this host's GIDs, the other host as the user named it, and what a server offers. */
#include "command/test_ends.h"

#include "source/source.h"

/* Does the netdev that should own the address have it? */
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
    facts->iwarp = port->transport == TRANSPORT_IWARP;
    facts->soft = device_is_rxe(port->device);
    facts->port_down = port->state.known && port->state.value != PORT_STATE_ACTIVE;
    facts->port_mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
    if (!gid)
        return;
    facts->cut_off = gid_is_cut_off(host, port, gid, NULL);
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

static void append_name(char netdevs[static WIRE_NAME_SIZE], const char *name)
{
    size_t at = strlen(netdevs);
    if (at + strlen(name) + 2 <= WIRE_NAME_SIZE)
        snprintf(netdevs + at, WIRE_NAME_SIZE - at, "%s%s", at ? "," : "", name);
}

/* The netdev whose driver counts what a port sends and receives, or the members of a bond. */
static void name_counting(const struct host *host, const struct port *port, char netdevs[static WIRE_NAME_SIZE])
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

struct near_list {
    const struct host *host;
    struct near_gid *gids;
    size_t count, most;
};

/* Adds one for this port; NULL if the list is full. */
static struct near_gid *add_near(struct near_list *list, const struct port *port, uint8_t type,
                                 const uint8_t raw[static 16])
{
    const struct device *device = port->device;
    if (list->count == list->most)
        return NULL;
    struct near_gid *near = &list->gids[list->count++];
    *near = (struct near_gid){ .gid = { .type = type, .port = port->number },
                               .active = num_is(port->state, PORT_STATE_ACTIVE),
                               .soft = device_is_rxe(device),
                               .rate_gbits = port->rate_mbps.known ? (double)port->rate_mbps.value / 1000 : 0 };
    struct endpoint_spec soft = { .soft = near->soft };
    near->ports = (uint8_t)port_rule_of(device->driver, endpoint_is_fragile(&soft));
    memcpy(near->gid.raw, raw, sizeof(near->gid.raw));
    snprintf(near->gid.device, sizeof(near->gid.device), "%s", device->name);
    snprintf(near->node, sizeof(near->node), "%s", device->uverbs.path ? device->uverbs.path : "");
    name_counting(list->host, port, near->netdevs);
    return near;
}

static void add_gids(struct near_list *list, const struct port *port)
{
    const struct host *host = list->host;
    for (size_t g = 0; g < port->ngids; g++) {
        const struct gid *gid = &port->gids[g];
        struct facts facts = { 0 };
        near_facts(host, port, gid, &facts);
        bool elsewhere = gid->netdev && host_knows_netdevs(host) && !gid_netdev(host, gid);
        if (elsewhere || (facts.address_known && facts.address_gone))
            continue;
        struct near_gid *near = add_near(list, port, (uint8_t)gid->type, gid->raw);
        if (!near)
            return;
        near->gid.index = gid->index;
        near->gid.mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
        near->ifindex = ifindex_of(host, gid);
    }
}

size_t near_addresses(const struct host *host, const struct port *port, struct near_gid *addresses, size_t most)
{
    const struct netdev *netdev = port_netdev(host, port);
    struct near_list list = { host, addresses, 0, most };
    for (size_t i = 0; netdev && i < netdev->naddresses; i++) {
        uint8_t raw[16];
        gid_of_address(netdev->addresses[i].family, netdev->addresses[i].raw, raw);
        struct near_gid *near = address_is_routable(&netdev->addresses[i])
                                    ? add_near(&list, port, WIRE_GID_IWARP, raw)
                                    : NULL;
        if (near)
            near->ifindex = (uint32_t)netdev->ifindex.value;
    }
    return list.count;
}

size_t near_gids(const struct host *host, struct near_gid *gids, size_t most)
{
    struct near_list list = { host, gids, 0, most };
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port->transport == TRANSPORT_ROCE)
            add_gids(&list, port);
        else if (port->transport == TRANSPORT_IWARP)
            list.count += near_addresses(host, port, gids + list.count, most - list.count);
    return list.count;
}

struct priority_counts near_priorities(struct source *source, const char *netdevs)
{
    struct priority_counts counts = { 0 };
    struct arena *arena = arena_new();
    const char *at;
    for (size_t len; (at = text_next_item(&netdevs, ',', &len));) {
        size_t count = 0;
        struct qos_statistic *statistics = NULL;
        if (source_statistics(source, arena_strndup(arena, at, len), arena, &statistics, &count) == 0)
            priority_counts_add(&counts, statistics, count);
    }
    arena_free(arena);
    return counts;
}

/* If a name gave no address, the advice is the same in every case. */
static void say_unresolved(const char *name, int err, const struct resolved *found, uint32_t ms)
{
    static const char instead[] =
        "name the host by the address of one of its RoCE ports, or add a line for it to /etc/hosts";
    const char *servers = *found->servers ? found->servers : "none in /etc/resolv.conf";
    if (err == -EINTR)
        say_note("interrupted");
    else if (err == -ENOENT)
        say_error("'%s': no such host, neither in /etc/hosts nor in DNS (%s): check the spelling, %s (NIS, "
                  "LDAP and mDNS aren't asked)",
                  name, servers, instead);
    else if (err == -ENODATA)
        say_error("'%s': DNS (%s) knows the name, but no IPv4 or IPv6 address of it: %s", name, servers,
                  instead);
    else if (err == -ETIMEDOUT)
        say_error("'%s' isn't in /etc/hosts, and DNS (%s) didn't answer within the %g s that --timeout allows: "
                  "see whether that server can be reached (/etc/resolv.conf), or %s",
                  name, servers, ms / 1000.0, instead);
    else
        say_error("'%s' isn't in /etc/hosts, and DNS (%s) failed: %s; %s", name, servers,
                  found->trouble ? found->trouble : say_errno(-err), instead);
}

int far_host_find(const char *text, struct client_spec *spec, struct far_host *far)
{
    uint16_t port = CONNECTION_PORT;
    memset(far, 0, sizeof(*far));
    if (address_parse(text, CONNECTION_PORT, &spec->address) == 0)
        return 0;
    if (address_name(text, far->name, &port) < 0)
        return say_invalid("'%s' is neither an address nor a host's name: 10.0.0.1, 10.0.0.1:18517, "
                           "[2001:db8::1]:18517, fe80::1%%eth0, node7 or node7:18517",
                           text);
    int r = resolve_name(far->name, port, spec->options->timeout, &far->found);
    if (r < 0) {
        say_unresolved(far->name, r, &far->found, spec->options->timeout);
        return r;
    }
    far->preferred = resolve_prefer(&far->found, &spec->near);
    spec->address = far->found.addresses[far->taken];
    return 0;
}

int far_host_next(struct far_host *far, const struct failure *failure, struct client_spec *spec)
{
    char old[ADDRESS_TEXT_SIZE], new[ADDRESS_TEXT_SIZE];
    if (far->taken + 1 >= far->found.count)
        return -ENOENT;
    address_text(&spec->address, old);
    far->taken++;
    spec->address = far->found.addresses[far->taken];
    address_text(&spec->address, new);
    say_note("%s: %s: %s; trying %s", far->name, old, say_errno(failure->err), new);
    return 0;
}

bool far_host_text(const struct far_host *far, const struct client_spec *spec,
                   char text[static FAR_HOST_TEXT_SIZE])
{
    char address[ADDRESS_TEXT_SIZE];
    size_t len;
    if (far->found.count == 0)
        return false;
    address_host_text(&spec->address, address);
    len = (size_t)snprintf(text, FAR_HOST_TEXT_SIZE, "%.253s is %s (%s)", far->name, address,
                           far->found.source);
    if (far->found.count > 1)
        snprintf(text + len, FAR_HOST_TEXT_SIZE - len, ", of %zu addresses the first%s", far->found.count,
                 far->taken > 0       ? " that can be connected to"
                 : far->preferred > 0 ? " that a GID here can talk to"
                                      : "");
    return true;
}

struct host *hosting_read(struct hosting *hosting, needs_t needs)
{
    struct host *host = NULL;
    pthread_mutex_lock(&hosting->lock);
    int r = host_read(hosting->source, needs, &host);
    pthread_mutex_unlock(&hosting->lock);
    return r == 0 ? host : NULL;
}

static struct host *read_gids(void *data)
{
    return hosting_read(data, NEAR_NEEDS);
}

static struct host *read_counters(void *data)
{
    return hosting_read(data, GROWN_NEEDS);
}

/* Clients share a reading, as a table of GIDs has a thousand slots. */
void hosting_offer(void *data, struct session_offer *offer)
{
    struct hosting *hosting = data;
    const struct host *host = readings_take(hosting->gids, wait_now());
    memset(offer, 0, sizeof(*offer));
    gethostname(offer->host, sizeof(offer->host) - 1);
    size_t count = host ? near_gids(host, offer->gids, WIRE_GIDS_MOST) : 0;
    for (size_t i = 0; i < count; i++)
        if (offer->gids[i].active)
            offer->gids[offer->count++] = offer->gids[i];
    readings_give_back(hosting->gids, host);
}

static const struct host *take_reading(void *data, uint64_t since)
{
    return readings_take(((struct hosting *)data)->counters, since);
}

static void give_back(void *data, const struct host *reading)
{
    readings_give_back(((struct hosting *)data)->counters, reading);
}

static void read_priorities(void *data, const struct near_gid *gid, struct wire_priorities *priorities)
{
    struct hosting *hosting = data;
    snprintf(priorities->netdevs, sizeof(priorities->netdevs), "%s", gid->netdevs);
    pthread_mutex_lock(&hosting->lock);
    priorities->counts = near_priorities(hosting->source, gid->netdevs);
    pthread_mutex_unlock(&hosting->lock);
}

struct session_host hosting_session(struct hosting *hosting, uint32_t idle_ms, uint32_t test_ms,
                                    uint32_t session_ms)
{
    return (struct session_host){ .offer = hosting_offer,
                                  .counters = take_reading,
                                  .give_back = give_back,
                                  .priorities = read_priorities,
                                  .data = hosting,
                                  .idle_ms = idle_ms,
                                  .test_ms = test_ms,
                                  .session_ms = session_ms };
}

void hosting_begin(struct hosting *hosting, struct source *source)
{
    hosting->source = source;
    pthread_mutex_init(&hosting->lock, NULL);
    hosting->gids = readings_new(read_gids, hosting);
    hosting->counters = readings_new(read_counters, hosting);
}

void hosting_end(struct hosting *hosting)
{
    readings_free(hosting->gids);
    readings_free(hosting->counters);
    pthread_mutex_destroy(&hosting->lock);
}
