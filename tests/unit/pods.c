/* SPDX-License-Identifier: MIT */
/* Devices that are shared between network namespaces, read from a tree: each pod's netdev is called net1. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/host.h"
#include "source/source.h"
#include "tree.h"

#define MAPPED "0000:0000:0000:0000:0000:ffff:0a00:0001\n"

static const char *const names[] = { "mlx5_8", "mlx5_10" };
static const char *const functions[] = { "0000:07:02.6", "0000:07:03.0" };

static void put(const char *device, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", device, file);
    tree_file(path, text);
}

static void link_to(const char *class, const char *name, const char *below)
{
    char path[256], target[256];
    snprintf(path, sizeof(path), "sys/class/%s/%s", class, name);
    snprintf(target, sizeof(target), "../../devices/%s", below);
    tree_link(path, target);
}

/* Two devices whose only GID is of a net1, which is here on the function of the one with that index. */
static void make_tree(size_t owner)
{
    char below[128], path[256];
    tree_make();
    for (size_t i = 0; i < 2; i++) {
        snprintf(below, sizeof(below), "%s/infiniband/%s", functions[i], names[i]);
        link_to("infiniband", names[i], below);
        snprintf(path, sizeof(path), "sys/devices/%s", below);
        put(path, "node_type", "1: CA\n");
        put(path, "ports/1/link_layer", "Ethernet\n");
        put(path, "ports/1/state", "4: ACTIVE\n");
        put(path, "ports/1/gids/0", MAPPED);
        put(path, "ports/1/gid_attrs/types/0", "RoCE v2\n");
        put(path, "ports/1/gid_attrs/ndevs/0", "net1\n");
        snprintf(path, sizeof(path), "sys/devices/%s/device", below);
        char target[64];
        snprintf(target, sizeof(target), "../../../%s", functions[i]);
        tree_link(path, target);
    }
    snprintf(below, sizeof(below), "%s/net/net1", functions[owner]);
    link_to("net", "net1", below);
    snprintf(path, sizeof(path), "sys/devices/%s", below);
    put(path, "mtu", "9000\n");
    put(path, "operstate", "up\n");
}

/* Whichever device a directory's order brings first: with files alone its GID names net1 before its owner does. */
static void expect_owner(size_t owner)
{
    struct source *source;
    struct host *host;
    make_tree(owner);
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_STATE | NEED_NETDEV | NEED_GIDS, &host), 0);
    cr_assert_eq(host->ndevices, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct port *port = &host_find_device(host, names[i])->ports[0];
        const struct netdev *netdev = port_netdev(host, port);
        cr_expect_str_eq(port->netdev, "net1");
        cr_expect_eq(netdev != NULL, i == owner, "%s of %s", names[i], names[owner]);
        cr_expect_eq(gid_netdev(host, &port->gids[0]), netdev);
        cr_expect_eq(port->roce_mtu.known, i == owner);
    }
    host_free(host);
    source_close(source);
    tree_remove();
}

Test(pods, a_netdev_is_its_functions_whoever_names_it_first)
{
    expect_owner(0);
    expect_owner(1);
}
