/* SPDX-License-Identifier: MIT */
/* Nothing that somebody may have put into a file gets through anonymising: in each file of each recorded
 * machine that is asked for stands a canary, as the value, as a line of its own, or behind the value. */
#include <criterion/criterion.h>
#include <glob.h>

#include "history/history.h"
#include "model/host.h"
#include "source/anonymise/anonymise.h"
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

/* -- what the flight recorder kept ------------------------------------------------------------------------- */

/* A canary in each text, as a name or behind a value, and where there is no such text. */
static const char kept[] =
    "{\"version\":1,\"time\":\"2026-11-27T03:00:00.000Z\",\"interval\":1,\"host\":\"" CANARY "\",\"" CANARY
    "\":1,"
    "\"note\":\"" CANARY "\",\"readings\":\"# roce recording 1\\n\\nsys/class/infiniband/" CANARY
    "/\\n  node_desc " CANARY "\\n\\nsys/class/infiniband/" CANARY
    "/ports/1/counters/\\n  port_rcv_data 77\\n\",\"ports\":[{"
    "\"device\":\"mlx5_0\",\"port\":1,\"netdev\":\"" CANARY "0\",\"state\":\"ACTIVE " CANARY "\",\"drops\":2,"
    "\"neighbor\":\"" CANARY " swp1\",\"verdict\":\"" CANARY "\",\"least\":[\"" CANARY "\"],\"" CANARY "\":2},"
    "{\"device\":\"" CANARY "\",\"port\":1,\"least\":[\"drops\"],\"state\":\"" CANARY "\"}],"
    "\"counters\":[{\"device\":\"mlx5_0\",\"name\":\"" CANARY "\",\"rate\":1}],"
    "\"users\":[{\"kind\":\"process\",\"pid\":7,\"name\":\"" CANARY "\",\"device\":\"" CANARY
    "\",\"queues\":\"3 RC " CANARY "\",\"peer\":\"" CANARY ":18515\",\"started_by\":\"" CANARY ".service\"},"
    "{\"kind\":\"" CANARY "\",\"name\":\"/" CANARY
    "\",\"peer\":\"10.202.74.39:4420\",\"started_by\":\"docker " CANARY
    "\"},{\"kind\":\"nfs-client\",\"name\":\"" CANARY ":/x/" CANARY "\",\"started_by\":\"pod " CANARY "\"}],"
    "\"events\":[{\"time\":\"2026-11-27T03:00:00.000Z\",\"event\":\"kernel-log\",\"device\":\"mlx5_0\","
    "\"text\":"
    "\"mlx5_core 0000:17:00.0 " CANARY ": Link down " CANARY " 10.202.74.39\"},"
    "{\"time\":\"2026-11-27T03:00:00.000Z\",\"event\":\"fact-changed\",\"text\":\"" CANARY ": a -> b\"},"
    "{\"time\":\"2026-11-27T03:00:00.000Z\",\"event\":\"fact-changed\",\"text\":\"mtu: 1500 -> " CANARY
    ", 9000\"},"
    "{\"time\":\"2026-11-27T03:00:00.000Z\",\"event\":\"netdev-state\",\"text\":\"" CANARY
    "0 UP -> DOWN (" CANARY ")\"},"
    "{\"time\":\"2026-11-27T03:00:00.000Z\",\"event\":\"" CANARY
    "\",\"text\":\"02:00:00:ca:4a:27 fe80::ca:4a27\"}]}\n"
    "{\"version\":1,\"time\":\"2026-11-27T03:00:01.000Z\",\"interval\":1,\"changes\":true,\"ports\":[]}"
    "\n" CANARY "\n";

static int take_frame(void *data, const struct frame *frame)
{
    const struct frame_port *port = frame_find_port(frame, "mlx5_0", 1);
    size_t *frames = data;
    struct bytes netdev = { 0 };
    anonymise_name(CANARY "0", strlen(CANARY "0"), &netdev);
    cr_assert(port);
    cr_expect_str_eq(port->netdev, netdev.data, "named as elsewhere in the recording");
    cr_expect_eq(port->flows[FLOW_DROPS].value, 2);
    cr_expect_eq(frame->nusers, 3);
    bytes_free(&netdev);
    (*frames)++;
    return 0;
}

Test(canary, none_gets_through_in_what_the_recorder_kept)
{
    struct filetree *tree = NULL;
    struct recording_fault fault;
    struct node *node;
    struct bytes text = { 0 };
    struct history_tally tally = { 0 };
    size_t frames = 0;
    cr_assert_eq(recording_load("fixtures/rxe-plain.machine", &tree, &fault), 0, "%s", fault.what);
    cr_assert_eq(filetree_add_path(tree, "probe/history/0", &node), 0);
    cr_assert_eq(filetree_make_file(tree, node, filetree_keep(tree, kept, strlen(kept)), strlen(kept)), 0);
    recording_write(tree, &text);
    filetree_free(tree);
    tree_file("machine", text.data);
    tree = anonymised(tree_path("machine"));
    find(tree->top, "history", AS_VALUE);
    const struct node *history = filetree_resolve(tree, "probe/history/0");
    cr_assert(history);
    cr_expect_null(strstr(history->data, "202.74.39"));
    cr_expect_null(strstr(history->data, "ca:4a"));
    cr_expect(strstr(history->data, "\"mtu: 1500 -> "));
    cr_expect(strstr(history->data, " UP -> DOWN ("));
    cr_expect(strstr(history->data, "port_rcv_data 77"), "%s", history->data);
    text.len = 0;
    bytes_append(&text, history->data, history->len);
    cr_expect_eq(history_parse(&text, 0, UINT64_MAX, take_frame, &frames, &tally), 0);
    cr_expect_eq(frames, 2, "%s", tally.fault.what);
    cr_expect_eq(tally.damaged, 0, "%s: %s", tally.fault.what, history->data);
    filetree_free(tree);
    bytes_free(&text);
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
