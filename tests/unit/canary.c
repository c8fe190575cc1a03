/* SPDX-License-Identifier: MIT */
/* Nothing that somebody may have put into a file gets through anonymising: in each file of each recorded
 * machine that is asked for stands a canary, as the value, as a line of its own, or behind the value. */
#include <criterion/criterion.h>
#include <glob.h>

#include "model/host.h"
#include "source/recording/filetree.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "tree.h"

enum place { AS_VALUE, AS_LINE, BEHIND_VALUE, PLACES };

#define CANARY "c4n4ry"

/* As the value only into one of so many, for some of the others are asked for because of it. */
enum { OF_SO_MANY = 5 };

static size_t plant(struct filetree *tree, struct node *directory, enum place place, size_t *number)
{
    size_t planted = 0;
    for (struct node *node = directory->children; node; node = node->next) {
        planted += plant(tree, node, place, number);
        if (node->kind != NODE_FILE || strlen(node->data) != node->len ||
            (place == AS_VALUE && ++*number % OF_SO_MANY))
            continue;
        struct bytes text = { 0 };
        size_t line = strcspn(node->data, "\n");
        if (place != AS_VALUE)
            bytes_append(&text, node->data, line);
        bytes_printf(&text, "%s" CANARY "%s",
                     place == AS_LINE        ? "\n"
                     : place == BEHIND_VALUE ? " "
                                             : "",
                     place == AS_VALUE ? "" : node->data + line);
        node->len = text.len;
        node->data = filetree_keep(tree, text.data, text.len);
        bytes_free(&text);
        planted++;
    }
    return planted;
}

static size_t find(const struct node *directory, const char *machine, enum place place)
{
    size_t found = 0;
    for (const struct node *node = directory->children; node; node = node->next) {
        found += find(node, machine, place);
        if (!strstr(node->name, CANARY) &&
            (!node->data || !memmem(node->data, node->len, CANARY, strlen(CANARY))))
            continue;
        struct bytes path = { 0 };
        filetree_path(node, &path);
        cr_expect(false, "%s: %s, place %d: %s", machine, path.data, place, node->data);
        bytes_free(&path);
        found++;
    }
    return found;
}

/* The recording at path, read, and recorded anonymously; the caller frees it. */
static struct filetree *anonymised(const char *path)
{
    struct source *source = NULL;
    struct host *host = NULL;
    struct bytes text = { 0 };
    struct filetree *tree = NULL;
    struct recording_fault fault;
    cr_assert_eq(source_open_recording(path, &source, NULL), 0, "%s", path);
    source_record_begin(source);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0, "%s", path);
    cr_assert_eq(source_record_end(source, true, &text), 0, "%s", path);
    cr_assert_eq(recording_parse(text.data, text.len, &tree, &fault), 0, "%s", fault.what);
    host_free(host);
    source_close(source);
    bytes_free(&text);
    return tree;
}

static size_t check(const char *machine, enum place place, size_t number)
{
    struct filetree *tree = NULL;
    struct recording_fault fault;
    struct bytes text = { 0 };
    cr_assert_eq(recording_load(machine, &tree, &fault), 0, "%s: %s", machine, fault.what);
    size_t planted = plant(tree, tree->top, place, &number);
    recording_write(tree, &text);
    filetree_free(tree);
    tree_file("machine", text.data);
    bytes_free(&text);
    tree = anonymised(tree_path("machine"));
    find(tree->top, machine, place);
    filetree_free(tree);
    return planted;
}

static void make_tree(void)
{
    tree_make();
}

TestSuite(canary, .init = make_tree, .fini = tree_remove);

Test(canary, none_gets_through)
{
    glob_t machines;
    size_t planted = 0;
    cr_assert_eq(glob("fixtures/*.machine", 0, NULL, &machines), 0);
    for (size_t i = 0; i < machines.gl_pathc; i += 2)
        planted += check(machines.gl_pathv[i], (enum place)(i / 2 % PLACES), i);
    cr_expect_gt(planted, 5000);
    globfree(&machines);
}
