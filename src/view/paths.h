/* SPDX-License-Identifier: MIT */
/* How many paths between two hosts are shown: a table of source ports, what it comes to in words, JSON. */
#pragma once

#include <jansson.h>

#include "selftest/diagnosis/failure.h"
#include "selftest/paths.h"
#include "view/column.h"
#include "view/expect.h"
#include "view/look.h"

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
