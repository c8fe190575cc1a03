/* SPDX-License-Identifier: MIT */
/* base/text: numbers, order, distance, and text that is safe to show. */
#include <criterion/criterion.h>
#include <sys/wait.h>

Test(text, numbers)
{
    uint64_t value = 7;
    cr_assert_eq(text_to_u64("42\n", 10, &value), 0);
    cr_assert_eq(value, 42);
    cr_assert_eq(text_to_u64("0xffff", 0, &value), 0);
    cr_assert_eq(value, 0xffff);
    cr_assert_eq(text_to_u64("18446744073709551615", 10, &value), 0);
    cr_assert_eq(value, UINT64_MAX);
    value = 7;
    static const char *const bad[] = { "", " ", "-1", "+1", "1 2", "4a", "N/A (no PMA)", "0x" };
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        cr_assert_eq(text_to_u64(bad[i], 10, &value), -EINVAL, "'%s'", bad[i]);
    cr_assert_eq(text_to_u64("18446744073709551616", 10, &value), -ERANGE);
    cr_assert_eq(value, 7, "a failure leaves the output alone");
}

Test(text, signed_numbers)
{
    int64_t value;
    cr_assert_eq(text_to_i64("-1\n", 10, &value), 0);
    cr_assert_eq(value, -1);
    cr_assert_eq(text_to_i64("--1", 10, &value), -EINVAL);
}

Test(text, version_order)
{
    cr_assert_lt(text_version_compare("mlx5_2", "mlx5_10"), 0);
    cr_assert_gt(text_version_compare("mlx5_10", "mlx5_9"), 0);
    cr_assert_eq(text_version_compare("eth0", "eth0"), 0);
    cr_assert_neq(text_version_compare("eth00", "eth0"), 0, "different names never count as one");
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

/* All words of up to four of these characters: in any pair it's the C library's order. */
Test(text, version_order_is_strverscmps)
{
    static const char letters[] = "a0_19";
    enum { WORDS = 5 * 5 * 5 * 5, LENGTH = 4 };
    static char words[WORDS][LENGTH + 1];
    for (int i = 0; i < WORDS; i++)
        for (int k = 0, left = i; k < LENGTH; k++, left /= 5)
            words[i][k] = k && words[i][k - 1] == '\0' ? '\0'
                          : letters[left % 5] == '_'   ? '\0'
                                                       : letters[left % 5];
    for (int i = 0; i < WORDS; i++)
        for (int k = 0; k < WORDS; k++) {
            int order = strverscmp(words[i], words[k]);
            order = order ? order : strcmp(words[i], words[k]);
            cr_assert_eq(sign(text_version_compare(words[i], words[k])), sign(order), "'%s' and '%s'", words[i],
                         words[k]);
        }
}

Test(text, numbers_of_files)
{
    static const struct {
        const char *text;
        int base, r;
        uint64_t value;
    } rows[] = {
        { "0\n", 10, 0, 0 },
        { "999999999999999999\n", 10, 0, UINT64_C(999999999999999999) },
        { "1000000000000000000\n", 0, 0, UINT64_C(1000000000000000000) },
        { "010\n", 0, 0, 8 },
        { "010\n", 10, 0, 10 },
        { "10\n", 16, 0, 16 },
        { "7 \n", 10, 0, 7 },
        { "7\n8", 10, -EINVAL, 0 },
        { "\n", 10, -EINVAL, 0 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        uint64_t value = 0;
        cr_expect_eq(text_to_u64(rows[i].text, rows[i].base, &value), rows[i].r, "row %zu", i);
        cr_expect_eq(value, rows[i].value, "row %zu", i);
    }
}

Test(text, distance)
{
    cr_assert_eq(text_distance("status", "status"), 0);
    cr_assert_eq(text_distance("stauts", "status"), 1, "neighbours swapped");
    cr_assert_eq(text_distance("gid", "gids"), 1);
    cr_assert_eq(text_distance("", "abc"), 3);
}

static const char *word(size_t i, const void *data)
{
    return ((const char *const *)data)[i];
}

Test(text, names_as_people_write_them)
{
    static const char *const same[][2] = {
        { "pause-frames", "Pause Frames" },  { "LinkUp", "link up" }, { "NCCL_IB_HCA", "nccl-ib-hca" },
        { "symbol_error", "symbol errors" }, { "hangs", "hang" },
    };
    static const char *const different[][2] = {
        { "AC", "ACS" },      { "ab9", "ab:" }, { "rate", "rates2" },
        { "port", "portsx" }, { "link", "" },   { "gid3", "gid3ss" },
    };
    cr_expect(text_is_named("lag, roce lag,bonds", "RoCE-LAG") && text_is_named("lag,bonds", "bond"));
    cr_expect(!text_is_named("lag,bond", "lag,bond") && !text_is_named(NULL, "lag") && !text_is_named("", ""));
    for (size_t i = 0; i < ARRAY_SIZE(same); i++)
        cr_expect(text_is_named(same[i][0], same[i][1]), "'%s' and '%s'", same[i][0], same[i][1]);
    for (size_t i = 0; i < ARRAY_SIZE(different); i++)
        cr_expect(!text_is_named(different[i][0], different[i][1]), "'%s' and '%s'", different[i][0],
                  different[i][1]);
}

Test(text, nearest)
{
    static const char *const words[] = { "status", "devices", "doctor", "counters" };
    cr_assert_str_eq(text_nearest("docter", 4, word, words), "doctor");
    cr_assert_str_eq(text_nearest("dev", 4, word, words), "devices", "a beginning is meant");
    cr_assert_null(text_nearest("zebra", 4, word, words));
    cr_assert_null(text_nearest("anything", 0, word, words));
}

Test(text, clean)
{
    static const struct {
        const char *dirty, *clean;
    } cases[] = {
        { "plain", "plain" },
        { "Zürich ✓", "Zürich ✓" },
        { "\033[31mred", "\\x1b[31mred" },
        { "a\nb\tc", "a\\x0ab\\x09c" },
        { "bad \xff\xfe", "bad \\xff\\xfe" },
        { "overlong \xc0\xaf", "overlong \\xc0\\xaf" },
        { "surrogate \xed\xa0\x80", "surrogate \\xed\\xa0\\x80" },
        { "c1 \xc2\x9b", "c1 \\xc2\\x9b" },
        { "bidi \xe2\x80\xae", "bidi \\xe2\\x80\\xae" },
        { "cut \xe2\x82", "cut \\xe2\\x82" },
        { "too great \xf4\x90\x80\x80", "too great \\xf4\\x90\\x80\\x80" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char *clean = text_clean(cases[i].dirty, TEXT_ONE_LINE);
        cr_assert_str_eq(clean, cases[i].clean);
        cr_assert(text_is_clean(clean));
        free(clean);
    }
    cr_assert_null(text_clean(NULL, TEXT_ONE_LINE));
    struct arena *arena = arena_new();
    cr_expect_str_eq(text_clean_copy(arena, "caf\xc3\xa9", 4), "caf", "no half characters");
    cr_expect_str_eq(text_clean_copy(arena, "caf\xc3\xa9", 5), "caf\xc3\xa9");
    cr_expect_str_eq(text_clean_copy(arena, "a\n", 1023), "a\\x0a", "no more than there is");
    cr_expect_null(text_clean_copy(arena, NULL, 9));
    arena_free(arena);
    char *lines = text_clean("a\n\033b", TEXT_KEEP_NEWLINES);
    cr_assert_str_eq(lines, "a\n\\x1bb");
    free(lines);
}

Test(text, width)
{
    cr_assert_eq(text_width("abc"), 3);
    cr_assert_eq(text_width("Zürich"), 6);
    cr_assert_eq(text_width("機器"), 4, "wide letters are two columns");
    cr_assert_eq(text_width("e\xcc\x81"), 1, "a combining mark is none");
    cr_assert_eq(text_prefix("機器", 3), 3, "half a letter isn't shown");
    cr_assert_eq(text_prefix("abcdef", 4), 4);
}

Test(text, lists)
{
    cr_assert(text_in_list("a,bc,d", "bc"));
    cr_assert_not(text_in_list("a,bcd", "bc"));
    cr_assert(text_ends("mlx5_core", "core"));
    cr_assert_not(text_ends("re", "core"));
}

Test(text, a_word_for_a_shell)
{
    static const struct {
        const char *text, *word;
    } cases[] = {
        { "mlx5_0:1,mlx5_1:1", "mlx5_0:1,mlx5_1:1" },
        { "", "''" },
        { "=mlx5_0", "'=mlx5_0'" }, /* zsh looks for a command behind = */
        { "x$(id)", "'x$(id)'" },
        { "it's", "'it'\\''s'" },
        { "a b", "'a b'" },
        { "esc\033[31m", "$'esc\\x1b[31m'" },
        { "q'\xff\\", "$'q\\'\\xff\\\\'" },
        { "größe", "'größe'" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *word = text_shell(cases[i].text);
        cr_expect_str_eq(word, cases[i].word);
        cr_expect_eq(text_is_shell_word(cases[i].text), strcmp(word, cases[i].text) == 0, "%s", cases[i].text);
        free(word);
    }
}

Test(text, escape_sequences_are_dropped)
{
    static const struct {
        const char *text, *rest;
    } cases[] = {
        { "plain", "plain" },
        { "\033[31mred\033[0m and \033[1;38;5;208mmore\033[K", "red and more" },
        { "\033]0;title\aafter", "after" },
        { "\033]8;;http://x\033\\link\033]8;;\033\\", "link" },
        { "\033(Bx", "Bx" },
        { "unfinished\033[1;2", "unfinished" },
        { "unfinished\033]0;title", "unfinished0;title" }, /* what has no end may be text */
        { "\033", "" },
        { "\033[\nkept", "\nkept" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[64];
        snprintf(text, sizeof(text), "%s", cases[i].text);
        size_t n = text_drop_escapes(text, strlen(text));
        cr_expect(n == strlen(cases[i].rest) && memcmp(text, cases[i].rest, n) == 0, "%zu: '%.*s'", i, (int)n,
                  text);
    }
}

static void want_too_much(struct arena *arena, int how)
{
    if (how == 0)
        arena_alloc(arena, SIZE_MAX, 2);
    else if (how == 1)
        free(mem_resize(NULL, SIZE_MAX / 2 + 2, 2)); /* 2 bytes, if nobody looks */
    else
        free(mem_alloc(SIZE_MAX / 2 + 2, 2));
}

Test(mem, running_out_is_said_and_ends_with_2)
{
    struct arena *arena = arena_new();
    for (int how = 0; how < 3; how++) {
        char said[64] = "";
        int ends[2], status;
        cr_assert_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            want_too_much(arena, how);
            _exit(0);
        }
        close(ends[1]);
        ssize_t n = read(ends[0], said, sizeof(said) - 1);
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d", how);
        cr_assert(n > 0);
        cr_assert_str_eq(said, "roce: out of memory\n");
        close(ends[0]);
    }
    arena_free(arena);
}

Test(mem, an_array_of_many_keeps_what_is_in_it)
{
    struct arena *arena = arena_new();
    struct element {
        size_t number;
        char room[300];
    } *many = NULL, *others = NULL;
    size_t count = 0, nothers = 0;
    for (size_t i = 0; i < 5000; i++) {
        struct element *element = ARENA_PUSH_MANY(arena, many, count);
        for (size_t k = 0; k < sizeof(*element); k++)
            cr_assert_eq(((const char *)element)[k], 0, "a new one is zeroed");
        memset(element, 0xff, sizeof(*element));
        element->number = i;
        if (i % 7 == 0) { /* what else is in the arena stays where it is */
            ARENA_PUSH_MANY(arena, others, nothers)->number = i;
            cr_assert_str_eq(arena_strdup(arena, "between"), "between");
        }
    }
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(many[i].number, i);
    for (size_t i = 0; i < nothers; i++)
        cr_assert_eq(others[i].number, i * 7);
    arena_free(arena);
}

Test(mem, an_array_grows_where_it_is_while_nothing_stands_behind_it)
{
    struct arena *arena = arena_new();
    uint64_t *alone = NULL, *first = NULL, *second = NULL;
    size_t count = 0, nfirst = 0, nsecond = 0;
    *ARENA_PUSH(arena, alone, count) = 0;
    const uint64_t *place = alone;
    for (uint64_t i = 1; i < 100; i++) {
        uint64_t *item = ARENA_PUSH(arena, alone, count);
        cr_assert_eq(*item, 0, "a new one is zeroed");
        *item = i;
    }
    cr_expect_eq(alone, place, "it need not move");
    for (uint64_t i = 0; i < 5000; i++) { /* each stands behind the other in turn, and chunks end */
        *ARENA_PUSH(arena, first, nfirst) = i;
        *ARENA_PUSH(arena, second, nsecond) = ~i;
    }
    for (uint64_t i = 0; i < 100; i++)
        cr_assert_eq(alone[i], i);
    for (uint64_t i = 0; i < 5000; i++)
        cr_assert(first[i] == i && second[i] == ~i);
    arena_free(arena);
}
