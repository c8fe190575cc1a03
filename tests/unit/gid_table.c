/* SPDX-License-Identifier: MIT */
/* Reading a GID table from a tree: whole, with slots left out, empty, unreadable, or not there at all. */
#include <criterion/criterion.h>

#include "model/device.h"
#include "model/gid.h"
#include "model/host.h"
#include "source/source.h"
#include "tree.h"

#define PORT "sys/class/infiniband/mlx5_0/ports/1"
#define EMPTY "0000:0000:0000:0000:0000:0000:0000:0000\n"
#define LINK_LOCAL "fe80:0000:0000:0000:ba3f:d2ff:fe00:0001\n"
#define MAPPED "0000:0000:0000:0000:0000:ffff:0a00:0001\n"

static struct source *source;
static struct host *host;

static void put_slot(unsigned index, const char *gid, const char *type, const char *netdev)
{
    char path[256];
    snprintf(path, sizeof(path), PORT "/gids/%u", index);
    tree_file(path, gid);
    snprintf(path, sizeof(path), PORT "/gid_attrs/types/%u", index);
    if (type)
        tree_file(path, type);
    snprintf(path, sizeof(path), PORT "/gid_attrs/ndevs/%u", index);
    if (netdev)
        tree_file(path, netdev);
}

static void setup(void)
{
    tree_make();
    tree_file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    tree_file(PORT "/link_layer", "Ethernet\n");
    tree_file(PORT "/state", "4: ACTIVE\n");
}

static void teardown(void)
{
    host_free(host);
    source_close(source);
    host = NULL;
    source = NULL;
    tree_remove();
}

static const struct port *read_port(void)
{
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_GIDS, &host), 0);
    cr_assert_eq(host->ndevices, 1);
    cr_assert_eq(host->devices[0].nports, 1);
    return &host->devices[0].ports[0];
}

TestSuite(gid_table, .init = setup, .fini = teardown);

Test(gid_table, whole)
{
    put_slot(0, EMPTY, NULL, NULL);
    put_slot(1, LINK_LOCAL, "IB/RoCE v1\n", "eth0\n");
    put_slot(2, EMPTY, NULL, NULL);
    put_slot(3, MAPPED, "RoCE v2\n", "eth0\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 2);
    cr_assert(num_is(port->gid_table_len, 4));
    cr_assert_eq(port->gids[0].index, 1);
    cr_assert_eq(port->gids[0].type, GID_TYPE_IB_ROCE_V1);
    cr_assert_str_eq(port->gids[1].netdev, "eth0");
    cr_assert_eq(port->gids[1].index, 3);
    cr_assert_eq(port->gids[1].type, GID_TYPE_ROCE_V2);
    cr_assert_eq(host->nproblems, 0);
}

/* A recording by others that left empty slots out: what lies behind a gap counts, in order of number. */
Test(gid_table, with_gaps)
{
    put_slot(0, LINK_LOCAL, "RoCE v2\n", "eth0\n");
    put_slot(200, EMPTY, NULL, NULL);
    put_slot(10, MAPPED, "RoCE v2\n", "eth0\n");
    put_slot(9, MAPPED, "IB/RoCE v1\n", "eth0\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 3);
    cr_assert_eq(port->gids[1].index, 9);
    cr_assert_eq(port->gids[2].index, 10);
    cr_assert_eq(host->nproblems, 0);
}

Test(gid_table, only_behind_a_gap)
{
    put_slot(3, MAPPED, "RoCE v2\n", "eth0\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 1);
    cr_assert_eq(port->gids[0].index, 3);
}

#define BARE "fe80:0000:0000:0000:0000:0000:0000:0000\n"
#define BARE_ELSEWHERE "fec0:0000:0000:0007:0000:0000:0000:0000\n"

/* mlx4 puts the subnet's prefix into the slots that it doesn't use. */
Test(gid_table, a_prefix_alone_is_no_gid_on_infiniband)
{
    tree_file(PORT "/link_layer", "InfiniBand\n");
    put_slot(0, LINK_LOCAL, "IB/RoCE v1\n", NULL);
    put_slot(1, BARE, "IB/RoCE v1\n", NULL);
    put_slot(2, BARE_ELSEWHERE, "IB/RoCE v1\n", NULL);
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 1);
    cr_assert_eq(port->gids[0].index, 0);
    cr_assert(num_is(port->gid_table_len, 3));
    cr_assert_eq(port->nbare_gids, 2);
    cr_assert_null(port_gid(port, 1));
    cr_assert_eq(port_slot(port, 2)->raw[7], 7);
    cr_assert_eq(port_slot(port, 0), port_gid(port, 0));
    cr_assert_null(port_slot(port, 3));
}

/* iWARP's GIDs are MACs; old kernels call such a port's link layer InfiniBand. */
Test(gid_table, a_mac_is_a_gid_on_iwarp)
{
    tree_file("sys/class/infiniband/mlx5_0/node_type", "4: RNIC\n");
    tree_file(PORT "/link_layer", "InfiniBand\n");
    put_slot(0, "b896:9100:1122:0000:0000:0000:0000:0000\n", NULL, NULL);
    cr_assert_eq(read_port()->ngids, 1);
}

/* An IPv6 address may end in zeros. */
Test(gid_table, on_ethernet_zeros_may_be_an_address)
{
    put_slot(0, "2001:0db8:0000:0001:0000:0000:0000:0000\n", "RoCE v2\n", "eth0\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 1);
    cr_assert_eq(port->nbare_gids, 0);
}

/* A pod's table may show the node's GIDs, too: those that are of use here are told from them. Where none is,
 * all are alike. */
Test(gid_table, of_another_namespace_before_those_of_this)
{
    put_slot(0, LINK_LOCAL, "RoCE v2\n", "ens1\n");
    put_slot(1, MAPPED, "RoCE v2\n", "ens1\n");
    put_slot(2, "2001:0db8:0000:0000:0000:0000:0000:0002\n", "RoCE v2\n", "net1\n");
    tree_file("sys/class/net/net1/mtu", "9000\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 3);
    cr_expect(port->gids[1].elsewhere);
    cr_expect_not(port->gids[2].elsewhere);
    cr_expect_eq(port_first_routable(port)->index, 2);
    cr_expect_eq(port_main_gid(port)->index, 2);
}

Test(gid_table, of_another_namespace_alone)
{
    put_slot(0, LINK_LOCAL, "RoCE v2\n", "ens1\n");
    put_slot(1, MAPPED, "RoCE v2\n", "ens1\n");
    tree_file("sys/class/net/net1/mtu", "9000\n");
    const struct port *port = read_port();

    cr_expect_not(port->gids[0].elsewhere);
    cr_expect_eq(port_first_routable(port)->index, 1);
}

/* RoCE switched off: the directory is there, with nothing in it. */
Test(gid_table, of_no_slots)
{
    tree_file(PORT "/gids/.gitkeep", "");
    tree_file("netlink/.gitkeep", "");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 0);
    cr_assert(num_is(port->gid_table_len, 0));
    cr_assert_eq(host->nproblems, 0);
}

Test(gid_table, of_no_slots_in_a_tree_that_another_tool_may_have_left_empty)
{
    tree_file(PORT "/gids/.gitkeep", "");
    cr_assert_not(read_port()->gid_table_len.known);
}

Test(gid_table, not_there)
{
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 0);
    cr_assert_not(port->gid_table_len.known);
}

/* A slot that can't be read is a problem; those around it are read all the same. */
Test(gid_table, unreadable_slots)
{
    put_slot(0, LINK_LOCAL, "RoCE v2\n", "eth0\n");
    put_slot(2, MAPPED, "RoCE v2\n", "eth0\n");
    tree_file("errors", PORT "/gids/1\tEACCES\n" PORT "/gids/3\tEIO\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 2);
    cr_assert_eq(port->gids[1].index, 2);
    cr_assert_eq(host->nproblems, 2);
    cr_assert_eq(host->problems[0].err, EACCES);
    cr_assert_str_eq(host->problems[0].what, PORT "/gids/1");
    cr_assert_eq(host->problems[1].err, EIO);
}

Test(gid_table, rubbish_in_a_slot)
{
    put_slot(0, "not a gid\n", "RoCE v2\n", "eth0\n");
    put_slot(1, MAPPED, "RoCE v2\n", "eth0\n");
    const struct port *port = read_port();

    cr_assert_eq(port->ngids, 1);
    cr_assert_eq(port->gids[0].index, 1);
    cr_assert_eq(host->nproblems, 1);
    cr_assert_eq(host->problems[0].err, EBADMSG);
}
