/* SPDX-License-Identifier: MIT */
/* Queue pairs, and what they need from a device. */
#pragma once

#include <infiniband/verbs.h>

#include "model/num.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/queues/operation.h"
#include "selftest/queues/wait.h"

/* A completion queue whose device stamps each completion with a clock that the program can read too; this tells
 * how long a message was there before the program looked. mlx4 and mlx5 have both (providers' create_cq_ex and
 * query_rt_values); irdma and ionic stamp, but their clock can't be read; rxe has neither. */

struct stamps {
    struct ibv_cq_ex *cq; /* NULL if there are none */
    uint64_t mask;        /* the clock's valid bits */
    uint64_t khz;
};

/* Returns NULL if the device can't; use an ordinary queue then. Destroy with ibv_destroy_cq(). */
struct ibv_cq *stamps_open(struct ibv_context *context, uint32_t cqe, struct ibv_comp_channel *channel,
                           struct stamps *stamps);
/* Like ibv_poll_cq(), filling status, wr_id, byte_len, src_qp, wc_flags and vendor_err of each; ages[i]: ns
 * since it happened, or STAMPS_NO_AGE if the device didn't say. */
#define STAMPS_NO_AGE UINT64_MAX
int stamps_poll(const struct stamps *stamps, int count, struct ibv_wc *wc, uint64_t *ages);

/* Memory for a test that isn't this process's own: a GPU's, or the kernel's (udmabuf, dma-heap). Devices get it
 * by a dma-buf (ibv_reg_dmabuf_mr()). */

struct memory; /* NULL: the process's own */
enum { MEMORY_TEXT_SIZE = 200 };
/* text: "host", "udmabuf", "dma-heap", "cuda", "rocm:1". One at a time, which stays open. Loads the GPU's
 * driver, whose threads and files stay. Returns 0, or -errno with why filled. */
int memory_open(const char *text, struct memory **memory, char why[static MEMORY_TEXT_SIZE]);

/* A piece of it. */
struct memory_piece {
    struct memory *memory;
    int fd; /* of the dma-buf, where it begins at offset */
    uint64_t offset;
    void *view; /* the kernel's: the piece itself; of a GPU's: a copy that is brought up to date when asked */
    uintptr_t there; /* its address in the GPU */
    size_t size;     /* bytes; at least those asked for */
};
int memory_make(struct memory *memory, size_t size, struct memory_piece *piece,
                char why[static MEMORY_TEXT_SIZE]);
void memory_free(struct memory_piece *piece);
/* Brings what the view holds there to the piece, or back. 0, or the GPU driver's error. */
int memory_copy(const struct memory_piece *piece, uint8_t *view, size_t size, bool give);

/* One end of a test: an open device, one registered buffer in two halves, and the port's attributes. That
 * buffer is all the memory that the other end may touch, and it never holds anything but the pattern. */

/* ENDPOINT_MARGIN bytes around a message: for odd addresses, the datagram's header, and to detect writes next
 * to it. */
enum { ENDPOINT_MARGIN = 4096, ENDPOINT_SIZE_LEAST = 65536, ENDPOINT_READS_MOST = 128 };

struct endpoint_spec {
    const char *device; /* name: "mlx5_0" */
    const char *node;   /* "/dev/infiniband/uverbs0"; NULL: not known */
    uint8_t port;
    uint16_t gid_index;
    size_t size;           /* the largest message */
    bool soft;             /* soft-RoCE (rxe) */
    struct num numa_node;  /* of its buffer; not known: any */
    struct memory *memory; /* that its buffer is of */
};

struct endpoint {
    struct ibv_context *context;
    bool borrowed; /* the context is RDMA_CM's */
    struct ibv_device_attr attr;
    struct ibv_port_attr port_attr;
    union ibv_gid gid;
    uint8_t port;
    uint16_t gid_index;

    struct ibv_pd *pd;
    struct ibv_mr *mr;
    uint8_t *buffer;                  /* the sending half, then the receiving one */
    size_t half;                      /* bytes of a half with its margins */
    size_t size;                      /* the largest message: less than requested if locked memory is short */
    struct buffer_description remote; /* the other end's, once known */
    bool atomics;
    bool iwarp;
    bool fragile;      /* endpoint_is_fragile() */
    bool memory_short; /* locked memory was short */
    struct num numa_node;
    struct memory *memory;
    struct memory_piece piece; /* of it, if there is one */
};

/* Can a retransmitted atomic crash this machine (soft-RoCE of an older kernel)? */
bool endpoint_is_fragile(const struct endpoint_spec *spec);

/* The caller frees *end. With a context (RDMA_CM's), spec->device and node are ignored and the context stays
 * the caller's. */
int endpoint_open(const struct endpoint_spec *spec, struct ibv_context *context, struct endpoint **end,
                  struct failure *failure);
void endpoint_close(struct endpoint *end); /* NULL is fine; close its queues first */

/* Is this GID the endpoint's own, so that packets to it stay on this device? */
static inline bool endpoint_is_at(const struct endpoint *end, const uint8_t gid[static 16])
{
    return memcmp(end->gid.raw, gid, sizeof(end->gid.raw)) == 0;
}

/* RDMA reads in flight: the device's limit, up to what is enough. */
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

/* Has this end's CPU written something there that its device is to read, or wants to see what the device has
 * written? Returns 0, or -EIO with failure filled. */
int endpoint_give(const struct endpoint *end, uint8_t *from, size_t size, struct failure *failure);
int endpoint_take(const struct endpoint *end, uint8_t *to, size_t size, struct failure *failure);
/* Does the CPU see only what it takes? */
static inline bool endpoint_is_remote(const struct endpoint *end)
{
    return end->piece.there != 0;
}

/* A queue pair with its completion queues, the path to its other end, and its work in flight. */

struct rdma_cm_id;

/* QUEUE_DEPTH: work requests in flight. */
enum { QUEUE_PIECES = 3, QUEUE_DEPTH = 128, QUEUE_RECEIVES = 512, GRH_SIZE = 40 };

/* How packets travel, and how long the device keeps trying. */
struct path {
    uint32_t mtu; /* bytes */
    uint8_t traffic_class, hop_limit, rd_atomic;
    uint8_t timeout;     /* 4.096 µs × 2^timeout for an ACK */
    uint8_t retry_count; /* 0 to 7; 0: nothing is resent, whatever the answer */
    uint32_t flow_label; /* 0 lets the driver choose; see wait.h */
    uint8_t dgid[16];
};

/* Together about a second (NICs may take four times as long): survives a path change in a switch, yet silence
 * ends in "transport retry counter exceeded" before a step's own deadline. Not 7 retries: soft-RoCE takes that
 * for "forever". */
enum { PATH_TIMEOUT = 15, PATH_RETRIES = 6 };
struct path path_new(uint32_t mtu, uint8_t traffic_class, uint8_t hop_limit, uint8_t rd_atomic);

struct queue {
    struct endpoint *end;
    enum queue_kind kind;
    struct ibv_qp *qp;
    struct rdma_cm_id *cm_id; /* RDMA_CM's, which owns the QP; else NULL */
    struct ibv_cq *send_cq, *recv_cq;
    struct stamps stamps;             /* of recv_cq, if requested and the device has them */
    struct ibv_comp_channel *channel; /* of both */
    struct ibv_srq *srq;
    struct ibv_ah *ah;          /* UD */
    uint32_t psn, remote_qpn;   /* psn: random, of the first packet sent */
    uint32_t qkey, remote_qkey; /* UD; ours is random */
    uint8_t remote_gid[16];
    uint32_t inline_size;     /* bytes that fit in a work request */
    uint32_t sends, receives; /* capacity */
    uint32_t posted;          /* waiting receives, by queue_top_up() */
    bool used;                /* a message got through, in either direction */
};

/* QUEUE_BY_CM: without the QP, which RDMA_CM makes with queue_init_attr(). QUEUE_STAMPED: with time stamps on
 * receives if the device has them; then poll only with queue_poll_stamped(). */
enum queue_flags { QUEUE_BY_CM = 1, QUEUE_STAMPED = 2 };
/* The caller frees *queue. */
int queue_new(struct endpoint *end, enum queue_kind kind, unsigned flags, struct queue **queue,
              struct failure *failure);
void queue_init_attr(const struct queue *queue, struct ibv_qp_init_attr *init);
void queue_free(struct queue *queue); /* NULL is fine */

/* INIT, RTR, RTS (for UD also an address handle). */
int queue_connect(struct queue *queue, const struct path *path, const struct queue_description *peer,
                  struct failure *failure);
/* What the other end must know about it; all 0 if queue is NULL. */
struct queue_description queue_describe(const struct queue *queue, enum queue_kind kind);

/* Returns up to count completions; -EIO with failure filled for a bad one. */
int queue_poll(struct queue *queue, struct ibv_cq *cq, struct ibv_wc *wc, int count, struct failure *failure);
/* Up to count completed receives, good or bad, with their ages (ns; STAMPS_NO_AGE: not known). Returns their
 * number, or < 0. */
int queue_poll_stamped(struct queue *queue, int count, struct ibv_wc *wc, uint64_t *ages);
/* Waits for exactly one completion, by polling or by event. Returns 0, -ETIMEDOUT, -EINTR, -ECONNRESET, or -EIO
 * with failure filled. */
int queue_wait(struct queue *queue, struct ibv_cq *cq, bool events, const struct watch *watch,
               struct ibv_wc *wc, struct failure *failure);
/* Describes how waiting failed. Returns r. */
int queue_wait_failed(const struct queue *queue, int r, struct failure *failure);

/* Makes wr a request for this operation to the other end: what it does and where; offset: bytes into the other
 * end's half (not for SEND and atomics). */
void queue_aim(const struct queue *queue, enum operation op, size_t offset, struct ibv_send_wr *wr);
int queue_post_send(struct queue *queue, struct ibv_send_wr *wr, struct failure *failure);
/* Posts it and waits for its completion, as queue_wait(). */
int queue_perform(struct queue *queue, struct ibv_send_wr *wr, bool events, const struct watch *watch,
                  struct failure *failure);
/* Does the other end acknowledge what it gets? An empty write into its buffer, then ever larger ones from ours,
 * each waited for, all shorter than `size` bytes: a silent one gets at most a few times what it has
 * acknowledged. */
int queue_knock(struct queue *queue, uint32_t size, const struct watch *watch, struct failure *failure);
int queue_post_recv(struct queue *queue, struct ibv_recv_wr *wr, struct failure *failure);
/* Posts one signalled SEND of length bytes from the endpoint's buffer, with these flags of verbs, too; and one
 * receive into it, with that wr_id. */
int queue_send(struct queue *queue, const uint8_t *from, uint32_t length, unsigned flags,
               struct failure *failure);
int queue_receive(struct queue *queue, uint8_t *to, uint32_t length, uint64_t id, struct failure *failure);

/* Posts receives for messages of any size, all into the same place (for measurements), until `wanted` wait.
 * Posts whole chains only. The caller counts queue->posted down. */
enum { QUEUE_CHAIN = 32 };
int queue_top_up(struct queue *queue, uint32_t wanted, struct failure *failure);

uint32_t mtu_bytes(enum ibv_mtu mtu);

/* The queue pairs of one end: one per kind, and more RC ones for bandwidth. Or, for testing many paths: RC ones
 * that differ only in their UDP source port, and a UD one whose receives are stamped. */

struct set {
    struct endpoint *end;
    struct cm *cm; /* RDMA_CM's part; else NULL */
    bool paths;    /* it is for testing paths */
    /* by kind, then the additional RC ones; NULL if the device has no such kind */
    struct queue *queues[SET_QUEUES_MOST];
    unsigned count;
    struct failure why[QUEUE_KINDS]; /* of a missing one */
};

struct set_spec {
    struct endpoint_spec end;
    unsigned rc_queues; /* at least 1 */
    bool paths;
    bool that_device; /* with RDMA_CM: it must be end.device, among those that share an address */
};

/* The caller frees *set. Fails only if an RC queue pair can't be made. */
int set_open(const struct set_spec *spec, struct set **set, struct failure *failure);
void set_close(struct set *set); /* NULL is fine */

/* The number of RC queue pairs, and the i-th of them. */
static inline unsigned set_rc_count(const struct set *set)
{
    return set->count - (QUEUE_KINDS - 1);
}
struct queue *set_rc(const struct set *set, unsigned i);

/* Has a message got through on any of them? */
bool set_used(const struct set *set);

struct set_description set_describe(const struct set *set);
struct buffer_description set_describe_buffer(const struct set *set);
/* Notes the other end's buffer. Messages may be as large as fits both. */
void set_learn_buffer(struct set *set, const struct buffer_description *buffer);
/* Notes the other end's buffer, and connects every queue pair that both ends have. Closes those that only one
 * end has, and those other than RC that can't be connected (why says so). labels: the flow label of each RC
 * one; NULL lets the driver choose. */
int set_connect(struct set *set, const struct path *path, const uint32_t *labels,
                const struct set_description *peer, struct failure *failure);

/* For sets that test paths: 67 ms for an ACK (see struct path), so that a lost packet shows in the time its
 * answer takes, and a merely slow one doesn't. */
enum { PATHS_TIMEOUT = 14 };

/* Connecting as applications with RDMA_CM do: the kernel chooses device, GID, traffic class and MTU. */

struct cm;

/* Listens on the address of a GID; *port is the one that the system chose. The caller closes *cm. With
 * spec->that_device this and the functions below fail if RDMA_CM uses another device for the address. */
int cm_listen(const uint8_t gid[static 16], uint32_t ifindex, const struct set_spec *spec, struct cm **cm,
              uint16_t *port, struct failure *failure);
/* Waits for the client with that address and accepts it, with one RC queue pair. *set then owns cm; after a
 * failure it is still the caller's. */
int cm_accept(struct cm *cm, const uint8_t client[static 16], const struct set_spec *spec,
              const struct watch *watch, struct set **set, struct failure *failure);
/* The client's side, from our address (source), in two halves: one process may be the server as well, and
 * accept between them. The caller closes *set. */
int cm_begin(const uint8_t source[static 16], const uint8_t server[static 16], uint32_t ifindex, uint16_t port,
             const struct set_spec *spec, const struct watch *watch, struct set **set, struct failure *failure);
int cm_established(struct set *set, const struct watch *watch, struct failure *failure);
void cm_close(struct cm *cm); /* NULL is fine */
