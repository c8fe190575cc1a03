/* SPDX-License-Identifier: MIT */
/* One end of many connections by as many paths: RC queue pairs that differ in their UDP source port only, and
 * one for datagrams. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/queues/source_port.h"

/* BUNDLE_TIMEOUT: 67 ms for an ACK (as struct path has it): what is lost shows in the time of its answer, and
 * nothing that only is slow does. */
enum { BUNDLE_MOST = 32, BUNDLE_TIMEOUT = 14 };

/* What the other end has to know: plain data that travels. */
struct bundle_description {
    uint32_t count;
    struct queue_description queues[BUNDLE_MOST]; /* RC */
    struct queue_description datagrams;           /* UD; qpn 0: none */
    struct buffer_description keys;
};

struct bundle {
    struct endpoint *end;
    struct queue *queues[BUNDLE_MOST];
    struct queue *datagrams; /* NULL: the device has no UD */
    uint32_t count;
};

/* 1 to BUNDLE_MOST RC queue pairs. 0, or -errno with failure filled. The caller closes *bundle. */
int bundle_open(const struct endpoint_spec *spec, uint32_t count, struct bundle **bundle,
                struct failure *failure);
void bundle_close(struct bundle *bundle); /* NULL is fine */
void bundle_describe(const struct bundle *bundle, struct bundle_description *description);
/* Connects each with its counterpart. labels: one each, for our own packets. */
int bundle_connect(struct bundle *bundle, const struct path *path, const uint32_t *labels,
                   const struct bundle_description *peer, struct failure *failure);
