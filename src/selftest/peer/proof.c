/* SPDX-License-Identifier: MIT */
#include "selftest/peer/proof.h"

#include <errno.h>
#include <string.h>

#include "base/random.h"

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
