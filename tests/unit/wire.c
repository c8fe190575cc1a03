/* SPDX-License-Identifier: MIT */
/* Frames damaged on the wire: what the statistics of two readings come to. */
#include <criterion/criterion.h>

#include "check/check.h"
#include "reading.h"

/* Growth of up to three statistics in a second on a port of 100 Gb/s, from values that aren't 0. */
static const struct {
    const char *names[3];
    uint64_t growth[3];
    enum verdict verdict;
} cases[] = {
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 0, 1000000 }, VERDICT_PASS },
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 2, 1000 }, VERDICT_PASS }, /* too few to tell */
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 3, 1000 }, VERDICT_FAIL },
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 3, 1000000 }, VERDICT_WARN },
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 10, 1000000 }, VERDICT_FAIL },
    { { "rx_crc_errors_phy", "rx_packets_phy" }, { 3, 100000000 }, VERDICT_PASS }, /* as good as 802.3 asks */
    { { "rx_crc_errors_phy" }, { 3 }, VERDICT_WARN },                              /* of how many isn't known */
    { { "rx_fcs_err_frames", "rx_align_err_frames", "rx_total_frames" }, { 5, 0, 10000 }, VERDICT_FAIL },
    { { "rx_fec_uncorrectable_blocks", "rx_total_frames" }, { 5, 1000000 }, VERDICT_WARN },
    { { "rx_crc_errors.nic", "rx_unicast.nic", "rx_multicast.nic" }, { 4, 999999, 1 }, VERDICT_WARN },
    { { "port.rx_crc_errors", "port.rx_unicast" }, { 4, 1000000 }, VERDICT_WARN },
    { { "mac_rx_fcs_err_pkt_num", "mac_rx_total_pkt_num" }, { 4, 1000000 }, VERDICT_WARN },
    { { "rx_crc_errors", "rx_ucast_pkts" }, { 4, 1000000 }, VERDICT_WARN },
    { { "rx_pcs_symbol_err_phy" }, { 2 }, VERDICT_PASS },
    { { "rx_pcs_symbol_err_phy" }, { 3 }, VERDICT_WARN }, /* 3e-11 of the bits */
    { { "rx_pcs_symbol_err_phy", "rx_crc_errors_phy" }, { 1000000, 0 }, VERDICT_WARN },
    { { "illegal_bytes.nic" }, { 500 }, VERDICT_WARN },
    { { "rx_packets_phy" }, { 5 }, VERDICT_UNKNOWN },
    { { "rx_discards_phy", "rx_packets_phy" }, { 500, 1000 }, VERDICT_UNKNOWN }, /* no damage: netdev-drops */
};

static struct finding ask(const struct reading *before, const struct reading *now, uint64_t ms)
{
    struct check_selection selection = { .only = "ethernet-errors" };
    struct report report = check_run(&now->host, &before->host, ms, &selection, now->host.arena);
    cr_assert_eq(report.nfindings, 1);
    return report.findings[0];
}

static void expect(struct finding finding, enum verdict verdict, int line)
{
    cr_expect_eq(finding.verdict, verdict, "line %d: %s, not %s: %s", line, verdict_name(finding.verdict),
                 verdict_name(verdict), finding.evidence);
}
#define EXPECT(finding, verdict) expect((finding), (verdict), __LINE__)

Test(wire, statistics)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct reading before, now;
        make_reading(&before, arena);
        make_reading(&now, arena);
        for (size_t k = 0; k < 3 && cases[i].names[k]; k++)
            grow_statistic(&before, &now, cases[i].names[k], cases[i].growth[k]);
        EXPECT(ask(&before, &now, 1000), cases[i].verdict);
    }
    arena_free(arena);
}

/* What the kernel counts for every driver, and blocks that ethtool's netlink tells of. */
Test(wire, common_counts)
{
    struct arena *arena = arena_new();
    struct reading before, now;
    make_reading(&before, arena);
    make_reading(&now, arena);
    EXPECT(ask(&before, &now, 1000), VERDICT_UNKNOWN);
    before.netdev.rx_crc_errors = num_of(5);
    EXPECT(ask(&before, &now, 1000), VERDICT_UNKNOWN);
    now.netdev.rx_crc_errors = num_of(5);
    EXPECT(ask(&before, &now, 1000), VERDICT_PASS);
    now.netdev.rx_crc_errors = num_of(9);
    struct finding finding = ask(&before, &now, 1000);
    EXPECT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.evidence, "statistics/rx_crc_errors +4 in 1.0 s"), "%s", finding.evidence);
    /* a driver's own name for the same is preferred: it must not count twice */
    grow_statistic(&before, &now, "rx_crc_errors_phy", 0);
    EXPECT(ask(&before, &now, 1000), VERDICT_PASS);
    before.qos.ethtool.fec_uncorrectable = num_of(1);
    now.qos.ethtool.fec_uncorrectable = num_of(8);
    finding = ask(&before, &now, 1000);
    EXPECT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.evidence, "FEC uncorrectable blocks +7"), "%s", finding.evidence);
    /* counted anew after a reset: nothing is known to have happened */
    now.qos.ethtool.fec_uncorrectable = num_of(0);
    EXPECT(ask(&before, &now, 1000), VERDICT_PASS);
    arena_free(arena);
}

/* A day of a link as good as 802.3 asks for isn't a bad second. */
Test(wire, symbols_are_judged_by_time_and_speed)
{
    struct arena *arena = arena_new();
    struct reading before, now;
    make_reading(&before, arena);
    make_reading(&now, arena);
    grow_statistic(&before, &now, "rx_pcs_symbol_err_phy", 80000);
    EXPECT(ask(&before, &now, 1000), VERDICT_WARN);
    EXPECT(ask(&before, &now, 86400000), VERDICT_PASS);
    EXPECT(ask(&before, &now, 0), VERDICT_WARN); /* the time isn't known, and it is many */
    now.statistics[0].value = 700 + 999;
    EXPECT(ask(&before, &now, 0), VERDICT_PASS);
    arena_free(arena);
}

Test(wire, who_is_asked)
{
    struct arena *arena = arena_new();
    struct reading before, now;
    make_reading(&before, arena);
    make_reading(&now, arena);
    grow_statistic(&before, &now, "rx_crc_errors_phy", 100);
    now.port.transport = TRANSPORT_INFINIBAND;
    EXPECT(ask(&before, &now, 1000), VERDICT_NA);
    now.port.transport = TRANSPORT_IWARP;
    EXPECT(ask(&before, &now, 1000), VERDICT_WARN);
    before.host.nqos = 0;
    EXPECT(ask(&before, &now, 1000), VERDICT_UNKNOWN);
    now.host.nnetdevs = 0;
    EXPECT(ask(&before, &now, 1000), VERDICT_NA);
    arena_free(arena);
}
