/* SPDX-License-Identifier: MIT */
/* A mesh: which of the list's peers this host is, by its own addresses. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "command/mesh/self.h"
#include "model/gid.h"
#include "source/source.h"
#include "tree.h"

static struct arena *arena;
static struct peers peers;
static uint32_t selves[8];
static size_t count;
static char why[SELF_WHY_SIZE];

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(mesh_self, .init = setup, .fini = teardown);

static void list(const char *text)
{
    struct peers_fault fault;
    cr_assert_eq(peers_parse(text, strlen(text), arena, &peers, &fault), 0, "%s", fault.what);
}

static struct near_gid gid(const char *device, const char *address, uint8_t type, bool active)
{
    struct near_gid near = { .gid = { .type = type, .port = 1 }, .active = active };
    uint8_t raw[16] = { 0 };
    int family = strchr(address, '.') ? AF_INET : AF_INET6;
    cr_assert_eq(inet_pton(family, address, raw), 1);
    gid_of_address(family, raw, near.gid.raw);
    snprintf(near.gid.device, sizeof(near.gid.device), "%s", device);
    return near;
}

static int find(const struct near_gid *gids, size_t ngids)
{
    *why = '\0';
    return self_find(&peers, gids, ngids, selves, 8, &count, why);
}

#define THREE_HOSTS \
    "10.0.0.1 h1 mlx5_0 rail0\n10.1.0.1 h1 mlx5_1 rail1\n10.0.0.2 h2 mlx5_0 rail0\n10.1.0.2 h2 mlx5_1 rail1\n2001:db8::3 h3 mlx5_0 rail0\n"

/* Neither names of hosts nor of devices matter: others have these, too. */
Test(mesh_self, by_its_addresses_and_nothing_else)
{
    struct near_gid own[4], gids[] = { gid("mlx5_0", "fe80::1", GID_TYPE_ROCE_V2, true),
                                       gid("mlx5_7", "10.0.0.2", GID_TYPE_IB_ROCE_V1, true),
                                       gid("mlx5_7", "10.0.0.2", GID_TYPE_ROCE_V2, true),
                                       gid("mlx5_9", "10.1.0.2", GID_TYPE_ROCE_V2, true) };
    list(THREE_HOSTS);
    cr_assert_eq(find(gids, 4), 0, "%s", why);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(peers.items[selves[0]].address, "10.0.0.2");
    cr_assert_str_eq(peers.items[selves[1]].address, "10.1.0.2");
    cr_assert_str_eq(peers.items[selves[0]].host, "h2");
    cr_assert_eq(self_gids(&peers.items[selves[0]], gids, 4, own), 2);
    cr_assert_eq(own[0].gid.type, GID_TYPE_IB_ROCE_V1);
    cr_assert_eq(own[1].gid.type, GID_TYPE_ROCE_V2);
    cr_assert_eq(self_gids(&peers.items[selves[1]], gids, 4, own), 1);
    cr_assert_str_eq(own[0].gid.device, "mlx5_9");
    cr_assert_eq(self_gids(&peers.items[0], gids, 4, own), 0);
}

Test(mesh_self, an_ipv6_address)
{
    struct near_gid gids[] = { gid("mlx5_0", "2001:db8:0:0::3", GID_TYPE_ROCE_V2, true) };
    list(THREE_HOSTS);
    cr_assert_eq(find(gids, 1), 0);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(peers.items[selves[0]].host, "h3");
}

Test(mesh_self, a_port_that_is_down_is_nobody)
{
    struct near_gid gids[] = { gid("mlx5_0", "10.0.0.1", GID_TYPE_ROCE_V2, false),
                               gid("mlx5_1", "10.1.0.1", GID_TYPE_ROCE_V2, true) };
    list(THREE_HOSTS);
    cr_assert_eq(find(gids, 2), 0);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(peers.items[selves[0]].address, "10.1.0.1");
    cr_assert_eq(find(gids, 1), -EADDRNOTAVAIL);
    cr_assert_eq(count, 0);
    cr_assert_str_eq(why, "none of the list's addresses is one of an active RoCE or iWARP port of this host");
}

Test(mesh_self, a_list_that_calls_it_two_names)
{
    struct near_gid gids[] = { gid("mlx5_0", "10.0.0.1", GID_TYPE_ROCE_V2, true),
                               gid("mlx5_1", "10.1.0.2", GID_TYPE_ROCE_V2, true) };
    list(THREE_HOSTS);
    cr_assert_eq(find(gids, 2), -EINVAL);
    cr_assert_str_eq(why, "the list calls this host both 'h1' and 'h2'");
}

Test(mesh_self, no_more_than_there_is_room_for)
{
    struct near_gid gids[] = { gid("mlx5_0", "10.0.0.1", GID_TYPE_ROCE_V2, true),
                               gid("mlx5_1", "10.1.0.1", GID_TYPE_ROCE_V2, true) };
    list(THREE_HOSTS);
    cr_assert_eq(self_find(&peers, gids, 2, selves, 1, &count, why), 0);
    cr_assert_eq(count, 1);
}

/* A machine of twelve ports finds its own among those of three. */
Test(mesh_self, a_recorded_machine)
{
    static struct near_gid gids[256];
    struct source *source = NULL;
    struct host *host = NULL;
    cr_assert_eq(source_open_recording(tree_fixture("mlx5-roce-train"), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEAR_NEEDS, &host), 0);
    size_t ngids = near_gids(host, gids, 256);
    cr_assert_gt(ngids, 12);
    list("10.100.0.16 gpu16 mlx5_0 a\n10.100.0.17 gpu17 mlx5_0 a\n10.200.0.17 gpu17 mlx5_1 b\n10.200.0.18 gpu18 mlx5_1 b\n");
    cr_assert_eq(find(gids, ngids), 0, "%s", why);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(peers.items[selves[0]].host, "gpu17");
    cr_assert_str_eq(peers.items[selves[1]].address, "10.200.0.17");
    host_free(host);
    source_close(source);
}
