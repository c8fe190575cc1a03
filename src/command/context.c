/* SPDX-License-Identifier: MIT */
#include "command/context.h"

#include "base/say.h"
#include "command/machine.h"
#include "source/source.h"
#include "view/listing.h"
#include "view/pager.h"

int context_read(struct context *context, needs_t needs)
{
    host_free(context->host);
    context->host = NULL;
    context->needs = needs;
    int r = host_read(context->source, needs, &context->host);
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
        more != context->needs) { /* no device's name: a netdev's, an address */
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
    else if (error.nearest)
        say_error("no such device '%s'; did you mean '%s'?", error.name, error.nearest);
    else
        say_error("no such device '%s'; 'roce' lists what there is", error.name);
    return r;
}

void context_page(const struct context *context)
{
    if (!args_given(context->args, "no-pager"))
        pager_start();
}

void context_list(const struct context *context, const void *rows, size_t count, size_t size,
                  const char *empty)
{
    const struct command *command = context->args->command;
    const struct listing listing = { context->host, args_columns(context->args), rows, count, size };
    listing_print(&context->args->look, &listing, command->plural, empty);
}
