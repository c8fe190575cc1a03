/* SPDX-License-Identifier: MIT */
/* A netdev's priorities as one chain, for people and for programs. */
#pragma once

#include "model/qos.h"
#include "view/listing.h"
#include "view/rows.h"

/* The settings of one netdev, and the ports they apply to. */
struct qos_subject {
    const struct netdev *netdev; /* the hardware's, or the port's own if no lower one reports any */
    const struct qos *qos;       /* NULL: it reports nothing */
    struct port_row *ports;      /* none: the netdev carries no RDMA device */
    size_t nports;
    const struct netdev **vlans; /* on top of it: their frames are tagged */
    size_t nvlans;
};

struct qos_subjects {
    struct qos_subject *items;
    size_t count;
};
/* The subject of a netdev, added if it isn't there yet; like all of them in the host's arena. */
struct qos_subject *qos_subject_of(struct host *host, struct qos_subjects *subjects,
                                   const struct netdev *netdev);
/* Those of the selected ports. */
void qos_subjects_of(struct host *host, const struct selection *selection, struct qos_subjects *subjects);

/* For a subject without qos: why there are no priorities to show, as a clause. */
const char *qos_absence_text(const struct qos_subject *subject);
/* One row per priority; rows live in the host's arena. */
struct listing qos_priorities(const struct host *host, const struct qos_subject *subject);
extern const char qos_priorities_shown[]; /* their columns for a person, in order */

/* Does it say something of priorities, pauses, drops or errors? */
bool qos_statistic_matters(const struct qos_statistic *statistic);

json_t *qos_json(const struct host *host, const struct qos_subject *subject, bool all_statistics);
/* Its APP entries; a new reference. */
json_t *qos_apps_json(const struct qos_dcb *dcb);
/* What is at the other end of a cable, for a line: "leaf1 swp5s0: PFC 3, …", with what differs from the
 * settings here in brackets (NULL: they aren't known); and those of a netdev as an array. */
const char *neighbor_text(struct arena *arena, const struct lldp_neighbor *neighbor,
                          const struct qos_dcb *here);
json_t *neighbors_json(const struct host *host, const struct netdev *netdev);
/* "2:3 6:5", the kernel's priority and the PCP; "": all have PCP 0; NULL: unknown. */
const char *vlan_map_text(struct arena *arena, const struct netdev *vlan);
void qos_print(const struct look *look, const struct host *host, const struct qos_subject *subject);

/* One TOS byte's path through a subject, untagged and on each VLAN, and whether it was lost on any of them. */
json_t *qos_path_json(const struct qos_path *path, const char *netdev);
void qos_path_print(const struct look *look, const struct qos_path *path, const struct qos_subject *subject,
                    const char *netdev);
/* Why, in a few words; NULL if it was kept. */
const char *qos_loss_text(enum qos_loss loss);
