/* SPDX-License-Identifier: MIT */
/* The host apart from its devices: modules, sysctls, the container it may be. */
#include "model/system.h"

#include "tables.h"

bool module_is(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
            return false;
    return *a == *b;
}

bool system_has_module(const struct system *system, const char *name)
{
    bool in_rpcrdma = module_is(name, "xprtrdma") || module_is(name, "svcrdma");
    for (size_t i = 0; i < system->nmodules; i++)
        if (module_is(system->modules[i].name, name) ||
            (in_rpcrdma && module_is(system->modules[i].name, "rpcrdma")))
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

static enum distribution distribution_of(const char *word, size_t len)
{
    static const char *const ids[] = { DISTRIBUTION_IDS };
    char id[32];
    snprintf(id, sizeof(id), "%.*s", (int)len, word);
    for (enum distribution known = 0; known < ARRAY_SIZE(ids); known++)
        if (text_in_list(ids[known], id))
            return known;
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

bool system_has_first_netns(const struct system *system)
{
    return system->first_netns == TRI_YES ||
           (system->first_netns == TRI_UNKNOWN && !system_is_container(system));
}

bool system_has_capability(const struct system *system, int capability)
{
    return system->cap_effective.known && (system->cap_effective.value >> capability & 1);
}

const struct daemon_def daemon_defs[] = { DAEMONS, { 0 } };

bool daemon_parse(const char *line, size_t len, struct daemon *daemon)
{
    char copy[128], program[16], unit[64];
    unsigned long long pid;
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, line, len);
    copy[len] = '\0';
    if (sscanf(copy, "%15s %llu %63s", program, &pid, unit) != 3)
        return false;
    for (const struct daemon_def *def = daemon_defs; def->program; def++)
        if (strcmp(def->program, program) == 0 && strcmp(def->unit, unit) == 0) {
            *daemon = (struct daemon){ .program = def->program, .unit = def->unit, .pid = pid };
            return true;
        }
    return false;
}

enum daemon_role daemon_role(const struct daemon *daemon)
{
    for (const struct daemon_def *def = daemon_defs; def->program; def++)
        if (strcmp(def->program, daemon->program) == 0)
            return def->role;
    return DAEMON_CONTAINERS;
}

/* Which container runtime a process runs under, judging by the marks that runtimes leave. */

static const struct {
    const char *word;
    const char *mark;
} path_words[] = { CONTAINER_PATHS };

const char *container_path_mark(const char *path)
{
    for (size_t i = 0; i < ARRAY_SIZE(path_words); i++)
        if (strstr(path, path_words[i].word))
            return path_words[i].mark;
    return NULL;
}

bool container_path_is_pod(const char *path)
{
    return strstr(path, "kubepods") || strstr(path, "/kubelet/pods/");
}

static const struct {
    const char *mark;
    enum container container;
} kinds[] = { CONTAINER_MARKS };

static bool has_line(const char *marks, const char *line)
{
    size_t len = strlen(line);
    for (const char *at = marks; *at; at = text_next_line(at))
        if (strcspn(at, "\n") == len && strncmp(at, line, len) == 0)
            return true;
    return false;
}

/* Inodes of the machine's initial namespaces: PROC_PID_INIT_INO of linux/proc_ns.h, always the same, and since
 * Linux 6.18 NET_NS_INIT_INO of linux/nsfs.h. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"
#define FIRST_NETWORK_NAMESPACE "net:[4026531833]"

bool container_pid_is_first(const char *namespace)
{
    return strcmp(namespace, FIRST_PID_NAMESPACE) == 0;
}

const char *container_netns_mark(const char *pid, const char *own, const char *first)
{
    if (!own)
        return NULL;
    if (strcmp(own, FIRST_NETWORK_NAMESPACE) == 0)
        return "first";
    /* on older kernels it is that of the machine's process 1 */
    if (!pid || !first || !container_pid_is_first(pid))
        return NULL;
    return strcmp(own, first) == 0 ? "first" : "other";
}

enum tristate container_netns_is_first(const char *marks)
{
    return has_line(marks, "net-namespace first")   ? TRI_YES
           : has_line(marks, "net-namespace other") ? TRI_NO
                                                    : TRI_UNKNOWN;
}

enum container container_of(const char *marks, bool *kubernetes)
{
    *kubernetes = has_line(marks, "variable kubernetes") || has_line(marks, "path pod");
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (has_line(marks, kinds[i].mark))
            return kinds[i].container;
    /* A machine built from a container's files has these, too, so they count only in another PID namespace. */
    bool inside = has_line(marks, "pid-namespace other") && !has_line(marks, "kernel wsl");
    if (inside && has_line(marks, "file .dockerenv"))
        return CONTAINER_DOCKER;
    /* Podman and CRI-O share storage, and both write this file. */
    bool shared_file = (inside || *kubernetes) && has_line(marks, "file run/.containerenv");
    if (shared_file || has_line(marks, "path containers-storage"))
        return *kubernetes ? CONTAINER_CRIO : CONTAINER_PODMAN;
    if (*kubernetes || inside)
        return CONTAINER_UNNAMED;
    return CONTAINER_NONE;
}

/* -- kernel log ------------------------------------------------------------------------------------------ */

const struct log_pattern *kernel_log_pattern(const char *line)
{
    /* Reading counters of a function restricted by the firmware logs such a line for each of them
     * (github.com/prometheus/node_exporter/issues/3434): the reader itself causes it. */
    if (strstr(line, "mlx5_cmd_out_err") && strstr(line, "ACCESS_REG"))
        return NULL;
    struct text_pairs pairs = { 0 };
    text_pairs_add(&pairs, line, strlen(line));
    for (const struct log_pattern *pattern = log_patterns; pattern->words[0]; pattern++) {
        const char *first = text_pairs_may_spell(&pairs, pattern->words[0]) ? strstr(line, pattern->words[0])
                                                                            : NULL;
        if (first && (!pattern->words[1] || strstr(first, pattern->words[1])))
            return pattern;
    }
    return NULL;
}

/* A whole name or address, not part of a longer one. */
bool kernel_log_says(const char *line, const char *word)
{
    size_t len = word ? strlen(word) : 0;
    for (const char *at = line; len && (at = strstr(at, word)); at++) {
        if ((at == line || !text_is_word_char(at[-1])) && !text_is_word_char(at[len]))
            return true;
    }
    return false;
}

bool kernel_log_names(const char *line, const char *address)
{
    if (!address)
        return false;
    if (kernel_log_says(line, address))
        return true;
    /* Both IOMMU drivers omit domain 0: "Request device [17:00.0]", "device=17:00.0". */
    bool short_form = strncmp(address, "0000:", 5) == 0 && (strstr(line, "DMAR:") || strstr(line, "AMD-Vi:"));
    const char *at = short_form ? strstr(line, address + 5) : NULL;
    return at && at > line && (at[-1] == '[' || at[-1] == '=') && kernel_log_says(line, address + 5);
}

/* -- lists of CPUs as the kernel writes them: 0-3,8 ------------------------------------------------------- */

enum { MOST_CPUS = 8192 }; /* NR_CPUS of the largest configurations */

struct range {
    unsigned long first, last;
};

bool cpus_next(const char **list, unsigned long *first, unsigned long *last)
{
    char *end = NULL;
    if (**list < '0' || **list > '9')
        return false;
    *first = strtoul(*list, &end, 10);
    *last = *end == '-' ? strtoul(end + 1, &end, 10) : *first;
    *list = *end == ',' ? end + 1 : end;
    return true;
}

bool cpus_meet(const char *a, const char *b)
{
    struct range left, right;
    while (cpus_next(&a, &left.first, &left.last))
        for (const char *at = b; cpus_next(&at, &right.first, &right.last);)
            if (right.first <= left.last && left.first <= right.last)
                return true;
    return false;
}

static void mark(bool *cpus, const char *list)
{
    struct range range;
    while (list && cpus_next(&list, &range.first, &range.last))
        for (unsigned long i = range.first; i <= range.last && i < MOST_CPUS; i++)
            cpus[i] = true;
}

const char *runs_text(struct arena *arena, const uint64_t *numbers, size_t count, const char *separator)
{
    struct bytes text = { 0 };
    bytes_append(&text, "", 0);
    for (size_t i = 0, first = 0; i < count; first = ++i) {
        while (i + 1 < count && numbers[i + 1] == numbers[i] + 1)
            i++;
        bytes_printf(&text, "%s%" PRIu64, first ? separator : "", numbers[first]);
        if (i > first)
            bytes_printf(&text, "-%" PRIu64, numbers[i]);
    }
    return arena_take(arena, text.data);
}

const char *cpus_join(const char *const *lists, size_t count, struct arena *arena)
{
    bool cpus[MOST_CPUS] = { false };
    uint64_t numbers[MOST_CPUS];
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        mark(cpus, lists[i]);
    for (size_t i = 0; i < MOST_CPUS; i++)
        if (cpus[i])
            numbers[found++] = i;
    return runs_text(arena, numbers, found, ",");
}

static const struct provider providers[] = { PROVIDERS };

const struct provider *device_provider(const struct device *device)
{
    const char *family = device_family(device);
    if (!family)
        family = device->driver;
    for (size_t i = 0; family && i < ARRAY_SIZE(providers); i++)
        if (strcmp(providers[i].family, family) == 0)
            return &providers[i];
    return NULL;
}

/* rdma-core's irdma, since 36, also serves i40iw of Linux before 5.14, which had a provider of its own until
 * then; only that driver gives its devices this type. */
const char *system_provider(const struct system *system, const struct device *device, bool local)
{
    const struct provider *provider = device_provider(device);
    size_t end = local ? system->nall_providers : system->nproviders;
    for (size_t i = local ? system->nproviders : 0; provider && i < end; i++)
        if (strcmp(system->providers[i], provider->name) == 0 ||
            (text_is(device->hca_type, "I40IW") && strcmp(system->providers[i], "i40iw") == 0))
            return system->providers[i];
    return NULL;
}

bool system_hides(const struct system *system, const struct device *device)
{
    const struct provider *provider = device_provider(device);
    const struct num abi = device->uverbs.abi;
    if (!provider || !device->uverbs.name)
        return false;
    return (system->providers_known && !system->provider_unread && !system_provider(system, device, false) &&
            !system_provider(system, device, true)) ||
           (provider->most && abi.known && (abi.value < provider->least || abi.value > provider->most));
}
