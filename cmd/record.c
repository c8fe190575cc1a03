/* roce record DIR: saves what roce can read of this machine. */
#include <errno.h>
#include <string.h>

#include "base/say.h"
#include "command/context.h"
#include "source/source.h"

static const struct option_def options[] = {
    { "anonymise", .help = "replace GUIDs, MAC and IP addresses, serial numbers and host names, each "
                           "everywhere by the same other one" },
    { 0 },
};

static int record(struct context *context, const char *dir)
{
    struct record_options record_options = { .anonymise = args_given(context->args, "anonymise") };
    int r = source_record_begin(context->source, dir, &record_options);
    if (r == -EEXIST) {
        say_error("'%s' is not empty; a recording needs a new directory", dir);
        return r;
    }
    if (r == 0) {
        /* twice: a summary reads other slots and netdevs than a whole reading, and what replays it asks for
         * just those */
        r = host_read(context->source, NEED_ALL, &context->host);
        int end = source_record_end(context->source, context->host);
        r = r < 0 ? r : end;
    }
    if (r < 0)
        say_error("cannot record into '%s': %s", dir, say_errno(r));
    return r;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    if (args->noperands != 1) {
        say_error(args->noperands ? "record takes one directory"
                                  : "record needs the name of a new directory");
        return STATUS_ERROR;
    }
    if (record(context, args->operands[0]) < 0)
        return STATUS_ERROR;
    const struct host *host = context->host;
    say_note("recorded %zu device%s and %zu netdev%s in '%s'; 'roce --root %s' reads it", host->ndevices,
             host->ndevices == 1 ? "" : "s", host->nnetdevs, host->nnetdevs == 1 ? "" : "s",
             args->operands[0], args->operands[0]);
    for (size_t i = 0; i < host->nproblems; i++)
        say_warning("cannot read '%s': %s", host->problems[i].what, say_errno(host->problems[i].err));
    return STATUS_OK;
}

const struct command cmd_record = {
    .name = "record",
    .group = GROUP_OTHER,
    .operands_text = "DIR",
    .operands = OPERANDS_OWN,
    .summary = "save what roce reads of this machine, for --root elsewhere",
    .description = "DIR must be new or empty. What is saved is exactly what roce reads: files of /sys, /proc and /etc, the kernel's netlink replies, and what libibverbs says of each device that may be opened. Read it before you pass it on, or use --anonymise.",
    .examples =
        "roce record /tmp/host17\tsave this machine\nroce --root /tmp/host17 doctor\tjudge it elsewhere",
    .options = options,
    .no_host = true,
    .run = run,
};
