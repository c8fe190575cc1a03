/* SPDX-License-Identifier: MIT */
/* What no file says: the environment, a trial at locking memory, the kernel log. */
#include "source/files/files.h"

#include <sys/mman.h>

#include "base/clock.h"
#include "source/reader.h"
#include "source/tracing.h"

bool variable_is_ours(const char *name)
{
    static const char *const prefixes[] = { "NCCL_",       "RCCL_",    "UCX_",        "UCC_",
                                            "IBV_",        "RDMAV_",   "MLX5_",       "MV2_IBA",
                                            "I_MPI_OF",    "FI_VERBS", "FI_PROVIDER", "OMPI_MCA_btl",
                                            "OMPI_MCA_pml" };
    for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
        if (text_starts(name, prefixes[i]))
            return true;
    return false;
}

static int fetch_environment(void *data, struct bytes *answer)
{
    (void)data;
    for (char **line = environ; line && *line; line++)
        if (variable_is_ours(*line) && strchr(*line, '=') && !strchr(*line, '\n'))
            bytes_printf(answer, "%s\n", *line);
    return 0;
}

void read_environment(struct reader *reader)
{
    struct system *system = &reader->host->system;
    struct span span;
    if (root_fetch(reader->root, &span, "{variable}\n", "probe/environment", fetch_environment, NULL) < 0)
        return;
    system->environment_known = true;
    for (const char *line = span.data; *line; line = text_next_line(line)) {
        size_t len = strcspn(line, "\n"), name = strcspn(line, "=\n");
        if (name == len)
            continue;
        struct environment *entry = ARENA_PUSH(reader->arena, system->environment, system->nenvironment);
        entry->name = arena_strndup(reader->arena, line, name);
        entry->value = arena_strndup(reader->arena, line + name + 1, len - name - 1);
    }
}

/* More than the usual limits of 64 KiB and 8 MiB. */
enum { MLOCK_TRIAL = 16 << 20 };

static int fetch_mlock(void *data, struct bytes *answer)
{
    (void)data;
    void *memory = mmap(NULL, MLOCK_TRIAL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    /* Without touching the pages: the limit is checked before that (mm/mlock.c, do_mlock), and a container may
     * not have that much to spare. System call filters may not know the newer call. */
    int err = mlock2(memory, MLOCK_TRIAL, MLOCK_ONFAULT) < 0 ? errno : 0;
    if (err == ENOSYS || err == EINVAL || err == EPERM)
        err = mlock(memory, MLOCK_TRIAL) < 0 ? errno : 0;
    munmap(memory, MLOCK_TRIAL);
    bytes_printf(answer, "%d %d\n", MLOCK_TRIAL, err);
    return 0;
}

static void read_mlock(struct reader *reader, struct system *system)
{
    struct span span;
    unsigned long bytes;
    int err;
    if (root_fetch(reader->root, &span, "{numbers}", "probe/mlock", fetch_mlock, NULL) == 0 &&
        sscanf(span.data, "%lu %d", &bytes, &err) == 2)
        system->mlock = (struct mlock_trial){ .tried = true, .bytes = bytes, .err = err };
}

enum { MOST_RECORDS = 65536, MOST_LOG_MS = 300 };

/* A record of /dev/kmsg is "6,339,5140900,-;text\n": level, number, microseconds since boot; lines of
 * properties may follow. EPIPE: records were overwritten meanwhile, but there is a next one. */
int source_log_next(int fd, struct log_record *record)
{
    ssize_t n;
    record->time_us = 0;
    while ((n = read(fd, record->bytes, sizeof(record->bytes) - 1)) < 0 && (errno == EINTR || errno == EPIPE))
        ;
    if (n <= 0)
        return n < 0 && errno != EAGAIN ? -errno : 0;
    record->bytes[n] = '\0';
    char *text = strchr(record->bytes, ';'), *time = strchr(record->bytes, ',');
    time = time ? strchr(time + 1, ',') : NULL;
    if (text && time && time < text)
        record->time_us = strtoull(time + 1, NULL, 10);
    else
        text = record->bytes + n - 1; /* none */
    record->text = text + 1;
    text[1 + strcspn(record->text, "\n")] = '\0';
    return 1;
}

/* It is kept as "[42 s ago] text". */
static void keep_record(const struct log_record *record, struct bytes *answer)
{
    const char *text = record->text;
    uint64_t then = record->time_us / 1000, now = clock_ms();
    const struct log_pattern *pattern = kernel_log_pattern(text);
    if (pattern && !(pattern->weight == LOG_LINK && then < LOG_NICS_START_S * 1000))
        bytes_printf(answer, "[%" PRIu64 " s ago] %s\n", now > then ? (now - then) / 1000 : 0, text);
}

static int fetch_log(void *data, struct bytes *answer)
{
    struct log_record record;
    struct reader *reader = data;
    uint64_t end = clock_ms() + MOST_LOG_MS;
    int fd = root_open_stream(reader->root, "dev/kmsg");
    if (fd < 0)
        return fd;
    int r = 1;
    for (int i = 0; i < MOST_RECORDS && clock_ms() < end && (r = source_log_next(fd, &record)) > 0; i++)
        keep_record(&record, answer);
    close(fd);
    r = r > 0 ? -ETIMEDOUT : r;
    return r == -ETIMEDOUT && answer->len ? 0 : r; /* half a log can show trouble, but not its absence */
}

/* Recordings by other tools have no ages. */
static void add_line(struct reader *reader, struct system *system, const char *line)
{
    char age[20]; /* an age of more digits, or below 0, is none: it would be taken for long past */
    int len = 0;
    struct num known = { 0 };
    if (sscanf(line, "[%19[0-9] s ago] %n", age, &len) == 1 && len) {
        known = num_of(strtoull(age, NULL, 10));
        line += len;
    }
    const struct log_pattern *pattern = kernel_log_pattern(line);
    if (pattern)
        *ARENA_PUSH(reader->arena, system->log_lines,
                    system->nlog_lines) = (struct log_line){ .text = line, .age_s = known, .pattern = pattern };
}

static void read_log(struct reader *reader, struct system *system)
{
    struct span span;
    int r = root_fetch(reader->root, &span, "{log}\n", "probe/kernel-log", fetch_log, reader);
    system->log_err = -r;
    system->log_known = r == 0;
    if (r < 0)
        return;
    for (const char *line = span.data; *line; line = text_next_line(line)) {
        add_line(reader, system, arena_strndup(reader->arena, line, strcspn(line, "\n")));
    }
}

/* A live machine has no stretch behind it. */
static int fetch_kept(void *data, struct bytes *answer)
{
    (void)data, (void)answer;
    return -ENOENT;
}

void read_trace(struct reader *reader)
{
    struct span span;
    int r = root_fetch(reader->root, &span, "{trace}", "probe/trace", fetch_kept, NULL);
    reader->host->trace = r == 0 ? arena_strndup(reader->arena, span.data, span.len) : NULL;
    read_problem(reader, r, "probe/trace");
}

/* In parts, for a recording's files have a size. */
void read_history(struct reader *reader)
{
    struct bytes *history = &reader->host->history;
    struct span span;
    int r = 0;
    for (unsigned part = 0; part < HISTORY_PARTS_MOST && r == 0; part++) {
        char path[HISTORY_PATH_SIZE];
        snprintf(path, sizeof(path), HISTORY_PATH, part);
        r = root_fetch(reader->root, &span, "{history}", path, fetch_kept, NULL);
        if (r == 0)
            bytes_append(history, span.data, span.len);
        read_problem(reader, r, "%s", path);
    }
}

void read_probes(struct reader *reader)
{
    struct system *system = &reader->host->system;
    read_mlock(reader, system);
    read_log(reader, system);
}
