/* SPDX-License-Identifier: MIT */
/* roce help [COMMAND] */
#include "command/context.h"

COMMAND(help)
{
    const struct args *args = context->args;
    if (args->noperands == 0) {
        usage_show(&args->look, NULL, args_given(args, "all"));
        return STATUS_OK;
    }
    const struct command *command = command_meant(args->operands[0]);
    const struct instead *instead = command ? NULL : instead_find(args->operands, args->noperands);
    if (instead && !instead->roce)
        return say_unable("no command is called '%s': %s", instead->words, packed_line(instead->says));
    if (instead) {
        say_note("'%s' is 'roce %s' here: %s", instead->words, instead->roce, packed_line(instead->says));
        command = instead_command(instead);
    }
    if (!command)
        return say_unable("no command is called '%s': 'roce help' lists them, 'roce explain WORD' explains "
                          "checks, counters and terms",
                          args->operands[0]);
    if (args->noperands > 1 && !instead)
        return say_unable("help takes one command, not '%s' as well", args->operands[1]);
    usage_show(&args->look, command, true);
    return STATUS_OK;
}
