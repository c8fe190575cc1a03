/* SPDX-License-Identifier: MIT */
/* HTML: all text from a machine goes through html_text(). */
#pragma once

#include "view/history.h"
#include "view/qos.h"
#include "view/terminal.h"
#include "view/tree.h"

/* Text safe between tags and in quoted attributes: cleaned as for a terminal, with & < > " ' as entities.
 * NULL: nothing. */
void html_text(struct bytes *out, const char *text);
const char *html_safe(struct arena *arena, const char *text); /* the same, as a text in arena */

/* The frame of a page about many hosts: no script can run in it, and nothing is fetched. */

void html_page_begin(struct bytes *out, const char *title);
void html_page_end(struct bytes *out);
/* <TAG CLASS>text</TAG>: tag and class_name are our own words; class_name may be NULL. */
void html_element(struct bytes *out, const char *tag, const char *class_name, const char *text);

/* Listings and trees as HTML. */

/* A table of the columns in list (see columns_choose), headings first; with_place: each row has its device and
 * port in data-device and data-port, if the columns include them. */
void html_table(struct bytes *out, const struct listing *listing, const char *list, bool with_place);
/* A left-to-right tree as inline SVG. Nodes of the kinds in skip (comma-separated) are left out, unless their
 * names are in keep, and their children move up. */
void html_tree(struct bytes *out, const struct tree_node *root, const char *skip, const char *keep);

/* A machine as one self-contained HTML page: findings first, then ports, topology, priorities, counters,
 * users. */

struct report_page {
    struct host *host;
    const char *from; /* the recording; NULL: the machine itself */
    const struct report *report;
    struct listing ports, counters, users; /* counters: those that aren't zero */
    struct qos_subjects qos;
    size_t ntrouble;           /* the counters that signal trouble, which come first */
    const char *without_users; /* why there are none to show; NULL if there are */
    const struct tree_node *topology;
    const struct history_picture *history; /* NULL: not asked for */
};

/* Appends it to out. */
void report_page(struct bytes *out, const struct report_page *page);
