/* SPDX-License-Identifier: MIT */
/* Where netlink is silent: what the files of a netdev say of its VLANs' PCPs and of what it trusts. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "model/host.h"
#include "model/qos.h"
#include "source/source.h"
#include "tree.h"

static struct source *source;
static struct host *host;

static void setup(void)
{
    tree_make();
    tree_file("sys/class/net/eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\n");
    tree_file("sys/class/net/eth0.7/uevent", "DEVTYPE=vlan\nINTERFACE=eth0.7\nIFINDEX=3\n");
    tree_link("sys/class/net/eth0/device", "../../../devices/0000:17:00.0");
    tree_link("sys/devices/0000:17:00.0/subsystem", "../../bus/pci");
}

static void teardown(void)
{
    host_free(host);
    source_close(source);
    tree_remove();
    host = NULL;
    source = NULL;
}

TestSuite(vlan_files, .init = setup, .fini = teardown);

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
        cr_expect_eq(host_find_netdev(host, cases[i].netdev)->kind == NETDEV_REPRESENTOR,
                     cases[i].representor, "%s", cases[i].netdev);
}
