/* SPDX-License-Identifier: MIT */
/* roce topo: where each port sits, and what sits on it. */
#include "view/tree.h"

#include "command/context.h"
#include "model/topology.h"
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

static int run(struct context *context)
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

static const struct option_def options[] = {
    { "dot", .help = "print a graph for graphviz: roce topo --dot | dot -Tsvg" },
    { "gpus", .help = "how far each accelerator is from each port, and how NCCL or RCCL rates that",
      .needs = GPUS_NEEDS, .needs_alone = true, .columns = gpu_columns },
    { "ports", .help = "how far the ports are from each other", .needs = PORT_PATHS_NEEDS, .needs_alone = true,
      .columns = port_path_columns },
    { "irqs",
      .help = "interrupts of each device: how many are on CPUs of its NUMA node, and where the others are",
      .needs = IRQS_NEEDS, .columns = irq_columns },
    { "pcie",
      .help = "PCIe of each function between ports and accelerators: link, MPS, MRRS, relaxed ordering, ACS, "
              "ATS, IOMMU, errors",
      .needs = PCIE_NEEDS, .columns = pcie_columns },
    LISTEN_OPTION,
    { 0 },
};

const struct command cmd_topo = {
    .name = "topo",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE[/PORT]|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary = "a tree: NUMA, PCIe, device, port, netdev, VLAN or bond, GIDs",
    .options = options,
    .needs = NEED_PCI | NEED_PEERS | NEED_PCI_NAMES | NEED_STATE | NEED_RATE | NEED_FW | NEED_GIDS |
             NEED_NETDEV_ALL | NEED_NLDEV | NEED_ADDRESSES | NEED_LLDP,
    .pages = true,
    .run = run,
};
