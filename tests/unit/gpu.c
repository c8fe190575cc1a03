/* SPDX-License-Identifier: MIT */
/* Checks of accelerators beside NICs: what decides, and what can't be decided. */
#include <criterion/criterion.h>

#include "asked.h"
#include "consumer/gpu.h"
#include "model/verbs.h"
#include "source/files/texts.h"

static struct arena *arena;
static struct pci pcis[16];
static struct device devices[3];
static struct port ports[3];
static struct netdev netdevs[3];
static struct verbs_device verbs;
static struct environment variables[1];
static struct host host;

/* Two switches, each with an accelerator and a NIC; the first with another NIC of 100 Gb/s. */
enum { ROOT, UP, DOWN_GPU, DOWN_NIC, GPU, NIC, A_SWITCH, STORAGE = 2 * A_SWITCH, DOWN_STORAGE, FUNCTIONS };

static const char *address_of(size_t which, size_t on)
{
    static char texts[2][A_SWITCH][16];
    static const char *const forms[A_SWITCH] = { "0000:%d0:01.0", "0000:%d1:00.0", "0000:%d2:00.0",
                                                 "0000:%d2:01.0", "0000:%d3:00.0", "0000:%d4:00.0" };
    snprintf(texts[on][which], sizeof(texts[on][which]), forms[which], (int)on + 1);
    return texts[on][which];
}

static void add_function(size_t at, const char *address, const char *upstream, size_t on)
{
    pcis[at] = (struct pci){ .address = address,
                             .upstream = upstream,
                             .root = on ? "pci0000:20" : "pci0000:10",
                             .numa_node = snum_of(0),
                             .vendor = num_of(0x10de),
                             .device = num_of(0x2330),
                             .driver = at % A_SWITCH == GPU ? "nvidia" : "mlx5_core",
                             .link_speed = "32.0 GT/s PCIe",
                             .link_speed_max = "32.0 GT/s PCIe",
                             .link_width = num_of(16),
                             .link_width_max = num_of(16),
                             .read_request = num_of(4096),
                             .relaxed_ordering = TRI_YES };
}

static void add_port(size_t i, const char *pci, uint64_t mbps)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
    static const char *const rails[] = { "rail0", "rail1", "stor0" };
    ports[i] = (struct port){ .device = &devices[i],
                              .number = 1,
                              .transport = TRANSPORT_ROCE,
                              .state = num_of(PORT_STATE_ACTIVE),
                              .rate_mbps = num_of(mbps),
                              .netdev = rails[i] };
    netdevs[i] = (struct netdev){ .name = rails[i] };
    devices[i] = (struct device){ .name = names[i],
                                  .driver = "mlx5_core",
                                  .board_id = mbps > 100000 ? "MT_1" : "MT_2",
                                  .transport = TRANSPORT_ROCE,
                                  .parent_bus = "pci",
                                  .pci = pci,
                                  .ports = &ports[i],
                                  .nports = 1 };
}

static void setup(void)
{
    static const int above[A_SWITCH] = { -1, ROOT, UP, UP, DOWN_GPU, DOWN_NIC };
    arena = arena_new();
    for (size_t on = 0; on < 2; on++)
        for (size_t i = 0; i < A_SWITCH; i++)
            add_function(on * A_SWITCH + i, address_of(i, on),
                         above[i] < 0 ? NULL : address_of((size_t)above[i], on), on);
    pcis[GPU].is_accelerator = pcis[A_SWITCH + GPU].is_accelerator = true;
    add_function(DOWN_STORAGE, "0000:12:02.0", address_of(UP, 0), 0);
    add_function(STORAGE, "0000:15:00.0", "0000:12:02.0", 0);
    add_port(0, address_of(NIC, 0), 400000);
    add_port(1, address_of(NIC, 1), 400000);
    add_port(2, "0000:15:00.0", 100000);
    verbs = (struct verbs_device){ 0 };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = 3,
                          .netdevs = netdevs,
                          .nnetdevs = 3,
                          .pcis = pcis,
                          .npcis = FUNCTIONS };
    host.system.numa_nodes = "0";
    host.system.environment = variables;
    host.system.environment_known = true;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(gpu, .init = setup, .fini = teardown);

#define EXPECT(ID, VERDICT)                                      \
    do {                                                         \
        struct finding of_its_own = ask_about(&host, ID, arena); \
        EXPECT_VERDICT(of_its_own, VERDICT);                     \
    } while (0)

Test(gpu, memory_is_lent_by_a_module_or_by_dma_buf)
{
    struct peer_memory *peer = &host.system.peer_memory;
    EXPECT("gdr-peer-memory", VERDICT_UNKNOWN); /* a recording without the files */
    peer->nvidia = "550.1";
    EXPECT("gdr-peer-memory", VERDICT_UNKNOWN);
    peer->nvidia_peermem = "550.1";
    EXPECT("gdr-peer-memory", VERDICT_PASS);
    peer->nvidia_peermem = NULL;
    peer->memory_peer = "sys/kernel/mm/memory_peers/nv_mem/version";
    EXPECT("gdr-peer-memory", VERDICT_PASS);
    peer->memory_peer = NULL;
    peer->open_driver = TRI_NO;
    EXPECT("gdr-peer-memory", VERDICT_WARN);
    peer->open_driver = TRI_YES;
    for (size_t i = 0; i < 3; i++)
        devices[i].verbs = &verbs;
    verbs.dmabuf_err = EBADF;
    EXPECT("gdr-peer-memory", VERDICT_PASS);
    peer->open_driver = TRI_UNKNOWN;
    EXPECT("gdr-peer-memory", VERDICT_UNKNOWN);
    verbs.dmabuf_err = EOPNOTSUPP;
    EXPECT("gdr-peer-memory", VERDICT_WARN);
    verbs.dmabuf_err = EPROTONOSUPPORT;
    EXPECT("gdr-peer-memory", VERDICT_WARN);
    pcis[GPU].driver = pcis[A_SWITCH + GPU].driver = "vfio-pci";
    EXPECT("gdr-peer-memory", VERDICT_NA);
    pcis[GPU].driver = "amdgpu";
    EXPECT("gdr-peer-memory", VERDICT_WARN);
    verbs.dmabuf_err = EBADF;
    EXPECT("gdr-peer-memory", VERDICT_PASS);
}

#define EXPECT_WAY(WAY, WORDS)                                                          \
    do {                                                                                \
        struct gpu_memory memory = gpu_memory(&host, &pcis[GPU], &ports[0], arena);     \
        cr_expect_eq(memory.way, GPU_WAY_##WAY, "%d: %s", (int)memory.way, memory.why); \
        cr_expect(strstr(memory.why, (WORDS)), "%s", memory.why);                       \
    } while (0)

static void set(const char *name, const char *value)
{
    variables[0] = (struct environment){ name, value };
    host.system.nenvironment = value != NULL;
}

Test(gpu, nccl_takes_dma_buf_before_the_module)
{
    struct peer_memory *peer = &host.system.peer_memory;
    EXPECT_WAY(UNKNOWN, "/proc/driver/nvidia/version");
    *peer = (struct peer_memory){ .nvidia = "550.1", .nvidia_peermem = "550.1", .open_driver = TRI_YES };
    EXPECT_WAY(UNKNOWN, "mlx5_0");
    devices[0].verbs = &verbs;
    EXPECT_WAY(UNKNOWN, "mlx5_0"); /* asked, without an answer */
    verbs.dmabuf_err = EBADF;
    EXPECT_WAY(DMABUF, "ibv_reg_dmabuf_mr() of mlx5_0");
    set("NCCL_DMABUF_ENABLE", "0");
    EXPECT_WAY(MODULE, "NCCL_DMABUF_ENABLE");
    peer->nvidia_peermem = NULL;
    EXPECT_WAY(NONE, "NCCL_DMABUF_ENABLE");
    peer->memory_peer = "sys/kernel/mm/memory_peers/nv_mem/version";
    EXPECT_WAY(MODULE, "NCCL_DMABUF_ENABLE");
    cr_expect_str_eq(gpu_memory(&host, &pcis[GPU], &ports[0], arena).module, "nv_mem");
    set("NCCL_DMABUF_ENABLE", "no number"); /* is 0 to it */
    EXPECT_WAY(MODULE, "NCCL_DMABUF_ENABLE");
    set("NCCL_DMABUF_ENABLE", NULL);
    EXPECT_WAY(DMABUF, "mlx5_0");
    verbs.dmabuf_err = EOPNOTSUPP;
    EXPECT_WAY(MODULE, "ibv_reg_dmabuf_mr() of mlx5_0: ");
    verbs.dmabuf_err = EBADF;
    peer->open_driver = TRI_NO;
    peer->memory_peer = NULL;
    EXPECT_WAY(NONE, "open");
    peer->memory_peer = "sys/kernel/mm/memory_peers/amdkfd/version"; /* not for NCCL */
    EXPECT_WAY(NONE, "open");
    peer->nvidia = NULL; /* nothing was read */
    EXPECT_WAY(UNKNOWN, "open");
    pcis[GPU].driver = "vfio-pci";
    EXPECT_WAY(UNKNOWN, "vfio-pci");
}

Test(gpu, dma_buf_that_is_switched_off_lends_nothing)
{
    struct peer_memory *peer = &host.system.peer_memory;
    *peer = (struct peer_memory){ .nvidia = "550.1", .open_driver = TRI_YES };
    for (size_t i = 0; i < 3; i++)
        devices[i].verbs = &verbs;
    verbs.dmabuf_err = EBADF;
    set("NCCL_DMABUF_ENABLE", "1");
    EXPECT("gdr-peer-memory", VERDICT_PASS);
    set("NCCL_DMABUF_ENABLE", "0");
    struct finding finding = ask_about(&host, "gdr-peer-memory", arena);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "nvidia_peermem isn't loaded, and NCCL_DMABUF_ENABLE=0");
    EXPECT_TEXT(finding.fix, "unset NCCL_DMABUF_ENABLE");
    peer->nvidia_peermem = "550.1";
    EXPECT("gdr-peer-memory", VERDICT_PASS);
    pcis[GPU].driver = "amdgpu"; /* RCCL may find what isn't read here */
    EXPECT("gdr-peer-memory", VERDICT_UNKNOWN);
}

Test(gpu, rccl_takes_what_its_version_does)
{
    struct peer_memory *peer = &host.system.peer_memory;
    pcis[GPU].vendor = num_of(0x1002);
    pcis[GPU].driver = "amdgpu";
    devices[0].verbs = &verbs;
    verbs.dmabuf_err = EBADF;
    EXPECT_WAY(UNKNOWN, "ROCm 6.3");
    set("NCCL_DMABUF_ENABLE", "1");
    EXPECT_WAY(DMABUF, "mlx5_0");
    set("NCCL_DMABUF_ENABLE", "0");
    EXPECT_WAY(UNKNOWN, "NCCL_DMABUF_ENABLE"); /* the kernel's symbols aren't read */
    peer->memory_peer = "sys/kernel/memory_peers/amdkfd/version";
    EXPECT_WAY(MODULE, "NCCL_DMABUF_ENABLE");
    cr_expect_str_eq(gpu_memory_module(&host, CONSUMER_RCCL), "amdkfd");
    cr_expect_null(gpu_memory_module(&host, CONSUMER_NCCL));
}

Test(gpu, gdrcopy_is_off_unless_it_is_told)
{
    cr_expect_not(gpu_copies_by_gdrcopy(&host, CONSUMER_NCCL));
    set("NCCL_GDRCOPY_ENABLE", "2");
    cr_expect_not(gpu_copies_by_gdrcopy(&host, CONSUMER_NCCL));
    set("NCCL_GDRCOPY_ENABLE", "1");
    cr_expect(gpu_copies_by_gdrcopy(&host, CONSUMER_NCCL));
}

Test(gpu, modules_of_two_versions)
{
    struct peer_memory *peer = &host.system.peer_memory;
    EXPECT("nvidia-versions", VERDICT_NA);
    *peer = (struct peer_memory){ .nvidia = "550.1", .nvidia_peermem = "550.1" };
    EXPECT("nvidia-versions", VERDICT_PASS);
    peer->nvidia_peermem = "550.2";
    EXPECT("nvidia-versions", VERDICT_WARN);
}

Test(gpu, an_accelerator_that_has_to_take_a_far_port)
{
    EXPECT("gpu-nic-far", VERDICT_PASS);
    pcis[A_SWITCH + GPU].is_accelerator =
        false; /* alone, it takes another faster one and none is near: a design */
    ports[0].state = num_of(PORT_STATE_DOWN);
    ports[2].state = num_of(PORT_STATE_DOWN);
    EXPECT("gpu-nic-far", VERDICT_NA);
    pcis[A_SWITCH + GPU].is_accelerator = true;
    EXPECT("gpu-nic-far", VERDICT_WARN);
    ports[0].state = num_of(PORT_STATE_ACTIVE);
    variables[0] = (struct environment){ "NCCL_IB_HCA", "=mlx5_1" };
    host.system.nenvironment = 1;
    struct finding finding = ask_about(&host, "gpu-nic-far", arena);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "takes mlx5_1, NODE, for mlx5_0 on its switch is left out by NCCL_IB_HCA");
    EXPECT_TEXT(finding.fix, "add mlx5_0 to NCCL_IB_HCA (now =mlx5_1)");
    ports[1].state = (struct num){ 0 };
    EXPECT("gpu-nic-far", VERDICT_NA);
}

Test(gpu, rails_in_the_order_of_accelerators)
{
    EXPECT("rail-order", VERDICT_PASS);
    ports[0].netdev = "rail1";
    ports[1].netdev = "rail0";
    EXPECT("rail-order", VERDICT_WARN);
    ports[0].netdev = "gpu8";
    ports[1].netdev = "gpu9";
    EXPECT("rail-order", VERDICT_PASS);
    ports[0].netdev = "ens9f0np0"; /* names of systemd's follow the slots */
    ports[1].netdev = "ens1f0np0";
    EXPECT("rail-order", VERDICT_NA);
}

Test(gpu, a_link_that_lost_lanes_or_has_no_more)
{
    EXPECT("pcie-path-slow", VERDICT_PASS);
    pcis[GPU].link_width = pcis[DOWN_GPU].link_width = num_of(8);
    struct finding finding = ask_about(&host, "pcie-path-slow", arena);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "227 Gb/s at 0000:13:00.0");
    pcis[GPU].link_width_max = num_of(8); /* it has no more: a design */
    EXPECT("pcie-path-slow", VERDICT_INFO);
    pcis[GPU].link_width = pcis[GPU].link_width_max = pcis[DOWN_GPU].link_width = num_of(16);
    pcis[GPU].link_speed = pcis[DOWN_GPU].link_speed = "2.5 GT/s PCIe"; /* idle */
    EXPECT("pcie-path-slow", VERDICT_PASS);
    pcis[NIC].link_width = pcis[DOWN_NIC].link_width = num_of(8); /* pcie-width tells of that */
    EXPECT("pcie-path-slow", VERDICT_PASS);
    ports[0].state = num_of(PORT_STATE_DOWN);
    EXPECT("pcie-path-slow", VERDICT_PASS); /* the others */
    for (size_t i = 0; i < FUNCTIONS; i++)
        pcis[i].link_width.known = false;
    EXPECT("pcie-path-slow", VERDICT_UNKNOWN);
}

Test(gpu, storage_on_an_accelerators_switch)
{
    EXPECT("nic-shared-switch", VERDICT_INFO);
    ports[2].state = num_of(PORT_STATE_DOWN);
    EXPECT("nic-shared-switch", VERDICT_PASS);
    ports[2].state = num_of(PORT_STATE_ACTIVE);
    set("NCCL_IB_HCA", "=none");
    EXPECT("nic-shared-switch", VERDICT_NA); /* no accelerator takes any */
}

Test(gpu, what_is_set_on_like_boards)
{
    EXPECT("pcie-mrrs", VERDICT_PASS);
    EXPECT("pcie-relaxed-ordering", VERDICT_PASS);
    pcis[NIC].read_request = num_of(512);
    pcis[NIC].relaxed_ordering = TRI_NO;
    struct finding finding = ask_about(&host, "pcie-mrrs", arena);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "setpci -s 0000:14:00.0 CAP_EXP+8.w=5000:7000");
    EXPECT("pcie-relaxed-ordering", VERDICT_WARN);
    ports[0].state = num_of(PORT_STATE_DOWN); /* it carries nothing */
    EXPECT("pcie-mrrs", VERDICT_PASS);
    EXPECT("pcie-relaxed-ordering", VERDICT_PASS);
    ports[0].state = num_of(PORT_STATE_ACTIVE);
    devices[0].board_id = "MT_3"; /* like no other */
    EXPECT("pcie-mrrs", VERDICT_NA);
    devices[0].board_id = devices[1].board_id;
    pcis[NIC].read_request = (struct num){ 0 };
    pcis[NIC].relaxed_ordering = TRI_UNKNOWN;
    pcis[NIC].express_err = EACCES;
    EXPECT("pcie-mrrs", VERDICT_UNKNOWN);
    EXPECT("pcie-relaxed-ordering", VERDICT_UNKNOWN);
}

Test(pci_express, registers_of_the_capability)
{
    uint8_t config[256] = { [0x34] = 0x40, [0x40] = 0x01, [0x41] = 0x60, [0x60] = 0x10 };
    struct pci_express express;
    config[0x68] = 0x30; /* relaxed ordering, payload of 256 */
    config[0x69] = 0x51; /* extended tags, read requests of 4096 */
    config[0x89] = 0x10; /* 10-bit tags */
    cr_assert_eq(pci_express_read(config, sizeof(config), &express), 0);
    cr_expect_eq(express.payload, 256);
    cr_expect_eq(express.read_request, 4096);
    cr_expect(express.relaxed_ordering && express.extended_tags && express.ten_bit_tags);
    cr_expect_eq(pci_express_read(config, 64, &express), -EACCES);
    cr_expect_eq(pci_express_read(config, 128, &express), -EBADMSG, "it ends beyond");
    pci_config_strip(config, sizeof(config));
    cr_assert_eq(pci_express_read(config, sizeof(config), &express), 0);
    cr_expect_eq(express.read_request, 4096);
    config[0x60] = 0x05;
    cr_expect_eq(pci_express_read(config, sizeof(config), &express), -ENODATA);
    config[0x61] = 0x40;
    cr_expect_eq(pci_express_read(config, sizeof(config), &express), -EBADMSG, "a circle");
    config[0x61] = 0x20;
    cr_expect_eq(pci_express_read(config, sizeof(config), &express), -EBADMSG, "into the header");
}

Test(pci_express, extended_capabilities_are_told_apart)
{
    /* ATS at 256, ACS behind it */
    uint8_t config[512] = { [0x100] = 0x0f, [0x102] = 0x01, [0x103] = 0x14, [0x107] = 0x80,
                            [0x140] = 0x0d, [0x142] = 0x01, [0x146] = 0x1d };
    uint16_t ats = 0, acs = 0;
    cr_assert_eq(pci_ats_control(config, sizeof(config), &ats), 0);
    cr_assert_eq(pci_acs_control(config, sizeof(config), &acs), 0);
    cr_expect_eq(ats, PCI_ATS_ENABLED);
    cr_expect_eq(acs, 0x1d);
    config[0x150] = 0xee; /* of no capability that is read */
    pci_config_strip(config, sizeof(config));
    cr_expect_eq(config[0x150], 0);
    cr_assert_eq(pci_ats_control(config, sizeof(config), &ats), 0, "recordings for strangers keep it");
    cr_expect_eq(ats, PCI_ATS_ENABLED);
    config[0x100] = 0x01;
    cr_expect_eq(pci_ats_control(config, sizeof(config), &ats), -ENODATA);
    cr_expect_eq(pci_ats_control(config, 256, &ats), -EACCES);
}
