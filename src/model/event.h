/* SPDX-License-Identifier: MIT */
/* Something that changed: a line of `roce monitor`. Of fixed size, so a flood of events allocates no memory. */
#pragma once

#include "lists.h"
#include "model/num.h"

ENUM_EVENT_KIND;

enum { EVENT_TEXT_SIZE = 96 };

struct event {
    enum event_kind kind;
    uint64_t time_ms;       /* since 1970, when it was seen */
    char device[64];        /* "": none */
    struct num port, index; /* of a GID */
    char netdev[64];
    char from[EVENT_TEXT_SIZE], to[EVENT_TEXT_SIZE]; /* "": none */
    char note[EVENT_TEXT_SIZE];
};

const char *event_kind_name(enum event_kind kind); /* "device-added" */

struct bytes;
/* Appends the subject and what happened to it, uncleaned: "mlx5_0/1 GID 3 ens1 10.0.0.1 (RoCE v2)". */
void event_describe(const struct event *event, struct bytes *text);

typedef void event_listener(void *data, const struct event *event);
