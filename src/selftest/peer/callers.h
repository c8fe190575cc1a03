/* SPDX-License-Identifier: MIT */
/* Connections that haven't said HELLO yet. They cost no place and no thread; what one says is heard before it
 * is dropped for saying nothing. The caller of these functions passes the time (ns, as wait_now()). */
#pragma once

#include <poll.h>

#include "selftest/peer/limits.h"
#include "selftest/peer/wire.h"

/* CALLERS_MS: how long each may wait. */
enum { CALLERS_MOST = 64, CALLERS_MS = 3000 };

struct callers_host {
    /* It has greeted: fd isn't the callers' any more. */
    void (*greeted)(void *data, int fd, const struct source_key *source, const struct wire_hello *hello);
    /* It is gone. bad: it broke the rules. */
    void (*gone)(void *data, const struct source_key *source, bool bad);
    void *data;
};

struct callers;
struct callers *callers_new(const struct callers_host *host); /* NULL: no memory */
void callers_free(struct callers *callers);                   /* hangs up on all; NULL is fine */

/* Takes fd (not blocking) over, and hears what has come already. The more wait, the likelier one of them,
 * any, has to go for it. */
void callers_add(struct callers *callers, int fd, const struct source_key *source, uint64_t now);
void callers_watch(const struct callers *callers, struct pollfd fds[static CALLERS_MOST]);
/* After poll(2) of these. */
void callers_hear(struct callers *callers, const struct pollfd fds[static CALLERS_MOST]);
void callers_drop_silent(struct callers *callers, uint64_t now);

/* Says why, where that can be sent at once, and hangs up. */
void callers_turn_away(int fd, int err, const char *why);
