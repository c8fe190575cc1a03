/* SPDX-License-Identifier: MIT */
/* What comparing hosts found, for a person, a program and a browser. All print to standard output. */
#pragma once

#include <jansson.h>

#include "base/mem.h"
#include "fleet/compare.h"
#include "view/look.h"

/* A file, or a part of one, that was not compared. */
struct refused {
    const char *file;
    unsigned line; /* 0: none */
    const char *what;
};
/* A new reference: an object a file. */
json_t *refused_json(const struct refused *refused, size_t count);
/* A paragraph a file: "passed over: FILE, line 3: what". */
void refused_html(struct bytes *out, const struct refused *refused, size_t count);

/* All that is to be told. */
struct comparison {
    const struct fleet *fleet;
    const struct fleet_report *reports; /* of --by several */
    size_t nreports, nhosts;            /* hosts that were compared */
    bool changes;                       /* hosts[0] of the report and hosts[1] are one, earlier and later */
    const char *against; /* the file of what should be; NULL: hosts were held against each other */
    const struct refused *refused;
    size_t nrefused;
    size_t replaced; /* records in whose place a later one of the host was compared */
};

void comparison_print(const struct look *look, const struct comparison *comparison);
void comparison_print_json(const struct comparison *comparison);
/* A page that needs nothing else: findings, and a map of hosts and keys. */
void comparison_print_html(const struct comparison *comparison);
