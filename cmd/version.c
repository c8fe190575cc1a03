/* SPDX-License-Identifier: MIT */
/* roce version */
#include "base/version.h"
#include "command/context.h"
#include "view/json.h"

COMMAND(version)
{
    const struct look *look = &context->args->look;
    bool linked_in = *roce_providers; /* else the system's are loaded */
    if (look->json) {
        json_t *top = json_envelope(NULL);
        json_put_text(top, "rdma_core", linked_in ? roce_rdma_core : NULL);
        json_object_set_new(top, "providers", linked_in ? json_parts(roce_providers, ' ') : json_null());
        json_print(top);
        return STATUS_OK;
    }
    printf("roce %s\n", roce_version);
    if (look->verbose && linked_in)
        printf("rdma-core %s, with the providers %s\n", roce_rdma_core, roce_providers);
    else if (look->verbose)
        printf("rdma-core and its providers are this system's\n");
    return STATUS_OK;
}
