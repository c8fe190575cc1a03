/* SPDX-License-Identifier: MIT */
/* How the results of tests are shown: tables, what failed and why, counters that grew, JSON. */
#pragma once

#include <jansson.h>

#include "selftest/diagnosis/delta.h"
#include "selftest/diagnosis/facts.h"
#include "selftest/result.h"
#include "view/column.h"
#include "view/expect.h"
#include "view/look.h"

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
    bool apart; /* for people, each result in a row of its own, and its note, whole, below the table */
    const char *remark; /* and this below them; NULL: nothing */
    bool matrix;        /* ports against each other: as a matrix for people */
    json_t *more;       /* members for the JSON object beside results; may be NULL; taken over */
};
/* Prints all. Was something tested, and did nothing fail? */
bool results_print(const struct results_page *page);
