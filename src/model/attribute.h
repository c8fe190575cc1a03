/* SPDX-License-Identifier: MIT */
/* Every fact about a host, its devices, PCI functions, ports, netdevs and GIDs, defined once: its name, where
 * it is stored, and what must be read to get it. Listings, `facts`, expectations, `compare`, metrics and the
 * manual refer to attributes and add only what is specific to them. Pure. */
#pragma once

#include "base/gzip.h"
#include "model/host.h"
#include "model/value.h"

/* The structure that an attribute belongs to. */
enum attribute_of { OF_HOST, OF_DEVICE, OF_PCI, OF_PORT, OF_NETDEV, OF_GID };

enum attribute_flags {
    ATTRIBUTE_COMPARED = 1, /* hosts must agree on it: a key of `facts` */
    ATTRIBUTE_OWN = 2,      /* of those, unique to each host, even among identical ones: addresses, GUIDs */
    ATTRIBUTE_PASSING = 4,  /* momentary: never expected */
    ATTRIBUTE_PATTERN = 8,  /* a name: an expectation may give an fnmatch(3) pattern for it */
    ATTRIBUTE_ALWAYS = 16,  /* never absent */
};

/* Where a getter may allocate text; it lives until the value has been shown. */
struct cell_context {
    const struct host *host;
    struct arena *arena;
    bool for_people; /* for a table, not JSON */
};

struct attribute {
    const char *key;     /* JSON key and -o name */
    const char *heading; /* NULL: the key. "rate" for rate_mbps: in tables the value shows the unit */
    uint16_t help;       /* for packed_line() */
    enum attribute_of of;
    unsigned flags;
    needs_t needs;
    /* Where the value comes from, one of three: a member of the object (MEMBER, …), computed from the object
     * alone, or computed using the host or memory for text. If none is set, only expectations have it. */
    struct member member;
    struct value (*get)(const void *object);
    struct value (*make)(const struct cell_context *context, const void *object);
    enum value_type type; /* what get or make returns; VALUE_ABSENT: text */
};

/* ATTR_HOST_KERNEL and so on: the kind of object, and each row's name. */
#define HOST(name, ...) ATTR_HOST_##name
#define DEVICE(name, ...) ATTR_DEVICE_##name
#define PCI(name, ...) ATTR_PCI_##name
#define PORT(name, ...) ATTR_PORT_##name
#define NETDEV(name, ...) ATTR_NETDEV_##name
#define GID(name, ...) ATTR_GID_##name
enum attribute_id {
    ATTR_NONE,
#include "attribute_rows.h" /* made of facts.txt */
    ATTRIBUTES
};
#undef HOST
#undef DEVICE
#undef PCI
#undef PORT
#undef NETDEV
#undef GID
extern const struct attribute attributes[ATTRIBUTES]; /* ATTR_NONE's has no key */

/* The type of its values when present. */
enum value_type attribute_type(const struct attribute *attribute);
/* The value for an object of the attribute's kind, or for one that leads to such an object: a port to its
 * device, PCI function or netdev; a device to its PCI function; a GID to its netdev. If there is none, the
 * value is absent: VALUE_NONE when a port is known to have no netdev. */
struct value attribute_value(const struct attribute *attribute, const struct cell_context *context,
                             enum attribute_of of, const void *object);

/* How something else (struct column) refers to an attribute: by its id and, as in MEMBER, the path from row, a
 * type, to the object it belongs to: ATTR(DEVICE_FW_VER, struct port_row, port, device). */
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
