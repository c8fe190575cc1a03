/* SPDX-License-Identifier: MIT */
/* HTML: all text of a machine goes through html_text(). */
#pragma once

#include "base/mem.h"
#include "check/check.h"
#include "view/listing.h"
#include "view/qos.h"
#include "view/terminal.h"
#include "view/tree.h"

/* Text as it may stand between tags and in quoted attributes: cleaned as for a terminal, and & < > " ' as
 * entities. NULL: nothing. */
void html_text(struct bytes *out, const char *text);

/* The frame of a page about many hosts: no script runs in it, and nothing is fetched from anywhere. */

void html_page_begin(struct bytes *out, const char *title);
void html_page_end(struct bytes *out);
/* <TAG CLASS>text</TAG>: tag and class_name are our own words; class_name may be NULL. */
void html_element(struct bytes *out, const char *tag, const char *class_name, const char *text);

/* Listings and trees as HTML. All text goes through html_text(). */

/* The class of a tone: "good", "warn", "bad", "dim", or "". */
const char *html_tone(enum tone tone);
/* A table of the columns in list (see columns_choose), headings first; with_place: each row says its device
 * and port in data-device and data-port, where the columns have them. */
void html_table(struct bytes *out, const struct listing *listing, const char *list, bool with_place);
/* A tree from the left to the right as inline SVG. Nodes of the kinds in skip (comma-separated) are left out,
 * and what hangs on them moves up. */
void html_tree(struct bytes *out, const struct tree_node *root, const char *skip);

/* A machine as one HTML page that needs nothing else: findings first, then ports, topology, priorities,
 * counters, users. */

struct report_page {
    struct host *host;
    const char *from; /* the recording; NULL: the machine itself */
    const struct report *report;
    struct listing ports, counters, users; /* counters: those that aren't zero */
    struct qos_subjects qos;
    size_t ntrouble;           /* of the counters, which come first, those that signal trouble */
    const char *without_users; /* why there is none to show; NULL: there are */
    const struct tree_node *topology;
};

/* Appends it to out. */
void report_page(struct bytes *out, const struct report_page *page);
