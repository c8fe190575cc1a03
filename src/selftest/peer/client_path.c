/* SPDX-License-Identifier: MIT */
/* The pair of GIDs, and the proof that the way from the server leads here. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "selftest/peer/client.h"
#include "selftest/peer/path_proof.h"

/* One packet may get lost, and where one path of several is bad a source port has no luck. Datagrams may all
 * have the same one; each RC queue pair has its own. */
enum { PROBE_TRIES = 4 };

/* Which of our addresses the kernel would send from. */
static void find_route(const struct wire_gid *far, struct far_route *route)
{
    struct sockaddr_storage address, own = { 0 };
    socklen_t len = gid_sockaddr(far->raw, 4791, 0, &address), own_len = sizeof(own);
    int fd = socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, len) < 0 ||
        getsockname(fd, (struct sockaddr *)&own, &own_len) < 0)
        route->err = errno;
    else
        address_gid(&own, route->source);
    if (fd >= 0)
        close(fd);
}

int client_choose(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    c->question = (struct pair_question){ .near = spec->gids,
                                          .nnear = spec->ngids,
                                          .far = c->offer.gids,
                                          .nfar = c->offer.ngids,
                                          .routes = c->routes,
                                          .forced = spec->gid,
                                          .device = spec->device };
    struct sockaddr_storage own = { 0 };
    socklen_t len = sizeof(own);
    memset(c->routes, 0, sizeof(c->routes));
    for (uint32_t i = 0; i < c->offer.ngids; i++)
        find_route(&c->offer.gids[i], &c->routes[i]);
    getsockname(c->connection.fd, (struct sockaddr *)&own, &len);
    address_gid(&own, c->question.own);
    address_gid(&spec->address, c->question.host);
    int r = pair_choose(&c->question, &c->pair);
    return r < 0 ? failure_set(failure, STEP_GID_PAIR, r, "%s", c->pair.why) : 0;
}

int client_come_from_gid(struct client *c, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    const struct near_gid *near = &spec->gids[c->pair.near];
    struct sockaddr_storage from, far = { 0 };
    uint16_t port = ((const struct sockaddr_in *)&spec->address)->sin_port;
    if (memcmp(c->question.own, near->gid.raw, sizeof(near->gid.raw)) == 0)
        return 0;
    gid_sockaddr(near->gid.raw, 0, near->ifindex, &from);
    socklen_t len = gid_sockaddr(c->offer.gids[c->pair.far].raw, ntohs(port), near->ifindex, &far);
    client_part(c);
    int r = client_greet(c, &far, &from, len, failure);
    if (r < 0 && r != -EINTR && spec->address.ss_family == from.ss_family)
        r = client_greet(c, &spec->address, &from, spec->address_len, failure);
    if (r < 0 && r != -EINTR)
        r = client_greet(c, &spec->address, NULL, spec->address_len, failure);
    return r < 0 ? r : client_choose(c, failure);
}

struct endpoint_spec client_end(const struct client *c)
{
    const struct wire_gid *gid = &c->spec->gids[c->pair.near].gid;
    return (struct endpoint_spec){ .device = gid->device,
                                   .node = c->spec->node(c->spec->data, gid->device),
                                   .port = (uint8_t)gid->port,
                                   .gid_index = (uint16_t)gid->index,
                                   .size = c->spec->size,
                                   .soft = c->spec->gids[c->pair.near].soft };
}

/* The packet comes, and its nonce goes back. */
static int take_packet(struct client *c, struct probe *probe, struct wire_message *in, struct failure *failure)
{
    struct wire_message out = { .type = WIRE_READY };
    struct watch watch = watch_for(c->spec->options->timeout / PROBE_TRIES + 1, c->connection.fd);
    int r = connection_send(&c->connection, &out, &watch);
    if (r < 0)
        return failure_set(failure, STEP_HANDSHAKE, r, "%s", "");
    out = (struct wire_message){ .type = WIRE_NONCE };
    r = probe_receive(probe, &watch, out.nonce, failure);
    if (r == -ECONNRESET) { /* it speaks instead: to say why not */
        r = connection_receive(&c->connection, in, &watch);
        if (r == 0 && in->type == WIRE_FAILURE) {
            *failure = in->failure;
            return failure->err ? -failure->err : -EIO;
        }
        return failure_set(failure, STEP_HANDSHAKE, r < 0 ? r : EPROTO, "%s", "");
    }
    return r < 0 ? r
                 : client_ask(c, &out, WIRE_PROVEN, c->spec->options->timeout + CLIENT_SLACK_MS, in, failure);
}

/* Of this pair. */
static struct wire_message probe_of(const struct client *c)
{
    const struct wire_gid *near = &c->spec->gids[c->pair.near].gid;
    const struct test_options *o = c->spec->options;
    struct wire_message m = { .type = WIRE_PROBE,
                              .probe = { .gid = (uint32_t)c->pair.far,
                                         .type = near->type,
                                         .traffic_class = o->traffic_class,
                                         .hop_limit = o->hop_limit } };
    memcpy(m.probe.raw, near->raw, sizeof(near->raw));
    return m;
}

static int prove_once(struct client *c, enum queue_kind kind, struct wire_message *in, struct failure *failure)
{
    struct endpoint_spec end = client_end(c);
    const struct test_options *o = c->spec->options;
    struct wire_message out = probe_of(c);
    struct probe *probe;
    int r = probe_open(&end, kind, &probe, failure);
    if (r < 0)
        return r;
    out.probe.queue = probe_describe(probe);
    r = client_ask(c, &out, WIRE_PROBED, o->timeout + CLIENT_SLACK_MS, in, failure);
    if (r == 0)
        r = probe_connect(probe, c->offer.gids[c->pair.far].raw, o->traffic_class, o->hop_limit, &in->probed,
                          failure);
    if (r == 0)
        r = take_packet(c, probe, in, failure);
    probe_close(probe);
    return r;
}

/* One of the ends may have no UD. */
static int prove_by_packet(struct client *c, struct wire_message *in, struct failure *failure)
{
    enum queue_kind kind = QUEUE_UD;
    int r = -ETIMEDOUT;
    for (unsigned i = 0; i < PROBE_TRIES && r == -ETIMEDOUT; i++) {
        r = prove_once(c, kind, in, failure);
        if (r < 0 && kind == QUEUE_UD && (failure->step == STEP_QP || failure->step == STEP_AH)) {
            kind = QUEUE_RC;
            r = prove_once(c, kind, in, failure);
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
    struct wire_message in, out = probe_of(c);
    int r = client_is_iwarp(c)
                ? client_ask(c, &out, WIRE_PROVEN, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure)
                : prove_by_packet(c, &in, failure);
    if (r < 0)
        return r;
    struct wire_gid *far = &c->offer.gids[c->pair.far];
    if (memcmp(far->raw, in.proven.gid.raw, sizeof(far->raw)) != 0)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server names another GID");
    *far = in.proven.gid;
    c->test_ms = in.proven.test_ms;
    snprintf(c->host, sizeof(c->host), "%s", in.proven.host);
    pair_say(&c->question, &c->pair);
    return 0;
}
