/* SPDX-License-Identifier: MIT */
/* The "errors" file of a recording's directory: PATH, a tab, the name of an errno. */
#include "source/errors.h"

#include "source/recording/filetree.h"
#include "source/recording/lines.h"

int errno_from_name(const char *name)
{
    for (int err = 1; err < 134; err++) {
        const char *known = strerrorname_np(err);
        if (known && strcmp(known, name) == 0)
            return err;
    }
    return strcmp(name, "ENOTSUP") == 0 ? EOPNOTSUPP : 0;
}

static int enter_name(struct filetree *tree, struct node *directory, const char *name, size_t len, int err)
{
    struct node *node;
    int r = filetree_add(tree, directory, name, len, &node);
    if (r == 0)
        r = filetree_make_error(node, err);
    return r == -EEXIST ? 0 : r;
}

/* Modifies path. Its directory may be reached through links in the tree. */
static int enter_path(struct filetree *tree, char *path, int err)
{
    char *slash = strrchr(path, '/');
    char *name = slash ? slash + 1 : path;
    const char *parent = slash ? path : "";
    struct run run;
    if (slash)
        *slash = '\0';
    int ranged = run_parse(&run, name, strlen(name));
    if (!*name || ranged < 0)
        return -EINVAL;
    struct node *directory = filetree_resolve(tree, parent);
    int r = 0;
    if (!directory || directory->kind != NODE_DIRECTORY)
        r = filetree_enter(tree, parent, &directory);
    if (r < 0 || !ranged)
        return r < 0 ? r : enter_name(tree, directory, name, strlen(name), err);
    struct bytes each = { 0 };
    for (unsigned long number = run.first; r == 0 && number <= run.last; number++) {
        each.len = 0;
        bytes_printf(&each, "%.*s%lu%s", (int)run.prefix_len, name, number, run.suffix);
        r = enter_name(tree, directory, each.data, each.len, err);
    }
    bytes_free(&each);
    return r;
}

static int enter_line(struct filetree *tree, char *line)
{
    char *tab = strchr(line, '\t');
    int err = tab ? errno_from_name(tab + 1) : 0;
    if (!err)
        return -EINVAL;
    *tab = '\0';
    return enter_path(tree, line, err);
}

int errors_enter(struct filetree *tree, const char *text, size_t len, size_t *bad, size_t *first_bad)
{
    const char *end = text + len;
    size_t number = 0;
    *bad = *first_bad = 0;
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((newline ? newline : end) - at);
        char *line = mem_printf("%.*s", (int)size, at);
        int r = size ? enter_line(tree, line) : 0;
        free(line);
        at += size + 1;
        number++;
        if (r == -E2BIG || r == -EFBIG)
            return r;
        if (r < 0 && (*bad)++ == 0)
            *first_bad = number;
    }
    return 0;
}
