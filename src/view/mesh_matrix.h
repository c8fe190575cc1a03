/* SPDX-License-Identifier: MIT */
/* The tables of a mesh: who sends stands in rows, who receives in columns. */
#pragma once

#include "view/mesh.h"

/* A rail's peers, or all of them. */
struct mesh_matrix {
    const struct mesh_page *page;
    const struct mesh_cell **cells; /* n × n */
    const uint32_t *members;
    size_t n;
    enum mesh_measure measure;
};

/* What stands in a cell: "12.3", "FAIL", "gone", "?" (nothing is known), "." (not tried), with ! where a path is bad. */
void mesh_cell_text(const struct mesh_matrix *m, size_t from, size_t to, char text[static 16]);
const char *mesh_host_at(const struct mesh_matrix *m, size_t place);
/* Those that stand in some finding: how many, in places (room for all). */
size_t mesh_choose_odd(const struct mesh_matrix *m, size_t *places);
void mesh_for_each_matrix(const struct mesh_page *page, void (*show)(const struct mesh_matrix *m, void *data),
                          void *data);
