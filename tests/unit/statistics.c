/* SPDX-License-Identifier: MIT */
/* What a netdev's statistics mean, a driver at a time: the table, and what checks conclude of each driver's
 * names. */
#include <criterion/criterion.h>
#include <regex.h>

#include "check/check.h"
#include "model/frame.h"
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

TestSuite(statistics, .init = setup, .fini = teardown);

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

#define IN_A_SECOND(id, verdict, evidence) EXPECT((id), 1000, (verdict), (evidence))

/* A netdev of this driver with one statistic. */
static void of(const char *driver, const char *name, uint64_t growth)
{
    before.qos.nstatistics = now.qos.nstatistics = 0;
    before.netdev.driver = now.netdev.driver = driver;
    grow_statistic(&before, &now, name, growth);
}

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

static enum counter_role role_of(const char *driver, const char *name)
{
    unsigned priority;
    const struct counter_def *def = statistic_find(driver, name, &priority);
    return def ? def->role : ROLE_NONE;
}

Test(statistics, names_have_a_priority_or_a_number)
{
    unsigned priority;
    const struct counter_def *def = statistic_find("mlx5_core", "rx_prio3_pause", &priority);
    cr_assert(def);
    cr_expect_eq(def->role, ROLE_PFC_RECEIVED);
    cr_expect_eq(def->unit, COUNTER_PACKETS);
    cr_expect_eq(def->severity, COUNTER_INFO);
    cr_expect_eq(priority, 3);
    cr_expect_null(statistic_find("mlx5_core", "rx_prio8_pause", &priority));
    cr_expect_null(statistic_find("mlx5_core", "rx_prio13_pause", &priority));
    cr_expect_null(statistic_find("mlx5_core", "rx_prio_pause", &priority));
    cr_expect_null(statistic_find("mlx5_core", "rx_prio3_pause_", &priority));
    cr_expect_null(statistic_find("mlx5_core", "", &priority));
    cr_expect(statistic_find("mlx5_core", "tx117_dropped", &priority));
    cr_expect_eq(priority, PRIORITIES);
    cr_expect(statistic_find("qede", "7_2: tx_mem_alloc_err", &priority));
}

/* The same name is another thing with another driver; without one, any row is better than none. */
Test(statistics, rows_are_of_a_driver)
{
    unsigned priority;
    cr_expect_eq(role_of("ice", "rx_dropped"), ROLE_RECEIVE_DROP);
    cr_expect_eq(role_of("i40e", "rx_dropped"), ROLE_NONE);
    cr_expect_eq(role_of("mlx5_core.sf", "rx_discards_phy"), ROLE_RECEIVE_DROP);
    cr_expect_null(statistic_find("iceberg", "rx_dropped", &priority));
    cr_expect_null(statistic_find("virtio_net", "rx_dropped", &priority));
    cr_expect(statistic_find(NULL, "rx_discards_phy", &priority));
    cr_expect(statistic_find(NULL, "carrier_down_count", &priority));
    cr_expect_null(
        statistic_find("mlx5_core", "carrier_down_count", &priority)); /* a file, none of ethtool's */
}

/* found.md T1 */
Test(statistics, drops_by_each_drivers_names)
{
    static const char *const drops[][2] = {
        { "mlx5_core", "rx_discards_phy" },
        { "mlx4_core", "rx_fifo_errors" },
        { "mlx4_core", "rx_dropped" },
        { "bnxt_en", "rx_stat_discard" },
        { "ice", "rx_dropped" },
        { "ice", "rx_dropped.nic" },
        { "i40e", "port.rx_discards" },
        { "qede", "brb_discards" },
        { "qede", "no_buff_discards" },
        { "cxgb4", "rx_bg0_frames_dropped" },
        { "ionic", "hw_rx_dropped" },
        { "ionic", "frames_rx_dropped" },
        { "mana", "hc_rx_discards_no_wqe" },
        { "ena", "pps_allowance_exceeded" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(drops); i++) {
        of(drops[i][0], drops[i][1], 0);
        IN_A_SECOND("netdev-drops", VERDICT_PASS, "none of 1 statistics grew");
        of(drops[i][0], drops[i][1], 5000000);
        IN_A_SECOND("netdev-drops", VERDICT_WARN, "+5000000 in 1.0 s");
    }
}

/* found.md T1, T5: nothing passes that wasn't looked at, and what is said of why is true. */
Test(statistics, without_a_drop_nothing_passes)
{
    IN_A_SECOND("netdev-drops", VERDICT_UNKNOWN, "could not be read twice");
    of("hns3", "mac_rx_total_pkt_num", 5);
    IN_A_SECOND("netdev-drops", VERDICT_UNKNOWN, "read, but none of 1 names is known to count drops");
    of("hns3", "rxq0_dropped", 5); /* had no buffer for its ring */
    IN_A_SECOND("netdev-drops", VERDICT_UNKNOWN, "read, but none of 1 names");
    of("mlx5_core", "rx_discards_phy", 5);
    before.statistics[0].name = "rx_packets";
    IN_A_SECOND("netdev-drops", VERDICT_UNKNOWN, "could not be read twice");
    of("some_nic", "rx_discards", 5);
    IN_A_SECOND("netdev-drops", VERDICT_UNKNOWN, "read, but none of 1 names is known to count drops");
}

/* found.md T2 */
Test(statistics, drops_of_the_priority_with_pfc)
{
    static const char *const names[] = { "rx_prio3_discards", "rx_prio3_buf_discard", "rx_prio3_cong_discard" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        of("mlx5_core", "rx_prio3_discards", 0);
        if (i)
            grow_statistic(&before, &now, names[i], 0);
        now.statistics[i ? 1 : 0].value += 40;
        IN_A_SECOND("netdev-drops", VERDICT_WARN, names[i]);
    }
    of("mlx5_core", "rx_prio3_discards", 0);
    grow_statistic(&before, &now, "rx_prio0_cong_discard", 40);
    IN_A_SECOND("netdev-drops", VERDICT_INFO, "nothing of it on a priority with PFC");
    of("mlx5_core", "rx_prio0_cong_discard", 40); /* nobody tells of priority 3 */
    IN_A_SECOND("netdev-drops", VERDICT_WARN, "rx_prio0_cong_discard +40");
}

/* found.md T3, T4 */
Test(statistics, what_is_no_loss)
{
    of("ice", "rx_dropped", 0);
    grow_statistic(&before, &now, "tx_hwtstamp_discarded", 40);
    IN_A_SECOND("netdev-drops", VERDICT_PASS, "none of 1 statistics");
    of("qede", "no_buff_discards", 0);
    grow_statistic(&before, &now, "mac_filter_discards", 40);
    IN_A_SECOND("netdev-drops", VERDICT_PASS, "none of 1 statistics");
    of("mlx5_core", "rx_discards_phy", 0);
    grow_statistic(&before, &now, "tx_discards_phy", 40);
    grow_statistic(&before, &now, "rx_out_of_buffer", 40);
    grow_statistic(&before, &now, "rx_xdp_drop", 40);
    IN_A_SECOND("netdev-drops", VERDICT_PASS, "none of 1 statistics");
}

/* found.md T5 */
Test(statistics, time_that_a_priority_was_paused)
{
    of("ionic", "rx_pripause_3_1us_count", 950000);
    IN_A_SECOND("paused", VERDICT_WARN, "rx_pripause_3_1us_count +950000 us in 1.0 s, 95 %");
    of("hns3", "mac_rx_pfc_pri3_xoff_time", 0);
    IN_A_SECOND("paused", VERDICT_PASS, "mac_rx_pfc_pri3_xoff_time +0");
    of("hns3", "mac_rx_pfc_pri3_xoff_time", 950000);
    IN_A_SECOND("paused", VERDICT_UNKNOWN,
                "mac_rx_pfc_pri3_xoff_time +950000 in 1.0 s: nobody tells what share");
    of("mlx4_core", "rx_pause_duration_prio_3", 950000);
    IN_A_SECOND("paused", VERDICT_UNKNOWN,
                "rx_pause_duration_prio_3 +950000 in 1.0 s: nobody tells what share");
    of("cxgb4", "rx_ppp3_frames", 5);
    IN_A_SECOND("paused", VERDICT_NA, "no statistic of eth0 is known to tell how long");
}

/* found.md T5 */
Test(statistics, global_pause_by_each_drivers_names)
{
    static const char *const names[][2] = {
        { "ice", "link_xoff_rx.nic" },  { "i40e", "port.link_xoff_rx" }, { "hns3", "mac_rx_mac_pause_num" },
        { "ionic", "frames_rx_pause" }, { "qede", "rx_pause_frames" },   { "cxgb4", "rx_pause_frames" },
        { "mlx4_core", "rx_pause" },    { "bnxt_en", "rx_pause_frames" }
    };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        of(names[i][0], names[i][1], 9);
        IN_A_SECOND("global-pause-received", VERDICT_PASS, "+9 beside PFC's");
        of(names[i][0], names[i][1], 500);
        IN_A_SECOND("global-pause-received", VERDICT_WARN, names[i][1]);
    }
    of("ionic", "frames_rx_pripause", 500); /* is PFC's */
    IN_A_SECOND("global-pause-received", VERDICT_NA, "no statistic of eth0");
}

Test(statistics, pauses_that_the_kernel_does_not_tell_are_the_drivers)
{
    of("ice", "link_xoff_rx.nic", 7);
    statistics_fill(&now.qos);
    cr_expect(now.qos.ethtool.pause_frames_received.known);
    cr_expect_eq(now.qos.ethtool.pause_frames_received.value, 707);
    cr_expect_not(now.qos.ethtool.pause_frames_sent.known);
    now.qos.ethtool.pause_frames_received = num_of(3);
    statistics_fill(&now.qos);
    cr_expect_eq(now.qos.ethtool.pause_frames_received.value, 3);
}

/* top shows what a driver's statistics count, too: of two that count the same frames, the one that grew most.
 */
Test(statistics, drops_of_the_netdev_are_the_ports)
{
    of("ice", "rx_dropped", 40);
    grow("rx_dropped.nic", 70);
    grow("tx_hwtstamp_discarded", 900);
    struct frame *frame = frame_make(&before.host, &now.host, NULL, 2);
    cr_assert_eq(frame->nports, 1);
    cr_expect(frame->ports[0].flows[FLOW_DROPS].known);
    cr_expect_float_eq(frame->ports[0].flows[FLOW_DROPS].value, 35, 1e-9);
    frame_free(frame);
}

Test(statistics, rows_are_complete)
{
    for (const struct counter_table *table = statistic_tables; table->count; table++)
        for (size_t i = 0; i < table->count; i++) {
            const struct counter_def *def = &table->defs[i];
            cr_expect(*counter_meaning(def) && strlen(counter_meaning(def)) <= 100, "%s", def->name);
            cr_expect_neq(counter_meaning(def)[strlen(counter_meaning(def)) - 1], '.', "%s", def->name);
            cr_expect_eq(def->scale, 1, "%s", def->name);
        }
}

/* The name with 3 for each number. */
static char *numbered(char *name)
{
    for (char *at; (at = strstr(name, "{n}"));)
        *at = '3', memmove(at + 1, at + 3, strlen(at + 3) + 1);
    return name;
}

/* The names of Linux' drivers: each that may be a loss, a pause or an error is decided on. */
Test(statistics, no_drivers_name_is_undecided)
{
    char line[256];
    regex_t telling;
    size_t looked = 0;
    unsigned priority;
    FILE *file = fopen("tests/differential/statistics-names.txt", "re");
    cr_assert(file);
    cr_assert_eq(regcomp(&telling, "drop|discard|pause|pfc|xoff|err(_|or|s?$)", REG_EXTENDED | REG_NOSUB), 0);
    while (fgets(line, sizeof(line), file)) {
        char *name = strchr(line, ' ');
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || !name || regexec(&telling, name, 0, NULL, 0) != 0)
            continue;
        *name++ = '\0';
        looked++;
        cr_expect(statistic_find(line, numbered(name), &priority), "%s has %s, and no row", line, name);
    }
    cr_expect_gt(looked, 350);
    regfree(&telling);
    fclose(file);
}

/* -- pauses: how much of them is too much -- */

Test(statistics, share_of_the_time)
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
Test(statistics, priorities)
{
    grow("pfc_pri3_rx_duration_us", 5);
    grow("pfc_pri4_rx_duration_us", 950000);
    EXPECT("paused", 1000, VERDICT_WARN, "pfc_pri4_rx_duration_us +950000");
    now.statistics[1].value = 3;
    EXPECT("paused", 1000, VERDICT_PASS, "pfc_pri3_rx_duration_us +5");
}

Test(statistics, storms)
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

Test(statistics, global_beside_pfc)
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

Test(statistics, bnxt_counts_them_apart)
{
    grow("rx_pause_frames", 50);
    now.qos.dcb.pfc_received[3] = 1000;
    EXPECT("global-pause-received", 1000, VERDICT_WARN, "rx_pause_frames +50");
}
