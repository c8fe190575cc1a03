/* SPDX-License-Identifier: MIT */
/* What cma_roce_mode and cma_roce_tos share: options, words and statuses of two bash scripts that are the
 * same but for the file they show. Implemented in cma_roce_mode.c. */
#pragma once

#include "command/context.h"

struct cma_tool {
    char letter; /* of the option that sets */
    const char *help;
    /* Writes value where it means something. 1 written, 0 it means nothing, -errno. */
    int (*set)(struct source *source, const struct port *port, long value);
    /* The text of the value; NULL: not known. */
    const char *(*text)(const struct host *host, const struct port *port);
};

int cma_run(struct context *context, const struct cma_tool *tool);
