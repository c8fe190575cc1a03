/* SPDX-License-Identifier: MIT */
#include "model/daemons.h"

#include <stdio.h>
#include <string.h>

/* A job of Slurm has slurmd's limit unless the submitter's is propagated, and that can be no higher (Slurm's
 * FAQ, on memlock). A container has the limit of the daemon that starts its shim: containerd (gardenlinux
 * pull request 170 measured it; NVIDIA/nvidia-container-toolkit issue 2037) or CRI-O (crio.conf,
 * default_ulimits). Docker's are started by containerd, too; kubelet starts none. A login over SSH gets what
 * PAM gives it, which sshd's own limit doesn't tell. */
const struct daemon_def daemon_defs[] = {
    { "slurmd", "slurmd.service", DAEMON_JOBS },
    { "containerd", "containerd.service", DAEMON_CONTAINERS },
    { "containerd", "docker.service", DAEMON_CONTAINERS },
    { "dockerd", "docker.service", DAEMON_CONTAINERS },
    { "crio", "crio.service", DAEMON_CONTAINERS },
    { "containerd", "k3s.service", DAEMON_CONTAINERS },
    { "containerd", "k3s-agent.service", DAEMON_CONTAINERS },
    { "containerd", "rke2-server.service", DAEMON_CONTAINERS },
    { "containerd", "rke2-agent.service", DAEMON_CONTAINERS },
    { "containerd", "snap.microk8s.daemon-containerd.service", DAEMON_CONTAINERS },
    { "irqbalance", "irqbalance.service", DAEMON_INTERRUPTS },
    { 0 },
};

bool daemon_parse(const char *line, size_t len, struct daemon *daemon)
{
    char copy[128], program[16], unit[64];
    unsigned long long pid;
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, line, len);
    copy[len] = '\0';
    if (sscanf(copy, "%15s %llu %63s", program, &pid, unit) != 3)
        return false;
    for (const struct daemon_def *def = daemon_defs; def->program; def++)
        if (strcmp(def->program, program) == 0 && strcmp(def->unit, unit) == 0) {
            *daemon = (struct daemon){ .program = def->program, .unit = def->unit, .pid = pid };
            return true;
        }
    return false;
}

enum daemon_role daemon_role(const struct daemon *daemon)
{
    for (const struct daemon_def *def = daemon_defs; def->program; def++)
        if (strcmp(def->program, daemon->program) == 0)
            return def->role;
    return DAEMON_CONTAINERS;
}
