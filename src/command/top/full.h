/* SPDX-License-Identifier: MIT */
/* The full screen of `roce top`: frames and keys in, pictures out. */
#pragma once

#include <signal.h>

#include "command/context.h"
#include "command/top/feed.h"
#include "command/top/record.h"
#include "view/screen.h"

/* Runs until q, the end of the machine's patience, or *stopped. 0 or -errno; what is to be said is said once
 * the screen is closed: it takes over the screen. */
int full_run(const struct context *context, struct feed *feed, struct record *record, struct screen *screen,
             double interval, const volatile sig_atomic_t *stopped);
