/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>
#include <string.h>

#include "model/gid.h"
#include "source/netlink/message.h"

/* The next answer's nest of that type; false: the end. */
static bool next(struct messages *messages, struct attrs *all, int *result)
{
    struct message message;
    if (!messages_next_answer(messages, &message)) {
        if (messages->broken)
            *result = -EBADMSG;
        return false;
    }
    if (attrs_parse(all, message.payload, message.len, GENL_HDRLEN) < 0)
        *result = -EBADMSG;
    return true;
}

/* An empty text is none. */
static const char *text_of(const struct nlattr *attr, struct arena *arena)
{
    const char *text = attr_text(attr, arena);
    return text && *text ? text : NULL;
}

/* "0000:0000:0000:0000:0000:ffff:0a00:0001" as the address that it is. */
static const char *address_of(const char *gid, struct arena *arena)
{
    uint8_t raw[16];
    char address[GID_ADDRESS_SIZE];
    if (!gid || gid_parse(gid, raw) < 0 || gid_is_zero(raw))
        return NULL;
    gid_address(raw, address);
    return arena_strdup(arena, address);
}

/* -- link groups and links */

static void take_group(struct smc_link *group, const struct nlattr *nest, struct arena *arena)
{
    static const char *const roles[] = { "client", "server" }; /* enum smc_lgr_role of net/smc/smc_core.h */
    static const char *const types[] = { "no active link", "single", "symmetric", "asymmetric at the peer",
                                         "asymmetric here" }; /* enum smc_lgr_type */
    struct attrs attrs;
    uint64_t role, type;
    attrs_parse_nest(&attrs, nest);
    if (!attr_number(attrs.at[SMC_NLA_LGR_R_ROLE], &role))
        role = UINT64_MAX;
    if (!attr_number(attrs.at[SMC_NLA_LGR_R_TYPE], &type))
        type = UINT64_MAX;
    *group = (struct smc_link){ .group = (uint32_t)attr_u32(attrs.at[SMC_NLA_LGR_R_ID]).value,
                                .role = WORD_AT(roles, role),
                                .redundancy = WORD_AT(types, type),
                                .pnet_id = text_of(attrs.at[SMC_NLA_LGR_R_PNETID], arena) };
}

static void take_link(struct smc_link *link, const struct nlattr *nest, struct arena *arena)
{
    struct attrs attrs;
    attrs_parse_nest(&attrs, nest);
    link->id = attr_u8(attrs.at[SMC_NLA_LINK_ID]);
    link->device = text_of(attrs.at[SMC_NLA_LINK_IB_DEV], arena);
    link->port = attr_u8(attrs.at[SMC_NLA_LINK_IB_PORT]);
    link->gid = address_of(attr_text(attrs.at[SMC_NLA_LINK_GID], arena), arena);
    link->peer_gid = address_of(attr_text(attrs.at[SMC_NLA_LINK_PEER_GID], arena), arena);
    link->state = attr_u32(attrs.at[SMC_NLA_LINK_STATE]);
    link->connections = attr_u32(attrs.at[SMC_NLA_LINK_CONN_CNT]);
}

int smc_parse_links(const void *bytes, size_t len, struct arena *arena, struct smc *smc)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    struct smc_link group = { 0 };
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        if (attrs.at[SMC_GEN_LGR_SMCR])
            take_group(&group, attrs.at[SMC_GEN_LGR_SMCR], arena);
        if (!attrs.at[SMC_GEN_LINK_SMCR])
            continue;
        struct smc_link *link = ARENA_PUSH(arena, smc->links, smc->nlinks);
        *link = group;
        take_link(link, attrs.at[SMC_GEN_LINK_SMCR], arena);
    }
    return result;
}

/* -- devices */

static void take_port(const char *device, uint32_t number, const struct nlattr *nest, struct arena *arena,
                      struct smc *smc)
{
    struct attrs attrs;
    attrs_parse_nest(&attrs, nest);
    struct num state = attr_u8(attrs.at[SMC_NLA_DEV_PORT_STATE]);
    *ARENA_PUSH(arena, smc->ports, smc->nports) = (struct smc_port){
        .device = device,
        .port = number,
        .pnet_id = text_of(attrs.at[SMC_NLA_DEV_PORT_PNETID], arena),
        .active = state.known ? tri_of(state.value != 0) : TRI_UNKNOWN
    };
}

int smc_parse_devices(const void *bytes, size_t len, struct arena *arena, struct smc *smc)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, device;
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        attrs_parse_nest(&device, attrs.at[SMC_GEN_DEV_SMCR]);
        const char *name = text_of(device.at[SMC_NLA_DEV_IB_NAME], arena);
        if (name && device.at[SMC_NLA_DEV_PORT])
            take_port(name, 1, device.at[SMC_NLA_DEV_PORT], arena, smc);
        if (name && device.at[SMC_NLA_DEV_PORT2])
            take_port(name, 2, device.at[SMC_NLA_DEV_PORT2], arena, smc);
    }
    return result;
}

/* -- statistics */

static struct num sum_of(const struct attrs *attrs, const unsigned *types, size_t count)
{
    struct num sum = { 0 };
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        if (attr_number(attrs->at[types[i]], &value))
            sum = num_of(sum.value + value);
    }
    return sum;
}

int smc_parse_statistics(const void *bytes, size_t len, struct smc *smc)
{
    static const unsigned errors[] = { SMC_NLA_STATS_CLNT_HS_ERR_CNT, SMC_NLA_STATS_SRV_HS_ERR_CNT };
    static const unsigned successes[] = { SMC_NLA_STATS_T_CLNT_V1_SUCC, SMC_NLA_STATS_T_CLNT_V2_SUCC,
                                          SMC_NLA_STATS_T_SRV_V1_SUCC, SMC_NLA_STATS_T_SRV_V2_SUCC };
    struct messages messages = messages_of(bytes, len);
    struct attrs all, attrs, smcr;
    int result = 0;
    while (next(&messages, &all, &result)) {
        if (!all.at[SMC_GEN_STATS])
            continue;
        attrs_parse_nest(&attrs, all.at[SMC_GEN_STATS]);
        attrs_parse_nest(&smcr, attrs.at[SMC_NLA_STATS_SMCR_TECH]);
        smc->handshake_errors = sum_of(&attrs, errors, ARRAY_SIZE(errors));
        smc->by_rdma = sum_of(&smcr, successes, ARRAY_SIZE(successes));
        smc->sent = attr_u64(smcr.at[SMC_NLA_STATS_T_TX_BYTES]);
        smc->received = attr_u64(smcr.at[SMC_NLA_STATS_T_RX_BYTES]);
    }
    return result;
}

int smc_parse_fallbacks(const void *bytes, size_t len, struct arena *arena, struct smc *smc)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs all, attrs;
    int result = 0;
    while (next(&messages, &all, &result)) {
        uint64_t code, count, server;
        attrs_parse_nest(&attrs, all.at[SMC_GEN_FBACK_STATS]);
        if (attr_number(attrs.at[SMC_NLA_FBACK_STATS_RSN_CODE], &code) &&
            attr_number(attrs.at[SMC_NLA_FBACK_STATS_RSN_CNT], &count) &&
            attr_number(attrs.at[SMC_NLA_FBACK_STATS_TYPE], &server))
            *ARENA_PUSH(arena, smc->fallbacks, smc->nfallbacks) = (struct smc_fallback){ (uint32_t)code,
                                                                                         server != 0, count };
    }
    return result;
}

/* -- sockets */

/* "10.0.0.1:5000", "[fd00::1]:5000"; NULL: port 0, there is none. */
static const char *endpoint(int family, const void *address, __be16 port, struct arena *arena)
{
    char text[INET6_ADDRSTRLEN];
    if (port == 0 || !inet_ntop(family, address, text, sizeof(text)))
        return NULL;
    return arena_printf(arena, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, ntohs(port));
}

/* The family is AF_SMC for both versions of IP: an address of IPv4 fills the first of its four words. */
static int family_of(const __be32 source[4], const __be32 destination[4])
{
    bool more = false;
    for (int i = 1; i < 4; i++)
        more |= source[i] || destination[i];
    return more ? AF_INET6 : AF_INET;
}

static void take_socket(struct smc_socket *socket, const struct smc_diag_msg *header,
                        const struct attrs *attrs, struct arena *arena)
{
    const struct inet_diag_sockid *id = &header->id;
    int family = family_of(id->idiag_src, id->idiag_dst);
    struct smc_diag_fallback fallback;
    struct smc_diag_lgrinfo group;
    size_t len = 0;
    const void *data = attr_bytes(attrs->at[SMC_DIAG_FALLBACK], &len);
    socket->state = num_of(header->diag_state);
    socket->mode = header->diag_mode < SMC_MODE_UNKNOWN ? (enum smc_mode)header->diag_mode : SMC_MODE_UNKNOWN;
    socket->local = endpoint(family, id->idiag_src, id->idiag_sport, arena);
    socket->peer = endpoint(family, id->idiag_dst, id->idiag_dport, arena);
    if (data && len >= sizeof(fallback)) {
        memcpy(&fallback, data, sizeof(fallback));
        socket->code = num_of(order32(fallback.reason));
        socket->peer_code = num_of(order32(fallback.peer_diagnosis));
    }
    data = attr_bytes(attrs->at[SMC_DIAG_LGRINFO], &len);
    if (data && len >= sizeof(group)) {
        memcpy(&group, data, sizeof(group));
        const char *name = (const char *)group.lnk[0].ibname;
        socket->device = arena_strndup(arena, name, strnlen(name, sizeof(group.lnk[0].ibname)));
        socket->port = num_of(group.lnk[0].ibport);
        socket->link = num_of(group.lnk[0].link_id);
    }
}

int smc_parse_sockets(const void *bytes, size_t len, struct arena *arena, struct smc *smc)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs;
    int result = 0;
    while (messages_next_answer(&messages, &message)) {
        struct smc_diag_msg header;
        if (message.len < sizeof(header)) {
            result = -EBADMSG;
            continue;
        }
        memcpy(&header, message.payload, sizeof(header));
        if (attrs_parse(&attrs, message.payload, message.len, NLMSG_ALIGN(sizeof(header))) < 0)
            result = -EBADMSG;
        take_socket(ARENA_PUSH(arena, smc->sockets, smc->nsockets), &header, &attrs, arena);
    }
    return messages.broken ? -EBADMSG : result;
}
