/* SPDX-License-Identifier: MIT */
/* A typed value: its type decides how a person and a program see it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

struct arena;
struct json_t; /* jansson's */

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARN, TONE_BAD, TONE_DIM, TONE_BOLD };

enum value_type {
    VALUE_ABSENT, /* not known: "-", null */
    VALUE_NONE,   /* it was looked for, and there is none: "-", null */
    VALUE_STRING,
    VALUE_UNSIGNED,
    VALUE_SIGNED,
    VALUE_BOOLEAN, /* yes or no, true or false */
    VALUE_MBPS,    /* "100 Gb/s", 100000 */
    VALUE_BYTES,   /* "1.2 GiB", exact */
    VALUE_HEX,     /* "0x001d0000", the number */
    VALUE_GUID,    /* "0c42:a103:00aa:1f09", the same text */
    VALUE_STRINGS, /* "a, b", an array */
    VALUE_NUMBERS, /* "0, 3", an array */
    VALUE_JSON,    /* nested, for programs; a person sees text */
    VALUE_RATE,    /* "1.2k/s", 1234.5 */
    VALUE_REAL,    /* "1.50", "15.0" or "150", exact */
};

struct value {
    enum value_type type;
    enum tone tone;
    unsigned digits; /* of VALUE_HEX */
    union {
        const char *text;
        uint64_t number;
        int64_t integer;
        double real;
        const char *const *texts;
        const uint64_t *numbers;
    };
    size_t count;        /* of texts or numbers */
    struct json_t *json; /* of VALUE_JSON: owned by the value */
};

#define NO_VALUE ((struct value){ .type = VALUE_ABSENT })
#define NO_SUCH_VALUE ((struct value){ .type = VALUE_NONE })

/* Short ways to make values; absent for NULL or !known. */
struct value value_text(const char *text);
struct value value_num(struct num num);
struct value value_num_as(enum value_type type, struct num num); /* of the types that are unsigned numbers */
struct value value_unsigned(uint64_t number);
struct value value_snum(struct snum num);
struct value value_hex(struct num num, unsigned digits);
struct value value_real(double measured); /* absent for 0 */
struct value value_rate(struct rate rate);
struct value value_tristate(enum tristate tristate);
struct value value_texts(const char *const *texts, size_t count); /* none: an empty array and "-" */
struct value value_numbers(const uint64_t *numbers, size_t count);
struct value value_with_tone(struct value value, enum tone tone);
/* Is it known, and something? */
bool value_is_known(const struct value *value);
bool value_type_is_list(enum value_type type);
/* Each thing that a known value holds (one, but of lists) as clean text in arena: numbers are decimal, yes
 * and no are these words. Two values are the same when these are. */
const char **value_items(const struct value *value, struct arena *arena, size_t *count);
