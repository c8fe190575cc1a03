/* SPDX-License-Identifier: MIT */
/* What a command works on: its command line, a machine, and the part of it that the user named. */
#pragma once

#include "command/command.h"
#include "model/selection.h"
#include "source/source.h"

struct context {
    const struct args *args;
    struct source *source; /* NULL for commands that need no machine */
    struct host *host;
    needs_t needs; /* what was read from it */
    struct selection selection;
};

/* Reads the machine into context->host (anew, if it was read before). 0, or -errno after saying so. */
int context_read(struct context *context, needs_t needs);
/* Selects what operands name in context->host, reading the host again if that needs more of it. Returns 0, or
 * -ENODEV after saying which one doesn't exist and what was probably meant. */
int context_select(struct context *context, char *const *operands, size_t count);
/* Shows rows through the command's columns: see listing_print(). */
void context_list(const struct context *context, const void *rows, size_t count, size_t size,
                  const char *empty);
/* Reads the file that an option names, at most so many bytes, into text, which is empty and stays so without
 * the option. Returns 0, or -errno after saying what is wrong. */
int context_file(const struct context *context, const char *option, size_t most, struct bytes *text);
/* Parses what it holds, if it is what is expected of a host, into arena. Returns 0, or -EINVAL after saying
 * what is wrong. */
int context_expectation(const struct context *context, const char *option, const struct bytes *text,
                        struct arena *arena, struct expectation **expectation);
/* From here on output on a terminal goes through a pager, unless the user said --no-pager. */
void context_page(const struct context *context);

/* Opens the machine that a command is about, or says why it can't be opened. */

/* path is a recording, or NULL for the live machine. Returns 0, or -errno after saying what is wrong. */
int machine_open(const char *path, struct source **source);
/* Reports that host_read() returned r, a negative errno; path is the recording's, or NULL for the machine that
 * the command is about. */
void machine_say_unread(const char *path, int r);
/* Reports what is wrong with a recording; r is the errno, and fault may be empty. */
void machine_say_fault(const char *path, int r, const struct recording_fault *fault);

/* With --listen: which switch ports send is to be heard when the machine is read. */
void context_listen(const struct context *context);
/* With --listen: notes on the selected ports where nothing was heard, and why. */
void context_say_unheard(const struct context *context);

/* Control-C and the like. */

/* From now on the first interrupt ends what waits or watches cleanly (wait_interrupted()), and a second one
 * ends the program. A hang-up that nohup(1) has ignored stays so. */
void interrupts_end_cleanly(void);
