/* SPDX-License-Identifier: MIT */
/* How far functions are from each other, what is between them, and what NCCL takes. */
#include <criterion/criterion.h>

#include "consumer/gpu.h"

static struct arena *arena;
static struct pci pcis[16];
static struct device devices[4];
static struct port ports[4];
static struct environment variables[2];
static struct host host;

/* Two switches below one root port, the second below the first; another root port of the same host bridge;
 * another host bridge; another NUMA node. */
enum { ROOT, UP, DOWN0, DOWN1, DOWN2, UP2, DOWN3, GPU0, NIC0, GPU1, ROOT2, NIC1, NIC2, NIC3, FUNCTIONS };

static void setup(void)
{
    static const struct {
        const char *address;
        int above;
        const char *root;
        int node;
    } rows[FUNCTIONS] = {
        [ROOT] = { "0000:10:00.0", -1, "pci0000:10", 0 },
        [UP] = { "0000:11:00.0", ROOT, "pci0000:10", 0 },
        [DOWN0] = { "0000:12:00.0", UP, "pci0000:10", 0 },
        [DOWN1] = { "0000:12:01.0", UP, "pci0000:10", 0 },
        [DOWN2] = { "0000:12:02.0", UP, "pci0000:10", 0 },
        [UP2] = { "0000:15:00.0", DOWN2, "pci0000:10", 0 },
        [DOWN3] = { "0000:16:00.0", UP2, "pci0000:10", 0 },
        [GPU0] = { "0000:13:00.0", DOWN0, "pci0000:10", 0 },
        [NIC0] = { "0000:14:00.0", DOWN1, "pci0000:10", 0 },
        [GPU1] = { "0000:17:00.0", DOWN3, "pci0000:10", 0 },
        [ROOT2] = { "0000:10:01.0", -1, "pci0000:10", 0 },
        [NIC1] = { "0000:18:00.0", ROOT2, "pci0000:10", 0 },
        [NIC2] = { "0000:a0:00.0", -1, "pci0000:a0", 0 },
        [NIC3] = { "0000:c0:00.0", -1, "pci0000:c0", 1 },
    };
    static const int places[] = { NIC0, NIC1, NIC2, NIC3 };
    static const char *const names[] = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3" };
    arena = arena_new();
    for (size_t i = 0; i < FUNCTIONS; i++)
        pcis[i] = (struct pci){ .address = rows[i].address,
                                .upstream = rows[i].above < 0 ? NULL : rows[rows[i].above].address,
                                .root = rows[i].root,
                                .vendor = num_of(0x10de),
                                .is_accelerator = i == GPU0 || i == GPU1,
                                .link_speed = "32.0 GT/s PCIe",
                                .link_speed_max = "32.0 GT/s PCIe",
                                .link_width = num_of(16),
                                .link_width_max = num_of(16),
                                .numa_node = snum_of(rows[i].node) };
    for (size_t i = 0; i < 4; i++) {
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .transport = TRANSPORT_ROCE,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .rate_mbps = num_of(400000) };
        devices[i] = (struct device){
            .name = names[i], .pci = rows[places[i]].address, .ports = &ports[i], .nports = 1
        };
    }
    host = (struct host){ .arena = arena, .devices = devices, .ndevices = 4, .pcis = pcis, .npcis = FUNCTIONS };
    host.system.numa_nodes = "0-1";
    host.system.environment_known = true;
    host.system.environment = variables;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(topology, .init = setup, .fini = teardown);

#define EXPECT_DISTANCE(A, B, WORD)                                                                      \
    do {                                                                                                 \
        cr_expect_str_eq(distance_text(pci_distance(&host, &pcis[A], &pcis[B])), WORD);                  \
        cr_expect_str_eq(distance_text(pci_distance(&host, &pcis[B], &pcis[A])), WORD, "the other way"); \
    } while (0)

Test(topology, the_words_of_nvidia_smi)
{
    EXPECT_DISTANCE(GPU0, GPU0, "X");
    EXPECT_DISTANCE(GPU0, NIC0, "PIX");
    EXPECT_DISTANCE(GPU1, NIC0, "PXB");
    EXPECT_DISTANCE(GPU0, GPU1, "PXB");
    EXPECT_DISTANCE(DOWN3, NIC0, "PXB"); /* what sits at the upstream port of a second switch */
    EXPECT_DISTANCE(GPU0, NIC1, "PHB");
    EXPECT_DISTANCE(GPU0, NIC2, "NODE");
    EXPECT_DISTANCE(GPU0, NIC3, "SYS");
    cr_expect_eq(pci_distance(&host, &pcis[GPU0], NULL), DISTANCE_UNKNOWN);
}

Test(topology, without_a_node_other_host_bridges_are_at_no_known_distance)
{
    pcis[NIC3].numa_node = snum_of(-1);
    EXPECT_DISTANCE(GPU0, NIC3, "?");
    EXPECT_DISTANCE(GPU0, NIC1, "PHB");
    host.system.numa_nodes = "0";
    EXPECT_DISTANCE(GPU0, NIC3, "NODE");
    host.system.numa_nodes = NULL;
    EXPECT_DISTANCE(GPU0, NIC3, "?");
}

Test(topology, functions_of_one_slot_are_near)
{
    pcis[NIC1].upstream = pcis[NIC0].upstream;
    EXPECT_DISTANCE(NIC0, NIC1, "PIX");
}

Test(topology, bridges_in_a_circle_end)
{
    pcis[ROOT].upstream = pcis[DOWN3].address;
    EXPECT_DISTANCE(GPU0, GPU1, "PXB");
    EXPECT_DISTANCE(DOWN3, NIC0, "PXB"); /* what sits at the upstream port of a second switch */
    cr_expect_gt(pci_path(&host, &pcis[GPU0], &pcis[NIC3]).mbps, 0);
}

Test(topology, the_slowest_link_between_them)
{
    struct pci_path path = pci_path(&host, &pcis[GPU0], &pcis[NIC0]);
    cr_expect_eq(path.distance, DISTANCE_PIX);
    cr_expect_float_eq(path.mbps, 32000.0 * 16 * 128 / 130 * 0.9, 1);
    pcis[ROOT].link_width = pcis[UP].link_width = num_of(1); /* they don't go by there */
    cr_expect_gt(pci_path(&host, &pcis[GPU0], &pcis[NIC0]).mbps, 400000);
    path = pci_path(&host, &pcis[GPU0], &pcis[NIC1]);
    cr_expect_float_eq(path.mbps, 32000.0 * 128 / 130 * 0.9, 1);
    pcis[DOWN1].link_width = num_of(4);
    path = pci_path(&host, &pcis[GPU0], &pcis[NIC0]);
    cr_expect_str_eq(path.slow->address, pcis[DOWN1].address);
    cr_expect_float_eq(path.mbps, 32000.0 * 4 * 128 / 130 * 0.9, 1);
}

Test(topology, an_idle_accelerator_counts_with_what_it_can)
{
    pcis[GPU0].link_speed = pcis[DOWN0].link_speed = "2.5 GT/s PCIe";
    cr_expect_gt(pci_path(&host, &pcis[GPU0], &pcis[NIC0]).mbps, 400000);
    pcis[GPU0].link_width = num_of(8);
    cr_expect_float_eq(pci_path(&host, &pcis[NIC0], &pcis[GPU0]).mbps, 32000.0 * 8 * 128 / 130 * 0.9, 1);
    pcis[DOWN0].link_speed_max = "16.0 GT/s PCIe";
    cr_expect_float_eq(pci_path(&host, &pcis[GPU0], &pcis[NIC0]).mbps, 16000.0 * 8 * 128 / 130 * 0.9, 1);
}

Test(topology, links_that_tell_nothing_count_for_nothing)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        pcis[i].link_width = num_of(0); /* of virtual functions */
    struct pci_path path = pci_path(&host, &pcis[GPU0], &pcis[NIC0]);
    cr_expect_float_eq(path.mbps, 0, 0);
    cr_expect_null(path.slow);
}

Test(topology, addresses_are_hexadecimal)
{
    cr_expect_lt(pci_address_compare("0000:19:00.0", "0000:3b:00.0"), 0);
    cr_expect_lt(pci_address_compare("0000:9b:00.0", "0000:b0:00.0"), 0);
    cr_expect_lt(pci_address_compare("ffff:00:00.0", "10000:00:00.0"), 0);
}

static struct gpu_nics nics_of(size_t index)
{
    size_t count;
    const struct pci **accelerators = host_accelerators(&host, arena, &count);
    cr_assert_eq(count, 2);
    return gpu_nics(&host, accelerators, count, index, arena);
}

static void set(const char *name, const char *value)
{
    variables[host.system.nenvironment++] = (struct environment){ name, value };
}

Test(nccl_nics, the_nearest_of_those_with_the_most_bandwidth, .init = setup, .fini = teardown)
{
    struct gpu_nics nics = nics_of(0);
    cr_assert_eq(nics.nports, 1);
    cr_expect_str_eq(nics.ports[0]->device->name, "mlx5_0");
    cr_expect_eq(nics.distance, DISTANCE_PIX);
    ports[0].rate_mbps = num_of(100000);
    nics = nics_of(0);
    cr_assert_eq(nics.nports, 1, "two as far, two accelerators as far: one each");
    cr_expect_str_eq(nics.ports[0]->device->name, "mlx5_1", "faster, though farther");
    cr_expect_str_eq(nics_of(1).ports[0]->device->name, "mlx5_2");
}

Test(nccl_nics, a_port_that_is_down_or_left_out_is_none, .init = setup, .fini = teardown)
{
    ports[0].state = num_of(PORT_STATE_DOWN);
    cr_expect_str_eq(nics_of(0).ports[0]->device->name, "mlx5_1");
    set("NCCL_IB_HCA", "=mlx5_2");
    cr_expect_str_eq(nics_of(0).ports[0]->device->name, "mlx5_2");
    set("NCCL_NETDEVS_POLICY", "ALL");
    cr_expect_eq(nics_of(0).nports, 1);
}

Test(nccl_nics, ports_of_one_card_are_one_net, .init = setup, .fini = teardown)
{
    pcis[NIC1].address = devices[1].pci = "0000:14:00.1";
    pcis[NIC1].upstream = pcis[NIC0].upstream;
    struct gpu_nics nics = nics_of(0);
    cr_assert_eq(nics.nports, 2);
    cr_expect_str_eq(nics.ports[1]->device->name, "mlx5_1");
}

/* Those that accelerators take, each card once. */
Test(nccl_nics, rails_are_numbered_as_accelerators_are, .init = setup, .fini = teardown)
{
    struct gpu_nics nics[] = { nics_of(0), nics_of(1) };
    struct gpu_rails rails = gpu_rails(nics, 2, arena);
    cr_assert_eq(rails.count, 1, "both take the nearest");
    cr_expect(num_is(gpu_rail_of(&rails, &ports[0]), 0));
    cr_expect_not(gpu_rail_of(&rails, &ports[1]).known);
    devices[3].pci = NULL; /* a soft device */
    cr_expect_not(gpu_rail_of(&rails, &ports[3]).known);
    ports[0].rate_mbps = num_of(100000); /* one each: see above */
    nics[0] = nics_of(0);
    nics[1] = nics_of(1);
    rails = gpu_rails(nics, 2, arena);
    cr_assert_eq(rails.count, 2);
    cr_expect(num_is(gpu_rail_of(&rails, &ports[1]), 0));
    cr_expect(num_is(gpu_rail_of(&rails, &ports[2]), 1));
    pcis[NIC0].address = devices[0].pci = "0000:18:00.1"; /* the other port of that card */
    cr_expect(num_is(gpu_rail_of(&rails, &ports[0]), 0));
    nics[1].unclear = true;
    cr_expect_eq(gpu_rails(nics, 2, arena).count, 0);
}

Test(nccl_nics, all_of_them_where_the_policy_says_so, .init = setup, .fini = teardown)
{
    ports[0].state = num_of(PORT_STATE_DOWN);
    set("NCCL_NETDEVS_POLICY", "ALL");
    cr_expect_eq(nics_of(0).nports, 2);
    variables[0].value = "MAX:1";
    cr_expect_eq(nics_of(0).nports, 1);
}

Test(nccl_nics, what_a_link_between_sockets_decides_is_not_clear, .init = setup, .fini = teardown)
{
    for (size_t i = 0; i < 3; i++)
        ports[i].rate_mbps = num_of(100000);
    cr_expect(nics_of(0).unclear);
    ports[3].rate_mbps = num_of(100000);
    cr_expect_not(nics_of(0).unclear);
}

Test(nccl_nics, memory_is_reached_up_to_pxb_or_as_it_is_told, .init = setup, .fini = teardown)
{
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[0]), TRI_YES);
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[1]), TRI_NO);
    pcis[GPU1].device = num_of(0x2342);
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[2]), TRI_YES, "over C2C");
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[3]), TRI_NO, "another CPU's");
    pcis[GPU1].device = num_of(0x2330);
    set("NCCL_NET_GDR_LEVEL", "SYS");
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[3]), TRI_YES);
    variables[0].value = "PIX";
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[0]), TRI_NO);
    variables[0].value = "3";
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[2]), TRI_YES, "PHB, which is NODE too");
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[3]), TRI_NO);
    pcis[NIC3].numa_node = snum_of(-1);
    cr_expect_eq(gpu_reaches(&host, &pcis[GPU1], &ports[3]), TRI_UNKNOWN);
}

Test(topology, the_speed_of_a_link_is_text_of_anybody)
{
    static const struct {
        const char *text;
        double transfers;
    } cases[] = {
        { "2.5 GT/s PCIe", 2.5 },
        { "5.0 GT/s PCIe", 5 },
        { "16.0 GT/s PCIe", 16 },
        { "64 GT/s", 64 },
        { "Unknown", 0 },
        { "", 0 },
        { NULL, 0 },
        { "inf GT/s", 0 },
        { "nan", 0 },
        { "-8.0 GT/s", 0 },
        { "1e300", 1 },
        { "0x20", 0 },
        { "1048576", 0 },
        { "8.", 8 },
        { "99999999999999999999999.5", 0 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        cr_expect_float_eq(giga_transfers(cases[i].text), cases[i].transfers, 1e-12, "%s", cases[i].text);
}
