/* SPDX-License-Identifier: MIT */
/* Preloaded into iproute2's rdma: the kernel's answers about RDMA devices and queue pairs come from a
 * recorded machine's netlink/ ($RECORDED), as the kernel hands them out: a part of at most 16 KiB a datagram.
 * Built with -shared -fPIC. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATAGRAM = 16 << 10, NAME = 64 };

static char *answer;
static size_t len, at;
static unsigned sequence;

static void load(const char *name)
{
    char path[4096];
    struct stat st;
    snprintf(path, sizeof(path), "%s/netlink/%s", getenv("RECORDED"), name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    len = at = 0;
    if (fd < 0 || fstat(fd, &st) < 0)
        return;
    answer = realloc(answer, (size_t)st.st_size);
    len = answer ? (size_t)read(fd, answer, (size_t)st.st_size) : 0;
    close(fd);
}

/* The name of the device with that index, by what the kernel says of all. */
static void name_of(unsigned index, char name[static NAME])
{
    load("nldev-devices");
    *name = '\0';
    for (const struct nlmsghdr *header = (void *)answer; (size_t)((char *)header - answer) < len;
         header = (void *)((char *)header + NLMSG_ALIGN(header->nlmsg_len))) {
        const struct nlattr *attr;
        unsigned found = ~0u;
        const char *text = "";
        if (header->nlmsg_type == NLMSG_DONE)
            return;
        mnl_attr_for_each(attr, header, 0)
        {
            if (mnl_attr_get_type(attr) == RDMA_NLDEV_ATTR_DEV_INDEX)
                found = mnl_attr_get_u32(attr);
            if (mnl_attr_get_type(attr) == RDMA_NLDEV_ATTR_DEV_NAME)
                text = mnl_attr_get_str(attr);
        }
        if (found == index)
            snprintf(name, NAME, "%s", text);
    }
}

/* The names of processes, too. */
FILE *fopen(const char *path, const char *mode)
{
    char instead[4096];
    static FILE *(*open_file)(const char *, const char *);
    if (!open_file)
        open_file = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    if (strncmp(path, "/proc/", strlen("/proc/")) == 0) {
        snprintf(instead, sizeof(instead), "%s%s", getenv("RECORDED"), path);
        path = instead;
    }
    return open_file(path, mode);
}

/* This host's kernel may have no RDMA: nothing is sent to it. */
struct mnl_socket *mnl_socket_open(int bus)
{
    (void)bus;
    return mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
}

ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *request, size_t size)
{
    const struct nlmsghdr *header = request;
    const struct nlattr *attr;
    char name[NAME], file[NAME + 16] = "nothing";
    (void)nl;
    sequence = header->nlmsg_seq;
    if (header->nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET))
        strcpy(file, "nldev-devices");
    if (header->nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_QP_GET))
        mnl_attr_for_each(attr, header, 0)
        {
            if (mnl_attr_get_type(attr) != RDMA_NLDEV_ATTR_DEV_INDEX)
                continue;
            name_of(mnl_attr_get_u32(attr), name);
            snprintf(file, sizeof(file), "nldev-qp.%s", name);
        }
    load(file);
    return (ssize_t)size;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *buffer, size_t room)
{
    size_t part = 0;
    if (room > DATAGRAM)
        room = DATAGRAM;
    while (at + part + sizeof(struct nlmsghdr) <= len) {
        struct nlmsghdr *header = (void *)(answer + at + part);
        if (part + NLMSG_ALIGN(header->nlmsg_len) > room)
            break;
        header->nlmsg_seq = sequence;
        header->nlmsg_pid = mnl_socket_get_portid(nl);
        part += NLMSG_ALIGN(header->nlmsg_len);
    }
    if (!part) { /* a question that the recording has no answer to */
        struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
        struct nlmsgerr *error = mnl_nlmsg_put_extra_header(header, sizeof(*error));
        header->nlmsg_type = NLMSG_ERROR;
        header->nlmsg_seq = sequence;
        header->nlmsg_pid = mnl_socket_get_portid(nl);
        error->error = -EOPNOTSUPP;
        return header->nlmsg_len;
    }
    memcpy(buffer, answer + at, part);
    at += part;
    return (ssize_t)part;
}
