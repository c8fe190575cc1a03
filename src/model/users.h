/* SPDX-License-Identifier: MIT */
/* Who uses RDMA: the kernel's objects (resources) joined with what services report about themselves. Pure. */
#pragma once

#include "model/host.h"
#include "model/resources.h"
#include "model/services.h"

/* Queue pairs of one type in one state. */
struct queue_count {
    const char *kind, *state; /* "RC", "RTS" */
    uint64_t count;
};

/* A process on a device, or one mount, controller, session or listener of a kernel service. */
struct user {
    const char *kind;     /* "process", or service_kind_name() */
    const char *name;     /* the process's command; what is mounted, connected or offered; NULL: nothing */
    const char *software; /* what the process belongs to, if its name tells: "SPDK" */
    const char *handle;   /* "nvme0": the kernel's name for it */
    struct num pid;
    const char *device; /* NULL: not known */
    /* How the device is known: by the kernel's objects on it; or, if a service has none, because the service
     * says so, or from the netdev that has the service's own address or that the route to the peer names. */
    enum user_device_by { BY_NOTHING, BY_OBJECTS, BY_SERVICE, BY_ADDRESS, BY_ROUTE } device_by;
    struct num port;   /* known if all its objects with a port have the same one */
    const char *local; /* "10.0.0.1:20049" of its first connection or listener; NULL: the kernel doesn't say */
    const char *peer;  /* likewise; none for queue pairs not connected by RDMA_CM */
    size_t npeers;     /* distinct ones */
    const char *state; /* the service's own */
    /* Not known of a service whose objects aren't, and of types that the kernel has no list of. */
    struct num counts[RESOURCE_TYPES];
    uint64_t registered; /* bytes of memory in its memory regions */
    struct queue_count *queues;
    size_t nqueues;
    struct cgroup_words started_by;
    const struct service *service; /* NULL: a process, or only the kernel's objects are known */
    const struct resource **items; /* what it holds */
    size_t nitems;
};

/* All users, services first, each group ordered by device and pid; NULL with *count 0 if there are none. What
 * the kernel's RDMA core holds for itself (its management queue pairs, module ib_core) doesn't count. Lives in
 * the host's arena. */
struct user *users_find(const struct host *host, size_t *count);
