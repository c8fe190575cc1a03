/* SPDX-License-Identifier: MIT */
#include "view/top/plain.h"

#include <stdio.h>
#include <time.h>

#include "base/base.h"
#include "base/glyph.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/top/columns.h"
#include "view/top/json.h"

void top_time_text(uint64_t ms, char text[static 16])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    *text = '\0';
    if (localtime_r(&seconds, &tm))
        strftime(text, 16, "%H:%M:%S", &tm);
}

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
    top_time_text(frame->time_ms, time);
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
