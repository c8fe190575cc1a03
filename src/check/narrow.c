/* SPDX-License-Identifier: MIT */
/* Host-wide checks, asked about some devices only: what one finds on others is left out, what hits the whole
 * host or one of these stays. */
#include <string.h>

#include "base/text.h"
#include "check/judge.h"

static bool is_name_byte(char c)
{
    return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", c);
}

/* As a word of its own: "mlx5_1" isn't in "mlx5_10", "eth0" isn't in "eth0.7". */
static bool names(const char *text, const char *name)
{
    size_t len = name ? strlen(name) : 0;
    for (const char *at = text; len && (at = strstr(at, name)); at++) {
        bool sentence_ends = at[len] == '.' && !is_name_byte(at[len + 1]);
        if ((at == text || !is_name_byte(at[-1])) && (!is_name_byte(at[len]) || sentence_ends))
            return true;
    }
    return false;
}

static bool names_device(const struct host *host, const char *text, const struct device *device)
{
    if (names(text, device->name) || names(text, device->pci))
        return true;
    for (size_t i = 0; i < device->nports; i++) {
        const struct netdev *own = port_netdev(host, &device->ports[i]);
        if (names(text, device->ports[i].netdev))
            return true;
        for (size_t n = 0; own && n < host->nnetdevs; n++)
            if (netdev_is_above(host, &host->netdevs[n], own) && names(text, host->netdevs[n].name))
                return true;
    }
    return false;
}

/* The host without one of its devices. */
static const struct host *without(const struct host *host, const struct device *gone, struct arena *arena)
{
    struct host *rest = arena_alloc(arena, 1, sizeof(*rest));
    *rest = *host;
    rest->devices = arena_alloc(arena, host->ndevices, sizeof(*rest->devices));
    rest->ndevices = 0;
    for (size_t d = 0; d < host->ndevices; d++) {
        if (strcmp(host->devices[d].name, gone->name) == 0)
            continue;
        struct device *device = &rest->devices[rest->ndevices++];
        *device = host->devices[d];
        device->ports = arena_alloc(arena, device->nports + 1, sizeof(*device->ports));
        for (size_t p = 0; p < device->nports; p++) {
            device->ports[p] = host->devices[d].ports[p];
            device->ports[p].device = device;
        }
    }
    return rest;
}

/* A device that the text is about, while it is about none of the selected ones; NULL: it is to be told. */
static const struct device *other_subject(const struct subject *subject, const struct host *whole,
                                          const struct check_selection *selection, const char *text)
{
    const struct device *other = NULL;
    for (size_t i = 0; i < subject->host->ndevices; i++) {
        const struct device *device = &subject->host->devices[i];
        if (!names_device(subject->host, text, device))
            continue;
        if (selection->takes_device(selection->data, host_find_device(whole, device->name)))
            return NULL;
        other = device;
    }
    return other;
}

enum verdict judge_narrowed(const struct check *check, const struct subject *subject,
                            const struct check_selection *selection, struct judgement *j)
{
    struct subject narrow = *subject;
    enum verdict verdict = check->judge(subject, j);
    if (check->scope != SCOPE_HOST || !selection || !selection->takes_device)
        return verdict;
    /* each round leaves out a device: the next finding may be about a selected one */
    while (verdict >= VERDICT_INFO && j->evidence) {
        const struct device *other = other_subject(&narrow, subject->host, selection, j->evidence);
        if (!other)
            return verdict;
        narrow.host = without(narrow.host, other, j->arena);
        *j = (struct judgement){ .arena = j->arena };
        verdict = check->judge(&narrow, j);
        if (narrow.host->ndevices == 0)
            return judge_na(j, "nothing that is about what you named");
    }
    return verdict;
}
