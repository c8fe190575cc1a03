/* SPDX-License-Identifier: MIT */
#include "source/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "source/recording/file.h"

struct state {
    char *path, *next; /* the file, and what becomes it */
    int lock;
};

enum { LOCK_TRIES = 50, LOCK_PAUSE_NS = 100000000 /* 5 s together */, OLDEST_S = 24 * 3600 };

static char *with_ending(const char *path, const char *ending)
{
    struct bytes name = { 0 };
    bytes_printf(&name, "%s%s", path, ending);
    return name.data;
}

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

int state_open(const char *path, struct state **out)
{
    char *lock = with_ending(path, ".lock");
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    int r = fd < 0 ? -errno : take_lock(fd);
    free(lock);
    if (r < 0) {
        if (fd >= 0)
            close(fd);
        return r;
    }
    struct state *state = mem_alloc(1, sizeof(*state));
    *state = (struct state){ .path = mem_strdup(path), .next = with_ending(path, ".new"), .lock = fd };
    *out = state;
    return 0;
}

void state_close(struct state *state)
{
    if (!state)
        return;
    close(state->lock); /* and with it the lock */
    free(state->path);
    free(state->next);
    free(state);
}

/* How long ago a file was written; -1: it says nothing of now. */
static int64_t useful_age_ms(const struct stat *st)
{
    struct timespec now, up;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    int64_t age = (int64_t)(now.tv_sec - st->st_mtim.tv_sec) * 1000 +
                  (now.tv_nsec - st->st_mtim.tv_nsec) / 1000000;
    bool useful = age >= 0 && age <= (int64_t)OLDEST_S * 1000 && age / 1000 <= (int64_t)up.tv_sec;
    return useful ? age : -1;
}

int state_before(struct state *state, needs_t needs, struct host **before, uint64_t *age_ms)
{
    struct stat st;
    struct source *source = NULL;
    *before = NULL;
    if (stat(state->path, &st) < 0)
        return errno == ENOENT ? 0 : -errno;
    int64_t age = useful_age_ms(&st);
    if (!S_ISREG(st.st_mode) || age < 0 || source_open_recording(state->path, &source, NULL) < 0)
        return 0;
    int r = host_read(source, needs, before);
    source_close(source);
    *age_ms = (uint64_t)age;
    return r;
}

int state_keep(struct state *state, struct source *source, needs_t needs)
{
    struct bytes text = { 0 };
    struct host *host = NULL;
    source_record_begin(source);
    int r = host_read(source, needs, &host);
    int end = source_record_end(source, false, &text);
    host_free(host);
    r = r < 0 ? r : end;
    if (r == 0) {
        unlink(state->next); /* of a run that was stopped: nobody else has the lock */
        r = recording_save(state->next, &text);
    }
    if (r == 0 && rename(state->next, state->path) < 0)
        r = -errno;
    bytes_free(&text);
    return r;
}
