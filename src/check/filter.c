/* SPDX-License-Identifier: MIT */
#include "check/filter.h"

#include <arpa/inet.h>
#include <byteswap.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    ROCE_PORT = 4791,
    ROCE_SOURCE_FIRST = 0xC000,
    JUMPS_MOST = 16, /* NFT_JUMP_STACK_SIZE */
    STEPS_MOST = 200000,
    INTERFACE_NAME = 16,
    CONNTRACK_PRIORITY = -200, /* NF_IP_PRI_CONNTRACK */
    INGRESS = 0, /* hooks of a netdev, and ingress as the family inet counts it (linux/netfilter.h) */
    EGRESS = 1,
    INET_INGRESS = 5,
};

static enum match not(enum match match) {
    return match == MATCH_YES  ? MATCH_NO
           : match == MATCH_NO ? MATCH_YES
                               : MATCH_MAYBE;
}

/* What a chain or a rule may do with the packet, any of them. */
enum { ACCEPTED = 1, DROPPED = 2, NEXT = 4, RETURNED = 8, LOST = 16 };

/* One packet's way through one base chain. */
struct walk {
    const struct ruleset *ruleset;
    const struct filter_packet *packet;
    const struct nft_chain *base;
    struct filter_device device; /* that the base chain sees */
    struct arena *arena;
    struct bytes_known network, transport, link;
    struct filter_state state;
    size_t steps, depth;
    const char *drop, *doubt; /* the first that may drop, that isn't certain */
    const char *zone, *drop_zone;
};

/* A rule as far as it has been looked at. */
struct look {
    const struct nft_chain *chain;
    const struct nft_rule *rule;
    struct bytes_known registers;
    enum match match; /* so far */
    unsigned outcome; /* 0: no verdict yet */
    const char *doubt;
    const char *action; /* "drop", "reject" */
};

static unsigned walk_chain(struct walk *walk, const struct nft_chain *chain);

static const char too_much[] = "more rules and elements than roce follows";

static void hold_doubt(struct look *look, enum match match, const char *doubt)
{
    if (match == MATCH_MAYBE && !look->doubt)
        look->doubt = doubt ? doubt : "what roce doesn't know";
}

static void hold(struct look *look, enum match match, const char *doubt)
{
    hold_doubt(look, match, doubt);
    if (match < look->match)
        look->match = match;
}

static const char *rule_text(struct walk *walk, const struct look *look)
{
    return arena_printf(walk->arena, "rule %s %s %s handle %llu", nft_family_text(look->chain->family),
                        look->chain->table, look->chain->name, (unsigned long long)look->rule->handle);
}

static void drops(struct walk *walk, const struct look *look)
{
    if (walk->drop)
        return;
    walk->drop = arena_printf(walk->arena, "%s (%s)", rule_text(walk, look),
                              look->action ? look->action : "drop");
    walk->drop_zone = walk->zone;
}

static void loses(struct look *look, const char *doubt)
{
    if (!look->doubt)
        look->doubt = doubt;
    look->outcome |= LOST;
}

/* ---- verdicts */

static unsigned follow(struct walk *walk, struct look *look, const char *name)
{
    const struct nft_chain *chain = name ? ruleset_chain(walk->ruleset, look->chain->family,
                                                         look->chain->table, name)
                                         : NULL;
    if (!chain || walk->depth == JUMPS_MOST) {
        loses(look, chain ? "too many jumps" : "a chain that the kernel didn't list");
        return LOST;
    }
    walk->depth++;
    unsigned outcome = walk_chain(walk, chain);
    walk->depth--;
    return outcome;
}

static unsigned verdict(struct walk *walk, struct look *look, const struct nft_verdict *verdict)
{
    unsigned outcome;
    if (!verdict->known) {
        loses(look, "a verdict that the kernel didn't report");
        return LOST;
    }
    switch (verdict->code) {
    case NFT_CONTINUE:
    case NFT_BREAK:
        return NEXT;
    case NFT_RETURN:
        return RETURNED;
    case NFT_JUMP:
        return follow(walk, look, verdict->chain);
    case NFT_GOTO: /* where it ends, so does this chain */
        outcome = follow(walk, look, verdict->chain);
        return outcome & NEXT ? (outcome & ~(unsigned)NEXT) | RETURNED : outcome;
    case NF_ACCEPT:
        return ACCEPTED;
    case NF_DROP:
        drops(walk, look);
        return DROPPED;
    default: /* queued for a program, stolen */
        loses(look, (verdict->code & NF_VERDICT_MASK) == NF_QUEUE ? "queue" : "a verdict roce doesn't know");
        return LOST;
    }
}

/* ---- expressions */

static struct filter_state join(struct filter_state a, struct filter_state b)
{
    if (a.mark_known != b.mark_known || a.mark != b.mark)
        a.mark_known = false;
    if (a.untracked != b.untracked)
        a.untracked = MATCH_MAYBE;
    return a;
}

static void set_mark(struct walk *walk, const struct look *look, size_t from, bool foreign)
{
    uint32_t mark;
    bool known = from != ROOM;
    for (size_t i = 0; known && i < sizeof(mark); i++)
        known &= look->registers.known[from + i] == 0xff;
    walk->state.mark_known = known;
    if (!known)
        return;
    memcpy(&mark, &look->registers.bits[from], sizeof(mark));
    walk->state.mark = foreign ? bswap_32(mark) : mark;
}

static void put_name(struct bytes_known *to, size_t at, const char *name, const char *what)
{
    char text[INTERFACE_NAME] = { 0 };
    memcpy(text, name, strnlen(name, sizeof(text) - 1));
    known_put_bytes(to, at, text, sizeof(text), what);
}

/* iif, iifname and the like: in PREROUTING, INPUT and at ingress the device is where the packet comes in, in
 * OUTPUT, POSTROUTING and at egress where it goes out. The other one is none, but in POSTROUTING, where rxe
 * has left its own (skb->dev). */
static void put_interface(struct walk *walk, struct bytes_known *to, size_t at, const struct nft_expression *e)
{
    uint32_t key = e->key;
    bool in = key == NFT_META_IIF || key == NFT_META_IIFNAME, ours = in == walk->packet->in;
    bool names = key == NFT_META_IIFNAME || key == NFT_META_OIFNAME;
    const char *what = in ? "the interface where it comes in" : "the interface where it goes out";
    size_t len = names ? INTERFACE_NAME : 4;
    bool l3 = walk->base->family != NFPROTO_NETDEV && walk->base->family != NFPROTO_BRIDGE;
    if (ours ? walk->packet->vrf || walk->base->family == NFPROTO_BRIDGE || (!names && !walk->device.ifindex)
             : !l3 || (!walk->packet->in && walk->base->hook == NF_INET_POST_ROUTING))
        known_put_unknown(to, at, len, what);
    else if (names)
        put_name(to, at, ours ? walk->device.name : "", what);
    else
        known_put_number(to, at, ours ? walk->device.ifindex : 0, e->foreign, what);
}

static void put_meta(struct walk *walk, struct bytes_known *to, size_t at, const struct nft_expression *e)
{
    uint8_t byte;
    uint16_t number;
    switch (e->key) {
    case NFT_META_PROTOCOL:
        number = htons(walk->packet->v6 ? ETH_P_IPV6 : ETH_P_IP);
        known_put_bytes(to, at, &number, sizeof(number), "the Ethernet type");
        return;
    case NFT_META_NFPROTO:
        byte = walk->packet->v6 ? NFPROTO_IPV6 : NFPROTO_IPV4;
        if (walk->base->family == NFPROTO_NETDEV || walk->base->family == NFPROTO_BRIDGE)
            byte = walk->base->family;
        known_put_bytes(to, at, &byte, 1, "the protocol");
        return;
    case NFT_META_L4PROTO:
        byte = IPPROTO_UDP;
        known_put_bytes(to, at, &byte, 1, "the protocol");
        return;
    case NFT_META_IIF:
    case NFT_META_OIF:
    case NFT_META_IIFNAME:
    case NFT_META_OIFNAME:
        put_interface(walk, to, at, e);
        return;
    case NFT_META_MARK:
        if (walk->state.mark_known)
            known_put_number(to, at, walk->state.mark, e->foreign, "its mark");
        else
            known_put_unknown(to, at, 4, "its mark");
        return;
    case NFT_META_PKTTYPE:
        byte = 0; /* PACKET_HOST */
        if (walk->packet->in)
            known_put_bytes(to, at, &byte, 1, "the packet's type");
        else
            known_put_unknown(to, at, 1, "the packet's type");
        return;
    default:
        known_put_unknown(to, at, 4, "meta data that roce can't know");
    }
}

static void apply_meta(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    if (e->source) {
        if (e->key == NFT_META_MARK)
            set_mark(walk, look, nft_register_at(e->source, 4), e->foreign);
        return;
    }
    bool name = e->key == NFT_META_IIFNAME || e->key == NFT_META_OIFNAME;
    size_t at = nft_register_at(e->destination, name ? INTERFACE_NAME : 4);
    if (at == ROOM)
        hold(look, MATCH_MAYBE, "a register that roce doesn't know");
    else
        put_meta(walk, &look->registers, at, e);
}

/* Of connection tracking as a rule of nftables sees it (nft_ct.c). */
static void put_state(struct walk *walk, struct bytes_known *to, size_t at, const struct nft_expression *e)
{
    const struct nft_chain *base = walk->base;
    bool l3 = base->family != NFPROTO_NETDEV && base->family != NFPROTO_BRIDGE;
    bool first = l3 && (base->hook == NF_INET_PRE_ROUTING || base->hook == NF_INET_LOCAL_OUT);
    uint32_t state = NF_CT_STATE_BIT(IP_CT_NEW);
    bool known = l3 && walk->state.untracked != MATCH_MAYBE;
    if (walk->state.untracked == MATCH_YES)
        state = NF_CT_STATE_UNTRACKED_BIT;
    else if (base->hook == INET_INGRESS || (first && base->priority < CONNTRACK_PRIORITY))
        state = NF_CT_STATE_INVALID_BIT; /* it hasn't been looked at yet */
    else if (first && base->priority == CONNTRACK_PRIORITY)
        known = false;
    if (known)
        known_put_number(to, at, state, e->foreign, "ct state");
    else
        known_put_unknown(to, at, 4, "ct state");
}

static void apply_ct(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    if (e->source)
        return; /* sets something of the connection: nothing that roce takes for known */
    size_t at = nft_register_at(e->destination, NFT_REG_SIZE);
    if (at == ROOM) {
        hold(look, MATCH_MAYBE, "ct");
        return;
    }
    known_put_unknown(&look->registers, at, NFT_REG_SIZE,
                      e->key == NFT_CT_MARK     ? "ct mark"
                      : e->key == NFT_CT_STATUS ? "ct status"
                                                : "ct");
    if (e->key == NFT_CT_STATE) {
        put_state(walk, &look->registers, at, e);
    } else if (e->key == NFT_CT_STATUS) {
        /* Nothing answers, nothing is translated: a rule that would is not passed over. */
        uint32_t known = IPS_EXPECTED | IPS_SEEN_REPLY | IPS_ASSURED | IPS_SRC_NAT | IPS_DST_NAT | IPS_DYING;
        known = e->foreign ? bswap_32(known) : known;
        memcpy(&look->registers.known[at], &known, sizeof(known));
    } else if (e->key == NFT_CT_DIRECTION) {
        uint8_t original = 0; /* IP_CT_DIR_ORIGINAL */
        known_put_bytes(&look->registers, at, &original, 1, "ct direction");
    }
}

static void apply_payload(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    bool transport = e->key == NFT_PAYLOAD_TRANSPORT_HEADER;
    const struct bytes_known *header = transport                              ? &walk->transport
                                       : e->key == NFT_PAYLOAD_NETWORK_HEADER ? &walk->network
                                                                              : &walk->link;
    size_t first = walk->packet->v6 ? 8 : 12, last = walk->packet->v6 ? 40 : 20;
    if (e->source) { /* it rewrites the packet */
        if (transport || (header == &walk->network && e->offset < last && (size_t)e->offset + e->len > first))
            loses(look, "what it rewrites in the packet");
        return;
    }
    size_t at = nft_register_at(e->destination, e->len);
    if (at == ROOM || e->len > ROOM) {
        hold(look, MATCH_MAYBE, "a register that roce doesn't know");
        return;
    }
    bool inside = e->key <= NFT_PAYLOAD_TRANSPORT_HEADER && e->offset <= ROOM && e->offset + e->len <= ROOM;
    known_put_unknown(&look->registers, at, e->len, "the packet's contents");
    for (size_t i = 0; inside && i < e->len; i++) {
        size_t from = e->offset + i;
        look->registers.bits[at + i] = header->bits[from];
        look->registers.known[at + i] = header->known[from];
        look->registers.low[at + i] = header->low[from];
        look->registers.high[at + i] = header->high[from];
        /* of a field that is cut, the bytes that are there have its bounds, too */
        look->registers.run[at + i] = header->run[from] > e->len - i ? (uint8_t)(e->len - i)
                                                                     : header->run[from];
        look->registers.what[at + i] = header->what[from] ? header->what[from] : "the packet's contents";
    }
}

/* nft_fib_ipv4.c, nft_fib_ipv6.c. */
static void apply_fib(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    const struct filter_packet *packet = walk->packet;
    bool source = e->flags & NFTA_FIB_F_SADDR, own = source != packet->in;
    size_t at = nft_register_at(e->destination, NFT_REG_SIZE);
    if (at == ROOM) {
        hold(look, MATCH_MAYBE, "fib");
        return;
    }
    known_put_unknown(&look->registers, at, NFT_REG_SIZE, source ? "fib saddr" : "fib daddr");
    if (e->key == NFT_FIB_RESULT_ADDRTYPE && (own || !packet->v6 || packet->peer_on_link))
        known_put_number(&look->registers, at, own ? RTN_LOCAL : RTN_UNICAST, e->foreign, "fib");
    else if (e->key == NFT_FIB_RESULT_ADDRTYPE || own || !packet->peer_on_link || packet->vrf)
        return;
    else if (e->flags & NFTA_FIB_F_PRESENT)
        known_put_number(&look->registers, at, 1, e->foreign, "fib");
    else if (e->key == NFT_FIB_RESULT_OIF && e->flags & (NFTA_FIB_F_IIF | NFTA_FIB_F_OIF) &&
             walk->device.ifindex)
        known_put_number(&look->registers, at, walk->device.ifindex, e->foreign, "fib");
}

static void apply_exthdr(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk; /* neither RoCE's IPv6 nor its IPv4 has a header between */
    uint8_t absent = 0;
    size_t at = nft_register_at(e->destination, 1);
    if (e->flags & NFT_EXTHDR_F_PRESENT && at != ROOM)
        known_put_bytes(&look->registers, at, &absent, 1, "extension headers");
    else
        hold(look, MATCH_NO, NULL);
}

static void apply_cmp(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    static const uint8_t zero[ROOM] = { 0 };
    uint8_t ones[ROOM];
    size_t len = e->value.bytes.len, at = nft_register_at(e->source, len);
    const uint8_t *value = e->value.bytes.data;
    enum match match;
    if (!len || at == ROOM) {
        hold(look, MATCH_MAYBE, "a register that roce doesn't know");
        return;
    }
    memset(ones, 0xff, sizeof(ones));
    switch (e->operation) {
    case NFT_CMP_EQ:
        match = known_between(&look->registers, at, value, value, len);
        break;
    case NFT_CMP_NEQ:
        match = not(known_between(&look->registers, at, value, value, len));
        break;
    case NFT_CMP_LTE:
        match = known_between(&look->registers, at, zero, value, len);
        break;
    case NFT_CMP_GT:
        match = not(known_between(&look->registers, at, zero, value, len));
        break;
    case NFT_CMP_GTE:
        match = known_between(&look->registers, at, value, ones, len);
        break;
    case NFT_CMP_LT:
        match = not(known_between(&look->registers, at, value, ones, len));
        break;
    default:
        match = MATCH_MAYBE;
    }
    hold(look, match, look->registers.what[at]);
}

static void apply_range(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    size_t len = e->value.bytes.len, at = nft_register_at(e->source, len);
    if (!len || at == ROOM || e->second.bytes.len != len) {
        hold(look, MATCH_MAYBE, "a register that roce doesn't know");
        return;
    }
    enum match match = known_between(&look->registers, at, e->value.bytes.data, e->second.bytes.data, len);
    hold(look, e->operation == NFT_RANGE_EQ ? match : not(match), look->registers.what[at]);
}

/* Ones, then zeros: then the order of what is masked is the order of what was. */
static bool is_prefix(const uint8_t *mask, size_t len)
{
    size_t i = 0;
    while (i < len && mask[i] == 0xff)
        i++;
    if (i < len && (uint8_t)(mask[i] | (mask[i] - 1)) != 0xff)
        return false;
    for (i++; i < len; i++)
        if (mask[i])
            return false;
    return true;
}

static void apply_bitwise(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    struct bytes_known *registers = &look->registers;
    size_t len = e->len, from = nft_register_at(e->source, len), to = nft_register_at(e->destination, len);
    const uint8_t *mask = e->value.bytes.data, *xor = e->second.bytes.data;
    uint8_t low[ROOM], high[ROOM], bits[ROOM], known[ROOM];
    if (!len || len > ROOM || from == ROOM || to == ROOM) {
        hold(look, MATCH_MAYBE, "bits that roce doesn't know");
        return;
    }
    const char *what = registers->what[from];
    if (e->operation != NFT_BITWISE_BOOL || e->value.bytes.len != len || e->second.bytes.len != len) {
        known_put_unknown(registers, to, len, what);
        return;
    }
    bool ordered = is_prefix(mask, len);
    known_bounds(registers, from, len, low, high);
    for (size_t i = 0; i < len; i++) {
        known[i] = registers->known[from + i] | (uint8_t)~mask[i];
        bits[i] = (uint8_t)((registers->bits[from + i] & mask[i]) ^ xor[i]) & known[i];
        ordered &= xor[i] == 0;
        low[i] &= mask[i];
        high[i] &= mask[i];
    }
    known_put_field(registers, to, low, high, len, what);
    memcpy(&registers->known[to], known, len);
    memcpy(&registers->bits[to], bits, len);
    if (!ordered)
        registers->run[to] = 0;
}

static void apply_byteorder(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    struct bytes_known *registers = &look->registers, old = look->registers;
    size_t len = e->len, size = e->offset;
    size_t from = nft_register_at(e->source, len), to = nft_register_at(e->destination, len);
    if (!len || len > ROOM || from == ROOM || to == ROOM || (size != 2 && size != 4 && size != 8) ||
        len % size) {
        hold(look, MATCH_MAYBE, "an order of bytes that roce doesn't know");
        return;
    }
    bool swap = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != e->foreign;
    known_put_unknown(registers, to, len, old.what[from]);
    for (size_t i = 0; i < len; i++) {
        size_t at = swap ? i / size * size + size - 1 - i % size : i;
        registers->bits[to + i] = old.bits[from + at];
        registers->known[to + i] = old.known[from + at];
    }
}

static void apply_immediate(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    if (e->destination == NFT_REG_VERDICT) {
        look->outcome |= verdict(walk, look, &e->value.verdict);
        return;
    }
    size_t at = nft_register_at(e->destination, e->value.bytes.len);
    if (at != ROOM && e->value.bytes.len)
        known_put_bytes(&look->registers, at, e->value.bytes.data, e->value.bytes.len, "a constant");
}

/* ---- sets */

/* What the rule does with the element that its map gives. */
static void take_element(struct walk *walk, struct look *look, const struct nft_expression *e,
                         const struct nft_data *data, enum match match)
{
    if (e->destination == NFT_REG_VERDICT) {
        look->outcome |= verdict(walk, look, &data->verdict);
        return;
    }
    size_t len = data->bytes.len, at = nft_register_at(e->destination, len);
    if (!len || at == ROOM)
        return;
    if (match == MATCH_YES)
        known_put_bytes(&look->registers, at, data->bytes.data, len, "a map's value");
    else
        known_put_unknown(&look->registers, at, len, "a map's value");
}

static void apply_map(struct walk *walk, struct look *look, const struct nft_expression *e,
                      const struct nft_set *set, size_t at)
{
    const struct filter_state before = walk->state;
    struct filter_state after = before;
    enum match found = MATCH_NO;
    const struct nft_element *rest = NULL;
    for (size_t i = 0; i < set->nelements && found != MATCH_YES && walk->steps < STEPS_MOST; i++) {
        walk->steps++;
        enum match match = known_in_element(set, &look->registers, at, i);
        if (set->elements[i].flags & NFT_SET_ELEM_CATCHALL)
            rest = &set->elements[i];
        if (match == MATCH_NO)
            continue;
        hold_doubt(look, match, look->registers.what[at]);
        bool sole = found == MATCH_NO && match == MATCH_YES;
        found = match;
        walk->state = before;
        take_element(walk, look, e, &set->elements[i].data, sole ? MATCH_YES : MATCH_MAYBE);
        after = sole ? walk->state : join(after, walk->state);
    }
    walk->state = before;
    if (rest && found != MATCH_YES) {
        take_element(walk, look, e, &rest->data, found == MATCH_NO ? MATCH_YES : MATCH_MAYBE);
        after = found == MATCH_NO ? walk->state : join(after, walk->state);
        found = MATCH_YES;
    }
    walk->state = after;
    if (walk->steps >= STEPS_MOST)
        loses(look, too_much);
    hold(look, found, look->registers.what[at]);
}

static void apply_lookup(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    const struct nft_set *set = e->set ? ruleset_set(walk->ruleset, look->chain->family, look->chain->table,
                                                     e->set)
                                       : NULL;
    size_t at = set ? nft_register_at(e->source, set->key_len) : ROOM;
    bool map = set && set->flags & (NFT_SET_MAP | NFT_SET_OBJECT);
    if (!set || !set->known || !set->key_len || at == ROOM || set->flags & NFT_SET_EVAL) {
        hold(look, MATCH_MAYBE, arena_printf(walk->arena, "what is in set %s", e->set ? e->set : "?"));
        if (map && e->destination == NFT_REG_VERDICT)
            look->outcome |= LOST;
        return;
    }
    if (map && !(e->flags & NFT_LOOKUP_F_INV)) {
        apply_map(walk, look, e, set, at);
        return;
    }
    enum match found = MATCH_NO;
    for (size_t i = 0; i < set->nelements && found != MATCH_YES && walk->steps < STEPS_MOST; i++) {
        walk->steps++;
        enum match match = set->elements[i].flags & NFT_SET_ELEM_CATCHALL
                               ? MATCH_YES
                               : known_in_element(set, &look->registers, at, i);
        found = match > found ? match : found;
    }
    if (walk->steps >= STEPS_MOST)
        loses(look, too_much);
    hold(look, e->flags & NFT_LOOKUP_F_INV ? not(found) : found, look->registers.what[at]);
}

/* ---- what ends a rule, or does nothing */

static void apply_reject(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)e;
    look->action = "reject";
    drops(walk, look);
    look->outcome |= DROPPED;
}

static void apply_fwd(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)e;
    look->action = "fwd, to another device";
    drops(walk, look);
    look->outcome |= DROPPED;
}

/* With another address than the queue pair's the packet is no use to the peer, nor here (rxe_recv.c, check_addr). */
static void masquerades(const struct walk *walk, struct look *look)
{
    if (walk->packet->own_is_first)
        look->outcome |= ACCEPTED;
    else
        loses(look, "the source that masquerading gives the packet");
}

static void apply_masq(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)e;
    masquerades(walk, look);
}

static void apply_nat(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    bool source = strcmp(e->name, "nat") == 0 && e->key == NFT_NAT_SNAT;
    loses(look, source ? "the source that it gives the packet" : "the destination that it gives the packet");
}

static void apply_notrack(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)look, (void)e;
    walk->state.untracked = MATCH_YES;
}

static void apply_match(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    const char *why = NULL;
    struct filter_state state = walk->state;
    const struct nft_chain *base = walk->base;
    if (state.untracked == MATCH_NO && base->priority <= CONNTRACK_PRIORITY &&
        (base->hook == NF_INET_PRE_ROUTING || base->hook == NF_INET_LOCAL_OUT))
        state.untracked = MATCH_MAYBE; /* connection tracking hasn't seen it yet */
    enum match match = filter_xt_match(e, walk->packet, &state, &why);
    if (match == MATCH_MAYBE && !why)
        why = arena_printf(walk->arena, "iptables' match %s", e->set ? e->set : "?");
    hold(look, match, why);
}

static void apply_target(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    switch (filter_xt_target(e, &walk->state)) {
    case XT_NOTHING:
    case XT_MARK:
    case XT_NOTRACK:
        break;
    case XT_DROP:
        look->action = e->set;
        drops(walk, look);
        look->outcome |= DROPPED;
        break;
    case XT_ACCEPT:
        look->outcome |= ACCEPTED;
        break;
    case XT_MASQUERADE:
        masquerades(walk, look);
        break;
    case XT_UNKNOWN:
        loses(look, arena_printf(walk->arena, "iptables' target %s", e->set ? e->set : "?"));
    }
}

static void apply_objref(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk;
    if (e->key != NFT_OBJECT_COUNTER && e->key != NFT_OBJECT_CT_HELPER && e->key != NFT_OBJECT_CT_TIMEOUT &&
        e->key != NFT_OBJECT_SECMARK)
        hold(look, MATCH_MAYBE, "an object's state");
}

static void apply_nothing(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk, (void)look, (void)e;
}

/* Only TCP's. */
static void apply_synproxy(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    (void)walk, (void)e;
    hold(look, MATCH_NO, NULL);
}

/* May match or not, by what roce can't know, and may load a register; gives no verdict itself. */
static void apply_chance(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    known_put_unknown(&look->registers, 0, ROOM, e->name);
    hold(look, MATCH_MAYBE, arena_strdup(walk->arena, e->name));
}

static const struct {
    const char *name;
    void (*apply)(struct walk *walk, struct look *look, const struct nft_expression *e);
} kinds[] = {
    { "meta", apply_meta },
    { "ct", apply_ct },
    { "payload", apply_payload },
    { "fib", apply_fib },
    { "exthdr", apply_exthdr },
    { "cmp", apply_cmp },
    { "range", apply_range },
    { "bitwise", apply_bitwise },
    { "byteorder", apply_byteorder },
    { "immediate", apply_immediate },
    { "lookup", apply_lookup },
    { "reject", apply_reject },
    { "fwd", apply_fwd },
    { "nat", apply_nat },
    { "masq", apply_masq },
    { "redir", apply_nat },
    { "tproxy", apply_nat },
    { "notrack", apply_notrack },
    { "match", apply_match },
    { "target", apply_target },
    { "objref", apply_objref },
    { "synproxy", apply_synproxy },
    { "counter", apply_nothing },
    { "log", apply_nothing },
    { "last", apply_nothing },
    { "dup", apply_nothing },
    { "limit", apply_chance },
    { "quota", apply_chance },
    { "connlimit", apply_chance },
    { "numgen", apply_chance },
    { "hash", apply_chance },
    { "rt", apply_chance },
    { "socket", apply_chance },
    { "osf", apply_chance },
    { "xfrm", apply_chance },
    { "tunnel", apply_chance },
    { "dynset", apply_chance },
    { "inner", apply_chance },
    { "flow_offload", apply_nothing },
};

static void apply(struct walk *walk, struct look *look, const struct nft_expression *e)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (e->name && strcmp(kinds[i].name, e->name) == 0) {
            kinds[i].apply(walk, look, e);
            return;
        }
    loses(look, arena_printf(walk->arena, "expression %s", e->name ? e->name : "?"));
    look->outcome |= NEXT;
}

/* ---- rules and chains */

static unsigned walk_rule(struct walk *walk, const struct nft_chain *chain, const struct nft_rule *rule)
{
    const struct filter_state before = walk->state;
    struct look look = { .chain = chain, .rule = rule, .match = MATCH_YES };
    for (size_t i = 0; i < rule->nexpressions && look.match != MATCH_NO; i++) {
        apply(walk, &look, &rule->expressions[i]);
        if (look.outcome && !(look.outcome & NEXT))
            break;
    }
    if (look.match != MATCH_YES)
        walk->state = join(before, walk->state);
    if (look.match == MATCH_NO)
        return NEXT;
    unsigned outcome = look.outcome ? look.outcome : NEXT;
    if (look.match == MATCH_MAYBE)
        outcome |= NEXT;
    if (look.doubt && outcome & ~(unsigned)NEXT && !walk->doubt)
        walk->doubt = arena_printf(walk->arena, "%s depends on %s", rule_text(walk, &look), look.doubt);
    return outcome;
}

/* firewalld's chains of a zone: filter_IN_ZONE (of its iptables backend IN_ZONE), with _pre, _log, _deny,
 * _allow, _post below it (nftables.py, ipXtables.py). */
static void note_zone(struct walk *walk, const struct nft_chain *chain)
{
    static const char *const prefixes[] = { "filter_IN_", "IN_" };
    for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !walk->zone; i++) {
        size_t len = strlen(prefixes[i]);
        if (strncmp(chain->name, prefixes[i], len) == 0 && strncmp(chain->name + len, "policy_", 7) != 0)
            walk->zone = chain->name + len;
    }
}

/* ACCEPTED, DROPPED, LOST, and NEXT for its end. */
static unsigned walk_chain(struct walk *walk, const struct nft_chain *chain)
{
    unsigned outcome = 0, last = NEXT;
    note_zone(walk, chain);
    for (size_t i = 0; i < chain->nrules && last & NEXT; i++) {
        if (++walk->steps > STEPS_MOST) {
            walk->doubt = too_much;
            return outcome | LOST;
        }
        last = walk_rule(walk, chain, &chain->rules[i]);
        outcome |= last & ~(unsigned)(NEXT | RETURNED);
        outcome |= last & RETURNED ? NEXT : 0u;
    }
    return last & NEXT ? outcome | NEXT : outcome;
}

static unsigned walk_base(struct walk *walk)
{
    unsigned outcome = walk_chain(walk, walk->base);
    if (!(outcome & NEXT))
        return outcome;
    outcome &= ~(unsigned)NEXT;
    if (walk->base->policy == NF_ACCEPT)
        return outcome | ACCEPTED;
    if (!walk->drop) {
        walk->drop = arena_printf(walk->arena, "policy drop of chain %s %s %s",
                                  nft_family_text(walk->base->family), walk->base->table, walk->base->name);
        walk->drop_zone = walk->zone;
    }
    return outcome | DROPPED;
}

/* ---- the packet and its path */

static void write_headers(struct walk *walk)
{
    const struct filter_packet *p = walk->packet;
    size_t size = p->v6 ? 16 : 4, source = p->v6 ? 8 : 12;
    const uint16_t port = htons(ROCE_PORT), first = htons(ROCE_SOURCE_FIRST), last = UINT16_MAX;
    const uint8_t udp = IPPROTO_UDP, v4 = 0x45;
    if (p->v6) {
        walk->network.bits[0] = 0x60;
        walk->network.known[0] = 0xf0;
        known_put_bytes(&walk->network, 6, &udp, 1, "the protocol");
    } else {
        known_put_bytes(&walk->network, 0, &v4, 1, "the IP version");
        walk->network.known[6] = 0xbf; /* no fragment; perhaps not to be fragmented */
        walk->network.known[7] = 0xff;
        known_put_bytes(&walk->network, 9, &udp, 1, "the protocol");
    }
    const char *peer = "the peer's address";
    known_put_field(&walk->network, p->in ? source : source + size, p->peer_low, p->peer_high, size, peer);
    known_put_bytes(&walk->network, p->in ? source + size : source, p->own, size, "its own address");
    known_put_field(&walk->transport, 0, (const uint8_t *)&first, (const uint8_t *)&last, 2,
                    "the source port");
    known_put_bytes(&walk->transport, 2, &port, 2, "the port");
    const uint16_t type = htons(p->v6 ? ETH_P_IPV6 : ETH_P_IP);
    if (p->nbelow == 0) /* no VLAN's tag before it */
        known_put_bytes(&walk->link, 12, &type, sizeof(type), "the Ethernet type");
}

/* Does the chain's list of devices name this one? "eth*" stands for all that begin so. */
static bool names_device(const struct nft_chain *chain, const char *name)
{
    for (size_t i = 0; i < chain->ndevices; i++) {
        const char *device = chain->devices[i];
        size_t len = device ? strlen(device) : 0;
        if (device && (strcmp(device, name) == 0 ||
                       (len && device[len - 1] == '*' && strncmp(device, name, len - 1) == 0)))
            return true;
    }
    return false;
}

/* Of a chain of the netdev family (or inet's ingress): which of the packet's devices it sees; NULL: none. */
static const struct filter_device *seen_device(const struct nft_chain *chain, const struct filter_packet *p)
{
    if (names_device(chain, p->device.name))
        return &p->device;
    for (size_t i = 0; i < p->nbelow; i++)
        if (names_device(chain, p->below[i].name))
            return &p->below[i];
    return NULL;
}

/* On the packet's way the chain stands at this place; -1: not on it. */
static int place_of(const struct nft_chain *chain, const struct filter_packet *p)
{
    bool l3 = chain->family == NFPROTO_INET || chain->family == (p->v6 ? NFPROTO_IPV6 : NFPROTO_IPV4);
    bool device = chain->family == NFPROTO_NETDEV || (l3 && chain->hook == INET_INGRESS);
    bool bridge = chain->family == NFPROTO_BRIDGE && p->bridge;
    if (!chain->base || chain->dormant)
        return -1;
    if (device && (chain->family == NFPROTO_INET ? p->in : chain->hook == (p->in ? INGRESS : EGRESS)))
        return !seen_device(chain, p) ? -1 : p->in ? 0 : 5;
    if (p->in && (l3 || bridge) && chain->hook <= NF_INET_LOCAL_IN)
        return (bridge ? 1 : 3) + (int)chain->hook;
    if (!p->in && (l3 || bridge) && (chain->hook == NF_INET_LOCAL_OUT || chain->hook == NF_INET_POST_ROUTING))
        return (bridge ? 3 : 1) + (int)(chain->hook - NF_INET_LOCAL_OUT);
    return -1;
}

struct stop {
    const struct nft_chain *chain;
    int place;
};

static int compare_stops(const void *a, const void *b)
{
    const struct stop *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->chain->priority != y->chain->priority)
        return x->chain->priority < y->chain->priority ? -1 : 1;
    return x->chain < y->chain ? -1 : x->chain > y->chain;
}

struct filter_answer filter_judge(const struct ruleset *ruleset, const struct filter_packet *packet,
                                  struct arena *arena)
{
    struct stop *stops = NULL;
    size_t nstops = 0;
    for (size_t i = 0; i < ruleset->nchains; i++) {
        int place = place_of(&ruleset->chains[i], packet);
        if (place >= 0)
            *ARENA_PUSH(arena, stops, nstops) = (struct stop){ &ruleset->chains[i], place };
    }
    if (nstops)
        qsort(stops, nstops, sizeof(*stops), compare_stops);
    struct walk walk = { .ruleset = ruleset, .packet = packet, .arena = arena, .state = { .mark_known = true } };
    struct filter_answer answer = { .result = FILTER_ACCEPTS };
    write_headers(&walk);
    for (size_t i = 0; i < nstops; i++) {
        bool ingress = stops[i].place == 0 || stops[i].place == 5;
        walk.base = stops[i].chain;
        walk.device = ingress ? *seen_device(walk.base, packet) : packet->device;
        walk.drop = walk.doubt = walk.zone = walk.drop_zone = NULL;
        unsigned outcome = walk_base(&walk);
        if (outcome & DROPPED && walk.device.perhaps) {
            outcome |= ACCEPTED;
            walk.doubt = arena_printf(arena, "%s holds for %s only", walk.drop, walk.device.name);
        }
        if (outcome == DROPPED)
            return (struct filter_answer){ FILTER_DROPS, walk.drop, walk.base, walk.drop_zone };
        if (outcome != ACCEPTED && answer.result == FILTER_ACCEPTS)
            answer = (struct filter_answer){ FILTER_UNKNOWN, walk.doubt, walk.base, walk.drop_zone };
    }
    return answer;
}
