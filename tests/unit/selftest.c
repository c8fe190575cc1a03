/* SPDX-License-Identifier: MIT */
/* The pure parts of the self-test: pattern, statistics, header check, choice of GIDs, diagnosis, addresses.
 */
#include <criterion/criterion.h>
#include <infiniband/verbs.h>
#include <sys/socket.h>

#include "check/check.h"
#include "command/test_ends.h"
#include "model/counters.h"
#include "model/statistics.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/peer.h"
#include "selftest/peer/protocol.h"
#include "selftest/trial/trial.h"

/* -- pattern */

static uint8_t message[4096 + 16];
static char fault[PATTERN_TEXT_SIZE];

Test(selftest_pattern, is_the_same_at_any_address_and_length)
{
    for (size_t len = 1; len < 64; len++)
        for (size_t odd = 0; odd < 8; odd++) {
            memset(message, PATTERN_BLANK, sizeof(message));
            pattern_fill(message + odd, len, 7);
            cr_assert(pattern_check(message + odd, len, 7, fault));
            cr_assert_eq(message[odd + len], PATTERN_BLANK);
            cr_assert_not(pattern_check(message + odd, len < 4 ? 4 : len, 8, fault));
        }
}

Test(selftest_pattern, finds_one_flipped_bit_anywhere)
{
    for (size_t at = 0; at < 1001; at += 13) {
        char want[PATTERN_TEXT_SIZE];
        pattern_fill(message, 1001, 0x10001);
        message[at] ^= 0x20;
        snprintf(want, sizeof(want),
                 "byte %zu of 1001 is wrong (0x%02x instead of 0x%02x), 1 in all: 1 bit flipped", at,
                 message[at], message[at] ^ 0x20);
        cr_assert_not(pattern_check(message, 1001, 0x10001, fault));
        cr_assert_str_eq(fault, want);
    }
}

Test(selftest_pattern, tells_untouched_displaced_and_stale)
{
    pattern_fill(message, 4096, 0x50002);
    memset(message + 1024, PATTERN_BLANK, 3072);
    cr_assert_not(pattern_check(message, 4096, 0x50002, fault));
    cr_assert(strstr(fault, "byte 1024 of 4096") && strstr(fault, "nothing arrived"), "%s", fault);
    cr_assert(pattern_has_only_gaps(message, 4096, 0x50002));

    pattern_fill(message, 4096, 0x50002);
    memmove(message + 1024, message + 2048, 1024);
    cr_assert_not(pattern_check(message, 4096, 0x50002, fault));
    cr_assert(strstr(fault, ": it has the data of offset 2048"), "%s", fault);
    cr_assert_not(pattern_has_only_gaps(message, 4096, 0x50002));

    pattern_fill(message, 4096, 0x50001);
    cr_assert_not(pattern_check(message, 4096, 0x50002, fault));
    cr_assert(strstr(fault, ": it has the data of another message, offset 0"), "%s", fault);
    cr_assert_gt(strtoul(strstr(fault, "), ") + 3, NULL, 10), 3000);
}

/* -- statistics */

Test(selftest_stats, percentiles_are_measured_values)
{
    uint64_t samples[1000];
    for (size_t i = 0; i < 1000; i++)
        samples[i] = (i * 7919) % 1000 + 1; /* 1 to 1000 in disorder */
    struct stats s;
    stats_of(samples, 1000, 0.5, &s);
    cr_assert_eq(s.count, 1000);
    cr_assert_float_eq(s.min, 0.5, 1e-9);
    cr_assert_float_eq(s.median, 250, 1e-9);
    cr_assert_float_eq(s.p99, 495, 1e-9);
    cr_assert_float_eq(s.p999, 499.5, 1e-9);
    cr_assert_float_eq(s.max, 500, 1e-9);
    cr_assert_float_eq(s.mean, 250.25, 1e-9);
}

Test(selftest_stats, few_samples)
{
    uint64_t one[] = { 42 }, two[] = { 3, 1 };
    struct stats s;
    stats_of(one, 1, 1, &s);
    cr_assert_float_eq(s.p999, 42, 1e-9);
    cr_assert_float_eq(s.median, 42, 1e-9);
    stats_of(two, 2, 1, &s);
    cr_assert_float_eq(s.median, 1, 1e-9);
    cr_assert_float_eq(s.p99, 3, 1e-9);
    stats_of(one, 0, 1, &s);
    cr_assert_eq(s.count, 0);
}

Test(selftest_stats, histogram_counts_every_sample)
{
    uint64_t sorted[5000], sum = 0;
    for (size_t i = 0; i < 5000; i++)
        sorted[i] = 100 + i * i / 10;
    uint64_t bins[HISTOGRAM_BINS];
    histogram_of(sorted, 5000, bins);
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        sum += bins[i];
        cr_assert_gt(bins[i], 0, "bin %zu", i);
    }
    cr_assert_eq(sum, 5000);
    char text[HISTOGRAM_TEXT_SIZE];
    histogram_picture(bins, text);
    cr_assert(strstr(text, "█"));
    uint64_t same[] = { 5, 5, 5 };
    histogram_of(same, 3, bins);
    cr_assert_eq(bins[0], 3);
    histogram_picture(bins, text);
    cr_assert_str_eq(text, "█           ");
}

/* -- the header before a datagram */

static const uint8_t ten1[16] = { [10] = 0xff, 0xff, 10, 0, 0, 1 },
                     ten2[16] = { [10] = 0xff, 0xff, 10, 0, 0, 2 };
static const uint8_t six1[16] = { 0x20, 1, [15] = 1 }, six2[16] = { 0x20, 1, [15] = 2 };

Test(selftest_grh, both_families)
{
    char text[200];
    uint8_t header[40] = { [20] = 0x45, [32] = 10, 0, 0, 1, 10, 0, 0, 2 };
    cr_assert(grh_check(header, ten1, ten2, text, sizeof(text)));
    cr_assert_not(grh_check(header, ten2, ten1, text, sizeof(text)));
    cr_assert_str_eq(text, "the header says 10.0.0.1 to 10.0.0.2");
    uint8_t grh[40] = { 0x60 };
    memcpy(grh + 8, six1, 16);
    memcpy(grh + 24, six2, 16);
    cr_assert(grh_check(grh, six1, six2, text, sizeof(text)));
    cr_assert_not(grh_check(grh, six1, six1, text, sizeof(text)));
    uint8_t none[40] = { 0 };
    cr_assert_not(grh_check(none, six1, six2, text, sizeof(text)));
}

/* -- which GIDs */

static struct near_gid near_of(const uint8_t *raw, unsigned type, uint32_t index)
{
    struct near_gid near = { .gid = { .type = (uint8_t)type, .port = 1, .index = index, .device = "a" },
                             .active = true };
    memcpy(near.gid.raw, raw, 16);
    return near;
}

static struct wire_gid far_of(const uint8_t *raw, unsigned type, uint32_t index)
{
    struct wire_gid far = { .type = (uint8_t)type, .port = 1, .index = index, .device = "b" };
    memcpy(far.raw, raw, 16);
    return far;
}

static struct far_route route_of(const uint8_t *source)
{
    struct far_route route = { 0 };
    memcpy(route.source, source, 16);
    return route;
}

static int ask(const struct near_gid *near, size_t nnear, const struct wire_gid *far, size_t nfar,
               const struct far_route *routes, const uint8_t *host, const uint8_t *own, int forced,
               struct pair *pair)
{
    struct pair_question q = {
        .near = { near, nnear, NULL, forced }, .far = far, .nfar = nfar, .routes = routes
    };
    memcpy(q.host, host, 16);
    memcpy(q.peer, host, 16);
    memcpy(q.own, own, 16);
    return pair_choose(&q, pair);
}

Test(selftest_pair, the_address_asked_for_and_v2)
{
    struct near_gid near[] = { near_of(ten1, GID_TYPE_IB_ROCE_V1, 2), near_of(ten1, GID_TYPE_ROCE_V2, 3),
                               near_of(six1, GID_TYPE_ROCE_V2, 5) };
    struct wire_gid far[] = { far_of(six2, GID_TYPE_ROCE_V2, 7), far_of(ten2, GID_TYPE_IB_ROCE_V1, 0),
                              far_of(ten2, GID_TYPE_ROCE_V2, 1) };
    struct far_route routes[] = { route_of(six1), route_of(ten1), route_of(ten1) };
    struct pair pair;
    cr_assert_eq(ask(near, 3, far, 3, routes, ten2, ten1, -1, &pair), 0);
    cr_assert_eq(pair.near, 1);
    cr_assert_eq(pair.far, 2);
    cr_assert(strstr(pair.why, "RoCE v2: it has the address that was asked for"), "%s", pair.why);
    cr_assert_eq(ask(near, 3, far, 3, routes, six2, six1, -1, &pair), 0);
    cr_assert_eq(pair.near, 2);
    cr_assert_eq(ask(near, 3, far, 3, routes, ten2, ten1, 2, &pair), 0);
    cr_assert_eq(pair.far, 1, "a v1 GID that was asked for gets a v1 one");
}

Test(selftest_pair, by_route_when_the_host_is_a_management_address)
{
    static const uint8_t management[16] = { [10] = 0xff, 0xff, 192, 168, 1, 2 };
    struct near_gid near[] = { near_of(six1, GID_TYPE_ROCE_V2, 0), near_of(ten1, GID_TYPE_ROCE_V2, 1) };
    struct wire_gid far[] = { far_of(six2, GID_TYPE_ROCE_V2, 0), far_of(ten2, GID_TYPE_ROCE_V2, 1) };
    struct far_route routes[] = { { .err = ENETUNREACH }, route_of(ten1) };
    struct pair pair;
    cr_assert_eq(ask(near, 2, far, 2, routes, management, management, -1, &pair), 0);
    cr_assert_eq(pair.near, 1);
    cr_assert_eq(pair.far, 1);
    cr_assert(strstr(pair.why, "with a route from here"), "%s", pair.why);
}

/* An iWARP port goes by addresses: the one that was asked for, before the version; no GID index names it. */
/* A rail's connection ends at its partner, not at the address that was asked for. */
Test(selftest_pair, a_rail_keeps_to_its_own_network)
{
    static const uint8_t rail1[16] = { [10] = 0xff, 0xff, 10, 9, 0, 1 },
                         rail2[16] = { [10] = 0xff, 0xff, 10, 9, 0, 2 };
    struct near_gid near[] = { near_of(rail1, GID_TYPE_ROCE_V2, 1) };
    struct wire_gid far[] = { far_of(ten2, GID_TYPE_ROCE_V2, 1), far_of(rail2, GID_TYPE_ROCE_V2, 1) };
    struct far_route routes[] = { route_of(ten1), route_of(rail1) };
    struct pair_question q = { .near = { near, 1, NULL, -1 }, .far = far, .nfar = 2, .routes = routes };
    struct pair pair;
    memcpy(q.host, ten2, 16);
    memcpy(q.peer, rail2, 16);
    memcpy(q.own, rail1, 16);
    cr_assert_eq(pair_choose(&q, &pair), 0);
    cr_assert_eq(pair.far, 1);
}

Test(selftest_pair, iwarp_by_its_address)
{
    struct near_gid near[] = { near_of(ten1, GID_TYPE_ROCE_V2, 0), near_of(six1, WIRE_GID_IWARP, 0),
                               near_of(ten1, WIRE_GID_IWARP, 0) };
    struct wire_gid far[] = { far_of(six2, WIRE_GID_IWARP, 0), far_of(ten2, GID_TYPE_ROCE_V2, 0) };
    struct far_route routes[] = { route_of(six1), route_of(ten1) };
    struct pair pair;
    cr_assert_eq(ask(near, 3, far, 2, routes, six2, six1, -1, &pair), 0);
    cr_assert_eq(pair.near, 1);
    cr_assert_eq(pair.far, 0);
    cr_assert_str_eq(pair.why, "a/1 (2001::1) to b/1 (2001::2), iWARP: it has the address that was asked for");
    cr_assert_eq(ask(near, 3, far, 2, routes, ten2, ten1, -1, &pair), 0);
    cr_assert_eq(pair.near, 0, "the same address, but of RoCE");
    cr_assert_eq(ask(near + 1, 2, far + 1, 1, routes + 1, ten2, ten1, -1, &pair), -EPROTONOSUPPORT);
    cr_assert_str_eq(pair.why, "iWARP here, only RoCE there: they can't talk");
    cr_assert_eq(ask(near, 1, far, 1, routes, six2, six1, -1, &pair), -EPROTONOSUPPORT);
    cr_assert_str_eq(pair.why, "RoCE here, only iWARP there: they can't talk");
    cr_assert_eq(ask(near + 1, 1, far, 1, routes, six2, six1, 0, &pair), -ENODEV);
    cr_assert(strstr(pair.why, "no active RoCE port here has a GID with that index"), "%s", pair.why);
}

Test(selftest_pair, refuses_what_would_hang)
{
    struct near_gid v2[] = { near_of(ten1, GID_TYPE_ROCE_V2, 0) },
                    v1[] = { near_of(ten1, GID_TYPE_IB_ROCE_V1, 0) };
    struct wire_gid far1[] = { far_of(ten2, GID_TYPE_IB_ROCE_V1, 0) },
                    far6[] = { far_of(six2, GID_TYPE_ROCE_V2, 0) };
    struct wire_gid far2[] = { far_of(ten2, GID_TYPE_ROCE_V2, 0) };
    struct far_route routed[] = { route_of(ten1) }, none[] = { { .err = ENETUNREACH } };
    struct pair pair;
    cr_assert_eq(ask(v2, 1, far1, 1, routed, ten2, ten1, -1, &pair), -EPROTONOSUPPORT);
    cr_assert(strstr(pair.why, "RoCE v2 here, only RoCE v1 there"), "%s", pair.why);
    cr_assert_eq(ask(v1, 1, far2, 1, routed, ten2, ten1, -1, &pair), -EPROTONOSUPPORT);
    cr_assert(strstr(pair.why, "RoCE v1 here, only RoCE v2 there"), "%s", pair.why);
    cr_assert_eq(ask(v2, 1, far6, 1, routed, six2, ten1, -1, &pair), -EAFNOSUPPORT);
    cr_assert(strstr(pair.why, "of different kinds"), "%s", pair.why);
    cr_assert_eq(ask(v2, 1, far2, 1, none, six2, six1, -1, &pair), -ENETUNREACH);
    cr_assert_eq(ask(v2, 1, far2, 0, routed, ten2, ten1, -1, &pair), -ENODEV);
    cr_assert(strstr(pair.why, "the other host has no active RoCE or iWARP port"), "%s", pair.why);
    cr_assert_eq(ask(v2, 1, far2, 1, routed, ten2, ten1, 9, &pair), -ENODEV);
    cr_assert(strstr(pair.why, "no active RoCE port here has a GID with that index"), "%s", pair.why);
    v2[0].active = false;
    cr_assert_eq(ask(v2, 1, far2, 1, routed, ten2, ten1, -1, &pair), -ENODEV);
}

/* -- diagnosis */

static void diagnose_wc(int status, const struct facts *facts, struct diagnosis *d)
{
    struct failure f = { .step = STEP_FIRST, .wc_status = status, .vendor_err = 0x81 };
    diagnose(&f, facts, d);
}

/* The port of serve is let through, iWARP's isn't: no other transport has such a port. */
Test(selftest_diagnosis, a_firewall_before_iwarp)
{
    struct failure f = { .step = STEP_CM_CONNECT, .err = ETIMEDOUT };
    struct diagnosis d;
    diagnose(&f, &(struct facts){ .iwarp = true }, &d);
    cr_assert(strstr(d.causes[0], "a firewall on the way lets the server's own port through"), "%s",
              d.causes[0]);
    diagnose(&f, &(struct facts){ .iwarp = true, .loopback = true }, &d);
    cr_assert_not(strstr(d.causes[0], "firewall"), "%s", d.causes[0]);
    diagnose(&f, &(struct facts){ .soft = true }, &d);
    cr_assert(strstr(d.causes[0], "UDP port 4791"), "%s", d.causes[0]);
}

Test(selftest_diagnosis, says_what_people_search_for)
{
    struct diagnosis d;
    diagnose_wc(IBV_WC_RETRY_EXC_ERR, &(struct facts){ .soft = true }, &d);
    cr_assert_str_eq(d.what, "could not get the first message through: transport retry counter exceeded "
                             "(IBV_WC_RETRY_EXC_ERR, 12, vendor error 0x81)");
    cr_assert(strstr(d.causes[0], "firewall"), "%s", d.causes[0]);
    struct failure rtr = { .step = STEP_RTR, .err = ENETUNREACH };
    diagnose(&rtr, &(struct facts){ .address_known = true, .address_gone = true }, &d);
    cr_assert_str_eq(d.what, "could not modify the QP to RTR: network is unreachable (ENETUNREACH)");
    cr_assert(strstr(d.meaning, "Failed to modify QP to RTR"));
    cr_assert(strstr(d.causes[0], "doesn't have that address"), "%s", d.causes[0]);
    rtr.remote = true;
    diagnose(&rtr, &(struct facts){ 0 }, &d);
    cr_assert(strstr(d.what, "the other host could not modify"), "%s", d.what);
}

Test(selftest_diagnosis, judges_causes_by_facts)
{
    struct diagnosis d;
    struct failure f = { .step = STEP_FIRST, .err = ETIMEDOUT };
    diagnose(&f, &(struct facts){ .path_mtu = 4096, .port_mtu = 1024, .send_err = 169010 }, &d);
    cr_assert(strstr(d.causes[0], "path MTU 4096 is above the port's 1024"), "%s", d.causes[0]);
    cr_assert(strstr(d.causes[1], "169010"), "%s", d.causes[1]);
    diagnose(&f, &(struct facts){ .cut_off = true, .soft = true }, &d);
    cr_assert(strstr(d.causes[0], "don't reach the device"), "%s", d.causes[0]);
    for (size_t i = 0; i < DIAGNOSIS_CAUSES; i++)
        cr_assert(!strstr(d.causes[i], "firewall"), "%s", d.causes[i]);
    diagnose_wc(IBV_WC_RETRY_EXC_ERR,
                &(struct facts){ .port_mtu = 4096, .peer_mtu = 1024, .came_through = true }, &d);
    cr_assert(strstr(d.causes[0], "4096 here and 1024 there"), "%s", d.causes[0]);
    f = (struct failure){ .step = STEP_REGISTER, .err = ENOMEM };
    diagnose(&f, &(struct facts){ 0 }, &d);
    cr_assert(strstr(d.causes[0], "ulimit -l"), "%s", d.causes[0]);
    cr_assert_str_eq(d.checks, "memlock-limit,memlock-trial,pinnable-memory");
}

/* As it was at 2 Mbit/s: both ends had agreed on all sizes, and nothing was too long. */
Test(selftest_diagnosis, soft_roce_that_sent_again)
{
    struct diagnosis d;
    struct failure f = { .step = STEP_COMPLETION, .wc_status = IBV_WC_REM_INV_REQ_ERR };
    struct facts facts = { .soft = true, .came_through = true, .soft_retries = 812, .size = 65536 };
    diagnose(&f, &facts, &d);
    cr_assert(strstr(d.causes[0], "went on from the wrong packet"), "%s", d.causes[0]);
    cr_assert(strstr(d.causes[0], "grew by 812"), "%s", d.causes[0]);
    cr_assert_str_empty(d.causes[1], "nothing else is named: %s", d.causes[1]);
    facts.soft_retries = 0;
    diagnose(&f, &facts, &d);
    cr_assert(strstr(d.causes[0], "longer than the receive"), "%s", d.causes[0]);
    facts = (struct facts){ .came_through = true, .soft_retries = 812 }; /* a NIC */
    diagnose(&f, &facts, &d);
    cr_assert(strstr(d.causes[0], "longer than the receive"), "%s", d.causes[0]);
    struct grown_counters grown = { 2, { { "completer_retry_err", 40, 0 }, { "duplicate_request", 531, 0 } } };
    facts.soft_retries = 0;
    counters_tell(&grown, false, &facts);
    counters_tell(&grown, true, &facts);
    cr_assert_eq(facts.soft_retries, 1142);
}

/* What other programs print is explained without facts: as before. */
Test(selftest_diagnosis, an_invalid_request_of_others)
{
    char causes[LIKELY_TEXT_SIZE];
    meaning_likely(failure_meaning(&(struct failure){ .wc_status = IBV_WC_REM_INV_REQ_ERR }), "\n", causes);
    cr_assert(strstr(causes, "longer than the receive") < strchr(causes, '\n'), "%s", causes);
}

Test(selftest_diagnosis, every_step_and_status_has_words)
{
    for (int step = STEP_NONE; step < STEPS; step++)
        cr_assert_neq(step_text((enum step)step), NULL, "step %d", step);
    for (int status = IBV_WC_SUCCESS; status <= IBV_WC_GENERAL_ERR; status++) {
        cr_assert_neq(wc_text(status), NULL, "status %d", status);
        cr_assert_eq(strncmp(wc_name(status), "IBV_WC_", 7), 0);
    }
    cr_assert_eq(wc_text(99), NULL);
    cr_assert_eq(wc_text(-1), NULL);
}

Test(selftest_diagnosis, names_checks_that_exist)
{
    char word[64];
    for (const struct meaning *m = meanings; m->status || m->step; m++)
        cr_assert_not(m->checks && check_list_unknown(m->checks, word), "no check '%s'", word);
}

/* -- counters */

Test(selftest_delta, errors_first_and_only_what_grew)
{
    static struct counter before[] = { { .dir = "hw_counters", .name = "sent_pkts", .raw = { 5, true } },
                                       { .dir = "hw_counters", .name = "send_err", .raw = { 1, true } },
                                       { .dir = "hw_counters", .name = "rcvd_pkts", .raw = { 9, true } } };
    static struct counter after[] = { { .dir = "hw_counters", .name = "sent_pkts", .raw = { 50, true } },
                                      { .dir = "hw_counters", .name = "send_err", .raw = { 4, true } },
                                      { .dir = "hw_counters", .name = "rcvd_pkts", .raw = { 9, true } },
                                      { .dir = "hw_counters", .name = "new", .raw = { 9, true } } };
    static struct port ports[2] = { { .number = 1, .counters = before, .ncounters = 3 },
                                    { .number = 1, .counters = after, .ncounters = 4 } };
    static struct device devices[2] = { { .name = "rxe0", .ports = &ports[0], .nports = 1 },
                                        { .name = "rxe0", .ports = &ports[1], .nports = 1 } };
    for (size_t i = 0; i < 4; i++) {
        after[i].def = counter_def_find("rxe", after[i].dir, after[i].name);
        if (i < 3)
            before[i].def = after[i].def;
    }
    struct host then = { .devices = &devices[0], .ndevices = 1 },
                now = { .devices = &devices[1], .ndevices = 1 };
    static struct grown_counters grown;
    struct facts facts = { 0 };
    counters_grown(&then, &now, "rxe0", 1, &grown);
    cr_assert_eq(grown.ncounters, 2);
    cr_assert_str_eq(grown.counters[0].name, "send_err");
    cr_assert_eq(grown.counters[0].delta, 3);
    cr_assert_eq(grown.counters[1].delta, 45);
    counters_tell(&grown, false, &facts);
    cr_assert_eq(facts.send_err, 3);
    counters_tell(&grown, true, &facts);
    cr_assert_eq(facts.send_err, 3);
    cr_assert_eq(facts.peer_send_err, 3);
    counters_grown(NULL, &now, "rxe0", 1, &grown);
    cr_assert_eq(grown.ncounters, 0);
}

/* The netdev's driver counts drops that the RDMA device doesn't. */
Test(selftest_delta, what_the_netdev_dropped)
{
    static struct qos_statistic statistics[2][2] = {
        { { .name = "rx_discards_phy", .value = 4 }, { .name = "rx_packets", .value = 7 } },
        { { .name = "rx_discards_phy", .value = 10 }, { .name = "rx_packets", .value = 70 } }
    };
    static struct port ports[2] = { { .number = 1, .netdev = "eth0" }, { .number = 1, .netdev = "eth0" } };
    static struct grown_counters grown;
    struct device devices[2];
    struct netdev netdevs[2];
    struct qos qos[2];
    struct host hosts[2];
    for (size_t i = 0; i < 2; i++) {
        statistics_join(statistics[i], 2, "mlx5_core");
        devices[i] = (struct device){ .name = "mlx5_0", .ports = &ports[i], .nports = 1 };
        ports[i].device = &devices[i];
        netdevs[i] = (struct netdev){ .name = "eth0", .driver = "mlx5_core" };
        qos[i] = (struct qos){ .netdev = "eth0", .statistics = statistics[i], .nstatistics = 2 };
        hosts[i] = (struct host){ .needs = GROWN_NEEDS,
                                  .devices = &devices[i],
                                  .ndevices = 1,
                                  .netdevs = &netdevs[i],
                                  .nnetdevs = 1,
                                  .qos = &qos[i],
                                  .nqos = 1 };
    }
    counters_grown(&hosts[0], &hosts[1], "mlx5_0", 1, &grown);
    cr_assert_eq(grown.ncounters, 1);
    cr_assert_str_eq(grown.counters[0].name, "rx_discards_phy");
    cr_assert_eq(grown.counters[0].delta, 6);
}

/* By the role of the name, as the other end may have another driver. */
Test(selftest_delta, who_drops_what_comes_in)
{
    static const struct grown_counters grown = { 3,
                                                 { { "out_of_buffer", 4, COUNTER_WARNING },
                                                   { "port_rcv_packets", 90, COUNTER_INFO },
                                                   { "rx_discards_phy", 6, COUNTER_WARNING } } };
    struct facts facts = { 0 };
    char text[CAUSE_TEXT_SIZE];
    counters_tell(&grown, true, &facts);
    cr_assert_eq(facts.peer_drops, 6);
    cr_assert_eq(facts.drops, 0);
    cr_assert(cause_applies(CAUSE_PEER_INPUT_DROP, &facts) && !cause_applies(CAUSE_INPUT_DROP, &facts));
    cause_text(CAUSE_PEER_INPUT_DROP, &facts, text);
    cr_assert(strstr(text, "the other host's port dropped 6 packets"), "%s", text);
}

/* -- addresses */

static const struct {
    const char *text, *normal;
} addresses[] = {
    { "10.0.0.1", "10.0.0.1:18517" },
    { "10.0.0.1:700", "10.0.0.1:700" },
    { "2001:db8::1", "[2001:db8::1]:18517" },
    { "[2001:db8::1]", "[2001:db8::1]:18517" },
    { "[2001:db8::1]:65535", "[2001:db8::1]:65535" },
    { "::", "[::]:18517" },
    { "10.0.0.1:0", NULL },
    { "10.0.0.1:65536", NULL },
    { "10.0.0.1:", NULL },
    { "10.0.0", NULL },
    { "host", NULL },
    { "[2001:db8::1]x", NULL },
    { "2001:db8::1%nonesuch0", NULL },
    { "", NULL },
};

Test(selftest_talk, addresses_are_numeric)
{
    for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
        struct sockaddr_storage address;
        char text[ADDRESS_TEXT_SIZE];
        int r = address_parse(addresses[i].text, CONNECTION_PORT, &address);
        cr_assert_eq(r, addresses[i].normal ? 0 : -EINVAL, "%s", addresses[i].text);
        if (r < 0)
            continue;
        address_text(&address, text);
        cr_assert_str_eq(text, addresses[i].normal);
    }
}

static const struct {
    const char *text, *name;
    uint16_t port;
} names[] = {
    { "node7", "node7", CONNECTION_PORT },
    { "node7.example.com:700", "node7.example.com", 700 },
    { "7node", "7node", CONNECTION_PORT },
    { "node_7-a.", "node_7-a.", CONNECTION_PORT },
    { "10.0.0.300", NULL, 0 },
    { "node7:", NULL, 0 },
    { "node7:0", NULL, 0 },
    { "node7:65536", NULL, 0 },
    { "node7:7:7", NULL, 0 },
    { "node7..example", NULL, 0 },
    { "-node7", NULL, 0 },
    { ".node7", NULL, 0 },
    { "node 7", NULL, 0 },
    { "n\xc3\xb6"
      "de",
      NULL, 0 },
    { ":700", NULL, 0 },
    { "", NULL, 0 },
};

Test(selftest_talk, names_of_hosts)
{
    char name[HOST_NAME_SIZE], longest[HOST_NAME_SIZE + 1];
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        uint16_t port = CONNECTION_PORT;
        int r = address_name(names[i].text, name, &port);
        cr_assert_eq(r, names[i].name ? 0 : -EINVAL, "%s", names[i].text);
        if (r < 0)
            continue;
        cr_assert_str_eq(name, names[i].name);
        cr_assert_eq(port, names[i].port, "%s", names[i].text);
    }
    uint16_t port = 1;
    memset(longest, 'a', sizeof(longest));
    longest[HOST_NAME_SIZE] = '\0';
    cr_assert_eq(address_name(longest, name, &port), -EINVAL);
    longest[HOST_NAME_SIZE - 1] = '\0';
    cr_assert_eq(address_name(longest, name, &port), 0);
}

static void found(struct resolved *resolved, const uint8_t *raw)
{
    gid_sockaddr(raw, CONNECTION_PORT, 0, &resolved->addresses[resolved->count++]);
}

static bool first_is(const struct resolved *resolved, const uint8_t *raw)
{
    uint8_t first[16];
    address_gid(&resolved->addresses[0], first);
    return memcmp(first, raw, sizeof(first)) == 0;
}

Test(selftest_talk, of_a_names_addresses_those_come_first_that_a_gid_can_talk_to)
{
    struct near_gid near[] = { near_of(ten1, GID_TYPE_ROCE_V2, 3), near_of(six1, GID_TYPE_ROCE_V2, 5) };
    struct client_spec spec = { .near = { near, 2, NULL, -1 } };
    struct far_host far = { .name = "node7" };
    char text[FAR_HOST_TEXT_SIZE];
    cr_assert_not(far_host_text(&far, &spec, text), "there was no name");
    found(&far.found, six2);
    far.found.source = "DNS";
    spec.address = far.found.addresses[0];
    cr_assert(far_host_text(&far, &spec, text));
    cr_assert(strncmp(text, "node7 is ", 9) == 0 && strstr(text, " (DNS)") && !strstr(text, "first"), "%s",
              text);
    found(&far.found, ten2);
    cr_assert_eq(resolve_prefer(&far.found, &(struct near_choice){ near, 2, NULL, -1 }), 2,
                 "both: as they were");
    cr_assert(first_is(&far.found, six2));
    cr_assert_eq(resolve_prefer(&far.found, &(struct near_choice){ near, 2, NULL, 5 }), 1);
    cr_assert(first_is(&far.found, six2));
    cr_assert_eq(resolve_prefer(&far.found, &(struct near_choice){ near, 2, NULL, 3 }), 1);
    cr_assert(first_is(&far.found, ten2));
    cr_assert_eq(address_size(&far.found.addresses[0]), sizeof(struct sockaddr_in));
    cr_assert_eq(resolve_prefer(&far.found, &(struct near_choice){ near, 2, "other", -1 }), 0,
                 "none of that device");
    cr_assert(first_is(&far.found, ten2), "as they were");
    near[0].active = false;
    cr_assert_eq(resolve_prefer(&far.found, &(struct near_choice){ near, 2, NULL, -1 }), 1,
                 "a port that is down talks to nobody");
    cr_assert(first_is(&far.found, six2));
}

Test(selftest_talk, gids_and_addresses_are_the_same_thing)
{
    struct sockaddr_storage address;
    uint8_t back[16];
    gid_sockaddr(ten2, 7, 0, &address);
    cr_assert_eq(address.ss_family, AF_INET);
    address_gid(&address, back);
    cr_assert_arr_eq(back, ten2, 16);
    gid_sockaddr(six2, 7, 0, &address);
    cr_assert_eq(address.ss_family, AF_INET6);
    address_gid(&address, back);
    cr_assert_arr_eq(back, six2, 16);
}

Test(watch, peer)
{
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct watch strict = watch_for(60000, ends[0]), patient = strict;
    patient.peer_may_speak = true;
    cr_assert_eq(watch_check(&strict), 0);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    cr_assert_eq(watch_check(&strict), -ECONNRESET, "the peer spoke");
    cr_assert_eq(watch_check(&patient), 0, "it may");
    cr_assert_not(watch_hung_up(&strict));
    close(ends[1]);
    cr_assert_eq(watch_check(&strict), -ECONNRESET);
    cr_assert_eq(watch_check(&patient), -ECONNRESET, "it hung up");
    cr_assert(watch_hung_up(&strict));
    struct watch over = watch_for(0, -1);
    cr_assert_eq(watch_check(&over), -ETIMEDOUT);
    close(ends[0]);
}
