/* SPDX-License-Identifier: MIT */
/* What the user expects of measured rows: --expect CONDITION, with the conditions of --filter. Each is judged
 * on every row that has a value in all columns it names; with no such row it isn't met. */
#pragma once

#include "view/listing.h"
#include "view/query.h"

enum { EXPECTATIONS_MOST = 8, EXPECTATION_TEXT_SIZE = 160 };

struct expectations {
    size_t count;
    struct expectation {
        const char *text; /* the caller's */
        struct condition condition;
        bool met;
        char found[EXPECTATION_TEXT_SIZE]; /* in the first row that doesn't meet it */
    } items[EXPECTATIONS_MOST];
};

/* Returns 0, or -EINVAL after reporting what is wrong with text. Free with expectations_free(). */
int expectations_add(struct expectations *expected, const struct column *columns, const char *text);
void expectations_free(struct expectations *expected);
/* Fills met and found. Returns whether all are met. */
bool expectations_judge(struct expectations *expected, const struct listing *listing);
void expectations_print(const struct expectations *expected, size_t width); /* those that aren't met */
/* Adds the member "expectations" to top. */
void expectations_put(json_t *top, const struct expectations *expected);
