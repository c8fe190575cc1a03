/* SPDX-License-Identifier: MIT */
/* A picture of a terminal in memory: characters in cells, each with a tone. */
#include "view/screen.h"

void grid_make(struct grid *grid, size_t width, size_t height, bool ascii)
{
    *grid = (struct grid){ .width = width, .height = height, .ascii = ascii };
    grid->cells = mem_alloc(width * height + 1, sizeof(*grid->cells));
    for (size_t i = 0; i < width * height; i++)
        memcpy(grid->cells[i].text, " ", 2);
}

void grid_free(struct grid *grid)
{
    free(grid->cells);
    *grid = (struct grid){ 0 };
}

/* What replaces a character when only ASCII may be used. */
static const char *in_ascii(const char *character)
{
    static const struct {
        const char *character, *stands;
    } table[] = { { "█", "#" }, { "▉", "#" }, { "▊", "#" }, { "▋", "#" }, { "▌", "#" },
                  { "…", "~" }, { "·", "-" }, { "─", "-" }, { "→", ">" } };
    if ((unsigned char)*character < 0x80)
        return character;
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (strcmp(character, table[i].character) == 0)
            return table[i].stands;
    return "?";
}

/* The length in bytes of text's first character with its combining marks, cut to what a cell holds. */
static size_t take_character(const char *text, char character[static 16])
{
    size_t len = text_clean_length(text), next;
    if (len == 0)
        return 0;
    while ((next = text_clean_length(text + len)) != 0) {
        char one[8] = "";
        memcpy(one, text + len, next < sizeof(one) ? next : sizeof(one) - 1);
        if (text_width(one) != 0)
            break;
        len += next;
    }
    size_t kept = len < 16 ? len : text_clean_length(text);
    memcpy(character, text, kept);
    character[kept] = '\0';
    return len;
}

static void set(struct grid *grid, size_t x, size_t y, enum ink ink, const char *character, size_t width)
{
    struct grid_cell *cell = &grid->cells[y * grid->width + x];
    snprintf(cell->text, sizeof(cell->text), "%s", grid->ascii ? in_ascii(character) : character);
    cell->ink = ink;
    if (width == 2 && !grid->ascii) {
        cell[1].text[0] = '\0';
        cell[1].ink = ink;
    } else if (width == 2) {
        set(grid, x + 1, y, ink, "?", 1);
    }
}

size_t grid_put(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text)
{
    if (y >= grid->height || x >= grid->width || !room)
        return 0;
    room = room < grid->width - x ? room : grid->width - x;
    char *clean = text_clean(text, TEXT_ONE_LINE), character[16];
    bool cut = text_width(clean) > room;
    size_t end = cut ? text_prefix(clean, room - 1) : strlen(clean), taken = 0;
    for (size_t at = 0, len; at < end && (len = take_character(clean + at, character)) != 0; at += len) {
        size_t width = text_width(character);
        if (width == 0 || taken + width > room)
            continue;
        set(grid, x + taken, y, ink, character, width);
        taken += width;
    }
    if (cut && taken < room)
        set(grid, x + taken++, y, ink, "…", 1);
    free(clean);
    return taken;
}

void grid_put_right(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text)
{
    size_t width = text_width(text);
    size_t left = width < room ? room - width : 0;
    grid_put(grid, x + left, y, room - left, ink, text);
}

void grid_mark(struct grid *grid, size_t y, enum ink ink)
{
    for (size_t x = 0; y < grid->height && x < grid->width; x++)
        grid->cells[y * grid->width + x].ink = ink;
}

void grid_bar(struct grid *grid, size_t x, size_t y, size_t width, enum ink ink, double share)
{
    static const char *const eighths[] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    size_t full = (size_t)(share * (double)width * 8 + 0.5);
    for (size_t i = 0; i < width; i++) {
        size_t left = full > i * 8 ? full - i * 8 : 0;
        const char *character = left >= 8 ? "█" : eighths[left];
        if (grid->ascii && left < 4)
            character = " ";
        grid_put(grid, x + i, y, 1, ink, character);
    }
}
