/* SPDX-License-Identifier: MIT */
/* Who lends accelerators' memory to NICs, in words and as JSON. */
#pragma once

#include <jansson.h>

#include "check/gpu_memory.h"

/* "dma-buf", "nvidia_peermem", "nv_mem", "amdkfd", "none"; NULL: it isn't known. */
const char *gpu_memory_text(const struct gpu_memory *memory);

/* By what a library registers the memory of accelerators, of which one stands for all: a line of a block.
 * whose: "their memory", "the memory of 0000:17:00.0, …". */
void gpu_memory_print(const struct host *host, enum consumer consumer, const struct gpu_memory *memory,
                      const char *whose, size_t width);
/* What else its settings and GDRCopy make of it. */
void gpu_copies_print(const struct host *host, enum consumer consumer, size_t width);
/* Memory of accelerators and drives that P2PDMA lends, a line each; nothing where there is none. */
void p2pmem_print(const struct host *host, size_t width);
/* The key "peer_memory": all that is known of it. */
json_t *gpu_memory_json(const struct host *host);
