/* SPDX-License-Identifier: MIT */
/* A recording: what is understood is written and understood again as the same, and unpacked and packed as the
 * same, while nothing beside the directory that it is unpacked into changes. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/recording/parse.h"
#include "source/recording/unpack.h"
#include "source/recording/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Above the first two it is only understood, above the others not unpacked: a range is quickly too long for a fuzzer. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recording_fault fault = { 0 };
    struct filetree *tree = NULL, *again = NULL;
    struct bytes input = { 0 }, text = { 0 };
    bytes_append(&input, data, size);
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
