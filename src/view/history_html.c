/* SPDX-License-Identifier: MIT */
/* What stood out in a stretch of time, as part of a page: plots as inline SVG, and a table. */
#include "base/clock.h"
#include "view/history.h"
#include "view/html.h"

enum { LEFT = 84, TOP = 18, WIDTH = HISTORY_PICTURE_COLUMNS, HEIGHT = 96, PLOTS_MOST = 24 };

static const struct moment *moment_at(const struct history_picture *picture, size_t i)
{
    return (const struct moment *)picture->moments.rows + i;
}

static double x_of(const struct history_picture *picture, uint64_t ms)
{
    uint64_t since = picture->since_ms, at = ms < since               ? since
                                             : ms > picture->until_ms ? picture->until_ms
                                                                      : ms;
    return LEFT + (double)WIDTH * (double)(at - since) / (double)(picture->until_ms - since);
}

static double y_of(double value, double scale)
{
    return TOP + HEIGHT - (scale > 0 ? HEIGHT * value / scale : 0);
}

static void add_text(struct bytes *out, double x, double y, const char *anchor, const char *text)
{
    bytes_printf(out, "<text class=\"d\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(out, text);
    bytes_printf(out, "</text>\n");
}

/* What happened, each as a line. */
static void add_marks(struct bytes *out, const struct history_picture *picture)
{
    for (size_t i = 0; i < picture->moments.count; i++) {
        const struct moment *moment = moment_at(picture, i);
        if (!moment_is_stretch(moment) && moment->kind != MOMENT_QUIET)
            bytes_printf(out, "<path class=\"e\" d=\"M%.1f %dv%d\"/>\n", x_of(picture, moment->begin_ms), TOP,
                         HEIGHT);
    }
}

static void add_axes(struct bytes *out, const struct history_picture *picture, unsigned series, double scale)
{
    char most[32];
    bytes_printf(out, "<path d=\"M%d %dv%dh%d\"/>\n", LEFT, TOP, HEIGHT, WIDTH);
    add_text(out, LEFT - 6, TOP + 4, "end", history_rate_text(series, scale, most));
    add_text(out, LEFT - 6, TOP + HEIGHT, "end", "0");
    for (unsigned part = 0; part <= 4; part++) {
        char time[16];
        uint64_t ms = picture->since_ms + (picture->until_ms - picture->since_ms) * part / 4;
        clock_day_text(ms, time);
        add_text(out, x_of(picture, ms), TOP + HEIGHT + 14, "middle", time);
    }
}

static void add_line(struct bytes *out, const struct plot *plot, const struct plot_row *row, double scale)
{
    const char *step = "M";
    bytes_printf(out, "<path class=\"v\" d=\"");
    for (size_t i = 0; i < plot->columns; i++) {
        if (row->most[i] >= 0)
            bytes_printf(out, "%s%.1f %.1fh1", step, LEFT + (double)i * WIDTH / (double)plot->columns,
                         y_of(row->most[i], scale));
        step = row->most[i] >= 0 ? "L" : "M";
    }
    bytes_printf(out, "\"/>\n");
}

static const struct plot_row *row_of(const struct history_picture *picture, const struct moment *moment,
                                     const struct plot **plot)
{
    for (size_t i = 0; i < picture->nplots; i++)
        for (size_t r = 0; r < picture->plots[i]->nrows; r++) {
            const struct plot_row *row = &picture->plots[i]->rows[r];
            *plot = picture->plots[i];
            if ((*plot)->series == moment->series && num_is(moment->port, row->port) &&
                text_is(moment->device, row->device))
                return row;
        }
    return NULL;
}

static void add_caption(struct bytes *out, const struct moment *moment, struct arena *arena)
{
    char name[32];
    bytes_printf(out, "<h3><code>%s</code> of <code>", series_name(moment->series, name));
    html_text(out, moment->device);
    bytes_printf(out, "/%" PRIu64 "</code></h3>\n", moment->port.value);
    html_element(out, "p", "soft", history_stretch_text(moment, arena));
}

static void add_plot(struct bytes *out, const struct history_picture *picture, const struct moment *moment)
{
    const struct plot *plot;
    const struct plot_row *row = row_of(picture, moment, &plot);
    char name[32];
    if (!row)
        return;
    double scale = row->peak > moment->usual ? row->peak : moment->usual;
    add_caption(out, moment, picture->moments.host->arena);
    bytes_printf(out,
                 "<div class=\"scroll\"><svg role=\"img\" aria-label=\"%s\" width=\"%d\" height=\"%d\" "
                 "viewBox=\"0 0 %d %d\">\n",
                 series_name(moment->series, name), LEFT + WIDTH + 40, TOP + HEIGHT + 24, LEFT + WIDTH + 40,
                 TOP + HEIGHT + 24);
    add_axes(out, picture, moment->series, scale);
    bytes_printf(out, "<path class=\"u\" d=\"M%d %.1fh%d\"/>\n", LEFT, y_of(moment->usual, scale), WIDTH);
    add_marks(out, picture);
    add_line(out, plot, row, scale);
    bytes_printf(out, "</svg></div>\n");
}

/* Was the same series of that port plotted before? */
static bool is_again(const struct history_picture *picture, size_t at)
{
    const struct moment *moment = moment_at(picture, at);
    for (size_t i = 0; i < at; i++) {
        const struct moment *other = moment_at(picture, i);
        if (moment_is_stretch(other) && other->series == moment->series &&
            num_is(other->port, moment->port.value) && text_is(other->device, moment->device))
            return true;
    }
    return false;
}

void history_html(struct bytes *out, const struct history_picture *picture)
{
    char since[32], until[32];
    size_t plots = 0;
    history_time_text(picture->since_ms, 0, since);
    history_time_text(picture->until_ms, 0, until);
    bytes_printf(out,
                 "<p>%s to %s, local time. Dashed is what was usual before; upright lines are what happened, "
                 "which the table has.</p>\n",
                 since, until);
    for (size_t i = 0; i < picture->moments.count; i++) {
        if (!moment_is_stretch(moment_at(picture, i)) || is_again(picture, i))
            continue;
        if (plots++ < PLOTS_MOST)
            add_plot(out, picture, moment_at(picture, i));
    }
    if (plots > PLOTS_MOST)
        bytes_printf(out, "<p>%zu more stood out, which the table has.</p>\n", plots - PLOTS_MOST);
    if (!plots)
        bytes_printf(out, "<p>%s</p>\n",
                     picture->moments.count ? "No rate stood out." : "Nothing was recorded then.");
    if (picture->moments.count)
        html_table(out, &picture->moments, NULL, false);
}
