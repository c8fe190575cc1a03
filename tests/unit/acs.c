/* SPDX-License-Identifier: MIT */
/* ACS of the bridges between a NIC and a GPU: which redirection is in the way, and where one is needed. */
#include <criterion/criterion.h>
#include <errno.h>

#include "asked.h"
#include "base/mem.h"

static struct arena *arena;
static struct pci pcis[8];
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
    EXPECT_VERDICT(ask(), VERDICT_PASS);
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
