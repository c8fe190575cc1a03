/* SPDX-License-Identifier: MIT */
/* How the results of tests are shown: tables, what failed and why, counters that grew, JSON. */
#pragma once

#include <jansson.h>

#include "selftest/diagnosis/diagnosis.h"
#include "selftest/diagnosis/failure.h"
#include "selftest/paths.h"
#include "selftest/result.h"
#include "view/column.h"
#include "view/expect.h"
#include "view/output.h"

/* Columns of struct result. */
extern const struct column result_columns[];

/* Counters that have grown on one port while a run lasted. */
struct growth {
    const char *host; /* "local", or how the other host calls itself */
    const char *device;
    uint32_t port;
    struct grown_counters counters;
};

struct results_page {
    const struct look *look;
    const struct host *host;
    const struct results *results;
    const struct growth *growths;
    size_t ngrowths;
    struct expectations *expected; /* NULL: none */
    const struct facts *facts;     /* one a result, as many as there are results */
    bool apart;         /* for people, each result in a row of its own, and its note, whole, below the table */
    const char *remark; /* and this below them; NULL: nothing */
    bool matrix;        /* ports against each other: as a matrix for people */
    json_t *more;       /* members for the JSON object beside results; may be NULL; taken over */
};
/* Prints all. Was something tested, and did nothing fail? */
bool results_print(const struct results_page *page);

/* Tests between ports of one host, for people: a matrix for each measure, and what there is to say of pairs. */

/* Of the results that have a to_device; the others are left out. */
void port_matrix_print(const struct results_page *page);

/* How many paths between two hosts are shown: a table of source ports, what it comes to in words, JSON. */

/* One source port, there and back. */
struct path_row {
    const char *device;
    uint32_t port;
    double rate_gbits; /* of the port, 10^9 bits/s; 0: not known */
    const struct way *there, *back;
};

extern const struct column path_columns[];

struct paths_page {
    const struct look *look;
    const struct host *host;
    const char *device; /* of this host */
    uint32_t port;
    double rate_gbits; /* of the port, 10^9 bits/s; 0: not known */
    const struct paths *paths;
    struct expectations *expected; /* NULL: none */
    const struct failure *failure; /* the test broke off; NULL: it didn't */
    json_t *more;                  /* members for the JSON object; may be NULL; taken over */
};
/* Prints all. Was everything looked at, and is every way clean? */
bool paths_print(const struct paths_page *page);
