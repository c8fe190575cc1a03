/* SPDX-License-Identifier: MIT */
/* Watches the live machine: netlink groups for netdevs, addresses and the RDMA core's own notices, the files
 * of /sys for ports and GID tables, libibverbs' asynchronous events where asked for. */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "model/host.h"

struct source;
struct monitor;

struct monitor_options {
    unsigned idle_ms; /* how long what nobody announces may stay unseen; 0: half a second */
    bool async; /* open the devices and hear libibverbs' events; soft devices can't be deleted meanwhile */
};

/* 0 or -errno; -EROFS: a recording has nothing to watch. */
int monitor_open(struct source *source, const struct monitor_options *options, event_listener *listener,
                 void *data, struct monitor **monitor);
/* Waits for at most milliseconds and tells the listener what happened. 0; -EINTR: a signal came; else
 * -errno. */
int monitor_wait(struct monitor *monitor, int milliseconds);
/* What monitor_wait() waits for, with poll(2): at most room of them. How many. */
size_t monitor_fds(const struct monitor *monitor, struct pollfd *fds, size_t room);
void monitor_close(struct monitor *monitor); /* NULL is fine */

/* What differs between two looks at a machine, told as events. Private to source/; no I/O. */

/* Passes events on, with the time; without a listener it only counts. */
struct teller {
    event_listener *listener;
    void *data;
    size_t told;
};
void tell(struct teller *teller, struct event *event);

/* Devices, port states and, when gids, GID tables and the ports' netdevs. True: a device came or went. */
bool diff_devices(struct teller *teller, const struct host *before, const struct host *now, bool gids);

/* The netdevs and addresses of this namespace, as last heard of. */
struct known_link {
    uint32_t ifindex;
    char name[64];
    char state[16];
    uint64_t mtu;
    struct address *addresses;
    size_t naddresses;
    bool seen;
};
struct known_links {
    struct known_link *items;
    size_t count;
};
void known_links_free(struct known_links *links);
/* Takes over what the host has; tells the differences, unless teller is NULL. */
void known_links_compare(struct known_links *links, struct teller *teller, const struct host *host);
/* Takes over what rtnetlink's messages say (RTM_NEWLINK, DELLINK, NEWADDR, DELADDR), and tells it. */
void known_links_hear(struct known_links *links, struct teller *teller, const void *bytes, size_t len);
