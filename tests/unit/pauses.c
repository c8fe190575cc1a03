/* SPDX-License-Identifier: MIT */
/* Being paused, pausing without end, and global pause beside PFC: what two readings come to. */
#include <criterion/criterion.h>

#include "check/check.h"
#include "reading.h"

static struct arena *arena;
static struct reading before, now;

static void setup(void)
{
    arena = arena_new();
    make_reading(&before, arena);
    make_reading(&now, arena);
    now.qos.dcb.has_pfc = before.qos.dcb.has_pfc = true;
    now.qos.dcb.pfc_enabled = before.qos.dcb.pfc_enabled = 1 << 3;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(pauses, .init = setup, .fini = teardown);

static void grow(const char *name, uint64_t growth)
{
    grow_statistic(&before, &now, name, growth);
}

static void set(const char *name, uint64_t growth)
{
    for (size_t i = 0; i < now.qos.nstatistics; i++)
        if (strcmp(now.statistics[i].name, name) == 0)
            now.statistics[i].value = 700 + growth;
}

static void expect(const char *id, uint64_t ms, enum verdict verdict, const char *evidence, int line)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(&now.host, &before.host, ms, &selection, arena);
    cr_assert_eq(report.nfindings, 1);
    const struct finding *finding = &report.findings[0];
    cr_expect_eq(finding->verdict, verdict, "line %d: %s, not %s: %s", line, verdict_name(finding->verdict),
                 verdict_name(verdict), finding->evidence);
    cr_expect(strstr(finding->evidence, evidence), "line %d: %s", line, finding->evidence);
}
#define EXPECT(id, ms, verdict, evidence) expect((id), (ms), (verdict), (evidence), __LINE__)

Test(pauses, share_of_the_time)
{
    EXPECT("paused", 1000, VERDICT_UNKNOWN, "could not be read twice");
    grow("rx_packets_phy", 1);
    EXPECT("paused", 1000, VERDICT_NA, "no statistic");
    grow("rx_prio3_pause_duration", 0);
    EXPECT("paused", 1000, VERDICT_PASS, "rx_prio3_pause_duration +0");
    set("rx_prio3_pause_duration", 99999);
    EXPECT("paused", 1000, VERDICT_PASS, "9 %");
    set("rx_prio3_pause_duration", 100000);
    EXPECT("paused", 1000, VERDICT_INFO, "10 %");
    set("rx_prio3_pause_duration", 899999);
    EXPECT("paused", 1000, VERDICT_INFO, "89 %");
    set("rx_prio3_pause_duration", 900000);
    EXPECT("paused", 1000, VERDICT_WARN, "rx_prio3_pause_duration +900000 us in 1.0 s, 90 %");
    EXPECT("paused", 60000, VERDICT_PASS, "1 %");
    EXPECT("paused", 499, VERDICT_UNKNOWN, "too short");
    EXPECT("paused", 500, VERDICT_WARN,
           ", 100 % of it"); /* no clock is read at the same moment as the counter */
    EXPECT("paused", 0, VERDICT_UNKNOWN, "too short");
}

/* The worst priority is judged, by either driver's name; one that was counted anew hasn't grown. */
Test(pauses, priorities)
{
    grow("pfc_pri3_rx_duration_us", 5);
    grow("pfc_pri4_rx_duration_us", 950000);
    EXPECT("paused", 1000, VERDICT_WARN, "pfc_pri4_rx_duration_us +950000");
    now.statistics[1].value = 3;
    EXPECT("paused", 1000, VERDICT_PASS, "pfc_pri3_rx_duration_us +5");
}

Test(pauses, storms)
{
    EXPECT("pause-storm", 1000, VERDICT_UNKNOWN, "could not be read twice");
    grow("rx_packets_phy", 1);
    EXPECT("pause-storm", 1000, VERDICT_NA, "no statistic");
    grow("tx_pause_storm_warning_events", 0);
    grow("tx_pause_storm_error_events", 0);
    EXPECT("pause-storm", 0, VERDICT_PASS, "+0");
    set("tx_pause_storm_warning_events", 1);
    EXPECT("pause-storm", 0, VERDICT_WARN, "tx_pause_storm_warning_events +1");
    set("tx_pause_storm_error_events", 1);
    EXPECT("pause-storm", 0, VERDICT_FAIL, "tx_pause_storm_error_events +1");
    now.device.transport = now.port.transport = TRANSPORT_INFINIBAND;
    EXPECT("pause-storm", 0, VERDICT_NA, "not a RoCE port");
}

Test(pauses, global_beside_pfc)
{
    EXPECT("global-pause-received", 1000, VERDICT_UNKNOWN, "could not be read twice");
    grow("rx_prio3_pause", 0);
    EXPECT("global-pause-received", 1000, VERDICT_NA, "no statistic of eth0");
    grow("rx_pause_ctrl_phy", 9);
    EXPECT("global-pause-received", 1000, VERDICT_PASS, "+9");
    set("rx_pause_ctrl_phy", 10);
    EXPECT("global-pause-received", 1000, VERDICT_WARN, "rx_pause_ctrl_phy +10 beside PFC's");
    set("rx_prio3_pause", 1); /* which the other may count as well */
    EXPECT("global-pause-received", 1000, VERDICT_PASS, "+9");
    now.qos.dcb.pfc_received[4] = 10; /* of a priority that ethtool doesn't list */
    EXPECT("global-pause-received", 1000, VERDICT_PASS, "+0");
    now.qos.dcb.pfc_enabled = 0;
    EXPECT("global-pause-received", 1000, VERDICT_NA, "no PFC");
}

Test(pauses, bnxt_counts_them_apart)
{
    grow("rx_pause_frames", 50);
    now.qos.dcb.pfc_received[3] = 1000;
    EXPECT("global-pause-received", 1000, VERDICT_WARN, "rx_pause_frames +50");
}
