/* SPDX-License-Identifier: MIT */
/* A tree of things, shown as text, graphviz or nested JSON. */
#pragma once

#include "model/selection.h"
#include "view/column.h"

struct tree_node {
    const char *kind;   /* "pci", "device", "netdev": JSON's "kind" */
    const char *name;   /* JSON's "name" */
    const char *label;  /* what a person reads first; NULL: use the name */
    const char *detail; /* shown after it, may be cut on a terminal; NULL: nothing */
    enum tone tone;     /* of the detail */
    json_t *fields;     /* more keys for JSON, owned by the node; NULL: none */
    struct tree_node **children;
    size_t nchildren;
};

/* Releases what nodes have besides their arena. */
void tree_free(struct tree_node *root);

/* root itself isn't shown, only what is below it. width 0: nothing is cut. */
void tree_print(const struct tree_node *root, bool color, size_t width);
void tree_print_dot(const struct tree_node *root, const char *title);
void dot_print_name(const char *name);           /* in quotes; NULL is "" */
json_t *tree_json(const struct tree_node *root); /* the children as an array */

/* Where each port is attached, and what is on it, as a tree: NUMA node, PCI, device, port, netdev, GIDs. */

/* Adds the selected ports below root, in the host's arena. Free with tree_free(). */
void topo_make(struct host *host, const struct selection *selection, struct tree_node *root);
