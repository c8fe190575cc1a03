/* SPDX-License-Identifier: MIT */
#include "source/files/nfs_conf.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { NFSRDMA = 20049 }; /* "nfsrdma" of etc/services */

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(word, words[i]) == 0)
            return true;
    return false;
}

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

/* conf_get_bool()'s words; what is neither is the port itself, as it was before nfs-utils 2.4.2. */
static void take_rdma(const char *value, const char *path, struct arena *arena, struct nfs *nfs)
{
    static const char *const yes[] = { "1", "t", "true", "y", "yes", "on" };
    static const char *const no[] = { "0", "f", "false", "n", "no", "off", "" };
    if (is_one_of(value, no, ARRAY_SIZE(no)))
        return;
    nfs->configured = true;
    nfs->configured_in = path;
    if (!is_one_of(value, yes, ARRAY_SIZE(yes)))
        add_port(value, arena, nfs);
}

/* What stands behind "name =" in a line; NULL: it is another one. */
static const char *value_of(const char *line, const char *name)
{
    size_t len = strlen(name);
    if (strncasecmp(line, name, len) != 0)
        return NULL;
    line += len + strspn(line + len, " \t");
    return *line == '=' ? line + 1 + strspn(line + 1, " \t\"") : NULL;
}

void nfs_conf_parse(const char *text, const char *path, struct arena *arena, struct nfs *nfs)
{
    bool nfsd = false;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        at += strspn(at, " \t");
        char *line = arena_strndup(arena, at, strcspn(at, "\n"));
        if (*line == '[') {
            const char *name = line + 1 + strspn(line + 1, " \t");
            nfsd = strcspn(name, " \t]") == strlen("nfsd") && text_starts(name, "nfsd");
            continue;
        }
        line[strcspn(line, "#;\r")] = '\0'; /* no value here has one */
        const char *value = nfsd ? value_of(line, "rdma") : NULL;
        const char *port = nfsd ? value_of(line, "rdma-port") : NULL;
        if (value)
            take_rdma(arena_strndup(arena, value, strcspn(value, " \t\"")), path, arena, nfs);
        if (port)
            add_port(arena_strndup(arena, port, strcspn(port, " \t\"")), arena, nfs);
    }
}

void nfs_conf_done(struct arena *arena, struct nfs *nfs)
{
    if (!nfs->configured)
        nfs->nrdma_ports = 0; /* rdma-port alone asks for nothing */
    else if (!nfs->nrdma_ports && !nfs->named_port)
        add_port("nfsrdma", arena, nfs);
}
