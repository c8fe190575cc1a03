/* SPDX-License-Identifier: MIT */
/* What operands name: devices, ports, netdevs, addresses, patterns. */
#include "model/selection.h"

#include <criterion/criterion.h>
#include <netinet/in.h>

static struct gid gids[] = {
    { .index = 0, .raw = { 0xfe, 0x80, [15] = 1 }, .netdev = "rail0" },
    { .index = 1, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .netdev = "rail0" },
    { .index = 2, .raw = { [10] = 0xff, 0xff, 10, 0, 7, 1 }, .netdev = "rail0.7" },
};
static struct address address = { .family = AF_INET, .prefix = 24, .raw = { 10, 0, 1, 1 } };
static struct device devices[3];
static struct port ports[] = {
    { .device = &devices[0], .number = 1, .netdev = "rail0", .gids = gids, .ngids = 3 },
    { .device = &devices[1], .number = 1, .netdev = "rail1" },
    { .device = &devices[1], .number = 2, .netdev = "rail12" },
    { .device = &devices[2], .number = 1, .netdev = "eth9" },
};
static struct device devices[3] = {
    { .name = "mlx5_0", .pci = "0000:1a:00.0", .ports = &ports[0], .nports = 1 },
    { .name = "mlx5_2", .pci = "0000:3b:00.0", .ports = &ports[1], .nports = 2 },
    { .name = "mlx5_10", .pci = "0001:3b:00.0", .ports = &ports[3], .nports = 1 },
};
static struct netdev netdevs[] = {
    { .name = "eth9" },    { .name = "rail0" },
    { .name = "rail0.7" }, { .name = "rail1", .addresses = &address, .naddresses = 1 },
    { .name = "rail12" },
};
static struct host host = {
    .devices = devices, .ndevices = 3, .netdevs = netdevs, .nnetdevs = sizeof(netdevs) / sizeof(*netdevs)
};
static struct selection selection;

static void setup(void)
{
    host.arena = arena_new();
}

static void teardown(void)
{
    arena_free(host.arena);
}

TestSuite(selection, .init = setup, .fini = teardown);

/* The ports of what operands name: "mlx5_0/1 mlx5_2/1"; "" when one names nothing. */
static const char *named_by(size_t count, char **operands)
{
    static char text[128];
    struct selection_error error;
    *text = '\0';
    if (selection_make(&selection, &host, operands, count, &error) < 0)
        return "";
    for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
        if (selection_has_port(&selection, &ports[i]))
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s/%u", *text ? " " : "",
                     ports[i].device->name, ports[i].number);
    return text;
}

static const char *named(char *operand)
{
    return named_by(1, &operand);
}
#define NAMES(operand, expected) \
    cr_expect_str_eq(named((char[]){ operand }), (expected), "%s: %s", (operand), named((char[]){ operand }))

Test(selection, devices_and_ports)
{
    NAMES("mlx5_2", "mlx5_2/1 mlx5_2/2");
    NAMES("mlx5_2/2", "mlx5_2/2");
    NAMES("mlx5_2:2", "mlx5_2/2");
    NAMES("mlx5_2/3", "");
    NAMES("mlx5_1", "");
}

Test(selection, netdevs)
{
    NAMES("rail12", "mlx5_2/2");
    NAMES("rail0.7", "mlx5_0/1");
    cr_expect(selection_has_gid(&selection, &ports[0], &gids[2]), "the VLAN's");
    cr_expect_not(selection_has_gid(&selection, &ports[0], &gids[1]), "not those of the netdev below");
    NAMES("rail0", "mlx5_0/1");
    cr_expect(selection_has_gid(&selection, &ports[0], &gids[1]));
}

Test(selection, pci_addresses)
{
    NAMES("0000:1a:00.0", "mlx5_0/1");
    NAMES("3b:00.0", "mlx5_2/1 mlx5_2/2");
    NAMES("0001:3b:00.0", "mlx5_10/1");
    NAMES("1b:00.0", "");
}

Test(selection, addresses_and_gids)
{
    NAMES("10.0.7.1", "mlx5_0/1");
    cr_expect(selection_has_gid(&selection, &ports[0], &gids[2]));
    cr_expect_not(selection_has_gid(&selection, &ports[0], &gids[1]));
    NAMES("fe80::1", "mlx5_0/1");
    NAMES("fe80:0000:0000:0000:0000:0000:0000:0001", "mlx5_0/1");
    NAMES("10.0.1.1", "mlx5_2/1");
    NAMES("10.0.9.1", "");
}

Test(selection, patterns)
{
    NAMES("mlx5_*", "mlx5_0/1 mlx5_2/1 mlx5_2/2 mlx5_10/1");
    NAMES("mlx5_[0-9]", "mlx5_0/1 mlx5_2/1 mlx5_2/2");
    NAMES("mlx5_[2,9-12]", "mlx5_2/1 mlx5_2/2 mlx5_10/1");
    NAMES("mlx5_[1-20]/1", "mlx5_2/1 mlx5_10/1");
    NAMES("rail[1-15]", "mlx5_2/1 mlx5_2/2");
    NAMES("rail?", "mlx5_0/1 mlx5_2/1");
    NAMES("cx*", "");
}

Test(selection, what_is_not_meant)
{
    NAMES("!mlx5_2", "mlx5_0/1 mlx5_10/1");
    cr_expect_not(selection_has_device(&selection, ports[1].device));
    NAMES("!mlx5_2/1", "mlx5_0/1 mlx5_2/2 mlx5_10/1");
    cr_expect(selection_has_device(&selection, ports[1].device));
    NAMES("!mlx5_*", "");
    cr_expect(selection.some, "and not everything");
    NAMES("!mlx5_7", "mlx5_0/1 mlx5_2/1 mlx5_2/2 mlx5_10/1"); /* it need not be there */
    NAMES("!rail12", "mlx5_0/1 mlx5_2/1 mlx5_10/1");
    NAMES("!rail0.7", "mlx5_0/1 mlx5_2/1 mlx5_2/2 mlx5_10/1"); /* a VLAN is not all of its port */
    cr_expect_str_eq(named_by(2, (char *[]){ (char[]){ "mlx5_[0-5]" }, (char[]){ "!mlx5_0" } }),
                     "mlx5_2/1 mlx5_2/2");
    cr_expect_str_eq(named_by(2, (char *[]){ (char[]){ "!mlx5_0" }, (char[]){ "mlx5_[0-5]" } }),
                     "mlx5_2/1 mlx5_2/2");
    cr_expect_str_eq(named_by(2, (char *[]){ (char[]){ "!mlx5_0" }, (char[]){ "!mlx5_10" } }),
                     "mlx5_2/1 mlx5_2/2");
    cr_expect_str_eq(named_by(2, (char *[]){ (char[]){ "mlx5_7" }, (char[]){ "!mlx5_10" } }), "");
}

Test(selection, what_has_to_be_read)
{
    char *device[] = { (char[]){ "mlx5_0" } }, *pci[] = { (char[]){ "1a:00.0" } },
         *ip[] = { (char[]){ "10.0.0.1" } };
    cr_expect_eq(selection_needs(device, 0), 0);
    cr_expect(selection_needs(device, 1) & NEED_NETDEV);
    cr_expect_not(selection_needs(device, 1) & (NEED_PCI | NEED_GIDS));
    cr_expect(selection_needs(pci, 1) & NEED_PCI);
    cr_expect(selection_needs(ip, 1) & NEED_GIDS);
}

Test(text, patterns_with_ranges_of_numbers)
{
    cr_expect(text_matches("node[007-012]", "node9"));
    cr_expect(text_matches("*[3-4]-rail[0-7]", "rack4-rail7"));
    cr_expect_not(text_matches("*[3-4]-rail[0-7]", "rack4-rail8"));
    cr_expect(text_matches("mlx5_[0-4294967295]", "mlx5_11"), "numbers of any length");
    cr_expect_not(text_matches("mlx5_[99999999999999999999-7]", "mlx5_9"));
    cr_expect(text_matches("[ab]*", "beta"));
    cr_expect_not(text_matches("a[1-", "a1"));
    cr_expect_not(text_matches("a[1-2]b", "a1"));
    cr_expect(text_matches("**a**b**", "xxaxxbxx"));
}
