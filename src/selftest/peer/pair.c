/* SPDX-License-Identifier: MIT */
#include "selftest/peer/pair.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* IPv4, IPv6, link-local: only GIDs of one kind can talk. */
static bool same_kind(const struct wire_gid *a, const struct wire_gid *b)
{
    return gid_is_v4_mapped(a->raw) == gid_is_v4_mapped(b->raw) &&
           gid_is_link_local(a->raw) == gid_is_link_local(b->raw);
}

static bool may_use(const struct pair_question *q, const struct near_gid *near)
{
    return near->active && (!q->device || strcmp(near->gid.device, q->device) == 0) &&
           (q->forced < 0 || near->gid.index == (uint32_t)q->forced);
}

/* How good two GIDs are together; 0: they can't talk. */
static int score(const struct pair_question *q, const struct near_gid *near, size_t f)
{
    const struct wire_gid *far = &q->far[f];
    bool link_local = gid_is_link_local(far->raw);
    bool same_link = memcmp(q->host, far->raw, 16) == 0 && memcmp(q->own, near->gid.raw, 16) == 0;
    if (!may_use(q, near) || near->gid.type != far->type || !same_kind(&near->gid, far))
        return 0;
    /* a link-local address says nothing about which link, unless this very connection uses it */
    if (link_local && !same_link)
        return 0;
    bool routed = q->routes[f].err == 0 && memcmp(q->routes[f].source, near->gid.raw, 16) == 0;
    if (!routed && !same_link && q->forced < 0)
        return 0;
    return 1 + 16 * (near->gid.type == GID_TYPE_ROCE_V2) + 8 * same_link +
           4 * (memcmp(q->host, far->raw, 16) == 0) + 2 * routed;
}

static void text_of(const struct wire_gid *gid, char text[static GID_ADDRESS_SIZE])
{
    gid_address(gid->raw, text);
}

void pair_say(const struct pair_question *q, struct pair *pair)
{
    const struct wire_gid *near = &q->near[pair->near].gid, *far = &q->far[pair->far];
    char ours[GID_ADDRESS_SIZE], theirs[GID_ADDRESS_SIZE];
    const char *why = q->forced >= 0                       ? "this GID was asked for"
                      : memcmp(q->host, far->raw, 16) == 0 ? "it has the address that was asked for"
                                                           : "the first RoCE GID there with a route from here";
    text_of(near, ours);
    text_of(far, theirs);
    char place[64] = "";
    if (*far->device)
        snprintf(place, sizeof(place), "%.20s/%u GID %u ", far->device, far->port, far->index);
    snprintf(pair->why, sizeof(pair->why), "%.20s/%u GID %u (%s) to %s(%s), %s: %s", near->device, near->port,
             near->index, ours, place, theirs, gid_type_text(near->type), why);
}

/* Why nothing fits, the plainest reason first. */
static int refuse(const struct pair_question *q, struct pair *pair)
{
    bool near_any = false, near_v2 = false, far_v2 = false, kind = false, route = false, type = false;
    for (size_t n = 0; n < q->nnear; n++)
        for (size_t f = 0; f < q->nfar && may_use(q, &q->near[n]); f++) {
            near_any = true;
            near_v2 |= q->near[n].gid.type == GID_TYPE_ROCE_V2;
            far_v2 |= q->far[f].type == GID_TYPE_ROCE_V2;
            type |= q->near[n].gid.type == q->far[f].type;
            kind |= same_kind(&q->near[n].gid, &q->far[f]);
            route |= q->routes[f].err == 0;
        }
    int r = -ENODEV;
    const char *why =
        "the route there doesn't start at any RoCE device of this host: give the address of a RoCE port there, or choose with --gid";
    if (q->nfar == 0)
        why = "the other host has no active RoCE port with an address";
    else if (!near_any)
        why = q->forced >= 0 ? "no active RoCE port here has a GID with that index"
                             : "this host has no active RoCE port with an address";
    else if (!type) {
        r = -EPROTONOSUPPORT;
        why = near_v2 && !far_v2
                  ? "RoCE v2 here, only RoCE v1 there: they can't talk, and would only time out"
                  : "RoCE v1 here, only RoCE v2 there: they can't talk, and would only time out";
    } else if (!kind) {
        r = -EAFNOSUPPORT;
        why = "the GIDs here and there are of different kinds (IPv4, IPv6, link-local): they can't talk, and would only time out";
    } else if (!route) {
        r = -ENETUNREACH;
        why = "no route to any RoCE address of the other host";
    }
    snprintf(pair->why, sizeof(pair->why), "%s", why);
    return r;
}

int pair_choose(const struct pair_question *q, struct pair *pair)
{
    int best = 0;
    for (size_t n = 0; n < q->nnear; n++)
        for (size_t f = 0; f < q->nfar; f++) {
            int points = score(q, &q->near[n], f);
            if (points <= best)
                continue;
            best = points;
            pair->near = n;
            pair->far = f;
        }
    if (best == 0)
        return refuse(q, pair);
    pair_say(q, pair);
    return 0;
}
