/* SPDX-License-Identifier: MIT */
/* Who takes the frames of a netdev, and what that makes of the GIDs on it: one rule, asked by checks, status,
 * gids and selftest. */
#include <criterion/criterion.h>
#include <net/if.h>
#include <netinet/in.h>

#include "asked.h"
#include "check/check.h"
#include "command/test_ends.h"
#include "consumer/advice.h"
#include "model/resources.h"

static struct arena *arena;
static struct gid gids[2];
static struct port port;
static struct device device;
static struct netdev netdevs[4];
static struct address addresses[2];
static struct route route;
static struct rule rules[2];
static struct host host;

enum { EXTRA = 1 }; /* the netdev beside eth0 that a test is about */

/* eth0 with 10.0.0.1, below mlx5_0 or, of software, rxe0. */
static void make(bool soft)
{
    gids[0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = "eth0" };
    gids[1] = (struct gid){
        .index = 1, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 2 }, .type = GID_TYPE_ROCE_V2, .netdev = "up0"
    };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .transport = TRANSPORT_ROCE,
                          .state = num_of(PORT_STATE_ACTIVE),
                          .phys_state = num_of(PHYS_STATE_LINK_UP),
                          .gid_table_len = num_of(16),
                          .gids = gids,
                          .ngids = 1,
                          .netdev = "eth0" };
    device = (struct device){ .name = soft ? "rxe0" : "mlx5_0",
                              .transport = TRANSPORT_ROCE,
                              .driver = soft ? "rxe" : "mlx5_core",
                              .parent = soft ? "eth0" : "0000:17:00.0",
                              .ports = &port,
                              .uverbs = { .tried = true },
                              .nports = 1 };
    for (size_t i = 0; i < 2; i++)
        addresses[i] = (struct address){ .family = AF_INET,
                                         .prefix = 24,
                                         .raw = { 10, 0, 0, (uint8_t)(1 + i) },
                                         .peer = { 10, 0, 0, (uint8_t)(1 + i) } };
    netdevs[0] = (struct netdev){ .name = "eth0",
                                  .flags = num_of(IFF_UP),
                                  .carrier = TRI_YES,
                                  .addresses = &addresses[0],
                                  .naddresses = 1,
                                  .addresses_known = true };
    netdevs[EXTRA] = (struct netdev){ .name = "up0", .flags = num_of(IFF_UP), .addresses_known = true };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1, .netdevs = netdevs, .nnetdevs = 2
    };
}

static void setup(void)
{
    arena = arena_new();
    make(false);
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(frames, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

static const struct master {
    enum netdev_kind kind;
    const char *driver;
    enum frames frames;
    bool cuts_hardware, cuts_soft;
} masters[] = {
    { NETDEV_BOND, NULL, FRAMES_TO_BOND, true, true },
    { NETDEV_TEAM, NULL, FRAMES_TO_TEAM, true, true },
    { NETDEV_BRIDGE, NULL, FRAMES_TO_BRIDGE, true, true },
    { NETDEV_OPENVSWITCH, NULL, FRAMES_TO_OPENVSWITCH, true, true },
    { NETDEV_PHYSICAL, "hv_netvsc", FRAMES_TO_SYNTHETIC, true, true },
    { NETDEV_VRF, NULL, FRAMES_TO_VRF, false, true },
    { NETDEV_OTHER, NULL, FRAMES_UNKNOWN, false, false },
};

Test(frames, each_kind_of_master_takes_them_and_what_it_takes_is_lost_to_the_gid)
{
    for (size_t i = 0; i < ARRAY_SIZE(masters); i++)
        for (int soft = 0; soft < 2; soft++) {
            const struct netdev *taker;
            struct cut cut;
            make(soft);
            netdevs[0].master = "up0";
            netdevs[EXTRA].kind = masters[i].kind, netdevs[EXTRA].driver = masters[i].driver;
            cr_expect_eq(netdev_frames(&host, &netdevs[0], &taker), masters[i].frames, "%zu", i);
            cr_expect_eq(taker, &netdevs[EXTRA]);
            bool cuts = soft ? masters[i].cuts_soft : masters[i].cuts_hardware;
            cr_expect_eq(gid_is_cut_off(&host, &port, &gids[0], &cut), cuts, "%zu, soft %d", i, soft);
            cr_expect_eq(consumer_choose(CONSUMER_UCX, &host, &port).flaw != NULL, cuts, "%zu, soft %d", i,
                         soft);
            cr_expect_eq(port_word(&host, &port, arena).verdict >= VERDICT_WARN, cuts, "%zu, soft %d", i, soft);
            struct facts facts = { 0 };
            near_facts(&host, &port, &gids[0], &facts);
            cr_expect_eq(facts.cut_off, cuts);
        }
    netdevs[0].master = "gone0";
    cr_expect_eq(netdev_frames(&host, &netdevs[0], NULL), FRAMES_UNKNOWN);
    netdevs[0].master = NULL;
    cr_expect_eq(netdev_frames(&host, &netdevs[0], NULL), FRAMES_KEPT);
}

Test(frames, a_passthru_macvlan_takes_those_of_the_netdev_below)
{
    const struct netdev *above[] = { &netdevs[EXTRA] };
    netdevs[EXTRA].kind = NETDEV_MACVLAN, netdevs[EXTRA].lower = "eth0";
    netdevs[0].uppers = above, netdevs[0].nuppers = 1;
    netdevs[EXTRA].macvlan_mode = "bridge";
    cr_expect_eq(netdev_frames(&host, &netdevs[0], NULL), FRAMES_KEPT);
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    netdevs[EXTRA].macvlan_mode = "passthru";
    cr_expect_eq(netdev_frames(&host, &netdevs[0], NULL), FRAMES_TO_MACVLAN);
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    EXPECT_TEXT(ask("gid-address").evidence, "10.0.0.1/24 is on eth0, below the passthru macvlan up0");
    EXPECT_TEXT(ask("gid-address").fix, "ip address add 10.0.0.1/24 dev up0");
}

/* found.md N1: IP works, RDMA doesn't; hardware finds its GIDs by MAC, VLAN and address. */
Test(frames, software_takes_its_own_netdevs_packets_and_its_vlans)
{
    static const struct {
        enum netdev_kind kind;
        bool lies_on, cut;
    } uppers[] = {
        { NETDEV_VLAN, true, false }, { NETDEV_MACVLAN, true, true }, { NETDEV_IPVLAN, true, true },
        { NETDEV_VXLAN, true, true }, { NETDEV_BRIDGE, false, true }, { NETDEV_BOND, false, true },
    };
    for (size_t i = 0; i < ARRAY_SIZE(uppers); i++)
        for (int soft = 0; soft < 2; soft++) {
            make(soft);
            netdevs[EXTRA].kind = uppers[i].kind;
            netdevs[EXTRA].lower = uppers[i].lies_on ? "eth0" : NULL;
            netdevs[0].master = uppers[i].lies_on ? NULL : "up0";
            cr_expect_eq(gid_is_cut_off(&host, &port, &gids[1], NULL), soft && uppers[i].cut, "%zu, soft %d", i,
                         soft);
        }
}

Test(frames, a_macvlan_above_software_is_told_and_more_so_where_there_is_no_other_gid)
{
    make(true);
    netdevs[EXTRA].kind = NETDEV_MACVLAN, netdevs[EXTRA].lower = "eth0";
    netdevs[EXTRA].addresses = &addresses[1], netdevs[EXTRA].naddresses = 1;
    port.ngids = 2;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_INFO);
    EXPECT_VERDICT(ask("gid-routable"), VERDICT_PASS);
    cr_expect_str_eq(port_word(&host, &port, arena).word, "ok");
    port.gids = &gids[1], port.ngids = 1;
    netdevs[0].naddresses = 0;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    EXPECT_TEXT(ask("gid-address").evidence,
                "GID 1 (10.0.0.2) is of up0: rxe0 takes the packets of eth0 and its VLANs alone");
    EXPECT_TEXT(ask("gid-address").fix, "ip address add ADDRESS/PREFIX dev eth0");
    EXPECT_VERDICT(ask("gid-routable"), VERDICT_FAIL);
    cr_expect_str_eq(port_word(&host, &port, arena).word, "gid-address");
}

static void make_vswitch(bool soft)
{
    make(soft);
    netdevs[0].master = "up0";
    netdevs[EXTRA].name = "ovs-system", netdevs[EXTRA].kind = NETDEV_OPENVSWITCH;
    netdevs[0].master = "ovs-system";
    for (size_t i = 2; i < ARRAY_SIZE(netdevs); i++)
        netdevs[i] = (struct netdev){ .name = i == 2 ? "br-ex" : "br-int", .kind = NETDEV_OPENVSWITCH };
    host.nnetdevs = 3;
}

Test(frames, an_address_on_a_port_of_open_vswitch)
{
    make_vswitch(false);
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    EXPECT_TEXT(ask("gid-address").evidence, "10.0.0.1/24 is on eth0, a port of the Open vSwitch ovs-system");
    EXPECT_TEXT(ask("gid-address").fix,
                "ip address del 10.0.0.1/24 dev eth0 && ip address add 10.0.0.1/24 dev br-ex");
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_PASS);
    host.nnetdevs = 4; /* whose port it is only Open vSwitch knows */
    EXPECT_TEXT(ask("gid-address").fix, "dev \"$(ovs-vsctl iface-to-br eth0)\"");
    make_vswitch(true);
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_FAIL);
    EXPECT_TEXT(ask("device-on-bond-member").fix, "rdma link add rxe0 type rxe netdev br-ex");
}

/* Its port isn't in the kernel: which packets DPDK takes off it nothing shows. */
Test(frames, an_address_on_a_port_of_dpdk)
{
    struct resource item = { .type = RESOURCE_MR, .device = "mlx5_0", .comm = "ovs-vswitchd" };
    struct resources resources = { .items = &item, .nitems = 1 };
    host.resources = &resources;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_UNKNOWN);
    EXPECT_TEXT(ask("gid-address").evidence, "ovs-vswitchd has mlx5_0");
    item.type = RESOURCE_CTX;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    item.type = RESOURCE_MR, item.comm = "python";
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
}

Test(frames, an_idle_uplink_of_a_switch_is_nobodys_fault)
{
    static const enum netdev_kind kinds[] = { NETDEV_OPENVSWITCH, NETDEV_BRIDGE };
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        make_vswitch(false);
        netdevs[EXTRA].kind = kinds[i];
        gids[0] = (struct gid){ .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
        netdevs[0].naddresses = 0;
        EXPECT_VERDICT(ask("gid-routable"), VERDICT_INFO);
        EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
        struct environment names_it = { "UCX_NET_DEVICES", "mlx5_0:1" };
        host.system.environment = &names_it, host.system.nenvironment = 1;
        EXPECT_VERDICT(ask("gid-routable"), VERDICT_FAIL);
        cr_expect_eq(strstr(ask("gid-routable").fix, "dev eth0"), NULL, "%s", ask("gid-routable").fix);
        netdevs[0].master = NULL;
        EXPECT_VERDICT(ask("gid-routable"), VERDICT_FAIL);
        EXPECT_TEXT(ask("gid-routable").fix, "ip address add ADDRESS/PREFIX dev eth0");
    }
}

/* No fix puts an address where frames are somebody else's: not for a rail without a lease, not for iWARP, not
 * for a listener's lost address; nor does what gids --for advises. */
Test(frames, no_fix_puts_an_address_on_a_port_of_a_switch)
{
    static const enum netdev_kind kinds[] = { NETDEV_OPENVSWITCH, NETDEV_BRIDGE };
    struct resource item = { .type = RESOURCE_CM_ID,
                             .device = "mlx5_0",
                             .comm = "server",
                             .state = "LISTEN",
                             .source = "10.0.0.9:7471" };
    struct resources resources = { .items = &item, .nitems = 1 };
    const struct port *both[] = { &port };
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        make_vswitch(false);
        netdevs[EXTRA].kind = kinds[i];
        host.resources = &resources;
        struct finding finding = ask("connection-address");
        EXPECT_VERDICT(finding, VERDICT_FAIL);
        cr_expect_null(strstr(finding.fix, "dev eth0"), "%s", finding.fix);
        EXPECT_TEXT(finding.fix, "or restart whatever listens");
        host.resources = NULL;
        gids[0].raw[0] = 0xfe, gids[0].raw[1] = 0x80, gids[0].raw[10] = 0;
        struct advice advice = consumer_advice(CONSUMER_UCX, &host, both, NULL, 1, false);
        cr_expect_null(strstr(advice_text(&advice), "give its netdev"), "%s", advice_text(&advice));
        cr_expect_null(strstr(ask("gid-routable").fix, "dev eth0"), "%s", ask("gid-routable").fix);
        make_vswitch(false);
        netdevs[EXTRA].kind = kinds[i];
        netdevs[0].naddresses = 0;
        port.transport = device.transport = TRANSPORT_IWARP, device.driver = "cxgb4", device.name = "cxgb4_0";
        port.state = num_of(PORT_STATE_INIT);
        finding = ask("port-active");
        EXPECT_VERDICT(finding, VERDICT_FAIL);
        EXPECT_TEXT(finding.fix, "take eth0 out of ovs-system");
        netdevs[0].master = NULL;
        EXPECT_TEXT(ask("port-active").fix, "ip address add ADDRESS/PREFIX dev eth0");
    }
}

/* found.md N3: tried on 6.1 and 7.2; on hardware it isn't known to fail. */
Test(frames, software_in_a_vrf)
{
    make(true);
    netdevs[0].master = "up0", netdevs[EXTRA].kind = NETDEV_VRF;
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_FAIL);
    EXPECT_TEXT(ask("device-on-bond-member").evidence, "rxe0 is made over eth0, in the VRF up0");
    EXPECT_TEXT(ask("device-on-bond-member").fix, "ip link set dev eth0 nomaster");
    make(false);
    netdevs[0].master = "up0", netdevs[EXTRA].kind = NETDEV_VRF;
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_PASS);
    EXPECT_VERDICT(ask("gid-routable"), VERDICT_PASS);
}

/* A VLAN's frames are the VLAN's before a bridge sees them. */
Test(frames, a_vlan_on_a_port_of_a_bridge_is_reached)
{
    make(true);
    netdevs[0].master = "br0", netdevs[EXTRA].kind = NETDEV_VLAN, netdevs[EXTRA].lower = "eth0";
    netdevs[2] = (struct netdev){ .name = "br0", .kind = NETDEV_BRIDGE };
    host.nnetdevs = 3, port.ngids = 2;
    cr_expect(gid_is_cut_off(&host, &port, &gids[0], NULL));
    cr_expect_not(gid_is_cut_off(&host, &port, &gids[1], NULL));
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_INFO);
}

/* found.md N6: rxe over a bond, whose members' netdev has another device. */
Test(frames, an_address_that_another_device_has_a_gid_of)
{
    netdevs[EXTRA].kind = NETDEV_BRIDGE, netdevs[0].master = "up0";
    netdevs[0].naddresses = 0;
    const char *members[] = { "eth0" };
    netdevs[EXTRA].members = members, netdevs[EXTRA].nmembers = 1;
    netdevs[EXTRA].addresses = &addresses[1], netdevs[EXTRA].naddresses = 1;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_FAIL);
    struct port other = port;
    struct device both[2] = { device, device };
    other.gids = &gids[1], other.device = &both[1];
    both[1].name = "mlx5_1", both[1].ports = &other;
    host.devices = both, host.ndevices = 2, port.device = &both[0];
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
}

static void add_route(uint32_t table)
{
    route = (struct route){
        .family = AF_INET, .prefix = 24, .destination = { 10 }, .table = table, .type = 1, .netdev = "eth0"
    };
    rules[0] = (struct rule){ .family = AF_INET, .action = 1, .table = 254 };
    rules[1] = (struct rule){ .family = AF_INET, .action = 1, .l3mdev = true };
    host.routes = &route, host.nroutes = 1, host.rules = rules, host.nrules = 1;
    host.routes_known = host.rules_known = true;
}

/* found.md N4: modifying the queue pair fails with ENETUNREACH. */
Test(frames, a_vrfs_routes_are_found_by_its_rule)
{
    netdevs[0].master = "up0", netdevs[EXTRA].kind = NETDEV_VRF, netdevs[EXTRA].vrf_table = num_of(10);
    add_route(10);
    EXPECT_VERDICT(ask("gid-route"), VERDICT_FAIL);
    EXPECT_TEXT(ask("gid-route").fix, "ip rule add l3mdev");
    host.nrules = 2;
    EXPECT_VERDICT(ask("gid-route"), VERDICT_PASS);
    netdevs[EXTRA].vrf_table = num_of(11);
    EXPECT_VERDICT(ask("gid-route"), VERDICT_FAIL);
    netdevs[EXTRA].vrf_table = (struct num){ 0 };
    EXPECT_VERDICT(ask("gid-route"), VERDICT_UNKNOWN);
    host.rules_known = false;
    EXPECT_VERDICT(ask("gid-route"), VERDICT_UNKNOWN);
}

/* found.md N5: ibv_rc_pingpong passes all the same, rping fails. */
Test(frames, without_a_route_rdma_cm_fails)
{
    add_route(254);
    EXPECT_VERDICT(ask("gid-route"), VERDICT_PASS);
    host.nroutes = 0;
    struct finding finding = ask("gid-route");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence,
                "RDMA_CM finds none without a source address; verbs take peers for on its link");
    addresses[0].prefix = 32;
    EXPECT_VERDICT(ask("gid-route"), VERDICT_INFO);
    gids[0] = (struct gid){ .raw = { 0xfd, [15] = 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
    EXPECT_VERDICT(ask("gid-route"), VERDICT_FAIL); /* IPv6 assumes nothing */
}

/* found.md N8 */
Test(frames, a_bond_whose_members_are_switched_off)
{
    const char *members[] = { "m1", "m2" };
    port.state = num_of(PORT_STATE_DOWN), port.state_text = "DOWN";
    netdevs[0].kind = NETDEV_BOND, netdevs[0].members = members, netdevs[0].nmembers = 2;
    netdevs[0].carrier = TRI_NO, netdevs[0].operstate = "down";
    netdevs[1] = (struct netdev){ .name = "m1", .flags = num_of(0) };
    netdevs[2] = (struct netdev){ .name = "m2", .flags = num_of(0) };
    host.nnetdevs = 3;
    EXPECT_TEXT(ask("port-active").fix, "ip link set dev m1 up && ip link set dev m2 up");
    EXPECT_TEXT(ask("netdev-carrier").fix, "ip link set dev m1 up && ip link set dev m2 up");
    netdevs[1].flags = netdevs[2].flags = num_of(IFF_UP);
    EXPECT_TEXT(ask("port-active").fix, "ethtool m1 # then look at the cable");
}
