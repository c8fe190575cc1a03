/* SPDX-License-Identifier: MIT */
/* Texts by number: each is kept once, and two are the same when their numbers are. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct intern {
    struct arena *arena; /* the caller's; holds the texts */
    const char **texts;  /* by number; owned, intern_free() */
    uint32_t *slots;     /* numbers by hash; 0: free */
    size_t count, size, nslots;
};

/* The text's number, at least 1. */
uint32_t intern(struct intern *intern, const char *text, size_t len);
const char *intern_text(const struct intern *intern, uint32_t number); /* NULL: 0 */
void intern_free(struct intern *intern);
