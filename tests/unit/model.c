/* SPDX-License-Identifier: MIT */
/* model: GIDs, rates, states, GUIDs, transport, MTU, and how ports find their netdev. */
#include <criterion/criterion.h>

#include "base/hash.h"
#include "model/host.h"

static struct gid make_gid(const char *text, uint32_t index, enum gid_type type, const char *netdev)
{
    struct gid gid = { .index = index, .type = type, .netdev = netdev };
    cr_assert_eq(gid_parse(text, gid.raw), 0, "%s", text);
    return gid;
}

#define LINK_LOCAL "fe80:0000:0000:0000:c670:bdff:feaa:1fc8"
#define MAPPED "0000:0000:0000:0000:0000:ffff:0a16:74dd"

Test(gid, text)
{
    struct gid gid = make_gid(LINK_LOCAL "\n", 0, GID_TYPE_ROCE_V2, NULL);
    char text[GID_TEXT_SIZE], address[GID_ADDRESS_SIZE];
    gid_format(gid.raw, text);
    cr_assert_str_eq(text, LINK_LOCAL);
    gid_address(gid.raw, address);
    cr_assert_str_eq(address, "fe80::c670:bdff:feaa:1fc8");
    gid = make_gid(MAPPED, 0, GID_TYPE_ROCE_V2, NULL);
    gid_address(gid.raw, address);
    cr_assert_str_eq(address, "10.22.116.221");
}

Test(gid, bad_text)
{
    uint8_t raw[16] = { 1 };
    static const char *const bad[] = {
        "", "fe80", LINK_LOCAL ":", "fe80::1", "fe80:0000:0000:0000:c670:bdff:feaa:1fcg", LINK_LOCAL "x"
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        cr_assert_eq(gid_parse(bad[i], raw), -EINVAL, "'%s'", bad[i]);
    cr_assert_eq(raw[0], 1, "a failure leaves the output alone");
}

Test(gid, kinds)
{
    struct gid local = make_gid(LINK_LOCAL, 0, 0, NULL), mapped = make_gid(MAPPED, 0, 0, NULL);
    struct gid zero = make_gid("0000:0000:0000:0000:0000:0000:0000:0000", 0, 0, NULL);
    struct gid v4_local = make_gid("0000:0000:0000:0000:0000:ffff:a9fe:0102", 0, 0, NULL);
    cr_assert(gid_is_link_local(local.raw) && !gid_is_link_local(mapped.raw));
    cr_assert(gid_is_v4_mapped(mapped.raw) && !gid_is_v4_mapped(zero.raw));
    cr_assert(gid_is_zero(zero.raw) && !gid_is_zero(mapped.raw));
    cr_assert(gid_is_v4_link_local(v4_local.raw) && !gid_is_v4_link_local(mapped.raw));
    cr_assert(gid_is_routable(mapped.raw) && !gid_is_routable(local.raw) && !gid_is_routable(v4_local.raw));
    cr_assert_eq(gid_type_parse("RoCE v2\n"), GID_TYPE_ROCE_V2);
    cr_assert_eq(gid_type_parse("RoCE v22"), GID_TYPE_UNKNOWN);
}

Test(device, rate)
{
    uint64_t mbps = 1;
    cr_assert_eq(rate_parse("100 Gb/sec (4X EDR)", &mbps), 0);
    cr_assert_eq(mbps, 100000);
    cr_assert_eq(rate_parse("2.5 Gb/sec (1X SDR)", &mbps), 0);
    cr_assert_eq(mbps, 2500);
    cr_assert_eq(rate_parse("10 Gb/sec (4X)", &mbps), 0, "older kernels name no speed");
    mbps = 1;
    cr_assert_eq(rate_parse("fast", &mbps), -EINVAL);
    cr_assert_eq(rate_parse("2. Gb/sec", &mbps), -EINVAL);
    cr_assert_eq(rate_parse("99999999999999999999 Gb/sec", &mbps), -EINVAL);
    cr_assert_eq(mbps, 1);
}

Test(device, state)
{
    uint64_t number;
    const char *text;
    cr_assert_eq(state_parse("4: ACTIVE", &number, &text), 0);
    cr_assert_eq(number, 4);
    cr_assert_str_eq(text, "ACTIVE");
    cr_assert_eq(state_parse("7: <unknown>", &number, &text), 0);
    cr_assert_eq(state_parse("ACTIVE", &number, &text), -EINVAL);
    cr_assert_eq(state_parse("", &number, &text), -EINVAL);
}

Test(device, guid)
{
    uint64_t guid;
    char text[GUID_TEXT_SIZE];
    cr_assert_eq(guid_parse("c470:bd03:00aa:1f09\n", &guid), 0);
    cr_assert_eq(guid, UINT64_C(0xc470bd0300aa1f09));
    guid_format(guid, text);
    cr_assert_str_eq(text, "c470:bd03:00aa:1f09");
    cr_assert_eq(guid_parse("c470:bd03:00aa", &guid), -EINVAL);
    cr_assert_eq(guid_parse("c470:bd03:00aa:1fzz", &guid), -EINVAL);
    cr_assert_eq(guid_parse("-470:bd03:00aa:1f09", &guid), -EINVAL);
}

Test(device, transport)
{
    enum link_layer ethernet[] = { LINK_LAYER_ETHERNET },
                    mixed[] = { LINK_LAYER_INFINIBAND, LINK_LAYER_ETHERNET };
    cr_assert_eq(device_transport(num_of(1), ethernet, 1), TRANSPORT_ROCE);
    cr_assert_eq(device_transport(num_of(4), ethernet, 1), TRANSPORT_IWARP,
                 "siw's link layer says Ethernet too");
    cr_assert_eq(device_transport(num_of(1), mixed, 2), TRANSPORT_MIXED);
    cr_assert_eq(device_transport(num_of(7), ethernet, 1), TRANSPORT_UNSPECIFIED);
    cr_assert_eq(device_transport((struct num){ 0 }, ethernet, 1), TRANSPORT_UNKNOWN);
}

/* The pairs were measured with rxe on Linux 6.1 (MTU of the netdev, active_mtu); hardware reserves 16 bytes
 * more. */
Test(device, mtu)
{
    static const struct {
        uint64_t netdev;
        unsigned rxe;
    } cases[] = { { 576, 256 },   { 1280, 1024 }, { 1500, 1024 }, { 2200, 2048 },
                  { 4200, 4096 }, { 9000, 4096 }, { 300, 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        cr_assert_eq(roce_mtu(cases[i].netdev, "rxe"), cases[i].rxe, "%u", (unsigned)cases[i].netdev);
    cr_assert_eq(roce_mtu(1119, "rxe"), 1024);
    cr_assert_eq(roce_mtu(1119, "mlx5_core"), 512);
    cr_assert_eq(roce_mtu(1120, NULL), 1024);
}

/* A host with one RoCE device of one port, and netdevs. */
static struct host *make_host(const char *parent, const char *bus, struct gid *gids, size_t ngids)
{
    struct host *host = host_new();
    struct device *device = ARENA_PUSH(host->arena, host->devices, host->ndevices);
    *device = (struct device){
        .name = "mlx5_0", .parent = parent, .parent_bus = bus, .transport = TRANSPORT_ROCE
    };
    struct port *port = ARENA_PUSH(host->arena, device->ports, device->nports);
    *port = (struct port){ .number = 1, .transport = TRANSPORT_ROCE, .gids = gids, .ngids = ngids };
    return host;
}

static struct netdev *add_netdev(struct host *host, const char *name, const char *parent)
{
    struct netdev *netdev = ARENA_PUSH(host->arena, host->netdevs, host->nnetdevs);
    *netdev = (struct netdev){ .name = name, .parent = parent, .mtu = num_of(4200), .dev_port = num_of(0) };
    return netdev;
}

static void expect_netdev(struct host *host, const char *name)
{
    host_finish(host);
    const char *found = host->devices[0].ports[0].netdev;
    cr_assert(name ? found && strcmp(found, name) == 0 : !found, "found %s", found ? found : "none");
    host_free(host);
}

Test(join, netdev_on_the_same_parent)
{
    struct host *host = make_host("0000:17:00.0", "pci", NULL, 0);
    add_netdev(host, "eth1", "0000:17:00.1");
    add_netdev(host, "eth0", "0000:17:00.0");
    expect_netdev(host, "eth0");
}

static void add_device(struct host *host, const char *name, uint32_t nports)
{
    struct device *device = ARENA_PUSH(host->arena, host->devices, host->ndevices);
    *device = (struct device){ .name = name };
    for (uint32_t number = 1; number <= nports; number++)
        *ARENA_PUSH(host->arena, device->ports, device->nports) = (struct port){ .number = number };
}

Test(host, walks_over_ports_of_all_devices)
{
    struct host *host = host_new();
    char seen[64] = "";
    cr_assert_null(host_next_port(host, NULL));
    add_device(host, "a", 0);
    add_device(host, "b", 2);
    add_device(host, "c", 0);
    add_device(host, "d", 1);
    add_device(host, "e", 0);
    host_finish(host);
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), " %s/%u", port->device->name, port->number);
    cr_assert_str_eq(seen, " b/1 b/2 d/1");
    host_free(host);
}

Test(host, finds_nothing_by_no_name)
{
    struct host *host = make_host("0000:17:00.0", "pci", NULL, 0);
    const struct netdev *netdev = add_netdev(host, "eth0", "0000:17:00.0");
    struct port *port = &host->devices[0].ports[0];
    cr_assert_null(host_find_device(host, NULL));
    cr_assert_null(host_find_pci(host, NULL));
    cr_assert_null(port_netdev(host, port));
    port->netdev = "eth1";
    cr_assert_null(port_netdev(host, port), "it is in another namespace");
    port->netdev = "eth0";
    cr_assert_eq(port_netdev(host, port), netdev);
    host_free(host);
}

Test(num, words)
{
    static const char *const words[] = { "none", [2] = "two" };
    cr_assert_str_eq(WORD_AT(words, 2u), "two");
    cr_assert_null(WORD_AT(words, 1u), "a gap");
    cr_assert_null(WORD_AT(words, 3u), "behind the end");
    cr_assert_str_eq(NUM_WORD(words, num_of(0)), "none");
    cr_assert_null(NUM_WORD(words, num_of(UINT64_MAX)));
    cr_assert_null(NUM_WORD(words, (struct num){ 0 }), "not known is not 0");
}

Test(device, soft)
{
    const struct device rxe = { .driver = "rxe" }, siw = { .driver = "siw" }, mlx5 = { .driver = "mlx5_core" };
    const struct device unknown = { .name = "rxe0" };
    cr_assert(device_is_rxe(&rxe) && device_is_soft(&rxe));
    cr_assert(!device_is_rxe(&siw) && device_is_soft(&siw));
    cr_assert(!device_is_rxe(&mlx5) && !device_is_soft(&mlx5));
    cr_assert(!device_is_rxe(&unknown) && !device_is_soft(&unknown));
}

Test(join, dev_port_tells_ports_apart)
{
    struct host *host = make_host("0000:17:00.0", "pci", NULL, 0);
    add_netdev(host, "eth0", "0000:17:00.0")->dev_port = num_of(1);
    add_netdev(host, "eth1", "0000:17:00.0");
    expect_netdev(host, "eth1");
}

Test(join, an_uplink_before_its_representors)
{
    struct host *host = make_host("0000:17:00.0", "pci", NULL, 0);
    add_netdev(host, "eth0", "0000:17:00.0")->phys_port_name = "pf0vf0";
    add_netdev(host, "eth1", "0000:17:00.0")->phys_port_name = "p0";
    expect_netdev(host, "eth1");
}

Test(join, a_bond_carries_its_members_port)
{
    struct gid gids[] = { make_gid(LINK_LOCAL, 0, GID_TYPE_ROCE_V2, "bond0") };
    struct bond bond = { .mode = num_of(4) };
    struct host *host = make_host("0000:17:00.0", "pci", gids, 1);
    add_netdev(host, "eth0", "0000:17:00.0");
    add_netdev(host, "bond0", NULL)->bond = &bond;
    expect_netdev(host, "bond0");
}

Test(join, slot_0_of_another_netdev_does_not_mislead)
{
    struct gid gids[] = { make_gid(MAPPED, 0, GID_TYPE_ROCE_V2, "eth0.7"),
                          make_gid(LINK_LOCAL, 3, GID_TYPE_ROCE_V2, "eth0") };
    expect_netdev(make_host("0000:17:00.0", "pci", gids, 2), "eth0");
}

/* Two pods have a net1 each: the one here sits on the function of the device that this pod was given. */
Test(join, a_netdev_on_another_devices_function_is_not_this_ones)
{
    struct gid gids[] = { make_gid(MAPPED, 2, GID_TYPE_ROCE_V2, "net1") };
    struct host *host = make_host("0000:07:03.0", "pci", gids, 1);
    const struct port *port = &host->devices[0].ports[0];
    const struct netdev *net1 = add_netdev(host, "net1", "0000:07:02.6");
    host_finish(host);
    cr_expect_eq(port_netdev(host, port), net1, "no device is known to sit there");
    cr_expect_eq(gid_netdev(host, &port->gids[0]), net1);
    add_device(host, "mlx5_8", 0);
    host->devices[1].parent = "0000:07:02.6";
    host_finish(host);
    port = &host_find_device(host, "mlx5_0")->ports[0];
    cr_expect_null(port_netdev(host, port));
    cr_expect_null(gid_netdev(host, &port->gids[0]));
    cr_expect_str_eq(port->netdev, "net1", "its name is known all the same");
    host_find_device(host, "mlx5_0")->parent_bus = "virtual"; /* soft RoCE, made over it */
    host_finish(host);
    cr_expect_eq(port_netdev(host, port), net1);
    host_free(host);
}

Test(join, the_kernel_knows_best)
{
    struct host *host = make_host("0000:17:00.0", "pci", NULL, 0);
    add_netdev(host, "eth0", "0000:17:00.0");
    add_netdev(host, "eth9", NULL);
    host->devices[0].ports[0].netdev_nldev = "eth9";
    expect_netdev(host, "eth9");
}

Test(join, none)
{
    expect_netdev(make_host("0000:17:00.0", "pci", NULL, 0), NULL);
}

Test(port, main_gid)
{
    struct gid gids[] = {
        make_gid(LINK_LOCAL, 0, GID_TYPE_ROCE_V2, NULL),
        make_gid(MAPPED, 2, GID_TYPE_IB_ROCE_V1, NULL),
        make_gid(MAPPED, 3, GID_TYPE_ROCE_V2, NULL),
    };
    struct port port = { .gids = gids, .ngids = 3 };
    cr_assert_eq(port_main_gid(&port)->index, 3);
    memcpy(&gids[1].raw[12], (uint8_t[]){ 169, 254, 1, 2 }, 4);
    port.ngids = 2;
    cr_assert_eq(port_main_gid(&port)->index, 2, "IPv4, though link-local");
    port.ngids = 3;
    cr_assert_eq(port_main_gid(&port)->index, 3);
    port.ngids = 1;
    cr_assert_eq(port_main_gid(&port)->index, 0);
    port.ngids = 0;
    cr_assert_null(port_main_gid(&port));
}

Test(host, problems_once)
{
    struct host *host = host_new();
    host_problem(host, EACCES, NULL, "sys/%s", "a");
    host_problem(host, EACCES, NULL, "sys/a");
    host_problem(host, EIO, "note", "sys/a");
    cr_assert_eq(host->nproblems, 2);
    cr_assert_str_eq(host->problems[1].note, "note");
    cr_expect_eq(host_problem_of(host, "sys/a"), EACCES, "the first");
    for (unsigned i = 0; i < 2000; i++)
        host_problem(host, EIO, NULL, "sys/%u", i % 1000);
    for (unsigned i = 0; i < 1000; i++)
        cr_expect_eq(host_problem_of(host, "sys/%u", i), EIO, "sys/%u", i);
    host_problem(host, EACCES, NULL, "sys/999");
    cr_expect_eq(host->nproblems, 1003);
    cr_expect_eq(host_problem_of(host, "sys/999"), EIO, "the first");
    cr_expect_eq(host_problem_of(host, "sys/a"), EACCES, "the first");
    cr_expect_eq(host_problem_of(host, "sys/1000"), 0);
    host_free(host);
}

Test(netdev, above)
{
    struct host *host = host_new();
    const char *members[] = { "eth0" };
    add_netdev(host, "eth0", NULL);
    struct netdev *bond = add_netdev(host, "bond0", NULL);
    bond->members = members;
    bond->nmembers = 1;
    add_netdev(host, "bond0.7", NULL)->lower = "bond0";
    const struct netdev *eth = host_find_netdev(host, "eth0"), *vlan = host_find_netdev(host, "bond0.7");
    cr_assert(netdev_is_above(host, vlan, eth));
    cr_assert_not(netdev_is_above(host, eth, vlan));
    cr_assert_str_eq(netdev_base(host, vlan)->name, "bond0");
    host_find_netdev(host, "bond0")->lower = "bond0.7";
    (void)netdev_base(host, vlan); /* a circle ends */
    host_free(host);
}

/* A recording may say so; each is looked at once. */
Test(netdev, above_where_everything_is_a_member_of_everything, .timeout = 20)
{
    enum { BONDS = 24 };
    struct host *host = host_new();
    static char names[BONDS][16];
    static const char *members[BONDS];
    for (int i = 0; i < BONDS; i++) {
        snprintf(names[i], sizeof(names[i]), "bond%d", i);
        members[i] = names[i];
        add_netdev(host, names[i], NULL);
    }
    for (int i = 0; i < BONDS; i++) {
        host->netdevs[i].members = members;
        host->netdevs[i].nmembers = BONDS;
    }
    add_netdev(host, "eth0", NULL);
    cr_assert_not(netdev_is_above(host, &host->netdevs[0], host_find_netdev(host, "eth0")));
    cr_assert(netdev_is_above(host, &host->netdevs[0], host_find_netdev(host, "bond23")));
    host_free(host);
}

static void expect_log(const char *line, const char *meaning, enum log_weight weight)
{
    const struct log_pattern *pattern = kernel_log_pattern(line);
    cr_assert_eq(pattern == NULL, meaning == NULL, "%s", line);
    if (!pattern)
        return;
    cr_assert_str_eq(pattern->meaning, meaning, "%s", line);
    cr_assert_eq(pattern->weight, weight, "%s", line);
}

Test(kernel_log, patterns)
{
    expect_log("mlx5_core 0000:3d:00.0: Detected insufficient power on the PCIe slot (27W).",
               "the slot tells the card of less power than it may need", LOG_NOTICE);
    expect_log("bnxt_en 0000:3b:00.0 eth0: Chip temperature has gone above the critical thermal threshold!",
               "the NIC's chip is too hot", LOG_ERROR);
    expect_log("bnxt_en 0000:3b:00.0 eth0: hwrm req_type 0x51 seq id 0x1f error 0x4",
               "the firmware refused a command", LOG_WARNING);
    expect_log("bnxt_en 0000:3b:00.0 eth0: Error (timeout: 500015) msg {0x51 0x20} len:0 v:0",
               "the firmware did not answer in time", LOG_ERROR);
    expect_log("ice 0000:17:00.0: Firmware recovery mode detected. Limiting functionality.",
               "the firmware runs only in recovery mode", LOG_ERROR);
    expect_log("bnxt_en 0000:3b:00.0 eth0: Chip temperature has gone below the critical thermal threshold!",
               NULL, LOG_ERROR);
    expect_log("mlx5_core 0000:17:00.0: poll_health:1004:(pid 0): Fatal error 3 detected",
               "the firmware hit a fatal error", LOG_ERROR);
    expect_log("mlx5_core 0000:08:00.0: print_health_info:425:(pid 912): Health issue observed, firmware "
               "internal error, severity(3) ERROR:",
               "the firmware reports that it is unhealthy", LOG_ERROR);
    expect_log("mlx5_core 0000:08:00.0: print_health_info:425:(pid 912): Health issue observed, FFSER error, "
               "severity(4) WARNING:",
               "the firmware warns of its health", LOG_WARNING);
    expect_log("mlx5_core 0000:63:00.1: Port module event: module 1, Cable unplugged",
               "the module was unplugged", LOG_LINK);
    expect_log("mlx5_core 0000:63:00.1: Port module event: module 1, Cable plugged", NULL, LOG_ERROR);
    expect_log("bnxt_en 0000:3b:00.0 eth0: Firmware fatal reset event received, max wait time 6000 msec",
               "the firmware hit a fatal error and restarts", LOG_ERROR);
    expect_log("bnxt_en 0000:3b:00.0 eth0: Firmware non-fatal reset event, data1: 0x1, data2: 0x0, min wait 0 "
               "ms, max wait 6000 ms",
               "the firmware restarts", LOG_WARNING);
    expect_log("pcieport 0000:00:00.0: AER: device recovery failed",
               "the kernel could not bring devices back after a PCIe error", LOG_ERROR);
    expect_log("mlx5_core 0000:3d:00.0: Port module event[error]: module 0, Cable error, Power budget exceeded",
               "the module gets too little power", LOG_ERROR);
    expect_log("bnxt_en 0000:12:00.0: QPLIB: bnxt_re_is_fw_stalled: FW STALL Detected. cmdq[0xe]=0x3",
               "the firmware did not answer the RDMA driver", LOG_LASTING);
    expect_log("mlx5_core 0000:01:00.0: mlx5_health_try_recover:338:(pid 9): health recovery flow aborted, PCI "
               "reads still not working",
               "the driver gave the device up", LOG_LASTING);
    expect_log("ice 0000:b1:00.0: Rebuild failed, unload and reload driver",
               "the NIC did not come back from a reset", LOG_ERROR);
    expect_log("infiniband irdma0: abnormal ae_id = 0x50b bool qp=1 qp_id = 12",
               "a queue pair ended in an error", LOG_WARNING);
    expect_log("NETDEV WATCHDOG: eth0 (mlx5_core): transmit queue 3 timed out",
               "the NIC sends no more: its transmit queue stands", LOG_ERROR);
    expect_log("mlx5_core 0000:17:00.0 eth0: Link down", "the link went down", LOG_LINK);
    expect_log("DMAR: [DMA Read NO_PASID] Request device [17:00.0] fault addr 0xffa000 [fault reason 0x06] PTE "
               "Read access is not set",
               "the IOMMU refused a transfer of the device", LOG_ERROR);
    expect_log("mlx5_core 0000:17:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0011 address=0xffa000 "
               "flags=0x0020]",
               "the IOMMU refused a transfer of the device", LOG_ERROR);
    expect_log("mlx5_core 0000:d2:00.0: mlx5_cmd_out_err:838:(pid 1441871): ACCESS_REG(0x805) op_mod(0x1) "
               "failed, status bad operation(0x2), syndrome (0x305684), err(-22)",
               NULL, LOG_ERROR);
    expect_log("mlx5_core 0000:d2:00.0: mlx5_cmd_out_err:838:(pid 99): CREATE_MKEY(0x200) op_mod(0x0) failed, "
               "status bad resource(0x5), syndrome (0x1), err(-22)",
               "the firmware refused a command", LOG_WARNING);
    expect_log("infiniband mlx5_1: create_qp:2783:(pid 84): Create QP type 2 failed",
               "the driver made no queue pair for somebody", LOG_NOTICE);
    expect_log("mlx5_core 0000:27:00.0: 63.008 Gb/s available PCIe bandwidth, limited by 16.0 GT/s PCIe x4 "
               "link at 0000:25:00.0",
               NULL, LOG_ERROR); /* pcie-width and -speed judge it */
    expect_log("mlx5_core 0000:3d:00.0: 126.016 Gb/s available PCIe bandwidth (16.0 GT/s PCIe x8 link)", NULL,
               LOG_ERROR);
    expect_log("e1000e 0000:00:1f.6 eno1: NIC Link is Up 1000 Mbps", NULL, LOG_ERROR);
}

Test(kernel_log, whom_a_line_names)
{
    cr_expect(kernel_log_names("mlx5_core 0000:17:00.0: Fatal error 3 detected", "0000:17:00.0"));
    cr_expect(kernel_log_names("pcieport 0000:25:00.0: AER: Uncorrected error received: 0000:27:00.0",
                               "0000:27:00.0"));
    cr_expect_not(kernel_log_names("mlx5_core 0000:17:00.01: x", "0000:17:00.0"));
    cr_expect_not(kernel_log_names("mlx5_core 10000:17:00.0: x", "0000:17:00.0"));
    cr_expect(
        kernel_log_names("DMAR: [DMA Read NO_PASID] Request device [17:00.0] fault addr 0x0", "0000:17:00.0"));
    cr_expect(
        kernel_log_names("AMD-Vi: Event logged [IO_PAGE_FAULT device=07:00.0 domain=0x7", "0000:07:00.0"));
    cr_expect_not(kernel_log_names("DMAR: [DMA Read] Request device [17:00.0] fault addr 0x0", "0001:17:00.0"));
    cr_expect_not(kernel_log_names("nvme 17:00.0 is no DMA", "0000:17:00.0"));
    cr_expect_not(kernel_log_names("DMAR: x", NULL));
    cr_expect(kernel_log_says("NETDEV WATCHDOG: eth1 (mlx5_core): transmit queue 3 timed out", "eth1"));
    cr_expect_not(kernel_log_says("NETDEV WATCHDOG: eth11 (mlx5_core): transmit queue 3 timed out", "eth1"));
    cr_expect_not(kernel_log_says("anything", ""));
}

Test(model, representors_by_switchdevs_names)
{
    static const char *const representors[] = { "pf0", "pf0vf0", "pf1sf88", "c1pf0", "c1pf0vf3", "c1pf1sf2" };
    static const char *const others[] = { "p0",   "p1",    "p0s1",   "pfx",     "cpf0", "c1",   "pf0x3", "",
                                          "eth0", "pf0vf", "pf0sfx", "pf0vf3x", "pf-1", "c1pf", "pf0hpf" };
    for (size_t i = 0; i < sizeof(representors) / sizeof(*representors); i++)
        cr_expect(netdev_is_representor_name(representors[i]), "%s", representors[i]);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        cr_expect_not(netdev_is_representor_name(others[i]), "%s", others[i]);
    cr_expect_not(netdev_is_representor_name(NULL));
}

/* As on a little-endian machine, wherever it is made. */
Test(model, a_hash_of_a_number_has_no_byte_order)
{
    cr_expect_eq(hash_number(HASH_BEGIN, 0x01020304, 4), hash_more(HASH_BEGIN, "\4\3\2\1", 4));
    cr_expect_eq(hash_number(HASH_BEGIN, 7, 1), hash_more(HASH_BEGIN, "\7", 1));
}
