/* SPDX-License-Identifier: MIT */
/* A machine as one HTML page that needs nothing else: findings first, then ports, topology, priorities,
 * counters, users. */
#pragma once

#include "base/mem.h"
#include "check/check.h"
#include "view/listing.h"
#include "view/qos.h"

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