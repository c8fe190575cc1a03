/* SPDX-License-Identifier: MIT */
/* Rows that several listings share. */
#pragma once

#include "check/check.h"
#include "model/selection.h"
#include "model/users.h"
#include "view/column.h"

/* The first columns of rows with a member named port. */
/* A port, and what the checks say of it where they were asked (see port_rows_judge). */
struct port_row {
    const struct port *port;
    struct port_verdict verdict;
};

/* One counter of a device or port. */
struct counter_row {
    const struct device *device;
    const struct port *port; /* NULL: a counter of the whole device */
    const char *netdev;      /* whose statistic it is; NULL: a counter of RDMA's */
    const struct counter *counter;
    struct counter_delta delta; /* for --watch */
    double rate;                /* per second */
    const char *plot;           /* of recent rates; NULL if none was asked for */
};

/* A process or service that uses a device (see users_find). */
struct user_row {
    const struct user *user;
};

/* A row for each selected port, in the host's arena. */
struct port_row *port_rows(const struct host *host, const struct selection *selection, size_t *count);

/* A row for each counter of RDMA's of the selected devices and ports, a device's own first, likewise. */
struct counter_row *counter_rows(const struct host *host, const struct selection *selection, size_t *count);

/* Fills in the verdicts. */
void port_rows_judge(struct port_row *rows, size_t count, const struct report *report);

/* The colour of a verdict. */
enum tone verdict_tone(enum verdict verdict);

/* What a listing says when it has no rows because there is no device. */
const char *no_device_text(const struct host *host);
/* Why nobody is listed when the kernel's lists of RDMA objects are missing. */
#define NO_RESOURCES_TEXT                                                                                    \
    "who holds RDMA resources is not known: the kernel has no NETLINK_RDMA, this container hides it, or it " \
    "was not recorded ('roce record' as root keeps it)"

/* Why a port's RDMA_CM defaults aren't known (port.cm_err); NULL for 0. */
const char *cm_unread_text(int err);
