/* SPDX-License-Identifier: MIT */
/* How test results are shown: tables, what failed and why, counters that grew, JSON. */
#pragma once

#include "selftest/paths.h"
#include "selftest/result.h"
#include "view/expect.h"

/* Columns of struct result. */
extern const struct column result_columns[];

/* Counters that grew on one port during a run. */
struct port_growth {
    const char *host; /* "local", or how the other host calls itself */
    const char *device;
    uint32_t port;
    struct grown_counters counters;
};

struct results_page {
    const struct look *look;
    const struct host *host;
    const struct results *results;
    const struct port_growth *growths;
    size_t ngrowths;
    struct expectations *expected; /* NULL: none */
    bool lines;                    /* JSON on one line, behind those of intervals */
    bool apart; /* for people: each result in its own row, and its whole note below the table */
    const struct way_fact *here_now; /* of the way to who couldn't be reached; nhere_now of them */
    size_t nhere_now;
    const char *remark; /* printed below them; NULL: nothing */
    const char *memory; /* of this end, as --memory says it; NULL: the process's own */
    bool matrix;        /* ports against each other: a matrix for people */
    json_t *more;       /* members for the JSON object beside results; may be NULL; taken over */
};
/* Prints everything. Returns whether something was tested and nothing failed. */
bool results_print(const struct results_page *page);

/* One of several measurements of a kind, as soon as it is there: a line. */
void interval_print(const struct look *look, const struct host *host, const struct result *result);

/* Tests between ports of one host, for people: a matrix for each measure, and remarks on pairs. */

/* Results without a to_device are left out. */
void port_matrix_print(const struct results_page *page);

/* How the paths between two hosts are shown: a table of source ports, a summary in words, JSON. */

/* One source port, there and back. */
struct path_row {
    const char *device;
    uint32_t port;
    double rate_gbits; /* of the port, 10^9 bits/s; 0 if unknown */
    const struct way *there, *back;
    struct num there_mtu, back_mtu;
};

extern const struct column path_columns[];

struct paths_page {
    const struct look *look;
    const struct host *host;
    const char *device; /* of this host */
    uint32_t port;
    double rate_gbits; /* of the port, 10^9 bits/s; 0 if unknown */
    const struct paths *paths;
    struct expectations *expected;
    const struct failure *failure; /* why the test broke off; NULL if it didn't */
    json_t *more;                  /* members for the JSON object; taken over */
};
/* Prints everything. Returns whether all was tested and every path is clean. */
bool paths_print(const struct paths_page *page);
