/* SPDX-License-Identifier: MIT */
/* A line of a log, and what it comes to on the machine that it names parts of. */
#pragma once

#include "model/mention.h"
#include "selftest/diagnosis/message.h"
#include "view/explanation.h"

struct explained {
    struct reading reading;
    const char *line; /* the first that says so, len bytes */
    size_t len, number, times;
    struct mention mentions[MENTIONS_MOST];
    size_t nmentions;
};

/* host: what the mentions are of, NULL with none; recording: its path for commands to be pasted, NULL: live. */
void page_message(struct page *page, const struct host *host, const char *recording,
                  const struct explained *explained);
