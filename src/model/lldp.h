/* SPDX-License-Identifier: MIT */
/* The device at the other end of a cable, by what it says of itself in LLDP (IEEE 802.1AB) and DCBX. */
#pragma once

#include "model/num.h"

struct arena;
struct host;
struct netdev;
struct port;
struct qos_dcb; /* model/qos.h */

/* Where it was read: what systemd-networkd saved, or answers (names alone); what --listen heard. */
enum lldp_source { LLDP_SAVED, LLDP_ANSWERED, LLDP_HEARD };

/* Subtypes of chassis and port IDs that matter here. */
enum { CHASSIS_MAC = 4, CHASSIS_ADDRESS = 5, PORT_MAC = 3, PORT_ADDRESS = 4, PORT_NAME = 5, PORT_LOCAL = 7 };
/* Capabilities. */
enum { LLDP_BRIDGE = 1 << 2, LLDP_ROUTER = 1 << 4, LLDP_STATION = 1 << 7 };

struct lldp_neighbor {
    enum lldp_source source;
    uint8_t chassis_type, port_type;
    const char *chassis, *port; /* a MAC as "b8:59:9f:12:34:56", an IP address, or the text itself */
    const char *port_description, *system, *system_description; /* a stranger's text; NULL: not said */
    const char *address;                                        /* of its management; NULL: not said */
    struct num ttl_s;                                           /* for so long it holds; 0: it is leaving */
    struct num age_s;         /* when it was read; not known of what was answered */
    struct num enabled;       /* capabilities in force */
    struct num pvid;          /* VLAN of frames without a tag; 0: none */
    struct num max_frame;     /* the largest that the port takes, in bytes, without tag and FCS or with them */
    enum tristate aggregated; /* is its port in a link aggregation? unknown: not said */
    struct num aggregate;     /* the number of that */
    const struct qos_dcb *ieee; /* its settings in the IEEE dialect of DCBX; NULL: none sent */
    const struct qos_dcb *cee;  /* and in the older one */
    bool pfc_willing;           /* it gives way to what this end says */
};

/* Who on this host has a socket for LLDP, by proc/net/packet and proc/net/dev_mcast. */
enum lldp_agent { LLDP_NOBODY, LLDP_NETWORKD, LLDP_LLDPD, LLDP_OTHER };

/* What of a netdev's LLDP was looked at. */
struct netdev_lldp {
    struct lldp_neighbor *neighbors; /* those that hold and aren't this host, in order of names */
    size_t count;
    const char *twin; /* another netdev, in no bond with it, that hears the same switch port; NULL: none */
    enum lldp_agent agent;
    int listen_err;              /* why listening there failed; 0: it was heard out, or not asked */
    bool was_down;               /* no carrier: not listened */
    enum tristate firmware_flag; /* the driver's own flag: does the NIC's firmware speak LLDP? With NEED_QOS */
};

/* The same for the whole host. */
struct host_lldp {
    struct num listened_s; /* not known: nobody listened */
    bool kept;             /* systemd-networkd keeps what it hears */
    bool agents_known;
};

/* The switch's name for its port: its ID if it is a name or has a letter, else the description if that looks
 * like a port, else the ID. */
const char *lldp_port_name(const struct lldp_neighbor *neighbor);
/* Its system name, else its chassis ID. */
const char *lldp_system_name(const struct lldp_neighbor *neighbor);
/* Both, in arena: "leaf1 swp5s0"; one of them where they are the same. */
const char *lldp_text(struct arena *arena, const struct lldp_neighbor *neighbor);
/* Is it a host's NIC rather than a switch: nothing but a station, or known by MACs alone and no bridge? */
bool lldp_is_host(const struct lldp_neighbor *neighbor);
/* Do two describe the same port of the same device? */
bool lldp_is_same_port(const struct lldp_neighbor *a, const struct lldp_neighbor *b);
/* The settings to compare with a host's; NULL: it sent none. */
const struct qos_dcb *lldp_dcb(const struct lldp_neighbor *neighbor);

/* Is it the end of a cable: hardware, or what stands for it? */
bool netdev_has_cable(const struct netdev *netdev);
/* The netdev whose cable a netdev's frames leave by: itself, what is below a VLAN or the like, or of a bond the
 * first member with a neighbor, else its first. NULL for NULL. */
const struct netdev *netdev_cabled(const struct host *host, const struct netdev *netdev);
/* The only neighbor of a netdev, or the only one that is no host; NULL: none, or several. */
const struct lldp_neighbor *netdev_neighbor(const struct netdev *netdev);
/* The same for a port. */
const struct lldp_neighbor *port_neighbor(const struct host *host, const struct port *port);
/* The other end's settings, by LLDP or by the driver; NULL: not known. */
const struct qos_dcb *netdev_peer_dcb(const struct host *host, const struct netdev *netdev);
/* Have the settings (NULL: none) an entry for UDP port 4791, RoCE v2's? *priority: what it gives. */
bool qos_roce_priority(const struct qos_dcb *dcb, unsigned *priority);
/* Does the NIC's firmware speak LLDP or DCBX for the port, by its flag or its DCBX mode (drivers' *_dcbnl.c and
 * *_dcb.c)? *how, if yes, says what shows it. Needs NEED_QOS. */
enum tristate netdev_firmware_speaks(const struct host *host, const struct netdev *netdev, const char **how);
/* Why nothing is known of a netdev's other end, as one sentence; NULL: something is. In arena. */
const char *lldp_absence_text(const struct host *host, const struct netdev *netdev, struct arena *arena);
