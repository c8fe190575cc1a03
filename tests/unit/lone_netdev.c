/* SPDX-License-Identifier: MIT */
/* Which netdev is a port's, where only its name and MTU are asked for: a lone one needs no files to tell it
 * from others, several do. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "model/host.h"
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
