/* SPDX-License-Identifier: MIT */
/* GIDs of addresses that come and go, and addresses that another machine has. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/if_addr.h>

#include "asked.h"

static struct arena *arena;
static struct device device;
static struct port port;
static struct gid gids[4];
static struct address addresses[4];
static struct netdev netdev;
static struct environment variable;
static struct host host;

enum { LINK_LOCAL, V4, STABLE, TEMPORARY };

/* eth0 with four addresses, each with its GID; all are permanent. */
static void setup(void)
{
    static const char *const texts[] = { "fe80::1", "192.0.2.1", "2001:db8::1", "2001:db8::abcd" };
    arena = arena_new();
    for (uint32_t i = 0; i < 4; i++) {
        int family = i == V4 ? AF_INET : AF_INET6;
        addresses[i] = (struct address){ .family = (uint8_t)family, .prefix = 64, .flags = IFA_F_PERMANENT };
        inet_pton(family, texts[i], addresses[i].raw);
        memcpy(addresses[i].peer, addresses[i].raw, 16);
        gids[i] = (struct gid){ .index = i, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
        gid_of_address(family, addresses[i].raw, gids[i].raw);
    }
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core", .ports = &port, .nports = 1 };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .transport = TRANSPORT_ROCE,
                          .state = num_of(PORT_STATE_ACTIVE),
                          .gid_table_len = num_of(16),
                          .gids = gids,
                          .ngids = 3,
                          .netdev = "eth0" };
    netdev = (struct netdev){
        .name = "eth0", .addresses = addresses, .naddresses = 3, .addresses_known = true
    };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = &device,
                          .ndevices = 1,
                          .netdevs = &netdev,
                          .nnetdevs = 1,
                          .system = { .environment_known = true, .environment = &variable } };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(gid_lifetime, .init = setup, .fini = teardown);

static struct finding ask(void)
{
    return ask_about(&host, "gid-lifetime", arena);
}

static void set(const char *name, const char *value)
{
    variable = (struct environment){ name, value };
    host.system.nenvironment = 1;
}

static void lease(struct address *leased, uint32_t flags, uint64_t seconds)
{
    leased->flags = flags;
    leased->valid_s = num_of(seconds);
}

Test(gid_lifetime, what_stays_passes)
{
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    addresses[STABLE].flags |= IFA_F_DEPRECATED; /* by hand: to be reached only */
    addresses[V4].flags |= IFA_F_SECONDARY;
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    addresses[LINK_LOCAL].flags = 0; /* nobody routes it */
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    netdev.addresses_known = false;
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

Test(gid_lifetime, a_lease_is_worth_knowing)
{
    lease(&addresses[V4], 0, 43000);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_INFO);
    EXPECT_TEXT(finding.evidence, "192.0.2.1/64 of eth0 (GID 1) is leased, by DHCP: 12 h at most");
    EXPECT_TEXT(finding.fix, "a reservation at the DHCP server");
    addresses[V4].flags = IFA_F_SECONDARY; /* the bit that says temporary of IPv6 */
    EXPECT_TEXT(ask().evidence, "is leased, by DHCP");
    host.system.os_id = "fedora";
    EXPECT_TEXT(ask().fix, "ipv4.method manual ipv4.addresses STATIC/PREFIX && nmcli device reapply eth0");
    addresses[V4].flags = IFA_F_PERMANENT;
    lease(&addresses[STABLE], IFA_F_MANAGETEMPADDR, 2592000);
    EXPECT_VERDICT(ask(), VERDICT_INFO);
    EXPECT_TEXT(ask().evidence, "2001:db8::1/64 of eth0 (GID 2) is a router's or DHCPv6's, for a time: 720 h");
    EXPECT_TEXT(ask().fix, "ipv6.method manual");
    host.system.container = CONTAINER_DOCKER;
    EXPECT_TEXT(ask().fix, "IPAM");
}

/* A bridge's address gives the port below it a GID, which goes with it; and has to be the only one of its kind.
 */
Test(gid_lifetime, a_lease_of_a_bridge_above)
{
    static const char *members[] = { "eth0" };
    struct netdev netdevs[2] = { netdev, netdev };
    netdevs[0].master = "br0", netdevs[0].naddresses = 0;
    netdevs[1].name = "br0", netdevs[1].kind = NETDEV_BRIDGE;
    netdevs[1].members = members, netdevs[1].nmembers = 1;
    host.netdevs = netdevs, host.nnetdevs = 2;
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    lease(&addresses[V4], 0, 43000);
    EXPECT_VERDICT(ask(), VERDICT_INFO);
    EXPECT_TEXT(ask().evidence, "192.0.2.1/64 of br0 (GID 1) is leased, by DHCP");
    addresses[STABLE].flags |= IFA_F_DADFAILED;
    EXPECT_VERDICT(ask_about(&host, "address-duplicate", arena), VERDICT_FAIL);
}

Test(gid_lifetime, of_a_point_to_point_address_it_is_the_peers)
{
    static const uint8_t peer[] = { 192, 0, 2, 9 };
    lease(&addresses[V4], 0, 43000);
    memcpy(addresses[V4].peer, peer, sizeof(peer));
    gid_of_address(AF_INET, peer, gids[V4].raw);
    EXPECT_VERDICT(ask(), VERDICT_INFO);
}

/* A lease is renewed for as long as there is a server; clouds pin an index of such (Google's machines for
 * GPUs, NCCL_IB_GID_INDEX=3), and data centres of what routers advertise. A temporary address goes. */
Test(gid_lifetime, one_that_a_pinned_index_names)
{
    lease(&addresses[V4], 0, 43000);
    set("NCCL_IB_GID_INDEX", "1");
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_INFO);
    EXPECT_TEXT(finding.evidence, "and nccl takes it: NCCL_IB_GID_INDEX=1");
    EXPECT_TEXT(finding.fix, "unset NCCL_IB_GID_INDEX #");
    lease(&addresses[STABLE], IFA_F_TEMPORARY, 80000);
    set("NCCL_IB_GID_INDEX", "2");
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    addresses[STABLE].flags = IFA_F_PERMANENT;
    set("NCCL_IB_GID_INDEX", "2"); /* which stays */
    EXPECT_VERDICT(ask(), VERDICT_INFO);
    set("NCCL_DEBUG", "INFO"); /* it chooses again each time */
    EXPECT_VERDICT(ask(), VERDICT_INFO);
}

Test(gid_lifetime, temporary_addresses)
{
    port.ngids = netdev.naddresses = 4;
    lease(&addresses[TEMPORARY], IFA_F_TEMPORARY, 80000);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_INFO);
    EXPECT_TEXT(finding.evidence, "2001:db8::abcd/64 of eth0 (GID 3) is a temporary address: 23 h");
    EXPECT_TEXT(finding.fix, "sysctl -w net/ipv6/conf/eth0/use_tempaddr=0 &&");
    /* with a lease beside it that one is told which goes for sure */
    lease(&addresses[V4], 0, 43000);
    EXPECT_TEXT(ask().evidence, "is a temporary address");
    /* nothing else */
    addresses[V4].flags = addresses[STABLE].flags = IFA_F_TEMPORARY | IFA_F_DEPRECATED;
    addresses[V4].family = AF_INET6;
    memcpy(gids[V4].raw, addresses[V4].raw, 16);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    EXPECT_TEXT(ask().evidence, "no other address of the port stays");
}

Test(gid_lifetime, a_deprecated_one_goes)
{
    lease(&addresses[STABLE], IFA_F_DEPRECATED, 5000);
    EXPECT_VERDICT(ask(), VERDICT_INFO);
    EXPECT_TEXT(ask().evidence, "is deprecated, and goes: 2 h at most");
    set("NCCL_IB_ADDR_FAMILY", "AF_INET6"); /* and NCCL takes it */
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    EXPECT_TEXT(ask().evidence, "and nccl takes it");
}

Test(gid_lifetime, an_address_that_another_machine_has)
{
    EXPECT_VERDICT(ask_about(&host, "address-duplicate", arena), VERDICT_PASS);
    addresses[STABLE].flags |= IFA_F_TENTATIVE; /* for a second */
    EXPECT_VERDICT(ask_about(&host, "address-duplicate", arena), VERDICT_PASS);
    addresses[STABLE].flags |= IFA_F_DADFAILED;
    struct finding finding = ask_about(&host, "address-duplicate", arena);
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    EXPECT_TEXT(finding.evidence, "2001:db8::1/64 of eth0: duplicate address detection failed");
    EXPECT_TEXT(finding.fix, "ndisc6 2001:db8::1 eth0 #");
    addresses[STABLE].flags = IFA_F_PERMANENT;
    addresses[LINK_LOCAL].flags |= IFA_F_DADFAILED;
    EXPECT_TEXT(ask_about(&host, "address-duplicate", arena).fix, "the same MAC");
    netdev.naddresses = 2;
    addresses[LINK_LOCAL] = addresses[V4];
    EXPECT_VERDICT(ask_about(&host, "address-duplicate", arena), VERDICT_NA);
    netdev.addresses_known = false;
    EXPECT_VERDICT(ask_about(&host, "address-duplicate", arena), VERDICT_UNKNOWN);
}
