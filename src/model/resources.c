/* SPDX-License-Identifier: MIT */
#include "model/resources.h"

#include <errno.h>
#include <string.h>

#include "model/host.h"

/* clang-format off */
static const char *const names[RESOURCE_TYPES] = {
    [RESOURCE_QP] = "qp",
    [RESOURCE_CQ] = "cq",
    [RESOURCE_MR] = "mr",
    [RESOURCE_PD] = "pd",
    [RESOURCE_CM_ID] = "cm_id",
    [RESOURCE_SRQ] = "srq",
    [RESOURCE_CTX] = "ctx",
};
/* clang-format on */

bool resources_listed(const struct resources *resources, const char *device, enum resource_type type)
{
    for (size_t i = 0; i < resources->ngaps; i++)
        if (resources->gaps[i].type == type && strcmp(resources->gaps[i].device, device) == 0)
            return false;
    return true;
}

bool resources_listed_anywhere(const struct host *host, enum resource_type type)
{
    for (size_t d = 0; host->resources && d < host->ndevices; d++)
        if (resources_listed(host->resources, host->devices[d].name, type))
            return true;
    return false;
}

const char *resource_type_name(enum resource_type type)
{
    return names[type];
}

int resource_type_parse(const char *name, enum resource_type *type)
{
    for (int i = 0; i < RESOURCE_TYPES; i++)
        if (strcmp(names[i], name) == 0) {
            *type = (enum resource_type)i;
            return 0;
        }
    return -EINVAL;
}
