/* SPDX-License-Identifier: MIT */
/* Rows that several listings share. */
#include "view/rows.h"

struct port_row *port_rows(const struct host *host, const struct selection *selection, size_t *count)
{
    struct port_row *rows = NULL;
    *count = 0;
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (selection_has_port(selection, port))
            ARENA_PUSH(host->arena, rows, *count)->port = port;
    return rows;
}

struct counter_row *counter_rows(const struct host *host, const struct selection *selection, size_t *count)
{
    struct counter_row *rows = NULL;
    *count = 0;
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p <= host->devices[d].nports; p++) {
            const struct device *device = &host->devices[d];
            const struct port *port = p ? &device->ports[p - 1] : NULL;
            const struct counter *counters = port ? port->counters : device->counters;
            size_t most = port ? port->ncounters : device->ncounters;
            if (!(port ? selection_has_port(selection, port) : selection_has_device(selection, device)))
                continue;
            for (size_t i = 0; i < most; i++)
                *ARENA_PUSH_MANY(host->arena, rows, *count) = (struct counter_row){ .device = device,
                                                                                    .port = port,
                                                                                    .counter = &counters[i] };
        }
    return rows;
}

void port_rows_judge(struct port_row *rows, size_t count, const struct report *report)
{
    for (size_t i = 0; i < count; i++)
        rows[i].verdict = check_port_verdict(report, rows[i].port);
}

enum tone verdict_tone(enum verdict verdict)
{
    static const enum tone tones[VERDICTS] = {
        [VERDICT_NA] = TONE_DIM,      [VERDICT_PASS] = TONE_GOOD, [VERDICT_INFO] = TONE_PLAIN,
        [VERDICT_UNKNOWN] = TONE_DIM, [VERDICT_WARN] = TONE_WARN, [VERDICT_FAIL] = TONE_BAD
    };
    return tones[verdict];
}

const char *no_device_text(const struct host *host)
{
    if (host->system.no_sys)
        return arena_printf(host->arena, "%s is not here: it is unknown whether there is an RDMA device",
                            host->system.no_sys);
    if (host_devices_unknown(host))
        return "/sys/class/infiniband can't be read: it is unknown whether there is an RDMA device";
    if (host->ndevices)
        return "nothing to show: the devices asked for have no port, or the operands leave them all out";
    return host->system.has_infiniband_class
               ? "no RDMA device on this machine; 'roce doctor' looks for the reason"
               : "no RDMA device on this machine: the kernel's RDMA core is not loaded; 'roce doctor' looks "
                 "for the reason";
}

const char *cm_unread_text(int err)
{
    switch (err) {
    case 0:
        return NULL;
    case EPERM:
    case EACCES:
        return "only root may look: the kernel shows it below a directory that must be made first";
    case ENOENT:
        return "rdma_cm is not loaded, or configfs not mounted on /sys/kernel/config";
    case ENODEV:
        return "rdma_cm does not know the device";
    }
    return say_errno(err);
}
