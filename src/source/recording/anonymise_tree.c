/* SPDX-License-Identifier: MIT */
/* Anonymises a recording: contents, what links say, and names. */
#include <errno.h>
#include <string.h>

#include "source/anonymise.h"
#include "source/recording/anonymise_tree.h"

struct rewriting {
    struct anonymiser *anonymiser;
    struct filetree *tree; /* the new one */
    struct bytes text;
};

static const char *rewrite(struct rewriting *rewriting, const char *text, size_t len)
{
    rewriting->text.len = 0;
    anonymise_text(rewriting->anonymiser, text, len, &rewriting->text);
    return rewriting->text.data;
}

static bool is_reply(const struct node *node)
{
    return node->depth == 2 && strcmp(node->parent->name, "netlink") == 0;
}

static int rewrite_file(struct rewriting *rewriting, const struct node *old, struct node *node)
{
    struct bytes *text = &rewriting->text;
    if (is_reply(old)) {
        text->len = 0;
        bytes_append(text, old->data, old->len);
        anonymise_reply(rewriting->anonymiser, text->data, text->len);
    } else {
        rewrite(rewriting, old->data, old->len);
    }
    return filetree_make_file(rewriting->tree, node, filetree_keep(rewriting->tree, text->data, text->len),
                              text->len);
}

static int rewrite_below(struct rewriting *rewriting, const struct node *from, struct node *to)
{
    int r = 0;
    for (const struct node *old = from->children; old && r == 0; old = old->next) {
        struct node *node;
        const char *name = rewrite(rewriting, old->name, strlen(old->name));
        r = filetree_add(rewriting->tree, to, name, strlen(name), &node);
        if (r == 0 && old->err)
            r = filetree_make_error(rewriting->tree, node, old->err);
        if (r == 0 && old->kind == NODE_FILE) {
            r = rewrite_file(rewriting, old, node);
        } else if (r == 0 && old->kind == NODE_LINK) {
            const char *target = rewrite(rewriting, old->data, old->len);
            size_t len = rewriting->text.len;
            r = filetree_make_link(rewriting->tree, node, filetree_keep(rewriting->tree, target, len), len);
        } else if (r == 0 && old->kind == NODE_DIRECTORY) {
            r = filetree_make_directory(rewriting->tree, node);
            r = r < 0 ? r : rewrite_below(rewriting, old, node);
        }
    }
    return r;
}

int anonymise_tree(struct filetree **tree, const struct host *host)
{
    struct rewriting rewriting = { .anonymiser = anonymiser_new(host), .tree = filetree_new() };
    int r = rewrite_below(&rewriting, (*tree)->top, rewriting.tree->top);
    struct filetree *unused = r < 0 ? rewriting.tree : *tree;
    if (r == 0)
        *tree = rewriting.tree;
    filetree_free(unused);
    anonymiser_free(rewriting.anonymiser);
    bytes_free(&rewriting.text);
    return r;
}
