/* SPDX-License-Identifier: MIT */
/* Joins what the kernel tells (source/tracing.h), what it means (trace/trace.h), and who and where that is. */
#include "command/trace_feed.h"

#include <poll.h>

#include "base/clock.h"
#include "check/use.h"
#include "model/gid.h"
#include "model/resources.h"
#include "model/services.h"
#include "selftest/diagnosis/diagnosis.h"
#include "source/recording/recording.h"
#include "source/tracing.h"

/* HOLD_BACK: what CPUs tell is put in order of time before it is taken. */
enum {
    HOLD_BACK_US = 100000,
    ASK_US = 300000,
    LOOK_US = 1000000,
    LIST_US = 2000000, /* a queue pair in it is a command to the device */
    CLOCK_EVERY_US = 60000000
};
enum { PLACES = 1 << 10, KEPT_MOST = 15 << 20, AHEAD = 64, FACTS_MOST = 16, LOG_LINES = 16, LOG_AT_ONCE = 64 };
/* Who stays behind empties the rings again after so many events that it takes, which lasts longer than to hear
 * of them. */
enum { TAKE_AT_ONCE = 64 };

struct trace_feed {
    struct context *context;
    struct trace_seer seer;
    struct tracer *tracer;
    struct hearing *hearing; /* NULL: none, or no more than the kernel's lists */
    struct placed {
        uint64_t pid;
        char *place; /* NULL: not known, "": none */
    } places[PLACES];
    uint64_t utc_ms, at_us; /* the time of day at a time */
    uint64_t asked_us, told_clock_us;
    bool records, full, bare, behind;
    struct bytes kept;
    int log_fd;                       /* of the kernel's log; negative: not to be read */
    struct trace_line log[LOG_LINES]; /* its last lines that matter, and how many there were */
    size_t nlog;
    struct host *now; /* at looked_us; NULL: not yet */
    uint64_t looked_us;
    struct arena *lasting; /* of what is told; NULL: nothing lasts */
    const char *rest;      /* of a replay: what is to be read; NULL: it is live */
    needs_t lists;         /* without tracepoints, the kernel's lists are all there is; 0: with them */
    struct host *listed;   /* as they were at asked_us */
    struct host *counted;  /* since queue pairs reached RTS, at counted_us; NULL: none has */
    uint64_t counted_us;
    bool left;   /* one has been left meanwhile: moved on, or destroyed */
    int why_not; /* -errno */
};

/* -- lines: what is kept is what is taken ---------------------------------------------------------------- */

static void take(struct trace_feed *feed, const struct trace_line *line);
static void on_step(void *data, const struct trace_step *step);

static void keep(struct trace_feed *feed, const struct trace_line *line)
{
    if (!feed->records || feed->full)
        return;
    trace_line_write(line, &feed->kept);
    feed->full = feed->kept.len > KEPT_MOST;
    if (feed->full)
        say_warning("the recording is full: what comes now isn't kept");
}

static void keep_and_take(struct trace_feed *feed, const struct trace_line *line)
{
    keep(feed, line);
    take(feed, line);
}

/* The moment that a line belongs to: now, or as long ago as the events that are taken now. */
static uint64_t taken_at(const struct trace_feed *feed)
{
    uint64_t now = clock_us(), oldest = feed->hearing ? trace_queue_oldest(feed->hearing->queue) : now;
    return oldest < now - HOLD_BACK_US ? oldest + HOLD_BACK_US : now;
}

static struct placed *placed(struct trace_feed *feed, uint64_t pid)
{
    struct placed *of = &feed->places[pid % PLACES];
    if (of->pid != pid) {
        free(of->place);
        *of = (struct placed){ .pid = pid };
    }
    return of;
}

static void set_place(struct trace_feed *feed, uint64_t pid, const char *place)
{
    struct placed *of = placed(feed, pid);
    free(of->place);
    of->place = mem_strdup(place);
}

static uint64_t utc_of(const struct trace_feed *feed, uint64_t time_us)
{
    return feed->utc_ms + time_us / 1000 - feed->at_us / 1000;
}

static void start(const struct trace_feed *feed, const struct trace_line *line)
{
    const struct trace_step step = { .kind = STEP_OF_START, .time_us = line->time_us };
    const struct trace_shown shown = {
        .step = &step,
        .utc_ms = utc_of(feed, line->time_us),
        .release = feed->lasting ? arena_strdup(feed->lasting, line->text) : line->text,
        .points = line->number,
    };
    feed->seer.see(feed->seer.data, &shown);
}

/* What is said again is the same line, later. */
static void take_log(struct trace_feed *feed, const struct trace_line *line)
{
    size_t i = feed->nlog > LOG_LINES ? feed->nlog - LOG_LINES : 0;
    while (i < feed->nlog && strcmp(feed->log[i % LOG_LINES].text, line->text) != 0)
        i++;
    feed->nlog += i == feed->nlog;
    feed->log[i % LOG_LINES] = *line;
}

static void tell_moved(struct trace_feed *feed, const struct trace_line *line)
{
    struct trace_step step = { .kind = STEP_OF_COUNTERS,
                               .time_us = line->time_us,
                               .took_us = num_of(line->number),
                               .state = feed->lasting ? arena_strdup(feed->lasting, line->text) : line->text };
    memcpy(step.device, line->event.device, sizeof(step.device));
    on_step(feed, &step);
}

/* What is found ahead with a failure (LINE_NOW) is left to that. */
static void take(struct trace_feed *feed, const struct trace_line *line)
{
    if (line->kind == LINE_CLOCK) {
        feed->utc_ms = line->number;
        feed->at_us = line->time_us;
    } else if (line->kind == LINE_PLACE) {
        set_place(feed, line->number, line->text);
    } else if (line->kind == LINE_LOG) {
        take_log(feed, line);
    } else if (line->kind == LINE_MOVED) {
        tell_moved(feed, line);
    }
    tracer_take(feed->tracer, line);
    if (line->kind == LINE_HEAD)
        start(feed, line);
}

/* -- what goes with a step ------------------------------------------------------------------------------- */

/* The way as a line has it: verdict, check and text, with blanks between; "-" for no check. */
static void keep_fact(struct trace_feed *feed, const struct trace_step *step, const struct way_fact *fact)
{
    struct trace_line line = { .kind = LINE_NOW, .time_us = step->time_us };
    line.event.from = step->from;
    line.event.to = step->to;
    snprintf(line.text, sizeof(line.text), "%d %s %s", (int)fact->verdict, fact->check ? fact->check : "-",
             fact->text);
    keep(feed, &line);
}

static const struct host *look(struct trace_feed *feed)
{
    uint64_t now = clock_us();
    if (feed->now && now <= feed->looked_us + LOOK_US)
        return feed->now;
    host_free(feed->now);
    feed->now = NULL;
    if (host_read(feed->context->source, way_needs(), &feed->now) == 0)
        feed->looked_us = now;
    return feed->now;
}

static size_t look_now(struct trace_feed *feed, const struct trace_step *step, struct arena *arena,
                       struct way_fact **facts)
{
    const uint8_t *from = step->from.raw;
    if (!look(feed))
        return 0;
    bool known = step->from.known && !gid_is_any(from);
    size_t count = way_facts(feed->now, known ? from : NULL, step->to.known ? step->to.raw : NULL, arena,
                             facts);
    for (size_t i = 0; i < count; i++)
        keep_fact(feed, step, &(*facts)[i]);
    return count;
}

static bool parse_fact(struct arena *arena, const char *text, struct way_fact *fact)
{
    const char *check = strchr(text, ' '), *rest = check ? strchr(check + 1, ' ') : NULL;
    unsigned verdict = (unsigned)strtoul(text, NULL, 10);
    if (!rest || verdict >= VERDICTS)
        return false;
    const char *name = arena_strndup(arena, check + 1, (size_t)(rest - check - 1));
    *fact = (struct way_fact){ .verdict = verdict,
                               .check = strcmp(name, "-") == 0 ? NULL : name,
                               .text = arena_strdup(arena, rest + 1) };
    return true;
}

/* In a replay what was found follows the line that told of the failure, behind other steps' and the places of
 * processes. */
static size_t look_ahead(const struct trace_feed *feed, const struct trace_step *step, struct arena *arena,
                         struct way_fact **facts)
{
    const char *rest = feed->rest;
    struct trace_line line;
    size_t count = 0;
    for (size_t i = 0; i < AHEAD && count < FACTS_MOST && trace_line_next(&rest, &line) > 0; i++) {
        struct way_fact fact;
        if (line.kind != LINE_NOW && line.kind != LINE_PLACE)
            break;
        if (line.kind == LINE_NOW && line.time_us == step->time_us &&
            memcmp(line.event.to.raw, step->to.raw, sizeof(step->to.raw)) == 0 &&
            parse_fact(arena, line.text, &fact))
            *ARENA_PUSH(arena, *facts, count) = fact;
    }
    return count;
}

static const char *place_of(struct trace_feed *feed, const struct trace_step *step, struct arena *arena)
{
    struct placed *of = step->pid.known ? placed(feed, step->pid.value) : NULL;
    struct process process = { .pid = step->pid.value };
    if (of && !of->place && !feed->rest) {
        source_process(feed->context->source, arena, &process);
        struct cgroup_words words = cgroup_words(arena, process.cgroup);
        const char *place = process.cgroup ? cgroup_words_best(arena, &words) : NULL;
        struct trace_line line = { .kind = LINE_PLACE, .time_us = step->time_us, .number = process.pid };
        snprintf(line.text, sizeof(line.text), "%s", place ? place : "");
        if (place)
            keep(feed, &line);
        set_place(feed, process.pid, line.text);
    }
    return of && of->place && *of->place ? arena_strdup(arena, of->place) : NULL;
}

/* -- what moves once queue pairs are ready --------------------------------------------------------------- */

static const needs_t counting = NEED_STATE | NEED_COUNTERS;

/* Counters of one port that tell of trouble. */
static void compare_port(struct trace_feed *feed, const struct host *now, const struct port *port,
                         const struct trace_line *base)
{
    struct trace_line line = *base;
    struct grown_counters grown;
    size_t len = 0;
    counters_grown(feed->counted, now, port->device->name, port->number, &grown);
    len += (size_t)snprintf(line.text, sizeof(line.text), "port %" PRIu32 ":", port->number);
    size_t head = len;
    for (size_t i = 0; i < grown.ncounters && len < sizeof(line.text); i++)
        if (grown.counters[i].severity != COUNTER_INFO)
            len += (size_t)snprintf(line.text + len, sizeof(line.text) - len, " %s +%" PRIu64,
                                    grown.counters[i].name, grown.counters[i].delta);
    snprintf(line.event.device, sizeof(line.event.device), "%s", port->device->name);
    if (len > head)
        keep_and_take(feed, &line);
}

/* Called again and again while something is looked at: reads no more often than that needs. */
static void look_at_counters(struct trace_feed *feed)
{
    struct host *now = NULL;
    struct trace_line line = { .kind = LINE_MOVED, .time_us = clock_us() };
    feed->left = false;
    line.number = line.time_us - feed->counted_us;
    if (!feed->counted || host_read(feed->context->source, counting, &now) < 0)
        return;
    for (const struct port *port = NULL; (port = host_next_port(now, port));)
        compare_port(feed, now, port, &line);
    host_free(feed->counted);
    feed->counted = now;
    feed->counted_us = line.time_us;
}

/* Of a queue pair's step, live: from RTS on counters are of interest, and when it is left, what they say. */
static void follow_queue(struct trace_feed *feed, const struct trace_step *step)
{
    enum trace_queue_step to = trace_queue_step(step->mask.value);
    if (to == QUEUE_RTS && !feed->counted && host_read(feed->context->source, counting, &feed->counted) == 0)
        feed->counted_us = clock_us();
    feed->left |= to == QUEUE_OTHER;
}

/* -- a step ---------------------------------------------------------------------------------------------- */

static void add_log(const struct trace_feed *feed, const struct trace_step *step, struct arena *arena,
                    struct trace_shown *shown)
{
    for (size_t i = feed->nlog > LOG_LINES ? feed->nlog - LOG_LINES : 0; i < feed->nlog; i++)
        if (log_line_is_of(&feed->log[i % LOG_LINES], step))
            *ARENA_PUSH(arena, shown->log, shown->nlog) = arena_strdup(arena, feed->log[i % LOG_LINES].text);
}

static void on_step(void *data, const struct trace_step *step)
{
    struct trace_feed *feed = data;
    struct arena *arena = feed->lasting ? feed->lasting : arena_new();
    struct way_fact *facts = NULL;
    struct trace_shown shown = { .step = step, .connection = step->connection };
    shown.utc_ms = utc_of(feed, step->time_us);
    shown.place = place_of(feed, step, arena);
    if (step->kind >= STEPS_FAILED && !feed->bare && (step->to.known || step->mask.known) &&
        step->side != SIDE_SERVER)
        shown.nfacts = feed->rest ? look_ahead(feed, step, arena, &facts) : look_now(feed, step, arena, &facts);
    shown.facts = facts;
    add_log(feed, step, arena, &shown);
    if (step->kind == STEP_OF_QUEUE && !feed->rest && !feed->lists)
        follow_queue(feed, step);
    feed->seer.see(feed->seer.data, &shown);
    if (!feed->lasting)
        arena_free(arena);
}

static struct trace_feed *feed_new(struct context *context, const struct trace_seer *seer)
{
    struct trace_feed *feed = mem_alloc(1, sizeof(*feed));
    feed->context = context;
    feed->seer = *seer;
    feed->log_fd = -1;
    return feed;
}

void trace_feed_close(struct trace_feed *feed)
{
    if (!feed)
        return;
    hearing_close(feed->hearing);
    tracer_free(feed->tracer);
    if (feed->log_fd >= 0)
        close(feed->log_fd);
    host_free(feed->now);
    host_free(feed->listed);
    host_free(feed->counted);
    for (size_t i = 0; i < PLACES; i++)
        free(feed->places[i].place);
    bytes_free(&feed->kept);
    free(feed);
}

/* -- the live machine ------------------------------------------------------------------------------------ */

static int say_why_not(struct trace_feed *feed, int r, const char *lost)
{
    static const struct {
        int err;
        const char *text;
    } reasons[] = {
        { -EACCES, "only root may read the kernel's tracepoints" },
        { -EPERM, "only root may read the kernel's tracepoints" },
        { -ENODEV, "tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing" },
        { -EMFILE, "not enough file descriptors, one for each event and CPU: raise 'ulimit -n'" },
        { -EOPNOTSUPP, "--queue-pairs needs kprobes, and a processor of x86-64 or arm64" },
    };
    size_t i = 0;
    while (i < ARRAY_SIZE(reasons) && reasons[i].err != r)
        i++;
    const char *why = i < ARRAY_SIZE(reasons) ? reasons[i].text : NULL, *how = i < 2 ? ": sudo roce trace" : "";
    if (i < 3 && tracing_is_locked(feed->context->source)) {
        why = "the kernel's lockdown is 'confidentiality': it lets nobody trace "
              "(/sys/kernel/security/lockdown)";
        how = "";
    }
    if (r == -ENOENT)
        return r;
    if (lost)
        say_warning("%s: %s", lost, why ? why : say_errno(r));
    else if (why)
        say_error("%s%s", why, how);
    else
        say_error("cannot trace: %s", say_errno(r));
    return r;
}

static void tell_clock(struct trace_feed *feed)
{
    struct trace_line line = { .kind = LINE_CLOCK, .time_us = clock_us(), .number = clock_utc_ms() };
    feed->told_clock_us = line.time_us;
    keep_and_take(feed, &line);
}

/* Several times a second, where there is much to tell. */
static struct host *list_again(struct trace_feed *feed, needs_t wanted)
{
    struct source *source = feed->context->source;
    struct host *host = NULL;
    feed->asked_us = clock_us();
    source_keep_open(source, true);
    (void)host_read(source, wanted, &host);
    source_keep_open(source, false);
    return host;
}

/* nldev's list of CM ids. all: at the start; else those that a step waits for. */
static void ask_owners(struct trace_feed *feed, bool all)
{
    struct host *host = list_again(feed, NEED_NLDEV | NEED_CM_IDS);
    if (!host)
        return;
    const struct resources *resources = host->resources;
    for (size_t i = 0; all && i < host->ndevices; i++) {
        struct trace_line line = { .kind = LINE_DEVICE, .time_us = feed->asked_us };
        snprintf(line.text, sizeof(line.text), "%s", host->devices[i].name);
        if (host->devices[i].nports && host->devices[i].ports[0].transport == TRANSPORT_IWARP)
            keep_and_take(feed, &line);
    }
    for (size_t i = 0; resources && i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        struct trace_line line = { .kind = LINE_OWNER, .time_us = taken_at(feed) };
        struct trace_event *owner = &line.event;
        if (item->type != RESOURCE_CM_ID || !item->source || !trace_address_parse(item->source, &owner->from))
            continue;
        (void)(item->destination && trace_address_parse(item->destination, &owner->to));
        owner->pid = item->pid.known ? item->pid.value : 0;
        line.number = text_is(item->state, "CONNECT");
        snprintf(owner->task, sizeof(owner->task), "%s", item->comm ? item->comm : "");
        snprintf(owner->device, sizeof(owner->device), "%s", item->device);
        if (all || tracer_wonders_about(feed->tracer, owner))
            keep_and_take(feed, &line);
    }
    host_free(host);
}

static void tell_head(struct trace_feed *feed)
{
    struct trace_line line = { .kind = LINE_HEAD,
                               .time_us = clock_us(),
                               .number = feed->hearing ? feed->hearing->points : 0 };
    struct host *host = NULL;
    if (host_read(feed->context->source, NEED_SYSTEM, &host) == 0 && host->system.kernel)
        snprintf(line.text, sizeof(line.text), "%s", host->system.kernel);
    host_free(host);
    keep_and_take(feed, &line);
}

/* -- without the tracepoints: the kernel's lists --------------------------------------------------------- */

/* Looks where the one before it was found first: both lists are in the kernel's order, and long on some hosts.
 */
static const struct resource *find_item(const struct host *host, const struct resource *item, size_t *at)
{
    size_t count = host->resources ? host->resources->nitems : 0;
    for (size_t i = 0; i < count; i++) {
        const struct resource *other = &host->resources->items[(*at + i) % count];
        if (other->id.value == item->id.value && other->type == item->type &&
            text_same(other->device, item->device)) {
            *at = (*at + i + 1) % count;
            return other;
        }
    }
    return NULL;
}

static void tell_item(struct trace_feed *feed, const struct resource *item, bool gone)
{
    struct trace_step step = { .kind = gone                              ? STEP_OF_GONE
                                       : text_is(item->state, "CONNECT") ? STEP_OF_CONNECTED
                                                                         : STEP_OF_APPEARED,
                               .time_us = feed->asked_us,
                               .state = item->state,
                               .pid = num_wide(item->pid),
                               .in_kernel = !item->pid.known,
                               .qp = num_wide(item->lqpn) };
    (void)(item->source && trace_address_parse(item->source, &step.from));
    (void)(item->destination && trace_address_parse(item->destination, &step.to));
    snprintf(step.name, sizeof(step.name), "%s", item->comm ? item->comm : "");
    snprintf(step.device, sizeof(step.device), "%s", item->device);
    on_step(feed, &step);
}

/* Those of in that weren't in other, or in another state. */
static void tell_others(struct trace_feed *feed, const struct host *in, const struct host *other, bool gone)
{
    size_t at = 0;
    for (size_t i = 0; in->resources && i < in->resources->nitems; i++) {
        const struct resource *item = &in->resources->items[i], *same;
        if (item->type != RESOURCE_CM_ID && !resource_is_use(item))
            continue;
        same = find_item(other, item, &at);
        if (!same || (!gone && !text_same(same->state, item->state)))
            tell_item(feed, item, gone);
    }
}

/* What there is at first isn't told: it didn't appear now. */
static void look_at_lists(struct trace_feed *feed)
{
    struct host *now = list_again(feed, feed->lists);
    if (!now)
        return;
    if (feed->listed) {
        tell_others(feed, feed->listed, now, true);
        tell_others(feed, now, feed->listed, false);
    }
    host_free(feed->listed);
    feed->listed = now;
}

static int wait_for_lists(struct trace_feed *feed, int milliseconds)
{
    if (clock_us() >= feed->asked_us + LIST_US)
        look_at_lists(feed);
    return poll(NULL, 0, milliseconds) < 0 ? -errno : 0;
}

static void begin_lists(struct trace_feed *feed, int why_not, bool queue_pairs)
{
    say_warning(
        "so this tells what the kernel lists, every 2 s: what fails, lives for less, and causes can't be seen");
    feed->why_not = why_not;
    feed->lists = NEED_NLDEV | (queue_pairs ? NEED_USERS : NEED_CM_IDS);
    tell_clock(feed);
    tell_head(feed);
    look_at_lists(feed);
}

int trace_feed_open(struct context *context, const struct trace_seer *seer, const struct trace_wish *wish,
                    struct trace_feed **out)
{
    struct trace_feed *feed = feed_new(context, seer);
    feed->records = wish->records;
    feed->bare = wish->bare;
    feed->behind = wish->behind;
    feed->tracer = tracer_new(on_step, feed);
    int r = hearing_open(context->source, wish, &feed->hearing);
    if (r < 0)
        r = say_why_not(feed, r, wish->lost);
    if (wish->lists && (r == -EACCES || r == -EPERM || r == -ENODEV)) {
        begin_lists(feed, r, wish->queue_pairs);
        *out = feed;
        return 0;
    }
    if (r < 0) {
        trace_feed_close(feed);
        return r;
    }
    feed->log_fd = wish->bare ? -1 : source_log_open(context->source);
    tell_clock(feed);
    tell_head(feed);
    ask_owners(feed, true);
    *out = feed;
    return 0;
}

/* Its times are of another clock: a line is of the moment that it is heard at, before the events of that moment
 * are taken. */
static void hear_log(struct trace_feed *feed)
{
    struct log_record record;
    for (int i = 0; i < LOG_AT_ONCE && feed->log_fd >= 0 && source_log_next(feed->log_fd, &record) > 0; i++) {
        struct trace_line line = { .time_us = taken_at(feed) };
        if (log_line_is_known(record.text) && log_line_matters(look(feed), record.text, &line))
            keep_and_take(feed, &line);
    }
}

/* What is heard is put in order by being held back. */
static void take_heard(struct trace_feed *feed, uint64_t until_us, size_t most)
{
    struct trace_line line = { .kind = LINE_EVENT };
    hearing_hear(feed->hearing);
    uint64_t lost = feed->hearing->lost;
    feed->hearing->lost = 0;
    if (lost)
        keep_and_take(feed,
                      &(struct trace_line){ .kind = LINE_LOST, .time_us = taken_at(feed), .number = lost });
    hear_log(feed);
    for (size_t i = 0; i < most && trace_queue_next(feed->hearing->queue, until_us, &line.event); i++) {
        line.time_us = line.event.time_us;
        keep_and_take(feed, &line);
    }
}

int trace_feed_wait(struct trace_feed *feed, int milliseconds)
{
    if (feed->lists)
        return wait_for_lists(feed, milliseconds);
    bool is_behind = trace_queue_oldest(feed->hearing->queue) < clock_us() - HOLD_BACK_US;
    int r = tracing_wait(feed->hearing->tracing, is_behind ? 0 : milliseconds);
    uint64_t now = clock_us();
    take_heard(feed, now - HOLD_BACK_US, feed->behind ? TAKE_AT_ONCE : SIZE_MAX);
    if (tracer_wonders(feed->tracer) && now > feed->asked_us + ASK_US)
        ask_owners(feed, false);
    tracer_tick(feed->tracer, taken_at(feed) - HOLD_BACK_US);
    feed->left |= trace_queue_returned(feed->hearing->queue); /* nothing else tells of what is destroyed */
    if (feed->left && now > feed->counted_us + LOOK_US)
        look_at_counters(feed);
    if (now > feed->told_clock_us + CLOCK_EVERY_US)
        tell_clock(feed);
    return r;
}

int trace_feed_fd(const struct trace_feed *feed)
{
    return tracing_fd(feed->hearing->tracing);
}

static int save(struct trace_feed *feed, const char *path)
{
    struct source *source = feed->context->source;
    struct bytes text = { 0 };
    struct host *host = NULL;
    source_record_begin(source);
    int r = host_read(source, NEED_ALL, &host);
    source_trace_keep(source, &feed->kept);
    int end = source_record_end(source, false, &text);
    r = r < 0 ? r : end;
    if (r == 0)
        r = recording_save(path, &text);
    if (r < 0)
        say_error("cannot record into '%s': %s", path, say_errno(r));
    host_free(host);
    bytes_free(&text);
    return r;
}

int trace_feed_end(struct trace_feed *feed, const char *path)
{
    struct trace_line line = { .kind = LINE_END, .time_us = clock_us() };
    if (feed->lists)
        return feed->why_not;
    for (int i = 0; i < 2; i++) /* what found no room at first, too */
        take_heard(feed, UINT64_MAX, SIZE_MAX);
    if (tracer_wonders(feed->tracer))
        ask_owners(feed, false);
    look_at_counters(feed);
    line.time_us += LOOK_US; /* nothing is held back any more */
    keep_and_take(feed, &line);
    return path ? save(feed, path) : 0;
}

/* -- a recording ----------------------------------------------------------------------------------------- */

int trace_feed_replay(struct context *context, const struct trace_seer *seer, struct arena *arena)
{
    int r = context_read(context, NEED_TRACE);
    if (r < 0)
        return r;
    if (!context->host->trace) {
        say_error("this recording has no trace: roce trace --record FILE makes one that has");
        return -ENOENT;
    }
    struct trace_feed *feed = feed_new(context, seer);
    struct trace_line line;
    size_t number = 1;
    feed->lasting = arena;
    feed->tracer = tracer_new(on_step, feed);
    feed->rest = context->host->trace;
    for (; (r = trace_line_next(&feed->rest, &line)) > 0; number++)
        take(feed, &line);
    if (r < 0)
        say_error(
            "'%s': line %zu of its probe/trace is none that 'roce trace --record' writes: take it out, or "
            "record again",
            context->args->root, number);
    trace_feed_close(feed);
    return r;
}
