/* SPDX-License-Identifier: MIT */
/* Ports against each other as a matrix: what each cell says, and that many ports fit a terminal. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "view/results.h"
#include "view/table.h"

enum { PORTS = 12 };

static const char *const devices[PORTS] = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4",  "mlx5_5",
                                            "mlx5_6", "mlx5_7", "mlx5_8", "mlx5_9", "mlx5_10", "mlx5_11" };

static struct result *add(struct results *results, size_t from, size_t to)
{
    struct result *r = results_add(results);
    r->device = devices[from];
    r->to_device = devices[to];
    r->port = r->to_port = 1;
    r->kind = TRIAL_BANDWIDTH;
    r->size = 1 << 20;
    r->verdict = VERDICT_PASS;
    r->mbytes_per_second = 45000 + 125.0 * (double)(from + to); /* 360 Gb/s and more */
    snprintf(r->operation, sizeof(r->operation), "RC write");
    return r;
}

/* What is printed of them on a terminal of so many columns is that; frees them. */
static void expect(struct results *results, size_t width, const char *shown)
{
    struct look look = { .width = width };
    struct host host = { .arena = arena_new() };
    struct results_page page = { .look = &look, .host = &host, .results = results, .matrix = true };
    cr_redirect_stdout();
    port_matrix_print(&page);
    fflush(stdout);
    arena_free(host.arena);
    free(results->items);
    cr_assert_stdout_eq_str(shown);
}

static struct results every_pair(size_t ports)
{
    struct results results = { 0 };
    for (size_t i = 0; i < ports; i++)
        for (size_t j = 0; j < ports; j++)
            if (i != j)
                add(&results, i, j);
    return results;
}

Test(port_matrix, twelve_ports_fit_a_terminal)
{
    struct results results = every_pair(PORTS);
    /* the names of the ports stand above each block and beside each of its rows */
    expect(&results, 80,
           "RC write of 1048576 bytes, in Gb/s\n"
           "         mlx5_0  mlx5_1  mlx5_2  mlx5_3  mlx5_4  mlx5_5  mlx5_6  mlx5_7  mlx5_8\n"
           "mlx5_0        X     361     362     363     364     365     366     367     368\n"
           "mlx5_1      361       X     363     364     365     366     367     368     369\n"
           "mlx5_2      362     363       X     365     366     367     368     369     370\n"
           "mlx5_3      363     364     365       X     367     368     369     370     371\n"
           "mlx5_4      364     365     366     367       X     369     370     371     372\n"
           "mlx5_5      365     366     367     368     369       X     371     372     373\n"
           "mlx5_6      366     367     368     369     370     371       X     373     374\n"
           "mlx5_7      367     368     369     370     371     372     373       X     375\n"
           "mlx5_8      368     369     370     371     372     373     374     375       X\n"
           "mlx5_9      369     370     371     372     373     374     375     376     377\n"
           "mlx5_10     370     371     372     373     374     375     376     377     378\n"
           "mlx5_11     371     372     373     374     375     376     377     378     379\n"
           "\n"
           "         mlx5_9  mlx5_10  mlx5_11\n"
           "mlx5_0      369      370      371\n"
           "mlx5_1      370      371      372\n"
           "mlx5_2      371      372      373\n"
           "mlx5_3      372      373      374\n"
           "mlx5_4      373      374      375\n"
           "mlx5_5      374      375      376\n"
           "mlx5_6      375      376      377\n"
           "mlx5_7      376      377      378\n"
           "mlx5_8      377      378      379\n"
           "mlx5_9        X      379      380\n"
           "mlx5_10     379        X      381\n"
           "mlx5_11     380      381        X\n");
}

static const char three[] = "RC write of 1048576 bytes, in Gb/s\n"
                            "        mlx5_0  mlx5_1  mlx5_2\n"
                            "mlx5_0       X     361     362\n"
                            "mlx5_1     361       X     363\n"
                            "mlx5_2     362     363       X\n";

Test(port_matrix, what_fits_is_one_block)
{
    struct results results = every_pair(3);
    expect(&results, 30, three);
}

Test(port_matrix, without_a_terminal_too)
{
    struct results results = every_pair(3);
    expect(&results, 0, three);
}

Test(port_matrix, one_column_less_is_another_block)
{
    struct results results = every_pair(3);
    expect(&results, 29,
           "RC write of 1048576 bytes, in Gb/s\n"
           "        mlx5_0  mlx5_1\n"
           "mlx5_0       X     361\n"
           "mlx5_1     361       X\n"
           "mlx5_2     362     363\n"
           "\n"
           "        mlx5_2\n"
           "mlx5_0     362\n"
           "mlx5_1     363\n"
           "mlx5_2       X\n");
}

Test(port_matrix, a_cell_is_the_measure_or_the_verdict)
{
    struct results results = { 0 };
    add(&results, 0, 1)->mbytes_per_second = 12250; /* 98 Gb/s */
    add(&results, 1, 0)->verdict = VERDICT_FAIL;
    struct result *latency = add(&results, 0, 1);
    latency->kind = TRIAL_LATENCY;
    latency->size = 8;
    latency->latency.median = 2.14;
    expect(&results, 80,
           "RC write of 1048576 bytes, in Gb/s\n"
           "        mlx5_0  mlx5_1\n"
           "mlx5_0       X      98\n"
           "mlx5_1    fail       X\n"
           "\n"
           "RC write of 8 bytes, median in microseconds\n"
           "        mlx5_0  mlx5_1\n"
           "mlx5_0       X     2.1\n"
           "mlx5_1       -       X\n");
}

Test(port_matrix, a_pair_that_nothing_was_tried_of)
{
    struct results results = { 0 };
    add(&results, 0, 1)->mbytes_per_second = 12250;
    struct result *rest = add(&results, 0, 1), *none;
    rest->size = 0; /* what was left of this pair */
    rest->verdict = VERDICT_NA;
    snprintf(rest->note, sizeof(rest->note), "no more was tried");
    none = add(&results, 0, 2);
    none->size = 0;
    none->verdict = VERDICT_NA;
    snprintf(none->note, sizeof(none->note), "no route");
    expect(&results, 80,
           "RC write of 1048576 bytes, in Gb/s\n"
           "        mlx5_0  mlx5_1  mlx5_2\n"
           "mlx5_0       X      98     n/a\n"
           "mlx5_1       -       X       -\n"
           "mlx5_2       -       -       X\n"
           "\nmlx5_0 to mlx5_2: no route\n");
}

Test(port_matrix, a_name_wider_than_the_terminal_still_stands)
{
    struct table *table = table_new(3, 1);
    for (size_t c = 0; c < 3; c++)
        table_set(table, 0, c, mem_strdup(c ? "a_port_with_a_long_name" : "row"), TONE_PLAIN);
    cr_redirect_stdout();
    table_print_matrix(table, false, 10);
    fflush(stdout);
    cr_assert_stdout_eq_str("row  a_port_with_a_long_name\n\nrow  a_port_with_a_long_name\n");
    table_free(table);
}
