/* SPDX-License-Identifier: MIT */
/* Answers kept as verbs/DEVICE. */
#include <errno.h>
#include <stdio.h>

#include "source/verbs/verbs.h"

static bool is_shown(struct reader *reader, const struct device *device)
{
    char path[512];
    struct span span;
    snprintf(path, sizeof(path), "verbs/%s", device->name);
    return device->uverbs.name && root_read_big(reader->root, &span, path) != -EOPNOTSUPP;
}

/* libibverbs' order is that of nldev's indexes, which grow as devices appear. */
static void list(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++)
        if (is_shown(reader, &host->devices[i]))
            host->devices[i].verbs_order = host->devices[i].index.known ? host->devices[i].index : num_of(i);
    host->system.verbs_err = host->system.has_uverbs_class ? 0 : ENOSYS;
}

static int query(struct reader *reader, struct device *device, struct verbs_device **out)
{
    char path[512];
    struct span span;
    if ((size_t)snprintf(path, sizeof(path), "verbs/%s", device->name) >= sizeof(path))
        return ENAMETOOLONG;
    int r = root_read_big(reader->root, &span, path);
    return r < 0 ? -r : -verbs_decode(span.data, span.len, reader->arena, out);
}

static void end(void)
{
}

static int filled_slots(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count)
{
    (void)reader, (void)device, (void)slots, (void)count;
    return -EOPNOTSUPP;
}

const struct verbs_backend verbs_recorded = { list, query, end, filled_slots };
