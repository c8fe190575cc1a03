/* SPDX-License-Identifier: MIT */
/* What nftables does to the RoCE v2 packets of one address: each packet of the kind is walked through the
 * chains that the kernel calls for it, in their order. Three-valued: what can't be known of the packet, or
 * isn't understood of a rule, goes both ways, and only what comes out the same on every way is said. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/ruleset.h"

struct filter_device {
    const char *name;
    uint32_t ifindex; /* 0: not known */
    bool perhaps;     /* one of several that the packet may pass: a member of a bond */
};

/* A packet of RoCE v2 in software (rxe): UDP to port 4791 from a port above 0xC000 (drivers/infiniband:
 * RXE_ROCE_V2_SPORT, IB_ROCE_UDP_ENCAP_VALID_PORT_MIN), not fragmented, no IP options. Both directions go to
 * port 4791, so for connection tracking none answers another: each stays NEW. Its mark is 0 until a rule sets
 * it. */
struct filter_packet {
    bool in; /* it arrives; else it leaves */
    bool v6;
    uint8_t own[16];                     /* the address of the GID; IPv4 in the first four bytes */
    uint8_t peer_low[16], peer_high[16]; /* the other one is one of these */
    bool own_is_first;                   /* of its netdev's addresses: the one that masquerading gives */
    bool peer_on_link;                   /* a route leads to it out of the device */
    struct filter_device device;         /* the netdev of the GID */
    const struct filter_device *below;   /* those below it, as VLAN and bond have */
    size_t nbelow;
    bool bridge; /* the device is one */
    bool vrf;    /* the device is in one: what the chains see as the interface isn't told */
};

enum filter_result { FILTER_ACCEPTS, FILTER_DROPS, FILTER_UNKNOWN };

struct filter_answer {
    enum filter_result result;
    /* What drops: "rule inet filter input handle 9 (reject)", "policy drop of chain inet filter input". What
     * is unknown: "rule ip filter INPUT handle 4 depends on limit". */
    const char *where;
    const struct nft_chain *base; /* the hooked chain of that; NULL when it accepts */
    const char *zone;             /* the zone of firewalld that decided, or NULL */
};

/* where is from the arena. */
struct filter_answer filter_judge(const struct ruleset *ruleset, const struct filter_packet *packet,
                                  struct arena *arena);

/* Private to filter.c and filter_xt.c. */

enum match { MATCH_NO, MATCH_MAYBE, MATCH_YES };

/* What a rule may know beside the packet. */
struct filter_state {
    bool mark_known;
    uint32_t mark;
    enum match untracked; /* a rule took it from connection tracking */
};

/* A match of iptables; *why: what it depends on, when it can't be told. */
enum match filter_xt_match(const struct nft_expression *match, const struct filter_packet *packet,
                           const struct filter_state *state, const char **why);

/* What a target of iptables does. */
enum filter_xt_effect { XT_NOTHING, XT_DROP, XT_ACCEPT, XT_MASQUERADE, XT_MARK, XT_NOTRACK, XT_UNKNOWN };
enum filter_xt_effect filter_xt_target(const struct nft_expression *target, struct filter_state *state);

/* Bytes of a packet, or of a rule's registers, as far as they are known, and how they compare. Private to
 * filter.c. Pure. */

enum { ROOM = NFT_REGISTER_BYTES }; /* of a header roce knows as many */

/* Bytes that are known in part: by the bit, and fields by their bounds. */
struct bytes_known {
    uint8_t bits[ROOM], known[ROOM];
    uint8_t low[ROOM], high[ROOM];
    uint8_t run[ROOM]; /* how long the field is that begins here and has bounds; 0: none begins */
    const char *what[ROOM];
};

/* len bytes at `at` become a field from low to high, both included, in network order; what names them. */
void known_put_field(struct bytes_known *to, size_t at, const uint8_t *low, const uint8_t *high, size_t len,
                     const char *what);
void known_put_bytes(struct bytes_known *to, size_t at, const void *bytes, size_t len, const char *what);
void known_put_unknown(struct bytes_known *to, size_t at, size_t len, const char *what);
/* In the host's order; foreign: that of a machine of the other one. */
void known_put_number(struct bytes_known *to, size_t at, uint32_t number, bool foreign, const char *what);

/* The lowest and highest that len bytes can be. */
void known_bounds(const struct bytes_known *of, size_t at, size_t len, uint8_t low[static ROOM],
                  uint8_t high[static ROOM]);
/* Is it from `from` to `to`, both included? As memcmp orders, which is what the kernel compares with. */
enum match known_between(const struct bytes_known *of, size_t at, const uint8_t *from, const uint8_t *to,
                         size_t len);
/* Does the key at `at` lie in element i of the set? Intervals of one field are a start, and an end that isn't
 * in them; without one they go up to the next, or for ever (nft_set_rbtree.c). */
enum match known_in_element(const struct nft_set *set, const struct bytes_known *of, size_t at, size_t i);
