/* SPDX-License-Identifier: MIT */
/* roce report: a machine as one HTML page. */
#include "command/listings.h"
#include "source/recording/recording.h"
#include "view/html.h"

static void make(const struct context *context, struct arena *arena, struct bytes *out)
{
    struct host *host = context->host;
    const struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    struct tree_node topology = { .kind = "host", .name = "roce" };
    struct report_page page = {
        .host = host, .from = context->args->root, .report = &report, .topology = &topology
    };
    page.ports = port_listing(context, &report);
    page.users = user_listing(context);
    page.counters = counter_listing(context, &page.ntrouble);
    page.without_users = no_user_text(host);
    topo_make(host, &context->selection, &topology);
    qos_subjects_of(host, &context->selection, &page.qos);
    report_page(out, &page);
    tree_free(&topology);
}

static int save(const char *path, const struct bytes *out)
{
    if (text_is(path, "-")) {
        fwrite(out->data, 1, out->len, stdout);
        return STATUS_OK;
    }
    int r = recording_save(path, out);
    if (r == -EEXIST)
        say_error("'%s' exists; a report needs the name of a new file", path);
    else if (r == -EISDIR)
        say_error("'%s' is a directory; a report is one file", path);
    else if (r < 0)
        say_error("cannot write '%s': %s", path, say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}

COMMAND(report)
{
    const struct args *args = context->args;
    if (args->noperands != 1)
        return say_unable(args->noperands
                              ? "report takes one file"
                              : "report needs the name of a new file, as in 'roce report host17.html', or '-'");
    if (look_is_exact(&args->look))
        return say_unable("a report is HTML: other commands print JSON");
    if (context_read(context, page_needs()) < 0 || context_select(context, NULL, 0) < 0)
        return STATUS_ERROR;
    host_read_name(context->source, context->host);
    struct arena *arena = arena_new();
    struct bytes out = { 0 };
    make(context, arena, &out);
    int status = save(args->operands[0], &out);
    bytes_free(&out);
    arena_free(arena);
    return status;
}
