/* SPDX-License-Identifier: MIT */
/* What comparing hosts found, for a person, a program and a browser. All print to standard output. */
#pragma once

#include <jansson.h>

#include "fleet/mesh/mesh.h"
#include "view/output.h"

/* A file, or a part of one, that was not compared. */
struct refused {
    const char *file;
    unsigned line; /* 0: none */
    const char *what;
};
/* "refused": one object per file. */
void refused_put(json_t *top, const struct refused *refused, size_t count);
/* One paragraph per file: "passed over: FILE, line 3: what". */
void refused_html(struct bytes *out, const struct refused *refused, size_t count);

/* Everything to report. */
struct comparison {
    struct fleet_report *reports; /* several with --by */
    size_t nreports, nhosts;      /* hosts that were compared */
    bool changes;                 /* hosts[0] and hosts[1] of the report are one host, earlier and later */
    const char *against; /* the file saying what should be; NULL: hosts were compared with each other */
    const struct refused *refused;
    size_t nrefused;
    size_t replaced; /* records skipped for a later one of the same host */
};

void comparison_print(const struct look *look, const struct comparison *comparison);
void comparison_print_json(const struct comparison *comparison);
/* A self-contained page: findings, and a map of hosts and keys. */
void comparison_print_html(const struct comparison *comparison);

/* The results of a mesh, for a person and a program. All print to standard output. */

struct mesh_page {
    const struct look *look;
    const struct peers *peers;
    const struct mesh_results *results;
    const struct mesh_verdicts *verdicts;
    const struct fleet_report *facts; /* about the hosts; NULL if there are none */
    const struct refused *refused;    /* files that could not be used */
    size_t nrefused;
};

/* "h3 to h7 fails", to follow the verdict. The caller frees it. */
char *mesh_odd_text(const struct mesh_page *page, const struct mesh_odd *odd);
/* What the sending ports counted meanwhile: "12 sent again, 3 congestion notifications (CNPs)"; NULL if
 * nothing. */
const char *mesh_counted_text(struct num retransmissions, struct num cnps, struct arena *arena);
enum { MESH_FACTS_MOST = 3, MESH_LINES_MOST = 4 + MESH_FACTS_MOST };
struct mesh_line {
    const char *label; /* "" if it goes on with the last one's */
    const char *text;
};
/* What stands below that: what was found, and what hosts' facts say; returns how many lines. */
size_t mesh_odd_lines(const struct mesh_page *page, const struct mesh_odd *odd, struct arena *arena,
                      struct mesh_line lines[static MESH_LINES_MOST]);

void mesh_print(const struct mesh_page *page);
void mesh_print_json(const struct mesh_page *page);
/* A page for a browser: the findings, and a map of each rail. */
void mesh_print_html(const struct mesh_page *page);
/* "8 hosts, 8 ports: 56 directions measured: nothing odd". The caller frees it. */
char *mesh_summary_text(const struct mesh_page *page);

/* The tables of a mesh: senders in rows, receivers in columns. */

/* A rail's peers, or all of them. */
struct mesh_matrix {
    const struct mesh_page *page;
    const char *rail; /* its name, or "all rails" */
    const uint32_t *members;
    size_t n;
    const bool *about;              /* by peer: some finding is about it */
    const struct mesh_cell **known; /* the rail's */
    size_t nknown;
    enum mesh_measure measure;
    size_t *places, count;          /* those that are shown */
    const struct mesh_cell **cells; /* count × count */
};

/* Chooses the members to show: all if there are at most `most`, else as many of those that some finding is
 * about. */
void mesh_choose(struct mesh_matrix *m, size_t most);
/* The text of a cell between two that are shown: "12.3", "FAIL", "gone", "?" (nothing known), "." (not tried),
 * with ! if a path is bad. */
void mesh_cell_text(const struct mesh_matrix *m, size_t from, size_t to, char text[static 16]);
const char *mesh_host_at(const struct mesh_matrix *m, size_t place);
void mesh_for_each_matrix(const struct mesh_page *page, void (*show)(struct mesh_matrix *m, void *data),
                          void *data);
