/* SPDX-License-Identifier: MIT */
/* How the parts of source/ read a file, a link or a list, with one definition of absent. */
#include "source/reader.h"

void read_problem(struct reader *reader, int err, const char *format, ...)
{
    char path[PATH_MAX];
    int r;
    if (err == 0 || root_absent(err))
        return;
    ROOT_PATH(r, path, format);
    (void)r; /* even truncated, it identifies the file */
    host_problem(reader->host, err < 0 ? -err : err, NULL, "%s", path);
}

static const char *keep_text(struct reader *reader, struct span span)
{
    size_t len = strlen(span.data); /* a NUL inside ends it: sysfs text has none */
    while (len && (span.data[len - 1] == '\n' || span.data[len - 1] == ' '))
        len--;
    return arena_strndup(reader->arena, span.data, len);
}

/* Parses the number in the file dir/name, or in dir itself if name is empty. */
static struct num number(struct reader *reader, struct span span, int base, const char *dir, const char *name)
{
    uint64_t value;
    if (text_to_u64(span.data, base, &value) == 0)
        return num_of(value);
    if (text_starts(span.data, "N/A")) /* bonding's answer for LACP values in other modes */
        return (struct num){ 0 };
    if (span.data[strspn(span.data, " \n")] != '\0' && *span.data != '-')
        host_problem(reader->host, EBADMSG, "it should hold a number", "%s%s%s", dir, *name ? "/" : "", name);
    return (struct num){ 0 };
}

/* Reads the file at the formatted path, which it stores in path. Notes failures. */
static int read_file(struct reader *reader, char path[static PATH_MAX], struct span *span, const char *form,
                     const char *format, va_list args)
{
    int r = root_path(path, format, args);
    if (r == 0)
        r = root_read(reader->root, span, form, "%s", path);
    if (r < 0)
        read_problem(reader, r, "%s", path);
    return r;
}

/* With the arguments after format. */
#define READ_FILE(result, reader, path, span, form, format)                   \
    do {                                                                      \
        va_list args;                                                         \
        va_start(args, format);                                               \
        (result) = read_file((reader), (path), (span), (form), format, args); \
        va_end(args);                                                         \
    } while (0)

const char *read_text(struct reader *reader, const char *form, const char *format, ...)
{
    char path[PATH_MAX];
    struct span span;
    int r;
    READ_FILE(r, reader, path, &span, form, format);
    return r < 0 ? NULL : keep_text(reader, span);
}

struct num read_num(struct reader *reader, int base, const char *format, ...)
{
    char path[PATH_MAX];
    struct span span;
    int r;
    READ_FILE(r, reader, path, &span, FORM_NUMBER, format);
    return r < 0 ? (struct num){ 0 } : number(reader, span, base, path, "");
}

const char *link_name(struct arena *arena, const char *target)
{
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? arena_strdup(arena, name) : NULL;
}

const char *read_link_name(struct reader *reader, const char *format, ...)
{
    char path[PATH_MAX];
    struct span span;
    int r;
    ROOT_PATH(r, path, format);
    if (r == 0)
        r = root_link(reader->root, &span, "%s", path);
    if (r < 0) {
        read_problem(reader, r, "%s", path);
        return NULL;
    }
    return link_name(reader->arena, span.data);
}

const char *read_link_at(struct reader *reader, struct root_dir *dir, const char *name)
{
    struct span span;
    int r = root_dir_link(dir, name, &span);
    read_problem(reader, r, "%s/%s", dir->path, name);
    return r < 0 ? NULL : link_name(reader->arena, span.data);
}

struct names read_list(struct reader *reader, const char *format, ...)
{
    char path[PATH_MAX];
    struct names names = { 0 };
    int r;
    ROOT_PATH(r, path, format);
    if (r == 0)
        r = root_list(reader->root, reader->arena, &names, "%s", path);
    read_problem(reader, r, "%s", path);
    return names;
}

bool read_has_directory(struct reader *reader, const char *path)
{
    struct names names;
    return root_list(reader->root, reader->arena, &names, "%s", path) == 0;
}

const char *read_text_at(struct reader *reader, struct root_dir *dir, const char *form, const char *name)
{
    struct span span;
    int r = root_dir_read(dir, form, name, &span);
    if (r == 0)
        return keep_text(reader, span);
    read_problem(reader, r, "%s/%s", dir->path, name);
    return NULL;
}

struct num read_num_at(struct reader *reader, struct root_dir *dir, int base, const char *name)
{
    struct span span;
    int r = root_dir_read(dir, FORM_NUMBER, name, &span);
    if (r == 0)
        return number(reader, span, base, dir->path, name);
    read_problem(reader, r, "%s/%s", dir->path, name);
    return (struct num){ 0 };
}
