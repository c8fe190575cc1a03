/* SPDX-License-Identifier: MIT */
/* Priorities by DSCP and by the PCP of VLANs, as the checks judge them. */
#include <criterion/criterion.h>

#include "asked.h"
#include "check/check.h"
#include "model/qos.h"
#include "model/resources.h"

static struct arena *arena;
static struct gid gids[2];
static struct port port;
static struct device device;
static struct netdev netdevs[2];
static struct vlan_pcp map[1];
static struct qos qos;
static struct qos_app app;
static struct resource listener;
static struct resources resources;
static struct host host;

/* mlx5_0's port is eth0, which trusts PCP and has PFC on priority 3. Its routable GID stands on the VLAN
 * eth0.7, whose egress map gives PCP 3 to the kernel's priority 2: TOS 104. */
static void setup(void)
{
    arena = arena_new();
    gids[0] = (struct gid){ .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
    gids[1] = (struct gid){
        .index = 1, .raw = { [10] = 0xff, 0xff, 10, 7, 0, 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0.7"
    };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .state = num_of(PORT_STATE_ACTIVE),
                          .transport = TRANSPORT_ROCE,
                          .gid_table_len = num_of(16),
                          .gids = gids,
                          .ngids = 2,
                          .cm_tos = num_of(104),
                          .netdev = "eth0" };
    device = (struct device){
        .name = "mlx5_0", .transport = TRANSPORT_ROCE, .driver = "mlx5_core", .ports = &port, .nports = 1
    };
    map[0] = (struct vlan_pcp){ 2, 3 };
    netdevs[0] = (struct netdev){ .name = "eth0", .kind = NETDEV_PHYSICAL };
    netdevs[1] = (struct netdev){ .name = "eth0.7",
                                  .kind = NETDEV_VLAN,
                                  .lower = "eth0",
                                  .vlan_id = num_of(7),
                                  .egress = map,
                                  .negress = 1,
                                  .egress_known = true };
    qos = (struct qos){ .netdev = "eth0",
                        .dcb = { .has_pfc = true, .pfc_enabled = 1 << 3, .apps_known = true } };
    listener = (struct resource){ .type = RESOURCE_CM_ID, .device = "mlx5_0" }; /* somebody uses RDMA_CM */
    resources = (struct resources){ .items = &listener, .nitems = 1 };
    host = (struct host){ .arena = arena,
                          .resources = &resources,
                          .needs = NEED_ALL,
                          .devices = &device,
                          .ndevices = 1,
                          .netdevs = netdevs,
                          .nnetdevs = 2,
                          .qos = &qos,
                          .nqos = 1 };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(lossless, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

static void trust_dscp(unsigned dscp, unsigned priority)
{
    app = (struct qos_app){ QOS_APP_DSCP, (uint8_t)priority, (uint16_t)dscp };
    qos.dcb.apps = &app;
    qos.dcb.napps = 1;
}

Test(lossless, a_vlan_with_pcp_is_sound)
{
    static const char *const ids[] = { "trust-untagged", "cm-tos-priority", "lossless-configured",
                                       "pfc-one-priority" };
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        EXPECT_VERDICT(ask(ids[i]), VERDICT_PASS);
    EXPECT_TEXT(ask("cm-tos-priority").evidence, "PCP 3 by eth0.7");
}

Test(lossless, a_vlan_whose_map_leads_elsewhere)
{
    map[0].priority = 6;
    struct finding finding = ask("cm-tos-priority");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "PCP 0 by eth0.7, priority 0");
    EXPECT_TEXT(finding.fix, "ip link set dev eth0.7 type vlan egress 2:3 ");
    port.cm_tos = num_of(0);
    EXPECT_TEXT(ask("cm-tos-priority").fix, "ip link set dev eth0.7 type vlan egress 0:3 ");
    netdevs[1].egress_known = false;
    netdevs[1].negress = 0;
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_UNKNOWN);
}

/* mqprio on eth0: its map counts, and the VLAN's doesn't. */
Test(lossless, a_vlan_above_traffic_classes_goes_by_their_map)
{
    static struct traffic_classes classes = { .by = "mqprio", .of_priority = { [2] = 3 } };
    map[0].pcp = 5;
    netdevs[0].classes = &classes;
    host_finish(&host);
    struct finding finding = ask("cm-tos-priority");
    EXPECT_VERDICT(finding, VERDICT_PASS);
    EXPECT_TEXT(finding.evidence, "PCP 3 by eth0.7");
    classes.of_priority[2] = 1;
    finding = ask("cm-tos-priority");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "PCP 1 by eth0.7");
    EXPECT_TEXT(finding.fix, "tc qdisc show dev eth0 # the map of its mqprio decides");
    EXPECT_TEXT(finding.fix, "set it again with priority 2 in class 3");
    classes.of_priority[2] = 11; /* a tag has three bits for it */
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_PASS);
}

/* Drivers that make classes of what DCB has say so to nobody. */
Test(lossless, a_vlan_above_a_driver_s_own_classes_is_unknown)
{
    netdevs[0].driver = "bnxt_en";
    qos.dcb.has_ets = true;
    host_finish(&host);
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_PASS);
    qos.dcb.priority_tc[3] = 1;
    host_finish(&host);
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_UNKNOWN);
    netdevs[0].driver = "mlx5_core"; /* has them by mqprio only */
    host_finish(&host);
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_PASS);
    qos.dcb.priority_tc[3] = 0;
    netdevs[0].driver = "ice"; /* has one even so */
    host_finish(&host);
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_UNKNOWN);
}

Test(lossless, the_pcp_of_a_forced_class_is_the_applications)
{
    port.traffic_class = num_of(104);
    struct finding finding = ask("traffic-class-priority");
    EXPECT_VERDICT(finding, VERDICT_UNKNOWN);
    EXPECT_TEXT(finding.evidence, "service level");
    trust_dscp(26, 3);
    EXPECT_VERDICT(ask("traffic-class-priority"), VERDICT_PASS);
}

Test(lossless, addresses_without_a_vlan_are_untagged)
{
    gids[1].netdev = "eth0";
    EXPECT_VERDICT(ask("trust-untagged"), VERDICT_WARN);
    struct finding finding = ask("cm-tos-priority");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "the frames have no tag");
    trust_dscp(26, 3);
    EXPECT_VERDICT(ask("trust-untagged"), VERDICT_PASS);
    EXPECT_VERDICT(ask("cm-tos-priority"), VERDICT_PASS);
}

Test(lossless, a_macvlan_above_a_vlan_is_tagged_too)
{
    netdevs[0] = (struct netdev){ .name = "eth0.7", .kind = NETDEV_VLAN, .vlan_id = num_of(7) };
    netdevs[1] = (struct netdev){ .name = "mv0", .kind = NETDEV_MACVLAN, .lower = "eth0.7" };
    cr_expect_eq(netdev_vlan(&host, &netdevs[1]), &netdevs[0]);
    netdevs[0].kind = NETDEV_PHYSICAL;
    cr_expect_null(netdev_vlan(&host, &netdevs[1]));
    netdevs[0].lower = "mv0";
    cr_expect_null(netdev_vlan(&host, &netdevs[1]), "a circle ends");
}

/* Two are most often meant, one for storage: worth a word. Who wants one keeps one that is on. */
Test(lossless, two_priorities_with_pfc_may_be_meant)
{
    static const struct {
        uint8_t enabled;
        enum verdict verdict;
        const char *fix;
    } cases[] = {
        { 1 << 3, VERDICT_PASS, NULL },
        { 1 << 4, VERDICT_PASS, NULL },
        { 1 << 3 | 1 << 4, VERDICT_INFO, "dcb pfc set dev eth0 prio-pfc all:off 3:on" },
        { 1 << 4 | 1 << 5, VERDICT_INFO, "dcb pfc set dev eth0 prio-pfc all:off 4:on" },
        { 1 << 3 | 1 << 4 | 1 << 5, VERDICT_WARN, "dcb pfc set dev eth0 prio-pfc all:off 3:on" },
        { 0xff, VERDICT_WARN, "dcb pfc set dev eth0 prio-pfc all:off 3:on" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        qos.dcb.pfc_enabled = cases[i].enabled;
        EXPECT_VERDICT(ask("pfc-one-priority"), cases[i].verdict);
        if (cases[i].fix)
            EXPECT_TEXT(ask("pfc-one-priority").fix, cases[i].fix);
    }
}

Test(lossless, the_default_tos_goes_where_pfc_is)
{
    gids[1].netdev = "eth0";
    port.cm_tos = num_of(0);
    EXPECT_TEXT(ask("cm-tos-priority").fix, "mlnx_qos -i eth0 --trust dscp; roce mode tos mlx5_0/1 106 ");
    qos.dcb.pfc_enabled = 1 << 4;
    EXPECT_TEXT(ask("cm-tos-priority").fix,
                "mlnx_qos -i eth0 --trust dscp; roce mode tos mlx5_0/1 138 # DSCP 34");
    trust_dscp(46, 4);
    cr_expect_str_eq(ask("cm-tos-priority").fix, "roce mode tos mlx5_0/1 186 # DSCP 46, priority 4");
    trust_dscp(46, 5);
    EXPECT_TEXT(ask("cm-tos-priority").fix, "dcb app add dev eth0 dscp-prio 34:4; roce mode tos mlx5_0/1 138 ");
}

Test(lossless, only_drivers_with_a_trust_table_are_told_to_set_it)
{
    gids[1].netdev = "eth0";
    device.driver = "bnxt_en";
    device.name = "bnxt_re0";
    cr_expect_str_eq(ask("trust-untagged").fix, "dcb app add dev eth0 dscp-prio 26:3");
    qos.dcb.has_trust_order = true;
    EXPECT_TEXT(ask("trust-untagged").fix, "dcb apptrust set dev eth0 order dscp pcp");
}
