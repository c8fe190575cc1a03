/* SPDX-License-Identifier: MIT */
/* Netlink attributes that may be passed on, as tables; see reply.h. Private to anonymise/. */
#pragma once

#include <linux/netlink.h>

#include "source/anonymise/anonymise.h"

enum keep {
    KEEP_END,
    KEEP_NUMBER,  /* up to 8 bytes, as they are */
    KEEP_NUMBERS, /* a struct or an array of numbers, of most bytes at most */
    KEEP_WORD,    /* of the kernel or a driver */
    KEEP_NAME,    /* of a netdev or RDMA device */
    KEEP_TEXT,    /* the kernel's, with an address in it perhaps */
    KEEP_PROGRAM,
    KEEP_MODULE,
    KEEP_ADDRESS, /* IP, by its length */
    KEEP_SOCKET_ADDRESS,
    KEEP_MAC,
    KEEP_GUID, /* 64 bits, host order */
    KEEP_NEST,
    KEEP_LIST, /* of attributes of any type, each as nest's first row says */
    KEEP_OWN,  /* put() does it */
};

struct attribute {
    uint16_t type;
    enum keep keep;
    const struct attribute *nest; /* ends with KEEP_END */
    uint16_t most;
    void (*put)(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out);
};

/* Appends those of the attributes at data that the table has. False: one of them is broken, and nothing
 * behind it is there. */
bool attributes_put(const struct anonymiser *anonymiser, const struct attribute *table, const char *data,
                    size_t len, struct bytes *out);
/* Appends an attribute of the same type whose payload the caller appends behind; attributes_end() with what
 * begin gave sets its length and pads it. */
size_t attributes_begin(struct bytes *out, uint16_t type);
void attributes_end(struct bytes *out, size_t begin);
void attributes_put_nest(const struct anonymiser *anonymiser, const struct attribute *table,
                         const struct nlattr *nest, struct bytes *out);

/* Of a table, chain or set of nftables. */
void attributes_put_nft_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out);

extern const struct attribute attributes_nft_table[], attributes_nft_chain[], attributes_nft_rule[],
    attributes_nft_set[];
