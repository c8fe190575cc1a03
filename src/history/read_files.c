/* SPDX-License-Identifier: MIT */
/* Reads the flight recorder's files, of which some part may be damaged: frame by frame, or as one text that is
 * unpacked as it is read. */
#include <dirent.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/gzip.h"
#include "history/history.h"

enum { MINUTE_MS = 60 * 1000, HOUR_MS = 60 * MINUTE_MS, GZIP_FIRST = 0x1f };

void history_name(char name[static HISTORY_NAME_SIZE], unsigned long number, uint64_t hour)
{
    time_t seconds = (time_t)(hour * 3600);
    struct tm tm;
    char text[CLOCK_TM_SIZE] = "";
    if (gmtime_r(&seconds, &tm))
        clock_tm_text(&tm, text);
    snprintf(name, HISTORY_NAME_SIZE, "%06lu-%.*s.jsonl.gz", number % 1000000000, CLOCK_DAY_AT + 2, text);
}

/* Is it a name of ours? */
static bool parse_name(const char *name, struct history_file *file)
{
    struct tm tm = { 0 };
    int len = 0;
    char own[HISTORY_NAME_SIZE];
    if (sscanf(name, "%9lu-%n", &file->number, &len) != 1 || !len)
        return false;
    const char *end = clock_scan(name + len, "Y-m-dTH", &tm);
    if (!end || strcmp(end, ".jsonl.gz") != 0 || tm.tm_year < 70)
        return false;
    file->hour = (uint64_t)timegm(&tm) / 3600;
    history_name(own, file->number, file->hour);
    memcpy(file->name, own, sizeof(own));
    return strcmp(own, name) == 0;
}

static int by_number(const void *left, const void *right)
{
    const struct history_file *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct history_files history_list(int directory)
{
    struct history_files files = { 0 };
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        struct history_file file = { 0 };
        struct stat st;
        if (!parse_name(entry->d_name, &file) || fstatat(directory, file.name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(st.st_mode))
            continue;
        file.size = (uint64_t)st.st_size;
        files.items = mem_resize(files.items, files.count + 1, sizeof(file));
        files.items[files.count++] = file;
    }
    if (dir)
        closedir(dir);
    if (files.count)
        qsort(files.items, files.count, sizeof(*files.items), by_number);
    return files;
}

/* What is being read. */
struct reading {
    uint64_t since_ms, until_ms, last_ms;
    history_seen *seen;
    void *data;
    struct history_tally *tally;
    struct frame *before; /* of the member; NULL: none yet */
    size_t rows;
    char *base; /* of the file: its last readings that are whole; NULL: none yet */
};

static void note_damage(struct reading *reading, const char *what)
{
    struct history_tally *tally = reading->tally;
    if (tally->damaged++ == 0) {
        tally->damaged_ms = reading->last_ms;
        snprintf(tally->fault.what, sizeof(tally->fault.what), "%s", what);
    }
}

static int take_line(struct reading *reading, const char *line, size_t len)
{
    struct frame *frame = NULL;
    struct frame_fault fault;
    int r = frame_parse(line, len, reading->before, &frame, &fault);
    if (r == -ENOTSUP)
        reading->tally->fault = fault;
    else if (r < 0)
        note_damage(reading, fault.what);
    if (r < 0)
        return r == -ENOTSUP ? r : 0;
    frame_free(reading->before);
    reading->before = frame;
    frame->gives = true;
    reading->last_ms = frame->time_ms;
    reading->rows += frame->nports + frame->nusers;
    if (reading->rows > HISTORY_ROWS_MOST) {
        snprintf(reading->tally->fault.what, sizeof(fault.what),
                 "it tells of more than %d ports and processes in all: name a shorter time (--since, --until)",
                 HISTORY_ROWS_MOST);
        return -ENOTSUP;
    }
    if (frame->readings && !frame->readings_changed) {
        free(reading->base);
        reading->base = mem_strdup(frame->readings);
    }
    frame->readings_base = reading->base;
    if (frame->time_ms < reading->since_ms || frame->time_ms > reading->until_ms)
        return 0;
    reading->tally->frames++;
    return reading->seen(reading->data, frame);
}

/* Is all of it earlier? By the last time in it, as somebody may have packed an hour as one member. */
static bool is_before(const struct reading *reading, const struct bytes *text)
{
    static const char key[] = "\"time\":\"";
    char time[CLOCK_TEXT_SIZE];
    uint64_t ms;
    const char *last = NULL, *at = text->data, *end = text->data + text->len;
    while ((at = memmem(at, (size_t)(end - at), key, sizeof(key) - 1)))
        last = at += sizeof(key) - 1;
    const char *quote = last ? memchr(last, '"', (size_t)(end - last)) : NULL;
    snprintf(time, sizeof(time), "%.*s", quote ? (int)(quote - last) : 0, quote ? last : "");
    return clock_utc_parse(time, &ms) == 0 && ms + MINUTE_MS < reading->since_ms;
}

static size_t first_line_len(const struct bytes *text)
{
    const char *end = memchr(text->data, '\n', text->len);
    return end ? (size_t)(end + 1 - text->data) : text->len;
}

/* The last line of a member that is cut short isn't whole. */
static int take_lines(struct reading *reading, const struct bytes *text, bool whole)
{
    int r = 0;
    for (size_t at = 0; at < text->len && r == 0;) {
        const char *line = text->data + at, *end = memchr(line, '\n', text->len - at);
        size_t len = end ? (size_t)(end - line) : text->len - at;
        if (end || whole)
            r = take_line(reading, line, len);
        at += len + 1;
    }
    return r;
}

static int take_members(struct reading *reading, const struct bytes *packed)
{
    struct bytes text = { 0 };
    int r = 0;
    for (size_t at = 0; at < packed->len && r == 0;) {
        text.len = 0;
        int damage = gzip_unpack_next(packed, &at, HISTORY_MEMBER_MOST, &text);
        frame_free(reading->before);
        reading->before = NULL;
        if (damage == 0 && text.len && is_before(reading, &text))
            text.len = first_line_len(&text); /* on whose readings others build */
        r = take_lines(reading, &text, damage == 0);
        if (damage < 0)
            note_damage(reading, "what gzip packed is damaged, or its end is missing");
    }
    bytes_free(&text);
    return r;
}

static int take_text(struct reading *reading, const struct bytes *text)
{
    int r = !text->len ? 0 : gzip_is(text) ? take_members(reading, text) : take_lines(reading, text, true);
    frame_free(reading->before);
    free(reading->base);
    reading->before = NULL;
    reading->base = NULL;
    return r;
}

int history_parse(const struct bytes *packed, uint64_t since_ms, uint64_t until_ms, history_seen *seen,
                  void *data, struct history_tally *tally)
{
    struct reading reading = {
        .since_ms = since_ms, .until_ms = until_ms, .seen = seen, .data = data, .tally = tally
    };
    return take_text(&reading, packed);
}

static int take_file(struct reading *reading, int directory, const char *name)
{
    struct bytes packed = { 0 };
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int r = file < 0 ? -errno : file_read(file, HISTORY_FILE_MOST, &packed);
    if (file >= 0)
        close(file);
    reading->tally->files += r == 0;
    r = r < 0 ? r : take_text(reading, &packed);
    bytes_free(&packed);
    return r;
}

int history_read(const char *path, uint64_t since_ms, uint64_t until_ms, history_seen *seen, void *data,
                 struct history_tally *tally)
{
    struct reading reading = {
        .since_ms = since_ms, .until_ms = until_ms, .seen = seen, .data = data, .tally = tally
    };
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
    if (directory < 0)
        return errno == ENOTDIR ? take_file(&reading, AT_FDCWD, path) : -errno;
    struct history_files files = history_list(directory);
    for (size_t i = 0; i < files.count && r == 0; i++) {
        uint64_t begin = files.items[i].hour * HOUR_MS;
        if (begin <= until_ms && begin + HOUR_MS >= since_ms)
            r = take_file(&reading, directory, files.items[i].name);
        if (r == -ENOENT) /* it was the oldest, and is gone */
            r = 0;
    }
    free(files.items);
    close(directory);
    return r;
}

/* -- as one text ------------------------------------------------------------------------------------------- */

struct stream {
    struct history_files files;
    size_t next;
    int directory;
    struct bytes packed, text; /* a file, and a member of it */
    size_t packed_at, left;
    const char *at; /* what is read next, with left bytes: of text, or somebody else's */
};

/* The next member, or all of a file that isn't packed. False at the end. */
static bool next_text(struct stream *stream)
{
    stream->text.len = 0;
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
    stream->at = stream->text.data;
    stream->left = stream->text.len;
    return true;
}

static ssize_t read_stream(void *data, char *buffer, size_t size)
{
    struct stream *stream = data;
    while (!stream->left)
        if (!next_text(stream))
            return 0;
    size_t len = stream->left < size ? stream->left : size;
    memcpy(buffer, stream->at, len);
    stream->at += len;
    stream->left -= len;
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

FILE *history_stream_of(const struct bytes *text)
{
    return open_stream(&(struct stream){ .directory = -1, .at = text->data, .left = text->len });
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
