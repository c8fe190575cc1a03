/* SPDX-License-Identifier: MIT */
/* What filter.c makes of one packet and a few rules, expression by expression. That whole rulesets are judged
 * as a kernel does with real packets is held by firewall.c and the guests. */
#include <byteswap.h>
#include <criterion/criterion.h>
#include <string.h>

#include "base/base.h"
#include "base/mem.h"
#include "base/text.h"
#include "check/filter.h"
#include "rules_text.h"

static struct arena *arena;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(filter, .init = setup, .fini = teardown);

/* -- the packet ------------------------------------------------------------------------------------------------ */

/* 10.0.0.1 receives from 10.0.0.2 to .254 on eth0, number 7. Letters make it another: o, it sends; 6,
 * 2001:db8::1 and
 * ::2 to ::fe; l, a route leads to the peer; f, the address is the first; b, eth0 is a bridge; v, it is in a
 * VRF; n, its number isn't known; L, it has a name of 15 letters; d, it lies on eth9, number 9; m, that is
 * one of several; V, it lies on eth5 and eth9. */
static struct filter_answer judge(const char *letters, const char *text)
{
    static const uint8_t v6[16] = { 0x20, 0x01, 0x0d, 0xb8 };
    static struct filter_device below[2];
    bool is_v6 = strchr(letters, '6');
    struct filter_packet packet = { .in = !strchr(letters, 'o'),
                                    .v6 = is_v6,
                                    .own_is_first = strchr(letters, 'f'),
                                    .peer_on_link = strchr(letters, 'l'),
                                    .device = { strchr(letters, 'L') ? "abcdefghijklmno" : "eth0",
                                                strchr(letters, 'n') ? 0 : 7, false },
                                    .bridge = strchr(letters, 'b'),
                                    .vrf = strchr(letters, 'v'),
                                    .below = below };
    uint8_t *const addresses[] = { packet.own, packet.peer_low, packet.peer_high };
    static const uint8_t last[] = { 1, 2, 254 };
    for (size_t i = 0; i < 3; i++) {
        memcpy(addresses[i], is_v6 ? v6 : (const uint8_t[16]){ 10 }, 16);
        addresses[i][is_v6 ? 15 : 3] = last[i];
    }
    below[0] = (struct filter_device){ "eth9", 9, strchr(letters, 'm') };
    packet.nbelow = strchr(letters, 'd') || strchr(letters, 'm') ? 1 : 0;
    if (strchr(letters, 'V')) {
        below[1] = below[0];
        below[0] = (struct filter_device){ "eth5", 5, false };
        packet.nbelow = 2;
    }
    struct ruleset ruleset = rules_of(text, arena);
    return filter_judge(&ruleset, &packet, arena);
}

struct case_ {
    const char *letters, *text;
    enum filter_result result;
    const char *where; /* how it ends; NULL: as it likes */
};

static void expect_all(const struct case_ *cases, size_t count)
{
    static const char *const names[] = { "accepts", "drops", "unknown" };
    for (size_t i = 0; i < count; i++) {
        struct filter_answer answer = judge(cases[i].letters, cases[i].text);
        const char *where = answer.where ? answer.where : "";
        cr_expect_eq(answer.result, cases[i].result, "(%s) %s: %s, not %s: %s", cases[i].letters,
                     cases[i].text, names[answer.result], names[cases[i].result], where);
        cr_expect(!cases[i].where || text_ends(where, cases[i].where), "(%s) %s: '%s' isn't the end of '%s'",
                  cases[i].letters, cases[i].text, cases[i].where, where);
    }
}
#define EXPECT_ALL(CASES) expect_all((CASES), ARRAY_SIZE(CASES))

#define YES FILTER_DROPS /* the rule matches, and drops */
#define NO FILTER_ACCEPTS
#define PERHAPS FILTER_UNKNOWN
#define ETH0 "65746830000000000000000000000000"
#define NOTHING "00000000000000000000000000000000"
#define MARK(NUMBER) "immediate to=8 " NUMBER "; meta key=mark from=8\n"
#define IF_MARK(NUMBER) "meta key=mark to=8; " IS(NUMBER)
#define PORT "payload key=udp off=2 len=2 to=8; "

/* -- verdicts, jumps, chains ----------------------------------------------------------------------------------- */

Test(filter, what_a_verdict_comes_to)
{
    static const struct case_ cases[] = {
        { "", IN "accept\n+ drop", NO, NULL },
        { "", IN "accept; drop", NO, NULL },
        { "", IN "drop\n+ accept", YES, "rule inet t base0 handle 1 (drop)" },
        { "", "base inet 1 0 drop\n", YES, "policy drop of chain inet t base0" },
        { "", "base inet 1 0 drop\n+ continue", YES, NULL },
        { "", "base inet 1 0 drop\n+ break", YES, NULL },
        { "", "base inet 1 0 drop\n+ return\n+ accept", YES, "policy drop of chain inet t base0" },
        { "", "base inet 1 0 accept\n+ return\n+ drop", NO, NULL },
        { "", IN "queue", PERHAPS, "depends on queue" },
        { "", IN "queue-3", PERHAPS, "depends on queue" },
        { "", IN "stolen", PERHAPS, "depends on a verdict roce doesn't know" },
        { "", IN "untold", PERHAPS, "depends on a verdict that the kernel didn't report" },
        { "", IN "jump:nowhere", PERHAPS, "depends on a chain that the kernel didn't list" },
        { "", IN "reject", YES, "handle 1 (reject)" },
        { "", IN "fwd", YES, "handle 1 (fwd, to another device)" },
        { "", IN "flow_offload; drop", YES, NULL },
        { "", IN "nonsense", PERHAPS, "depends on expression nonsense" },
        { "", IN "nonsense\n+ drop", PERHAPS, "depends on expression nonsense" },
    };
    EXPECT_ALL(cases);
}

Test(filter, a_jump_comes_back_and_a_goto_does_not)
{
    static const struct case_ cases[] = {
        { "", IN "jump:a\n+ drop\nchain a\n+ counter", YES, NULL },
        { "", IN "jump:a\n+ drop\nchain a\n+ return\n+ accept", YES, NULL },
        { "", IN "jump:a\n+ drop\nchain a\n+ accept", NO, NULL },
        { "", IN "jump:a\nchain a\n+ drop", YES, "rule inet t a handle 1 (drop)" },
        { "", IN "goto:a\n+ drop\nchain a\n+ counter", NO, NULL },
        { "", IN "goto:a\n+ drop\nchain a\n+ return", NO, NULL },
        { "", "base inet 1 0 drop\n+ goto:a\nchain a\n+ limit; accept", PERHAPS, "depends on limit" },
        { "", IN "goto:a\n+ accept\nchain a\n+ drop", YES, NULL },
        { "", "base inet 1 0 drop\n+ goto:a\n+ accept\nchain a\n+ counter", YES,
          "policy drop of chain inet t base0" },
        { "", IN "jump:a\n+ drop\nchain a\n+ goto:b\n+ accept\nchain b\n+ counter", YES,
          "base0 handle 2 (drop)" },
        { "", IN "jump:a\n+ drop\nchain a\n+ limit; accept", PERHAPS,
          "rule inet t a handle 1 depends on limit" },
        { "", IN "goto:a\n+ drop\nchain a\n+ limit; drop", PERHAPS, "depends on limit" },
        { "", IN "jump:a\n+ accept\nchain a\n+ limit; return\n+ drop", PERHAPS, "depends on limit" },
    };
    EXPECT_ALL(cases);
}

/* The kernel's stack has room for 16 jumps. */
static enum filter_result nested(unsigned jumps, const char **where)
{
    char *text = arena_strdup(arena, IN "jump:c1\n");
    for (unsigned i = 1; i < jumps; i++)
        text = arena_printf(arena, "%schain c%u\n+ jump:c%u\n", text, i, i + 1);
    struct filter_answer answer = judge("", arena_printf(arena, "%schain c%u\n+ drop\n", text, jumps));
    *where = answer.where;
    return answer.result;
}

Test(filter, so_many_jumps_and_no_more)
{
    const char *where;
    cr_expect_eq(nested(16, &where), FILTER_DROPS, "%s", where);
    cr_expect_eq(nested(17, &where), FILTER_UNKNOWN, "%s", where);
    cr_expect(text_ends(where, "depends on too many jumps"), "%s", where);
}

/* Three jumps in each of 16 chains: 3 to the power of 16 ways. */
Test(filter, more_rules_than_are_followed)
{
    char *text = arena_strdup(arena, IN "jump:c1\n");
    for (unsigned i = 1; i < 16; i++)
        text = arena_printf(arena, "%schain c%u\n+ jump:c%u\n+ jump:c%u\n+ jump:c%u\n", text, i, i + 1, i + 1,
                            i + 1);
    struct filter_answer answer = judge("", arena_printf(arena, "%schain c16\n+ counter\n", text));
    cr_expect_eq(answer.result, FILTER_UNKNOWN);
    cr_expect(strstr(answer.where, "more rules and elements than roce follows"), "%s", answer.where);
}

Test(filter, the_first_doubt_that_counts_is_told)
{
    static const struct case_ cases[] = {
        { "", IN "limit; drop\n+ quota; drop", PERHAPS, "handle 1 depends on limit" },
        { "", IN "limit; counter\n+ quota; drop", PERHAPS, "handle 2 depends on quota" },
        { "", "base inet 1 0 drop\n+ limit; accept", PERHAPS, "handle 1 depends on limit" },
        { "", IN "limit; accept", NO, NULL },
        { "", IN "limit; quota; drop", PERHAPS, "handle 1 depends on limit" },
        { "", AT("0", "0") "limit; drop\n" AT("1", "0") "quota; drop", PERHAPS, "depends on limit" },
        { "", AT("0", "0") "limit; drop\n" AT("1", "0") "drop", YES, "base1 handle 1 (drop)" },
        { "", IN "immediate to=8 01; limit; cmp from=8 02; drop", PERHAPS, "depends on limit" },
        { "", IN "synproxy; drop", NO, NULL },
    };
    EXPECT_ALL(cases);
}

/* Of firewalld's chains; the answer to a drop says in which zone. */
Test(filter, the_zone_that_decided)
{
    static const struct {
        const char *text, *zone;
    } cases[] = {
        { IN "goto:filter_IN_public\nchain filter_IN_public\n+ drop", "public" },
        { IN "goto:IN_work\nchain IN_work\n+ drop", "work" },
        { IN "jump:filter_IN_policy_x\nchain filter_IN_policy_x\n+ drop", NULL },
        { IN "jump:filter_IN_policy\nchain filter_IN_policy\n+ drop", "policy" },
        { IN "jump:filter_IN_a\n+ drop\nchain filter_IN_a\n+ counter", "a" },
        { IN "jump:FIN_a\nchain FIN_a\n+ drop", NULL },
        { "base inet 1 0 drop\n+ jump:filter_IN_home\nchain filter_IN_home\n+ counter", "home" },
        { IN
          "jump:filter_IN_a\n+ jump:filter_IN_b\n+ drop\nchain filter_IN_a\n+ counter\nchain filter_IN_b\n+ counter",
          "a" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct filter_answer answer = judge("", cases[i].text);
        cr_expect_eq(answer.result, FILTER_DROPS);
        cr_expect(cases[i].zone ? answer.zone && strcmp(answer.zone, cases[i].zone) == 0 : !answer.zone,
                  "%s: %s", cases[i].text, answer.zone ? answer.zone : "none");
    }
}

/* -- what rules know of the packet ----------------------------------------------------------------------------- */

Test(filter, the_interface_as_a_chain_sees_it)
{
    static const struct case_ cases[] = {
        { "", IN "meta key=iif to=8; " IS("=7"), YES, NULL },
        { "", IN "meta key=iif to=8; " IS("=8"), NO, NULL },
        { "", IN "meta key=iifname to=1; cmp from=1 " ETH0 "; drop", YES, NULL },
        { "", IN "meta key=iifname to=4; cmp from=4 " ETH0 "; drop", YES, NULL },
        { "n", IN "meta key=iifname to=1; cmp from=1 " ETH0 "; drop", YES, NULL },
        { "n", IN "meta key=iif to=8; " IS("=7"), PERHAPS, "depends on the interface where it comes in" },
        { "v", IN "meta key=iif to=8; " IS("=7"), PERHAPS, "depends on the interface where it comes in" },
        { "v", IN "meta key=iifname to=1; cmp from=1 " ETH0 "; drop", PERHAPS, NULL },
        { "v", IN "immediate to=2 01; meta key=iifname to=1; cmp from=2 01; drop", YES, NULL },
        { "v", IN "immediate to=9 01; meta key=iif to=8; cmp from=9 01; drop", YES, NULL },
        { "", IN "meta key=oif to=8; " IS("=0"), YES, NULL },
        { "", IN "meta key=oifname to=1; cmp from=1 " NOTHING "; drop", YES, NULL },
        { "o", OUT "meta key=oif to=8; " IS("=7"), YES, NULL },
        { "on", OUT "meta key=oif to=8; " IS("=7"), PERHAPS, "depends on the interface where it goes out" },
        { "o", OUT "meta key=oifname to=1; cmp from=1 " ETH0 "; drop", YES, NULL },
        { "o", OUT "meta key=iif to=8; " IS("=0"), YES, NULL },
        { "o", OUT "meta key=iifname to=1; cmp from=1 " NOTHING "; drop", YES, NULL },
        { "o", AT("4", "0") "meta key=oif to=8; " IS("=7"), YES, NULL },
        { "o", AT("4", "0") "meta key=iif to=8; " IS("=0"), PERHAPS,
          "depends on the interface where it comes in" },
        { "", "base netdev 0 0 accept eth0\n+ meta key=iif to=8; " IS("=7"), YES, NULL },
        { "", "base netdev 0 0 accept eth0\n+ meta key=oif to=8; " IS("=0"), PERHAPS, NULL },
        { "b", "base bridge 1 0 accept\n+ meta key=iif to=8; " IS("=7"), PERHAPS, NULL },
        { "b", "base bridge 1 0 accept\n+ meta key=oif to=8; " IS("=0"), PERHAPS, NULL },
        { "d", "base netdev 0 0 accept eth9\n+ meta key=iif to=8; " IS("=9"), YES, NULL },
        { "od", "base netdev 1 0 accept eth9\n+ meta key=oif to=8; " IS("=9"), YES, NULL },
        { "L", IN "meta key=iifname to=1; cmp from=1 6162636465666768696a6b6c6d6e6f00; drop", YES, NULL },
        { "", IN "meta key=iif to=99; drop", PERHAPS, "depends on a register that roce doesn't know" },
    };
    EXPECT_ALL(cases);
}

Test(filter, meta_data)
{
    static const struct case_ cases[] = {
        { "", IN "meta key=protocol to=8; " IS("0800"), YES, NULL },
        { "6", IN "meta key=protocol to=8; " IS("86dd"), YES, NULL },
        { "", IN "meta key=nfproto to=8; " IS("02"), YES, NULL },
        { "6", IN "meta key=nfproto to=8; " IS("0a"), YES, NULL },
        { "", "base netdev 0 0 accept eth0\n+ meta key=nfproto to=8; " IS("05"), YES, NULL },
        { "b", "base bridge 1 0 accept\n+ meta key=nfproto to=8; " IS("07"), YES, NULL },
        { "", IN "meta key=l4proto to=8; " IS("11"), YES, NULL },
        { "", IN "meta key=pkttype to=8; " IS("00"), YES, NULL },
        { "o", OUT "meta key=pkttype to=8; " IS("00"), PERHAPS, "depends on the packet's type" },
        { "", IN "meta key=length to=8; " IS("=100"), PERHAPS, "depends on meta data that roce can't know" },
        { "", IN "immediate to=9 01; meta key=length to=8; cmp from=9 01; drop", YES, NULL },
        { "", IN IF_MARK("=0"), YES, NULL },
        { "", IN IF_MARK("=1"), NO, NULL },
        { "", IN MARK("=5") "+ " IF_MARK("=5"), YES, NULL },
        { "", IN "immediate to=23 =5; meta key=mark from=23\n+ meta key=mark to=23; cmp from=23 =5; drop",
          YES, NULL },
        { "", IN "immediate to=8 =5; meta key=priority from=8\n+ " IF_MARK("=0"), YES, NULL },
        { "", IN "meta key=mark from=99\n+ " IF_MARK("=0"), PERHAPS, "depends on its mark" },
        { "", IN "ct key=ctmark to=8; meta key=mark from=8\n+ " IF_MARK("=0"), PERHAPS, "depends on its mark" },
        { "",
          IN
          "ct key=ctmark to=8; bitwise from=8 to=8 len=4 ff000000 00000000; meta key=mark from=8\n+ " IF_MARK(
              "=0"),
          PERHAPS, "depends on its mark" },
        { "",
          IN
          "ct key=ctmark to=8; meta key=mark from=8\n+ immediate to=9 01; meta key=mark to=8; cmp from=9 01; drop",
          YES, NULL },
    };
    EXPECT_ALL(cases);
}

/* A mark of a machine of the other byte order is read as that writes it. */
Test(filter, marks_of_a_foreign_machine)
{
    const char *text = arena_printf(arena,
                                    IN "immediate to=8 =%u; meta key=mark from=8 foreign=1\n"
                                       "+ meta key=mark to=8; cmp from=8 =5; drop",
                                    bswap_32(5));
    cr_expect_eq(judge("", text).result, FILTER_DROPS);
    text = arena_printf(arena, IN MARK("=5") "+ meta key=mark to=8 foreign=1; cmp from=8 =%u; drop",
                        bswap_32(5));
    cr_expect_eq(judge("", text).result, FILTER_DROPS);
}

/* What may have been done may be so. */
Test(filter, a_rule_that_may_match_may_have_set_something)
{
    static const struct case_ cases[] = {
        { "", IN "limit; " MARK("=5") "+ " IF_MARK("=0"), PERHAPS, "handle 2 depends on its mark" },
        { "", IN "limit; " MARK("=0") "+ " IF_MARK("=0"), YES, NULL },
        { "", IN MARK("=5") "+ limit; ct key=ctmark to=8; meta key=mark from=8\n+ " IF_MARK("=5"), PERHAPS,
          NULL },
        { "", IN "limit; notrack\n+ ct key=state to=8; " IS("=8"), PERHAPS, "handle 2 depends on ct state" },
        { "", IN "limit; counter\n+ ct key=state to=8; " IS("=8"), YES, NULL },
        { "", IN "notrack\n+ ct key=state to=8; " IS("=64"), YES, NULL },
        { "", IN "immediate to=8 =5; meta key=mark from=8; synproxy\n+ " IF_MARK("=5"), PERHAPS, NULL },
    };
    EXPECT_ALL(cases);
}

/* New is 8, invalid 1, untracked 64 (NF_CT_STATE_*). */
Test(filter, what_connection_tracking_says)
{
#define STATE(NUMBER) "ct key=state to=8; " IS(NUMBER)
    static const struct case_ cases[] = {
        { "", IN STATE("=8"), YES, NULL },
        { "", IN STATE("=2"), NO, NULL },
        { "", AT("0", "-300") STATE("=1"), YES, NULL },
        { "", AT("0", "-201") STATE("=1"), YES, NULL },
        { "", AT("0", "-200") STATE("=8"), PERHAPS, "depends on ct state" },
        { "", AT("0", "-199") STATE("=8"), YES, NULL },
        { "", AT("1", "-300") STATE("=8"), YES, NULL },
        { "", AT("1", "-200") STATE("=8"), YES, NULL },
        { "o", AT("3", "-300") STATE("=1"), YES, NULL },
        { "o", AT("3", "-200") STATE("=8"), PERHAPS, NULL },
        { "o", AT("3", "-100") STATE("=8"), YES, NULL },
        { "", "base inet 5 0 accept eth0\n+ " STATE("=1"), YES, NULL },
        { "", "base netdev 0 0 accept eth0\n+ " STATE("=1"), PERHAPS, NULL },
        { "b", "base bridge 1 0 accept\n+ " STATE("=8"), PERHAPS, NULL },
        { "b", "base bridge 0 -300 accept\n+ " STATE("=1"), PERHAPS, NULL },
        { "", "base netdev 0 -300 accept eth0\n+ " STATE("=1"), PERHAPS, NULL },
        { "", IN "ct key=ctmark from=8; drop", YES, NULL },
        { "", IN "ct key=state to=99; drop", PERHAPS, "depends on ct" },
        { "", IN "ct key=ctmark to=8; " IS("=0"), PERHAPS, "depends on ct mark" },
        { "", IN "ct key=expires to=8; " IS("=0"), PERHAPS, "depends on ct" },
        { "", IN "ct key=direction to=8; " IS("00"), YES, NULL },
        { "", IN "ct key=status to=8; bitwise from=8 to=8 len=4 =32 =0; " IS("=0"), YES, NULL },
        { "", IN "ct key=status to=8; bitwise from=8 to=8 len=4 =8 =0; " IS("=0"), PERHAPS,
          "depends on ct status" },
        { "", AT("0", "-300") "match set=state =8; drop", PERHAPS, NULL },
        { "", AT("0", "-200") "match set=state =8; drop", PERHAPS, NULL },
        { "", AT("0", "-199") "match set=state =8; drop", YES, NULL },
        { "", AT("1", "-300") "match set=state =8; drop", YES, NULL },
        { "o", AT("3", "-200") "match set=state =8; drop", PERHAPS, NULL },
        { "o", AT("3", "-199") "match set=state =8; drop", YES, NULL },
        { "o", AT("4", "-300") "match set=state =8; drop", YES, NULL },
        { "", AT("0", "-300") "notrack\n+ match set=state =8; drop", NO, NULL },
    };
    EXPECT_ALL(cases);
}

Test(filter, what_is_in_the_headers)
{
#define LOAD(HEADER, OFFSET, LENGTH) "payload key=" HEADER " off=" OFFSET " len=" LENGTH " to=8; "
    static const struct case_ cases[] = {
        { "", IN PORT IS("12b7"), YES, NULL },
        { "", IN LOAD("udp", "0", "2") "range from=8 c000 ffff; drop", YES, NULL },
        { "", IN LOAD("udp", "0", "2") IS("bfff"), NO, NULL },
        { "", IN LOAD("udp", "0", "2") IS("c000"), PERHAPS, "depends on the source port" },
        { "", IN LOAD("udp", "0", "2") IS("ffff"), PERHAPS, NULL },
        { "", IN LOAD("udp", "4", "1") IS("00"), PERHAPS, "depends on the packet's contents" },
        { "", IN LOAD("ip", "0", "1") IS("45"), YES, NULL },
        { "", IN LOAD("ip", "1", "1") IS("00"), PERHAPS, NULL },
        { "", IN LOAD("ip", "9", "1") IS("11"), YES, NULL },
        { "", IN LOAD("ip", "10", "1") IS("00"), PERHAPS, NULL },
        { "", IN LOAD("ip", "6", "2") "bitwise from=8 to=8 len=2 bfff 0000; " IS("0000"), YES, NULL },
        { "", IN LOAD("ip", "6", "2") "bitwise from=8 to=8 len=2 4000 0000; " IS("0000"), PERHAPS, NULL },
        { "", IN PEER IS("0a000001"), NO, NULL },
        { "", IN PEER "range from=8 0a000002 0a0000fe; drop", YES, NULL },
        { "", IN LOAD("ip", "16", "4") IS("0a000001"), YES, NULL },
        { "", IN LOAD("ip", "12", "3") IS("0a0000"), YES, NULL },
        { "", IN LOAD("ip", "12", "8") IS("0a0000020a000001"), PERHAPS, "depends on the peer's address" },
        { "", IN LOAD("ip", "12", "8") IS("0a0000020a000002"), NO, NULL },
        { "o", OUT LOAD("ip", "12", "4") IS("0a000001"), YES, NULL },
        { "o", OUT LOAD("ip", "16", "4") IS("0a000002"), PERHAPS, NULL },
        { "6", IN LOAD("ip", "0", "1") "bitwise from=8 to=8 len=1 f0 00; " IS("60"), YES, NULL },
        { "6", IN LOAD("ip", "0", "1") IS("60"), PERHAPS, NULL },
        { "6", IN LOAD("ip", "0", "1") IS("61"), PERHAPS, NULL },
        { "6", IN LOAD("ip", "6", "1") IS("11"), YES, NULL },
        { "6", IN LOAD("ip", "7", "1") IS("40"), PERHAPS, NULL },
        { "6", IN LOAD("ip", "24", "8") IS("20010db800000000"), YES, NULL },
        { "6", IN LOAD("ip", "39", "1") IS("01"), YES, NULL },
        { "6", IN LOAD("ip", "23", "1") IS("01"), PERHAPS, NULL },
        { "", IN LOAD("link", "12", "2") IS("0800"), YES, NULL },
        { "6", IN LOAD("link", "12", "2") IS("86dd"), YES, NULL },
        { "", IN LOAD("link", "0", "2") IS("0800"), PERHAPS, NULL },
        { "d", IN LOAD("link", "12", "2") IS("0800"), PERHAPS, NULL },
        { "", IN LOAD("inner", "2", "2") IS("12b7"), PERHAPS, "depends on the packet's contents" },
        { "", IN LOAD("udp", "100", "2") IS("12b7"), PERHAPS, NULL },
        { "", IN LOAD("udp", "63", "2") IS("12b7"), PERHAPS, NULL },
        { "", IN "payload key=udp off=2 len=2 to=99; drop", PERHAPS,
          "depends on a register that roce doesn't know" },
    };
    EXPECT_ALL(cases);
}

/* The addresses stand at 12 to 19, in IPv6 at 8 to 39. */
Test(filter, what_is_rewritten_in_the_packet)
{
#define WRITE(HEADER, OFFSET, LENGTH) IN "payload key=" HEADER " from=8 off=" OFFSET " len=" LENGTH "; drop"
    static const struct case_ cases[] = {
        { "", WRITE("udp", "2", "2"), PERHAPS, "depends on what it rewrites in the packet" },
        { "", WRITE("link", "12", "2"), YES, NULL },
        { "", WRITE("ip", "8", "1"), YES, NULL },
        { "", WRITE("ip", "11", "1"), YES, NULL },
        { "", WRITE("ip", "11", "2"), PERHAPS, NULL },
        { "", WRITE("ip", "12", "1"), PERHAPS, NULL },
        { "", WRITE("ip", "19", "1"), PERHAPS, NULL },
        { "", WRITE("ip", "20", "1"), YES, NULL },
        { "6", WRITE("ip", "7", "1"), YES, NULL },
        { "6", WRITE("ip", "8", "1"), PERHAPS, NULL },
        { "6", WRITE("ip", "39", "1"), PERHAPS, NULL },
        { "6", WRITE("ip", "40", "1"), YES, NULL },
    };
    EXPECT_ALL(cases);
}

/* RTN_UNICAST is 1, RTN_LOCAL 2. */
Test(filter, what_routes_say)
{
#define FIB(KEY, FLAGS, NUMBER) "fib key=" KEY " flags=" FLAGS " to=8; " IS(NUMBER)
    static const struct case_ cases[] = {
        { "", IN FIB("type", "daddr", "=2"), YES, NULL },
        { "", IN FIB("type", "saddr", "=1"), YES, NULL },
        { "o", OUT FIB("type", "saddr", "=2"), YES, NULL },
        { "o", OUT FIB("type", "daddr", "=1"), YES, NULL },
        { "6", IN FIB("type", "saddr", "=1"), PERHAPS, "depends on fib saddr" },
        { "6l", IN FIB("type", "saddr", "=1"), YES, NULL },
        { "6", IN FIB("type", "daddr", "=2"), YES, NULL },
        { "l", IN FIB("route", "saddr+iif", "=7"), YES, NULL },
        { "l", IN FIB("route", "saddr+iif+present", "=1"), YES, NULL },
        { "", IN FIB("route", "saddr+iif", "=7"), PERHAPS, "depends on fib saddr" },
        { "lv", IN FIB("route", "saddr+iif", "=7"), PERHAPS, NULL },
        { "ln", IN FIB("route", "saddr+iif", "=7"), PERHAPS, NULL },
        { "l", IN FIB("route", "saddr", "=7"), PERHAPS, NULL },
        { "l", IN FIB("routename", "saddr+iif", "=7"), PERHAPS, NULL },
        { "l", IN FIB("route", "daddr+iif", "=7"), PERHAPS, "depends on fib daddr" },
        { "ol", OUT FIB("route", "daddr+oif", "=7"), YES, NULL },
        { "", IN "fib key=type flags=daddr to=99; drop", PERHAPS, "depends on fib" },
    };
    EXPECT_ALL(cases);
}

/* -- comparing, and what is made of bytes ---------------------------------------------------------------------- */

Test(filter, comparisons)
{
    static const struct case_ cases[] = {
        { "", IN PORT "cmp from=8 op=ne 12b7; drop", NO, NULL },
        { "", IN PORT "cmp from=8 op=ne 12b8; drop", YES, NULL },
        { "", IN PORT "cmp from=8 op=lt 12b7; drop", NO, NULL },
        { "", IN PORT "cmp from=8 op=lt 12b8; drop", YES, NULL },
        { "", IN PORT "cmp from=8 op=le 12b6; drop", NO, NULL },
        { "", IN PORT "cmp from=8 op=le 12b7; drop", YES, NULL },
        { "", IN PORT "cmp from=8 op=gt 12b7; drop", NO, NULL },
        { "", IN PORT "cmp from=8 op=gt 12b6; drop", YES, NULL },
        { "", IN PORT "cmp from=8 op=ge 12b8; drop", NO, NULL },
        { "", IN PORT "cmp from=8 op=ge 12b7; drop", YES, NULL },
        { "", IN PORT "cmp from=8 op=9 12b7; drop", PERHAPS, "depends on the port" },
        { "", IN PORT "cmp from=99 12b7; drop", PERHAPS, "depends on a register that roce doesn't know" },
        { "", IN PORT "cmp from=8; drop", PERHAPS, "depends on a register that roce doesn't know" },
        { "", IN PORT "range from=8 12b7 12b7; drop", YES, NULL },
        { "", IN PORT "range from=8 12b8 ffff; drop", NO, NULL },
        { "", IN PORT "range from=8 op=1 12b8 ffff; drop", YES, NULL },
        { "", IN PORT "range from=8 12b7 12; drop", PERHAPS, "depends on a register that roce doesn't know" },
        { "", IN PORT "range from=99 12b7 12b7; drop", PERHAPS, NULL },
        { "", IN "immediate to=99 01; drop", YES, NULL },
        { "", IN "exthdr flags=1 to=8; " IS("00"), YES, NULL },
        { "", IN "exthdr flags=1 to=99; drop", NO, NULL },
        { "", IN "exthdr to=8; drop", NO, NULL },
    };
    EXPECT_ALL(cases);
}

/* The peer is 10.0.0.2 to .254: of a prefix its bounds are known, of other bits not. */
Test(filter, masks)
{
#define MASKED(MASK, XOR) PEER "bitwise from=8 to=8 len=4 " MASK " " XOR "; "
    static const struct case_ cases[] = {
        { "", IN MASKED("ffffff00", "00000000") IS("0a000000"), YES, NULL },
        { "", IN MASKED("ffffffff", "00000000") IS("0a000001"), NO, NULL },
        { "", IN MASKED("fffffffe", "00000000") "range from=8 0a000002 0a0000fe; drop", YES, NULL },
        { "", IN MASKED("fffffffe", "00000000") IS("0a000000"), NO, NULL },
        { "", IN MASKED("ffffff80", "00000000") "range from=8 0a000000 0a000080; drop", YES, NULL },
        { "", IN MASKED("00000000", "00000000") IS("00000000"), YES, NULL },
        { "", IN MASKED("ffffff0f", "00000000") IS("0a000000"), PERHAPS, "depends on the peer's address" },
        { "", IN MASKED("0000000f", "00000000") IS("00000000"), PERHAPS, NULL },
        { "", IN MASKED("fffff0ff", "00000000") IS("0a000001"), PERHAPS, NULL },
        { "", IN MASKED("00ff00ff", "00000000") IS("00000001"), PERHAPS, NULL },
        { "", IN MASKED("00ffffff", "00000000") IS("00000001"), PERHAPS, NULL },
        { "", IN MASKED("ff0000ff", "00000000") IS("0a000001"), PERHAPS, NULL },
        { "", IN MASKED("ffffffff", "00000001") IS("0a000001"), PERHAPS, NULL },
        { "", IN MASKED("ffffff00", "01000000") IS("0b000000"), YES, NULL },
        { "", IN PEER "bitwise from=8 to=8 len=4 op=shift ffffffff 00000000; " IS("0a000001"), PERHAPS,
          "depends on the peer's address" },
        { "", IN PEER "bitwise from=8 to=8 len=4 ffff 00000000; " IS("0a000001"), PERHAPS, NULL },
        { "", IN PEER "bitwise from=8 to=8 len=4 ffffffff 0000; " IS("0a000001"), PERHAPS, NULL },
        { "", IN PEER "bitwise from=99 to=8 len=4 ffffffff 00000000; drop", PERHAPS,
          "depends on bits that roce doesn't know" },
        { "", IN PEER "bitwise from=8 to=99 len=4 ffffffff 00000000; drop", PERHAPS, NULL },
        { "", IN PEER "bitwise from=8 to=8 ffffffff 00000000; drop", PERHAPS, NULL },
    };
    EXPECT_ALL(cases);
}

/* To network order, and from that of a machine of the other one. */
Test(filter, orders_of_bytes)
{
#define ORDERED(SIZE, LENGTH) "byteorder from=8 to=8 off=" SIZE " len=" LENGTH "; "
    static const struct case_ cases[] = {
        { "", IN "immediate to=8 =0x01020304; " ORDERED("4", "4") IS("01020304"), YES, NULL },
        { "", IN "immediate to=8 =0x01020304; byteorder from=8 to=8 off=4 len=4 foreign=1; " IS("04030201"),
          YES, NULL },
        { "", IN PEER ORDERED("4", "4") ORDERED("4", "4") IS("0a000005"), PERHAPS,
          "depends on the peer's address" },
        { "", IN PORT ORDERED("3", "3") "drop", PERHAPS,
          "depends on an order of bytes that roce doesn't know" },
        { "", IN PORT ORDERED("4", "6") "drop", PERHAPS, NULL },
        { "", IN PORT ORDERED("4", "0") "drop", PERHAPS, NULL },
        { "", IN PORT "byteorder from=99 to=8 off=2 len=2; drop", PERHAPS, NULL },
        { "", IN PORT "byteorder from=8 to=99 off=2 len=2; drop", PERHAPS, NULL },
        { "", IN PORT ORDERED("2", "2") "drop", YES, NULL },
        { "", IN PORT ORDERED("8", "8") "drop", YES, NULL },
        { "", IN PORT ORDERED("3", "3") "drop", PERHAPS, NULL },
        { "", IN PORT ORDERED("5", "5") "drop", PERHAPS, NULL },
        { "", IN PORT ORDERED("9", "9") "drop", PERHAPS, NULL },
    };
    EXPECT_ALL(cases);
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const char *text = little
                           ? IN "immediate to=8 0102030405060708; " ORDERED("2", "8") IS("0201040306050807")
                           : IN "immediate to=8 0102030405060708; " ORDERED("2", "8") IS("0102030405060708");
    cr_expect_eq(judge("", text).result, FILTER_DROPS);
}

/* -- sets and maps --------------------------------------------------------------------------------------------- */

Test(filter, sets)
{
#define LOOK "lookup set=s from=8 to=8; drop\n"
    static const struct case_ cases[] = {
        { "", IN PORT LOOK "set s 2: 0016 12b7", YES, NULL },
        { "", IN PORT LOOK "set s 2: 0016 0050", NO, NULL },
        { "", IN PORT LOOK "set s 2: 0016 *", YES, NULL },
        { "", IN PORT "lookup set=s from=8 flags=1; drop\nset s 2: 0016 0050", YES, NULL },
        { "", IN PORT "lookup set=s from=8 flags=1; drop\nset s 2: 0016 12b7", NO, NULL },
        { "", IN PEER LOOK "set s 4: 0a000005 0b000000", PERHAPS, "depends on the peer's address" },
        { "", IN PEER LOOK "set s 4 interval: 0a000000 0a000100", YES, NULL },
        { "", IN PORT LOOK "set s 2 untold: 12b7", PERHAPS, "depends on what is in set s" },
        { "", IN PORT LOOK "set s 2 eval: 12b7", PERHAPS, "depends on what is in set s" },
        { "", IN PORT LOOK "set s 0: 12b7", PERHAPS, "depends on what is in set s" },
        { "", IN PORT LOOK "set other 2: 12b7", PERHAPS, "depends on what is in set s" },
        { "", IN PORT "lookup from=8; drop", PERHAPS, "depends on what is in set ?" },
        { "", IN PORT "lookup set=s from=99; drop\nset s 2: 12b7", PERHAPS, "depends on what is in set s" },
        { "", IN PORT "lookup set=s from=8 flags=1; drop\nset s 2 map: 0016>=5", YES, NULL },
    };
    EXPECT_ALL(cases);
}

Test(filter, maps)
{
#define MAPPED "lookup set=s from=8 to=9; cmp from=9 =5; drop\n"
#define DECIDES "lookup set=s from=8 to=0\n"
    static const struct case_ cases[] = {
        { "", IN PORT MAPPED "set s 2 map: 12b7>=5", YES, NULL },
        { "", IN PORT MAPPED "set s 2 map: 12b7>=6", NO, NULL },
        { "", IN PORT MAPPED "set s 2 map: 0016>=5", NO, NULL },
        { "", IN PORT MAPPED "set s 2 map: 0016>=6 *>=5", YES, NULL },
        { "", IN PORT MAPPED "set s 2 map: *>=5 12b7>=6", NO, NULL },
        { "", IN PORT MAPPED "set s 2 map: 12b7>=5 12b7>=6", YES, NULL },
        { "", IN PEER MAPPED "set s 4 map: 0a000005>=5", PERHAPS, NULL },
        { "", IN PEER MAPPED "set s 4 map: 0a000005>=6", PERHAPS, NULL },
        { "", IN PEER MAPPED "set s 4 map: 0a000005>=5 *>=5", PERHAPS, NULL },
        { "", IN PORT "lookup set=s from=8 to=99; drop\nset s 2 map: 12b7>=5", YES, NULL },
        { "", IN PORT DECIDES "set s 2 map: 12b7>drop", YES, NULL },
        { "", IN PORT DECIDES "set s 2 map: 0016>drop", NO, NULL },
        { "", IN PORT DECIDES "+ drop\nset s 2 map: 12b7>accept", NO, NULL },
        { "", IN PORT DECIDES "set s 2 map: 0016>accept *>drop", YES, NULL },
        { "", IN PORT DECIDES "set s 2 map: *>drop 12b7>accept", NO, NULL },
        { "", IN PEER DECIDES "set s 4 map: 0a000005>drop", PERHAPS, "depends on the peer's address" },
        { "", IN PEER DECIDES "set s 4 map: 0a000005>accept *>drop", PERHAPS, NULL },
        { "", IN PEER DECIDES "set s 4 map: 0a000005>drop *>drop", YES, NULL },
        { "", IN PEER DECIDES "set s 4 map interval: 0a000000>drop 0a000080>drop 0a000100>accept", PERHAPS,
          NULL },
        { "", IN PORT DECIDES "set s 2 map untold: 12b7>drop", PERHAPS, "depends on what is in set s" },
        { "", IN PORT MAPPED "set s 2 map untold: 12b7>=5", PERHAPS, NULL },
        { "", IN PORT DECIDES "+ drop\nset s 2 map: 12b7>jump:a\nchain a\n+ accept", NO, NULL },
    };
    EXPECT_ALL(cases);
}

/* What the chains that elements lead to have set. */
Test(filter, what_a_map_leaves_behind)
{
    static const struct case_ cases[] = {
        { "", IN PORT DECIDES "+ " IF_MARK("=1") "set s 2 map: 12b7>jump:a\nchain a\n+ " MARK("=1"), YES,
          NULL },
        { "", IN PORT DECIDES "+ " IF_MARK("=0") "set s 2 map: 0016>jump:a\nchain a\n+ " MARK("=1"), YES,
          NULL },
        { "", IN PORT DECIDES "+ " IF_MARK("=1") "set s 2 map: 0016>accept *>jump:a\nchain a\n+ " MARK("=1"),
          YES, NULL },
        { "", IN PEER DECIDES "+ " IF_MARK("=0") "set s 4 map: 0a000005>jump:a\nchain a\n+ " MARK("=1"),
          PERHAPS, "depends on its mark" },
        { "",
          IN PEER DECIDES "+ " IF_MARK("=0") "set s 4 map: 0a000005>continue *>jump:a\nchain a\n+ " MARK("=1"),
          PERHAPS, "depends on its mark" },
        { "",
          IN PEER DECIDES "+ " IF_MARK("=0") "set s 4 map: 0a000005>jump:a 0a000006>jump:b\nchain a\n+ " MARK(
              "=1") "chain b\n+ " IF_MARK("=1"),
          PERHAPS, "depends on its mark" },
    };
    EXPECT_ALL(cases);
}

/* -- what else is done to a packet ------------------------------------------------------------------------------ */

Test(filter, translation)
{
    static const struct case_ cases[] = {
        { "of", AT("4", "100") "masq\n+ drop", NO, NULL },
        { "o", AT("4", "100") "masq", PERHAPS, "depends on the source that masquerading gives the packet" },
        { "of", AT("4", "100") "target set=MASQUERADE\n+ drop", NO, NULL },
        { "o", AT("4", "100") "target set=MASQUERADE", PERHAPS, NULL },
        { "o", AT("4", "100") "nat key=0", PERHAPS, "depends on the source that it gives the packet" },
        { "", AT("0", "-100") "nat key=1", PERHAPS, "depends on the destination that it gives the packet" },
        { "", AT("0", "-100") "redir", PERHAPS, "depends on the destination that it gives the packet" },
        { "", AT("0", "-150") "tproxy", PERHAPS, "depends on the destination that it gives the packet" },
        { "", IN "target set=DROP", YES, "handle 1 (DROP)" },
        { "", IN "target set=ACCEPT\n+ drop", NO, NULL },
        { "", IN "target set=TPROXY", PERHAPS, "depends on iptables' target TPROXY" },
        { "", IN "match set=nonsense; drop", PERHAPS, "depends on iptables' match nonsense" },
        { "", IN "objref key=1; drop", YES, NULL },
        { "", IN "objref key=3; drop", YES, NULL },
        { "", IN "objref key=7; drop", YES, NULL },
        { "", IN "objref key=8; drop", YES, NULL },
        { "", IN "objref key=2; drop", PERHAPS, "depends on an object's state" },
    };
    EXPECT_ALL(cases);
}

/* -- the chains on its way -------------------------------------------------------------------------------------- */

Test(filter, which_chains_see_it)
{
    static const struct case_ cases[] = {
        { "", "base ip 1 0 drop", YES, NULL },
        { "6", "base ip 1 0 drop", NO, NULL },
        { "6", "base ip6 1 0 drop", YES, NULL },
        { "", "base ip6 1 0 drop", NO, NULL },
        { "6", "base inet 1 0 drop", YES, NULL },
        { "", "base inet 0 0 drop", YES, NULL },
        { "", "base inet 2 0 drop", NO, NULL },
        { "", "base inet 3 0 drop", NO, NULL },
        { "", "base inet 4 0 drop", NO, NULL },
        { "o", "base inet 1 0 drop", NO, NULL },
        { "o", "base inet 0 0 drop", NO, NULL },
        { "o", "base inet 2 0 drop", NO, NULL },
        { "o", "base inet 3 0 drop", YES, NULL },
        { "o", "base inet 4 0 drop", YES, NULL },
        { "b", "base bridge 0 0 drop", YES, NULL },
        { "b", "base bridge 1 0 drop", YES, NULL },
        { "b", "base bridge 2 0 drop", NO, NULL },
        { "", "base bridge 1 0 drop", NO, NULL },
        { "ob", "base bridge 3 0 drop", YES, NULL },
        { "ob", "base bridge 4 0 drop", YES, NULL },
        { "ob", "base bridge 1 0 drop", NO, NULL },
        { "", "base netdev 0 0 drop eth0", YES, NULL },
        { "", "base netdev 1 0 drop eth0", NO, NULL },
        { "o", "base netdev 0 0 drop eth0", NO, NULL },
        { "o", "base netdev 1 0 drop eth0", YES, NULL },
        { "", "base netdev 0 0 drop eth1", NO, NULL },
        { "", "base netdev 0 0 drop eth", NO, NULL },
        { "", "base netdev 0 0 drop eth1 eth0", YES, NULL },
        { "", "base netdev 0 0 drop eth*", YES, NULL },
        { "", "base netdev 0 0 drop eth0*", YES, NULL },
        { "", "base netdev 0 0 drop eth00*", NO, NULL },
        { "", "base netdev 0 0 drop fth*", NO, NULL },
        { "", "base netdev 0 0 drop *", YES, NULL },
        { "", "base netdev 0 0 drop", NO, NULL },
        { "", "base netdev 0 0 drop eth9", NO, NULL },
        { "d", "base netdev 0 0 drop eth9", YES, NULL },
        { "V", "base netdev 0 0 drop eth9", YES, NULL },
        { "V", "base netdev 0 0 drop eth5", YES, NULL },
        { "m", "base netdev 0 0 drop eth9", PERHAPS,
          "policy drop of chain netdev t base0 holds for eth9 only" },
        { "m", "base netdev 0 0 accept eth9", NO, NULL },
        { "m", "base netdev 0 0 drop eth0", YES, NULL },
        { "", "base inet 5 0 drop eth0", YES, NULL },
        { "", "base inet 5 0 drop eth1", NO, NULL },
        { "o", "base inet 5 0 drop eth0", NO, NULL },
        { "", "base inet 6 0 drop eth0", NO, NULL },
    };
    EXPECT_ALL(cases);
}

/* What one has set the next sees: by their places, then their priorities, then as they stand. */
Test(filter, the_order_of_the_chains)
{
    static const struct case_ cases[] = {
        { "", AT("1", "0") IF_MARK("=1") AT("0", "0") MARK("=1"), YES, NULL },
        { "", AT("1", "0") MARK("=1") AT("0", "0") IF_MARK("=1"), NO, NULL },
        { "", AT("1", "10") IF_MARK("=1") AT("1", "0") MARK("=1"), YES, NULL },
        { "", AT("1", "10") MARK("=1") AT("1", "0") IF_MARK("=1"), NO, NULL },
        { "", AT("1", "0") MARK("=1") AT("1", "10") IF_MARK("=1"), YES, NULL },
        { "", AT("1", "0") MARK("=1") AT("1", "0") IF_MARK("=1"), YES, NULL },
        { "", AT("1", "0") IF_MARK("=1") AT("1", "0") MARK("=1"), NO, NULL },
        { "", AT("0", "-300") IF_MARK("=1") "base netdev 0 0 accept eth0\n+ " MARK("=1"), YES, NULL },
        { "", AT("0", "-300") IF_MARK("=1") "base inet 5 0 accept eth0\n+ " MARK("=1"), YES, NULL },
        { "b", AT("0", "-300") IF_MARK("=1") "base bridge 1 0 accept\n+ " MARK("=1"), YES, NULL },
        { "b", "base bridge 0 -300 accept\n+ " IF_MARK("=1") "base netdev 0 0 accept eth0\n+ " MARK("=1"),
          YES, NULL },
        { "b", "base bridge 1 -300 accept\n+ " IF_MARK("=1") "base bridge 0 0 accept\n+ " MARK("=1"), YES,
          NULL },
        { "o", AT("4", "-300") IF_MARK("=1") AT("3", "0") MARK("=1"), YES, NULL },
        { "o", "base netdev 1 -300 accept eth0\n+ " IF_MARK("=1") AT("4", "0") MARK("=1"), YES, NULL },
        { "ob", "base bridge 3 -300 accept\n+ " IF_MARK("=1") AT("4", "0") MARK("=1"), YES, NULL },
        { "ob", "base netdev 1 -300 accept eth0\n+ " IF_MARK("=1") "base bridge 4 0 accept\n+ " MARK("=1"),
          YES, NULL },
        { "", AT("1", "20") IF_MARK("=2") AT("1", "10") MARK("=2") AT("1", "0") MARK("=1"), YES, NULL },
        { "", AT("1", "0") MARK("=1") AT("1", "10") MARK("=2") AT("1", "20") IF_MARK("=2"), YES, NULL },
        { "", "", NO, NULL },
    };
    EXPECT_ALL(cases);
}
