/* SPDX-License-Identifier: MIT */
/* The rules and routes that the kernel would follow, and what checks make of them. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>

#include "asked.h"
#include "check/rail.h"
#include "model/route.h"

enum { COUNT = 3, MAIN = 254, UNICAST = 1, UNREACHABLE = 7, TO_TABLE = 1 };
static struct arena *arena;
static struct port ports[COUNT];
static struct device devices[COUNT];
static struct netdev netdevs[COUNT + 1];
static struct address addresses[COUNT + 1];
static struct pci pcis[COUNT];
static struct gid gids[COUNT];
static struct route routes[16];
static struct rule rules[16];
static struct sysctl sysctls[16];
static struct host host;

static struct route *add_route(uint32_t table, uint8_t third, uint8_t prefix, const char *netdev)
{
    struct route *route = &routes[host.nroutes++];
    *route = (struct route){ .family = AF_INET,
                             .prefix = prefix,
                             .destination = { prefix ? 10 : 0, prefix ? 1 : 0, third },
                             .table = table,
                             .type = UNICAST,
                             .netdev = netdev };
    return route;
}

static struct rule *add_rule(uint32_t priority, uint8_t rail, uint32_t table)
{
    struct rule *rule = &rules[host.nrules++];
    *rule = (struct rule){ .family = AF_INET,
                           .action = TO_TABLE,
                           .source_prefix = rail ? 32 : 0,
                           .source = { rail ? 10 : 0, rail ? 1 : 0, rail, rail ? 1 : 0 },
                           .table = table,
                           .priority = num_of(priority) };
    return rule;
}

/* Three ports alike, a rail each: eth1 has 10.1.1.1/24, and so on. */
static void setup(void)
{
    static const char *const names[] = { "eth1", "eth2", "eth3" };
    static const char *const device_names[] = { "mlx5_1", "mlx5_2", "mlx5_3" };
    static const char *const functions[] = { "0000:17:00.0", "0000:27:00.0", "0000:37:00.0" };
    arena = arena_new();
    host = (struct host){ .arena = arena, .needs = NEED_ALL, .routes_known = true, .rules_known = true };
    host.devices = devices, host.netdevs = netdevs, host.pcis = pcis;
    host.ndevices = host.nnetdevs = host.npcis = COUNT;
    host.routes = routes, host.rules = rules;
    for (uint8_t i = 0; i < COUNT; i++) {
        addresses[i] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 1, i + 1, 1 } };
        netdevs[i] = (struct netdev){ .name = names[i],
                                      .ifindex = num_of(i + 2U),
                                      .pci = functions[i],
                                      .addresses = &addresses[i],
                                      .naddresses = 1,
                                      .addresses_known = true };
        gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 1, i + 1, 1 },
                                .type = GID_TYPE_ROCE_V2,
                                .netdev = names[i] };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .transport = TRANSPORT_ROCE,
                                  .link_layer = LINK_LAYER_ETHERNET,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .gids = &gids[i],
                                  .ngids = 1,
                                  .netdev = names[i] };
        devices[i] = (struct device){ .name = device_names[i],
                                      .board_id = "MT_0000000359",
                                      .transport = TRANSPORT_ROCE,
                                      .driver = "mlx5_core",
                                      .pci = functions[i],
                                      .ports = &ports[i],
                                      .nports = 1 };
        pcis[i] = (struct pci){ .address = functions[i], .vendor = num_of(0x15b3), .device = num_of(0x101d) };
        add_route(MAIN, i + 1, 24, names[i]);
    }
    add_rule(32766, 0, MAIN);
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(rails, .init = setup, .fini = teardown);

/* Rules come by priority: the last one added before main's. */
static void give_routes(uint8_t rail)
{
    host.nrules--;
    add_route(100U + rail, 0, 0, netdevs[rail - 1].name)->has_gateway = true;
    add_rule(32000U + rail, rail, 100U + rail);
    add_rule(32766, 0, MAIN);
}

static struct route_lookup look_up(uint8_t from, uint8_t to, const struct netdev *out)
{
    const uint8_t peer[16] = { 10, 1, to, 2 };
    struct route_flow flow = {
        .family = AF_INET, .source = addresses[from - 1].raw, .destination = peer, .out = out
    };
    return host_look_up(&host, &flow);
}

static void expect_way(uint8_t from, uint8_t to, const struct netdev *out, enum lookup_kind kind,
                       const char *netdev)
{
    struct route_lookup found = look_up(from, to, out);
    cr_assert_eq(found.kind, kind, "%d, not %d", found.kind, kind);
    if (netdev)
        cr_expect_str_eq(found.route->netdev, netdev);
}

Test(rails, the_longest_prefix_then_the_lowest_metric)
{
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    expect_way(1, 2, &netdevs[0], LOOKUP_NONE, NULL);
    add_route(MAIN, 0, 16, "eth1");
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    expect_way(1, 2, &netdevs[0], LOOKUP_FOUND, "eth1");
    routes[1].metric = num_of(20);
    add_route(MAIN, 2, 24, "eth3")->metric = num_of(10);
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth3");
    routes[host.nroutes - 1].dead = true;
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    routes[1].tos = 0x10;
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth1");
    add_route(MAIN, 2, 24, NULL)->type = UNREACHABLE;
    expect_way(1, 2, NULL, LOOKUP_REFUSED, NULL);
}

Test(rails, rules_are_asked_in_their_order)
{
    give_routes(1);
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth1");
    expect_way(2, 1, NULL, LOOKUP_FOUND, "eth1"); /* the rule is of another address */
    rules[0].mark = num_of(7);
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    rules[0].mark = num_of(0);
    rules[0].suppress_prefix = num_of(0);
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    rules[0].suppress_prefix.known = false;
    rules[0].in_netdev = "eth1"; /* what begins here comes in by lo */
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    rules[0].in_netdev = "lo";
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth1");
    rules[0].out_netdev = "eth1";
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    expect_way(1, 2, &netdevs[0], LOOKUP_FOUND, "eth1");
    rules[0] = (struct rule){ .family = AF_INET, .action = 8 };
    expect_way(1, 2, NULL, LOOKUP_REFUSED, NULL);
}

Test(rails, what_cannot_be_followed_is_unknown)
{
    give_routes(1);
    rules[0].odd = true;
    expect_way(1, 2, NULL, LOOKUP_UNKNOWN, NULL);
    expect_way(2, 1, NULL, LOOKUP_FOUND, "eth1"); /* it is not asked there */
    rules[0].odd = false;
    rules[0].narrowed = true;
    expect_way(1, 2, NULL, LOOKUP_FOUND, "eth2");
    rules[0].narrowed = false;
    rules[0].l3mdev = true;
    expect_way(1, 2, &netdevs[0], LOOKUP_NONE, NULL);
    netdevs[COUNT] = (struct netdev){ .name = "blue", .kind = NETDEV_VRF };
    host.nnetdevs = COUNT + 1;
    netdevs[0].master = "blue";
    expect_way(1, 2, &netdevs[0], LOOKUP_UNKNOWN, NULL);
    host.rules_known = false;
    expect_way(2, 1, NULL, LOOKUP_UNKNOWN, NULL);
}

static struct finding finding_of(const char *id, enum verdict verdict)
{
    struct finding finding = ask_about(&host, id, arena);
    EXPECT_VERDICT(finding, verdict);
    return finding;
}

Test(rails, networks_of_their_own_are_no_fault)
{
    finding_of("rail-routes", VERDICT_PASS);
    static struct environment cross = { "NCCL_CROSS_NIC", "1" };
    host.system.environment = &cross, host.system.nenvironment = 1;
    struct finding finding = finding_of("rail-routes", VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "networks of their own, and NCCL_CROSS_NIC=1 lets NCCL connect");
    EXPECT_TEXT(finding.fix, "NCCL_CROSS_NIC=0");
    cross.value = "2";
    finding_of("rail-routes", VERDICT_PASS);
    cross.value = "0";
    finding_of("rail-routes", VERDICT_PASS);
    give_routes(1); /* a minority: a port that leads elsewhere */
    finding_of("rail-routes", VERDICT_PASS);
    host.rules_known = false;
    finding_of("rail-routes", VERDICT_UNKNOWN);
    host.ndevices = 1;
    finding_of("rail-routes", VERDICT_NA);
}

Test(rails, one_without_the_routes_that_most_have)
{
    static struct environment variable = { "NCCL_IB_HCA", "mlx5_1,mlx5_2,mlx5_3" };
    give_routes(1);
    give_routes(2);
    struct finding finding = finding_of("rail-routes", VERDICT_INFO);
    cr_expect_eq(finding.subject.device, &devices[2]);
    EXPECT_TEXT(finding.evidence, "no route leads out of eth3 to the subnet of eth1 (10.1.1.0/24) and 1 more");
    cr_expect_str_eq(finding.fix,
                     "ip route add default via GATEWAY dev eth3 table 104 && ip rule add from 10.1.3.1 table "
                     "104 # GATEWAY: the router of 10.1.3.0/24; as eth1 has it in table 101");
    host.system.environment = &variable;
    host.system.nenvironment = 1;
    finding_of("rail-routes", VERDICT_WARN);
    /* the number is taken */
    add_route(104, 9, 24, "eth9");
    EXPECT_TEXT(finding_of("rail-routes", VERDICT_WARN).fix, "table 1104 &&");
    host.nroutes--;
    pcis[2].device = num_of(0x1021); /* another card: a storage network perhaps */
    devices[2].board_id = "MT_0000000838";
    finding_of("rail-routes", VERDICT_PASS);
    pcis[2].device = pcis[1].device;
    devices[2].board_id = devices[1].board_id;
    give_routes(3);
    finding_of("rail-routes", VERDICT_PASS);
    rules[2].odd = true;
    finding_of("rail-routes", VERDICT_UNKNOWN);
}

/* Where the others have it in the main table, so will this one; and its own table's number is the index's last
 * digits. */
Test(rails, the_fix_is_for_the_table_that_the_others_use)
{
    for (uint8_t i = 0; i < 2; i++)
        add_route(MAIN, 0, 16, netdevs[i].name);
    cr_expect_str_eq(finding_of("rail-routes", VERDICT_INFO).fix,
                     "ip route add 10.1.0.0/16 dev eth3 # as eth1 has it");
    host.nroutes -= 2;
    give_routes(1);
    give_routes(2);
    netdevs[2].ifindex = num_of(1004);
    EXPECT_TEXT(finding_of("rail-routes", VERDICT_INFO).fix, "table 104 &&");
}

/* A peer of an address: the first of its subnet that is none of the host's own. */
Test(rails, a_peer_in_the_subnet_of_an_address)
{
    static const struct {
        const char *own, *second; /* the host's addresses; the first is asked about */
        uint8_t prefix;
        const char *peer; /* NULL: there is none */
    } cases[] = {
        { "10.1.1.1", NULL, 24, "10.1.1.2" },
        { "10.1.1.2", NULL, 24, "10.1.1.1" },
        { "10.1.1.1", "10.1.1.2", 24, "10.1.1.3" },
        { "10.1.1.1", "a01:102::1", 24, "10.1.1.2" }, /* the same bytes in the other family */
        { "10.1.1.1", NULL, 16, "10.1.0.1" },
        { "10.1.31.1", NULL, 20, "10.1.16.1" },
        { "10.1.1.201", NULL, 26, "10.1.1.193" },
        { "10.1.1.201", NULL, 27, "10.1.1.193" },
        { "10.1.1.1", NULL, 30, "10.1.1.2" },
        { "10.1.1.1", "10.1.1.2", 30, NULL },
        { "10.1.1.0", NULL, 31, "10.1.1.1" },
        { "10.1.1.1", NULL, 31, "10.1.1.0" },
        { "10.1.1.0", "10.1.1.1", 31, NULL },
        { "10.1.1.1", NULL, 32, NULL },
        { "10.1.1.1", NULL, 33, NULL },
        { "2001:db8::1", NULL, 64, "2001:db8::2" },
        { "2001:db8::1:ff01", NULL, 112, "2001:db8::1:1" },
        { "2001:db8::", NULL, 127, "2001:db8::1" },
        { "2001:db8::", "2001:db8::1", 127, NULL },
        { "2001:db8::1", NULL, 128, NULL },
    };
    host.nnetdevs = 2;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const char *texts[] = { cases[i].own, cases[i].second };
        uint8_t peer[17] = { [16] = 7 };
        char got[INET6_ADDRSTRLEN];
        for (size_t k = 0; k < 2; k++) {
            netdevs[k].naddresses = texts[k] != NULL;
            if (!texts[k])
                continue;
            int family = strchr(texts[k], ':') ? AF_INET6 : AF_INET;
            addresses[k] = (struct address){ .family = (uint8_t)family, .prefix = cases[i].prefix };
            inet_pton(family, texts[k], addresses[k].raw);
        }
        bool found = subnet_peer(&host, &addresses[0], peer);
        cr_expect_eq(found, cases[i].peer != NULL, "%s/%u", cases[i].own, cases[i].prefix);
        cr_expect_eq(peer[16], 7, "it writes 16 bytes");
        if (found && cases[i].peer)
            cr_expect_str_eq(inet_ntop(addresses[0].family, peer, got, sizeof(got)), cases[i].peer, "%s/%u",
                             cases[i].own, cases[i].prefix);
    }
    /* all but the network's and the one for all */
    static struct address full[254];
    for (size_t i = 0; i < ARRAY_SIZE(full); i++)
        full[i] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 1, 1, (uint8_t)(i + 1) } };
    uint8_t peer[16];
    host.nnetdevs = 1;
    netdevs[0].addresses = full, netdevs[0].naddresses = ARRAY_SIZE(full);
    cr_expect_not(subnet_peer(&host, &full[0], peer));
    netdevs[0].naddresses--;
    cr_expect(subnet_peer(&host, &full[0], peer));
    cr_expect_eq(peer[3], 254);
}

/* In the main table the routes of others win; only out of a netdev's own table IPv6 leaves by it. */
Test(rails, ipv6_goes_by_the_prefix_first)
{
    for (uint8_t i = 0; i < COUNT; i++) {
        addresses[i] = (struct address){ .family = AF_INET6,
                                         .prefix = 64,
                                         .raw = { 0x20, 1, 0xd, 0xb8, [7] = i + 1, [15] = 1 } };
        memcpy(gids[i].raw, addresses[i].raw, 16);
        routes[i].family = AF_INET6;
        routes[i].prefix = 64;
        memcpy(routes[i].destination, addresses[i].raw, 8);
    }
    rules[0].family = AF_INET6;
    for (uint8_t i = 0; i < COUNT; i++)
        add_route(MAIN, 0, 0, netdevs[i].name)->family = AF_INET6;
    EXPECT_TEXT(finding_of("rail-routes", VERDICT_PASS).evidence, "rails are networks of their own");
    host.nroutes = COUNT;
    host.nrules = 0;
    for (uint8_t i = 0; i < COUNT; i++) {
        add_route(101U + i, 0, 0, netdevs[i].name)->family = AF_INET6;
        struct rule *rule = add_rule(100U + i, 0, 101U + i);
        rule->family = AF_INET6;
        rule->source_prefix = 128;
        memcpy(rule->source, addresses[i].raw, 16);
    }
    EXPECT_TEXT(finding_of("rail-routes", VERDICT_PASS).evidence,
                "routes lead to the subnets of 2 other rails");
}

static void set_sysctls(const char *key, const char *value)
{
    static const char *const names[] = { "all", "eth1", "eth2", "eth3", "eth1.7" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        sysctls[host.system.nsysctls++] = (struct sysctl){
            arena_printf(arena, "net/ipv4/conf/%s/%s", names[i], key), value
        };
    host.system.sysctls = sysctls;
}

/* eth1.7, a VLAN above eth1 with a GID, beside eth2 in one subnet. */
static void add_vlan(void)
{
    static struct gid two[2];
    addresses[COUNT] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 1, 2, 7 } };
    netdevs[COUNT] = (struct netdev){ .name = "eth1.7",
                                      .kind = NETDEV_VLAN,
                                      .lower = "eth1",
                                      .addresses = &addresses[COUNT],
                                      .naddresses = 1,
                                      .addresses_known = true };
    host.nnetdevs = COUNT + 1;
    two[0] = gids[0];
    two[1] = (struct gid){
        .index = 1, .raw = { [10] = 0xff, 0xff, 10, 1, 2, 7 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth1.7"
    };
    ports[0].gids = two;
    ports[0].ngids = 2;
}

Test(rails, a_vlan_answers_for_its_neighbours)
{
    finding_of("arp-flux", VERDICT_NA);
    add_vlan();
    finding_of("arp-flux", VERDICT_UNKNOWN);
    set_sysctls("arp_ignore", "0");
    set_sysctls("arp_announce", "0");
    EXPECT_TEXT(finding_of("arp-flux", VERDICT_FAIL).evidence,
                "eth1.7 and eth2 share the subnet of 10.1.2.7/24");
    for (size_t i = 0; i < host.system.nsysctls; i++)
        sysctls[i].value = "2";
    finding_of("arp-flux", VERDICT_PASS);
}

/* What comes in for a macvlan's address at the port below it comes in at the right port. */
Test(rails, a_macvlan_and_the_netdev_below_it_are_one_port)
{
    add_vlan();
    netdevs[COUNT].kind = NETDEV_MACVLAN;
    netdevs[COUNT].lower = "eth2";
    finding_of("arp-flux", VERDICT_NA);
    netdevs[COUNT].kind = NETDEV_VLAN; /* with a tag it is another network */
    finding_of("arp-flux", VERDICT_UNKNOWN);
    netdevs[COUNT].kind = NETDEV_MACVLAN;
    netdevs[COUNT].lower = "eth1";
    finding_of("arp-flux", VERDICT_UNKNOWN);
}

Test(rails, strict_filtering_where_the_way_back_is_anothers)
{
    add_vlan();
    set_sysctls("rp_filter", "1");
    struct finding finding = finding_of("rp-filter", VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "net.ipv4.conf.eth1.7.rp_filter is 1 (strict)");
    EXPECT_TEXT(finding.fix, "net.ipv4.conf.eth1/7.rp_filter=2");
    /* a rule for its address leads the answers out of the VLAN */
    host.nrules--;
    struct rule *rule = add_rule(100, 2, 107);
    rule->source[3] = 7;
    add_rule(32766, 0, MAIN);
    add_route(107, 2, 24, "eth1.7");
    finding_of("rp-filter", VERDICT_PASS);
    host.routes_known = false;
    finding_of("rp-filter", VERDICT_UNKNOWN);
}
