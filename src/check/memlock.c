/* SPDX-License-Identifier: MIT */
/* How much memory may be locked. */
#include "check/judge.h"

enum { MIB = 1 << 20, MEMLOCK_USUAL = 8 * MIB };

/* A pod's spec can't set limits: the capability does instead, but only for root. */
static void fix_memlock_of_container(struct judgement *j, const struct system *system)
{
    enum container container = system->container;
    if (system->kubernetes)
        judge_advice(j, "in the container's spec: securityContext: {capabilities: {add: [IPC_LOCK]}}, and run "
                        "as root; for other users the container runtime's service needs LimitMEMLOCK=infinity");
    else if (container == CONTAINER_LXC)
        judge_advice(j,
                     "on the host: lxc config set {CONTAINER} limits.kernel.memlock unlimited # Incus: incus "
                     "config ...; plain LXC: lxc.prlimit.memlock = unlimited");
    else if (container == CONTAINER_NSPAWN)
        judge_advice(j, "start the container with --rlimit=RLIMIT_MEMLOCK=infinity");
    else if (container == CONTAINER_NONE || container == CONTAINER_UNNAMED || container == CONTAINER_APPTAINER)
        judge_advice(
            j, "raise the limit where the container is started: ulimit -l unlimited; in a user namespace, "
               "where CAP_IPC_LOCK doesn't help, also LimitMEMLOCK=infinity for user@.service on the host");
    else
        judge_advice(j, "start the container with --ulimit memlock=-1:-1%s",
                     system->user_namespace
                         ? " (rootless: also LimitMEMLOCK=infinity for user@.service on the host)"
                         : "");
}

static void fix_memlock(struct judgement *j, const struct system *system)
{
    if (system_is_container(system))
        fix_memlock_of_container(j, system);
    else
        judge_command(j, "echo '* - memlock unlimited' >/etc/security/limits.d/90-rdma.conf # then log in "
                         "again; for a service: LimitMEMLOCK=infinity in its unit");
}

JUDGE(memlock_limit)
{
    if (!s->system->memlock_soft.known)
        return judge_unknown(j, "/proc/self/limits could not be read");
    if (s->system->memlock_soft.value == UINT64_MAX)
        return judge_pass(j, "/proc/self/limits: Max locked memory unlimited");
    if (system_has_capability(s->system, CAPABILITY_IPC_LOCK) && !s->system->user_namespace)
        return judge_pass(j,
                          "CAP_IPC_LOCK in CapEff: the limit doesn't apply to this user (it does to others)");
    fix_memlock(j, s->system);
    uint64_t limit = s->system->memlock_soft.value;
    if (limit < MEMLOCK_ENOUGH && host_has_soft_devices_only(s->host))
        return judge_info(
            j, "/proc/self/limits: Max locked memory %" PRIu64 " KiB: enough for small tests of software RDMA",
            limit / 1024);
    return judge_as(
        j, limit < MEMLOCK_ENOUGH ? (limit <= MEMLOCK_USUAL ? VERDICT_FAIL : VERDICT_WARN) : VERDICT_PASS,
        "/proc/self/limits: Max locked memory %" PRIu64 " KiB", limit / 1024);
}

JUDGE(memlock_trial)
{
    const struct mlock_trial *trial = &s->system->mlock;
    if (!trial->tried)
        return judge_unknown(j, "not tried: this is a recording without a trial, or memory was short");
    if (trial->err == 0)
        return judge_pass(j, "mlock of %" PRIu64 " MiB succeeded (no more was tried)", trial->bytes / MIB);
    fix_memlock(j, s->system);
    const struct num *limit = &s->system->memlock_soft;
    if (limit->known && limit->value < trial->bytes && host_has_soft_devices_only(s->host))
        return judge_info(j, "mlock of %" PRIu64 " MiB: %s; only software RDMA needs it here",
                          trial->bytes / MIB, judge_errno(j, trial->err));
    return judge_fail(j, "mlock of %" PRIu64 " MiB: %s%s", trial->bytes / MIB, judge_errno(j, trial->err),
                      s->system->user_namespace ? ", in a user namespace" : "");
}

/* Kexec handover (KHO) sets memory aside for the next kernel and lends it out as CMA memory, from which nothing
 * long-lived may be allocated; it isn't counted in CmaTotal (NVIDIA/NV-Kernels pull request 591, with a trace
 * of migrate_pages() failing below pin_user_pages_fast() and ib_umem_get()). */
JUDGE(pinnable_memory)
{
    enum { MIB_IN_KIB = 1024 };
    if (!s->system->cma_total.known || !s->system->cma_free.known)
        return judge_na(j, "/proc/meminfo tells of no CMA");
    if (s->system->cma_total.value || !s->system->cma_free.value)
        return judge_pass(j, "/proc/meminfo: CmaTotal %" PRIu64 " kB, CmaFree %" PRIu64 " kB",
                          s->system->cma_total.value, s->system->cma_free.value);
    judge_advice(j,
                 "add kho=off to the kernel's command line%s and restart: not where kexec handover or live "
                 "update is wanted",
                 system_is_container(s->system) ? ", on the host," : "");
    return judge_warn(j, "/proc/meminfo: CmaTotal 0 kB, and yet CmaFree %" PRIu64 " MiB",
                      s->system->cma_free.value / MIB_IN_KIB);
}

/* How much memory jobs and containers may lock, which is what their daemon may: model/system.h. Root can't
 * learn that from its own limit. */

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
    judge_command(
        j,
        "mkdir -p /etc/systemd/system/%s.d && printf '[Service]\\nLimitMEMLOCK=infinity\\n' "
        ">/etc/systemd/system/%s.d/memlock.conf && systemctl daemon-reload && systemctl restart %s # %s%s",
        daemon->unit, daemon->unit, daemon->unit,
        jobs ? "jobs that run go on with what they have; and PropagateResourceLimitsExcept=MEMLOCK in "
               "slurm.conf, or submit with a high limit"
        : text_is(daemon->unit, "docker.service") ? "stops containers unless live-restore is on"
                                                  : "containers that run go on with what they have",
        docker ? "; for one container: docker run --ulimit memlock=-1:-1" : "");
}

/* dockerd is listed for what it says about containerd, kubelet for what it says about the host: containers
 * aren't their own children. */
static bool starts_something(const struct daemon *daemon)
{
    return strcmp(daemon->program, "dockerd") != 0 && strcmp(daemon->program, "kubelet") != 0 &&
           daemon_role(daemon) != DAEMON_INTERRUPTS;
}

static const char *limit_text(struct judgement *j, struct num limit)
{
    return limit.value == UINT64_MAX ? "unlimited"
                                     : arena_printf(j->arena, "%" PRIu64 " KiB", limit.value / 1024);
}

/* Whoever inherits both limits can raise the soft one up to the hard one. */
static const char *limits_text(struct judgement *j, const struct daemon *daemon)
{
    const char *soft = limit_text(j, daemon->memlock_soft);
    if (!daemon->memlock_hard.known || daemon->memlock_hard.value == daemon->memlock_soft.value)
        return soft;
    return arena_printf(j->arena, "%s, up to %s for those who ask", soft, limit_text(j, daemon->memlock_hard));
}

/* A job that may lock too little fails; a container that needs more has the capability or its own limit. */
static enum verdict judge_daemon(const struct subject *s, struct judgement *j, const struct daemon *daemon)
{
    if (!daemon->memlock_soft.known)
        return judge_unknown(j, "/proc/%" PRIu64 "/limits of %s could not be read", daemon->pid,
                             daemon->program);
    bool jobs = daemon_role(daemon) == DAEMON_JOBS;
    bool low = daemon->memlock_soft.value < MEMLOCK_ENOUGH;
    fix_daemon(j, s->system, daemon);
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

JUDGE(memlock_services)
{
    enum verdict worst = VERDICT_NA;
    if (!s->host->ndevices || host_has_soft_devices_only(s->host))
        return judge_na(j, "no RDMA device of hardware");
    if (!s->system->daemons_known)
        return judge_unknown(j, "which daemons run isn't known: a recording without their list");
    judge_na(j, "neither slurmd nor a container runtime is a service here");
    for (size_t i = 0; i < s->system->ndaemons; i++) {
        struct judgement own = { .arena = j->arena };
        if (!starts_something(&s->system->daemons[i]))
            continue;
        enum verdict verdict = judge_daemon(s, &own, &s->system->daemons[i]);
        if (verdict > worst) {
            worst = verdict;
            *j = own;
        }
    }
    return worst;
}
