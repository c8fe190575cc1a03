/* SPDX-License-Identifier: MIT */
/* Fleets of a thousand hosts, cabled in six ways, with cables in wrong places: all are found, and nothing else.
 */
#include <criterion/criterion.h>

#include "fleet/cables.h"

enum { HOSTS = 1000, RAILS = 8 };

struct end {
    unsigned leaf;
    char port[32];
};

/* A way to cable: which leaf and port a host's rail has. unit: hosts that share leaves; step of a neighbor: 1.
 */
struct layout {
    const char *name;
    unsigned unit, rails;
    void (*place)(unsigned unit, unsigned host, unsigned rail, struct end *end);
};

static void rail_leaves(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    end->leaf = unit * RAILS + rail;
    snprintf(end->port, sizeof(end->port), "swp%u", host + 1);
}

static void breakout(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    end->leaf = unit * RAILS + rail;
    snprintf(end->port, sizeof(end->port), "swp%us%u", host / 2 + 1, host % 2);
}

static void rack(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    end->leaf = unit;
    snprintf(end->port, sizeof(end->port), "Ethernet1/%u", host * RAILS + rail + 1);
}

static void pairs(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    end->leaf = unit * 2 + rail / 4;
    snprintf(end->port, sizeof(end->port), "Ethernet%u/1", host * 4 + rail % 4 + 1);
}

static void planes(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    end->leaf = unit * RAILS + rail;
    snprintf(end->port, sizeof(end->port), "FourHundredGigE1/0/%u", host + 1);
}

static void single(unsigned unit, unsigned host, unsigned rail, struct end *end)
{
    (void)rail;
    end->leaf = unit;
    snprintf(end->port, sizeof(end->port), "%u", 500 + host);
}

static const struct layout layouts[] = {
    { "a leaf a rail", 32, RAILS, rail_leaves }, { "two hosts a cage", 64, RAILS, breakout },
    { "a switch a rack", 4, RAILS, rack },       { "two leaves a unit", 16, RAILS, pairs },
    { "two planes", 40, RAILS, planes },         { "one port a host", 30, 1, single },
};

static struct end ends[HOSTS][RAILS];
static struct arena *arena;
static struct fleet *fleet;

static void lay(const struct layout *layout)
{
    memset(ends, 0, sizeof(ends));
    for (unsigned h = 0; h < HOSTS; h++)
        for (unsigned r = 0; r < layout->rails; r++)
            layout->place(h / layout->unit, h % layout->unit, r, &ends[h][r]);
}

static void swap(unsigned host, unsigned rail, unsigned other, unsigned other_rail)
{
    struct end end = ends[host][rail];
    ends[host][rail] = ends[other][other_rail];
    ends[other][other_rail] = end;
}

static void add_hosts(const struct layout *layout, unsigned count)
{
    struct fleet_fault fault;
    for (unsigned h = 0; h < count; h++) {
        struct bytes text = { 0 };
        bytes_printf(&text, "{\"version\": 1, \"host\": \"gpu%04u\", \"devices\": [", h);
        for (unsigned r = 0; r < layout->rails; r++)
            bytes_printf(&text,
                         "%s{\"device\": \"mlx5_%u\", \"hca_type\": \"MT4129\", \"pci\": \"0000:%02x:00.0\"}",
                         r ? "," : "", r, 16 + r);
        bytes_printf(&text, "], \"ports\": [");
        for (unsigned r = 0; r < layout->rails; r++)
            bytes_printf(
                &text,
                "%s{\"device\": \"mlx5_%u\", \"port\": 1, \"netdev\": \"rail%u\", \"switch\": \"leaf%u\", "
                "\"switch_chassis\": \"9c:05:91:00:%02x:%02x\", \"switch_port\": \"%s\"}",
                r ? "," : "", r, r, ends[h][r].leaf, ends[h][r].leaf >> 8, ends[h][r].leaf & 255,
                ends[h][r].port);
        bytes_printf(&text, "]}");
        cr_assert_eq(fleet_add(fleet, text.data, text.len, "made", h + 1, "", &fault), 0, "%s", fault.what);
        bytes_free(&text);
    }
}

/* What is said of cables, a line a finding. */
static const char *judged(const struct layout *layout, unsigned count)
{
    size_t nhosts;
    const char *text = "";
    const struct fleet_wish wish = { .only = "cables,cable_order" };
    arena = arena_new();
    fleet = fleet_new();
    add_hosts(layout, count);
    const struct fleet_host *const *hosts = fleet_settle(fleet, &nhosts);
    struct fleet_report report = fleet_compare(fleet, hosts, nhosts, &wish, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        text = arena_printf(arena, "%s%s %s: %s\n", text, report.findings[i].key,
                            report.findings[i].groups[0].hosts, report.findings[i].groups[0].value);
    return text;
}

static void end_judging(void)
{
    fleet_free(fleet);
    arena_free(arena);
}

static size_t lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void assert_told(const char *text, const char *one, const char *other, const char *layout)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        char *copy = mem_printf("%.*s", (int)strcspn(line, "\n"), line);
        bool found = strstr(copy, one) && strstr(copy, other);
        free(copy);
        if (found)
            return;
    }
    cr_assert_fail("%s: '%s' with '%s' isn't told:\n%s", layout, one, other, text);
}

Test(cables, healthy)
{
    for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
        lay(&layouts[i]);
        cr_assert_str_eq(judged(&layouts[i], HOSTS), "", "%s", layouts[i].name);
        end_judging();
    }
}

Test(cables, hosts_exchanged)
{
    for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
        unsigned rail = layouts[i].rails > 5 ? 5 : 0;
        lay(&layouts[i]);
        swap(240, rail, 241, rail);
        swap(602, 0, 603, 0);
        const char *text = judged(&layouts[i], HOSTS);
        cr_assert_eq(lines(text), 2, "%s:\n%s", layouts[i].name, text);
        char *one = mem_printf("swapped: gpu0240 mlx5_%u/1", rail),
             *other = mem_printf("gpu0241 mlx5_%u/1", rail);
        assert_told(text, one, other, layouts[i].name);
        assert_told(text, "gpu0602 mlx5_0/1", "gpu0603 mlx5_0/1", layouts[i].name);
        free(one);
        free(other);
        end_judging();
    }
}

/* Two rails of a host in each other's leaf: where rails have leaves of their own. */
Test(cables, rails_exchanged)
{
    for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
        lay(&layouts[i]);
        if (layouts[i].rails < RAILS || ends[0][0].leaf == ends[0][7].leaf)
            continue;
        swap(333, 0, 333, 7);
        const char *text = judged(&layouts[i], HOSTS);
        cr_assert_eq(lines(text), 1, "%s:\n%s", layouts[i].name, text);
        assert_told(text, "swapped: gpu0333 mlx5_0/1", "gpu0333 mlx5_7/1", layouts[i].name);
        end_judging();
    }
}

Test(cables, wrong_leaf)
{
    for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
        lay(&layouts[i]);
        if (layouts[i].rails < RAILS)
            continue;
        ends[444][3].leaf = ends[444 + layouts[i].unit][3].leaf;
        snprintf(ends[444][3].port, sizeof(ends[444][3].port), "swp63");
        const char *text = judged(&layouts[i], HOSTS);
        cr_assert_eq(lines(text), 1, "%s:\n%s", layouts[i].name, text);
        assert_told(text, "gpu0444 mlx5_3/1", "the others of its unit", layouts[i].name);
        end_judging();
    }
}

/* The last host of a unit one port further than its number; and one that replaced another. */
Test(cables, out_of_order)
{
    const struct layout *layout = &layouts[5];
    lay(layout);
    snprintf(ends[89][0].port, sizeof(ends[89][0].port), "530");
    assert_told(judged(layout, HOSTS), "cables gpu0089", "1 place behind its own", layout->name);
    end_judging();
    lay(layout);
    snprintf(ends[119][0].port, sizeof(ends[119][0].port), "540");
    assert_told(judged(layout, HOSTS), "cable_order gpu0119", "11 places behind its own", layout->name);
    end_judging();
}

/* Nothing is said of a few hosts, of hosts without a number, of ports in no order, of units whose leaves are
 * partly shared. */
Test(cables, nothing_to_say)
{
    const struct layout *layout = &layouts[5];
    lay(layout);
    swap(0, 0, 1, 0);
    cr_assert_str_eq(judged(layout, 4), "", "four hosts with one port");
    end_judging();
    layout = &layouts[0];
    lay(layout);
    for (unsigned h = 0; h < HOSTS; h++) /* in each unit the ports are dealt out */
        for (unsigned r = 0; r < RAILS; r++)
            snprintf(ends[h][r].port, sizeof(ends[h][r].port), "swp%u",
                     (h % 32 * 17 + r * 5 + h / 32) % 61 + 1);
    cr_assert_str_eq(judged(layout, HOSTS), "", "no order");
    end_judging();
    lay(layout);
    for (unsigned h = 32; h < 64; h++) /* two units share six of eight leaves */
        for (unsigned r = 0; r < 6; r++)
            ends[h][r].leaf = ends[0][r].leaf;
    cr_assert_str_eq(judged(layout, 64), "", "partly shared");
    end_judging();
}

/* -- plans --------------------------------------------------------------------------------------------------
 */

static const char *differs(const char *plan, const struct layout *layout, unsigned count)
{
    size_t nhosts, nplan = 0;
    struct cable *cables = NULL;
    struct fleet_fault fault = { 0 };
    const struct fleet_wish wish = { 0 };
    const char *text = "";
    arena = arena_new();
    fleet = fleet_new();
    if (cables_parse_plan(plan, arena, &cables, &nplan, &fault) < 0)
        return arena_strdup(arena, fault.what);
    add_hosts(layout, count);
    const struct fleet_host *const *hosts = fleet_settle(fleet, &nhosts);
    struct fleet_report report = cables_against(fleet, cables, nplan, hosts, nhosts, &wish, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        text = arena_printf(arena, "%s%s %s: %s, plan: %s\n", text, report.findings[i].subject,
                            report.findings[i].groups[1].hosts, report.findings[i].groups[1].value,
                            report.findings[i].groups[0].value);
    return text;
}

#define PLAN(text, wanted)                                             \
    do {                                                               \
        cr_assert_str_eq(differs(text, &layouts[0], 2), wanted, text); \
        end_judging();                                                 \
    } while (0)

Test(cables, plan)
{
    lay(&layouts[0]);
    PLAN("host,nic,switch,switch_port\ngpu0000,mlx5_0/1,leaf0,swp1\ngpu0001,mlx5_3/1,leaf3,swp2\n", "");
    PLAN("Server;Server Port;Leaf;Leaf Port\nGPU0000.example.org;rail0;LEAF0;Swp1\ngpu0001;mlx5_3;leaf3;swp2\n",
         "");
    PLAN("Source Device\tSource Port\tDestination Device\tDestination Port\n"
         "\"gpu0000\"\t\"rail0\"\tleaf9\tswp1\r\ngpu0001\trail1\tleaf1\tswp7\n",
         "mlx5_0/1 gpu0000: leaf0 swp1, plan: leaf9 swp1\nmlx5_1/1 gpu0001: leaf1 swp2, plan: leaf1 swp7\n");
    PLAN("host,nic,switch,switch_port\ngpu0000,ib9,leaf0,swp1\ngpu0001,mlx5_0/1,leaf0,swp2\n",
         "ib9 gpu0000: no such port, plan: leaf0 swp1\n");
    PLAN("host,nic,switch,switch_port\ngpu0000,mlx5_0/1,leaf0,swp1\n",
         "host gpu0001: here, plan: doesn't have it\n");
    PLAN("name,color\nx,y\n",
         "a cable plan needs a column 'host': its first line names host, nic, switch and switch_port");
    PLAN("host,nic,switch\nx,y,z\n",
         "a cable plan needs a column 'switch_port': its first line names host, nic, switch and switch_port");
}
