/* SPDX-License-Identifier: MIT */
/* The live machine: its files by descriptor, its nodes, and the few changes. */
#include <dirent.h>
#include <stdalign.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/hash.h"
#include "source/root/backend.h"

enum { FIRST_READ = 4096, PIECE = 64 << 10 };

int root_spend(struct root *root, uint64_t bytes)
{
    if (!root->backend->recorded)
        return 0;
    root->files++;
    root->bytes += bytes;
    root->exhausted |= root->files > ROOT_FILES_MOST || root->bytes > ROOT_BYTES_MOST;
    return root->exhausted ? -EFBIG : 0;
}

static void close_all(int first, int count)
{
#ifdef SYS_close_range
    if (count > 1 && syscall(SYS_close_range, first, first + count - 1, 0) == 0)
        return;
#endif
    for (int i = 0; i < count; i++) /* Linux before 5.9, or a seccomp filter older than the call */
        close(first + i);
}

/* Each new descriptor gets the lowest free number, so they ascend; others that the process has open (a shell's
 * script is 10) may lie in between. */
void root_close_now(struct root *root, int directory)
{
    int first = directory, count = directory >= 0;
    for (int i = 0; i < root->nunclosed; i++) {
        int fd = root->unclosed[i];
        if (count && fd == first + count) {
            count++;
            continue;
        }
        close_all(first, count);
        first = fd;
        count = 1;
    }
    close_all(first, count);
    root->nunclosed = 0;
}

static int open_at(int directory, const char *path, int flags)
{
    int fd = openat(directory, path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int root_open_below(struct root *root, const char *path, int flags)
{
    root_close_now(root, -1);
    return root->backend->recorded ? -EROFS : open_at(root->top.fd, path, flags);
}

int root_open_stream(struct root *root, const char *path)
{
    return root_open_below(root, path, O_RDONLY);
}

int root_peek_file(struct root *root, const char *path, struct bytes *text)
{
    struct stat st;
    int fd = root_open_below(root, path, O_RDONLY);
    if (fd < 0)
        return fd;
    bytes_append(text, "", 0);
    int r = fstat(fd, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? file_read(fd, ROOT_FILE_MOST, text) : -ENOENT;
    close(fd);
    return r;
}

/* A sysfs attribute is complete after the first read; there is more only after a full buffer, or in /proc. */
int root_read_fd(struct root *root, int fd, size_t most, bool may_split, struct span *out)
{
    struct bytes *buffer = &root->buffer;
    size_t used = 0, room;
    ssize_t n;
    int r = 0;
    do {
        if (buffer->size < used + FIRST_READ + 1) {
            buffer->size = used * 2 + FIRST_READ + 1;
            buffer->data = mem_resize(buffer->data, buffer->size, 1);
        }
        room = buffer->size - used - 1;
        n = TEMP_FAILURE_RETRY(read(fd, buffer->data + used, room));
        r = n < 0 ? -errno : used + (size_t)n > most ? -EFBIG : 0;
        used += n > 0 ? (size_t)n : 0;
    } while (r == 0 && n > 0 && (may_split || (size_t)n == room));
    root->unclosed[root->nunclosed++] = fd;
    if (root->nunclosed == ROOT_UNCLOSED_MOST)
        root_close_now(root, -1);
    r = r < 0 ? r : root_spend(root, used);
    buffer->data[r < 0 ? 0 : used] = '\0';
    if (r == 0)
        *out = (struct span){ buffer->data, used };
    return r;
}

/* Devices and netdevs by name and number: a device that comes again under its name has another number. */
static uint64_t devices_there(struct root *root)
{
    static const char *const classes[] = { "sys/class/infiniband", "sys/class/net" };
    alignas(struct dirent64) char entries[8192];
    uint64_t hash = 0;
    ssize_t n;
    for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
        int fd = root_open_below(root, classes[i], O_RDONLY | O_DIRECTORY);
        while (fd >= 0 && (n = getdents64(fd, entries, sizeof(entries))) > 0) {
            const struct dirent64 *entry;
            for (ssize_t at = 0; at < n; at += entry->d_reclen) {
                entry = (const struct dirent64 *)(entries + at);
                hash = seeded_hash(hash ^ entry->d_ino, entry->d_name, strlen(entry->d_name));
            }
        }
        if (fd >= 0)
            close(fd);
    }
    return hash;
}

static void drop_kept(struct root *root)
{
    for (size_t i = 0; root->kept && i < 2 * root->kept_most; i++) {
        if (root->kept[i].path && root->kept[i].fd >= 0)
            close(root->kept[i].fd);
        root->kept[i] = (struct kept_path){ 0 };
    }
    arena_free(root->kept_arena);
    root->kept_arena = NULL;
    root->nkept = 0;
}

size_t root_descriptors(size_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return 0;
    struct rlimit raised = { wanted < limit.rlim_max ? wanted : limit.rlim_max, limit.rlim_max };
    if (limit.rlim_cur < raised.rlim_cur && setrlimit(RLIMIT_NOFILE, &raised) == 0)
        limit = raised;
    return limit.rlim_cur;
}

void root_keep_open(struct root *root, bool keep)
{
    /* the class's link is there a moment before the ports are (ib_register_device of
     * drivers/infiniband/core/device.c) */
    enum { ANEW_MS = 60 * 1000, SETTLE_MS = 2000, KEPT_MOST = 4096 };
    root->keeping = keep && !root->backend->recorded;
    if (!root->keeping)
        return;
    uint64_t devices = devices_there(root), now = clock_ms();
    if (!root->kept) {
        size_t most = root_descriptors(2 * KEPT_MOST) / 2;
        root->kept_most = most < KEPT_MOST ? most : KEPT_MOST;
        root->kept = most ? mem_alloc(2 * root->kept_most, sizeof(*root->kept)) : NULL;
    }
    if (devices == root->kept_devices && now < root->kept_until)
        return;
    drop_kept(root);
    root->kept_arena = arena_new();
    root->kept_until = now + (devices == root->kept_devices ? ANEW_MS : SETTLE_MS);
    root->kept_devices = devices;
}

void root_close_kept(struct root *root)
{
    drop_kept(root);
    free(root->kept);
    root->kept = NULL;
}

static bool is_path(const char *path, const char *above, size_t len, const char *name)
{
    return len == 0 ? strcmp(path, name) == 0
                    : strncmp(path, above, len) == 0 && path[len] == '/' && strcmp(path + len + 1, name) == 0;
}

/* What is known of the path; NULL: nothing is to be kept. Where few descriptors are allowed, few paths are. */
static struct kept_path *find_kept(const struct root_dir *from, const char *name)
{
    struct root *root = from->root;
    if (!root->kept || !root->keeping)
        return NULL;
    size_t size = 2 * root->kept_most, len = strlen(from->path);
    size_t at = (size_t)seeded_hash(from->path_hash, name, strlen(name)) % size;
    while (root->kept[at].path && !is_path(root->kept[at].path, from->path, len, name))
        at = (at + 1) % size;
    struct kept_path *kept = &root->kept[at];
    if (!kept->path && root->nkept == root->kept_most)
        return NULL;
    if (!kept->path) {
        *kept = (struct kept_path){
            .path = arena_printf(root->kept_arena, "%s%s%s", from->path, len ? "/" : "", name), .fd = -1
        };
        kept->is_fixed = text_starts(kept->path, "sys/class/infiniband/");
        root->nkept++;
    }
    return kept;
}

/* Likewise, of what is as it is while a device is there. Netdevs get masters and lose them. */
static struct kept_path *find_fixed(const struct root_dir *from, const char *name)
{
    struct kept_path *kept = find_kept(from, name);
    return kept && kept->is_fixed ? kept : NULL;
}

static int note_missing(struct kept_path *kept, int r)
{
    if (kept && kept->is_fixed && r == -ENOENT)
        kept->missing = r;
    return r;
}

/* False: it has to be opened anew. */
static bool read_kept(struct root *root, struct kept_path *kept, struct span *out)
{
    struct bytes *buffer = &root->buffer;
    if (!kept || kept->fd < 0 || buffer->size <= FIRST_READ)
        return false;
    ssize_t n = TEMP_FAILURE_RETRY(pread(kept->fd, buffer->data, FIRST_READ, 0));
    if (n < 0 || n == FIRST_READ) {
        close(kept->fd);
        kept->fd = -1;
        return false;
    }
    buffer->data[n] = '\0';
    *out = (struct span){ buffer->data, (size_t)n };
    return true;
}

/* Below a directory, which may be known without being open. */
static int open_in(const struct root_dir *from, const char *path, int flags)
{
    if (from->fd >= 0)
        return open_at(from->fd, path, flags);
    char *whole = mem_printf("%s/%s", from->path, path);
    int fd = open_at(from->root->top.fd, whole, flags);
    free(whole);
    return fd;
}

static int read_file(const struct root_dir *from, const char *path, size_t most, struct span *out)
{
    struct root *root = from->root;
    struct kept_path *kept = from == &root->top ? NULL : find_kept(from, path);
    if (kept && kept->missing)
        return kept->missing;
    if (read_kept(root, kept, out))
        return 0;
    int fd = open_in(from, path, O_RDONLY);
    if (fd == -EMFILE && root->nunclosed) { /* too many are waiting to be closed */
        root_close_now(root, -1);
        fd = open_in(from, path, O_RDONLY);
    }
    int r = fd < 0 ? note_missing(kept, fd) : root_read_fd(root, fd, most, text_starts(path, "proc/"), out);
    if (r == 0 && kept && root->nunclosed && root->unclosed[root->nunclosed - 1] == fd)
        kept->fd = root->unclosed[--root->nunclosed];
    if (from == &root->top)
        root_close_now(root, -1);
    return r;
}

static int read_pieces(struct root *root, int fd, char *piece, root_reducer *reduce, void *data)
{
    size_t held = 0, used = 0;
    ssize_t n = 1;
    for (size_t all = 0; used != ROOT_ENOUGH; all += (size_t)n) {
        n = all > ROOT_REDUCED_MOST ? 0 : read(fd, piece + held, PIECE - held);
        if (n <= 0)
            return n < 0 ? -errno : all > ROOT_REDUCED_MOST ? -EFBIG : 0;
        held += (size_t)n;
        used = reduce(data, piece, held, &root->buffer);
        if (used == 0 && held == PIECE)
            used = held; /* a longer line has nothing of interest */
        if (used <= held)
            memmove(piece, piece + used, held -= used);
    }
    return 0;
}

/* Large files of which little is wanted are read in pieces: memory never holds more. */
static int reduce_file(struct root *root, const char *path, root_reducer *reduce, void *data)
{
    struct stat st;
    int fd = root_open_below(root, path, O_RDONLY);
    if (fd < 0)
        return fd;
    char *piece = mem_alloc(1, PIECE);
    int r = fstat(fd, &st) < 0     ? -errno
            : !S_ISREG(st.st_mode) ? -ENOENT
                                   : read_pieces(root, fd, piece, reduce, data);
    close(fd);
    free(piece);
    return r;
}

static int link_of(const struct root_dir *from, const char *path, char *target)
{
    struct kept_path *fixed = find_fixed(from, path);
    if (fixed && fixed->target)
        memcpy(target, fixed->target, strlen(fixed->target) + 1);
    if (fixed && (fixed->target || fixed->missing))
        return fixed->missing;
    char *whole = from->fd >= 0 ? NULL : mem_printf("%s/%s", from->path, path);
    ssize_t n = readlinkat(whole ? from->root->top.fd : from->fd, whole ? whole : path, target, PATH_MAX);
    int r = n < 0 ? -errno : n == PATH_MAX ? -ENAMETOOLONG : 0;
    free(whole);
    if (r < 0)
        return note_missing(fixed, r);
    target[n] = '\0';
    if (fixed)
        fixed->target = arena_strdup(from->root->kept_arena, target);
    return 0;
}

static bool is_there(struct root *root, const char *path, bool as_directory)
{
    struct stat st;
    return fstatat(root->top.fd, path, &st, 0) == 0 && (!as_directory || S_ISDIR(st.st_mode));
}

static int open_directory(const struct root_dir *from, const char *path, struct root_dir *dir)
{
    struct kept_path *fixed = find_fixed(from, path);
    if (fixed && (fixed->missing || fixed->is_directory))
        return fixed->missing; /* it isn't opened until something in it is that isn't known yet */
    root_close_now(from->root, -1);
    dir->fd = open_in(from, path, O_RDONLY | O_DIRECTORY);
    if (dir->fd < 0)
        return note_missing(fixed, dir->fd);
    if (fixed)
        fixed->is_directory = true;
    return 0;
}

/* opendir() would make three more calls for each directory. */
int root_names_of_fd(int fd, struct arena *arena, struct names *names)
{
    alignas(struct dirent64) char entries[8192];
    ssize_t n;
    if (lseek(fd, 0, SEEK_SET) < 0)
        return -errno;
    while ((n = getdents64(fd, entries, sizeof(entries))) > 0) {
        const struct dirent64 *entry;
        for (ssize_t at = 0; at < n; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(entries + at);
            if (entry->d_name[0] != '.')
                *ARENA_PUSH(arena, names->items, names->count) = arena_strdup(arena, entry->d_name);
        }
        if (names->count > ROOT_NAMES_MOST)
            return -EFBIG;
    }
    return n < 0 ? -errno : 0;
}

static void copy_names(const struct names *from, struct arena *arena, struct names *to)
{
    for (size_t i = 0; i < from->count; i++)
        *ARENA_PUSH(arena, to->items, to->count) = arena_strdup(arena, from->items[i]);
}

static int names_of(const struct root_dir *dir, struct arena *arena, struct names *names)
{
    struct kept_path *fixed = find_fixed(&dir->root->top, dir->path);
    if (!fixed || !fixed->has_names) {
        int fd = dir->fd >= 0 ? dir->fd : open_in(&dir->root->top, dir->path, O_RDONLY | O_DIRECTORY);
        int r = fd < 0 ? fd : root_names_of_fd(fd, arena, names);
        if (fd >= 0 && fd != dir->fd)
            close(fd);
        if (r < 0 || !fixed)
            return r;
        copy_names(names, dir->root->kept_arena, &fixed->names);
        fixed->has_names = true;
        return 0;
    }
    copy_names(&fixed->names, arena, names);
    return 0;
}

static int try_node(struct root *root, const char *path)
{
    int fd = root_open_below(root, path, O_RDWR);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

static int fetch_answer(struct root *root, const char *path, root_fetcher *fetch, void *data, struct span *out)
{
    (void)path;
    root->buffer.len = 0;
    bytes_append(&root->buffer, "", 0);
    int r = fetch(data, &root->buffer);
    if (r == 0)
        *out = (struct span){ root->buffer.data, root->buffer.len };
    return r;
}

static int make_directory(struct root *root, const char *path)
{
    return mkdirat(root->top.fd, path, 0755) < 0 ? -errno : 0;
}

static int remove_directory(struct root *root, const char *path)
{
    return unlinkat(root->top.fd, path, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int open_to_write(struct root *root, const char *path)
{
    return root_open_below(root, path, O_WRONLY);
}

const struct root_backend root_live = {
    .read = read_file,
    .reduce = reduce_file,
    .link = link_of,
    .is_there = is_there,
    .open = open_directory,
    .names = names_of,
    .try_node = try_node,
    .fetch = fetch_answer,
    .make_directory = make_directory,
    .remove_directory = remove_directory,
    .open_to_write = open_to_write,
};
