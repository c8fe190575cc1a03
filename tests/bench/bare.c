/* SPDX-License-Identifier: MIT */
/* The floor for `roce gids`: opens, reads and closes just the files that the answer needs, and does nothing
 * else. bare ROOT        prints how many slots are filled Values of all slots (only reading one tells whether
 * it is filled), types and netdevs of the filled ones. Directories are held open, so that each path is one
 * component or two. */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char empty[] = "0000:0000:0000:0000:0000:0000:0000:0000\n";

static ssize_t slurp(int dir, const char *name, char *buf, size_t size)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, size);
    close(fd);
    return n;
}

static int open_dir(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        err(1, "cannot open '%s'", name);
    return fd;
}

static unsigned read_port(int port)
{
    char name[32], buf[4096];
    unsigned filled = 0;
    int gids = open_dir(port, "gids");

    for (unsigned slot = 0;; slot++) {
        snprintf(name, sizeof name, "%u", slot);
        ssize_t n = slurp(gids, name, buf, sizeof buf);
        if (n < 0 && errno == ENOENT)
            break;
        if (n < 0)
            err(1, "cannot read gids/%s", name);
        if (n == sizeof empty - 1 && memcmp(buf, empty, sizeof empty - 1) == 0)
            continue;
        filled++;
        snprintf(name, sizeof name, "gid_attrs/types/%u", slot);
        if (slurp(port, name, buf, sizeof buf) <= 0)
            err(1, "cannot read %s", name);
        snprintf(name, sizeof name, "gid_attrs/ndevs/%u", slot);
        if (slurp(port, name, buf, sizeof buf) <= 0)
            err(1, "cannot read %s", name);
    }
    close(gids);
    return filled;
}

/* Calls each for every entry of parent/name, and adds up what it returns. */
static unsigned walk(int parent, const char *name, unsigned (*each)(int dir))
{
    unsigned sum = 0;
    DIR *dir = fdopendir(open_dir(parent, name));
    struct dirent *entry;

    if (!dir)
        err(1, "cannot read '%s'", name);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        int fd = open_dir(dirfd(dir), entry->d_name);
        sum += each(fd);
        close(fd);
    }
    closedir(dir);
    return sum;
}

static unsigned read_device(int device)
{
    return walk(device, "ports", read_port);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        errx(2, "usage: bare ROOT");
    int root = open_dir(AT_FDCWD, argv[1]);
    printf("%u\n", walk(root, "sys/class/infiniband", read_device));
    return 0;
}
