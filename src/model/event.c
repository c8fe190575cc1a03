/* SPDX-License-Identifier: MIT */
/* Names of the events that roce monitor shows. */
#include "model/event.h"

#include "base/glyph.h"

const char *event_kind_name(enum event_kind kind)
{
    static const char *const names[EVENT_KINDS] = {
        [EVENT_DEVICE_ADDED] = "device-added",
        [EVENT_DEVICE_REMOVED] = "device-removed",
        [EVENT_PORT_STATE] = "port-state",
        [EVENT_PORT_NETDEV] = "port-netdev",
        [EVENT_GID_ADDED] = "gid-added",
        [EVENT_GID_REMOVED] = "gid-removed",
        [EVENT_NETDEV_ADDED] = "netdev-added",
        [EVENT_NETDEV_REMOVED] = "netdev-removed",
        [EVENT_NETDEV_RENAMED] = "netdev-renamed",
        [EVENT_NETDEV_STATE] = "netdev-state",
        [EVENT_NETDEV_MTU] = "netdev-mtu",
        [EVENT_ADDRESS_ADDED] = "address-added",
        [EVENT_ADDRESS_REMOVED] = "address-removed",
        [EVENT_NOTIFY] = "rdma",
        [EVENT_ASYNC] = "async",
        [EVENT_GAP] = "gap",
    };
    return names[kind];
}

static void add_word(struct bytes *text, const char *before, const char *word)
{
    if (*word)
        bytes_printf(text, "%s%s", text->len ? before : "", word);
}

void event_describe(const struct event *event, struct bytes *text)
{
    bytes_printf(text, "%s", event->device);
    if (event->port.known)
        bytes_printf(text, "/%" PRIu64, event->port.value);
    if (event->index.known)
        bytes_printf(text, " GID %" PRIu64, event->index.value);
    add_word(text, " ", event->netdev);
    add_word(text, " ", event->from);
    if (*event->from && *event->to)
        bytes_printf(text, "%s%s", text->len ? " " : "", glyph(GLYPH_ARROW));
    add_word(text, " ", event->to);
    if (*event->note)
        bytes_printf(text, "%s(%s)", text->len ? " " : "", event->note);
}
