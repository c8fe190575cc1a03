/* SPDX-License-Identifier: MIT */
/* Each port is judged by what it is: InfiniBand, RoCE, iWARP and RoCE switched off, on one machine. */
#include <criterion/criterion.h>
#include <net/if.h>
#include <netinet/in.h>

#include "asked.h"
#include "check/check.h"
#include "command/test_ends.h"
#include "consumer/consumer.h"

static struct arena *arena;
static struct gid gids[2];
static struct port ports[2];
static struct device devices[2];
static struct netdev netdevs[3];
static struct bond bond;
static struct bond_member member;
static struct pci pci;
static struct host host;

/* eth0 is the netdev of the Ethernet port mlx5_0/1; mlx5_1/1 is an ACTIVE InfiniBand port, where it is asked
 * for. */
static void setup(void)
{
    arena = arena_new();
    gids[0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 },
                            .type = GID_TYPE_ROCE_V2,
                            .netdev = "eth0" };
    ports[0] = (struct port){ .device = &devices[0],
                              .number = 1,
                              .transport = TRANSPORT_ROCE,
                              .state = num_of(PORT_STATE_ACTIVE),
                              .state_text = "ACTIVE",
                              .phys_state = num_of(PHYS_STATE_LINK_UP),
                              .phys_state_text = "LinkUp",
                              .gid_table_len = num_of(16),
                              .gids = gids,
                              .ngids = 1,
                              .netdev = "eth0" };
    ports[1] = (struct port){ .device = &devices[1],
                              .number = 1,
                              .transport = TRANSPORT_INFINIBAND,
                              .state = num_of(PORT_STATE_ACTIVE),
                              .state_text = "ACTIVE",
                              .phys_state = num_of(PHYS_STATE_LINK_UP),
                              .phys_state_text = "LinkUp" };
    devices[0] = (struct device){ .name = "mlx5_0",
                                  .transport = TRANSPORT_ROCE,
                                  .driver = "mlx5_core",
                                  .parent = "0000:17:00.0",
                                  .pci = "0000:17:00.0",
                                  .ports = &ports[0],
                                  .nports = 1 };
    devices[1] = (struct device){ .name = "mlx5_1",
                                  .transport = TRANSPORT_INFINIBAND,
                                  .driver = "mlx5_core",
                                  .ports = &ports[1],
                                  .nports = 1 };
    pci = (struct pci){ .address = "0000:17:00.0", .physfn = "0000:17:00.7" };
    netdevs[0] = (struct netdev){ .name = "eth0",
                                  .parent = "0000:17:00.0",
                                  .flags = num_of(IFF_UP),
                                  .mtu = num_of(1500),
                                  .carrier = TRI_YES,
                                  .operstate = "up" };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = 1,
                          .netdevs = netdevs,
                          .nnetdevs = 1,
                          .pcis = &pci,
                          .npcis = 1 };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(ports, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

static void switch_roce_off(void)
{
    ports[0].gid_table_len = num_of(0);
    ports[0].ngids = 0;
}

Test(ports, roce_switched_off_is_a_fault_where_nothing_else_is)
{
    switch_roce_off();
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_FAIL);
    EXPECT_VERDICT(ask("vf-roce"), VERDICT_FAIL);
    cr_expect_eq(port_word(&host, &ports[0], arena).verdict, VERDICT_FAIL);
}

Test(ports, roce_switched_off_beside_infiniband_is_by_design)
{
    switch_roce_off();
    host.ndevices = 2;
    struct finding finding = ask("roce-enabled");
    EXPECT_VERDICT(finding, VERDICT_NA);
    EXPECT_TEXT(finding.evidence, "mlx5_1/1");
    EXPECT_VERDICT(ask("vf-roce"), VERDICT_NA);
    struct port_verdict word = port_word(&host, &ports[0], arena);
    cr_expect_str_eq(word.word, "roce-off");
    cr_expect_eq(word.verdict, VERDICT_NA);
    struct environment names_it = { "UCX_NET_DEVICES", "mlx5_0:1" };
    host.system.environment = &names_it, host.system.nenvironment = 1;
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_NA);
    ports[1].state = num_of(PORT_STATE_DOWN);
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_FAIL);
}

/* A virtual machine without RDMA of Azure's: newer drivers of MANA call its port ACTIVE, older ones tell
 * nothing. */
Test(ports, raw_packets_alone_are_no_fault)
{
    switch_roce_off();
    devices[0].name = "mana_0", devices[0].driver = "mana";
    for (int older = 0; older < 2; older++) {
        if (older) {
            ports[0].transport = TRANSPORT_INFINIBAND; /* of a driver that doesn't tell its link layer */
            ports[0].state = ports[0].phys_state = num_of(0);
            ports[0].state_text = "NOP";
            ports[0].rate_err = EINVAL;
        }
        EXPECT_VERDICT(ask("roce-enabled"), VERDICT_INFO);
        EXPECT_TEXT(ask("roce-enabled").evidence, "no RDMA");
        EXPECT_VERDICT(ask("port-active"), VERDICT_NA);
        EXPECT_VERDICT(ask("port-phys-state"), VERDICT_NA);
        EXPECT_VERDICT(ask("port-module"), VERDICT_NA);
        EXPECT_VERDICT(ask("gid-table"), VERDICT_NA);
        cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "raw");
        cr_expect_eq(port_word(&host, &ports[0], arena).verdict, VERDICT_NA);
    }
    struct environment names_it = { "NCCL_IB_HCA", "mana_0" };
    host.system.environment = &names_it, host.system.nenvironment = 1;
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_WARN);
}

/* prometheus/node_exporter issue 3810: mana_0 of a virtual machine carries traffic, and its rate can't be read.
 */
Test(ports, a_rate_that_a_driver_does_not_tell_is_no_empty_cage)
{
    ports[0].rate_err = EINVAL;
    ports[0].rate_text = NULL;
    EXPECT_VERDICT(ask("port-module"), VERDICT_NA);
    EXPECT_TEXT(ask("port-module").evidence, "ACTIVE");
    ports[0].state = num_of(PORT_STATE_DOWN);
    EXPECT_VERDICT(ask("port-module"), VERDICT_FAIL);
}

/* mlx5 gives no port of a function in switchdev mode a GID table: they only forward. */
Test(ports, without_gids_in_switchdev_mode_nothing_is_switched_off)
{
    switch_roce_off();
    netdevs[1] = (struct netdev){ .name = "eth1", .parent = "0000:17:00.0", .phys_port_name = "pf0vf0" };
    host.nnetdevs = 2;
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_NA);
    struct port_verdict word = port_word(&host, &ports[0], arena);
    cr_expect_str_eq(word.word, "switchdev");
    cr_expect_eq(word.verdict, VERDICT_NA);
    struct choice choice = consumer_choose(CONSUMER_NCCL, &host, &ports[0]);
    EXPECT_TEXT(choice.why, "switchdev");
    EXPECT_TEXT(choice.flaw, "it has no GID");
    netdevs[1].parent = "0000:17:00.1"; /* another card's */
    EXPECT_VERDICT(ask("roce-enabled"), VERDICT_FAIL);
    EXPECT_TEXT(consumer_choose(CONSUMER_NCCL, &host, &ports[0]).why, "RoCE is switched off");
}

Test(ports, a_bonds_backup_has_no_gids_until_it_takes_over)
{
    ports[0].ngids = 0;
    EXPECT_VERDICT(ask("gid-table"), VERDICT_FAIL);
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "gid-table");
    member.state = num_of(1);
    netdevs[0].member = &member;
    netdevs[0].master = "bond0";
    EXPECT_VERDICT(ask("gid-table"), VERDICT_NA);
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "backup");
    member.state = num_of(0);
    EXPECT_VERDICT(ask("gid-table"), VERDICT_FAIL);
}

/* mlx5_1 becomes what mlx5_0 is, with a GID like its. */
static void make_twin(struct port *twin, struct gid *copy)
{
    *twin = ports[0];
    twin->device = &devices[1];
    twin->gids = copy;
    devices[1].ports = twin;
    devices[1].transport = TRANSPORT_ROCE;
}

Test(ports, members_of_one_bond_share_its_gids)
{
    struct gid copy = gids[0];
    struct port twin;
    make_twin(&twin, &copy);
    host.ndevices = 2;
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_WARN);
    netdevs[1] = (struct netdev){ .name = "eth0.7", .kind = NETDEV_VLAN, .lower = "eth0" };
    host.nnetdevs = 2;
    gids[0].netdev = copy.netdev = "eth0.7";
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_WARN);
    netdevs[0].kind = NETDEV_BOND; /* with a VLAN above it */
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_PASS);
    gids[0].netdev = copy.netdev = "eth0";
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_PASS);
    copy.netdev = "eth0.7";
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_WARN);
}

/* RoCE LAG: "rdma link" names a member of the bond beside mlx5_bond_0; two devices are not merged. */
Test(ports, nldev_names_a_member_of_the_bond_that_was_merged)
{
    struct gid copy = gids[0];
    struct port twin;
    netdevs[0].master = netdevs[1].master = "bond0";
    netdevs[1].name = "eth1", netdevs[1].parent = "0000:17:00.1";
    netdevs[2] = (struct netdev){ .name = "bond0", .kind = NETDEV_BOND, .bond = &bond };
    gids[0].netdev = copy.netdev = "bond0", ports[0].netdev_nldev = "eth0";
    host.nnetdevs = 3;
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "bond0");
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_PASS);
    make_twin(&twin, &copy);
    twin.netdev_nldev = "eth1";
    host.ndevices = 2;
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "eth0");
    EXPECT_VERDICT(ask("device-on-bond-member"), VERDICT_WARN);
}

/* namjaejeon/ksmbd issue 513: two ports in one bridge, whose address is a GID of both, and RDMA works. */
Test(ports, a_bridges_address_is_a_gid_of_each_of_its_ports)
{
    struct gid copy = gids[0];
    struct port twin;
    make_twin(&twin, &copy);
    netdevs[1] = (struct netdev){ .name = "br0", .kind = NETDEV_BRIDGE };
    host.ndevices = host.nnetdevs = 2;
    gids[0].netdev = copy.netdev = "br0";
    struct finding finding = ask("gid-duplicate");
    EXPECT_VERDICT(finding, VERDICT_INFO);
    EXPECT_TEXT(finding.evidence, "GID 0 (10.0.0.1) is of br0, which is above mlx5_1/1 as well");
    netdevs[1].kind = NETDEV_TEAM;
    finding = ask("gid-duplicate");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "make a bond of it");
    copy.netdev = "eth0"; /* on the port's own netdev, too: that is one too many */
    EXPECT_VERDICT(ask("gid-duplicate"), VERDICT_WARN);
}

/* openucx/ucx pull request 9484: a VXLAN has the address of the bond below it, and the first GIDs with it. */
Test(ports, an_address_that_a_tunnel_has_as_well)
{
    static const uint8_t raw[16] = { 10, 0, 0, 1 };
    static struct address addresses[2];
    static struct route route = { .family = AF_INET, .table = 254, .type = 1, .netdev = "eth0" };
    for (size_t i = 0; i < 2; i++) {
        addresses[i] = (struct address){ .family = AF_INET, .prefix = i ? 32 : 24 };
        memcpy(addresses[i].raw, raw, 16);
        memcpy(addresses[i].peer, raw, 16);
    }
    netdevs[0].addresses = &addresses[0];
    netdevs[1] = (struct netdev){
        .name = "vxlan7", .kind = NETDEV_VXLAN, .kind_text = "vxlan", .addresses = &addresses[1]
    };
    netdevs[0].naddresses = netdevs[1].naddresses = 1;
    netdevs[0].addresses_known = netdevs[1].addresses_known = true;
    host.nnetdevs = 2, ports[0].ngids = 2;
    devices[0].uverbs.tried = true;
    gids[1] = gids[0], gids[1].index = 1, gids[0].netdev = "vxlan7";
    struct rule main_table = { .family = AF_INET, .action = 1, .table = 254 };
    host.rules = &main_table, host.nrules = 1, host.rules_known = true;
    host.routes = &route, host.nroutes = 1, host.routes_known = true;
    struct finding finding = ask("gid-duplicate");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "ip address del 10.0.0.1/32 dev vxlan7 # interrupts traffic; if vxlan7 needs it: "
                             "NCCL_IB_GID_INDEX=1 UCX_IB_GID_INDEX=1, which is eth0's");
    EXPECT_VERDICT(ask("gid-route"), VERDICT_PASS); /* one cause is one finding */
    struct choice choice = consumer_choose(CONSUMER_UCX, &host, &ports[0]);
    cr_assert_not_null(choice.flaw);
    EXPECT_TEXT(choice.flaw, "of a tunnel");
    gids[1].raw[15] = 2; /* another one's */
    EXPECT_VERDICT(ask("gid-route"), VERDICT_INFO);
    devices[0].driver = "rxe"; /* what software sends goes through the tunnel */
    cr_expect_not(gid_is_of_tunnel(&host, &ports[0], &gids[0]));
}

Test(ports, two_infiniband_fabrics_have_rates_of_their_own)
{
    struct port pair[2] = { ports[1], ports[1] };
    struct device cards[2] = { devices[1], devices[1] };
    for (size_t i = 0; i < 2; i++) {
        pair[i].device = &cards[i];
        pair[i].rate_mbps = num_of(i ? 40000 : 100000);
        pair[i].sm_lid = num_of(1);
        cards[i].board_id = "MT_2190110032";
        cards[i].pci = pci.address;
        cards[i].ports = &pair[i];
    }
    cards[1].name = "mlx5_2";
    pci.vendor = num_of(0x15b3);
    pci.device = num_of(0x1013);
    host.devices = cards;
    host.ndevices = 2;
    EXPECT_VERDICT(ask("port-rate"), VERDICT_WARN);
    pair[1].sm_lid = num_of(36);
    EXPECT_VERDICT(ask("port-rate"), VERDICT_NA);
    static struct gid prefixes[2] = { { .raw = { 0xfe, 0x80 } }, { .raw = { 0xfe, 0xc0 } } };
    pair[1].sm_lid = pair[0].sm_lid;
    for (size_t i = 0; i < 2; i++) {
        pair[i].gids = &prefixes[i];
        pair[i].ngids = 1;
    }
    EXPECT_VERDICT(ask("port-rate"), VERDICT_NA);
    pair[1].gids = &prefixes[0];
    EXPECT_VERDICT(ask("port-rate"), VERDICT_WARN);
}

Test(ports, a_sub_function_without_roce_beside_infiniband)
{
    switch_roce_off();
    devices[0].parent_bus = "auxiliary";
    EXPECT_VERDICT(ask("sf-roce"), VERDICT_FAIL);
    host.ndevices = 2;
    EXPECT_VERDICT(ask("sf-roce"), VERDICT_NA);
}

Test(ports, a_port_without_roce_has_no_roce_mtu)
{
    ports[0].roce_mtu = num_of(1024);
    ports[0].rate_mbps = num_of(100000);
    EXPECT_VERDICT(ask("netdev-mtu"), VERDICT_INFO);
    switch_roce_off();
    EXPECT_VERDICT(ask("netdev-mtu"), VERDICT_NA);
    EXPECT_VERDICT(ask("active-mtu"), VERDICT_NA);
    EXPECT_VERDICT(ask("lossless-configured"), VERDICT_NA);
    EXPECT_VERDICT(ask("ecn-priority"), VERDICT_NA);
}

Test(ports, disabled_is_told_by_the_netdev)
{
    ports[0].phys_state = num_of(PHYS_STATE_DISABLED);
    netdevs[0].carrier = TRI_NO;
    struct finding finding = ask("port-phys-state");
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    EXPECT_TEXT(finding.evidence, "eth0 is switched on, without a carrier");
    EXPECT_TEXT(finding.fix, "cable");
    cr_expect_not(strstr(finding.fix, "ip link set"), "%s", finding.fix);
    netdevs[0].flags = num_of(IFF_BROADCAST);
    finding = ask("port-phys-state");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect_str_eq(finding.fix, "ip link set dev eth0 up");
    ports[0].transport = TRANSPORT_INFINIBAND;
    EXPECT_TEXT(ask("port-phys-state").fix, "ibportstate -C mlx5_0 -D 0 1 enable");
}

Test(ports, a_linked_infiniband_port_waits_for_the_subnet_manager)
{
    static const uint64_t states[] = { PORT_STATE_DOWN, PORT_STATE_INIT, PORT_STATE_ARMED };
    ports[0].transport = TRANSPORT_INFINIBAND;
    ports[0].lid = num_of(0xffff);
    for (size_t i = 0; i < 3; i++) {
        ports[0].state = num_of(states[i]);
        struct finding finding = ask("port-active");
        EXPECT_VERDICT(finding, VERDICT_FAIL);
        EXPECT_TEXT(finding.fix, "subnet manager");
        EXPECT_TEXT(finding.evidence, "the LID is 0xffff");
    }
    /* Azure/azhpc-diagnostics issue 59: there is one, which hasn't come round yet */
    pci.physfn = NULL;
    ports[0].sm_lid = num_of(361);
    ports[0].state = num_of(PORT_STATE_INIT);
    EXPECT_TEXT(ask("port-active").fix, "a subnet manager, at LID 361, knows the port");
    ports[0].state = num_of(PORT_STATE_DOWN);
    ports[0].phys_state = num_of(PHYS_STATE_POLLING);
    EXPECT_TEXT(ask("port-active").fix, "cable");
}

/* Mellanox/network-operator issue 1646: a function without a GUID stays in INIT, with the P_Keys of its start.
 */
Test(ports, what_a_function_lacks_that_no_subnet_manager_knows_is_one_cause)
{
    static struct pkey pkey = { .value = 0x7fff };
    static const uint8_t prefix[16] = { 0xfe, 0x80 };
    ports[0].transport = devices[0].transport = TRANSPORT_INFINIBAND;
    ports[0].state = num_of(PORT_STATE_INIT), ports[0].lid = num_of(0xffff);
    ports[0].pkeys = &pkey, ports[0].npkeys = 1, ports[0].pkey_table_len = num_of(1);
    memcpy(gids[0].raw, prefix, sizeof(prefix));
    devices[0].node_guid = num_of(0);
    pci.address = devices[0].pci, pci.physfn = "0000:17:00.1";
    host.pcis = &pci, host.npcis = 1;
    struct check_selection selection = { .only = "port-active,vf-guid,pkey-full-member" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "port-active");
    cr_expect_eq(report.causes[0].nalso, 2);
}

/* Mellanox/k8s-rdma-shared-dev-plugin issues 64 and 112: a pod with the device and no network on it. */
Test(ports, what_a_netdev_that_is_not_here_takes_away_is_no_second_cause)
{
    static const uint8_t link_local[16] = { 0xfe, 0x80, [15] = 1 };
    memcpy(gids[0].raw, link_local, sizeof(link_local));
    gids[0].netdev = ports[0].netdev = NULL;
    netdevs[0].parent = NULL;
    host.system.container = CONTAINER_CONTAINERD;
    struct check_selection selection = { .only = "port-netdev,gid-routable" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.told[VERDICT_FAIL], 1);
    cr_expect_str_eq(report.causes[0].check->id, "port-netdev");
}

/* sriov-network-operator issue 382: opensm ran all the time. */
Test(ports, a_virtual_function_may_be_kept_down_by_its_host)
{
    ports[0].transport = TRANSPORT_INFINIBAND;
    ports[0].state = num_of(PORT_STATE_DOWN);
    ports[0].lid = num_of(0xffff);
    struct finding finding = ask("port-active");
    EXPECT_TEXT(finding.evidence, "a virtual function of 0000:17:00.7");
    EXPECT_TEXT(finding.fix, "vf N state enable");
    EXPECT_TEXT(finding.fix, "virt_enabled 2");
    host.system.kubernetes = true;
    EXPECT_TEXT(ask("port-active").fix, "linkState: enable");
    pci.physfn = NULL;
    EXPECT_TEXT(ask("port-active").fix, "systemctl start opensm");
    cr_expect_not(strstr(ask("port-active").evidence, "virtual function"));
}

static void make_iwarp(uint64_t state)
{
    static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 1 };
    gids[0] = (struct gid){ .type = GID_TYPE_IB_ROCE_V1 };
    memcpy(gids[0].raw, mac, sizeof(mac));
    ports[0].transport = devices[0].transport = TRANSPORT_IWARP;
    ports[0].state = num_of(state);
    ports[0].rate_text = "10 Gb/sec (1X QDR)";
    netdevs[0].mac = "02:00:00:00:00:01";
}

Test(ports, iwarp_without_an_address_is_init)
{
    make_iwarp(PORT_STATE_INIT);
    ports[0].phys_state = num_of(PHYS_STATE_TRAINING);
    static const char *const ids[] = { "port-active", "port-phys-state" };
    for (size_t i = 0; i < 2; i++) {
        struct finding finding = ask(ids[i]);
        EXPECT_VERDICT(finding, VERDICT_FAIL);
        EXPECT_TEXT(finding.evidence, "eth0 has no IPv4 address");
        EXPECT_TEXT(finding.fix, "ip address add ADDRESS/PREFIX dev eth0");
    }
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "port-phys-state");
}

Test(ports, iwarp_is_judged_by_its_netdev)
{
    struct address address = { .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 } };
    make_iwarp(PORT_STATE_ACTIVE);
    netdevs[0].addresses_known = true;
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "gid-routable");
    EXPECT_VERDICT(ask("gid-routable"), VERDICT_FAIL);
    netdevs[0].addresses = &address;
    netdevs[0].naddresses = 1;
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "ok");
    EXPECT_VERDICT(ask("gid-routable"), VERDICT_PASS);
    EXPECT_VERDICT(ask("port-netdev"), VERDICT_PASS);
    EXPECT_VERDICT(ask("netdev-up"), VERDICT_PASS);
    netdevs[0].carrier = TRI_NO;
    EXPECT_VERDICT(ask("netdev-carrier"), VERDICT_FAIL);
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "netdev-carrier");
}

/* siw says ACTIVE without an IPv4 address. */
Test(ports, iwarp_with_a_link_local_address_alone)
{
    struct address addresses[] = { { .family = AF_INET6, .prefix = 64, .raw = { 0xfe, 0x80, [15] = 1 } },
                                   { .family = AF_INET6, .prefix = 64, .raw = { 0x20, 0x01, 0x0d, 0xb8 } },
                                   { .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 } } };
    make_iwarp(PORT_STATE_ACTIVE);
    netdevs[0].addresses_known = true;
    netdevs[0].addresses = addresses;
    netdevs[0].naddresses = 1;
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "gid-routable");
    struct finding finding = ask("gid-routable");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "eth0 has only link-local addresses: fe80::1/64");
    EXPECT_TEXT(finding.fix, "ip address add ADDRESS/PREFIX dev eth0");
    netdevs[0].naddresses = 2;
    cr_expect_str_eq(port_word(&host, &ports[0], arena).word, "ok");
    cr_expect_eq(netdev_main_address(&netdevs[0]), &addresses[1]);
    netdevs[0].naddresses = 3;
    cr_expect_eq(netdev_main_address(&netdevs[0]), &addresses[2], "IPv4 first");
}

Test(ports, iwarp_finds_its_netdev_by_the_mac)
{
    make_iwarp(PORT_STATE_ACTIVE);
    netdevs[0].parent = devices[0].parent = NULL;
    netdevs[1] = (struct netdev){ .name = "eth0.7", .mac = "02:00:00:00:00:01", .lower = "eth0" };
    netdevs[2] = (struct netdev){ .name = "eth9", .mac = "02:00:00:00:00:09" };
    host.nnetdevs = 3;
    ports[0].netdev = NULL;
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "eth0");
}

Test(ports, a_container_with_a_macvlan_speaks_of_it)
{
    static const uint8_t local[16] = { 0xfe, 0x80, [15] = 1 };
    gids[0] = (struct gid){ .type = GID_TYPE_ROCE_V2, .netdev = "ens1" };
    memcpy(gids[0].raw, local, 16);
    gids[1] = (struct gid){
        .index = 5, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .type = GID_TYPE_ROCE_V2, .netdev = "net1"
    };
    ports[0].ngids = 2;
    netdevs[0] = (struct netdev){ .name = "net1", .kind = NETDEV_MACVLAN };
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "net1");
    EXPECT_VERDICT(ask("port-netdev"), VERDICT_PASS);
    gids[0].index = 1;
    EXPECT_TEXT(ask("gid-holes").fix, "ip link set dev net1 down");
    EXPECT_VERDICT(ask("port-guid"), VERDICT_NA); /* one hole, one finding */
    host.system.container = CONTAINER_CRIO, host.system.kubernetes = true;
    cr_expect_str_eq(ask("gid-holes").fix, "unset NCCL_IB_GID_INDEX UCX_IB_GID_INDEX # let the library choose; "
                                           "NCCL before 2.26 may need NCCL_IB_GID_INDEX=5 here");
    ports[0].ngids = 1;
    cr_expect(text_starts(ask("port-guid").fix, "name a GID of this container"), "%s", ask("port-guid").fix);
    ports[0].ngids = 2;

    /* the pod's own eth0 has the name of the host's, but another index */
    netdevs[1] = (struct netdev){ .name = "ens1", .ifindex = num_of(2), .kind = NETDEV_VETH };
    gids[0].ifindex = 40;
    host.nnetdevs = 2;
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "net1");
}

Test(ports, an_address_that_was_left_on_the_port_of_a_bridge)
{
    struct address address = { .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 } };
    netdevs[0].flags = num_of(IFF_UP), netdevs[0].master = "br0";
    netdevs[0].addresses = &address, netdevs[0].naddresses = 1, netdevs[0].addresses_known = true;
    netdevs[1] = (struct netdev){ .name = "br0", .kind = NETDEV_BRIDGE };
    host.nnetdevs = 2;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    EXPECT_TEXT(ask("gid-address").evidence, "10.0.0.1/24 is on eth0, a port of the bridge br0");
    EXPECT_TEXT(ask("gid-address").fix, "ip link set dev eth0 nomaster");
    address.flags = 0x01; /* IFA_F_SECONDARY: it has its route, too */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    address.flags = 0x200; /* IFA_F_NOPREFIXROUTE: its routes are somebody's own */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    struct route route = {
        .family = AF_INET, .prefix = 24, .destination = { 10, 0, 0 }, .type = 1, .netdev = "eth0"
    };
    memcpy(address.peer, address.raw, sizeof(address.raw));
    host.routes = &route, host.nroutes = 1; /* NetworkManager's */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    route.has_gateway = true;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    route.has_gateway = false, route.netdev = "br0";
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    route.netdev = "eth0", route.destination[2] = 1;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    host.nroutes = 0;
    address.flags = 0, address.prefix = 32;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    address.prefix = 24, netdevs[0].flags = num_of(0); /* its routes are gone */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    netdevs[0].flags = num_of(IFF_UP), netdevs[1].kind = NETDEV_OTHER; /* a VRF */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_NA);
    netdevs[1].kind = NETDEV_BOND;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_WARN);
    EXPECT_TEXT(ask("gid-address").evidence, "10.0.0.1/24 is on eth0, a member of the bond br0");
    EXPECT_TEXT(ask("gid-address").fix, "ip address del 10.0.0.1/24 dev eth0");
    address.raw[0] = 169, address.raw[1] = 254; /* no address that a peer is told of */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_NA);
    netdevs[1].kind = NETDEV_BRIDGE;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
}

/* A bridge's address gives the ports below it a GID as a VLAN's does. */
Test(ports, an_address_of_a_bridge_above_the_port)
{
    static const char *members[] = { "eth0" };
    struct address address = { .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 } };
    netdevs[0].flags = num_of(IFF_UP), netdevs[0].master = "br0";
    netdevs[0].addresses_known = true;
    netdevs[1] = (struct netdev){ .name = "br0",
                                  .kind = NETDEV_BRIDGE,
                                  .flags = num_of(IFF_UP),
                                  .members = members,
                                  .nmembers = 1,
                                  .addresses = &address,
                                  .naddresses = 1,
                                  .addresses_known = true };
    host.nnetdevs = 2;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_PASS);
    address.raw[3] = 2;
    EXPECT_VERDICT(ask("gid-address"), VERDICT_FAIL);
    EXPECT_TEXT(ask("gid-address").evidence, "10.0.0.2/24 of br0 has no GID");
    netdevs[1].kind = NETDEV_OTHER; /* a VRF */
    EXPECT_VERDICT(ask("gid-address"), VERDICT_NA);
}

/* Index and name can be the same in two namespaces; nldev names the port's netdev only in its own. */
Test(ports, a_netdev_that_only_has_the_name_is_not_judged_by_the_gids_of_another_namespace)
{
    struct address address = { .family = AF_INET, .prefix = 24, .raw = { 192, 168, 122, 3 } };
    netdevs[0] = (struct netdev){ .name = "eth0",
                                  .kind = NETDEV_VETH,
                                  .flags = num_of(IFF_UP),
                                  .addresses = &address,
                                  .naddresses = 1,
                                  .addresses_known = true };
    host_finish(&host);
    EXPECT_VERDICT(ask("gid-address"), VERDICT_FAIL);
    EXPECT_VERDICT(ask("gid-stale"), VERDICT_WARN);

    ports[0].nldev_answered = true;
    host.system.netns_mode = num_of(1);
    host.system.first_netns = TRI_NO;
    host_finish(&host);
    cr_expect_null(port_netdev(&host, &ports[0]));
    cr_expect_str_eq(ports[0].netdev, "eth0", "its name is known all the same");
    EXPECT_VERDICT(ask("gid-address"), VERDICT_NA);
    EXPECT_VERDICT(ask("gid-stale"), VERDICT_NA);
    EXPECT_VERDICT(ask("port-netdev"), VERDICT_WARN);

    /* its MAC is what the port's default GID is made of: it is the port's own, whatever nldev leaves out */
    static const uint8_t default_gid[16] = { 0xfe, 0x80, [8] = 0x00, 0xff, 0x5e, 0xff, 0xfe, 0x00, 0x53, 0x09 };
    struct gid saved = gids[0];
    memcpy(gids[0].raw, default_gid, sizeof(default_gid));
    netdevs[0].mac = "02:ff:5e:00:53:09";
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0]);
    netdevs[0].mac = "02:ff:5e:00:53:08";
    host_finish(&host);
    cr_expect_null(port_netdev(&host, &ports[0]));
    gids[0] = saved;

    devices[0].parent_bus = "virtual", devices[0].parent = "eth0", ports[0].ngids = 0; /* soft RoCE's */
    host_finish(&host);
    cr_expect_null(port_netdev(&host, &ports[0]));

    /* what was made over the port's netdev and given to a container is its own */
    ports[0].ngids = 1, netdevs[0].kind = NETDEV_MACVLAN;
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0]);
    netdevs[0].kind = NETDEV_OTHER; /* sysfs alone tells no more of a macvlan */
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0]);
    netdevs[0].kind = NETDEV_PHYSICAL, netdevs[0].parent_bus = "pci", netdevs[0].parent = "0000:01:00.0";
    devices[0].parent_bus = "pci", devices[0].parent = "0000:17:00.0";
    host_finish(&host);
    cr_expect_null(port_netdev(&host, &ports[0]), "a management NIC, which has no RDMA device");
    netdevs[0].parent = "0000:17:00.0";
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0], "it sits on the port's function");
    netdevs[0].parent = "0000:01:00.0";
    host.system.netns_mode = (struct num){ 0 }; /* a kernel that may not tell */
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0]);
    host.system.netns_mode = num_of(1), ports[0].netdev_nldev = "eth0";
    host_finish(&host);
    cr_expect_eq(port_netdev(&host, &ports[0]), &netdevs[0], "nldev names it");
}

/* serve and ping neither listen at it nor offer it. */
Test(ports, a_gid_of_another_namespace_is_not_tested_from_here)
{
    struct near_gid near[4];
    cr_expect_eq(near_gids(&host, near, 4), 1);
    gids[0].elsewhere = true;
    cr_expect_eq(near_gids(&host, near, 4), 0);
    gids[0].elsewhere = false;
    host.netdevs = &netdevs[1]; /* none of its name is here */
    netdevs[1] = (struct netdev){ .name = "lo", .kind = NETDEV_LOOPBACK };
    cr_expect_eq(near_gids(&host, near, 4), 0);
    host.nnetdevs = 0; /* and nobody has looked */
    cr_expect_eq(near_gids(&host, near, 4), 1);
}

Test(ports, on_the_host_itself_the_default_gid_tells_the_netdev)
{
    static const uint8_t local[16] = { 0xfe, 0x80, [15] = 1 };
    gids[0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .netdev = "eth0.7" };
    gids[1] = (struct gid){ .index = 1, .netdev = "eth0" };
    memcpy(gids[1].raw, local, 16);
    ports[0].ngids = 2;
    netdevs[0].parent = NULL;
    netdevs[1] = (struct netdev){ .name = "eth0.7", .lower = "eth0" };
    host.nnetdevs = 2;
    host_finish(&host);
    cr_expect_str_eq(ports[0].netdev, "eth0");
}

Test(ports, a_switch_that_does_not_answer_lacp)
{
    static const char *members[] = { "eth0" };
    bond = (struct bond){ .mode = num_of(4),
                          .mode_text = "802.3ad",
                          .ad_aggregator = num_of(2),
                          .ad_partner_mac = "00:00:00:00:00:00" };
    member = (struct bond_member){ .mii_status = "up", .aggregator = num_of(1) };
    netdevs[0].member = &member;
    netdevs[1] = (struct netdev){
        .name = "bond0", .kind = NETDEV_BOND, .bond = &bond, .members = members, .nmembers = 1
    };
    host.nnetdevs = 2;
    struct finding finding = ask("bond-members");
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    EXPECT_TEXT(finding.evidence, "/sys/class/net/bond0/bonding/ad_partner_mac: 00:00:00:00:00:00");
    EXPECT_TEXT(finding.fix, "doesn't answer");
    bond.ad_partner_mac = "c4:70:bd:00:00:01";
    EXPECT_TEXT(ask("bond-members").evidence, "eth0 is in LACP aggregator 1, bond0 uses 2");
    member.aggregator = num_of(2);
    EXPECT_VERDICT(ask("bond-members"), VERDICT_PASS);
    bond.ad_partner_mac = "00:00:00:00:00:00";
    bond.mode = num_of(1);
    EXPECT_VERDICT(ask("bond-members"), VERDICT_PASS);
}
