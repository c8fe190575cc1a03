/* SPDX-License-Identifier: MIT */
/* Every fact of a host, its devices, PCI functions, ports, netdevs and GIDs, once: what it is called, where
 * it lies, what has to be read for it. Listings, `facts`, expectations, `compare`, metrics and the manual
 * name attributes and add only what they decide themselves. Pure. */
#pragma once

#include "model/host.h"
#include "model/value.h"

/* What an attribute is of: the structure of that name. */
enum attribute_of { OF_HOST, OF_DEVICE, OF_PCI, OF_PORT, OF_NETDEV, OF_GID };

enum attribute_flags {
    ATTRIBUTE_COMPARED = 1, /* hosts must agree on it: a key of `facts` */
    ATTRIBUTE_OWN = 2,      /* of those, one host has it, not its like: addresses, GUIDs */
    ATTRIBUTE_PASSING = 4,  /* it tells of the moment: nobody expects it */
    ATTRIBUTE_PATTERN = 8,  /* a name: an expectation may give a pattern for it, as fnmatch(3) has them */
    ATTRIBUTE_ALWAYS = 16,  /* it is never absent */
};

/* Where a getter may put text that it makes: lives until the value has been shown. */
struct cell_context {
    const struct host *host;
    struct arena *arena;
    bool for_people; /* a table is being made, not JSON */
};

struct attribute {
    const char *key;     /* JSON key and -o name */
    const char *heading; /* NULL: the key. "rate" for rate_mbps: a person sees the unit in the value */
    const char *help;
    enum attribute_of of;
    unsigned flags;
    needs_t needs;
    /* Where the value comes from, one of three: it lies in the object (MEMBER, …), it is computed from it, or
     * that takes the host or a place for text besides. None: only an expectation has it. */
    struct member member;
    struct value (*get)(const void *object);
    struct value (*make)(const struct cell_context *context, const void *object);
    enum value_type type; /* of what get or make give; VALUE_ABSENT: text */
};

/* ATTR_HOST_KERNEL and so on: of what, and the name of each row. */
#define HOST(name, ...) ATTR_HOST_##name
#define DEVICE(name, ...) ATTR_DEVICE_##name
#define PCI(name, ...) ATTR_PCI_##name
#define PORT(name, ...) ATTR_PORT_##name
#define NETDEV(name, ...) ATTR_NETDEV_##name
#define GID(name, ...) ATTR_GID_##name
enum attribute_id {
    ATTR_NONE,
#include "model/attribute_rows.h"
    ATTRIBUTES
};
#undef HOST
#undef DEVICE
#undef PCI
#undef PORT
#undef NETDEV
#undef GID
extern const struct attribute attributes[ATTRIBUTES]; /* that of ATTR_NONE has no key */

/* NULL: there is none. */
const struct attribute *attribute_find(enum attribute_of of, const char *key);
/* What its values are, but for those that are absent. */
enum value_type attribute_type(const struct attribute *attribute);
/* Of an object of the kind that the attribute is of, or of one that leads there: a port to its device, its
 * PCI function, its netdev; a device to its PCI function; a GID to its netdev. Where there is none the value
 * is absent: VALUE_NONE when a port is known to have no netdev. */
struct value attribute_value(const struct attribute *attribute, const struct cell_context *context,
                             enum attribute_of of, const void *object);

/* How something else names an attribute (struct column): by its id, and the way from row, a type, to an
 * object of it, as MEMBER has it: ATTR(DEVICE_FW_VER, struct port_row, port, device). */
#define ATTR(id, row, ...) .attribute = ATTR_##id, ATTR_OBJECT(row, __VA_ARGS__)
#define ATTR_OBJECT(row, ...) \
    MEMBER_OF(MEMBER_OBJECT, VALUE_ABSENT, ATTR_KIND(MEMBER_AT(row, __VA_ARGS__)), row, __VA_ARGS__)
#define ATTR_KIND(pointer) \
    _Generic((pointer),               \
        struct host *: OF_HOST,       \
        const struct host *: OF_HOST, \
        struct device *: OF_DEVICE,   \
        const struct device *: OF_DEVICE, \
        struct pci *: OF_PCI,         \
        const struct pci *: OF_PCI,   \
        struct port *: OF_PORT,       \
        const struct port *: OF_PORT, \
        struct netdev *: OF_NETDEV,   \
        const struct netdev *: OF_NETDEV, \
        struct gid *: OF_GID,         \
        const struct gid *: OF_GID)
