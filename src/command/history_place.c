/* SPDX-License-Identifier: MIT */
/* Where what was recorded lies: in a recorder's directory or file, or in the recording of a machine; and the
 * readings in it. */
#include "base/clock.h"
#include "command/history.h"
#include "view/history.h"

int place_look(struct context *context, const char *path, struct history_place *place)
{
    *place = (struct history_place){ .path = path ? path : HISTORY_DIRECTORY, .now_ms = clock_utc_ms() };
    if (path)
        arena_limit(HISTORY_WORK_MOST,
                    "roce: too much follows from what was recorded: more than 512 MiB to hold "
                    "it; name a shorter time (--since, --until)\n");
    if (path || !source_is_recording(context->source))
        return 0;
    if (!source_has_history(context->source))
        return -ENODATA;
    if (!(context->host && context->needs & NEED_HISTORY) && context_read(context, NEED_HISTORY) < 0)
        return -EIO;
    const struct host *host = context->host;
    if (!host->history.len)
        return -ENODATA;
    place->path = NULL;
    place->text = host->history;
    if (host->time_ms.known)
        place->now_ms = host->time_ms.value;
    return 0;
}

int place_find(struct context *context, const char *path, struct history_place *place)
{
    int r = place_look(context, path, place);
    if (r == -ENODATA)
        return say_invalid(
            "the recording holds no history ('roce record --history 2h' takes it along): name the "
            "directory or file that a recorder kept");
    return r;
}

int place_tell(const struct history_place *place, const struct stretch_meant *stretch, history_seen *seen,
               void *data, struct history_tally *tally)
{
    return place->path ? history_read(place->path, stretch->since_ms, stretch->until_ms, seen, data, tally)
                       : history_parse(&place->text, stretch->since_ms, stretch->until_ms, seen, data, tally);
}

const char *place_name(const struct context *context, const struct history_place *place)
{
    return place->path ? place->path : context->args->root;
}

int place_say_unread(const struct context *context, const struct history_place *place, int r)
{
    const char *name = place_name(context, place);
    if (r == -ENOENT && place->path && strcmp(place->path, HISTORY_DIRECTORY) == 0)
        say_error("nothing is recorded here: 'roce history record' does that ('%s' isn't there)", name);
    else
        say_error("cannot open '%s': %s", name, say_errno(r));
    return r;
}

int place_read(const struct context *context, const struct history_place *place,
               const struct stretch_meant *stretch, history_seen *seen, void *data)
{
    struct history_tally tally = { 0 };
    const char *name = place_name(context, place);
    int r = place_tell(place, stretch, seen, data, &tally);
    if (r == -ENOTSUP)
        say_error("'%s': %s", name, tally.fault.what);
    if (r < 0)
        return r == -ENOTSUP ? r : place_say_unread(context, place, r);
    if (tally.damaged) {
        char time[32] = "the first frame";
        if (tally.damaged_ms)
            history_time_text(tally.damaged_ms, place->now_ms, time);
        say_warning("'%s': %zu damaged part%s passed over, the first after %s: %s", name, tally.damaged,
                    tally.damaged == 1 ? " is" : "s are", time, tally.fault.what);
    }
    return 0;
}

FILE *place_stream(const struct history_place *place, uint64_t since_ms)
{
    return place->path ? history_stream(place->path, since_ms) : history_stream_of(&place->text);
}

const char *place_span_text(const struct history_place *place, char text[static PLACE_SPAN_SIZE])
{
    struct history_span span = { 0 };
    struct history_tally tally = { 0 };
    char first[32], last[32];
    if (!place->path)
        (void)history_parse(&place->text, 0, UINT64_MAX, history_note, &span, &tally);
    else if (!text_is(place->path, "-"))
        span = history_span(place->path);
    *text = '\0';
    if (!span.first_ms)
        return text;
    history_time_text(span.first_ms, place->now_ms, first);
    history_time_text(span.last_ms, place->now_ms, last);
    snprintf(text, PLACE_SPAN_SIZE, " (recorded is from %s to %s)", first, last);
    return text;
}

/* -- readings ---------------------------------------------------------------------------------------------- */

needs_t kept_readings_needs(const struct check_selection *selection)
{
    struct check_selection own = selection ? *selection : (struct check_selection){ 0 };
    own.interval = true;
    return check_needs(&own) & ~(NEED_LLDP | NEED_SERVICES | NEED_ENVIRONMENT | NEED_SYSTEM);
}

int kept_readings_take(void *data, const struct frame *frame)
{
    struct kept_readings *kept = data;
    if (!kept->hostname && frame->hostname)
        kept->hostname = mem_strdup(frame->hostname);
    for (size_t i = 0; i < frame->nevents; i++)
        kept->is_cut |= text_is(frame->events[i].kind, "clock-set") ||
                        text_is(frame->events[i].kind, "recording-started"); /* perhaps after a boot */
    const struct kept_reading *last = kept->count ? &kept->items[kept->count - 1] : NULL;
    if (!frame->readings || !frame->readings_base ||
        (last && !kept->is_cut && frame->time_ms < last->time_ms + kept->apart_ms))
        return 0;
    kept->items = mem_resize(kept->items, kept->count + 1, sizeof(*kept->items));
    kept->items[kept->count++] = (struct kept_reading){
        .time_ms = frame->time_ms,
        .whole = mem_strdup(frame->readings_base),
        .changes = frame->readings_changed ? mem_strdup(frame->readings) : NULL,
        .first = !last || kept->is_cut,
    };
    kept->is_cut = false;
    return 0;
}

int kept_reading_host(const struct kept_reading *kept, needs_t needs, struct host **host)
{
    struct source *source = NULL;
    int r = source_open_reading(kept->whole, kept->changes, &source);
    r = r < 0 ? r : host_read(source, needs, host);
    source_close(source);
    return r;
}

void kept_readings_free(struct kept_readings *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->items[i].whole);
        free(kept->items[i].changes);
    }
    free(kept->items);
    free(kept->hostname);
    *kept = (struct kept_readings){ 0 };
}
