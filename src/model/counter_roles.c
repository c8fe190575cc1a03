/* SPDX-License-Identifier: MIT */
/* Adds up a port's counters by role. */
#include "model/counter_roles.h"

const char *counter_role_name(enum counter_role role)
{
    static const char *const names[COUNTER_ROLES] = {
#define ROLE_NAME(role, name, ...) [ROLE_##role] = #name,
        COUNTER_ROLE_LIST(ROLE_NAME)
    };
    return names[role];
}

/* Where counters are looked for, the best first. */
static const char *const places[] = { "counters_ext", "counters", "hw_counters" };

/* Those that play one role on a port: of its own list or its device's, and of one directory. */
struct cast {
    const struct counter *items;
    size_t count;
    const char *dir; /* NULL: nobody plays it */
    enum counter_role role;
    size_t first, last; /* nobody in front of the one or from the other on does */
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
    size_t best = ARRAY_SIZE(places);
    cast->first = cast->last = 0;
    for (size_t i = 0; i < cast->count; i++) {
        const struct counter *counter = &cast->items[i];
        if (counter->role != cast->role)
            continue;
        cast->first = cast->last ? cast->first : i;
        cast->last = i + 1;
        for (size_t p = 0; p < best && (!wants_offered || is_offered(counter)); p++)
            if (strcmp(counter->dir, places[p]) == 0)
                best = p;
    }
    cast->dir = best < ARRAY_SIZE(places) ? places[best] : NULL;
    return cast->dir;
}

static struct cast cast_of(const struct port *port, enum counter_role role)
{
    bool first = port->device && port == &port->device->ports[0];
    struct cast own = { .items = port->counters, .count = port->ncounters, .role = role };
    if (finds(&own, true))
        return own;
    bool none = !own.last;
    struct cast device = { .items = first ? port->device->counters : NULL,
                           .count = first ? port->device->ncounters : 0,
                           .role = role };
    if (finds(&device, true))
        return device;
    return (!none && finds(&own, false)) || !finds(&device, false) ? own : device;
}

static const struct counter *next_of(const struct cast *cast, const struct counter *after)
{
    for (size_t i = after ? (size_t)(after - cast->items) + 1 : cast->first; cast->dir && i < cast->last; i++)
        if (plays(cast, &cast->items[i]))
            return &cast->items[i];
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

bool port_role_is_one(const struct port *port, const struct counter *counter)
{
    if (counter->role == ROLE_NONE)
        return false;
    struct cast cast = cast_of(port, counter->role);
    return next_of(&cast, NULL) == counter && !next_of(&cast, counter);
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
