/* SPDX-License-Identifier: MIT */
/* Which container runtime a process runs under, from the marks that they leave. */
#include <string.h>

#include "base/base.h"
#include "model/system.h"

/* Words in the paths of control groups, and of the host's directories that images and /etc/hosts are mounted
 * from, by runtime; the first that is there counts. Each path is that runtime's default. */
/* clang-format off */
static const struct {
    const char *word;
    const char *mark;
} path_words[] = {
    { "cri-containerd-", "containerd" },
    { "io.containerd.", "containerd" },
    { "nerdctl-", "containerd" },
    { "crio-", "crio" },
    { "libpod-", "podman" },
    { "/docker/", "docker" },
    { "docker-", "docker" },
    { "/lxc.payload", "lxc" },
    { "/lxc/", "lxc" },
    { "/containers/storage/", "containers-storage" },
};
/* clang-format on */

const char *container_path_mark(const char *path)
{
    for (size_t i = 0; i < ARRAY_SIZE(path_words); i++)
        if (strstr(path, path_words[i].word))
            return path_words[i].mark;
    return NULL;
}

bool container_path_is_pod(const char *path)
{
    return strstr(path, "kubepods") || strstr(path, "/kubelet/pods/");
}

/* clang-format off */
static const struct {
    const char *mark;
    enum container container;
} kinds[] = {
    { "variable apptainer", CONTAINER_APPTAINER },
    { "init docker", CONTAINER_DOCKER },
    { "init podman", CONTAINER_PODMAN },
    { "init lxc", CONTAINER_LXC },
    { "init systemd-nspawn", CONTAINER_NSPAWN },
    { "path containerd", CONTAINER_CONTAINERD },
    { "path crio", CONTAINER_CRIO },
    { "path podman", CONTAINER_PODMAN },
    { "path docker", CONTAINER_DOCKER },
    { "path lxc", CONTAINER_LXC },
};
/* clang-format on */

static bool has_line(const char *marks, const char *line)
{
    size_t len = strlen(line);
    for (const char *at = marks; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strcspn(at, "\n") == len && strncmp(at, line, len) == 0)
            return true;
    return false;
}

/* Inodes of the machine's first namespaces: PROC_PID_INIT_INO of linux/proc_ns.h, always the same, and since
 * Linux 6.18 NET_NS_INIT_INO of linux/nsfs.h. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"
#define FIRST_NETWORK_NAMESPACE "net:[4026531833]"

bool container_pid_is_first(const char *namespace)
{
    return strcmp(namespace, FIRST_PID_NAMESPACE) == 0;
}

const char *container_netns_mark(const char *pid, const char *own, const char *first)
{
    if (!own)
        return NULL;
    if (strcmp(own, FIRST_NETWORK_NAMESPACE) == 0)
        return "first";
    /* before, it is the one that the machine's process 1 is in */
    if (!pid || !first || !container_pid_is_first(pid))
        return NULL;
    return strcmp(own, first) == 0 ? "first" : "other";
}

enum tristate container_netns_is_first(const char *marks)
{
    return has_line(marks, "net-namespace first")   ? TRI_YES
           : has_line(marks, "net-namespace other") ? TRI_NO
                                                    : TRI_UNKNOWN;
}

enum container container_of(const char *marks, bool *kubernetes)
{
    *kubernetes = has_line(marks, "variable kubernetes") || has_line(marks, "path pod");
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (has_line(marks, kinds[i].mark))
            return kinds[i].container;
    /* A machine made of a container's files has these, too: they only say whose namespaces it is in. */
    bool inside = has_line(marks, "pid-namespace other") && !has_line(marks, "kernel wsl");
    if (inside && has_line(marks, "file .dockerenv"))
        return CONTAINER_DOCKER;
    /* Podman and CRI-O share their storage, and both write this file. */
    bool shared_file = (inside || *kubernetes) && has_line(marks, "file run/.containerenv");
    if (shared_file || has_line(marks, "path containers-storage"))
        return *kubernetes ? CONTAINER_CRIO : CONTAINER_PODMAN;
    if (*kubernetes || inside)
        return CONTAINER_UNNAMED;
    return CONTAINER_NONE;
}
