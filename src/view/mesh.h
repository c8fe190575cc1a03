/* SPDX-License-Identifier: MIT */
/* What a mesh came to, for a person and a program. All print to standard output. */
#pragma once

#include "fleet/compare.h"
#include "fleet/mesh/results.h"
#include "view/comparison.h"

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
