/* SPDX-License-Identifier: MIT */
/* roce top without a screen: a table or an object per frame. */
#include "view/top/top.h"

#include "base/clock.h"
#include "base/glyph.h"
#include "view/json.h"
#include "view/listing.h"

void top_rate_text(struct rate rate, bool bytes, char *text, size_t size)
{
    static const char *const letters[] = { "", "k", "M", "G", "T", "P" };
    double value = bytes ? rate.value : rate.value * 8;
    size_t i = 0;
    for (; value >= 1000 && i + 1 < ARRAY_SIZE(letters); i++)
        value /= 1000;
    if (!rate.known)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s%.*f %s%s", rate.least ? glyph(GLYPH_AT_LEAST) : "",
                 i == 0 || value >= 100 ? 0
                 : value >= 10          ? 1
                                        : 2,
                 value, letters[i], bytes ? "B/s" : "b/s");
}

static void print_totals(const struct frame *frame)
{
    char time[16], out[32], in[32];
    struct frame_port totals = frame_totals(frame);
    clock_day_text(frame->time_ms, time);
    top_rate_text(totals.flows[FLOW_SENT_BYTES], false, out, sizeof(out));
    top_rate_text(totals.flows[FLOW_RECEIVED_BYTES], false, in, sizeof(in));
    printf("%s, %.1f s, %zu port%s: out %s, in %s\n", time, frame->seconds, frame->nports,
           frame->nports == 1 ? "" : "s", out, in);
}

void top_print(const struct frame *frame, const struct look *look, bool first)
{
    if (look->json || look->format == FORMAT_JSON_LINES) {
        json_print_line(top_json(frame, look));
        return;
    }
    struct look own = *look;
    own.no_header |= look->format == FORMAT_CSV && !first;
    if (look->format == FORMAT_TABLE && !first)
        putchar('\n');
    if (look->format == FORMAT_TABLE)
        print_totals(frame);
    if (frame->nports || look->format == FORMAT_CSV)
        listing_table(&own, LISTING(NULL, top_columns, frame->ports, frame->nports));
    fflush(stdout);
}

static json_t *list_json(const struct frame *frame, const struct frame_list *list)
{
    json_t *array = json_array();
    const struct cell_context cells = { .arena = frame->arena };
    const char *rows; /* of whatever type */
    size_t count;
    memcpy(&rows, (const char *)frame + list->rows, sizeof(rows));
    memcpy(&count, (const char *)frame + list->count, sizeof(count));
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        const void *row = rows + i * list->size;
        for (const struct attribute *field = list->fields; field->key; field++) {
            struct value value = field->make  ? field->make(&cells, row)
                                 : field->get ? field->get(row)
                                              : member_value(&field->member, row);
            json_object_set_new(object, field->key, cell_json(&value));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *top_clock_json(const struct frame_clock *clock)
{
    json_t *object = json_object();
    json_put_bool(object, "synchronised", clock->synchronised);
    json_object_set_new(object, "error_ms", clock->synchronised ? json_real(clock->error_ms) : json_null());
    return object;
}

json_t *top_json(const struct frame *frame, const struct look *look)
{
    char time[CLOCK_TEXT_SIZE];
    json_t *top = json_envelope(NULL);
    json_put_text(top, "host", frame->hostname);
    clock_utc_text(frame->time_ms, time);
    json_put_text(top, "time", time);
    json_object_set_new(top, "interval", json_real(frame->seconds));
    if (frame->clock.known)
        json_object_set_new(top, "clock", top_clock_json(&frame->clock));
    json_object_set_new(top, "ports",
                        listing_wanted_json(look, LISTING(NULL, top_columns, frame->ports, frame->nports)));
    json_object_set_new(top, "counters", list_json(frame, &frame_counters));
    json_object_set_new(top, "users", frame->users_known ? list_json(frame, &frame_users) : json_null());
    json_object_set_new(top, "events", list_json(frame, &frame_events));
    return top;
}
