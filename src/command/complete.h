/* SPDX-License-Identifier: MIT */
/* What can stand at the cursor of a command line: made of the same const data that parses and helps. */
#pragma once

#include "command/offer.h"

/* words: what follows "roce"; the last is the one at the cursor, up to the cursor, "" when it is yet to come.
 */
void complete(struct completion *completion, char *const *words, size_t count, complete_host *host,
              void *data);
