/* SPDX-License-Identifier: MIT */
/* What the steps of a session share on either side: asking, answering, and waiting for the other. */
#include "selftest/peer/steps.h"

void side_close_set(struct side *side)
{
    set_close(side->set);
    side->set = NULL;
}

/* -- the client ---------------------------------------------------------------------------------------- */

int client_told(const struct failure *theirs, struct failure *failure)
{
    *failure = *theirs;
    return failure->err ? -failure->err : -EIO;
}

static void hang_up(struct client *c)
{
    connection_close(&c->connection);
    c->peer.fd = -1;
}

int client_ask_for(struct client *c, enum wire_type question, enum wire_type answer, uint32_t ms,
                   struct failure *failure)
{
    struct wire_message *in = &c->side.in;
    struct watch watch = watch_for(ms, -1);
    if (c->connection.fd < 0)
        return failure_set(failure, STEP_HANDSHAKE, ECONNRESET, "%s", "");
    c->side.out.type = question;
    int r = connection_send(&c->connection, &c->side.out, &watch);
    /* a server that turns us away has said why before it hung up */
    int heard = r == 0 || r == -ECONNRESET ? connection_receive(&c->connection, in, &watch) : r;
    if (heard < 0) {
        /* anything that came later could be mistaken for the missing answer */
        hang_up(c);
        return failure_set(failure, STEP_HANDSHAKE, heard, "%s", "");
    }
    if (in->type == WIRE_FAILURE)
        return client_told(&in->failure, failure);
    if (in->type != answer)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server answered something else");
    return 0;
}

int client_ask(struct client *c, enum wire_type question, enum wire_type answer, struct failure *failure)
{
    return client_ask_for(c, question, answer, c->spec->options->timeout + CLIENT_SLACK_MS, failure);
}

int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 struct failure *failure)
{
    const struct client_spec *spec = c->spec;
    struct watch watch = watch_for(spec->options->timeout, -1);
    char text[ADDRESS_TEXT_SIZE];
    address_text(to, text);
    int r = connection_open(to, from, &watch, &c->connection.fd);
    if (r < 0)
        return failure_set(failure, STEP_CONNECT, r, "%s", text);
    c->peer.fd = c->connection.fd;
    snprintf(c->side.out.hello.program, sizeof(c->side.out.hello.program), "%s", spec->program);
    snprintf(c->side.out.hello.host, sizeof(c->side.out.hello.host), "%s", spec->host);
    r = client_ask_for(c, WIRE_HELLO, WIRE_OFFER, spec->options->timeout, failure);
    if (r == -ECONNRESET && !failure->remote)
        return failure_set(failure, STEP_HANDSHAKE, ECONNABORTED, "%s", text);
    if (r == 0)
        c->offer = c->side.in.offer;
    return r;
}

void client_part(struct client *c)
{
    struct watch watch = watch_for(100, -1);
    c->side.out.type = WIRE_BYE;
    /* an interrupt may have come in the middle of a test, where the server takes a goodbye for nonsense */
    if (c->connection.fd >= 0 && !wait_interrupted())
        connection_send(&c->connection, &c->side.out, &watch);
    hang_up(c);
}

/* -- the server ---------------------------------------------------------------------------------------- */

uint64_t session_used(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

struct watch session_limit(const struct session *s, uint32_t ms)
{
    struct watch watch = watch_for(ms, -1);
    if (watch.until > s->until)
        watch.until = s->until;
    watch.end = s->until;
    watch.yield = s->terms->yield;
    watch.naps = true;
    return watch;
}

int session_say(struct session *s, enum wire_type type)
{
    struct watch watch = session_limit(s, s->host->idle_ms);
    s->side.out.type = type;
    return connection_send(s->side.connection, &s->side.out, &watch);
}

int session_say_failure(struct session *s, const struct failure *failure)
{
    s->side.out.failure = *failure;
    return session_say(s, WIRE_FAILURE);
}

int session_hear(struct session *s, enum wire_type type, const struct watch *watch)
{
    struct watch usual = session_limit(s, s->host->idle_ms);
    int r = connection_receive(s->side.connection, &s->side.in, watch ? watch : &usual);
    s->unread = r == -EPROTO ? "a message of a kind, or with something in it, that this version doesn't know"
                : r == -EMSGSIZE        ? "a message that is too long"
                : r == -EPROTONOSUPPORT ? "a message of another version"
                                        : NULL;
    return s->unread || (r == 0 && type && s->side.in.type != type) ? -EPROTO : r;
}
