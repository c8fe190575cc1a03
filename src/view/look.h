/* SPDX-License-Identifier: MIT */
/* What the user asked of the output, whatever is shown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct look {
    bool json;
    const char *columns; /* of -o; NULL: the usual ones */
    bool no_header;
    int verbose; /* how often -v was given */
    bool color;
    size_t width; /* of the terminal, in columns; 0: there is none, and nothing is cut */
};
