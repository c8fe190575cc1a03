/* SPDX-License-Identifier: MIT */
/* The server's part of a look at many paths. */
#include <errno.h>
#include <string.h>

#include "selftest/peer/session.h"

static int open_bundle(struct session *s, const struct wire_paths *asked, struct failure *failure)
{
    uint32_t size = asked->ends.keys.size;
    struct endpoint_spec end = session_end(s, asked->gid, size ? size : ENDPOINT_SIZE_LEAST);
    int r = bundle_open(&end, asked->ends.count, &s->bundle, failure);
    if (r < 0)
        return r;
    struct path path = path_new(asked->mtu, asked->traffic_class, asked->hop_limit,
                                endpoint_reads(s->bundle->end->attr.max_qp_rd_atom));
    path.timeout = BUNDLE_TIMEOUT;
    memcpy(path.dgid, asked->raw, sizeof(path.dgid));
    r = bundle_connect(s->bundle, &path, asked->labels, &asked->ends, failure);
    if (r < 0)
        return r;
    s->out.pathed = (struct wire_pathed){ .port_rule = (uint8_t)s->offer.ports[asked->gid] };
    bundle_describe(s->bundle, &s->out.pathed.ends);
    return 0;
}

int session_on_paths(struct session *s)
{
    struct wire_paths asked = s->in.paths;
    struct failure failure;
    int r = session_may_open(s, asked.gid, asked.raw);
    if (r < 0)
        return r;
    if (wire_gid_is_iwarp(&s->gid))
        return -EPROTO;
    if (open_bundle(s, &asked, &failure) == 0)
        return session_say(s, WIRE_PATHED);
    session_close_set(s);
    return session_say_failure(s, &failure);
}

/* Until the client has finished; not longer than a test may take. */
static int serve_exchange(struct session *s, struct exchange *x)
{
    struct watch watch = session_limit(s, s->host->test_ms);
    watch.end = watch.until;
    watch.fd = s->connection->fd;
    int r = exchange_wait(x, &watch, NULL);
    if (r == -EINTR || r == -ETIMEDOUT)
        return r;
    watch = session_limit(s, s->host->idle_ms);
    r = connection_receive(s->connection, &s->in, &watch);
    if (r < 0)
        return r;
    if (s->in.type != WIRE_FINISH)
        return -EPROTO;
    s->tested = wait_now();
    s->out.exchanged = (struct wire_exchanged){ .count = x->plan->datagrams ? 1 : x->plan->count };
    memcpy(s->out.exchanged.seen, x->seen, sizeof(x->seen));
    return session_say(s, WIRE_EXCHANGED);
}

int session_on_exchange(struct session *s)
{
    struct exchange_plan plan = s->in.exchange;
    struct exchange x;
    struct failure failure;
    if (!s->bundle)
        return -EPROTO;
    s->report->trials++;
    if (exchange_begin(&x, &plan, s->bundle, false, &failure) < 0)
        return session_say_failure(s, &failure);
    int r = session_say(s, WIRE_READY);
    if (r == 0 && plan.speaks)
        exchange_speak(&x, &failure); /* a queue pair that can't is out: its seen.status */
    return r < 0 ? r : serve_exchange(s, &x);
}
