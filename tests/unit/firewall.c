/* SPDX-License-Identifier: MIT */
/* What the check firewall-4791 says to rulesets, as a kernel (6.18) told them: the bytes of
 * tests/fuzz/corpus has its answers about the rulesets of tests/vm/rulesets, NAME.nft or .rules, whose first
 * line says the verdict. Real packets agree: tests/vm/scenarios/firewall. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include "check/check.h"
#include "netlink_bytes.h"
#include "source/anonymise/anonymise.h"
#include "source/netlink/message.h"
#include "source/netlink/parsers.h"

static struct arena *arena;
static char bytes[64 << 10] __attribute__((aligned(8)));

static struct gid gids[2];
static struct port port;
static struct device device;
static struct netdev netdev;
static struct host host;

static const struct gid v4 = { .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .type = GID_TYPE_ROCE_V2 };
static const struct gid v6 = { .raw = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 }, .type = GID_TYPE_ROCE_V2 };

/* rxe0 on eth0, 10.0.0.1. */
static void setup(void)
{
    arena = arena_new();
    gids[0] = v4;
    netdev = (struct netdev){ .name = "eth0", .ifindex = num_of(7) };
    port = (struct port){ .device = &device,
                          .number = 1,
                          .link_layer = LINK_LAYER_ETHERNET,
                          .transport = TRANSPORT_ROCE,
                          .gids = gids,
                          .ngids = 1,
                          .netdev = "eth0" };
    device = (struct device){
        .name = "rxe0", .transport = TRANSPORT_ROCE, .driver = "rxe", .ports = &port, .nports = 1
    };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = &device, .ndevices = 1, .netdevs = &netdev, .nnetdevs = 1
    };
    host.system.firewall.asked = true;
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(firewall, .init = setup, .fini = teardown);

/* The answers as they are asked for, each with what it is about: the bytes hold all of them. */
static int parse(const char *data, size_t len)
{
    static const int types[] = { NFT_MSG_NEWTABLE, NFT_MSG_NEWCHAIN, NFT_MSG_NEWRULE };
    static char answer[sizeof(bytes)] __attribute__((aligned(8)));
    host.system.firewall = (struct firewall){ .asked = true };
    int r = 0;
    for (size_t i = 0; i < ARRAY_SIZE(types) && r == 0; i++) {
        struct messages messages = messages_of(data, len);
        struct message message;
        size_t size = 0;
        for (const char *at = messages.data; messages_next(&messages, &message); at = messages.data)
            if (message.type == (NFNL_SUBSYS_NFTABLES << 8 | types[i])) {
                memcpy(answer + size, at, (size_t)(messages.data - at));
                size += (size_t)(messages.data - at);
            }
        r = messages.broken ? -EBADMSG : nft_parse(answer, size, arena, &host.system.firewall);
    }
    return r;
}

/* The bytes of a line "nft NAME HEX" (see tests/fuzz/corpora). */
static size_t from_hex(const char *hex)
{
    size_t len = 0;
    for (; len < sizeof(bytes) && isxdigit((unsigned char)hex[2 * len]); len++)
        bytes[len] = (char)strtoul((const char[]){ hex[2 * len], hex[2 * len + 1], '\0' }, NULL, 16);
    return len;
}

static size_t load(const char *name)
{
    FILE *file = fopen("tests/fuzz/corpus", "r");
    size_t size = 0, len = 0;
    char *line = NULL;
    cr_assert_not_null(file);
    while (!len && getline(&line, &size, file) > 0)
        if (strncmp(line, "nft ", 4) == 0 && strncmp(line + 4, name, strlen(name)) == 0 &&
            line[4 + strlen(name)] == ' ')
            len = from_hex(line + 4 + strlen(name) + 1);
    free(line);
    fclose(file);
    cr_assert_gt(len, 0, "%s", name);
    cr_assert_eq(parse(bytes, len), 0, "%s", name);
    return len;
}

static struct finding ask(void)
{
    struct check_selection selection = { .only = "firewall-4791" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.nfindings, 1);
    return report.findings[0];
}

static void expect(const char *name, const char *verdict)
{
    struct finding finding = ask();
    cr_expect_str_eq(verdict_name(finding.verdict), verdict, "%s: %s, not %s: %s", name,
                     verdict_name(finding.verdict), verdict, finding.evidence);
}

/* The next of tests/vm/rulesets: its name without what follows the dot, and the verdict in its first line. */
static bool next_ruleset(FILE *file, char name[static 256], char verdict[static 16])
{
    char line[1024];
    while (fgets(line, sizeof(line), file))
        if (sscanf(line, "=== %255[^.]", name) == 1) {
            cr_assert(fgets(line, sizeof(line), file) && sscanf(line, "# %15[a-z]:", verdict) == 1, "%s", name);
            return true;
        }
    return false;
}

/* The rules that the bytes are, anonymised. */
static void anonymise(size_t len)
{
    static const char *const names[] = { "nft-tables", "nft-chains", "nft-rules" };
    struct firewall firewall = { .asked = true };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct bytes out = { 0 };
        cr_assert(anonymise_reply(names[i], bytes, len, &out));
        cr_assert_eq(nft_parse(out.data, out.len, arena, &firewall), 0);
        bytes_free(&out);
    }
    host.system.firewall = firewall;
}

Test(firewall, each_ruleset_is_judged_as_its_first_line_says_anonymised_too)
{
    FILE *file = fopen("tests/vm/rulesets", "r");
    char name[256], verdict[16];
    size_t count = 0;
    cr_assert_not_null(file);
    for (; next_ruleset(file, name, verdict); count++) {
        size_t len = load(name);
        expect(name, verdict);
        anonymise(len);
        expect(name, verdict);
    }
    fclose(file);
    cr_expect_geq(count, 10);
}

Test(firewall, the_rule_that_decides_is_named_and_how_it_is_taken_away)
{
    static const struct {
        const char *name, *evidence, *fix;
    } cases[] = {
        { "second-chain", "nftables drops RoCE packets over IPv4: rule ip second in handle 2",
          "nft delete rule ip second in handle 2; for every boot: " },
        { "limit", "(rule inet filter in handle 2): roce ping proves it", "" },
        { "ingress", "what nftables does to RoCE packets over IPv4 (rule netdev early in", "" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        load(cases[i].name);
        struct finding finding = ask();
        cr_expect(strstr(finding.evidence, cases[i].evidence), "%s: %s", cases[i].name, finding.evidence);
        cr_expect(strstr(finding.fix, cases[i].fix) == finding.fix, "%s: %s", cases[i].name, finding.fix);
    }
}

/* ---- one rule: what its expressions come to */

static struct nlbytes made;

/* An expression, its attributes numbers in network order: type and value in turn, up to a 0. */
static void put(const char *name, const uint32_t *attrs, uint16_t value_type, const void *value, size_t len)
{
    size_t element = nlbytes_attr(&made, NFTA_LIST_ELEM, NULL, 0);
    nlbytes_text(&made, NFTA_EXPR_NAME, name);
    size_t data = nlbytes_attr(&made, NFTA_EXPR_DATA, NULL, 0);
    for (; attrs[0]; attrs += 2)
        nlbytes_u32(&made, (uint16_t)attrs[0], htonl(attrs[1]));
    size_t nest = nlbytes_attr(&made, value_type, NULL, 0);
    nlbytes_attr(&made, NFTA_DATA_VALUE, value, len);
    nlbytes_close(&made, nest);
    nlbytes_close(&made, data);
    nlbytes_close(&made, element);
}
#define NUMBERS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })
#define META(KEY) put("meta", NUMBERS(NFTA_META_DREG, 8, NFTA_META_KEY, NFT_META_##KEY), 9, "", 0)
#define PAYLOAD(BASE, OFFSET, LEN)                                                                         \
    put("payload",                                                                                         \
        NUMBERS(NFTA_PAYLOAD_DREG, 8, NFTA_PAYLOAD_BASE, NFT_PAYLOAD_##BASE##_HEADER, NFTA_PAYLOAD_OFFSET, \
                (OFFSET), NFTA_PAYLOAD_LEN, (LEN)),                                                        \
        9, "", 0)
#define CMP(REGISTER, OP, BYTES)                                                                    \
    put("cmp", NUMBERS(NFTA_CMP_SREG, (REGISTER), NFTA_CMP_OP, NFT_CMP_##OP), NFTA_CMP_DATA, BYTES, \
        sizeof(BYTES) - 1)
#define OTHER(NAME) put(NAME, NUMBERS(NFTA_LOOKUP_SREG, 8), 9, "", 0)
#define RULE_IS(DOES, V4, V6, ...)                                                            \
    do {                                                                                      \
        made.len = 0;                                                                         \
        nlbytes_attr(&made, NFTA_RULE_EXPRESSIONS, NULL, 0);                                  \
        __VA_ARGS__;                                                                          \
        nlbytes_close(&made, 0);                                                              \
        struct firewall_rule rule = nft_rule((const void *)made.data, arena);                 \
        cr_expect(rule.does == FIREWALL_##DOES && rule.matches[0] == FIREWALL_##V4 &&         \
                      rule.matches[1] == FIREWALL_##V6,                                       \
                  "%s: %d %d %d", #__VA_ARGS__, rule.does, rule.matches[0], rule.matches[1]); \
    } while (0)

Test(firewall, a_rule_compares_what_each_packet_has)
{
    RULE_IS(NOTHING, ALWAYS, ALWAYS, OTHER("counter"));
    RULE_IS(DROPS, ALWAYS, ALWAYS, META(L4PROTO), CMP(8, EQ, "\x11"), PAYLOAD(TRANSPORT, 2, 2),
            CMP(8, EQ, "\x12\xb7"), OTHER("reject"));
    RULE_IS(DROPS, NEVER, NEVER, META(L4PROTO), CMP(8, EQ, "\x06"), PAYLOAD(TRANSPORT, 2, 2),
            CMP(8, EQ, "\x12\xb7"), OTHER("reject"));
    RULE_IS(NOTHING, NEVER, NEVER, PAYLOAD(TRANSPORT, 2, 2), CMP(8, NEQ, "\x12\xb7"));
    RULE_IS(NOTHING, ALWAYS, ALWAYS, PAYLOAD(TRANSPORT, 2, 2), CMP(8, GTE, "\x0f\xa0"),
            CMP(8, LTE, "\x13\x88"));
    RULE_IS(NOTHING, NEVER, NEVER, PAYLOAD(TRANSPORT, 2, 2), CMP(8, GT, "\x12\xb7"));
    RULE_IS(NOTHING, NEVER, NEVER, PAYLOAD(TRANSPORT, 2, 2), CMP(8, LT, "\x12\xb7"));
    RULE_IS(NOTHING, ALWAYS, NEVER, META(NFPROTO), CMP(8, EQ, "\x02"));
    RULE_IS(NOTHING, NEVER, ALWAYS, META(PROTOCOL), CMP(8, EQ, "\x86\xdd"));
    RULE_IS(NOTHING, ALWAYS, PERHAPS, PAYLOAD(NETWORK, 9, 1), CMP(8, EQ, "\x11"));
    RULE_IS(NOTHING, PERHAPS, ALWAYS, PAYLOAD(NETWORK, 6, 1), CMP(8, EQ, "\x11"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, PAYLOAD(TRANSPORT, 0, 2), CMP(8, EQ, "\x12\xb7"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, PAYLOAD(TRANSPORT, 2, 2), CMP(9, EQ, "\x12\xb7"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, PAYLOAD(TRANSPORT, 2, 2), CMP(8, EQ, "\x12"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, PAYLOAD(TRANSPORT, 2, 2), OTHER("bitwise"), CMP(8, EQ, "\x12\xb7"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, OTHER("ct"));
    RULE_IS(NOTHING, PERHAPS, PERHAPS, OTHER("limit"));
    RULE_IS(OTHER, ALWAYS, ALWAYS, OTHER("masq"));
    RULE_IS(OTHER, ALWAYS, ALWAYS, OTHER("queue"));
    RULE_IS(OTHER, PERHAPS, PERHAPS, put("lookup", NUMBERS(NFTA_LOOKUP_DREG, NFT_REG_VERDICT), 9, "", 0));
    RULE_IS(OTHER, ALWAYS, ALWAYS, put("payload", NUMBERS(NFTA_PAYLOAD_SREG, 8), 9, "", 0));
}

/* ---- one chain, and what its rules come to */

#define RULE(DOES, MATCHES)                        \
    {                                              \
        1, FIREWALL_##DOES,                        \
        {                                          \
            FIREWALL_##MATCHES, FIREWALL_##MATCHES \
        }                                          \
    }
#define CHAIN(VERDICT, POLICY_DROPS, ...)                      \
    do {                                                       \
        static struct firewall_rule rules[] = { __VA_ARGS__ }; \
        static struct firewall_chain chain;                    \
        chain = (struct firewall_chain){                       \
            .name = "inet t c",                                \
            .base = true,                                      \
            .sees = { true, true },                            \
            .certain = certain,                                \
            .drops = (POLICY_DROPS),                           \
            .rules = rules,                                    \
            .nrules = ARRAY_SIZE(rules),                       \
        };                                                     \
        host.system.firewall.chains = &chain;                  \
        host.system.firewall.nchains = 1;                      \
        expect(#__VA_ARGS__, VERDICT);                         \
    } while (0)

Test(firewall, only_what_is_certain_is_a_verdict)
{
    bool certain = true;
    CHAIN("pass", false, RULE(NOTHING, ALWAYS));
    CHAIN("pass", false, RULE(DROPS, NEVER), RULE(OTHER, NEVER), RULE(ACCEPTS, PERHAPS));
    CHAIN("fail", false, RULE(ACCEPTS, NEVER), RULE(DROPS, ALWAYS));
    CHAIN("fail", false, RULE(DROPS, PERHAPS), RULE(DROPS, ALWAYS), RULE(ACCEPTS, ALWAYS));
    CHAIN("unknown", false, RULE(ACCEPTS, PERHAPS), RULE(DROPS, ALWAYS));
    CHAIN("unknown", false, RULE(JUMPS, PERHAPS), RULE(DROPS, ALWAYS));
    CHAIN("unknown", false, RULE(OTHER, ALWAYS));
    CHAIN("unknown", false, RULE(DROPS, PERHAPS));
    CHAIN("unknown", false, RULE(DROPS, PERHAPS), RULE(ACCEPTS, ALWAYS));
    CHAIN("pass", false, RULE(ACCEPTS, ALWAYS), RULE(DROPS, ALWAYS));
    CHAIN("fail", true, RULE(ACCEPTS, NEVER));
    CHAIN("fail", true, RULE(DROPS, PERHAPS));
    cr_expect(strstr(ask().evidence, "over IPv4: policy drop of chain inet t c"));
    cr_expect(strstr(ask().fix, "nft add rule inet t c udp dport 4791 accept; for every boot: "));
    CHAIN("unknown", true, RULE(ACCEPTS, PERHAPS));
    CHAIN("unknown", true, RULE(JUMPS, PERHAPS));
    CHAIN("pass", true, RULE(ACCEPTS, ALWAYS));
    CHAIN("pass", false, RULE(JUMPS, ALWAYS));
    host.system.firewall.jumps_may_drop[0] = true;
    CHAIN("unknown", false, RULE(JUMPS, ALWAYS));
    host.system.firewall.dormant = true;
    CHAIN("unknown", false, RULE(DROPS, ALWAYS));
    certain = false;
    host.system.firewall.dormant = false;
    CHAIN("unknown", false, RULE(DROPS, ALWAYS));
    CHAIN("unknown", true, RULE(NOTHING, ALWAYS));
}

Test(firewall, each_address_is_judged_in_its_family)
{
    load("second-chain");
    expect("IPv4", "fail");
    gids[0] = v6;
    expect("IPv6 alone", "pass");
    gids[1] = v4, port.ngids = 2;
    expect("both", "fail");
    gids[0].raw[0] = 0xfe, gids[0].raw[1] = 0x80, port.ngids = 1;
    load("policy-drop");
    expect("link-local", "unknown");
}

Test(firewall, what_cannot_be_seen_is_no_pass)
{
    static const struct {
        int err;
        const char *verdict;
    } cases[] = { { EPERM, "unknown" },
                  { ENOENT, "unknown" },
                  { EOPNOTSUPP, "pass" },
                  { EINVAL, "pass" },
                  { EPROTONOSUPPORT, "pass" } };
    struct firewall *firewall = &host.system.firewall;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        firewall->err = cases[i].err;
        expect(strerrorname_np(cases[i].err), cases[i].verdict);
    }
    firewall->err = 0;
    expect("no chain", "pass");
    firewall->legacy6 = "filter";
    expect("legacy tables of the other family", "pass");
    firewall->legacy = "filter nat";
    expect("legacy tables", "unknown");
    firewall->legacy = NULL;
    firewall->asked = false;
    expect("not asked", "unknown");
    firewall->asked = true;
    port.ngids = 0;
    expect("no address", "n/a");
    device.driver = "mlx5_core";
    port.ngids = 1;
    expect("hardware", "n/a");
}

Test(firewall, a_reply_cut_short_is_bad)
{
    size_t len = load("policy-drop");
    cr_expect_gt(host.system.firewall.nchains, 0);
    cr_expect_eq(parse(bytes, len - 4), -EBADMSG);
    cr_expect_eq(nft_parse(bytes, NLMSG_HDRLEN - 4, arena, &host.system.firewall), -EBADMSG);
}
