/* SPDX-License-Identifier: MIT */
/* The verbs back end: what libibverbs answers, or a recording of it. Private to source/. */
#pragma once

#include "model/verbs.h"
#include "source/reader.h"

/* Of a GID table. */
struct gid_slot {
    uint32_t port, index;
};

/* One of these is chosen when the source is opened. All of what they give lives in the reader's arena. */
struct verbs_backend {
    /* Sets verbs_order of the devices that libibverbs shows, and host->system.verbs_err. */
    void (*list)(struct reader *reader);
    /* 0, or a positive errno: ENOENT the kernel has no node for it, EOPNOTSUPP libibverbs doesn't show it. */
    int (*query)(struct reader *reader, struct device *device, struct verbs_device **out);
    void (*end)(void);
    /* Which slots of a device's GID tables are filled, of all its ports in ascending order, asked in one go
     * instead of slot by slot. 0 or -errno: then the slots have to be read. */
    int (*filled_slots)(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count);
};

extern const struct verbs_backend verbs_live, verbs_recorded;
