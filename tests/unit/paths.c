/* SPDX-License-Identifier: MIT */
/* Many paths: source ports and the labels that give them, what each way is beside its siblings, and the words
 * for it. */
#include <criterion/criterion.h>

#include "selftest/diagnosis/diagnosis.h"
#include "selftest/paths.h"
#include "selftest/result.h"
#include "view/column.h"
#include "view/results.h"

/* fleet.md's formula; 4 and 0x4005 were seen to give one port. */
Test(paths, labels_give_ports)
{
    cr_assert_eq(port_of_label(4), 0xc004);
    cr_assert_eq(port_of_label(0x4005), 0xc004);
    cr_assert_eq(port_of_label(0xfffff), 0xc000 | (0x3fff ^ 0x3f));
    for (unsigned port = 0xc000; port <= 0xffff; port++) {
        cr_assert_neq(label_of_port((uint16_t)port), 0);
        cr_assert_leq(label_of_port((uint16_t)port), 0xfffff);
        cr_assert_eq(port_of_label(label_of_port((uint16_t)port)), port);
    }
}

Test(paths, every_port_is_tried_once)
{
    static bool seen[PORTS_OF_ROCE];
    for (unsigned i = 0; i < PORTS_OF_ROCE; i++) {
        uint16_t port = port_to_try(i);
        cr_assert_geq(port, 0xc000);
        cr_assert_not(seen[port - 0xc000]);
        seen[port - 0xc000] = true;
    }
}

Test(paths, who_takes_the_label)
{
    cr_assert_eq(port_rule_of("mlx5_core", false), PORT_BY_LABEL);
    cr_assert_eq(port_rule_of("rxe", false), PORT_BY_LABEL);
    cr_assert_eq(port_rule_of("rxe", true), PORT_OWN);
    cr_assert_eq(port_rule_of("bnxt_en", false), PORT_OWN);
    cr_assert_eq(port_rule_of(NULL, false), PORT_OWN);
}

static struct paths p;
static const char *text; /* what was said last */

static void healthy(uint32_t count)
{
    p = (struct paths){ .count = count,
                        .mtu = 1024,
                        .datagrams.traffic_class = { EXCHANGE_NO_CLASS, EXCHANGE_NO_CLASS } };
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < count; i++)
            p.ways[d][i] = (struct way){ .port = num_of(port_to_try(i)),
                                         .sent = 8,
                                         .arrived = 8,
                                         .large_sent = 8,
                                         .large_arrived = 8,
                                         .rounds = 32,
                                         .rtt = 100 + i,
                                         .gbits = 10 - i * 0.1 };
}

static const char *said(unsigned i)
{
    static struct arena *arena;
    const char **words;
    paths_judge(&p);
    arena_free(arena);
    arena = arena_new();
    text = paths_words(&p, arena, &words) > i ? words[i] : "";
    return text;
}

Test(paths, silences_that_come_again_are_told_from_losses)
{
    healthy(8);
    p.watched_ms = 6000;
    struct silences gap = { .outages = 3, .longest = 320000000, .first = 1000000000, .last = 4000000000 };
    p.ways[THERE][2].silences = p.ways[THERE][5].silences = gap;
    p.ways[THERE][3].silences = (struct silences){ .outages = 1, .longest = 400000000 };
    p.ways[THERE][4].silences = (struct silences){ .stalls = 9, .outages = 2, .longest = 200000000 };
    cr_assert_eq(strstr(said(0), "2 of 8 source ports fall silent again and again on the way there only, 6 "
                                 "are clean: one path of several, not host, cable or firewall"),
                 text);
    cr_assert_eq(strstr(said(1), "silent for up to 0.3 s, about every 1.5 s: a link that comes and goes"),
                 text);
    cr_assert_str_empty(said(2));
}

Test(paths, healthy_ones_are_clean_and_nothing_else_is_said)
{
    healthy(16);
    p.datagrams = (struct datagrams){
        .sent = 1000, .arrived = 1000, .answered = 1000, .slowness = { .rounds = 1000, .slow = 3 }
    };
    cr_assert_str_eq(
        said(0),
        "all 16 source ports that could be looked at are clean, there and back: 12.0 % of packets lost on one "
        "of them would have been seen; they take each of up to 4 equal paths (95 %)");
    cr_assert_str_empty(said(1));
    cr_assert(paths_are_clean(&p));
}

Test(paths, two_of_sixteen_lose_everything)
{
    healthy(16);
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        p.ways[d][3].arrived = p.ways[d][5].arrived = 0;
    cr_assert_str_eq(said(0), "2 of 16 source ports lose everything, 14 are clean: one path of several, not "
                              "host, cable or firewall (63149, 50635); so many take 1 of 3 to 28 equal paths");
    cr_assert_str_empty(said(1));
    cr_assert_not(paths_are_clean(&p));
}

Test(paths, one_direction_only)
{
    healthy(4);
    p.ways[BACK][1].arrived = 0;
    cr_assert_str_eq(said(0), "1 of 4 source ports loses everything on the way back only, 3 are clean: one "
                              "path of several, not host, cable or firewall (59279)");
    cr_assert_eq(p.ways[THERE][1].state, WAY_CLEAN);
}

Test(paths, all_of_them_is_no_single_path)
{
    healthy(4);
    for (uint32_t i = 0; i < 4; i++)
        p.ways[THERE][i].arrived = 0;
    cr_assert(
        strstr(said(0),
               "4 of 4 source ports lose everything on the way there only: no port gets through: host, cable"));
}

Test(paths, slower_and_throttled_beside_siblings)
{
    healthy(8);
    p.ways[THERE][2].rtt = 400;
    p.ways[BACK][6].gbits = 2;
    said(0);
    cr_assert_eq(p.ways[THERE][2].state, WAY_SLOW);
    cr_assert_eq(p.ways[BACK][2].state, WAY_CLEAN);
    cr_assert_eq(p.ways[BACK][6].state, WAY_RATE);
    /* a few µs are noise, however large their share */
    healthy(8);
    for (uint32_t i = 0; i < 8; i++)
        p.ways[THERE][i].rtt = i == 2 ? 18 : 3;
    said(0);
    cr_assert_eq(p.ways[THERE][2].state, WAY_CLEAN);
    /* too few to compare */
    healthy(2);
    p.ways[THERE][1].rtt = 4000;
    said(0);
    cr_assert_eq(p.ways[THERE][1].state, WAY_CLEAN);
}

/* What is throttled on its way there only because the answers get lost isn't to blame. */
Test(paths, the_other_direction_is_not_blamed)
{
    healthy(8);
    p.ways[THERE][2].gbits = 0.1;
    p.ways[BACK][2].resent = 9;
    said(0);
    cr_assert_eq(p.ways[THERE][2].state, WAY_CLEAN);
    cr_assert_eq(p.ways[BACK][2].state, WAY_LOSSY);
}

Test(paths, a_smaller_mtu_is_measured)
{
    healthy(4);
    p.ways[THERE][3].large_arrived = 0;
    p.ways[THERE][3].mtu = 700;
    cr_assert(strstr(said(0), "1 of 4 source ports loses large packets on the way there only, 3 are clean: one "
                              "path of several has a smaller MTU"));
    cr_assert_str_eq(
        said(1), "on the way there messages of 700 bytes still come through, the ports' MTU of 1024 does not");
}

Test(paths, a_lost_message_is_no_pattern)
{
    healthy(4);
    p.ways[THERE][0].resent = 1;
    said(0);
    cr_assert_eq(p.ways[THERE][0].state, WAY_CLEAN);
    p.ways[THERE][0].resent = 2;
    said(0);
    cr_assert_eq(p.ways[THERE][0].state, WAY_LOSSY);
}

/* Two looks at other times: what stands out in one alone was a moment's, of the way or of the host. */
Test(paths, what_stands_out_does_so_twice)
{
    struct way once = { .rounds = 64, .resent = 9, .rtt = 5000 }, well = { .rounds = 64, .rtt = 20 };
    healthy(8);
    for (unsigned i = 0; i < 4; i++) {
        struct way *w = &p.ways[THERE][i];
        w->rounds = w->resent = 0;
        w->rtt = 0;
        way_add_try(w, i == 0 || i == 1 ? &once : &well);
        way_add_try(w, i == 1 || i == 2 ? &once : &well);
    }
    paths_judge(&p);
    cr_assert_eq(p.ways[THERE][0].state, WAY_CLEAN);
    cr_assert_eq(p.ways[THERE][1].state, WAY_LOSSY);
    cr_assert_eq(p.ways[THERE][2].state, WAY_CLEAN);
    cr_assert_eq(p.ways[THERE][0].rounds, 128);
    cr_assert_eq(p.ways[THERE][0].resent, 9, "it is shown all the same");
    cr_assert_float_eq(p.ways[THERE][0].rtt, 20, 0.1);
    once.resent = 0;
    p.ways[THERE][1] = p.ways[THERE][3];
    p.ways[THERE][1].rtt = 0;
    way_add_try(&p.ways[THERE][1], &once);
    paths_judge(&p);
    cr_assert_eq(p.ways[THERE][1].state, WAY_SLOW);
    way_add_try(&p.ways[THERE][1], &well);
    paths_judge(&p);
    cr_assert_eq(p.ways[THERE][1].state, WAY_CLEAN);
}

/* From 0 to 1. */
static double chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 33) / 2147483648.0;
}

static int by_whole(const void *a, const void *b)
{
    uint64_t x = ((const struct round_trip *)a)->whole, y = ((const struct round_trip *)b)->whole;
    return (x > y) - (x < y);
}

enum { LATE_PORTS = 4, LATE_ROUNDS = 32 };

/* Two looks at ways on which a round takes 40 µs and as much again by chance, or far more: on the first by
 * `later` times as long. */
static void play_late(double later, uint64_t *seed)
{
    struct round_trip trips[LATE_PORTS * LATE_ROUNDS];
    const uint32_t played[LATE_PORTS] = { LATE_ROUNDS, LATE_ROUNDS, LATE_ROUNDS, LATE_ROUNDS };
    healthy(LATE_PORTS);
    for (unsigned look = 0; look < 2; look++) {
        struct way now[LATE_PORTS] = { 0 };
        for (uint32_t i = 0; i < LATE_PORTS; i++) {
            for (uint32_t k = 0; k < LATE_ROUNDS; k++)
                trips[i * LATE_ROUNDS + k].whole = (uint64_t)(40000 * (i == 0 ? later : 1) /
                                                              (1 - chance(seed)));
            qsort(trips + (size_t)i * LATE_ROUNDS, LATE_ROUNDS, sizeof(*trips), by_whole);
        }
        ways_fill(now, LATE_PORTS, trips, LATE_ROUNDS, played);
        for (uint32_t i = 0; i < LATE_PORTS; i++) {
            p.ways[THERE][i].rtt = look ? p.ways[THERE][i].rtt : 0;
            way_add_try(&p.ways[THERE][i], &now[i]);
        }
    }
    paths_judge(&p);
}

/* Of 10,000 pairs of hosts whose paths are alike one at most is said to have a slow one; what takes three times
 * as long is found. */
Test(paths, ranks_tell_delay_from_chance)
{
    uint64_t seed = 42;
    unsigned wrong = 0, found = 0;
    for (unsigned run = 0; run < 10000; run++) {
        play_late(1, &seed);
        wrong += paths_in(&p, THERE, WAY_SLOW) > 0;
    }
    for (unsigned run = 0; run < 400; run++) {
        play_late(3, &seed);
        found += paths_in(&p, THERE, WAY_SLOW) == 1 && p.ways[THERE][0].state == WAY_SLOW;
    }
    cr_assert_leq(wrong, 1, "%u of 10,000", wrong);
    cr_assert_geq(found, 380, "%u of 400", found);
}

/* Four of eight, all behind the others: a sum of 26, where 18 is expected, with a spread of the square root
 * of 12. */
Test(paths, chances_of_ranks)
{
    const double late[] = { 5, 6, 7, 8 }, all[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, same[] = { 3, 3, 3, 3, 3, 3 };
    cr_expect_float_eq(rank_chance(late, 4, all, 8), 0.010461, 1e-5);
    cr_expect_float_eq(rank_chance(all, 4, all, 8), 1 - 0.010461, 1e-5);
    cr_expect_float_eq(rank_chance(same, 2, same, 6), 0.5, 1e-9);
    cr_expect_float_eq(rank_chance(late, 4, late, 4), 1, 1e-9, "nothing to compare it with");
}

/* A way that looked throttled once, and in transfers beside a sibling's carries as much as that, or as little.
 */
Test(paths, what_looks_throttled_is_measured_beside_a_sibling)
{
    enum { TRANSFERS = 24 };
    double own[TRANSFERS], others[TRANSFERS];
    uint64_t seed = 3;
    for (unsigned slow = 0; slow < 2; slow++) {
        healthy(8);
        p.ways[THERE][4].gbits = 5;
        for (unsigned i = 0; i < TRANSFERS; i++) {
            own[i] = (slow ? 0.18 : 0.1) * (1 + chance(&seed));
            others[i] = 0.1 * (1 + chance(&seed));
        }
        way_add_slices(&p.ways[THERE][4], own, others, TRANSFERS);
        paths_judge(&p);
        cr_expect_eq(p.ways[THERE][4].state, slow ? WAY_RATE : WAY_CLEAN);
        cr_expect_eq(p.ways[THERE][4].low_chance < 1e-6, slow, "%g", p.ways[THERE][4].low_chance);
        cr_expect_float_eq(p.ways[THERE][4].gbits, slow ? 5 : 6.7, 0.4, "%g", p.ways[THERE][4].gbits);
    }
}

/* What is far behind its siblings by a ratio isn't bad where chance could have put it there. */
Test(paths, chance_is_no_fault)
{
    static const double chances[] = { 1e-9, 1e-3 };
    for (unsigned i = 0; i < 2; i++) {
        healthy(8);
        p.ways[THERE][2].rtt = 400;
        p.ways[THERE][2].late_chance = chances[i];
        p.ways[BACK][5].gbits = 3;
        p.ways[BACK][5].low_chance = chances[i];
        said(0);
        cr_expect_eq(p.ways[THERE][2].state, i ? WAY_CLEAN : WAY_SLOW);
        cr_expect_eq(p.ways[BACK][5].state, i ? WAY_CLEAN : WAY_RATE);
    }
}

/* Some of the round trips of a way, in two looks. */
static void look_twice(struct way *w, double share, uint32_t rounds, uint64_t *seed)
{
    w->rounds = 0;
    for (unsigned look = 0; look < 2; look++) {
        struct way now = { .rtt = 100 };
        for (; now.rounds < rounds && now.resent < ROUNDS_LOSSES; now.rounds++)
            now.resent += chance(seed) < share;
        way_add_try(w, &now);
    }
}

/* A fabric whose truth is known: `bad` of count ports lose this share, in two looks of 64 rounds. */
static void simulate(uint32_t count, uint32_t bad, double share, uint64_t *seed)
{
    healthy(count);
    for (uint32_t i = 0; i < count; i++)
        look_twice(&p.ways[THERE][i], i < bad ? share : 0, 64, seed);
    paths_judge(&p);
}

/* Shared loss is never one path's by chance more often than 1 in 10,000, and one path's never what all share;
 * what is lost often enough is told apart. */
Test(paths, shared_loss_and_one_paths_are_told_apart)
{
    static const uint32_t counts[] = { 2, 4, 8, 16 };
    static const double shares[] = { 0.01, 0.02, 0.03, 0.05, 0.1 };
    unsigned false_split = 0, false_shared = 0;
    uint64_t seed = 4711;
    for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++)
        for (size_t s = 0; s < sizeof(shares) / sizeof(*shares); s++) {
            unsigned shared = 0, split = 0;
            for (unsigned run = 0; run < 500; run++) {
                simulate(counts[c], counts[c], shares[s], &seed);
                shared += p.loss[THERE] == LOSS_SHARED;
                false_split += p.loss[THERE] == LOSS_SPLIT;
                simulate(counts[c], counts[c] > 4 ? counts[c] / 4 : 1, shares[s], &seed);
                split += p.loss[THERE] == LOSS_SPLIT;
                false_shared += p.loss[THERE] == LOSS_SHARED;
            }
            if (counts[c] >= 4 && shares[s] >= 0.03)
                cr_expect_geq(shared, 475, "%u ports, %g %% shared: %u of 500", counts[c], 100 * shares[s],
                              shared);
            if (counts[c] >= 8 && shares[s] >= 0.1)
                cr_expect_geq(split, 475, "%u ports, %g %% of one path: %u of 500", counts[c], 100 * shares[s],
                              split);
        }
    cr_assert_leq(false_split, 1, "%u of 10,000 shared losses were split", false_split);
    cr_assert_leq(false_shared, 1, "%u of 10,000 of one path were shared", false_shared);
}

static uint32_t survivors(uint32_t count, double share, uint64_t *seed)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        left += chance(seed) >= share;
    return left;
}

/* A fabric of equal paths, of which each port takes one by chance. All lose, or the first; on the way there, or
 * both ways. Whose loss is it said to be? Where no port, or each, takes the first: LOSS_NONE. */
static enum loss found_in(uint32_t ports, unsigned paths_there, double share, bool shared, bool both,
                          uint32_t rounds, uint64_t *seed)
{
    uint32_t bad = 0;
    double mean[DIRECTIONS] = { 0 };
    healthy(ports);
    for (uint32_t i = 0; i < ports; i++) {
        bool loses = shared || chance(seed) * paths_there < 1;
        /* an acknowledgement that all lose has data sent again in the other direction, too */
        look_twice(&p.ways[THERE][i], loses ? share : 0, rounds, seed);
        look_twice(&p.ways[BACK][i], (both && loses) || shared ? share : 0, rounds, seed);
        bad += loses;
        mean[THERE] += loses ? share / ports : 0;
        mean[BACK] += both && loses ? share / ports : 0;
    }
    if (!shared && (bad == 0 || bad == ports))
        return LOSS_NONE;
    uint32_t arrived = survivors(1000, mean[THERE], seed);
    p.datagrams = (struct datagrams){ .sent = 1000,
                                      .arrived = arrived,
                                      .answered = survivors(arrived, mean[BACK], seed) };
    paths_judge(&p);
    enum loss back = both ? p.loss[THERE] : LOSS_NONE;
    return p.loss[BACK] == back ? p.loss[THERE] : LOSS_UNCLEAR;
}

/* What `--paths auto` promises, in 10,080 fabrics of 2 to 16 paths: whose the loss is, and in which direction,
 * in 19 of 20. */
Test(paths, as_many_rounds_as_a_loss_needs_tell_whose_it_is)
{
    static const double shares[] = { 0.01, 0.02, 0.03, 0.05, 0.1, 0.3 };
    uint32_t rounds = (uint32_t)paths_rounds(0.01, 64, 4096);
    unsigned wrong = 0;
    uint64_t seed = 815;
    for (size_t s = 0; s < sizeof(shares) / sizeof(*shares); s++) {
        unsigned right[2] = { 0 }, of[2] = { 0 };
        for (unsigned run = 0; run < 1680; run++) {
            bool shared = run % 2, both = run / 2 % 2;
            enum loss want = shared ? LOSS_SHARED : LOSS_SPLIT;
            enum loss found = found_in(8u << run / 4 % 3, 2u << run / 12 % 4, shares[s], shared, both, rounds,
                                       &seed);
            of[shared] += found != LOSS_NONE;
            right[shared] += found == want;
            wrong += found != LOSS_NONE && found != LOSS_UNCLEAR && found != want;
        }
        for (unsigned shared = 0; shared < 2; shared++)
            cr_expect_geq(right[shared] * 100, of[shared] * (shared || s ? 95u : 90u), "%g %% %s: %u of %u",
                          100 * shares[s], shared ? "shared" : "of one path", right[shared], of[shared]);
    }
    cr_assert_leq(wrong, 1, "%u fabrics", wrong);
}

Test(paths, rounds_follow_the_loss_that_is_to_be_seen)
{
    cr_assert_float_eq(paths_rounds(0, 64, 4096), 64, 0.1);
    cr_assert_float_eq(paths_rounds(0.005, 64, 4096), 817, 0.1);
    cr_assert_float_eq(paths_rounds(0.0001, 64, 4096), 4096, 0.1);
    healthy(8);
    for (unsigned i = 0; i < 8; i++)
        p.ways[THERE][i].rounds = p.ways[BACK][i].rounds = 817;
    cr_assert_str_eq(
        said(0),
        "all 8 source ports that could be looked at are clean, there and back: 0.5 % of packets lost on "
        "one of them would have been seen; they take each of up to 2 equal paths (95 %)");
}

/* Of 20,000 fabrics, one in twenty at most has a path that none of the ports takes; with a path more, more do.
 */
static unsigned fabrics_with_a_miss(unsigned paths_there, unsigned ports)
{
    uint64_t seed = 7;
    unsigned misses = 0;
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t taken = 0;
        for (unsigned port = 0; port < ports; port++)
            taken |= 1u << (unsigned)(chance(&seed) * paths_there);
        misses += taken != (1u << paths_there) - 1;
    }
    return misses;
}

Test(paths, how_many_paths_ports_reach)
{
    cr_expect_eq(paths_reached(1), 1);
    for (unsigned ports = 8; ports <= PATHS_MOST; ports *= 2) {
        unsigned reached = paths_reached(ports);
        cr_expect_leq(fabrics_with_a_miss(reached, ports), 1060, "%u ports, %u paths", ports, reached);
        cr_expect_gt(fabrics_with_a_miss(reached + 1, ports), 1000, "%u ports, %u paths", ports, reached + 1);
    }
}

/* What is said of bad ports holds 19 times of 20, whatever fabric they are of. */
Test(paths, which_paths_bad_ports_are_like)
{
    uint64_t seed = 9;
    for (unsigned there = 2; there <= 8; there++) {
        unsigned right = 0, of = 0;
        for (unsigned i = 0; i < 2000; i++) {
            unsigned bad = 0;
            for (unsigned port = 0; port < 32; port++)
                bad += chance(&seed) * there < 1;
            struct paths_range like = paths_like(bad ? bad : 1, 32);
            of += bad > 0;
            right += bad && like.least <= there && there <= like.most;
        }
        cr_expect_geq(right, of * 92 / 100, "%u paths: %u of %u", there, right, of);
    }
}

Test(paths, datagrams_tell_which_direction_loses)
{
    uint64_t seed = 1;
    simulate(8, 8, 0.05, &seed);
    memcpy(p.ways[BACK], p.ways[THERE], sizeof(p.ways[THERE]));
    p.datagrams = (struct datagrams){
        .sent = 1000, .arrived = 952, .answered = 952, .traffic_class = { EXCHANGE_NO_CLASS, EXCHANGE_NO_CLASS }
    };
    cr_assert(strstr(said(0), "8 of 8 source ports lose packets on the way there only: all ports alike"), "%s",
              text);
    cr_assert_eq(p.loss[BACK], LOSS_NONE);
    /* both do, one more than the other */
    simulate(8, 8, 0.05, &seed);
    memcpy(p.ways[BACK], p.ways[THERE], sizeof(p.ways[THERE]));
    p.datagrams.answered = 944;
    cr_assert(strstr(said(0), "8 of 8 source ports lose packets: all ports alike"), "%s", text);
    cr_assert_eq(p.loss[BACK], LOSS_SHARED);
}

Test(paths, what_was_not_looked_at_is_not_clean)
{
    healthy(4);
    p.ways[THERE][2] = (struct way){ .port = num_of(0) };
    said(0);
    cr_assert_eq(p.ways[THERE][2].state, WAY_UNKNOWN);
    cr_assert_str_eq(
        text, "all 3 source ports that could be looked at are clean, there and back: 12.0 % of packets lost on "
              "one of them would have been seen");
}

Test(paths, datagrams_tell_direction_order_and_class)
{
    healthy(4);
    p.traffic_class = 106;
    p.datagrams = (struct datagrams){ .sent = 1000,
                                      .arrived = 990,
                                      .answered = 985,
                                      .reordered = { 4, 0 },
                                      .traffic_class = { 0, 104 },
                                      .duplicated = 7 };
    cr_assert_str_eq(said(1),
                     "of 1000 datagrams 10 were lost on the way there, of 990 answers 5 on the way back");
    cr_assert_str_eq(said(2), "4 datagrams came there and 0 answers came back behind later ones: packets of "
                              "one source port take several paths");
    cr_assert_str_eq(said(3), "of 1000 datagrams 7, or their answers, came again: something on the way copies "
                              "packets (a loop, a mirror, two members of a bond that both forward)");
    cr_assert_str_eq(said(4),
                     "sent with DSCP 26, they came there with 0 and back with 26: bleached on the way there");
}

/* Sixteen trains, of which the fourth and the ninth take a path that removes the DSCP and marks what is there.
 */
Test(paths, one_path_of_several_rewrites_and_marks)
{
    healthy(16);
    p.traffic_class = 106;
    for (unsigned i = 0; i < 16; i++) {
        bool odd = i == 3 || i == 8;
        struct datagrams port = {
            .sent = 62, .arrived = 62, .answered = 62, .traffic_class = { odd ? 3 : 106, 106 }
        };
        datagrams_add(&p.datagrams, &port, p.traffic_class);
    }
    cr_assert_eq(p.datagrams.sent, 16 * 62);
    cr_assert_str_eq(said(1), "sent with DSCP 26, they came there with 0 and back with 26: bleached on the way "
                              "there, for 2 of 16 source ports: one path of several does it");
    cr_assert_str_eq(said(2), "datagrams of 2 of 16 source ports came with ECN's mark on the way there: queues "
                              "on the way were filling (that is what ECN is for; rates should fall now)");
    cr_assert_str_empty(said(3));
}

Test(paths, the_server_was_slow_not_the_way)
{
    healthy(4);
    p.slowness = (struct slowness){ 100, 20, 15, 1, 9000 };
    cr_assert_str_eq(said(1), "20 of 100 answers took long, 15 of them because the server was slow to answer "
                              "(9000 µs at most, by its program's clock), not the way");
    p.slowness = (struct slowness){ 100, 20, 2, 1, 9000 };
    cr_assert_str_empty(said(1));
    p.datagrams = (struct datagrams){ .sent = 100,
                                      .arrived = 100,
                                      .answered = 100,
                                      .traffic_class = { EXCHANGE_NO_CLASS, EXCHANGE_NO_CLASS },
                                      .by_device = { true, false },
                                      .slowness = { 100, 20, 15, 1, 9000 } };
    cr_assert_str_eq(said(1), "20 of 100 answers took long, 15 of them because the server was slow to answer "
                              "(9000 µs at most, by its device's clock), not the way");
    p.datagrams.slowness = (struct slowness){ 100, 20, 1, 15, 9000 };
    cr_assert_str_eq(said(1), "20 of 100 answers took long, 15 of them because this host was slow to look (by "
                              "its program's clock), not the way");
    p.datagrams.sent = p.datagrams.slowness.slow = 0;
    p.slowness = (struct slowness){ 1000, 20, 20, 0, 9000 };
    cr_assert_str_empty(said(1));
}

static bool others_pass(const struct results *results, size_t i)
{
    result_learn(results, i);
    return results->items[i].facts.others_pass;
}

static bool smaller_pass(const struct results *results, size_t i)
{
    result_learn(results, i);
    return results->items[i].facts.smaller_pass;
}

/* The usual ping: what fails in silence while later messages of that size pass. */
Test(paths, other_queue_pairs_pass)
{
    struct result items[3] = {
        { .verdict = VERDICT_PASS, .messages = 9, .size = 65536 },
        { .verdict = VERDICT_FAIL, .size = 1, .failure = { .step = STEP_FIRST, .wc_status = 12 } },
        { .verdict = VERDICT_PASS, .messages = 3, .size = 65536 },
    };
    struct results results = { .items = items, .count = 3 };
    cr_assert(others_pass(&results, 1));
    cr_assert_not(others_pass(&results, 0));
    cr_assert_not(smaller_pass(&results, 1));
    items[1].size = 1 << 20; /* it may be the size */
    cr_assert_not(others_pass(&results, 1));
    cr_assert(smaller_pass(&results, 1));
    items[2] = (struct result){ .verdict = VERDICT_FAIL,
                                .messages = 3,
                                .size = 1 << 20 }; /* the smaller ones */
    cr_assert(smaller_pass(&results, 1));
    items[2] = items[0];
    items[1].size = 1;
    results.count = 2; /* nothing passed after it */
    cr_assert_not(others_pass(&results, 1));
    cr_assert_not(smaller_pass(&results, 1));
    results.count = 3;
    items[1].failure = (struct failure){ .step = STEP_DATA, .err = EBADMSG };
    cr_assert_not(others_pass(&results, 1));
}

Test(paths, the_plain_ping_suspects_a_path)
{
    struct failure failure = { .step = STEP_FIRST, .wc_status = 12 };
    struct facts facts = { .came_through = true, .others_pass = true };
    struct diagnosis d;
    diagnose(&failure, &facts, &d);
    cr_assert(strstr(d.causes[0], "one bad path of several (ECMP)"));
    facts.loopback = true;
    diagnose(&failure, &facts, &d);
    cr_assert_not(strstr(d.causes[0], "ECMP"));
    facts = (struct facts){ .came_through = true };
    diagnose(&failure, &facts, &d);
    cr_assert_not(strstr(d.causes[0], "ECMP"));
}

Test(paths, bandwidth_is_also_a_share_of_the_rate)
{
    struct arena *arena = arena_new();
    const struct way fast = { .gbits = 50 }, slow = { .gbits = 2.5 }, unmeasured = { .gbits = 0 };
    const struct path_row row = { .rate_gbits = 100, .there = &fast, .back = &slow };
    const struct path_row none = { .rate_gbits = 100, .there = &unmeasured, .back = &unmeasured };
    const struct path_row unknown = { .there = &fast, .back = &slow };
    const struct cell_context json = { .arena = arena }, table = { .arena = arena, .for_people = true };
    const struct column *there = columns_find(path_columns, "bandwidth");
    const struct column *back = columns_find(path_columns, "back_rate_percent");
    cr_assert_float_eq(column_value(there, &json, &row).real, 50, 1e-9);
    cr_assert_float_eq(column_value(back, &json, &row).real, 2.5, 1e-9);
    cr_assert_str_eq(column_value(there, &table, &row).text, "50%");
    cr_assert_str_eq(column_value(back, &table, &row).text, "2.5%");
    cr_assert_eq(column_value(there, &json, &none).type, VALUE_ABSENT);
    cr_assert_eq(column_value(there, &json, &unknown).type, VALUE_ABSENT, "a port whose rate isn't known");
    arena_free(arena);
}

/* ---- rounds on two queue pairs: the first answer of the second comes when the first has played all of its
 * own, or each comes 36 ms late, as after a loss */

enum { LATE_NS = 36000000, ROUNDS_ASKED = 20, ROUNDS_MORE = 64 };
static bool late;

static struct ibv_context context;
static struct ibv_cq receives[2] = { { .context = &context }, { .context = &context } },
                     sends[2] = { { .context = &context }, { .context = &context } };
static struct ibv_qp qps[2] = { { .context = &context, .qp_num = 0 }, { .context = &context, .qp_num = 1 } };
static struct ibv_mr mr;
static uint8_t buffer[3 * ENDPOINT_MARGIN + 2 * 32768];
static struct endpoint endpoint = {
    .buffer = buffer, .half = ENDPOINT_MARGIN + 32768, .size = 32768, .mr = &mr
};
static struct {
    uint64_t due; /* 0: nothing is on the way */
    uint8_t stamp[EXCHANGE_STAMP];
    bool sent;
    unsigned rounds; /* so many began */
} flights[2];

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    unsigned i = qp->qp_num;
    (void)bad;
    cr_assert_eq(flights[i].due, 0, "one at a time");
    memcpy(flights[i].stamp, (const void *)(uintptr_t)wr->sg_list->addr, EXCHANGE_STAMP);
    flights[i].due = wait_now() + (late ? LATE_NS : 1);
    flights[i].sent = true;
    flights[i].rounds++;
    return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    (void)qp, (void)wr, (void)bad;
    return 0;
}

static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
    bool went = cq == &sends[0] || cq == &sends[1];
    unsigned i = cq == &sends[1] || cq == &receives[1];
    (void)count;
    *wc = (struct ibv_wc){ .byte_len = EXCHANGE_STAMP };
    if (went) {
        bool sent = flights[i].sent;
        flights[i].sent = false;
        return sent;
    }
    bool held = i && flights[1].rounds == 1 && flights[0].rounds < ROUNDS_ASKED && !late;
    if (!flights[i].due || wait_now() < flights[i].due || held)
        return 0;
    memcpy(endpoint_rx(&endpoint) + 128 * i, flights[i].stamp, EXCHANGE_STAMP);
    memset(endpoint_rx(&endpoint) + 128 * i + 8, 0, 8); /* for how long it was held */
    flights[i].due = 0;
    return 1;
}

static void play(uint32_t count, uint32_t rounds, uint32_t played[static PATHS_MOST])
{
    static struct queue queues[2];
    static struct round_trip trips[2 * ROUNDS_MORE];
    struct set set = { .end = &endpoint, .count = QUEUE_KINDS + count - 1 };
    struct exchange_plan plan = { .count = count, .sizes = { EXCHANGE_STAMP, EXCHANGE_STAMP } };
    struct watch watch = watch_for(20000, -1);
    struct exchange x;
    struct failure failure;
    context.ops.post_send = post_send;
    context.ops.post_recv = post_recv;
    context.ops.poll_cq = poll_cq;
    for (unsigned i = 0; i < count; i++) {
        queues[i] = (struct queue){ .end = &endpoint,
                                    .kind = QUEUE_RC,
                                    .qp = &qps[i],
                                    .send_cq = &sends[i],
                                    .recv_cq = &receives[i],
                                    .sends = 128,
                                    .receives = 128 };
        set.queues[i ? QUEUE_KINDS : QUEUE_RC] = &queues[i];
    }
    cr_assert_eq(exchange_begin(&x, &plan, &set, true, &failure), 0);
    cr_assert_eq(rounds_run(&x, rounds, &watch, trips, played), 0);
}

Test(paths, who_waits_keeps_no_other_waiting)
{
    uint32_t played[PATHS_MOST];
    play(2, ROUNDS_ASKED, played);
    cr_expect_eq(played[0], ROUNDS_ASKED);
    cr_expect_eq(played[1], ROUNDS_ASKED);
}

/* On a busy host an answer may have waited for the program, and isn't one that was lost. */
Test(paths, so_many_losses_of_one_are_enough)
{
    uint32_t played[PATHS_MOST];
    late = true;
    play(1, ROUNDS_MORE, played);
    cr_expect_geq(played[0], ROUNDS_LOSSES);
    cr_expect_lt(played[0], ROUNDS_MORE, "%u", played[0]);
}
