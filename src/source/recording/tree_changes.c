/* SPDX-License-Identifier: MIT */
/* Of two recordings of one machine, the files that differ. */
#include "source/recording/recording.h"

static bool is_same_file(const struct node *a, const struct node *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static int add_file(struct filetree *tree, const struct node *node)
{
    struct bytes path = { 0 };
    struct node *copy = NULL;
    filetree_path(node, &path);
    int r = filetree_add_path(tree, path.data, &copy);
    r = r < 0 ? r : filetree_make_file(tree, copy, filetree_keep(tree, node->data, node->len), node->len);
    bytes_free(&path);
    return r;
}

/* Anything but the content of files: -EXDEV. */
static int add_changes(struct filetree *tree, const struct filetree *was, const struct node *before,
                       const struct node *now)
{
    if (before->kind != now->kind || before->err != now->err || before->nchildren != now->nchildren ||
        (now->kind == NODE_LINK && !is_same_file(before, now)))
        return -EXDEV;
    int r = now->kind == NODE_FILE && !is_same_file(before, now) ? add_file(tree, now) : 0;
    for (const struct node *child = now->children; child && r == 0; child = child->next) {
        const struct node *old = filetree_find(was, before, child->name, strlen(child->name));
        r = old ? add_changes(tree, was, old, child) : -EXDEV;
    }
    return r;
}

int recording_changes(const struct filetree *before, const struct filetree *now, struct filetree **changes)
{
    struct filetree *tree = filetree_new();
    int r = add_changes(tree, before, before->top, now->top);
    if (r < 0)
        filetree_free(tree);
    else
        *changes = tree;
    return r;
}

/* What isn't a file in both is not ours. */
static int take_changes(struct filetree *tree, const struct node *to, const struct node *changed)
{
    int r = 0;
    for (const struct node *child = changed->children; child && r == 0; child = child->next) {
        struct node *old = filetree_find(tree, to, child->name, strlen(child->name));
        if (!old || old->kind != child->kind || child->err)
            return -EBADMSG;
        if (child->kind == NODE_FILE) {
            old->data = filetree_keep(tree, child->data, child->len);
            old->len = child->len;
        }
        r = take_changes(tree, old, child);
    }
    return r;
}

int recording_apply(struct filetree *tree, const struct filetree *changes)
{
    return take_changes(tree, tree->top, changes->top);
}
