/* Which GID a library takes when nobody tells it, by its own rule. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/device.h"
#include "model/host.h"

enum consumer { CONSUMER_NCCL, CONSUMER_UCX, CONSUMER_PERFTEST, CONSUMER_RDMA_CM, CONSUMER_MPI, CONSUMERS };
/* "nccl", "ucx", … and back; CONSUMERS when it is none. */
const char *consumer_name(enum consumer consumer);
enum consumer consumer_parse(const char *name);
/* The rule in one sentence, and where it is written. */
const char *consumer_rule(enum consumer consumer);

struct choice {
    const struct gid *gid; /* NULL: index names an empty slot, or there is nothing to take */
    uint32_t index;
    bool pinned;      /* an environment variable decided */
    const char *why;  /* static text */
    const char *flaw; /* why the choice is bad, static text; NULL: it is good */
};

/* What consumer takes on a RoCE port. Reads the host's environment for variables that pin an index. Sources:
 * NCCL src/transport/net_ib (ncclIbGetGidIndex), UCX src/uct/ib/base/ib_device.c (uct_ib_device_select_gid),
 * perftest src/perftest_communication.c (compute_gid_score), Linux drivers/infiniband/core/cma.c. */
struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port);
