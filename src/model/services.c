/* SPDX-License-Identifier: MIT */
#include "model/services.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/system.h"

/* Modules by KBUILD_MODNAME, which rdma_create_id, ib_alloc_pd and ib_alloc_cq note as the owner
 * (include/rdma/rdma_cm.h, ib_verbs.h). Lustre's is out of the kernel's tree: lnet/klnds/o2iblnd. */
/* clang-format off */
static const struct {
    const char *name;
    const char *modules; /* comma-separated */
} kinds[SERVICE_KINDS] = {
    [SERVICE_NFS_CLIENT]     = { "NFS client",     "rpcrdma,xprtrdma" },
    [SERVICE_NFS_SERVER]     = { "NFS server",     "rpcrdma,svcrdma" },
    [SERVICE_NVME_HOST]      = { "NVMe host",      "nvme_rdma" },
    [SERVICE_NVME_TARGET]    = { "NVMe target",    "nvmet_rdma" },
    [SERVICE_ISER_INITIATOR] = { "iSER initiator", "ib_iser" },
    [SERVICE_ISER_TARGET]    = { "iSER target",    "ib_isert" },
    [SERVICE_SRP_INITIATOR]  = { "SRP initiator",  "ib_srp" },
    [SERVICE_SRP_TARGET]     = { "SRP target",     "ib_srpt" },
    [SERVICE_SMC]            = { "SMC-R",          "smc" },
    [SERVICE_RDS]            = { "RDS",            "rds_rdma" },
    [SERVICE_LUSTRE]         = { "Lustre",         "ko2iblnd" },
    [SERVICE_SMB_CLIENT]     = { "SMB client",     "cifs,smbdirect" },
    [SERVICE_SMB_SERVER]     = { "SMB server",     "ksmbd,smbdirect" },
    [SERVICE_IPOIB]          = { "IPoIB",          "ib_ipoib" },
    [SERVICE_OTHER]          = { "kernel",         "" },
};
/* clang-format on */

const char *service_kind_name(enum service_kind kind)
{
    return (unsigned)kind < SERVICE_KINDS ? kinds[kind].name : NULL;
}

bool service_has_module(enum service_kind kind, const char *module)
{
    return module && (unsigned)kind < SERVICE_KINDS && text_in_list(kinds[kind].modules, module);
}

enum service_kind service_kind_of_module(const char *module, bool listens)
{
    enum service_kind found = SERVICE_OTHER;
    for (int kind = SERVICE_OTHER - 1; kind >= 0; kind--) /* a client stands before its server */
        if (service_has_module((enum service_kind)kind, module) && (found == SERVICE_OTHER || !listens))
            found = (enum service_kind)kind;
    return found;
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

/* A pod's UID: 8-4-4-4-12 hex digits, in systemd's names with '_' for '-'. NULL: there is none. */
static const char *pod_uid(struct arena *arena, const char *step)
{
    enum { UID_LENGTH = 36 };
    const char *pod = strstr(step, "pod");
    for (; pod; pod = strstr(pod + 1, "pod")) {
        size_t i = 0;
        const char *uid = pod + 3;
        while (i < UID_LENGTH && (i == 8 || i == 13 || i == 18 || i == 23 ? uid[i] == '-' || uid[i] == '_'
                                                                          : isxdigit((unsigned char)uid[i])))
            i++;
        if (i != UID_LENGTH)
            continue;
        char *copy = arena_strndup(arena, uid, UID_LENGTH);
        for (char *c = copy; *c; c++)
            if (*c == '_')
                *c = '-';
        return copy;
    }
    return NULL;
}

/* "docker-ID.scope", or "docker" and below it "ID"; Kubernetes with the cgroupfs driver: podUID/ID;
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
