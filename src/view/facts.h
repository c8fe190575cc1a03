/* SPDX-License-Identifier: MIT */
/* The facts of a host as JSON: what `facts` prints, and what `compare` makes from a recording. */
#pragma once

#include <jansson.h>

#include "check/check.h"

/* A new reference. report: what doctor found on the host; NULL: doctor wasn't asked, and "findings" is left
 * out. */
json_t *facts_json(const struct host *host, const struct report *report);
/* What others of its kind are expected to be like: leaves out what is unique to this host, momentary or
 * unknown. A new reference. */
json_t *facts_json_to_expect(const struct host *host);
