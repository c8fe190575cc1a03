/* SPDX-License-Identifier: MIT */
/* rtnetlink: links, addresses, routes, neighbours, rules. Pure parsers, as in nldev.h. */
#pragma once

#include <linux/pkt_sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/netdev.h"
#include "model/num.h"
#include "model/route.h"

struct arena;
struct nlattr;

/* One RTM_NEWLINK. Indexes of other links are as the kernel gives them: who merges makes names of them. */
struct rtnl_link {
    struct num ifindex;
    const char *name;
    const char *mac;
    struct num type, flags; /* ARPHRD_*, IFF_* */
    struct num mtu, mtu_min, mtu_max;
    struct num operstate; /* IF_OPER_* */
    struct num carrier, carrier_changes, carrier_downs;
    struct num master;        /* ifindex */
    struct num lower;         /* IFLA_LINK, of a VXLAN IFLA_VXLAN_LINK */
    struct num lower_netnsid; /* lower counts in this namespace; not known: in the link's own */
    const char *phys_port_name, *phys_switch_id; /* the latter in hexadecimal digits, as in sysfs */
    const char *parent_bus, *parent;             /* "pci", "0000:17:00.0" */
    const char **alt_names;
    size_t nalt_names;
    const char *kind;                  /* "vlan", "bond"; NULL: hardware */
    const char *slave_kind;            /* "bond": it's a member of one */
    struct num vlan_id, vlan_protocol; /* ETH_P_* */
    struct vlan_pcp *egress;
    size_t negress;
    struct num macvlan_mode, ipvlan_mode;
    struct num bond_mode, bond_active, bond_policy, bond_aggregator, bond_num_ports;
    const char *bond_partner; /* the MAC that LACP learned of the switch; all zero: none */
    struct num member_state, member_mii, member_failures, member_aggregator;
    struct num ipoib_mode, ipoib_pkey;
};

/* FRA_DSCP and FRA_FLOWLABEL of uapi/linux/fib_rules.h, Linux 6.13. */
enum { RULE_DSCP = 25, RULE_FLOWLABEL };

struct rtnl_address {
    struct address address;
    struct num ifindex;
};

int rtnl_parse_links(const void *bytes, size_t len, struct arena *arena, struct rtnl_link **links,
                     size_t *count);
int rtnl_parse_addresses(const void *bytes, size_t len, struct arena *arena, struct rtnl_address **addresses,
                         size_t *count);
/* netdev stays NULL in these: only the ifindex is known. */
int rtnl_parse_routes(const void *bytes, size_t len, struct arena *arena, struct route **routes,
                      size_t *count);
int rtnl_parse_neighbours(const void *bytes, size_t len, struct arena *arena, struct neighbour **neighbours,
                          size_t *count);
int rtnl_parse_rules(const void *bytes, size_t len, struct arena *arena, struct rule **rules, size_t *count);

/* The answer to a question for a netdev's root qdisc: its traffic classes, in arena, or NULL: another kind of qdisc. */
int rtnl_parse_qdisc(const void *bytes, size_t len, struct arena *arena,
                     const struct traffic_classes **classes);
/* What a qdisc's TCA_OPTIONS say of traffic classes, found by their form: mqprio's begin with it, taprio's
 * have it among their attributes. false: nothing. */
bool rtnl_priority_map(const struct nlattr *options, bool *nested, struct tc_mqprio_qopt *map);

/* A hardware address of up to 32 bytes as text: "52:54:00:00:00:0a". NULL when it's empty. */
const char *rtnl_mac_text(const void *bytes, size_t len, struct arena *arena);

/* The kernel's words for numbers; NULL for one that has none. */
const char *rtnl_operstate_text(struct num operstate);
const char *rtnl_bond_mode_text(struct num mode);
const char *rtnl_bond_policy_text(struct num policy);
const char *rtnl_bond_mii_text(struct num mii);
const char *rtnl_macvlan_mode_text(struct num mode);
const char *rtnl_ipvlan_mode_text(struct num mode);
