/* SPDX-License-Identifier: MIT */
/* The daemons that start jobs and containers, whose limits these inherit; and the one that moves interrupts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

struct daemon {
    const char *program; /* "slurmd" */
    const char *unit;    /* systemd's: "slurmd.service" */
    uint64_t pid;
    struct num memlock_soft,
        memlock_hard; /* bytes; UINT64_MAX is unlimited; not known: it could not be read */
};

/* The daemons that are known: the program, and the unit that it is in. program NULL ends. */
struct daemon_def {
    const char *program, *unit;
    enum daemon_role {
        DAEMON_CONTAINERS, /* it starts them; they have other ways to more memory as well */
        DAEMON_JOBS,
        DAEMON_INTERRUPTS, /* it starts nothing */
    } role;
};
extern const struct daemon_def daemon_defs[];
/* "slurmd 812 slurmd.service", a line of probe/daemons. false: it is of none that is known. The texts are static. */
bool daemon_parse(const char *line, size_t len, struct daemon *daemon);
enum daemon_role daemon_role(const struct daemon *daemon);
