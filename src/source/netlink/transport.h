/* One way to ask the kernel over netlink, live or from a recording. A reply is kept as the raw bytes of all
 * its messages, the closing NLMSG_DONE or NLMSG_ERROR included; a recording holds it as netlink/NAME. */
#pragma once

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

#include "source/reader.h"

/* The live sockets, one a protocol, opened when first asked for. Belongs to a source. */
struct netlink;
struct netlink *netlink_new(void);
void netlink_free(struct netlink *netlink); /* NULL is fine */

/* A request being built, with room for what roce asks: use libmnl's mnl_attr_put on &request->header. */
struct request {
    union {
        struct nlmsghdr header;
        char room[1024];
    };
};
/* An empty message of type with flags (NLM_F_REQUEST is added) and a zeroed fixed header of extra bytes, to
 * which it returns a pointer. */
void *request_begin(struct request *request, uint16_t type, uint16_t flags, size_t extra);

/* Sends the request and collects the reply, which stays valid until the next question. name is how a
 * recording calls it: "nldev-devices", "dcb-ieee.eth0". 0 or -errno; -EOPNOTSUPP and -ENOENT where the
 * kernel (or the recording) has no such protocol, family or request. A dump that changed while it was taken
 * is taken again, a few times. */
int netlink_ask(struct reader *reader, int protocol, struct request *request, struct span *reply,
                const char *name, ...) PRINTF_LIKE(5, 6);

/* For what isn't netlink but is kept beside it (ethtool's ioctl): fills *reply with a malloc'd buffer that
 * netlink_fetch takes over. 0 or -errno. */
typedef int netlink_fetcher(const void *argument, struct bytes *reply);
int netlink_fetch(struct reader *reader, netlink_fetcher *fetch, const void *argument, struct span *reply,
                  const char *name, ...) PRINTF_LIKE(5, 6);

/* Notes a failed question as a problem, unless it only means that the kernel doesn't offer it. */
void netlink_problem(struct reader *reader, int err, const char *name, ...) PRINTF_LIKE(3, 4);

/* The id of a generic netlink family, asked for once. 0 or -errno (-ENOENT: the kernel hasn't got it). */
int netlink_family(struct reader *reader, const char *family, uint16_t *id);

/* A change: sends the request and waits for its acknowledgement. 0 or -errno; *text then has the kernel's
 * words, or NULL; it lives in arena. Live only. */
int netlink_change(int protocol, struct request *request, struct arena *arena, const char **text);
