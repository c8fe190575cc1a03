/* SPDX-License-Identifier: MIT */
/* The daemons that start jobs and containers, whose limits these inherit. */
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
    bool runs_jobs; /* else containers, which have other ways to more memory as well */
};
extern const struct daemon_def daemon_defs[];
/* "slurmd 812 slurmd.service", a line of probe/daemons. false: it is of none that is known. The texts are static. */
bool daemon_parse(const char *line, size_t len, struct daemon *daemon);
bool daemon_runs_jobs(const struct daemon *daemon);
