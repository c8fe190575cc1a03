/* SPDX-License-Identifier: MIT */
/* Traces that several hosts recorded, told as one exchange: which ends belong together, how far the clocks are
 * apart, and at which end a failure arose. */
#include "command/trace_feed.h"

#define FAR (INT64_MAX / 4)

struct line {
    struct trace_shown shown;
    struct trace_step step;
    size_t host, end, order;
    int64_t us; /* time of day, as its host's clock was when the trace began */
};

/* An end of a connection. */
struct end {
    size_t host;
    enum trace_side side;
    struct trace_address from, to;
    struct num id;           /* the client's local one, which the server has as the remote one */
    int64_t asked, answered; /* sent and heard, or came and given; 0: not seen */
    int64_t shift;           /* to the first host's clock */
    uint64_t key, connection;
    struct end *partner;
    const struct line *failure;
};

struct recorded {
    const char *name;
    int64_t base_us, ahead_us, within_us;
    size_t pairs;
    bool known; /* how far its clock is ahead of the first one's */
};

struct exchange {
    struct arena *arena;
    struct recorded *hosts;
    struct line *lines;
    struct end *ends; /* the first is nobody's; those of a host's connections are behind the one before */
    size_t nhosts, count, nends, before;
};

/* A REJ came, so that it was sent before. */
static bool is_told(const struct line *line)
{
    return line->step.kind == STEP_OF_EVENT && num_is(line->step.event, CM_REJECTED);
}

/* -- ends ------------------------------------------------------------------------------------------------ */

static void keep(void *data, const struct trace_shown *shown)
{
    struct exchange *all = data;
    struct recorded *host = &all->hosts[all->nhosts];
    int64_t time = (int64_t)shown->step->time_us;
    size_t end = shown->connection ? all->before + shown->connection : 0;
    all->nends = end >= all->nends ? end + 1 : all->nends;
    if (shown->step->kind == STEP_OF_START)
        host->base_us = (int64_t)shown->utc_ms * 1000 - time;
    *ARENA_PUSH_MANY(all->arena, all->lines, all->count) = (struct line){ .shown = *shown,
                                                                          .step = *shown->step,
                                                                          .host = all->nhosts,
                                                                          .end = end,
                                                                          .order = all->count,
                                                                          .us = host->base_us + time };
}

static void take_line(struct end *end, const struct line *line)
{
    const struct trace_step *step = &line->step;
    bool server = step->side == SIDE_SERVER;
    struct num id = server ? step->remote_id : step->local_id;
    end->host = line->host;
    end->side = step->side ? step->side : end->side;
    end->id = id.known ? id : end->id;
    end->from = step->from.known && step->to.known ? step->from : end->from;
    end->to = step->from.known && step->to.known ? step->to : end->to;
    if (step->kind == STEP_OF_REQUEST || step->kind == STEP_OF_ASKED)
        end->asked = line->us;
    if (server ? step->kind == STEP_OF_ASKED || step->kind == STEP_OF_ACCEPT ||
                     (step->kind >= STEPS_FAILED && !is_told(line))
               : step->kind == STEP_OF_CONNECTED || is_told(line))
        end->answered = line->us;
}

static int by_key(const void *one, const void *other)
{
    const struct end *a = *(struct end *const *)one, *b = *(struct end *const *)other;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool same_addresses(const struct end *a, const struct end *b)
{
    return memcmp(a->from.raw, b->from.raw, sizeof(a->from.raw)) == 0 &&
           memcmp(a->to.raw, b->to.raw, sizeof(a->to.raw)) == 0;
}

/* renamed: each recording was made anonymous by itself, so that addresses say nothing; ports stay. */
static bool fit(const struct end *a, const struct end *b, bool renamed)
{
    bool ids = a->id.known && b->id.known, addressed = a->to.known && b->to.known;
    return !b->partner && a->host != b->host && a->side + b->side == SIDE_CLIENT + SIDE_SERVER &&
           (ids ? a->id.value == b->id.value : addressed) &&
           (!addressed || (a->from.port == b->from.port && a->to.port == b->to.port &&
                           (ids || renamed || same_addresses(a, b))));
}

/* Joins ends of one id, or else of the same ports; returns whether addresses differ where ids don't. */
static bool pair(struct exchange *all, bool by_id, bool renamed)
{
    struct end **order = arena_alloc(all->arena, all->nends, sizeof(*order));
    size_t count = 0;
    for (size_t i = 1; i < all->nends; i++) {
        struct end *end = &all->ends[i];
        end->key = by_id ? end->id.value : (uint64_t)end->from.port << 16 | end->to.port;
        if (!end->partner && (by_id ? end->id.known : end->to.known))
            order[count++] = end;
    }
    if (count)
        qsort(order, count, sizeof(*order), by_key);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && !order[i]->partner && order[k]->key == order[i]->key; k++)
            if (fit(order[i], order[k], renamed)) {
                order[i]->partner = order[k];
                order[k]->partner = order[i];
                renamed |= order[i]->to.known && order[k]->to.known && !same_addresses(order[i], order[k]);
            }
    return renamed;
}

/* -- clocks ---------------------------------------------------------------------------------------------- */

/* What has to be added to the server's times: a request comes after it was sent, an answer is heard after it
 * was given. The other way round for the client's. */
static void bounds(const struct end *end, int64_t *least, int64_t *most)
{
    const struct end *client = end->side == SIDE_CLIENT ? end : end->partner, *server = client->partner;
    bool asked = client->asked && server->asked, answered = client->answered && server->answered;
    int64_t low = asked ? client->asked - server->asked : -FAR,
            high = answered ? client->answered - server->answered : FAR;
    *least = client == end ? -high : low;
    *most = client == end ? -low : high;
}

/* By its connections with the first host. Where the clocks may agree they do; with one of the bounds alone they
 * are no further apart than that. They drift: each connection goes by its own bounds in the end. */
static void find_clock(struct exchange *all, size_t of)
{
    struct recorded *host = &all->hosts[of];
    int64_t least = -FAR, most = FAR, low, high;
    for (size_t i = 1; i < all->nends; i++) {
        const struct end *end = &all->ends[i];
        if (!end->partner || end->host != of || end->partner->host != 0)
            continue;
        bounds(end, &low, &high);
        least = low > least ? low : least;
        most = high < most ? high : most;
        host->pairs++;
    }
    host->known = of == 0 || least != -FAR || most != FAR;
    bool agree = !host->known || (least <= 0 && most >= 0);
    least = least == -FAR ? most : least;
    most = most == FAR ? least : most;
    host->ahead_us = agree ? 0 : -(least + (most - least) / 2);
    host->within_us = agree ? 0 : llabs(most - least) / 2;
    for (size_t i = 1; i < all->nends; i++) {
        struct end *end = &all->ends[i];
        end->shift = end->host == of ? -host->ahead_us : end->shift;
        if (!end->partner || end->host != of || end->partner->host != 0)
            continue;
        bounds(end, &low, &high);
        end->shift = end->shift < low ? low : end->shift > high ? high : end->shift;
    }
}

static void tell_clock(const struct recorded *host, const struct recorded *first)
{
    double ms = (double)host->ahead_us / 1000;
    if (!host->known)
        say_warning("%s: it shares no connection with %s, so that nothing tells how its clock goes", host->name,
                    first->name);
    else if (!host->ahead_us)
        say_note("%s: its clock and %s's agree (connections that tell: %zu)", host->name, first->name,
                 host->pairs);
    else
        say_note(
            "%s: its clock is %.1f ms %s %s's (give or take %.1f ms, by %zu connections); all times are %s's",
            host->name, ms < 0 ? -ms : ms, ms < 0 ? "behind" : "ahead of", first->name,
            (double)host->within_us / 1000, host->pairs, first->name);
}

/* -- one order ------------------------------------------------------------------------------------------- */

static int by_time(const void *one, const void *other)
{
    const struct line *a = one, *b = other;
    if (a->us != b->us)
        return a->us < b->us ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Of two failures the one that was told of the other, or else the later one. */
static bool follows(const struct line *line, const struct line *other)
{
    return is_told(line) != is_told(other) ? is_told(line) : line > other;
}

static void join(const struct exchange *all, struct line *line, uint64_t *connections)
{
    const struct recorded *host = &all->hosts[line->host];
    struct end *end = &all->ends[line->end], *partner = end->partner;
    struct trace_shown *shown = &line->shown;
    if (line->end && !end->connection)
        end->connection = ++*connections;
    shown->utc_ms = (uint64_t)line->us / 1000;
    shown->host = host->name;
    shown->connection = end->connection;
    shown->ahead_us.known = line->step.kind == STEP_OF_START && host->known;
    shown->ahead_us.value = host->ahead_us;
    if (!partner)
        return;
    partner->connection = end->connection;
    line->step.from = line->step.to.known ? line->step.from : partner->from; /* a REJ's own has none */
    line->step.to = line->step.to.known ? line->step.to : partner->to;
    if (trace_is_failure(shown) && partner->failure && follows(line, partner->failure))
        shown->arose = &partner->failure->shown;
}

static void tell(struct exchange *all, const struct trace_seer *seer)
{
    uint64_t connections = 0;
    all->ends = arena_alloc(all->arena, all->nends, sizeof(*all->ends));
    for (size_t i = 0; i < all->count; i++)
        take_line(&all->ends[all->lines[i].end], &all->lines[i]);
    pair(all, false, pair(all, true, false));
    for (size_t i = 0; i < all->nhosts; i++) {
        find_clock(all, i);
        if (i)
            tell_clock(&all->hosts[i], &all->hosts[0]);
    }
    for (size_t i = 0; i < all->count; i++) {
        struct line *line = &all->lines[i];
        line->us += line->end ? all->ends[line->end].shift : -all->hosts[line->host].ahead_us;
    }
    if (all->count)
        qsort(all->lines, all->count, sizeof(*all->lines), by_time);
    for (size_t i = 0; i < all->count; i++) {
        struct line *line = &all->lines[i];
        line->shown.step = &line->step;
        if (trace_is_failure(&line->shown))
            all->ends[line->end].failure = line;
    }
    for (size_t i = 0; i < all->count; i++)
        join(all, &all->lines[i], &connections);
    for (size_t i = 0; i < all->count; i++)
        seer->see(seer->data, &all->lines[i].shown);
}

/* The host's name, or the path where that is another one's, too. */
static int gather_one(struct context *context, const char *path, struct exchange *all)
{
    struct args args = *context->args;
    struct context one = { .args = &args };
    const char *name = path;
    args.root = path;
    int r = machine_open(path, &one.source);
    if (r == 0)
        r = trace_feed_replay(&one, &(struct trace_seer){ keep, all }, all->arena);
    if (r == 0) {
        host_read_name(one.source, one.host);
        name = one.host->hostname ? one.host->hostname : path;
    } else {
        say_error("so '%s' cannot be shown", path);
    }
    for (size_t i = 0; i < all->nhosts; i++)
        name = strcmp(all->hosts[i].name, name) == 0 ? path : name;
    all->hosts[all->nhosts++].name = arena_strdup(all->arena, name);
    all->before = all->nends - 1;
    host_free(one.host);
    source_close(one.source);
    return r;
}

int trace_exchange(struct context *context, size_t count, const struct trace_seer *seer)
{
    struct exchange all = { .arena = arena_new(), .nends = 1 };
    int r = 0;
    all.hosts = arena_alloc(all.arena, count + 1, sizeof(*all.hosts));
    for (size_t i = 0; r == 0 && i < count; i++)
        r = gather_one(context, context->args->operands[i], &all);
    if (r == 0)
        tell(&all, seer);
    arena_free(all.arena);
    return r;
}
