/* SPDX-License-Identifier: MIT */
/* Facts of many hosts from what a command line names: files of facts, recordings, directories of either. */
#pragma once

#include "command/context.h"
#include "fleet/fleet.h"
#include "view/comparison.h"

struct gathered {
    struct fleet *fleet;
    struct refused *refused; /* in the fleet's memory; each has been said */
    size_t nrefused;
};

/* "-": standard input, JSON lines. What can't be read or understood is said, noted, and passed over. */
void gather(struct gathered *gathered, const char *path);
/* The same of what was found in a directory, not named by anybody: what is no regular file isn't opened. */
void gather_found(struct gathered *gathered, const char *path);
/* The machine that the command is about. 0 or -errno after saying why. */
int gather_machine(struct gathered *gathered, struct context *context);
