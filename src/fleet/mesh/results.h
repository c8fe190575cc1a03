/* SPDX-License-Identifier: MIT */
/* What hosts found in a mesh: a JSON file each, which roce mesh run writes and which here is a stranger's.
 * Its keys are in roce-json(5). Pure. */
#pragma once

#include "fleet/mesh/judge.h"

enum { RESULTS_FILE_MOST = 64 << 20, RESULTS_CELLS_MOST = 4 << 20 };

struct mesh_results {
    struct arena *arena; /* the caller's */
    const struct peers *peers;
    struct mesh_cell *cells;
    size_t ncells;
    double *rates;   /* by peer */
    bool *told;      /* by peer */
    bool **served;   /* by peer: rounds in which its partner had done its part; NULL: none */
    size_t rounds;   /* the most that a host was to play */
    bool unfinished; /* some host hasn't come to its end */
};

struct mesh_results mesh_results_new(const struct peers *peers, struct arena *arena);
/* Adds a file's. 0; -EINVAL: it is none, what (of arena) says why; -ESTALE: of another list of peers. */
int mesh_results_add(struct mesh_results *results, const char *text, size_t len, const char **what);
/* Of a direction that was told twice, what came last stays. */
void mesh_results_settle(struct mesh_results *results);

const char *cell_state_word(enum cell_state state); /* as the file has it: "measured" */
