/* SPDX-License-Identifier: MIT */
/* Watches the live machine: netlink groups for netdevs, addresses and the RDMA core's own notices, files in
 * /sys for ports and GID tables, and libibverbs' asynchronous events if requested. */
#pragma once

#include <poll.h>

#include "model/event.h"
#include "model/host.h"

struct source;
struct monitor;

struct monitor_options {
    unsigned idle_ms; /* how long an unannounced change may go unseen; 0: half a second */
    bool async;       /* open the devices for libibverbs' events; soft devices can't be deleted meanwhile */
};

/* Returns 0 or -errno; -EROFS for a recording, which has nothing to watch. */
int monitor_open(struct source *source, const struct monitor_options *options, event_listener *listener,
                 void *data, struct monitor **monitor);
/* Waits for at most this many milliseconds and tells the listener what happened. Returns 0, -EINTR if a signal
 * arrived, or another -errno. */
int monitor_wait(struct monitor *monitor, int milliseconds);
/* Takes a reading with NEED_STATE that was just made for what it would otherwise read itself now and then, to
 * see what isn't announced; tells the listener what is different. Returns 0 or -errno. */
int monitor_compare(struct monitor *monitor, const struct host *host);
/* What monitor_wait() polls: fills in at most room descriptors and returns how many. */
size_t monitor_fds(const struct monitor *monitor, struct pollfd *fds, size_t room);
void monitor_close(struct monitor *monitor); /* NULL is fine */

/* The differences between two looks at a machine, as events. Private to source/; no I/O. */

/* Timestamps events and passes them on; only counts them if there is no listener. */
struct teller {
    event_listener *listener;
    void *data;
    size_t told;
};
/* TELL(teller, kind, .device = name, …); teller NULL: nobody is told. */
#define TELL(teller, ...) tell((teller), &(struct event){ __VA_ARGS__ })
void tell(struct teller *teller, struct event *event);

/* Compares devices, port states and, if gids is set, GID tables and the ports' netdevs. True if a device came
 * or went. */
bool diff_devices(struct teller *teller, const struct host *before, const struct host *now, bool gids);

/* The netdevs and addresses of this namespace, as last reported. */
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
/* Takes over the host's links and addresses; reports the differences unless teller is NULL. */
void known_links_compare(struct known_links *links, struct teller *teller, const struct host *host);
/* Applies rtnetlink messages (RTM_NEWLINK, DELLINK, NEWADDR, DELADDR) and reports the changes. */
void known_links_hear(struct known_links *links, struct teller *teller, const void *bytes, size_t len);
