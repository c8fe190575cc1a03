/* SPDX-License-Identifier: MIT */
/* On which NUMA node a test's memory is and its thread runs, by system calls alone. */
#pragma once

#include <stddef.h>

enum { PLACEMENT_CPUS = 8192, PLACEMENT_NODES = 1024 };

/* CPUs that a thread may run on. */
struct placement {
    unsigned long cpus[PLACEMENT_CPUS / (8 * sizeof(unsigned long))];
};

/* Pages of a mapping that nobody has touched come from that node, or not at all (mbind(2), MPOL_BIND). 0 or -errno. */
int placement_bind(void *memory, size_t len, unsigned node);
/* Has this thread run on these CPUs ("0-15,32") alone. was: what it might run on before. 0 or -errno;
 * -EINVAL: no such CPU. */
int placement_run_on(const char *cpus, struct placement *was);
/* Back to where it was. */
int placement_restore(const struct placement *was);
