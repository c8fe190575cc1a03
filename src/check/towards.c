/* SPDX-License-Identifier: MIT */
/* The way to an address, as it is: its route, its neighbour, the GID that it starts from, and what the checks
 * say of the port. */
#include <linux/neighbour.h>
#include <netinet/in.h>

#include "check/towards.h"

#include "check/judge.h"

/* The checks that explain why packets of a port don't arrive, or nobody finds a way. */
static const struct check_selection along = {
    .only = "port-active,netdev-up,netdev-carrier,gid-table,gid-address,gid-routable,gid-route,gid-vlan,"
            "cm-roce-mode,active-mtu,udp-port-4791,firewall-4791,device-on-bond-member,arp-flux,rp-filter"
};

needs_t way_needs(void)
{
    return check_needs(&along) | NEED_ROUTES | NEED_ADDRESSES | NEED_NETDEV_ALL | NEED_GIDS | NEED_STATE;
}

enum { SILENT_MOST = 4 };

struct way {
    const struct host *host;
    struct arena *arena;
    struct way_fact *facts;
    size_t count;
};

static struct way_fact *PRINTF_LIKE(4, 5)
    add_fact(struct way *way, enum verdict verdict, const char *check, const char *format, ...)
{
    struct way_fact *fact = ARENA_PUSH(way->arena, way->facts, way->count);
    va_list args;
    va_start(args, format);
    *fact = (struct way_fact){ .verdict = verdict,
                               .check = check,
                               .text = arena_vprintf(way->arena, format, args) };
    va_end(args);
    return fact;
}

static const char *address(const struct way *way, const uint8_t raw[static 16])
{
    return gid_address_text(way->arena, raw);
}

static struct route_lookup look_up(const struct way *way, const uint8_t from[static 16],
                                   const uint8_t to[static 16])
{
    bool v4 = gid_is_v4_mapped(to);
    struct route_flow flow = { .family = v4 ? AF_INET : AF_INET6,
                               .source = from + (v4 ? 12 : 0),
                               .destination = to + (v4 ? 12 : 0) };
    return host_look_up(way->host, &flow);
}

static enum way_about about_neighbour(uint16_t state)
{
    return state & NUD_PERMANENT                         ? WAY_BY_HAND
           : state & NUD_REACHABLE                       ? WAY_ANSWERS
           : state & (NUD_STALE | NUD_DELAY | NUD_PROBE) ? WAY_RESOLVED
                                                         : WAY_OTHER;
}

/* Who is asked for a MAC: the gateway, or the address itself. */
static void add_neighbour(struct way *way, const struct route *route, const uint8_t to[static 16])
{
    bool v4 = route->family == AF_INET;
    const uint8_t *hop = route->has_gateway ? route->gateway : to + (v4 ? 12 : 0);
    const char *asks = v4 ? "ARP" : "neighbour discovery";
    uint8_t raw[16];
    gid_of_address(route->family, hop, raw);
    for (size_t i = 0; i < way->host->nneighbours; i++) {
        const struct neighbour *neighbour = &way->host->neighbours[i];
        if (neighbour->family != route->family || memcmp(neighbour->address, hop, v4 ? 4 : 16) != 0 ||
            !text_is(neighbour->netdev, route->netdev))
            continue;
        if (neighbour->state & (NUD_FAILED | NUD_INCOMPLETE))
            add_fact(way, VERDICT_FAIL, NULL, "neighbour %s on %s: nobody answers %s", address(way, raw),
                     route->netdev, asks)
                ->about = WAY_SILENT;
        else if (neighbour->mac)
            add_fact(way, VERDICT_PASS, NULL, "neighbour %s on %s: %s%s", address(way, raw), route->netdev,
                     neighbour->mac, neighbour->state & NUD_PERMANENT ? ", written by hand" : "")
                ->about = about_neighbour(neighbour->state);
        return;
    }
    add_fact(way, VERDICT_UNKNOWN, NULL, "neighbour %s on %s: no entry; roce asks nobody", address(way, raw),
             route->netdev);
}

static void add_findings(struct way *way, const struct port *port)
{
    struct selected_part part = { .port = port };
    const struct selection own = { .some = true, .parts = &part, .nparts = 1 };
    struct check_selection selection = along;
    selection.named = &own;
    struct report report = check_run(way->host, NULL, 0, &selection, way->arena);
    for (size_t i = 0; i < report.nfindings; i++) {
        const struct finding *finding = &report.findings[i];
        const char *id = finding->check->id;
        bool down = strcmp(id, "port-active") == 0 || strcmp(id, "netdev-up") == 0 ||
                    strcmp(id, "netdev-carrier") == 0;
        if (finding->verdict >= VERDICT_WARN && finding->evidence)
            add_fact(way, finding->verdict, id, "%s", finding->evidence)->about = down ? WAY_DOWN : WAY_OTHER;
    }
}

/* The port that the route leads to. */
static const struct port *add_route(struct way *way, const struct route *route, const uint8_t to[static 16])
{
    enum { LOCAL = 2 };
    const char *text = address(way, to);
    const struct port *port = egress_towards(way->host, text);
    if (route->type == LOCAL && (port = egress_of_own(way->host, text)))
        add_fact(way, VERDICT_PASS, NULL, "route to %s: it is this host's own, of %s/%u", text,
                 port->device->name, port->number);
    else if (port)
        add_fact(way, VERDICT_PASS, NULL, "route to %s: by %s, %s/%u", text, route->netdev, port->device->name,
                 port->number);
    else
        add_fact(way, route->several ? VERDICT_UNKNOWN : VERDICT_FAIL, NULL,
                 route->several ? "route to %s: several ways, by %s among others"
                                : "route to %s: by %s, which has no RDMA device",
                 text, route->netdev ? route->netdev : "a netdev of another namespace");
    if (route->type != LOCAL && port)
        add_neighbour(way, route, to);
    return port;
}

/* A netdev that is switched off keeps its addresses, but not its routes. */
static void add_switched_off(struct way *way, const uint8_t to[static 16])
{
    bool v4 = gid_is_v4_mapped(to);
    for (size_t i = 0; i < way->host->nnetdevs; i++) {
        const struct netdev *netdev = &way->host->netdevs[i];
        bool near = false;
        for (size_t a = 0; a < netdev->naddresses; a++) {
            const struct address *own = &netdev->addresses[a];
            near |= own->family == (v4 ? AF_INET : AF_INET6) && own->prefix > 0 &&
                    prefix_holds(own->raw, own->prefix, to + (v4 ? 12 : 0));
        }
        if (near && netdev_is_switched_off(netdev))
            add_fact(way, VERDICT_FAIL, NULL,
                     "%s, which has an address of that network, is switched off: ip link set %s up",
                     netdev->name, netdev->name)
                ->about = WAY_DOWN;
    }
}

/* Whoever doesn't answer just now. */
static void add_silent(struct way *way)
{
    for (size_t i = 0; i < way->host->nneighbours && way->count < SILENT_MOST; i++) {
        const struct neighbour *neighbour = &way->host->neighbours[i];
        uint8_t raw[16];
        gid_of_address(neighbour->family, neighbour->address, raw);
        if (neighbour->state & (NUD_FAILED | NUD_INCOMPLETE))
            add_fact(way, VERDICT_WARN, NULL, "neighbour %s on %s doesn't answer: is it the one?",
                     address(way, raw), neighbour->netdev ? neighbour->netdev : "another netdev");
    }
}

size_t way_facts(const struct host *host, const uint8_t *from, const uint8_t *to, struct arena *arena,
                 struct way_fact **facts)
{
    static const uint8_t any[16];
    struct way way = { .host = host, .arena = arena };
    const struct port *port = NULL, *own = NULL;
    if (!to) {
        add_silent(&way);
        *facts = way.facts;
        return way.count;
    }
    if (from) {
        own = port_with_gid(host, from);
        if (!netdev_with_address(host, from))
            add_fact(&way, VERDICT_FAIL, NULL, "%s is no address of this host", address(&way, from));
        else if (!own)
            add_fact(&way, VERDICT_FAIL, "gid-address", "%s has no GID: no RDMA device can use it",
                     address(&way, from));
    }
    bool two_families = from && gid_is_v4_mapped(from) != gid_is_v4_mapped(to);
    if (two_families)
        add_fact(&way, VERDICT_FAIL, NULL, "%s and %s are of two families: nothing leads from one to the other",
                 address(&way, from), address(&way, to));
    struct route_lookup found = look_up(&way, from && !two_families ? from : any, to);
    if (found.kind == LOOKUP_FOUND)
        port = add_route(&way, found.route, to);
    else if (found.kind == LOOKUP_UNKNOWN)
        add_fact(&way, VERDICT_UNKNOWN, NULL, "route to %s: not known", address(&way, to));
    else
        add_fact(&way, VERDICT_FAIL, NULL, "route to %s: %s", address(&way, to),
                 found.kind == LOOKUP_NONE ? "there is none" : "one that refuses it")
            ->about = found.kind == LOOKUP_NONE ? WAY_OTHER : WAY_REFUSES;
    if (found.kind == LOOKUP_NONE)
        add_switched_off(&way, to);
    if (own ? own : port)
        add_findings(&way, own ? own : port);
    *facts = way.facts;
    return way.count;
}
