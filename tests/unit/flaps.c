/* SPDX-License-Identifier: MIT */
/* How often a link went down: while doctor watches, and since boot. */
#include <criterion/criterion.h>

#include "asked.h"
#include "model/statistics.h"
#include "source/source.h"
#include "tree.h"

static struct arena *arena;
static struct device device;
static struct port port;
static struct address address;
static struct netdev netdev, was;
static struct qos qos, qos_was;
static struct qos_statistic statistic, statistic_was;
static struct host host, before;

static void setup(void)
{
    arena = arena_new();
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core", .ports = &port, .nports = 1 };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .transport = TRANSPORT_ROCE,
                          .state = num_of(PORT_STATE_ACTIVE),
                          .netdev = "eth0" };
    address = (struct address){ .family = 2, .prefix = 24, .raw = { 10, 0, 0, 1 } };
    netdev = (struct netdev){ .name = "eth0",
                              .addresses = &address,
                              .naddresses = 1,
                              .addresses_known = true,
                              .carrier_changes = num_of(3),
                              .carrier_downs = num_of(1) };
    statistic = (struct qos_statistic){ .name = "link_down_events_phy", .value = 1 };
    statistics_join(&statistic, 1, "mlx5_core");
    qos = (struct qos){ .netdev = "eth0", .statistics = &statistic, .nstatistics = 1 };
    was = netdev;
    statistic_was = statistic;
    qos_was = qos;
    qos_was.statistics = &statistic_was;
    host = (struct host){ .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1 };
    host.netdevs = &netdev;
    host.qos = &qos;
    host.nnetdevs = host.nqos = 1;
    host.system.uptime_h = num_of(240);
    host.system.environment_known = true;
    before = host;
    before.netdevs = &was;
    before.qos = &qos_was;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(flaps, .init = setup, .fini = teardown);

static struct finding ask(void)
{
    struct check_selection selection = { .only = "link-flaps" };
    return check_run(&host, &before, 60000, &selection, arena).findings[0];
}

static struct finding ask_past(void)
{
    return ask_about(&host, "link-flaps-history", arena);
}

Test(flaps, one_meanwhile_warns_and_several_fail)
{
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    netdev.carrier_downs = num_of(2);
    netdev.carrier_changes = num_of(5);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "carrier_down_count of eth0: +1 in 60.0 s");
    netdev.carrier_downs = num_of(4);
    EXPECT_VERDICT(ask(), VERDICT_FAIL);
    was.carrier_downs = num_of(9); /* its driver was loaded anew */
    EXPECT_VERDICT(ask(), VERDICT_PASS);
}

Test(flaps, an_older_kernel_counts_both_ways_together)
{
    netdev.carrier_downs = was.carrier_downs = (struct num){ 0 };
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    netdev.carrier_changes = num_of(4); /* down, and it still is */
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    netdev.carrier_changes = num_of(5);
    EXPECT_TEXT(ask().evidence, "half of carrier_changes of eth0: +1 in");
    netdev.carrier_changes = num_of(9);
    EXPECT_VERDICT(ask(), VERDICT_FAIL);
    EXPECT_TEXT(ask().evidence, "+3 in");
    netdev.carrier_changes = (struct num){ 0 };
    host.qos = NULL;
    host.nqos = 0;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

/* On the host of a BlueField the netdev's carrier is the switch's inside. */
Test(flaps, the_physical_link_counts_too)
{
    statistic.value = 2;
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "link_down_events_phy of eth0: +1 in");
    statistic.value = 12;
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
    EXPECT_TEXT(ask_past().evidence, "link_down_events_phy of eth0: 12 since boot, 10 days ago");
    EXPECT_TEXT(ask_past().fix, "journalctl -k | grep -F eth0 #");
}

Test(flaps, one_a_day_since_boot_is_worth_knowing)
{
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    netdev.carrier_downs = num_of(9);
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    netdev.carrier_downs = num_of(10);
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
    host.system.uptime_h = num_of(0); /* a few come of booting */
    netdev.carrier_downs = num_of(4);
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    EXPECT_TEXT(ask_past().evidence, "as booting and setting up bring it");
    netdev.carrier_downs = num_of(5);
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
}

/* As in recordings that were made before it was read. */
Test(flaps, without_the_uptime_nothing_is_said_of_the_past)
{
    host.system.uptime_h = (struct num){ 0 };
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    netdev.carrier_downs = num_of(500);
    EXPECT_VERDICT(ask_past(), VERDICT_UNKNOWN);
    host.system.uptime_h = num_of(240);
    host.system.container = CONTAINER_LXC; /* its own */
    EXPECT_VERDICT(ask_past(), VERDICT_UNKNOWN);
    device.driver = "rxe";
    EXPECT_VERDICT(ask_past(), VERDICT_NA);
}

Test(flaps, the_count_is_a_file_where_netlink_has_none)
{
    struct source *source = NULL;
    struct host *read = NULL;
    cr_assert_eq(source_open_recording(tree_fixture("fault-counters"), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NETDEV_ALL | NEED_ADDRESSES, &read), 0);
    cr_expect(num_is(host_find_netdev(read, "ens1")->carrier_downs, 29));
    cr_expect_not(host_find_netdev(read, "ens2")->carrier_downs.known);
    host_free(read);
    source_close(source);
}
