/* SPDX-License-Identifier: MIT */
/* Unknown is never absent: what a check must have seen before it may say that nothing is wrong. */
#include <fnmatch.h>

#include "check/judge.h"

/* How they are called in a record's `reads`. */
static const char *name_of(const struct subject *s, const char *word, size_t len, char number[static 16])
{
    const struct netdev *netdev = hardware_of(s);
    const struct {
        const char *word, *name;
    } names[] = {
        { "{device}", s->device ? s->device->name : NULL },
        { "{netdev}", s->netdev ? s->netdev->name
                      : s->port ? s->port->netdev
                                : NULL },
        { "{hardware}", netdev ? netdev->name : NULL },
        { "{pci}", s->device ? s->device->pci
                   : netdev  ? netdev->pci
                             : NULL },
        { "{port}", s->port ? number : NULL },
    };
    snprintf(number, 16, "%" PRIu32, s->port ? s->port->number : 0);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strlen(names[i].word) == len && strncmp(names[i].word, word, len) == 0)
            return names[i].name;
    return NULL;
}

/* False if the subject has no such name. */
static bool fill_path(const struct subject *s, const char *at, const char *end, char path[static PATH_MAX])
{
    char number[16];
    size_t used = 0;
    while (at < end) {
        size_t len = *at == '{' ? strcspn(at, "}") + 1 : strcspn(at, "{,");
        const char *name = *at == '{' ? name_of(s, at, len, number) : at;
        size_t take = !name ? PATH_MAX : *at == '{' ? strlen(name) : len;
        if (used + take >= PATH_MAX)
            return false;
        memcpy(path + used, name, take);
        used += take;
        at += len;
    }
    path[used] = '\0';
    return true;
}

/* What every check of a port or a device rests on, and what tells that a check of a netdev's doesn't apply. */
static const char base[] = "sys/class/infiniband/{device}/node_type, sys/class/infiniband/{device}/ports/, "
                           "sys/class/infiniband/{device}/ports/{port}/link_layer, "
                           "sys/class/infiniband/{device}/ports/{port}/state";
static const char base_netdev[] = "sys/class/net/, sys/class/net/{netdev}/";

static const struct unread no_netdevs = { "sys/class/net/lo", 0 };

/* The item of a list, and the next one's beginning. */
static bool next_item(const char **list, const char **item, size_t *len)
{
    *item = *list;
    *len = *list ? strcspn(*list, ",") : 0;
    if (*len)
        *list += *len + strspn(*list + *len, ", ");
    return *len > 0;
}

static const struct unread *unread_in(const char *list, const struct subject *s)
{
    char path[PATH_MAX];
    const char *item;
    size_t len;
    const struct unread *unread = NULL;
    while (!unread && next_item(&list, &item, &len))
        if (!memchr(item, '*', len) && fill_path(s, item, item + len, path))
            unread = host_unread(s->host, path);
    return unread;
}

const struct unread *unread_of(const struct check *check, const struct subject *s, enum verdict verdict)
{
    const struct unread *unread = s->host->nunread ? unread_in(check->reads, s) : NULL;
    if (!unread && s->host->nunread && s->device)
        unread = unread_in(base, s);
    if (!unread && s->host->nunread && s->port && verdict == VERDICT_NA)
        unread = unread_in(base_netdev, s);
    /* every network namespace has one, lo */
    bool wants_netdevs = check->needs & (NEED_NETDEV | NEED_NETDEV_MTU | NEED_NETDEV_ALL);
    if (!unread && verdict == VERDICT_NA && wants_netdevs && s->host->partial && !s->host->nnetdevs)
        unread = &no_netdevs;
    return unread;
}

/* Is one of them the other or above it? The item may end in a slash: then nothing below it counts. */
static bool is_along(const char *item, size_t len, const char *path)
{
    char pattern[256];
    size_t components = 1, at = 0;
    bool alone = len && item[len - 1] == '/';
    for (const char *c = path; *c; c++)
        components += *c == '/';
    for (; at < len - alone && components; at++)
        components -= item[at] == '/';
    at -= !components; /* the item goes deeper */
    if (at >= sizeof(pattern))
        return false;
    memcpy(pattern, item, at);
    pattern[at] = '\0';
    return fnmatch(pattern, path, FNM_PATHNAME | (alone ? 0 : FNM_LEADING_DIR)) == 0;
}

static const struct unread *unread_along(const struct host *host, const char *list)
{
    const char *item;
    size_t len;
    while (next_item(&list, &item, &len))
        for (size_t i = 0; memchr(item, '*', len) && i < host->nunread; i++)
            if (is_along(item, len, host->unread[i].path))
                return &host->unread[i];
    return NULL;
}

const struct unread *unread_of_any(const struct check *check, const struct host *host)
{
    return host->nunread ? unread_along(host, check->reads) : NULL;
}

const struct unread *doubt_of(const struct check *check, const struct subject *s)
{
    if (!s->host->nunread || s->host->partial)
        return NULL;
    const struct unread *unread = unread_in(check->doubts, s);
    return unread ? unread : unread_along(s->host, check->doubts);
}

enum verdict could_not_look(struct judgement *judgement, const struct unread *unread)
{
    const char *path = unread_path(judgement->arena, unread);
    if (!unread->err)
        return judge_unknown(judgement, "%s is not in this tree", path);
    return judge_unknown(judgement, "%s: %s", path, judge_errno(judgement, unread->err));
}
