/* SPDX-License-Identifier: MIT */
#include "selftest/peer/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "selftest/peer/client_steps.h"

static struct client *client_of(struct peer *peer)
{
    return (struct client *)peer;
}

int client_ask(struct client *c, const struct wire_message *question, enum wire_type answer, uint32_t ms,
               struct wire_message *in, struct failure *failure)
{
    struct watch watch = watch_for(ms, -1);
    if (c->connection.fd < 0)
        return failure_set(failure, STEP_HANDSHAKE, ECONNRESET, "%s", "");
    int r = connection_send(&c->connection, question, &watch);
    /* a server that turns us away has said why before it hung up */
    int heard = r == 0 || r == -ECONNRESET ? connection_receive(&c->connection, in, &watch) : r;
    if (heard < 0) {
        /* nothing that comes later could be told apart from the answer that is missing */
        connection_close(&c->connection);
        c->peer.fd = -1;
        return failure_set(failure, STEP_HANDSHAKE, heard, "%s", "");
    }
    if (in->type == WIRE_FAILURE) {
        *failure = in->failure;
        return failure->err ? -failure->err : -EIO;
    }
    if (in->type != answer)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server answered something else");
    return 0;
}

int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 socklen_t len, struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    struct watch watch = watch_for(spec->options->timeout, -1);
    char text[ADDRESS_TEXT_SIZE];
    address_text(to, text);
    int r = connection_open(to, from, len, &watch, &c->connection.fd);
    if (r < 0)
        return failure_set(failure, STEP_CONNECT, r, "%s", text);
    c->peer.fd = c->connection.fd;
    struct wire_message in, out = { .type = WIRE_HELLO };
    snprintf(out.hello.program, sizeof(out.hello.program), "%s", spec->program);
    snprintf(out.hello.host, sizeof(out.hello.host), "%s", spec->host);
    r = client_ask(c, &out, WIRE_OFFER, spec->options->timeout, &in, failure);
    if (r == -ECONNRESET && !failure->remote)
        return failure_set(failure, STEP_HANDSHAKE, ECONNABORTED, "%s", text);
    if (r == 0)
        c->offer = in.offer;
    return r;
}

void client_part(struct client *c)
{
    struct wire_message bye = { .type = WIRE_BYE };
    struct watch watch = watch_for(100, -1);
    if (c->connection.fd >= 0)
        connection_send(&c->connection, &bye, &watch);
    connection_close(&c->connection);
    c->peer.fd = -1;
}

/* A connection that is gone ends the run, whatever was just being done. */
static int lost(int r, const struct failure *failure)
{
    return failure->step == STEP_HANDSHAKE && !failure->remote && r != -EINTR ? -ECONNRESET : r;
}

static int arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    struct wire_message in, out = { .type = WIRE_TRIAL, .trial = *trial };
    int r = client_ask(c, &out, WIRE_READY, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    return r < 0 ? lost(r, failure) : 0;
}

static int finish(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    struct client *c = client_of(peer);
    struct wire_message in, out = { .type = WIRE_FINISH };
    int r = client_ask(c, &out, WIRE_OUTCOME, trial->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return lost(r, failure);
    if (in.outcome.good)
        return 0;
    *failure = in.outcome.failure;
    return failure->err ? -failure->err : -EIO;
}

static int reopen(struct peer *peer, struct set **set, struct failure *failure)
{
    struct client *c = client_of(peer);
    client_close_set(c);
    int r = client_open_set(c, failure);
    *set = c->set;
    return r < 0 ? lost(r, failure) : 0;
}

bool client_is_iwarp(const struct client *c)
{
    return wire_gid_is_iwarp(&c->spec->gids[c->pair.near].gid);
}

int client_open(struct client *c, const struct client_spec *spec, struct failure *failure)
{
    memset(c, 0, sizeof(*c));
    c->peer = (struct peer){ .arm = arm, .finish = finish, .reopen = reopen };
    c->spec = spec;
    c->connection.fd = -1;
    c->path = path_new(0, spec->options->traffic_class, spec->options->hop_limit, ENDPOINT_READS_MOST);
    int r = client_greet(c, &spec->address, NULL, spec->address_len, failure);
    if (r == 0)
        r = client_choose(c, failure);
    if (r == 0)
        r = client_come_from_gid(c, failure);
    if (r == 0)
        r = client_prove(c, failure);
    return r < 0 ? r : client_open_set(c, failure);
}

int client_counters(struct client *c, struct grown_counters *counters, struct failure *failure)
{
    struct wire_message in, out = { .type = WIRE_COUNTERS };
    int r = client_ask(c, &out, WIRE_COUNTERS, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r == 0)
        *counters = in.counters;
    return r;
}

void client_close(struct client *c)
{
    client_part(c);
    client_close_set(c);
}
