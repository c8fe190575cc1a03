/* SPDX-License-Identifier: MIT */
#include "command/top/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/say.h"
#include "view/top/json.h"

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
