/* SPDX-License-Identifier: MIT */
/* A completion queue whose device says when each completion happened, by a clock of its own that can be read
 * as well: so it is known how long a message lay there before the program looked. mlx4 and mlx5 have both
 * (providers' create_cq_ex and query_rt_values); irdma and ionic stamp, but their clock can't be read; rxe
 * has neither. */
#pragma once

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

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
