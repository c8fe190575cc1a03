/* SPDX-License-Identifier: MIT */
/* roce completion SHELL: prints the shell's completion script, from completions/. */
#include "command/context.h"

EMBED(completion_bash, "completions/roce.bash");
EMBED(completion_zsh, "completions/_roce");
EMBED(completion_fish, "completions/roce.fish");

static const struct {
    const char *shell, *script;
} scripts[] = {
    { "bash", completion_bash },
    { "zsh", completion_zsh },
    { "fish", completion_fish },
};

COMMAND(completion)
{
    const struct args *args = context->args;
    if (args->noperands != 1)
        return say_unable("completion takes one shell: bash, zsh or fish");
    for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
        if (strcmp(scripts[i].shell, args->operands[0]) == 0) {
            fputs(scripts[i].script, stdout);
            return STATUS_OK;
        }
    return say_unable("no completion for '%s'; there is one for bash, zsh and fish", args->operands[0]);
}
