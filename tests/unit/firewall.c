/* SPDX-License-Identifier: MIT */
/* What the check firewall-4791 says to rulesets, as a kernel (6.18) told them: the bytes of
 * tests/fuzz/corpus has its answers about the rulesets of tests/vm/rulesets, NAME.nft or .rules, whose first
 * line says the verdict. Real packets agree: tests/vm/scenarios/firewall-rules and -writers. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <errno.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/xt_addrtype.h>
#include <linux/netfilter/xt_conntrack.h>
#include <linux/netfilter/xt_iprange.h>
#include <linux/netfilter/xt_mark.h>
#include <linux/netfilter/xt_multiport.h>
#include <linux/netfilter/xt_pkttype.h>
#include <linux/netfilter/xt_rpfilter.h>
#include <linux/netfilter/xt_state.h>
#include <linux/netfilter/xt_tcpudp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/base.h"
#include "base/mem.h"
#include "check/check.h"
#include "check/filter.h"
#include "rules_text.h"
#include "source/anonymise/anonymise.h"
#include "source/netlink/parsers.h"

static struct arena *arena;
static char bytes[64 << 10] __attribute__((aligned(8)));

static struct gid gids[2];
static struct port port;
static struct device device;
static struct netdev netdevs[3];
static struct address address;
static struct route route;
static struct host host;

static void put_gid(struct gid *gid, uint8_t last, const char *netdev)
{
    *gid = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, last },
                         .type = GID_TYPE_ROCE_V2,
                         .netdev = netdev };
}

/* rxe0 on eth0, 10.0.0.1/24. */
static void setup(void)
{
    arena = arena_new();
    put_gid(&gids[0], 1, "eth0");
    address = (struct address){
        .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 1 }
    };
    route = (struct route){
        .family = AF_INET, .prefix = 24, .destination = { 10 }, .table = 254, .type = 1, .netdev = "eth0"
    };
    netdevs[0] = (struct netdev){
        .name = "eth0", .ifindex = num_of(7), .addresses = &address, .naddresses = 1, .addresses_known = true
    };
    netdevs[1] = (struct netdev){ .name = "eth1", .ifindex = num_of(8) };
    netdevs[2] = (struct netdev){ .name = "eth2", .ifindex = num_of(9) };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .link_layer = LINK_LAYER_ETHERNET,
                          .transport = TRANSPORT_ROCE,
                          .gids = gids,
                          .ngids = 1,
                          .gids_complete = true,
                          .netdev = "eth0" };
    device = (struct device){
        .name = "rxe0", .transport = TRANSPORT_ROCE, .driver = "rxe", .ports = &port, .nports = 1
    };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = &device,
                          .ndevices = 1,
                          .netdevs = netdevs,
                          .nnetdevs = 3,
                          .routes_known = true,
                          .routes = &route,
                          .nroutes = 1 };
    host.system.firewall.asked = true;
}

/* 2001:db8::1/64, and its route. */
static void put_v6_subnet(void)
{
    static const uint8_t own[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 };
    address.family = route.family = AF_INET6;
    address.prefix = route.prefix = 64;
    memcpy(address.raw, own, sizeof(own));
    memcpy(address.peer, own, sizeof(own));
    memcpy(route.destination, own, 8);
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(firewall, .init = setup, .fini = teardown);

static int parse(size_t len, struct ruleset *ruleset)
{
    *ruleset = (struct ruleset){ 0 };
    int r = nft_parse_tables(bytes, len, arena, ruleset);
    r = r ? r : nft_parse_chains(bytes, len, arena, ruleset);
    r = r ? r : nft_parse_rules(bytes, len, arena, ruleset);
    r = r ? r : nft_parse_sets(bytes, len, arena, ruleset);
    for (size_t i = 0; i < ruleset->nsets && !r; i++)
        r = nft_parse_elements(bytes, len, arena, &ruleset->sets[i]);
    return r;
}

/* The bytes of a line "nft NAME HEX" (see tests/fuzz/corpora). */
static size_t from_hex(const char *hex)
{
    size_t len = 0;
    for (; len < sizeof(bytes) && isxdigit((unsigned char)hex[2 * len]); len++)
        bytes[len] = (char)strtoul((const char[]){ hex[2 * len], hex[2 * len + 1], '\0' }, NULL, 16);
    return len;
}

static size_t load(const char *name)
{
    FILE *file = fopen("tests/fuzz/corpus", "r");
    size_t size = 0, len = 0;
    char *line = NULL;
    cr_assert_not_null(file);
    while (!len && getline(&line, &size, file) > 0)
        if (strncmp(line, "nft ", 4) == 0 && strncmp(line + 4, name, strlen(name)) == 0 &&
            line[4 + strlen(name)] == ' ')
            len = from_hex(line + 4 + strlen(name) + 1);
    free(line);
    fclose(file);
    cr_assert_gt(len, 0, "%s", name);
    cr_assert_eq(parse(len, &host.system.firewall.ruleset), 0, "%s", name);
    return len;
}

static struct finding ask(void)
{
    struct check_selection selection = { .only = "firewall-4791" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.nfindings, 1);
    return report.findings[0];
}

static void expect(const char *name, const char *verdict)
{
    struct finding finding = ask();
    cr_expect_str_eq(verdict_name(finding.verdict), verdict, "%s: %s, not %s: %s", name,
                     verdict_name(finding.verdict), verdict, finding.evidence);
}

/* The next of tests/vm/rulesets: its name without what follows the dot, and the verdict in its first line. */
static bool next_ruleset(FILE *file, char name[static 256], char verdict[static 16])
{
    char line[1024];
    while (fgets(line, sizeof(line), file))
        if (sscanf(line, "=== %255[^.]", name) == 1) {
            cr_assert(fgets(line, sizeof(line), file) && sscanf(line, "# %15[a-z]:", verdict) == 1, "%s",
                      name);
            return true;
        }
    return false;
}

Test(firewall, each_ruleset_is_judged_as_its_first_line_says)
{
    FILE *file = fopen("tests/vm/rulesets", "r");
    char name[256], verdict[16];
    size_t count = 0;
    cr_assert_not_null(file);
    for (; next_ruleset(file, name, verdict); count++) {
        load(name);
        expect(name, verdict);
    }
    fclose(file);
    cr_expect_geq(count, 30);
}

/* The ruleset that the bytes are, anonymised, and the addresses of the host with it. */
static void anonymise(size_t len)
{
    static const char *const names[] = { "nft-tables", "nft-chains", "nft-rules", "nft-sets" };
    static int (*const parsers[])(const void *data, size_t size, struct arena *arena,
                                  struct ruleset *ruleset) = { nft_parse_tables, nft_parse_chains,
                                                               nft_parse_rules, nft_parse_sets };
    struct ruleset ruleset = { 0 };
    struct anonymiser *anonymiser = anonymiser_new();
    struct nft_sets *sets = nft_sets_new(anonymiser, bytes, len);
    anonymiser_learn_sets(anonymiser, sets, nft_sets_free);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct bytes out = { 0 };
        cr_assert(anonymise_reply(anonymiser, names[i], bytes, len, &out));
        cr_assert_eq(parsers[i](out.data, out.len, arena, &ruleset), 0);
        bytes_free(&out);
    }
    for (size_t i = 0; i < ruleset.nsets; i++) {
        char name[40];
        struct bytes out = { 0 };
        struct nft_set *set = &ruleset.sets[nft_sets_number(sets, i)];
        snprintf(name, sizeof(name), "nft-elements.%zu", i);
        if (anonymise_reply(anonymiser, name, bytes, len, &out))
            cr_assert_eq(nft_parse_elements(out.data, out.len, arena, set), 0);
        bytes_free(&out);
    }
    for (size_t i = 0; i < port.ngids; i++)
        anonymise_v6(anonymiser, gids[i].raw);
    (address.family == AF_INET ? anonymise_v4 : anonymise_v6)(anonymiser, address.raw);
    memcpy(address.peer, address.raw, sizeof(address.raw));
    (address.family == AF_INET ? anonymise_v4 : anonymise_v6)(anonymiser, route.destination);
    for (size_t bit = route.prefix; bit < 128; bit++)
        route.destination[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
    host.system.firewall.ruleset = ruleset;
    anonymiser_free(anonymiser);
}

/* Each time with another key. The rulesets are of a little-endian machine, and roce anonymises none of the
 * other order. */
Test(firewall, an_anonymised_ruleset_is_judged_the_same)
{
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return;
    FILE *file = fopen("tests/vm/rulesets", "r");
    char name[256], first[16];
    size_t count = 0;
    cr_assert_not_null(file);
    for (; next_ruleset(file, name, first); count++)
        for (int round = 0; round < 2; round++) {
            teardown();
            setup();
            size_t len = load(name);
            const char *verdict = verdict_name(ask().verdict);
            if (strcmp(name, "blocklist") == 0)
                verdict = "unknown"; /* a subnet's first and last address are any two of it afterwards */
            anonymise(len);
            expect(name, verdict);
        }
    fclose(file);
    cr_expect_geq(count, 30);
}

Test(firewall, the_rule_that_decides_is_named_and_the_fix_is_for_who_wrote_it)
{
    static const struct {
        const char *name, *evidence, *fix;
    } cases[] = {
        { "policy-drop", "drops RoCE packets to 10.0.0.1 on eth0: policy drop of chain inet filter input",
          "nft insert rule inet filter input udp dport 4791 accept; for every boot: the same in /etc/nftables.conf" },
        { "firewalld", "rule inet firewalld filter_IN_public handle",
          "firewall-cmd --permanent --zone=public --add-port=4791/udp && firewall-cmd --reload" },
        { "ufw", "policy drop of chain ip filter INPUT", "ufw allow 4791/udp" },
        { "reject", "rule ip filter INPUT handle",
          "iptables -t filter -I INPUT -p udp --dport 4791 -j ACCEPT; for every boot: netfilter-persistent save" },
        { "vmap-shut", "policy drop of chain inet wall in",
          "nft insert rule inet wall in udp dport 4791 accept" },
        { "ingress", "rule netdev early in handle", "nft insert rule netdev early in udp dport 4791 accept" },
        { "egress", "drops RoCE packets from 10.0.0.1 on eth0: rule netdev late out handle",
          "nft insert rule netdev late out udp dport 4791 accept" },
        { "second-chain", "rule ip second in handle 2 (drop)", "nft insert rule ip second in" },
        { "output",
          "from 10.0.0.1 on eth0, of the peers that routes lead to: rule ip filter out handle 2 (reject)",
          "nft insert rule ip filter out" },
        { "limit",
          "could not decide about RoCE packets to 10.0.0.1 on eth0: rule inet filter in handle 2 depends on limit",
          "" },
        { "dynamic", "depends on what is in set seen", "" },
        { "docker-redirect", "depends on iptables' target DNAT", "" },
        { "policy-drop-open", "nftables accepts RoCE packets to and from 10.0.0.1", "" },
        { "subnet",
          "others than the peers that routes from 10.0.0.1 lead to may be refused: rule inet filter in handle",
          "" },
        { "dormant", "nftables accepts", "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        load(cases[i].name);
        struct finding finding = ask();
        cr_expect(strstr(finding.evidence, cases[i].evidence), "%s: %s", cases[i].name, finding.evidence);
        cr_expect(strstr(finding.fix, cases[i].fix) == finding.fix || !*cases[i].fix, "%s: %s", cases[i].name,
                  finding.fix);
    }
}

Test(firewall, the_interface_the_chain_sees_decides)
{
    load("interface");
    expect("eth0 begins as the rule's", "pass");
    put_gid(&gids[0], 1, "ib0");
    netdevs[0].name = port.netdev = "ib0";
    expect("ib0 doesn't", "fail");
    load("other-interface");
    put_gid(&gids[0], 1, "eth1");
    netdevs[0].name = port.netdev = "eth1";
    netdevs[1].name = "eth0";
    expect("eth1 is in the set", "pass");
}

/* The chain of the device below a VLAN sees its packets, too; of one of a bond's members it isn't known. */
Test(firewall, ingress_of_what_is_below_counts)
{
    const char *members[] = { "eth0", "eth2" };
    load("ingress");
    put_gid(&gids[0], 1, "eth1");
    netdevs[1].addresses = &address, netdevs[1].naddresses = 1;
    port.netdev = "eth1";
    expect("another netdev", "pass");
    netdevs[1].lower = "eth0";
    expect("a VLAN above it", "fail");
    netdevs[1].lower = NULL;
    netdevs[1].members = members, netdevs[1].nmembers = 2;
    expect("a bond above it", "unknown");
    netdevs[1].nmembers = 1;
    expect("a bond of it alone", "fail");
}

Test(firewall, peers_are_those_that_the_host_knows_a_way_to)
{
    struct route routes[2] = { route,
                               { .family = AF_INET,
                                 .prefix = 16,
                                 .destination = { 10, 9 },
                                 .table = 254,
                                 .type = 1,
                                 .has_gateway = true,
                                 .netdev = "eth0" } };
    load("subnet");
    expect("the subnet is in the rule's", "pass");
    host.routes = routes, host.nroutes = 2;
    expect("a route leads to others", "unknown");
    cr_expect(strstr(ask().evidence, "rule inet filter in handle 2"), "%s", ask().evidence);
    host.nroutes = 1;
    address.prefix = 31;
    expect("a link between two: peers are elsewhere", "unknown");
    host.routes = &routes[1];
    expect("a route says where, and that is excluded", "fail");
    routes[1].destination[1] = 0, routes[1].prefix = 17;
    expect("a route to what isn't", "pass");
    host.routes = routes;
    address.prefix = 8;
    expect("a wider subnet", "unknown");
    load("blocklist");
    address.prefix = 24;
    expect("none of the subnet is blocked", "pass");
    address.prefix = 31;
    cr_assert_eq(host.system.firewall.ruleset.chains[0].nrules, 2);
    host.system.firewall.ruleset.chains[0].nrules = 1;
    expect("a peer elsewhere may be", "unknown");
    load("fib");
    address.prefix = 24;
    expect("a route leads back", "pass");
    host.routes = &route;
    route.prefix = 20;
    expect("a wider one does", "pass");
    route.destination[2] = 16;
    expect("one to another subnet doesn't", "unknown");
    route.destination[2] = 0, route.prefix = 24;
    struct rule rule = { .family = AF_INET, .table = 255 };
    host.rules = &rule, host.nrules = 1;
    expect("the kernel's own rules change nothing", "pass");
    rule.table = 253;
    expect("the kernel's own rules change nothing", "pass");
    rule.table = 100;
    expect("a rule leads elsewhere", "unknown");
    rule.table = 256;
    expect("a rule leads elsewhere", "unknown");
    host.nrules = 0;
    host.nroutes = 0;
    expect("no route is known", "unknown");
}

/* subnet.nft takes 10.0.0.0/17 alone: networks of that, and one that isn't behind all that are looked at. */
Test(firewall, more_routes_than_are_looked_at)
{
    static struct route routes[66];
    for (size_t i = 0; i < ARRAY_SIZE(routes); i++)
        routes[i] = (struct route){ .family = AF_INET,
                                    .prefix = 24,
                                    .destination = { 10, i == 65 ? 9 : 0, (uint8_t)i },
                                    .table = 254,
                                    .type = 1,
                                    .has_gateway = true,
                                    .netdev = "eth0" };
    load("subnet");
    host.routes = routes, host.nroutes = 64;
    expect("all of them are the rule's", "pass");
    host.nroutes = 65;
    expect("one more than are looked at", "unknown");
    host.nroutes = 66;
    expect("the last might not be", "unknown");
    cr_expect(strstr(ask().evidence, "more networks behind gateways"), "%s", ask().evidence);
    load("firewalld-open");
    expect("whoever sends is let in", "pass");
}

/* subnet.nft takes 10.0.0.0/17 alone, blocklist.nft not 0.0.0.0/8, 192.168.0.0/16 and 224.0.0.0/3. */
Test(firewall, a_subnet_is_all_of_its_hosts_and_no_more)
{
    load("subnet");
    address.prefix = 16;
    expect("half of it is refused", "unknown");
    cr_expect(strstr(ask().evidence, "handle 3 depends on the peer's address"), "%s", ask().evidence);
    address.prefix = 17;
    expect("the half that isn't", "pass");
    address.prefix = 29;
    expect("the smallest that is one", "pass");
    address.prefix = 30;
    expect("a link between two: peers are elsewhere", "unknown");
    route = (struct route){ .family = AF_INET,
                            .prefix = 31,
                            .destination = { 10, 0, 127, 254 },
                            .table = 254,
                            .type = 1,
                            .has_gateway = true,
                            .netdev = "eth0" };
    expect("a route leads to two addresses", "pass");
    cr_expect(strstr(ask().evidence, "others than the peers that routes"), "%s", ask().evidence);
    route.destination[2] = 128;
    expect("which are refused", "fail");
    put_gid(&gids[0], 1, "eth0");
    memcpy(gids[0].raw + 12, (uint8_t[]){ 169, 254, 1, 1 }, 4);
    netdevs[0].naddresses = 0;
    load("blocklist");
    expect("of a link-local GID its link", "pass");
}

Test(firewall, so_many_addresses_are_judged_and_no_more)
{
    static struct gid many[65];
    for (size_t i = 0; i < ARRAY_SIZE(many); i++)
        put_gid(&many[i], (uint8_t)(i + 1), "eth0");
    port.gids = many;
    load("policy-drop-open");
    port.ngids = 64;
    expect("64 addresses", "pass");
    port.ngids = 65;
    expect("one more", "unknown");
    cr_expect(strstr(ask().evidence, "more addresses than roce judges"), "%s", ask().evidence);
}

/* A bond of so many that they aren't all asked about; ASan looks on. */
Test(firewall, a_bond_of_many_members)
{
    const char *members[40];
    for (size_t i = 0; i < ARRAY_SIZE(members); i++)
        members[i] = i == 0 ? "eth0" : "eth2";
    load("ingress");
    put_gid(&gids[0], 1, "eth1");
    netdevs[1].addresses = &address, netdevs[1].naddresses = 1;
    netdevs[1].members = members, netdevs[1].nmembers = ARRAY_SIZE(members);
    port.netdev = "eth1";
    expect("a bond above many", "unknown");
}

/* The chains of the family bridge see what a bridge takes in for its own host, and nobody else's. */
Test(firewall, chains_of_bridges)
{
    load("policy-drop");
    struct ruleset *ruleset = &host.system.firewall.ruleset;
    for (size_t i = 0; i < ruleset->nchains; i++)
        ruleset->chains[i].family = NFPROTO_BRIDGE;
    expect("a netdev that is none", "pass");
    netdevs[0].kind = NETDEV_BRIDGE;
    cr_expect_str_neq(verdict_name(ask().verdict), "pass", "%s", ask().evidence);
}

/* iptables-nft's tables are known by their names and those of the chains in them. */
Test(firewall, whose_table_it_is)
{
    load("reject");
    struct ruleset *ruleset = &host.system.firewall.ruleset;
    cr_expect(strstr(ask().fix, "iptables"), "%s", ask().fix);
    for (size_t i = 0; i < ruleset->nchains; i++)
        ruleset->chains[i].table = "mine";
    expect("the same in another's table", "fail");
    cr_expect_not(strstr(ask().fix, "iptables"), "%s", ask().fix);
    load("reject");
    for (size_t i = 0; i < ruleset->nchains; i++)
        ruleset->chains[i].family = NFPROTO_IPV6;
    expect("IPv6's alone", "pass");
    gids[0] = (struct gid){ .raw = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = "eth0" };
    put_v6_subnet();
    expect("and an IPv6 address", "fail");
    cr_expect(strstr(ask().fix, "ip6tables"), "%s", ask().fix);
}

/* docker.rules masquerades all that leaves eth0. */
Test(firewall, masquerading_harms_a_second_address)
{
    struct address addresses[2] = { address, address };
    load("docker");
    expect("the first address stays", "pass");
    addresses[0].raw[3] = 9;
    netdevs[0].addresses = addresses, netdevs[0].naddresses = 2;
    expect("the second becomes the first", "unknown");
}

static void rules(const char *text)
{
    host.system.firewall.ruleset = rules_of(text, arena);
}

/* 10.0.0.1 is a peer of 10.0.0.3, of which a subnet's own address is none that is known. */
Test(firewall, the_first_host_of_a_subnet_is_a_peer)
{
    put_gid(&gids[0], 3, "eth0");
    address.raw[3] = address.peer[3] = 3;
    rules(IN PEER IS("0a000000"));
    expect("no host has the first address", "pass");
    rules(IN PEER IS("0a000001"));
    expect("the first host", "unknown");
    rules(IN PEER IS("0a0000fe"));
    expect("the last host", "unknown");
    rules(IN PEER IS("0a0000ff"));
    expect("no host has the last address", "pass");
}

/* Of a route to two addresses each is a host's. */
Test(firewall, a_route_to_two_addresses)
{
    address.prefix = 31;
    route = (struct route){ .family = AF_INET,
                            .prefix = 31,
                            .destination = { 10, 9, 0, 4 },
                            .table = 254,
                            .type = 1,
                            .has_gateway = true,
                            .netdev = "eth0" };
    rules(IN PEER "cmp from=8 op=lt 0a090004; drop\n+ " PEER "cmp from=8 op=gt 0a090005; drop");
    expect("both are let in", "pass");
    rules(IN PEER "cmp from=8 op=lt 0a090005; drop\n+ " PEER "cmp from=8 op=gt 0a090005; drop");
    expect("the first is not", "unknown");
    rules(IN PEER "cmp from=8 op=lt 0a090004; drop\n+ " PEER "cmp from=8 op=gt 0a090004; drop");
    expect("the second is not", "unknown");
}

/* 169.254.0.0/16 and fe80::/64, whose other half a rule shuts out. */
Test(firewall, a_link_local_address_has_all_of_its_link_for_peers)
{
    put_gid(&gids[0], 1, "eth0");
    memcpy(gids[0].raw + 12, (uint8_t[]){ 169, 254, 1, 1 }, 4);
    netdevs[0].naddresses = 0;
    rules(IN PEER "cmp from=8 op=ge a9fe8000; drop");
    expect("half of the link", "unknown");
    rules(IN PEER "cmp from=8 op=ge a9ff0000; drop");
    expect("behind it", "pass");
    gids[0] = (struct gid){ .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
    rules(IN PEER6 "cmp from=1 op=ge fe800000000000008000000000000000; drop");
    expect("half of IPv6's", "unknown");
    rules(IN PEER6 "cmp from=1 op=ge fe800000000000010000000000000000; drop");
    expect("behind it", "pass");
}

Test(firewall, masquerading_of_ipv6)
{
    static const uint8_t own[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 };
    struct address addresses[2];
    memcpy(gids[0].raw, own, sizeof(own));
    put_v6_subnet();
    addresses[0] = addresses[1] = address;
    rules(AT("4", "100") "masq");
    expect("the first address stays", "pass");
    addresses[0].raw[15] = 9;
    netdevs[0].addresses = addresses, netdevs[0].naddresses = 2;
    expect("the second becomes the first", "unknown");
}

/* Without a subnet: some peers are shut out for sure, of the others it depends. */
Test(firewall, what_it_depends_on_is_told_before_what_is_sure)
{
    netdevs[0].naddresses = 0;
    rules(IN PEER "cmp from=8 op=lt 80000000; drop\n+ limit; drop");
    expect("the first half is dropped", "unknown");
    cr_expect(strstr(ask().evidence, "handle 2 depends on limit"), "%s", ask().evidence);
    rules(IN PEER "cmp from=8 op=gt 80000000; drop\n+ limit; drop");
    expect("the second half is", "unknown");
    cr_expect(strstr(ask().evidence, "depends on"), "%s", ask().evidence);
    rules(IN PEER "cmp from=8 op=lt 80000000; drop");
    expect("the second half is let in", "unknown");
    rules(IN "payload key=ip off=12 len=1 to=8; bitwise from=8 to=8 len=1 cf 00; " IS("00"));
    expect("hosts of 16.0.0.0/8, 32.0.0.0/8 and 48.0.0.0/8 are not", "unknown");
}

/* Both families of one table, and those of one. */
Test(firewall, each_address_is_judged_in_its_family)
{
    gids[1] = (struct gid){ .raw = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = "eth0" };
    port.ngids = 2;
    load("reject"); /* iptables: IPv4 only */
    expect("IPv4 is rejected", "fail");
    put_gid(&gids[0], 1, "elsewhere");
    expect("IPv6 is not", "pass");
    load("firewalld");
    expect("inet is both", "fail");
    load("firewalld-open");
    expect("the way back of IPv6 isn't known", "unknown");
    put_v6_subnet();
    expect("the subnet's route is the way back", "pass");
    struct rule rule = { .family = AF_INET6, .action = 1, .table = 100 };
    host.rules = &rule, host.nrules = 1;
    expect("a rule may lead elsewhere", "unknown");
}

/* What became of IPv6's UDP packets under the same rulesets (Linux 6.18), where it is another than IPv4's. */
Test(firewall, the_rulesets_do_other_things_to_ipv6)
{
    static const struct {
        const char *name, *verdict;
    } cases[] = {
        { "concatenation", "fail" },   { "fib", "fail" },       { "vmap", "fail" },
        { "dynamic", "fail" },         { "output", "pass" },    { "reject", "pass" },
        { "second-chain", "pass" },    { "ufw", "pass" },       { "other-interface", "pass" },
        { "docker-redirect", "pass" }, { "firewalld", "fail" }, { "egress", "fail" },
    };
    gids[0] = (struct gid){ .raw = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = "eth0" };
    put_v6_subnet();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        load(cases[i].name);
        expect(cases[i].name, cases[i].verdict);
    }
}

/* Where there is nothing else: their link's peers only. */
Test(firewall, link_local_addresses_count_when_they_are_all)
{
    static const uint8_t own[16] = { 0xfe, 0x80, [15] = 1 };
    memcpy(gids[1].raw, own, sizeof(own));
    gids[1].type = GID_TYPE_ROCE_V2;
    gids[1].netdev = "eth0";
    port.ngids = 2;
    load("reject"); /* IPv4 only */
    expect("there is an IPv4 address", "fail");
    gids[0] = gids[1];
    address = (struct address){ .family = AF_INET6, .prefix = 64 };
    memcpy(address.raw, own, sizeof(own));
    memcpy(address.peer, own, sizeof(own));
    expect("there is none", "pass");
    netdevs[0].naddresses = 0;
    load("firewalld-open");
    expect("the address isn't known, its link is", "unknown");
    load("policy-drop");
    expect("inet is both", "fail");
    gids[0].type = gids[1].type = GID_TYPE_IB_ROCE_V1;
    expect("no RoCE v2", "n/a");
}

Test(firewall, what_cannot_be_seen_is_no_pass)
{
    struct firewall *firewall = &host.system.firewall;
    load("policy-drop-open");
    firewall->legacy6 = "filter";
    expect("iptables-legacy of the other family", "pass");
    firewall->legacy = "filter nat";
    expect("iptables-legacy", "unknown");
    cr_expect(strstr(ask().evidence, "/proc/net/ip_tables_names: filter nat"), "%s", ask().evidence);
    load("policy-drop");
    expect("what nftables drops is dropped all the same", "fail");
    load("policy-drop-open");
    firewall->legacy = firewall->legacy6 = NULL;
    host.system.firewall.ruleset.sets[0].known = host.system.firewall.ruleset.sets[1].known =
        host.system.firewall.ruleset.sets[2].known = false;
    expect("the sets' elements weren't told", "unknown");
    firewall->err = EPERM;
    expect("not root", "unknown");
    firewall->err = EOPNOTSUPP;
    host.system.firewall.ruleset = (struct ruleset){ 0 };
    expect("no nftables in the kernel", "pass");
    firewall->err = 0;
    firewall->asked = false;
    expect("not asked", "unknown");
    firewall->asked = true;
    netdevs[0].name = "other";
    port.netdev = NULL;
    expect("in another namespace", "unknown");
    device.driver = "mlx5_core";
    expect("hardware", "n/a");
}

/* Bit by bit: no spoilt answer is a crash, and what isn't parsed to its end is told. */
Test(firewall, a_reply_cut_short_is_bad)
{
    struct ruleset ruleset;
    size_t len = load("ufw");
    cr_expect_eq(parse(len - 40, &ruleset), -EBADMSG);
    cr_expect_eq(parse(0, &ruleset), 0);
    cr_expect_eq(ruleset.nchains, 0);
}

/* nft's own words for these: see concatenation.nft in tests/vm/rulesets. */
Test(firewall, elements_of_intervals_are_in_order_of_their_keys)
{
    load("concatenation");
    struct nft_set *set = ruleset_set(&host.system.firewall.ruleset, 1, "filter", "blocked");
    cr_assert_not_null(set);
    for (size_t i = 1; i < set->nelements; i++)
        cr_expect_leq(memcmp(set->elements[i - 1].key.data, set->elements[i].key.data, 4), 0);
    set = ruleset_set(&host.system.firewall.ruleset, 1, "filter", "peers");
    cr_assert_not_null(set);
    cr_expect_eq(set->nfields, 2);
    cr_expect_eq(set->fields[0], 4);
    cr_expect_eq(set->fields[1], 2);
}

/* Of iptables' own matches, which older iptables-nft writes for all: 10.0.0.1 receives from 10.0.0.2 to .254. */
static enum match xt(const char *name, uint32_t revision, const void *info, size_t len)
{
    const struct nft_expression match = {
        .name = "match", .set = name, .revision = revision, .value.bytes = { info, len }
    };
    const struct filter_packet packet = {
        .in = true, .own = { 10, 0, 0, 1 }, .peer_low = { 10, 0, 0, 2 }, .peer_high = { 10, 0, 0, 254 }
    };
    const struct filter_state state = { .mark_known = true, .mark = 0x4100 };
    const char *why = NULL;
    return filter_xt_match(&match, &packet, &state, &why);
}
#define XT(name, revision, ...) xt(name, revision, &(__VA_ARGS__), sizeof(__VA_ARGS__))

Test(firewall, matches_of_iptables_on_ports)
{
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 0, 65535 }, { 4791, 4791 }, 0 }), MATCH_YES);
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 0, 65535 }, { 4792, 65535 }, 0 }), MATCH_NO);
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 0, 65535 }, { 53, 53 }, XT_UDP_INV_DSTPT }), MATCH_YES);
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 1, 1023 }, { 0, 65535 }, 0 }), MATCH_NO);
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 1, 1023 }, { 0, 65535 }, XT_UDP_INV_SRCPT }), MATCH_YES);
    cr_expect_eq(XT("udp", 0, (struct xt_udp){ { 50000, 60000 }, { 0, 65535 }, 0 }), MATCH_MAYBE);
    cr_expect_eq(XT("udp", 0, (uint16_t){ 0 }), MATCH_MAYBE, "too short");
    cr_expect_eq(XT("tcp", 0, (uint16_t){ 0 }), MATCH_NO);
    cr_expect_eq(XT("multiport", 1,
                    (struct xt_multiport_v1){ XT_MULTIPORT_DESTINATION, 3, { 53, 4000, 5000 }, { 0, 1 }, 0 }),
                 MATCH_YES);
    cr_expect_eq(XT("multiport", 1,
                    (struct xt_multiport_v1){ XT_MULTIPORT_DESTINATION, 3, { 53, 4000, 5000 }, { 0, 1 }, 1 }),
                 MATCH_NO);
    cr_expect_eq(XT("multiport", 1, (struct xt_multiport_v1){ XT_MULTIPORT_SOURCE, 1, { 4791 }, { 0 }, 0 }),
                 MATCH_NO);
    cr_expect_eq(XT("multiport", 0, (struct xt_multiport){ XT_MULTIPORT_EITHER, 2, { 4789, 4791 } }),
                 MATCH_YES);
}

Test(firewall, matches_of_iptables_on_state_address_and_mark)
{
    unsigned fresh = XT_CONNTRACK_STATE_BIT(IP_CT_NEW), old = XT_CONNTRACK_STATE_BIT(IP_CT_ESTABLISHED);
    cr_expect_eq(XT("state", 0, (struct xt_state_info){ fresh }), MATCH_YES);
    cr_expect_eq(XT("state", 0, (struct xt_state_info){ old }), MATCH_NO);
    cr_expect_eq(
        XT("conntrack", 1,
           (struct xt_conntrack_mtinfo1){ .match_flags = XT_CONNTRACK_STATE, .state_mask = (uint8_t)fresh }),
        MATCH_YES);
    cr_expect_eq(
        XT("conntrack", 3,
           (struct xt_conntrack_mtinfo3){ .match_flags = XT_CONNTRACK_STATE, .state_mask = (uint16_t)old }),
        MATCH_NO);
    cr_expect_eq(XT("conntrack", 3,
                    (struct xt_conntrack_mtinfo3){ .match_flags = XT_CONNTRACK_STATE,
                                                   .invert_flags = XT_CONNTRACK_STATE,
                                                   .state_mask = (uint16_t)old }),
                 MATCH_YES);
    cr_expect_eq(XT("conntrack", 3, (struct xt_conntrack_mtinfo3){ .match_flags = XT_CONNTRACK_EXPIRES }),
                 MATCH_MAYBE);
    cr_expect_eq(XT("addrtype", 1, (struct xt_addrtype_info_v1){ 0, XT_ADDRTYPE_LOCAL, 0 }), MATCH_YES);
    cr_expect_eq(
        XT("addrtype", 1, (struct xt_addrtype_info_v1){ 0, XT_ADDRTYPE_LOCAL, XT_ADDRTYPE_INVERT_DEST }),
        MATCH_NO);
    cr_expect_eq(XT("addrtype", 1, (struct xt_addrtype_info_v1){ XT_ADDRTYPE_LOCAL, 0, 0 }), MATCH_NO);
    cr_expect_eq(XT("addrtype", 0, (struct xt_addrtype_info){ XT_ADDRTYPE_UNICAST, XT_ADDRTYPE_LOCAL, 0, 0 }),
                 MATCH_YES);
    cr_expect_eq(XT("mark", 1, (struct xt_mark_mtinfo1){ 0x100, 0xf00, 0 }), MATCH_YES);
    cr_expect_eq(XT("mark", 1, (struct xt_mark_mtinfo1){ 0x100, 0xffff, 0 }), MATCH_NO);
    cr_expect_eq(XT("mark", 1, (struct xt_mark_mtinfo1){ 0x8000, 0x8000, 1 }), MATCH_YES);
    struct xt_iprange_mtinfo range = { .flags = IPRANGE_SRC };
    memcpy(&range.src_min, (uint8_t[]){ 10, 0, 0, 0 }, 4);
    memcpy(&range.src_max, (uint8_t[]){ 10, 0, 0, 255 }, 4);
    cr_expect_eq(XT("iprange", 1, range), MATCH_YES);
    memcpy(&range.src_max, (uint8_t[]){ 10, 0, 0, 9 }, 4);
    cr_expect_eq(XT("iprange", 1, range), MATCH_MAYBE);
    range.flags |= IPRANGE_SRC_INV;
    cr_expect_eq(XT("iprange", 1, range), MATCH_MAYBE);
    cr_expect_eq(XT("comment", 0, (uint16_t){ 0 }), MATCH_YES);
    cr_expect_eq(XT("hashlimit", 3, (uint16_t){ 0 }), MATCH_MAYBE);
}

/* A packet that comes in from a peer on the link, of IPv6 where it says so. */
static struct filter_packet packet;
static struct filter_state tracked;
static enum match xt_of(const char *name, uint32_t revision, const void *info, size_t len)
{
    const struct nft_expression match = {
        .name = "match", .set = name, .revision = revision, .value.bytes = { info, len }
    };
    const char *why = NULL;
    return filter_xt_match(&match, &packet, &tracked, &why);
}
#define XT_OF(name, revision, ...) xt_of(name, revision, &(__VA_ARGS__), sizeof(__VA_ARGS__))

/* The source ports are 49152 to 65535. */
Test(firewall, matches_of_iptables_at_their_ends)
{
    enum { FIRST = 49152 };
    packet = (struct filter_packet){ .in = true, .peer_on_link = true };
    cr_expect_eq(XT_OF("udp", 0, (struct xt_udp){ { 0, FIRST - 1 }, { 0, 65535 }, 0 }), MATCH_NO);
    cr_expect_eq(XT_OF("udp", 0, (struct xt_udp){ { 0, FIRST }, { 0, 65535 }, 0 }), MATCH_MAYBE);
    cr_expect_eq(XT_OF("udp", 0, (struct xt_udp){ { FIRST, 65535 }, { 0, 65535 }, 0 }), MATCH_YES);
    cr_expect_eq(XT_OF("udp", 0, (struct xt_udp){ { FIRST + 1, 65535 }, { 0, 65535 }, 0 }), MATCH_MAYBE);
    struct xt_multiport_v1 ports = { XT_MULTIPORT_SOURCE, 2, { 80, 50000 }, { 0 }, 0 };
    cr_expect_eq(XT_OF("multiport", 1, ports), MATCH_MAYBE);
    ports.ports[0] = 50000, ports.ports[1] = 80;
    cr_expect_eq(XT_OF("multiport", 1, ports), MATCH_MAYBE);
    cr_expect_eq(XT_OF("multiport", 2, ports), MATCH_MAYBE);
    ports.flags = XT_MULTIPORT_EITHER;
    cr_expect_eq(XT_OF("multiport", 1, ports), MATCH_MAYBE);
    ports.flags = XT_MULTIPORT_DESTINATION;
    cr_expect_eq(XT_OF("multiport", 1, ports), MATCH_NO);
    cr_expect_eq(XT_OF("multiport", 2, ports), MATCH_MAYBE, "a revision that isn't known");

    packet.v6 = true;
    memset(packet.peer_low, 0xfd, 16);
    memset(packet.peer_high, 0xfd, 16);
    packet.peer_low[15] = 0, packet.peer_high[15] = 9;
    struct xt_iprange_mtinfo range = { .flags = IPRANGE_SRC };
    memcpy(&range.src_min, packet.peer_low, 16);
    memcpy(&range.src_max, packet.peer_high, 16);
    cr_expect_eq(XT_OF("iprange", 1, range), MATCH_YES);
    range.src_max.ip6[3] = range.src_min.ip6[3];
    cr_expect_eq(XT_OF("iprange", 1, range), MATCH_MAYBE);
}

Test(firewall, matches_of_iptables_on_what_is_tracked)
{
    unsigned fresh = XT_CONNTRACK_STATE_BIT(IP_CT_NEW), old = XT_CONNTRACK_STATE_BIT(IP_CT_ESTABLISHED);
    packet = (struct filter_packet){ .in = true };
    tracked = (struct filter_state){ .untracked = MATCH_MAYBE };
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ fresh }), MATCH_MAYBE);
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ old }), MATCH_NO);
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ fresh | XT_STATE_UNTRACKED }), MATCH_MAYBE);
    cr_expect_eq(
        XT_OF("state", 0, (struct xt_state_info){ fresh | XT_STATE_UNTRACKED | XT_CONNTRACK_STATE_INVALID }),
        MATCH_YES);
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ XT_STATE_UNTRACKED }), MATCH_MAYBE);
    tracked.untracked = MATCH_YES;
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ fresh }), MATCH_NO);
    cr_expect_eq(XT_OF("state", 0, (struct xt_state_info){ XT_STATE_UNTRACKED }), MATCH_YES);
    tracked.untracked = MATCH_NO;
    for (uint32_t revision = 2; revision <= 3; revision++) {
        struct xt_conntrack_mtinfo2 info = { .match_flags = XT_CONNTRACK_STATE, .state_mask = (uint16_t)old };
        cr_expect_eq(XT_OF("conntrack", revision, info), MATCH_NO);
        info.state_mask = (uint16_t)fresh;
        cr_expect_eq(XT_OF("conntrack", revision, info), MATCH_YES);
    }
    cr_expect_eq(XT_OF("conntrack", 4, (struct xt_conntrack_mtinfo2){ 0 }), MATCH_MAYBE);
}

Test(firewall, matches_of_iptables_on_how_it_came)
{
    packet = (struct filter_packet){ .in = true, .peer_on_link = true };
    cr_expect_eq(XT_OF("pkttype", 0, (struct xt_pkttype_info){ 0, 0 }), MATCH_YES);
    cr_expect_eq(XT_OF("pkttype", 0, (struct xt_pkttype_info){ 0, 1 }), MATCH_NO);
    cr_expect_eq(XT_OF("pkttype", 0, (struct xt_pkttype_info){ 1, 0 }), MATCH_NO, "broadcasts");
    cr_expect_eq(XT_OF("pkttype", 0, (uint8_t){ 0 }), MATCH_MAYBE, "too short");
    cr_expect_eq(XT_OF("rpfilter", 0, (struct xt_rpfilter_info){ 0 }), MATCH_YES);
    cr_expect_eq(XT_OF("rpfilter", 0, (struct xt_rpfilter_info){ XT_RPFILTER_INVERT }), MATCH_NO);
    packet.vrf = true;
    cr_expect_eq(XT_OF("rpfilter", 0, (struct xt_rpfilter_info){ 0 }), MATCH_MAYBE);
    packet.vrf = packet.peer_on_link = false;
    cr_expect_eq(XT_OF("rpfilter", 0, (struct xt_rpfilter_info){ 0 }), MATCH_MAYBE);
    packet.in = false, packet.peer_on_link = true;
    cr_expect_eq(XT_OF("rpfilter", 0, (struct xt_rpfilter_info){ 0 }), MATCH_MAYBE);
    cr_expect_eq(XT_OF("pkttype", 0, (struct xt_pkttype_info){ 0, 0 }), MATCH_MAYBE);
}

Test(firewall, targets_of_iptables)
{
    struct filter_state state = { .mark_known = true, .mark = 0xf0ff };
    const struct xt_mark_tginfo2 mark = { 0x4100, 0xff00 };
    const uint16_t notrack = 1; /* XT_CT_NOTRACK */
    struct nft_expression target = {
        .name = "target", .set = "MARK", .revision = 2, .value.bytes = { (const uint8_t *)&mark, sizeof(mark) }
    };
    cr_expect_eq(filter_xt_target(&target, &state), XT_MARK);
    cr_expect_eq(state.mark, 0x41ff);
    target.set = "CONNMARK";
    cr_expect_eq(filter_xt_target(&target, &state), XT_MARK);
    cr_expect_not(state.mark_known);
    target = (struct nft_expression){ .name = "target",
                                      .set = "CT",
                                      .value.bytes = { (const uint8_t *)&notrack, sizeof(notrack) } };
    cr_expect_eq(filter_xt_target(&target, &state), XT_NOTRACK);
    cr_expect_eq(state.untracked, MATCH_YES);
    state.untracked = MATCH_NO;
    target.value.bytes = (struct nft_bytes){ (const uint8_t[2]){ 0 }, 2 };
    cr_expect_eq(filter_xt_target(&target, &state), XT_NOTRACK);
    cr_expect_eq(state.untracked, MATCH_NO, "a CT that says something else");
    target.set = "NOTRACK", target.value.bytes.len = 0;
    cr_expect_eq(filter_xt_target(&target, &state), XT_NOTRACK);
    cr_expect_eq(state.untracked, MATCH_YES);
    target.set = "REJECT";
    cr_expect_eq(filter_xt_target(&target, &state), XT_DROP);
    target.set = "TPROXY";
    cr_expect_eq(filter_xt_target(&target, &state), XT_UNKNOWN);
}
