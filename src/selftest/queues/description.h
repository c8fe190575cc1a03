/* SPDX-License-Identifier: MIT */
/* What one end has to know of the other: plain data that travels between hosts. */
#pragma once

#include <stdint.h>

#include "selftest/queues/operation.h"

/* QUEUES_MOST: queue pairs of one end, one a kind and the other RC ones for bandwidth. */
enum { RC_QUEUES_MOST = 16, QUEUES_MOST = QUEUE_KINDS - 1 + RC_QUEUES_MOST };

struct queue_description {
    uint8_t kind; /* enum queue_kind */
    uint32_t qpn, psn;
    uint32_t qkey; /* UD; the highest bit is never set: such keys are the kernel's */
    /* of one that there isn't (qpn 0): enum step and errno of what went wrong; 0: there can be none */
    uint32_t step, err;
};

struct buffer_description {
    uint64_t address; /* of the half that is received into */
    uint64_t source;  /* and of the one that is read from */
    uint32_t rkey;
    uint32_t size; /* of either half */
};
