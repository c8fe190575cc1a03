/* SPDX-License-Identifier: MIT */
/* NFS and 9P over RDMA: what mounts have moved, and what nfs.conf(5) asks of the server. */
#include "source/files/texts.h"

#include "base/ini.h"

/* "device 10.0.0.1:/export mounted on /mnt with fstype nfs4 statvers=1.1" */
static const char *mount_name(struct arena *arena, const char *line, size_t len)
{
    char *text = arena_strndup(arena, line, len);
    char *from = text + strlen("device "), *on = strstr(from, " mounted on ");
    char *type = on ? strstr(on, " with fstype nfs") : NULL;
    if (!type)
        return NULL;
    *on = *type = '\0';
    return arena_printf(arena, "%s on %s", from, on + strlen(" mounted on "));
}

const char *mount_option(struct arena *arena, const char *list, size_t len, const char *key)
{
    size_t width = strlen(key);
    for (const char *end = list + len, *word = list; word < end; word += strcspn(word, ", \n") + 1)
        if ((size_t)(end - word) > width && strncmp(word, key, width) == 0)
            return arena_strndup(arena, word + width, strcspn(word + width, ", \n"));
    return NULL;
}

/* "10.0.0.1:/export /mnt nfs4 rw,…,addr=10.0.0.1 0 0": the options in the line whose first two words are name's
 * source and mount point. */
static const char *find_mount(const char *mounts, const char *name, size_t *len)
{
    const char *on = strstr(name, " on ");
    size_t from = (size_t)(on - name), to = strlen(on + strlen(" on "));
    for (const char *line = mounts; line && *line; line = text_next_line(line)) {
        if (strncmp(line, name, from) != 0 || line[from] != ' ' ||
            strncmp(line + from + 1, on + strlen(" on "), to) != 0 || line[from + 1 + to] != ' ')
            continue;
        const char *options = line + from + to + 2;
        options += strcspn(options, " \n");
        options += *options == ' ';
        *len = strcspn(options, " \n");
        return options;
    }
    return NULL;
}

/* "xprt:\trdma 0 0 1 …" */
static bool is_rdma(const char *words)
{
    words += strlen("xprt:");
    return text_starts(words + strspn(words, " \t"), "rdma ");
}

static void add_to(struct num *sum, uint64_t value)
{
    *sum = num_of((sum->known ? sum->value : 0) + value);
}

static void take_transport(struct service *service, const char *line)
{
    uint64_t connects, sent, received, pulled_up, fixed_up;
    if (sscanf(line,
               "xprt: rdma %*u %*u %" SCNu64 " %*u %*d %*u %*u %*u %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64,
               &connects, &sent, &received, &pulled_up, &fixed_up) != 5)
        return;
    add_to(&service->connects, connects);
    add_to(&service->rdma_sent, sent);
    add_to(&service->rdma_received, received);
    add_to(&service->inline_sent, pulled_up);
    add_to(&service->inline_received, fixed_up);
}

static struct service *add_mount(struct arena *arena, const char *name, const char *mounts,
                                 struct service **items, size_t *count)
{
    struct service *service = ARENA_PUSH(arena, *items, *count);
    size_t len;
    const char *options = find_mount(mounts, name, &len);
    service->kind = SERVICE_NFS_CLIENT;
    service->name = name;
    service->peer = options ? mount_option(arena, options, len, "addr=") : NULL;
    service->port = num_read(options ? mount_option(arena, options, len, "port=") : NULL, 10);
    return service;
}

void mountstats_parse(const char *text, const char *mounts, struct arena *arena, struct service **items,
                      size_t *count)
{
    const char *name = NULL;
    struct service *service = NULL;
    for (const char *line = text; *line; line = text_next_line(line)) {
        size_t len = strcspn(line, "\n");
        const char *words = line + strspn(line, " \t");
        if (text_starts(line, "device ")) {
            name = mount_name(arena, line, len);
            service = NULL;
        } else if (name && text_starts(words, "xprt:") && is_rdma(words)) {
            if (!service)
                service = add_mount(arena, name, mounts, items, count);
            take_transport(service, words);
        }
    }
}

void mounts_parse_9p(const char *mounts, struct arena *arena, struct service **items, size_t *count)
{
    enum { P9_PORT = 5640 };
    char from[256], on[256], options[1024];
    for (const char *line = mounts; line && *line; line = text_next_line(line)) {
        if (sscanf(line, "%255s %255s 9p %1023s", from, on, options) != 3 ||
            !text_is(mount_option(arena, options, strlen(options), "trans="), "rdma"))
            continue;
        const char *port = mount_option(arena, options, strlen(options), "port=");
        struct service *service = ARENA_PUSH(arena, *items, *count);
        service->kind = SERVICE_9P_CLIENT;
        service->name = arena_printf(arena, "%s on %s", from, on);
        service->peer = arena_strdup(arena, from);
        service->port = port ? num_read(port, 10) : num_of(P9_PORT);
    }
}

const char *mountstats_transport(const char *text, const struct nfs_mount *mount, struct arena *arena)
{
    const char *wanted = arena_printf(arena, "%s on %s", mount->from, mount->on), *name = NULL;
    for (const char *line = text; *line; line = text_next_line(line)) {
        const char *words = line + strspn(line, " \t");
        if (text_starts(line, "device "))
            name = mount_name(arena, line, strcspn(line, "\n"));
        if (!text_is(name, wanted) || !text_starts(words, "xprt:"))
            continue;
        words += strlen("xprt:");
        words += strspn(words, " \t");
        return arena_strndup(arena, words, strcspn(words, " \t\n"));
    }
    return NULL;
}

enum { NFSRDMA = 20049 }; /* "nfsrdma" in etc/services */

static void add_port(const char *word, struct arena *arena, struct nfs *nfs)
{
    uint64_t port = NFSRDMA;
    if (strcasecmp(word, "nfsrdma") != 0 && (text_to_u64(word, 10, &port) < 0 || !port || port > UINT16_MAX)) {
        nfs->named_port = true;
        return;
    }
    for (size_t i = 0; i < nfs->nrdma_ports; i++)
        if (nfs->rdma_ports[i] == port)
            return;
    *ARENA_PUSH(arena, nfs->rdma_ports, nfs->nrdma_ports) = (uint16_t)port;
}

/* conf_get_bool()'s words; anything else is the port itself, as it was before nfs-utils 2.4.2. */
static void take_rdma(const char *value, const char *path, struct arena *arena, struct nfs *nfs)
{
    if (!*value || text_in_list_fold("0 f false n no off", ' ', value))
        return;
    nfs->configured = true;
    nfs->configured_in = path;
    if (!text_in_list_fold("1 t true y yes on", ' ', value))
        add_port(value, arena, nfs);
}

void nfs_conf_parse(const char *text, const char *path, struct arena *arena, struct nfs *nfs)
{
    for (struct ini_line line = { 0 }; ini_next(arena, &text, &line);) {
        if (!text_is(line.section, "nfsd"))
            continue;
        const char *value = line.value + (*line.value == '"'); /* a comment may follow */
        value = arena_strndup(arena, value, strcspn(value, " \t\"#;\r"));
        if (strcasecmp(line.name, "rdma") == 0)
            take_rdma(value, path, arena, nfs);
        else if (strcasecmp(line.name, "rdma-port") == 0)
            add_port(value, arena, nfs);
    }
}

void nfs_conf_done(struct arena *arena, struct nfs *nfs)
{
    if (!nfs->configured)
        nfs->nrdma_ports = 0; /* rdma-port alone enables nothing */
    else if (!nfs->nrdma_ports && !nfs->named_port)
        add_port("nfsrdma", arena, nfs);
}
