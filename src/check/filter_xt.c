/* SPDX-License-Identifier: MIT */
/* Matches and targets of iptables as iptables-nft keeps them: their name, revision, and the kernel's struct
 * (linux/netfilter/xt_*.h, net/netfilter/xt_*.c). */
#include <byteswap.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/xt_CT.h>
#include <linux/netfilter/xt_addrtype.h>
#include <linux/netfilter/xt_conntrack.h>
#include <linux/netfilter/xt_iprange.h>
#include <linux/netfilter/xt_mark.h>
#include <linux/netfilter/xt_multiport.h>
#include <linux/netfilter/xt_pkttype.h>
#include <linux/netfilter/xt_rpfilter.h>
#include <linux/netfilter/xt_state.h>
#include <linux/netfilter/xt_tcpudp.h>
#include <string.h>

#include "base/base.h"
#include "check/filter.h"

enum { ROCE_PORT = 4791, ROCE_SOURCE_FIRST = 0xC000 };

/* Copies the kernel's struct out; false: it is shorter than that. */
static bool take(const struct nft_expression *e, void *info, size_t size)
{
    if (!e->value.bytes.data || e->value.bytes.len < size)
        return false;
    memcpy(info, e->value.bytes.data, size);
    return true;
}

/* A number of such a struct. */
static uint16_t of16(const struct nft_expression *e, uint16_t number)
{
    return e->foreign ? bswap_16(number) : number;
}

static uint32_t of32(const struct nft_expression *e, uint32_t number)
{
    return e->foreign ? bswap_32(number) : number;
}

static enum match match_of(bool holds)
{
    return holds ? MATCH_YES : MATCH_NO;
}

static enum match inverted(enum match match, bool invert)
{
    return !invert || match == MATCH_MAYBE ? match : match_of(match == MATCH_NO);
}

static enum match both(enum match a, enum match b)
{
    return a < b ? a : b;
}

static enum match source_port(unsigned from, unsigned to)
{
    if (to < ROCE_SOURCE_FIRST || from > to)
        return MATCH_NO;
    return from <= ROCE_SOURCE_FIRST && to == UINT16_MAX ? MATCH_YES : MATCH_MAYBE;
}

static enum match destination_port(unsigned from, unsigned to)
{
    return match_of(ROCE_PORT >= from && ROCE_PORT <= to);
}

static enum match match_udp(const struct nft_expression *e, const char **why)
{
    struct xt_udp udp;
    if (!take(e, &udp, sizeof(udp)))
        return MATCH_MAYBE;
    *why = "the source port";
    return both(
        inverted(source_port(of16(e, udp.spts[0]), of16(e, udp.spts[1])), udp.invflags & XT_UDP_INV_SRCPT),
        inverted(destination_port(of16(e, udp.dpts[0]), of16(e, udp.dpts[1])),
                 udp.invflags & XT_UDP_INV_DSTPT));
}

/* Revision 0 is the same without ranges and inversion. */
static enum match match_multiport(const struct nft_expression *e, const char **why)
{
    struct xt_multiport_v1 ports = { 0 };
    enum match source = MATCH_NO, destination = MATCH_NO;
    if (!take(e, &ports, e->revision == 0 ? sizeof(struct xt_multiport) : sizeof(ports)) ||
        ports.count > XT_MULTI_PORTS || e->revision > 1)
        return MATCH_MAYBE;
    for (size_t i = 0; i < ports.count; i++) {
        unsigned from = of16(e, ports.ports[i]), to = from;
        if (ports.pflags[i] && i + 1 < ports.count)
            to = of16(e, ports.ports[++i]);
        enum match one = source_port(from, to);
        source = one > source ? one : source;
        one = destination_port(from, to);
        destination = one > destination ? one : destination;
    }
    *why = "the source port";
    enum match match = ports.flags == XT_MULTIPORT_SOURCE        ? source
                       : ports.flags == XT_MULTIPORT_DESTINATION ? destination
                       : source > destination                    ? source
                                                                 : destination;
    return inverted(match, ports.invert);
}

static enum match in_states(unsigned states, unsigned untracked_bit, const struct filter_state *state)
{
    bool fresh = states & XT_CONNTRACK_STATE_BIT(IP_CT_NEW), untracked = states & untracked_bit;
    if (state->untracked == MATCH_MAYBE)
        return fresh == untracked && fresh == !!(states & XT_CONNTRACK_STATE_INVALID) ? match_of(fresh)
                                                                                      : MATCH_MAYBE;
    return match_of(state->untracked == MATCH_YES ? untracked : fresh);
}

/* Of the three revisions the flags stand at different places behind the same addresses. */
static enum match match_conntrack(const struct nft_expression *e, const struct filter_state *state,
                                  const char **why)
{
    struct xt_conntrack_mtinfo1 first;
    struct xt_conntrack_mtinfo2 later;
    unsigned flags, invert, states;
    *why = "iptables' match conntrack";
    if (e->revision == 1 && take(e, &first, sizeof(first))) {
        flags = of16(e, first.match_flags), invert = of16(e, first.invert_flags), states = first.state_mask;
    } else if ((e->revision == 2 || e->revision == 3) && take(e, &later, sizeof(later))) {
        flags = of16(e, later.match_flags), invert = of16(e, later.invert_flags);
        states = of16(e, later.state_mask);
    } else {
        return MATCH_MAYBE;
    }
    enum match match = flags & XT_CONNTRACK_STATE
                           ? inverted(in_states(states, XT_CONNTRACK_STATE_UNTRACKED, state),
                                      invert & XT_CONNTRACK_STATE)
                           : MATCH_YES;
    bool more = flags & ~(unsigned)(XT_CONNTRACK_STATE | XT_CONNTRACK_STATE_ALIAS);
    return both(match, more ? MATCH_MAYBE : MATCH_YES);
}

static enum match match_state(const struct nft_expression *e, const struct filter_state *state)
{
    struct xt_state_info info;
    return take(e, &info, sizeof(info)) ? in_states(of32(e, info.statemask), XT_STATE_UNTRACKED, state)
                                        : MATCH_MAYBE;
}

/* One end of the packet; types 0: any. */
static enum match of_type(unsigned types, bool own, const struct filter_packet *packet, bool limited)
{
    if (!types)
        return MATCH_YES;
    if (own)
        return match_of(types & XT_ADDRTYPE_LOCAL);
    if (limited || (packet->v6 && !packet->peer_on_link))
        return MATCH_MAYBE;
    return match_of(types & XT_ADDRTYPE_UNICAST);
}

static enum match match_addrtype(const struct nft_expression *e, const struct filter_packet *packet)
{
    struct xt_addrtype_info_v1 info;
    struct xt_addrtype_info old;
    bool invert_source, invert_destination, limited = false;
    if (e->revision == 0 && take(e, &old, sizeof(old))) {
        info = (struct xt_addrtype_info_v1){ of16(e, old.source), of16(e, old.dest), 0 };
        invert_source = old.invert_source, invert_destination = old.invert_dest;
    } else if (e->revision == 1 && take(e, &info, sizeof(info))) {
        info = (struct xt_addrtype_info_v1){ of16(e, info.source), of16(e, info.dest), of32(e, info.flags) };
        invert_source = info.flags & XT_ADDRTYPE_INVERT_SOURCE;
        invert_destination = info.flags & XT_ADDRTYPE_INVERT_DEST;
        limited = info.flags & (XT_ADDRTYPE_LIMIT_IFACE_IN | XT_ADDRTYPE_LIMIT_IFACE_OUT);
    } else {
        return MATCH_MAYBE;
    }
    return both(inverted(of_type(info.source, !packet->in, packet, limited), invert_source && info.source),
                inverted(of_type(info.dest, packet->in, packet, limited), invert_destination && info.dest));
}

static enum match match_mark(const struct nft_expression *e, const struct filter_state *state,
                             const char **why)
{
    struct xt_mark_mtinfo1 info;
    *why = "its mark";
    if (e->revision != 1 || !take(e, &info, sizeof(info)) || !state->mark_known)
        return MATCH_MAYBE;
    return inverted(match_of((state->mark & of32(e, info.mask)) == of32(e, info.mark)), info.invert);
}

static enum match match_pkttype(const struct nft_expression *e, const struct filter_packet *packet)
{
    struct xt_pkttype_info info;
    if (!packet->in || !take(e, &info, sizeof(info)))
        return MATCH_MAYBE;
    return inverted(match_of(info.pkttype == 0), info.invert); /* PACKET_HOST */
}

static enum match in_range(const uint8_t *low, const uint8_t *high, const void *from, const void *to,
                           size_t len)
{
    if (memcmp(high, from, len) < 0 || memcmp(low, to, len) > 0)
        return MATCH_NO;
    return memcmp(low, from, len) >= 0 && memcmp(high, to, len) <= 0 ? MATCH_YES : MATCH_MAYBE;
}

static enum match match_iprange(const struct nft_expression *e, const struct filter_packet *packet,
                                const char **why)
{
    struct xt_iprange_mtinfo info;
    size_t len = packet->v6 ? 16 : 4;
    enum match source = MATCH_YES, destination = MATCH_YES;
    if (e->revision != 1 || !take(e, &info, sizeof(info)))
        return MATCH_MAYBE;
    *why = "the peer's address";
    const uint8_t *source_low = packet->in ? packet->peer_low : packet->own;
    const uint8_t *source_high = packet->in ? packet->peer_high : packet->own;
    const uint8_t *low = packet->in ? packet->own : packet->peer_low;
    const uint8_t *high = packet->in ? packet->own : packet->peer_high;
    if (info.flags & IPRANGE_SRC)
        source = inverted(in_range(source_low, source_high, &info.src_min, &info.src_max, len),
                          info.flags & IPRANGE_SRC_INV);
    if (info.flags & IPRANGE_DST)
        destination = inverted(in_range(low, high, &info.dst_min, &info.dst_max, len),
                               info.flags & IPRANGE_DST_INV);
    return both(source, destination);
}

static enum match match_rpfilter(const struct nft_expression *e, const struct filter_packet *packet)
{
    struct xt_rpfilter_info info;
    if (!packet->in || !packet->peer_on_link || packet->vrf || !take(e, &info, sizeof(info)))
        return MATCH_MAYBE;
    return match_of(!(info.flags & XT_RPFILTER_INVERT));
}

/* Protocols that RoCE isn't. */
static bool is_other_protocol(const char *name)
{
    static const char *const names[] = { "tcp", "icmp", "icmp6", "sctp", "dccp", "esp", "ah", "igmp", "tcpmss" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

enum match filter_xt_match(const struct nft_expression *match, const struct filter_packet *packet,
                           const struct filter_state *state, const char **why)
{
    const char *name = match->set ? match->set : "?";
    if (is_other_protocol(name))
        return MATCH_NO;
    if (strcmp(name, "comment") == 0)
        return MATCH_YES;
    if (strcmp(name, "udp") == 0)
        return match_udp(match, why);
    if (strcmp(name, "multiport") == 0)
        return match_multiport(match, why);
    if (strcmp(name, "conntrack") == 0)
        return match_conntrack(match, state, why);
    if (strcmp(name, "state") == 0)
        return match_state(match, state);
    if (strcmp(name, "addrtype") == 0)
        return match_addrtype(match, packet);
    if (strcmp(name, "mark") == 0)
        return match_mark(match, state, why);
    if (strcmp(name, "pkttype") == 0)
        return match_pkttype(match, packet);
    if (strcmp(name, "iprange") == 0)
        return match_iprange(match, packet, why);
    if (strcmp(name, "rpfilter") == 0)
        return match_rpfilter(match, packet);
    return MATCH_MAYBE;
}

static enum filter_xt_effect set_mark(const struct nft_expression *e, struct filter_state *state)
{
    struct xt_mark_tginfo2 info;
    if (e->revision == 2 && take(e, &info, sizeof(info)))
        state->mark = (state->mark & ~of32(e, info.mask)) ^ of32(e, info.mark); /* stays unknown when it was */
    else
        state->mark_known = false;
    return XT_MARK;
}

static enum filter_xt_effect set_tracking(const struct nft_expression *e, struct filter_state *state)
{
    uint16_t flags; /* the first of xt_ct_target_info, in each revision */
    if (strcmp(e->set, "NOTRACK") == 0)
        state->untracked = MATCH_YES;
    else if (!take(e, &flags, sizeof(flags)))
        state->untracked = MATCH_MAYBE;
    else if (of16(e, flags) & XT_CT_NOTRACK)
        state->untracked = MATCH_YES;
    return XT_NOTRACK;
}

static const struct {
    const char *name;
    enum filter_xt_effect effect;
} targets[] = {
    { "REJECT", XT_DROP },     { "DROP", XT_DROP },
    { "ACCEPT", XT_ACCEPT },   { "MASQUERADE", XT_MASQUERADE },
    { "MARK", XT_MARK },       { "CONNMARK", XT_MARK },
    { "HMARK", XT_MARK },      { "CT", XT_NOTRACK },
    { "NOTRACK", XT_NOTRACK }, { "LOG", XT_NOTHING },
    { "NFLOG", XT_NOTHING },   { "ULOG", XT_NOTHING },
    { "AUDIT", XT_NOTHING },   { "TRACE", XT_NOTHING },
    { "TCPMSS", XT_NOTHING },  { "CHECKSUM", XT_NOTHING },
    { "SET", XT_NOTHING },     { "CLASSIFY", XT_NOTHING },
    { "DSCP", XT_NOTHING },    { "TOS", XT_NOTHING },
    { "TTL", XT_NOTHING },     { "HL", XT_NOTHING },
    { "LED", XT_NOTHING },     { "IDLETIMER", XT_NOTHING },
    { "SECMARK", XT_NOTHING }, { "CONNSECMARK", XT_NOTHING },
    { "TEE", XT_NOTHING },     { "TCPOPTSTRIP", XT_NOTHING },
    { "ECN", XT_NOTHING },     { "RATEEST", XT_NOTHING },
};

enum filter_xt_effect filter_xt_target(const struct nft_expression *target, struct filter_state *state)
{
    for (size_t i = 0; target->set && i < ARRAY_SIZE(targets); i++) {
        if (strcmp(target->set, targets[i].name) != 0)
            continue;
        if (strcmp(target->set, "MARK") == 0)
            return set_mark(target, state);
        if (targets[i].effect == XT_MARK)
            state->mark_known = false; /* from the connection, which may have one */
        if (targets[i].effect == XT_NOTRACK)
            return set_tracking(target, state);
        return targets[i].effect;
    }
    return XT_UNKNOWN;
}
