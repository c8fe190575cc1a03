/* SPDX-License-Identifier: MIT */
/* A line of a file that `roce top --replay` shows: read, painted at a few sizes by a few keys, and written again. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/frame_parse.h"
#include "view/top/json.h"
#include "view/top/paint.h"

static void paint(struct top_state *state, size_t width, size_t height, bool ascii)
{
    struct grid grid;
    grid_make(&grid, width, height, ascii);
    top_paint(&grid, state);
    for (size_t y = 0; y < height; y++) {
        char *row = grid_row(&grid, y);
        if (!text_is_clean(row) || text_width(row) > width)
            abort();
        free(row);
    }
    grid_free(&grid);
}

/* What was read is what is written, as far as a frame goes. */
static void write_again(const struct frame *frame)
{
    static const struct look all = { .json = true };
    struct frame *again = NULL;
    struct frame_fault fault;
    json_t *json = top_json(frame, &all);
    char *text = json_dumps(json, JSON_COMPACT);
    if (frame_parse(text, strlen(text), &again, &fault) < 0 || again->nports != frame->nports ||
        again->nusers != (frame->users_known ? frame->nusers : 0) || again->nevents != frame->nevents)
        abort();
    frame_free(again);
    free(text);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int keys[] = { 'j', '\n', '>', 'u', '?', '/', 'x', 27, 'r', 'G' };
    struct frame *frame = NULL;
    struct frame_fault fault;
    if (frame_parse((const char *)data, size, &frame, &fault) < 0)
        return text_is_clean(fault.what) ? 0 : (abort(), 0);
    write_again(frame);
    struct top_state state;
    top_state_make(&state, NULL, "-retransmissions");
    top_state_take(&state, frame);
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        top_state_key(&state, keys[i]);
        paint(&state, 20 + 30 * (i % 5), 4 + 7 * i, i % 2);
    }
    top_state_free(&state);
    return 0;
}
