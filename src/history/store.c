/* SPDX-License-Identifier: MIT */
/* Writes the flight recorder's files: a member a minute, a file an hour, and no more of them than was asked
 * for. */
#include <sys/file.h>
#include <sys/stat.h>

#include "base/gzip.h"
#include "history/history.h"

enum { MINUTE_MS = 60 * 1000 };

struct history_writer {
    struct history_limits limits;
    int directory, lock, file; /* file: the newest, -1 until there is one */
    char name[HISTORY_NAME_SIZE];
    unsigned long number;
    uint64_t hour;   /* of the newest file */
    uint64_t minute; /* of what was added */
    struct bytes text;
};

static int lock_directory(struct history_writer *writer)
{
    writer->lock = openat(writer->directory, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (writer->lock < 0)
        return -errno;
    return flock(writer->lock, LOCK_EX | LOCK_NB) < 0 ? (errno == EWOULDBLOCK ? -EAGAIN : -errno) : 0;
}

/* A write that a power cut ended has no place before what comes now. */
static int cut_unfinished(int file)
{
    struct bytes packed = { 0 }, text = { 0 };
    size_t at = 0, whole = 0;
    int r = file_read(file, HISTORY_FILE_MOST, &packed);
    while (r == 0 && at < packed.len) {
        text.len = 0;
        if (gzip_unpack_next(&packed, &at, HISTORY_MEMBER_MOST, &text) == 0)
            whole = at;
    }
    if (r == 0 && whole < packed.len && ftruncate(file, (off_t)whole) < 0)
        r = -errno;
    bytes_free(&packed);
    bytes_free(&text);
    return r;
}

static int open_newest(struct history_writer *writer)
{
    struct history_files files = history_list(writer->directory);
    int r = 0;
    if (files.count) {
        const struct history_file *newest = &files.items[files.count - 1];
        writer->number = newest->number;
        writer->hour = newest->hour;
        memcpy(writer->name, newest->name, sizeof(writer->name));
        writer->file = openat(writer->directory, writer->name, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
        r = writer->file < 0 ? -errno : cut_unfinished(writer->file);
    }
    free(files.items);
    return r;
}

/* With the directory above it: /var/lib/roce isn't there either, where nobody has recorded yet. */
static int make_directory(const char *path)
{
    if (mkdir(path, 0755) == 0 || errno == EEXIST)
        return 0;
    const char *name = strrchr(path, '/');
    if (errno != ENOENT || !name || name == path)
        return -errno;
    char *above = mem_printf("%.*s", (int)(name - path), path);
    bool made = mkdir(above, 0755) == 0 && mkdir(path, 0755) == 0;
    free(above);
    return made ? 0 : -errno;
}

int history_open(const char *path, const struct history_limits *limits, struct history_writer **out)
{
    int made = make_directory(path);
    if (made < 0)
        return made;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -errno;
    struct history_writer *writer = mem_alloc(1, sizeof(*writer));
    *writer = (struct history_writer){ .limits = *limits, .directory = directory, .lock = -1, .file = -1 };
    int r = lock_directory(writer);
    r = r < 0 ? r : open_newest(writer);
    if (r < 0)
        history_close(writer);
    else
        *out = writer;
    return r;
}

void history_close(struct history_writer *writer)
{
    if (!writer)
        return;
    if (writer->file >= 0)
        close(writer->file);
    if (writer->lock >= 0)
        close(writer->lock);
    close(writer->directory);
    bytes_free(&writer->text);
    free(writer);
}

bool history_begins(const struct history_writer *writer, uint64_t time_ms)
{
    return !writer->text.len || writer->minute != time_ms / MINUTE_MS;
}

bool history_begins_file(const struct history_writer *writer, uint64_t time_ms)
{
    return writer->file < 0 || writer->hour != time_ms / MINUTE_MS / 60;
}

void history_put(struct history_writer *writer, uint64_t time_ms, const char *line, size_t len)
{
    writer->minute = time_ms / MINUTE_MS;
    bytes_append(&writer->text, line, len);
    bytes_append(&writer->text, "\n", 1);
}

/* The file that the minute belongs to: a new one whenever the hour is another, even an earlier one. */
static int open_file(struct history_writer *writer)
{
    uint64_t hour = writer->minute / 60;
    if (writer->file >= 0 && writer->hour == hour)
        return 0;
    char name[HISTORY_NAME_SIZE];
    history_name(name, writer->number + 1, hour);
    int file = openat(writer->directory, name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0)
        return -errno;
    if (writer->file >= 0)
        close(writer->file);
    writer->file = file;
    writer->hour = hour;
    writer->number++;
    memcpy(writer->name, name, sizeof(name));
    return 0;
}

/* All of it, or nothing: not even an empty file, which gzip calls damaged. */
static int append(struct history_writer *writer, const struct bytes *packed)
{
    struct stat st;
    if (fstat(writer->file, &st) < 0)
        return -errno;
    int r = file_write(writer->file, packed->data, packed->len);
    if (r == 0 && fdatasync(writer->file) < 0)
        r = -errno;
    if (r < 0 && ftruncate(writer->file, st.st_size) < 0)
        return -errno;
    if (r < 0 && st.st_size == 0) {
        unlinkat(writer->directory, writer->name, 0);
        close(writer->file);
        writer->file = -1;
    }
    return r;
}

/* A file that was made after one that is too old is so itself: its clock was ahead. */
static void remove_old(struct history_writer *writer)
{
    struct history_files files = history_list(writer->directory);
    uint64_t now = writer->minute * MINUTE_MS, size = 0;
    size_t gone = 0;
    for (size_t i = 0; i < files.count; i++)
        size += files.items[i].size;
    for (size_t i = 0; i + 1 < files.count; i++)
        if ((files.items[i].hour + 1) * 60 * MINUTE_MS + writer->limits.keep_ms < now)
            gone = i + 1;
    for (size_t i = 0; i + 1 < files.count && (i < gone || size > writer->limits.size); i++) {
        size -= files.items[i].size;
        unlinkat(writer->directory, files.items[i].name, 0);
    }
    free(files.items);
}

int history_flush(struct history_writer *writer)
{
    struct bytes packed = { 0 };
    if (!writer->text.len)
        return 0;
    remove_old(writer); /* also where there is no room left */
    int r = gzip_pack(&writer->text, &packed);
    r = r < 0 ? r : open_file(writer);
    r = r < 0 ? r : append(writer, &packed);
    writer->text.len = 0;
    bytes_free(&packed);
    if (r < 0)
        return r;
    remove_old(writer);
    return 1;
}
