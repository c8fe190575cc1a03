/* SPDX-License-Identifier: MIT */
/* A session from its HELLO to its BYE: how the client asks, and how the server answers. Nothing that the other
 * side says is trusted until protocol.c has checked it, and every wait is bounded. */

#include "selftest/peer/steps.h"

/* -- the client ---------------------------------------------------------------------------------------- */

int client_open(struct client *c, const struct client_spec *spec, struct failure *failure)
{
    memset(c, 0, sizeof(*c));
    c->peer = (struct peer){ .arm = client_arm, .finish = client_finish, .reopen = client_reopen };
    c->spec = spec;
    c->connection.fd = -1;
    c->side.connection = &c->connection;
    c->path = path_new(0, spec->options->traffic_class, spec->options->hop_limit, ENDPOINT_READS_MOST);
    int r = client_greet(c, &spec->address, NULL, failure);
    if (r == 0)
        r = client_agree(c, failure);
    if (r == 0)
        r = client_prove(c, failure);
    return r < 0 ? r : client_open_set(c, failure);
}

void client_close(struct client *c)
{
    client_part(c);
    side_close_set(&c->side);
}

/* -- the server ---------------------------------------------------------------------------------------- */

static int on_goodbye(struct session *s)
{
    (void)s;
    return 1;
}

static int (*const answers[WIRE_TYPES])(struct session *s) = {
    [WIRE_PROBE] = session_on_probe,           [WIRE_READY] = session_on_ready,
    [WIRE_NONCE] = session_on_nonce,           [WIRE_OPEN] = session_on_open,
    [WIRE_TRIAL] = session_on_trial,           [WIRE_PATHS] = session_on_open,
    [WIRE_EXCHANGE] = session_on_exchange,     [WIRE_COUNTERS] = session_on_counters,
    [WIRE_PRIORITIES] = session_on_priorities, [WIRE_BYE] = on_goodbye,
};

static int on_message(struct session *s)
{
    if (session_used() / 1000000 > s->host->test_ms)
        return -EDQUOT;
    if (!mem_reserve(SESSION_ROOM))
        return -ENOMEM;
    return answers[s->side.in.type] ? answers[s->side.in.type](s) : -EPROTO;
}

/* Returns for how many ms the client must wait. */
static uint32_t pay(struct session *s)
{
    uint64_t used = session_used(), ms = s->terms->pay(s->terms->data, used - s->paid) / 1000000;
    s->paid = used;
    return ms < s->host->session_ms ? (uint32_t)ms : s->host->session_ms;
}

/* A client that asks for more than its share of the CPU is heard more slowly. */
static int take_turn(struct session *s)
{
    uint32_t wait = pay(s);
    struct watch watch = session_limit(s, wait);
    int r = 0;
    watch.fd = s->side.connection->fd;
    watch.peer_may_speak = true;
    while (wait && (r = watch_check(&watch)) == 0)
        poll(NULL, 0, watch_slice(&watch));
    return r == -ETIMEDOUT ? 0 : r;
}

/* 0: the client said goodbye. */
static int converse(struct session *s)
{
    socklen_t len = sizeof(s->peer);
    s->peer.ss_family = AF_INET;
    getpeername(s->side.connection->fd, (struct sockaddr *)&s->peer, &len);
    int r = session_offer(s);
    while (r == 0) {
        r = session_hear(s, 0, NULL);
        if (r == 0)
            r = on_message(s);
        if (r == 0)
            r = take_turn(s);
    }
    return r > 0 ? 0 : r;
}

static void say_end(struct session *s, int end)
{
    const char *text = end == -EINTR    ? "the server is being stopped"
                       : end == -EPROTO ? (s->unread ? s->unread : "an unexpected message")
                       : end == -EDQUOT ? "this session has used up what one client may"
                       : end == -ENOMEM ? SESSION_NO_ROOM
                                        : NULL;
    struct watch watch = { .until = wait_now() + 100000000, .fd = -1 };
    if (!text)
        return;
    failure_set(&s->side.out.failure, STEP_HANDSHAKE, end, "%s", text);
    s->side.out.type = WIRE_FAILURE;
    connection_send(s->side.connection, &s->side.out, &watch);
}

void session_run(const struct session_host *host, struct connection *connection, const struct wire_hello *hello,
                 const struct session_terms *terms, struct session_report *report)
{
    snprintf(report->name, sizeof(report->name), "%s", hello->host);
    struct session *s = calloc(1, sizeof(*s));
    if (!s) {
        report->end = -ENOMEM;
        return;
    }
    s->host = host;
    s->side.connection = connection;
    s->terms = terms;
    s->paid = session_used();
    s->report = report;
    s->until = wait_now() + (uint64_t)host->session_ms * 1000000;
    report->end = converse(s);
    say_end(s, report->end);
    side_close_set(&s->side);
    proof_end(&s->proof);
    if (s->before)
        host->give_back(host->data, s->before);
    pay(s);
    free(s);
}
