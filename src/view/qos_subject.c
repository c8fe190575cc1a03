/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/mem.h"
#include "view/qos.h"
#include "view/rows.h"

struct qos_subject *qos_subject_of(struct host *host, struct qos_subjects *subjects,
                                   const struct netdev *netdev)
{
    const struct qos *qos = host_find_qos(host, netdev);
    const struct netdev *settings = qos ? host_find_netdev(host, qos->netdev) : netdev;
    for (size_t i = 0; i < subjects->count; i++)
        if (subjects->items[i].netdev == settings)
            return &subjects->items[i];
    struct qos_subject *subject = ARENA_PUSH(host->arena, subjects->items, subjects->count);
    subject->netdev = settings;
    subject->qos = qos;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *upper = &host->netdevs[i];
        if (upper->kind == NETDEV_VLAN && netdev_is_above(host, upper, settings))
            *ARENA_PUSH(host->arena, subject->vlans, subject->nvlans) = upper;
    }
    return subject;
}

void qos_subjects_of(struct host *host, const struct selection *selection, struct qos_subjects *subjects)
{
    size_t count;
    const struct port_row *rows = port_rows(host, selection, &count);
    for (size_t i = 0; i < count; i++) {
        const struct port *port = rows[i].port;
        const struct netdev *netdev = port_netdev(host, port);
        if (!netdev)
            continue;
        struct qos_subject *subject = qos_subject_of(host, subjects, netdev);
        *ARENA_PUSH(host->arena, subject->ports, subject->nports) = port;
    }
}

const char *qos_absence_text(const struct qos_subject *subject)
{
    return subject->netdev->kind == NETDEV_IPOIB
               ? "none: IPoIB uses service levels, which the subnet manager sets"
               : "not known: this netdev has none of its own, and there is no NIC below it to ask";
}
