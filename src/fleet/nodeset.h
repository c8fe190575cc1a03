/* SPDX-License-Identifier: MIT */
/* Names of many hosts in few words, as ClusterShell writes them (nodeset -f): h[0-4,6-7]. clush -w and, of
 * names with one number, srun -w take them. Pure. */
#pragma once

#include <stddef.h>

/* A new text, which the caller frees; the order of names doesn't matter, one that is there twice counts once.
 * Of names with several numbers that vary, ranges are made as nodeset makes them as long as these form
 * blocks: a[1-2]b[1-4]; else it says the same hosts, perhaps in other pieces. */
char *nodeset_fold(const char *const *names, size_t count);
