/* SPDX-License-Identifier: MIT */
/* The list of peers that facts of hosts lead to. */
#include <criterion/criterion.h>

#include "fleet/mesh/mesh.h"

static struct arena *arena;
static struct fleet *fleet;
static struct bytes text;
static struct plan_made left;
static struct plan_wish wish;

static void setup(void)
{
    arena = arena_new();
    fleet = fleet_new();
    text = (struct bytes){ 0 };
    wish = (struct plan_wish){ 0 };
}

static void teardown(void)
{
    bytes_free(&text);
    fleet_free(fleet);
    arena_free(arena);
}

TestSuite(mesh_plan, .init = setup, .fini = teardown);

#define PORT(device) "{\"device\": \"" device "\", \"port\": 1, \"addresses\":"

/* A host with two ports, of one address each; guid: of the first's device. */
static void add(const char *host, const char *guid, const char *first, const char *second)
{
    struct fleet_fault fault;
    char *ports = mem_printf("%s [%s]}, %s [%s]}", PORT("mlx5_0"), first, PORT("mlx5_1"), second);
    char *facts = mem_printf("{\"version\": 1, \"host\": \"%s\", \"devices\": [{\"device\": \"mlx5_1\"}, "
                             "{\"device\": \"mlx5_0\", \"node_guid\": \"%s\"}], \"ports\": [%s]}",
                             host, guid, ports);
    cr_assert_eq(fleet_add(fleet, facts, strlen(facts), "facts.json", 1, "file", &fault), 0, "%s", fault.what);
    free(ports);
    free(facts);
}

static const char *plan(bool all_rails)
{
    size_t count;
    const struct fleet_host **hosts = fleet_settle(fleet, &count);
    wish.rails = all_rails ? "all" : wish.rails;
    plan_write(fleet, hosts, count, &wish, arena, &text, &left);
    return text.data;
}

#define HEAD "# roce mesh: ADDRESS HOST DEVICE RAIL\n"

Test(mesh_plan, a_line_a_rail_of_each_host)
{
    add("h1", "1", "\"10.0.0.1/24\"", "\"10.0.1.1/24\"");
    add("h2", "2", "\"10.0.0.2/24\"", "\"10.0.1.2/24\"");
    cr_assert_str_eq(plan(false), HEAD "10.0.0.1 h1 mlx5_0 mlx5_0/1\n10.0.0.2 h2 mlx5_0 mlx5_0/1\n"
                                       "10.0.1.1 h1 mlx5_1 mlx5_1/1\n10.0.1.2 h2 mlx5_1 mlx5_1/1\n");
    cr_assert_eq(left.peers, 4);
    cr_assert_eq(left.ports, 0);
}

Test(mesh_plan, across_rails)
{
    struct peers peers;
    struct fleet_fault fault;
    add("h1", "1", "\"10.0.0.1/24\"", "\"10.0.1.1/24\"");
    add("h2", "2", "\"10.0.0.2/24\"", "\"10.0.1.2/24\"");
    cr_assert(strstr(plan(true), HEAD "rails all\n10.0.0.1 h1"));
    cr_assert_eq(peers_parse(text.data, text.len, arena, &peers, &fault), 0, "%s", fault.what);
    int one = peers_find(&peers, "10.0.0.1"), own = peers_find(&peers, "10.0.1.1"),
        across = peers_find(&peers, "10.0.1.2");
    cr_assert(peers_try(&peers, (size_t)one, (size_t)across));
    cr_assert(!peers_try(&peers, (size_t)one, (size_t)own), "a host tries itself");
}

Test(mesh_plan, ports_that_nobody_reaches_are_left_out)
{
    add("h1", "1", "\"fe80::1/64\", \"10.0.0.1/24\"", "\"fe80::2/64\"");
    add("h2", "2", "\"10.0.0.2/24\"", "\"169.254.3.4/16\"");
    cr_assert_str_eq(plan(false), HEAD "10.0.0.1 h1 mlx5_0 mlx5_0/1\n10.0.0.2 h2 mlx5_0 mlx5_0/1\n");
    cr_assert_eq(left.ports, 2);
}

Test(mesh_plan, the_family_that_more_hosts_have)
{
    add("h1", "1", "\"10.0.0.1/24\", \"2001:db8::1/64\"", "\"10.0.1.1/24\", \"2001:db8:1::1/64\"");
    add("h2", "2", "\"2001:db8::2/64\"", "\"10.0.1.2/24\", \"2001:db8:1::2/64\"");
    cr_assert_str_eq(plan(false), HEAD "2001:db8::1 h1 mlx5_0 mlx5_0/1\n2001:db8::2 h2 mlx5_0 mlx5_0/1\n"
                                       "10.0.1.1 h1 mlx5_1 mlx5_1/1\n10.0.1.2 h2 mlx5_1 mlx5_1/1\n");
}

Test(mesh_plan, hosts_of_one_name_are_told_apart)
{
    struct peers peers;
    struct fleet_fault fault;
    add("node", "1", "\"10.0.0.1/24\"", "\"10.0.1.1/24\"");
    add("node", "2", "\"10.0.0.2/24\"", "\"10.0.1.2/24\"");
    plan(false);
    cr_assert_eq(peers_parse(text.data, text.len, arena, &peers, &fault), 0, "%s", fault.what);
    cr_assert_eq(peers.nhosts, 2, "%s", text.data);
    cr_assert(
        peers_try(&peers, (size_t)peers_find(&peers, "10.0.0.1"), (size_t)peers_find(&peers, "10.0.0.2")));
}

Test(mesh_plan, a_name_is_one_word)
{
    struct peers peers;
    struct fleet_fault fault;
    add("a b;$(x)", "1", "\"10.0.0.1/24\"", "\"10.0.1.1/24\"");
    plan(false);
    cr_assert(strstr(text.data, "10.0.0.1 a_b___x_ mlx5_0 "), "%s", text.data);
    cr_assert_eq(peers_parse(text.data, text.len, arena, &peers, &fault), 0, "%s", fault.what);
}

Test(mesh_plan, one_rail)
{
    add("h1", "1", "\"10.0.0.1/24\"", "\"10.0.1.1/24\"");
    add("h2", "2", "\"10.0.0.2/24\"", "\"10.0.1.2/24\"");
    wish.rails = "mlx5_1/1,mlx5_7/1";
    cr_assert_str_eq(plan(false), HEAD "10.0.1.1 h1 mlx5_1 mlx5_1/1\n10.0.1.2 h2 mlx5_1 mlx5_1/1\n");
    cr_assert_str_eq(left.rails, "mlx5_0/1,mlx5_1/1");
    text.len = 0;
    wish.rails = "mlx5_7/1";
    plan(false);
    cr_assert_eq(left.peers, 0);
}

/* 64 hosts, eight to a leaf; how leaves are told: by LLDP, by subnets, or not. */
static void plan_sample(size_t rounds, const char *by)
{
    struct peers peers;
    struct fleet_fault fault;
    teardown();
    setup();
    for (int h = 0; h < 64; h++) {
        char told[80], *facts;
        snprintf(told, sizeof(told),
                 *by == 'L' ? "\"switch_chassis\": \"leaf %d\"" : "\"subnets\": [\"10.0.%d.0/24\"]",
                 *by == 'n' ? 0 : h / 8);
        facts = mem_printf(
            "{\"host\": \"h%d\", \"devices\": [{\"device\": \"mlx5_0\"}], \"ports\": [%s [\"10.0.0.%d/16\"], "
            "%s}]}",
            h, PORT("mlx5_0"), h + 1, told);
        cr_assert_eq(
            fleet_add(fleet, facts, strlen(facts), "facts.json", 1, "file", &(struct fleet_fault){ 0 }), 0);
        free(facts);
    }
    wish.rounds = rounds;
    plan(false);
    cr_assert_eq(peers_parse(text.data, text.len, arena, &peers, &fault), 0, "%s", fault.what);
    cr_assert_eq(peers.count, 64);
    cr_assert_eq(peers.rounds, rounds);
    plan_cover(&peers, &left);
    cr_assert_eq(left.alone, 0);
}

Test(mesh_plan, a_sample_covers_all_leaves_and_says_if_not)
{
    plan_sample(20, "LLDP");
    cr_assert_str_eq(left.leaves_by, "LLDP");
    cr_assert_eq(left.pairs, 28);
    cr_assert_eq(left.unmet, 0);
    cr_assert(strstr(text.data, " mlx5_0/1 leaf_7\n"), "%s", text.data);
    plan_sample(1, "LLDP");
    cr_assert(left.unmet > 0 && left.unmet < 14, "32 pairs of 28 kinds, by chance: %zu", left.unmet);
    plan_sample(20, "subnets");
    cr_assert_str_eq(left.leaves_by, "subnets");
    cr_assert_eq(left.unmet, 0);
    plan_sample(20, "none");
    cr_assert_null(left.leaves_by);
}
