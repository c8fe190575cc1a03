/* SPDX-License-Identifier: MIT */
/* Lists of CPUs; interrupts and ports by NUMA node. */
#include <criterion/criterion.h>

#include "asked.h"
#include "model/num.h"

Test(cpus, lists_meet_where_they_share_one)
{
    cr_expect(cpus_meet("0-15,32-47", "40"));
    cr_expect(cpus_meet("40", "0-15,32-47"));
    cr_expect_not(cpus_meet("0-15,32-47", "16-31,48-63"));
    cr_expect_not(cpus_meet("", "0"));
    cr_expect_not(cpus_meet("none", "0"));
}

Test(cpus, of_several_lists_one)
{
    struct arena *arena = arena_new();
    const char *const lists[] = { "3", NULL, "0-1", "2", "8191", "70000-80000", "7" };
    cr_expect_str_eq(cpus_join(lists, 7, arena), "0-3,7,8191");
    cr_expect_str_eq(cpus_join(lists, 0, arena), "");
    arena_free(arena);
}

static struct arena *arena;
static struct vector vectors[3];
static struct pci pcis[4];
static struct port ports[2];
static struct device devices[2];
static struct host host;

/* Two nodes, a NIC and an accelerator on each. */
static void setup(void)
{
    arena = arena_new();
    static const char *const addresses[] = { "0000:11:00.0", "0000:91:00.0", "0000:12:00.0", "0000:92:00.0" };
    static const char *const names[] = { "mlx5_0", "mlx5_1" };
    for (size_t i = 0; i < 4; i++)
        pcis[i] = (struct pci){ .address = addresses[i],
                                .numa_node = snum_of(i % 2),
                                .local_cpus = i % 2 ? "16-31" : "0-15",
                                .is_accelerator = i >= 2,
                                .vectors_err = ENOENT };
    for (size_t i = 0; i < 2; i++) {
        ports[i] = (struct port){ .device = &devices[i], .number = 1, .state = num_of(PORT_STATE_ACTIVE) };
        devices[i] = (struct device){
            .name = names[i], .parent_bus = "pci", .pci = addresses[i], .ports = &ports[i], .nports = 1
        };
    }
    vectors[0] = (struct vector){ "30", "0" };
    vectors[1] = (struct vector){ "31", "17" };
    vectors[2] = (struct vector){ "32", NULL };
    pcis[1].vectors = vectors;
    pcis[1].nvectors = 3;
    pcis[1].vectors_err = 0;
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = devices, .ndevices = 2, .pcis = pcis, .npcis = 4
    };
    host.system.numa_nodes = "0-1";
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(numa, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

Test(numa, some_interrupts_near_are_enough)
{
    EXPECT_VERDICT(ask("irq-far"), VERDICT_PASS);
    vectors[1].cpus = "1";
    struct finding finding = ask("irq-far");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence,
                "0 of 2 interrupts of 0000:91:00.0 on CPUs of its NUMA node 1 (16-31); they are on 0-1");
    EXPECT_TEXT(finding.fix, "echo 16-31 >/proc/irq/");
    host.system.cmdline = "quiet irqaffinity=0-3";
    EXPECT_VERDICT(ask("irq-far"), VERDICT_INFO);
    host.system.cmdline = NULL;
    vectors[1].cpus = NULL; /* one alone is no picture */
    EXPECT_VERDICT(ask("irq-far"), VERDICT_PASS);
    vectors[0].cpus = NULL;
    EXPECT_VERDICT(ask("irq-far"), VERDICT_UNKNOWN);
    pcis[1].vectors_err = EACCES;
    EXPECT_VERDICT(ask("irq-far"), VERDICT_UNKNOWN);
    host.system.numa_nodes = "0";
    EXPECT_VERDICT(ask("irq-far"), VERDICT_NA);
}

Test(numa, accelerators_without_a_port_on_their_node)
{
    EXPECT_VERDICT(ask("numa-unbalanced"), VERDICT_PASS);
    pcis[0].numa_node = snum_of(1);
    struct finding finding = ask("numa-unbalanced");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "NUMA node 0 has 1 accelerator and no port, the others 2 cards");
    pcis[0].address = devices[0].pci = "0000:91:00.1"; /* one card */
    EXPECT_VERDICT(ask("numa-unbalanced"), VERDICT_INFO);
    pcis[2].is_accelerator = false;
    EXPECT_VERDICT(ask("numa-unbalanced"), VERDICT_NA);
}
