/* SPDX-License-Identifier: MIT */
/* Waits for what the kernel and libibverbs announce, and polls for what isn't announced. */
#include "source/monitor.h"

#include "base/clock.h"
#include "source/netlink/ask.h"
#include "source/source.h"
#include "source/verbs/verbs.h"

enum {
    MOST_ASYNC = 64,
    DATAGRAM = 128 << 10,
    /* the RDMA core handles address changes in its own work queue: look soon, then again */
    SOON_MS = 100,
    LATER_MS = 600,
    IDLE_MS = 500, /* for what isn't announced: devices and port states before Linux 6.12 */
    ALL = NEED_STATE | NEED_GIDS | NEED_NLDEV | NEED_NETDEV | NEED_PCI,
    IDLE = NEED_STATE,
};

struct monitor {
    struct source *source;
    struct monitor_options options;
    struct teller teller;
    struct host *before; /* devices, ports, GIDs as they were last seen */
    struct known_links links;
    int route_fd, rdma_fd; /* -1: none */
    struct heard_device {
        struct async *async;
        int fd;
    } devices[MOST_ASYNC]; /* whose asynchronous events are heard */
    size_t ndevices;
    uint64_t due[2], idle; /* in clock_ms() time; due 0: nothing is due */
    char *buffer;
};

static void look_soon(struct monitor *monitor)
{
    uint64_t now = clock_ms();
    if (!monitor->due[0])
        monitor->due[0] = now + SOON_MS;
    monitor->due[1] = now + LATER_MS;
}

static void close_async(struct monitor *monitor)
{
    while (monitor->ndevices)
        async_close(monitor->devices[--monitor->ndevices].async);
}

static void open_async(struct monitor *monitor)
{
    if (!monitor->options.async)
        return;
    struct host *host = NULL;
    if (host_read(monitor->source, NEED_NODES, &host) < 0)
        return;
    close_async(monitor);
    for (size_t i = 0; i < host->ndevices && monitor->ndevices < MOST_ASYNC; i++) {
        struct heard_device *heard = &monitor->devices[monitor->ndevices];
        heard->async = async_open(&host->devices[i], &heard->fd);
        monitor->ndevices += heard->async != NULL;
    }
    host_free(host);
}

/* Compares the devices, ports and GIDs with those seen last time. */
static int look(struct monitor *monitor)
{
    struct host *host = NULL;
    int r = host_read(monitor->source, ALL, &host);
    if (r < 0)
        return r;
    if (monitor->before && diff_devices(&monitor->teller, monitor->before, host, true))
        open_async(monitor);
    host_free(monitor->before);
    monitor->before = host;
    monitor->idle = clock_ms() + monitor->options.idle_ms;
    return 0;
}

int monitor_compare(struct monitor *monitor, const struct host *host)
{
    struct teller silent = { 0 };
    monitor->idle = clock_ms() + monitor->options.idle_ms;
    return diff_devices(&silent, monitor->before, host, false) || silent.told ? look(monitor) : 0;
}

/* The cheap look: does anything call for the full one? */
static int look_idle(struct monitor *monitor)
{
    struct host *host = NULL;
    source_keep_open(monitor->source, true);
    int r = host_read(monitor->source, IDLE, &host);
    source_keep_open(monitor->source, false);
    r = r < 0 ? r : monitor_compare(monitor, host);
    host_free(host);
    return r;
}

static void gap(struct monitor *monitor, const char *of)
{
    char note[96];
    snprintf(note, sizeof(note), "events of %s were lost; comparing with what is there now", of);
    TELL(&monitor->teller, EVENT_GAP, .note = note);
}

/* Links and addresses as they are now: at the start, and after a gap. */
static int take_links(struct monitor *monitor, bool quiet)
{
    struct host *host = NULL;
    int r = host_read(monitor->source, NEED_NETDEV_ALL | NEED_ADDRESSES, &host);
    if (r < 0)
        return r;
    known_links_compare(&monitor->links, quiet ? NULL : &monitor->teller, host);
    host_free(host);
    return 0;
}

static void take_notices(struct monitor *monitor, size_t len)
{
    struct arena *arena = arena_new();
    struct nldev_notice *notices = NULL;
    size_t count = 0;
    ANSWER_LIST(&nldev_notices, monitor->buffer, len, arena, &notices, &count);
    for (size_t i = 0; i < count; i++)
        TELL(&monitor->teller, EVENT_NOTIFY, notices[i].port, .device = notices[i].device,
             .netdev = notices[i].netdev, .to = notices[i].what);
    arena_free(arena);
}

static int hear(struct monitor *monitor, bool rdma)
{
    int fd = rdma ? monitor->rdma_fd : monitor->route_fd, r = 0;
    for (long n; r == 0 && (n = notices_receive(fd, monitor->buffer, DATAGRAM)) != 0;) {
        look_soon(monitor);
        if (n == -ENOBUFS) {
            gap(monitor, rdma ? "RDMA devices" : "netdevs");
            r = rdma ? 0 : take_links(monitor, false);
        } else if (n < 0) {
            r = (int)n;
        } else if (rdma) {
            take_notices(monitor, (size_t)n);
        } else {
            known_links_hear(&monitor->links, &monitor->teller, monitor->buffer, (size_t)n);
        }
    }
    return r;
}

static void hear_async(struct monitor *monitor)
{
    for (size_t i = 0; i < monitor->ndevices;) {
        struct async_event heard;
        int r = async_next(monitor->devices[i].async, &heard);
        if (r > 0)
            TELL(&monitor->teller, EVENT_ASYNC, heard.port, .device = heard.device, .to = heard.what);
        if (r != 0)
            look_soon(monitor);
        if (r < 0) {
            async_close(monitor->devices[i].async);
            monitor->devices[i] = monitor->devices[--monitor->ndevices];
        }
        i += r == 0;
    }
}

int monitor_open(struct source *source, const struct monitor_options *options, event_listener *listener,
                 void *data, struct monitor **out)
{
    if (source_is_recording(source))
        return -EROFS;
    struct monitor *monitor = mem_alloc(1, sizeof(*monitor));
    monitor->source = source;
    monitor->options = *options;
    monitor->options.idle_ms = options->idle_ms ? options->idle_ms : IDLE_MS;
    monitor->teller = (struct teller){ .listener = listener, .data = data };
    monitor->buffer = mem_alloc(1, DATAGRAM);
    monitor->route_fd = notices_open(NETLINK_ROUTE);
    monitor->rdma_fd = notices_open(NETLINK_RDMA);
    int r = monitor->route_fd < 0 ? monitor->route_fd : 0;
    if (r == 0)
        r = take_links(monitor, true);
    if (r == 0)
        r = look(monitor);
    if (r < 0) {
        monitor_close(monitor);
        return r;
    }
    open_async(monitor);
    *out = monitor;
    return 0;
}

void monitor_close(struct monitor *monitor)
{
    if (!monitor)
        return;
    close_async(monitor);
    if (monitor->route_fd >= 0)
        close(monitor->route_fd);
    if (monitor->rdma_fd >= 0)
        close(monitor->rdma_fd);
    host_free(monitor->before);
    known_links_free(&monitor->links);
    free(monitor->buffer);
    free(monitor);
}

size_t monitor_fds(const struct monitor *monitor, struct pollfd *fds, size_t room)
{
    size_t count = 0;
    int own[] = { monitor->route_fd, monitor->rdma_fd };
    for (size_t i = 0; i < ARRAY_SIZE(own) && count < room; i++)
        fds[count++] = (struct pollfd){ .fd = own[i], .events = POLLIN };
    for (size_t i = 0; i < monitor->ndevices && count < room; i++)
        fds[count++] = (struct pollfd){ .fd = monitor->devices[i].fd, .events = POLLIN };
    return count;
}

static int wait_for_any(struct monitor *monitor, uint64_t until)
{
    struct pollfd fds[2 + MOST_ASYNC];
    size_t count = monitor_fds(monitor, fds, ARRAY_SIZE(fds));
    uint64_t now = clock_ms();
    int r = poll(fds, count, now < until ? (int)(until - now) : 0);
    return r < 0 ? -errno : 0;
}

static int look_if_due(struct monitor *monitor)
{
    uint64_t now = clock_ms();
    int r = 0;
    for (int i = 0; i < 2 && r == 0; i++)
        if (monitor->due[i] && now >= monitor->due[i]) {
            monitor->due[i] = 0;
            r = look(monitor);
        }
    return r == 0 && now >= monitor->idle ? look_idle(monitor) : r;
}

int monitor_wait(struct monitor *monitor, int milliseconds)
{
    uint64_t until = clock_ms() + (uint64_t)milliseconds;
    for (int i = 0; i < 2; i++)
        if (monitor->due[i] && monitor->due[i] < until)
            until = monitor->due[i];
    if (monitor->idle < until)
        until = monitor->idle;
    int r = wait_for_any(monitor, until);
    if (r == 0)
        r = hear(monitor, false);
    if (r == 0 && monitor->rdma_fd >= 0)
        r = hear(monitor, true);
    if (r < 0)
        return r;
    hear_async(monitor);
    return look_if_due(monitor);
}
