/* SPDX-License-Identifier: MIT */
/* The last reading of a machine, kept in a file for the next run. */
#include "source/source.h"

#include <sys/file.h>
#include <sys/stat.h>

#include "source/recording/recording.h"

struct state {
    char *path, *next; /* the file, and its replacement */
    int lock;
};

/* A comment in the recording, below its first line: when it was made, by a clock that is never set (the time of
 * day may be an hour off at boot and corrected between two runs), and the boot it counts from. */
#define MADE "# read %" PRIu64 " ms after the start of boot "
enum { BOOT_ID = 36, HEAD = 256 };

enum { LOCK_TRIES = 50, LOCK_PAUSE_NS = 100000000 /* 5 s in total */, OLDEST_S = 24 * 3600 };

static int take_lock(int fd)
{
    for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -errno;
        if (i == LOCK_TRIES)
            return -EAGAIN;
        nanosleep(&(struct timespec){ .tv_nsec = LOCK_PAUSE_NS }, NULL);
    }
    return 0;
}

/* Reads the beginning of a file, NUL-terminated. Returns how many bytes, or -errno. */
static ssize_t read_head(const char *path, char *head, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = fd < 0 ? -1 : read(fd, head, size - 1);
    n = n < 0 ? -errno : n;
    if (fd >= 0)
        close(fd);
    head[n < 0 ? 0 : n] = '\0';
    return n;
}

/* What is no regular file, or holds anything but an earlier state, is somebody else's. */
static int look_at(const char *path)
{
    struct stat st;
    char head[sizeof(RECORDING_FIRST_LINE)];
    if (lstat(path, &st) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISREG(st.st_mode))
        return -EEXIST;
    ssize_t n = read_head(path, head, sizeof(head));
    return n < 0 ? (int)n : n == 0 || strcmp(head, RECORDING_FIRST_LINE) == 0 ? 0 : -EEXIST;
}

int state_open(const char *path, struct state **out)
{
    int strange = look_at(path);
    if (strange < 0)
        return strange;
    char *lock = mem_printf("%s.lock", path);
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    int r = fd < 0 ? -errno : take_lock(fd);
    free(lock);
    if (r < 0) {
        if (fd >= 0)
            close(fd);
        return r;
    }
    struct state *state = mem_alloc(1, sizeof(*state));
    *state = (struct state){ .path = mem_strdup(path), .next = mem_printf("%s.new", path), .lock = fd };
    *out = state;
    return 0;
}

void state_close(struct state *state)
{
    if (!state)
        return;
    close(state->lock); /* which releases the lock */
    free(state->path);
    free(state->next);
    free(state);
}

static uint64_t up_ms(void)
{
    struct timespec up;
    clock_gettime(CLOCK_BOOTTIME, &up);
    return (uint64_t)up.tv_sec * 1000 + (uint64_t)up.tv_nsec / 1000000;
}

/* "5f3c…", NUL-terminated; false if this kernel doesn't say. */
static bool boot_id(char id[static BOOT_ID + 1])
{
    return read_head("/proc/sys/kernel/random/boot_id", id, BOOT_ID + 1) == BOOT_ID;
}

/* How long ago it was made, as it says itself; false if that says nothing about the present. */
static bool useful_age_ms(const char *path, uint64_t *age)
{
    char head[HEAD], id[BOOT_ID + 1], now_id[BOOT_ID + 1];
    uint64_t then, now = up_ms();
    read_head(path, head, sizeof(head));
    const char *line = strchr(head, '\n');
    if (!line || sscanf(line + 1, "# read %" SCNu64 " ms after the start of boot %36s", &then, id) != 2 ||
        !boot_id(now_id) || strcmp(id, now_id) != 0 || then > now)
        return false;
    *age = now - then;
    return *age <= (uint64_t)OLDEST_S * 1000;
}

int state_before(struct state *state, needs_t needs, struct host **before, uint64_t *age_ms)
{
    struct source *source = NULL;
    *before = NULL;
    if (!useful_age_ms(state->path, age_ms) || source_open_recording(state->path, &source, NULL) < 0)
        return 0;
    int r = host_read(source, needs, before);
    source_close(source);
    return r;
}

/* Adds the time it was made to the recording, if the kernel identifies the boot. */
static void put_made(struct bytes *text, uint64_t made)
{
    char id[BOOT_ID + 1];
    const char *end = text->len ? memchr(text->data, '\n', text->len) : NULL;
    if (!end || !boot_id(id))
        return;
    struct bytes whole = { 0 };
    size_t first = (size_t)(end + 1 - text->data);
    bytes_append(&whole, text->data, first);
    bytes_printf(&whole, MADE "%s\n", made, id);
    bytes_append(&whole, text->data + first, text->len - first);
    bytes_free(text);
    *text = whole;
}

int state_keep(struct state *state, struct source *source, needs_t needs)
{
    struct bytes text = { 0 };
    struct host *host = NULL;
    uint64_t made = up_ms();
    source_record_begin(source);
    int r = host_read(source, needs, &host);
    int end = source_record_end(source, false, &text);
    host_free(host);
    r = r < 0 ? r : end;
    if (r == 0) {
        put_made(&text, made);
        unlink(state->next); /* left by a run that was stopped: nobody else has the lock */
        r = recording_save(state->next, &text);
    }
    if (r == 0)
        r = look_at(state->path);
    if (r == 0 && rename(state->next, state->path) < 0)
        r = -errno;
    bytes_free(&text);
    return r;
}
