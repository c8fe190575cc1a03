/* SPDX-License-Identifier: MIT */
/* Something that changed: a line of `roce monitor`. */
#pragma once

#include "lists.h"
#include "model/num.h"

ENUM_EVENT_KIND;

struct event {
    enum event_kind kind;
    struct num port, index;                         /* index: of a GID */
    const char *device, *netdev, *from, *to, *note; /* NULL: none */
    uint64_t time_ms;                               /* since 1970, when it was seen */
};

const char *event_kind_name(enum event_kind kind); /* "device-added" */

struct bytes;
/* Appends the subject and what happened to it, uncleaned: "mlx5_0/1 GID 3 ens1 10.0.0.1 (RoCE v2)". */
void event_describe(const struct event *event, struct bytes *text);

/* What the event points at is the caller's. */
typedef void event_listener(void *data, const struct event *event);
