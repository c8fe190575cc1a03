/* SPDX-License-Identifier: MIT */
/* Lists of CPUs as the kernel writes them: "0-15,32-47". Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* The range at *list, which moves behind it; false: there is none (any more). */
bool cpus_next(const char **list, unsigned long *first, unsigned long *last);
/* Do two lists share a CPU? */
bool cpus_meet(const char *a, const char *b);
/* All CPUs of the lists as one, in arena; NULLs are passed over, and so is what is no list. */
const char *cpus_join(const char *const *lists, size_t count, struct arena *arena);
