/* SPDX-License-Identifier: MIT */
/* roce complete -- WORD...: what the shells' completion scripts call. */
#include "command/candidates.h"
#include "command/context.h"

struct machine {
    const struct args *args;
    struct host *host;
};

/* The machine that the words are about. A shell is waiting for this, so no device is opened. */
static const struct host *read_machine(void *data, const char *root)
{
    struct machine *machine = data;
    struct source *source;
    const char *home = getenv("HOME");
    struct bytes path = { 0 };
    if (root && strncmp(root, "~/", 2) == 0 && home) /* the shell has not expanded the line yet */
        bytes_printf(&path, "%s%s", home, root + 1);
    const char *dir = path.data ? path.data : root ? root : machine->args->root;
    if (dir && strcmp(dir, "-") == 0) /* standard input is for the command itself, later */
        return NULL;
    int r = dir ? source_open_recording(dir, &source, NULL) : source_open_live(&source);
    bytes_free(&path);
    if (r < 0)
        return NULL;
    if (host_read(source, NEED_NETDEV_ALL | NEED_GIDS | NEED_NLDEV, &machine->host) < 0)
        machine->host = NULL;
    source_close(source);
    return machine->host;
}

static void print_candidate(const struct candidate *candidate)
{
    char *help = text_clean(candidate->help, TEXT_ONE_LINE);
    printf("%s%s%s\n", candidate->text, help ? "\t" : "", help ? help : "");
    free(help);
}

COMMAND(complete)
{
    struct machine machine = { .args = context->args };
    struct completion completion = { .arena = arena_new() };
    say_set_quiet(true);
    complete(&completion, context->args->operands, context->args->noperands, read_machine, &machine);
    for (size_t i = 0; i < completion.count; i++)
        print_candidate(&completion.candidates[i]);
    if (completion.files)
        puts(":files");
    if (completion.directories)
        puts(":directories");
    if (completion.no_space)
        puts(":nospace");
    arena_free(completion.arena);
    host_free(machine.host);
    return STATUS_OK;
}
