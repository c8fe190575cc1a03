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

/* In the table's order, and that of `facts`. */
enum attribute_id {
    ATTR_NONE,
    ATTR_HOST_KERNEL,
    ATTR_HOST_OS,
    ATTR_HOST_RDMA_NETNS,
    ATTR_HOST_DEVICE_COUNT,
    ATTR_HOST_MEMLOCK,
    ATTR_HOST_LIBRARIES,
    ATTR_HOST_MODULES,
    ATTR_HOST_ENVIRONMENT,
    ATTR_HOST_SETTINGS,
    ATTR_HOST_SYSCTLS,

    ATTR_DEVICE_NAME,
    ATTR_DEVICE_INDEX,
    ATTR_DEVICE_COUNT,
    ATTR_DEVICE_BOARD_ID,
    ATTR_DEVICE_HCA_TYPE,
    ATTR_DEVICE_HW_REV,
    ATTR_DEVICE_FW_VER,
    ATTR_DEVICE_NODE_DESC,
    ATTR_DEVICE_DRIVER,
    ATTR_DEVICE_TRANSPORT,
    ATTR_DEVICE_NODE_TYPE,
    ATTR_DEVICE_ROCE_ENABLED,
    ATTR_DEVICE_PCI,
    ATTR_DEVICE_PARENT,
    ATTR_DEVICE_PARENT_BUS,
    ATTR_DEVICE_UVERBS,
    ATTR_DEVICE_ABI,
    ATTR_DEVICE_NPORTS,
    ATTR_PCI_VENDOR_ID,
    ATTR_PCI_DEVICE_ID,
    ATTR_PCI_LINK_SPEED,
    ATTR_PCI_LINK_SPEED_MAX,
    ATTR_PCI_LINK_WIDTH,
    ATTR_PCI_LINK_WIDTH_MAX,
    ATTR_PCI_VFS,
    ATTR_PCI_VFS_MAX,
    ATTR_PCI_PHYSFN,
    ATTR_PCI_NUMA_NODE,
    ATTR_PCI_IOMMU,
    ATTR_PCI_MPS,
    ATTR_PCI_MRRS,
    ATTR_PCI_RELAXED_ORDERING,
    ATTR_DEVICE_ACS,
    ATTR_DEVICE_NODE_GUID,
    ATTR_DEVICE_SYS_IMAGE_GUID,

    ATTR_PORT_DEVICE,
    ATTR_PORT_NUMBER,
    ATTR_PORT_COUNT,
    ATTR_PORT_NETDEV,
    ATTR_PORT_TRANSPORT,
    ATTR_PORT_STATE,
    ATTR_PORT_PHYS_STATE,
    ATTR_PORT_LINK_LAYER,
    ATTR_PORT_RATE_MBPS,
    ATTR_PORT_RATE_TEXT,
    ATTR_PORT_WIDTH,
    ATTR_PORT_MTU,
    ATTR_PORT_LID,
    ATTR_PORT_SM_LID,
    ATTR_PORT_LMC,
    ATTR_PORT_SM_SL,
    ATTR_PORT_CAP_MASK,
    ATTR_PORT_GID_TABLE_LEN,
    ATTR_PORT_PKEY_TABLE_LEN,
    ATTR_NETDEV_NAME,
    ATTR_NETDEV_KIND,
    ATTR_NETDEV_LOWER,
    ATTR_NETDEV_VLAN_ID,
    ATTR_NETDEV_STATE,
    ATTR_NETDEV_CARRIER,
    ATTR_NETDEV_SPEED_MBPS,
    ATTR_NETDEV_DUPLEX,
    ATTR_NETDEV_MTU,
    ATTR_NETDEV_IFINDEX,
    ATTR_NETDEV_MAC,
    ATTR_NETDEV_ADDRESSES,
    ATTR_NETDEV_SUBNETS,
    ATTR_NETDEV_MASTER,
    ATTR_NETDEV_BOND_MODE,
    ATTR_NETDEV_MEMBERS,
    ATTR_NETDEV_MEMBER_STATE,
    ATTR_NETDEV_MII_STATUS,
    ATTR_NETDEV_LACP,
    ATTR_NETDEV_IPOIB_MODE,
    ATTR_NETDEV_IPOIB_PKEY,
    ATTR_NETDEV_VRF_TABLE,
    ATTR_NETDEV_DRIVER,
    ATTR_NETDEV_DEV_PORT,
    ATTR_NETDEV_DEV_ID,
    ATTR_NETDEV_PHYS_PORT_NAME,
    ATTR_PORT_ROUTED,
    ATTR_NETDEV_BOND,
    ATTR_PORT_GID_TYPES,
    ATTR_PORT_ROUTABLE_V2,
    ATTR_PORT_GID_INDEX,
    ATTR_PORT_VLAN,
    ATTR_PORT_PFC,
    ATTR_PORT_TRUST,
    ATTR_PORT_DEFAULT_PRIORITY,
    ATTR_PORT_DSCP_PRIORITY,
    ATTR_PORT_PRIORITY_TC,
    ATTR_PORT_ETS,
    ATTR_PORT_ECN_RP,
    ATTR_PORT_ECN_NP,
    ATTR_PORT_PAUSE,
    ATTR_PORT_FEC,
    ATTR_PORT_TRAFFIC_CLASS,
    ATTR_PORT_TTL,
    ATTR_PORT_SYSCTLS,
    ATTR_PORT_CM_MODE,
    ATTR_PORT_CM_TOS,
    ATTR_PORT_ERRORS,

    ATTR_GID_INDEX,
    ATTR_GID_GID,
    ATTR_GID_TYPE,
    ATTR_GID_ADDRESS,
    ATTR_GID_NETDEV,
    ATTR_GID_SCOPE,
    ATTRIBUTES
};
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
