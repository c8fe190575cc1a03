/* SPDX-License-Identifier: MIT */
/* roce topo: where each port sits, and what sits on it. */
#include "view/tree.h"

#include "command/context.h"
#include "view/gpus.h"
#include "view/json.h"
#include "view/rows.h"

/* What is listed instead of the tree. */
static const struct {
    const char *option;
    void (*print)(const struct host *host, const struct selection *selection, const struct look *look);
} listings[] = {
    { "ports", port_paths_print }, { "pcie", pcie_print }, { "gpus", gpus_print }, { "irqs", irqs_print }
};

/* Only one view at a time. */
static int options_error(const struct args *args)
{
    const char *first = args_given(args, "dot") ? "dot" : NULL;
    for (size_t i = 0; i < ARRAY_SIZE(listings); i++) {
        if (!args_given(args, listings[i].option))
            continue;
        if (first)
            return say_invalid("--%s and --%s are two views: give one", first, listings[i].option);
        first = listings[i].option;
    }
    return 0;
}

COMMAND(topo)
{
    const struct args *args = context->args;
    struct host *host = context->host;
    struct tree_node root = { .kind = "host", .name = "roce" };
    if (options_error(args) < 0)
        return STATUS_ERROR;
    for (size_t i = 0; i < ARRAY_SIZE(listings); i++)
        if (args_given(args, listings[i].option)) {
            listings[i].print(host, &context->selection, &args->look);
            return STATUS_OK;
        }
    topo_make(host, &context->selection, &root);
    if (args->look.json) {
        json_print_answer("topo", tree_json(&root), host);
    } else if (args_given(args, "dot")) {
        tree_print_dot(&root, "roce");
    } else if (root.nchildren) {
        tree_print(&root, args->look.color, args->look.width);
    } else {
        say_note("%s", no_device_text(host));
    }
    if (!args->look.json)
        problems_say(host);
    context_say_unheard(context);
    tree_free(&root);
    return STATUS_OK;
}
