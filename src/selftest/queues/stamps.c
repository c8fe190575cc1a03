/* SPDX-License-Identifier: MIT */
#include "selftest/queues/stamps.h"

#include <errno.h>
#include <string.h>

/* What can be told apart in a clock: ibv_query_rt_values_ex() has cycles in tv_nsec (mlx4, mlx5). */
static bool read_clock(struct ibv_context *context, uint64_t *cycles)
{
    struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
    if (ibv_query_rt_values_ex(context, &values) || !(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
        return false;
    *cycles = (uint64_t)values.raw_clock.tv_sec * 1000000000 + (uint64_t)values.raw_clock.tv_nsec;
    return true;
}

struct ibv_cq *stamps_open(struct ibv_context *context, uint32_t cqe, struct ibv_comp_channel *channel,
                           struct stamps *stamps)
{
    struct ibv_device_attr_ex attr = { 0 };
    struct ibv_cq_init_attr_ex init = { .cqe = cqe,
                                        .channel = channel,
                                        .wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_SRC_QP |
                                                    IBV_WC_EX_WITH_COMPLETION_TIMESTAMP };
    uint64_t cycles;
    *stamps = (struct stamps){ .cq = NULL };
    if (ibv_query_device_ex(context, NULL, &attr) || !attr.completion_timestamp_mask ||
        !attr.hca_core_clock || !read_clock(context, &cycles))
        return NULL;
    stamps->cq = ibv_create_cq_ex(context, &init);
    stamps->mask = attr.completion_timestamp_mask;
    stamps->khz = attr.hca_core_clock;
    return stamps->cq ? ibv_cq_ex_to_cq(stamps->cq) : NULL;
}

static void take(struct ibv_cq_ex *cq, struct ibv_wc *wc, uint64_t *stamp)
{
    *wc = (struct ibv_wc){ .wr_id = cq->wr_id, .status = cq->status };
    *stamp = 0;
    if (wc->status != IBV_WC_SUCCESS) { /* of a bad one nothing else is told */
        wc->vendor_err = ibv_wc_read_vendor_err(cq);
        return;
    }
    wc->byte_len = ibv_wc_read_byte_len(cq);
    wc->src_qp = ibv_wc_read_src_qp(cq);
    wc->wc_flags = ibv_wc_read_wc_flags(cq);
    *stamp = ibv_wc_read_completion_ts(cq);
}

/* What lies in the future has another clock: half of what the clock counts is taken for that. */
static uint64_t age_of(const struct stamps *s, uint64_t now, uint64_t stamp)
{
    uint64_t cycles = (now - stamp) & s->mask;
    return cycles > s->mask / 2 ? STAMPS_NO_AGE : (uint64_t)((double)cycles * 1e6 / (double)s->khz);
}

int stamps_poll(const struct stamps *s, int count, struct ibv_wc *wc, uint64_t *ages)
{
    struct ibv_poll_cq_attr attr = { 0 };
    uint64_t now = 0;
    int n = 0;
    int r = ibv_start_poll(s->cq, &attr);
    if (r)
        return r == ENOENT ? 0 : -r;
    while (r == 0) {
        take(s->cq, &wc[n], &ages[n]);
        r = ++n < count ? ibv_next_poll(s->cq) : ENOENT;
    }
    ibv_end_poll(s->cq);
    bool known = read_clock(s->cq->context, &now);
    for (int i = 0; i < n; i++)
        ages[i] = known && wc[i].status == IBV_WC_SUCCESS ? age_of(s, now, ages[i]) : STAMPS_NO_AGE;
    return r == ENOENT ? n : -r;
}
