/* SPDX-License-Identifier: MIT */
/* Tables, chapters and text as one HTML file. */
#include "view/html.h"

void html_text(struct bytes *out, const char *text)
{
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"
    };
    char *clean = text_clean(text ? text : "", TEXT_ONE_LINE);
    for (const char *at = clean; *at; at++) {
        const char *instead = WORD_AT(entities, (unsigned char)*at);
        bytes_append(out, instead ? instead : at, instead ? strlen(instead) : 1);
    }
    free(clean);
}

const char *html_safe(struct arena *arena, const char *text)
{
    struct bytes out = { 0 };
    html_text(&out, text);
    return out.len ? arena_take(arena, out.data) : "";
}

/* For pages about many hosts. */
EMBED(comparison_style, "src/view/comparison.css");

void html_element(struct bytes *out, const char *tag, const char *class_name, const char *text)
{
    bytes_printf(out, class_name ? "<%s class=\"%s\">" : "<%s>", tag, class_name);
    html_text(out, text);
    bytes_printf(out, "</%s>\n", tag);
}

void html_page_begin(struct bytes *out, const char *title)
{
    bytes_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                      "'unsafe-inline'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n");
    html_element(out, "title", NULL, title);
    bytes_printf(out, "<style>%.*s</style>\n</head>\n<body>\n<main>\n", (int)strlen(comparison_style) - 1,
                 comparison_style);
    html_element(out, "h1", NULL, title);
}

void html_page_end(struct bytes *out)
{
    bytes_printf(out, "</main>\n</body>\n</html>\n");
}

/* The class of a tone. */
static const char *html_tone(enum tone tone)
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
    bool right = value_type_is_number(value.type) || is_right(column);
    const char *tone = html_tone(value_is_known(&value) ? value.tone : TONE_DIM);
    bytes_printf(out, "<td class=\"%s%s%s\">", right ? "num" : "", right && *tone ? " " : "", tone);
    /* colour alone says nothing to those who can't distinguish it */
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
        html_text(out, column_heading(set.items[c]));
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

/* A tree as inline SVG: one box per node, roots on the left. */

enum {
    BOX_WIDTH = 188,
    BOX_HEIGHT = 42, /* with one line of detail */
    LINE_HEIGHT = 13,
    MOST_LINES = 3,
    STEP_X = BOX_WIDTH + 24,
    GAP_Y = 12,
    MARGIN = 4,
    LABEL_LETTERS = 24,
    DETAIL_LETTERS = 29,
    MOST_DEEP = 24, /* no tree is deeper */
};

struct drawing {
    struct bytes *out;
    const char *skip, *keep;
    int box_height;     /* of all */
    int next_y, most_x; /* of the next leaf; of the widest box */
};

static bool is_skipped(const struct drawing *drawing, const struct tree_node *node)
{
    return text_in_list(drawing->skip, node->kind) && !(node->name && text_in_list(drawing->keep, node->name));
}

/* How much of a detail goes on a line: whole parts, which commas separate. */
static size_t detail_line(const char *detail)
{
    size_t len = 0;
    for (const char *comma = detail; strlen(detail) > DETAIL_LETTERS && (comma = strstr(comma, ", "));
         comma += 2)
        if ((size_t)(comma - detail) <= DETAIL_LETTERS)
            len = (size_t)(comma - detail);
    return len ? len : strlen(detail);
}

static int detail_lines(const char *detail)
{
    int lines = 0;
    while (detail && *detail && lines < MOST_LINES) {
        detail += detail_line(detail);
        detail += strspn(detail, ", ");
        lines++;
    }
    return lines;
}

static int most_lines(const struct drawing *drawing, const struct tree_node *node, int depth)
{
    int most = is_skipped(drawing, node) ? 1 : detail_lines(node->detail);
    for (size_t i = 0; i < node->nchildren && depth < MOST_DEEP; i++) {
        int lines = most_lines(drawing, node->children[i], depth + 1);
        most = lines > most ? lines : most;
    }
    return most;
}

static void add_text(struct bytes *out, const char *text, size_t letters, int x, int y, const char *class,
                     const char *tone)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    const char *end;
    size_t len = fold_cut(clean, letters, &end);
    char *shown = mem_printf("%.*s%s", (int)len, clean, end);
    bytes_printf(out, "<text class=\"%s%s%s\" x=\"%d\" y=\"%d\">", class, *tone ? " " : "", tone, x, y);
    html_text(out, shown);
    bytes_printf(out, "</text>");
    free(shown);
    free(clean);
}

static void add_box(struct drawing *drawing, const struct tree_node *node, int x, int y)
{
    struct bytes *out = drawing->out;
    const char *label = node->label ? node->label : node->name;
    const char *tone = html_tone(node->tone);
    bytes_printf(out, "<g class=\"k-");
    html_text(out, node->kind);
    bytes_printf(out, "%s%s\"><title>", *tone ? " t-" : "", tone);
    html_text(out, label);
    bytes_printf(out, " ");
    html_text(out, node->detail);
    bytes_printf(out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"7\"/>", x, y, BOX_WIDTH,
                 drawing->box_height);
    int lines = detail_lines(node->detail);
    int at = y + (drawing->box_height - BOX_HEIGHT - LINE_HEIGHT * (lines - 1)) / 2; /* all in the middle */
    add_text(out, label, LABEL_LETTERS, x + 10, at + 18, "l", "");
    const char *detail = node->detail;
    for (int i = 0; i < lines; i++) {
        size_t len = i + 1 < lines ? detail_line(detail) : strlen(detail);
        char *line = mem_printf("%.*s", (int)len, detail);
        add_text(out, line, DETAIL_LETTERS, x + 10, at + 33 + i * LINE_HEIGHT, "d", tone);
        free(line);
        detail += len;
        detail += strspn(detail, ", ");
    }
    bytes_printf(out, "</g>\n");
    if (x + BOX_WIDTH > drawing->most_x)
        drawing->most_x = x + BOX_WIDTH;
}

static int add_node(struct drawing *drawing, const struct tree_node *node, int depth);

/* Draws the nodes below one, with those below skipped ones in their place, and appends their middles to ends;
 * middles gets those of the first and last. Returns how many there were. */
static size_t add_children(struct drawing *drawing, const struct tree_node *node, int depth,
                           int middles[static 2], struct bytes *ends)
{
    size_t count = 0;
    for (size_t i = 0; i < node->nchildren && depth < MOST_DEEP; i++) {
        const struct tree_node *child = node->children[i];
        if (is_skipped(drawing, child)) {
            int own[2];
            size_t more = add_children(drawing, child, depth, own, ends);
            if (more && !count)
                middles[0] = own[0];
            if (more)
                middles[1] = own[1];
            count += more;
            continue;
        }
        int y = add_node(drawing, child, depth);
        bytes_append(ends, &y, sizeof(y));
        if (!count)
            middles[0] = y;
        middles[1] = y;
        count++;
    }
    return count;
}

/* Returns the middle of its box. */
static int add_node(struct drawing *drawing, const struct tree_node *node, int depth)
{
    struct bytes ends = { 0 };
    int middles[2] = { 0, 0 }, x = MARGIN + depth * STEP_X;
    size_t count = add_children(drawing, node, depth + 1, middles, &ends);
    int middle = (middles[0] + middles[1]) / 2;
    if (!count) {
        middle = drawing->next_y + drawing->box_height / 2;
        drawing->next_y += drawing->box_height + GAP_Y;
    }
    for (size_t i = 0; i < count; i++) {
        int end;
        memcpy(&end, ends.data + i * sizeof(end), sizeof(end));
        int from = x + BOX_WIDTH, to = x + STEP_X, half = (from + to) / 2;
        bytes_printf(drawing->out, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>\n", from, middle, half, middle, half,
                     end, to, end);
    }
    bytes_free(&ends);
    add_box(drawing, node, x, middle - drawing->box_height / 2);
    return middle;
}

void html_tree(struct bytes *out, const struct tree_node *root, const char *skip, const char *keep)
{
    struct bytes shapes = { 0 }, ends = { 0 };
    struct drawing drawing = { .out = &shapes, .skip = skip, .keep = keep, .next_y = MARGIN };
    int middles[2], lines = most_lines(&drawing, root, 0);
    drawing.box_height = BOX_HEIGHT + LINE_HEIGHT * (lines > 1 ? lines - 1 : 0);
    if (add_children(&drawing, root, 0, middles, &ends))
        bytes_printf(out,
                     "<div class=\"scroll\"><svg role=\"img\" aria-label=\"topology\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\">\n%s</svg></div>\n",
                     drawing.most_x + MARGIN, drawing.next_y, drawing.most_x + MARGIN, drawing.next_y,
                     shapes.data);
    bytes_free(&shapes);
    bytes_free(&ends);
}
