/* SPDX-License-Identifier: MIT */
/* Facts of many hosts: reading them, putting ports together, rules, folded names. */
#include <criterion/criterion.h>

#include "fleet/compare.h"
#include "fleet/hosts.h"

static struct arena *arena;
static struct fleet *fleet;
static struct fleet_fault fault;
static struct fleet_report report;
static struct fleet_wish wish;

static void setup(void)
{
    arena = arena_new();
    fleet = fleet_new();
    wish = (struct fleet_wish){ 0 };
}

static void teardown(void)
{
    fleet_free(fleet);
    arena_free(arena);
}

TestSuite(fleet, .init = setup, .fini = teardown);

static int add(const char *text)
{
    return fleet_add(fleet, text, strlen(text), "facts.json", 1, "file", &fault);
}

/* A host with one port; port: more keys of it, or "". */
static void add_host(const char *name, const char *host, const char *device, const char *port)
{
    char *text = mem_printf(
        "{\"version\": 1, \"host\": \"%s\"%s, \"devices\": [{\"device\": \"mlx5_0\", \"hca_type\": \"MT1\"%s}],"
        "\"ports\": [{\"device\": \"mlx5_0\", \"port\": 1%s}]}",
        name, host, device, port);
    cr_assert_eq(add(text), 0, "%s: %s", text, fault.what);
    free(text);
}

/* count hosts named h0, h1 …; of the first few, odd says more of the port. */
static void add_hosts(size_t count, size_t odd, const char *port, const char *odd_port)
{
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "h%zu", i);
        add_host(name, "", "", i < odd ? odd_port : port);
    }
}

static const struct fleet_host *const *hosts(size_t *count)
{
    return fleet_settle(fleet, count);
}

/* "key subject: hosts value, hosts value; …", odd groups marked with '!'. */
static const char *compare(void)
{
    size_t count;
    const char *text = "";
    const struct fleet_host *const *all = hosts(&count);
    report = fleet_compare(fleet, all, count, &wish, arena);
    for (size_t i = 0; i < report.nfindings; i++) {
        const struct fleet_finding *finding = &report.findings[i];
        text = arena_printf(arena, "%s%s%s %s:", text, i ? "; " : "", finding->key,
                            finding->subject ? finding->subject : "host");
        for (size_t g = 0; g < finding->ngroups; g++)
            text = arena_printf(arena, "%s %s%s=%s", text, finding->groups[g].odd ? "!" : "",
                                finding->groups[g].hosts, finding->groups[g].value);
    }
    return text;
}

/* -- names --------------------------------------------------------------------------------------------- */

#define FOLDS(wanted, ...)                                                        \
    do {                                                                          \
        const char *names_[] = { __VA_ARGS__ };                                   \
        char *folded_ = nodeset_fold(names_, sizeof(names_) / sizeof(names_[0])); \
        cr_expect_str_eq(folded_, (wanted));                                      \
        free(folded_);                                                            \
    } while (0)

Test(fleet, names_are_folded_as_nodeset_folds_them)
{
    FOLDS("h[1-3,10]", "h10", "h1", "h3", "h2", "h3");
    FOLDS("h[0-4,6-7]", "h0", "h1", "h2", "h3", "h4", "h6", "h7");
    FOLDS("h[2,9,01,03,10]", "h01", "h2", "h03", "h9", "h10");
    FOLDS("h[11,009-010]", "h009", "h010", "h11");
    FOLDS("b2,foo,h1,x,z", "x", "foo", "h1", "z", "b2");
    FOLDS("a[1-2]b[1-2],a3b1", "a1b1", "a1b2", "a2b1", "a2b2", "a3b1");
    FOLDS("r1n[01-02],r2n[01,03]", "r1n01", "r1n02", "r2n01", "r2n03");
    FOLDS("h[1-2]-ib0", "h1-ib0", "h2-ib0");
    FOLDS("h[0-1,00,000]", "h0", "h00", "h000", "h1");
    char *none = nodeset_fold(NULL, 0);
    cr_expect_str_eq(none, "");
    free(none);
}

/* -- reading ------------------------------------------------------------------------------------------- */

static void refused(const char *text, unsigned line, const char *what)
{
    cr_expect_lt(add(text), 0, "%s", text);
    cr_expect_eq(fault.line, line, "%s: line %u", text, fault.line);
    cr_expect(strstr(fault.what, what), "%s: %s", text, fault.what);
}

/* No two of these have a number in common, so that each stays a block of its own. */
Test(fleet, names_without_any_order_take_their_time_each)
{
    enum { N = 60000 };
    char **names = arena_alloc(arena, N, sizeof(*names));
    for (size_t i = 0; i < N; i++)
        names[i] = arena_printf(arena, "r%zun%zu", i * 7919 % 1000003, i * 104729 % 1000003);
    clock_t begin = clock();
    free(nodeset_fold((const char *const *)names, N));
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    cr_assert_lt(seconds, 10, "%.1f s", seconds);
}

Test(fleet, what_is_no_facts_is_refused_with_its_line)
{
    refused("{\"version\": 1,\n\"found_by_doctor\": [{\"id\": \"x\"}]}", 1, "not the facts of a host");
    refused("{\"version\": 2, \"ports\": []}", 1, "must be 1");
    refused("{\"ports\": [{\"device\": \"a\",\n\n\"rate_mbps\": \"fast\"}]}", 1,
            "'rate_mbps' has a value of another type");
    refused("{\"ports\": [{\"rate_mbps\": -1}]}", 1, "rate_mbps");
    refused("{\"ports\": [{\"rate_mbps\": 1e3}]}", 1, "rate_mbps");
    refused("{\"ports\": [{\"pfc\": [3, \"3\"]}]}", 1, "pfc");
    refused("{\"ports\": [{\"pfc\": 3}]}", 1, "pfc");
    refused("{\"ports\": [1]}", 1, "an object");
    refused("{\"devices\": {}}", 1, "not an array");
    refused("[]", 1, "an object");
    refused("{\"ports\":\n[", 2, "near end of file");
    refused("{\"ports\": []} x", 1, "end of file expected");
    cr_expect_eq(fleet->nhosts, 0);
    cr_expect_eq(add("{\"ports\": [], \"later\": {\"key\": [1, {}, null, 1.5e-3]}}"), 0, "%s", fault.what);
    cr_expect_str_eq(fleet->hosts[0].name, "file");
}

Test(fleet, more_ports_than_any_host_has_are_refused)
{
    struct bytes text = { 0 };
    bytes_printf(&text, "{\"ports\": [{}");
    for (int i = 0; i < FLEET_PORTS_MOST; i++)
        bytes_printf(&text, ",{}");
    bytes_printf(&text, "]}");
    refused(text.data, 1, "more than 512 ports");
    bytes_free(&text);
}

Test(fleet, a_list_has_an_end)
{
    struct bytes text = { 0 };
    bytes_printf(&text, "{\"environment\": [\"A=1\"");
    for (int i = 0; i < FLEET_ITEMS_MOST; i++)
        bytes_printf(&text, ",\"A=1\"");
    bytes_printf(&text, "], \"ports\": []}");
    refused(text.data, 1, "'environment' has more than 1024 items");
    bytes_free(&text);
}

Test(fleet, names_that_a_shell_could_obey_are_made_harmless)
{
    add_host("a;rm -rf $(x)[1]", "", "", "");
    cr_expect_str_eq(fleet->hosts[0].name, "a_rm_-rf___x__1_");
    add_host("\\u001b[31m", "", "", "");
    cr_expect_str_eq(fleet->hosts[1].name, "_x1b_31m");
}

static struct bytes pieces;
static void take_object(void *data, const char *text, size_t len, unsigned line, const char *name)
{
    (void)data;
    bytes_printf(&pieces, "%u %s %.*s|", line, name, (int)len, text);
}

static void take_fault(void *data, unsigned line, const char *what)
{
    (void)data;
    bytes_printf(&pieces, "%u !%.13s|", line, what);
}

static const char *split(const char *text, size_t step)
{
    struct split split = { .object = take_object, .fault = take_fault, .most = 64 };
    pieces.len = 0;
    bytes_append(&pieces, "", 0);
    for (size_t i = 0; i < strlen(text); i += step)
        split_feed(&split, text + i, strlen(text) - i < step ? strlen(text) - i : step);
    split_end(&split);
    return pieces.data;
}

Test(fleet, a_stream_is_cut_into_objects)
{
    static const char text[] = "{\"a\":\"}\\\"{\"}\nh3: {\"b\":[1]}{}\n\n";
    for (size_t step = 1; step < 40; step++)
        cr_expect_str_eq(split(text, step), "1  {\"a\":\"}\\\"{\"}|2 h3 {\"b\":[1]}|2  {}|");
    cr_expect_str_eq(split("{\n\"a\": {\n}\n}\n{}", 7), "1  {\n\"a\": {\n}\n}|5  {}|");
    bytes_free(&pieces);
}

Test(fleet, a_damaged_object_costs_itself_alone)
{
    cr_expect_str_eq(split("{\"a\": \"x\n{\"b\": 1}\n", 40), "1 !it ends withi|2  {\"b\": 1}|");
    cr_expect_str_eq(split("{\"a\": [1,\n{\"version\": 1}\n", 40), "1 !it ends too s|2  {\"version\": 1}|");
    cr_expect_str_eq(split("hello\n{}\nx", 40), "1 !no facts: 'ro|2  {}|3 !no facts: 'ro|");
    cr_expect_str_eq(split("{\"a\":", 3), "1 !it ends too s|");
    cr_expect_str_eq(
        split("{\"a\": \"0123456789012345678901234567890123456789012345678901234567890123456789\"}\n{}", 90),
        "1 !more bytes th|2  {}|");
    bytes_free(&pieces);
}

/* -- putting ports together ----------------------------------------------------------------------------- */

static void add_rails(const char *name, const char *const names[2], const char *const nets[2], bool second)
{
    char *text = mem_printf("{\"host\": \"%s\", \"devices\": [{\"device\": \"%s\", \"hca_type\": \"M\", "
                            "\"pci\": \"1\"}, {\"device\": \"%s\",\n"
                            "\"hca_type\": \"M\", \"pci\": \"2\"}], \"ports\": [{\"device\": \"%s\", \"port\": "
                            "1, \"subnets\": [%s]}%s",
                            name, names[0], names[1], names[0], nets[0], second ? "" : "]}");
    char *more = mem_printf("%s, {\"device\": \"%s\", \"port\": 1, \"subnets\": [%s]}]}", text, names[1],
                            nets[1]);
    cr_assert_eq(add(second ? more : text), 0, "%s", fault.what);
    free(text);
    free(more);
}

static const char *const usual[] = { "mlx5_0", "mlx5_1" };
static const char *const nets[] = { "\"10.0.0.0/24\"", "\"10.1.0.0/24\"" };

Test(fleet, ports_of_other_names_are_on_their_rail)
{
    for (int i = 0; i < 9; i++)
        add_rails((char[]){ 'h', (char)('0' + i), 0 }, usual, nets, true);
    add_rails("h9", (const char *[]){ "roce_a", "roce_b" }, nets, true);
    cr_expect_str_eq(compare(), "device mlx5_[0-1]: h[0-8]=mlx5_0, mlx5_1 !h9=roce_a, roce_b");
}

Test(fleet, swapped_rails_are_told_by_their_subnet)
{
    for (int i = 0; i < 9; i++)
        add_rails((char[]){ 'h', (char)('0' + i), 0 }, usual, nets, true);
    add_rails("h9", usual, (const char *[]){ nets[1], nets[0] }, true);
    cr_expect_str_eq(compare(), "device mlx5_[0-1]: h[0-8]=mlx5_0, mlx5_1 !h9=mlx5_1, mlx5_0");
}

Test(fleet, a_port_in_anothers_subnet_stays_where_it_is)
{
    for (int i = 0; i < 9; i++)
        add_rails((char[]){ 'h', (char)('0' + i), 0 }, usual, nets, true);
    add_rails("h9", usual, (const char *[]){ nets[1], nets[1] }, true);
    cr_expect_str_eq(compare(), ""); /* nobody says that no route leads there */
    size_t routed = fleet_fact(FACT_PORT, "routed");
    for (size_t i = 0; i < fleet->nhosts; i++)
        for (size_t s = 0; s < fleet->hosts[i].nsubjects; s++)
            fleet->hosts[i].subjects[s].values[routed] = intern(&fleet->texts, "no", 2);
    cr_expect_str_eq(compare(), "subnets mlx5_0/1: h[0-8]=10.0.0.0/24 !h9=10.1.0.0/24");
}

Test(fleet, rails_without_common_subnets_are_aligned_by_place)
{
    for (int i = 0; i < 6; i++) {
        char first[24], second[24];
        snprintf(first, sizeof(first), "\"10.0.%d.0/31\"", i);
        snprintf(second, sizeof(second), "\"10.1.%d.0/31\"", i);
        add_rails((char[]){ 'h', (char)('0' + i), 0 }, usual, (const char *[]){ first, second }, true);
    }
    cr_expect_str_eq(compare(), "");
    cr_expect_eq(report.alignment.nslots, 2);
}

Test(fleet, a_missing_port_is_one_finding)
{
    for (int i = 0; i < 9; i++)
        add_rails((char[]){ 'h', (char)('0' + i), 0 }, usual, nets, true);
    char text[] = "{\"host\": \"h9\", \"device_count\": 1, \"devices\": [{\"device\": \"mlx5_0\", "
                  "\"hca_type\": \"M\", \"pci\": \"2\"}],"
                  "\"ports\": [{\"device\": \"mlx5_0\", \"port\": 1, \"subnets\": [\"10.1.0.0/24\"]}]}";
    cr_assert_eq(add(text), 0);
    cr_expect_str_eq(compare(),
                     "port mlx5_0/1: h[0-8]=there !h9=missing; device mlx5_1: h[0-8]=mlx5_1 !h9=mlx5_0");
}

/* -- rules --------------------------------------------------------------------------------------------- */

Test(fleet, each_fact_has_one_rule)
{
    const struct attribute *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++)
        cr_expect(fact_is_expected_only(fact) || fleet_rule(fact_of(fact), fact->key), "no rule for %s",
                  fact->key);
    for (const struct fleet_rule *rule = fleet_rules; rule->key; rule++) {
        bool made = text_in_list("host,findings,family,cables,cable_order", rule->key);
        cr_expect(made || fact_find(rule->of, rule->key), "no fact for %s", rule->key);
        cr_expect_eq(fleet_rule(rule->of, rule->key), rule, "%s is there twice", rule->key);
        cr_expect(rule->why && rule->fix, "%s", rule->key);
        for (const char *at = rule->because; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != 0)) {
            const char *key = arena_strndup(arena, at, strcspn(at, ","));
            cr_expect(fleet_rule(FACT_KINDS, key), "%s because of %s", rule->key, key);
        }
        for (const char *at = rule->within; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] != 0)) {
            const char *key = arena_strndup(arena, at, strcspn(at, ","));
            cr_expect(fleet_rule(FACT_DEVICE, key) || fleet_rule(FACT_PORT, key), "%s within %s", rule->key,
                      key);
            cr_expect(!text_in_list(rule->because, key), "%s is compared within %s, which can't explain it",
                      rule->key, key);
        }
    }
    size_t count = 0;
    while (fact_at(count))
        count++;
    cr_expect_lt(count + 2, FLEET_FACTS_MOST);
}

Test(fleet, four_of_five_are_right)
{
    add_hosts(10, 2, ", \"trust\": \"dscp\"", ", \"trust\": \"pcp\"");
    cr_expect_str_eq(compare(), "trust mlx5_0/1: h[2-9]=dscp !h[0-1]=pcp");
}

Test(fleet, three_of_four_are_not)
{
    add_hosts(4, 1, ", \"trust\": \"dscp\"", ", \"trust\": \"pcp\"");
    cr_expect_str_eq(compare(), "trust mlx5_0/1: !h[1-3]=dscp !h0=pcp");
}

Test(fleet, what_one_does_not_know_is_no_finding)
{
    add_hosts(4, 1, ", \"trust\": \"dscp\"", ", \"trust\": null");
    cr_expect_str_eq(compare(), "");
    cr_expect_eq(report.unknown, 1);
}

Test(fleet, firmware_is_compared_within_a_board)
{
    for (int i = 0; i < 6; i++)
        add_host((char[]){ 'h', (char)('0' + i), 0 }, "",
                 i < 3 ? ", \"board_id\": \"A\", \"fw_ver\": \"1\""
                       : ", \"board_id\": \"B\", \"fw_ver\": \"2\"",
                 "");
    cr_expect_str_eq(compare(), "board_id mlx5_0: !h[0-2]=A !h[3-5]=B");
}

Test(fleet, numa_nodes_are_compared_in_the_same_slot)
{
    add_host("h0", "", ", \"pci\": \"1\", \"numa_node\": 0", "");
    add_host("h1", "", ", \"pci\": \"2\", \"numa_node\": 1", "");
    cr_expect_str_eq(compare(), "");
    add_host("h2", "", ", \"pci\": \"2\", \"numa_node\": 3", "");
    cr_expect_str_eq(compare(), "numa_node mlx5_0: !h1=1 !h2=3");
}

Test(fleet, addresses_are_unique_but_for_link_local_ones)
{
    wish.only = "addresses,mac";
    add_hosts(3, 0, ", \"addresses\": [\"fe80::1/64\"], \"mac\": \"00:00:00:00:00:00\"", "");
    cr_expect_str_eq(compare(), "");
    add_host("h8", "", "", ", \"addresses\": [\"10.0.0.1/24\"]");
    add_host("h9", "", "", ", \"addresses\": [\"10.0.0.2/24\", \"10.0.0.1/16\"]");
    cr_expect_str_eq(compare(), "addresses mlx5_0/1: !h[8-9]=10.0.0.1");
}

Test(fleet, a_type_in_common_is_enough)
{
    add_hosts(5, 1, ", \"gid_types\": [\"IB/RoCE v1\", \"RoCE v2\"]", ", \"gid_types\": [\"RoCE v2\"]");
    cr_expect_str_eq(compare(), "");
    add_host("h9", "", "", ", \"gid_types\": [\"None such\"]");
    cr_expect_str_eq(compare(), "gid_types mlx5_0/1: h[1-4]=IB/RoCE v1, RoCE v2 !h9=None such");
}

Test(fleet, families_come_of_addresses)
{
    add_host("h0", "", "", ", \"addresses\": [\"10.0.0.1/24\", \"fd00::1/64\"]");
    add_host("h1", "", "", ", \"addresses\": [\"10.0.0.2/24\"]");
    add_host("h2", "", "", ", \"addresses\": [\"fd00::3/64\"]");
    cr_expect_str_eq(compare(), "family mlx5_0/1: !h1=IPv4 !h2=IPv6");
}

Test(fleet, routes_join_subnets)
{
    add_host("h0", "", "", ", \"subnets\": [\"10.0.0.0/31\"], \"routed\": true");
    add_host("h1", "", "", ", \"subnets\": [\"10.0.0.2/31\"], \"routed\": true");
    cr_expect_str_eq(compare(), "");
    add_host("h2", "", "", ", \"subnets\": [\"10.0.0.4/31\"], \"routed\": false");
    cr_expect_str_eq(compare(), "subnets mlx5_0/1: !h0=10.0.0.0/31 !h2=10.0.0.4/31");
}

Test(fleet, numbers_are_held_against_the_median)
{
    static const int errors[] = { 100, 110, 120, 130, 140, 150, 390, 10 };
    for (size_t i = 0; i < 8; i++) {
        char *port = mem_printf(", \"errors\": [\"port_rcv_errors=%d\"]", errors[i]);
        add_host((char[]){ 'h', (char)('0' + i), 0 }, "", "", port);
        free(port);
    }
    cr_expect_str_eq(compare(), "errors.port_rcv_errors mlx5_0/1: h[0-5,7]=125 in the middle !h6=390");
}

Test(fleet, few_errors_are_no_finding)
{
    add_hosts(8, 1, ", \"errors\": []", ", \"errors\": [\"x=100\"]");
    cr_expect_str_eq(compare(), "");
    teardown();
    setup();
    add_hosts(8, 1, ", \"errors\": []", ", \"errors\": [\"x=101\"]");
    cr_expect_str_eq(compare(), "errors.x mlx5_0/1: h[1-7]=0 in the middle !h0=101");
    teardown();
    setup();
    add_hosts(3, 1, ", \"errors\": []", ", \"errors\": [\"x=99999\"]"); /* of three nobody can say */
    cr_expect_str_eq(compare(), "");
}

Test(fleet, variables_are_compared_one_by_one)
{
    for (int i = 0; i < 5; i++)
        add_host((char[]){ 'h', (char)('0' + i), 0 },
                 i ? ", \"environment\": [\"NCCL_IB_TC=106\", \"NCCL_IB_HCA=mlx5\"]"
                   : ", \"environment\": [\"NCCL_IB_TC=106\"]",
                 "", "");
    cr_expect_str_eq(compare(), "environment.NCCL_IB_HCA host: h[1-4]=mlx5 !h0=not set");
}

Test(fleet, findings_of_doctor_are_compared_by_their_check)
{
    for (int i = 0; i < 5; i++)
        add_host((char[]){ 'h', (char)('0' + i), 0 },
                 i ? ", \"found_by_doctor\": [\"warn memlock\"]"
                   : ", \"found_by_doctor\": [\"warn memlock\", \"fail link mlx5_0/1\"]",
                 "", "");
    cr_expect_str_eq(compare(), "findings.link host: h[1-4]=none !h0=fail mlx5_0/1");
}

Test(fleet, one_cause_is_one_finding)
{
    add_hosts(5, 1, ", \"netdev_mtu\": 9000, \"mtu\": 4096", ", \"netdev_mtu\": 1500, \"mtu\": 1024");
    cr_expect_str_eq(compare(), "netdev_mtu mlx5_0/1: h[1-4]=9000 !h0=1500");
    cr_expect_eq(report.findings[0].nalso, 1);
    cr_expect_str_eq(report.findings[0].also[0], "mtu");
}

Test(fleet, a_cause_on_another_host_explains_nothing)
{
    for (int i = 0; i < 8; i++)
        add_host((char[]){ 'h', (char)('0' + i), 0 }, "", "",
                 i == 0   ? ", \"netdev_mtu\": 1500, \"mtu\": 4096"
                 : i == 1 ? ", \"netdev_mtu\": 9000, \"mtu\": 1024"
                          : ", \"netdev_mtu\": 9000, \"mtu\": 4096");
    compare();
    cr_expect_eq(report.nfindings, 2);
}

Test(fleet, keys_can_be_chosen)
{
    add_hosts(5, 1, ", \"trust\": \"dscp\", \"pfc\": [3]", ", \"trust\": \"pcp\", \"pfc\": []");
    wish.only = "pfc,kernel";
    cr_expect_str_eq(compare(), "pfc mlx5_0/1: h[1-4]=3 !h0=none");
    wish = (struct fleet_wish){ .skip = "pfc" };
    cr_expect_str_eq(compare(), "trust mlx5_0/1: h[1-4]=dscp !h0=pcp");
}

/* -- generations ------------------------------------------------------------------------------------------- */

struct generation {
    const char *model, *rate, *speed, *firmware, *driver;
    int ports; /* of that model; each host has another card as well */
};

static const struct generation older = { "MT4129", "400000", "32.0 GT/s", "28.1", "mlx5_core", 4 },
                               newer = { "MT4131", "800000", "64.0 GT/s", "40.1", "mlx5_core", 4 },
                               other = { "BCM57608", "800000", "64.0 GT/s", "231.1", "bnxt_en", 2 };

/* Without addresses, so that nothing but the place of ports tells which rail they are on. */
static void add_generation(size_t first, size_t count, const struct generation *g)
{
    for (size_t h = first; h < first + count; h++) {
        struct bytes devices = { 0 }, ports = { 0 };
        for (int i = 0; i < g->ports; i++) {
            bool bnxt = text_is(g->driver, "bnxt_en");
            char *name = mem_printf("%s%d", bnxt ? "bnxt_re" : "mlx5_", i);
            bytes_printf(&devices,
                         "{\"device\": \"%s\", \"hca_type\": \"%s\", \"board_id\": \"%s-A\", \"driver\": "
                         "\"%s\", \"fw_ver\": \"%s\", \"link_speed\": \"%s\", \"pci\": \"%d:%d\"}, ",
                         name, g->model, g->model, g->driver, g->firmware, g->speed, bnxt, i);
            bytes_printf(&ports,
                         "{\"device\": \"%s\", \"port\": 1, \"netdev\": \"e%d%s\", \"rate_mbps\": %s, \"fec\": "
                         "\"%s\"}, ",
                         name, i, g->model, g->rate, g->rate);
            free(name);
        }
        char *text = mem_printf(
            "{\"host\": \"h%zu\", \"device_count\": %d, \"devices\": [%s{\"device\": \"roce_s\", "
            "\"hca_type\": \"MT4125\", \"pci\": \"9\"}], \"ports\": [%s{\"device\": \"roce_s\", "
            "\"port\": 1, \"rate_mbps\": 100000}]}",
            h, g->ports + 1, devices.data, ports.data);
        cr_assert_eq(add(text), 0, "%s: %s", text, fault.what);
        free(text);
        bytes_free(&devices);
        bytes_free(&ports);
    }
}

/* Two generations of hosts, of which those numbered odd[0] and odd[1] are slow, have a card too few, or other
 * firmware. */
static const char *two_generations(size_t count, const struct generation *second, size_t later,
                                   const size_t odd[2], const char *how)
{
    teardown();
    setup();
    for (size_t h = 0; h < count + later; h++) {
        struct generation g = h < count ? older : *second;
        if (odd && (h == odd[0] || h == odd[1])) {
            g.ports -= text_is(how, "port");
            g.rate = text_is(how, "rate_mbps") ? "200000" : g.rate;
            g.firmware = text_is(how, "fw_ver") ? "1.0" : g.firmware;
            g.driver = text_is(how, "driver") ? "other" : g.driver;
        }
        add_generation(h, 1, &g);
    }
    return compare();
}

Test(fleet, what_follows_from_the_model_folds_below_it)
{
    cr_expect_str_eq(two_generations(36, &newer, 4, NULL, NULL),
                     "hca_type mlx5_[0-3]: h[0-35]=MT4129 !h[36-39]=MT4131");
    cr_assert_eq(report.nfindings, 1);
    cr_expect_eq(report.findings[0].verdict, VERDICT_WARN);
    struct bytes also = { 0 };
    for (size_t i = 0; i < report.findings[0].nalso; i += 4)
        bytes_printf(&also, "%s ", report.findings[0].also[i]);
    cr_expect_str_eq(also.data, "board_id fw_ver link_speed netdev rate_mbps fec ");
    bytes_free(&also);
    cr_expect_str_eq(two_generations(20, &newer, 20, NULL, NULL),
                     "hca_type mlx5_[0-3]: !h[0-19]=MT4129 !h[20-39]=MT4131");
    cr_expect_str_eq(two_generations(36, &other, 4, NULL, NULL),
                     "hca_type mlx5_[0-1]: h[0-35]=MT4129 !h[36-39]=BCM57608");
    cr_expect_str_eq(two_generations(20, &other, 20, NULL, NULL),
                     "hca_type mlx5_[0-1]: !h[20-39]=BCM57608 !h[0-19]=MT4129");
}

Test(fleet, the_odd_one_of_a_generation_is_found)
{
    static const char *const keys[] = { "port", "rate_mbps", "fw_ver", "driver" };
    for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
        for (int half = 0; half < 4; half++) {
            const struct generation *second = half & 2 ? &other : &newer;
            size_t count = half & 1 ? 20 : 34, odd[] = { 5, 38 };
            const char *text = two_generations(count, second, 40 - count, odd, keys[k]);
            bool found[40] = { false };
            for (size_t i = 0; i < report.nfindings; i++)
                for (size_t g = 0; g < report.findings[i].ngroups; g++)
                    if (text_is(report.findings[i].key, keys[k]) && report.findings[i].groups[g].odd)
                        for (size_t m = 0; m < report.findings[i].groups[g].count; m++)
                            found[report.findings[i].groups[g].members[m]] = true;
            for (size_t h = 0; h < 40; h++)
                cr_expect_eq(found[h], h == 5 || h == 38, "%s, %zu of 40: h%zu in %s", keys[k], count, h, text);
        }
}

Test(fleet, a_card_too_many_or_too_few_is_no_generation)
{
    struct generation g = older;
    add_generation(0, 9, &g);
    fleet->hosts[3].subjects[4].values[fleet_fact(FACT_DEVICE, "hca_type")] = intern(&fleet->texts, "X", 1);
    cr_expect_str_eq(compare(), "hca_type roce_s: h[0-2,4-8]=MT4125 !h3=X");
    fleet->hosts[3].nsubjects = 4;
    cr_expect_str_eq(compare(), "port roce_s/1: h[0-2,4-8]=there !h3=missing");
    for (size_t h = 0; h < 9; h++)
        fleet->hosts[h].nsubjects = h == 3 ? 5 : 4;
    cr_expect_str_eq(compare(), "port roce_s/1: h[0-2,4-8]=missing !h3=there");
}

/* -- records of one host ----------------------------------------------------------------------------------- */

Test(fleet, the_later_record_of_a_host_counts)
{
    add_host("h0", ", \"time\": \"2026-11-22T10:00:00Z\", \"kernel\": \"new\"", "", "");
    add_host("h0", ", \"time\": \"2026-11-21T10:00:00Z\", \"kernel\": \"old\"", "", "");
    add_host("h1", ", \"kernel\": \"new\"", "", "");
    cr_expect_str_eq(compare(), "");
    cr_expect_eq(report.nhosts, 2);
}

Test(fleet, two_machines_of_one_name_are_two)
{
    add_host("node", "", ", \"node_guid\": \"0000:0000:0000:0001\"", "");
    add_host("node", "", ", \"node_guid\": \"0000:0000:0000:0002\"", "");
    cr_expect_str_eq(compare(), "host host: !node,node_1=node");
}

Test(fleet, what_changed_on_a_host_is_told)
{
    add_host("h0", ", \"kernel\": \"1\"", "",
             ", \"addresses\": [\"10.0.0.1/24\"], \"errors\": [\"x=1\"], \"pfc\": [3, 4]");
    add_host("h0", ", \"kernel\": \"1\"", "",
             ", \"addresses\": [\"10.0.0.2/24\"], \"errors\": [\"x=7\", \"y=1\"], \"pfc\": [4, 3]");
    size_t count;
    fleet_settle(fleet, &count);
    const struct fleet_host *both[] = { &fleet->hosts[0], &fleet->hosts[1] };
    report = fleet_changes(fleet, both, &wish, arena);
    cr_assert_eq(report.nfindings, 3);
    cr_expect_str_eq(report.findings[0].key, "addresses");
    cr_expect_eq(report.findings[0].verdict, VERDICT_WARN);
    cr_expect_str_eq(report.findings[0].groups[1].value, "10.0.0.2/24");
    cr_expect_str_eq(report.findings[1].key, "errors.x");
    cr_expect_str_eq(report.findings[1].groups[0].value, "1");
    cr_expect_str_eq(report.findings[2].key, "errors.y");
    cr_expect_str_eq(report.findings[2].groups[0].value, "0");
}

static struct expectation *expect(const char *text)
{
    struct expectation *expectation = NULL;
    struct expectation_fault wrong;
    cr_assert_eq(expectation_parse(text, strlen(text), arena, &expectation, &wrong), 0, "%s", wrong.what);
    return expectation;
}

Test(fleet, a_host_is_odd_once_however_many_of_its_ports_are)
{
    size_t count;
    struct expectation *should = expect("{\"ports\": [{\"netdev\": \"rail*\", \"trust\": \"dscp\"}]}");
    add("{\"host\": \"h0\", \"ports\": [{\"device\": \"a\", \"netdev\": \"rail0\", \"trust\": \"pcp\"}, "
        "{\"device\": \"b\", \"netdev\": \"rail1\", \"trust\": \"x\"}, {\"device\": \"c\", \"netdev\": "
        "\"rail2\", \"trust\": \"pcp\"}, {\"device\": \"d\", \"netdev\": \"eth0\", \"trust\": \"y\"}]}");
    const struct fleet_host *const *all = hosts(&count);
    report = fleet_against(fleet, should, all, count, &wish, arena);
    cr_assert_eq(report.nfindings, 1);
    cr_expect_str_eq(report.findings[0].subject, "rail*");
    cr_assert_eq(report.findings[0].ngroups, 3);
    cr_expect_eq(report.findings[0].groups[1].count, 1);
    cr_expect_eq(report.findings[0].groups[2].count, 1);
}

Test(fleet, hosts_are_held_against_what_should_be)
{
    size_t count;
    struct expectation *should = expect(
        "{\"kernel\": \"1\", \"devices\": [{\"device\": \"mlx5_*\", \"hca_type\": \"MT1\"}], \"ports\": "
        "[{\"device\": \"mlx5_*\", \"pfc\": [4, 3], \"subnets\": [\"10.1.0.0/24\"]},\n"
        "{\"device\": \"mlx5_*\", \"port\": 2, \"pfc\": [7]}, {\"device\": \"bnxt*\", \"pfc\": [1]}]}");
    add_host("h0", ", \"kernel\": \"1\"", "", ", \"pfc\": [3, 4], \"subnets\": [\"10.2.0.0/24\"]");
    add_host("h1", ", \"kernel\": \"2\"", "", ", \"pfc\": [3]");
    add_host("h2", ", \"kernel\": null", "", "");
    const struct fleet_host *const *all = hosts(&count);
    wish.skip = "port";
    report = fleet_against(fleet, should, all, count, &wish, arena);
    cr_assert_eq(report.nfindings, 2);
    cr_expect_str_eq(report.findings[0].key, "pfc");
    cr_expect_str_eq(report.findings[0].groups[1].hosts, "h1");
    cr_expect_str_eq(report.findings[1].key, "kernel");
    cr_expect_eq(report.unknown, 2);
    wish = (struct fleet_wish){ .only = "port" };
    report = fleet_against(fleet, should, all, count, &wish, arena);
    cr_assert_eq(report.nfindings, 1);
    cr_expect_str_eq(report.findings[0].groups[1].hosts, "h[0-2]");
}

Test(fleet, there_are_as_many_as_should_be)
{
    size_t count;
    struct expectation *should = expect("{\"devices\": [{\"device\": \"mlx5_*\", \"count\": 2}], \"ports\": "
                                        "[{\"netdev\": \"eth*\", \"count\": 1}]}");
    add("{\"host\": \"h0\", \"devices\": [{\"device\": \"mlx5_0\"}, {\"device\": \"mlx5_1\"}], \"ports\": "
        "[{\"device\": \"mlx5_0\", \"port\": 1, \"netdev\": \"eth0\"}]}");
    add("{\"host\": \"h1\", \"devices\": [{\"device\": \"mlx5_0\"}], \"ports\": "
        "[{\"device\": \"mlx5_0\", \"port\": 1, \"netdev\": \"eth0\"}, "
        "{\"device\": \"mlx5_0\", \"port\": 2, \"netdev\": \"eth1\"}]}");
    const struct fleet_host *const *all = hosts(&count);
    report = fleet_against(fleet, should, all, count, &wish, arena);
    cr_assert_eq(report.nfindings, 2);
    cr_expect_str_eq(report.findings[0].subject, "eth*");
    cr_expect_str_eq(report.findings[0].groups[1].value, "2");
    cr_expect_str_eq(report.findings[1].subject, "mlx5_*");
    cr_expect_str_eq(report.findings[1].groups[0].value, "2");
    cr_expect_str_eq(report.findings[1].groups[1].value, "1");
    cr_expect_str_eq(report.findings[1].groups[1].hosts, "h1");
}
