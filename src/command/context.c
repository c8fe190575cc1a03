/* SPDX-License-Identifier: MIT */
/* The machine that a command is about, opened and read when it is first asked for. */
#include "command/context.h"

#include <signal.h>

#include "check/check.h"
#include "model/facts.h"
#include "selftest/queues/wait.h"
#include "source/recording/recording.h"
#include "source/root/root.h"
#include "view/listing.h"
#include "view/terminal.h"

int context_read(struct context *context, needs_t needs)
{
    if (needs & NEED_VERDICT)
        needs |= check_needs(&(struct check_selection){ .glance = true });
    host_free(context->host);
    context->host = NULL;
    context->needs = needs;
    int r = host_read(context->source, needs, &context->host);
    progress_end();
    if (r < 0)
        machine_say_unread(NULL, r);
    else if (look_is_exact(&context->args->look))
        host_read_name(context->source, context->host);
    return r;
}

int context_select(struct context *context, char *const *operands, size_t count)
{
    struct selection_error error;
    int r = selection_make(&context->selection, context->host, operands, count, &error);
    needs_t more = selection_needs(operands, count) | context->needs;
    if (r < 0 && !error.device && context->source &&
        more != context->needs) { /* not a device's name: a netdev's, or an address */
        r = context_read(context, more);
        if (r == 0)
            r = selection_make(&context->selection, context->host, operands, count, &error);
    }
    if (r == 0)
        return 0;
    if (error.device && error.device->nports == 1)
        say_error("device '%s' has no port '%s', only port %u", error.name, error.port,
                  error.device->ports[0].number);
    else if (error.device)
        say_error("device '%s' has no port '%s'; it has %zu ports", error.name, error.port,
                  error.device->nports);
    else if (context->host->ndevices == 0)
        say_error("no such device '%s': this machine shows no RDMA device", error.name);
    else if (strpbrk(error.name, "=<>~"))
        say_error("no such device '%s'; rows are chosen by a condition so: --filter '%s'", error.name,
                  error.name);
    else if (error.nearest)
        say_error("no such device '%s'; did you mean '%s'?", error.name, error.nearest);
    else
        say_error("no such device '%s'; 'roce' lists what there is", error.name);
    return r;
}

int context_file(const struct context *context, const char *option, size_t most, struct bytes *text)
{
    const char *path = args_value(context->args, option);
    int r = path ? file_load(path, most, text) : 0;
    if (r == 0 && text->len > most)
        r = -EFBIG;
    if (r < 0)
        say_error("--%s: cannot read '%s': %s", option, path, say_errno(r));
    return r;
}

int context_expectation(const struct context *context, const char *option, const struct bytes *text,
                        struct arena *arena, struct expectation **expectation)
{
    struct expectation_fault fault;
    int r = expectation_parse(text->len ? text->data : "", text->len, arena, expectation, &fault);
    if (r < 0)
        say_error("--%s: '%s', line %u: %s", option, args_value(context->args, option), fault.line, fault.what);
    return r;
}

void context_page(const struct context *context)
{
    if (!args_given(context->args, "no-pager"))
        pager_start();
}

void context_list(const struct context *context, const void *rows, size_t count, size_t size, const char *empty)
{
    const struct command *command = context->args->command;
    const struct listing listing = { context->host, args_columns(context->args), rows, count, size };
    listing_print(&context->args->look, &listing, command->plural, empty);
}

void machine_say_fault(const char *path, int r, const struct recording_fault *fault)
{
    if (fault->line)
        say_error("'%s': line %zu: %s", path, fault->line, fault->what);
    else if (fault->what[0])
        say_error("'%s': %s", path, fault->what);
    else
        say_error("cannot open '%s': %s", path, say_errno(r));
}

void machine_say_unread(const char *path, int r)
{
    const char *before = path ? "'" : "", *shown = path ? path : "the machine", *after = path ? "'" : "";
    if (r == -E2BIG)
        say_error("cannot read %s%s%s: it holds more than %d MB or %d files to read", before, shown, after,
                  ROOT_BYTES_MOST >> 20, ROOT_FILES_MOST);
    else
        say_error("cannot read %s%s%s: %s", before, shown, after, say_errno(r));
}

int machine_open(const char *path, struct source **source)
{
    struct recording_fault fault = { 0 };
    int r = path ? source_open_recording(path, source, &fault) : source_open_live(source);
    if (r < 0)
        machine_say_fault(path ? path : "/", r, &fault);
    return r;
}

enum { LISTEN_SECONDS = 35 }; /* the usual interval is 30 */

void context_listen(const struct context *context)
{
    static struct lldp_listening listening;
    if (!args_given(context->args, "listen"))
        return;
    if (source_is_recording(context->source)) {
        say_note("--listen: a recording has no cables; what was heard when it was made is in it");
        return;
    }
    listening = (struct lldp_listening){ (unsigned)args_number(context->args, "listen", LISTEN_SECONDS),
                                         progress_show, wait_interrupted };
    interrupts_end_cleanly();
    source_listen(context->source, &listening);
}

void context_say_unheard(const struct context *context)
{
    const struct host *host = context->host;
    progress_end();
    if (!args_given(context->args, "listen"))
        return;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        const struct netdev *netdev = netdev_cabled(host, port_netdev(host, port));
        const char *why = netdev && netdev_has_cable(netdev) && selection_has_port(&context->selection, port)
                              ? lldp_absence_text(host, netdev, host->arena)
                              : NULL;
        if (why)
            say_note("%s/%u: %s", port->device->name, port->number, why);
    }
}

static void on_interrupt(int signal)
{
    (void)signal;
    wait_interrupt();
}

void interrupts_end_cleanly(void)
{
    struct sigaction before, action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}
