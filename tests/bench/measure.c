/* SPDX-License-Identifier: MIT */
/* Times commands against each other: runs them in turn, so that whatever else the machine does hits all
 * alike. measure [-f] ROUNDS COMMAND [ARGUMENT]… [:: COMMAND [ARGUMENT]…]… For each command one line: median
 * wall time in microseconds, TAB, peak resident memory in KiB, TAB, median of the processor's time in
 * microseconds. Output of the commands is thrown away; one that fails ends it all with status 1. With -f
 * status 1 is no failure: `roce doctor` found something. One round more is run first, and not counted. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { COMMANDS_MAX = 8, ROUNDS_MAX = 1000 };

struct command {
    char **argv;
    double micros[ROUNDS_MAX], cpu[ROUNDS_MAX];
    long peak; /* KiB */
};

static int worst_status; /* that is no failure */

extern char **environ;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Into the element of a round; -1: into none. */
static void run(struct command *command, const posix_spawn_file_actions_t *actions, long round)
{
    struct rusage usage;
    int status;
    pid_t pid;
    double start = now();
    int r = posix_spawnp(&pid, command->argv[0], actions, NULL, command->argv, environ);

    if (r)
        errx(1, "cannot run '%s': %s", command->argv[0], strerror(r));
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            err(1, "cannot wait for '%s'", command->argv[0]);
    double took = now() - start;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > worst_status)
        errx(1, "'%s' failed", command->argv[0]);
    if (usage.ru_maxrss > command->peak)
        command->peak = usage.ru_maxrss;
    if (round < 0)
        return;
    command->micros[round] = took;
    command->cpu[round] = (seconds(usage.ru_utime) + seconds(usage.ru_stime)) * 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static size_t split(char **argv, struct command *commands)
{
    size_t count = 0;

    while (*argv) {
        if (count == COMMANDS_MAX)
            errx(2, "at most %d commands", COMMANDS_MAX);
        commands[count++].argv = argv;
        while (*argv && strcmp(*argv, "::") != 0)
            argv++;
        if (*argv)
            *argv++ = NULL;
    }
    return count;
}

int main(int argc, char **argv)
{
    static struct command commands[COMMANDS_MAX];
    posix_spawn_file_actions_t actions;
    if (argc > 1 && strcmp(argv[1], "-f") == 0) {
        worst_status = 1;
        argc--;
        argv++;
    }
    long rounds = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

    if (rounds < 1 || rounds > ROUNDS_MAX)
        errx(2, "usage: measure [-f] ROUNDS COMMAND [ARGUMENT]... [:: COMMAND [ARGUMENT]...]...");
    size_t count = split(argv + 2, commands);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    for (long round = -1; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            run(&commands[i], &actions, round);
    for (size_t i = 0; i < count; i++) {
        qsort(commands[i].micros, (size_t)rounds, sizeof(double), compare);
        qsort(commands[i].cpu, (size_t)rounds, sizeof(double), compare);
        printf("%.0f\t%ld\t%.0f\n", commands[i].micros[rounds / 2], commands[i].peak,
               commands[i].cpu[rounds / 2]);
    }
    posix_spawn_file_actions_destroy(&actions);
    return 0;
}
