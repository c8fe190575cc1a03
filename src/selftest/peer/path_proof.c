/* SPDX-License-Identifier: MIT */
#include "selftest/peer/path_proof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "selftest/trial/trial.h"

int probe_open(const struct endpoint_spec *spec, enum queue_kind kind, struct probe **out,
               struct failure *failure)
{
    struct probe *p = calloc(1, sizeof(*p));
    struct endpoint_spec small = *spec;
    small.size = WIRE_NONCE_SIZE;
    if (!p)
        return failure_set(failure, STEP_PROVE, ENOMEM, "%s", "");
    int r = endpoint_open(&small, NULL, &p->end, failure);
    if (r == 0)
        r = queue_new(p->end, kind, &p->queue, failure);
    if (r < 0)
        probe_close(p);
    else
        *out = p;
    return r;
}

void probe_close(struct probe *p)
{
    if (!p)
        return;
    queue_free(p->queue);
    endpoint_close(p->end);
    free(p);
}

struct queue_description probe_describe(const struct probe *p)
{
    return queue_describe(p->queue, p->queue->kind);
}

uint32_t probe_mtu(const struct probe *p)
{
    return mtu_bytes(p->end->port_attr.active_mtu);
}

static uint32_t header(const struct probe *p)
{
    return p->queue->kind == QUEUE_UD ? GRH_SIZE : 0;
}

static int expect(struct probe *p, struct failure *failure)
{
    struct ibv_sge place = { .addr = (uintptr_t)(endpoint_rx(p->end) - header(p)),
                             .length = WIRE_NONCE_SIZE + header(p),
                             .lkey = p->end->mr->lkey };
    struct ibv_recv_wr wr = { .sg_list = &place, .num_sge = 1 };
    return queue_post_recv(p->queue, &wr, failure);
}

int probe_connect(struct probe *p, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure)
{
    struct path path = path_new(256, traffic_class, hop_limit, 1);
    path.retry_count = 0;
    memcpy(path.dgid, gid, sizeof(path.dgid));
    int r = queue_connect(p->queue, &path, peer, failure);
    return r < 0 ? r : expect(p, failure);
}

int probe_send(struct probe *p, const uint8_t nonce[static WIRE_NONCE_SIZE], struct failure *failure)
{
    memcpy(endpoint_tx(p->end), nonce, WIRE_NONCE_SIZE);
    struct ibv_sge place = { .addr = (uintptr_t)endpoint_tx(p->end),
                             .length = WIRE_NONCE_SIZE,
                             .lkey = p->end->mr->lkey };
    struct ibv_send_wr wr = { .sg_list = &place, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED };
    queue_aim(p->queue, OP_SEND, 0, &wr);
    return queue_post_send(p->queue, &wr, failure);
}

static bool is_from_peer(const struct probe *p, const struct ibv_wc *wc)
{
    const struct queue *q = p->queue;
    char text[FAILURE_TEXT_SIZE];
    if (wc->byte_len != WIRE_NONCE_SIZE + header(p))
        return false;
    return q->kind != QUEUE_UD ||
           (wc->src_qp == q->remote_qpn && wc->wc_flags & IBV_WC_GRH &&
            grh_check(endpoint_rx(p->end) - GRH_SIZE, q->remote_gid, p->end->gid.raw, text, sizeof(text)));
}

int probe_receive(struct probe *p, const struct watch *watch, uint8_t nonce[static WIRE_NONCE_SIZE],
                  struct failure *failure)
{
    for (;;) {
        struct ibv_wc wc;
        int r = queue_wait(p->queue, p->queue->recv_cq, true, watch, &wc, failure);
        if (r == -ETIMEDOUT)
            failure_set(failure, STEP_PROVE, r, "%s", "");
        if (r < 0)
            return r;
        if (is_from_peer(p, &wc)) {
            memcpy(nonce, endpoint_rx(p->end), WIRE_NONCE_SIZE);
            return 0;
        }
        r = watch_check(watch); /* a flood of them must not keep us */
        if (r < 0)
            return failure_set(failure, r == -ETIMEDOUT ? STEP_PROVE : STEP_FIRST, r, "%s", "");
        r = expect(p, failure);
        if (r < 0)
            return r;
    }
}

static int begin(struct proof *p, const struct wire_probe *asked, struct failure *failure)
{
    proof_end(p);
    p->proven = p->sent = false;
    if (p->probes++ == PROOF_PROBES)
        return failure_set(failure, STEP_PROVE, EDQUOT, "no more than %d tries", PROOF_PROBES);
    p->gid = asked->gid;
    memcpy(p->raw, asked->raw, sizeof(p->raw));
    return 0;
}

int proof_by_tcp(struct proof *p, const struct wire_probe *asked, struct failure *failure)
{
    int r = begin(p, asked, failure);
    p->proven = r == 0;
    p->mtu = 0;
    return r;
}

int proof_begin(struct proof *p, const struct endpoint_spec *spec, const struct wire_probe *asked,
                struct queue_description *queue, struct failure *failure)
{
    int r = begin(p, asked, failure);
    if (r < 0)
        return r;
    if (asked->queue.kind != QUEUE_UD && asked->queue.kind != QUEUE_RC)
        return failure_set(failure, STEP_PROVE, EPROTO, "neither UD nor RC");
    r = random_bytes(p->nonce, sizeof(p->nonce));
    if (r < 0)
        return failure_set(failure, STEP_PROVE, r, "getrandom");
    r = probe_open(spec, asked->queue.kind, &p->probe, failure);
    if (r == 0)
        r = probe_connect(p->probe, asked->raw, asked->traffic_class, asked->hop_limit, &asked->queue,
                          failure);
    if (r < 0) {
        proof_end(p);
        return r;
    }
    p->mtu = probe_mtu(p->probe);
    *queue = probe_describe(p->probe);
    return 0;
}

int proof_send(struct proof *p, struct failure *failure)
{
    if (!p->probe || p->sent)
        return failure_set(failure, STEP_PROVE, EPROTO, "%s", "");
    p->sent = true;
    return probe_send(p->probe, p->nonce, failure);
}

int proof_check(struct proof *p, const uint8_t nonce[static WIRE_NONCE_SIZE])
{
    p->proven = p->sent && p->probe && memcmp(p->nonce, nonce, WIRE_NONCE_SIZE) == 0;
    proof_end(p);
    return p->proven ? 0 : -EPROTO;
}

bool proof_holds(const struct proof *p, uint32_t gid, const uint8_t raw[static 16])
{
    return p->proven && p->gid == gid && memcmp(p->raw, raw, sizeof(p->raw)) == 0;
}

void proof_end(struct proof *p)
{
    probe_close(p->probe);
    p->probe = NULL;
}
