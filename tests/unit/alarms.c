/* SPDX-License-Identifier: MIT */
/* What healthy hosts look like, and once was called a fault: worth a word at most, unless it hurts somebody. */
#include <criterion/criterion.h>
#include <net/if.h>
#include <sys/socket.h>

#include "check/check.h"
#include "consumer/consumer.h"
#include "model/counters.h"
#include "model/qos.h"
#include "model/resources.h"

static struct arena *arena;

/* Two ConnectX-like cards of one board, each with an ACTIVE 100G port and an address. */
static struct gid gids[2];
static struct port ports[2], old_port;
static struct device devices[2], old_device;
static struct netdev netdevs[4];
static struct address addresses[2];
static struct pci pcis[4];
static struct qos qos;
static struct resource item;
static struct resources resources;
static struct host host, before;

static void setup(void)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1" }, *const nets[] = { "eth0", "eth1" },
                             *const slots[] = { "0000:17:00.0", "0000:18:00.0" };
    arena = arena_new();
    for (size_t i = 0; i < 2; i++) {
        gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, (uint8_t)i, 1 },
                                .type = GID_TYPE_ROCE_V2,
                                .netdev = nets[i] };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .phys_state = num_of(PHYS_STATE_LINK_UP),
                                  .transport = TRANSPORT_ROCE,
                                  .link_layer = LINK_LAYER_ETHERNET,
                                  .gid_table_len = num_of(8),
                                  .gids = &gids[i],
                                  .ngids = 1,
                                  .netdev = nets[i],
                                  .rate_mbps = num_of(100000),
                                  .roce_mtu = num_of(1024) };
        devices[i] = (struct device){ .name = names[i],
                                      .transport = TRANSPORT_ROCE,
                                      .driver = "mlx5_core",
                                      .board_id = "MT_0000000359",
                                      .fw_ver = "28.1",
                                      .parent_bus = "pci",
                                      .pci = slots[i],
                                      .parent = slots[i],
                                      .ports = &ports[i],
                                      .nports = 1 };
        pcis[i] = (struct pci){ .address = slots[i],
                                .vendor = num_of(0x15b3),
                                .device = num_of(0x1021),
                                .link_speed = "16.0 GT/s PCIe",
                                .link_speed_max = "32.0 GT/s PCIe",
                                .link_width = num_of(8),
                                .link_width_max = num_of(16) };
        addresses[i] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 0, (uint8_t)i, 1 } };
        netdevs[i] = (struct netdev){ .name = nets[i],
                                      .driver = "mlx5_core",
                                      .pci = slots[i],
                                      .parent = slots[i],
                                      .flags = num_of(IFF_UP),
                                      .mtu = num_of(1500),
                                      .carrier = TRI_YES,
                                      .operstate = "up",
                                      .addresses = &addresses[i],
                                      .naddresses = 1,
                                      .addresses_known = true };
    }
    qos = (struct qos){ .netdev = "eth0", .dcb = { .has_pfc = true } };
    resources = (struct resources){ .items = &item };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = 2,
                          .pcis = pcis,
                          .npcis = 2,
                          .netdevs = netdevs,
                          .nnetdevs = 2,
                          .qos = &qos,
                          .nqos = 1,
                          .routes_known = true,
                          .resources = &resources,
                          .system = { .environment_known = true, .modules_known = true } };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(alarms, .init = setup, .fini = teardown);

/* What a check says of the first device, port or netdev that has something told. */
static struct finding ask(const char *id)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(&host, before.arena ? &before : NULL, before.arena ? 1000 : 0, &selection,
                                     arena);
    cr_assert_geq(report.nfindings, 1, "%s was asked about nothing", id);
    return report.findings[0];
}

#define EXPECT(ID, VERDICT)                                                                             \
    do {                                                                                                \
        struct finding found = ask(ID);                                                                 \
        cr_expect_eq(found.verdict, (VERDICT), "%s: %s, not %s: %s", (ID), verdict_name(found.verdict), \
                     verdict_name(VERDICT), found.evidence);                                            \
    } while (0)

Test(alarms, a_link_of_pcie_that_is_enough_for_its_ports)
{
    EXPECT("pcie-width", VERDICT_INFO); /* Gen4 x8 carries 113 Gb/s, both alike */
    EXPECT("pcie-speed", VERDICT_INFO);
    ports[0].rate_mbps = num_of(200000);
    EXPECT("pcie-width", VERDICT_WARN);
    EXPECT("pcie-speed", VERDICT_WARN);
    ports[0].rate_mbps = num_of(25000);
    pcis[0].link_speed = "8.0 GT/s PCIe", pcis[1].link_speed = "8.0 GT/s PCIe";
    ports[1].rate_mbps = num_of(25000);
    EXPECT("pcie-speed", VERDICT_INFO);
    pcis[1].link_width = num_of(16); /* a like board has twice as much: it is the slot */
    EXPECT("pcie-width", VERDICT_WARN);
    pcis[1].link_width = num_of(8);
    /* two ports of a card share its link */
    devices[1].pci = devices[1].parent = pcis[1].address = "0000:17:00.1";
    ports[0].rate_mbps = ports[1].rate_mbps = num_of(40000);
    EXPECT("pcie-width", VERDICT_WARN);
    ports[1].state = num_of(PORT_STATE_DOWN);
    EXPECT("pcie-width", VERDICT_INFO);
}

/* github.com/scitix/sichek/pull/122: ConnectX-7 in hosts of PCIe Gen4. */
Test(alarms, a_card_that_is_newer_than_its_slots)
{
    static const char *const bridges[] = { "0000:16:01.0", "0000:16:02.0" };
    for (size_t i = 0; i < 2; i++) {
        pcis[2 + i] = (struct pci){ .address = bridges[i],
                                    .link_speed_max = "16.0 GT/s PCIe",
                                    .link_width_max = num_of(16) };
        pcis[i].upstream = bridges[i];
        pcis[i].link_width = num_of(16);
        ports[i].rate_mbps = num_of(400000);
    }
    host.npcis = 4;
    struct finding finding = ask("pcie-speed");
    cr_expect_eq(finding.verdict, VERDICT_INFO, "%s", finding.evidence);
    cr_expect(strstr(finding.evidence, "the slot can do no more"), "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "faster than 0000:16:01.0"), "%s", finding.fix);
    pcis[2].link_speed_max = "32.0 GT/s PCIe"; /* the slot could, and doesn't */
    finding = ask("pcie-speed");
    cr_expect_eq(finding.verdict, VERDICT_WARN, "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "reseat"), "%s", finding.fix);
    pcis[2].link_speed_max = "16.0 GT/s PCIe";
    pcis[1].link_speed = "32.0 GT/s PCIe"; /* the other slot can */
    EXPECT("pcie-speed", VERDICT_WARN);
}

/* forums.developer.nvidia.com/t/367853: the port above a ConnectX-7 has two lanes. */
Test(alarms, lanes_that_the_slot_hasnt_got)
{
    pcis[2] = (struct pci){ .address = "0000:16:01.0", .link_width_max = num_of(8) };
    pcis[0].upstream = "0000:16:01.0";
    ports[0].rate_mbps = num_of(200000);
    host.npcis = 3;
    struct finding finding = ask("pcie-width");
    cr_expect_eq(finding.verdict, VERDICT_WARN, "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "0000:16:01.0 above it offers 8"), "%s", finding.fix);
    pcis[2].link_width_max = num_of(16);
    finding = ask("pcie-width");
    cr_expect(strstr(finding.fix, "reseat"), "%s", finding.fix);
}

/* Two DGX Sparks joined by a cable, as NVIDIA's playbook says
 * (github.com/mark-ramsey-ri/vllm-dgx-spark/issues/1 has its addresses): 169.254.0.0/16 is all that they have,
 * and enough. */
Test(alarms, link_local_ipv4_between_two_hosts)
{
    static struct environment pin = { "NCCL_IB_GID_INDEX", "0" };
    for (size_t i = 0; i < 2; i++) {
        memcpy(&gids[i].raw[12], (uint8_t[]){ 169, 254, 28, (uint8_t)i }, 4);
        memcpy(addresses[i].raw, (uint8_t[]){ 169, 254, 28, (uint8_t)i }, 4);
    }
    EXPECT("gid-routable", VERDICT_INFO);
    host.system.environment = &pin;
    host.system.nenvironment = 1;
    EXPECT("nccl-gid-index", VERDICT_PASS);
    struct gid better[] = { gids[0], { .raw = { 0x20, 1 }, .index = 1, .type = GID_TYPE_ROCE_V2 } };
    ports[0].gids = better;
    ports[0].ngids = 2;
    EXPECT("gid-routable", VERDICT_INFO); /* of the other port */
    EXPECT("nccl-gid-index", VERDICT_FAIL);
}

/* A port with two PCIe links, of which one has the address (github.com/geerlingguy/sbc-reviews/issues/92 has
 * the GUIDs of such a card). */
Test(alarms, the_other_half_of_a_port_has_the_address)
{
    static struct environment named = { "NCCL_IB_HCA", "mlx5_0,mlx5_1" };
    host.system.environment = &named;
    host.system.nenvironment = 1;
    for (size_t i = 0; i < 2; i++) {
        devices[i].sys_image_guid = num_of(0xfc4cea0300f94230);
        netdevs[i].phys_port_name = "p0";
    }
    memcpy(gids[1].raw, (uint8_t[16]){ 0xfe, 0x80, [15] = 1 }, 16);
    netdevs[1].naddresses = 0;
    struct finding finding = ask("gid-routable");
    cr_expect_eq(finding.verdict, VERDICT_INFO, "%s", finding.evidence);
    cr_expect(strstr(finding.evidence, "mlx5_0/1, on the other PCIe link"), "%s", finding.evidence);
    devices[1].uverbs.tried = true;
    struct choice choice = consumer_choose(CONSUMER_NCCL, &host, &ports[1]);
    cr_expect(choice.flaw && strstr(choice.flaw, "half of the port's rate"), "%s", choice.flaw);
    netdevs[1].phys_port_name = "p1";
    EXPECT("gid-routable", VERDICT_FAIL);
    netdevs[1].phys_port_name = "p0";
    devices[1].sys_image_guid = num_of(0xfc4cea0300f94238); /* another card's */
    EXPECT("gid-routable", VERDICT_FAIL);
    devices[1].sys_image_guid = num_of(0xfc4cea0300f94230);
    devices[1].pci = devices[1].parent = pcis[1].address = "0000:17:00.1"; /* another function of it */
    EXPECT("gid-routable", VERDICT_FAIL);
    devices[1].pci = devices[1].parent = pcis[1].address = "0000:18:00.0";
    ports[0].state = num_of(PORT_STATE_DOWN);
    EXPECT("gid-routable", VERDICT_FAIL);
    ports[0].state = num_of(PORT_STATE_ACTIVE);
    memcpy(gids[0].raw, (uint8_t[16]){ 0xfe, 0x80, [15] = 2 }, 16);
    EXPECT("gid-routable", VERDICT_FAIL); /* neither has one */
}

/* github.com/NVIDIA/NV-Kernels/pull/358: a virtual function whose MAC came late. */
Test(alarms, a_gid_of_the_mac_before)
{
    struct gid own[] = {
        { .raw = { 0xfe, 0x80, [8] = 0x0e, 0x42, 0xa1, 0xff, 0xfe, 1, 2, 3 }, .netdev = "eth0" }, gids[0]
    };
    own[1].index = 1;
    ports[0].gids = own;
    ports[0].ngids = 2;
    host.ndevices = 1;
    netdevs[0].mac = "0c:42:a1:01:02:03";
    EXPECT("gid-stale", VERDICT_PASS);
    netdevs[0].mac = "0c:42:a1:01:02:04";
    struct finding finding = ask("gid-stale");
    cr_expect_eq(finding.verdict, VERDICT_INFO, "%s", finding.evidence);
    cr_expect(strstr(finding.evidence, "gids/0: fe80::e42:a1ff:fe01:203"), "%s", finding.evidence);
    netdevs[0].dev_id = num_of(1); /* then the middle isn't ff:fe */
    EXPECT("gid-stale", VERDICT_PASS);
    netdevs[0].dev_id = num_of(0);
    netdevs[0].mac = NULL;
    EXPECT("gid-stale", VERDICT_PASS);
    netdevs[0].mac = "0c:42:a1:01:02:04";
    struct address two[] = { addresses[0], { .family = AF_INET6, .prefix = 64 } };
    memcpy(two[1].raw, own[0].raw, 16);
    netdevs[0].addresses = two; /* somebody gave it that address */
    netdevs[0].naddresses = 2;
    EXPECT("gid-stale", VERDICT_PASS);
}

Test(alarms, an_mtu_of_1500_where_all_have_it)
{
    EXPECT("netdev-mtu", VERDICT_INFO);
    ports[1].roce_mtu = num_of(4096);
    EXPECT("netdev-mtu", VERDICT_WARN);
    ports[1].roce_mtu = num_of(1024);
    ports[0].roce_mtu = num_of(512);
    EXPECT("netdev-mtu", VERDICT_WARN);
    ports[0].roce_mtu = ports[1].roce_mtu = num_of(2048);
    EXPECT("netdev-mtu", VERDICT_PASS);
}

Test(alarms, lossy_by_choice_and_ecn_that_nobody_shows)
{
    EXPECT("lossless-configured", VERDICT_UNKNOWN);
    netdevs[0].ecn_enabled[3] = TRI_YES, netdevs[0].ecn_np[3] = TRI_YES;
    netdevs[1].ecn_enabled[3] = TRI_YES, netdevs[1].ecn_np[3] = TRI_YES;
    host.nqos = 1, qos.netdev = "eth0";
    host.ndevices = 1;
    EXPECT("lossless-configured", VERDICT_PASS);
    netdevs[0].ecn_enabled[3] = TRI_NO;
    EXPECT("lossless-configured", VERDICT_WARN);
    qos.ethtool.pause_rx = qos.ethtool.pause_tx = TRI_YES; /* the old way: all of the link is lossless */
    EXPECT("lossless-configured", VERDICT_PASS);
    qos.dcb.pfc_enabled = 1 << 3;
    EXPECT("pfc-one-priority", VERDICT_PASS);
    qos.dcb.pfc_enabled |= 1 << 4; /* storage has its own */
    EXPECT("pfc-one-priority", VERDICT_INFO);
    qos.dcb.pfc_enabled = 0xff;
    EXPECT("pfc-one-priority", VERDICT_WARN);
}

Test(alarms, the_default_tos_where_nobody_uses_rdma_cm)
{
    host.ndevices = 1;
    qos.dcb.pfc_enabled = 1 << 3;
    qos.dcb.apps_known = true;
    ports[0].cm_tos = num_of(0);
    EXPECT("cm-tos-priority", VERDICT_INFO);
    item = (struct resource){ .type = RESOURCE_CM_ID, .device = "mlx5_0" };
    resources.nitems = 1;
    EXPECT("cm-tos-priority", VERDICT_WARN);
}

/* Counters of the first port: what they were 0, what they are. */
static void count_of(const char *driver, size_t n, const char *const names[], const uint64_t now[])
{
    static struct counter old[4], fresh[4];
    for (size_t i = 0; i < n; i++) {
        const char *dir = counter_def_find(driver, "counters", names[i]) ? "counters" : "hw_counters";
        const struct counter_def *def = counter_def_find(driver, dir, names[i]);
        old[i] = fresh[i] = (struct counter){ .dir = dir,
                                              .name = names[i],
                                              .raw = num_of(0),
                                              .def = def,
                                              .role = counter_role_find(def, dir, names[i]) };
        fresh[i].raw = num_of(now[i]);
    }
    old_device = devices[0], old_port = ports[0];
    old_device.ports = &old_port, old_port.device = &old_device;
    old_port.counters = old, ports[0].counters = fresh;
    old_port.ncounters = ports[0].ncounters = n;
    before = host;
    before.devices = &old_device, before.ndevices = host.ndevices = 1;
}

static void count(size_t n, const char *const names[], const uint64_t now[])
{
    count_of("mlx5_core", n, names, now);
}

Test(alarms, the_end_of_a_job)
{
    static const struct {
        const char *driver, *names[2];
    } cases[] = {
        { "mlx5_core", { "req_cqe_error", "req_cqe_flush_error" } },
        { "ionic", { "req_rx_cqe_err", "req_rx_cqe_flush" } },
        { "ionic", { "resp_rx_cqe_err", "resp_rx_cqe_flush" } },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        count_of(cases[i].driver, 2, cases[i].names, (const uint64_t[]){ 512, 512 });
        EXPECT("other-errors", VERDICT_PASS);
        count_of(cases[i].driver, 2, cases[i].names, (const uint64_t[]){ 512, 500 });
        EXPECT("other-errors", VERDICT_WARN);
    }
}

Test(alarms, errors_of_queue_pairs_tell_of_a_use)
{
    static const char *const names[] = { "local_ack_timeout_err", "port_xmit_packets", "symbol_error" };
    count(3, names, (const uint64_t[]){ 500, 1000, 12 });
    netdevs[0].naddresses = 0, ports[0].ngids = 0; /* its job has ended, and took the address with it */
    host.ndevices = 2;
    struct check_selection selection = { .only = "retransmissions,link-errors" };
    struct report report = check_run(&host, &before, 1000, &selection, arena);
    cr_expect_eq(report.told[VERDICT_FAIL], 1);
    cr_expect_str_eq(report.causes[0].check->id, "retransmissions");
}

Test(alarms, marks_are_congestion_control_at_work)
{
    static const char *const names[] = { "np_ecn_marked_roce_packets", "port_rcv_packets" };
    count(2, names, (const uint64_t[]){ 12000, 1000000 });
    EXPECT("ecn-marks", VERDICT_INFO);
    count(2, names, (const uint64_t[]){ 100, 1000000 });
    EXPECT("ecn-marks", VERDICT_PASS);
}

/* One timeout among 60 packets is 1.7 %, and chance. */
Test(alarms, a_nearly_idle_link)
{
    static const char *const names[] = { "packet_seq_err", "port_xmit_packets" };
    count(2, names, (const uint64_t[]){ 1, 60 });
    EXPECT("retransmissions", VERDICT_INFO);
    cr_expect(strstr(ask("retransmissions").evidence, "of too few to tell a rate"));
    count(2, names, (const uint64_t[]){ 4, 60 });
    EXPECT("retransmissions", VERDICT_INFO);
    count(2, names, (const uint64_t[]){ 5, 60 });
    EXPECT("retransmissions", VERDICT_FAIL);
}

Test(alarms, firmware_and_bonds_that_differ_on_purpose)
{
    static const char *members[] = { "eth0", "eth1" };
    static struct bond bond;
    devices[1].fw_ver = "28.2";
    EXPECT("firmware-version", VERDICT_INFO);
    bond = (struct bond){ .mode = num_of(1), .mode_text = "active-backup" };
    netdevs[2] = (struct netdev){
        .name = "bond0", .kind = NETDEV_BOND, .bond = &bond, .members = members, .nmembers = 2
    };
    netdevs[0].master = netdevs[1].master = "bond0";
    host.nnetdevs = 3;
    EXPECT("bond-cards", VERDICT_INFO);
    EXPECT("device-on-bond-member", VERDICT_INFO);
    netdevs[1].parent = "0000:17:00.1";
    EXPECT("device-on-bond-member", VERDICT_WARN); /* one card: the driver should have merged them */
}

Test(alarms, a_nic_without_an_rdma_device)
{
    netdevs[2] = (struct netdev){
        .name = "eno1", .driver = "bnxt_en", .pci = "0000:04:00.0", .parent = "0000:04:00.0"
    };
    pcis[2] = (struct pci){ .address = "0000:04:00.0", .vendor = num_of(0x14e4), .device = num_of(0x16d8) };
    host.nnetdevs = host.npcis = 3;
    EXPECT("nic-rdma-device", VERDICT_INFO);
    struct module loaded = { .name = "mlx5_ib" };
    host.system.modules = &loaded, host.system.nmodules = 1;
    netdevs[2].driver = "mlx5_core"; /* one of a model that has them */
    EXPECT("nic-rdma-device", VERDICT_INFO);
    pcis[2].vendor = num_of(0x15b3), pcis[2].device = num_of(0x1021);
    EXPECT("nic-rdma-device", VERDICT_WARN);
}

/* One of several that the driver has left alone; one that a guest has, or a model that does no RDMA here,
 * isn't. */
Test(alarms, an_adapter_without_a_driver)
{
    pcis[0].driver = "mlx5_core";
    pcis[2] = (struct pci){
        .address = "0000:19:00.0", .vendor = num_of(0x15b3), .device = num_of(0x1021), .is_adapter = true
    };
    host.npcis = 3;
    struct finding finding = ask("adapter-driver");
    cr_expect_eq(finding.verdict, VERDICT_WARN, "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "0000:19:00.0/modalias"), "%s", finding.fix);
    pcis[2].driver = "vfio-pci";
    EXPECT("adapter-driver", VERDICT_PASS);
    pcis[2].driver = "mlx4_core", pcis[2].class_code = num_of(0x020700);
    cr_expect(strstr(ask("adapter-driver").evidence, "only with the module mlx4_ib"));
    pcis[2].driver = NULL, pcis[2].device = num_of(0x1017);
    EXPECT("adapter-driver", VERDICT_PASS);
    host.system.container = CONTAINER_DOCKER;
    EXPECT("adapter-driver", VERDICT_NA);
    host.ndevices = host.nnetdevs = 0;
    host.system.has_infiniband_class = true;
    cr_expect_null(strstr(ask("rdma-device").evidence, "0000:19:00.0"),
                   "a container sees its host's functions");
    host.system.container = CONTAINER_NONE;
    cr_expect(strstr(ask("rdma-device").evidence, "0000:19:00.0, an adapter for RDMA, has no driver"));
    pcis[2].driver = "mlx5_core", pcis[2].class_code = num_of(0x020000);
    cr_expect(strstr(ask("rdma-device").fix, "type rxe"), "its netdev may be in another namespace");
    pcis[2].class_code = num_of(0x020700);
    cr_expect(strstr(ask("rdma-device").fix, "modprobe mlx5_ib"), "InfiniBand has none");
}

/* github.com/linux-nvme/nvme-cli/issues/2391: an E810 split into eight ports, each of which says so in the log.
 */
Test(alarms, a_card_of_more_ports_than_ice_does_rdma_on)
{
    static struct netdev eight[8];
    static char slots[8][16], names[8][16];
    for (size_t i = 0; i < 8; i++) {
        snprintf(slots[i], sizeof(slots[i]), "0000:89:00.%zu", i);
        snprintf(names[i], sizeof(names[i]), "ens1f%zu", i);
        eight[i] = (struct netdev){ .name = names[i], .driver = "ice", .pci = slots[i], .parent = slots[i] };
    }
    host.netdevs = eight;
    host.nnetdevs = 8;
    struct finding finding = ask("nic-rdma-device");
    cr_expect_eq(finding.verdict, VERDICT_INFO, "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "4 ports or fewer"), "%s", finding.fix);
    host.ndevices = 0;
    host.system.has_infiniband_class = true;
    finding = ask("rdma-device");
    cr_expect_eq(finding.verdict, VERDICT_FAIL);
    cr_expect(strstr(finding.evidence, "ens1f0 has 8 ports"), "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "4 ports or fewer"), "%s", finding.fix);
    host.nnetdevs = 4; /* as many as it does: the module, then */
    finding = ask("rdma-device");
    cr_expect(strstr(finding.fix, "irdma"), "%s", finding.fix);
    host.nnetdevs = 5;
    slots[4][6] = '8'; /* the fifth is another card's */
    finding = ask("rdma-device");
    cr_expect(strstr(finding.fix, "irdma"), "%s", finding.fix);
}

Test(alarms, a_management_nic_whose_roce_is_off)
{
    ports[1].gid_table_len = num_of(0), ports[1].ngids = 0;
    EXPECT("roce-enabled", VERDICT_FAIL); /* its like has it on */
    devices[1].board_id = "MT_0000000008";
    pcis[1].device = num_of(0x1015);
    EXPECT("roce-enabled", VERDICT_INFO);
    struct environment names_it = { "NCCL_IB_HCA", "=mlx5_1" };
    host.system.environment = &names_it, host.system.nenvironment = 1;
    EXPECT("roce-enabled", VERDICT_FAIL);
}

Test(alarms, virtual_functions_in_pods)
{
    gids[1].netdev = ports[1].netdev = "net1"; /* in a pod */
    host.nnetdevs = 1;
    host.system.netns_mode = num_of(1);
    EXPECT("rdma-namespace-mode", VERDICT_PASS);
    EXPECT("port-netdev", VERDICT_PASS);
    EXPECT("gid-namespace", VERDICT_PASS);
    EXPECT("port-in-use", VERDICT_INFO);
    gids[0].netdev = ports[0].netdev = "net0"; /* none is here: it is the pod that lacks one */
    netdevs[0].name = "lo";
    EXPECT("rdma-namespace-mode", VERDICT_UNKNOWN); /* a node, or a shell with a network of its own? */
    host.system.first_netns = TRI_NO;
    EXPECT("rdma-namespace-mode", VERDICT_WARN);
    EXPECT("port-netdev", VERDICT_WARN);
    host.system.first_netns = TRI_YES; /* a node whose RDMA is all in its pods */
    EXPECT("rdma-namespace-mode", VERDICT_PASS);
    EXPECT("port-netdev", VERDICT_NA);
    EXPECT("port-in-use", VERDICT_INFO);
    EXPECT("gid-namespace", VERDICT_NA);
}

Test(alarms, a_representor_that_leads_nowhere)
{
    netdevs[2] = (struct netdev){ .name = "eth0_0", .kind = NETDEV_REPRESENTOR, .flags = num_of(0) };
    host.nnetdevs = 3;
    EXPECT("representor-up", VERDICT_INFO);
    netdevs[2].master = "br0";
    EXPECT("representor-up", VERDICT_WARN);
}

Test(alarms, counters_whose_end_hides_nothing)
{
    static struct counter counters[1];
    counters[0] = (struct counter){ .dir = "counters",
                                    .name = "VL15_dropped",
                                    .raw = num_of(65535),
                                    .def = counter_def_find("mlx5_core", "counters", "VL15_dropped") };
    ports[0].counters = counters, ports[0].ncounters = 1;
    EXPECT("counter-saturated", VERDICT_NA);
    counters[0].name = "symbol_error";
    counters[0].def = counter_def_find("mlx5_core", "counters", "symbol_error");
    EXPECT("counter-saturated", VERDICT_WARN);
}
