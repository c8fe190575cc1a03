/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

Test(mem, running_out_is_said_and_ends_with_2)
{
    struct arena *arena = arena_new();
    char said[64] = "";
    int ends[2], status;
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        arena_alloc(arena, SIZE_MAX, 2);
        _exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], said, sizeof(said) - 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    cr_assert(n > 0);
    cr_assert_str_eq(said, "roce: out of memory\n");
    close(ends[0]);
    arena_free(arena);
}
