/* SPDX-License-Identifier: MIT */
/* What the user expects of measured rows: --expect CONDITION, as --filter has conditions. One is judged on
 * each row that has a value in every column it names; where there is none it isn't met. */
#pragma once

#include <jansson.h>

#include "view/listing.h"
#include "view/query.h"

enum { EXPECTATIONS_MOST = 8, EXPECTATION_TEXT_SIZE = 160 };

struct expectations {
    size_t count;
    struct expectation {
        const char *text; /* the caller's */
        struct condition condition;
        bool met;
        char found[EXPECTATION_TEXT_SIZE]; /* of the first row that doesn't meet it */
    } items[EXPECTATIONS_MOST];
};

/* 0, or -EINVAL after saying what is wrong with text. Ended by expectations_free(). */
int expectations_add(struct expectations *expected, const struct column *columns, const char *text);
void expectations_free(struct expectations *expected);
/* Fills met and found. Are all met? */
bool expectations_judge(struct expectations *expected, const struct listing *listing);
void expectations_print(const struct expectations *expected, size_t width); /* those that aren't met */
/* As the member "expectations" of top; NULL: none, and no such member. */
void expectations_put(json_t *top, const struct expectations *expected);
