/* SPDX-License-Identifier: MIT */
/* SMC-R: connections that stayed on TCP although a program asked for SMC. */
#include "model/services.h"

#include "check/judge.h"

/* SMC_CLC_DECL_* (net/smc/smc_clc.h) that are nobody's mistake: a peer without SMC, a connection over IPsec, an
 * option that SMC doesn't support. */
enum { PEER_HAS_NONE = 0x03010000, IPSEC = 0x03020000, OPTION = 0x03060000 };

/* The reason that counts: if the peer declined, its own. */
static uint64_t cause_of(const struct service *service)
{
    bool peers = smc_reason_is_peers((uint32_t)service->reason_code.value) && service->peer_reason_code.known &&
                 service->peer_reason_code.value;
    return peers ? service->peer_reason_code.value : service->reason_code.value;
}

static bool is_excused(const struct service *service)
{
    uint64_t cause = cause_of(service);
    return cause == PEER_HAS_NONE || cause == IPSEC || cause == OPTION;
}

static const char *peers_text(const struct service *service, struct arena *arena)
{
    if (!service->sockets.known)
        return arena_printf(arena, "%" PRIu64 " since smc was loaded, of now only the module smc_diag tells",
                            service->fallbacks.value);
    return arena_printf(arena, "%" PRIu64 " connection%s%s%s", service->sockets.value,
                        service->sockets.value == 1 ? "" : "s", service->peer ? ", one with " : "",
                        service->peer ? service->peer : "");
}

JUDGE(smc_fallback)
{
    const struct services *services = s->system->services;
    const struct service *worst = NULL;
    size_t others = 0;
    if (!services)
        return judge_unknown(j, "services were not read");
    if (!services->smc)
        return judge_na(j, "the module smc isn't loaded");
    for (size_t i = 0; i < services->count; i++) {
        const struct service *service = &services->items[i];
        if (service->kind != SERVICE_SMC || !service->reason || num_is(service->sockets, 0))
            continue;
        others += worst != NULL;
        bool weightier = worst && is_excused(worst) && !is_excused(service);
        worst = !worst || weightier ? service : worst;
    }
    if (!worst)
        return judge_pass(j, "no SMC connection uses TCP now");
    bool fault = !is_excused(worst) && worst->sockets.known;
    return judge_as(
        j, fault ? VERDICT_WARN : VERDICT_INFO, "SMC by TCP: %s (%s)%s", worst->reason,
        peers_text(worst, j->arena),
        others ? arena_printf(j->arena, "; %zu more reason%s: roce users SMC-R", others, others == 1 ? "" : "s")
               : "");
}
