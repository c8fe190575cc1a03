/* SPDX-License-Identifier: MIT */
/* Opens a path below a directory component by component, for kernels without openat2. */
#include <sys/stat.h>

#include "source/root/backend.h"

enum { MOST_LINKS = 40, MOST_DEPTH = 256 };

/* The directories from the root down to the current one: going up pops one, so it stops at the root whatever
 * the tree says. */
struct stack {
    int fds[MOST_DEPTH];
    int depth;
};

static int top(const struct stack *stack)
{
    return stack->fds[stack->depth - 1];
}

static void pop_to(struct stack *stack, int depth)
{
    while (stack->depth > depth)
        close(stack->fds[--stack->depth]);
}

static int push(struct stack *stack, int fd)
{
    if (stack->depth == MOST_DEPTH) {
        close(fd);
        return -ENAMETOOLONG;
    }
    stack->fds[stack->depth++] = fd;
    return 0;
}

/* Puts target in front of the rest of the path. */
static int prepend(char rest[static PATH_MAX], const char *target, const char *behind)
{
    char joined[PATH_MAX];
    int n = snprintf(joined, sizeof(joined), "%s%s%s", target, *behind ? "/" : "", behind);
    if (n < 0 || (size_t)n >= sizeof(joined))
        return -ENAMETOOLONG;
    memcpy(rest, joined, (size_t)n + 1);
    return 0;
}

/* Takes one component. 1: go on; 0 or more in *result: done; -errno. */
static int step(struct stack *stack, char rest[static PATH_MAX], int flags, int *links, int *result)
{
    char name[NAME_MAX + 1];
    char *start = rest + strspn(rest, "/");
    size_t len = strcspn(start, "/");
    char *behind = start + len + strspn(start + len, "/");
    bool last = *behind == '\0';
    if (len > NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(name, start, len);
    name[len] = '\0';
    if (len == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        if (len == 2 && stack->depth > 1)
            pop_to(stack, stack->depth - 1);
        memmove(rest, behind, strlen(behind) + 1);
        if (!last)
            return 1;
        *result = openat(top(stack), ".", flags);
        return *result < 0 ? -errno : 0;
    }
    int fd = openat(top(stack), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) {
        int err = errno;
        if (fd >= 0)
            close(fd);
        return -err;
    }
    if (S_ISLNK(st.st_mode) && !(last && (flags & O_NOFOLLOW))) {
        char target[PATH_MAX];
        ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);
        close(fd);
        if (n < 0 || ++*links > MOST_LINKS)
            return n < 0 ? -errno : -ELOOP;
        target[n] = '\0';
        if (target[0] == '/')
            pop_to(stack, 1);
        int r = prepend(rest, target, behind);
        return r < 0 ? r : 1;
    }
    if (!last) {
        int r = push(stack, fd);
        memmove(rest, behind, strlen(behind) + 1);
        return r < 0 ? r : 1;
    }
    close(fd);
    /* a link put here between the check and the open isn't followed */
    *result = openat(top(stack), name, flags | O_NOFOLLOW);
    return *result < 0 ? -errno : 0;
}

int walk_open(int root_fd, const char *path, int flags)
{
    char rest[PATH_MAX];
    if (strlen(path) >= sizeof(rest))
        return -ENAMETOOLONG;
    memcpy(rest, path, strlen(path) + 1);
    struct stack stack = { .depth = 0 };
    int fd = openat(root_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    push(&stack, fd);
    int links = 0, result = -1, r;
    do
        r = step(&stack, rest, flags, &links, &result);
    while (r == 1);
    pop_to(&stack, 0);
    return r < 0 ? r : result;
}

static int fd_path(int fd, char path[static PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n < 0)
        return -errno;
    path[n] = '\0';
    return 0;
}

char *walk_path_of(int root_fd, int fd)
{
    char root[PATH_MAX], path[PATH_MAX];
    if (fd_path(root_fd, root) < 0 || fd_path(fd, path) < 0)
        return NULL;
    size_t len = strlen(root);
    while (len && root[len - 1] == '/')
        len--;
    if (strncmp(root, path, len) != 0 || (path[len] != '/' && path[len] != '\0'))
        return NULL;
    return mem_strdup(path + len + (path[len] == '/'));
}
