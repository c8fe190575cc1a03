/* SPDX-License-Identifier: MIT */
/* Asks for the firewall's rules where they can concern RDMA: soft-RoCE is UDP of the kernel, hardware passes
 * the firewall by. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/ask.h"
#include "source/netlink/nft.h"
#include "source/netlink/read.h"

/* More sets than that aren't asked for: what a rule looks up in them isn't known then. */
enum { SETS_MOST = 4096 };

static bool has_soft_roce(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].driver && strcmp(host->devices[i].driver, "rxe") == 0)
            return true;
    return false;
}

static int take_tables(struct reader *reader, struct span reply, void *ruleset)
{
    return nft_parse_tables(reply.data, reply.len, reader->arena, ruleset);
}

static int take_chains(struct reader *reader, struct span reply, void *ruleset)
{
    return nft_parse_chains(reply.data, reply.len, reader->arena, ruleset);
}

static int take_rules(struct reader *reader, struct span reply, void *ruleset)
{
    return nft_parse_rules(reply.data, reply.len, reader->arena, ruleset);
}

static int take_sets(struct reader *reader, struct span reply, void *ruleset)
{
    return nft_parse_sets(reply.data, reply.len, reader->arena, ruleset);
}

static int take_elements(struct reader *reader, struct span reply, void *set)
{
    return nft_parse_elements(reply.data, reply.len, reader->arena, set);
}

/* A set whose elements aren't told stays unknown, and no more than what depends on it is. */
static void ask_elements(struct reader *reader, struct ruleset *ruleset)
{
    for (size_t i = 0; i < ruleset->nsets && i < SETS_MOST; i++) {
        struct nft_set *set = &ruleset->sets[i];
        char number[24];
        snprintf(number, sizeof(number), "%zu", i);
        const struct subject subject = {
            .name = number, .family = set->family, .table = set->table, .set = set->name
        };
        (void)netlink_take(reader, ASK_NFT_ELEMENTS, &subject, take_elements, set);
    }
}

/* "filter\nnat\n" → "filter nat". */
static const char *legacy_tables(struct reader *reader, const char *file)
{
    const char *text = read_text(reader, "proc/net/%s", file);
    if (!text || !*text)
        return NULL;
    char *names = arena_strdup(reader->arena, text);
    for (char *at = names; (at = strchr(at, '\n'));)
        *at = ' ';
    return names;
}

void read_firewall(struct reader *reader)
{
    static const struct {
        enum question_id id;
        netlink_taker *take;
        const char *name;
    } questions[] = {
        { ASK_NFT_TABLES, take_tables, "GETTABLE" },
        { ASK_NFT_CHAINS, take_chains, "GETCHAIN" },
        { ASK_NFT_RULES, take_rules, "GETRULE" },
        { ASK_NFT_SETS, take_sets, "GETSET" },
    };
    struct firewall *firewall = &reader->host->system.firewall;
    if (!has_soft_roce(reader->host))
        return;
    firewall->asked = true;
    for (size_t i = 0; i < ARRAY_SIZE(questions) && !firewall->err; i++) {
        firewall->err = -netlink_take(reader, questions[i].id, NULL, questions[i].take, &firewall->ruleset);
        firewall->missing = questions[i].name;
    }
    if (!firewall->err)
        ask_elements(reader, &firewall->ruleset);
    if (firewall->err == EPERM || firewall->err == EACCES)
        return; /* whoever may not see the one may not see the other */
    firewall->legacy = legacy_tables(reader, "ip_tables_names");
    firewall->legacy6 = legacy_tables(reader, "ip6_tables_names");
}
