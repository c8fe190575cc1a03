/* SPDX-License-Identifier: MIT */
/* What stands out among rails: no lease, another prefix length, a neighbour's subnet; and what may differ. */
#include <criterion/criterion.h>
#include <netinet/in.h>

#include "asked.h"
#include "check/rail.h"
#include "consumer/advice.h"

enum { COUNT = 5, MAIN = 254 };
static struct arena *arena;
static struct port ports[COUNT];
static struct device devices[COUNT];
static struct netdev netdevs[COUNT];
static struct address addresses[COUNT];
static struct pci pcis[COUNT];
static struct gid gids[COUNT];
static struct route way_out;
static struct host host;

static const char *const names[] = { "eth0", "eth1", "eth2", "eth3", "eth4" };
static const char *const device_names[] = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4" };
static const char *const functions[] = { "0000:17:00.0", "0000:27:00.0", "0000:37:00.0", "0000:47:00.0",
                                         "0000:57:00.0" };

enum { PERMANENT = 0x80 };

static void give(size_t i, uint8_t a, uint8_t b, uint8_t c, uint8_t d, uint8_t prefix)
{
    addresses[i] = (struct address){
        .family = AF_INET, .prefix = prefix, .raw = { a, b, c, d }, .peer = { a, b, c, d }, .flags = PERMANENT
    };
    gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, a, b, c, d },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = names[i] };
}

static void make_port(size_t i)
{
    give(i, 10, 1, (uint8_t)(i + 1), 5, 24);
    netdevs[i] = (struct netdev){ .name = names[i],
                                  .ifindex = num_of(i + 2),
                                  .pci = functions[i],
                                  .mtu = num_of(9000),
                                  .mac = "02:00:00:00:00:01",
                                  .addresses = &addresses[i],
                                  .naddresses = 1,
                                  .addresses_known = true };
    ports[i] = (struct port){ .device = &devices[i],
                              .number = 1,
                              .transport = TRANSPORT_ROCE,
                              .link_layer = LINK_LAYER_ETHERNET,
                              .state = num_of(PORT_STATE_ACTIVE),
                              .rate_mbps = num_of(400000),
                              .roce_mtu = num_of(4096),
                              .gid_table_len = num_of(8),
                              .gids = &gids[i],
                              .ngids = 1,
                              .netdev = names[i] };
    devices[i] = (struct device){ .name = device_names[i],
                                  .board_id = "MT_0000000838",
                                  .transport = TRANSPORT_ROCE,
                                  .driver = "mlx5_core",
                                  .pci = functions[i],
                                  .ports = &ports[i],
                                  .nports = 1 };
    pcis[i] = (struct pci){ .address = functions[i], .vendor = num_of(0x15b3), .device = num_of(0x1021) };
}

/* Four rails of one plan, eth0 10.1.1.5/24 to eth3 10.1.4.5/24; eth4 follows it where a test counts it. */
static void setup(void)
{
    arena = arena_new();
    for (size_t i = 0; i < COUNT; i++)
        make_port(i);
    way_out = (struct route){ .family = AF_INET, .table = MAIN, .type = 1, .netdev = "eth9" };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL & ~NEED_NODES, .routes_known = true, .rules_known = true
    };
    host.devices = devices, host.netdevs = netdevs, host.pcis = pcis, host.routes = &way_out;
    host.ndevices = host.nnetdevs = host.npcis = COUNT - 1, host.nroutes = 1;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(rail_address, .init = setup, .fini = teardown);

static struct finding finding_of(const char *id, enum verdict verdict)
{
    struct finding finding = ask_about(&host, id, arena);
    EXPECT_VERDICT(finding, verdict);
    return finding;
}

Test(rail_address, one_that_dhcp_passed_by)
{
    finding_of("rail-address", VERDICT_PASS);
    give(2, 169, 254, 7, 7, 16);
    struct finding finding = finding_of("rail-address", VERDICT_WARN);
    cr_expect_eq(finding.subject.device, &devices[2]);
    EXPECT_TEXT(finding.evidence, "169.254.7.7 alone, which was taken for want of one; 3 others like it");
    cr_expect_str_eq(finding.fix,
                     "ip address add 10.1.3.5/24 dev eth2 # by the plan of its siblings, if nobody has it");
    addresses[0].flags = 0; /* leased */
    EXPECT_TEXT(finding_of("rail-address", VERDICT_WARN).fix, "DHCP answers eth0 and not eth2");
    /* two hosts joined by cables have nothing else, and that is fine */
    for (uint8_t i = 0; i < 4; i++)
        give(i, 169, 254, i, 7, 16);
    cr_expect_lt(finding_of("rail-address", VERDICT_NA).verdict, VERDICT_WARN);
    EXPECT_VERDICT(ask_about(&host, "gid-routable", arena), VERDICT_INFO);
    give(3, 10, 1, 4, 5, 24); /* beside the fabric's */
    finding_of("rail-address", VERDICT_PASS);
}

/* stepfun-ai/StepMesh issue 15: one of four was never given an address. */
Test(rail_address, one_that_has_none)
{
    finding_of("port-in-use", VERDICT_PASS);
    netdevs[2].naddresses = ports[2].ngids = 0;
    struct finding finding = finding_of("port-in-use", VERDICT_WARN);
    cr_expect_eq(finding.subject.device, &devices[2]);
    EXPECT_TEXT(finding.evidence, "no address; by the plan of the others like it: 10.1.3.5/24");
    cr_expect_str_eq(finding.fix,
                     "ip address add 10.1.3.5/24 dev eth2 # by the plan of its siblings, if nobody has it");
    netdevs[2].master = "br0";
    finding_of("port-in-use", VERDICT_INFO);
    netdevs[2].master = NULL, ports[2].state = num_of(PORT_STATE_DOWN);
    finding_of("port-in-use", VERDICT_INFO);
    ports[2].state = num_of(PORT_STATE_ACTIVE), pcis[2].sriov_vfs = num_of(4), devices[2].parent_bus = "pci";
    finding_of("port-in-use", VERDICT_INFO);
    pcis[2].sriov_vfs = (struct num){ 0 };
    struct daemon kubelet = { .program = "kubelet", .unit = "kubelet.service" };
    host.system.daemons = &kubelet, host.system.ndaemons = 1;
    finding_of("port-in-use", VERDICT_INFO);
    host.system.ndaemons = 0;
    give(1, 10, 7, 9, 5, 24); /* the others follow no plan */
    finding_of("port-in-use", VERDICT_INFO);
}

/* The members' devices of a bond have its address, each. */
Test(rail_address, two_devices_of_one_bond)
{
    host.ndevices = host.npcis = COUNT;
    gids[4] = gids[3];
    ports[4].netdev = names[3];
    finding_of("rail-address", VERDICT_PASS);
    give(4, 10, 1, 4, 6, 24);
    ports[4].netdev = names[4], host.nnetdevs = COUNT;
    EXPECT_TEXT(finding_of("rail-address", VERDICT_WARN).evidence,
                "10.1.4.6/24 of eth4 is in the subnet of mlx5_3/1");
}

Test(rail_address, another_prefix_length)
{
    give(1, 10, 1, 2, 5, 25);
    struct finding finding = finding_of("rail-address", VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "10.1.2.5/25 of eth1 has a prefix length of 25");
    EXPECT_TEXT(finding.fix,
                "ip address del 10.1.2.5/25 dev eth1 && ip address add 10.1.2.5/24 dev eth1 # inter");
    finding_of("rail-overlap", VERDICT_PASS); /* within its own */
    host.routes_known = false;
    finding_of("rail-address", VERDICT_UNKNOWN);
    host.routes_known = true;
    way_out.netdev = "eth1"; /* a front end, and it stays one */
    finding_of("rail-address", VERDICT_PASS);
    way_out.table = 100; /* each rail has one of those */
    finding_of("rail-address", VERDICT_WARN);
}

Test(rail_address, a_neighbours_subnet)
{
    give(2, 10, 1, 2, 6, 24);
    struct finding finding = finding_of("rail-address", VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "10.1.2.6/24 of eth2 is in the subnet of mlx5_1/1");
    EXPECT_TEXT(finding.fix, "ip address add 10.1.3.5/24 dev eth2");
}

Test(rail_address, another_kind_of_port_may_differ)
{
    give(3, 10, 200, 0, 5, 16); /* storage */
    finding_of("rail-address", VERDICT_PASS);
    finding_of("rail-overlap", VERDICT_PASS);
    give(3, 10, 1, 4, 5, 25);
    devices[3].board_id = "MT_0000000359"; /* another card */
    pcis[3].device = num_of(0x101d);
    finding_of("rail-address", VERDICT_PASS);
}

Test(rail_address, rails_of_one_subnet_and_without_a_plan)
{
    for (uint8_t i = 0; i < 4; i++)
        give(i, 10, 1, 0, (uint8_t)(72 + i), 16);
    finding_of("rail-address", VERDICT_PASS);
    give(1, 10, 1, 0, 73, 24);
    EXPECT_TEXT(finding_of("rail-address", VERDICT_WARN).evidence, "10.1.0.73/24 of eth1");
    give(1, 169, 254, 0, 1, 16); /* the number between its neighbours' may be another host's */
    EXPECT_TEXT(finding_of("rail-address", VERDICT_WARN).fix,
                "ip address add ADDRESS/PREFIX dev eth1 # ADDRESS/PREFIX: a free address");
    teardown();
    setup();
    give(0, 10, 9, 1, 5, 24);
    give(1, 10, 1, 2, 5, 25);
    finding_of("rail-address", VERDICT_PASS);
}

Test(rail_address, subnets_within_each_other)
{
    finding_of("rail-overlap", VERDICT_PASS);
    host.ndevices = host.nnetdevs = 2;
    give(0, 10, 1, 1, 5, 16);
    struct finding finding = finding_of("rail-overlap", VERDICT_WARN);
    cr_expect_eq(finding.subject.device, &devices[0]);
    EXPECT_TEXT(finding.evidence,
                "the subnet of 10.1.1.5/16 (eth0) holds that of 10.1.2.5/24 (eth1, mlx5_1/1)");
    give(1, 10, 1, 2, 5, 16); /* equal ones are arp-flux's and rp-filter's */
    finding_of("rail-overlap", VERDICT_PASS);
    give(1, 10, 1, 2, 5, 32); /* in no subnet */
    finding_of("rail-overlap", VERDICT_PASS);
    give(1, 10, 1, 2, 5, 24);
    host.routes_known = false;
    finding_of("rail-overlap", VERDICT_UNKNOWN);
    host.routes_known = true;
    way_out.netdev = "eth0"; /* a front end with the whole site's prefix */
    finding_of("rail-overlap", VERDICT_PASS);
}

Test(rail_address, the_narrower_one_is_the_mistake_where_most_are_wider)
{
    for (uint8_t i = 0; i < 4; i++)
        give(i, 10, 1, 0, (uint8_t)(72 + i), 16);
    give(1, 10, 1, 0, 73, 24);
    struct finding finding = finding_of("rail-overlap", VERDICT_WARN);
    cr_expect_eq(finding.subject.device, &devices[1]);
    EXPECT_TEXT(finding.evidence, "lies in that of");
    struct check_selection selection = { .only = "rail-address,rail-overlap" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_expect_eq(report.ncauses, 1, "one cause is one finding");
    cr_expect_str_eq(report.causes[0].check->id, "rail-address");
}

Test(rail_address, the_front_ends_mtu_is_the_outsides)
{
    netdevs[3].mtu = num_of(1500);
    ports[3].roce_mtu = num_of(1024);
    finding_of("netdev-mtu", VERDICT_WARN);
    way_out.netdev = "eth3";
    EXPECT_TEXT(finding_of("netdev-mtu", VERDICT_INFO).evidence, "the default route leaves here");
    struct route two[] = { way_out, way_out };
    two[0].metric = num_of(200), two[1].netdev = "eth9", two[1].metric = num_of(100);
    host.routes = two, host.nroutes = 2;
    finding_of("netdev-mtu", VERDICT_WARN);
    host.routes_known = false;
    finding_of("netdev-mtu", VERDICT_UNKNOWN);
}

static struct advice advise(enum consumer consumer, bool asked)
{
    const struct port *all[] = { &ports[0], &ports[1], &ports[2], &ports[3] };
    bool other_prefix[4];
    struct found_rails found = { 0 };
    for (size_t i = 0; i < 4; i++)
        other_prefix[i] = rail_has_other_prefix(&host, &ports[i], &found, arena);
    return consumer_advice(consumer, &host, all, other_prefix, 4, asked);
}

Test(rail_address, a_line_names_ports_that_reach_each_other)
{
    static const enum consumer consumers[] = { CONSUMER_NCCL, CONSUMER_UCX, CONSUMER_MPI };
    give(2, 169, 254, 7, 7, 16);
    for (size_t i = 0; i < ARRAY_SIZE(consumers); i++) {
        struct advice advice = advise(consumers[i], false);
        EXPECT_TEXT(advice_line(&advice), "mlx5_0:1,mlx5_1:1,mlx5_3:1");
        cr_expect_not(strstr(advice_line(&advice), "mlx5_2"), "%s", advice_line(&advice));
        cr_expect(advice_leaves_aside(&advice, &advice.ports[2]));
        EXPECT_TEXT(advice.ports[2].choice.flaw, "169.254.0.0/16 alone");
    }
    struct advice advice = advise(CONSUMER_NCCL, true);
    EXPECT_TEXT(advice_line(&advice), "mlx5_2:1");
    for (uint8_t i = 0; i < 4; i++)
        give(i, 169, 254, i, 7, 16);
    advice = advise(CONSUMER_NCCL, false);
    EXPECT_TEXT(advice_line(&advice), "mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1");
    cr_expect_null(advice.ports[0].choice.flaw);
}

Test(rail_address, a_line_leaves_out_another_prefix_length)
{
    give(3, 10, 1, 4, 5, 16);
    struct advice advice = advise(CONSUMER_UCX, false);
    EXPECT_TEXT(advice_line(&advice), "=mlx5_0:1,mlx5_1:1,mlx5_2:1");
    cr_expect_not(strstr(advice_line(&advice), "mlx5_3"), "%s", advice_line(&advice));
    EXPECT_TEXT(advice.ports[3].choice.flaw, "another prefix length");
    advice = advise(CONSUMER_UCX, true);
    EXPECT_TEXT(advice_line(&advice), "mlx5_3:1");
    give(3, 10, 200, 0, 5, 16); /* storage */
    advice = advise(CONSUMER_NCCL, false);
    EXPECT_TEXT(advice_line(&advice), "mlx5_3:1");
}

Test(rail_address, on_a_port_of_a_bridge)
{
    host.nnetdevs = COUNT, netdevs[4].kind = NETDEV_BRIDGE;
    netdevs[1].master = names[4];
    give(1, 10, 1, 2, 5, 25);
    finding_of("rail-address", VERDICT_PASS);
    give(1, 169, 254, 7, 7, 16);
    addresses[0].flags = 0; /* leased */
    EXPECT_TEXT(finding_of("rail-address", VERDICT_WARN).fix, "ip address add 10.1.2.5/24 dev eth4");
}

/* Of two ports there is no majority: the one that has an address is what the other lacks. */
Test(rail_address, one_of_two_that_dhcp_passed_by)
{
    host.ndevices = host.nnetdevs = host.npcis = 2;
    give(1, 169, 254, 3, 4, 16);
    struct finding finding = finding_of("rail-address", VERDICT_WARN);
    cr_expect_eq(finding.subject.device, &devices[1]);
    EXPECT_TEXT(finding.evidence, "1 other like it has an address (mlx5_0/1: 10.1.1.5/24)");
    const struct port *both[] = { &ports[0], &ports[1] };
    struct advice advice = consumer_advice(CONSUMER_NCCL, &host, both, NULL, 2, false);
    EXPECT_TEXT(advice.ports[1].choice.flaw, "169.254.0.0/16 alone");
    give(0, 169, 254, 1, 2, 16); /* a cable to another host at each */
    cr_expect_lt(finding_of("rail-address", VERDICT_NA).verdict, VERDICT_WARN);
    EXPECT_VERDICT(ask_about(&host, "gid-routable", arena), VERDICT_INFO);
    host.ndevices = host.nnetdevs = host.npcis = 1;
    cr_expect_lt(finding_of("rail-address", VERDICT_NA).verdict, VERDICT_WARN);
}

/* The host's own half of one port has the address: not for want of a lease. */
Test(rail_address, the_other_pcie_link_of_a_port)
{
    host.ndevices = host.nnetdevs = host.npcis = 2;
    give(1, 169, 254, 3, 4, 16);
    for (size_t i = 0; i < 2; i++) {
        devices[i].sys_image_guid = (struct num){ .value = 7, .known = true };
        netdevs[i].phys_port_name = "p0";
    }
    EXPECT_TEXT(finding_of("rail-address", VERDICT_PASS).evidence, "another PCIe link");
}

Test(rail_address, an_infiniband_port_that_is_down_is_not_bad)
{
    ports[1].transport = TRANSPORT_INFINIBAND;
    ports[1].state = num_of(PORT_STATE_DOWN);
    struct choice choice = consumer_choose(CONSUMER_NCCL, &host, &ports[1]);
    cr_expect(choice.unused && !choice.flaw);
    EXPECT_TEXT(choice.why, "the port is DOWN");
    ports[1].state = num_of(PORT_STATE_INIT);
    cr_expect(consumer_choose(CONSUMER_NCCL, &host, &ports[1]).flaw);
}
