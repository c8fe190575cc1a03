/* SPDX-License-Identifier: MIT */
/* One end of a test: an open device, one registered buffer in two halves, and what the port says. All memory
 * that the other end may touch is that buffer, and it never holds anything but the pattern. */
#pragma once

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/num.h"
#include "selftest/diagnosis/failure.h"

/* ENDPOINT_MARGIN bytes around a message: for odd addresses, the datagram's header, and to see that nothing
 * is written next to it. */
enum { ENDPOINT_MARGIN = 4096, ENDPOINT_SIZE_LEAST = 65536, ENDPOINT_READS_MOST = 16 };

struct endpoint_spec {
    const char *device; /* name: "mlx5_0" */
    const char *node;   /* "/dev/infiniband/uverbs0"; NULL: not known */
    uint8_t port;
    uint16_t gid_index;
    size_t size;          /* the largest message */
    bool soft;            /* soft-RoCE (rxe) */
    struct num numa_node; /* its buffer is there; not known: anywhere */
};

struct endpoint {
    struct ibv_context *context;
    bool borrowed; /* the context is RDMA_CM's */
    struct ibv_device_attr attr;
    struct ibv_port_attr port_attr;
    union ibv_gid gid;
    uint32_t gid_type; /* enum ibv_gid_type; IBV_GID_TYPE_ROCE_V2 */
    uint8_t port;
    uint16_t gid_index;

    struct ibv_pd *pd;
    struct ibv_mr *mr;
    uint8_t *buffer; /* the sending half, then the receiving one */
    size_t half;     /* bytes of a half with its margins */
    size_t size;     /* the largest message: less than asked for where locked memory is short */
    bool atomics;
    bool iwarp;
    bool fragile;      /* endpoint_is_fragile() */
    bool memory_short; /* and so it was */
    struct num numa_node;
};

/* Is the device there, and may its node be opened? open(2) is tried first: ibv_open_device() waits 5 s on a
 * node that it may not open (rdma-core, util/open_cdev.c). 0 or -errno with failure filled. */
int verbs_open(const char *device, const char *node, struct ibv_context **context, struct failure *failure);

/* May an atomic that is sent twice crash this machine (soft-RoCE of an older kernel)? */
bool endpoint_is_fragile(const struct endpoint_spec *spec);

/* The caller frees *end. With context (of RDMA_CM) spec->device and node are not used and the context stays
 * the caller's. */
int endpoint_open(const struct endpoint_spec *spec, struct ibv_context *context, struct endpoint **end,
                  struct failure *failure);
void endpoint_close(struct endpoint *end); /* NULL is fine; its queues are gone before */

/* Is this GID the endpoint's own, so that packets to it stay on this device? */
static inline bool endpoint_is_at(const struct endpoint *end, const uint8_t gid[static 16])
{
    return memcmp(end->gid.raw, gid, sizeof(end->gid.raw)) == 0;
}

/* RDMA reads on their way: what the device says, and what is enough. */
static inline uint8_t endpoint_reads(int device_has)
{
    return (uint8_t)(device_has < ENDPOINT_READS_MOST ? device_has : ENDPOINT_READS_MOST);
}

static inline uint8_t *endpoint_tx(const struct endpoint *end)
{
    return end->buffer + ENDPOINT_MARGIN / 2;
}
static inline uint8_t *endpoint_rx(const struct endpoint *end)
{
    return end->buffer + end->half + ENDPOINT_MARGIN / 2;
}
