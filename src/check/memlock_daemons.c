/* SPDX-License-Identifier: MIT */
/* How much memory may be locked where jobs and containers run, which is what their daemon may:
 * model/daemons.h. Root learns nothing of that by looking at itself. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "check/judge.h"
#include "model/daemons.h"

static bool runs(const struct system *system, const char *program)
{
    for (size_t i = 0; i < system->ndaemons; i++)
        if (strcmp(system->daemons[i].program, program) == 0)
            return true;
    return false;
}

static void fix_daemon(struct judgement *j, const struct system *system, const struct daemon *daemon)
{
    bool docker = strcmp(daemon->program, "containerd") == 0 && runs(system, "dockerd");
    bool jobs = daemon_role(daemon) == DAEMON_JOBS;
    judge_fix(
        j,
        "mkdir -p /etc/systemd/system/%s.d && printf '[Service]\\nLimitMEMLOCK=infinity\\n' >/etc/systemd/system/%s.d/memlock.conf && systemctl daemon-reload && systemctl restart %s # %s%s",
        daemon->unit, daemon->unit, daemon->unit,
        jobs                                      ? "jobs that run go on with what they have; and PropagateResourceLimitsExcept=MEMLOCK in slurm.conf, or submit with a high limit"
        : text_is(daemon->unit, "docker.service") ? "stops containers unless live-restore is on"
                                                  : "containers that run go on with what they have",
        docker ? "; for one container: docker run --ulimit memlock=-1:-1" : "");
}

/* dockerd is known for what it says of containerd: containers aren't its own children. */
static bool starts_something(const struct daemon *daemon)
{
    return strcmp(daemon->program, "dockerd") != 0 && daemon_role(daemon) != DAEMON_INTERRUPTS;
}

static const char *limit_text(struct judgement *j, struct num limit)
{
    return limit.value == UINT64_MAX ? "unlimited"
                                     : arena_printf(j->arena, "%" PRIu64 " KiB", limit.value / 1024);
}

/* Up to the hard one who inherits both can raise the other. */
static const char *limits_text(struct judgement *j, const struct daemon *daemon)
{
    const char *soft = limit_text(j, daemon->memlock_soft);
    if (!daemon->memlock_hard.known || daemon->memlock_hard.value == daemon->memlock_soft.value)
        return soft;
    return arena_printf(j->arena, "%s, up to %s for those who ask", soft, limit_text(j, daemon->memlock_hard));
}

/* A job that may lock too little fails; a container that needs more has the capability or a limit of its own. */
static enum verdict judge_daemon(const struct subject *s, struct judgement *j, const struct daemon *daemon)
{
    if (!daemon->memlock_soft.known)
        return judge_unknown(j, "/proc/%" PRIu64 "/limits of %s could not be read", daemon->pid,
                             daemon->program);
    bool jobs = daemon_role(daemon) == DAEMON_JOBS;
    bool low = daemon->memlock_soft.value < MEMLOCK_ENOUGH;
    fix_daemon(j, &s->host->system, daemon);
    return judge_as(
        j,
        !low   ? VERDICT_PASS
        : jobs ? VERDICT_WARN
               : VERDICT_INFO,
        "/proc/%" PRIu64 "/limits of %s: Max locked memory %s%s", daemon->pid, daemon->program,
        limits_text(j, daemon),
        !low   ? ""
        : jobs ? ", which jobs inherit"
               : ", which containers inherit that have neither CAP_IPC_LOCK as root nor a limit of their own");
}

static enum verdict judge_daemons(const struct subject *s, struct judgement *j)
{
    const struct system *system = &s->host->system;
    enum verdict worst = VERDICT_NA;
    if (!s->host->ndevices || host_has_soft_devices_only(s->host))
        return judge_na(j, "no RDMA device of hardware");
    if (!system->daemons_known)
        return judge_unknown(j, "which daemons run isn't known: a recording without their list");
    judge_na(j, "neither slurmd nor a container runtime is a service here");
    for (size_t i = 0; i < system->ndaemons; i++) {
        struct judgement own = { .arena = j->arena };
        if (!starts_something(&system->daemons[i]))
            continue;
        enum verdict verdict = judge_daemon(s, &own, &system->daemons[i]);
        if (verdict > worst) {
            worst = verdict;
            *j = own;
        }
    }
    return worst;
}

const struct check checks_memlock_daemons[] = {
    { .id = "memlock-services",
      .topic = "access",
      .healthy = "jobs and containers may lock enough memory",
      .why = "A Slurm job may lock as much memory as slurmd, and a container as much as its runtime, whatever a login shell is allowed: registering memory fails there with \"Cannot allocate memory\" although it works by hand.",
      .fix = "LimitMEMLOCK=infinity in the unit of the daemon",
      .fires_on = "fault-services",
      .scope = SCOPE_HOST,
      .needs = NEED_SYSTEM | NEED_PCI,
      .judge = judge_daemons },
    { 0 },
};
