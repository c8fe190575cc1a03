/* SPDX-License-Identifier: MIT */
/* source/root: nothing leads out of the root; absent, failed and recorded errors are told apart. */
#include "source/root/root.h"
#include "source/root/backend.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "source/errors.h"
#include "source/recording/recording.h"
#include "tree.h"

static struct root *root;

static void setup(void)
{
    const char *top = tree_make();
    tree_file("sys/a", "one\n");
    tree_file("sys/real/b", "two");
    tree_file("sys/real/10", "ten");
    tree_file("sys/real/9", "nine");
    tree_file("sys/real/.hidden", "");
    tree_link("sys/link", "real");
    tree_link("sys/up", "../../../../../../sys/a");
    tree_link("sys/absolute", "/sys/a");
    tree_link("sys/out", "/etc/passwd");
    tree_link("sys/etc", "/etc");
    tree_link("sys/circle", "circle");
    tree_link("sys/real/leaf", "../a");
    tree_link("sys/dangling", "nowhere");
    tree_file("errors", "sys/real/gone\tEINVAL\nsys/range/[4-7]\tEACCES\nsys/range/pre[10-12]post\tEIO\n"
                        "dev/node\tEPERM\nrubbish\nsys/x\tENOSUCH\n\tEIO\n");
    tree_file("sys/range/keep", "");
    tree_file("dev/node", "");
    tree_file("dev/free", "");
    cr_assert_eq(root_open(top, true, &root), 0);
}

static void teardown(void)
{
    root_close(root);
    tree_remove();
}

TestSuite(root, .init = setup, .fini = teardown);

/* The same files again, packed: what they say is no other in memory. */
static void to_memory(void)
{
    struct filetree *tree;
    struct bytes where = { 0 };
    tree_file("errors", "sys/real/gone\tEINVAL\nsys/range/[4-7]\tEACCES\nsys/range/pre[10-12]post\tEIO\n"
                        "dev/node\tEPERM\n");
    int fd = open(tree_top(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = recording_pack(fd, &tree, &where);
    cr_assert_eq(r, 0, "%d: %s", r, where.data);
    close(fd);
    root_close(root);
    root = root_open_tree(tree);
}

#define TEST_BOTH(name)            \
    static void test_##name(void); \
    Test(root, name)               \
    {                              \
        test_##name();             \
    }                              \
    Test(root, name##_in_memory)   \
    {                              \
        to_memory();               \
        test_##name();             \
    }                              \
    static void test_##name(void)

static void expect_text(const char *path, const char *text)
{
    struct span span;
    cr_assert_eq(root_read(root, &span, NULL, "%s", path), 0, "%s", path);
    cr_assert_str_eq(span.data, text);
    cr_assert_eq(span.len, strlen(text));
}

static void expect_error(const char *path, int err)
{
    struct span span = { "before", 6 };
    int r = root_read(root, &span, NULL, "%s", path);
    cr_assert_eq(r, -err, "%s: %d", path, r);
    cr_assert_str_eq(span.data, "before", "a failure leaves the output alone");
}

TEST_BOTH(reads_through_links_inside)
{
    expect_text("sys/a", "one\n");
    expect_text("sys/link/b", "two");
    expect_text("sys/up", "one\n");
    expect_text("sys/absolute", "one\n");
}

TEST_BOTH(never_leaves)
{
    expect_error("sys/out", ENOENT);
    expect_error("../../../../etc/passwd", ENOENT);
    expect_error("sys/circle", ELOOP);
    expect_error("sys/dangling", ENOENT);
}

TEST_BOTH(recorded_errors)
{
    expect_error("sys/real/gone", EINVAL);
    expect_error("sys/link/gone", EINVAL);
    expect_error("sys/range/3", ENOENT);
    expect_error("sys/range/4", EACCES);
    expect_error("sys/range/7", EACCES);
    expect_error("sys/range/8", ENOENT);
    expect_error("sys/range/pre11post", EIO);
    expect_error("sys/range/pre11", ENOENT);
}

TEST_BOTH(nodes)
{
    cr_assert_eq(root_try_node(root, "dev/node"), -EPERM);
    cr_assert_eq(root_try_node(root, "dev/free"), 0);
    cr_assert_eq(root_try_node(root, "dev/none"), -ENOENT);
}

TEST_BOTH(lists_in_version_order_with_recorded_errors)
{
    struct arena *arena = arena_new();
    struct names names;
    static const char *const expected[] = { "9", "10", "b", "gone", "leaf" };
    cr_assert_eq(root_list(root, arena, &names, "sys/link"), 0);
    cr_assert_eq(names.count, 5);
    for (size_t i = 0; i < names.count; i++) {
        bool found = false;
        for (size_t j = 0; j < names.count; j++)
            found |= strcmp(names.items[j], expected[i]) == 0;
        cr_assert(found, "%s", expected[i]);
    }
    cr_assert_str_eq(names.items[0], "9");
    cr_assert_eq(root_list(root, arena, &names, "sys/none"), -ENOENT);
    arena_free(arena);
}

TEST_BOTH(lists_each_of_a_range_that_could_not_be_read)
{
    struct arena *arena = arena_new();
    struct names names;
    static const char *const expected[] = { "4", "5", "6", "7", "keep", "pre10post", "pre11post", "pre12post" };
    cr_assert_eq(root_list(root, arena, &names, "sys/range"), 0);
    cr_assert_eq(names.count, ARRAY_SIZE(expected));
    for (size_t i = 0; i < names.count; i++)
        cr_expect_str_eq(names.items[i], expected[i]);
    arena_free(arena);
}

TEST_BOTH(directory_held_open)
{
    struct root_dir dir = { 0 };
    struct span span;
    cr_assert_eq(root_dir_open(root, &dir, "sys/%s", "link"), 0);
    cr_assert_eq(root_dir_read(&dir, NULL, "b", &span), 0);
    cr_assert_str_eq(span.data, "two");
    cr_assert_eq(root_dir_read(&dir, NULL, "leaf", &span), 0, "a link is followed inside the root");
    cr_assert_str_eq(span.data, "one\n");
    cr_assert_eq(root_dir_read(&dir, NULL, "gone", &span), -EINVAL);
    cr_assert_eq(root_dir_read(&dir, NULL, "none", &span), -ENOENT);
    root_dir_close(&dir);
    root_dir_close(&dir);
}

static int descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* They are closed many at a time, around one that is somebody else's; with few descriptors to be had all the
 * same. */
Test(root, files_of_a_directory_held_open_are_closed)
{
    struct rlimit few;
    struct root_dir dir = { 0 };
    struct span span;
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "sys/many/%d", i);
        char text[16];
        snprintf(text, sizeof(text), "%d\n", i);
        tree_file(name, text);
    }
    root_close(root);
    cr_assert_eq(root_open(tree_top(), false, &root), 0);
    int lowest = dup(0), others = fcntl(0, F_DUPFD, lowest + 10);
    close(lowest);
    int before = descriptors();
    for (int round = 0; round < 2; round++) {
        cr_assert_eq(root_dir_open(root, &dir, "sys/%s", "many"), 0);
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof(name), "%d", i);
            cr_assert_eq(root_dir_read(&dir, NULL, name, &span), 0, "%d in round %d", i, round);
            cr_assert_eq(strtol(span.data, NULL, 10), i);
        }
        cr_assert_eq(root_read(root, &span, NULL, "sys/link/b"), 0);
        cr_assert_eq(descriptors(), before + 1, "one by its path closes those of before");
        cr_assert_eq(root_dir_read(&dir, NULL, "7", &span), 0);
        root_dir_close(&dir);
        cr_assert_eq(descriptors(), before);
        cr_assert_eq(getrlimit(RLIMIT_NOFILE, &few), 0);
        int free_one = dup(0);
        few.rlim_cur = (rlim_t)free_one + 8;
        close(free_one);
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    }
    cr_assert_eq(close(others), 0);
}

TEST_BOTH(directory_held_open_and_names_of_several_steps)
{
    struct root_dir dir = { 0 }, below = { 0 };
    struct span span = { "before", 6 };
    cr_assert_eq(root_dir_open(root, &dir, "sys"), 0);
    cr_assert_eq(root_dir_read(&dir, NULL, "link/b", &span), 0);
    cr_assert_str_eq(span.data, "two");
    cr_expect_eq(root_dir_read(&dir, NULL, "etc/passwd", &span), -ENOENT,
                 "nor does a step on the way lead out");
    cr_expect_eq(root_dir_open_in(&dir, &below, "etc/security"), -ENOENT);
    root_dir_close(&dir);
}

TEST_BOTH(links)
{
    struct span span;
    cr_assert_eq(root_link(root, &span, "sys/link"), 0);
    cr_assert_str_eq(span.data, "real");
    cr_assert_eq(root_link(root, &span, "sys/a"), -EINVAL);
    cr_assert_eq(root_link(root, &span, "sys/none"), -ENOENT);
}

TEST_BOTH(what_is_no_file_or_no_directory)
{
    struct arena *arena = arena_new();
    struct root_dir dir = { 0 }, below = { 0 };
    struct names names;
    struct span span;
    expect_error("sys", EISDIR);
    expect_error("sys/a/b", ENOTDIR);
    expect_error("sys/real/leaf/b", ENOTDIR);
    cr_expect_eq(root_list(root, arena, &names, "sys/a"), -ENOTDIR);
    cr_expect_eq(root_dir_open(root, &dir, "sys/circle"), -ELOOP);
    cr_assert_eq(root_dir_open(root, &dir, "sys"), 0);
    cr_expect_eq(root_dir_open_in(&dir, &below, "a"), -ENOTDIR);
    cr_expect_eq(root_dir_open_in(&dir, &below, "none"), -ENOENT);
    cr_assert_eq(root_dir_open_in(&dir, &below, "link"), 0, "a link is followed inside the root");
    cr_expect_eq(root_dir_read(&below, NULL, "b", &span), 0);
    cr_expect_eq(root_dir_link(&below, "leaf", &span), 0);
    cr_expect_str_eq(span.data, "../a");
    cr_expect_eq(root_dir_link(&below, "b", &span), -EINVAL);
    cr_expect_eq(root_dir_link(&below, "gone", &span), -EINVAL, "as recorded");
    cr_expect_eq(root_dir_list(&below, arena, &names), 0);
    cr_expect_eq(root_dir_list(&below, arena, &names), 0, "twice");
    cr_expect_eq(names.count, 5);
    cr_expect(root_exists(root, "sys/link") && !root_exists(root, "sys/real/gone"));
    cr_expect(root_peek_directory(root, "sys/link") && !root_peek_directory(root, "sys/a"));
    root_dir_close(&below);
    root_dir_close(&dir);
    arena_free(arena);
}

/* A directory that could not be read says why, and is listed. */
Test(root, a_directory_that_is_an_errno)
{
    struct arena *arena = arena_new();
    struct filetree *tree = filetree_new();
    struct node *node;
    struct names names;
    cr_assert_eq(filetree_enter(tree, "sys/debug", &node), 0);
    cr_assert_eq(filetree_make_error(node, EACCES), 0);
    cr_assert_eq(filetree_add_path(tree, "sys/debug/x", &node), 0);
    cr_assert_eq(filetree_make_error(node, EIO), 0);
    root_close(root);
    root = root_open_tree(tree);
    cr_expect_eq(root_list(root, arena, &names, "sys/debug"), -EACCES);
    expect_error("sys/debug", EACCES);
    expect_error("sys/debug/x", EIO);
    expect_error("sys/debug/y", EACCES);
    expect_error("sys/debug/y/z", EACCES);
    /* nor is what was asked of below it a list of all that is there */
    cr_assert_eq(filetree_add_path(tree, "sys/debug/device/numa_node", &node), 0);
    cr_assert_eq(filetree_make_error(node, EACCES), 0);
    cr_expect_eq(root_list(root, arena, &names, "sys/debug"), -EACCES);
    cr_assert_eq(root_list(root, arena, &names, "sys"), 0);
    cr_assert_eq(names.count, 1);
    cr_expect_str_eq(names.items[0], "debug");
    arena_free(arena);
}

Test(root, big_files_in_memory)
{
    static char big[ROOT_FILE_MOST + 2];
    struct filetree *tree = filetree_new();
    struct node *node;
    struct span span;
    memset(big, 'x', sizeof(big) - 1);
    cr_assert_eq(filetree_add_path(tree, "netlink/big", &node), 0);
    cr_assert_eq(filetree_make_file(tree, node, big, ROOT_FILE_MOST + 1), 0);
    cr_assert_eq(filetree_add_path(tree, "netlink/fits", &node), 0);
    cr_assert_eq(filetree_make_file(tree, node, big + 1, ROOT_FILE_MOST), 0);
    root_close(root);
    root = root_open_tree(tree);
    cr_expect_eq(root_read(root, &span, NULL, "netlink/big"), -EFBIG);
    cr_expect_eq(root_read_big(root, &span, NULL, "netlink/big"), 0);
    cr_expect_eq(root_read(root, &span, NULL, "netlink/fits"), 0);
    cr_expect_eq(span.len, ROOT_FILE_MOST);
}

Test(root, big_files)
{
    static char big[ROOT_FILE_MOST + 4096];
    memset(big, 'x', sizeof(big));
    tree_bytes("proc/big", big, sizeof(big));
    tree_bytes("proc/fits", big, ROOT_FILE_MOST / 2);
    tree_bytes("sys/big", big, ROOT_SYS_MOST + 1);
    tree_bytes("sys/fits", big, ROOT_SYS_MOST);
    struct span span;
    cr_assert_eq(root_read(root, &span, NULL, "proc/big"), -EFBIG);
    cr_assert_eq(root_read(root, &span, NULL, "proc/fits"), 0);
    cr_assert_eq(span.len, ROOT_FILE_MOST / 2);
    cr_assert_eq(root_read(root, &span, NULL, "sys/big"), -EFBIG);
    cr_assert_eq(root_read(root, &span, NULL, "sys/fits"), 0);
    cr_assert_eq(span.len, ROOT_SYS_MOST);
}

TEST_BOTH(an_end_to_what_is_read)
{
    struct span span;
    root_begin(root);
    for (uint64_t i = 1; i < ROOT_FILES_MOST; i++)
        root_spend(root, 0);
    root_exists(root, "sys/none"); /* the last one, and counted as those are */
    cr_assert_not(root_is_exhausted(root));
    cr_assert_eq(root_read(root, &span, NULL, "sys/a"), -EFBIG);
    cr_assert(root_is_exhausted(root));
    root_begin(root);
    cr_assert_eq(root_read(root, &span, NULL, "sys/a"), 0);
}

/* A link to itself through hundreds of components costs much more than what is asked. */
TEST_BOTH(an_end_to_what_is_walked)
{
    struct bytes target = { 0 };
    struct span span;
    struct node *node;
    while (target.len < RECORDING_TARGET_MOST - 5)
        bytes_printf(&target, "./");
    bytes_printf(&target, "slow");
    const char *kept = filetree_keep(root->tree, target.data, target.len);
    cr_assert_eq(filetree_add_path(root->tree, "sys/slow", &node), 0);
    cr_assert_eq(filetree_make_link(root->tree, node, kept, target.len), 0);
    bytes_free(&target);
    cr_expect_eq(root_read(root, &span, NULL, "sys/slow"), -ELOOP);
    cr_assert_not(root_is_exhausted(root));
    root->tree->steps = RECORDING_STEPS_MOST - 1000;
    cr_expect_eq(root_read(root, &span, NULL, "sys/slow"), -E2BIG);
    cr_assert(root_is_exhausted(root));
}

/* What names nothing new is no entry, and yet work. */
Test(errors, an_end_to_names_told_again)
{
    struct filetree *tree = filetree_new();
    struct bytes text = { 0 };
    size_t bad, first_bad;
    for (size_t i = 0; i < 100; i++)
        bytes_printf(&text, "a/[0-99999]\tEIO\n");
    cr_expect_eq(errors_enter(tree, text.data, text.len, &bad, &first_bad), -E2BIG);
    bytes_free(&text);
    filetree_free(tree);
}

static int errno_at(struct filetree *tree, const char *path)
{
    const struct node *node = filetree_resolve(tree, path);
    return node ? node->err : 0;
}

Test(errors, rubbish_is_counted)
{
    static const char text[] =
        "a\tEINVAL\n\nb EINVAL\nc\tENONSENSE\n\n[9-4]\tEIO\nd\tEIO\nd\tEACCES\nerrors\tEIO\n"
        "e[--2]\tEIO\ng/[4-6]x\tEIO";
    struct filetree *tree = filetree_new();
    size_t bad, first_bad;
    cr_assert_eq(errors_enter(tree, text, sizeof(text) - 1, &bad, &first_bad), 0);
    cr_expect_eq(bad, 5);
    cr_expect_eq(first_bad, 3);
    cr_expect_eq(errno_at(tree, "a"), EINVAL);
    cr_expect_eq(errno_at(tree, "d"), EIO, "of two lines the first counts");
    cr_expect_eq(errno_at(tree, "g"), 0);
    cr_expect_eq(errno_at(tree, "g/4x"), EIO);
    cr_expect_eq(errno_at(tree, "g/6x"), EIO);
    cr_expect_eq(errno_at(tree, "g/7x"), 0);
    cr_expect_eq(tree->entries, 6);
    filetree_free(tree);
}

/* A line is short, and what it says may be of any number of files. */
Test(errors, they_are_of_so_many_files)
{
    static const char *const texts[] = { "a/[0-999999999]\tEIO\n", "a/[0-200000]\tEIO\na/x[0-200000]\tEIO\n" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct filetree *tree = filetree_new();
        size_t bad, first_bad;
        cr_expect_eq(errors_enter(tree, texts[i], strlen(texts[i]), &bad, &first_bad), -E2BIG, "%s", texts[i]);
        filetree_free(tree);
    }
}

Test(root, absent)
{
    cr_assert(root_absent(-ENOENT) && root_absent(EINVAL) && root_absent(-ENODATA));
    cr_assert_not(root_absent(-EACCES) || root_absent(-EIO) || root_absent(-ELOOP));
}

/* "./././…/sys/a" */
TEST_BOTH(a_path_that_is_too_long_is_an_error_and_never_cut)
{
    char path[2 * PATH_MAX];
    size_t dots = PATH_MAX - strlen("sys/a") - 1;
    dots -= dots % 2;
    for (size_t i = 0; i < dots; i += 2)
        memcpy(path + i, "./", 2);
    memcpy(path + dots, "sys/a", sizeof("sys/a"));
    struct span span;
    cr_expect_eq(root_read(root, &span, NULL, "%s", path), 0, "%zu bytes", strlen(path));
    memset(path + dots + strlen("sys/a"), 'b', PATH_MAX);
    path[dots + strlen("sys/a") + PATH_MAX / 2] = '\0';
    cr_expect_eq(root_read(root, &span, NULL, "%s", path), -ENAMETOOLONG, "sys/a%s", "bbb…");
    struct root_dir dir = { 0 };
    cr_expect_eq(root_dir_open(root, &dir, "%s", path), -ENAMETOOLONG);
    cr_expect_eq(root_link(root, &span, "%s", path), -ENAMETOOLONG);
}

TEST_BOTH(nothing_in_a_recording_changes)
{
    cr_expect_eq(root_write(root, "sys/a", "b"), -EROFS);
    cr_expect_eq(root_remove_directory(root, "sys/range"), -EROFS);
    cr_expect_eq(root_make_directory(root, "sys/new"), -EEXIST, "what it would bring is there");
    cr_expect_not(root_exists(root, "sys/new"));
}

/* What is kept open is read anew each time, and opened anew where that fails. */
Test(root, files_kept_open)
{
    root_close(root);
    struct root_dir dir = { 0 };
    struct span span;
    tree_file("a/x", "1\n");
    cr_assert_eq(root_open(tree_top(), false, &root), 0);
    root_keep_open(root, true);
    for (unsigned i = 0; i < 3; i++) {
        char text[] = { (char)('1' + i), '\n', '\0' };
        tree_file("a/x", text);
        cr_assert_eq(root_dir_open(root, &dir, "a"), 0);
        cr_assert_eq(root_dir_read(&dir, NULL, "x", &span), 0);
        cr_expect_str_eq(span.data, text);
        cr_expect_eq(root_dir_read(&dir, NULL, "none", &span), -ENOENT);
        root_dir_close(&dir);
    }
}

static char *names_text(const char *path)
{
    struct arena *arena = arena_new();
    struct names names = { 0 };
    struct bytes text = { 0 };
    cr_expect_eq(root_list(root, arena, &names, "%s", path), 0, "%s", path);
    for (size_t i = 0; i < names.count; i++)
        bytes_printf(&text, "%s ", names.items[i]);
    arena_free(arena);
    return text.data;
}

/* What a device has is looked for once, until the devices are others: by name, or by number where one came
 * again. */
Test(root, what_a_device_has_is_kept)
{
    static const char port[] = "sys/class/infiniband/a/ports/1";
    struct root_dir dir = { 0 };
    struct span span;
    root_close(root);
    tree_file("sys/class/infiniband/a/ports/1/state", "1: DOWN\n");
    tree_file("sys/class/net/eth0/mtu", "1500\n");
    tree_link("sys/class/infiniband/a/device", "../../../devices/x");
    tree_file("sys/later/b/state", "2: INIT\n");
    cr_assert_eq(root_open(tree_top(), false, &root), 0);
    for (unsigned i = 0; i < 6; i++) {
        /* 0: looked for; 1: kept; 2: another netdev; 3: as ever, without being told to keep; 4: kept; 5:
         * another device of that name */
        bool again = i == 5, late = i >= 2;
        if (i == 1) {
            tree_file("sys/class/infiniband/a/ports/1/rate", "100 Gb/sec (4X EDR)\n");
            tree_file("sys/class/infiniband/a/ports/1/state", "4: ACTIVE\n");
        } else if (i == 2) {
            tree_file("sys/class/net/eth1/mtu", "1500\n");
        } else if (again) {
            cr_assert_eq(rename(tree_path("sys/class/infiniband/a"), tree_path("sys/later/a")), 0);
            tree_file("sys/later/b/ports/1/state", "2: INIT\n");
            char *from = mem_strdup(tree_path("sys/later/b"));
            cr_assert_eq(rename(from, tree_path("sys/class/infiniband/a")), 0);
            free(from);
        }
        root_keep_open(root, i != 3);
        char *names = names_text(port);
        cr_expect_str_eq(names, again || !late ? "state " : "rate state ", "%u", i);
        free(names);
        cr_assert_eq(root_dir_open(root, &dir, "%s", port), 0);
        cr_assert_eq(root_dir_read(&dir, NULL, "state", &span), 0);
        cr_expect_str_eq(span.data, again ? "2: INIT\n" : i ? "4: ACTIVE\n" : "1: DOWN\n", "%u", i);
        cr_expect_eq(root_dir_read(&dir, NULL, "rate", &span), again || !late ? -ENOENT : 0, "%u", i);
        root_dir_close(&dir);
        cr_expect_eq(root_link(root, &span, "sys/class/infiniband/a/device"), again ? -ENOENT : 0, "%u", i);
        if (!again)
            cr_expect_str_eq(span.data, "../../../devices/x");
        cr_expect_eq(root_dir_open(root, &dir, "%s/hw_counters", port), -ENOENT);
    }
}

/* As a device that is removed: what was its fails from then on, and isn't there when it is opened anew. */
Test(root, a_file_kept_open_goes)
{
    struct root_dir dir = { 0 };
    struct span span = { 0 };
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    root_close(root);
    cr_assert_eq(root_open("/proc", false, &root), 0);
    root_keep_open(root, true);
    cr_assert_eq(root_dir_open(root, &dir, "%d", (int)child), 0);
    for (unsigned i = 0; i < 2; i++)
        cr_assert_eq(root_dir_read(&dir, NULL, "stat", &span), 0);
    cr_expect_eq(strtol(span.data, NULL, 10), child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    cr_expect_lt(root_dir_read(&dir, NULL, "stat", &span), 0);
    root_dir_close(&dir);
}
