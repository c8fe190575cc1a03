/* SPDX-License-Identifier: MIT */
/* Before anything is sent: what a stranger is told, and the proof that the way leads to the client. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/gid.h"
#include "selftest/peer/session.h"

/* Before a path is proven a client is told no more than the address that it knows already: where that is a
 * GID, this one. */
void session_shorten_offer(struct session *s)
{
    struct session_offer *o = &s->offer;
    struct sockaddr_storage own = { .ss_family = AF_INET };
    socklen_t len = sizeof(own);
    uint8_t raw[16];
    uint32_t kept = 0;
    getsockname(s->connection->fd, (struct sockaddr *)&own, &len);
    address_gid(&own, raw);
    for (uint32_t i = 0; i < o->wire.ngids; i++) {
        if (memcmp(o->wire.gids[i].raw, raw, sizeof(raw)) != 0)
            continue;
        o->wire.gids[kept] = o->wire.gids[i];
        o->ifindexes[kept] = o->ifindexes[i];
        o->soft[kept] = o->soft[i];
        o->ports[kept] = o->ports[i];
        memmove(o->nodes[kept++], o->nodes[i], sizeof(o->nodes[i]));
    }
    if (kept)
        o->wire.ngids = kept;
}

/* Is the GID the address that the client connects from, so that nobody else is sent to? A link-local one is
 * so on its own link only. */
static bool is_clients(const struct session *s, uint32_t gid, const uint8_t raw[static 16])
{
    uint8_t from[16];
    address_gid(&s->peer, from);
    if (memcmp(from, raw, sizeof(from)) != 0)
        return false;
    return !gid_is_link_local(raw) ||
           ((const struct sockaddr_in6 *)&s->peer)->sin6_scope_id == s->offer.ifindexes[gid];
}

static int refuse_gid(struct session *s, const struct wire_probe *asked)
{
    struct failure failure;
    char gid[GID_ADDRESS_SIZE], from[ADDRESS_TEXT_SIZE];
    gid_address(asked->raw, gid);
    address_text(&s->peer, from);
    failure_set(&failure, STEP_PROVE, EPERM, "the GID is %s, the connection comes from %s", gid, from);
    return session_say_failure(s, &failure);
}

/* What else there is to know of this end. */
static int say_proven(struct session *s)
{
    struct wire_proven *proven = &s->out.proven;
    s->report->proven = true;
    *proven = (struct wire_proven){ .gid = s->offer.wire.gids[s->proof.gid], .test_ms = s->host->test_ms };
    proven->gid.mtu = s->proof.mtu;
    snprintf(proven->host, sizeof(proven->host), "%s", s->offer.host);
    return session_say(s, WIRE_PROVEN);
}

int session_on_probe(struct session *s)
{
    struct wire_probe asked = s->in.probe;
    struct failure failure;
    session_close_set(s);
    if (asked.gid >= s->offer.wire.ngids)
        return -EPROTO;
    if (asked.type != s->offer.wire.gids[asked.gid].type) {
        failure_set(&failure, STEP_GID_PAIR, EPROTONOSUPPORT, "GIDs of different types can't talk");
        return session_say_failure(s, &failure);
    }
    if (!s->host->any_gid && !is_clients(s, asked.gid, asked.raw))
        return refuse_gid(s, &asked);
    int r;
    if (asked.type == WIRE_GID_IWARP) {
        r = proof_by_tcp(&s->proof, &asked, &failure);
        return r < 0 ? r : say_proven(s);
    }
    struct endpoint_spec end = session_end(s, asked.gid, 0);
    r = proof_begin(&s->proof, &end, &asked, &s->out.probed, &failure);
    if (r == -EDQUOT)
        return r;
    return r < 0 ? session_say_failure(s, &failure) : session_say(s, WIRE_PROBED);
}

/* The client can receive it. */
int session_on_ready(struct session *s)
{
    struct failure failure;
    int r = proof_send(&s->proof, &failure);
    if (r == -EPROTO)
        return r;
    return r < 0 ? session_say_failure(s, &failure) : 0;
}

int session_on_nonce(struct session *s)
{
    int r = proof_check(&s->proof, s->in.nonce);
    return r < 0 ? r : say_proven(s);
}
