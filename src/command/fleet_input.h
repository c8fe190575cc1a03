/* SPDX-License-Identifier: MIT */
/* Facts of many hosts, from what a command line names: files of facts, recordings, and directories of
 * either. */
#pragma once

#include "command/context.h"
#include "view/comparison.h"

struct gathered {
    struct fleet *fleet;
    struct refused *refused; /* in the fleet's memory; each has been reported */
    size_t nrefused;
};

/* The names in a directory that don't begin with a dot, in version order, in arena. Returns 0 or -errno. */
int directory_names(const char *path, struct arena *arena, const char ***names, size_t *count);
/* "-" is standard input, as JSON lines. Whatever can't be read or understood is reported, noted and skipped. */
void gather(struct gathered *gathered, const char *path);
/* The same for a file found in a directory rather than named by the user: only regular files are opened. */
void gather_found(struct gathered *gathered, const char *path);
/* The machine that the command is about. Returns 0, or -errno after saying why not. */
int gather_machine(struct gathered *gathered, struct context *context);
