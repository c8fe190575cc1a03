/* SPDX-License-Identifier: MIT */
/* A whole recording: the input says which files and links it has, in lines PATH=TEXT and PATH>TARGET; the
 * tree is made in memory (a directory below /dev/shm) and read with everything that needs no back end but
 * files. */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "source/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_LINES = 64, MOST_PATH = 200 };

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
