/* SPDX-License-Identifier: MIT */
/* roce version */
#include <stdio.h>
#include <string.h>

#include "command/context.h"
#include "version.h"
#include "view/json.h"

/* The providers, "bnxt_re cxgb4 …", as an array. */
static json_t *providers(void)
{
    json_t *names = json_array();
    for (const char *at = ROCE_PROVIDERS; *at;) {
        size_t len = strcspn(at, " ");
        json_array_append_new(names, json_stringn(at, len));
        at += len + (at[len] == ' ');
    }
    return names;
}

static int run(struct context *context)
{
    const struct look *look = &context->args->look;
    bool linked_in = *ROCE_PROVIDERS; /* else those that the system has are loaded */
    if (look->json) {
        json_t *top = json_envelope(NULL);
        json_put_text(top, "rdma_core", linked_in ? ROCE_RDMA_CORE : NULL);
        json_object_set_new(top, "providers", linked_in ? providers() : json_null());
        json_print(top);
        return STATUS_OK;
    }
    printf("roce %s\n", ROCE_VERSION);
    if (look->verbose && linked_in)
        printf("rdma-core %s, with the providers %s\n", ROCE_RDMA_CORE, ROCE_PROVIDERS);
    else if (look->verbose)
        printf("rdma-core and its providers are this system's\n");
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
