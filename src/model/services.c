/* SPDX-License-Identifier: MIT */
/* The kernel's own users of RDMA: mounts, controllers, sessions, listeners. */
#include "model/services.h"

#include "model/system.h"
#include "tables.h"

static const struct {
    const char *name;
    const char *modules; /* comma-separated */
} kinds[SERVICE_KINDS] = { KERNEL_SERVICES };

const char *service_kind_name(enum service_kind kind)
{
    return (unsigned)kind < SERVICE_KINDS ? kinds[kind].name : NULL;
}

bool service_has_module(enum service_kind kind, const char *module)
{
    return module && (unsigned)kind < SERVICE_KINDS && kinds[kind].modules &&
           text_in_list(kinds[kind].modules, module);
}

enum service_kind service_kind_of_module(const char *module, bool listens)
{
    enum service_kind found = SERVICE_OTHER;
    for (int kind = SERVICE_OTHER - 1; kind >= 0; kind--) /* clients precede their servers */
        if (service_has_module((enum service_kind)kind, module) && (found == SERVICE_OTHER || !listens))
            found = (enum service_kind)kind;
    return found;
}

static const struct {
    const char *name, *software; /* the name as a pattern */
} programs[] = { RDMA_PROGRAMS };

const char *program_software(const char *comm)
{
    for (size_t i = 0; comm && i < ARRAY_SIZE(programs); i++)
        if (text_matches(programs[i].name, comm))
            return programs[i].software;
    return NULL;
}

static int weight_of(const struct blocked_module *blocked)
{
    return blocked->absent ? 2 : blocked->always;
}

const struct blocked_module *services_blocked(const struct services *services, const char *module)
{
    const struct blocked_module *found = NULL;
    for (size_t i = 0; services && i < services->nblocked; i++)
        if (strcmp(services->blocked[i].name, module) == 0 &&
            (!found || weight_of(&services->blocked[i]) > weight_of(found)))
            found = &services->blocked[i];
    return found;
}

enum { ID_SHOWN = 12, ID_LEAST = 32 };

static size_t hex_digits(const char *text)
{
    return strspn(text, "0123456789abcdef");
}

/* The length of the pod UID that text begins with, 0 if none: 8-4-4-4-12 hex digits, with '_' for '-' in
 * systemd names; for a pod made from a file on the node (a static pod), 32 digits without dashes. */
static size_t uid_length(const char *text)
{
    size_t i = hex_digits(text);
    if (i == 32)
        return i;
    for (i = 0; i < 36; i++)
        if (!(i == 8 || i == 13 || i == 18 || i == 23 ? text[i] == '-' || text[i] == '_'
                                                      : isxdigit((unsigned char)text[i])))
            return 0;
    return i;
}

/* The UID of the pod named by a component of a cgroup's path; NULL if it names none. */
static const char *pod_uid(struct arena *arena, const char *step)
{
    for (const char *pod = strstr(step, "pod"); pod; pod = strstr(pod + 1, "pod")) {
        size_t len = uid_length(pod + 3);
        if (!len)
            continue;
        char *copy = arena_strndup(arena, pod + 3, len);
        for (char *c = copy; *c; c++)
            if (*c == '_')
                *c = '-';
        return copy;
    }
    return NULL;
}

/* "docker-ID.scope", or "docker" followed by "ID"; Kubernetes with the cgroupfs driver: podUID/ID;
 * "lxc.payload.NAME". */
static const char *container_text(struct arena *arena, const char *step, const char *before)
{
    const char *dash = strrchr(step, '-'), *id = dash ? dash + 1 : step, *name = "lxc.payload.";
    const char *runtime = container_path_mark(arena_printf(arena, "/%s/%s", before, step));
    if (text_starts(step, name) && step[strlen(name)])
        return arena_printf(arena, "%s %s", runtime, step + strlen(name));
    if (hex_digits(id) < ID_LEAST || (!runtime && !text_starts(before, "pod")))
        return NULL;
    return arena_printf(arena, "%s %.*s", runtime ? runtime : "container", ID_SHOWN, id);
}

const char *cgroup_words_best(struct arena *arena, const struct cgroup_words *words)
{
    if (words->job)
        return words->job;
    if (words->pod)
        return arena_printf(arena, "pod %s", words->pod);
    return words->container ? words->container : words->unit;
}

struct cgroup_words cgroup_words(struct arena *arena, const char *path)
{
    struct cgroup_words words = { 0 };
    const char *before = "";
    while (path && *path) {
        path += strspn(path, "/");
        size_t len = strcspn(path, "/");
        const char *step = arena_strndup(arena, path, len);
        path += len;
        if (!words.pod)
            words.pod = pod_uid(arena, step);
        if (!words.job && text_starts(step, "job_") && strspn(step + 4, "0123456789") == strlen(step + 4) &&
            step[4])
            words.job = arena_printf(arena, "slurm %s", step + 4);
        const char *container = container_text(arena, step, before);
        if (container)
            words.container = container;
        if (text_ends(step, ".service"))
            words.unit = step;
        before = step;
    }
    return words;
}

/* enum smc_link_state of net/smc/smc_core.h */
const char *smc_link_state_text(struct num state)
{
    static const char *const words[] = { "UNUSED", "INACTIVE", "ACTIVATING", "ACTIVE" };
    return NUM_WORD(words, state);
}

bool smc_socket_listens(const struct smc_socket *socket)
{
    enum { SMC_LISTEN = 10 }; /* enum smc_state of net/smc/smc.h */
    return num_is(socket->state, SMC_LISTEN);
}

enum { PEER_DECLINED = 0x05000000 };

static const struct {
    uint32_t code;
    const char *text;
} reasons[] = { SMC_REASONS };

const char *smc_reason_text(uint32_t code)
{
    for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
        if (reasons[i].code == code)
            return reasons[i].text;
    return NULL;
}

bool smc_reason_is_peers(uint32_t code)
{
    return code == PEER_DECLINED;
}

static const char *reason_of(struct arena *arena, uint32_t code, uint32_t peer_code)
{
    const char *text = smc_reason_text(code),
               *peer = smc_reason_is_peers(code) && peer_code ? smc_reason_text(peer_code) : NULL;
    if (!text)
        return arena_printf(arena, "reason 0x%08" PRIx32, code);
    return peer ? arena_printf(arena, "%s: it says that %s", text, peer) : text;
}

static struct service *add(struct arena *arena, struct services *services)
{
    struct service *service = ARENA_PUSH(arena, services->items, services->count);
    service->kind = SERVICE_SMC;
    return service;
}

static void add_link(const struct smc_link *link, struct arena *arena, struct services *services)
{
    struct service *service = add(arena, services);
    service->name = arena_printf(arena, "link group %08" PRIx32, link->group);
    service->handle = link->id.known
                          ? arena_printf(arena, "%08" PRIx32 "/%" PRIu64, link->group, link->id.value)
                          : arena_printf(arena, "%08" PRIx32, link->group);
    service->state = smc_link_state_text(link->state);
    service->local = link->gid;
    service->peer = link->peer_gid;
    service->device = link->device;
    service->device_port = link->port;
    service->sockets = link->connections;
    service->note = link->role && link->redundancy ? arena_printf(arena, "%s, %s", link->role, link->redundancy)
                                                   : link->role;
}

static void add_listener(const struct smc_socket *socket, struct arena *arena, struct services *services)
{
    struct service *service = add(arena, services);
    service->state = "LISTEN";
    service->listens = true;
    service->local = socket->local;
}

/* The service for this reason, created if there is none. */
static struct service *of_reason(uint32_t code, struct arena *arena, struct services *services)
{
    for (size_t i = 0; i < services->count; i++)
        if (num_is(services->items[i].reason_code, code))
            return &services->items[i];
    struct service *service = add(arena, services);
    service->reason_code = num_of(code);
    service->state = "TCP";
    return service;
}

static void add_count(const struct smc *smc, const struct smc_fallback *fallback, struct arena *arena,
                      struct services *services)
{
    struct service *service = of_reason(fallback->code, arena, services);
    service->fallbacks = num_of(service->fallbacks.value + fallback->count);
    service->sockets = num_if(smc->sockets_known, 0);
}

static void add_socket(const struct smc_socket *socket, struct arena *arena, struct services *services)
{
    struct service *service = of_reason((uint32_t)socket->code.value, arena, services);
    service->sockets = num_of(service->sockets.value + 1);
    if (service->sockets.value == 1) {
        service->local = socket->local;
        service->peer = socket->peer;
        service->peer_reason_code = socket->peer_code;
    } else if (!socket->peer_code.known || !num_is(service->peer_reason_code, socket->peer_code.value)) {
        service->peer_reason_code = (struct num){ 0 }; /* several */
    }
}

static void put_words(const struct smc *smc, struct service *service, struct arena *arena)
{
    service->reason = reason_of(arena, (uint32_t)service->reason_code.value,
                                (uint32_t)service->peer_reason_code.value);
    service->name = arena_printf(arena, "by TCP: %s", service->reason);
    if (!service->fallbacks.known)
        return;
    service->note = arena_printf(arena, "%" PRIu64 " since smc was loaded", service->fallbacks.value);
    if (smc->by_rdma.known)
        service->note = arena_printf(arena, "%s, %" PRIu64 " by RDMA", service->note, smc->by_rdma.value);
}

void smc_add_services(const struct smc *smc, struct arena *arena, struct services *services)
{
    for (size_t i = 0; i < smc->nlinks; i++)
        add_link(&smc->links[i], arena, services);
    for (size_t i = 0; i < smc->nsockets; i++)
        if (smc_socket_listens(&smc->sockets[i]))
            add_listener(&smc->sockets[i], arena, services);
    for (size_t i = 0; i < smc->nfallbacks; i++)
        add_count(smc, &smc->fallbacks[i], arena, services);
    for (size_t i = 0; i < smc->nsockets; i++)
        if (smc->sockets[i].mode == SMC_MODE_TCP && smc->sockets[i].code.known &&
            !smc_socket_listens(&smc->sockets[i]))
            add_socket(&smc->sockets[i], arena, services);
    for (size_t i = 0; i < services->count; i++)
        if (services->items[i].reason_code.known)
            put_words(smc, &services->items[i], arena);
}
