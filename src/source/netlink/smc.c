/* SPDX-License-Identifier: MIT */
/* What the module smc reports through its generic netlink family, and smc_diag about sockets. The attributes
 * are filled in by net/smc/smc_core.c (links), smc_stats.c, smc_diag.c. */
#include <linux/genetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>

#include "source/netlink/parsers.h"

/* -- link groups and links ------------------------------------------------------------------------------- */

/* enum smc_lgr_role and smc_lgr_type in net/smc/smc_core.h */
static const char *const roles[] = { "client", "server" };
static const char *const redundancies[] = { "no active link", "single", "symmetric", "asymmetric at the peer",
                                            "asymmetric here" };

/* "0000:0000:0000:0000:0000:ffff:0a00:0001" as the address it stands for. */
static bool take_gid(void *to, struct reading *reading)
{
    uint8_t raw[16];
    char address[GID_ADDRESS_SIZE];
    bool is_one = gid_parse(attr_text(reading->attr, reading->arena), raw) == 0 && !gid_is_zero(raw);
    if (is_one)
        gid_address(raw, address);
    *(const char **)to = is_one ? arena_strdup(reading->arena, address) : NULL;
    return is_one;
}

NETLINK_SMC_LINKS;
const struct answer smc_links = { .header = GENL_HDRLEN, .table = links };

/* A message for each link group, followed by its links. */
int smc_parse_links(const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct smc *smc = to;
    struct answers answers = answers_of(&smc_links, bytes, len, arena);
    struct smc_link of = { 0 };
    while (answers_next(&answers)) {
        bool begins = answers_attr(&answers, SMC_GEN_LGR_SMCR);
        struct smc_link found = begins ? (struct smc_link){ 0 } : of;
        answers_fill(&answers, &found);
        if (answers_attr(&answers, SMC_GEN_LINK_SMCR))
            *ARENA_PUSH(arena, smc->links, smc->nlinks) = found;
        else if (begins)
            of = found;
    }
    return answers_result(&answers);
}

/* -- statistics: SMC-R's, not SMC-D's -------------------------------------------------------------------- */

/* For both ends and versions. */
static bool add_success(void *to, struct reading *reading)
{
    struct smc *smc = to;
    struct num value = attr_number(reading->attr, sizeof(uint64_t));
    if (value.known)
        smc->by_rdma = num_of(smc->by_rdma.value + value.value);
    return value.known;
}

NETLINK_SMC_STATISTICS;
const struct answer smc_statistics = { .header = GENL_HDRLEN, .table = statistics };

NETLINK_SMC_FALLBACKS;
const struct answer smc_fallbacks = { .header = GENL_HDRLEN, .table = fallbacks };

/* -- sockets --------------------------------------------------------------------------------------------- */

/* The family is AF_SMC for both versions of IP: an IPv4 address fills the first of the four words. */
static int family_of(const __be32 source[4], const __be32 destination[4])
{
    bool more = false;
    for (int i = 1; i < 4; i++)
        more |= source[i] || destination[i];
    return more ? AF_INET6 : AF_INET;
}

static bool take_fallback(void *to, struct reading *reading)
{
    struct smc_socket *socket = to;
    struct smc_diag_fallback fallback;
    attribute_copy(&fallback, sizeof(fallback), reading);
    socket->code = num_of(order32(fallback.reason));
    socket->peer_code = num_of(order32(fallback.peer_diagnosis));
    return true;
}

static bool take_group(void *to, struct reading *reading)
{
    struct smc_socket *socket = to;
    struct smc_diag_lgrinfo info;
    attribute_copy(&info, sizeof(info), reading);
    const char *name = (const char *)info.lnk[0].ibname;
    socket->device = arena_strndup(reading->arena, name, strnlen(name, sizeof(info.lnk[0].ibname)));
    socket->port = num_of(info.lnk[0].ibport);
    socket->link = num_of(info.lnk[0].link_id);
    return true;
}

static void put_group(const struct nlattr *attr, struct bytes *out)
{
    struct smc_diag_lgrinfo old, new = { 0 };
    struct smc_diag_linkinfo *from = &old.lnk[0], *to = &new.lnk[0];
    struct bytes name = { 0 };
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const void *data = attr_bytes(attr, &len);
    if (len >= sizeof(old)) {
        memcpy(&old, data, sizeof(old));
        to->link_id = from->link_id;
        to->ibport = from->ibport;
        anonymise_name((const char *)from->ibname, strnlen((const char *)from->ibname, sizeof(from->ibname)),
                       &name);
        memcpy(to->ibname, name.data, name.len < sizeof(to->ibname) ? name.len : sizeof(to->ibname) - 1);
        bytes_append(out, &new, sizeof(new));
        bytes_free(&name);
    }
    attributes_end(out, begin);
}

NETLINK_SMC_SOCKETS;

static bool begin_socket(void *to, struct reading *reading)
{
    struct smc_socket *socket = to;
    struct smc_diag_msg message;
    memcpy(&message, reading->header, sizeof(message));
    const struct inet_diag_sockid *id = &message.id;
    int family = family_of(id->idiag_src, id->idiag_dst);
    socket->state = num_of(message.diag_state);
    socket->mode = message.diag_mode < SMC_MODE_UNKNOWN ? (enum smc_mode)message.diag_mode : SMC_MODE_UNKNOWN;
    if (id->idiag_sport) /* else there is none */
        socket->local = endpoint_text(family, id->idiag_src, id->idiag_sport, reading->arena);
    if (id->idiag_dport)
        socket->peer = endpoint_text(family, id->idiag_dst, id->idiag_dport, reading->arena);
    return true;
}

/* Four words, of which an IPv4 address is the first. */
static void change_words(__be32 to[static 4], const __be32 from[static 4])
{
    uint8_t raw[16];
    memcpy(raw, from, sizeof(raw));
    if (from[1] || from[2] || from[3])
        anonymise_v6(raw);
    else
        anonymise_v4(raw);
    memcpy(to, raw, sizeof(raw));
}

/* What remains is state, mode, ports and addresses. */
static void change_socket(void *header)
{
    struct smc_diag_msg old, new = { 0 };
    memcpy(&old, header, sizeof(old));
    new.diag_family = old.diag_family;
    new.diag_state = old.diag_state;
    new.diag_mode = old.diag_mode;
    new.id.idiag_sport = old.id.idiag_sport;
    new.id.idiag_dport = old.id.idiag_dport;
    change_words(new.id.idiag_src, old.id.idiag_src);
    change_words(new.id.idiag_dst, old.id.idiag_dst);
    memcpy(header, &new, sizeof(new));
}

const struct answer smc_sockets = { .type = SOCK_DIAG_BY_FAMILY,
                                    .header = sizeof(struct smc_diag_msg),
                                    .table = sockets,
                                    .begin = begin_socket,
                                    .change = change_socket,
                                    EACH(struct smc, sockets, nsockets) };
