#include "source/source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"
#include "source/reader.h"
#include "source/record.h"
#include "source/verbs/verbs.h"

static int open_root(const char *path, bool recorded, struct source **out)
{
    struct root *root = NULL;
    int r = root_open(path, recorded, &root);
    if (r < 0)
        return r;
    if (recorded && !root_exists(root, "sys")) {
        root_close(root);
        return -ENODATA;
    }
    struct source *source = mem_alloc(1, sizeof(*source));
    source->root = root;
    source->netlink_backend = recorded ? &netlink_recorded : &netlink_live;
    source->verbs_backend = recorded ? &verbs_recorded : &verbs_live;
    source->thorough = recorded;
    source->netlink = netlink_new();
    *out = source;
    return 0;
}

int source_open_live(struct source **source)
{
    return open_root("/", false, source);
}

int source_open_recording(const char *dir, struct source **source)
{
    return open_root(dir, true, source);
}

void source_close(struct source *source)
{
    if (!source)
        return;
    recorder_abandon(source->recorder);
    netlink_free(source->netlink);
    root_close(source->root);
    free(source);
}

bool source_is_recording(const struct source *source)
{
    return root_is_recorded(source->root);
}

void source_open_only(struct source *source, const char *device)
{
    source->open_only = device;
}

/* In the order of reading: each builds on what those above it have read. */
static const struct step {
    needs_t needs; /* any of them calls for it; 0: always read */
    void (*read)(struct reader *reader);
} steps[] = {
    { 0, read_devices },
    { NEED_NLDEV | NEED_RESOURCES, read_nldev },
    { NEED_RESOURCES, read_resources },
    { NEED_COUNTERS, read_hidden_counters },
    { NEED_NETDEV | NEED_NETDEV_ALL, find_netdevs },
    { NEED_ADDRESSES | NEED_ROUTES, read_rtnl },
    { NEED_NETDEV | NEED_NETDEV_ALL, read_netdevs },
    { NEED_QOS, read_qos },
    { NEED_MODE, read_modes },
    { NEED_PCI, read_pcis },
    { NEED_SYSTEM, read_system },
    { NEED_SYSTEM, read_firewall },
    { NEED_VERBS | NEED_VERBS_LIST, read_verbs },
};

int host_read(struct source *source, needs_t needs, struct host **out)
{
    struct host *host = host_new();
    if (needs & (NEED_VERBS | NEED_VERBS_LIST))
        needs |= NEED_NODES; /* a node is tried before libibverbs opens it */
    host->needs = needs;
    struct reader reader = {
        .source = source, .root = source->root, .host = host, .arena = host->arena, .needs = needs
    };
    if (root_bad_errors(source->root))
        host_problem(host, EBADMSG, "its lines should read PATH, a tab, the name of an errno", "errors");
    for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
        if (!steps[i].needs || needs & steps[i].needs)
            steps[i].read(&reader);
    host_finish(host);
    *out = host;
    return 0;
}

int source_record_begin(struct source *source, const char *dir, const struct record_options *options)
{
    int r = recorder_new(source->root, dir, options, &source->recorder);
    if (r < 0)
        return r;
    root_set_tee(source->root, recorder_tee, source->recorder);
    source->thorough = true;
    return 0;
}

int source_record_end(struct source *source, const struct host *host)
{
    root_set_tee(source->root, NULL, NULL);
    struct recorder *recorder = source->recorder;
    source->recorder = NULL;
    source->thorough = false;
    return recorder_finish(recorder, host);
}
