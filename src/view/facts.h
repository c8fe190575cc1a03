/* SPDX-License-Identifier: MIT */
/* The facts of a host as JSON: what `facts` prints, and what `compare` makes of a recording. */
#pragma once

#include <jansson.h>

#include "check/check.h"

/* A new reference. report: what doctor found on the host; NULL: it wasn't asked, and there is no "findings". */
json_t *facts_json(const struct host *host, const struct report *report);
/* What others of its kind are expected to be like: without what only this host has, tells of the moment, or
 * isn't known. A new reference. */
json_t *facts_json_to_expect(const struct host *host);
