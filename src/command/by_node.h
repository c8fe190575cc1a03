/* SPDX-License-Identifier: MIT */
/* Measurements with memory and thread on each NUMA node: which of them are slower than they should be. Pure. */
#pragma once

#include "model/host.h"
#include "selftest/result.h"

/* Marks measurements whose node is known: a WARN where one is much slower than like ports' from as near a
 * node, which takes two of them; else a note of what share of the port's best node it is. */
void by_node_judge(const struct host *host, struct results *results);
