/* SPDX-License-Identifier: MIT */
/* A typed value: its type decides how a person and a program see it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"
#include "view/terminal.h"

enum value_type {
    VALUE_ABSENT, /* "-", null */
    VALUE_STRING,
    VALUE_UNSIGNED,
    VALUE_SIGNED,
    VALUE_BOOLEAN, /* yes or no, true or false */
    VALUE_MBPS,    /* "100 Gb/s", 100000 */
    VALUE_BYTES,   /* "1.2 GiB", exact */
    VALUE_HEX,     /* "0x001d0000", the number */
    VALUE_GUID,    /* "0c42:a103:00aa:1f09", the same text */
    VALUE_STRINGS, /* "a, b", an array */
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
    };
    size_t count; /* of texts */
    json_t *json; /* of VALUE_JSON: owned by the value */
};

#define NO_VALUE ((struct value){ .type = VALUE_ABSENT })

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
struct value value_with_tone(struct value value, enum tone tone);

/* One value as text for a person and as JSON for a program. */

/* Clean text; the caller frees it. "-" for an absent value. */
char *cell_text(const struct value *value);
json_t *cell_json(const struct value *value); /* a new reference */
bool cell_is_number(const struct value *value);
bool value_type_is_number(enum value_type type);
double cell_number(const struct value *value); /* of a value that is one */
