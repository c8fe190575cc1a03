/* SPDX-License-Identifier: MIT */
/* Judges called with hosts that stand here in full. */
#include <criterion/criterion.h>

#include "asked.h"
#include "check/check.h"
#include "model/counters.h"
#include "model/qos.h"

static struct arena *arena;

/* An mlx5 device with an ACTIVE RoCE port on eth0: GIDs of a link-local and an IPv4 address, each v1 and v2.
 */
static struct gid gids[] = {
    { .index = 0, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_IB_ROCE_V1, .netdev = "eth0" },
    { .index = 1, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" },
    { .index = 2, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .type = GID_TYPE_IB_ROCE_V1, .netdev = "eth0" },
    { .index = 3, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" },
};
static struct port port;
static struct device device;
static struct netdev netdev;
static struct host host;

static void setup(void)
{
    arena = arena_new();
    port = (struct port){ .device = &device,
                          .number = 1,
                          .state = num_of(PORT_STATE_ACTIVE),
                          .state_text = "ACTIVE",
                          .link_layer = LINK_LAYER_ETHERNET,
                          .transport = TRANSPORT_ROCE,
                          .gid_table_len = num_of(16),
                          .gids = gids,
                          .ngids = 4,
                          .netdev = "eth0",
                          .roce_mtu = num_of(4096),
                          .rate_mbps = num_of(100000) };
    device = (struct device){
        .name = "mlx5_0", .transport = TRANSPORT_ROCE, .driver = "mlx5_core", .ports = &port, .nports = 1
    };
    netdev = (struct netdev){ .name = "eth0",
                              .mtu = num_of(9000),
                              .flags = num_of(1),
                              .carrier = TRI_YES,
                              .operstate = "up",
                              .kind = NETDEV_PHYSICAL };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1, .netdevs = &netdev, .nnetdevs = 1
    };
    for (uint32_t i = 0; i < 4; i++)
        gids[i].index = i;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(check, .init = setup, .fini = teardown);

static struct finding ask_since(const char *id, const struct host *before)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(&host, before, before ? 1000 : 0, &selection, arena);
    cr_assert_eq(report.ngroups, 1, "%s is no check", id);
    cr_assert_geq(report.nfindings, 1, "%s was asked about nothing", id);
    return report.findings[0];
}

static struct finding ask(const char *id)
{
    return ask_since(id, NULL);
}

#define EXPECT_VERDICT(FINDING, VERDICT)                                                  \
    cr_expect_eq((FINDING).verdict, (VERDICT), "%s: %s, not %s: %s", (FINDING).check->id, \
                 verdict_name((FINDING).verdict), verdict_name(VERDICT), (FINDING).evidence)

Test(check, a_sound_port_passes)
{
    static const char *const ids[] = { "port-active",  "netdev-up", "netdev-carrier", "gid-table",
                                       "gid-routable", "gid-v2",    "gid-holes",      "gid-duplicate",
                                       "port-guid",    "netdev-mtu" };
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        EXPECT_VERDICT(ask(ids[i]), VERDICT_PASS);
}

Test(check, what_was_not_read_is_unknown)
{
    port.state = (struct num){ 0 };
    EXPECT_VERDICT(ask("port-active"), VERDICT_UNKNOWN);
    netdev.flags = (struct num){ 0 };
    EXPECT_VERDICT(ask("netdev-up"), VERDICT_UNKNOWN);
    port.gid_table_len = (struct num){ 0 };
    EXPECT_VERDICT(ask("gid-table"), VERDICT_UNKNOWN);
    EXPECT_VERDICT(ask("gid-address"), VERDICT_UNKNOWN);
    EXPECT_VERDICT(ask("memlock-limit"), VERDICT_UNKNOWN);
    EXPECT_VERDICT(ask("lossless-configured"), VERDICT_UNKNOWN);
    EXPECT_VERDICT(ask("transport-retries"), VERDICT_UNKNOWN);
}

/* The limit that every user of a desktop has is a fault where there is hardware to feed. */
Test(check, software_rdma_is_tried_out_with_the_usual_limit)
{
    const char *driver = device.driver;
    host.system.memlock_soft = num_of(8 << 20);
    host.system.mlock = (struct mlock_trial){ .tried = true, .bytes = 16 << 20, .err = ENOMEM };
    EXPECT_VERDICT(ask("memlock-limit"), VERDICT_FAIL);
    EXPECT_VERDICT(ask("memlock-trial"), VERDICT_FAIL);
    device.driver = "rxe";
    EXPECT_VERDICT(ask("memlock-limit"), VERDICT_INFO);
    EXPECT_VERDICT(ask("memlock-trial"), VERDICT_INFO);
    host.system.memlock_soft = num_of(UINT64_MAX); /* and it is not honoured */
    EXPECT_VERDICT(ask("memlock-trial"), VERDICT_FAIL);
    device.driver = driver;
}

Test(check, a_port_that_is_not_active_fails_whatever_the_reason)
{
    port.state = num_of(PORT_STATE_DOWN);
    EXPECT_VERDICT(ask("port-active"), VERDICT_FAIL);
    netdev.flags = num_of(0x1002);
    struct finding finding = ask("port-active");
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect_str_eq(finding.fix, "ip link set dev eth0 up");
    EXPECT_VERDICT(ask("netdev-up"), VERDICT_WARN);
    EXPECT_VERDICT(ask("netdev-carrier"), VERDICT_NA);
}

Test(check, a_hole_before_the_first_usable_gid)
{
    gids[2].index = 4, gids[3].index = 5;
    struct finding finding = ask("gid-holes");
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect(strstr(finding.evidence, "gids/2 is empty") && strstr(finding.evidence, "is 5"), "%s",
              finding.evidence);
    /* whoever pins an index is hurt by it */
    struct environment environment[] = { { "UCX_IB_GID_INDEX", "3" } };
    host.system.environment = environment, host.system.nenvironment = 1, host.system.environment_known = true;
    finding = ask("gid-holes");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.evidence, "ucx is set to take 3"), "%s", finding.evidence);
    /* unless it is the good one: k8snetworkplumbingwg/multus-cni issue 1100 */
    environment[0].value = "5";
    finding = ask("gid-holes");
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect(strstr(finding.evidence, "ucx is set to take 5, which works here"), "%s", finding.evidence);
}

Test(check, an_address_without_a_gid_and_a_gid_without_its_address)
{
    struct address addresses[] = {
        { .family = 2, .prefix = 24, .raw = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 1 } },
        { .family = 2, .prefix = 24, .raw = { 10, 0, 0, 2 }, .peer = { 10, 0, 0, 2 } },
    };
    netdev.addresses = addresses, netdev.naddresses = 1, netdev.addresses_known = true;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    EXPECT_VERDICT(ask("gid-stale"), VERDICT_PASS);
    netdev.naddresses = 2;
    struct finding finding = ask("gid-address");
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect(strstr(finding.evidence, "10.0.0.2/24"), "%s", finding.evidence);
    netdev.addresses = addresses + 1, netdev.naddresses = 1;
    EXPECT_VERDICT(ask("gid-stale"), VERDICT_WARN);
    /* a point-to-point link's GID is made of the peer's address */
    memcpy(addresses[1].peer, (uint8_t[]){ 10, 0, 0, 1 }, 4);
    EXPECT_VERDICT(ask("gid-stale"), VERDICT_PASS);
}

Test(check, an_index_pinned_in_the_environment)
{
    struct environment environment[] = { { "NCCL_IB_GID_INDEX", "3" }, { "NCCL_IB_HCA", "mlx5" } };
    host.system.environment = environment, host.system.nenvironment = 2, host.system.environment_known = true;
    EXPECT_VERDICT(ask("nccl-gid-index"), VERDICT_PASS);
    environment[0].value = "2";
    EXPECT_VERDICT(ask("nccl-gid-index"), VERDICT_FAIL); /* v1 */
    environment[0].value = "1";
    EXPECT_VERDICT(ask("nccl-gid-index"), VERDICT_FAIL); /* link-local */
    environment[0].value = "9";
    EXPECT_VERDICT(ask("nccl-gid-index"), VERDICT_FAIL); /* empty */
    environment[0].value = "-1";
    EXPECT_VERDICT(ask("nccl-gid-index"), VERDICT_NA);
    environment[0].value = "9";
    static const struct {
        const char *list;
        enum verdict index, hca;
    } cases[] = {
        { "mlx5_0", VERDICT_FAIL, VERDICT_PASS },    { "=mlx5", VERDICT_NA, VERDICT_WARN },
        { "=mlx5_0:1", VERDICT_FAIL, VERDICT_PASS }, { "mlx5_0:2", VERDICT_NA, VERDICT_WARN },
        { "^mlx5_0", VERDICT_NA, VERDICT_WARN },     { "^=mlx5_1", VERDICT_FAIL, VERDICT_PASS },
        { "mlx4,mlx5", VERDICT_FAIL, VERDICT_PASS },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        environment[1].value = cases[i].list;
        EXPECT_VERDICT(ask("nccl-gid-index"), cases[i].index);
        EXPECT_VERDICT(ask("nccl-ib-hca"), cases[i].hca);
    }
}

static struct counter counters_before[2], counters_now[2];

static struct host counted(uint64_t errors, uint64_t packets)
{
    static struct port old_port;
    static struct device old_device;
    counters_before[0] = (struct counter){
        .dir = "hw_counters", .name = "out_of_sequence", .raw = num_of(5000000), .role = ROLE_OUT_OF_SEQUENCE
    };
    counters_before[1] = (struct counter){
        .dir = "counters", .name = "port_rcv_packets", .raw = num_of(7), .role = ROLE_RECEIVED_PACKETS
    };
    memcpy(counters_now, counters_before, sizeof(counters_now));
    counters_now[0].raw.value += errors;
    counters_now[1].raw.value += packets;
    old_port = port;
    old_device = device;
    old_device.ports = &old_port;
    old_port.counters = counters_before, port.counters = counters_now;
    old_port.ncounters = port.ncounters = 2;
    struct host before = host;
    before.devices = &old_device;
    return before;
}

Test(check, counters_are_judged_by_their_rate)
{
    static const struct {
        uint64_t errors, packets;
        enum verdict verdict;
    } cases[] = {
        { 0, 1000000, VERDICT_PASS },
        { 1, 1000000, VERDICT_PASS },
        { 100, 1000000, VERDICT_WARN },
        { 10000, 1000000, VERDICT_FAIL },
        { 1, 0, VERDICT_INFO /* packets stand still */ },
        { 12, 0, VERDICT_WARN },
        { 1, 60, VERDICT_INFO /* of a link that is nearly idle */ },
        { 4, 60, VERDICT_INFO },
        { 5, 60, VERDICT_FAIL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct host before = counted(cases[i].errors, cases[i].packets);
        EXPECT_VERDICT(ask_since("out-of-sequence", &before), cases[i].verdict);
    }
    struct host before = counted(1, 1);
    EXPECT_VERDICT(ask_since("icrc-errors", &before), VERDICT_NA); /* nothing counts them */
    counters_now[0].raw.known = false;
    counters_now[0].err = EINVAL;
    EXPECT_VERDICT(ask_since("out-of-sequence", &before), VERDICT_UNKNOWN);
}

Test(check, fixes_fit_driver_and_distribution)
{
    host.system.modules_known = host.system.environment_known = true;
    host.system.os_id = "rocky";
    cr_expect(strstr(ask("rdma-cm-module").fix, "dnf"), "%s", ask("rdma-cm-module").fix);
    host.system.os_id = "mint";
    host.system.os_id_like = "ubuntu debian";
    cr_expect(strstr(ask("rdma-cm-module").fix, "modules-load.d"), "%s", ask("rdma-cm-module").fix);
    host.system.user_namespace = true;
    cr_expect(strstr(ask("rdma-cm-module").fix, "on the host"), "%s", ask("rdma-cm-module").fix);
    port.gid_table_len = num_of(0);
    port.ngids = 0;
    device.pci = "0000:17:00.0";
    cr_expect(strstr(ask("roce-enabled").fix, "pci/0000:17:00.0 name enable_roce value true cmode driverinit"),
              "%s", ask("roce-enabled").fix);
    device.driver = "bnxt_en";
    cr_expect(strstr(ask("roce-enabled").fix, "permanent"), "%s", ask("roce-enabled").fix);
}

Test(check, a_fix_to_paste_has_the_name)
{
    netdev.flags = num_of(0x1002);
    cr_expect_str_eq(ask("netdev-up").fix, "ip link set dev eth0 up");
}

Test(check, no_fix_to_paste_holds_an_odd_name)
{
    netdev.flags = num_of(0x1002);
    netdev.name = port.netdev = "eth0;reboot";
    for (size_t i = 0; i < sizeof(gids) / sizeof(*gids); i++)
        gids[i].netdev = netdev.name;
    EXPECT_VERDICT(ask("netdev-up"), VERDICT_WARN);
    cr_expect_str_eq(ask("netdev-up").fix, "ip link set dev NETDEV up");
}

Test(check, reports_are_sorted_and_counted)
{
    port.state = num_of(PORT_STATE_DOWN);
    gids[2].index = 8, gids[3].index = 9;
    struct report report = check_run(&host, NULL, 0, NULL, arena);
    size_t groups = 0;
    for (size_t i = 0; i < VERDICTS; i++)
        groups += report.counts[i];
    cr_expect_eq(groups, report.ngroups);
    cr_expect_eq(report.ngroups, check_count());
    for (size_t i = 1; i < report.ngroups; i++)
        cr_expect_leq(report.groups[i].verdict, report.groups[i - 1].verdict);
    cr_expect_eq(report.groups[0].verdict, VERDICT_FAIL);
}

Test(check, rows_are_whole)
{
    for (size_t i = 0; i < check_count(); i++) {
        const struct check *check = check_at(i);
        cr_expect_eq(check_find(check->id), check, "%s is there twice", check->id);
        cr_expect(strspn(check->id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(check->id), "%s",
                  check->id);
        cr_expect(check_topic_text(check->topic), "%s: no topic is called %s", check->id, check->topic);
        cr_expect_null(check_topic_text(check->id), "%s is also a topic", check->id);
        cr_expect(check->healthy && check->why && check->fires_on && check->judge, "%s", check->id);
        cr_expect(check->needs, "%s needs nothing", check->id);
    }
    char word[64];
    cr_expect_not(check_list_unknown("gid,port-active", word));
    cr_expect(check_list_unknown("gid,gidd", word));
    cr_expect_str_eq(word, "gidd");
}

static const char *word(void)
{
    return port_word(&host, &port, arena).word;
}

Test(check, one_word_for_a_port)
{
    cr_expect_str_eq(word(), "unknown", "nobody read the physical state");
    port.phys_state = num_of(PHYS_STATE_LINK_UP);
    cr_expect_str_eq(word(), "unknown", "nor the rate");
    port.rate_text = "100 Gb/sec (4X EDR)";
    cr_expect_str_eq(word(), "ok");
    port.netdev = "gone7";
    cr_expect_str_eq(word(), "port-netdev");
    port.netdev = "eth0";
    port.ngids = 2;
    cr_expect_str_eq(word(), "gid-routable");
    port.ngids = 0;
    cr_expect_str_eq(word(), "gid-table");
    port.gid_table_len = num_of(0);
    cr_expect_str_eq(word(), "roce-enabled");
    port.gid_table_len = num_of(8);
    netdev.carrier = TRI_NO;
    cr_expect_str_eq(word(), "netdev-carrier");
    port.state = num_of(PORT_STATE_DOWN);
    cr_expect_str_eq(word(), "netdev-carrier", "which explains that the port is DOWN");
    port.state.known = false;
    cr_expect_str_eq(word(), "netdev-carrier");
}

Test(check, a_glance_takes_one_reading_and_opens_no_device)
{
    struct check_selection glance = { .glance = true };
    cr_expect_eq(check_needs(&glance) & (NEED_VERBS | NEED_DMABUF), 0);
    cr_expect_not(check_wants_interval(&glance));
    cr_expect_eq(check_needs(&glance) & NEED_GIDS, NEED_GIDS);
}

static struct qos copper(const char *name, uint64_t mbps, uint64_t advertised)
{
    return (struct qos){ .netdev = name,
                         .ethtool = { .autoneg = TRI_YES,
                                      .speed_mbps = num_of(mbps),
                                      .supported_mbps = num_of(1000),
                                      .advertised_mbps = num_of(advertised) } };
}

Test(check, a_link_is_as_fast_as_its_netdev_supports)
{
    struct qos qos = copper("eth0", 1000, 1000);
    EXPECT_VERDICT(ask("link-speed"), VERDICT_UNKNOWN);
    host.qos = &qos;
    host.nqos = 1;
    EXPECT_VERDICT(ask("link-speed"), VERDICT_PASS);
    qos = copper("eth0", 100, 1000);
    struct finding finding = ask("link-speed");
    EXPECT_VERDICT(finding, VERDICT_INFO); /* a slower network is no fault */
    cr_expect_not_null(strstr(finding.fix, "cable"), "%s", finding.fix);
    qos = copper("eth0", 100, 100);
    finding = ask("link-speed");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect_not_null(strstr(finding.fix, "ethtool -s eth0 autoneg on"), "%s", finding.fix);
    qos = copper("eth0", 100, 1000);
    qos.ethtool.autoneg = TRI_NO;
    finding = ask("link-speed");
    cr_expect_not_null(strstr(finding.fix, "ethtool -s eth0 speed 1000"), "%s", finding.fix);
    qos.ethtool.supported_mbps = (struct num){ 0 };
    EXPECT_VERDICT(ask("link-speed"), VERDICT_NA);
}

Test(check, the_slowest_member_of_a_bond_is_its_speed)
{
    const char *members[] = { "eth1", "eth2" };
    struct netdev netdevs[] = { { .name = "eth0", .kind = NETDEV_BOND, .members = members, .nmembers = 2 },
                                { .name = "eth1", .master = "eth0" },
                                { .name = "eth2", .master = "eth0" } };
    struct qos qos[] = { copper("eth1", 1000, 1000), copper("eth2", 1000, 1000) };
    host.netdevs = netdevs;
    host.nnetdevs = 3;
    host.qos = qos;
    host.nqos = 2;
    EXPECT_VERDICT(ask("link-speed"), VERDICT_PASS);
    qos[1] = copper("eth2", 100, 1000);
    struct finding finding = ask("link-speed");
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect_not_null(strstr(finding.evidence, "eth2"), "%s", finding.evidence);
}

/* A device at 0000:17:00.0 below the bridge 0000:16:01.0, and a line of the log. */
static struct finding ask_log(const char *text, struct num age)
{
    static struct pci pcis[2];
    static struct log_line line;
    pcis[0] = (struct pci){ .address = "0000:17:00.0", .upstream = "0000:16:01.0" };
    pcis[1] = (struct pci){ .address = "0000:16:01.0" };
    line = (struct log_line){ .text = text, .age_s = age, .pattern = kernel_log_pattern(text) };
    cr_assert(line.pattern, "%s", text);
    device.pci = "0000:17:00.0";
    host.pcis = pcis;
    host.npcis = 2;
    host.system.log_lines = &line;
    host.system.nlog_lines = 1;
    host.system.log_known = true;
    return ask("kernel-log");
}

Test(check, the_log_counts_where_it_speaks_of_an_rdma_device)
{
    struct num now = num_of(60);
    EXPECT_VERDICT(ask_log("mlx5_core 0000:17:00.0: Fatal error 3 detected", now), VERDICT_FAIL);
    EXPECT_VERDICT(ask_log("pcieport 0000:16:01.0: AER: Uncorrected (Fatal) error message received", now),
                   VERDICT_FAIL);
    EXPECT_VERDICT(ask_log("NETDEV WATCHDOG: eth0 (mlx5_core): transmit queue 3 timed out", now), VERDICT_FAIL);
    EXPECT_VERDICT(ask_log("infiniband mlx5_0: Couldn't create a QP", now), VERDICT_WARN);
    EXPECT_VERDICT(ask_log("nvme 0000:65:00.0: AER: Uncorrected (Non-Fatal) error message received", now),
                   VERDICT_PASS);
    EXPECT_VERDICT(ask_log("e1000e 0000:00:1f.6 eno1: NIC Link is Down", now), VERDICT_PASS);
}

/* A link that comes and goes matters on a port that somebody uses; one that is down has a finding of its own.
 */
Test(check, the_log_of_links)
{
    static const char down[] = "mlx5_core 0000:17:00.0 eth0: Link down";
    struct finding finding = ask_log(down, num_of(60));
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.fix, "nothing, if somebody was at the cable"), "%s", finding.fix);
    EXPECT_VERDICT(ask_log("mlx5_core 0000:17:00.0: Port module event: module 0, Cable unplugged", num_of(60)),
                   VERDICT_WARN);
    port.state = num_of(PORT_STATE_DOWN);
    EXPECT_VERDICT(ask("kernel-log"), VERDICT_PASS);
    EXPECT_VERDICT(ask_log(down, num_of(60)), VERDICT_PASS);
    /* nobody uses it, and somebody the one beside it */
    struct port beside = port;
    struct device devices[2] = { device, device };
    devices[1].name = "mlx5_1", devices[1].pci = NULL, devices[1].ports = &beside;
    beside.device = &devices[1], beside.state = num_of(PORT_STATE_ACTIVE);
    beside.netdev = "eth1";
    port.device = &devices[0], port.state = num_of(PORT_STATE_ACTIVE), port.ngids = 0;
    host.devices = devices, host.ndevices = 2;
    EXPECT_VERDICT(ask("kernel-log"), VERDICT_PASS);
}

/* github.com/NVIDIA/dgx-spark-playbooks/pull/108: each DGX Spark says so, at full bandwidth, too. */
Test(check, what_the_log_says_of_healthy_hosts_is_no_fault)
{
    static const char notice[] = "mlx5_core 0000:17:00.0: Detected insufficient power on the PCIe slot (27W).";
    static const char warning[] = "infiniband mlx5_0: Couldn't create a QP";
    struct finding finding = ask_log(notice, num_of(60));
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect(strstr(finding.fix, "nothing, as long as"), "%s", finding.fix);
    finding = ask_log("infiniband mlx5_0: create_qp:2783:(pid 84): Create QP type 2 failed", num_of(60));
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect(strstr(finding.fix, "nothing, unless a program"), "%s", finding.fix);
    EXPECT_VERDICT(
        ask_log("mlx5_core 0000:17:00.0: Port module event[error]: module 0, Cable error, One or more network "
                "ports have been powered down due to insufficient/unadvertised power on the PCIe slot",
                num_of(60)),
        VERDICT_FAIL);
    struct log_line lines[] = { { notice, num_of(60), kernel_log_pattern(notice) },
                                { warning, num_of(60), kernel_log_pattern(warning) },
                                { notice, num_of(60), kernel_log_pattern(notice) } };
    host.system.log_lines = lines;
    host.system.nlog_lines = 3;
    finding = ask("kernel-log");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.evidence, "(1 such line)"), "%s", finding.evidence);
}

/* Of what ends by itself nothing is told after an hour. */
Test(check, what_lasts_is_told_though_it_is_old)
{
    static const char stall[] = "bnxt_en 0000:17:00.0: QPLIB: bnxt_re_is_fw_stalled: FW STALL Detected. "
                                "cmdq[0xe]=0x3 waited (103641 > 100000) msec active 1";
    static const char fatal[] = "mlx5_core 0000:17:00.0: Fatal error 3 detected";
    struct num now = num_of(60), old = num_of(7200);
    EXPECT_VERDICT(ask_log(stall, now), VERDICT_FAIL);
    struct finding finding = ask_log(stall, old);
    EXPECT_VERDICT(finding, VERDICT_INFO);
    cr_expect(strstr(finding.evidence, "2 h ago, which lasts until the driver is reloaded"), "%s",
              finding.evidence);
    cr_expect(strstr(finding.fix, "roce selftest # does it still fail?"), "%s", finding.fix);
    EXPECT_VERDICT(
        ask_log("mlx5_core 0000:17:00.0: poll_health:825:(pid 0): health recovery flow aborted", old),
        VERDICT_INFO);
    EXPECT_VERDICT(ask_log(fatal, old), VERDICT_PASS);
    struct log_line lines[] = { { stall, old, kernel_log_pattern(stall) },
                                { fatal, old, kernel_log_pattern(fatal) },
                                { fatal, now, kernel_log_pattern(fatal) } };
    host.system.log_lines = lines;
    host.system.nlog_lines = 2;
    EXPECT_VERDICT(ask("kernel-log"), VERDICT_INFO);
    host.system.nlog_lines = 3;
    EXPECT_VERDICT(ask("kernel-log"), VERDICT_FAIL);
}

Test(check, ports_that_are_off_for_want_of_power)
{
    struct finding finding = ask_log(
        "mlx5_core 0000:17:00.0: Port module event[error]: module 0, Cable error, Power budget exceeded",
        num_of(60));
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect(strstr(finding.fix, "newer firmware"), "%s", finding.fix);
}

Test(check, firmware_that_does_not_answer_bnxt_re)
{
    struct finding finding = ask_log(
        "bnxt_en 0000:17:00.0: QPLIB: bnxt_re_is_fw_stalled: FW STALL Detected. cmdq[0xe]=0x3", num_of(60));
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect(strstr(finding.fix, "blacklist bnxt_re"), "%s", finding.fix);
}

Test(check, the_log_is_news_for_an_hour)
{
    const char *line = "mlx5_core 0000:17:00.0: Fatal error 3 detected";
    struct finding finding = ask_log(line, num_of(3599));
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect(strstr(finding.evidence, "59 min ago"), "%s", finding.evidence);
    finding = ask_log(line, num_of(18000));
    EXPECT_VERDICT(finding, VERDICT_PASS);
    cr_expect(strstr(finding.evidence, "5 h ago"), "%s", finding.evidence);
    host.system.log_window_s = UINT64_MAX;
    EXPECT_VERDICT(ask_log(line, num_of(18000)), VERDICT_FAIL);
    static const struct {
        uint64_t age;
        const char *text;
    } ages[] = {
        { 119, ", 119 s ago: " },     { 120, ", 2 min ago: " },   { 7199, ", 119 min ago: " },
        { 7200, ", 2 h ago: " },      { 172799, ", 47 h ago: " }, { 172800, ", 2 days ago: " },
        { 863999, ", 9 days ago: " },
    };
    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++)
        cr_expect(strstr(ask_log(line, num_of(ages[i].age)).evidence, ages[i].text), "%s", ages[i].text);
    cr_expect(strstr(ask_log(line, num_of(1)).evidence, "(1 such line)"));
    host.system.log_window_s = 0;
    EXPECT_VERDICT(ask_log(line, (struct num){ 0 }), VERDICT_FAIL);
}

Test(check, packets_that_stood_still_are_not_uncounted_ones)
{
    struct counter counters[2] = {
        { .dir = "hw_counters", .name = "out_of_sequence", .raw = num_of(9), .role = ROLE_OUT_OF_SEQUENCE },
        { .dir = "counters", .name = "port_rcv_packets", .raw = num_of(5), .role = ROLE_RECEIVED_PACKETS },
    };
    struct counter earlier[2] = { counters[0], counters[1] };
    counters[0].def = counter_def_find("mlx5_core", "hw_counters", "out_of_sequence");
    earlier[0].raw = num_of(2);
    struct device old_device = device;
    struct port old_port = port;
    struct host before = host;
    old_device.ports = &old_port;
    old_port.device = &old_device;
    old_port.counters = earlier;
    before.devices = &old_device;
    port.counters = counters;
    port.ncounters = old_port.ncounters = 2;
    struct finding finding = ask_since("out-of-sequence", &before);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect(strstr(finding.evidence, "no packet was counted meanwhile"), "%s", finding.evidence);
    port.ncounters = old_port.ncounters = 1;
    finding = ask_since("out-of-sequence", &before);
    cr_expect(strstr(finding.evidence, "doesn't count packets"), "%s", finding.evidence);
}

/* -- RDMA_CM, and who asks for it
 * ------------------------------------------------------------------------------ */

static struct module loaded[3];
static struct environment asking;

/* Modules are read and none is loaded but these. */
static void load(size_t count)
{
    host.system.modules_known = host.system.environment_known = true;
    host.system.modules = loaded;
    host.system.nmodules = count;
}

Test(check, nobody_misses_rdma_cm_who_has_not_asked_for_it)
{
    loaded[0].name = "ib_uverbs";
    load(1);
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_INFO);
    cr_expect(strstr(ask("rdma-cm-module").evidence, "has no rdma_cm; no variable, file or process"));
    cr_expect(strstr(ask("rdma-cm-module").fix, "modprobe rdma_ucm"), "%s", ask("rdma-cm-module").fix);
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_NA); /* one thing is told once */
    loaded[1].name = "rdma_cm";
    load(2);
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_PASS);
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_INFO);
    host.system.environment_known = false;
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_UNKNOWN);
}

Test(check, who_has_asked_for_rdma_cm_misses_it)
{
    asking = (struct environment){ "UCX_SOCKADDR_TLS_PRIORITY", "rdmacm" };
    host.system.environment = &asking;
    host.system.nenvironment = 1;
    load(0);
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_FAIL);
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_FAIL);
    cr_expect(strstr(ask("rdma-cm-module").evidence, "UCX_SOCKADDR_TLS_PRIORITY asks for RDMA_CM"));
    host.system.rdma_cm = (struct device_node){ .path = "/dev/infiniband/rdma_cm", .tried = true };
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_PASS); /* both are built in */
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_PASS);
}

/* rdma-core's own list names what there is; another file is somebody's wish, but not a container's. */
Test(check, a_list_of_modules_asks_for_rdma_cm)
{
    struct configured_module configured = { "rdma_ucm", "etc/rdma/modules/rdma.conf" };
    host.system.configured_modules = &configured;
    host.system.nconfigured_modules = 1;
    load(0);
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_NA);
    configured.file = "etc/rdma/modules/local-rdma.conf";
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_FAIL);
    configured.name = "rdma_cm";
    EXPECT_VERDICT(ask("rdma-ucm-module"), VERDICT_FAIL);
    configured.name = "ib_iser";
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_INFO);
    configured.name = "rdma_cm";
    host.system.container = CONTAINER_DOCKER;
    EXPECT_VERDICT(ask("rdma-cm-module"), VERDICT_INFO);
}
