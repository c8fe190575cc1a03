/* SPDX-License-Identifier: MIT */
/* roce counters: every counter file, with its unit, severity and meaning; --watch: rates. */
#include "base/clock.h"
#include "base/glyph.h"
#include "command/context.h"
#include "model/statistics.h"
#include "selftest/queues/wait.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/rows.h"
#include "view/terminal.h"

static const struct counter_row *row_of(const void *row)
{
    return row;
}

static const struct counter_def *def_of(const void *row)
{
    return row_of(row)->counter->def;
}

static bool is_trouble(const struct counter_row *row)
{
    return counter_signals_trouble(row->counter->def) && row->counter->raw.known && row->counter->raw.value > 0;
}

static enum tone tone_of(const struct counter_row *row)
{
    return !is_trouble(row) ? TONE_PLAIN : row->counter->def->severity == COUNTER_ERROR ? TONE_BAD : TONE_WARN;
}

static enum tristate is_saturated(const struct counter *counter)
{
    return counter_is_saturated(counter->def, counter->raw);
}

static struct value get_saturated(const void *row)
{
    return value_tristate(is_saturated(row_of(row)->counter));
}

static struct value make_value(const struct cell_context *context, const void *row)
{
    struct num raw = row_of(row)->counter->raw;
    const struct counter_def *def = def_of(row);
    if (!raw.known)
        return NO_VALUE;
    struct value value = value_unsigned(counter_value(def, raw.value));
    if (context->for_people && is_saturated(row_of(row)->counter) == TRI_YES)
        value = value_text(arena_printf(context->arena, "%s %" PRIu64, glyph(GLYPH_AT_LEAST),
                                        value.number)); /* it stopped counting */
    else if (context->for_people && def && def->unit == COUNTER_BYTES)
        value.type = VALUE_BYTES;
    return value_with_tone(value, tone_of(row));
}

static struct value get_unit(const void *row)
{
    return value_text(counter_unit_name(def_of(row) ? def_of(row)->unit : COUNTER_UNSPECIFIED));
}

static struct value get_severity(const void *row)
{
    return value_with_tone(value_text(def_of(row) ? counter_severity_name(def_of(row)->severity) : NULL),
                           tone_of(row));
}

static struct value get_meaning(const void *row)
{
    return value_text(counter_meaning(((const struct counter_row *)row)->counter->def));
}

static struct value get_kind(const void *row)
{
    return value_text(def_of(row) ? counter_kind_name(def_of(row)->kind) : NULL);
}

static struct value make_error(const struct cell_context *context, const void *row)
{
    int err = row_of(row)->counter->err;
    if (err == ENODATA && context->for_people)
        return value_text("no PMA");
    return value_text(err ? strerrorname_np(err) : NULL);
}

static struct value make_delta(const struct cell_context *context, const void *row)
{
    const struct counter_def *def = def_of(row);
    struct value value = value_unsigned(row_of(row)->delta.delta);
    if (context->for_people && def && def->unit == COUNTER_BYTES)
        value.type = VALUE_BYTES;
    return value;
}

static struct value make_rate(const struct cell_context *context, const void *row)
{
    const struct counter_row *counter = row_of(row);
    if (counter->delta.change == COUNTER_LEVEL || counter->delta.change == COUNTER_SATURATED)
        return NO_VALUE;
    struct value value = { .type = VALUE_RATE, .real = counter->rate };
    if (context->for_people && counter->counter->def && counter->counter->def->unit == COUNTER_BYTES) {
        struct value bytes = { .type = VALUE_MBPS, .number = (uint64_t)(counter->rate * 8 / 1e6) };
        value = bytes.number ? bytes : value;
    }
    bool bad = counter->delta.delta && counter->counter->def && counter->counter->def->severity != COUNTER_INFO;
    return value_with_tone(value, bad ? TONE_BAD : TONE_PLAIN);
}

static struct value get_change(const void *row)
{
    enum counter_change change = row_of(row)->delta.change;
    return value_with_tone(value_text(counter_change_name(change)),
                           change == COUNTER_COUNTED || change == COUNTER_LEVEL ? TONE_PLAIN : TONE_WARN);
}

const struct column counters_columns[] = { COUNTERS_COLUMNS };

const struct column watch_columns[] = { WATCH_COLUMNS };

const struct column netdev_columns[] = { NETDEV_COLUMNS };

struct counter_rows {
    struct counter_row *items;
    size_t count;
};

static const struct selection everything;

/* The operands: counters by name, and where they are. */
struct question {
    char **names, **places;
    size_t nnames, nplaces;
};

/* Of the hardware below a port: of each member, if that is a bond. */
static void add_statistics(struct counter_rows *rows, const struct host *host, const struct port *port)
{
    const struct netdev *own = port_netdev(host, port);
    for (size_t i = 0; own && i < host->nqos; i++) {
        const struct qos *qos = &host->qos[i];
        const struct netdev *netdev = host_find_netdev(host, qos->netdev);
        if (!netdev || !netdev_is_above(host, own, netdev))
            continue;
        struct counter *counters = arena_alloc(host->arena, qos->nstatistics, sizeof(*counters));
        for (size_t k = 0; k < qos->nstatistics; k++) {
            counters[k] = (struct counter){ .dir = "ethtool -S",
                                            .name = qos->statistics[k].name,
                                            .raw = num_of(qos->statistics[k].value),
                                            .def = qos->statistics[k].def };
            *ARENA_PUSH_MANY(host->arena, rows->items, rows->count) = (struct counter_row){
                .device = port->device, .port = port, .netdev = qos->netdev, .counter = &counters[k]
            };
        }
    }
}

/* All that are selected, of RDMA's or the netdevs' own, whoever asks. */
static struct counter_rows all_of(const struct context *context, const struct host *host,
                                  const struct selection *selection)
{
    struct counter_rows rows = { 0 };
    if (!args_given(context->args, "netdev")) {
        rows.items = counter_rows(host, selection, &rows.count);
        return rows;
    }
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (selection_has_port(selection, port))
            add_statistics(&rows, host, port);
    return rows;
}

static bool is_asked(const struct question *question, const char *name)
{
    bool asked = question->nnames == 0;
    for (size_t i = 0; !asked && i < question->nnames; i++)
        asked = text_matches(question->names[i], name);
    return asked;
}

static struct counter_rows wanted_of(const struct context *context, const struct question *question)
{
    const struct counter_rows all = all_of(context, context->host, &context->selection);
    struct counter_rows rows = { .items = all.items };
    bool errors = args_given(context->args, "errors");
    for (size_t i = 0; i < all.count; i++)
        if (is_asked(question, all.items[i].counter->name) && (!errors || is_trouble(&all.items[i])))
            rows.items[rows.count++] = all.items[i];
    return rows;
}

static const char *name_at(size_t i, const void *data)
{
    return ((const struct counter_row *)data)[i].counter->name;
}

static bool is_counter(const struct counter_rows *all, const char *pattern)
{
    bool is = false;
    for (size_t i = 0; i < all->count && !is; i++)
        is = text_matches(pattern, all->items[i].counter->name);
    return is;
}

/* Returns 0, or -errno after saying what is wrong. A device takes precedence over a counter of the same
 * name. */
static int understand(struct context *context, struct question *question)
{
    const struct args *args = context->args;
    struct counter_rows all = { 0 };
    if (args->noperands)
        all = all_of(context, context->host, &everything);
    for (size_t i = 0; i < args->noperands; i++) {
        char *word = args->operands[i];
        struct selection one;
        struct selection_error error;
        if (selection_make(&one, context->host, &word, 1, &error) < 0 && is_counter(&all, word))
            question->names[question->nnames++] = word;
        else
            question->places[question->nplaces++] = word;
    }
    struct selection_error error;
    if (question->nplaces &&
        selection_make(&context->selection, context->host, question->places, question->nplaces, &error) < 0 &&
        !error.device) {
        const char *near = text_nearest(error.name, all.count, name_at, all.items);
        if (near &&
            (!error.nearest || text_distance(error.name, near) < text_distance(error.name, error.nearest))) {
            say_error("'%s' is neither a device nor a counter; did you mean the counter '%s'?", error.name,
                      near);
            return -ENODEV;
        }
    }
    return context_select(context, question->places, question->nplaces);
}

/* The same counter in another reading: at the same place, unless some came or went meanwhile. */
static const struct counter *find_same(const struct counter_rows *other, size_t place,
                                       const struct counter_row *row)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct counter_row *like = &other->items[(place + i) % other->count];
        if (strcmp(like->counter->name, row->counter->name) == 0 &&
            strcmp(like->counter->dir, row->counter->dir) == 0 &&
            strcmp(like->device->name, row->device->name) == 0 && !like->port == !row->port &&
            (!like->port || like->port->number == row->port->number) &&
            (!like->netdev || text_is(row->netdev, like->netdev)))
            return like->counter;
    }
    return NULL;
}

/* The last rates of one counter, the newest last. */
enum { PLOT = 40 };
struct track {
    const char *device, *name;
    uint32_t port;
    double rates[PLOT];
    size_t count;
};

struct history {
    struct arena *arena;
    struct track *tracks;
    size_t ntracks;
};

static struct track *track_of(struct history *history, const struct counter_row *row)
{
    uint32_t port = row->port ? row->port->number : 0;
    for (size_t i = 0; i < history->ntracks; i++)
        if (history->tracks[i].port == port && strcmp(history->tracks[i].device, row->device->name) == 0 &&
            strcmp(history->tracks[i].name, row->counter->name) == 0)
            return &history->tracks[i];
    struct track *track = ARENA_PUSH(history->arena, history->tracks, history->ntracks);
    track->device = arena_strdup(history->arena, row->device->name);
    track->name = arena_strdup(history->arena, row->counter->name);
    track->port = port;
    return track;
}

static const char *plot(struct arena *arena, struct history *history, const struct counter_row *row)
{
    struct track *track = track_of(history, row);
    if (track->count == PLOT)
        memmove(track->rates, track->rates + 1, (PLOT - 1) * sizeof(*track->rates));
    else
        track->count++;
    track->rates[track->count - 1] = row->rate;
    double most = 0;
    for (size_t i = 0; i < track->count; i++)
        most = track->rates[i] > most ? track->rates[i] : most;
    const char *text = "";
    for (size_t i = 0; i < track->count; i++)
        text = arena_printf(arena, "%s%s", text,
                            glyph_bar(most > 0 ? (unsigned)(track->rates[i] / most * (GLYPH_BARS - 1)) : 0));
    return text;
}

/* The rows of context->host, with what has happened since before. */
static struct counter_rows compare(const struct context *context, const struct question *question,
                                   struct history *history, const struct host *before, double seconds)
{
    struct counter_rows all = wanted_of(context, question), old = all_of(context, before, &everything),
                        changed = { 0 };
    for (size_t i = 0; i < all.count; i++) {
        struct counter_row *row = &all.items[i];
        const struct counter *then = find_same(&old, i, row);
        if (!then || !then->raw.known || !row->counter->raw.known)
            continue;
        row->delta = counter_compare(row->counter->def, then->raw.value, row->counter->raw.value);
        row->rate = seconds > 0 ? (double)row->delta.delta / seconds : 0;
        if (question->nnames)
            row->plot = plot(context->host->arena, history, row);
        bool moved = row->delta.delta || then->raw.value != row->counter->raw.value;
        if (moved || question->nnames || args_given(context->args, "all"))
            *ARENA_PUSH(context->host->arena, changed.items, changed.count) = *row;
    }
    return changed;
}

static void show_interval(const struct context *context, const struct counter_rows *rows, double seconds)
{
    if (context->args->look.format != FORMAT_TABLE) {
        json_t *top = json_envelope(context->host);
        json_object_set_new(top, "interval", json_real(seconds));
        json_object_set_new(top, "counters",
                            listing_wanted_json(&context->args->look, LISTING(context->host, watch_columns,
                                                                              rows->items, rows->count)));
        json_add_problems(top, context->host);
        json_print_line(top);
        return;
    }
    char text[16];
    clock_day_text(clock_utc_ms(), text);
    if (terminal_is())
        printf("\033[H\033[J");
    printf("%s, %.1f s%s\n", text, seconds, rows->count ? "" : ": nothing changed");
    struct look look = context->args->look;
    if (!look.columns && rows->count && rows->items->plot)
        look.columns = "device,port,name,rate,plot,delta,value,unit";
    look.width = terminal_width(); /* the window may have been resized */
    if (rows->count)
        listing_table(&look, LISTING(context->host, watch_columns, rows->items, rows->count));
    if (!terminal_is())
        putchar('\n');
    fflush(stdout);
}

static void note_gone(const struct host *before, const struct host *now)
{
    for (size_t i = 0; i < before->ndevices; i++)
        if (!host_find_device(now, before->devices[i].name))
            say_warning("device '%s' has gone", before->devices[i].name);
    for (size_t i = 0; i < now->ndevices; i++)
        if (!host_find_device(before, now->devices[i].name))
            say_warning("device '%s' has come", now->devices[i].name);
}

/* The kernel serves hw_counters from a copy for "lifespan" milliseconds: with a shorter interval, nothing
 * changes, then everything at once. */
static void warn_of_lifespan(const struct counter_rows *rows, double seconds)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct counter *counter = rows->items[i].counter;
        if (strcmp(counter->name, "lifespan") == 0 && counter->raw.known &&
            (double)counter->raw.value > seconds * 1000)
            say_warning("the kernel keeps the hw_counters of '%s' for %" PRIu64
                        " ms (lifespan): watch at a longer interval",
                        rows->items[i].device->name, counter->raw.value);
    }
}

static int watch(struct context *context, const struct question *question, double seconds, uint64_t intervals)
{
    struct counter_rows rows = wanted_of(context, question);
    warn_of_lifespan(&rows, seconds);
    interrupts_end_cleanly();
    struct timespec pause = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
    uint64_t then = clock_us();
    struct history history = { .arena = arena_new() };
    int status = STATUS_OK;
    for (uint64_t i = 0; (intervals == 0 || i < intervals) && !wait_interrupted(); i++) {
        if (clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL) != 0)
            break;
        struct host *before = context->host;
        context->host = NULL;
        /* devices come and go: don't stop because one is gone for now */
        int r = context_read(context, context->needs);
        if (r == 0)
            (void)context_select(context, question->places, question->nplaces);
        uint64_t now = clock_us();
        double passed = (double)(now - then) / 1e6;
        if (r == 0) {
            struct counter_rows changed = compare(context, question, &history, before, passed);
            show_interval(context, &changed, passed);
            note_gone(before, context->host);
        }
        host_free(before);
        then = now;
        status = r < 0 ? STATUS_ERROR : STATUS_OK;
        if (r < 0 || ferror(stdout))
            break;
    }
    arena_free(history.arena);
    return status;
}

static int run_watch(struct context *context, const struct question *question)
{
    enum look_format format = context->args->look.format;
    if (format == FORMAT_CSV || format == FORMAT_PAIRS)
        return say_unable(
            "--watch prints tables, or with --json a JSON object an interval: leave out --format");
    if (source_is_recording(context->source))
        return say_unable("--watch needs a live machine: a recording does not change");
    return watch(context, question, args_real(context->args, "watch", 2),
                 args_number(context->args, "count", 0));
}

static int show(struct context *context, const struct question *question)
{
    if (args_given(context->args, "watch"))
        return run_watch(context, question);
    if (args_given(context->args, "count"))
        return say_unable("--count is a number of intervals: give --watch, too");
    struct counter_rows rows = wanted_of(context, question);
    const char *empty = context->host->ndevices == 0          ? no_device_text(context->host)
                        : args_given(context->args, "errors") ? "no counter that signals trouble is above zero"
                        : args_given(context->args, "netdev")
                            ? "no statistics of a netdev below these ports could be read, or were recorded: "
                              "without --netdev there are RDMA's, and 'roce qos' has pauses"
                            : "the drivers of these devices offer no counters";
    context_list(context, rows.items, rows.count, sizeof(*rows.items), empty);
    return args_given(context->args, "errors") && rows.count ? STATUS_FOUND : STATUS_OK;
}

COMMAND(counters)
{
    size_t count = context->args->noperands;
    struct question question = { .names = mem_alloc(count + 1, sizeof(char *)),
                                 .places = mem_alloc(count + 1, sizeof(char *)) };
    int status = understand(context, &question) == 0 ? show(context, &question) : STATUS_ERROR;
    free(question.names);
    free(question.places);
    return status;
}
