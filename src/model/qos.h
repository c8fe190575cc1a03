/* SPDX-License-Identifier: MIT */
/* How a netdev treats priorities: DCB (PFC, ETS, buffers, the DSCP map), pause, FEC, link settings,
 * statistics and its device's parameters. Filled when NEED_QOS is asked for, for netdevs that are hardware or
 * carry an RDMA device. */
#pragma once

#include "model/num.h"

struct counter_def; /* counters.h */

enum { PRIORITIES = 8, DSCPS = 64 };

/* Selectors of APP table entries (linux/dcbnl.h). */
enum { QOS_APP_ETHERTYPE = 1, QOS_APP_STREAM, QOS_APP_DGRAM, QOS_APP_ANY, QOS_APP_DSCP, QOS_APP_PCP = 255 };

struct qos_app {
    uint8_t selector;
    uint8_t priority;
    uint16_t protocol; /* the DSCP, PCP, ethertype or port */
};

enum {
    DCBX_HOST = 1,
    DCBX_LLD_MANAGED = 2,
    DCBX_CEE = 4,
    DCBX_IEEE = 8,
    DCBX_STATIC = 16
}; /* DCB_CAP_DCBX_* */

enum qos_trust { TRUST_UNKNOWN, TRUST_PCP, TRUST_DSCP };

/* IEEE 802.1Qaz as dcbnl reports it. */
struct qos_dcb {
    struct num dcbx; /* DCBX_* */
    bool has_pfc;
    uint8_t pfc_cap;     /* how many priorities can have PFC */
    uint8_t pfc_enabled; /* bit per priority */
    uint8_t macsec_bypass;
    uint16_t pfc_delay;
    uint64_t pfc_sent[PRIORITIES], pfc_received[PRIORITIES]; /* PFC frames: requests, indications */
    bool has_ets;
    uint8_t willing, ets_cap, cbs;
    uint8_t tc_bandwidth[PRIORITIES]; /* percent, of TCs whose tsa is ETS */
    uint8_t tc_tsa[PRIORITIES];       /* 0 strict, 1 credit-based shaper, 2 ETS, 255 vendor */
    uint8_t priority_tc[PRIORITIES];
    bool has_maxrate;
    uint64_t tc_maxrate[PRIORITIES]; /* kbit/s, 0: unlimited */
    bool has_buffer;
    uint8_t priority_buffer[PRIORITIES];
    uint32_t buffer_size[PRIORITIES], buffer_total; /* bytes */
    struct qos_app *apps;
    size_t napps;
    bool apps_known;
    uint8_t *trust_order; /* selectors in the trust table; the first wins */
    size_t ntrust_order;
    bool has_trust_order;
    const struct qos_dcb *peer; /* the other end's, where the driver tells; NULL: it doesn't */
};

struct qos_ethtool {
    enum tristate pause_autoneg, pause_rx, pause_tx;
    struct num pause_frames_sent, pause_frames_received;
    enum tristate autoneg;
    struct num speed_mbps, lanes;
    struct num supported_mbps, advertised_mbps; /* the fastest of its link modes */
    const char *duplex;                         /* "full", "half" */
    enum tristate link;
    const char *link_ext_state; /* why there is no link: "No cable" */
    const char *fec_active;     /* "rs", "baser", "llrs", "off"; NULL: not known */
    const char **fec_configured;
    size_t nfec_configured;
    enum tristate fec_auto;
    struct num fec_corrected, fec_uncorrectable; /* blocks */
};

/* A statistic by the driver's own name (ethtool -S). */
struct qos_statistic {
    const char *name;
    uint64_t value;
    const struct counter_def *def; /* what it means (statistics.h), by host_finish(); NULL: not known */
    unsigned priority;             /* that the name has; PRIORITIES: none */
};

/* A devlink parameter of the device below: one value per configuration mode. */
struct qos_parameter {
    const char *device; /* "pci/0000:17:00.0" */
    const char *name;   /* "enable_roce" */
    const char *mode;   /* "runtime", "driverinit", "permanent" */
    bool is_boolean;
    bool boolean;
    const char *text; /* number or string as text; "true" or "false" */
};

/* devlink's health reporters of the device below, one for each part of its hardware, firmware or driver. */
struct qos_reporter {
    const char *device;            /* "pci/0000:17:00.0" */
    const char *name;              /* "fw", "fw_fatal", "tx", "rx", … */
    enum tristate error;           /* in error now */
    struct num errors, recoveries; /* since the driver was loaded */
};

/* A port's pluggable module as read over I2C (ethtool -m): values common to all kinds. */
struct qos_module {
    bool known;
    bool flat;                          /* it has no sensors: a copper cable */
    const char *kind;                   /* "SFP", "QSFP28", "OSFP", …; NULL: unknown to roce */
    const char *state;                  /* CMIS: "ready", "low power", "fault", … */
    struct snum temperature, warm, hot; /* 1/256 °C: now, and the vendor's warning and alarm thresholds */
    enum tristate dark;                 /* no light arrives on any lane: SFP and SFF-8636 only */
};

struct qos {
    const char *netdev;
    enum qos_trust trust_file; /* sys/class/net/NAME/qos/trust of older MLNX_OFED drivers */
    int dcb_err;               /* why dcb isn't known; 0: it is */
    struct qos_dcb dcb;
    struct qos_ethtool ethtool;
    struct qos_statistic *statistics;
    size_t nstatistics;
    const char *devlink; /* "pci/0000:17:00.0"; NULL: none */
    struct qos_parameter *parameters;
    size_t nparameters;
    struct qos_reporter *reporters; /* with NEED_HEALTH */
    size_t nreporters;
    int health_err; /* errno: why they aren't known; 0: devlink answered */
    struct qos_module module;
    int module_err; /* why it isn't known: EPERM unless root, EOPNOTSUPP; 0: it is, or wasn't asked */
};

/* Which field of a frame the netdev trusts. The driver's file has the last word; without a trust table, APP
 * table entries for DSCPs mean that it trusts DSCPs (so does upstream mlx5: en_dcbnl.c). */
enum qos_trust qos_trust(const struct qos *qos);
const char *qos_trust_text(enum qos_trust trust); /* "dscp", "pcp"; NULL for UNKNOWN */
/* The priority of frames that don't state one: the APP table's default entry, else 0. */
unsigned qos_default_priority(const struct qos *qos);
/* The priority that a DSCP maps to under DSCP trust; *mapped: there is an entry for it. */
unsigned qos_dscp_priority(const struct qos *qos, unsigned dscp, bool *mapped);
/* "3, 4" for bits 3 and 4, "none" for 0; in arena. */
const char *qos_priorities_text(struct arena *arena, unsigned bits);
/* The same as an array of numbers. */
struct value; /* model/value.h */
struct value qos_priorities_value(struct arena *arena, unsigned bits);
enum { QOS_TSA_ETS = 2 };
const char *qos_tsa_text(uint8_t tsa); /* "strict", "cbs", "ets", "vendor"; else NULL */

struct host;
struct netdev;
struct device;
/* What was read of the netdev of this name itself; NULL: nothing, or one of them is NULL. */
const struct qos *host_qos_of(const struct host *host, const char *netdev);
/* The settings that apply to a netdev: its own, or those of the hardware below it (VLAN, macvlan, a bond's
 * first member that has some). NULL if there are none. */
const struct qos *host_find_qos(const struct host *host, const struct netdev *netdev);
/* devlink's enable_roce of the device's PCI function; *source says which parameter. */
enum tristate device_roce_parameter(const struct host *host, const struct device *device, const char **source);

/* Is the whole link lossless as far as this end is concerned: 802.3x pause in both directions, and no PFC,
 * which rules it out? */
bool qos_has_global_pause(const struct qos *qos);
/* A statistic by the driver's name; NULL if there is none, or no qos. */
const struct qos_statistic *qos_statistic(const struct qos *qos, const char *name);

/* What becomes of the TOS byte that an application or RDMA_CM asks for on a netdev. */
enum qos_loss {
    QOS_KEPT,
    QOS_LOST_UNKNOWN, /* the netdev doesn't report its settings */
    QOS_LOST_TRUST,   /* the netdev trusts the PCP, and the frames have no VLAN tag */
    QOS_LOST_MAP,     /* the DSCP has no entry of its own: it shares the default priority */
    QOS_LOST_PFC,     /* no PFC on the priority */
    QOS_LOST_BUFFER,  /* PFC, but no room in the buffer */
};

struct qos_path {
    unsigned tos, dscp, ecn;
    bool tagged;           /* the frames have a VLAN tag, hence a PCP */
    unsigned skb_priority; /* what the kernel turns the TOS into */
    struct num pcp;        /* of tagged frames, and the SL: from the VLAN's egress map, */
    const char *pcp_by;    /* or from traffic classes below, set by this qdisc ("mqprio"); NULL: the former */
    enum qos_trust trust;
    bool mapped;
    unsigned priority, tc;
    bool pfc;
    struct num buffer, buffer_size;
    enum qos_loss loss; /* the first that applies */
};

/* The kernel's priority of packets with this TOS: rt_tos2priority() of include/net/route.h. */
unsigned qos_tos_priority(unsigned tos);
/* vlan: the one that the frames leave by; NULL if they have no tag. The service level, and with it the PCP, is
 * what RDMA_CM computes (iboe_tos_to_sl() of drivers/infiniband/core/cma.c); an application that creates its
 * queue pairs itself chooses its own. qos may be NULL. */
struct qos_path qos_follow(const struct qos *qos, unsigned tos, const struct netdev *vlan);
/* The same for tagged frames of a queue pair whose service level the application has set: that is their PCP. */
struct qos_path qos_follow_sl(const struct qos *qos, unsigned tos, unsigned sl);

/* How many packets a port sent and received on each priority, as its netdev's driver counts them (ethtool -S).
 * Drivers that do: mlx5 (rx_prio0_packets: en_stats.c), mlx4 (rx_prio_0_packets: en_ethtool.c) and bnxt
 * (rx_packets_pri0: bnxt_ethtool.c), where priorities that share a queue share a counter. Not ionic, whose
 * frames_rx_pri_0 counts the pause frames of a priority. Pure. */

struct priority_counts {
    bool known; /* the driver counts packets by priority */
    uint64_t received[PRIORITIES], sent[PRIORITIES];
};

/* Adds the statistics of one netdev: each member of a bond counts separately. */
void priority_counts_add(struct priority_counts *counts, const struct qos_statistic *statistics, size_t count);
/* How much each has grown since before. */
struct priority_counts priority_counts_since(const struct priority_counts *now,
                                             const struct priority_counts *before);

/* The priority that a number of packets used, from how much one direction's counters have grown. They all used
 * the same one, and other traffic may use any: a priority that grew by less can't be it. */
enum priority_kind {
    PRIORITY_UNSEEN, /* none grew by that many: they weren't counted, or not yet */
    PRIORITY_ONE,
    PRIORITY_SHARED, /* one of those in mask, which share a counter */
    PRIORITY_MANY    /* several grew by that many, because of other traffic */
};
struct priority_found {
    enum priority_kind kind;
    unsigned mask; /* bit N: priority N */
};
struct priority_found priority_find(const uint64_t grown[static PRIORITIES], uint64_t packets);
/* "3", or "0-2 or 4" for shared ones; "" if it isn't known. */
enum { PRIORITY_TEXT_SIZE = 24 };
void priority_text(struct priority_found found, char text[static PRIORITY_TEXT_SIZE]);
