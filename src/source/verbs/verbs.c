/* SPDX-License-Identifier: MIT */
#include "source/verbs/verbs.h"

#include <errno.h>
#include <string.h>

#include "model/topology.h"

static const char *why(int err)
{
    switch (err) {
    case EACCES:
    case EPERM:
        return "its device node may not be opened";
    case EOPNOTSUPP:
        return "libibverbs here has no provider for it, or none for this kernel's interface";
    case EBADMSG:
        return "the recorded answer isn't one";
    }
    return NULL;
}

static bool are_asked(const struct reader *reader)
{
    return reader->needs & NEED_VERBS || (reader->needs & NEED_DMABUF && host_has_accelerator(reader->host));
}

void read_verbs(struct reader *reader)
{
    struct host *host = reader->host;
    const struct verbs_backend *backend = reader->source->verbs_backend;
    backend->list(reader);
    const char *only = reader->source->open_only;
    for (size_t i = 0; i < host->ndevices && are_asked(reader); i++) {
        struct device *device = &host->devices[i];
        if (only && strcmp(only, device->name) != 0)
            continue;
        device->verbs_err = backend->query(reader, device, &device->verbs);
        if (device->verbs_err && device->verbs_err != ENOENT)
            host_problem(host, device->verbs_err, why(device->verbs_err), "verbs %s", device->name);
    }
    backend->end();
}
