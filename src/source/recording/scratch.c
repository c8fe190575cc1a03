/* SPDX-License-Identifier: MIT */
/* Files and directories still being made, removed when the process ends. */
#include "source/recording/recording.h"

#include <dirent.h>
#include <signal.h>
#include <stdalign.h>
#include <sys/syscall.h>

enum scratch_kind { A_FILE, A_DIRECTORY, A_DIRECTORYS_CONTENTS };

struct scratch {
    struct scratch *next;
    enum scratch_kind kind;
    int fd;
    char path[PATH_MAX];
};

/* All there are. Changed only while signals are blocked, so that the handler finds it consistent. */
static struct scratch *volatile scratches;
static pid_t owner; /* a child's exit isn't its parent's */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static sigset_t hold_signals(void)
{
    sigset_t set, before;
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
        sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
    return before;
}

static bool is_dot(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void empty_directory(int fd);

/* Returns 1 if it is gone. */
static bool remove_entry(int fd, const struct dirent64 *entry)
{
    int below = -1;
    if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
        below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0) {
        empty_directory(below);
        close(below);
    }
    /* a directory that can't be opened for lack of descriptors is empty: it couldn't be filled either */
    return unlinkat(fd, entry->d_name, below >= 0 ? AT_REMOVEDIR : 0) == 0 ||
           (below < 0 && unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0);
}

/* Removes everything below fd, following no links. Async-signal-safe, like all that the handler calls. Each
 * pass starts over: continuing to read a changing directory may miss entries. */
static void empty_directory(int fd)
{
    alignas(struct dirent64) char entries[2048];
    for (bool removed = true; removed;) {
        removed = false;
        lseek(fd, 0, SEEK_SET);
        long n = syscall(SYS_getdents64, fd, entries, sizeof(entries));
        const struct dirent64 *entry;
        for (long at = 0; at < n; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(entries + at);
            if (!is_dot(entry->d_name))
                removed |= remove_entry(fd, entry);
        }
    }
}

static void remove_now(const struct scratch *scratch)
{
    if (scratch->kind == A_FILE) {
        unlink(scratch->path);
        return;
    }
    empty_directory(scratch->fd);
    if (scratch->kind == A_DIRECTORY)
        rmdir(scratch->path);
}

static void remove_all(void)
{
    if (owner != getpid())
        return;
    for (const struct scratch *scratch = scratches; scratch; scratch = scratch->next)
        remove_now(scratch);
}

static void on_signal(int number)
{
    remove_all();
    raise(number); /* SA_RESETHAND: once this returns, it has its default effect */
}

/* A signal that is ignored, or already handled by a command, is left alone. */
static void install_once(void)
{
    if (owner == getpid())
        return;
    bool inherited = owner != 0;
    owner = getpid();
    scratches = NULL;
    if (inherited)
        return;
    atexit(remove_all);
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

static void enlist(struct scratch *scratch)
{
    scratch->next = scratches;
    scratches = scratch;
}

static void strike_off(const struct scratch *scratch)
{
    sigset_t before = hold_signals();
    for (struct scratch *volatile *at = &scratches; *at; at = &(*at)->next)
        if (*at == scratch) {
            *at = scratch->next;
            break;
        }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int scratch_file(const char *pattern, struct scratch **out)
{
    struct scratch *scratch = mem_alloc(1, sizeof(*scratch));
    scratch->kind = A_FILE;
    if ((size_t)snprintf(scratch->path, sizeof(scratch->path), "%s", pattern) >= sizeof(scratch->path)) {
        free(scratch);
        return -ENAMETOOLONG;
    }
    install_once();
    sigset_t before = hold_signals();
    scratch->fd = mkostemp(scratch->path, O_CLOEXEC);
    int r = scratch->fd < 0 ? -errno : 0;
    if (r == 0)
        enlist(scratch);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (r < 0)
        free(scratch);
    else
        *out = scratch;
    return r;
}

int scratch_adopt(int fd, const char *path, bool made, struct scratch **out)
{
    struct scratch *scratch = mem_alloc(1, sizeof(*scratch));
    scratch->kind = made ? A_DIRECTORY : A_DIRECTORYS_CONTENTS;
    scratch->fd = fd;
    if ((size_t)snprintf(scratch->path, sizeof(scratch->path), "%s", path) >= sizeof(scratch->path)) {
        free(scratch);
        return -ENAMETOOLONG;
    }
    install_once();
    sigset_t before = hold_signals();
    enlist(scratch);
    sigprocmask(SIG_SETMASK, &before, NULL);
    *out = scratch;
    return 0;
}

const char *scratch_path(const struct scratch *scratch)
{
    return scratch->path;
}

int scratch_fd(const struct scratch *scratch)
{
    return scratch->fd;
}

void scratch_keep(struct scratch *scratch)
{
    strike_off(scratch);
    close(scratch->fd);
    free(scratch);
}

void scratch_remove(struct scratch *scratch)
{
    if (!scratch)
        return;
    remove_now(scratch);
    scratch_keep(scratch);
}
