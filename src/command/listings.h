/* SPDX-License-Identifier: MIT */
/* Other commands' listings, for pages that show several. Rows are in the host's arena. */
#pragma once

#include "command/context.h"
#include "view/listing.h"
#include "view/rows.h"

/* What must be read for all of these, and for the findings. */
needs_t page_needs(void);
const struct column *columns_of_command(const char *command);

/* The selected ports, each with its verdict, as status shows them. */
struct listing port_listing(const struct context *context, const struct report *report);
/* Who uses the selected devices, as users shows it. */
struct listing user_listing(const struct context *context);
/* Counters above zero of the selected devices and ports, as counters shows them; the first *ntrouble signal
 * trouble. */
struct listing counter_listing(const struct context *context, size_t *ntrouble);
/* Why user_listing() has no rows. */
const char *no_user_text(const struct host *host);
