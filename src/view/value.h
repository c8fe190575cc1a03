/* SPDX-License-Identifier: MIT */
/* One value as text for a person and as JSON for a program. */
#pragma once

#include <jansson.h>

#include "model/value.h"

/* Clean text; the caller frees it. "-" for an absent value. */
char *cell_text(const struct value *value);
/* The same for a value in words, in arena. */
const char *value_in_words(struct arena *arena, struct value value);
json_t *cell_json(const struct value *value); /* a new reference */
/* A VALUE_JSON, which takes over the reference; text: what a person sees. */
struct value value_json(json_t *json, const char *text);
bool value_type_is_number(enum value_type type);
double cell_number(const struct value *value); /* the value must be a number */
