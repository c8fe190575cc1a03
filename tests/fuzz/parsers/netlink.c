/* SPDX-License-Identifier: MIT */
/* What the kernel answers over netlink: any bytes for each of its parsers. */
#include "target.h"

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

static void walk(struct attr_walk level, struct arena *arena, int depth)
{
    for (const struct nlattr *attr; (attr = attr_walk_next(&level));) {
        size_t len;
        const char *bytes = attr_bytes(attr, &len);
        volatile char last = len ? bytes[len - 1] : 0; /* it must be there */
        (void)last;
        attr_text(attr, arena);
        attr_number(attr, 0);
        attr_number(attr, 8);
        if (depth < MOST_DEPTH)
            walk(attr_walk_in(attr), arena, depth + 1);
    }
}

TARGET(netlink_message)
{
    struct input input = input_begin(data, size);
    struct messages messages = messages_of(input.bytes, input.len);
    struct message message;
    while (messages_next(&messages, &message)) {
        for (size_t skip = 0; skip <= 16; skip += 4)
            walk(attr_walk_after(&message, skip), input.arena, 0);
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
    struct device device = { 0 };
    struct port port = { 0 };
    struct system system = { 0 };
    struct nldev_notice *notices = NULL;
    size_t nnotices = 0;
    answer_fill_each(&nldev_devices, input.bytes, input.len, input.arena, &device);
    answer_fill_each(&nldev_ports, input.bytes, input.len, input.arena, &port);
    answer_fill(&nldev_system, input.bytes, input.len, input.arena, &system);
    ANSWER_LIST(&nldev_notices, input.bytes, input.len, input.arena, &notices, &nnotices);
    for (size_t i = 0; i < nnotices; i++)
        if (!notices[i].what)
            abort();
    input_end(&input);
    return 0;
}

/* Resources and counters as nldev tells them. */

static void expect_values(const struct counter_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (!values->items[i].name || !values->items[i].value.known)
            abort();
}

TARGET(netlink_resources)
{
    struct input input = input_begin(data, size);
    struct resources resources = { 0 };
    struct counter_values values = { 0 };
    struct bound_counters bound = { 0 };
    for (int type = 0; type < RESOURCE_TYPES; type++)
        answer_fill_each(&nldev_resources[type], input.bytes, input.len, input.arena, &resources);
    answer_fill_each(&nldev_totals, input.bytes, input.len, input.arena, &resources);
    for (size_t i = 0; i < resources.ntotals; i++)
        if (!resources.totals[i].device || !resources.totals[i].type)
            abort();
    answer_fill(&nldev_optional, input.bytes, input.len, input.arena, &resources);
    answer_fill(&nldev_values, input.bytes, input.len, input.arena, &values);
    expect_values(&values);
    answer_fill_each(&nldev_bound, input.bytes, input.len, input.arena, &bound);
    for (size_t i = 0; i < bound.count; i++)
        expect_values(&bound.items[i].values);
    input_end(&input);
    return 0;
}

/* rtnetlink: links, addresses, routes, neighbours, rules; and the same as events. */

TARGET(netlink_rtnl)
{
    struct input input = input_begin(data, size);
    struct netdev *links = NULL;
    struct rtnl_address *addresses = NULL;
    struct host host = { .routes_known = true, .rules_known = true };
    size_t nlinks = 0, naddresses = 0;
    ANSWER_LIST(&rtnl_links, input.bytes, input.len, input.arena, &links, &nlinks);
    for (size_t i = 0; i < nlinks; i++) {
        if (!links[i].name)
            abort();
    }
    ANSWER_LIST(&rtnl_addresses, input.bytes, input.len, input.arena, &addresses, &naddresses);
    answer_fill_each(&rtnl_routes, input.bytes, input.len, input.arena, &host);
    answer_fill_each(&rtnl_neighbours, input.bytes, input.len, input.arena, &host);
    answer_fill_each(&rtnl_rules, input.bytes, input.len, input.arena, &host);
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
    struct devlink devlink = { 0 };
    struct module_bytes piece = { 0 };
    if (answer_fill(&dcb_ieee, input.bytes, input.len, input.arena, &qos.dcb) == 0)
        follow(&qos);
    answer_fill(&ethtool_pause, input.bytes, input.len, input.arena, &qos.ethtool);
    answer_fill(&ethtool_linkmodes, input.bytes, input.len, input.arena, &qos.ethtool);
    answer_fill(&ethtool_linkstate, input.bytes, input.len, input.arena, &qos.ethtool);
    answer_fill(&ethtool_fec, input.bytes, input.len, input.arena, &qos.ethtool);
    ethtool_parse_statistics(input.bytes, input.len, input.arena, &qos);
    ethtool_parse_fecparam(input.bytes, input.len, input.arena, &qos.ethtool);
    answer_fill_each(&devlink_ports, input.bytes, input.len, input.arena, &devlink);
    answer_fill_each(&devlink_parameters, input.bytes, input.len, input.arena, &devlink);
    answer_fill_each(&devlink_health, input.bytes, input.len, input.arena, &devlink);
    if (answer_fill(&ethtool_module, input.bytes, input.len, input.arena, &piece) == 0)
        for (enum module_part part = 0; part < MODULE_PARTS; part++)
            module_take(&qos.module, part, piece.data, piece.len);
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
    answer_fill_each(&smc_statistics, input.bytes, input.len, input.arena, &smc);
    answer_fill_each(&smc_fallbacks, input.bytes, input.len, input.arena, &smc);
    ANSWER_LIST(&smc_sockets, input.bytes, input.len, input.arena, &smc.sockets, &smc.nsockets);
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
    (void)nft_parse(input.bytes, input.len, input.arena, &firewall); /* rules of chains that are in order now */
    for (size_t i = 0; i < firewall.nchains; i++)
        for (size_t k = 0; k < firewall.chains[i].nrules; k++)
            if (!firewall.chains[i].name || firewall.chains[i].rules[k].does > FIREWALL_OTHER)
                abort();
    input_end(&input);
    return 0;
}
