/* SPDX-License-Identifier: MIT */
/* Netlink messages and attributes in untrusted bytes: every length is checked against what is really there.
 * Pure, with one exception: an answer has the byte order of the machine that gave it, and a recording may come
 * from one with the other order. messages_of() detects the order from the first message; until it is called
 * again (in the same thread) attributes, order16() and the like are read in that order. */
#pragma once

#include <linux/netlink.h>

#include "model/num.h"

struct arena;

/* The messages of a reply, one after another. data must be aligned to 4. */
struct messages {
    const char *data;
    size_t left;
    bool broken; /* a length was wrong: what follows can't be trusted and is dropped */
};

struct message {
    const struct nlmsghdr *header; /* as received; its type and flags in this machine's order: */
    uint16_t type, flags;
    const char *payload; /* after the header */
    size_t len;
};

struct messages messages_of(const void *bytes, size_t len);
/* Sets the order for bytes that don't begin with a message: is it the other one? */
void order_set_foreign(bool foreign);
/* A number from a fixed header or struct of the answer being read, in this machine's order. */
uint16_t order16(uint16_t number);
uint32_t order32(uint32_t number);
uint64_t order64(uint64_t number);
/* The next one, including NLMSG_NOOP and the like; false at the end, or if broken. */
bool messages_next(struct messages *messages, struct message *message);
/* The next one that holds an answer: skips NLMSG_DONE, NLMSG_ERROR and NLMSG_NOOP. */
bool messages_next_answer(struct messages *messages, struct message *message);
/* What an NLMSG_ERROR or NLMSG_DONE says: 0 or -errno; -EBADMSG if it's too short or not an errno. */
int message_error(const struct message *message);
/* The kernel's own words for an error (NLMSGERR_ATTR_MSG), or NULL. */
const char *message_error_text(const struct message *message, struct arena *arena);

/* The attributes of one level, one after another. */
struct attr_walk {
    const char *at;
    size_t left;
    bool broken; /* a length was wrong: nothing more is returned */
};
struct attr_walk attr_walk(const void *data, size_t len);
/* A message's, after a fixed header of that many bytes. */
struct attr_walk attr_walk_after(const struct message *message, size_t header);
/* Those within a nest; NULL is an empty one. The NLA_F_NESTED flag isn't required: many nests lack it. */
struct attr_walk attr_walk_in(const struct nlattr *nest);
const struct nlattr *attr_walk_next(struct attr_walk *walk); /* NULL: the end, or broken */
/* Are all lengths right? */
bool attr_walk_is_sound(struct attr_walk walk);
/* The last one of that type; NULL if there is none. */
const struct nlattr *attr_find(struct attr_walk walk, unsigned type);

unsigned attr_type(const struct nlattr *attr);  /* without its flags */
size_t attr_payload(const struct nlattr *attr); /* bytes after its header, without padding */

/* Values; unknown or NULL if attr is NULL or too short. */
struct num attr_number(const struct nlattr *attr, size_t width); /* 0: its actual width: 1, 2, 4 or 8 bytes */
uint64_t attr_value(const struct nlattr *attr, size_t width,
                    uint64_t otherwise); /* the same, or `otherwise` if unknown */
/* "10.0.0.1:7471", "[fe80::1]:7471"; port in network order. NULL: no such family. */
const char *endpoint_text(int family, const void *address, uint16_t port, struct arena *arena);
const char *attr_text(const struct nlattr *attr, struct arena *arena);
const void *attr_bytes(const struct nlattr *attr, size_t *len);

/* A request being built, with room for anything roce asks; use libmnl's mnl_attr_put on &request->header. */
struct request {
    union {
        struct nlmsghdr header;
        char room[1024];
    };
};
/* Begins an empty message of type with flags (NLM_F_REQUEST is added) and a zeroed fixed header of extra bytes,
 * and returns a pointer to that header. */
void *request_begin(struct request *request, uint16_t type, uint16_t flags, size_t extra);
