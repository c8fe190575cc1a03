#include "source/source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"
#include "source/reader.h"
#include "source/record.h"

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
    read_devices(&reader);
    if (needs & (NEED_NLDEV | NEED_RESOURCES))
        read_nldev(&reader);
    if (needs & NEED_RESOURCES)
        read_resources(&reader);
    if (needs & NEED_COUNTERS)
        read_hidden_counters(&reader);
    if (needs & (NEED_ADDRESSES | NEED_ROUTES))
        read_rtnl_links(&reader);
    if (needs & (NEED_NETDEV | NEED_NETDEV_ALL))
        read_netdevs(&reader);
    if (needs & (NEED_ADDRESSES | NEED_ROUTES))
        read_rtnl(&reader);
    if (needs & NEED_QOS)
        read_qos(&reader);
    if (needs & NEED_MODE)
        read_modes(&reader);
    if (needs & NEED_PCI)
        read_pcis(&reader);
    if (needs & NEED_SYSTEM) {
        read_system(&reader);
        read_firewall(&reader);
    }
    if (needs & (NEED_VERBS | NEED_VERBS_LIST))
        read_verbs(&reader);
    host_finish(host);
    *out = host;
    return 0;
}

int source_record_begin(struct source *source, const char *dir, const struct record_options *options)
{
    int r = recorder_new(source->root, dir, options, &source->recorder);
    if (r == 0)
        root_set_tee(source->root, recorder_tee, source->recorder);
    return r;
}

int source_record_end(struct source *source, const struct host *host)
{
    root_set_tee(source->root, NULL, NULL);
    struct recorder *recorder = source->recorder;
    source->recorder = NULL;
    return recorder_finish(recorder, host);
}
