/* SPDX-License-Identifier: MIT */
/* What processes and the kernel hold on a device: queue pairs, memory regions and so on, from nldev's resource
 * tracking. Filled when NEED_RESOURCES is asked for. */
#pragma once

#include "lists.h"
#include "model/num.h"

ENUM_RESOURCE_TYPE;

/* What the device counts only for queue pairs that `rdma statistic qp` has bound to the counter, manually or
 * automatically (mode auto). Roles as in model/counters.h. */
struct queue_counter {
    struct num number; /* the kernel's; queue pairs with the same number share one counter */
    struct num retransmissions, out_of_sequence, rnr_naks_received;
};

struct resource {
    enum resource_type type;
    const char *device;
    struct num32 port;
    struct num32 id;   /* lqpn, cqn, mrn, pdn, cm_idn, srqn, ctxn: identifies it on its device */
    struct num32 pid;  /* in the reader's pid namespace; not known: the kernel's own, or another namespace's */
    const char *comm;  /* name of the process, or of the kernel's user ("ib_core") */
    const char *state; /* "RTS", "LISTEN": of a QP or CM id */
    const char *kind;  /* "RC", "GSI", "BASIC": type of a QP or SRQ, of a CM id's QP */
    const char *subtype; /* a driver's own QP type: "DCI" */
    struct num32 lqpn, rqpn, rq_psn, sq_psn;
    const char *path_mig_state;
    struct num32 pdn, cqn, ctxn;
    const struct queue_counter *counter; /* of a QP; NULL: the device counts nothing for it separately */
    const char **qps;                    /* of an SRQ: numbers of the QPs that use it, ranges as "19-34" */
    size_t nqps;
    struct num32 entries;
    struct num users;
    const char *poll_context; /* of a kernel CQ */
    struct num adaptive_moderation;
    struct num32 lkey, rkey; /* only with CAP_NET_ADMIN; a PD's are the kernel's own for DMA */
    struct num iova, length;
    const char *port_space;           /* "TCP", "UDP", "IB", "IPoIB" */
    const char *source, *destination; /* "10.0.0.1:7471" */
};

/* enum ib_qp_state (rdma/ib_verbs.h) and rdma_cm_state (rdma/rdma_cm.h) in iproute2's words. */
enum { RESOURCE_QP_STATES = 7, RESOURCE_CM_STATES = 11 };
extern const char *const resource_qp_states[RESOURCE_QP_STATES];
extern const char *const resource_cm_states[RESOURCE_CM_STATES];
/* Is it one of them, in any case? */
bool resource_is_state(const char *word);

/* How many of a type are in use on a device. */
struct resource_total {
    const char *device;
    const char *type; /* the kernel's word: "qp", "cm_id", even if it has no enum here */
    uint64_t count;
    struct num limit; /* the kernel's word (RES_SUMMARY_ENTRY_MAX, after Linux 7.2); not known before */
};

/* Memory regions of one kind that the kernel keeps ready, so that registering memory is quick. */
struct frmr_pool {
    const char *device;
    /* What they have in common: the key, as `rdma resource set frmr_pools` takes it. */
    uint64_t vendor_key, dma_blocks;
    uint32_t access_flags;
    uint8_t ats;
    struct num idle, in_use, max_in_use; /* waiting, used now, and the most that have been in use */
    struct num pinned;                   /* how many stay, however long they are idle */
};

/* A hardware counter that can be switched off (rdma statistic set ... optional-counters). */
struct optional_counter {
    const char *device;
    uint32_t port;
    const char *name;
    bool enabled;
    struct num value; /* known while it's enabled */
};

/* A type that the kernel doesn't list for a device, so their number isn't known. 5.10 answers EINVAL for
 * SRQs and contexts (drivers/infiniband/core/nldev.c: RES_CTX_GET and RES_SRQ_GET came later). */
struct resource_gap {
    const char *device;
    enum resource_type type;
};

struct resources {
    struct resource_gap *gaps;
    size_t ngaps;
    struct resource_total *totals;
    size_t ntotals;
    struct resource *items;
    size_t nitems;
    struct optional_counter *optional_counters;
    size_t noptional_counters;
    struct frmr_pool *pools;
    size_t npools;
    struct process *processes; /* the holders, by ascending pid; model/services.h */
    size_t nprocesses;
};

/* Did the kernel list the device's resources of this type? */
bool resources_listed(const struct resources *resources, const char *device, enum resource_type type);
/* On any device of a host whose resources were read? */
struct host;
bool resources_listed_anywhere(const struct host *host, enum resource_type type);
const char *resource_type_name(enum resource_type type); /* "qp", "cm_id" */
/* 0 or -EINVAL. */
int resource_type_parse(const char *name, enum resource_type *type);
