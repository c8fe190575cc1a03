/* SPDX-License-Identifier: MIT */
/* Readings of a machine that its flight recorder kept. */
#include "command/history.h"

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
        kept->clock_was_set |= text_is(frame->events[i].kind, "clock-set");
    const struct kept_reading *last = kept->count ? &kept->items[kept->count - 1] : NULL;
    if (!frame->readings || !frame->readings_base ||
        (last && !kept->clock_was_set && frame->time_ms < last->time_ms + kept->apart_ms))
        return 0;
    kept->items = mem_resize(kept->items, kept->count + 1, sizeof(*kept->items));
    kept->items[kept->count++] = (struct kept_reading){
        .time_ms = frame->time_ms,
        .whole = mem_strdup(frame->readings_base),
        .changes = frame->readings_changed ? mem_strdup(frame->readings) : NULL,
        .first = !last || kept->clock_was_set,
    };
    kept->clock_was_set = false;
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
