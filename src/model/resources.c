/* SPDX-License-Identifier: MIT */
/* RDMA objects that the kernel lists, and who holds them. */
#include "model/resources.h"

#include "model/host.h"

static const char *const names[] = { WORDS_RESOURCE_TYPE };

const char *const resource_qp_states[RESOURCE_QP_STATES] = {
    "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"
};
const char *const resource_cm_states[RESOURCE_CM_STATES] = {
    "IDLE",       "ADDR_QUERY", "ADDR_RESOLVED", "ROUTE_QUERY",    "ROUTE_RESOLVED", "CONNECT",
    "DISCONNECT", "ADDR_BOUND", "LISTEN",        "DEVICE_REMOVAL", "DESTROYING"
};

bool resource_is_state(const char *word)
{
    bool is = *word && word[strspn(word, "0123456789")] == '\0'; /* from a kernel with more states */
    for (size_t i = 0; i < RESOURCE_QP_STATES; i++)
        is |= strcasecmp(word, resource_qp_states[i]) == 0;
    for (size_t i = 0; i < RESOURCE_CM_STATES; i++)
        is |= strcasecmp(word, resource_cm_states[i]) == 0;
    return is;
}

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
