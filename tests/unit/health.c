/* SPDX-License-Identifier: MIT */
/* What hardware says of itself: the bytes of modules and of devlink's reporters, and what is made of them. */
#include <criterion/criterion.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <net/if.h>

#include "asked.h"
#include "check/check.h"
#include "netlink_bytes.h"
#include "source/netlink/parsers.h"
#include "source/recording/lines.h"
#include "source/source.h"
#include "tree.h"

/* What each part of a module says, and what is made of it. */
static const struct {
    const char *what;
    uint8_t id[3];
    uint8_t type, state; /* SFP's byte 92, CMIS' byte 3 */
    int celsius, warm, hot;
    uint8_t light;
    const char *kind, *state_text;
    bool flat, dark, measures;
} modules[] = {
    { "SFP28", { 3 }, 0x68, 0, 41, 70, 75, 9, "SFP", NULL, false, false, true },
    { "SFP without light", { 3 }, 0x68, 0, 41, 70, 75, 0, "SFP", NULL, false, true, true },
    { "SFP copper", { 3 }, 0, 0, 0, 0, 0, 0, "SFP", NULL, true, false, false },
    { "QSFP28", { 0x11, 8, 0 }, 0, 0, 52, 70, 75, 9, "QSFP28", NULL, false, false, true },
    { "QSFP28 without light", { 0x11, 8, 0 }, 0, 0, 52, 70, 75, 0, "QSFP28", NULL, false, true, true },
    { "QSFP28 copper", { 0x11, 8, 4 }, 0, 0, 0, 0, 0, 0, "QSFP28", NULL, true, false, false },
    { "OSFP", { 0x19, 0x50, 0 }, 0, 6, -5, 70, 75, 0, "OSFP", "ready", false, false, true },
    { "OSFP in fault", { 0x19, 0x50, 0 }, 0, 10, 52, 70, 75, 0, "OSFP", "fault", false, false, true },
    { "OSFP copper", { 0x19, 0x50, 0x80 }, 0, 6, 0, 0, 0, 0, "OSFP", "ready", true, false, false },
    { "unknown", { 0x7f }, 0, 0, 0, 0, 0, 0, NULL, NULL, false, false, false },
};

static void put_celsius(uint8_t *bytes, int celsius)
{
    bytes[0] = (uint8_t)celsius;
    bytes[1] = 0;
}

Test(health, modules)
{
    for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
        struct qos_module module = { 0 };
        size_t taken = 0;
        cr_expect_eq(module_take(&module, MODULE_ID, modules[i].id, 3), 0);
        const enum module_part *parts = module_parts(modules[i].id[0]);
        for (; parts[taken] != MODULE_PARTS && !(taken && module.flat); taken++) {
            uint8_t bytes[20] = { 0 };
            enum module_part part = parts[taken];
            bool limits = part == MODULE_SFP_LIMITS || part == MODULE_QSFP_LIMITS || part == MODULE_CMIS_LIMITS;
            if (part == MODULE_SFP_TYPE || part == MODULE_CMIS_STATE)
                bytes[0] = part == MODULE_SFP_TYPE ? modules[i].type : modules[i].state;
            else
                put_celsius(bytes, limits ? modules[i].hot : modules[i].celsius);
            if (limits)
                put_celsius(bytes + 4, modules[i].warm);
            if (part == MODULE_SFP)
                bytes[9] = modules[i].light;
            if (part == MODULE_QSFP)
                bytes[19] = modules[i].light;
            cr_expect_eq(module_take(&module, part, bytes, module_range(part)->length), 0);
        }
        const char *what = modules[i].what;
        cr_expect(module.known, "%s", what);
        cr_expect_str_eq(module.kind ? module.kind : "", modules[i].kind ? modules[i].kind : "", "%s", what);
        cr_expect_str_eq(module.state ? module.state : "", modules[i].state_text ? modules[i].state_text : "",
                         "%s", what);
        cr_expect_eq(module.flat, modules[i].flat, "%s", what);
        cr_expect_eq(module.dark == TRI_YES, modules[i].dark, "%s", what);
        cr_expect_eq(module.temperature.known, modules[i].measures, "%s", what);
        cr_expect_eq(module.temperature.value, modules[i].celsius * 256, "%s", what);
        cr_expect_eq(module.warm.value, modules[i].warm * 256, "%s", what);
        cr_expect_eq(module.hot.value, modules[i].hot * 256, "%s", what);
    }
}

/* Reading these clears them: SFF-8636 bytes 3 to 21, CMIS 8 to 13, SFF-8472 110 to 117. */
Test(health, no_latched_flag_is_read)
{
    for (enum module_part part = 0; part < MODULE_PARTS; part++) {
        const struct module_range *range = module_range(part);
        uint32_t end = range->offset + range->length;
        if (range->page)
            continue;
        if (range->i2c == 0x50 && part != MODULE_CMIS_STATE && part != MODULE_CMIS)
            cr_expect(end <= 3 || range->offset >= 22, "%d", part);
        if (range->i2c == 0x50)
            cr_expect(end <= 8 || range->offset >= 14, "%d", part);
        else
            cr_expect(end <= 110 || range->offset >= 118, "%d", part);
        struct qos_module module = { 0 };
        uint8_t bytes[32] = { 0 };
        cr_expect_eq(module_take(&module, part, bytes, range->length + 1), -EBADMSG);
        cr_expect_eq(module_take(&module, part, bytes, range->length - 1), -EBADMSG);
    }
}

Test(health, bytes_of_a_module)
{
    struct nlbytes bytes = { 0 };
    struct genlmsghdr header = { .cmd = ETHTOOL_MSG_MODULE_EEPROM_GET_REPLY };
    struct module_bytes out = { 0 };
    struct arena *arena = arena_new();
    nlbytes_message(&bytes, 0x14, &header, sizeof(header));
    nlbytes_attr(&bytes, ETHTOOL_A_MODULE_EEPROM_DATA, "\x11\x08\x04", 3);
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill(&ethtool_module, bytes.data, bytes.len, arena, &out), 0);
    cr_assert_eq(out.len, 3);
    cr_assert_eq(out.data[0], 0x11);
    cr_assert_eq(answer_fill(&ethtool_module, bytes.data, bytes.len - 1, arena, &out), -EBADMSG);
    cr_assert_eq(answer_fill(&ethtool_module, bytes.data, 0, arena, &out), -EBADMSG);
    bytes.len = 0;
    nlbytes_message(&bytes, 0x14, &header, sizeof(header));
    nlbytes_attr(&bytes, ETHTOOL_A_MODULE_EEPROM_DATA, "more than is ever asked for", 24);
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill(&ethtool_module, bytes.data, bytes.len, arena, &out), -EBADMSG);
    bytes.len = 0;
    nlbytes_message(&bytes, 0x14, &header, sizeof(header));
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill(&ethtool_module, bytes.data, bytes.len, arena, &out), -EBADMSG);
    arena_free(arena);
}

static void put_reporter(struct nlbytes *bytes, const char *name, uint8_t state, uint64_t errors)
{
    struct genlmsghdr header = { .cmd = DEVLINK_CMD_HEALTH_REPORTER_GET };
    nlbytes_message(bytes, 0x15, &header, sizeof(header));
    nlbytes_text(bytes, DEVLINK_ATTR_BUS_NAME, "pci");
    nlbytes_text(bytes, DEVLINK_ATTR_DEV_NAME, "0000:17:00.0");
    size_t nest = nlbytes_attr(bytes, DEVLINK_ATTR_HEALTH_REPORTER, NULL, 0);
    if (name)
        nlbytes_text(bytes, DEVLINK_ATTR_HEALTH_REPORTER_NAME, name);
    nlbytes_attr(bytes, DEVLINK_ATTR_HEALTH_REPORTER_STATE, &state, 1);
    nlbytes_attr(bytes, DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT, &errors, sizeof(errors));
    nlbytes_close(bytes, nest);
    nlbytes_end(bytes);
}

Test(health, reporters)
{
    struct arena *arena = arena_new();
    struct nlbytes bytes = { 0 };
    struct devlink devlink = { 0 };
    put_reporter(&bytes, "fw", 0, 0);
    put_reporter(&bytes, NULL, 1, 9);
    put_reporter(&bytes, "fw_fatal", 1, 2);
    put_reporter(&bytes, "rx", 7, 0);
    cr_assert_eq(answer_fill_each(&devlink_health, bytes.data, bytes.len, arena, &devlink), 0);
    cr_assert_eq(devlink.nreporters, 3);
    cr_expect_str_eq(devlink.reporters[0].device, "pci/0000:17:00.0");
    cr_expect_eq(devlink.reporters[0].error, TRI_NO);
    cr_expect(num_is(devlink.reporters[0].errors, 0));
    cr_expect_not(devlink.reporters[0].recoveries.known);
    cr_expect_str_eq(devlink.reporters[1].name, "fw_fatal");
    cr_expect_eq(devlink.reporters[1].error, TRI_YES);
    cr_expect(num_is(devlink.reporters[1].errors, 2));
    cr_expect_eq(devlink.reporters[2].error, TRI_UNKNOWN);
    cr_assert_eq(answer_fill_each(&devlink_health, bytes.data, bytes.len - 4, arena, &devlink), -EBADMSG);
    arena_free(arena);
}

/* What a check makes of a port in that state whose netdev tells this. */
static enum verdict ask(const char *id, const struct qos *told, uint64_t state, struct arena *arena)
{
    static struct port port;
    static struct device device;
    static struct netdev netdev;
    struct qos qos = *told;
    qos.netdev = "eth0";
    port = (struct port){ .device = &device,
                          .number = 1,
                          .transport = TRANSPORT_ROCE,
                          .link_layer = LINK_LAYER_ETHERNET,
                          .state = num_of(state),
                          .netdev = "eth0" };
    device = (struct device){
        .name = "mlx5_0", .driver = "mlx5_core", .transport = TRANSPORT_ROCE, .ports = &port, .nports = 1
    };
    netdev = (struct netdev){ .name = "eth0", .kind = NETDEV_PHYSICAL, .flags = num_of(IFF_UP) };
    struct host host = { .arena = arena,
                         .needs = NEED_ALL,
                         .devices = &device,
                         .ndevices = 1,
                         .netdevs = &netdev,
                         .nnetdevs = 1,
                         .qos = &qos,
                         .nqos = 1 };
    struct check_selection selection = { .only = id };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.nfindings, 1);
    return report.findings[0].verdict;
}

static struct snum degrees(int celsius)
{
    return snum_of(celsius * 256);
}

Test(health, verdicts)
{
    struct qos_reporter fine = { "pci/x", "fw", TRI_NO, num_of(3), num_of(3) };
    struct qos_reporter bad = { "pci/x", "fw", TRI_YES, num_of(3), num_of(2) };
    struct qos_module cool = {
        .known = true, .kind = "OSFP", .temperature = degrees(50), .warm = degrees(70), .hot = degrees(75)
    };
    struct qos_module warm = cool, hot = cool, edge = cool, fault = cool, dark = cool,
                      copper = { .known = true, .kind = "QSFP28", .flat = true };
    warm.temperature = degrees(72), hot.temperature = degrees(75), edge.temperature = degrees(70);
    fault.state = "fault", dark.dark = TRI_YES;
    const struct {
        const char *id;
        struct qos qos;
        uint64_t state;
        enum verdict verdict;
    } rows[] = {
        { "devlink-health", { .reporters = &fine, .nreporters = 1 }, PORT_STATE_ACTIVE, VERDICT_PASS },
        { "devlink-health", { .reporters = &bad, .nreporters = 1 }, PORT_STATE_ACTIVE, VERDICT_FAIL },
        { "devlink-health", { 0 }, PORT_STATE_ACTIVE, VERDICT_NA },
        { "devlink-health", { .health_err = EOPNOTSUPP }, PORT_STATE_ACTIVE, VERDICT_NA },
        { "devlink-health", { .health_err = EPERM }, PORT_STATE_ACTIVE, VERDICT_UNKNOWN },
        { "module-health", { .module = cool }, PORT_STATE_ACTIVE, VERDICT_PASS },
        { "module-health", { .module = edge }, PORT_STATE_ACTIVE, VERDICT_WARN },
        { "module-health", { .module = warm }, PORT_STATE_ACTIVE, VERDICT_WARN },
        { "module-health", { .module = hot }, PORT_STATE_ACTIVE, VERDICT_FAIL },
        { "module-health", { .module = fault }, PORT_STATE_ACTIVE, VERDICT_FAIL },
        { "module-health", { .module = dark }, PORT_STATE_DOWN, VERDICT_WARN },
        { "module-health", { .module = dark }, PORT_STATE_ACTIVE, VERDICT_PASS }, /* lanes that aren't used */
        { "module-health", { .module = copper }, PORT_STATE_ACTIVE, VERDICT_NA },
        { "module-health", { .module_err = EOPNOTSUPP }, PORT_STATE_ACTIVE, VERDICT_NA },
        { "module-health", { .module_err = EPERM }, PORT_STATE_ACTIVE, VERDICT_UNKNOWN },
        { "module-health", { .module_err = EIO }, PORT_STATE_ACTIVE, VERDICT_UNKNOWN },
        { "module-health", { .module_err = EIO }, PORT_STATE_DOWN, VERDICT_NA }, /* an empty cage */
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(ask(rows[i].id, &rows[i].qos, rows[i].state, arena), rows[i].verdict, "row %zu", i);
    arena_free(arena);
}

/* Errors that PCIe counted: the kernel's files, and what is made of them now and since boot. */

static struct arena *arena;
static struct pci pcis[2], earlier[2];
static struct device device;
static struct host host, before;

enum { ROOT, NIC };

static void set(struct pci *pci, enum aer_severity severity, const char *text)
{
    pci->aer[severity] = aer_parse(text, arena);
}

/* A root port whose errors the kernel handles, and a function below it on 16 lanes of 32 GT/s; nothing
 * happened. */
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
    struct aer aer = aer_parse("RxErr 0\nBadTLP 12\nTimeout\n Rollover 3\nBadDLLP x\nNonFatalErr "
                               "18446744073709551615\nTOTAL_ERR_COR 12",
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

Test(aer, ages_of_the_kernel_s_lines_settle_to_whole_minutes)
{
    static const struct {
        const char *is, *settled;
    } cases[] = {
        { "[42 s ago] mlx5_core: a\n[119 s ago] b\n", "[0 s ago] mlx5_core: a\n[60 s ago] b\n" },
        { "[7200 s ago] c", "[7200 s ago] c" },
        { "[0099 s ago] d\n", "[60 s ago] d\n" },
        { "[-5 s ago] e\n[5 min ago] f\n[ 5 s ago] g\n", "[-5 s ago] e\n[5 min ago] f\n[ 5 s ago] g\n" },
        { "h [42 s ago]\n[\n[9", "h [42 s ago]\n[\n[9" },
        { "[99999999999999999999999 s ago] i", "[18446744073709551600 s ago] i" },
        { "", "" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[64];
        snprintf(text, sizeof(text), "%s", cases[i].is);
        cr_expect_eq(settle("probe/kernel-log", text, strlen(text)), strlen(cases[i].settled), "%s",
                     cases[i].is);
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
