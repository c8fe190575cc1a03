/* SPDX-License-Identifier: MIT */
/* A screen's picture as text. */
#pragma once

#include "view/screen.h"

/* A row, without trailing blanks. The caller frees it. */
static char *grid_row(const struct grid *grid, size_t y)
{
    struct bytes row = { 0 };
    bytes_append(&row, "", 0);
    for (size_t x = 0; x < grid->width; x++)
        bytes_printf(&row, "%s", grid->cells[y * grid->width + x].text);
    while (row.len && row.data[row.len - 1] == ' ')
        row.data[--row.len] = '\0';
    return row.data;
}
