/* SPDX-License-Identifier: MIT */
/* roce help [COMMAND] */
#include "command/command.h"
#include "command/context.h"

static int run(struct context *context)
{
    const struct args *args = context->args;
    if (args->noperands == 0) {
        usage_show(&args->look, NULL);
        return STATUS_OK;
    }
    if (args->noperands > 1)
        return say_unable("help takes one command, not '%s' as well", args->operands[1]);
    const struct command *command = command_find(args->operands[0]);
    if (!command)
        return say_unable("no command is called '%s': 'roce help' lists them, 'roce explain WORD' explains "
                          "checks, counters and terms",
                          args->operands[0]);
    usage_show(&args->look, command);
    return STATUS_OK;
}

const struct command cmd_help = {
    .name = "help",
    .group = GROUP_OTHER,
    .operands_text = "[COMMAND]",
    .summary = "how a command is used",
    .no_source = true,
    .pages = true,
    .run = run,
};
