/* SPDX-License-Identifier: MIT */
/* Devices, ports and GIDs in the order in which originals list them. */
#include "view/dropin.h"

static int compare_devices(const void *a, const void *b, void *order)
{
    const struct device *const *x = a, *const *y = b;
    return (*(dropin_order **)order)((*x)->name, (*y)->name);
}

const struct device **dropin_devices(const struct host *host, dropin_order *order)
{
    const struct device **devices = arena_alloc(host->arena, host->ndevices + 1, sizeof(*devices));
    for (size_t i = 0; i < host->ndevices; i++)
        devices[i] = &host->devices[i];
    qsort_r(devices, host->ndevices, sizeof(*devices), compare_devices, &order);
    return devices;
}

static int compare_verbs_order(const void *a, const void *b)
{
    const struct device *const *x = a, *const *y = b;
    uint64_t i = (*x)->verbs_order.value, j = (*y)->verbs_order.value;
    return (i > j) - (i < j);
}

const struct device **dropin_verbs_devices(const struct host *host)
{
    const struct device **devices = arena_alloc(host->arena, host->ndevices + 1, sizeof(*devices));
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].verbs_order.known)
            devices[count++] = &host->devices[i];
    qsort(devices, count, sizeof(*devices), compare_verbs_order);
    return devices;
}

static int compare_as_text(uint32_t a, uint32_t b)
{
    char x[16], y[16];
    snprintf(x, sizeof(x), "%" PRIu32, a);
    snprintf(y, sizeof(y), "%" PRIu32, b);
    return strcmp(x, y);
}

static int compare_ports(const void *a, const void *b)
{
    const struct port *const *x = a, *const *y = b;
    return compare_as_text((*x)->number, (*y)->number);
}

const struct port **dropin_ports(const struct host *host, const struct device *device)
{
    const struct port **ports = arena_alloc(host->arena, device->nports + 1, sizeof(*ports));
    for (size_t i = 0; i < device->nports; i++)
        ports[i] = &device->ports[i];
    qsort(ports, device->nports, sizeof(*ports), compare_ports);
    return ports;
}

static int compare_gids(const void *a, const void *b)
{
    const struct gid *const *x = a, *const *y = b;
    return compare_as_text((*x)->index, (*y)->index);
}

const struct gid **dropin_gids(const struct host *host, const struct port *port, size_t *count)
{
    size_t slots = port->ngids + port->nbare_gids;
    const struct gid **gids = arena_alloc(host->arena, slots + 1, sizeof(*gids));
    for (size_t i = 0; i < slots; i++)
        gids[i] = i < port->ngids ? &port->gids[i] : &port->bare_gids[i - port->ngids];
    qsort(gids, slots, sizeof(*gids), compare_gids);
    *count = slots;
    return gids;
}

const char *dropin_text(const struct host *host, const char *text)
{
    if (!text || text_is_clean(text))
        return text ? text : "";
    return arena_take(host->arena, text_clean(text, TEXT_KEEP_NEWLINES));
}
