/* SPDX-License-Identifier: MIT */
/* What a client's steps ask of the server. */
#include <errno.h>
#include <stdio.h>

#include "selftest/peer/client.h"

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

int client_refused(int r, struct failure *failure, const char *what)
{
    if (r < 0 && failure->remote && failure->step == STEP_HANDSHAKE && failure->err == EPROTO)
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP,
                           "the 'roce serve' there is older than this program and can't %s: update it", what);
    return r;
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

bool client_is_iwarp(const struct client *c)
{
    return wire_gid_is_iwarp(&c->spec->gids[c->pair.near].gid);
}
