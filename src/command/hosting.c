/* SPDX-License-Identifier: MIT */
#include "command/hosting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"

static void read_offer(struct hosting *hosting)
{
    struct near_gid gids[WIRE_GIDS_MOST];
    struct session_offer *offer = &hosting->offer;
    struct host *host = NULL;
    hosting->offered = wait_now();
    memset(offer, 0, sizeof(*offer));
    gethostname(offer->host, sizeof(offer->host) - 1);
    if (host_read(hosting->source, NEAR_NEEDS, &host) < 0)
        return;
    size_t count = near_gids(host, gids, WIRE_GIDS_MOST);
    for (size_t i = 0; i < count; i++) {
        const struct device *device = host_find_device(host, gids[i].gid.device);
        const char *node = device->uverbs.path;
        if (!gids[i].active)
            continue;
        uint32_t n = offer->wire.ngids++;
        offer->wire.gids[n] = gids[i].gid;
        offer->ifindexes[n] = gids[i].ifindex;
        offer->soft[n] = gids[i].soft;
        offer->ports[n] = gids[i].ports;
        snprintf(offer->nodes[n], sizeof(offer->nodes[n]), "%s", node ? node : "");
        near_counting(host, device_port(device, gids[i].gid.port), hosting->counting[n]);
    }
    host_free(host);
}

/* Clients that come while the GIDs are being read share the next reading: a table has a thousand slots. Where
 * many come one after the other, one reading has to do for a while. */
void hosting_offer(void *data, struct session_offer *offer)
{
    struct hosting *hosting = data;
    uint64_t asked = wait_now();
    pthread_mutex_lock(&hosting->lock);
    if (!hosting->offered ||
        (hosting->offered < asked && readings_afford(&hosting->account, hosting->cost, wait_now()))) {
        read_offer(hosting);
        hosting->cost = wait_now() - hosting->offered;
    }
    *offer = hosting->offer;
    pthread_mutex_unlock(&hosting->lock);
}

static struct host *read_counters(void *data)
{
    struct hosting *hosting = data;
    struct host *host = NULL;
    pthread_mutex_lock(&hosting->lock);
    int r = host_read(hosting->source, NEED_COUNTERS, &host);
    pthread_mutex_unlock(&hosting->lock);
    return r == 0 ? host : NULL;
}

const struct host *hosting_counters(void *data, uint64_t since)
{
    return readings_take(((struct hosting *)data)->readings, since);
}

void hosting_give_back(void *data, const struct host *reading)
{
    readings_give_back(((struct hosting *)data)->readings, reading);
}

void hosting_priorities(void *data, const struct wire_gid *gid, struct wire_priorities *priorities)
{
    struct hosting *hosting = data;
    pthread_mutex_lock(&hosting->lock);
    for (uint32_t i = 0; i < hosting->offer.wire.ngids; i++) {
        const struct wire_gid *own = &hosting->offer.wire.gids[i];
        if (own->port != gid->port || strcmp(own->device, gid->device) != 0)
            continue;
        snprintf(priorities->netdevs, sizeof(priorities->netdevs), "%s", hosting->counting[i]);
        priorities->counts = near_priorities(hosting->source, hosting->counting[i]);
        break;
    }
    pthread_mutex_unlock(&hosting->lock);
}

int hosting_begin(struct hosting *hosting, struct source *source)
{
    hosting->source = source;
    pthread_mutex_init(&hosting->lock, NULL);
    hosting->account = (struct account){ READINGS_BURST, wait_now() };
    hosting->readings = readings_new(read_counters, hosting);
    return hosting->readings ? 0 : -ENOMEM;
}

void hosting_end(struct hosting *hosting)
{
    readings_free(hosting->readings);
    pthread_mutex_destroy(&hosting->lock);
}
