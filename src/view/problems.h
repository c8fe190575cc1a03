/* SPDX-License-Identifier: MIT */
/* What couldn't be read belongs to the answer: programs find it in the JSON (json_add_problems), people as
 * warnings below what is shown. */
#pragma once

#include "model/host.h"

void problems_say(const struct host *host); /* NULL is fine */
