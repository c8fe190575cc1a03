/* SPDX-License-Identifier: MIT */
/* What a command runs on: its command line, a machine, and the part of it that the user named. */
#pragma once

#include "command/command.h"
#include "model/selection.h"
#include "source/source.h"

struct source;

struct context {
    const struct args *args;
    struct source *source; /* NULL for commands that need no machine */
    struct host *host;
    needs_t needs; /* what was read of it */
    struct selection selection;
};

/* Reads the machine into context->host (anew, if it was read before). 0, or -errno after saying so. */
int context_read(struct context *context, needs_t needs);
/* Selects what operands name in context->host, which is read anew where that takes more of it. 0, or -ENODEV
 * after saying which isn't there and what was perhaps meant. */
int context_select(struct context *context, char *const *operands, size_t count);
/* Shows rows through the command's columns: see listing_print(). */
void context_list(const struct context *context, const void *rows, size_t count, size_t size,
                  const char *empty);
/* On a terminal what is printed from here on goes through a pager, unless the user said --no-pager. */
void context_page(const struct context *context);

/* Opening the machine that a command is about, and saying why that can't be. */

/* path is a recording, NULL: the live machine. 0, or -errno after saying what is wrong. */
int machine_open(const char *path, struct source **source);
/* Says that host_read() gave -errno r; path is the recording's, NULL: the machine that the command is about. */
void machine_say_unread(const char *path, int r);
/* Says what is wrong with a recording: r is the errno, fault may be empty. */
void machine_say_fault(const char *path, int r, const struct recording_fault *fault);

/* Control-C and its like. */

/* From now on the first interrupt ends tests in an orderly way (see wait_interrupt), a second one the program.
 */
void interrupts_end_tests(void);
