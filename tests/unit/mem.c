/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

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
