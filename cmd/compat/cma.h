/* SPDX-License-Identifier: MIT */
/* What cma_roce_mode and cma_roce_tos share: the options, words and statuses of two bash scripts that differ
 * only in the file they show. Implemented in cma_roce_mode.c. */
#pragma once

#include "command/context.h"

struct cma_tool {
    char letter; /* of the option that sets the value */
    const char *help;
    /* Writes value if it is valid. Returns 1 if written, 0 if it is not valid, or -errno. */
    int (*set)(struct source *source, const struct port *port, long value);
    /* The value as text; NULL if not known. */
    const char *(*text)(const struct host *host, const struct port *port);
};

int cma_run(struct context *context, const struct cma_tool *tool);
