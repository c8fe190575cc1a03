/* SPDX-License-Identifier: MIT */
/* ACS of the bridges between a NIC and a GPU: which redirection is in the way, and where one is needed. */
#include <criterion/criterion.h>

#include "asked.h"

static struct arena *arena;
static struct pci pcis[10];
static struct device device;
static struct host host;

enum { ROOT, SWITCH, NIC_PORT, NIC, GPU_PORT, GPU };

/* A root port, a switch with two ports, mlx5_0 below one, a GPU below the other. */
static void setup(void)
{
    arena = arena_new();
    static const char *const addresses[] = { "0000:14:00.0", "0000:15:00.0", "0000:16:00.0",
                                             "0000:17:00.0", "0000:16:01.0", "0000:18:00.0" };
    static const int above[] = { -1, ROOT, SWITCH, NIC_PORT, SWITCH, GPU_PORT };
    for (size_t i = 0; i < 6; i++)
        pcis[i] = (struct pci){ .address = addresses[i],
                                .upstream = above[i] < 0 ? NULL : addresses[above[i]],
                                .acs = num_of(0) };
    pcis[SWITCH].acs = (struct num){ 0 };
    pcis[SWITCH].acs_err = ENODATA; /* an upstream port has no such capability */
    pcis[GPU].is_accelerator = true;
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core", .pci = "0000:17:00.0" };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1, .pcis = pcis, .npcis = 6
    };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(acs, .init = setup, .fini = teardown);

static struct finding ask(void)
{
    return ask_about(&host, "pcie-acs", arena);
}

Test(acs, redirection_between_nic_and_gpu_is_in_the_way)
{
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[GPU_PORT].acs = num_of(0x1d);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "0000:16:01.0: ACS control 0x001d, with ReqRedir+ CmpltRedir+");
    EXPECT_TEXT(finding.fix, "setpci -s 0000:16:01.0 ECAP_ACS+6.w=0:c # ");
    EXPECT_TEXT(finding.fix, "pci=disable_acs_redir=0000:16:01.0");
    pcis[GPU_PORT].acs = num_of(0);
    pcis[ROOT].acs = num_of(0x1d); /* above both: their traffic doesn't come there */
    EXPECT_VERDICT(ask(), VERDICT_PASS);
}

Test(acs, what_is_translated_passes_all_the_same)
{
    pcis[NIC_PORT].acs = pcis[GPU_PORT].acs = num_of(0x5d);
    pcis[NIC].ats = TRI_YES;
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[NIC].ats = TRI_NO; /* nobody translates */
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[NIC].ats = TRI_UNKNOWN;
    pcis[NIC].ats_err = ENODATA;
    EXPECT_VERDICT(ask(), VERDICT_WARN);
}

Test(acs, what_only_root_may_read_is_unknown)
{
    pcis[NIC_PORT].acs = (struct num){ 0 };
    pcis[NIC_PORT].acs_err = EACCES;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

/* As on a machine with ConnectX-8: the function below the switch is not the NIC but its DMA function. */
static void make_direct(void)
{
    pcis[NIC].is_data_direct = true;
    pcis[6] = (struct pci){ .address = "0001:03:00.0" };
    device.pci = "0001:03:00.0";
    host.npcis = 7;
    pcis[NIC_PORT].acs = num_of(0x19);
    pcis[GPU_PORT].acs = num_of(0x15);
    pcis[ROOT].acs = num_of(0x1c);
    pcis[NIC].iommu_group = pcis[GPU].iommu_group = num_of(7);
}

Test(acs, data_direct_needs_one_redirection_at_each_port)
{
    make_direct();
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    EXPECT_TEXT(ask().evidence, "1 Data Direct functions");
    pcis[NIC_PORT].acs = num_of(0x1b); /* bit 1 is anybody's */
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[NIC_PORT].acs = num_of(0);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "setpci -s 0000:16:00.0 ECAP_ACS+6.w=19:1d # ");
    pcis[NIC_PORT].acs = num_of(0x19);
    pcis[GPU_PORT].acs = num_of(0x1d);
    finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "setpci -s 0000:16:01.0 ECAP_ACS+6.w=15:1d # ");
    pcis[GPU_PORT].acs = num_of(0x15);
    pcis[ROOT].acs = num_of(0x1d); /* source validation there makes groups of their own */
    EXPECT_TEXT(ask().evidence, "bridge 0000:14:00.0: ");
    pcis[ROOT].acs = num_of(0x1c);
    pcis[GPU].iommu_group = num_of(8);
    EXPECT_TEXT(ask().evidence, "of 0000:17:00.0: 7, of 0000:18:00.0: 8; they should be one");
    pcis[GPU].iommu_group = pcis[NIC].iommu_group = (struct num){ 0 };
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    host.partial = true; /* nobody looked */
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

Test(acs, data_direct_without_its_gpu_or_its_bits_is_unknown)
{
    make_direct();
    pcis[GPU_PORT].acs = (struct num){ 0 };
    pcis[GPU_PORT].acs_err = EACCES;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
    pcis[GPU].is_accelerator = false;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

static void be(int which, uint64_t vendor, uint64_t number)
{
    pcis[which].vendor = num_of(vendor);
    pcis[which].device = num_of(number);
}

/* A GH200: the GPU at a root port of Grace's, the NIC at another. */
static void make_superchip(void)
{
    pcis[GPU].upstream = pcis[SWITCH].address;
    pcis[SWITCH].upstream = NULL;
    pcis[NIC_PORT].upstream = NULL;
    be(SWITCH, 0x10de, 0x22b1);
    be(NIC_PORT, 0x10de, 0x22b2);
    be(NIC, 0x15b3, 0x1021);
    be(GPU, 0x10de, 0x2342);
    pcis[SWITCH].acs = pcis[NIC_PORT].acs = num_of(0x1d);
    pcis[NIC].numa_node = pcis[GPU].numa_node = snum_of(0);
    pcis[NIC].iommu_group = num_of(3);
    pcis[GPU].iommu_group = num_of(4);
    pcis[NIC].ats_err = ENODATA;
}

Test(acs, root_ports_of_a_superchip_isolate)
{
    make_superchip();
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[SWITCH].acs = num_of(0);
    EXPECT_TEXT(ask().fix, "setpci -s 0000:15:00.0 ECAP_ACS+6.w=1d:1d # ");
    be(SWITCH, 0x10de, 0x2f95); /* Vera's can't redirect completions */
    pcis[SWITCH].acs = num_of(0x15);
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[NIC_PORT].acs = num_of(0x0d);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[NIC_PORT].acs = num_of(0x1d);
    pcis[GPU].iommu_group = num_of(3);
    EXPECT_TEXT(ask().evidence, "they should be two");
    pcis[GPU].iommu_group = num_of(4);
    pcis[NIC].ats_err = 0;
    pcis[NIC].ats = TRI_NO; /* it has it, switched off */
    EXPECT_TEXT(ask().fix, "ATS_ENABLED=0");
    pcis[NIC].ats = TRI_UNKNOWN;
    pcis[NIC].ats_err = EACCES;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

Test(acs, gpus_at_another_cpus_root_ports_have_no_rule)
{
    make_superchip();
    be(SWITCH, 0x8086, 0x347a);
    be(NIC_PORT, 0x8086, 0x347a);
    pcis[SWITCH].acs = pcis[NIC_PORT].acs = num_of(0);
    EXPECT_VERDICT(ask(), VERDICT_NA);
}

/* A ConnectX that is a switch: root port, shared upstream port, a port to the NIC and one to the GPU's switch.
 */
static void make_inline(uint64_t ports)
{
    enum { INNER = 6, INNER_PORT };
    static const int switches[] = { SWITCH, NIC_PORT, GPU_PORT, INNER, INNER_PORT };
    pcis[INNER] = (struct pci){ .address = "0000:17:08.0",
                                .upstream = pcis[GPU_PORT].address,
                                .acs_err = ENODATA };
    pcis[INNER_PORT] = (struct pci){ .address = "0000:17:09.0", .upstream = pcis[INNER].address };
    pcis[GPU].upstream = pcis[INNER_PORT].address;
    host.npcis = 8;
    for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
        be(switches[i], 0x15b3, 0x197c);
    be(NIC, 0x15b3, 0x1023);
    be(GPU, 0x10de, 0x2901);
    pcis[NIC_PORT].acs = pcis[GPU_PORT].acs = pcis[INNER_PORT].acs = pcis[ROOT].acs = num_of(ports);
}

Test(acs, a_connectx_that_is_the_switch_without_ats_isolates_nothing)
{
    make_inline(0);
    pcis[NIC].ats_err = ENODATA;
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[ROOT].acs = num_of(0x1d);
    EXPECT_TEXT(ask().fix, "setpci -s 0000:14:00.0 ECAP_ACS+6.w=0:1d # ");
    pcis[ROOT].acs = num_of(0);
    pcis[6 + 1].acs = num_of(0x11); /* of the inner switch; it redirects nothing */
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[6 + 1].acs = num_of(0);
    pcis[NIC].iommu_group = num_of(1);
    pcis[GPU].iommu_group = num_of(2);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[GPU].iommu_group = num_of(1);
    EXPECT_VERDICT(ask(), VERDICT_PASS);
}

Test(acs, with_ats_it_isolates_and_lets_translated_pass)
{
    make_inline(0x1d);
    pcis[NIC].ats = TRI_YES;
    pcis[NIC].iommu_group = num_of(1);
    pcis[GPU].iommu_group = num_of(2);
    EXPECT_TEXT(ask().fix, "setpci -s 0000:16:00.0 ECAP_ACS+6.w=5d:5d # ");
    pcis[NIC_PORT].acs = num_of(0x5d);
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    pcis[GPU].iommu_group = num_of(1);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[GPU].iommu_group = num_of(2);
    pcis[GPU_PORT].acs = num_of(0);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    pcis[NIC].ats = TRI_UNKNOWN;
    pcis[NIC].ats_err = EACCES;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

Test(acs, translation_that_the_nic_keeps_itself_is_meant)
{
    pcis[NIC].iommu_group = num_of(1);
    pcis[NIC].iommu_type = "DMA-FQ";
    EXPECT_VERDICT(ask_about(&host, "iommu-translation", arena), VERDICT_WARN);
    pcis[NIC].ats = TRI_YES;
    EXPECT_VERDICT(ask_about(&host, "iommu-translation", arena), VERDICT_INFO);
}
