/* SPDX-License-Identifier: MIT */
/* What a session's steps say to the client, and until when they may wait. */
#include "selftest/peer/session_steps.h"

struct watch session_limit(const struct session *s, uint32_t ms)
{
    struct watch watch = watch_for(ms, -1);
    if (watch.until > s->until)
        watch.until = s->until;
    watch.end = s->until;
    watch.yield = s->yield;
    watch.naps = true;
    return watch;
}

int session_say(struct session *s, enum wire_type type)
{
    struct watch watch = session_limit(s, s->host->idle_ms);
    s->out.type = type;
    return connection_send(s->connection, &s->out, &watch);
}

int session_say_failure(struct session *s, const struct failure *failure)
{
    s->out.failure = *failure;
    return session_say(s, WIRE_FAILURE);
}
