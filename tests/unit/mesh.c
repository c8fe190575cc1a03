/* SPDX-License-Identifier: MIT */
/* A mesh without its network: the list of peers, rounds, turns, and what the cells say. */
#include <criterion/criterion.h>
#include <math.h>

#include "command/mesh/mesh.h"
#include "fleet/mesh/mesh.h"

static struct arena *arena;
static struct peers peers;
static struct fleet_fault fault;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(mesh, .init = setup, .fini = teardown);

static int parse(const char *text)
{
    return peers_parse(text, strlen(text), arena, &peers, &fault);
}

Test(mesh, everybody_meets_everybody_once)
{
    for (size_t n = 0; n < 40; n++) {
        bool met[40][40] = { { false } };
        for (size_t round = 0; round < circle_rounds(n); round++)
            for (size_t i = 0; i < n; i++) {
                int other = circle_partner(n, round, i);
                if (other == PEERS_NOBODY) {
                    cr_assert_eq(n % 2, 1);
                    continue;
                }
                cr_assert_neq((size_t)other, i);
                cr_assert_eq(circle_partner(n, round, (size_t)other), (int)i);
                cr_assert(!met[i][other], "%zu: %zu and %d meet twice", n, i, other);
                met[i][other] = true;
            }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                cr_assert_eq(met[i][j], i != j);
    }
}

Test(mesh, a_list_is_read)
{
    cr_assert_eq(
        parse("# head\n10.0.0.1 h1 mlx5_0 r0\n\n10.0.0.2\th2 mlx5_0 r0 # tail\r\n2001:db8::1 h1 mlx5_1\n"
              "2001:db8::2 h2 mlx5_1"),
        0, "%s", fault.what);
    cr_assert_eq(peers.count, 4);
    cr_assert_eq(peers.nhosts, 2);
    cr_assert_eq(peers.nrails, 2);
    cr_assert_str_eq(peers.items[2].rail, "mlx5_1");
    cr_assert_eq(peers_find(&peers, "2001:db8::2"), 3);
    cr_assert_eq(peers_find(&peers, "10.0.0.9"), PEERS_NOBODY);
    cr_assert_eq(peers_partner(&peers, 0, 0), 1);
    cr_assert_eq(peers_partner(&peers, 3, 0), 2);
    cr_assert_eq(peers.rounds, 1);
    cr_assert(!peers_try(&peers, 0, 3));
}

Test(mesh, pairs_and_rails)
{
    static const char list[] = "10.0.0.1 h1 a\n10.0.0.2 h2 a\n10.0.0.3 h3 a\n10.0.0.4 h1 b\n";
    char *text = mem_printf("%srails all\n", list);
    cr_assert_eq(parse(text), 0);
    free(text);
    cr_assert(peers_try(&peers, 1, 3));
    cr_assert(!peers_try(&peers, 0, 3), "a host tries itself");
    uint32_t stamp = peers.stamp;
    text = mem_printf("%spair 10.0.0.2 10.0.0.1\n", list);
    cr_assert_eq(parse(text), 0);
    free(text);
    cr_assert_neq(peers.stamp, stamp);
    cr_assert(peers_try(&peers, 0, 1) && peers_try(&peers, 1, 0) && !peers_try(&peers, 0, 2));
}

Test(mesh, a_sample_is_some_rounds)
{
    static const char list[] = "10.0.0.1 h1 a\n10.0.0.2 h2 a\n10.0.0.3 h3 a b leaf1\n10.0.0.4 h4 a b leaf2\n"
                               "10.0.0.5 h5 a\n10.0.0.6 h6 a\n";
    cr_assert_eq(parse(list), 0);
    uint32_t stamp = peers.stamp;
    cr_assert_eq(peers.rounds, 3);
    cr_assert_eq(peers.nleaves, 2);
    cr_assert_str_eq(peers.items[3].leaf, "leaf2");
    cr_assert_null(peers.items[0].leaf);
    char *text = mem_printf("%srounds 2\n", list);
    cr_assert_eq(parse(text), 0);
    free(text);
    cr_assert_eq(peers.rounds, 2);
    cr_assert_eq(peers.rounds_of, 3);
    cr_assert_neq(peers.stamp, stamp);
    text = mem_printf("rounds 9\n%s", list);
    cr_assert_eq(parse(text), 0);
    free(text);
    cr_assert_eq(peers.rounds, 3, "more than there are");
    cr_assert_eq(peers.stamp, stamp, "the same mesh");
}

Test(mesh, a_list_of_ten_thousand_hosts)
{
    struct bytes text = { 0 };
    for (int i = 0; i < 80000; i++)
        bytes_printf(&text, "10.%d.%d.%d h%d d r%d\n", i % 8, i / 8 / 256, i / 8 % 256, i / 8, i % 8);
    cr_assert_eq(parse(text.data), 0, "%s", fault.what);
    bytes_free(&text);
    cr_assert_eq(peers.nhosts, 10000);
    cr_assert_eq(peers.rounds, 9999);
}

Test(mesh, what_is_wrong_is_told_with_its_line)
{
    static const struct {
        const char *text, *what;
        unsigned line;
    } rows[] = {
        { "", "there are no peers in it", 0 },
        { "10.0.0.1 h1 a\nh2 h2 a\n", "'h2' is no IPv4 or IPv6 address", 2 },
        { "10.0.0.1 h1\n", "a line is ADDRESS HOST DEVICE [RAIL [LEAF]], this one has 2 of them", 1 },
        { "10.0.0.1 h1 a b c d\n", "a line is ADDRESS HOST DEVICE [RAIL [LEAF]], this one has more", 1 },
        { "10.0.0.1 h1 a\n\n::ffff:10.0.0.1 h2 a\n", "'::ffff:10.0.0.1' is on line 1 already", 3 },
        { "fe80::1 h1 a\n", "'fe80::1' is link-local: other hosts can't tell by it which link is meant", 1 },
        { "10.0.0.1 h1 a\nrounds 0\n", "'rounds' is followed by a number from 1 to 131072", 2 },
        { "10.0.0.1 h1 a\nrails some\n", "'rails' is followed by 'all'", 2 },
        { "10.0.0.1 h1 a\npair 10.0.0.1 10.0.0.2\n", "a pair with an address that no peer in this list has",
          2 },
        { "10.0.0.1 h1 a\n10.0.0.2 h1 a\npair 10.0.0.1 10.0.0.2\n", "both addresses are of 'h1'", 3 },
        { "10.0.0.1 h1 $(x)\n", "word 3 has characters that no name has", 1 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_lt(parse(rows[i].text), 0, "%s", rows[i].text);
        cr_assert_str_eq(fault.what, rows[i].what);
        cr_assert_eq(fault.line, rows[i].line, "%s: line %u", rows[i].text, fault.line);
    }
}

Test(mesh, a_call_waits_for_its_turn)
{
    const char *why;
    const uint32_t self = 3;
    struct turns turns;
    struct mesh_call call = { .round = 2, .from = 1, .to = 3 }, again;
    char text[CALL_TEXT_SIZE];
    cr_assert_eq(parse("10.0.0.1 h1 a\n10.0.0.2 h2 a\n"), 0);
    call.stamp = peers.stamp;
    mesh_call_text(&call, text);
    cr_assert(mesh_call_parse(text, &again));
    cr_assert_eq(again.stamp, call.stamp);
    cr_assert(!mesh_call_parse("roce 1.0", &again) && !mesh_call_parse("mesh 1 2 3 4 test", &again));
    turns_begin(&turns, &peers, &self, 1);
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_NOT_YET, "before the first round");
    turns_next(&turns, 0, 1, 0, 0);
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_NOT_YET);
    turns_next(&turns, 0, 2, 1, 0);
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), 0, "the lower number goes first");
    cr_assert_eq(turns_look(&turns, 0).open, 1);
    turns_ended(&turns, &call, 5);
    cr_assert_eq(turns_look(&turns, 0).open, 0);
    call.done = true;
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_NOTED);
    cr_assert(turns_look(&turns, 0).theirs_done);
    call.done = false;
    turns_next(&turns, 0, 3, 5, 0);
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_OVER);
    call = (struct mesh_call){ .stamp = peers.stamp, .round = 3, .from = 5, .to = 3 };
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_NOT_YET, "ours is first");
    turns_did(&turns, 0, 0);
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), 0);
    call.from = 4;
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_STRANGER);
    call.stamp++;
    cr_assert_eq(turns_answer(&turns, &call, 0, &why), TURN_STRANGER);
    turns_end(&turns);
}

/* -- judging ------------------------------------------------------------------------------------------- */

static struct mesh_cell *cells;
static struct mesh_heard *told;
static double *rates;
static uint64_t dice;

/* The same each time: about normal, of deviation 1. */
static double noise(void)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(dice >> 33) / (double)(UINT64_C(1) << 31);
    }
    return sum - 6;
}

static struct mesh_cell *at(size_t from, size_t to)
{
    return &cells[from * (peers.count - 1) + to - (to > from)];
}

static void make(size_t n, double deviation)
{
    struct bytes text = { 0 };
    for (size_t i = 0; i < n; i++)
        bytes_printf(&text, "10.0.%zu.%zu h%zu mlx5_0\n", i / 250, i % 250 + 1, i);
    cr_assert_eq(parse(text.data), 0, "%s", fault.what);
    bytes_free(&text);
    dice = n;
    cells = arena_alloc(arena, n * n, sizeof(*cells));
    told = arena_alloc(arena, n, sizeof(*told));
    rates = arena_alloc(arena, n, sizeof(*rates));
    for (size_t i = 0; i < n; i++) {
        told[i] = (struct mesh_heard){ .told = true, .finished = true };
        for (size_t j = 0; j < n; j++)
            if (i != j)
                *at(i, j) = (struct mesh_cell){ .from = (uint32_t)i,
                                                .to = (uint32_t)j,
                                                .state = CELL_GOOD,
                                                .gbits = 90 * exp(deviation * noise()),
                                                .latency = 3 * exp(deviation * noise()) };
    }
}

static struct mesh_verdicts judge(void)
{
    return mesh_judge(&peers, cells, peers.count * (peers.count - 1), rates, told, peers.rounds, arena);
}

static size_t count(const struct mesh_verdicts *v, enum odd_kind kind, long from, long to)
{
    size_t found = 0;
    for (size_t i = 0; i < v->nodd; i++)
        found += v->odd[i].kind == kind && (from < 0 || v->odd[i].from[0] == (uint32_t)from) &&
                 (to < 0 || v->odd[i].to[0] == (uint32_t)to);
    return found;
}

Test(mesh, nothing_odd_is_found_where_there_is_nothing)
{
    for (size_t n = 2; n < 40; n++) {
        make(n, 0.03);
        struct mesh_verdicts v = judge();
        cr_assert_eq(v.nodd, 0, "%zu hosts: %zu findings, kind %d", n, v.nodd, v.odd[0].kind);
        cr_assert_eq(v.missing, 0);
    }
}

/* 9,900 cells: every fault that was planted is found, and no more than 1 % of the findings' cells are false. */
Test(mesh, planted_faults_are_found)
{
    make(100, 0.03);
    for (size_t i = 0; i < 100; i++) {
        if (i != 7)
            at(7, i)->gbits *= 0.7;
        if (i != 31)
            at(i, 31)->gbits *= 0.75;
        if (i != 50) {
            at(i, 50)->state = CELL_UNREACHABLE;
            at(50, i)->state = CELL_NONE;
        }
        if (i != 60 && i != 50)
            at(60, i)->state = CELL_FAILED;
    }
    told[50] = (struct mesh_heard){ 0 };
    for (size_t i = 0; i < 10; i++)
        at(10 + i, 80 + i)->gbits *= 0.5;
    for (size_t i = 0; i < 3; i++)
        at(20 + i, 70 + i)->state = at(70 + i, 20 + i)->state = CELL_FAILED;
    struct mesh_verdicts v = judge();
    cr_assert_eq(count(&v, ODD_SENDER, 7, -1), 1);
    cr_assert_eq(count(&v, ODD_RECEIVER, -1, 31), 1);
    cr_assert_eq(count(&v, ODD_DEAD, -1, 50), 1);
    cr_assert_eq(count(&v, ODD_SENDER, 60, -1), 1);
    for (long i = 0; i < 10; i++)
        cr_assert_eq(count(&v, ODD_PAIR, 10 + i, 80 + i), 1, "pair %ld", i);
    for (long i = 0; i < 3; i++)
        cr_assert_eq(count(&v, ODD_PAIR, 20 + i, 70 + i), 1, "failed pair %ld", i);
    cr_assert_leq(v.nodd, 17 + 99, "%zu findings", v.nodd);
    cr_assert_eq(v.nodd, 17, "%zu findings", v.nodd);
}

/* Two rails of other hosts: that of one nothing came doesn't make it well. */
/* Of two rails a host: one finding a version, a peer of each host. */
Test(mesh, another_version_of_roce)
{
    cr_assert_eq(parse("10.0.0.1 a d r0\n10.0.1.1 a e r1\n10.0.0.2 b d r0\n10.0.1.2 b e r1\n"
                       "10.0.0.3 c d r0\n10.0.1.3 c e r1\n"),
                 0);
    static const char *const versions[] = { "0.10.0", "0.10.0", "0.9.0", "0.9.0", "0.9.0", "0.9.0" };
    struct mesh_heard heard[6];
    double none[6] = { 0 };
    for (size_t i = 0; i < 6; i++)
        heard[i] = (struct mesh_heard){ true, true, 1, 1, versions[i] };
    struct mesh_verdicts v = mesh_judge(&peers, NULL, 0, none, heard, 0, arena);
    cr_assert_eq(v.nodd, 1, "%zu findings", v.nodd);
    cr_expect(v.odd[0].kind == ODD_VERSION && !v.odd[0].failed && v.odd[0].nto == 1 && v.odd[0].to[0] == 0);
    cr_expect_str_eq(v.odd[0].version, "0.10.0");
    cr_expect_str_eq(v.odd[0].usual_version, "0.9.0");
    heard[2].version = heard[3].version = NULL; /* one against one: the newer is usual */
    v = mesh_judge(&peers, NULL, 0, none, heard, 0, arena);
    cr_assert_eq(v.nodd, 1);
    cr_expect_str_eq(v.odd[0].version, "0.9.0");
}

Test(mesh, a_rail_of_which_nobody_left_results)
{
    cr_assert_eq(parse("10.0.0.1 a d r0\n10.0.0.2 b d r0\n10.0.0.3 c d r1\n10.0.0.4 d d r1\n"), 0);
    struct mesh_cell known[] = { { .from = 0, .to = 1, .state = CELL_GOOD, .gbits = 90 },
                                 { .from = 1, .to = 0, .state = CELL_GOOD, .gbits = 90 } };
    struct mesh_heard heard[4] = { { true, true, 1, 1, "1.0" }, { true, true, 1, 1, "1.0" } };
    double none[4] = { 0 };
    struct mesh_verdicts v = mesh_judge(&peers, known, 2, none, heard, 1, arena);
    cr_assert_eq(v.nodd, 2, "%zu findings", v.nodd);
    cr_assert(count(&v, ODD_UNHEARD, 2, -1) == 1 && count(&v, ODD_UNHEARD, 3, -1) == 1);
    cr_assert_eq(v.missing, 2);
}

Test(mesh, groups_are_told_from_pairs)
{
    make(12, 0.02);
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 6; b < 12; b++)
            at(a, b)->gbits *= 0.5, at(b, a)->gbits *= 0.5;
    struct mesh_verdicts v = judge();
    cr_assert_eq(v.nodd, 1, "%zu findings", v.nodd);
    cr_assert_eq(v.odd[0].kind, ODD_GROUPS);
    cr_assert_eq(v.odd[0].nfrom, 6);
    make(12, 0.02);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 9; b < 12; b++)
            at(a, b)->state = at(b, a)->state = CELL_FAILED;
    v = judge();
    cr_assert_eq(v.nodd, 1, "%zu findings", v.nodd);
    cr_assert(v.odd[0].failed && v.odd[0].kind == ODD_GROUPS && v.odd[0].cells == 18);
}

/* 96 hosts on six leaves, in an order in which the first rounds lead everywhere; each with others of so many
 * rounds. */
static struct mesh_verdicts judge_sample(size_t rounds, bool leaves, double share, double slow)
{
    struct bytes text = { 0 };
    bytes_printf(&text, "rounds %zu\n", rounds);
    for (int i = 0; i < 96; i++)
        bytes_printf(&text, "10.0.0.%d h%d d r%s%d\n", i + 1, i, leaves ? " l" : " #", i * 37 % 96 / 16);
    cr_assert_eq(parse(text.data), 0, "%s", fault.what);
    bytes_free(&text);
    size_t ncells = 0;
    dice = 5;
    cells = arena_alloc(arena, 96 * rounds, sizeof(*cells));
    told = arena_alloc(arena, 96, sizeof(*told));
    rates = arena_alloc(arena, 96, sizeof(*rates));
    for (uint32_t i = 0; i < 96; i++) {
        told[i] = (struct mesh_heard){ .told = true, .finished = true, .last = rounds };
        for (size_t round = 0; round < rounds; round++) {
            uint32_t to = (uint32_t)peers_partner(&peers, i, round), a = i * 37 % 96 / 16,
                     b = to * 37 % 96 / 16;
            bool between = (a == 1 && b == 4) || (a == 4 && b == 1);
            cells[ncells++] = (struct mesh_cell){ .from = i,
                                                  .to = to,
                                                  .state = between && share <= 0 ? CELL_FAILED : CELL_GOOD,
                                                  .gbits = 90 *
                                                           (between   ? share
                                                            : i == 50 ? slow
                                                                      : 1) *
                                                           exp(0.02 * noise()) };
        }
    }
    qsort(cells, ncells, sizeof(*cells), ways_compare);
    return mesh_judge(&peers, cells, ncells, rates, told, rounds, arena);
}

Test(mesh, a_sample_is_judged)
{
    for (size_t rounds = 8; rounds < 40; rounds++) {
        struct mesh_verdicts v = judge_sample(rounds, true, 1, 1);
        cr_assert_eq(v.nodd, 0, "%zu rounds: %zu findings, kind %d", rounds, v.nodd, v.odd[0].kind);
        cr_assert_eq(v.missing, 0);
        v = judge_sample(rounds, true, 1, 0.6);
        cr_assert_eq(v.nodd, 1, "%zu rounds: %zu findings", rounds, v.nodd);
        cr_assert_eq(count(&v, ODD_SENDER, 50, -1), 1);
    }
}

Test(mesh, between_two_leaves_of_a_sample)
{
    for (double share = 0; share < 1; share += 0.5)
        for (size_t rounds = 8; rounds < 40; rounds++) {
            struct mesh_verdicts v = judge_sample(rounds, true, share, 1);
            cr_assert_eq(v.nodd, 1, "%zu rounds: %zu findings, kind %d", rounds, v.nodd, v.odd[0].kind);
            cr_assert_eq(v.odd[0].kind, ODD_GROUPS);
            cr_assert_eq(v.odd[0].failed, share <= 0);
            cr_assert_eq(v.odd[0].nfrom, 16);
            cr_assert_eq(v.odd[0].nto, 16);
            v = judge_sample(rounds, false, share, 1);
            cr_assert_gt(v.nodd, 1, "where leaves aren't known");
        }
}
