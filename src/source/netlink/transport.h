/* SPDX-License-Identifier: MIT */
/* The netlink back end: the kernel's answers, or a recording's. A reply is kept as the raw bytes of all its
 * messages, the closing NLMSG_DONE or NLMSG_ERROR included; a recording holds it as netlink/NAME. Private to
 * source/. */
#pragma once

#include "source/netlink/question.h"
#include "source/reader.h"

/* One of these is chosen when the source is opened. */
struct netlink_backend {
    /* path is the answer's in a recording; otherwise as netlink_ask() of ask.h says. */
    int (*ask)(struct reader *reader, const struct question *question, const struct subject *subject,
               const char *path, struct span *reply);
    /* As notices_open() of notices.h says; -EROFS: a recording has nothing to hear. */
    int (*listen)(int protocol);
};

extern const struct netlink_backend netlink_live, netlink_recorded;

/* The live sockets, one a protocol, opened when first asked for. Belongs to a source. */
struct netlink *netlink_new(void);
void netlink_free(struct netlink *netlink); /* NULL is fine */

/* A change: sends the request and waits for its acknowledgement. 0 or -errno; *text then has the kernel's
 * words, or NULL; it lives in arena. Live only. */
int netlink_change(int protocol, struct request *request, struct arena *arena, const char **text);
