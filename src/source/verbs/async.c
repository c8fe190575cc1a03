/* SPDX-License-Identifier: MIT */
#include "source/verbs/async.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/device.h"

struct async {
    struct ibv_context *context;
    char *name;
    bool dead;
};

static struct ibv_context *open_named(const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context = NULL;
    for (size_t i = 0; list && list[i] && !context; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            context = ibv_open_device(list[i]);
    if (list)
        ibv_free_device_list(list);
    return context;
}

struct async *async_open(const struct device *device, int *fd)
{
    if (!device->uverbs.name || device->uverbs.err) /* libibverbs waits 5 s on a forbidden node */
        return NULL;
    struct ibv_context *context = open_named(device->name);
    if (!context)
        return NULL;
    int flags = fcntl(context->async_fd, F_GETFL);
    if (flags < 0 || fcntl(context->async_fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        ibv_close_device(context);
        return NULL;
    }
    struct async *async = mem_alloc(1, sizeof(*async));
    async->context = context;
    async->name = mem_strdup(device->name);
    *fd = context->async_fd;
    return async;
}

static bool is_about_port(enum ibv_event_type type)
{
    switch (type) {
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        return true;
    default:
        return false;
    }
}

int async_next(struct async *async, struct async_event *event)
{
    struct ibv_async_event verbs;
    struct pollfd pollfd = { .fd = async->context->async_fd, .events = POLLIN };
    if (async->dead)
        return -ENODEV;
    if (poll(&pollfd, 1, 0) <= 0)
        return 0;
    errno = 0;
    if (ibv_get_async_event(async->context, &verbs) < 0)
        return errno == EAGAIN ? 0 : -(errno ? errno : EIO);
    *event = (struct async_event){ .device = async->name, .what = ibv_event_type_str(verbs.event_type) };
    if (is_about_port(verbs.event_type))
        event->port = num_of((uint64_t)verbs.element.port_num);
    async->dead = verbs.event_type == IBV_EVENT_DEVICE_FATAL;
    ibv_ack_async_event(&verbs);
    return 1;
}

void async_close(struct async *async)
{
    if (!async)
        return;
    ibv_close_device(async->context);
    free(async->name);
    free(async);
}
