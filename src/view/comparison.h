/* SPDX-License-Identifier: MIT */
/* What comparing hosts found, for a person, a program and a browser. All print to standard output. */
#pragma once

#include <jansson.h>

#include "base/mem.h"
#include "fleet/compare.h"
#include "fleet/mesh/mesh.h"
#include "view/output.h"

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

/* What a mesh came to, for a person and a program. All print to standard output. */

struct mesh_page {
    const struct look *look;
    const struct peers *peers;
    const struct mesh_results *results;
    const struct mesh_verdicts *verdicts;
    const struct fleet_report *facts; /* of the hosts; NULL: there are none */
    const struct refused *refused;    /* files that could not be taken in */
    size_t nrefused;
};

/* "h3 to h7 fails": fits behind the verdict. The caller frees it. */
char *mesh_odd_text(const struct mesh_page *page, const struct mesh_odd *odd);
/* The source ports of a cell's bad paths, "49153, 50211". The caller frees it; NULL: none is known. */
char *mesh_ports_text(const struct mesh_cell *cell);
enum { MESH_FACTS_MOST = 3 };
/* What the facts of the hosts that it is about say, each a text of arena: number i of at most
 * MESH_FACTS_MOST; NULL: no more. */
const char *mesh_odd_fact(const struct mesh_page *page, const struct mesh_odd *odd, size_t i,
                          struct arena *arena);

void mesh_print(const struct mesh_page *page);
void mesh_print_json(const struct mesh_page *page);
/* A page for a browser: the findings, and a map of each rail. */
void mesh_print_html(const struct mesh_page *page);
/* "8 hosts, 8 ports: 56 directions measured: nothing odd". The caller frees it. */
char *mesh_summary_text(const struct mesh_page *page);

/* The tables of a mesh: who sends stands in rows, who receives in columns. */

/* A rail's peers, or all of them. */
struct mesh_matrix {
    const struct mesh_page *page;
    const struct mesh_cell **cells; /* n × n */
    const uint32_t *members;
    size_t n;
    enum mesh_measure measure;
};

/* What stands in a cell: "12.3", "FAIL", "gone", "?" (nothing is known), "." (not tried), with ! where a path
 * is bad. */
void mesh_cell_text(const struct mesh_matrix *m, size_t from, size_t to, char text[static 16]);
const char *mesh_host_at(const struct mesh_matrix *m, size_t place);
/* Those that stand in some finding: how many, in places (room for all). */
size_t mesh_choose_odd(const struct mesh_matrix *m, size_t *places);
void mesh_for_each_matrix(const struct mesh_page *page, void (*show)(const struct mesh_matrix *m, void *data),
                          void *data);
