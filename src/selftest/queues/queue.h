/* SPDX-License-Identifier: MIT */
/* Queue pairs, and what they need of a device. */
#pragma once

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/num.h"
#include "selftest/diagnosis/failure.h"
#include "selftest/queues/operation.h"
#include "selftest/queues/wait.h"

/* A completion queue whose device says when each completion happened, by a clock of its own that can be read
 * as well: so it is known how long a message lay there before the program looked. mlx4 and mlx5 have both
 * (providers' create_cq_ex and query_rt_values); irdma and ionic stamp, but their clock can't be read; rxe
 * has neither. */

struct stamps {
    struct ibv_cq_ex *cq; /* NULL: there are none */
    uint64_t mask;        /* of the clock's bits */
    uint64_t khz;
};

/* NULL: the device has none of it, and an ordinary queue is to be used. Ended by ibv_destroy_cq(). */
struct ibv_cq *stamps_open(struct ibv_context *context, uint32_t cqe, struct ibv_comp_channel *channel,
                           struct stamps *stamps);
/* As ibv_poll_cq(), with status, wr_id, byte_len, src_qp, wc_flags and vendor_err of each; ages[i]: ns since
 * it happened, STAMPS_NO_AGE: the device didn't say. */
#define STAMPS_NO_AGE UINT64_MAX
int stamps_poll(const struct stamps *stamps, int count, struct ibv_wc *wc, uint64_t *ages);

/* One end of a test: an open device, one registered buffer in two halves, and what the port says. All memory
 * that the other end may touch is that buffer, and it never holds anything but the pattern. */

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

/* A queue pair with its completion queues, the way to its other end, and what it has on its way. */

struct rdma_cm_id;

/* QUEUE_DEPTH: work requests on their way. */
enum { QUEUE_PIECES = 3, QUEUE_DEPTH = 128, QUEUE_RECEIVES = 512, GRH_SIZE = 40 };

/* How packets travel, and how long the device keeps trying. */
struct path {
    uint32_t mtu; /* bytes */
    uint8_t traffic_class, hop_limit, rd_atomic;
    uint8_t timeout;     /* 4.096 µs × 2^timeout for an ACK */
    uint8_t retry_count; /* 0 to 7; 0: nothing is sent twice, whatever the answer */
    uint32_t flow_label; /* 0: the driver chooses; see wait.h */
    uint8_t dgid[16];
};

/* Together about a second (NICs may take four times as long): a switch's path change passes, and silence ends
 * in "transport retry counter exceeded" before a step's own deadline. Not 7 retries: soft-RoCE takes that for
 * "forever". */
enum { PATH_TIMEOUT = 15, PATH_RETRIES = 6 };
struct path path_new(uint32_t mtu, uint8_t traffic_class, uint8_t hop_limit, uint8_t rd_atomic);

struct queue {
    struct endpoint *end;
    enum queue_kind kind;
    struct ibv_qp *qp;
    struct rdma_cm_id *cm_id; /* RDMA_CM's, which owns the QP; else NULL */
    struct ibv_cq *send_cq, *recv_cq;
    struct stamps stamps;             /* of recv_cq, where it was asked for and the device has them */
    struct ibv_comp_channel *channel; /* of both */
    struct ibv_srq *srq;
    struct ibv_ah *ah;          /* UD */
    uint32_t psn, remote_qpn;   /* psn: random, of the first packet that it sends */
    uint32_t qkey, remote_qkey; /* UD; ours is random */
    uint8_t remote_gid[16];
    uint32_t inline_size;          /* bytes that fit a work request */
    uint32_t sends, receives;      /* capacity */
    uint64_t remote_rx, remote_tx; /* addresses of the other end's halves */
    uint32_t rkey;
    uint32_t posted; /* receives that wait, by queue_top_up() */
    bool used;       /* a message has come through, in either direction */
};

/* QUEUE_BY_CM: without the QP, which RDMA_CM makes with queue_init_attr(). QUEUE_STAMPED: with time stamps of
 * what comes where the device has them; only queue_poll_stamped() polls it then. */
enum queue_flags { QUEUE_BY_CM = 1, QUEUE_STAMPED = 2 };
/* The caller frees *queue. */
int queue_new(struct endpoint *end, enum queue_kind kind, unsigned flags, struct queue **queue,
              struct failure *failure);
void queue_init_attr(const struct queue *queue, struct ibv_qp_init_attr *init);
void queue_free(struct queue *queue); /* NULL is fine */

/* INIT, RTR, RTS (for UD also an address handle). */
int queue_connect(struct queue *queue, const struct path *path, const struct queue_description *peer,
                  struct failure *failure);
/* What the other end has to know of it; all 0 where there is none. */
struct queue_description queue_describe(const struct queue *queue, enum queue_kind kind);

/* Up to count completions. Their number; a bad one: -EIO with failure filled. */
int queue_poll(struct queue *queue, struct ibv_cq *cq, struct ibv_wc *wc, int count, struct failure *failure);
/* Up to count receives that have completed, well or not, and how long ago (ns; STAMPS_NO_AGE: not known).
 * Their number, or < 0. */
int queue_poll_stamped(struct queue *queue, int count, struct ibv_wc *wc, uint64_t *ages);
/* Exactly one completion, by polling or by event. 0, or -ETIMEDOUT, -EINTR, -ECONNRESET, -EIO with failure
 * filled. */
int queue_wait(struct queue *queue, struct ibv_cq *cq, bool events, const struct watch *watch,
               struct ibv_wc *wc, struct failure *failure);
/* How waiting ended badly, as a failure. Returns r. */
int queue_wait_failed(const struct queue *queue, int r, struct failure *failure);

/* Makes wr a request of this operation to the other end: what it does and where; offset: bytes behind the
 * start of the other end's half (not of SEND and atomics). */
void queue_aim(const struct queue *queue, enum operation op, size_t offset, struct ibv_send_wr *wr);
int queue_post_send(struct queue *queue, struct ibv_send_wr *wr, struct failure *failure);
int queue_post_recv(struct queue *queue, struct ibv_recv_wr *wr, struct failure *failure);
/* One SEND, signalled, of so many bytes of the endpoint's buffer; and one receive into it, with that wr_id. */
int queue_send(struct queue *queue, const uint8_t *from, uint32_t length, struct failure *failure);
int queue_receive(struct queue *queue, uint8_t *to, uint32_t length, uint64_t id, struct failure *failure);

/* Receives for messages of any size, all into the same place (for measurements), until so many wait. In
 * chains: nothing is posted while fewer than a chain are missing. The caller counts queue->posted down. */
enum { QUEUE_CHAIN = 32 };
int queue_top_up(struct queue *queue, uint32_t wanted, struct failure *failure);

/* The MTU enum of so many bytes, 0 for none; and back. */
enum ibv_mtu mtu_enum(uint32_t bytes);
uint32_t mtu_bytes(enum ibv_mtu mtu);

/* The queue pairs of one end: one a kind, and more RC ones for bandwidth. Or, to look at many paths: RC ones
 * that differ in their UDP source port only, and a UD one whose receives are stamped. */

struct set {
    struct endpoint *end;
    struct cm *cm; /* RDMA_CM's side of it; else NULL */
    bool paths;    /* it looks at paths */
    /* by kind, then the additional RC ones; NULL: the device has no such */
    struct queue *queues[SET_QUEUES_MOST];
    unsigned count;
    struct failure why[QUEUE_KINDS]; /* there is none */
};

struct set_spec {
    struct endpoint_spec end;
    unsigned rc_queues; /* at least 1 */
    bool paths;
    bool that_device; /* with RDMA_CM: end.device it has to be, of those that share an address */
};

/* The caller frees *set. Fails only when an RC queue pair can't be made. */
int set_open(const struct set_spec *spec, struct set **set, struct failure *failure);
void set_close(struct set *set); /* NULL is fine */
/* The end of making one: *out is the set, or, when r says that it went wrong, it is closed. Returns r. */
int set_hand_over(struct set *set, int r, struct set **out);

/* How many RC queue pairs there are, number i of them, and all of them as flow_begin() wants them. */
static inline unsigned set_rc_count(const struct set *set)
{
    return set->count - (QUEUE_KINDS - 1);
}
struct queue *set_rc(const struct set *set, unsigned i);
unsigned set_rcs(const struct set *set, struct queue *list[static SET_QUEUES_MOST]);

/* Has a message come through any of them? */
bool set_used(const struct set *set);

struct set_description set_describe(const struct set *set);
struct buffer_description set_describe_buffer(const struct set *set);
/* The other end's buffer, for all queues. Messages may be as large as fits both. */
void set_learn_buffer(struct set *set, const struct buffer_description *buffer);
/* Learns the other end's buffer, and connects every queue pair that both ends have; those that only one has,
 * and those of a kind other than RC that can't be connected, are closed (why says it). labels: the flow label
 * of each RC one; NULL: the driver chooses. */
int set_connect(struct set *set, const struct path *path, const uint32_t *labels,
                const struct set_description *peer, struct failure *failure);

/* Of a set for paths: 67 ms for an ACK (as struct path has it): what is lost shows in the time of its answer,
 * and nothing that only is slow does. */
enum { PATHS_TIMEOUT = 14 };

/* Connecting as applications do that use RDMA_CM: the kernel chooses device, GID, traffic class and MTU. */

struct cm;

/* Listens on the address of a GID; *port is the one that the system chose. The caller closes *cm. With
 * spec->that_device it fails, as the others do, where RDMA_CM takes another device for the address. */
int cm_listen(const uint8_t gid[static 16], uint32_t ifindex, const struct set_spec *spec, struct cm **cm,
              uint16_t *port, struct failure *failure);
/* Waits for the client with that address and accepts it; one RC queue pair. *set has cm from then on; after a
 * failure it is still the caller's. */
int cm_accept(struct cm *cm, const uint8_t client[static 16], const struct set_spec *spec,
              const struct watch *watch, struct set **set, struct failure *failure);
/* The other side of it, from our address (source). In two halves, as a process may be the server as well:
 * what is asked for by the first is accepted before the second. The caller closes *set. */
int cm_begin(const uint8_t source[static 16], const uint8_t server[static 16], uint32_t ifindex, uint16_t port,
             const struct set_spec *spec, const struct watch *watch, struct set **set, struct failure *failure);
int cm_established(struct set *set, const struct watch *watch, struct failure *failure);
void cm_close(struct cm *cm); /* NULL is fine */
