/* SPDX-License-Identifier: MIT */
/* The flight recorder: what top reads, each second, and what else happens, kept as only what changed. */
#include <math.h>

#include "base/clock.h"
#include "base/version.h"
#include "command/history.h"
#include "command/top/top.h"
#include "command/trace_feed.h"
#include "model/facts.h"
#include "selftest/queues/wait.h"
#include "source/tracing.h"
#include "view/top/top.h"

enum {
    FACTS_MS = 5 * 60 * 1000,
    JUMP_MS = 1000, /* more than a clock that is slewed moves in a second */
    LOG_MOST = 64,  /* lines in a second; failed connections, too */
    TRACE_MS = 10 * 1000,
    DIGITS = 4,
    NOISE_BYTES = 64 << 10, /* a second */
    NOISE_PACKETS = 100
};

struct recorder {
    struct context *context;
    struct feed *feed;
    struct history_writer *writer;
    const char *directory;
    json_t *last;             /* the line before, whole; NULL: none */
    struct bytes readings;    /* the file's, whole; empty: none yet */
    int log;                  /* -1: may not be read */
    struct trace_feed *trace; /* NULL: not allowed, or not yet */
    uint64_t trace_due;       /* when to try that */
    struct frame *failed;     /* events to come: connections */
    size_t nfailed;           /* more than it holds, when they were too many */
    int64_t offset_ms;        /* from the clock that is never set to the time of day */
    uint64_t facts_due;
    struct host *facts;
    bool begun, lost; /* lost: the minute before couldn't be written */
};

static void add_event(struct frame *frame, const char *kind, const char *device, struct num port,
                      const char *text)
{
    struct arena *arena = frame->arena;
    *ARENA_PUSH(arena, frame->events, frame->nevents) = (struct frame_event){
        .time_ms = frame->time_ms,
        .kind = kind,
        .device = arena_strdup(arena, device),
        .port = port,
        .text = arena_strdup(arena, text),
    };
}

/* -- what else happens ------------------------------------------------------------------------------------- */

static void add_log(const struct recorder *recorder, const struct host *host, struct frame *frame)
{
    struct log_record record;
    for (int i = 0; recorder->log >= 0 && i < LOG_MOST && source_log_next(recorder->log, &record) > 0; i++) {
        const struct log_pattern *pattern = kernel_log_pattern(record.text);
        const char *device = NULL;
        if (!pattern || pattern->weight == LOG_NOTICE)
            continue;
        for (size_t d = 0; host && d < host->ndevices && !device; d++)
            if (kernel_log_is_about(host, record.text, &host->devices[d]))
                device = host->devices[d].name;
        add_event(frame, "kernel-log", device, (struct num){ 0 },
                  text_clean_copy(frame->arena, record.text, FRAME_TEXT_MOST - 1));
    }
}

static void see_step(void *data, const struct trace_shown *shown)
{
    struct recorder *recorder = data;
    if (!trace_is_failure(shown) || recorder->nfailed++ >= LOG_MOST)
        return;
    struct frame *failed = recorder->failed;
    char *text = trace_step_text(shown->step);
    failed->time_ms = shown->utc_ms;
    add_event(failed, "connection-failed", *shown->step->device ? shown->step->device : NULL, (struct num){ 0 },
              text_clean_copy(failed->arena, text, FRAME_TEXT_MOST - 1));
    free(text);
}

/* The module that connects may come later; whatever else is in the way stays so. */
static void open_trace(struct recorder *recorder)
{
    const struct trace_seer seer = { see_step, recorder };
    const struct trace_wish wish = { .bare = true, .woken = true, .lost = "failed connections are not kept" };
    if (recorder->trace || clock_ms() < recorder->trace_due)
        return;
    int r = trace_feed_open(recorder->context, &seer, &wish, &recorder->trace);
    recorder->trace_due = r == -ENOENT ? clock_ms() + TRACE_MS : UINT64_MAX;
}

static void add_failed(struct recorder *recorder, struct frame *frame)
{
    frame_take_events(frame, recorder->failed);
    if (recorder->nfailed > LOG_MOST)
        add_event(frame, "connection-failed", NULL, (struct num){ 0 },
                  arena_printf(frame->arena, "and %zu more", recorder->nfailed - LOG_MOST));
    recorder->nfailed = 0;
}

static const char *fact_text(const struct attribute *fact, const struct fact_subject *subject,
                             struct arena *arena)
{
    struct value value = fact_value(fact, subject, arena);
    size_t count = 0;
    const char **items = value_items(&value, arena, &count);
    struct bytes text = { 0 };
    for (size_t i = 0; i < count; i++)
        bytes_printf(&text, "%s%s", i ? ", " : "", items[i]);
    return count ? arena_take(arena, text.data) : "not known";
}

/* The facts of one thing in two readings. */
static void compare_facts(struct frame *frame, const struct fact_subject *was, const struct fact_subject *is,
                          enum fact_of of)
{
    const struct attribute *fact;
    const char *device = is->port ? is->port->device->name : is->device ? is->device->name : NULL;
    for (size_t i = 0; (fact = fact_at(i)); i++) {
        if (fact_of(fact) != of || fact_is_expected_only(fact))
            continue;
        const char *before = fact_text(fact, was, frame->arena), *now = fact_text(fact, is, frame->arena);
        if (strcmp(before, now) == 0)
            continue;
        char *text = arena_printf(frame->arena, "%s: %s -> %s", fact->key, before, now);
        add_event(frame, "fact-changed", device, is->port ? num_of(is->port->number) : (struct num){ 0 },
                  arena_strndup(frame->arena, text, FRAME_TEXT_MOST - 1));
    }
}

static void add_facts(struct recorder *recorder, struct frame *frame)
{
    struct host *now = NULL;
    uint64_t ms = clock_ms();
    if (ms < recorder->facts_due)
        return;
    recorder->facts_due = ms + FACTS_MS;
    source_count_only(recorder->context->source, 0, NULL);
    if (host_read(recorder->context->source, NEED_FACTS & ~NEED_COUNTERS, &now) < 0)
        return;
    const struct host *before = recorder->facts;
    if (before)
        compare_facts(frame, &(struct fact_subject){ .host = before }, &(struct fact_subject){ .host = now },
                      FACT_HOST);
    for (size_t d = 0; before && d < now->ndevices; d++) {
        const struct device *device = &now->devices[d], *was = host_find_device(before, device->name);
        for (size_t p = 0; was && p < device->nports; p++) {
            const struct port *port = &device->ports[p], *old = device_port(was, port->number);
            if (old)
                compare_facts(frame, &(struct fact_subject){ before, was, old },
                              &(struct fact_subject){ now, device, port }, FACT_PORT);
        }
        if (was)
            compare_facts(frame, &(struct fact_subject){ .host = before, .device = was },
                          &(struct fact_subject){ .host = now, .device = device }, FACT_DEVICE);
    }
    host_free(recorder->facts);
    recorder->facts = now;
}

static void add_clock(struct recorder *recorder, struct frame *frame)
{
    int64_t offset = (int64_t)clock_utc_ms() - (int64_t)clock_ms(), by = offset - recorder->offset_ms;
    if (recorder->begun && (by > JUMP_MS || by < -JUMP_MS))
        add_event(frame, "clock-set", NULL, (struct num){ 0 },
                  arena_printf(frame->arena, "the clock was set %s by %.1f s", by > 0 ? "forward" : "back",
                               (double)(by > 0 ? by : -by) / 1000));
    recorder->offset_ms = offset;
    int kept = clock_is_kept(&frame->clock.error_ms);
    frame->clock.known = kept >= 0;
    frame->clock.synchronised = kept > 0;
}

/* -- lines ------------------------------------------------------------------------------------------------- */

static const struct look all = { .json = true };

static json_t *find_row(const json_t *rows, const json_t *like)
{
    size_t i;
    json_t *row;
    json_array_foreach(
        rows, i, row) if (json_equal(json_object_get(row, "device"), json_object_get(like, "device")) &&
                          json_equal(json_object_get(row, "port"), json_object_get(like, "port"))) return row;
    return NULL;
}

/* What a reader takes, of each port. */
static void keep_read_keys(json_t *line)
{
    size_t i;
    json_t *row, *value;
    const char *key;
    void *next;
    json_array_foreach(json_object_get(line, "ports"), i, row)
        json_object_foreach_safe(row, next, key, value) if (!frame_reads_port_key(key))
            json_object_del(row, key);
    if (json_array_size(json_object_get(line, "counters")) == 0)
        json_object_del(line, "counters");
    if (json_array_size(json_object_get(line, "events")) == 0)
        json_object_del(line, "events");
}

/* NULL: nothing. */
static json_t *row_changes(json_t *was, json_t *is)
{
    json_t *changes = json_object(), *value;
    const char *key;
    json_object_foreach(is, key, value) if (!json_equal(value, json_object_get(was, key)))
        json_object_set(changes, key, value);
    if (json_object_size(changes) == 0) {
        json_decref(changes);
        return NULL;
    }
    json_object_set(changes, "device", json_object_get(is, "device"));
    json_object_set(changes, "port", json_object_get(is, "port"));
    return changes;
}

static bool has_same_ports(const json_t *a, const json_t *b)
{
    size_t i;
    json_t *row;
    if (json_array_size(a) != json_array_size(b))
        return false;
    json_array_foreach(a, i, row) if (!find_row(b, row)) return false;
    return true;
}

/* What of the line isn't as in the one before; NULL: nothing. */
static json_t *line_changes(json_t *was, json_t *is)
{
    size_t i;
    json_t *row, *ports = json_array(), *events = json_object_get(is, "events");
    json_array_foreach(json_object_get(is, "ports"), i, row)
    {
        json_t *changes = row_changes(find_row(json_object_get(was, "ports"), row), row);
        if (changes)
            json_array_append_new(ports, changes);
    }
    json_t *line = json_pack("{s:i, s:O, s:O, s:b}", "version", 1, "time", json_object_get(is, "time"),
                             "interval", json_object_get(is, "interval"), "changes", 1);
    json_object_set(line, "ports", ports);
    json_decref(ports);
    bool has_users = !json_equal(json_object_get(was, "users"), json_object_get(is, "users"));
    if (has_users)
        json_object_set(line, "users", json_object_get(is, "users"));
    if (events)
        json_object_set(line, "events", events);
    if (json_array_size(ports) || has_users || events)
        return line;
    json_decref(line);
    return NULL;
}

/* What an idle host has of ARP, LLDP and a login, which differs each second and says nothing, stays as it was.
 */
static void keep_noise(const json_t *was, const json_t *is)
{
    static const struct {
        enum flow flow;
        double least;
    } noise[] = { { FLOW_SENT_BYTES, NOISE_BYTES },
                  { FLOW_RECEIVED_BYTES, NOISE_BYTES },
                  { FLOW_SENT_PACKETS, NOISE_PACKETS },
                  { FLOW_RECEIVED_PACKETS, NOISE_PACKETS } };
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(is, "ports"), i, row)
    {
        const json_t *before = find_row(json_object_get(was, "ports"), row);
        for (size_t n = 0; n < ARRAY_SIZE(noise); n++) {
            const char *key = flow_name(noise[n].flow);
            json_t *old = json_object_get(before, key), *new = json_object_get(row, key);
            if (json_is_number(old) && json_is_number(new) &&
                fabs(json_number_value(old) - json_number_value(new)) < noise[n].least)
                json_object_set(row, key, old);
        }
    }
}

/* Rates to as many digits as say something: what isn't kept needn't differ. */
static char *line_text(const json_t *line)
{
    return json_dumps(line, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS));
}

char *recorder_line(json_t **last, bool whole, json_t *more, const struct frame *frame)
{
    json_t *line = top_json(frame, &all);
    whole |= !*last || !has_same_ports(json_object_get(*last, "ports"), json_object_get(line, "ports"));
    keep_read_keys(line);
    if (!whole)
        keep_noise(*last, line);
    json_t *changes = whole ? json_copy(line) : line_changes(*last, line);
    if (changes && more)
        json_object_update(changes, more);
    char *text = changes ? line_text(changes) : NULL;
    json_decref(changes);
    json_object_del(line, "events");
    json_decref(*last);
    *last = line;
    return text;
}

/* Before anything is made for a new minute, as it depends on whether the one before is on disk. Said once; what
 * comes after it says for how long. */
static void end_minute(struct recorder *recorder, uint64_t now_ms)
{
    int r = history_begins(recorder->writer, now_ms) ? history_flush(recorder->writer) : 0;
    if (r < 0) {
        if (!recorder->lost)
            say_warning("cannot write into '%s': %s; nothing is kept until it can be written again",
                        recorder->directory, say_errno(r));
        recorder->lost = true;
        recorder->readings.len = 0; /* they may have been lost, too */
    } else if (r > 0 && recorder->lost) {
        say_note("'%s' can be written again", recorder->directory);
        recorder->lost = false;
    }
}

/* What doctor compares: whole at a file's begin, then what has changed since. */
static void add_readings(struct recorder *recorder, json_t *line, uint64_t time_ms)
{
    struct bytes text = { 0 };
    bool changed = false;
    if (history_begins_file(recorder->writer, time_ms))
        recorder->readings.len = 0;
    const char *before = recorder->readings.len ? recorder->readings.data : NULL;
    source_count_only(recorder->context->source, 0, NULL);
    if (source_keep_reading(recorder->context->source, kept_readings_needs(NULL), false, before, &text,
                            &changed) == 0) {
        json_object_set_new(line, "readings", json_stringn(text.data, text.len));
        json_object_set_new(line, "readings_changed", json_boolean(changed));
        if (!changed) {
            recorder->readings.len = 0;
            bytes_append(&recorder->readings, text.data, text.len);
        }
    }
    bytes_free(&text);
}

static void add_line(struct recorder *recorder, const struct frame *frame)
{
    bool whole = history_begins(recorder->writer, frame->time_ms);
    json_t *more = whole ? json_object() : NULL;
    if (more)
        add_readings(recorder, more, frame->time_ms);
    char *text = recorder_line(&recorder->last, whole, more, frame);
    if (text)
        history_put(recorder->writer, frame->time_ms, text, strlen(text));
    free(text);
    json_decref(more);
}

/* So that what was after the last full minute can be judged, too. */
static void add_last_readings(struct recorder *recorder)
{
    char time[CLOCK_TEXT_SIZE];
    uint64_t now = clock_utc_ms();
    if (!recorder->last)
        return;
    end_minute(recorder, now);
    clock_utc_text(now, time);
    json_t *line = json_pack("{s:i, s:s, s:i, s:b, s:[]}", "version", 1, "time", time, "interval", 1, "changes",
                             !history_begins(recorder->writer, now), "ports");
    add_readings(recorder, line, now);
    char *text = line_text(line);
    history_put(recorder->writer, now, text, strlen(text));
    free(text);
    json_decref(line);
}

/* -- the whole --------------------------------------------------------------------------------------------- */

static int wait_until_due(struct recorder *recorder)
{
    while (!wait_interrupted()) {
        struct pollfd fds[FEED_FDS + 1];
        size_t count = feed_fds(recorder->feed, fds);
        int left = feed_wait_ms(recorder->feed);
        if (recorder->trace) {
            (void)trace_feed_wait(recorder->trace, 0);
            fds[count++] = (struct pollfd){ .fd = trace_feed_fd(recorder->trace), .events = POLLIN };
        }
        if (left == 0)
            return 0;
        if (poll(fds, count, left) < 0 && errno != EINTR)
            return -errno;
        feed_hear(recorder->feed);
    }
    return -EINTR;
}

static void add_own(struct recorder *recorder, struct frame *frame)
{
    struct num none = { 0 };
    if (!recorder->begun)
        add_event(frame, "recording-started", NULL, none, roce_version);
    if (recorder->lost && history_begins(recorder->writer, frame->time_ms))
        add_event(frame, "recording-gap", NULL, none, "the disk had no room, or couldn't be written");
    add_clock(recorder, frame);
    add_log(recorder, recorder->facts, frame);
    add_failed(recorder, frame);
    add_facts(recorder, frame);
    recorder->begun = true;
}

static int record_next(struct recorder *recorder)
{
    struct frame *frame = NULL;
    int r = feed_next(recorder->feed, &frame);
    if (r < 0 || !frame)
        return r;
    if (frame->seconds > 0) {
        end_minute(recorder, frame->time_ms);
        add_own(recorder, frame);
        add_line(recorder, frame);
    }
    frame_free(frame);
    return 0;
}

static int record_all(struct recorder *recorder)
{
    const struct feed_options options = { .interval = 1, .people = true, .recorder = true };
    int r = feed_open(recorder->context, &options, &recorder->feed);
    if (r == 0 && feed_deaf(recorder->feed))
        say_warning("no events are kept: %s", feed_deaf(recorder->feed));
    recorder->log = source_log_open(recorder->context->source);
    recorder->failed = frame_new();
    while (r == 0) {
        open_trace(recorder);
        r = wait_until_due(recorder);
        r = r < 0 ? r : record_next(recorder);
    }
    if (r == -EINTR) {
        add_last_readings(recorder);
        r = history_flush(recorder->writer);
    }
    if (recorder->log >= 0)
        close(recorder->log);
    trace_feed_close(recorder->trace);
    frame_free(recorder->failed);
    feed_close(recorder->feed);
    host_free(recorder->facts);
    json_decref(recorder->last);
    bytes_free(&recorder->readings);
    return r;
}

int history_record(struct context *context, const char *directory, const struct history_limits *limits)
{
    struct recorder recorder = { .context = context, .directory = directory };
    int r = history_open(directory, limits, &recorder.writer);
    if (r == -EAGAIN)
        return say_unable("another roce records into '%s' already", directory);
    if (r < 0)
        return say_unable("cannot record into '%s': %s", directory, say_errno(r));
    interrupts_end_cleanly();
    say_note("recording into '%s'; control-C ends it", directory);
    r = record_all(&recorder);
    history_close(recorder.writer);
    if (r < 0)
        say_error("recording ended: %s", say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}
