/* SPDX-License-Identifier: MIT */
/* OFFER, PROBE, READY, NONCE, PROVEN: which GIDs, and the proof that the server's packets reach the client. */
#include "selftest/peer/steps.h"

/* A packet may get lost, and if one path of several is bad, some source ports always fail. Datagrams may all
 * have the same port; each RC queue pair has its own. */
enum { PROBE_TRIES = 4 };

/* -- the client: which pair ---------------------------------------------------------------------------- */

const struct near_gid *client_near(const struct client *c)
{
    return &c->spec->near.gids[c->pair.near];
}

bool client_is_iwarp(const struct client *c)
{
    return wire_gid_is_iwarp(&client_near(c)->gid);
}

/* Which of our addresses the kernel would send from. */
static void find_route(const struct wire_gid *far, struct far_route *route)
{
    struct sockaddr_storage address, own = { 0 };
    socklen_t own_len = sizeof(own);
    gid_sockaddr(far->raw, 4791, 0, &address);
    int fd = socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, address_size(&address)) < 0 ||
        getsockname(fd, (struct sockaddr *)&own, &own_len) < 0)
        route->err = errno;
    else
        address_gid(&own, route->source);
    if (fd >= 0)
        close(fd);
}

static int choose_pair(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    c->question = (struct pair_question){
        .near = spec->near, .far = c->offer.gids, .nfar = c->offer.ngids, .routes = c->routes
    };
    struct sockaddr_storage own = { 0 }, peer = { 0 };
    socklen_t len = sizeof(own), peer_len = sizeof(peer);
    memset(c->routes, 0, sizeof(c->routes));
    for (uint32_t i = 0; i < c->offer.ngids; i++)
        find_route(&c->offer.gids[i], &c->routes[i]);
    getsockname(c->connection.fd, (struct sockaddr *)&own, &len);
    getpeername(c->connection.fd, (struct sockaddr *)&peer, &peer_len);
    address_gid(&own, c->question.own);
    address_gid(&peer, c->question.peer);
    address_gid(&spec->address, c->question.host);
    int r = pair_choose(&c->question, &c->pair);
    return r < 0 ? failure_set(failure, STEP_GID_PAIR, r, "%s", c->pair.why) : 0;
}

/* The server only sends to the address that asks: if that isn't the GID's, asks again from the GID's address,
 * connecting to the other GID's or else to the requested one. If neither works, the server decides. */
int client_agree(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    struct sockaddr_storage from, far = { 0 };
    uint16_t port = ((const struct sockaddr_in *)&spec->address)->sin_port;
    int r = choose_pair(c, failure);
    const struct near_gid *near = client_near(c);
    if (r < 0 || memcmp(c->question.own, near->gid.raw, sizeof(near->gid.raw)) == 0)
        return r;
    gid_sockaddr(near->gid.raw, 0, near->ifindex, &from);
    gid_sockaddr(c->offer.gids[c->pair.far].raw, ntohs(port), near->ifindex, &far);
    client_part(c);
    r = client_greet(c, &far, &from, failure);
    if (r < 0 && r != -EINTR && spec->address.ss_family == from.ss_family)
        r = client_greet(c, &spec->address, &from, failure);
    if (r < 0 && r != -EINTR)
        r = client_greet(c, &spec->address, NULL, failure);
    return r < 0 ? r : choose_pair(c, failure);
}

/* -- the client: the proof ----------------------------------------------------------------------------- */

struct wire_pair client_pair(const struct client *c, uint8_t traffic_class)
{
    const struct wire_gid *near = &client_near(c)->gid;
    struct wire_pair pair = { .gid = (uint32_t)c->pair.far,
                              .type = near->type,
                              .traffic_class = traffic_class,
                              .hop_limit = c->spec->options->hop_limit };
    memcpy(pair.raw, near->raw, sizeof(pair.raw));
    return pair;
}

/* PROBE of this pair. */
static int ask_for_probe(struct client *c, const struct queue *probe, struct failure *failure)
{
    c->side.out.probe = (struct wire_probe){ .pair = client_pair(c, c->spec->options->traffic_class),
                                             .queue = queue_describe(probe, probe ? probe->kind : 0) };
    return client_ask(c, WIRE_PROBE, probe ? WIRE_PROBED : WIRE_PROVEN, failure);
}

/* Receives the packet and returns its nonce. */
static int take_packet(struct client *c, struct queue *probe, struct failure *failure)
{
    struct watch watch = watch_for(c->spec->options->timeout / PROBE_TRIES + 1, c->connection.fd);
    c->side.out.type = WIRE_READY;
    int r = connection_send(&c->connection, &c->side.out, &watch);
    if (r < 0)
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    r = probe_receive(probe, &watch, c->side.out.nonce, failure);
    if (r == -ECONNRESET) { /* it sent a message instead, to say why not */
        r = connection_receive(&c->connection, &c->side.in, &watch);
        if (r == 0 && c->side.in.type == WIRE_FAILURE)
            return client_told(&c->side.in.failure, failure);
        return failure_set(failure, STEP_HANDSHAKE, r < 0 ? r : EPROTO, "%s", "");
    }
    return r < 0 ? r : client_ask(c, WIRE_NONCE, WIRE_PROVEN, failure);
}

static int prove_once(struct client *c, enum queue_kind kind, struct failure *failure)
{
    struct endpoint_spec end = near_endpoint(client_near(c), c->spec->size);
    const struct test_options *o = c->spec->options;
    struct queue *probe = NULL;
    int r = probe_open(&end, kind, &probe, failure);
    if (r < 0)
        return r;
    r = ask_for_probe(c, probe, failure);
    if (r == 0)
        r = probe_connect(probe, c->offer.gids[c->pair.far].raw, o->traffic_class, o->hop_limit,
                          &c->side.in.probed, failure);
    if (r == 0)
        r = take_packet(c, probe, failure);
    probe_close(probe);
    return r;
}

/* One of the ends may have no UD. */
static int prove_by_packet(struct client *c, struct failure *failure)
{
    enum queue_kind kind = QUEUE_UD;
    int r = -ETIMEDOUT;
    for (unsigned i = 0; i < PROBE_TRIES && r == -ETIMEDOUT; i++) {
        r = prove_once(c, kind, failure);
        if (r < 0 && kind == QUEUE_UD && (failure->step == STEP_QP || failure->step == STEP_AH)) {
            r = prove_once(c, QUEUE_RC, failure);
            i++;
        }
        if (r < 0 && failure->step != STEP_PROVE)
            return r;
        kind = QUEUE_RC;
    }
    return r;
}

int client_prove(struct client *c, struct failure *failure)
{
    int r = client_is_iwarp(c) ? ask_for_probe(c, NULL, failure) : prove_by_packet(c, failure);
    if (r < 0)
        return r;
    const struct wire_proven *proven = &c->side.in.proven;
    struct wire_gid *far = &c->offer.gids[c->pair.far];
    if (memcmp(far->raw, proven->gid.raw, sizeof(far->raw)) != 0)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server names another GID");
    *far = proven->gid;
    c->test_ms = proven->test_ms;
    snprintf(c->host, sizeof(c->host), "%s", proven->host);
    pair_say(&c->question, &c->pair);
    return 0;
}

/* -- the server ---------------------------------------------------------------------------------------- */

/* A stranger is told only of the address that it already knows, if that is a GID. */
static void shorten_offer(struct session *s)
{
    struct session_offer *o = &s->offer;
    struct sockaddr_storage own = { .ss_family = AF_INET };
    socklen_t len = sizeof(own);
    uint8_t raw[16];
    uint32_t kept = 0;
    getsockname(s->side.connection->fd, (struct sockaddr *)&own, &len);
    address_gid(&own, raw);
    for (uint32_t i = 0; i < o->count; i++)
        if (memcmp(o->gids[i].gid.raw, raw, sizeof(raw)) == 0)
            o->gids[kept++] = o->gids[i];
    if (kept)
        o->count = kept;
}

int session_offer(struct session *s)
{
    struct wire_offer *offer = &s->side.out.offer;
    s->host->offer(s->host->data, &s->offer);
    if (!s->host->tells_all)
        shorten_offer(s);
    offer->ngids = s->offer.count;
    for (uint32_t i = 0; i < offer->ngids; i++)
        offer->gids[i] = s->offer.gids[i].gid;
    return session_say(s, WIRE_OFFER);
}

/* Is the GID the address that the client connects from, so that nothing is sent to anybody else? A link-local
 * one counts only on its own link. */
static bool is_clients(const struct session *s, const struct wire_pair *pair)
{
    uint8_t from[16];
    address_gid(&s->peer, from);
    if (memcmp(from, pair->raw, sizeof(from)) != 0)
        return false;
    return !gid_is_link_local(from) ||
           ((const struct sockaddr_in6 *)&s->peer)->sin6_scope_id == s->offer.gids[pair->gid].ifindex;
}

/* Refused tries count as the others do. */
static int refuse(struct session *s, const struct failure *failure)
{
    return s->proof.probes++ == PROOF_PROBES ? -EDQUOT : session_say_failure(s, failure);
}

static int refuse_gid(struct session *s, const struct wire_pair *pair)
{
    struct failure failure;
    char gid[GID_ADDRESS_SIZE], from[ADDRESS_TEXT_SIZE];
    gid_address(pair->raw, gid);
    address_text(&s->peer, from);
    failure_set(&failure, STEP_PROVE, EPERM, "the GID is %s, the connection comes from %s", gid, from);
    return refuse(s, &failure);
}

/* What else there is to know about this end. */
static int say_proven(struct session *s)
{
    struct wire_proven *proven = &s->side.out.proven;
    s->report->proven = true;
    *proven = (struct wire_proven){ .gid = s->offer.gids[s->proof.pair.gid].gid, .test_ms = s->host->test_ms };
    proven->gid.mtu = s->proof.mtu;
    snprintf(proven->host, sizeof(proven->host), "%s", s->offer.host);
    return session_say(s, WIRE_PROVEN);
}

int session_on_probe(struct session *s)
{
    const struct wire_probe *asked = &s->side.in.probe;
    const struct wire_pair *pair = &asked->pair;
    struct failure failure;
    side_close_set(&s->side);
    if (pair->gid >= s->offer.count)
        return -EPROTO;
    if (pair->type != s->offer.gids[pair->gid].gid.type) {
        failure_set(&failure, STEP_GID_PAIR, EPROTONOSUPPORT, "GIDs of different types can't talk");
        return refuse(s, &failure);
    }
    if (!s->host->any_gid && !is_clients(s, pair))
        return refuse_gid(s, pair);
    if (pair->type == WIRE_GID_IWARP) {
        int r = proof_by_tcp(&s->proof, asked, &failure);
        return r < 0 ? r : say_proven(s);
    }
    struct endpoint_spec end = near_endpoint(&s->offer.gids[pair->gid], 0);
    int r = proof_begin(&s->proof, &end, asked, &s->side.out.probed, &failure);
    return r == -EDQUOT ? r : r < 0 ? session_say_failure(s, &failure) : session_say(s, WIRE_PROBED);
}

/* The client is ready to receive the packet. */
int session_on_ready(struct session *s)
{
    struct failure failure;
    int r = proof_send(&s->proof, &failure);
    return r < 0 && r != -EPROTO ? session_say_failure(s, &failure) : r;
}

int session_on_nonce(struct session *s)
{
    int r = proof_check(&s->proof, s->side.in.nonce);
    return r < 0 ? r : say_proven(s);
}
