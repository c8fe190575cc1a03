/* SPDX-License-Identifier: MIT */
/* roce record: saves what roce can read of this machine; unpacks a recording, and packs one. */
#include "command/history.h"
#include "source/recording/recording.h"
#include "source/tracing.h"
#include "view/terminal.h"

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static int say_refused(const char *path, int r)
{
    if (r == -EEXIST)
        return say_unable("'%s' exists; a recording needs the name of a new file", path);
    if (r == -EISDIR)
        return say_unable("'%s' is a directory; a recording is one file", path);
    if (r == -ENXIO)
        return say_unable("nobody reads the FIFO '%s'", path);
    return say_unable("cannot record into '%s': %s", path, say_errno(r));
}

static int save(const char *path, const struct bytes *text)
{
    if (is_stdout(path)) {
        fwrite(text->data, 1, text->len, stdout);
        return 0;
    }
    return recording_save(path, text);
}

static void say_what_was_recorded(const struct host *host, const char *path)
{
    say_note("recorded %zu device%s and %zu netdev%s in '%s'; 'roce --root %s' reads it", host->ndevices,
             host->ndevices == 1 ? "" : "s", host->nnetdevs, host->nnetdevs == 1 ? "" : "s", path,
             is_stdout(path) ? "FILE" : path);
    for (size_t i = 0; i < host->nproblems; i++)
        say_warning("cannot read '%s': %s", host->problems[i].what, say_errno(host->problems[i].err));
}

/* A user who asks for x.tar.gz expects something that FILE isn't. */
static bool is_archive_name(const char *path)
{
    static const char *const ends[] = { ".tar", ".tar.gz", ".tgz", ".xz", ".zst", ".bz2", ".zip" };
    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        if (text_ends(path, ends[i]))
            return true;
    return false;
}

/* What the recorder here has kept of the stretch that the options name; without them nothing. Returns 0, or
 * -errno after saying why not. */
static int take_history(struct context *context, struct bytes *history)
{
    const struct args *args = context->args;
    const char *length = args_value(args, "history");
    struct history_place place;
    struct stretch_meant stretch;
    uint64_t ms = 0;
    int named = stretch_is_named(args);
    if (!length && named <= 0)
        return named;
    if (length && named)
        return say_invalid("--history is up to now: give it, or --around, --since and --until");
    if (source_is_recording(context->source))
        return say_invalid("a recording keeps the history that it holds: --history is of the machine");
    if (length && (duration_meant(length, &ms) < 0 || !ms))
        return say_invalid("--history: '%s' is no length of time; write 2h or 30m", length);
    int r = place_find(context, args_value(args, "directory"), &place);
    r = r < 0 ? r : stretch_of(args, place.now_ms, &stretch);
    if (r < 0)
        return r;
    if (length)
        stretch = (struct stretch_meant){ place.now_ms - (ms < place.now_ms ? ms : place.now_ms),
                                          place.now_ms };
    r = history_copy(place.path, stretch.since_ms, stretch.until_ms, HISTORY_KEPT_MOST, history);
    char span[PLACE_SPAN_SIZE];
    if (r == -EFBIG)
        return say_invalid("the history of so long is more than %d MB: name a shorter time",
                           HISTORY_KEPT_MOST >> 20);
    if (r < 0)
        return place_say_unread(context, &place, r);
    if (!history->len)
        return say_invalid("in '%s' nothing was recorded in that time%s", place.path,
                           place_span_text(&place, span));
    return 0;
}

static int record(struct context *context, const char *path)
{
    struct bytes text = { 0 }, history = { 0 };
    if (is_archive_name(path))
        return say_unable("'%s': a recording is one plain text file, not an archive: give it another name, "
                          "such as 'host17.machine', or 'host17.machine.gz', which gzip packs",
                          path);
    int r = is_stdout(path) ? 0 : recording_check_new(path);
    if (r == 0 && take_history(context, &history) < 0) {
        bytes_free(&history);
        return STATUS_ERROR;
    }
    if (r == 0) {
        source_record_begin(context->source);
        int read = host_read(context->source, NEED_ALL, &context->host);
        source_history_keep(context->source, &history);
        int end = source_record_end(context->source, args_given(context->args, "anonymise"), &text);
        if (read < 0) {
            bytes_free(&text);
            machine_say_unread(NULL, read);
            return STATUS_ERROR;
        }
        r = end;
    }
    if (r == 0)
        r = save(path, &text);
    bytes_free(&text);
    bytes_free(&history);
    progress_end();
    if (r < 0)
        return say_refused(path, r);
    say_what_was_recorded(context->host, path);
    return STATUS_OK;
}

static int unpack(const char *path, const char *dir)
{
    struct recording_fault fault = { 0 };
    struct filetree *tree = NULL;
    int r = recording_load(path, &tree, &fault);
    if (r < 0) {
        machine_say_fault(path, r, &fault);
        return STATUS_ERROR;
    }
    r = recording_unpack_at(tree, dir);
    filetree_free(tree);
    if (r == -EEXIST)
        say_error("'%s' is not empty; a recording is unpacked into a new directory", dir);
    else if (r < 0)
        say_error("cannot unpack into '%s': %s", dir, say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}

static int read_tree(const char *dir, struct filetree **tree)
{
    struct bytes where = { 0 };
    int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int r = fd < 0 ? -errno : recording_pack(fd, tree, &where);
    if (fd >= 0)
        close(fd);
    if (r < 0 && where.len)
        say_error("'%s/%s' cannot be in a recording: %s", dir, where.data, say_errno(r));
    else if (r < 0)
        say_error("cannot open '%s': %s", dir, say_errno(r));
    bytes_free(&where);
    return r;
}

static int pack(const char *dir, const char *path)
{
    struct bytes text = { 0 };
    struct filetree *tree = NULL;
    int r = is_stdout(path) ? 0 : recording_check_new(path);
    if (r < 0)
        return say_refused(path, r);
    if (read_tree(dir, &tree) < 0)
        return STATUS_ERROR;
    recording_write(tree, &text);
    filetree_free(tree);
    r = save(path, &text);
    bytes_free(&text);
    return r < 0 ? say_refused(path, r) : STATUS_OK;
}

COMMAND(record)
{
    const struct args *args = context->args;
    bool packs = args_given(args, "pack"), unpacks = args_given(args, "unpack");
    size_t wanted = packs || unpacks ? 2 : 1;
    if (packs + unpacks + args_given(args, "anonymise") > 1)
        return say_unable("record takes one of --anonymise, --pack and --unpack");
    if ((packs || unpacks) && (args_given(args, "history") || stretch_is_named(args)))
        return say_unable("a history is taken along from this machine: leave it out with --pack and --unpack");
    if (args->noperands != wanted)
        return say_unable(
            packs     ? "record --pack takes a directory and the name of a new file"
            : unpacks ? "record --unpack takes a recording and the name of a new directory"
            : args->noperands
                ? "record takes one file"
                : "record needs the name of a new file, as in 'roce record host17.machine', or '-'");
    if (packs)
        return pack(args->operands[0], args->operands[1]);
    if (unpacks)
        return unpack(args->operands[0], args->operands[1]);
    return record(context, args->operands[0]);
}
