/* SPDX-License-Identifier: MIT */
#include "view/problems.h"

#include <stdio.h>

#include "base/say.h"

void problems_say(const struct host *host)
{
    fflush(stdout); /* they come below, also where both go to one place */
    for (size_t i = 0; host && i < host->nproblems; i++) {
        const struct problem *problem = &host->problems[i];
        say_warning("cannot read '%s': %s%s%s", problem->what, say_errno(problem->err),
                    problem->note ? ": " : "", problem->note ? problem->note : "");
    }
}
