/* SPDX-License-Identifier: MIT */
/* HTML: all text of a machine goes through html_text(). */
#pragma once

#include "base/mem.h"

/* Text as it may stand between tags and in quoted attributes: cleaned as for a terminal, and & < > " ' as
 * entities. NULL: nothing. */
void html_text(struct bytes *out, const char *text);
