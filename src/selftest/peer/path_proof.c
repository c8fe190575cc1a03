/* SPDX-License-Identifier: MIT */
/* One packet with a nonce, and what the server takes for the proof of a path. */
#include "selftest/peer/path_proof.h"

#include "base/hash.h"
#include "selftest/trial/respond.h"

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
        r = queue_new(p->end, kind, 0, &p->queue, failure);
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

static int expect_packet(struct probe *p, struct failure *failure)
{
    return queue_receive(p->queue, endpoint_rx(p->end) - header(p), WIRE_NONCE_SIZE + header(p), 0, failure);
}

int probe_connect(struct probe *p, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure)
{
    struct path path = path_new(256, traffic_class, hop_limit, 1);
    path.retry_count = 0;
    memcpy(path.dgid, gid, sizeof(path.dgid));
    int r = queue_connect(p->queue, &path, peer, failure);
    return r < 0 ? r : expect_packet(p, failure);
}

int probe_send(struct probe *p, const uint8_t nonce[static WIRE_NONCE_SIZE], struct failure *failure)
{
    memcpy(endpoint_tx(p->end), nonce, WIRE_NONCE_SIZE);
    return queue_send(p->queue, endpoint_tx(p->end), WIRE_NONCE_SIZE, failure);
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
        if (wc.byte_len == WIRE_NONCE_SIZE + header(p) &&
            queue_is_from_peer(p->queue, &wc, endpoint_rx(p->end) - GRH_SIZE, WIRE_NONCE_SIZE)) {
            memcpy(nonce, endpoint_rx(p->end), WIRE_NONCE_SIZE);
            return 0;
        }
        r = watch_check(watch); /* a flood of them must not keep us */
        if (r < 0)
            return failure_set(failure, r == -ETIMEDOUT ? STEP_PROVE : STEP_FIRST, r, "%s", "");
        r = expect_packet(p, failure);
        if (r < 0)
            return r;
    }
}

static int begin_proof(struct proof *p, const struct wire_probe *asked, struct failure *failure)
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
    int r = begin_proof(p, asked, failure);
    p->proven = r == 0;
    p->mtu = 0;
    return r;
}

int proof_begin(struct proof *p, const struct endpoint_spec *spec, const struct wire_probe *asked,
                struct queue_description *queue, struct failure *failure)
{
    int r = begin_proof(p, asked, failure);
    if (r < 0)
        return r;
    if (asked->queue.kind != QUEUE_UD && asked->queue.kind != QUEUE_RC)
        return failure_set(failure, STEP_PROVE, EPROTO, "neither UD nor RC");
    r = random_bytes(p->nonce, sizeof(p->nonce));
    if (r < 0)
        return failure_set(failure, STEP_PROVE, r, "getrandom");
    r = probe_open(spec, asked->queue.kind, &p->probe, failure);
    if (r == 0)
        r = probe_connect(p->probe, asked->raw, asked->traffic_class, asked->hop_limit, &asked->queue, failure);
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
