/* SPDX-License-Identifier: MIT */
/* What the kernel's log says beside the end of a connection: which of its lines, and of which connections. */
#include "command/trace_feed.h"
#include "explain/knowledge.h"

enum { LOG_NEAR_US = 1000000 };

/* The service that a line of the log begins with, or that has a CM id under a module's name; NULL: none. */
static const char *service_of(const char *text)
{
    static const struct {
        const char *begins, *service;
    } services[] = {
        { "nvme", "NVMe" },    { "rpcrdma", "NFS" }, { "svcrdma", "NFS" },    { "iser", "iSER" },
        { "ib_iser", "iSER" }, { "RDS/", "RDS" },    { "rds_rdma", "RDS" },   { "smc", "SMC" },
        { "ib_srp", "SRP" },   { "scsi ", "SRP" },   { "smb_direct", "SMB" }, { "CIFS", "SMB" },
        { "cifs", "SMB" },     { "ksmbd", "SMB" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(services); i++)
        if (text_starts(text, services[i].begins))
            return services[i].service;
    return NULL;
}

/* What explain knows of no service may be no trouble at all. */
bool log_line_is_known(const char *text)
{
    struct reading reading = { .status = -1 };
    const struct log_pattern *pattern = kernel_log_pattern(text);
    return (pattern && pattern->weight != LOG_NOTICE) ||
           (service_of(text) && line_read(text, strlen(text), &reading) && reading.message &&
            text_is(reading.message->program, "kernel"));
}

bool log_line_matters(const struct host *host, const char *text, struct trace_line *line)
{
    line->kind = LINE_LOG;
    snprintf(line->text, sizeof(line->text), "%s", text);
    for (size_t i = 0; host && i < host->ndevices && !*line->event.device; i++)
        if (kernel_log_is_about(host, text, &host->devices[i]))
            snprintf(line->event.device, sizeof(line->event.device), "%s", host->devices[i].name);
    return *line->event.device || service_of(text);
}

bool log_line_is_of(const struct trace_line *line, const struct trace_step *step)
{
    const char *service = service_of(line->text), *other = service_of(step->name);
    uint64_t apart = line->time_us > step->time_us ? line->time_us - step->time_us
                                                   : step->time_us - line->time_us;
    bool ends = step->kind >= STEPS_FAILED || step->kind == STEP_OF_CLOSED || step->kind == STEP_OF_ENDED;
    return ends && apart <= LOG_NEAR_US &&
           ((*step->device && strcmp(line->event.device, step->device) == 0) ||
            (service && step->in_kernel && (!other || strcmp(service, other) == 0)));
}
