/* SPDX-License-Identifier: MIT */
/* One value as text for a person and as JSON for a program. */
#pragma once

#include <jansson.h>

#include "model/value.h"

/* Clean text; the caller frees it. "-" for an absent value. */
char *cell_text(const struct value *value);
json_t *cell_json(const struct value *value); /* a new reference */
bool cell_is_number(const struct value *value);
bool value_type_is_number(enum value_type type);
double cell_number(const struct value *value); /* the value must be a number */
