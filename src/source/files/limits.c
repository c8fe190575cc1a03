/* SPDX-License-Identifier: MIT */
/* How much memory may be locked: by this process, and by what the daemons start that run jobs and containers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/daemons.h"
#include "source/files/probe.h"
#include "source/reader.h"

static struct num limit_of(const char *word)
{
    uint64_t value;
    char *end = NULL;
    if (text_starts(word, "unlimited"))
        return num_of(UINT64_MAX);
    value = strtoull(word, &end, 10);
    return end == word ? (struct num){ 0 } : num_of(value);
}

/* "Max locked memory         8388608              8388608              bytes     " (fs/proc/base.c) */
void take_limits(const char *text, struct num *soft, struct num *hard)
{
    static const char key[] = "Max locked memory";
    const char *line = text ? strstr(text, key) : NULL;
    if (!line)
        return;
    line += strlen(key);
    line += strspn(line, " \t");
    *soft = limit_of(line);
    line += strcspn(line, " \t\n");
    line += strspn(line, " \t");
    *hard = limit_of(line);
}

/* The process of that program among those of a control group; 0: none. */
static uint64_t find_process(struct reader *reader, const char *processes, const char *program)
{
    enum { MOST = 4096 }; /* a shim a container stands there, too */
    uint64_t found = 0;
    const char *at = processes;
    for (int i = 0; i < MOST && *at && !found; i++, at += strcspn(at, "\n"), at += *at == '\n') {
        char path[64];
        struct bytes comm = { 0 };
        uint64_t pid = strtoull(at, NULL, 10);
        snprintf(path, sizeof(path), "proc/%" PRIu64 "/comm", pid);
        if (read_unrecorded(reader, path, &comm) && strcspn(comm.data, "\n") == strlen(program) &&
            text_starts(comm.data, program))
            found = pid;
        bytes_free(&comm);
    }
    return found;
}

static int fetch_daemons(void *data, struct bytes *answer)
{
    /* version 2, version 1, both */
    static const char *const hierarchies[] = { "sys/fs/cgroup", "sys/fs/cgroup/systemd",
                                               "sys/fs/cgroup/unified" };
    struct reader *reader = data;
    bytes_append(answer, "", 0);
    for (const struct daemon_def *def = daemon_defs; def->program; def++) {
        uint64_t pid = 0;
        for (size_t i = 0; i < ARRAY_SIZE(hierarchies) && !pid; i++) {
            char path[128];
            struct bytes processes = { 0 };
            snprintf(path, sizeof(path), "%s/system.slice/%s/cgroup.procs", hierarchies[i], def->unit);
            if (read_unrecorded(reader, path, &processes))
                pid = find_process(reader, processes.data, def->program);
            bytes_free(&processes);
        }
        if (pid)
            bytes_printf(answer, "%s %" PRIu64 " %s\n", def->program, pid, def->unit);
    }
    return 0;
}

static void read_daemons(struct reader *reader, struct system *system)
{
    struct span span;
    if (root_fetch(reader->root, &span, "probe/daemons", fetch_daemons, reader) < 0)
        return;
    system->daemons_known = true;
    const char *text = arena_strndup(reader->arena, span.data, span.len); /* the next file takes its place */
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct daemon daemon;
        if (!daemon_parse(line, strcspn(line, "\n"), &daemon))
            continue;
        if (daemon_role(&daemon) != DAEMON_INTERRUPTS)
            take_limits(read_text(reader, "proc/%" PRIu64 "/limits", daemon.pid), &daemon.memlock_soft,
                        &daemon.memlock_hard);
        *ARENA_PUSH(reader->arena, system->daemons, system->ndaemons) = daemon;
    }
}

/* "CmaFree:          940604 kB" */
static struct num read_amount(const char *meminfo, const char *key)
{
    const char *line = meminfo ? strstr(meminfo, key) : NULL;
    char *end = NULL;
    uint64_t value = line ? strtoull(line + strlen(key), &end, 10) : 0;
    return num_if(line && end != line + strlen(key), value);
}

void read_limits(struct reader *reader)
{
    struct system *system = &reader->host->system;
    take_limits(read_text(reader, "proc/self/limits"), &system->memlock_soft, &system->memlock_hard);
    read_daemons(reader, system);
    const char *meminfo = read_text(reader, "proc/meminfo");
    system->cma_total = read_amount(meminfo, "CmaTotal:");
    system->cma_free = read_amount(meminfo, "CmaFree:");
}
