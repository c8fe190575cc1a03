/* SPDX-License-Identifier: MIT */
/* Which GID of this host talks to which GID of the other, and why. */
#include "selftest/peer/peer.h"

struct endpoint_spec near_endpoint(const struct near_gid *near, size_t size)
{
    return (struct endpoint_spec){ .device = near->gid.device,
                                   .node = *near->node ? near->node : NULL,
                                   .port = (uint8_t)near->gid.port,
                                   .gid_index = (uint16_t)near->gid.index,
                                   .size = size,
                                   .soft = near->soft };
}

/* IPv4, IPv6, link-local: only GIDs of one kind can talk. */
static bool same_kind(const uint8_t a[static 16], const uint8_t b[static 16])
{
    return gid_is_v4_mapped(a) == gid_is_v4_mapped(b) && gid_is_link_local(a) == gid_is_link_local(b);
}

static bool may_use(const struct near_choice *choice, const struct near_gid *near)
{
    return near->active && (!choice->device || strcmp(near->gid.device, choice->device) == 0) &&
           (choice->gid < 0 || (near->gid.index == (uint32_t)choice->gid && !wire_gid_is_iwarp(&near->gid)));
}

/* How well two GIDs suit each other; 0: they can't talk. */
static int score(const struct pair_question *q, const struct near_gid *near, size_t f)
{
    const struct wire_gid *far = &q->far[f];
    bool link_local = gid_is_link_local(far->raw);
    bool same_link = memcmp(q->peer, far->raw, 16) == 0 && memcmp(q->own, near->gid.raw, 16) == 0;
    if (!may_use(&q->near, near) || near->gid.type != far->type || !same_kind(near->gid.raw, far->raw))
        return 0;
    /* a link-local address says nothing about which link, unless this very connection uses it */
    if (link_local && !same_link)
        return 0;
    bool routed = q->routes[f].err == 0 && memcmp(q->routes[f].source, near->gid.raw, 16) == 0;
    if (!routed && !same_link && q->near.gid < 0)
        return 0;
    return 1 + 16 * (near->gid.type >= GID_TYPE_ROCE_V2) + 8 * same_link +
           4 * (memcmp(q->host, far->raw, 16) == 0) + 2 * routed;
}

/* "mlx5_0/1 GID 3 (10.0.0.1)"; what isn't known yet of the other end is left out. */
enum { END_TEXT_SIZE = 100 };
static void say_end(const struct wire_gid *gid, char text[static END_TEXT_SIZE])
{
    char address[GID_ADDRESS_SIZE], index[20] = "";
    gid_address(gid->raw, address);
    if (!wire_gid_is_iwarp(gid))
        snprintf(index, sizeof(index), "GID %u ", gid->index);
    if (*gid->device)
        snprintf(text, END_TEXT_SIZE, "%.20s/%u %s(%s)", gid->device, gid->port, index, address);
    else
        snprintf(text, END_TEXT_SIZE, "(%s)", address);
}

void pair_say(const struct pair_question *q, struct pair *pair)
{
    const struct wire_gid *near = &q->near.gids[pair->near].gid, *far = &q->far[pair->far];
    char ours[END_TEXT_SIZE], theirs[END_TEXT_SIZE];
    const char *why = q->near.gid >= 0                     ? "this GID was asked for"
                      : memcmp(q->host, far->raw, 16) == 0 ? "it has the address that was asked for"
                      : wire_gid_is_iwarp(far)             ? "the first address there with a route from here"
                                                           : "the first RoCE GID there with a route from here";
    say_end(near, ours);
    say_end(far, theirs);
    snprintf(pair->why, sizeof(pair->why), "%s to %s, %s: %s", ours, theirs, wire_gid_kind(near), why);
}

/* near, far: which types each side has, a bit for each. */
static const char *types_differ(unsigned near, unsigned far)
{
    const unsigned iwarp = 1u << WIRE_GID_IWARP, v2 = 1u << GID_TYPE_ROCE_V2;
    return near == iwarp  ? "iWARP here, only RoCE there: they can't talk"
           : far == iwarp ? "RoCE here, only iWARP there: they can't talk"
           : near & v2 && !(far & v2)
               ? "RoCE v2 here, only RoCE v1 there: they can't talk, and would only time out"
               : "RoCE v1 here, only RoCE v2 there: they can't talk, and would only time out";
}

/* Why no pair fits, the most obvious reason first. */
static int refuse_pair(const struct pair_question *q, struct pair *pair)
{
    bool near_any = false, kind = false, route = false, type = false;
    unsigned near_types = 0, far_types = 0;
    for (size_t n = 0; n < q->near.ngids; n++)
        for (size_t f = 0; f < q->nfar && may_use(&q->near, &q->near.gids[n]); f++) {
            near_any = true;
            near_types |= 1u << q->near.gids[n].gid.type;
            far_types |= 1u << q->far[f].type;
            type |= q->near.gids[n].gid.type == q->far[f].type;
            kind |= same_kind(q->near.gids[n].gid.raw, q->far[f].raw);
            route |= q->routes[f].err == 0;
        }
    int r = -ENODEV;
    const char *why = "the route there doesn't start at any RoCE or iWARP device of this host: give the "
                      "address of such a port as HOST, or choose one here with --gid";
    if (q->nfar == 0)
        why = "the other host has no active RoCE or iWARP port with an address";
    else if (!near_any)
        why = q->near.gid >= 0 ? "no active RoCE port here has a GID with that index"
                               : "this host has no active RoCE or iWARP port with an address";
    else if (!type) {
        r = -EPROTONOSUPPORT;
        why = types_differ(near_types, far_types);
    } else if (!kind) {
        r = -EAFNOSUPPORT;
        why = "the GIDs here and there are of different kinds (IPv4, IPv6, link-local): they can't talk, and "
              "would only time out";
    } else if (!route) {
        r = -ENETUNREACH;
        why = "no route to any RoCE or iWARP address of the other host";
    }
    snprintf(pair->why, sizeof(pair->why), "%s", why);
    return r;
}

int pair_choose(const struct pair_question *q, struct pair *pair)
{
    int best = 0;
    for (size_t n = 0; n < q->near.ngids; n++)
        for (size_t f = 0; f < q->nfar; f++) {
            int points = score(q, &q->near.gids[n], f);
            if (points <= best)
                continue;
            best = points;
            pair->near = n;
            pair->far = f;
        }
    if (best == 0)
        return refuse_pair(q, pair);
    pair_say(q, pair);
    return 0;
}

static bool reachable(const struct near_choice *near, const struct sockaddr_storage *address)
{
    uint8_t raw[16];
    address_gid(address, raw);
    for (size_t i = 0; i < near->ngids; i++)
        if (may_use(near, &near->gids[i]) && same_kind(near->gids[i].gid.raw, raw))
            return true;
    return false;
}

size_t resolve_prefer(struct resolved *resolved, const struct near_choice *near)
{
    struct sockaddr_storage others[RESOLVE_MOST];
    size_t preferred = 0, rest = 0;
    for (size_t i = 0; i < resolved->count; i++) {
        struct sockaddr_storage one = resolved->addresses[i];
        if (reachable(near, &one))
            resolved->addresses[preferred++] = one;
        else
            others[rest++] = one;
    }
    memcpy(resolved->addresses + preferred, others, rest * sizeof(*others));
    return preferred;
}
