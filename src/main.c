/* SPDX-License-Identifier: MIT */
/* Globals → command → what it needs → host → run → flush → exit status. */
#include <signal.h>
#include <sys/auxv.h>

#include "base/glyph.h"
#include "command/context.h"
#include "view/query.h"
#include "view/terminal.h"

static bool pages(const struct args *args)
{
    bool pages = args->command->pages;
    for (size_t i = 0; i < args->ngiven; i++)
        pages &= !args->given[i].def->unpaged;
    return pages;
}

static int run_on_host(struct context *context)
{
    const struct args *args = context->args;
    const struct command *command = args->command;
    needs_t needs = command->needs;
    for (size_t i = 0; i < args->ngiven; i++)
        if (args->given[i].def->needs_alone)
            needs = 0;
    for (size_t i = 0; i < args->ngiven; i++)
        needs |= args->given[i].def->needs;
    if (args_columns(args)) {
        struct query query;
        if (query_make(&query, args_columns(args), &args->look) < 0)
            return STATUS_ERROR;
        needs |= query_needs(&query);
        query_free(&query);
    }
    if (!command->no_source && machine_open(args->root, &context->source) < 0)
        return command->error_status ? command->error_status(args) : STATUS_ERROR;
    context_listen(context);
    if (pages(args) && !args_given(args, "listen"))
        context_page(context);
    int status = STATUS_ERROR;
    context->needs = needs; /* for a command that reads by itself */
    bool reads = !command->no_host && !command->no_source,
         selects = reads && command->operands == OPERANDS_DEVICES;
    if ((!reads || context_read(context, needs) == 0) &&
        (!selects || context_select(context, args->operands, args->noperands) == 0))
        status = command->run(context);
    host_free(context->host);
    source_close(context->source);
    return status;
}

static int run(const struct args *args)
{
    struct context context = { .args = args };
    if (args_given(args, "help") && args->command->group != GROUP_COMPAT) {
        context_page(&context);
        usage_show(&args->look, strcmp(args->command->name, "help") == 0 ? NULL : args->command, false);
        return STATUS_OK;
    }
    if (args_given(args, "list-columns")) {
        context_page(&context);
        columns_print_list(args_columns(args), args->look.width);
        return STATUS_OK;
    }
    return run_on_host(&context);
}

/* A full disk or a closed pipe must not look like success. */
static int flush(const struct args *args, int status)
{
    bool failed = ferror(stdout);
    if (fflush(stdout) == 0 && !failed && (pager_is_on() || fclose(stdout) == 0))
        return status;
    if (errno == EPIPE && pager_is_on())
        return status;
    if (errno != EPIPE)
        say_error("cannot write to standard output: %s", say_errno(errno));
    return args->command && args->command->error_status ? args->command->error_status(args) : STATUS_ERROR;
}

/* When called by a drop-in's name, roce acts as that drop-in. */
static char **as_drop_in(int *argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const struct command *command = command_find(slash ? slash + 1 : argv[0]);
    if (!command || command->group != GROUP_COMPAT)
        return argv;
    char **longer = mem_alloc((size_t)*argc + 2, sizeof(*longer));
    longer[0] = argv[0];
    memcpy(longer + 1, argv, (size_t)*argc * sizeof(*argv));
    longer[1] = (char *)command->name;
    ++*argc;
    return longer;
}

/* Without memory for something, jansson would leave it out. */
static void *one_block(size_t size)
{
    return mem_alloc(1, size);
}

/* Where a standard descriptor is closed, the next file that is opened would take its place, and messages would
 * go into it. Writing to these still fails (EBADF), which flush() sees. */
static void hold_descriptors(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(STATUS_ERROR);
}

int main(int argc, char **argv)
{
    hold_descriptors();
    mem_begin();
    say_set_width(terminal_error_width());
    glyph_set_ascii(glyph_locale_is_ascii());
    json_set_alloc_funcs(one_block, free);
    signal(SIGPIPE, SIG_IGN); /* a write then fails with EPIPE, which flush() sees */
    signal(SIGXFSZ, SIG_IGN); /* likewise with EFBIG */
    if (argc < 1)
        say_die("called without a name");
    /* it would read its owner's files for anybody (AT_SECURE alone is also that of a service under SELinux) */
    if (getauxval(AT_SECURE) && (getuid() != geteuid() || getgid() != getegid()))
        say_die("it refuses to run set-user-ID or set-group-ID: use sudo");
    char **own = as_drop_in(&argc, argv);
    struct args args = { 0 };
    int status = STATUS_ERROR;
    int r = args_parse(&args, argc, own);
    say_set_quiet(args.quiet);
    if (args.instead)
        say_note("'%s' is 'roce %s' here: %s", args.instead->words, args.instead->roce,
                 packed_line(args.instead->says));
    if (r == 0) {
        if (own != argv)
            args.argv[0] = argv[0]; /* a drop-in calls itself as it was called */
        status = run(&args);
    } else if (args.command && args.command->error_status) {
        status = args.command->error_status(&args);
    }
    if (own != argv)
        free(own);
    return flush(&args, status);
}
