/* SPDX-License-Identifier: MIT */
/* Connections, from events: what each has come to, and the steps that a person knows. */
#include "base/hash.h"
#include "model/gid.h"
#include "trace/trace.h"

enum { BUCKETS = 1 << 12, RECENT = 64, CONNECTIONS_MOST = 1 << 16, IWARP_MOST = 64 };
enum { CHAIN_MOST = 256 }; /* of a bucket: only a recording that somebody made up has more */
enum { HOLD_US = 200000, LOOK_HELD_US = 50000, LOOK_US = 500000, PATIENCE_US = 5000000, WAITS_MOST = 16 };

enum state {
    STATE_NEW,
    STATE_LISTENS,
    STATE_RESOLVED,
    STATE_ROUTED,
    STATE_WAITING, /* sent a request */
    STATE_ANSWERED,
    STATE_ASKED, /* got one */
    STATE_ACCEPTED,
    STATE_CONNECTED,
    STATE_OVER /* told */
};

struct connection {
    struct connection *next, *next_by_id; /* of its bucket */
    struct connection *later, **earlier;  /* of those that time may tell something of; NULL: it isn't */
    struct trace_address local, remote;
    enum state state;
    struct trace_step base;            /* what all its steps have in common */
    uint64_t begin_us, up_us, told_us; /* request, connected, last step; 0: unseen */
    unsigned nwaits;                   /* how often it was told that it waits */
    bool owned, closing, unsure;       /* unsure: part of it wasn't seen */
    uint64_t ngaps;                    /* of the tracer, when it began: more since, and it is unsure */
    bool held;                         /* last: a step that waits for its owner's name */
    struct trace_step last;
};

struct tracer {
    trace_tell *tell;
    void *data;
    bool lacks_mads; /* so that only time tells that somebody waits */
    struct connection *by_port[BUCKETS], *by_id[BUCKETS], *timed, **timed_end;
    size_t count, nheld, niwarp;
    uint64_t looked_us, serial, ngaps;
    /* Tasks by tid: what each did last, and with which connection. */
    struct recent {
        uint32_t tid;
        enum trace_point point;
        struct connection *connection;
        int64_t issued; /* the local id of its REJ */
    } recent[RECENT];
    char iwarp[IWARP_MOST][TRACE_NAME_SIZE];
};

#define NAME_OF(kind, name) name,
const char *trace_step_name(enum trace_step_kind kind)
{
    static const char *const names[TRACE_STEPS] = { TRACE_STEPS_ALL(NAME_OF) };
    return names[kind];
}

int trace_step_errno(const struct trace_step *step)
{
    enum { MAX_ERRNO = 4095 };
    bool is_one = step->status.known && step->status.value < 0 && step->status.value >= -MAX_ERRNO;
    return is_one ? -(int)step->status.value : 0;
}

#define EVENT_NAME(name) #name,
void trace_step_cause(const struct trace_step *step, char text[static TRACE_CAUSE_SIZE])
{
    static const char *const events[] = { CM_EVENTS_ALL(EVENT_NAME) };
    const char *name = step->kind == STEP_OF_EVENT ? NUM_WORD(events, step->event) : NULL;
    int err = trace_step_errno(step);
    name = name ? name : trace_step_name(step->kind);
    if (err)
        snprintf(text, TRACE_CAUSE_SIZE, "%s, %s", name, say_errno(err));
    else if (step->status.known && step->status.value)
        snprintf(text, TRACE_CAUSE_SIZE, "%s %" PRId64, name, step->status.value);
    else
        snprintf(text, TRACE_CAUSE_SIZE, "%s", name);
}

/* -- finding them ---------------------------------------------------------------------------------------- */

static bool is_any(const struct trace_address *address)
{
    return !address->known || gid_is_any(address->raw);
}

static size_t port_bucket(const struct trace_address *local, const struct trace_address *remote)
{
    uint32_t hash = local->port * 31u;
    if (remote->known)
        hash = hash_more(hash ^ remote->port, remote->raw, sizeof(remote->raw));
    return hash % BUCKETS;
}

static bool is_same(const struct trace_address *a, const struct trace_address *b)
{
    return a->known == b->known && (!a->known || (a->port == b->port && memcmp(a->raw, b->raw, 16) == 0));
}

/* The one with these ends; one whose own address isn't known yet, if there is no other. */
static struct connection *find(struct tracer *tracer, const struct trace_address *local,
                               const struct trace_address *remote)
{
    struct connection *likely = NULL;
    for (struct connection *c = tracer->by_port[port_bucket(local, remote)]; c; c = c->next) {
        if (c->local.port != local->port || !is_same(&c->remote, remote))
            continue;
        if (is_same(&c->local, local))
            return c;
        if (is_any(&c->local) || is_any(local))
            likely = c;
    }
    return likely;
}

static struct connection *find_by_id(struct tracer *tracer, int64_t id)
{
    struct connection *c = tracer->by_id[(uint64_t)id % BUCKETS];
    while (c && !num_is(c->base.local_id, (uint64_t)id))
        c = c->next_by_id;
    return c;
}

static struct recent *recent_of(struct tracer *tracer, uint32_t tid)
{
    return &tracer->recent[tid % RECENT];
}

static void unlink_by_id(struct tracer *tracer, struct connection *c)
{
    struct connection **at = &tracer->by_id[c->base.local_id.value % BUCKETS];
    while (c->base.local_id.known && *at && *at != c)
        at = &(*at)->next_by_id;
    if (c->base.local_id.known && *at)
        *at = c->next_by_id;
    c->base.local_id = (struct num){ 0 };
}

static void set_id(struct tracer *tracer, struct connection *c, int64_t id)
{
    struct connection **bucket = &tracer->by_id[(uint64_t)id % BUCKETS], **at = bucket;
    unlink_by_id(tracer, c);
    for (size_t i = 1; i < CHAIN_MOST && *at; i++)
        at = &(*at)->next_by_id;
    *at = NULL; /* the oldest aren't found any more */
    c->base.local_id = num_of((uint64_t)id);
    c->next_by_id = *bucket;
    *bucket = c;
}

/* Time is of interest from now on, or isn't any more. */
static void set_timed(struct tracer *tracer, struct connection *c, bool timed)
{
    if (timed == (c->earlier != NULL))
        return;
    if (timed) {
        c->later = NULL;
        c->earlier = tracer->timed_end;
        *c->earlier = c;
        tracer->timed_end = &c->later;
        return;
    }
    *c->earlier = c->later;
    *(c->later ? &c->later->earlier : &tracer->timed_end) = c->earlier;
    c->earlier = NULL;
}

static void say_held(struct tracer *tracer, struct connection *c)
{
    if (!c->held)
        return;
    c->held = false;
    tracer->nheld--;
    tracer->tell(tracer->data, &c->last);
}

static void forget(struct tracer *tracer, struct connection *c)
{
    struct connection **at = &tracer->by_port[port_bucket(&c->local, &c->remote)];
    say_held(tracer, c);
    unlink_by_id(tracer, c);
    set_timed(tracer, c, false);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    for (size_t i = 0; i < RECENT; i++)
        if (tracer->recent[i].connection == c)
            tracer->recent[i].connection = NULL;
    tracer->count--;
    free(c);
}

static bool runs_iwarp(const struct tracer *tracer, const char *device)
{
    for (size_t i = 0; i < tracer->niwarp; i++)
        if (strcmp(tracer->iwarp[i], device) == 0)
            return true;
    return false;
}

static void set_device(struct tracer *tracer, struct connection *c, const char *device)
{
    if (!*device)
        return;
    snprintf(c->base.device, sizeof(c->base.device), "%s", device);
    c->base.iwarp = runs_iwarp(tracer, device);
}

static void set_owner(struct connection *c, uint32_t pid, const char *name)
{
    c->owned = true;
    c->base.pid = num_if(pid, pid);
    c->base.in_kernel = !pid;
    snprintf(c->base.name, sizeof(c->base.name), "%s", name);
    if (!c->held)
        return;
    c->last.pid = c->base.pid;
    c->last.in_kernel = c->base.in_kernel;
    memcpy(c->last.name, c->base.name, sizeof(c->last.name));
}

/* An event in a process's own context tells whose the connection is; one in a kernel thread's doesn't. */
static void own(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    if (c->owned || c->base.in_kernel || !event->pid || trace_is_kernel_task(event->task))
        return;
    set_owner(c, event->pid, event->task);
    say_held(tracer, c);
}

static void set_side(struct connection *c, enum trace_side side)
{
    c->base.side = side;
    c->base.from = side == SIDE_SERVER ? c->remote : c->local;
    c->base.to = side == SIDE_SERVER ? c->local : c->remote;
}

/* A server's connection is its listener's at first. */
static void take_from_listener(struct tracer *tracer, struct connection *c)
{
    static const struct trace_address none;
    const struct connection *listener = find(tracer, &c->local, &none);
    if (!listener || listener->state != STATE_LISTENS)
        return;
    set_side(c, SIDE_SERVER);
    if (listener->owned && !c->owned)
        set_owner(c, (uint32_t)listener->base.pid.value, listener->base.name);
    set_device(tracer, c, listener->base.device);
}

static void forget_bucket(struct tracer *tracer, size_t bucket)
{
    while (tracer->by_port[bucket])
        forget(tracer, tracer->by_port[bucket]);
}

static void forget_all(struct tracer *tracer)
{
    for (size_t i = 0; i < BUCKETS; i++)
        forget_bucket(tracer, i);
}

static bool is_full(const struct connection *c)
{
    size_t count = 0;
    for (; c && count < CHAIN_MOST; c = c->next)
        count++;
    return count == CHAIN_MOST;
}

/* One that isn't known yet is made; a full table starts anew, as does a full bucket. */
static struct connection *get(struct tracer *tracer, const struct trace_address *local,
                              const struct trace_address *remote)
{
    struct connection *c = find(tracer, local, remote);
    if (c && !is_any(local))
        c->local = *local; /* the port, and with it the bucket, stay */
    if (c)
        set_side(c, c->base.side);
    if (c)
        return c;
    if (tracer->count == CONNECTIONS_MOST)
        forget_all(tracer);
    size_t bucket = port_bucket(local, remote);
    if (is_full(tracer->by_port[bucket]))
        forget_bucket(tracer, bucket);
    c = mem_alloc(1, sizeof(*c));
    c->local = *local;
    c->remote = *remote;
    c->ngaps = tracer->ngaps;
    c->next = tracer->by_port[bucket];
    tracer->by_port[bucket] = c;
    tracer->count++;
    c->base.connection = ++tracer->serial;
    set_side(c, SIDE_UNKNOWN);
    return c;
}

/* The same ports again, for another connection: its end wasn't seen. */
static void renew(struct tracer *tracer, struct connection *c)
{
    if (c->state < STATE_CONNECTED)
        return;
    say_held(tracer, c);
    unlink_by_id(tracer, c);
    c->state = STATE_NEW;
    c->owned = c->closing = c->unsure = false;
    c->ngaps = tracer->ngaps;
    c->begin_us = c->up_us = 0;
    c->base = (struct trace_step){ .connection = ++tracer->serial };
    set_side(c, SIDE_UNKNOWN);
}

/* -- telling --------------------------------------------------------------------------------------------- */

static void say(struct tracer *tracer, struct connection *c, enum trace_step_kind kind, uint64_t time_us,
                uint64_t since_us)
{
    say_held(tracer, c);
    c->last = c->base;
    c->last.kind = kind;
    c->last.time_us = time_us;
    c->last.took_us = num_if(since_us && time_us >= since_us, time_us - since_us);
    c->told_us = time_us;
    set_timed(tracer, c, true);
    if (c->owned) {
        tracer->tell(tracer->data, &c->last);
        return;
    }
    c->held = true;
    tracer->nheld++;
}

/* A step that ends it. */
static void finish(struct tracer *tracer, struct connection *c, enum trace_step_kind kind, uint64_t time_us,
                   uint64_t since_us)
{
    c->state = STATE_OVER;
    say(tracer, c, kind, time_us, since_us);
}

/* A step that follows from what didn't happen: if events were lost, it may have. */
static void infer(struct tracer *tracer, struct connection *c, enum trace_step_kind kind, uint64_t time_us)
{
    bool unsure = c->unsure || c->ngaps != tracer->ngaps;
    finish(tracer, c, unsure ? STEP_OF_UNKNOWN : kind, time_us, c->begin_us);
}

static void connected(struct tracer *tracer, struct connection *c, uint64_t time_us)
{
    if (c->state == STATE_CONNECTED || c->state == STATE_OVER)
        return;
    c->state = STATE_CONNECTED;
    c->up_us = time_us;
    c->base.tries = (struct num){ 0 };
    c->base.taken = false;
    say(tracer, c, STEP_OF_CONNECTED, time_us, c->begin_us);
}

static void asked(struct tracer *tracer, struct connection *c, uint64_t time_us)
{
    set_side(c, SIDE_SERVER);
    take_from_listener(tracer, c);
    c->state = STATE_ASKED;
    c->nwaits = 0;
    c->begin_us = time_us;
    say(tracer, c, STEP_OF_ASKED, time_us, 0);
}

/* -- RDMA_CM's events ------------------------------------------------------------------------------------ */

static void failed(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    int64_t kind = event->numbers[TRACE_KIND];
    bool was_up = c->state == STATE_CONNECTED;
    c->base.event = num_of((uint64_t)kind);
    c->base.status = snum_of(event->numbers[TRACE_STATUS]);
    if (kind == CM_UNREACHABLE && was_up) { /* it stays up, and may be told again */
        say(tracer, c, STEP_OF_NEIGHBOUR, event->time_us, c->up_us);
        c->base.event = (struct num){ 0 };
        c->base.status = (struct snum){ 0 };
        return;
    }
    if (c->state != STATE_OVER)
        finish(tracer, c, STEP_OF_EVENT, event->time_us, was_up ? c->up_us : c->begin_us);
}

static void take_kind(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    int64_t kind = event->numbers[TRACE_KIND];
    if (kind <= CM_CONNECT_ERROR && kind != CM_CONNECT_REQUEST && c->base.side == SIDE_UNKNOWN)
        set_side(c, SIDE_CLIENT);
    switch (kind) {
    case CM_ADDR_RESOLVED:
        c->state = STATE_RESOLVED;
        break;
    case CM_ROUTE_RESOLVED:
        c->state = STATE_ROUTED;
        c->begin_us = event->time_us; /* of iWARP, where no request is seen */
        break;
    case CM_CONNECT_REQUEST:
        asked(tracer, c, event->time_us);
        break;
    case CM_CONNECT_RESPONSE:
        c->state = STATE_ANSWERED;
        break;
    case CM_ESTABLISHED:
        connected(tracer, c, event->time_us);
        break;
    case CM_DISCONNECTED:
        c->base.by_peer = !c->closing;
        if (c->state != STATE_OVER)
            finish(tracer, c, STEP_OF_CLOSED, event->time_us, c->up_us);
        break;
    case CM_ADDR_CHANGE:
        say(tracer, c, STEP_OF_MOVED, event->time_us, 0);
        break;
    default:
        if (kind <= CM_MULTICAST_ERROR && kind != CM_MULTICAST_JOIN)
            failed(tracer, c, event);
        break;
    }
}

/* -- what its user does ---------------------------------------------------------------------------------- */

/* rdma_destroy_id(): nothing comes after it, so what should have come before and didn't is told now. */
static void end(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    bool guess = c->base.iwarp && c->state == STATE_ROUTED;
    own(tracer, c, event);
    if (c->state == STATE_WAITING)
        infer(tracer, c, STEP_OF_GIVEN_UP, event->time_us);
    else if (c->state == STATE_ASKED)
        infer(tracer, c, STEP_OF_DROPPED, event->time_us);
    else if (c->state == STATE_RESOLVED && c->remote.known && gid_is_loopback(c->remote.raw))
        infer(tracer, c, STEP_OF_NO_ROUTE, event->time_us);
    else if (guess)
        infer(tracer, c, STEP_OF_NO_CONNECT, event->time_us);
    else if (c->state == STATE_CONNECTED)
        finish(tracer, c, c->closing ? STEP_OF_CLOSED : STEP_OF_ENDED, event->time_us, c->up_us);
    else if (c->state == STATE_ANSWERED || c->state == STATE_ACCEPTED)
        finish(tracer, c, STEP_OF_ENDED, event->time_us, 0);
    forget(tracer, c);
}

/* Of one that nothing is known of: no event came, so that the first call, which would have asked for one, was
 * refused at once. librdmacm's probe for AF_IB has no address at all. */
static void end_of_unknown(struct tracer *tracer, const struct trace_event *event)
{
    bool bound = event->from.known && !event->from.port && !event->to.known && !is_any(&event->from);
    if (!bound && !(event->to.known && is_any(&event->from)))
        return;
    struct connection *c = get(tracer, &event->from, &event->to);
    set_side(c, SIDE_CLIENT);
    own(tracer, c, event);
    infer(tracer, c, bound ? STEP_OF_NO_BIND : STEP_OF_NO_ADDRESS, event->time_us);
    forget(tracer, c);
}

static void take_queue(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    int64_t status = trace_has(event, TRACE_STATUS) ? event->numbers[TRACE_STATUS] : 0;
    c->base.in_kernel = true;            /* programs make theirs by libibverbs */
    if (c->owned && c->base.pid.known) { /* who made the service listen, by mount, ln or the like */
        c->owned = c->base.pid.known = false;
        c->base.name[0] = '\0';
    }
    if (!status)
        return;
    c->base.status = snum_of(status);
    say(tracer, c, STEP_OF_NO_QUEUE, event->time_us, 0);
}

static void take_call(struct tracer *tracer, struct connection *c, const struct trace_event *event)
{
    if (event->point == POINT_ATTACH && !event->to.known) {
        c->state = STATE_LISTENS;
    } else if (event->point == POINT_REQUEST) {
        set_side(c, SIDE_CLIENT);
        c->state = STATE_WAITING;
        c->nwaits = 0;
        c->begin_us = event->time_us;
        say(tracer, c, STEP_OF_REQUEST, event->time_us, 0);
    } else if (event->point == POINT_REPLY) {
        set_side(c, SIDE_SERVER);
        c->state = STATE_ACCEPTED;
        say(tracer, c, STEP_OF_ACCEPT, event->time_us, c->begin_us);
    } else if (event->point == POINT_READY) {
        set_side(c, SIDE_CLIENT);
        connected(tracer, c, event->time_us);
    } else if (event->point == POINT_REJECT) {
        finish(tracer, c, STEP_OF_REFUSED, event->time_us, c->begin_us);
    } else if (event->point == POINT_DISCONNECT) {
        c->closing = true;
    } else if (event->point == POINT_QUEUE) {
        take_queue(tracer, c, event);
    }
}

/* One that begins is another than one that had the same ports; what isn't known though it doesn't begin was
 * there before. */
static struct connection *take_own(struct tracer *tracer, const struct trace_event *event)
{
    bool told = event->point == POINT_EVENT;
    int64_t kind = event->numbers[TRACE_KIND];
    /* that of who listens on any address is told of once more, as the listener's (cma_listen_handler()) */
    bool twice = told && kind == CM_CONNECT_REQUEST && !event->to.known;
    /* iWARP attaches a request that came without its addresses: its event has them */
    struct connection *c = event->from.known && !twice ? get(tracer, &event->from, &event->to) : NULL;
    if (!c)
        return NULL;
    if (told ? kind == CM_ADDR_RESOLVED || kind == CM_CONNECT_REQUEST
             : event->point == POINT_ATTACH && event->to.known)
        renew(tracer, c);
    if (told && c->state == STATE_NEW && kind > CM_ADDR_ERROR && kind != CM_CONNECT_REQUEST) {
        c->unsure = true;
        take_from_listener(tracer, c);
    }
    if (trace_has(event, TRACE_QP))
        c->base.qp = num_of((uint64_t)event->numbers[TRACE_QP]);
    if (trace_has(event, TRACE_TOS))
        c->base.tos = num_of((uint64_t)event->numbers[TRACE_TOS]);
    set_device(tracer, c, event->device);
    own(tracer, c, event);
    if (told)
        take_kind(tracer, c, event);
    else
        take_call(tracer, c, event);
    return c;
}

/* -- the connection manager ------------------------------------------------------------------------------ */

/* Its ids follow what the same task did: icm_send_req behind cm_send_req. */
static void take_ids(struct tracer *tracer, const struct trace_event *event)
{
    const struct recent *recent = recent_of(tracer, event->tid);
    enum trace_point call = event->point == POINT_IB_REQUEST ? POINT_REQUEST : POINT_REPLY;
    if (recent->tid != event->tid || recent->point != call || !recent->connection)
        return;
    set_id(tracer, recent->connection, event->numbers[TRACE_LOCAL]);
    recent->connection->base.remote_id = num_if(event->numbers[TRACE_REMOTE] != 0,
                                                (uint64_t)event->numbers[TRACE_REMOTE]);
}

static void tell_bare(struct tracer *tracer, enum trace_step_kind kind, const struct trace_event *event)
{
    struct trace_step step = { .kind = kind, .time_us = event->time_us, .side = SIDE_SERVER };
    step.connection = ++tracer->serial;
    step.local_id = num_if(trace_has(event, TRACE_LOCAL), (uint64_t)event->numbers[TRACE_LOCAL]);
    step.remote_id = num_if(trace_has(event, TRACE_REMOTE), (uint64_t)event->numbers[TRACE_REMOTE]);
    if (trace_has(event, TRACE_REASON))
        step.status = snum_of(event->numbers[TRACE_REASON]);
    step.in_kernel = true;
    tracer->tell(tracer->data, &step);
}

/* A REJ that follows neither rdma_reject() nor rdma_destroy_id() is the kernel's own. */
static void take_reject(struct tracer *tracer, const struct trace_event *event)
{
    const struct recent *recent = recent_of(tracer, event->tid);
    if (recent->tid == event->tid && (recent->point == POINT_REJECT || recent->point == POINT_DESTROY))
        return;
    if (trace_is_kernel_task(event->task) && !find_by_id(tracer, event->numbers[TRACE_LOCAL]))
        tell_bare(tracer, STEP_OF_TURNED_DOWN, event);
}

/* Nobody listens: the REJ goes to the client's id, which the event behind it has as the remote one. That event
 * comes behind a duplicate request, too, and then means nothing. */
static void take_unheard(struct tracer *tracer, const struct trace_event *event)
{
    const struct recent *recent = recent_of(tracer, event->tid);
    if (recent->tid == event->tid && recent->point == POINT_IB_ISSUED &&
        recent->issued == event->numbers[TRACE_REMOTE])
        tell_bare(tracer, STEP_OF_UNHEARD, event);
}

static void take_mad(struct tracer *tracer, const struct trace_event *event)
{
    uint32_t transaction = (uint32_t)event->numbers[TRACE_TRANSACTION];
    int64_t message = event->numbers[TRACE_MESSAGE];
    struct connection *c = find_by_id(tracer, __builtin_bswap32(transaction));
    if (!c || event->numbers[TRACE_CLASS] != MAD_CM_CLASS)
        return;
    int64_t most = event->numbers[TRACE_RESENDS], left = event->numbers[TRACE_LEFT];
    bool again = event->point == POINT_SENT && trace_has(event, TRACE_LEFT) && left >= 0 && most > left;
    bool waits = again && message == MAD_REQ && c->state == STATE_WAITING,
         closes = again && message == MAD_DREQ && c->closing && c->state == STATE_CONNECTED;
    if (waits || closes) {
        c->base.tries = num_of((uint64_t)(most - left) + 1);
        c->base.tries_most = num_of((uint64_t)most + 1);
        say(tracer, c, waits ? STEP_OF_WAITING : STEP_OF_CLOSING, event->time_us, waits ? c->begin_us : 0);
    }
    if (event->point == POINT_RECEIVED && message == MAD_MRA && c->state == STATE_WAITING) {
        c->base.taken = true;
        say(tracer, c, STEP_OF_WAITING, event->time_us, c->begin_us);
    }
}

static void take_modified(struct tracer *tracer, const struct trace_event *event)
{
    struct trace_step step = { .time_us = event->time_us, .pid = num_of(event->pid) };
    int64_t status = event->numbers[TRACE_STATUS];
    step.kind = status ? STEP_OF_NO_QUEUE : STEP_OF_QUEUE;
    if (trace_has(event, TRACE_STATUS))
        step.status = snum_of(status);
    step.mask = num_if(trace_has(event, TRACE_MASK), (uint64_t)event->numbers[TRACE_MASK]);
    step.took_us = num_if(trace_has(event, TRACE_TOOK), (uint64_t)event->numbers[TRACE_TOOK]);
    step.in_kernel = trace_is_kernel_task(event->task);
    step.from = event->from;
    step.to = event->to;
    memcpy(step.name, event->task, sizeof(step.name));
    tracer->tell(tracer->data, &step);
}

static void take_end(struct tracer *tracer, const struct trace_event *event)
{
    struct connection *c = find(tracer, &event->from, &event->to);
    if (!c)
        end_of_unknown(tracer, event);
    else if (c->state == STATE_NEW)
        forget(tracer, c);
    else
        end(tracer, c, event);
}

static void take_event(struct tracer *tracer, const struct trace_event *given)
{
    struct trace_event event = *given;
    struct connection *c = NULL;
    if (is_any(&event.to) && !event.to.port)
        event.to.known = false;
    if (event.point == POINT_SENT || event.point == POINT_RECEIVED)
        take_mad(tracer, &event);
    else if (event.point == POINT_MODIFIED)
        take_modified(tracer, &event);
    else if (event.point == POINT_DESTROY)
        take_end(tracer, &event);
    else if (event.point == POINT_IB_REQUEST || event.point == POINT_IB_REPLY)
        take_ids(tracer, &event);
    else if (event.point == POINT_IB_REJECT)
        take_reject(tracer, &event);
    else if (event.point == POINT_IB_UNHEARD)
        take_unheard(tracer, &event);
    else if (event.point != POINT_IB_ISSUED)
        c = take_own(tracer, &event);
    if (event.point < POINT_SENT) /* those may come between two of the same task that belong together */
        *recent_of(tracer, event.tid) = (struct recent){
            .tid = event.tid, .point = event.point, .connection = c, .issued = event.numbers[TRACE_LOCAL]
        };
}

/* -- the rest -------------------------------------------------------------------------------------------- */

static void know(struct tracer *tracer, const struct trace_line *line)
{
    const struct trace_event *owner = &line->event;
    struct trace_address to = owner->to;
    if (is_any(&to) && !to.port)
        to.known = false;
    if (!owner->from.known)
        return;
    bool is_new = !find(tracer, &owner->from, &to);
    struct connection *c = get(tracer, &owner->from, &to);
    if (is_new) {
        c->state = !to.known ? STATE_LISTENS : line->number ? STATE_CONNECTED : STATE_NEW;
        c->unsure = to.known;
        take_from_listener(tracer, c);
        if (to.known && c->base.side == SIDE_UNKNOWN)
            set_side(c, SIDE_CLIENT);
    }
    if (!*c->base.device)
        set_device(tracer, c, owner->device);
    if (!c->owned)
        set_owner(c, owner->pid, owner->task);
    say_held(tracer, c);
}

static void lose(struct tracer *tracer, uint64_t time_us, uint64_t count)
{
    struct trace_step step = { .kind = STEP_OF_GAP, .time_us = time_us, .lost = count };
    tracer->ngaps++;
    tracer->tell(tracer->data, &step);
}

static void take_iwarp(struct tracer *tracer, const char *device)
{
    if (tracer->niwarp < IWARP_MOST && !runs_iwarp(tracer, device))
        snprintf(tracer->iwarp[tracer->niwarp++], TRACE_NAME_SIZE, "%.*s", TRACE_NAME_SIZE - 1, device);
}

static void look_at(struct tracer *tracer, struct connection *c, uint64_t now)
{
    bool waits = (c->state == STATE_WAITING && tracer->lacks_mads) || c->state == STATE_ASKED;
    if (c->held && now >= c->last.time_us + HOLD_US)
        say_held(tracer, c);
    for (; waits && c->nwaits < WAITS_MOST && now >= c->told_us + PATIENCE_US; c->nwaits++)
        say(tracer, c, STEP_OF_WAITING, c->told_us + PATIENCE_US, c->begin_us); /* as a replay tells it */
    set_timed(tracer, c, c->held || (waits && c->nwaits < WAITS_MOST));
}

void tracer_tick(struct tracer *tracer, uint64_t time_us)
{
    if (time_us < tracer->looked_us + (tracer->nheld ? LOOK_HELD_US : LOOK_US))
        return;
    tracer->looked_us = time_us;
    for (struct connection *c = tracer->timed, *later; c; c = later) {
        later = c->later;
        look_at(tracer, c, time_us);
    }
}

void tracer_take(struct tracer *tracer, const struct trace_line *line)
{
    tracer_tick(tracer, line->time_us);
    if (line->kind == LINE_HEAD)
        tracer->lacks_mads = !(line->number >> POINT_SENT & 1);
    else if (line->kind == LINE_EVENT)
        take_event(tracer, &line->event);
    else if (line->kind == LINE_OWNER)
        know(tracer, line);
    else if (line->kind == LINE_LOST)
        lose(tracer, line->time_us, line->number);
    else if (line->kind == LINE_DEVICE)
        take_iwarp(tracer, line->text);
}

bool tracer_wonders(const struct tracer *tracer)
{
    return tracer->nheld > 0;
}

bool tracer_wonders_about(struct tracer *tracer, const struct trace_event *owner)
{
    const struct connection *c = find(tracer, &owner->from, &owner->to);
    return c && c->held;
}

struct tracer *tracer_new(trace_tell *tell, void *data)
{
    struct tracer *tracer = mem_alloc(1, sizeof(*tracer));
    tracer->timed_end = &tracer->timed;
    tracer->tell = tell;
    tracer->data = data;
    return tracer;
}

void tracer_free(struct tracer *tracer)
{
    if (tracer)
        forget_all(tracer);
    free(tracer);
}
