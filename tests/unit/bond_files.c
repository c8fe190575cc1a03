/* SPDX-License-Identifier: MIT */
/* Where netlink is silent: what the files of a bond say. */
#include <criterion/criterion.h>

#include "model/host.h"
#include "source/source.h"
#include "tree.h"

#define BOND "sys/class/net/bond0"

Test(bond_files, the_lacp_partner)
{
    struct source *source;
    struct host *host;
    tree_make();
    tree_file(BOND "/uevent", "DEVTYPE=bond\nINTERFACE=bond0\nIFINDEX=2\n");
    tree_file(BOND "/bonding/mode", "802.3ad 4\n");
    tree_file(BOND "/bonding/ad_partner_mac", "00:00:00:00:00:00\n");
    tree_file("sys/class/net/bond1/uevent", "DEVTYPE=bond\nINTERFACE=bond1\nIFINDEX=3\n");
    tree_file("sys/class/net/bond1/bonding/mode", "802.3ad 4\n");
    tree_file("sys/class/net/bond1/bonding/ad_partner_mac", "\n");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NETDEV_ALL, &host), 0);
    const struct netdev *netdev = host_find_netdev(host, "bond0"), *silent = host_find_netdev(host, "bond1");
    cr_assert(netdev && netdev->bond && silent && silent->bond);
    cr_expect_str_eq(netdev->bond->ad_partner_mac, "00:00:00:00:00:00");
    cr_expect_null(silent->bond->ad_partner_mac, "asked without privilege the kernel says nothing");
    host_free(host);
    source_close(source);
    tree_remove();
}
