/* SPDX-License-Identifier: MIT */
/* Asks SMC where its module is loaded: asking would load it. */
#include "model/services.h"
#include "source/netlink/ask.h"
#include "source/netlink/read.h"
#include "source/netlink/smc.h"

static int take_links(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_links(reply.data, reply.len, reader->arena, smc);
}

static int take_devices(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_devices(reply.data, reply.len, reader->arena, smc);
}

static int take_statistics(struct reader *reader, struct span reply, void *smc)
{
    (void)reader;
    return smc_parse_statistics(reply.data, reply.len, smc);
}

static int take_fallbacks(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_fallbacks(reply.data, reply.len, reader->arena, smc);
}

static int take_sockets(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_sockets(reply.data, reply.len, reader->arena, smc);
}

void read_smc(struct reader *reader)
{
    static const struct {
        enum question_id id;
        netlink_taker *take;
    } questions[] = {
        { ASK_SMC_LINKS, take_links },
        { ASK_SMC_DEVICES, take_devices },
        { ASK_SMC_STATISTICS, take_statistics },
        { ASK_SMC_FALLBACKS, take_fallbacks },
    };
    struct services *services = reader->host->system.services;
    struct subject subject = { 0 };
    if (netlink_family(reader, ASK_SMC, &subject.family) < 0)
        return;
    struct smc *smc = arena_alloc(reader->arena, 1, sizeof(*smc));
    for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
        (void)netlink_read(reader, questions[i].id, &subject, questions[i].take, smc);
    smc->sockets_known = netlink_read(reader, ASK_SMC_SOCKETS, NULL, take_sockets, smc) == 0;
    smc_add_services(smc, reader->arena, services);
    services->smc = smc;
}
