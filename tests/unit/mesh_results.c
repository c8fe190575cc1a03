/* SPDX-License-Identifier: MIT */
/* Files of results of a mesh: what is taken, and what a stranger's file is refused for. */
#include <arpa/inet.h>
#include <criterion/criterion.h>

#include "command/mesh/mesh.h"
#include "fleet/mesh/mesh.h"
#include "model/gid.h"
#include "source/source.h"
#include "tree.h"

static struct arena *arena;
static struct peers peers;
static struct mesh_results results;
static const char *what;

static void setup(void)
{
    static const char list[] = "10.0.0.1 a mlx5_0\n10.0.0.2 b mlx5_0\n10.0.0.3 c mlx5_0\n";
    struct fleet_fault fault;
    arena = arena_new();
    cr_assert_eq(peers_parse(list, strlen(list), arena, &peers, &fault), 0);
    results = mesh_results_new(&peers, arena);
    what = NULL;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(mesh_results, .init = setup, .fini = teardown);

/* A file of host a, by its stamp, ports and cells. */
static int add(uint32_t stamp, const char *ports, const char *cells)
{
    char text[2048], head[128];
    snprintf(head, sizeof(head), "{\"host\": \"a\", \"stamp\": \"%08x\", \"rounds\": 3, \"finished\": true}",
             stamp);
    int len = snprintf(text, sizeof(text), "{\"version\": 1, \"mesh\": %s, \"ports\": [%s], \"cells\": [%s]}",
                       head, ports, cells);
    return mesh_results_add(&results, text, (size_t)len, &what);
}

#define PORT "{\"address\": \"10.0.0.1\", \"rate_gbits\": 100, \"served\": [0, 2, 77, -1]}"
#define CELL(to, outcome, gbits)                                                                   \
    "{\"from\": \"10.0.0.1\", \"to\": \"" to "\", \"outcome\": \"" outcome "\", \"gbits\": " gbits \
    ", \"latency_us\": 2.5, \"retransmission_count\": 7, \"cnp_count\": -1}"

Test(mesh_results, a_file_is_taken)
{
    cr_assert_eq(
        add(peers.stamp, PORT, CELL("10.0.0.2", "measured", "91.5") "," CELL("10.0.0.3", "failed", "null")), 0,
        "%s", what);
    cr_assert_eq(results.ncells, 2);
    cr_assert_eq(results.cells[0].state, CELL_GOOD);
    cr_assert_float_eq(results.cells[0].gbits, 91.5, 1e-9);
    cr_assert_float_eq(results.cells[0].latency, 2.5, 1e-9);
    cr_assert(results.cells[0].retransmissions.known && results.cells[0].retransmissions.value == 7);
    cr_assert_not(results.cells[0].cnps.known);
    cr_assert_eq(results.cells[1].state, CELL_FAILED);
    cr_assert_eq(results.cells[1].gbits, 0);
    cr_assert(results.heard[0].told && !results.heard[1].told);
    cr_assert_float_eq(results.rates[0], 100, 1e-9);
    cr_assert(results.served[0][0] && !results.served[0][1] && results.served[0][2]);
    cr_assert_eq(results.rounds, 3);
}

Test(mesh_results, what_came_last_stays)
{
    cr_assert_eq(add(peers.stamp, PORT,
                     CELL("10.0.0.3", "failed", "null") "," CELL("10.0.0.2", "failed",
                                                                 "null") "," CELL("10.0.0.2", "measured", "5")),
                 0, "%s", what);
    mesh_results_settle(&results);
    cr_assert_eq(results.ncells, 2);
    cr_assert_eq(results.cells[0].to, 1);
    cr_assert_eq(results.cells[0].state, CELL_GOOD);
    cr_assert_eq(results.cells[1].to, 2);
}

Test(mesh_results, of_another_list)
{
    cr_assert_eq(add(peers.stamp + 1, PORT, ""), -ESTALE);
    cr_assert_str_eq(what, "they are of another list of peers");
    cr_assert(!results.heard[0].told);
}

Test(mesh_results, what_is_wrong_is_told)
{
    cr_assert_eq(add(peers.stamp, "{\"address\": \"10.0.0.2\", \"served\": []}", ""), -EINVAL,
                 "another host's port");
    cr_assert(strstr(what, "'ports'"));
    cr_assert_eq(add(peers.stamp, PORT, CELL("10.0.0.9", "measured", "1")), -EINVAL, "nobody");
    cr_assert(strstr(what, "'cells'"));
    cr_assert_eq(add(peers.stamp, PORT, CELL("10.0.0.1", "measured", "1")), -EINVAL, "itself");
    cr_assert_eq(
        add(peers.stamp, PORT, "{\"from\": \"10.0.0.2\", \"to\": \"10.0.0.3\", \"outcome\": \"measured\"}"),
        -EINVAL, "what another host has to tell");
    cr_assert_eq(add(peers.stamp, PORT, CELL("10.0.0.2", "splendid", "1")), -EINVAL, "a state that is none");
    cr_assert_eq(mesh_results_add(&results, "{", 1, &what), -EINVAL);
    cr_assert(strstr(what, "line 1"));
    cr_assert_eq(mesh_results_add(&results, "{}", 2, &what), -EINVAL);
    cr_assert_eq(mesh_results_add(&results, "", RESULTS_FILE_MOST + (size_t)1, &what), -EINVAL);
    cr_assert_str_eq(what, "it is too large");
}

/* A file that speaks for somebody else's host: its own one isn't pushed aside. */
Test(mesh_results, of_another_host_than_its_name)
{
    char *name = mesh_results_name("../x");
    cr_assert_str_eq(name, "_._x.mesh.json");
    free(name);
    results.file = "b.mesh.json";
    cr_assert_eq(add(peers.stamp, PORT, ""), -EINVAL);
    cr_assert_str_eq(what, "it says that it is of another host than its name");
    cr_assert(!results.heard[0].told);
    results.file = "a.mesh.json";
    cr_assert_eq(add(peers.stamp, PORT, ""), 0, "%s", what);
}

Test(mesh_results, more_cells_than_are_kept)
{
    results.ncells = RESULTS_CELLS_MOST;
    cr_assert_eq(add(peers.stamp, PORT, CELL("10.0.0.2", "measured", "5")), -E2BIG);
    cr_assert_str_eq(what, "with it there are more results than a report can hold");
    results.ncells = 0;
}

Test(mesh_results, numbers_that_no_network_has_are_none)
{
    cr_assert_eq(
        add(peers.stamp, PORT, CELL("10.0.0.2", "measured", "1e300") "," CELL("10.0.0.3", "measured", "-4")), 0,
        "%s", what);
    cr_assert_eq(results.cells[0].gbits, 0);
    cr_assert_eq(results.cells[1].gbits, 0);
}

/* A mesh: which of the list's peers this host is, by its own addresses. */

static struct arena *arena;
static struct peers peers;
static uint32_t selves[8];
static size_t count;
static char why[SELF_WHY_SIZE];

static void self_setup(void)
{
    arena = arena_new();
}

static void self_teardown(void)
{
    arena_free(arena);
}

TestSuite(mesh_self, .init = self_setup, .fini = self_teardown);

static void list(const char *text)
{
    struct fleet_fault fault;
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

#define THREE_HOSTS                                                                                     \
    "10.0.0.1 h1 mlx5_0 rail0\n10.1.0.1 h1 mlx5_1 rail1\n10.0.0.2 h2 mlx5_0 rail0\n10.1.0.2 h2 mlx5_1 " \
    "rail1\n2001:db8::3 h3 mlx5_0 rail0\n"

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
    list("10.100.0.16 gpu16 mlx5_0 a\n10.100.0.17 gpu17 mlx5_0 a\n10.200.0.17 gpu17 mlx5_1 b\n10.200.0.18 "
         "gpu18 mlx5_1 b\n");
    cr_assert_eq(find(gids, ngids), 0, "%s", why);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(peers.items[selves[0]].host, "gpu17");
    cr_assert_str_eq(peers.items[selves[1]].address, "10.200.0.17");
    host_free(host);
    source_close(source);
}
