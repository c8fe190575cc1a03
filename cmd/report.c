/* SPDX-License-Identifier: MIT */
/* roce report: a machine as one HTML page. */
#include "command/history.h"
#include "command/listings.h"
#include "source/recording/recording.h"
#include "view/html.h"

enum { HOUR_MS = 3600 * 1000 };

/* The stretch that the options name. */
struct past {
    struct timeline *timeline;
    struct plot *plots[SERIES];
    struct history_picture picture; /* its since_ms 0: none is asked for */
};

static int take_plots(void *data, const struct frame *frame)
{
    const struct past *past = data;
    for (size_t i = 0; i < past->picture.nplots; i++)
        (void)plot_take(past->plots[i], frame);
    return 0;
}

/* What stood out is known when all was read: then it is read again, to be plotted. */
static int read_plots(const struct context *context, const struct history_place *place,
                      const struct stretch_meant *stretch, struct past *past)
{
    struct history_picture *picture = &past->picture;
    bool seen[SERIES] = { false };
    for (size_t i = 0; i < picture->moments.count; i++) {
        const struct moment *moment = (const struct moment *)picture->moments.rows + i;
        char name[32];
        if (!moment_is_stretch(moment) || seen[moment->series])
            continue;
        seen[moment->series] = true;
        past->plots[picture->nplots++] = plot_new(series_name(moment->series, name), stretch->since_ms,
                                                  stretch->until_ms, HISTORY_PICTURE_COLUMNS);
    }
    picture->plots = past->plots;
    return picture->nplots ? place_read(context, place, stretch, take_plots, past) : 0;
}

static int read_past(struct context *context, struct past *past)
{
    const struct args *args = context->args;
    struct history_place place;
    struct stretch_meant stretch, before;
    int r = stretch_is_named(args);
    if (r <= 0)
        return r;
    r = place_find(context, args_value(args, "directory"), &place);
    r = r < 0 ? r : stretch_of(args, place.now_ms, &stretch);
    if (r < 0)
        return r;
    before = (struct stretch_meant){ stretch.since_ms > HOUR_MS ? stretch.since_ms - HOUR_MS : 0,
                                     stretch.until_ms };
    past->timeline = timeline_new(stretch.since_ms);
    r = place_read(context, &place, &before, timeline_take, past->timeline);
    if (r < 0)
        return r;
    struct history_picture *picture = &past->picture;
    *picture = (struct history_picture){ .since_ms = stretch.since_ms, .until_ms = stretch.until_ms };
    picture->moments = (struct listing){ context->host, columns_of_command("history"), NULL, 0,
                                         sizeof(struct moment) };
    picture->moments.rows = timeline_moments(past->timeline, &picture->moments.count);
    return read_plots(context, &place, &stretch, past);
}

static void free_past(const struct past *past)
{
    for (size_t i = 0; i < past->picture.nplots; i++)
        plot_free(past->plots[i]);
    if (past->timeline)
        timeline_free(past->timeline);
}

static void make(const struct context *context, const struct past *past, struct arena *arena, struct bytes *out)
{
    struct host *host = context->host;
    const struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    struct tree_node topology = { .kind = "host", .name = "roce" };
    struct report_page page = {
        .host = host, .from = context->args->root, .report = &report, .topology = &topology
    };
    page.history = past->picture.since_ms ? &past->picture : NULL;
    page.ports = port_listing(context, &report);
    page.users = user_listing(context);
    page.counters = counter_listing(context, &page.ntrouble);
    page.without_users = no_user_text(host);
    topo_make(host, &context->selection, &topology);
    qos_subjects_of(host, &context->selection, &page.qos);
    report_page(out, &page);
    tree_free(&topology);
}

static int save(const char *path, const struct bytes *out)
{
    if (text_is(path, "-")) {
        fwrite(out->data, 1, out->len, stdout);
        return STATUS_OK;
    }
    int r = recording_save(path, out);
    if (r == -EEXIST)
        say_error("'%s' exists; a report needs the name of a new file", path);
    else if (r == -EISDIR)
        say_error("'%s' is a directory; a report is one file", path);
    else if (r < 0)
        say_error("cannot write '%s': %s", path, say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}

COMMAND(report)
{
    const struct args *args = context->args;
    if (args->noperands != 1)
        return say_unable(args->noperands
                              ? "report takes one file"
                              : "report needs the name of a new file, as in 'roce report host17.html', or '-'");
    if (look_is_exact(&args->look))
        return say_unable("a report is HTML: other commands print JSON");
    if (context_read(context, page_needs() | NEED_HISTORY) < 0 || context_select(context, NULL, 0) < 0)
        return STATUS_ERROR;
    host_read_name(context->source, context->host);
    struct arena *arena = arena_new();
    struct bytes out = { 0 };
    struct past past = { 0 };
    int status = STATUS_ERROR;
    if (read_past(context, &past) == 0) {
        make(context, &past, arena, &out);
        status = save(args->operands[0], &out);
    }
    free_past(&past);
    bytes_free(&out);
    arena_free(arena);
    return status;
}
