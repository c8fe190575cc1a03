/* SPDX-License-Identifier: MIT */
#include "selftest/queues/placement.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/cpus.h"

enum { WORD = CHAR_BIT * sizeof(unsigned long), BIND = 2 /* MPOL_BIND of linux/mempolicy.h */ };

int placement_bind(void *memory, size_t len, unsigned node)
{
    unsigned long nodes[PLACEMENT_NODES / WORD] = { 0 };
    if (node >= PLACEMENT_NODES)
        return -EINVAL;
    nodes[node / WORD] = 1UL << node % WORD;
    /* the kernel takes one bit less than it is told (get_nodes() of mm/mempolicy.c) */
    return syscall(SYS_mbind, memory, len, BIND, nodes, (unsigned long)PLACEMENT_NODES, 0) < 0 ? -errno : 0;
}

int placement_restore(const struct placement *was)
{
    return sched_setaffinity(0, sizeof(*was), (const cpu_set_t *)was) < 0 ? -errno : 0;
}

int placement_run_on(const char *cpus, struct placement *was)
{
    struct placement wanted = { 0 };
    unsigned long first, last;
    if (sched_getaffinity(0, sizeof(*was), (cpu_set_t *)was) < 0)
        return -errno;
    while (cpus_next(&cpus, &first, &last))
        for (unsigned long i = first; i <= last && i < PLACEMENT_CPUS; i++)
            wanted.cpus[i / WORD] |= 1UL << i % WORD;
    return placement_restore(&wanted);
}
