/* SPDX-License-Identifier: MIT */
/* A port's rate over time, as a line of bars. */
#include "base/clock.h"
#include "base/glyph.h"
#include "model/value.h"
#include "view/history.h"
#include "view/top/top.h"
#include "view/value.h"

enum { COLUMNS_LEAST = 20, COLUMNS_USUAL = 72, COLUMNS_MOST = 400, BESIDE = 44, LABEL = 14 };
enum { LINES_MS = 65000 }; /* each minute that is recorded has a line */

const char *plot_name_at(size_t i, const void *unused)
{
    static char texts[SERIES][32];
    (void)unused;
    return i < SERIES ? series_name((unsigned)i, texts[i]) : NULL;
}

size_t plot_columns(size_t width)
{
    size_t columns = width ? (width > BESIDE + COLUMNS_LEAST ? width - BESIDE : COLUMNS_LEAST) : COLUMNS_USUAL;
    return columns < COLUMNS_MOST ? columns : COLUMNS_MOST;
}

struct plot *plot_new(const char *series, uint64_t since_ms, uint64_t until_ms, size_t columns)
{
    unsigned i = 0;
    while (i < SERIES && !text_is(series, plot_name_at(i, NULL)))
        i++;
    if (i == SERIES)
        return NULL;
    struct plot *plot = mem_alloc(1, sizeof(*plot));
    *plot = (struct plot){ .series = i, .since_ms = since_ms, .until_ms = until_ms, .columns = columns };
    return plot;
}

void plot_free(struct plot *plot)
{
    for (size_t i = 0; plot && i < plot->nrows; i++) {
        free(plot->rows[i].device);
        free(plot->rows[i].most);
    }
    if (plot)
        free(plot->rows);
    free(plot);
}

static struct plot_row *row_of(struct plot *plot, const struct frame_port *port)
{
    for (size_t i = 0; i < plot->nrows; i++) { /* the ports are mostly in the same order again */
        size_t at = (plot->row_at + i) % plot->nrows;
        plot->row_at = at + 1;
        if (plot->rows[at].port == port->number && strcmp(plot->rows[at].device, port->device) == 0)
            return &plot->rows[at];
    }
    if (plot->nrows == FRAME_ROWS_MOST)
        return NULL;
    plot->rows = mem_resize(plot->rows, plot->nrows + 1, sizeof(*plot->rows));
    struct plot_row *row = &plot->rows[plot->nrows++];
    *row = (struct plot_row){ .device = mem_strdup(port->device),
                              .port = port->number,
                              .most = mem_alloc(plot->columns, sizeof(double)) };
    for (size_t i = 0; i < plot->columns; i++)
        row->most[i] = -1;
    row->last = -1;
    return row;
}

/* Seconds without a line were as the one before them. */
static void hold(const struct plot *plot, const struct plot_row *row, size_t column)
{
    for (size_t i = plot->last_column + 1; i < column; i++)
        row->most[i] = row->last;
}

int plot_take(void *data, const struct frame *frame)
{
    struct plot *plot = data;
    if (frame->time_ms < plot->since_ms || frame->time_ms > plot->until_ms)
        return 0;
    size_t column = (size_t)((double)(frame->time_ms - plot->since_ms) * (double)plot->columns /
                             (double)(plot->until_ms - plot->since_ms + 1));
    for (size_t i = 0; i < frame->nports; i++) {
        const struct rate *rate = series_rate(&frame->ports[i], plot->series);
        if (!rate->known)
            continue;
        struct plot_row *row = row_of(plot, &frame->ports[i]);
        if (!row)
            continue;
        if (plot->last_ms && frame->time_ms > plot->last_ms && frame->time_ms < plot->last_ms + LINES_MS)
            hold(plot, row, column);
        row->last = rate->value;
        if (rate->value > row->most[column])
            row->most[column] = rate->value;
        if (rate->value > row->peak) {
            row->peak = rate->value;
            row->peak_ms = frame->time_ms;
        }
    }
    plot->last_ms = frame->time_ms;
    plot->last_column = column;
    return 0;
}

void history_time_text(uint64_t ms, uint64_t now_ms, char text[static 32])
{
    time_t seconds = (time_t)(ms / 1000), now = (time_t)(now_ms / 1000);
    struct tm tm, today;
    *text = '\0';
    if (!localtime_r(&seconds, &tm) || !localtime_r(&now, &today))
        return;
    bool same = tm.tm_yday == today.tm_yday && tm.tm_year == today.tm_year;
    char whole[CLOCK_TM_SIZE];
    clock_tm_text(&tm, whole);
    whole[CLOCK_DAY_AT - 1] = ' ';
    snprintf(text, 32, "%.19s", whole + (same ? CLOCK_DAY_AT : 0));
}

struct value history_time_value(const struct cell_context *context, uint64_t now_ms, uint64_t ms)
{
    char text[CLOCK_TEXT_SIZE], local[32];
    clock_utc_text(ms, text);
    history_time_text(ms, now_ms, local);
    return value_text(arena_strdup(context->arena, context->for_people ? local : text));
}

const char *history_rate_text(unsigned series, double value, char text[static 32])
{
    struct rate rate = { .value = value, .known = true };
    if (series == FLOW_SENT_BYTES || series == FLOW_RECEIVED_BYTES) {
        top_rate_text(rate, false, text, 32);
        return text;
    }
    struct value cell = value_rate(rate);
    char *words = cell_text(&cell);
    snprintf(text, 32, "%s", words);
    free(words);
    return text;
}

const char *history_stretch_text(const struct moment *moment, struct arena *arena)
{
    char time[16], usual[32], peak[32];
    bool fall = moment->kind == MOMENT_FALL, first = !fall && moment->usual <= 0;
    bool seconds = moment->reference_s < 120;
    uint64_t span = seconds ? moment->reference_s : moment->reference_s / 60;
    history_rate_text(moment->series, moment->usual, usual);
    clock_day_text(moment->peak_ms, time);
    const char *before = span == 0 ? "nothing was recorded before"
                                   : arena_printf(arena, "%s in %" PRIu64 " %s before",
                                                  first  ? "none"
                                                  : fall ? arena_printf(arena, "at least %s", usual)
                                                         : arena_printf(arena, "at most %s", usual),
                                                  span, seconds ? "s" : "min");
    const char *others = moment->ports < 2     ? ""
                         : moment->others == 0 ? "; no other port"
                         : moment->others + 1 == moment->ports
                             ? "; all ports"
                             : arena_printf(arena, "; %zu other port%s", moment->others,
                                            moment->others == 1 ? "" : "s");
    return arena_printf(arena, "%s %s at %s; %s%s", fall ? "down to" : "up to",
                        history_rate_text(moment->series, moment->peak, peak), time, before, others);
}

static void print_row(const struct plot *plot, const struct plot_row *row, double scale)
{
    char label[128], time[16], text[32];
    snprintf(label, sizeof(label), "%s/%" PRIu32, row->device, row->port);
    printf("%-*s ", LABEL, label);
    for (size_t i = 0; i < plot->columns; i++) {
        double share = scale > 0 ? row->most[i] / scale : 0;
        /* nothing where nothing happened, the lowest bar for the least that did */
        fputs(row->most[i] <= 0 ? " " : glyph_bar((unsigned)(share * (GLYPH_BARS - 1) + 0.5)), stdout);
    }
    if (row->peak > 0) {
        clock_day_text(row->peak_ms, time);
        printf(" at most %s, %s", history_rate_text(plot->series, row->peak, text), time);
    }
    putchar('\n');
}

size_t plot_print(const struct plot *plot)
{
    char name[32], begin[16], end[16];
    double scale = 0;
    for (size_t i = 0; i < plot->nrows; i++)
        scale = plot->rows[i].peak > scale ? plot->rows[i].peak : scale;
    if (!plot->nrows)
        return 0;
    printf("%s\n", series_name(plot->series, name));
    for (size_t i = 0; i < plot->nrows; i++)
        print_row(plot, &plot->rows[i], scale);
    clock_day_text(plot->since_ms, begin);
    clock_day_text(plot->until_ms, end);
    printf("%-*s %s%*s\n", LABEL, "", begin, (int)(plot->columns - strlen(begin)), end);
    return plot->nrows;
}
