/* SPDX-License-Identifier: MIT */
/* roce version */
#include <stdio.h>

#include "command/context.h"
#include "version.h"
#include "view/json.h"

static int run(struct context *context)
{
    if (context->args->look.json) {
        json_t *top = json_envelope(NULL);
        json_print(top);
    } else {
        printf("roce %s\n", ROCE_VERSION);
    }
    return STATUS_OK;
}

const struct command cmd_version = {
    .name = "version",
    .group = GROUP_OTHER,
    .summary = "the version of roce",
    .no_host = true,
    .no_source = true,
    .run = run,
};
