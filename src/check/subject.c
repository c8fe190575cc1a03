/* SPDX-License-Identifier: MIT */
/* The subject of a check: its name, the hardware below it, and whether it was asked about. */
#include "check/judge.h"

void subject_format(const struct subject *subject, char text[static 160])
{
    if (subject->port)
        snprintf(text, 160, "%s/%u", subject->device->name, subject->port->number);
    else
        snprintf(text, 160, "%s",
                 subject->device   ? subject->device->name
                 : subject->netdev ? subject->netdev->name
                                   : "host");
}

const struct netdev *hardware_of(const struct subject *s)
{
    const struct netdev *base = s->netdev ? netdev_base(s->host, s->netdev) : NULL;
    const struct netdev *member = base && base->kind == NETDEV_BOND && base->nmembers
                                      ? host_find_netdev(s->host, base->members[0])
                                      : NULL;
    return member ? member : base;
}

bool check_takes_device(const struct check_selection *selection, const struct device *device)
{
    return !selection || !selection->named || selection_has_device(selection->named, device);
}

bool check_takes_port(const struct check_selection *selection, const struct port *port)
{
    return !selection || !selection->named || selection_has_port(selection->named, port);
}
