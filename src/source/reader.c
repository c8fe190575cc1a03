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

/* Notes that reading the name in the directory failed, if it did. */
static void note(struct reader *reader, int r, const struct root_dir *dir, const char *name)
{
    read_problem(reader, r, "%s%s%s", dir->path, *dir->path ? "/" : "", name);
}

const char *read_text_at(struct reader *reader, struct root_dir *dir, const char *form, const char *name)
{
    struct span span;
    int r = root_dir_read(dir, form, name, &span);
    note(reader, r, dir, name);
    return r < 0 ? NULL : keep_text(reader, span);
}

struct num read_num_at(struct reader *reader, struct root_dir *dir, int base, const char *name)
{
    struct span span;
    int r = root_dir_read(dir, FORM_NUMBER, name, &span);
    note(reader, r, dir, name);
    struct num number = num_read(r < 0 ? NULL : span.data, base);
    /* "N/A": bonding's answer for LACP values in other modes */
    if (r == 0 && !number.known && !text_starts(span.data, "N/A") &&
        span.data[strspn(span.data, " \n")] != '\0' && *span.data != '-')
        host_problem(reader->host, EBADMSG, "it should hold a number", "%s%s%s", dir->path,
                     *dir->path ? "/" : "", name);
    return number;
}

const char *link_name(struct arena *arena, const char *target)
{
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? arena_strdup(arena, name) : NULL;
}

const char *read_link_at(struct reader *reader, struct root_dir *dir, const char *name)
{
    struct span span;
    int r = root_dir_link(dir, name, &span);
    note(reader, r, dir, name);
    return r < 0 ? NULL : link_name(reader->arena, span.data);
}

/* The same of a path, formatted; one that is too long is noted as well. */
#define READ_PATH(reader, path, format, read, none) \
    do {                                            \
        int made;                                   \
        ROOT_PATH(made, (path), (format));          \
        read_problem((reader), made, "%s", (path)); \
        return made < 0 ? (none) : (read);          \
    } while (0)

const char *read_text(struct reader *reader, const char *form, const char *format, ...)
{
    char path[PATH_MAX];
    READ_PATH(reader, path, format, read_text_at(reader, root_top(reader->root), form, path), NULL);
}

struct num read_num(struct reader *reader, int base, const char *format, ...)
{
    char path[PATH_MAX];
    READ_PATH(reader, path, format, read_num_at(reader, root_top(reader->root), base, path), (struct num){ 0 });
}

const char *read_link_name(struct reader *reader, const char *format, ...)
{
    char path[PATH_MAX];
    READ_PATH(reader, path, format, read_link_at(reader, root_top(reader->root), path), NULL);
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
