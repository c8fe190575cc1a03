/* SPDX-License-Identifier: MIT */
/* One packet with a nonce, and what the server accepts as proof of a path. */
#include "base/hash.h"
#include "selftest/peer/steps.h"

int probe_open(const struct endpoint_spec *spec, enum queue_kind kind, struct queue **out,
               struct failure *failure)
{
    struct endpoint_spec small = *spec;
    struct endpoint *end = NULL;
    small.size = WIRE_NONCE_SIZE;
    int r = endpoint_open(&small, NULL, &end, failure);
    if (r == 0)
        r = queue_new(end, kind, 0, out, failure);
    if (r < 0)
        endpoint_close(end);
    return r;
}

void probe_close(struct queue *probe)
{
    struct endpoint *end = probe ? probe->end : NULL;
    queue_free(probe);
    endpoint_close(end);
}

static uint32_t header(const struct queue *probe)
{
    return probe->kind == QUEUE_UD ? GRH_SIZE : 0;
}

static int expect_packet(struct queue *probe, struct failure *failure)
{
    return queue_receive(probe, endpoint_rx(probe->end) - header(probe), WIRE_NONCE_SIZE + header(probe), 0,
                         failure);
}

int probe_connect(struct queue *probe, const uint8_t gid[static 16], uint8_t traffic_class, uint8_t hop_limit,
                  const struct queue_description *peer, struct failure *failure)
{
    struct path path = path_new(256, traffic_class, hop_limit, 1);
    path.retry_count = 0;
    memcpy(path.dgid, gid, sizeof(path.dgid));
    int r = queue_connect(probe, &path, peer, failure);
    return r < 0 ? r : expect_packet(probe, failure);
}

int probe_receive(struct queue *probe, const struct watch *watch, uint8_t nonce[static WIRE_NONCE_SIZE],
                  struct failure *failure)
{
    for (;;) {
        struct ibv_wc wc;
        int r = queue_wait(probe, probe->recv_cq, true, watch, &wc, failure);
        if (r == -ETIMEDOUT)
            failure_set(failure, STEP_PROVE, r, "%s", "");
        if (r < 0)
            return r;
        if (wc.byte_len == WIRE_NONCE_SIZE + header(probe) &&
            queue_is_from_peer(probe, &wc, endpoint_rx(probe->end) - GRH_SIZE, WIRE_NONCE_SIZE)) {
            memcpy(nonce, endpoint_rx(probe->end), WIRE_NONCE_SIZE);
            return 0;
        }
        r = watch_check(watch); /* a flood of strays must not keep us here */
        if (r < 0)
            return failure_set(failure, r == -ETIMEDOUT ? STEP_PROVE : STEP_FIRST, r, "%s", "");
        r = expect_packet(probe, failure);
        if (r < 0)
            return r;
    }
}

/* For another pair of GIDs, or for the same one again. */
static int begin_proof(struct proof *p, const struct wire_probe *asked, struct failure *failure)
{
    proof_end(p);
    p->proven = p->sent = false;
    p->pair = asked->pair;
    p->mtu = 0;
    return p->probes++ == PROOF_PROBES
               ? failure_set(failure, STEP_PROVE, EDQUOT, "no more than %d tries", PROOF_PROBES)
               : 0;
}

int proof_by_tcp(struct proof *p, const struct wire_probe *asked, struct failure *failure)
{
    int r = begin_proof(p, asked, failure);
    p->proven = r == 0;
    return r;
}

int proof_begin(struct proof *p, const struct endpoint_spec *spec, const struct wire_probe *asked,
                struct queue_description *queue, struct failure *failure)
{
    const struct wire_pair *pair = &asked->pair;
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
        r = probe_connect(p->probe, pair->raw, pair->traffic_class, pair->hop_limit, &asked->queue, failure);
    if (r < 0) {
        proof_end(p);
        return r;
    }
    p->mtu = mtu_bytes(p->probe->end->port_attr.active_mtu);
    *queue = queue_describe(p->probe, p->probe->kind);
    return 0;
}

int proof_send(struct proof *p, struct failure *failure)
{
    if (!p->probe || p->sent)
        return failure_set(failure, STEP_PROVE, EPROTO, "%s", "");
    uint8_t *packet = endpoint_tx(p->probe->end);
    p->sent = true;
    memcpy(packet, p->nonce, WIRE_NONCE_SIZE);
    return queue_send(p->probe, packet, WIRE_NONCE_SIZE, 0, failure);
}

int proof_check(struct proof *p, const uint8_t nonce[static WIRE_NONCE_SIZE])
{
    p->proven = p->sent && p->probe && memcmp(p->nonce, nonce, WIRE_NONCE_SIZE) == 0;
    proof_end(p);
    return p->proven ? 0 : -EPROTO;
}

bool proof_holds(const struct proof *p, const struct wire_pair *pair)
{
    return p->proven && p->pair.gid == pair->gid && memcmp(p->pair.raw, pair->raw, sizeof(pair->raw)) == 0;
}

void proof_end(struct proof *p)
{
    probe_close(p->probe);
    p->probe = NULL;
}
