/* SPDX-License-Identifier: MIT */
/* Ports of one host against each other: which GIDs, and what says that there is no way. */
#include <criterion/criterion.h>
#include <infiniband/verbs.h>
#include <sys/socket.h>

#include "command/trials.h"

enum { PORTS = 3, GIDS = 3 };
static struct host host;
static struct device devices[PORTS];
static struct port ports[PORTS];
static struct netdev netdevs[PORTS];
static struct address addresses[PORTS];
static struct gid gids[PORTS][GIDS];
static struct sysctl sysctls[PORTS];
static const char *const names[] = { "eth0", "eth1", "eth2" };

/* Two ports in one subnet, the third in another; each has a link-local GID, its address by RoCE v1 and by v2.
 */
static void setup(void)
{
    static const char *const device_names[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
    static const char *const settings[] = { "net/ipv4/conf/eth0/accept_local",
                                            "net/ipv4/conf/eth1/accept_local",
                                            "net/ipv4/conf/all/accept_local" };
    memset(gids, 0, sizeof(gids));
    host = (struct host){ .arena = arena_new(),
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = PORTS,
                          .netdevs = netdevs,
                          .nnetdevs = PORTS,
                          .routes_known = true,
                          .rules_known = true };
    for (uint8_t i = 0; i < PORTS; i++) {
        addresses[i] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 0, i / 2, 1 + i } };
        netdevs[i] = (struct netdev){
            .name = names[i], .addresses = &addresses[i], .naddresses = 1, .addresses_known = true
        };
        for (uint32_t g = 0; g < GIDS; g++) {
            struct gid *gid = &gids[i][g];
            *gid = (struct gid){ .index = g,
                                 .netdev = names[i],
                                 .type = g == 1 ? GID_TYPE_IB_ROCE_V1 : GID_TYPE_ROCE_V2 };
            if (g == 0)
                memcpy(gid->raw, "\xfe\x80", 2), gid->raw[15] = i + 1;
            else
                gid_of_address(AF_INET, addresses[i].raw, gid->raw);
        }
        ports[i] = (struct port){ .device = &devices[i], .number = 1, .gids = gids[i], .ngids = GIDS };
        devices[i] = (struct device){
            .name = device_names[i], .driver = "mlx5_core", .ports = &ports[i], .nports = 1
        };
        sysctls[i] = (struct sysctl){ .name = settings[i], .value = "0" };
    }
    host.system.sysctls = sysctls;
    host.system.nsysctls = PORTS;
}

static void teardown(void)
{
    arena_free(host.arena);
}

TestSuite(port_pairs, .init = setup, .fini = teardown);

static struct result failed(enum step step, int err)
{
    return (struct result){ .verdict = VERDICT_FAIL, .failure = { .step = step, .err = err } };
}

Test(port_pairs, addresses_of_one_kind_and_the_newer_roce)
{
    struct port_pair pair = port_pair_of(&host, &ports[0], &ports[1]);
    cr_assert_not_null(pair.from_gid);
    cr_expect_eq(pair.from_gid->index, 2);
    cr_expect_eq(pair.to_gid->index, 2);
    cr_expect_null(pair.why, "%s", pair.why);
    cr_expect_eq(pair.same_network, TRI_YES);
    cr_expect_eq(port_pair_of(&host, &ports[0], &ports[2]).same_network, TRI_NO);
    ports[1].ngids = 2; /* no v2 but the link-local one */
    pair = port_pair_of(&host, &ports[0], &ports[1]);
    cr_expect_eq(pair.from_gid->index, 0);
    cr_expect_eq(pair.same_network, TRI_UNKNOWN);
    ports[1].gids++;
    ports[1].ngids = 1;
    ports[0].gids += 2; /* v2 here, v1 there */
    ports[0].ngids = 1;
    pair = port_pair_of(&host, &ports[0], &ports[1]);
    cr_expect_null(pair.from_gid);
    cr_expect_not_null(pair.why);
}

static void to_ipv6(struct gid *gid, uint8_t host_part)
{
    memset(gid->raw, 0, sizeof(gid->raw));
    memcpy(gid->raw, "\xfd\x00", 2);
    gid->raw[15] = host_part;
}

Test(port_pairs, ipv6_beside_ipv6_and_before_what_is_link_local)
{
    to_ipv6(&gids[1][2], 2);
    cr_expect_eq(port_pair_of(&host, &ports[0], &ports[1]).from_gid->index, 0, "IPv4 isn't tried with IPv6");
    to_ipv6(&gids[0][2], 1);
    struct port_pair pair = port_pair_of(&host, &ports[0], &ports[1]);
    cr_expect_eq(pair.from_gid->index, 2);
    cr_expect_eq(pair.to_gid->index, 2);
}

Test(port_pairs, soft_ports_need_a_host_that_takes_its_own_packets)
{
    devices[1].driver = "rxe";
    cr_assert(device_is_rxe(&devices[1]));
    cr_expect_not_null(strstr(port_pair_of(&host, &ports[0], &ports[1]).why, "eth0.accept_local is 0"));
    sysctls[2].value = "1"; /* all's counts, too */
    cr_expect_null(port_pair_of(&host, &ports[0], &ports[1]).why);
}

Test(port_pairs, what_has_no_way_is_no_failure)
{
    struct port_pair near = port_pair_of(&host, &ports[0], &ports[1]);
    struct port_pair apart = port_pair_of(&host, &ports[0], &ports[2]);
    struct result result = failed(STEP_FIRST, ETIMEDOUT);
    port_pair_judge(&host, &near, &result);
    cr_expect_eq(result.verdict, VERDICT_FAIL, "one subnet: it is cut");
    port_pair_judge(&host, &apart, &result);
    cr_expect_eq(result.verdict, VERDICT_NA);
    cr_expect_not_null(strstr(result.note, "different subnets"));
    result = failed(STEP_DATA, EBADMSG);
    port_pair_judge(&host, &apart, &result);
    cr_expect_eq(result.verdict, VERDICT_FAIL, "something came, and was wrong");
    result = failed(STEP_RTR, ETIMEDOUT);
    port_pair_judge(&host, &near, &result);
    cr_expect_eq(result.verdict, VERDICT_NA, "ARP can't be answered");
    cr_expect_not_null(strstr(result.note, "eth0.accept_local is 0"));
    sysctls[2].value = "1";
    result = failed(STEP_RTR, ETIMEDOUT);
    port_pair_judge(&host, &near, &result);
    cr_expect_eq(result.verdict, VERDICT_FAIL);
}
