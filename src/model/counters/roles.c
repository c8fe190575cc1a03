/* SPDX-License-Identifier: MIT */
#include "model/counters/roles.h"

#include <errno.h>
#include <string.h>

#include "base/base.h"

/* clang-format off */
static const struct role {
    const char *name;
    enum counter_unit unit;
    const char *meaning;
} roles[COUNTER_ROLES] = {
    [ROLE_TRANSMITTED_BYTES] = { "transmitted_bytes", COUNTER_BYTES, "data sent" },
    [ROLE_RECEIVED_BYTES] = { "received_bytes", COUNTER_BYTES, "data received" },
    [ROLE_TRANSMITTED_PACKETS] = { "transmitted_packets", COUNTER_PACKETS, "packets sent" },
    [ROLE_RECEIVED_PACKETS] = { "received_packets", COUNTER_PACKETS, "packets received" },
    [ROLE_RETRANSMISSIONS] = { "retransmissions", COUNTER_EVENTS, "times that something was sent again: NAKs for a missing packet, and ACKs that never came" },
    [ROLE_OUT_OF_SEQUENCE] = { "out_of_sequence", COUNTER_PACKETS, "packets received out of order: loss on the way, or adaptive routing" },
    [ROLE_RNR_NAKS_RECEIVED] = { "rnr_naks_received", COUNTER_EVENTS, "RNR NAKs received: the peer had no receive ready" },
    [ROLE_RNR_NAKS_SENT] = { "rnr_naks_sent", COUNTER_EVENTS, "RNR NAKs sent: no receive was posted here" },
    [ROLE_TRANSPORT_RETRIES_EXCEEDED] = { "transport_retries_exceeded", COUNTER_EVENTS, "queue pairs failed: the peer never answered" },
    [ROLE_RNR_RETRIES_EXCEEDED] = { "rnr_retries_exceeded", COUNTER_EVENTS, "queue pairs failed: the peer never had a receive ready" },
    [ROLE_RECEIVE_BUFFER_DROPS] = { "receive_buffer_drops", COUNTER_PACKETS, "packets dropped because no receive was posted: the application is too slow" },
    [ROLE_DISCARDS] = { "discards", COUNTER_PACKETS, "packets that the port threw away: down, congested, or above a limit" },
    [ROLE_PACKET_ERRORS] = { "packet_errors", COUNTER_PACKETS, "packets that were received, or were to be sent, with an error" },
    [ROLE_ICRC_ERRORS] = { "icrc_errors", COUNTER_PACKETS, "packets received with a wrong invariant CRC: damaged on the way" },
    [ROLE_LINK_ERRORS] = { "link_errors", COUNTER_EVENTS, "errors of the physical link: cable, module, or a worse one further up the path" },
    [ROLE_PCIE_ERRORS] = { "pcie_errors", COUNTER_EVENTS, "transfers over PCIe that failed" },
    [ROLE_ECN_MARKED] = { "ecn_marked", COUNTER_PACKETS, "packets received that a switch had marked for congestion" },
    [ROLE_CNP_SENT] = { "cnp_sent", COUNTER_PACKETS, "CNPs sent: peers were asked to slow down" },
    [ROLE_CNP_HANDLED] = { "cnp_handled", COUNTER_PACKETS, "CNPs received and obeyed: this port was asked to slow down" },
    [ROLE_CNP_IGNORED] = { "cnp_ignored", COUNTER_PACKETS, "CNPs received and ignored: congestion control is off here" },
};
/* clang-format on */

const char *counter_role_name(enum counter_role role)
{
    return roles[role].name;
}

const char *counter_role_meaning(enum counter_role role)
{
    return roles[role].meaning;
}

enum counter_unit counter_role_unit(enum counter_role role)
{
    return roles[role].unit;
}

/* Where counters are looked for, the best first. */
static const char *const places[] = { "counters_ext", "counters", "hw_counters" };

struct list {
    const struct counter *items;
    size_t count;
};

static struct list list_of(const struct port *port, bool of_device)
{
    return of_device ? (struct list){ port->device->counters, port->device->ncounters }
                     : (struct list){ port->counters, port->ncounters };
}

/* Those that play one role on a port: of one list and directory. */
struct cast {
    struct list list;
    const char *dir; /* NULL: nobody plays it */
    enum counter_role role;
};

static bool plays(const struct cast *cast, const struct counter *counter)
{
    return counter->role == cast->role && strcmp(counter->dir, cast->dir) == 0;
}

/* Does the kernel offer its value? What a driver answers that has none is no trouble with reading. */
static bool is_offered(const struct counter *counter)
{
    return counter->raw.known || (counter->err != EINVAL && counter->err != ENODATA);
}

static bool finds(struct cast *cast, bool wants_offered)
{
    for (size_t p = 0; p < ARRAY_SIZE(places); p++) {
        cast->dir = places[p];
        for (size_t i = 0; i < cast->list.count; i++)
            if (plays(cast, &cast->list.items[i]) && (!wants_offered || is_offered(&cast->list.items[i])))
                return true;
    }
    cast->dir = NULL;
    return false;
}

static struct cast cast_of(const struct port *port, enum counter_role role)
{
    bool first = port->device && port == &port->device->ports[0];
    struct cast own = { .list = list_of(port, false), .role = role };
    if (finds(&own, true))
        return own;
    struct cast device = { .list = first ? list_of(port, true) : (struct list){ 0 }, .role = role };
    if (finds(&device, true))
        return device;
    return finds(&own, false) || !finds(&device, false) ? own : device;
}

static const struct counter *next_of(const struct cast *cast, const struct counter *after)
{
    for (size_t i = after ? (size_t)(after - cast->list.items) + 1 : 0; cast->dir && i < cast->list.count; i++)
        if (plays(cast, &cast->list.items[i]))
            return &cast->list.items[i];
    return NULL;
}

const struct counter *port_next_in_role(const struct port *port, roles_t wanted, const struct counter *after)
{
    for (unsigned role = after ? after->role : ROLE_NONE + 1; role < COUNTER_ROLES; role++) {
        if (!(wanted & ROLES_OF(role)))
            continue;
        struct cast cast = cast_of(port, role);
        const struct counter *counter = next_of(&cast, after);
        if (counter)
            return counter;
        after = NULL;
    }
    return NULL;
}

struct role_value port_role_value(const struct port *port, enum counter_role role)
{
    struct cast cast = cast_of(port, role);
    struct role_value value = { .sum = num_of(0) };
    for (const struct counter *counter = NULL; (counter = next_of(&cast, counter));) {
        value.offered = true;
        value.sum.known &= counter->raw.known;
        value.saturated |= counter_is_saturated(counter->def, counter->raw) == TRI_YES;
        uint64_t add = counter->raw.known ? counter_value(counter->def, counter->raw.value) : 0;
        if (__builtin_add_overflow(value.sum.value, add, &value.sum.value))
            value.sum.value = UINT64_MAX;
    }
    return value.offered && value.sum.known
               ? value
               : (struct role_value){ .offered = value.offered, .saturated = value.saturated };
}
