/* SPDX-License-Identifier: MIT */
/* nftables' answers: any bytes; and packets of both families walked through what they say, both ways. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "check/filter.h"
#include "source/netlink/nft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const void *data, size_t size, struct arena *arena, struct ruleset *ruleset)
{
    (void)nft_parse_tables(data, size, arena, ruleset);
    (void)nft_parse_chains(data, size, arena, ruleset);
    (void)nft_parse_rules(data, size, arena, ruleset);
    (void)nft_parse_sets(data, size, arena, ruleset);
    for (size_t i = 0; i < ruleset->nsets && i < 8; i++)
        (void)nft_parse_elements(data, size, arena, &ruleset->sets[i]);
}

/* One answer for all peers has to be the answer for each of them. */
static void judge(const struct ruleset *ruleset, struct filter_packet packet, struct arena *arena)
{
    struct filter_answer all = filter_judge(ruleset, &packet, arena);
    if (all.result != FILTER_ACCEPTS && (!all.where || !all.base))
        abort();
    memcpy(packet.peer_high, packet.peer_low, sizeof(packet.peer_low));
    struct filter_answer one = filter_judge(ruleset, &packet, arena);
    if (all.result != FILTER_UNKNOWN && one.result != all.result)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    void *aligned = malloc(size ? size : 1); /* exactly as long: a read behind it is seen */
    struct ruleset ruleset = { 0 };
    if (!aligned)
        abort();
    memcpy(aligned, data, size);
    parse(aligned, size, arena, &ruleset);
    free(aligned); /* nothing may refer to it any more */
    for (unsigned i = 0; i < 4; i++) {
        struct filter_packet packet = { .in = i & 1,
                                        .v6 = i & 2,
                                        .own = { 10, 0, 0, 1 },
                                        .peer_low = { 10, 0, 0, 2 },
                                        .peer_high = { 10, 0, 0, 254 },
                                        .peer_on_link = true,
                                        .device = { "eth0", 7, false } };
        judge(&ruleset, packet, arena);
    }
    arena_free(arena);
    return 0;
}
