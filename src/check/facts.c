/* SPDX-License-Identifier: MIT */
/* Questions that several checks ask of a host and of what a check is about. */
#include <net/if.h>

#include "check/judge.h"
#include "model/statistics.h"

bool port_carries_traffic(const struct subject *subject)
{
    return !(subject->netdev && subject->netdev->kind == NETDEV_REPRESENTOR) &&
           !device_is_smi(subject->port->device) && !port_is_raw(subject->port);
}

bool netdev_is_backup(const struct netdev *netdev)
{
    return netdev && netdev->member && num_is(netdev->member->state, 1);
}

bool port_does_roce(const struct subject *subject)
{
    return port_is_roce(subject->port) && port_carries_traffic(subject) && !port_has_roce_off(subject->port);
}

const struct port *host_infiniband_port(const struct host *host)
{
    const struct port *port = NULL;
    while ((port = host_next_port(host, port)))
        if (port->transport == TRANSPORT_INFINIBAND && port_is_active(port))
            return port;
    return NULL;
}

bool host_has_soft_devices_only(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (!device_is_soft(&host->devices[i]))
            return false;
    return host->ndevices > 0;
}

uint64_t netdev_file_flags(const struct netdev *netdev)
{
    return netdev->flags.value & ~UINT64_C(0x70040);
}

bool netdev_is_switched_off(const struct netdev *netdev)
{
    return netdev && netdev->flags.known && !(netdev->flags.value & IFF_UP);
}

static bool same_num(struct num a, struct num b)
{
    return a.known && b.known && a.value == b.value;
}

bool device_board_is_known(const struct host *host, const struct device *device)
{
    const struct pci *pci = device_function(host, device);
    return pci && pci->vendor.known && pci->device.known;
}

bool devices_are_siblings(const struct host *host, const struct device *a, const struct device *b)
{
    const struct pci *pa = device_function(host, a), *pb = device_function(host, b);
    if (!pa || !pb || !same_num(pa->vendor, pb->vendor) || !same_num(pa->device, pb->device))
        return false;
    if (a->board_id && b->board_id)
        return strcmp(a->board_id, b->board_id) == 0;
    return same_num(pa->subsystem_vendor, pb->subsystem_vendor) &&
           same_num(pa->subsystem_device, pb->subsystem_device);
}

const struct port *port_next_sibling(const struct subject *subject, const struct port *port)
{
    while ((port = host_next_port(subject->host, port)))
        if (port != subject->port && port_is_active(port) &&
            devices_are_siblings(subject->host, subject->device, port->device))
            return port;
    return NULL;
}

const char *port_path(struct judgement *judgement, const struct port *port, const char *file)
{
    return arena_printf(judgement->arena, "/sys/class/infiniband/%s/ports/%u/%s", port->device->name,
                        port->number, file);
}

static int sysctl_number(const struct system *system, const char *netdev, const char *key)
{
    char name[128];
    uint64_t value;
    snprintf(name, sizeof(name), "net/ipv4/conf/%s/%s", netdev, key);
    const char *text = system_sysctl(system, name);
    return text && text_to_u64(text, 10, &value) == 0 && value < 100 ? (int)value : -1;
}

int sysctl_of_netdev(const struct system *system, const char *netdev, const char *key)
{
    int all = sysctl_number(system, "all", key), one = sysctl_number(system, netdev, key);
    if (all < 0 || one < 0)
        return -1;
    return all > one ? all : one;
}

const char *interval_text(struct judgement *judgement, const struct subject *subject)
{
    if (!subject->interval_ms)
        return "between the readings";
    return arena_printf(judgement->arena, "in %" PRIu64 ".%" PRIu64 " s", subject->interval_ms / 1000,
                        subject->interval_ms % 1000 / 100);
}

/* An LXC container's uptime is its own (lxcfs), and the counters are older. */
struct num host_uptime_h(const struct host *host)
{
    return host->system.container == CONTAINER_LXC ? (struct num){ 0 } : host->system.uptime_h;
}

const char *uptime_text(struct judgement *judgement, const struct host *host)
{
    struct num hours = host_uptime_h(host);
    enum { DAY = 24 };
    if (!hours.known)
        return "";
    return arena_printf(judgement->arena, ", %" PRIu64 " %s ago",
                        hours.value < 2 * DAY ? hours.value : hours.value / DAY,
                        hours.value < 2 * DAY ? "hours" : "days");
}

bool device_is_given(const struct host *host, const struct device *device)
{
    if (!system_is_container(&host->system) || !device->uverbs.tried || device->uverbs.err == 0 ||
        device->uverbs.err == EACCES)
        return true;
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].uverbs.tried && host->devices[i].uverbs.err == 0)
            return false;
    return true;
}

const struct qos *qos_in(const struct host *reading, const struct subject *subject)
{
    const struct netdev *netdev = subject->netdev ? host_find_netdev(reading, subject->netdev->name) : NULL;
    return netdev ? host_find_qos(reading, netdev) : NULL;
}

struct readings qos_twice(const struct subject *subject)
{
    struct readings readings = { qos_in(subject->before, subject), qos_in(subject->host, subject) };
    bool twice = readings.before && readings.now && text_is(readings.now->netdev, readings.before->netdev);
    return twice ? readings : (struct readings){ 0 };
}

uint64_t grown(uint64_t was, uint64_t is)
{
    return is > was ? is - was : 0;
}

void add_growth(struct growth *growth, struct judgement *j, const char *name, uint64_t was, uint64_t is)
{
    uint64_t delta = grown(was, is);
    growth->known++;
    growth->sum += delta;
    growth->most = delta > growth->most ? delta : growth->most;
    if (delta)
        growth->evidence = arena_printf(j->arena, "%s%s%s +%" PRIu64, growth->evidence ? growth->evidence : "",
                                        growth->evidence ? ", " : "", name, delta);
}

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
