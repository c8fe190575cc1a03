/* SPDX-License-Identifier: MIT */
#include "view/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fold.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/text.h"
#include "view/json.h"
#include "view/terminal.h"

struct tree_node *tree_child(struct arena *arena, struct tree_node *parent, const char *kind, const char *name)
{
    for (size_t i = 0; i < parent->nchildren; i++)
        if (strcmp(parent->children[i]->kind, kind) == 0 && strcmp(parent->children[i]->name, name) == 0)
            return parent->children[i];
    struct tree_node *child = arena_alloc(arena, 1, sizeof(*child));
    child->kind = kind;
    child->name = name;
    *ARENA_PUSH(arena, parent->children, parent->nchildren) = child;
    return child;
}

void tree_free(struct tree_node *root)
{
    json_decref(root->fields);
    root->fields = NULL;
    for (size_t i = 0; i < root->nchildren; i++)
        tree_free(root->children[i]);
}

struct printing {
    bool color;
    size_t width;
    struct bytes prefix;
};

/* below: what stands before the lines that follow the first. */
static void print_node(struct printing *printing, const struct tree_node *node, const char *branch,
                       const char *below)
{
    char *label = text_clean(node->label ? node->label : node->name, TEXT_ONE_LINE);
    char *detail = text_clean(node->detail, TEXT_ONE_LINE);
    const char *prefix = printing->prefix.len ? printing->prefix.data : "";
    size_t used = text_width(prefix) + text_width(branch), len;
    size_t room = printing->width > used ? printing->width - used : 0;
    const char *at = label, *rest;
    printf("%s%s", prefix, branch);
    for (; (len = fold_line(at, room, &rest)), *rest; at = rest)
        printf("%.*s\n%s%s", (int)len, at, prefix, below);
    fputs(at, stdout);
    used += text_width(at) + 1;
    if (detail && *detail && (!printing->width || used < printing->width)) {
        const char *end;
        len = fold_cut(detail, printing->width ? printing->width - used : SIZE_MAX, &end);
        printf(" %s%.*s%s%s", tone_start(node->tone, printing->color), (int)len, detail, end,
               tone_end(node->tone, printing->color));
    }
    puts("");
    free(label);
    free(detail);
}

static void print_children(struct printing *printing, const struct tree_node *node, bool top)
{
    for (size_t i = 0; i < node->nchildren; i++) {
        bool last = i + 1 == node->nchildren;
        const struct tree_node *child = node->children[i];
        size_t len = printing->prefix.len;
        const char *below = top ? "" : last ? "   " : glyph(GLYPH_STEM);
        print_node(printing, child, top ? "" : glyph(last ? GLYPH_LAST_BRANCH : GLYPH_BRANCH), below);
        bytes_printf(&printing->prefix, "%s", below);
        print_children(printing, child, false);
        printing->prefix.len = len;
        if (printing->prefix.data)
            printing->prefix.data[len] = '\0';
    }
}

void tree_print(const struct tree_node *root, bool color, size_t width)
{
    struct printing printing = { .color = color, .width = width };
    print_children(&printing, root, true);
    bytes_free(&printing.prefix);
}

/* Clean text within double quotes. */
static void print_quoted(const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    for (const char *at = clean; at && *at; at++) {
        if (*at == '"' || *at == '\\')
            putchar('\\');
        putchar(*at);
    }
    free(clean);
}

static void print_dot(const struct tree_node *node, size_t parent, size_t *next)
{
    for (size_t i = 0; i < node->nchildren; i++) {
        const struct tree_node *child = node->children[i];
        size_t own = ++*next;
        printf("  n%zu [label=\"", own);
        print_quoted(child->label ? child->label : child->name);
        if (child->detail && *child->detail) {
            printf("\\n");
            print_quoted(child->detail);
        }
        printf("\"];\n");
        if (parent)
            printf("  n%zu -> n%zu;\n", parent, own);
        print_dot(child, own, next);
    }
}

void tree_print_dot(const struct tree_node *root, const char *title)
{
    size_t next = 0;
    printf("digraph \"");
    print_quoted(title);
    printf("\" {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    print_dot(root, 0, &next);
    puts("}");
}

json_t *tree_json(const struct tree_node *root)
{
    json_t *array = json_array();
    for (size_t i = 0; i < root->nchildren; i++) {
        const struct tree_node *child = root->children[i];
        json_t *object = json_object();
        json_put_text(object, "kind", child->kind);
        json_put_text(object, "name", child->name);
        if (child->fields)
            json_object_update(object, child->fields);
        json_object_set_new(object, "children", tree_json(child));
        json_array_append_new(array, object);
    }
    return array;
}
