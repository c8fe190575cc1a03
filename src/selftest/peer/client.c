/* SPDX-License-Identifier: MIT */
#include "selftest/peer/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct client *client_of(struct peer *peer)
{
    return (struct client *)peer;
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

int client_priorities(struct client *c, struct wire_priorities *priorities, struct failure *failure)
{
    struct wire_message in, out = { .type = WIRE_PRIORITIES };
    int r = client_ask(c, &out, WIRE_PRIORITIES, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r == 0)
        *priorities = in.priorities;
    return client_refused(r, failure, "count packets by priority");
}

void client_close(struct client *c)
{
    client_part(c);
    client_close_set(c);
}
