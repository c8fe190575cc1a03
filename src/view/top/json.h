/* SPDX-License-Identifier: MIT */
/* A frame of `roce top` as JSON; model/frame_parse.h reads it. */
#pragma once

#include <jansson.h>

#include "model/frame.h"
#include "view/look.h"

/* One object, with the ports, their columns and order that look asks for: a new reference. */
json_t *top_json(const struct frame *frame, const struct look *look);
