/* Shows rows through columns. The only way a listing command prints. */
#pragma once

#include "command/command.h"
#include "view/column.h"

/* Prints count rows of size bytes each (an array of the row type) as the command line asks: JSON
 * {"version":1,PLURAL:[...], "problems":[...]} or a table. In a table with no rows empty says why there are
 * none (on standard error unless quiet). */
void listing_print(const struct context *context, const void *rows, size_t count, size_t size,
                   const char *empty);

/* The same array as JSON, without the envelope: for commands that put it beside other things. */
json_t *listing_json(const struct context *context, const struct column *columns, const void *rows,
                     size_t count, size_t size);
/* A table of the given columns, for a command with several. */
void listing_table(const struct context *context, const struct column_set *set, const void *rows,
                   size_t count, size_t size);
