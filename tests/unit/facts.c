/* SPDX-License-Identifier: MIT */
/* Facts of a host, and an expectation held against them. */
#include <criterion/criterion.h>

#include "check/check.h"
#include "check/use.h"
#include "model/counters.h"
#include "model/facts.h"
#include "model/qos.h"

static struct arena *arena;
static struct gid gids[3][1];
static struct port ports[3];
static struct device devices[3];
static struct netdev netdevs[3];
static struct qos_parameter parameter;
static struct qos qos;
static struct host host;
static struct expectation_fault fault;

/* Three NICs: rail0, rail1 with an address; eth2 spare. mlx5_1 has another firmware and half the rate. */
static void setup(void)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
    static const char *const nets[] = { "rail0", "rail1", "eth2" };
    arena = arena_new();
    for (size_t i = 0; i < 3; i++) {
        gids[i][0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, (uint8_t)i, 1 },
                                   .index = 3,
                                   .type = GID_TYPE_ROCE_V2,
                                   .netdev = nets[i] };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .rate_mbps = num_of(i == 1 ? 200000 : 400000),
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .state_text = "ACTIVE",
                                  .transport = TRANSPORT_ROCE,
                                  .gid_table_len = num_of(8),
                                  .gids = gids[i],
                                  .ngids = i < 2,
                                  .netdev = nets[i] };
        devices[i] = (struct device){ .name = names[i],
                                      .fw_ver = i == 1 ? "28.1" : "28.2",
                                      .pci = "0000:17:00.0",
                                      .transport = TRANSPORT_ROCE,
                                      .ports = &ports[i],
                                      .nports = 1 };
        netdevs[i] = (struct netdev){ .name = nets[i], .mtu = num_of(9000), .addresses_known = true };
    }
    host = (struct host){ .arena = arena,
                          .needs = NEED_FACTS,
                          .devices = devices,
                          .ndevices = 3,
                          .netdevs = netdevs,
                          .nnetdevs = 3 };
    host.system.has_infiniband_class = true;
    parameter = (struct qos_parameter){
        .device = "pci/0000:17:00.0", .name = "enable_roce", .is_boolean = true, .boolean = true
    };
    qos = (struct qos){ .netdev = "rail0", .parameters = &parameter, .nparameters = 1 };
    qos.dcb.has_pfc = true, qos.dcb.pfc_enabled = 1 << 3 | 1 << 5;
    host.qos = &qos, host.nqos = 1;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(facts, .init = setup, .fini = teardown);

static int parse(const char *text)
{
    struct expectation *expectation = NULL;
    int r = expectation_parse(text, strlen(text), arena, &expectation, &fault);
    host.expectation = expectation;
    return r;
}

static struct finding ask(const struct check_selection *selection)
{
    struct check_group group = check_ask(check_find("as-expected"), &host, NULL, 0, selection, arena);
    cr_assert_eq(group.count, 1);
    return group.findings[0];
}

#define EXPECT(text, wanted, said)                                           \
    do {                                                                     \
        cr_assert_eq(parse(text), 0, "line %u: %s", fault.line, fault.what); \
        struct finding finding_ = ask(NULL);                                 \
        cr_expect_eq(finding_.verdict, (wanted), "%s", finding_.evidence);   \
        cr_expect_str_eq(finding_.evidence, (said));                         \
    } while (0)

#define WRONG(text, at, said)                                            \
    do {                                                                 \
        cr_expect_lt(parse(text), 0, "%s", text);                        \
        cr_expect_eq(fault.line, (at), "%s: line %u", text, fault.line); \
        cr_expect(strstr(fault.what, said), "%s: %s", text, fault.what); \
    } while (0)

Test(facts, each_key_is_there_once_and_can_be_looked_up)
{
    const struct attribute *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++)
        cr_expect_eq(fact_find(fact_of(fact), fact->key), fact, "%s", fact->key);
    cr_expect_null(fact_find(FACT_HOST, "rate_mbps"));
}

static struct value port_value(const char *key)
{
    struct fact_subject subject = { &host, &devices[0], &ports[0] };
    return fact_value(fact_find(FACT_PORT, key), &subject, arena);
}

Test(facts, a_subnet_is_the_address_without_its_host)
{
    struct address addresses[] = { { .family = 2, .prefix = 22, .raw = { 10, 1, 7, 9 } },
                                   { .family = 2, .prefix = 22, .raw = { 10, 1, 6, 1 } },
                                   { .family = 10, .prefix = 64, .raw = { 0xfe, 0x80, [15] = 1 } },
                                   { .family = 10, .prefix = 61, .raw = { 0xfd, 1, [7] = 0xff, [15] = 1 } } };
    netdevs[0].addresses = addresses, netdevs[0].naddresses = 4;
    struct value value = port_value("subnets");
    cr_assert_eq(value.count, 2);
    cr_expect_str_eq(value.texts[0], "10.1.4.0/22");
    cr_expect_str_eq(value.texts[1], "fd01:0:0:f8::/61");
    netdevs[0].addresses_known = false;
    netdevs[0].naddresses = 0;
    cr_expect_eq(port_value("subnets").type, VALUE_ABSENT);
}

Test(facts, maps_of_priorities_are_short)
{
    struct qos_app apps[] = { { .selector = QOS_APP_DSCP, .protocol = 24, .priority = 3 },
                              { .selector = QOS_APP_DSCP, .protocol = 25, .priority = 3 },
                              { .selector = QOS_APP_DSCP, .protocol = 63, .priority = 6 } };
    cr_expect_eq(port_value("dscp_priority").type, VALUE_ABSENT);
    cr_expect_eq(port_value("ets").type, VALUE_ABSENT);
    qos.dcb.apps = apps, qos.dcb.napps = 3, qos.dcb.apps_known = true;
    cr_expect_str_eq(port_value("dscp_priority").text, "24-25:3 63:6");
    qos.dcb.has_ets = true, qos.dcb.tc_tsa[1] = QOS_TSA_ETS, qos.dcb.tc_bandwidth[1] = 60;
    qos.dcb.priority_tc[3] = 1;
    cr_expect_str_eq(port_value("ets").text, "strict 60 strict strict strict strict strict strict");
    cr_expect_str_eq(port_value("priority_tc").text, "0 0 0 1 0 0 0 0");
}

Test(facts, a_width_is_of_the_rate)
{
    ports[0].rate_text = "100 Gb/sec (4X EDR)";
    cr_expect_str_eq(port_value("width").text, "4X");
    ports[0].rate_text = "100 Gb/sec";
    cr_expect_eq(port_value("width").type, VALUE_ABSENT);
}

Test(facts, errors_are_those_that_are_not_0)
{
    struct counter counters[] = { { .dir = "counters", .name = "port_rcv_errors", .raw = num_of(7) },
                                  { .dir = "counters", .name = "link_downed", .raw = num_of(0) },
                                  { .dir = "counters", .name = "port_xmit_data", .raw = num_of(9) } };
    cr_expect_eq(port_value("errors").type, VALUE_ABSENT);
    for (size_t i = 0; i < 3; i++)
        counters[i].def = counter_def_find("mlx5_core", counters[i].dir, counters[i].name);
    ports[0].counters = counters, ports[0].ncounters = 3;
    cr_assert_eq(port_value("errors").count, 1);
    cr_expect_str_eq(port_value("errors").texts[0], "port_rcv_errors=7");
}

Test(facts, what_passes_is_not_expected)
{
    EXPECT("{\"ports\": [{\"device\": \"mlx5_0\", \"errors\": [\"symbol_error=9\"]}], \"memlock\": \"1\","
           "\"found_by_doctor\": [\"fail port-active mlx5_0/1\"]}",
           VERDICT_PASS, "1 values are as expected");
}

Test(facts, nothing_is_expected_without_a_file)
{
    host.expectation = NULL;
    cr_expect_eq(ask(NULL).verdict, VERDICT_NA);
}

Test(facts, what_is_as_expected_passes)
{
    EXPECT(
        "{\"version\": 1, \"device_count\": 3, \"devices\": [{\"device\": \"mlx5_0\", \"fw_ver\": \"28.2\"}]}",
        VERDICT_PASS, "3 values are as expected");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_0\", \"port\": 1, \"gid_index\": 3, \"gid_types\": [\"RoCE v2\"], "
           "\"netdev_mtu\": 9000}]}",
           VERDICT_PASS, "5 values are as expected");
    EXPECT("{\"devices\": [{\"device\": \"mlx5_0\", \"fw_ver\": null}]}", VERDICT_PASS,
           "1 values are as expected");
}

Test(facts, what_differs_is_told_with_both_values)
{
    EXPECT("{\"ports\": [{\"device\": \"mlx5_1\", \"port\": 1, \"rate_mbps\": 400000}]}", VERDICT_FAIL,
           "mlx5_1/1 rate_mbps: expected 400000, found 200000");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_0\", \"pfc\": [5, 3]}]}", VERDICT_PASS,
           "2 values are as expected");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_0\", \"pfc\": [3]}]}", VERDICT_FAIL,
           "mlx5_0/1 pfc: expected 3, found 3, 5");
    EXPECT("{\"device_count\": 4}", VERDICT_FAIL, "device_count: expected 4, found 3");
    EXPECT("{\"devices\": [{\"device\": \"mlx5_0\", \"roce_enabled\": false}]}", VERDICT_FAIL,
           "mlx5_0 roce_enabled: expected no, found yes");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_2\", \"gid_index\": 3, \"gid_types\": [\"RoCE v2\", \"IB/RoCE "
           "v1\"]}]}",
           VERDICT_FAIL,
           "mlx5_2/1 gid_index: expected 3, found none; mlx5_2/1 gid_types: expected RoCE v2, IB/RoCE v1, "
           "found none");
}

Test(facts, patterns_name_devices_and_netdevs)
{
    EXPECT("{\"devices\": [{\"device\": \"mlx5_[02]\", \"fw_ver\": \"28.2\"}]}", VERDICT_PASS,
           "4 values are as expected");
    EXPECT("{\"devices\": [{\"device\": \"mlx5_*\", \"fw_ver\": \"28.3\"}]}", VERDICT_FAIL,
           "mlx5_0, mlx5_2 fw_ver: expected 28.3, found 28.2; mlx5_1 fw_ver: expected 28.3, found 28.1");
    EXPECT("{\"ports\": [{\"netdev\": \"rail[0-7]\", \"rate_mbps\": 400000}]}", VERDICT_FAIL,
           "mlx5_1/1 rate_mbps: expected 400000, found 200000");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_2\", \"netdev\": \"rail*\"}]}", VERDICT_FAIL,
           "mlx5_2/1 netdev: expected rail*, found eth2");
}

Test(facts, what_is_missing_is_told_once)
{
    EXPECT("{\"devices\": [{\"device\": \"mlx5_3\"}], \"ports\": [{\"device\": \"mlx5_3\", \"port\": 1}]}",
           VERDICT_FAIL, "mlx5_3 is not here");
    EXPECT("{\"ports\": [{\"device\": \"mlx5_0\", \"port\": 2}]}", VERDICT_FAIL, "mlx5_0/2 is not here");
    EXPECT("{\"ports\": [{\"netdev\": \"stor*\"}]}", VERDICT_FAIL, "stor* is not here");
}

Test(facts, devices_and_ports_are_counted)
{
    EXPECT("{\"devices\": [{\"device\": \"mlx5_*\", \"count\": 8}]}", VERDICT_FAIL,
           "mlx5_* count: expected 8, found 3");
    EXPECT("{\"devices\": [{\"device\": \"rxe*\", \"count\": 0}]}", VERDICT_PASS, "1 values are as expected");
    EXPECT("{\"ports\": [{\"netdev\": \"rail*\", \"count\": 2}]}", VERDICT_PASS, "3 values are as expected");
}

Test(facts, what_cannot_be_told_is_unknown_and_hides_no_difference)
{
    EXPECT("{\"devices\": [{\"device\": \"mlx5_0\", \"board_id\": \"X\"}]}", VERDICT_UNKNOWN,
           "1 of the expectations can't be checked, first mlx5_0 board_id");
    EXPECT("{\"devices\": [{\"device\": \"mlx5_0\", \"board_id\": \"X\", \"fw_ver\": \"1\"}]}", VERDICT_FAIL,
           "mlx5_0 fw_ver: expected 1, found 28.2");
    host.system.has_infiniband_class = false;
    host.ndevices = 0;
    host.system.no_sys = "/sys";
    cr_assert_eq(parse("{\"devices\": [{\"device\": \"mlx5_0\"}]}"), 0);
    cr_expect_eq(ask(NULL).verdict, VERDICT_UNKNOWN);
}

Test(facts, an_operand_narrows_it)
{
    struct selected_part part = { .port = &ports[0] };
    const struct selection named = { .some = true, .parts = &part, .nparts = 1 };
    struct check_selection first = { .named = &named };
    parse("{\"ports\": [{\"device\": \"mlx5_*\", \"count\": 4, \"rate_mbps\": 400000}], \"devices\": "
          "[{\"device\": \"gone\"}]}");
    cr_expect_eq(ask(&first).verdict, VERDICT_PASS);
    cr_expect_eq(ask(NULL).verdict, VERDICT_FAIL);
}

Test(facts, a_name_in_it_counts_as_in_use)
{
    parse("{\"device_count\": 3}");
    cr_expect_eq(port_use(&host, &ports[2], arena).use, USE_NONE);
    parse("{\"devices\": [{\"device\": \"mlx5_*\"}]}");
    cr_expect_str_eq(port_use(&host, &ports[2], arena).reason, "the expectation names it");
    cr_expect(port_is_named(&host, &ports[2]));
    /* a container's, of which facts of the host tell, too */
    ports[2].netdev = "net1";
    cr_expect_eq(port_use(&host, &ports[2], arena).use, USE_ELSEWHERE);
    ports[2].netdev = "eth2";
    /* facts of a machine with a spare port */
    parse("{\"devices\": [{\"device\": \"mlx5_2\"}], \"ports\": [{\"device\": \"mlx5_2\", \"state\": "
          "\"DOWN\"}]}");
    cr_expect_eq(port_use(&host, &ports[2], arena).use, USE_NONE);
    parse("{\"ports\": [{\"device\": \"mlx5_2\", \"state\": \"ACTIVE\", \"routable_v2\": false}]}");
    cr_expect_eq(port_use(&host, &ports[2], arena).use, USE_NONE);
}

Test(facts, mistakes_have_their_line)
{
    WRONG("{\n \"devices\": [\n  {\"device\": \"mlx5_0\", \"fw_ver\": \"a\\\"b\\n:\"},\n  {\"device\": "
          "\"mlx5_1\",\n   \"fw_vr\": \"1\"}]}",
          5, "there is no key 'fw_vr' in devices; did you mean 'fw_ver'?");
    WRONG("{\n\"kernal\": \"6.1\"}", 2, "did you mean 'kernel'?");
    WRONG("{\"problems\": [{\"what\": \"x\"}],\n\n\"version\": 2}", 3, "'version' must be 1");
    WRONG("{\"ports\": [\n{\"device\": \"a\",\n\"rate_mbps\": \"400000\"}]}", 3, "must be a whole number");
    WRONG("{\"ports\": [{\"device\": \"a\", \"rate_mbps\": -1}]}", 1, "must be a whole number");
    WRONG("{\"ports\": [{\"device\": \"a\",\n\"pfc\": 3}]}", 2, "must be an array of whole numbers");
    WRONG("{\"ports\": [{\"device\": \"a\",\n\"gid_types\": [\"x\", 1]}]}", 2, "must be an array of strings");
    WRONG("{\"devices\": [{\"device\": \"a\",\n\"roce_enabled\": \"yes\"}]}", 2, "must be true or false");
    WRONG("{\n\"devices\": {\"mlx5_0\": {}}}", 2, "must be an array of objects");
    WRONG("{\n\"devices\": [1]}", 2, "must be an array of objects");
    WRONG("{\"ports\": [\n{\"rate_mbps\": 1}]}", 2, "neither 'device' nor 'netdev'");
    WRONG("{\"devices\": [\n{\"fw_ver\": \"1\"}]}", 2, "has no 'device'");
    WRONG("{\n\n\"devices\": [}", 3, "not valid JSON");
    WRONG("{\"kernel\": \"1\",\n\"kernel\": \"2\"}", 2, "not valid JSON");
    WRONG("", 1, "not valid JSON");
    WRONG("[]", 1, "one object");
    WRONG("{}", 1, "nothing is expected");
}
