/* SPDX-License-Identifier: MIT */
/* Errors that PCIe counted: the kernel's files, and what is made of them now and since boot. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "base/mem.h"
#include "source/recording/settle.h"
#include "source/source.h"
#include "tree.h"

static struct arena *arena;
static struct pci pcis[2], earlier[2];
static struct device device;
static struct host host, before;

enum { ROOT, NIC };

static void set(struct pci *pci, enum aer_severity severity, const char *text)
{
    pci->aer[severity] = aer_parse(text, arena);
}

/* A root port whose errors the kernel handles, and a function below it on 16 lanes of 32 GT/s; nothing happened. */
static void setup(void)
{
    arena = arena_new();
    for (int i = 0; i < 2; i++) {
        pcis[i] = (struct pci){ .address = i == NIC ? "0000:17:00.0" : "0000:16:00.0",
                                .upstream = i == NIC ? "0000:16:00.0" : NULL,
                                .aer_here = i == ROOT,
                                .link_speed = "32.0 GT/s PCIe",
                                .link_width = num_of(16) };
        for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++)
            set(&pcis[i], severity, "RxErr 0\n");
        earlier[i] = pcis[i];
    }
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core", .pci = "0000:17:00.0" };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1, .pcis = pcis, .npcis = 2
    };
    before = host;
    before.pcis = earlier;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(aer, .init = setup, .fini = teardown);

static struct finding ask_after(uint64_t interval_ms)
{
    struct check_selection selection = { .only = "pcie-aer" };
    struct report report = check_run(&host, &before, interval_ms, &selection, arena);
    return report.findings[0];
}

static struct finding ask_past(void)
{
    return ask_about(&host, "pcie-aer-history", arena);
}

Test(aer, the_kernels_files)
{
    struct aer aer = aer_parse(
        "RxErr 0\nBadTLP 12\nTimeout\n Rollover 3\nBadDLLP x\nNonFatalErr 18446744073709551615\nTOTAL_ERR_COR 12",
        arena);
    cr_expect(aer.known);
    cr_expect_eq(aer.nkinds, 3);
    cr_expect_eq(aer_count(&aer, "BadTLP"), 12);
    cr_expect_eq(aer_count(&aer, "NonFatalErr"), UINT64_MAX);
    cr_expect_eq(aer_count(&aer, "Timeout"), 0);
    cr_expect_eq(aer_count(&aer, "TOTAL_ERR_COR"), 0, "the sum of them is no kind");
    cr_expect_eq(aer_parse("", arena).nkinds, 0);
}

Test(aer, natures)
{
    static const char *const of_link[] = { "RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout" };
    static const char *const harmless[] = { "NonFatalErr", "CorrIntErr", "HeaderOF" };
    for (size_t i = 0; i < ARRAY_SIZE(of_link); i++)
        cr_expect_eq(aer_nature(AER_CORRECTABLE, of_link[i]), AER_OF_LINK, "%s", of_link[i]);
    for (size_t i = 0; i < ARRAY_SIZE(harmless); i++)
        cr_expect_eq(aer_nature(AER_CORRECTABLE, harmless[i]), AER_HARMLESS, "%s", harmless[i]);
    cr_expect_eq(aer_nature(AER_NONFATAL, "CmpltTO"), AER_SERIOUS);
    cr_expect_eq(aer_nature(AER_NONFATAL, "UnsupReq"), AER_HARMLESS);
    cr_expect_eq(aer_nature(AER_FATAL, "UnsupReq"), AER_SERIOUS);
    cr_expect_eq(aer_nature(AER_FATAL, "a new one"), AER_SERIOUS);
}

Test(aer, what_is_lost_meanwhile_fails)
{
    EXPECT_VERDICT(ask_after(1000), VERDICT_PASS);
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 900\n"); /* worse still: the other one names the place */
    set(&pcis[NIC], AER_NONFATAL, "CmpltTO 3\nUnsupReq 1\n");
    set(&earlier[NIC], AER_NONFATAL, "CmpltTO 1\n");
    struct finding finding = ask_after(1000);
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    EXPECT_TEXT(finding.evidence, "0000:17:00.0/aer_dev_nonfatal: CmpltTO +2, UnsupReq +1; 0000:16:00.0");
    EXPECT_TEXT(finding.fix, "journalctl -k | grep -F 0000:17:00.0 #");
    set(&pcis[NIC], AER_NONFATAL, "");
    set(&pcis[NIC], AER_FATAL, "DLP 1\n");
    EXPECT_VERDICT(ask_after(1000), VERDICT_FAIL);
}

Test(aer, a_link_warns_above_its_bit_error_ratio)
{
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 2\n");
    EXPECT_VERDICT(ask_after(1000), VERDICT_PASS); /* one or two are chance */
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 2\nRxErr 1\n");
    struct finding finding = ask_after(1000);
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "0000:16:00.0/aer_dev_correctable: BadTLP +2, RxErr +1 in 1.0 s");
    EXPECT_TEXT(finding.fix, "lspci -vvs 0000:16:00.0 #");
    /* 512 Gb/s for a minute and a bit: 32 of 1e12 */
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 31\n");
    EXPECT_VERDICT(ask_after(62500), VERDICT_PASS);
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 32\n");
    EXPECT_VERDICT(ask_after(62500), VERDICT_WARN);
    /* at some time between two recordings */
    EXPECT_VERDICT(ask_after(0), VERDICT_PASS);
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 100\n");
    EXPECT_VERDICT(ask_after(0), VERDICT_WARN);
    /* two links with some are no link with many */
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 2\n");
    set(&pcis[NIC], AER_CORRECTABLE, "BadTLP 2\n");
    EXPECT_VERDICT(ask_after(1000), VERDICT_PASS);
}

Test(aer, the_end_that_saw_most_is_named)
{
    set(&pcis[NIC], AER_CORRECTABLE, "Timeout 5\n");
    set(&pcis[ROOT], AER_CORRECTABLE, "BadTLP 50\n");
    EXPECT_TEXT(ask_after(1000).fix, "lspci -vvs 0000:16:00.0 #");
    set(&pcis[NIC], AER_CORRECTABLE, "Timeout 51\n");
    EXPECT_TEXT(ask_after(1000).fix, "lspci -vvs 0000:17:00.0 #");
}

Test(aer, harmless_ones_pass)
{
    set(&pcis[NIC], AER_CORRECTABLE, "NonFatalErr 5000\n");
    set(&pcis[NIC], AER_NONFATAL, "UnsupReq 5000\n");
    EXPECT_VERDICT(ask_after(1000), VERDICT_PASS);
    EXPECT_TEXT(ask_after(1000).evidence, "which harms nothing");
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
}

Test(aer, who_cant_count_says_so)
{
    pcis[ROOT].aer_here = false; /* the firmware keeps them */
    EXPECT_VERDICT(ask_after(1000), VERDICT_UNKNOWN);
    set(&pcis[NIC], AER_FATAL, "DLP 1\n"); /* and told of one */
    EXPECT_VERDICT(ask_after(1000), VERDICT_FAIL);
    for (int i = 0; i < 2; i++)
        earlier[i].aer[AER_CORRECTABLE] = (struct aer){ 0 };
    EXPECT_VERDICT(ask_after(1000), VERDICT_UNKNOWN);
    for (int i = 0; i < 2; i++)
        pcis[i].aer[AER_CORRECTABLE] = (struct aer){ 0 };
    EXPECT_VERDICT(ask_after(1000), VERDICT_NA);
    EXPECT_VERDICT(ask_past(), VERDICT_NA);
    device.pci = NULL;
    EXPECT_VERDICT(ask_after(1000), VERDICT_NA);
}

Test(aer, the_past_is_worth_knowing_and_no_more)
{
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    set(&pcis[NIC], AER_NONFATAL, "MalfTLP 1\n");
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
    EXPECT_VERDICT(ask_after(1000), VERDICT_FAIL);
    set(&earlier[NIC], AER_NONFATAL, "MalfTLP 1\n");
    EXPECT_VERDICT(ask_after(1000), VERDICT_PASS);
    set(&pcis[NIC], AER_NONFATAL, "");
    /* a link that errs every hour, but for those of its training */
    host.system.uptime_h = num_of(72);
    set(&pcis[NIC], AER_CORRECTABLE, "BadDLLP 71\n");
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    set(&pcis[NIC], AER_CORRECTABLE, "BadDLLP 72\n");
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
    EXPECT_TEXT(ask_past().evidence, "BadDLLP 72, since boot, 3 days ago");
    host.system.container = CONTAINER_LXC; /* whose uptime is its own */
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    host.system.container = CONTAINER_NONE;
    host.system.uptime_h = num_of(0);
    set(&pcis[NIC], AER_CORRECTABLE, "BadDLLP 9\n");
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
    set(&pcis[NIC], AER_CORRECTABLE, "BadDLLP 10\n");
    EXPECT_VERDICT(ask_past(), VERDICT_INFO);
    EXPECT_TEXT(ask_past().evidence, "since boot, 0 hours ago");
    host.system.uptime_h = (struct num){ 0 };
    EXPECT_VERDICT(ask_past(), VERDICT_PASS);
}

Test(aer, is_read_of_the_function_and_the_bridges_above)
{
    struct source *source = NULL;
    struct host *read = NULL;
    cr_assert_eq(source_open_recording(tree_fixture("fault-counters"), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_AER | NEED_PCI | NEED_SYSTEM, &read), 0);
    const struct pci *nic = host_find_pci(read, "0000:17:00.0"), *root = host_find_pci(read, "0000:16:00.0");
    cr_expect_eq(aer_count(&nic->aer[AER_CORRECTABLE], "Timeout"), 1204);
    cr_expect_eq(aer_count(&host_find_pci(read, "0000:27:00.0")->aer[AER_NONFATAL], "CmpltTO"), 1);
    cr_expect_eq(aer_count(&root->aer[AER_CORRECTABLE], "BadTLP"), 2290);
    cr_expect(root->aer[AER_FATAL].known && root->aer_here && !nic->aer_here);
    cr_expect(!host_find_pci(read, "0000:41:00.0")->aer_here);
    cr_expect(num_is(read->system.uptime_h, 343));
    host_free(read);
    source_close(source);
}

/* A link that repeats itself keeps the credits away for which the NIC waits: one finding. */
Test(aer, a_link_that_repeats_makes_the_nic_wait)
{
    struct source *sources[2] = { 0 };
    struct host *hosts[2] = { 0 };
    static const char *const names[] = { "fault-counters-before", "fault-counters" };
    struct check_selection selection = { .only = "pcie-aer,pcie-stalls" };
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(source_open_recording(tree_fixture(names[i]), &sources[i], NULL), 0);
        cr_assert_eq(host_read(sources[i], NEED_ALL, &hosts[i]), 0);
    }
    struct report report = check_run(hosts[1], hosts[0], 60000, &selection, arena);
    const struct finding *stalls = NULL;
    for (size_t i = 0; i < report.nfindings; i++)
        if (strcmp(report.findings[i].check->id, "pcie-stalls") == 0 &&
            report.findings[i].verdict == VERDICT_WARN)
            stalls = &report.findings[i];
    cr_assert_not_null(stalls);
    cr_assert_not_null(stalls->cause);
    cr_expect_str_eq(stalls->cause->check->id, "pcie-aer");
    for (size_t i = 0; i < report.ncauses; i++)
        cr_expect_str_eq(report.causes[i].check->id, "pcie-aer");
    for (size_t i = 0; i < 2; i++) {
        host_free(hosts[i]);
        source_close(sources[i]);
    }
}

Test(aer, of_memory_settles_what_is_set_aside)
{
    static const struct {
        const char *is, *settled;
    } cases[] = {
        { "MemFree: 1 kB\nCmaTotal:        0 kB\nCmaFree:    940604 kB\n",
          "CmaTotal: 0 kB\nCmaFree: 1048576 kB\n" },
        { "CmaTotal:    65536 kB\nCmaFree:   1048577 kB\n", "CmaTotal: 65536 kB\nCmaFree: 2097152 kB\n" },
        { "CmaTotal:        0 kB\nCmaFree:         0 kB\n", "CmaTotal: 0 kB\nCmaFree: 0 kB\n" },
        { "MemTotal: 1 kB\n", "" },
        { "CmaFree:", "CmaFree:" },
        { "", "" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[128];
        snprintf(text, sizeof(text), "%s", cases[i].is);
        cr_expect_eq(settle("proc/meminfo", text, strlen(text)), strlen(cases[i].settled), "%s", cases[i].is);
        cr_expect_str_eq(text, cases[i].settled);
    }
}

Test(aer, the_uptime_settles_to_whole_hours)
{
    static const struct {
        const char *is, *settled;
    } cases[] = {
        { "350735.47 234388.90\n", "349200.00 0.00\n" },
        { "3599.99 12.00\n", "0.00 0.00\n" },
        { "3600.00 12.00\n", "3600.00 0.00\n" },
        { "0.05 0.01\n", "0.00 0.00\n" },
        { "-1\n", "-1\n" },
        { "", "" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[64];
        snprintf(text, sizeof(text), "%s", cases[i].is);
        cr_expect_eq(settle("proc/uptime", text, strlen(text)), strlen(cases[i].settled), "%s", cases[i].is);
        cr_expect_str_eq(text, cases[i].settled);
    }
}
