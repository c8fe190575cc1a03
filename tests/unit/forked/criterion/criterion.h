/* SPDX-License-Identifier: MIT */
/* What the unit tests use of Criterion's words (github.com/Snaipe/Criterion), with another runner below them:
 * a test is a fork of this program and not a new process of it, which takes a fraction of the time. For the
 * person at work and for other architectures; the sanitized tests have the original. */
#pragma once

#include <math.h>

/* The first two are read by tests/mutate/mutant.c. */
struct criterion_test {
    const char *name, *category;
    void (*body)(void), (*init)(void), (*fini)(void);
    double timeout; /* seconds; 0: the suite's, or the usual one */
    struct criterion_test *next;
};
extern const struct criterion_test *criterion_current_test;

void criterion_add(struct criterion_test *test);
/* One that isn't so: said with where it stands. */
__attribute__((format(printf, 4, 5))) void criterion_failed(const char *file, int line, const char *what,
                                                            const char *format, ...);
/* Ends the test; its fini runs. */
__attribute__((noreturn)) void criterion_end(void);
/* Ends the test, which counts neither as passing nor as failing. */
__attribute__((noreturn, format(printf, 1, 2))) void criterion_skip(const char *format, ...);
bool criterion_same_text(const char *a, const char *b);
void criterion_redirect(int fd);
/* What came since criterion_redirect() is that. */
bool criterion_is_redirected(int fd, const char *want);

#define CRITERION_ADD(test)                                   \
    __attribute__((constructor)) static void add_##test(void) \
    {                                                         \
        criterion_add(&test);                                 \
    }
#define Test(suite, test, ...)                                  \
    static void test_##suite##_##test(void);                    \
    static struct criterion_test criterion_##suite##_##test = { \
        .category = #suite,                                     \
        .name = #test,                                          \
        .body = test_##suite##_##test,                          \
        ##__VA_ARGS__,                                          \
    };                                                          \
    CRITERION_ADD(criterion_##suite##_##test)                   \
    static void test_##suite##_##test(void)
#define TestSuite(suite, ...)                                \
    static struct criterion_test criterion_suite_##suite = { \
        .category = #suite,                                  \
        ##__VA_ARGS__,                                       \
    };                                                       \
    CRITERION_ADD(criterion_suite_##suite)

#define CRITERION_HOLDS(end, what, condition, ...)                       \
    do {                                                                 \
        if (!(condition)) {                                              \
            criterion_failed(__FILE__, __LINE__, what, " " __VA_ARGS__); \
            end;                                                         \
        }                                                                \
    } while (0)
#define CRITERION_ASSERT(what, condition, ...) CRITERION_HOLDS(criterion_end(), what, condition, __VA_ARGS__)
#define CRITERION_EXPECT(what, condition, ...) CRITERION_HOLDS((void)0, what, condition, __VA_ARGS__)
#define CRITERION_FLOATS(a, b, epsilon) (fabs((double)(a) - (double)(b)) <= (epsilon))

#define cr_assert(a, ...) CRITERION_ASSERT(#a, (a), __VA_ARGS__)
#define cr_assert_not(a, ...) CRITERION_ASSERT("not " #a, !(a), __VA_ARGS__)
#define cr_assert_null(a, ...) CRITERION_ASSERT(#a " == NULL", (a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) CRITERION_ASSERT(#a " != NULL", (a) != NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_ASSERT(#a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...) CRITERION_ASSERT(#a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_ASSERT(#a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_ASSERT(#a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...) CRITERION_ASSERT(#a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_ASSERT(#a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) CRITERION_ASSERT(#a " is " #b, criterion_same_text(a, b), __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) CRITERION_ASSERT(#a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_assert_str_empty(a, ...) CRITERION_ASSERT(#a " is empty", *(a) == '\0', __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) CRITERION_ASSERT(#a " is " #b, memcmp(a, b, size) == 0, __VA_ARGS__)
#define cr_assert_float_eq(a, b, epsilon, ...) \
    CRITERION_ASSERT(#a " == " #b, CRITERION_FLOATS(a, b, epsilon), __VA_ARGS__)
#define cr_assert_fail(...) CRITERION_ASSERT("never", false, __VA_ARGS__)
#define cr_assert_stdout_eq_str(text, ...) \
    CRITERION_ASSERT("stdout is " #text, criterion_is_redirected(1, text), __VA_ARGS__)
#define cr_assert_stderr_eq_str(text, ...) \
    CRITERION_ASSERT("stderr is " #text, criterion_is_redirected(2, text), __VA_ARGS__)
#define cr_expect(a, ...) CRITERION_EXPECT(#a, (a), __VA_ARGS__)
#define cr_expect_not(a, ...) CRITERION_EXPECT("not " #a, !(a), __VA_ARGS__)
#define cr_expect_null(a, ...) CRITERION_EXPECT(#a " == NULL", (a) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...) CRITERION_EXPECT(#a " != NULL", (a) != NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) CRITERION_EXPECT(#a " == " #b, (a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...) CRITERION_EXPECT(#a " != " #b, (a) != (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...) CRITERION_EXPECT(#a " < " #b, (a) < (b), __VA_ARGS__)
#define cr_expect_leq(a, b, ...) CRITERION_EXPECT(#a " <= " #b, (a) <= (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...) CRITERION_EXPECT(#a " > " #b, (a) > (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_EXPECT(#a " >= " #b, (a) >= (b), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) CRITERION_EXPECT(#a " is " #b, criterion_same_text(a, b), __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) CRITERION_EXPECT(#a " is not " #b, strcmp(a, b) != 0, __VA_ARGS__)
#define cr_expect_str_empty(a, ...) CRITERION_EXPECT(#a " is empty", *(a) == '\0', __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) CRITERION_EXPECT(#a " is " #b, memcmp(a, b, size) == 0, __VA_ARGS__)
#define cr_expect_float_eq(a, b, epsilon, ...) \
    CRITERION_EXPECT(#a " == " #b, CRITERION_FLOATS(a, b, epsilon), __VA_ARGS__)
#define cr_expect_fail(...) CRITERION_EXPECT("never", false, __VA_ARGS__)
#define cr_expect_stdout_eq_str(text, ...) \
    CRITERION_EXPECT("stdout is " #text, criterion_is_redirected(1, text), __VA_ARGS__)
#define cr_expect_stderr_eq_str(text, ...) \
    CRITERION_EXPECT("stderr is " #text, criterion_is_redirected(2, text), __VA_ARGS__)
#define cr_skip_test(...) criterion_skip(__VA_ARGS__)
/* Functions, as they serve as a test's init, too. */
static inline void cr_redirect_stdout(void)
{
    criterion_redirect(1);
}
static inline void cr_redirect_stderr(void)
{
    criterion_redirect(2);
}
