/* SPDX-License-Identifier: MIT */
/* The floor for a command that reads many files: opens, reads and closes those that a list names, and does
 * nothing else. readall ROOT LIST        prints how many could be read LIST has a path below ROOT a line. The
 * directory of the last one is held open, so that files beside each other cost one component. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char list[1 << 20], buf[1 << 16];
    if (argc != 3)
        errx(2, "usage: readall ROOT LIST");
    int root = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = open(argv[2], O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, list, sizeof list - 1);
    if (root < 0 || len < 0 || len == sizeof list - 1)
        err(1, "cannot read '%s' and '%s'", argv[1], argv[2]);
    close(fd);

    const char *open_dir = "";
    int dir = -1;
    unsigned count = 0;
    for (char *path = strtok(list, "\n"); path; path = strtok(NULL, "\n")) {
        char *name = strrchr(path, '/');
        if (!name)
            errx(1, "'%s' is no path", path);
        *name++ = '\0';
        if (strcmp(open_dir, path) != 0) {
            close(dir);
            dir = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            open_dir = path;
        }
        fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            err(1, "cannot open '%s/%s'", path, name);
        while (read(fd, buf, sizeof buf) == sizeof buf)
            ;
        close(fd);
        count++;
    }
    printf("%u\n", count);
    return 0;
}
