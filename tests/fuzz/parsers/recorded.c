/* SPDX-License-Identifier: MIT */
/* Recordings of a machine, whole and in parts, and of `roce top`. */
#include "target.h"

#include <dirent.h>
#include <ftw.h>
#include <jansson.h>
#include <sys/stat.h>

#include "base/gzip.h"
#include "history/history.h"
#include "model/frame.h"
#include "model/verbs.h"
#include "source/errors.h"
#include "source/recording/filetree.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "view/top/top.h"

/* The "errors" file of a recording. */

TARGET(errors)
{
    struct filetree *tree = filetree_new();
    size_t bad, first_bad, lines = 1;
    int r = errors_enter(tree, (const char *)data, size, &bad, &first_bad);
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (bad > lines || first_bad > lines || !bad != !first_bad || r > 0)
        abort();
    for (size_t i = 0; i < tree->table_size; i++)
        if (tree->table[i] && (tree->table[i]->err < 0 || !tree->table[i]->parent))
            abort();
    (void)filetree_resolve(tree, "sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/5");
    filetree_free(tree);
    return 0;
}

/* A line of a file that `roce top --replay` shows: read, painted at a few sizes by a few keys, and written
 * again. */

static void paint(struct top_state *state, size_t width, size_t height, bool ascii)
{
    struct grid grid;
    grid_make(&grid, width, height, ascii);
    top_paint(&grid, state);
    for (size_t y = 0; y < height; y++) {
        size_t used = 0;
        for (size_t x = 0; x < width; x++) {
            const char *text = grid.cells[y * width + x].text;
            used += text_width(text);
            if (!text_is_clean(text) || used > width)
                abort();
        }
    }
    grid_free(&grid);
}

/* What was read is what is written, as far as a frame goes. */
static void write_again(struct frame *frame)
{
    static const struct look all = { .json = true };
    struct frame *again = NULL;
    struct frame_fault fault;
    json_t *json = top_json(frame, &all);
    char *text = json_dumps(json, JSON_COMPACT);
    if (frame_parse(text, strlen(text), frame, &again, &fault) < 0 || again->nports != frame->nports ||
        again->nusers != (frame->users_known ? frame->nusers : 0) || again->nevents != frame->nevents)
        abort();
    frame_free(again);
    free(text);
    json_decref(json);
}

TARGET(frame)
{
    static const int keys[] = { 'j', '\n', '>', 'u', '?', '/', 'x', 27, 'r', 'G' };
    struct frame *frame = NULL;
    struct frame_fault fault;
    if (frame_parse((const char *)data, size, NULL, &frame, &fault) < 0)
        return text_is_clean(fault.what) ? 0 : (abort(), 0);
    write_again(frame);
    struct top_state state;
    top_state_make(&state, NULL, "-retransmissions");
    top_state_take(&state, frame);
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        top_state_key(&state, keys[i]);
        paint(&state, 20 + 30 * (i % 5), 4 + 7 * i, i % 2);
    }
    top_state_free(&state);
    return 0;
}

static int tell(void *data, const struct frame *frame)
{
    struct timeline *timeline = data;
    struct source *source = NULL;
    if (frame->readings && frame->readings_base &&
        source_open_reading(frame->readings_base, frame->readings, &source) == 0)
        source_close(source);
    return timeline_take(timeline, frame);
}

/* The flight recorder's files: whatever they hold, a timeline is in the order of time. */
TARGET(history)
{
    struct bytes packed = { 0 };
    struct history_tally tally = { 0 };
    struct timeline *timeline = timeline_new(0);
    size_t count;
    bytes_append(&packed, data, size);
    int r = history_parse(&packed, 0, UINT64_MAX, tell, timeline, &tally);
    const struct moment *moments = timeline_moments(timeline, &count);
    if ((r < 0 || tally.damaged) && !text_is_clean(tally.fault.what))
        abort();
    for (size_t i = 0; i < count; i++)
        if (i && moments[i].begin_ms < moments[i - 1].begin_ms)
            abort();
    timeline_free(timeline);
    bytes_free(&packed);
    return 0;
}

/* A recording: what is understood is written and understood again as the same, and unpacked and packed as the
 * same, while nothing beside the directory that it is unpacked into changes. */

/* Above the first two it is only understood, above the others not unpacked: a range is quickly too long for a
 * fuzzer. */
enum { MOST_WRITTEN = 5000, MOST_WRITTEN_ROOM = 32 << 20, MOST_ENTRIES = 300, MOST_ROOM = 4 << 20 };

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void write_canary(int top)
{
    int fd = openat(top, "canary", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || write(fd, "alive\n", 6) != 6)
        abort();
    close(fd);
}

/* The canary, and the directory that was unpacked into: nothing else, nothing more in it. */
static void look_after_canary(int top)
{
    char text[16];
    int fd = openat(top, "canary", O_RDONLY | O_NOFOLLOW), entries = 0;
    if (fd < 0 || read(fd, text, sizeof(text)) != 6 || memcmp(text, "alive\n", 6) != 0)
        abort();
    close(fd);
    DIR *dir = fdopendir(openat(top, ".", O_RDONLY | O_DIRECTORY));
    while (dir && readdir(dir))
        entries++;
    closedir(dir);
    if (entries != 4)
        abort();
}

static void expect_text(const struct filetree *tree, const struct bytes *expected)
{
    struct bytes text = { 0 };
    recording_write(tree, &text);
    if (text.len != expected->len || memcmp(text.data, expected->data, text.len) != 0)
        abort();
    bytes_free(&text);
}

static void unpack_and_pack(const struct filetree *tree, const struct bytes *text)
{
    char path[] = "/dev/shm/roce-fuzz-XXXXXX";
    struct bytes where = { 0 };
    struct filetree *again = NULL;
    int top = mkdtemp(path) ? open(path, O_PATH | O_DIRECTORY) : -1;
    if (top < 0 || mkdirat(top, "tree", 0700) < 0)
        abort();
    write_canary(top);
    int fd = openat(top, "tree", O_PATH | O_DIRECTORY);
    if (recording_unpack(tree, fd) < 0 || recording_pack(fd, &again, &where) < 0)
        abort();
    look_after_canary(top);
    expect_text(again, text);
    filetree_free(again);
    bytes_free(&where);
    close(fd);
    close(top);
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

enum { MOST_UNPACKED = 1 << 16 };

TARGET(recording)
{
    struct recording_fault fault = { 0 };
    struct filetree *tree = NULL, *again = NULL;
    struct bytes input = { 0 }, text = { 0 };
    bytes_append(&input, data, size);
    if (gzip_is(&input)) {
        struct bytes packed = input;
        input = (struct bytes){ 0 };
        gzip_unpack(&packed, MOST_UNPACKED, &input);
        bytes_free(&packed);
    }
    bytes_append(&input, "", 0);
    mail_undo(&input);
    if (recording_parse(input.data, input.len, &tree, &fault) < 0) {
        if (!fault.what[0])
            abort();
        bytes_free(&input);
        return 0;
    }
    if (tree->entries > MOST_WRITTEN || tree->room > MOST_WRITTEN_ROOM) {
        filetree_free(tree);
        bytes_free(&input);
        return 0;
    }
    recording_write(tree, &text);
    if (recording_parse(text.data, text.len, &again, &fault) < 0)
        abort();
    expect_text(again, &text);
    if (tree->entries < MOST_ENTRIES && tree->room < MOST_ROOM)
        unpack_and_pack(tree, &text);
    filetree_free(tree);
    filetree_free(again);
    bytes_free(&input);
    bytes_free(&text);
    return 0;
}

/* A whole recording: the input says which files and links it has, in lines PATH=TEXT and PATH>TARGET; the
 * tree is made in memory (a directory below /dev/shm) and read with everything that needs no back end but
 * files. */

enum { MOST_LINES = 64, MOST_PATH = 200 };

/* Only below top: no "..", no empty component. */
static int is_safe(const char *path)
{
    return path[0] && path[0] != '/' && !strstr(path, "..") && !strstr(path, "//");
}

static void make_parents(const char *top, char *path)
{
    char full[400];
    for (char *slash = path; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        snprintf(full, sizeof(full), "%s/%s", top, path);
        (void)mkdir(full, 0700);
    }
}

static void make_entry(const char *top, char *line, size_t len)
{
    char *split = memchr(line, '=', len), *target = memchr(line, '>', len), full[400];
    char *at = split && (!target || split < target) ? split : target;
    if (!at || at - line >= MOST_PATH)
        return;
    char kind = *at;
    *at = '\0';
    if (!is_safe(line))
        return;
    make_parents(top, line);
    snprintf(full, sizeof(full), "%s/%s", top, line);
    size_t rest = len - (size_t)(at + 1 - line);
    if (kind == '>') {
        char to[256];
        snprintf(to, sizeof(to), "%.*s", (int)(rest < 250 ? rest : 250), at + 1);
        (void)!symlink(to, full);
        return;
    }
    int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    (void)!write(fd, at + 1, rest);
    (void)!write(fd, "\n", 1);
    close(fd);
}

TARGET(tree)
{
    char top[] = "/dev/shm/roce-fuzz-XXXXXX";
    if (!mkdtemp(top))
        abort();
    char *copy = mem_alloc(size + 1, 1), *sys = NULL;
    memcpy(copy, data, size);
    if (asprintf(&sys, "%s/sys", top) > 0)
        (void)mkdir(sys, 0700);
    free(sys);
    char *line = copy;
    for (int i = 0; i < MOST_LINES && line < copy + size; i++) {
        char *end = memchr(line, '\n', (size_t)(copy + size - line));
        size_t len = end ? (size_t)(end - line) : (size_t)(copy + size - line);
        make_entry(top, line, len);
        line += len + 1;
    }
    struct source *source = NULL;
    struct host *host = NULL;
    if (source_open_recording(top, &source, NULL) == 0 && host_read(source, NEED_ALL, &host) == 0)
        host_free(host);
    source_close(source);
    free(copy);
    nftw(top, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}

/* Recorded verbs attributes: any bytes. What is understood is written, read and written again to the same. */

TARGET(verbs_json)
{
    struct arena *arena = arena_new();
    struct verbs_device *device, *again;
    if (verbs_decode((const char *)data, size, arena, &device) == 0) {
        struct bytes first = { 0 }, second = { 0 };
        verbs_encode(device, &first);
        if (verbs_decode(first.data, first.len, arena, &again) < 0)
            abort();
        verbs_encode(again, &second);
        if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
            abort();
        bytes_free(&first);
        bytes_free(&second);
    }
    arena_free(arena);
    return 0;
}
