/* SPDX-License-Identifier: MIT */
/* What hardware says of itself: the bytes of modules and of devlink's reporters, and what is made of them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <net/if.h>
#include <string.h>

#include "base/mem.h"
#include "check/check.h"
#include "netlink_bytes.h"
#include "source/netlink/devlink.h"
#include "source/netlink/module.h"

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
            bool limits = part == MODULE_SFP_LIMITS || part == MODULE_QSFP_LIMITS ||
                          part == MODULE_CMIS_LIMITS;
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
    uint8_t out[4];
    size_t len = 0;
    nlbytes_message(&bytes, 0x14, &header, sizeof(header));
    nlbytes_attr(&bytes, ETHTOOL_A_MODULE_EEPROM_DATA, "\x11\x08\x04", 3);
    nlbytes_end(&bytes);
    cr_assert_eq(module_parse(bytes.data, bytes.len, out, sizeof(out), &len), 0);
    cr_assert_eq(len, 3);
    cr_assert_eq(out[0], 0x11);
    cr_assert_eq(module_parse(bytes.data, bytes.len, out, 2, &len), -EBADMSG);
    cr_assert_eq(module_parse(bytes.data, bytes.len - 1, out, sizeof(out), &len), -EBADMSG);
    cr_assert_eq(module_parse(bytes.data, 0, out, sizeof(out), &len), -EBADMSG);
    bytes.len = 0;
    nlbytes_message(&bytes, 0x14, &header, sizeof(header));
    nlbytes_end(&bytes);
    cr_assert_eq(module_parse(bytes.data, bytes.len, out, sizeof(out), &len), -EBADMSG);
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
    struct qos_reporter *reporters = NULL;
    size_t count = 0;
    put_reporter(&bytes, "fw", 0, 0);
    put_reporter(&bytes, NULL, 1, 9);
    put_reporter(&bytes, "fw_fatal", 1, 2);
    put_reporter(&bytes, "rx", 7, 0);
    cr_assert_eq(devlink_parse_health(bytes.data, bytes.len, arena, &reporters, &count), 0);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(reporters[0].device, "pci/0000:17:00.0");
    cr_expect_eq(reporters[0].error, TRI_NO);
    cr_expect(num_is(reporters[0].errors, 0));
    cr_expect_not(reporters[0].recoveries.known);
    cr_expect_str_eq(reporters[1].name, "fw_fatal");
    cr_expect_eq(reporters[1].error, TRI_YES);
    cr_expect(num_is(reporters[1].errors, 2));
    cr_expect_eq(reporters[2].error, TRI_UNKNOWN);
    cr_assert_eq(devlink_parse_health(bytes.data, bytes.len - 4, arena, &reporters, &count), -EBADMSG);
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
