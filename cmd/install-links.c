/* SPDX-License-Identifier: MIT */
/* roce install-links DIR: makes links with the names of the tools that roce replaces. */
#include <sys/stat.h>

#include "command/context.h"

/* What a link in dir should contain: "roce" beside the program, else the full path. Links lead to the program
 * by name, so that they follow an upgrade. */
static int find_target(const char *dir, char target[static PATH_MAX])
{
    char real[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", target, PATH_MAX - 1);
    if (n < 0)
        return -errno;
    target[n] = '\0';
    if (!realpath(dir, real))
        return -errno;
    char *slash = strrchr(target, '/');
    size_t len = (size_t)(slash - target);
    if (strncmp(target, real, len) == 0 && real[len] == '\0')
        memmove(target, slash + 1, strlen(slash));
    return 0;
}

/* Returns 0 if made or already there, -EEXIST if something else has the name, or -errno. */
static int make_link(const char *dir, const char *name, const char *target)
{
    char path[PATH_MAX], real[PATH_MAX], own[PATH_MAX];
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
        return -ENAMETOOLONG;
    if (symlink(target, path) == 0)
        return 0;
    if (errno != EEXIST)
        return -errno;
    if (!realpath(path, real) || !realpath("/proc/self/exe", own))
        return -EEXIST;
    return strcmp(real, own) == 0 ? 0 : -EEXIST;
}

COMMAND(install_links)
{
    const char *dir = context->args->noperands == 1 ? context->args->operands[0] : NULL;
    char target[PATH_MAX];
    if (!dir)
        return say_unable("'install-links' takes one directory; see 'roce install-links --help'");
    int r = mkdir(dir, 0777) < 0 && errno != EEXIST ? -errno : find_target(dir, target);
    if (r < 0)
        return say_unable("cannot make links in '%s': %s", dir, say_errno(r));
    int status = STATUS_OK;
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->group != GROUP_COMPAT)
            continue;
        r = make_link(dir, commands[i]->name, target);
        if (r == 0)
            printf("%s/%s -> %s\n", dir, commands[i]->name, target);
        else if (r == -EEXIST)
            say_error("'%s/%s' is there and is something else: remove it first", dir, commands[i]->name);
        else
            say_error("cannot make '%s/%s': %s", dir, commands[i]->name, say_errno(r));
        if (r < 0)
            status = STATUS_ERROR;
    }
    return status;
}
