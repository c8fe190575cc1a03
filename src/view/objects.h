/* SPDX-License-Identifier: MIT */
/* The kernel's RDMA objects (resources), one by one and by how many, as `roce users` shows them. */
#pragma once

#include "model/resources.h"
#include "model/selection.h"
#include "view/column.h"
#include "view/output.h"

extern const struct column object_columns[], object_total_columns[];

/* Which objects of the selected devices. */
struct object_question {
    bool one_type;
    enum resource_type type;
    const char *state; /* in any case; NULL: any */
    bool some;         /* only those below */
    const struct resource **items;
    size_t nitems;
};

/* One by one; JSON has also `unlisted`, what the kernel has no list of. */
void objects_print(const struct host *host, const struct selection *selection, const struct look *look,
                   const struct object_question *question);
/* How many each selected device has, its pools of memory regions and optional counters; limits too, where the
 * kernel or an opened device (NEED_VERBS) tells them. */
void object_totals_print(const struct host *host, const struct selection *selection, const struct look *look);
