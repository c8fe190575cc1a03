/* SPDX-License-Identifier: MIT */
/* Frames of roce top: when the next is due, whether it comes from the live machine or from a file, and keeping
 * them in a file, one JSON object a line. */
#include "command/top/top.h"

#include "base/clock.h"
#include "check/check.h"
#include "model/resources.h"
#include "source/monitor.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "view/history.h"
#include "view/top/top.h"

/* What changes slowly and takes long to read (a machine may have thousands of queue pairs) is read no more
 * often than this, and never uses more than a 200th of the time. */
enum {
    USERS_MS = 5000,
    USERS_SOON_MS = 2000, /* even where something changes all the time */
    VERDICTS_MS = 60000,
    SLOW_SHARE = 200,
    IDLE_LOOK_MS = 10000,
    EVENTS_MOST = 256,
    GAP_MOST_MS = 10000
};

static const needs_t needs = NEED_STATE | NEED_RATE | NEED_NETDEV | NEED_NLDEV | NEED_TOTALS | NEED_COUNTERS |
                             NEED_PAUSES;
static const needs_t neighbor_needs = NEED_LLDP | NEED_NETDEV | NEED_NETDEV_ALL | NEED_NLDEV | NEED_ADDRESSES;
static const needs_t users_needs = NEED_NLDEV | NEED_RESOURCES | NEED_SERVICES | NEED_NETDEV | NEED_ADDRESSES |
                                   NEED_GID_SUMMARY;

struct slow_reading {
    struct host *host;      /* NULL: none yet */
    uint64_t due, earliest; /* earliest: not even an event makes it due before, for what it costs */
    bool often;             /* its files are worth being kept open */
};

struct feed {
    struct context *context;
    struct feed_options options;
    FILE *replay;      /* NULL: the live machine */
    const char *name;  /* of the replay */
    struct bytes line; /* of the replay, with its number from 1 on */
    size_t number;
    struct frame *ahead; /* of the replay, until it is due */
    uint64_t shown_ms;   /* the recording's time of the frame last shown */
    uint64_t due;        /* as clock_ms() */
    struct host *before; /* the previous reading; NULL if none */
    uint64_t then;       /* when it was made, as clock_us() */
    char *look_at;       /* the device to look at closely; NULL if none */
    char *looked_at;     /* the same, in the previous reading */
    struct slow_reading users, judged;
    pid_t *pids; /* of the users in the frame before */
    size_t npids;
    uint64_t left_due;    /* from when on a process that has ended makes users due at once */
    uint64_t users_soon;  /* and from when on another number of what is held does, where that costs little */
    bool users_changed;   /* it is another */
    struct report report; /* of judged, in report_arena */
    struct arena *report_arena;
    struct monitor *monitor; /* NULL if none */
    int monitor_err;
    struct frame *heard; /* the events that are in no other frame yet */
};

static void on_event(void *data, const struct event *event)
{
    struct feed *feed = data;
    if (feed->heard->nevents < EVENTS_MOST)
        frame_add_event(feed->heard, event);
    feed->judged.due = feed->judged.earliest;
}

static void open_monitor(struct feed *feed)
{
    struct monitor_options options = { .idle_ms = IDLE_LOOK_MS }; /* each frame's reading is compared */
    feed->heard = frame_new();
    feed->monitor_err = -monitor_open(feed->context->source, &options, on_event, feed, &feed->monitor);
}

/* -- reading a replay
 * ------------------------------------------------------------------------------------------ */

/* Returns 1 for a line, 0 at the end, or -errno. A line too long is cut where that is noticed. */
static int read_line(struct feed *feed)
{
    char part[16384];
    feed->line.len = 0;
    feed->number++;
    while (feed->line.len <= FRAME_LINE_MOST && fgets(part, sizeof(part), feed->replay)) {
        size_t len = strlen(part);
        bytes_append(&feed->line, part, len);
        if (len && part[len - 1] == '\n')
            return 1;
    }
    if (ferror(feed->replay))
        return -(errno ? errno : EIO);
    return feed->line.len > 0;
}

static int read_frame(struct feed *feed, struct frame *before, struct frame **frame)
{
    struct frame_fault fault;
    int r = read_line(feed);
    if (r < 0)
        say_error("cannot read '%s': %s", feed->name, say_errno(r));
    if (r <= 0)
        return r;
    if (frame_parse(feed->line.data, feed->line.len, before, frame, &fault) < 0)
        return say_invalid("'%s': line %zu: %s", feed->name, feed->number, fault.what);
    return 0;
}

/* Leaves the first frame of that time, or soon after it, as the one ahead. */
static int skip_to(struct feed *feed, uint64_t ms)
{
    enum { SOON_MS = 65000 }; /* each minute that is recorded has a line */
    const struct history_place *place = feed->options.replay;
    struct frame *before = NULL, *frame;
    char time[32], span[PLACE_SPAN_SIZE];
    int r;
    do {
        frame = NULL;
        if (before)
            before->gives = true;
        r = read_frame(feed, before, &frame);
        frame_free(before);
        before = frame;
    } while (frame && frame->time_ms < ms);
    feed->ahead = frame;
    if (r < 0 || (frame && frame->time_ms <= ms + SOON_MS))
        return r;
    history_time_text(ms, place->now_ms, time);
    return say_invalid("--at: at %s nothing was recorded in '%s'%s", time, feed->name,
                       place_span_text(place, span));
}

static int open_replay(struct feed *feed)
{
    const struct history_place *place = feed->options.replay;
    errno = 0;
    feed->replay = place_stream(place, feed->options.at_ms);
    if (!feed->replay)
        return place_say_unread(feed->context, place, errno ? -errno : -EIO);
    return feed->options.at_ms ? skip_to(feed, feed->options.at_ms) : 0;
}

int feed_open(struct context *context, const struct feed_options *options, struct feed **out)
{
    struct feed *feed = mem_alloc(1, sizeof(*feed));
    *feed = (struct feed){
        .context = context, .options = *options, .due = clock_ms(), .users = { .often = true }
    };
    int r = 0;
    if (options->replay) {
        feed->name = place_name(context, options->replay);
        r = open_replay(feed);
    } else if (options->people) {
        open_monitor(feed);
    }
    if (r < 0)
        feed_close(feed);
    else
        *out = feed;
    return r;
}

void feed_close(struct feed *feed)
{
    if (!feed)
        return;
    if (feed->replay && feed->replay != stdin)
        fclose(feed->replay);
    bytes_free(&feed->line);
    frame_free(feed->ahead);
    monitor_close(feed->monitor);
    host_free(feed->before);
    host_free(feed->users.host);
    host_free(feed->judged.host);
    arena_free(feed->report_arena);
    free(feed->pids);
    free(feed->look_at);
    free(feed->looked_at);
    frame_free(feed->heard);
    free(feed);
}

/* -- a live machine ------------------------------------------------------------------------------------ */

/* Reads it if it is due; true: it is another one now. */
static bool read_slowly(const struct feed *feed, struct slow_reading *slow, needs_t wanted, uint64_t least_ms)
{
    uint64_t now = clock_ms();
    clock_t begin = clock(); /* what it costs, not how long it takes */
    if (now < slow->due)
        return false;
    struct host *host = NULL;
    if (slow->often)
        source_keep_open(feed->context->source, true);
    bool read = host_read(feed->context->source, wanted, &host) == 0;
    source_keep_open(feed->context->source, false);
    if (read) {
        host_free(slow->host);
        slow->host = host;
    }
    uint64_t pause = (uint64_t)(clock() - begin) * SLOW_SHARE / (CLOCKS_PER_SEC / 1000);
    slow->earliest = now + pause;
    slow->due = now + (pause > least_ms ? pause : least_ms);
    return read;
}

static void judge(struct feed *feed)
{
    static const struct check_selection glance = { .glance = true };
    source_count_only(feed->context->source, 0, NULL); /* the next frame limits it again */
    if (!read_slowly(feed, &feed->judged, check_needs(&glance), VERDICTS_MS))
        return;
    arena_free(feed->report_arena);
    feed->report_arena = arena_new();
    feed->report = check_run(feed->judged.host, NULL, 0, &glance, feed->report_arena);
}

/* What the ports' cables end in, and doctor's word for them, if it is asked. */
static void add_verdicts(struct feed *feed, struct frame *frame)
{
    if (feed->options.verdicts)
        judge(feed);
    else if (feed->options.recorder)
        (void)read_slowly(feed, &feed->judged, neighbor_needs, VERDICTS_MS);
    for (size_t i = 0; feed->judged.host && i < frame->nports; i++) {
        struct frame_port *shown = &frame->ports[i];
        const struct device *device = host_find_device(feed->judged.host, shown->device);
        const struct port *port = device ? device_port(device, shown->number) : NULL;
        if (!port)
            continue;
        if (feed->report_arena)
            shown->verdict = arena_strdup(frame->arena, check_port_verdict(&feed->report, port).word);
        const struct lldp_neighbor *neighbor = port_neighbor(feed->judged.host, port);
        if (neighbor)
            shown->neighbor = lldp_text(frame->arena, neighbor);
    }
}

/* Has a process ended that used a device? */
static bool somebody_left(const struct feed *feed)
{
    for (size_t i = 0; i < feed->npids; i++)
        if (kill(feed->pids[i], 0) < 0 && errno == ESRCH)
            return true;
    return false;
}

/* Are there more queue pairs, or other things that are held, or fewer? */
static bool differs_in_totals(const struct host *before, const struct host *now)
{
    const struct resources *was = before->resources, *is = now->resources;
    if (!was || !is || was->ntotals != is->ntotals)
        return was != is;
    for (size_t i = 0; i < is->ntotals; i++)
        if (was->totals[i].count != is->totals[i].count ||
            strcmp(was->totals[i].device, is->totals[i].device) != 0 ||
            strcmp(was->totals[i].type, is->totals[i].type) != 0)
            return true;
    return false;
}

static void remember_pids(struct feed *feed, const struct frame *frame)
{
    feed->pids = mem_resize(feed->pids, frame->nusers + 1, sizeof(*feed->pids));
    feed->npids = 0;
    for (size_t i = 0; i < frame->nusers; i++)
        if (frame->users[i].pid.known && frame->users[i].pid.value > 1 && frame->users[i].pid.value < INT_MAX)
            feed->pids[feed->npids++] = (pid_t)frame->users[i].pid.value;
}

static void add_people(struct feed *feed, struct frame *frame)
{
    uint64_t now = clock_ms();
    if (now >= feed->left_due && somebody_left(feed)) {
        feed->users.due = now;
        feed->left_due = now + USERS_MS;
    } else if (feed->users_changed && now >= feed->users_soon) {
        feed->users.due = feed->users.earliest;
    }
    if (feed->options.people && read_slowly(feed, &feed->users, users_needs, USERS_MS)) {
        feed->users_changed = false;
        feed->users_soon = now + USERS_SOON_MS;
    }
    if (feed->users.host)
        frame_add_users(frame, feed->users.host);
    remember_pids(feed, frame);
    if (feed->heard)
        frame_take_events(frame, feed->heard);
}

/* Reads the machine into context->host. A named device may be gone for now: then the rest is shown. */
static int read_host(struct feed *feed)
{
    struct context *context = feed->context;
    bool first = !feed->before;
    source_count_only(context->source, frame_roles(feed->options.recorder), feed->look_at);
    context->host = NULL;
    source_keep_open(context->source, true);
    int r = context_read(context, (feed->options.people ? needs | NEED_STATISTICS : needs & ~NEED_TOTALS) |
                                      (feed->options.recorder ? NEED_FEC : 0));
    source_keep_open(context->source, false);
    if (r < 0)
        return r;
    host_read_name(context->source, context->host);
    struct selection_error error;
    if (first && (r = context_select(context, context->args->operands, context->args->noperands)) == 0 &&
        context->selection.some && context->selection.nparts == 1 && !feed->look_at)
        feed_look_at(feed, context->selection.parts[0].port->device->name);
    if (first)
        return r;
    (void)selection_make(&context->selection, context->host, context->args->operands, context->args->noperands,
                         &error);
    return 0;
}

static int next_reading(struct feed *feed, struct frame **out)
{
    uint64_t now = clock_us();
    int r = read_host(feed);
    if (r < 0)
        return r;
    const struct host *host = feed->context->host;
    if (feed->monitor)
        (void)monitor_compare(feed->monitor, host);
    double seconds = (double)(now - feed->then) / 1e6;
    struct frame *frame = frame_make(feed->before, host, &feed->context->selection, seconds);
    if (feed->before && feed->look_at && feed->looked_at && strcmp(feed->look_at, feed->looked_at) == 0)
        frame_add_counters(frame, feed->before, host, feed->look_at, seconds);
    free(feed->looked_at);
    feed->looked_at = feed->look_at ? mem_strdup(feed->look_at) : NULL;
    feed->users_changed |= feed->before && differs_in_totals(feed->before, host);
    host_free(feed->before);
    feed->before = feed->context->host;
    feed->context->host = NULL;
    feed->then = now;
    add_verdicts(feed, frame);
    add_people(feed, frame);
    *out = frame;
    return 0;
}

/* By the clock, so that reading times don't add up; missed readings are skipped. */
static void set_due(struct feed *feed)
{
    uint64_t now = clock_ms(), step = (uint64_t)(feed->options.interval * 1000);
    feed->due += step;
    if (feed->due <= now)
        feed->due = now + step;
}

/* -- playing a replay ------------------------------------------------------------------------------------ */

/* Looks one frame ahead to know when it is due. */
static int look_ahead(struct feed *feed, struct frame *before)
{
    int r = read_frame(feed, before, &feed->ahead);
    if (r < 0 || !feed->ahead)
        return r;
    bool later = feed->shown_ms && feed->ahead->time_ms > feed->shown_ms; /* clocks may be set back */
    uint64_t gap = later ? feed->ahead->time_ms - feed->shown_ms : 0;
    gap = (uint64_t)((double)(gap > GAP_MOST_MS ? GAP_MOST_MS : gap) / feed->options.speed);
    feed->due = clock_ms() + gap;
    return 0;
}

static int next_recorded(struct feed *feed, struct frame **frame)
{
    int r = 0;
    if (!feed->shown_ms && !feed->ahead)
        r = look_ahead(feed, NULL);
    if (r < 0)
        return r;
    *frame = feed->ahead;
    feed->ahead = NULL;
    if (!*frame)
        return 0;
    feed->shown_ms = (*frame)->time_ms ? (*frame)->time_ms : 1;
    r = look_ahead(feed, *frame);
    frame_select(*frame, feed->context->args->operands, feed->context->args->noperands);
    if (r < 0) {
        frame_free(*frame);
        *frame = NULL;
    }
    return r;
}

/* -- both ---------------------------------------------------------------------------------------------- */

int feed_next(struct feed *feed, struct frame **frame)
{
    *frame = NULL;
    if (feed->replay)
        return next_recorded(feed, frame);
    int r = next_reading(feed, frame);
    set_due(feed);
    return r;
}

int feed_wait_ms(const struct feed *feed)
{
    uint64_t now = clock_ms();
    return feed->due > now ? (int)(feed->due - now) : 0;
}

void feed_set_interval(struct feed *feed, double seconds)
{
    feed->due += (uint64_t)(seconds * 1000) - (uint64_t)(feed->options.interval * 1000);
    feed->options.interval = seconds;
}

void feed_look_at(struct feed *feed, const char *device)
{
    free(feed->look_at);
    feed->look_at = device ? mem_strdup(device) : NULL;
}

size_t feed_fds(const struct feed *feed, struct pollfd fds[static FEED_FDS])
{
    return feed->monitor ? monitor_fds(feed->monitor, fds, FEED_FDS) : 0;
}

void feed_hear(struct feed *feed)
{
    if (feed->monitor)
        (void)monitor_wait(feed->monitor, 0);
}

bool feed_is_replay(const struct feed *feed)
{
    return feed->replay != NULL;
}

const char *feed_deaf(const struct feed *feed)
{
    return feed->monitor_err ? say_errno(feed->monitor_err) : NULL;
}

/* -- keeping them -------------------------------------------------------------------------------------- */

static int fail_to_write(const struct record *record, int err)
{
    err = err ? err : EIO;
    say_error("cannot write '%s': %s", record->path, say_errno(err));
    return -err;
}

int record_open(struct record *record)
{
    if (!record->path)
        return 0;
    int fd = recording_open_new(record->path);
    record->file = fd < 0 ? NULL : fdopen(fd, "w");
    return record->file ? 0 : fail_to_write(record, fd < 0 ? -fd : errno);
}

int record_add(const struct record *record, const struct frame *frame)
{
    static const struct look all = { .json = true };
    if (!record->file || frame->seconds <= 0)
        return 0;
    json_t *json = top_json(frame, &all);
    int r = json_dumpf(json, record->file, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(json);
    bool bad = r < 0 || fputc('\n', record->file) == EOF || fflush(record->file) == EOF;
    return bad ? fail_to_write(record, errno) : 0;
}

int record_close(const struct record *record)
{
    return record->file && fclose(record->file) != 0 ? fail_to_write(record, errno) : 0;
}
