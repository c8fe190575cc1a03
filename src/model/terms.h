/* SPDX-License-Identifier: MIT */
/* The field's words, explained for an operator in a sentence or two. */
#pragma once

#include <stddef.h>

struct term {
    const char *name;  /* "GID" */
    const char *also;  /* other spellings, comma-separated, lower case; may be NULL */
    const char *means; /* "Global Identifier" or the like; NULL: it's no abbreviation */
    const char *text;
};

size_t term_count(void);
const struct term *term_at(size_t i);
const struct term *term_find(const char *name); /* upper or lower case; NULL: none */
