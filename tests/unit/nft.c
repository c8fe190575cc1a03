/* SPDX-License-Identifier: MIT */
/* nftables' rules, as a kernel told them (tests/fuzz/corpus/nft). */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/mem.h"
#include "source/netlink/nft.h"

static struct arena *arena;
static char bytes[4096] __attribute__((aligned(8)));

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(nft, .init = setup, .fini = teardown);

static size_t load(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "tests/fuzz/corpus/nft/%s", name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t len = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return len;
}

/* tcp dport 4791 drop; udp dport 53 drop; udp dport 4791 counter drop */
Test(nft, a_rule_that_drops_the_port_is_found)
{
    const char *rule;
    cr_assert_eq(nft_find_refusal(bytes, load("drop"), 4791, arena, &rule), 0);
    cr_expect_str_eq(rule, "inet filter input handle 4");
    cr_assert_eq(nft_find_refusal(bytes, load("drop"), 53, arena, &rule), 0);
    cr_expect_str_eq(rule, "inet filter input handle 3");
    cr_assert_eq(nft_find_refusal(bytes, load("drop"), 4790, arena, &rule), 0);
    cr_expect_null(rule);
}

/* tcp dport 4791 drop; udp dport 4000-5000 reject */
Test(nft, a_range_counts_up_to_its_ends)
{
    static const struct {
        uint16_t port;
        bool refused;
    } cases[] = { { 3999, false }, { 4000, true }, { 4791, true }, { 5000, true }, { 5001, false } };
    size_t len = load("range");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *rule;
        cr_assert_eq(nft_find_refusal(bytes, len, cases[i].port, arena, &rule), 0);
        cr_expect_eq(rule != NULL, cases[i].refused, "port %u", cases[i].port);
    }
}

/* tcp dport 4791 drop; udp dport 53 drop; udp dport != 4791 drop; udp sport 4791 drop; udp dport 4791 accept
 */
Test(nft, rules_about_other_packets_are_not)
{
    const char *rule;
    cr_assert_eq(nft_find_refusal(bytes, load("other"), 4791, arena, &rule), 0);
    cr_expect_null(rule, "%s", rule);
}

Test(nft, no_rules_refuse_nothing)
{
    const char *rule = "left";
    cr_expect_eq(nft_find_refusal(bytes, 0, 4791, arena, &rule), 0);
    cr_expect_null(rule);
}

Test(nft, a_reply_cut_short_is_bad)
{
    const char *rule;
    cr_expect_eq(nft_find_refusal(bytes, load("other") - 40, 4791, arena, &rule), -EBADMSG);
}
