/* SPDX-License-Identifier: MIT */
/* What libibverbs answers for a device that may be opened: the attributes from ibv_query_device_ex() and
 * ibv_query_port(), and the GID table from QUERY_GID_TABLE. Plain data: the names are libibverbs', listed once
 * in lists.txt; the structs, the JSON and the reading code are made from the lists. A number that the provider
 * doesn't fill in is 0, as in libibverbs. */
#pragma once

#include "lists.h"
#include "model/gid.h"

/* How a number is stored and written: INT may be negative, HEX may need all 64 bits and is text in JSON. */
#define VERBS_INT int32_t
#define VERBS_U32 uint32_t
#define VERBS_HEX uint64_t

#define VERBS_MEMBER(kind, name, ...) VERBS_##kind name;

struct verbs_port {
    uint32_t number;
    uint32_t err; /* errno of querying the port; then the rest is 0 */
    VERBS_PORT_ATTRS(VERBS_MEMBER)
    VERBS_PORT_NEW_ATTRS(VERBS_MEMBER)
    struct gid *gids; /* filled slots, by index; netdev is NULL, ifindex perhaps from another namespace */
    size_t ngids;
};

struct verbs_device {
    int32_t transport_type;             /* enum ibv_transport_type: 0 InfiniBand or RoCE, 1 iWARP, … */
    const char *fw_ver;                 /* as decoded by the provider; "": none */
    uint64_t node_guid, sys_image_guid; /* host order */
    uint32_t num_comp_vectors;
    int32_t dmabuf_err; /* errno of ibv_reg_dmabuf_mr() for the file descriptor -1: EBADF if the kernel supports
                           it, EOPNOTSUPP or EPROTONOSUPPORT if it doesn't; 0: not asked */
    uint32_t gids_err;  /* errno of querying the GID table; 0: the ports' gids are complete */
    VERBS_DEVICE_ATTRS(VERBS_MEMBER)
    VERBS_DEVICE_EX_ATTRS(VERBS_MEMBER)
    VERBS_DEVICE_NEW_ATTRS(VERBS_MEMBER)
    struct verbs_port *ports; /* 1 to phys_port_cnt */
    size_t nports;
};

/* enum ibv_mtu (1 to 5) in bytes (256 to 4096); 0 for any other number. */
unsigned verbs_mtu_bytes(uint32_t mtu);
struct verbs_port *verbs_device_port(const struct verbs_device *device, uint32_t number); /* NULL: none */

struct arena;
struct bytes;

/* The form kept in a recording, verbs/DEVICE: a JSON object. Pure. */
void verbs_encode(const struct verbs_device *device, struct bytes *out);
/* Returns 0, or -EBADMSG if it isn't one or is impossible. Everything in *device lives in arena. */
int verbs_decode(const char *text, size_t len, struct arena *arena, struct verbs_device **device);
