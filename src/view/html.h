/* SPDX-License-Identifier: MIT */
/* HTML: all text of a machine goes through html_text(). */
#pragma once

#include "base/mem.h"
#include "view/listing.h"
#include "view/terminal.h"
#include "view/tree.h"

/* Text as it may stand between tags and in quoted attributes: cleaned as for a terminal, and & < > " ' as
 * entities. NULL: nothing. */
void html_text(struct bytes *out, const char *text);
/* The class of a tone: "good", "warn", "bad", "dim", or "". */
const char *html_tone(enum tone tone);
/* A table of the columns in list (see columns_choose), headings first; with_place: each row says its device
 * and port in data-device and data-port, where the columns have them. */
void html_table(struct bytes *out, const struct listing *listing, const char *list, bool with_place);
/* A tree from the left to the right as inline SVG. Nodes of the kinds in skip (comma-separated) are left out,
 * and what hangs on them moves up. */
void html_tree(struct bytes *out, const struct tree_node *root, const char *skip);
