/* SPDX-License-Identifier: MIT */
/* Which netdev is a port's, where only its name and MTU are asked for: a lone one needs no files to tell it
 * from others, several do. */
#include <criterion/criterion.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "model/host.h"
#include "model/qos.h"
#include "netlink_bytes.h"
#include "source/source.h"
#include "tree.h"

#define PARENT "sys/devices/pci0000:16/0000:17:00.0/"

static struct {
    struct source *source;
    struct host *host;
} now;

static void add_port(unsigned number)
{
    char path[128];
    snprintf(path, sizeof(path), PARENT "infiniband/x0/ports/%u/link_layer", number);
    tree_file(path, "Ethernet\n");
}

static void add_netdev(const char *name, const char *dev_port)
{
    char path[128], target[128];
    snprintf(path, sizeof(path), PARENT "net/%s/mtu", name);
    tree_file(path, "4200\n");
    snprintf(path, sizeof(path), PARENT "net/%s/operstate", name);
    tree_file(path, "up\n");
    snprintf(path, sizeof(path), PARENT "net/%s/dev_port", name);
    tree_file(path, dev_port);
    snprintf(path, sizeof(path), "sys/class/net/%s", name);
    snprintf(target, sizeof(target), "../../devices/pci0000:16/0000:17:00.0/net/%s", name);
    tree_link(path, target);
}

static void setup(void)
{
    tree_make();
    tree_file(PARENT "infiniband/x0/node_type", "1: CA\n");
    tree_link(PARENT "infiniband/x0/device", "../../../0000:17:00.0");
    tree_link(PARENT "subsystem", "../../../bus/pci");
    tree_link("sys/class/infiniband/x0", "../../devices/pci0000:16/0000:17:00.0/infiniband/x0");
    add_port(1);
    add_netdev("eth0", "0\n");
}

static void teardown(void)
{
    host_free(now.host);
    source_close(now.source);
    tree_remove();
}

TestSuite(lone_netdev, .init = setup, .fini = teardown);

static const struct port *read_port(needs_t needs, size_t at)
{
    cr_assert_eq(source_open_recording(tree_top(), &now.source, NULL), 0);
    cr_assert_eq(host_read(now.source, needs, &now.host), 0);
    cr_assert_eq(now.host->ndevices, 1);
    cr_assert_lt(at, now.host->devices[0].nports);
    return &now.host->devices[0].ports[at];
}

Test(lone_netdev, is_the_ports_and_is_read_no_further)
{
    cr_expect_str_eq(read_port(NEED_NETDEV_MTU, 0)->netdev, "eth0");
    cr_expect(num_is(now.host->netdevs[0].mtu, 4200));
    cr_expect(!now.host->netdevs[0].dev_port.known);
    cr_expect_null(now.host->netdevs[0].operstate);
}

Test(lone_netdev, is_read_whole_where_more_is_asked_for)
{
    cr_expect_str_eq(read_port(NEED_NETDEV_MTU | NEED_NETDEV, 0)->netdev, "eth0");
    cr_expect(num_is(now.host->netdevs[0].dev_port, 0));
    cr_expect_str_eq(now.host->netdevs[0].operstate, "up");
}

Test(lone_netdev, of_two_ports_tells_which_it_is)
{
    tree_file(PARENT "net/eth0/dev_port", "1\n");
    add_port(2);
    cr_expect_null(read_port(NEED_NETDEV_MTU, 0)->netdev);
    cr_expect_str_eq(now.host->devices[0].ports[1].netdev, "eth0");
}

Test(lone_netdev, with_another_beside_it_is_told_apart)
{
    tree_file(PARENT "net/eth0/dev_port", "1\n");
    add_netdev("eth1", "0\n");
    cr_expect_str_eq(read_port(NEED_NETDEV_MTU, 0)->netdev, "eth1");
}

/* Which netdevs lie above another, as rtnetlink tells them: of these the addresses become GIDs. */

/* What the kernel tells of the netdev below: IFLA_LINK, but a VXLAN by an attribute of its own. */
static void put_link(struct nlbytes *bytes, int ifindex, const char *name, const char *kind, uint32_t lower,
                     uint32_t master)
{
    bool is_vxlan = kind && strcmp(kind, "vxlan") == 0;
    struct ifinfomsg info = { .ifi_index = ifindex, .ifi_type = 1, .ifi_flags = 0x1003 };
    nlbytes_message(bytes, RTM_NEWLINK, &info, sizeof(info));
    nlbytes_text(bytes, IFLA_IFNAME, name);
    if (lower && !is_vxlan)
        nlbytes_u32(bytes, IFLA_LINK, lower);
    if (master)
        nlbytes_u32(bytes, IFLA_MASTER, master);
    if (kind) {
        size_t linkinfo = nlbytes_attr(bytes, IFLA_LINKINFO, NULL, 0);
        nlbytes_text(bytes, IFLA_INFO_KIND, kind);
        if (is_vxlan && lower) {
            size_t data = nlbytes_attr(bytes, IFLA_INFO_DATA | NLA_F_NESTED, NULL, 0);
            nlbytes_u32(bytes, IFLA_VXLAN_LINK, lower);
            nlbytes_close(bytes, data);
        }
        nlbytes_close(bytes, linkinfo);
    }
    nlbytes_end(bytes);
}

static void stacked_setup(void)
{
    tree_make();
    tree_file("sys/kernel/notes", "");
}

TestSuite(stacked, .init = stacked_setup, .fini = tree_remove);

/* ip_tunnel_get_iflink() names the netdev that a tunnel leaves by; only netdev_upper_dev_link() puts one above.
 */
Test(stacked, a_tunnel_leaves_by_a_netdev_and_is_not_above_it)
{
    static const struct {
        const char *kind;
        bool above;
    } cases[] = {
        { "vlan", true },       { "macvlan", true }, { "ipvlan", true },  { "vxlan", true },
        { "macsec", true },     { "gre", false },    { "gretap", false }, { "erspan", false },
        { "ip6gretap", false }, { "ipip", false },   { "sit", false },    { "ip6tnl", false },
        { "vti", false },       { "xfrm", false },   { "veth", false },   { "netkit", false },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct nlbytes bytes = { 0 };
        struct source *source = NULL;
        struct host *host = NULL;
        put_link(&bytes, 3, "eth0", NULL, 0, 0);
        put_link(&bytes, 7, "over0", cases[i].kind, 3, 0);
        tree_bytes("netlink/rtnl-links", bytes.data, bytes.len);
        cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
        cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
        const struct netdev *base = host_find_netdev(host, "eth0"), *over = host_find_netdev(host, "over0");
        cr_assert(base && over, "%s", cases[i].kind);
        cr_expect_eq(netdev_is_above(host, over, base), cases[i].above, "%s", cases[i].kind);
        host_free(host);
        source_close(source);
    }
}

/* found.md N7: of a team one of two members was told. hv_netvsc has no kind, and one netdev below it. */
Test(stacked, a_masters_members_are_all_told)
{
    static const char *const kinds[] = { "bond", "team", "bridge", "vrf", "openvswitch", NULL };
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        struct nlbytes bytes = { 0 };
        struct source *source = NULL;
        struct host *host = NULL;
        put_link(&bytes, 3, "eth0", NULL, 0, 7);
        put_link(&bytes, 4, "eth1", NULL, 0, 7);
        put_link(&bytes, 7, "over0", kinds[i], 0, 0);
        tree_bytes("netlink/rtnl-links", bytes.data, bytes.len);
        cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
        cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
        const struct netdev *over = host_find_netdev(host, "over0");
        cr_assert_eq(over->nmembers, kinds[i] ? 2 : 0, "%s", kinds[i] ? kinds[i] : "none");
        cr_expect_str_eq(kinds[i] ? over->members[0] : over->lower, kinds[i] ? "eth0" : "eth1");
        cr_expect(netdev_is_above(host, over, host_find_netdev(host, "eth1")));
        host_free(host);
        source_close(source);
    }
}

/* A team has no DEVTYPE. */
Test(stacked, several_netdevs_below_one_are_its_members)
{
    struct source *source = NULL;
    struct host *host = NULL;
    for (int i = 0; i < 2; i++)
        tree_link(i ? "sys/class/net/over0/lower_eth1" : "sys/class/net/over0/lower_eth0", "../eth0");
    tree_link("sys/class/net/over1/lower_eth0", "../eth0");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    const struct netdev *both = host_find_netdev(host, "over0"), *one = host_find_netdev(host, "over1");
    cr_expect_eq(both->nmembers, 2);
    cr_expect_null(both->lower);
    cr_expect_str_eq(one->lower, "eth0");
    cr_expect_eq(one->nmembers, 0);
    host_free(host);
    source_close(source);
}

/* Where netlink is silent: what the files of a netdev say of its VLANs' PCPs and of what it trusts. */

static struct source *source;
static struct host *host;

static void vlan_setup(void)
{
    tree_make();
    tree_file("sys/class/net/eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\n");
    tree_file("sys/class/net/eth0.7/uevent", "DEVTYPE=vlan\nINTERFACE=eth0.7\nIFINDEX=3\n");
    tree_link("sys/class/net/eth0/device", "../../../devices/0000:17:00.0");
    tree_link("sys/devices/0000:17:00.0/subsystem", "../../bus/pci");
}

static void vlan_teardown(void)
{
    host_free(host);
    source_close(source);
    tree_remove();
    host = NULL;
    source = NULL;
}

TestSuite(vlan_files, .init = vlan_setup, .fini = vlan_teardown);

static const struct netdev *vlan_with(const char *egress)
{
    char text[512];
    snprintf(text, sizeof(text),
             "eth0.7  VID: 7\t REORDER_HDR: 1  dev->priv_flags: 1021\n"
             "         total frames received            0\n"
             "Device: eth0\n"
             "INGRESS priority mappings: 0:0  1:0  2:0  3:0  4:0  5:0  6:0 7:0\n"
             "%s",
             egress);
    tree_file("proc/net/vlan/eth0.7", text);
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NETDEV_ALL | NEED_QOS, &host), 0);
    return host_find_netdev(host, "eth0.7");
}

Test(vlan_files, the_egress_map_of_a_vlan)
{
    const struct netdev *vlan = vlan_with(" EGRESS priority mappings: 2:3 6:5 \n");
    cr_assert(vlan && vlan->egress_known);
    cr_assert_eq(vlan->negress, 2);
    cr_expect(num_is(netdev_vlan_pcp(vlan, 2), 3));
    cr_expect(num_is(netdev_vlan_pcp(vlan, 6), 5));
    cr_expect(num_is(netdev_vlan_pcp(vlan, 0), 0));
}

Test(vlan_files, an_empty_map_is_known)
{
    const struct netdev *vlan = vlan_with(" EGRESS priority mappings: \n");
    cr_assert(vlan && vlan->egress_known);
    cr_expect(num_is(netdev_vlan_pcp(vlan, 2), 0));
}

Test(vlan_files, a_file_without_the_map_tells_nothing)
{
    const struct netdev *vlan = vlan_with("");
    cr_assert(vlan);
    cr_expect_not(vlan->egress_known);
    cr_expect_not(netdev_vlan_pcp(vlan, 2).known);
}

Test(vlan_files, trust_and_the_map_of_dscps_in_the_drivers_own_files)
{
    bool mapped;
    tree_file("sys/class/net/eth0/qos/trust", "dscp\n");
    tree_file("sys/class/net/eth0/qos/dscp2prio", "dscp2prio mapping:\n0 0\n26 3\n46 5\n99 1\nx\n");
    vlan_with("");
    const struct qos *qos = host_find_qos(host, host_find_netdev(host, "eth0"));
    cr_assert(qos);
    cr_expect_eq(qos_trust(qos), TRUST_DSCP);
    cr_expect_eq(qos_dscp_priority(qos, 26, &mapped), 3);
    cr_expect_eq(qos_dscp_priority(qos, 46, &mapped), 5);
    cr_expect_eq(qos->dcb.napps, 3);
}

Test(vlan_files, a_driver_that_trusts_pcp_by_its_file)
{
    tree_file("sys/class/net/eth0/qos/trust", "pcp\n");
    vlan_with("");
    const struct qos *qos = host_find_qos(host, host_find_netdev(host, "eth0"));
    cr_assert(qos);
    cr_expect_eq(qos_trust(qos), TRUST_PCP);
}

/* Kernels before 5.11 or so link a representor to no device, and udev calls it what it likes. */
Test(vlan_files, a_representor_by_what_its_port_is_called)
{
    static const struct {
        const char *netdev, *port;
        bool representor;
    } cases[] = { { "pf0hpf", "c1pf0", true },
                  { "en3f0pf0sf0", "pf0sf0", true },
                  { "c1pf0vf0", "c1pf0vf0", true },
                  { "pf0", "pf0", true },
                  { "p0", "p0", false },
                  { "pf0vf0", "p1", false } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char path[128], line[64];
        snprintf(path, sizeof(path), "sys/class/net/%s/phys_port_name", cases[i].netdev);
        snprintf(line, sizeof(line), "%s\n", cases[i].port);
        tree_file(path, line);
    }
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NETDEV_ALL, &host), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        cr_expect_eq(host_find_netdev(host, cases[i].netdev)->kind == NETDEV_REPRESENTOR, cases[i].representor,
                     "%s", cases[i].netdev);
}
