/* SPDX-License-Identifier: MIT */
/* Rows for other programs, a line each: what JSON has, as CSV (RFC 4180), KEY="value" pairs, or JSON. */
#pragma once

#include <jansson.h>

#include "view/column.h"

/* The keys of set, then a row's values: numbers exact, true and false, nothing for what is absent, lists with
 * ';' between. Text is cleaned, and quoted where it has to be. */
void lines_csv_header(const struct column_set *set);
void lines_csv(const struct column_set *set, const json_t *row);
/* KEY="value" for each column, as lsblk -P: a shell can eval the line, whatever the values are. */
void lines_pairs(const struct column_set *set, const json_t *row);
void lines_json(const json_t *row);
