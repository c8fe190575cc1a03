/* SPDX-License-Identifier: MIT */
/* What the kernel answers over netlink: any bytes for each of its parsers. */
#include "target.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/host.h"
#include "model/services.h"
#include "source/monitor.h"
#include "source/netlink/message.h"
#include "source/netlink/parsers.h"

/* The bytes in a block of their own that ends where they end, aligned as a reply is, and an arena. */
struct input {
    void *bytes;
    size_t len;
    struct arena *arena;
};

static struct input input_begin(const uint8_t *data, size_t size)
{
    struct input input = { .bytes = malloc(size ? size : 1), .len = size, .arena = arena_new() };
    if (!input.bytes)
        abort();
    if (size)
        memcpy(input.bytes, data, size);
    return input;
}

static void input_end(struct input *input)
{
    arena_free(input->arena);
    free(input->bytes);
}

/* Walking messages and attributes, nests within nests, and the words of errors. */

enum { MOST_DEPTH = 6 };

static void walk(const struct nlattr *nest, struct arena *arena, int depth)
{
    for (const struct nlattr *attr = NULL; (attr = attr_next(nest, attr, 0));) {
        struct attrs attrs;
        size_t len;
        const char *bytes = attr_bytes(attr, &len);
        volatile char last = len ? bytes[len - 1] : 0; /* it must be there */
        (void)last;
        attr_text(attr, arena);
        attr_uint(attr);
        attr_u64(attr);
        attr_be16(attr);
        attrs_parse_nest(&attrs, attr);
        if (depth < MOST_DEPTH)
            walk(attr, arena, depth + 1);
    }
}

TARGET(netlink_message)
{
    struct input input = input_begin(data, size);
    struct messages messages = messages_of(input.bytes, input.len);
    struct message message;
    while (messages_next(&messages, &message)) {
        struct attrs attrs;
        for (size_t skip = 0; skip <= 16; skip += 4) {
            attrs_parse(&attrs, message.payload, message.len, skip);
            for (size_t i = 0; i < ATTRS_MOST; i++)
                if (attrs.at[i])
                    walk(attrs.at[i], input.arena, 0);
        }
        if (message_error(&message) > 0)
            abort();
        message_error_text(&message, input.arena);
    }
    input_end(&input);
    return 0;
}

/* What the RDMA subsystem answers: any bytes for each of its parsers. */

TARGET(netlink_nldev)
{
    struct input input = input_begin(data, size);
    struct nldev_device *devices = NULL;
    struct nldev_port *ports = NULL;
    struct nldev_notice *notices = NULL;
    struct nldev_system system;
    struct nldev_chardev chardev;
    size_t ndevices = 0, nports = 0, nnotices = 0;
    nldev_parse_devices(input.bytes, input.len, input.arena, &devices, &ndevices);
    nldev_parse_ports(input.bytes, input.len, input.arena, &ports, &nports);
    nldev_parse_notices(input.bytes, input.len, input.arena, &notices, &nnotices);
    nldev_parse_system(input.bytes, input.len, &system);
    nldev_parse_chardev(input.bytes, input.len, input.arena, &chardev);
    for (size_t i = 0; i < ndevices; i++)
        if (!devices[i].name || !devices[i].index.known)
            abort();
    input_end(&input);
    return 0;
}

/* Resources and counters as nldev tells them. */

TARGET(netlink_resources)
{
    struct input input = input_begin(data, size);
    struct resource *items = NULL;
    struct resource_total *totals = NULL;
    struct optional_counter *counters = NULL;
    struct counter_value *values = NULL;
    struct bound_counter *bound = NULL;
    size_t nbound = 0, nitems = 0, ntotals = 0, ncounters = 0, nvalues = 0;
    for (int type = 0; type < RESOURCE_TYPES; type++)
        nldev_parse_resources(input.bytes, input.len, (enum resource_type)type, input.arena, "rxe0", &items,
                              &nitems);
    nldev_parse_totals(input.bytes, input.len, input.arena, &totals, &ntotals);
    for (size_t i = 0; i < ntotals; i++)
        if (!totals[i].device || !totals[i].type)
            abort();
    nldev_parse_optional(input.bytes, input.len, input.arena, &counters, &ncounters);
    nldev_parse_values(input.bytes, input.len, input.arena, &values, &nvalues);
    for (size_t i = 0; i < nvalues; i++)
        if (!values[i].name || !values[i].value.known)
            abort();
    nldev_parse_bound(input.bytes, input.len, input.arena, &bound, &nbound);
    for (size_t i = 0; i < nbound; i++)
        for (size_t v = 0; v < bound[i].nvalues; v++)
            if (!bound[i].values[v].name || !bound[i].values[v].value.known)
                abort();
    input_end(&input);
    return 0;
}

/* rtnetlink: links, addresses, routes, neighbours, rules; and the same as events. */

TARGET(netlink_rtnl)
{
    struct input input = input_begin(data, size);
    struct rtnl_link *links = NULL;
    struct rtnl_address *addresses = NULL;
    struct route *routes = NULL;
    struct neighbour *neighbours = NULL;
    struct rule *rules = NULL;
    size_t nlinks = 0, naddresses = 0, nroutes = 0, nneighbours = 0, nrules = 0;
    rtnl_parse_links(input.bytes, input.len, input.arena, &links, &nlinks);
    for (size_t i = 0; i < nlinks; i++) {
        if (!links[i].name)
            abort();
        rtnl_operstate_text(links[i].operstate);
        rtnl_bond_mode_text(links[i].bond_mode);
        rtnl_bond_policy_text(links[i].bond_policy);
        rtnl_bond_mii_text(links[i].member_mii);
        rtnl_macvlan_mode_text(links[i].macvlan_mode);
        rtnl_ipvlan_mode_text(links[i].ipvlan_mode);
    }
    rtnl_parse_addresses(input.bytes, input.len, input.arena, &addresses, &naddresses);
    rtnl_parse_routes(input.bytes, input.len, input.arena, &routes, &nroutes);
    rtnl_parse_neighbours(input.bytes, input.len, input.arena, &neighbours, &nneighbours);
    rtnl_parse_rules(input.bytes, input.len, input.arena, &rules, &nrules);
    const struct host host = { .routes_known = true,
                               .routes = routes,
                               .nroutes = nroutes,
                               .rules_known = true,
                               .rules = rules,
                               .nrules = nrules };
    for (size_t i = 0; i < naddresses && i < 8; i++) {
        const struct address *address = &addresses[i].address;
        const struct route_flow flow = { address->family, address->raw, address->peer, NULL, NULL };
        struct route_lookup found = host_look_up(&host, &flow);
        if (found.kind == LOOKUP_FOUND && !found.route)
            abort();
    }
    const struct traffic_classes *classes;
    rtnl_parse_qdisc(input.bytes, input.len, input.arena, &classes);
    for (size_t i = 0; classes && i < KERNEL_PRIORITIES; i++)
        if (classes->of_priority[i] >= TC_QOPT_MAX_QUEUE)
            abort();
    struct known_links known = { 0 };
    struct teller teller = { 0 };
    known_links_hear(&known, &teller, input.bytes, input.len);
    known_links_hear(&known, &teller, input.bytes, input.len);
    known_links_free(&known);
    input_end(&input);
    return 0;
}

/* dcbnl, ethtool, devlink; and following every TOS through what was understood. */

static void follow(const struct qos *qos)
{
    for (unsigned tos = 0; tos < 256; tos += 8) {
        struct qos_path path = tos & 8 ? qos_follow_sl(qos, tos, tos >> 5) : qos_follow(qos, tos, NULL);
        if (path.priority >= PRIORITIES)
            abort();
    }
}

TARGET(netlink_qos)
{
    struct input input = input_begin(data, size);
    struct qos qos = { .netdev = "dcb0" };
    struct devlink_port *ports = NULL;
    size_t nports = 0, len = 0;
    uint8_t piece[32];
    if (dcb_parse_ieee(input.bytes, input.len, input.arena, &qos.dcb) == 0)
        follow(&qos);
    ethtool_parse_pause(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_linkmodes(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_linkstate(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_fec(input.bytes, input.len, input.arena, &qos.ethtool);
    ethtool_parse_statistics(input.bytes, input.len, input.arena, &qos.statistics, &qos.nstatistics);
    ethtool_parse_fecparam(input.bytes, input.len, input.arena, &qos.ethtool);
    devlink_parse_ports(input.bytes, input.len, input.arena, &ports, &nports);
    devlink_parse_parameters(input.bytes, input.len, input.arena, &qos.parameters, &qos.nparameters);
    devlink_parse_health(input.bytes, input.len, input.arena, &qos.reporters, &qos.nreporters);
    if (module_parse(input.bytes, input.len, piece, sizeof(piece), &len) == 0)
        for (enum module_part part = 0; part < MODULE_PARTS; part++)
            module_take(&qos.module, part, piece, len);
    input_end(&input);
    return 0;
}

/* What SMC and smc_diag answer, and the services made of it. */

TARGET(netlink_smc)
{
    struct input input = input_begin(data, size);
    struct smc smc = { .sockets_known = size & 1 };
    struct services services = { 0 };
    smc_parse_links(input.bytes, input.len, input.arena, &smc);
    smc_parse_devices(input.bytes, input.len, input.arena, &smc);
    smc_parse_statistics(input.bytes, input.len, &smc);
    smc_parse_fallbacks(input.bytes, input.len, input.arena, &smc);
    smc_parse_sockets(input.bytes, input.len, input.arena, &smc);
    smc_add_services(&smc, input.arena, &services);
    for (size_t i = 0; i < services.count; i++)
        if (services.items[i].kind != SERVICE_SMC ||
            (services.items[i].reason_code.known && !services.items[i].reason))
            abort();
    input_end(&input);
    return 0;
}

/* nftables' answers. */
TARGET(nft)
{
    struct input input = input_begin(data, size);
    struct firewall firewall = { 0 };
    (void)nft_parse(input.bytes, input.len, input.arena, &firewall);
    (void)nft_parse(input.bytes, input.len, input.arena,
                    &firewall); /* rules of chains that are in order now */
    for (size_t i = 0; i < firewall.nchains; i++)
        for (size_t k = 0; k < firewall.chains[i].nrules; k++)
            if (!firewall.chains[i].name || firewall.chains[i].rules[k].does > FIREWALL_OTHER)
                abort();
    input_end(&input);
    return 0;
}
