/* SPDX-License-Identifier: MIT */
/* Files of results of a mesh: what is taken, and what a stranger's file is refused for. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "fleet/mesh/results.h"

static struct arena *arena;
static struct peers peers;
static struct mesh_results results;
static const char *what;

static void setup(void)
{
    static const char list[] = "10.0.0.1 a mlx5_0\n10.0.0.2 b mlx5_0\n10.0.0.3 c mlx5_0\n";
    struct peers_fault fault;
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
    ", \"latency_us\": 2.5}"

Test(mesh_results, a_file_is_taken)
{
    cr_assert_eq(
        add(peers.stamp, PORT, CELL("10.0.0.2", "measured", "91.5") "," CELL("10.0.0.3", "failed", "null")),
        0, "%s", what);
    cr_assert_eq(results.ncells, 2);
    cr_assert_eq(results.cells[0].state, CELL_GOOD);
    cr_assert_float_eq(results.cells[0].gbits, 91.5, 1e-9);
    cr_assert_float_eq(results.cells[0].latency, 2.5, 1e-9);
    cr_assert_eq(results.cells[1].state, CELL_FAILED);
    cr_assert_eq(results.cells[1].gbits, 0);
    cr_assert(results.told[0] && !results.told[1]);
    cr_assert_float_eq(results.rates[0], 100, 1e-9);
    cr_assert(results.served[0][0] && !results.served[0][1] && results.served[0][2]);
    cr_assert_eq(results.rounds, 3);
    cr_assert(!results.unfinished);
}

Test(mesh_results, what_came_last_stays)
{
    cr_assert_eq(add(peers.stamp, PORT,
                     CELL("10.0.0.3", "failed", "null") "," CELL("10.0.0.2", "failed", "null") "," CELL(
                         "10.0.0.2", "measured", "5")),
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
    cr_assert(!results.told[0]);
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

Test(mesh_results, numbers_that_no_network_has_are_none)
{
    cr_assert_eq(
        add(peers.stamp, PORT, CELL("10.0.0.2", "measured", "1e300") "," CELL("10.0.0.3", "measured", "-4")),
        0, "%s", what);
    cr_assert_eq(results.cells[0].gbits, 0);
    cr_assert_eq(results.cells[1].gbits, 0);
}
