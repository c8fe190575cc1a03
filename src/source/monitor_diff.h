/* SPDX-License-Identifier: MIT */
/* What differs between two looks at a machine, told as events. Private to source/; no I/O. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "model/host.h"

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
