/* SPDX-License-Identifier: MIT */
/* Active tests: do bytes flow through a pair of GIDs, unharmed, and how fast. The rooms, each of which may
 * include only those before it: diagnosis ← queues ← trial ← peer ← the files next to this one. */
#pragma once

#include "selftest/run.h"

/* Runs all that the options ask for. 0 when it came to its end, whatever the verdicts; -EINTR; -ECONNRESET:
 * the server is gone. */
int selftest_run(struct run *run);
