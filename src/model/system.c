/* SPDX-License-Identifier: MIT */
#include "model/system.h"

#include <string.h>

#include "base/base.h"

static bool same_module(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
            return false;
    return *a == *b;
}

bool system_has_module(const struct system *system, const char *name)
{
    bool in_rpcrdma = same_module(name, "xprtrdma") || same_module(name, "svcrdma");
    for (size_t i = 0; i < system->nmodules; i++)
        if (same_module(system->modules[i].name, name) ||
            (in_rpcrdma && same_module(system->modules[i].name, "rpcrdma")))
            return true;
    return false;
}

const char *system_sysctl(const struct system *system, const char *name)
{
    for (size_t i = 0; i < system->nsysctls; i++)
        if (strcmp(system->sysctls[i].name, name) == 0)
            return system->sysctls[i].value;
    return NULL;
}

const char *system_variable(const struct system *system, const char *name)
{
    for (size_t i = 0; i < system->nenvironment; i++)
        if (strcmp(system->environment[i].name, name) == 0)
            return system->environment[i].value;
    return NULL;
}

struct setting system_setting(const struct system *system, enum library library, const char *name)
{
    const char *value = system_variable(system, name);
    for (size_t i = 0; !value && library != LIBRARY_NONE && i < system->nsettings; i++) {
        const struct setting *setting = &system->settings[i];
        if (setting->library == library && !setting->conditional && strcmp(setting->name, name) == 0)
            return *setting;
    }
    return (struct setting){ .name = name, .value = value };
}

/* clang-format off */
static const struct {
    const char *id;
    enum distribution distribution;
} distributions[] = {
    { "debian", DISTRIBUTION_DEBIAN },
    { "ubuntu", DISTRIBUTION_DEBIAN },
    { "rhel", DISTRIBUTION_REDHAT },
    { "fedora", DISTRIBUTION_REDHAT },
    { "centos", DISTRIBUTION_REDHAT },
    { "rocky", DISTRIBUTION_REDHAT },
    { "almalinux", DISTRIBUTION_REDHAT },
    { "ol", DISTRIBUTION_REDHAT },
    { "amzn", DISTRIBUTION_REDHAT },
    { "openEuler", DISTRIBUTION_REDHAT },
    { "suse", DISTRIBUTION_SUSE },
    { "sles", DISTRIBUTION_SUSE },
    { "opensuse", DISTRIBUTION_SUSE },
    { "arch", DISTRIBUTION_ARCH },
    { "alpine", DISTRIBUTION_ALPINE },
};
/* clang-format on */

static enum distribution distribution_of(const char *word, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE(distributions); i++)
        if (strlen(distributions[i].id) == len && strncmp(distributions[i].id, word, len) == 0)
            return distributions[i].distribution;
    return DISTRIBUTION_OTHER;
}

enum distribution system_distribution(const struct system *system)
{
    enum distribution found = DISTRIBUTION_OTHER;
    if (system->os_id)
        found = distribution_of(system->os_id, strlen(system->os_id));
    const char *like = system->os_id_like ? system->os_id_like : "";
    while (found == DISTRIBUTION_OTHER && *like) {
        size_t len = strcspn(like, " ");
        found = distribution_of(like, len);
        like += len + strspn(like + len, " ");
    }
    return found;
}

bool system_is_container(const struct system *system)
{
    return system->container != CONTAINER_NONE || system->user_namespace;
}

bool system_has_capability(const struct system *system, int capability)
{
    return system->cap_effective.known && (system->cap_effective.value >> capability & 1);
}
