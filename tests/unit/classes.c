/* SPDX-License-Identifier: MIT */
/* Traffic classes: which statistics count packets by priority, on which one so many went, and what it comes to.
 */
#include <criterion/criterion.h>

#include "selftest/paths.h"

static struct priority_counts counts_of(const char *const *names, size_t count)
{
    struct qos_statistic statistics[16];
    struct priority_counts counts = { 0 };
    for (size_t i = 0; i < count; i++)
        statistics[i] = (struct qos_statistic){ .name = names[i], .value = 10 + i };
    priority_counts_add(&counts, statistics, count);
    return counts;
}
#define COUNTS(...)                                 \
    counts_of((const char *const[]){ __VA_ARGS__ }, \
              sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

Test(classes, names_of_four_drivers)
{
    struct priority_counts mlx5 = COUNTS("rx_packets", "rx_prio3_packets", "tx_prio3_packets",
                                         "rx_prio3_bytes");
    cr_assert(mlx5.known);
    cr_assert_eq(mlx5.received[3], 11);
    cr_assert_eq(mlx5.sent[3], 12);
    struct priority_counts mlx4 = COUNTS("rx_prio_7_packets", "tx_prio_0_packets", "rx_prio_8_packets");
    cr_assert_eq(mlx4.received[7], 10);
    cr_assert_eq(mlx4.sent[0], 11);
    struct priority_counts bnxt = COUNTS("rx_bytes_pri5", "rx_packets_pri5", "tx_packets_pri5");
    cr_assert_eq(bnxt.received[5], 11);
    cr_assert_eq(bnxt.sent[5], 12);
    struct priority_counts ionic = COUNTS("frames_rx_pri_2", "frames_tx_pri_6", "frames_rx_pripause");
    cr_assert_eq(ionic.received[2], 10);
    cr_assert_eq(ionic.sent[6], 11);
}

Test(classes, what_counts_something_else)
{
    cr_assert_not(COUNTS("rx_prio3_pause", "rx_prio3_discards", "frames_rx_pri", "rx_pfc_ena_frames_pri3",
                         "port.rx_priority_3_xon", "rx_prio_packets", "rx_prio", "rx_prio3", "rx", "")
                      .known);
    cr_assert_not(
        COUNTS("rx_prio8_packets", "rx_packets_pri3x", "rx_prio3_packets_phy", "x_prio3_packets").known);
    cr_assert_not(COUNTS("rx_pfc_watchdog_storms_rx_packets_pri0").known);
}

Test(classes, growth_and_what_was_counted_anew)
{
    struct priority_counts before = { .known = true, .received = { 5, 100 }, .sent = { 7 } },
                           now = { .known = true, .received = { 9, 3 }, .sent = { 7 } };
    struct priority_counts grown = priority_counts_since(&now, &before);
    cr_assert(grown.known);
    cr_assert_eq(grown.received[0], 4);
    cr_assert_eq(grown.received[1], 0);
    cr_assert_eq(grown.sent[0], 0);
    before.known = false;
    cr_assert_not(priority_counts_since(&now, &before).known);
}

static struct priority_found find(uint64_t g0, uint64_t g1, uint64_t g2, uint64_t g3)
{
    uint64_t grown[PRIORITIES] = { g0, g1, g2, g3 };
    return priority_find(grown, 1000);
}

Test(classes, on_which_priority)
{
    char text[PRIORITY_TEXT_SIZE];
    struct priority_found one = find(30, 0, 999, 1000), shared = find(1007, 1007, 0, 1007);
    cr_assert_eq(one.kind, PRIORITY_ONE);
    cr_assert_eq(one.mask, 8);
    priority_text(one, text);
    cr_assert_str_eq(text, "3");
    cr_assert_eq(shared.kind, PRIORITY_SHARED);
    priority_text(shared, text);
    cr_assert_str_eq(text, "0-1 or 3");
    cr_assert_eq(find(5000, 0, 0, 1000).kind, PRIORITY_MANY);
    priority_text(find(5000, 0, 0, 1000), text);
    cr_assert_str_empty(text);
    cr_assert_eq(find(999, 0, 0, 0).kind, PRIORITY_UNSEEN);
    uint64_t all[PRIORITIES] = { 9, 9, 9, 9, 9, 9, 9, 9 }, some[PRIORITIES] = { 9, 0, 9, 0, 9, 0, 0, 9 };
    priority_text(priority_find(all, 9), text);
    cr_assert_str_eq(text, "0-7");
    priority_text(priority_find(some, 9), text);
    cr_assert_str_eq(text, "0, 2, 4 or 7");
    cr_assert_eq(priority_find(all, 0).kind, PRIORITY_UNSEEN);
}

/* ---- what it comes to */

static char text[PATHS_TEXT_SIZE];
static struct datagrams datagrams;
static struct class_priorities priorities;

static const struct priority_found on_3 = { PRIORITY_ONE, 8 }, on_0 = { PRIORITY_ONE, 1 },
                                   unseen = { PRIORITY_UNSEEN, 0 }, hidden = { PRIORITY_MANY, 9 };

/* DSCP 26, priority 3 everywhere. */
static void well(void)
{
    datagrams = (struct datagrams){
        .sent = 1000, .arrived = 1000, .answered = 1000, .traffic_class = { 104, 104 }
    };
    priorities = (struct class_priorities){ .sent = { on_3, on_3 }, .received = { on_3, on_3 } };
}

static enum verdict judge(void)
{
    return classes_judge(104, &datagrams, &priorities, text);
}

Test(classes, the_same_priority_everywhere)
{
    well();
    cr_assert_eq(judge(), VERDICT_PASS);
    cr_assert_str_eq(text, "priority 3 at both ends, there and back");
    datagrams.traffic_class[BACK] = 105; /* a switch has marked congestion */
    cr_assert_eq(judge(), VERDICT_PASS);
}

Test(classes, bleached_on_the_way)
{
    well();
    datagrams.traffic_class[THERE] = 0;
    priorities.received[THERE] = on_0;
    cr_assert_eq(judge(), VERDICT_WARN);
    cr_assert_str_eq(text,
                     "sent with DSCP 26, they came there with 0 and back with 26: bleached on the way there; "
                     "sent on priority 3, arrived there on 0, answered on 3, arrived here on 3");
    cr_assert_lt(strlen(text), FAILURE_TEXT_SIZE);
    datagrams.traffic_class[BACK] = 0;
    judge();
    cr_assert(strstr(text, "came there with 0 and back with 0: bleached on the way there and back; "), "%s",
              text);
    datagrams.traffic_class[THERE] = 104;
    judge();
    cr_assert(strstr(text, "came there with 26 and back with 0: bleached on the way back; "), "%s", text);
    datagrams.traffic_class[BACK] = 32;
    judge();
    cr_assert(strstr(text, "came there with 26 and back with 8: rewritten on the way back; "), "%s", text);
}

Test(classes, hosts_that_differ)
{
    well();
    priorities.received[THERE] = priorities.sent[BACK] = on_0;
    cr_assert_eq(judge(), VERDICT_WARN);
    cr_assert_str_eq(text,
                     "the two hosts take this DSCP for different priorities (trust or DSCP map: roce qos); "
                     "sent on priority 3, arrived there on 0, answered on 0, arrived here on 3");
    cr_assert_lt(strlen(text), FAILURE_TEXT_SIZE);
    /* sharing a queue, they may be the same one */
    priorities.received[THERE] = (struct priority_found){ PRIORITY_SHARED, 8 | 1 };
    cr_assert_eq(judge(), VERDICT_PASS);
    /* nobody knows with which DSCP they came: anything on the way may have done it */
    priorities.received[THERE] = on_0;
    datagrams.traffic_class[THERE] = EXCHANGE_NO_CLASS;
    cr_assert_eq(judge(), VERDICT_PASS);
}

Test(classes, what_is_not_counted_is_not_said)
{
    well();
    priorities = (struct class_priorities){ .sent = { unseen, unseen }, .received = { unseen, unseen } };
    cr_assert_eq(judge(), VERDICT_PASS);
    cr_assert_str_empty(text);
    priorities.sent[THERE] = priorities.received[BACK] = on_3; /* this end alone */
    cr_assert_eq(judge(), VERDICT_PASS);
    cr_assert_str_eq(text, "sent on priority 3, arrived here on 3");
    priorities.received[BACK] = hidden;
    judge();
    cr_assert_str_eq(text, "sent on priority 3; other traffic hides on which priority they arrived here");
}

Test(classes, nothing_arrives)
{
    well();
    datagrams.arrived = datagrams.answered = 0;
    datagrams.traffic_class[THERE] = datagrams.traffic_class[BACK] = EXCHANGE_NO_CLASS;
    priorities = (struct class_priorities){ .sent = { on_3, unseen }, .received = { unseen, unseen } };
    cr_assert_eq(judge(), VERDICT_FAIL);
    cr_assert(strstr(text, "1000 were lost on the way there"), "%s", text);
    cr_assert(strstr(text, "; sent on priority 3"), "%s", text);
    datagrams.sent = 0;
    cr_assert_eq(judge(), VERDICT_NA);
}

/* ---- counters that come late */

static unsigned reads, late;

/* 1000 packets each way on priority 3, told from reading number `late` on. */
static struct priority_counts read_late(void *data)
{
    struct priority_counts counts = { .known = true, .received = { 40 }, .sent = { 50 } };
    (void)data;
    if (reads++ >= late)
        counts.received[3] = counts.sent[3] = 1000;
    return counts;
}

static struct class_counting begin(unsigned when)
{
    reads = 1;
    late = when;
    return (struct class_counting){
        .read = read_late, .near = { .known = true, .at = { .netdevs = "eth0", .counts = { .known = true } } }
    };
}

Test(classes, counters_are_waited_for)
{
    struct failure failure;
    well();
    struct class_counting counting = begin(3);
    cr_assert_eq(classes_count(&counting, &datagrams, &priorities, &failure), 0);
    cr_assert_eq(reads, 4);
    cr_assert_eq(priorities.sent[THERE].kind, PRIORITY_ONE);
    cr_assert_eq(priorities.received[BACK].mask, 8);
    cr_assert_eq(priorities.received[THERE].kind, PRIORITY_UNSEEN, "nobody counts there");
    cr_assert(counting.near.known);
    cr_assert_not(classes_count(&counting, &(struct datagrams){ 0 }, &priorities, &failure));
    cr_assert_eq(reads, 5, "what sends nothing is waited for by nobody");
}

Test(classes, counters_that_never_follow_are_not_asked_again)
{
    struct failure failure;
    well();
    struct class_counting counting = begin(1000);
    cr_assert_eq(classes_count(&counting, &datagrams, &priorities, &failure), 0);
    cr_assert_eq(priorities.sent[THERE].kind, PRIORITY_UNSEEN);
    cr_assert_not(counting.near.known);
    unsigned before = reads;
    cr_assert_eq(classes_count(&counting, &datagrams, &priorities, &failure), 0);
    cr_assert_eq(reads, before);
    cr_assert_eq(priorities.sent[THERE].kind, PRIORITY_UNSEEN);
}

Test(classes, who_does_not_tell)
{
    struct class_counting counting = begin(0);
    cr_assert(classes_silent(&counting, "B", text));
    cr_assert_str_eq(text, "the port's netdev on B doesn't count packets by priority: only the other end says "
                           "on which priority they were sent and arrived.");
    counting.near.known = false;
    snprintf(counting.far.at.netdevs, sizeof(counting.far.at.netdevs), "eth1");
    cr_assert(classes_silent(&counting, "", text));
    cr_assert_str_eq(text, "Neither eth0 here nor eth1 on the other host counts packets by priority: the DSCP "
                           "is seen in the packets' headers, the priority isn't.");
    counting.near.known = counting.far.known = true;
    cr_assert_not(classes_silent(&counting, "B", text));
}
