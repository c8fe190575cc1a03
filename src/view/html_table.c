/* SPDX-License-Identifier: MIT */
#include "view/html_table.h"

#include <stdlib.h>

#include "view/cell.h"

const char *html_tone(enum tone tone)
{
    static const char *const classes[] = {
        [TONE_PLAIN] = "",  [TONE_GOOD] = "good", [TONE_WARN] = "warn",
        [TONE_BAD] = "bad", [TONE_DIM] = "dim",   [TONE_BOLD] = "",
    };
    return classes[tone];
}

static void add_attribute(struct bytes *out, const char *name, const struct column *column,
                          const struct cell_context *cells, const void *row)
{
    if (!column)
        return;
    struct value value = column_value(column, cells, row);
    char *text = cell_text(&value);
    bytes_printf(out, " %s=\"", name);
    html_text(out, text);
    bytes_printf(out, "\"");
    free(text);
    json_decref(value.json);
}

static bool is_right(const struct column *column)
{
    return value_type_is_number(column_type(column)) || column->flags & COLUMN_RIGHT;
}

static void add_cell(struct bytes *out, const struct column *column, const struct cell_context *cells,
                     const void *row)
{
    struct value value = column_value(column, cells, row);
    char *text = cell_text(&value);
    bool right = cell_is_number(&value) || is_right(column);
    const char *tone = html_tone(value.type == VALUE_ABSENT ? TONE_DIM : value.tone);
    bytes_printf(out, "<td class=\"%s%s%s\">", right ? "num" : "", right && *tone ? " " : "", tone);
    /* a colour alone says nothing to who can't tell it */
    bytes_printf(out, "%s", value.tone == TONE_BAD ? "✕ " : value.tone == TONE_WARN ? "▲ " : "");
    html_text(out, text);
    bytes_printf(out, "</td>");
    free(text);
    json_decref(value.json);
}

void html_table(struct bytes *out, const struct listing *listing, const char *list, bool with_place)
{
    struct column_set set;
    if (columns_choose(&set, listing->columns, list, false) < 0)
        return;
    const struct cell_context cells = { listing->host, listing->host->arena, true };
    const struct column *device = with_place ? columns_find(listing->columns, "device") : NULL;
    const struct column *port = with_place ? columns_find(listing->columns, "port") : NULL;
    bytes_printf(out, "<div class=\"scroll\"><table><thead><tr>");
    for (size_t c = 0; c < set.count; c++) {
        bytes_printf(out, "<th scope=\"col\"%s>", is_right(set.items[c]) ? " class=\"num\"" : "");
        html_text(out, set.items[c]->heading ? set.items[c]->heading : set.items[c]->key);
        bytes_printf(out, "</th>");
    }
    bytes_printf(out, "</tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < listing->count; r++) {
        const void *row = (const char *)listing->rows + r * listing->size;
        bytes_printf(out, "<tr");
        add_attribute(out, "data-device", device, &cells, row);
        add_attribute(out, "data-port", port, &cells, row);
        bytes_printf(out, ">");
        for (size_t c = 0; c < set.count; c++)
            add_cell(out, set.items[c], &cells, row);
        bytes_printf(out, "</tr>\n");
    }
    bytes_printf(out, "</tbody></table></div>\n");
}
