/* SPDX-License-Identifier: MIT */
/* Frames kept in a file, one JSON object per line, and read back. */
#include "command/top/top.h"

#include "model/frame.h"
#include "view/top/top.h"

struct record {
    const char *path;
    FILE *file;
};

static int failed(const char *path, int err)
{
    err = err ? err : EIO;
    say_error("cannot write '%s': %s", path, say_errno(err));
    return -err;
}

int record_open(const char *path, struct record **out)
{
    *out = NULL;
    if (!path)
        return 0;
    FILE *file = fopen(path, "we");
    if (!file)
        return failed(path, errno);
    *out = mem_alloc(1, sizeof(**out));
    **out = (struct record){ .path = path, .file = file };
    return 0;
}

int record_add(struct record *record, const struct frame *frame)
{
    static const struct look all = { .json = true };
    if (!record || frame->seconds <= 0)
        return 0;
    json_t *json = top_json(frame, &all);
    int r = json_dumpf(json, record->file, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(json);
    if (r < 0 || fputc('\n', record->file) == EOF || fflush(record->file) == EOF)
        return failed(record->path, errno);
    return 0;
}

int record_close(struct record *record)
{
    if (!record)
        return 0;
    int r = fclose(record->file) == 0 ? 0 : failed(record->path, errno);
    free(record);
    return r;
}

struct replay {
    const char *path;
    FILE *file;
    struct bytes line;
    size_t number; /* of the line, starting at 1 */
};

int replay_open(const char *path, struct replay **out)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!file) {
        int err = errno;
        say_error("cannot open '%s': %s", path, say_errno(err));
        return -err;
    }
    struct replay *replay = mem_alloc(1, sizeof(*replay));
    *replay = (struct replay){ .path = path, .file = file };
    *out = replay;
    return 0;
}

void replay_close(struct replay *replay)
{
    if (!replay)
        return;
    if (replay->file != stdin)
        fclose(replay->file);
    bytes_free(&replay->line);
    free(replay);
}

/* Returns 1 for a line, 0 at the end, or -errno. Too long a line is cut where that becomes apparent. */
static int read_line(struct replay *replay)
{
    char part[16384];
    replay->line.len = 0;
    replay->number++;
    while (replay->line.len <= FRAME_LINE_MOST && fgets(part, sizeof(part), replay->file)) {
        size_t len = strlen(part);
        bytes_append(&replay->line, part, len);
        if (len && part[len - 1] == '\n')
            return 1;
    }
    if (ferror(replay->file))
        return -(errno ? errno : EIO);
    return replay->line.len > 0;
}

static int refuse(const struct replay *replay, const char *what)
{
    return say_invalid("'%s': line %zu: %s", replay->path, replay->number, what);
}

int replay_next(struct replay *replay, struct frame **frame)
{
    struct frame_fault fault;
    *frame = NULL;
    int r = read_line(replay);
    if (r < 0)
        say_error("cannot read '%s': %s", replay->path, say_errno(r));
    if (r <= 0)
        return r;
    struct frame *next = NULL;
    if (frame_parse(replay->line.data, replay->line.len, &next, &fault) < 0)
        return refuse(replay, fault.what);
    *frame = next;
    return 0;
}
