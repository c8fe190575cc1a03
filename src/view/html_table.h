/* SPDX-License-Identifier: MIT */
/* Listings and trees as HTML. All text goes through html_text(). */
#pragma once

#include "view/html.h"
#include "view/listing.h"
#include "view/terminal.h"
#include "view/tree.h"

/* The class of a tone: "good", "warn", "bad", "dim", or "". */
const char *html_tone(enum tone tone);
/* A table of the columns in list (see columns_choose), headings first; with_place: each row says its device
 * and port in data-device and data-port, where the columns have them. */
void html_table(struct bytes *out, const struct listing *listing, const char *list, bool with_place);
/* A tree from the left to the right as inline SVG. Nodes of the kinds in skip (comma-separated) are left out,
 * and what hangs on them moves up. */
void html_tree(struct bytes *out, const struct tree_node *root, const char *skip);
