/* SPDX-License-Identifier: MIT */
/* What the flight recorder kept, as one text of lines that is unpacked as it is read; and from when to when
 * that is. */
#include <fcntl.h>

#include "base/file.h"
#include "base/gzip.h"
#include "history/files.h"

enum { HOUR_MS = 3600 * 1000, MINUTE_MS = 60 * 1000, GZIP_FIRST = 0x1f };

struct stream {
    struct history_files files;
    size_t next;
    int directory;
    struct bytes packed, text; /* a file, and a member of it */
    size_t packed_at, text_at;
};

/* The next member, or all of a file that isn't packed. False at the end. */
static bool next_text(struct stream *stream)
{
    stream->text.len = stream->text_at = 0;
    if (stream->packed_at == stream->packed.len) {
        if (stream->next == stream->files.count)
            return false;
        stream->packed.len = stream->packed_at = 0;
        int fd = openat(stream->directory, stream->files.items[stream->next++].name, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && file_read(fd, HISTORY_FILE_MOST, &stream->packed) < 0)
            stream->packed.len = 0;
        if (fd >= 0)
            close(fd);
    }
    if (stream->packed_at < stream->packed.len &&
        gzip_unpack_next(&stream->packed, &stream->packed_at, HISTORY_MEMBER_MOST, &stream->text) < 0) {
        const char *end = memrchr(stream->text.data ? stream->text.data : "", '\n', stream->text.len);
        stream->text.len = end ? (size_t)(end + 1 - stream->text.data) : 0; /* the last line isn't whole */
    }
    return true;
}

static ssize_t read_stream(void *data, char *buffer, size_t size)
{
    struct stream *stream = data;
    while (stream->text_at == stream->text.len)
        if (!next_text(stream))
            return 0;
    size_t left = stream->text.len - stream->text_at, len = left < size ? left : size;
    memcpy(buffer, stream->text.data + stream->text_at, len);
    stream->text_at += len;
    return (ssize_t)len;
}

static int close_stream(void *data)
{
    struct stream *stream = data;
    if (stream->directory >= 0)
        close(stream->directory);
    free(stream->files.items);
    bytes_free(&stream->packed);
    bytes_free(&stream->text);
    free(stream);
    return 0;
}

static FILE *open_stream(const struct stream *begun)
{
    struct stream *stream = mem_alloc(1, sizeof(*stream));
    *stream = *begun;
    FILE *file = fopencookie(stream, "r",
                             (cookie_io_functions_t){ .read = read_stream, .close = close_stream });
    if (!file)
        close_stream(stream);
    return file;
}

FILE *history_stream(const char *path, uint64_t since_ms)
{
    struct stream stream = { .directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
    if (stream.directory >= 0) {
        stream.files = history_list(stream.directory);
        while (stream.next < stream.files.count &&
               (stream.files.items[stream.next].hour + 1) * HOUR_MS < since_ms)
            stream.next++;
        return open_stream(&stream);
    }
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    int first = file ? fgetc(file) : EOF;
    if (first != EOF)
        ungetc(first, file);
    if (first != GZIP_FIRST)
        return file;
    char piece[1 << 14];
    for (size_t len; stream.packed.len <= HISTORY_FILE_MOST && (len = fread(piece, 1, sizeof(piece), file));)
        bytes_append(&stream.packed, piece, len);
    if (file != stdin)
        fclose(file);
    return open_stream(&stream);
}

int history_copy(const char *path, uint64_t since_ms, uint64_t until_ms, size_t most, struct bytes *out)
{
    FILE *file = history_stream(path, since_ms);
    char *line = NULL;
    size_t size = 0;
    bool wanted = false;
    if (!file)
        return -errno;
    for (ssize_t len; out->len <= most && (len = getline(&line, &size, file)) > 0;) {
        struct frame *whole = NULL;
        struct frame_fault fault;
        if (frame_parse(line, (size_t)len, NULL, &whole, &fault) == 0)
            wanted = whole->time_ms + MINUTE_MS >= since_ms && whole->time_ms <= until_ms;
        frame_free(whole);
        if (wanted)
            bytes_append(out, line, (size_t)len);
    }
    free(line);
    fclose(file);
    return out->len > most ? -EFBIG : 0;
}

int history_note(void *data, const struct frame *frame)
{
    struct history_span *span = data;
    span->first_ms = span->first_ms ? span->first_ms : frame->time_ms;
    span->last_ms = frame->time_ms;
    return span->only_first;
}

struct history_span history_span(const char *path)
{
    struct history_span first = { .only_first = true }, last = { 0 };
    struct history_tally tally = { 0 };
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct history_files files = { 0 };
    if (directory >= 0) {
        files = history_list(directory);
        close(directory);
    }
    uint64_t since = files.count ? files.items[files.count - 1].hour * HOUR_MS : 0;
    (void)history_read(path, 0, UINT64_MAX, history_note, &first, &tally);
    (void)history_read(path, since, UINT64_MAX, history_note, &last, &tally);
    last.first_ms = first.first_ms;
    free(files.items);
    return last;
}
