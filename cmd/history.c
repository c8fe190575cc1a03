/* SPDX-License-Identifier: MIT */
/* roce history: what happened when, from what its recorder kept. */
#include "command/history.h"
#include "base/clock.h"
#include "view/history.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/rows.h"

enum { HOUR_MS = 3600 * 1000 };

/* -- a timeline as a listing ------------------------------------------------------------------------------- */

static uint64_t now_ms; /* that times are shown against */

static const struct moment *moment_of(const void *row)
{
    return row;
}

static struct value make_begin(const struct cell_context *context, const void *row)
{
    return history_time_value(context, now_ms, moment_of(row)->begin_ms);
}

static struct value make_end(const struct cell_context *context, const void *row)
{
    const struct moment *moment = row;
    if (context->for_people && (moment->goes_on || moment->end_ms == moment->begin_ms))
        return moment->goes_on ? value_text("goes on") : NO_SUCH_VALUE;
    return history_time_value(context, now_ms, moment->end_ms);
}

static struct value get_kind(const void *row)
{
    static const char *const names[] = { "quiet", "rate", "fall", "event", "process", "gap" };
    return value_text(names[moment_of(row)->kind]);
}

static struct value make_what(const struct cell_context *context, const void *row)
{
    const struct moment *moment = row;
    static const enum tone tones[] = {
        [MOMENT_QUIET] = TONE_DIM,   [MOMENT_RATE] = TONE_WARN,     [MOMENT_FALL] = TONE_WARN,
        [MOMENT_EVENT] = TONE_PLAIN, [MOMENT_PROCESS] = TONE_PLAIN, [MOMENT_GAP] = TONE_DIM
    };
    char name[32];
    const char *text = moment_is_stretch(moment)      ? series_name(moment->series, name)
                       : moment->kind == MOMENT_GAP   ? "not recorded"
                       : moment->kind == MOMENT_QUIET ? "quiet"
                                                      : moment->what;
    return value_with_tone(value_text(arena_strdup(context->arena, text)), tones[moment->kind]);
}

static struct value rate_of(const struct moment *moment, double value)
{
    return moment_is_stretch(moment) ? value_rate((struct rate){ .value = value, .known = true }) : NO_VALUE;
}

static struct value get_peak(const void *row)
{
    return rate_of(row, moment_of(row)->peak);
}

static struct value get_usual(const void *row)
{
    return rate_of(row, moment_of(row)->usual);
}

static struct value make_peak_time(const struct cell_context *context, const void *row)
{
    return moment_is_stretch(row) ? history_time_value(context, now_ms, moment_of(row)->peak_ms) : NO_VALUE;
}

static struct value get_reference(const void *row)
{
    return moment_is_stretch(row) ? value_unsigned(moment_of(row)->reference_s) : NO_VALUE;
}

static struct value get_others(const void *row)
{
    return moment_is_stretch(row) ? value_unsigned(moment_of(row)->others) : NO_VALUE;
}

static struct value make_text(const struct cell_context *context, const void *row)
{
    const struct moment *moment = row;
    struct arena *arena = context->arena;
    char sent[32], received[32];
    if (moment_is_stretch(moment))
        return value_text(history_stretch_text(moment, arena));
    if (moment->kind == MOMENT_QUIET)
        return value_text(arena_printf(arena, "%zu port%s, out %s, in %s", moment->ports,
                                       moment->ports == 1 ? "" : "s",
                                       history_rate_text(FLOW_SENT_BYTES, moment->sent, sent),
                                       history_rate_text(FLOW_RECEIVED_BYTES, moment->received, received)));
    if (moment->kind == MOMENT_GAP)
        return value_text("no recorder ran, or it could not write");
    return value_text(moment->text);
}

const struct column history_columns[] = { HISTORY_COLUMNS };

/* -- reading ----------------------------------------------------------------------------------------------- */

/* What is read of one host. */
struct taking {
    char *const *names; /* of ports; count 0: all */
    size_t nnames;
    struct timeline *timeline;
    struct plot *plot;
    char *host;
    uint64_t since_ms;
    struct history_clock clock;
};

/* Of a chosen port, of a device that has one, or of none? A device may have gone, with its ports. */
static bool is_chosen(const struct taking *taking, const struct frame *chosen, const char *device,
                      struct num port)
{
    bool found = !device;
    for (size_t i = 0; i < chosen->nports && !found; i++)
        found = text_is(device, chosen->ports[i].device) &&
                (!port.known || num_is(port, chosen->ports[i].number));
    for (size_t i = 0; i < taking->nnames && !found; i++)
        found = text_matches(taking->names[i], device);
    return found;
}

/* Leaves what the operands name: the next line changes the whole frame. */
static void choose(const struct taking *taking, struct arena *arena, struct frame *own)
{
    const struct frame all = *own;
    own->ports = arena_alloc(arena, all.nports + 1, sizeof(*own->ports));
    own->users = NULL;
    own->events = NULL;
    own->nusers = own->nevents = 0;
    for (size_t i = 0; i < all.nports; i++)
        own->ports[i] = all.ports[i];
    frame_select(own, taking->names, taking->nnames);
    for (size_t i = 0; i < all.nusers; i++)
        if (is_chosen(taking, own, all.users[i].device, all.users[i].port))
            *ARENA_PUSH(arena, own->users, own->nusers) = all.users[i];
    for (size_t i = 0; i < all.nevents; i++)
        if (is_chosen(taking, own, all.events[i].device, all.events[i].port))
            *ARENA_PUSH(arena, own->events, own->nevents) = all.events[i];
}

static int take_frame(void *data, const struct frame *frame)
{
    struct taking *taking = data;
    if (!taking->host && frame->hostname)
        taking->host = mem_strdup(frame->hostname);
    if (frame->time_ms >= taking->since_ms)
        history_clock_take(&taking->clock, frame);
    struct frame own = *frame;
    struct arena *arena = taking->nnames ? arena_new() : NULL;
    if (arena)
        choose(taking, arena, &own);
    if (taking->plot)
        (void)plot_take(taking->plot, &own);
    else
        (void)timeline_take(taking->timeline, &own);
    arena_free(arena);
    return 0;
}

/* The hour before says what was usual. */
static int read_one(const struct context *context, struct taking *taking, const struct history_place *place,
                    const struct stretch_meant *stretch)
{
    uint64_t since = stretch->since_ms > HOUR_MS ? stretch->since_ms - HOUR_MS : 0;
    return place_read(context, place, &(struct stretch_meant){ since, stretch->until_ms }, take_frame, taking);
}

static int by_begin(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    return a->begin_ms < b->begin_ms ? -1 : a->begin_ms > b->begin_ms;
}

/* -- showing ----------------------------------------------------------------------------------------------- */

/* "b mlx5_0/1 pauses_received" */
static char *stretch_name(struct arena *arena, const struct moment *moment)
{
    char name[32];
    return arena_printf(arena, "%s %s/%" PRIu64 " %s", moment->host ? moment->host : "?", moment->device,
                        moment->port.value, series_name(moment->series, name));
}

static void say_first(const struct history_first *first, struct arena *arena)
{
    char time[32];
    if (!first->first)
        return;
    history_time_text(first->first->begin_ms, now_ms, time);
    printf("first: %s at %s", stretch_name(arena, first->first), time);
    if (first->next)
        printf("; then %s %.1f s later%s", stretch_name(arena, first->next),
               (double)(first->next->begin_ms - first->first->begin_ms) / 1000,
               first->sure ? ""
               : first->by_clocks
                   ? ": within a second and what the clocks may be off by, so either may be first"
                   : ", if the clocks agree");
    putchar('\n');
}

/* What is shown: of several hosts all that isn't quiet. */
struct shown {
    const struct stretch_meant *stretch;
    struct moment *rows;
    size_t nrows;
    struct history_clock *clocks;
    size_t nclocks;
    struct history_first first;
};

static void say_head(const struct shown *shown)
{
    char since[32], until[32];
    struct arena *arena = arena_new();
    bool several = shown->nclocks > 1;
    history_time_text(shown->stretch->since_ms, now_ms, since);
    history_time_text(shown->stretch->until_ms, now_ms, until);
    printf("%s to %s, local time%s%s\n", since, until, several ? "; " : "",
           several ? history_clocks_text(shown->clocks, shown->nclocks, arena) : "");
    if (several)
        say_first(&shown->first, arena);
    arena_free(arena);
}

static json_t *first_json(const struct history_first *found)
{
    const struct moment *first = found->first, *next = found->next;
    char what[32];
    if (!first)
        return json_null();
    json_t *object = json_object();
    json_put_text(object, "host", first->host);
    json_put_text(object, "device", first->device);
    json_put_num(object, "port", first->port);
    json_put_text(object, "what", series_name(first->series, what));
    json_put_time(object, "begin", first->begin_ms);
    json_put_text(object, "next_host", next ? next->host : NULL);
    json_put_time(object, "next_begin", next ? next->begin_ms : 0);
    json_put_bool(object, "is_sure", found->sure);
    return object;
}

static void print_json(const struct context *context, const struct shown *shown)
{
    json_t *top = json_envelope(NULL), *clocks = json_array();
    for (size_t i = 0; i < shown->nclocks; i++) {
        const struct history_clock *clock = &shown->clocks[i];
        json_t *object = json_push_object(clocks);
        json_put_text(object, "host", clock->host);
        json_put_tristate(object, "synchronised", clock->known ? tri_of(!clock->lost) : TRI_UNKNOWN);
        json_object_set_new(object, "error_ms",
                            clock->known && !clock->lost ? json_real(clock->error_ms) : json_null());
    }
    json_object_set_new(top, "clocks", clocks);
    json_object_set_new(top, "first", first_json(&shown->first));
    json_object_set_new(
        top, "history",
        listing_wanted_json(&context->args->look, LISTING(NULL, history_columns, shown->rows, shown->nrows)));
    json_add_problems(top, NULL);
    json_print(top);
}

static char *nothing_text(const struct history_place *place)
{
    char span[PLACE_SPAN_SIZE];
    return mem_printf("nothing was recorded in that time%s", place_span_text(place, span));
}

static int show_timelines(const struct context *context, struct taking *takings, size_t count,
                          const struct history_place *places, const struct stretch_meant *stretch)
{
    struct shown shown = { .stretch = stretch,
                           .clocks = mem_alloc(count + 1, sizeof(*shown.clocks)),
                           .nclocks = count };
    bool stood_out = false;
    for (size_t i = 0; i < count; i++) {
        size_t n;
        const struct moment *moments = timeline_moments(takings[i].timeline, &n);
        shown.rows = mem_resize(shown.rows, shown.nrows + n + 1, sizeof(*shown.rows));
        shown.clocks[i] = takings[i].clock;
        shown.clocks[i].host = takings[i].host;
        for (size_t m = 0; m < n; m++) {
            if (count > 1 && moments[m].kind == MOMENT_QUIET)
                continue;
            shown.rows[shown.nrows] = moments[m];
            shown.rows[shown.nrows++].host = count > 1 ? takings[i].host : NULL;
            stood_out |= moment_is_stretch(&moments[m]);
        }
    }
    if (shown.nrows && count > 1) {
        qsort(shown.rows, shown.nrows, sizeof(*shown.rows), by_begin);
        shown.first = history_find_first(shown.rows, shown.nrows, shown.clocks, count);
    }
    if (context->args->look.json) {
        print_json(context, &shown);
    } else {
        context_page(context);
        if (!look_is_exact(&context->args->look))
            say_head(&shown);
        char *empty = shown.nrows ? NULL : nothing_text(places);
        context_list(context, shown.rows, shown.nrows, sizeof(*shown.rows), empty);
        free(empty);
    }
    free(shown.rows);
    free(shown.clocks);
    return stood_out ? STATUS_FOUND : STATUS_OK;
}

static int show_plot(struct taking *takings, size_t count, const struct history_place *places)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            printf("%s%s\n", i ? "\n" : "", takings[i].host ? takings[i].host : "?");
        rows += plot_print(takings[i].plot);
    }
    char *empty = rows ? NULL : nothing_text(places);
    if (!rows)
        say_note("%s", empty);
    free(empty);
    return STATUS_OK;
}

/* What lies on a disk, or looks as if it should, is a place; else the name of a port. */
static bool is_place(const char *operand)
{
    return strchr(operand, '/') != NULL ? access(operand, F_OK) == 0 || text_starts(operand, "/") ||
                                              text_starts(operand, "./") || text_starts(operand, "../")
                                        : access(operand, F_OK) == 0;
}

static int begin_plot(const struct args *args, struct taking *taking, const struct stretch_meant *stretch)
{
    const char *name = args_value(args, "plot");
    if (!name)
        return 0;
    taking->plot = plot_new(name, stretch->since_ms, stretch->until_ms, plot_columns(args->look.width));
    if (taking->plot)
        return 0;
    const char *nearest = text_nearest(name, SERIES, plot_name_at, NULL);
    return say_invalid(
        "--plot: nothing that is recorded is called '%s'%s%s%s; 'roce top --list-columns' has the names", name,
        nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int show(struct context *context)
{
    const struct args *args = context->args;
    struct stretch_meant stretch;
    struct taking *takings = mem_alloc(args->noperands + 1, sizeof(*takings));
    char **names = mem_alloc(args->noperands + 1, sizeof(*names));
    struct history_place *places = mem_alloc(args->noperands + 1, sizeof(*places));
    size_t nnames = 0, nplaces = 0;
    int r = 0;
    for (size_t i = 0; i < args->noperands && r == 0; i++)
        if (is_place(args->operands[i]))
            r = place_find(context, args->operands[i], &places[nplaces++]);
        else
            names[nnames++] = args->operands[i];
    if (r == 0 && !nplaces)
        r = place_find(context, args_value(args, "directory"), &places[nplaces++]);
    now_ms = places->now_ms;
    r = r < 0 ? r : stretch_of(args, now_ms, &stretch);
    for (size_t i = 0; i < nplaces && r == 0; i++) {
        takings[i] = (struct taking){ .names = names, .nnames = nnames, .since_ms = stretch.since_ms };
        takings[i].timeline = timeline_new(stretch.since_ms);
        r = begin_plot(args, &takings[i], &stretch);
        r = r < 0 ? r : read_one(context, &takings[i], &places[i], &stretch);
    }
    int status = r < 0                      ? STATUS_ERROR
                 : args_given(args, "plot") ? show_plot(takings, nplaces, places)
                                            : show_timelines(context, takings, nplaces, places, &stretch);
    for (size_t i = 0; i < nplaces && takings[i].timeline; i++) {
        timeline_free(takings[i].timeline);
        plot_free(takings[i].plot);
        free(takings[i].host);
    }
    free(takings);
    free(names);
    free(places);
    return status;
}

/* -- recording --------------------------------------------------------------------------------------------- */

static int record(struct context *context)
{
    struct args args = *context->args;
    struct context own = *context;
    struct history_limits limits = { .keep_ms = 7ULL * 24 * HOUR_MS, .size = 512 << 20 };
    const char *keep = args_value(&args, "keep"), *size = args_value(&args, "size");
    const char *directory = args_value(&args, "directory");
    if (source_is_recording(context->source))
        return say_unable("a recording does not change: history record keeps what happens on a live machine");
    if (keep && (duration_meant(keep, &limits.keep_ms) < 0 || limits.keep_ms < HOUR_MS))
        return say_unable("--keep: '%s' is no time of an hour or more; write 7d or 12h", keep);
    if (size && (text_to_size(size, &limits.size) < 0 || limits.size < 1 << 20))
        return say_unable("--size: '%s' is no size of 1M or more; write 512M or 2G", size);
    args.operands++;
    args.noperands--;
    own.args = &args;
    return history_record(&own, directory ? directory : HISTORY_DIRECTORY, &limits);
}

/* The option of these that was given; NULL: none. */
static const char *given_of(const struct args *args, const char *const *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args_given(args, options[i]))
            return options[i];
    return NULL;
}

COMMAND(history)
{
    static const char *const of_record[] = { "keep", "size" }, *const of_past[] = { "since", "until", "around",
                                                                                    "plot" };
    const struct args *args = context->args;
    bool records = args->noperands && strcmp(args->operands[0], "record") == 0;
    const char *stray = records ? given_of(args, of_past, ARRAY_SIZE(of_past))
                                : given_of(args, of_record, ARRAY_SIZE(of_record));
    if (stray)
        return say_unable("--%s is of %s", stray,
                          records ? "what was recorded: leave out 'record'" : "'history record'");
    return records ? record(context) : show(context);
}
