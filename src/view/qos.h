/* SPDX-License-Identifier: MIT */
/* A netdev's priorities as one chain: for people and for programs. */
#pragma once

#include <jansson.h>

#include "model/host.h"
#include "model/qos.h"
#include "model/selection.h"
#include "view/listing.h"
#include "view/output.h"

/* The settings of one netdev, and the ports that go by them. */
struct qos_subject {
    const struct netdev *netdev; /* the hardware's, or the port's own when none below tells */
    const struct qos *qos;       /* NULL: it tells nothing */
    const struct port **ports;   /* none: the netdev carries no RDMA device */
    size_t nports;
    const struct netdev **vlans; /* above it: their frames are tagged */
    size_t nvlans;
};

struct qos_subjects {
    struct qos_subject *items;
    size_t count;
};
/* The subject of a netdev, added when it isn't there; in the host's arena, as its like. */
struct qos_subject *qos_subject_of(struct host *host, struct qos_subjects *subjects,
                                   const struct netdev *netdev);
/* Those of the selected ports. */
void qos_subjects_of(struct host *host, const struct selection *selection, struct qos_subjects *subjects);

/* Of a subject without qos: why there are no priorities to tell of, as a clause. */
const char *qos_absence_text(const struct qos_subject *subject);
/* A row for each priority; rows live in the host's arena. */
struct listing qos_priorities(const struct host *host, const struct qos_subject *subject);

/* Every statistic, or only those that speak of priorities, pause and drops. */
bool qos_statistic_matters(const char *name);

json_t *qos_json(const struct qos_subject *subject, bool all_statistics);
/* "2:3 6:5", the kernel's priority and the PCP; "": all have PCP 0; NULL: not known. */
const char *vlan_map_text(struct arena *arena, const struct netdev *vlan);
void qos_print(const struct look *look, const struct host *host, const struct qos_subject *subject);

/* The way of one TOS byte through a subject: untagged, and on each VLAN. Says whether it was lost on any. */
json_t *qos_path_json(const struct qos_path *path, const char *netdev);
void qos_path_print(const struct look *look, const struct qos_path *path, const struct qos_subject *subject,
                    const char *netdev);
/* Why, in a few words; NULL: it was kept. */
const char *qos_loss_text(enum qos_loss loss);
