/* SPDX-License-Identifier: MIT */
/* Who uses RDMA: the kernel's objects (resources) and what services say of themselves, joined. Pure. */
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
    const char *kind; /* "process", or service_kind_name() */
    const char *name; /* the process's command; what is mounted, connected or offered; NULL: nothing names it */
    const char *handle; /* "nvme0": the kernel's name of it */
    struct num pid;
    const char *device; /* NULL: not known */
    /* How the device is known: by the kernel's objects on it; or, where a service has none, the service says
     * it, it is the one of the netdev that has the service's own address, or that the route to the peer
     * names. */
    enum user_device_by { BY_NOTHING, BY_OBJECTS, BY_SERVICE, BY_ADDRESS, BY_ROUTE } device_by;
    struct num port;   /* known when all its objects that have a port have the same */
    const char *local; /* "10.0.0.1:20049" of its first connection or listener; NULL: the kernel doesn't tell */
    const char *peer;  /* likewise; queue pairs that were not connected by RDMA_CM have none */
    size_t npeers;     /* different ones */
    const char *state; /* the service's own */
    uint64_t counts[RESOURCE_TYPES];
    uint64_t registered; /* bytes of memory in its memory regions */
    struct queue_count *queues;
    size_t nqueues;
    struct cgroup_words started_by;
    const struct service *service; /* NULL: a process, or the kernel's objects alone are known */
    const struct resource **items; /* what it holds */
    size_t nitems;
};

/* Everyone, services first, each group in the order of devices and pids; NULL with *count 0: nobody. What the
 * kernel's RDMA core holds for itself (the queue pairs of its management, module ib_core) is no user. Lives
 * in the host's arena. */
struct user *users_find(const struct host *host, size_t *count);
