/* The verbs back end: what libibverbs answers, or a recording of it. Private to source/. */
#pragma once

#include "model/verbs.h"
#include "source/reader.h"

/* One of these is chosen by what the root is. All of what they give lives in the reader's arena. */
struct verbs_backend {
    /* Sets verbs_order of the devices that libibverbs shows, and host->system.verbs_err. */
    void (*list)(struct reader *reader);
    /* 0, or a positive errno: ENOENT the kernel has no node for it, EOPNOTSUPP libibverbs doesn't show it. */
    int (*query)(struct reader *reader, struct device *device, struct verbs_device **out);
    void (*end)(void);
};

extern const struct verbs_backend verbs_live, verbs_recorded;
