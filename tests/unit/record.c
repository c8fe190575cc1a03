/* SPDX-License-Identifier: MIT */
/* source/record: what a recording answers is what was recorded; nothing half is left. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "source/recording/filetree.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "tree.h"

static void setup(void)
{
    tree_make();
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/node_type", "1: CA\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/link_layer", "Ethernet\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/gids/0",
              "fe80:0000:0000:0000:c670:bdff:feaa:1fc8\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/gids/1",
              "0000:0000:0000:0000:0000:0000:0000:0000\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/gid_attrs/types/0", "RoCE v2\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/counters/port_xmit_data",
              "17\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/net/eth0/mtu", "4200\n");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/net/eth0/device", "../../../0000:17:00.0");
    tree_file("m/sys/bus/pci/drivers/mlx5_core/module", "");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/driver", "../../../bus/pci/drivers/mlx5_core");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/device", "../../../0000:17:00.0");
    tree_link("m/sys/class/infiniband/mlx5_0", "../../devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0");
    tree_link("m/sys/class/net/eth0", "../../devices/pci0000:16/0000:17:00.0/net/eth0");
    tree_file("m/errors", "sys/class/infiniband/mlx5_0/ports/1/rate\tEINVAL\nsys/class/infiniband/mlx5_0/ports/"
                          "1/counters/symbol_error\tEIO\n");
}

TestSuite(record, .init = setup, .fini = tree_remove);

static struct source *open_machine(const char *name)
{
    struct source *source = NULL;
    cr_assert_eq(source_open_recording(tree_path(name), &source, NULL), 0, "%s", name);
    return source;
}

static int record_into(const char *name)
{
    struct source *source = open_machine("m");
    struct host *host = NULL;
    struct bytes text = { 0 };
    source_record_begin(source);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    int r = source_record_end(source, false, &text);
    if (r == 0)
        r = recording_save(tree_path(name), &text);
    bytes_free(&text);
    host_free(host);
    source_close(source);
    return r;
}

Test(record, replays_the_same)
{
    cr_assert_eq(record_into("copy"), 0);
    struct source *source = open_machine("copy");
    struct host *host = NULL;
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    cr_assert_eq(host->ndevices, 1);
    const struct device *device = &host->devices[0];
    const struct port *port = &device->ports[0];
    cr_assert_str_eq(device->driver, "mlx5_core");
    cr_assert_str_eq(device->pci, "0000:17:00.0");
    cr_assert_eq(port->rate_err, EINVAL);
    cr_assert_eq(port->ngids, 1);
    cr_assert_eq(port->gid_table_len.value, 2);
    cr_assert_eq(port->ncounters, 2, "one that could be read, and one that couldn't");
    cr_assert_eq(port->counters[1].err, EIO);
    cr_assert_str_eq(port->netdev, "eth0");
    cr_assert_eq(port->roce_mtu.value, 4096);
    host_free(host);
    source_close(source);
}

static struct filetree *load(const char *name)
{
    struct filetree *tree = NULL;
    struct recording_fault fault = { 0 };
    cr_assert_eq(recording_load(tree_path(name), &tree, &fault), 0, "%s: line %zu: %s", name, fault.line,
                 fault.what);
    return tree;
}

Test(record, unpacked_links_stay_relative_and_lead_somewhere)
{
    char path[PATH_MAX], target[256];
    struct stat st;
    cr_assert_eq(record_into("copy"), 0);
    struct filetree *tree = load("copy");
    cr_assert_eq(recording_unpack_at(tree, tree_path("unpacked")), 0);
    filetree_free(tree);
    static const char *const links[] = { "sys/class/infiniband/mlx5_0", "sys/class/infiniband/mlx5_0/device",
                                         "sys/class/infiniband/mlx5_0/device/driver" };
    for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
        snprintf(path, sizeof(path), "unpacked/%s", links[i]);
        ssize_t n = readlink(tree_path(path), target, sizeof(target) - 1);
        cr_assert_gt(n, 0, "%s", links[i]);
        cr_assert_neq(target[0], '/');
        cr_assert_eq(stat(tree_path(path), &st), 0, "%s dangles", links[i]);
    }
}

static void expect_mode(const char *path, mode_t mode)
{
    struct stat st;
    cr_assert_eq(stat(tree_path(path), &st), 0, "%s", path);
    cr_expect_eq(st.st_mode & 07777, mode, "%s: %o", path, st.st_mode & 07777);
}

/* Somebody puts links into the directory while it is being filled: nothing outside is opened or made. */
Test(record, nothing_is_unpacked_through_a_link)
{
    static const char *const names[] = { "errors", "sys" };
    cr_assert_eq(record_into("copy"), 0);
    struct filetree *tree = load("copy");
    for (size_t i = 0; i < 2; i++) {
        char trap[32], link[64], outside[32];
        struct stat st;
        snprintf(trap, sizeof(trap), "trap%zu", i);
        snprintf(outside, sizeof(outside), "outside%zu", i);
        snprintf(link, sizeof(link), "%s/%s", trap, names[i]);
        cr_assert_eq(mkdir(tree_path(trap), 0700), 0);
        char *target = strdup(tree_path(outside));
        cr_assert_eq(symlink(target, tree_path(link)), 0);
        int directory = open(tree_path(trap), O_PATH | O_DIRECTORY);
        cr_assert_geq(directory, 0);
        cr_expect_eq(recording_unpack(tree, directory), -EEXIST, "%s", names[i]);
        cr_expect_lt(stat(target, &st), 0, "%s was made", target);
        free(target);
        close(directory);
    }
    filetree_free(tree);
}

Test(record, is_nobody_elses)
{
    umask(0);
    cr_assert_eq(record_into("copy"), 0);
    struct filetree *tree = load("copy");
    cr_assert_eq(mkdir(tree_path("unpacked"), 0777), 0);
    cr_assert_eq(recording_unpack_at(tree, tree_path("unpacked")), 0);
    filetree_free(tree);
    expect_mode("copy", 0600);
    expect_mode("unpacked", 0700);
    expect_mode("unpacked/sys/class", 0700);
    expect_mode("unpacked/errors", 0600);
    expect_mode("unpacked/sys/class/infiniband/mlx5_0/node_type", 0600);
}

Test(record, leaves_what_is_there)
{
    tree_file("full/precious", "text");
    tree_file("file", "mine");
    tree_link("dangling", "nowhere");
    cr_expect_eq(record_into("file"), -EEXIST);
    cr_expect_eq(record_into("full"), -EISDIR);
    cr_expect_eq(record_into("dangling"), -EEXIST);
    cr_expect_eq(recording_check_new(tree_path("file")), -EEXIST);
    cr_expect_eq(recording_check_new(tree_path("no/such/parent")), -ENOENT);
    cr_expect_eq(recording_check_new(tree_path("new")), 0);
    struct filetree *tree = filetree_new();
    cr_expect_eq(recording_unpack_at(tree, tree_path("full")), -EEXIST);
    cr_expect_eq(recording_unpack_at(tree, tree_path("file")), -ENOTDIR);
    filetree_free(tree);
    cr_expect_eq(access(tree_path("full/precious"), R_OK), 0);
    cr_expect_eq(access(tree_path("nowhere"), F_OK), -1);
}

static unsigned count_links(void)
{
    struct stat st;
    cr_assert_eq(stat(tree_top(), &st), 0);
    return (unsigned)st.st_nlink;
}

Test(record, abandoned_leaves_nothing)
{
    struct host *host = NULL;
    struct source *source = open_machine("m");
    source_record_begin(source);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    host_free(host);
    source_close(source); /* without the end */
    cr_assert_eq(count_links(), 3, "only the machine is left: '.', '..' and m");
}

Test(record, a_file_is_read_without_writing_one)
{
    cr_assert_eq(record_into("copy"), 0);
    cr_assert_eq(setenv("TMPDIR", tree_top(), 1), 0);
    struct source *source = open_machine("copy");
    cr_expect_eq(count_links(), 3, "m alone is a directory");
    source_close(source);
    tree_file("bad", "# roce recording 1\netc/\n  x 1\n");
    cr_expect_eq(source_open_recording(tree_path("bad"), &source, NULL), -ENODATA, "it has no sys/");
}

/* -- pack and unpack ----------------------------------------------------------------------------------- */

static void expect_packed(const char *dir, const char *expected)
{
    struct bytes where = { 0 }, text = { 0 };
    struct filetree *tree = NULL;
    int fd = open(tree_path(dir), O_PATH | O_DIRECTORY);
    cr_assert_geq(fd, 0, "%s", dir);
    int r = recording_pack(fd, &tree, &where);
    cr_assert_eq(r, 0, "%s: %s", where.data, strerrorname_np(-r));
    recording_write(tree, &text);
    cr_expect_str_eq(text.data, expected);
    filetree_free(tree);
    bytes_free(&text);
    bytes_free(&where);
    close(fd);
}

#define RECORDING                   \
    "# roce recording 1\n"          \
    "# a note\n"                    \
    "\n"                            \
    "/\n"                           \
    "  other x\n"                   \
    "\n"                            \
    "dev/infiniband/\n"             \
    "  uverbs0 \\\n"                \
    "  uverbs0 ! EACCES\n"          \
    "\n"                            \
    "sys/\n"                        \
    "  -> -> /etc\n"                \
    "  .hidden 1\n"                 \
    "  [8-12] same\n"               \
    "  debug ! EACCES\n"            \
    "  empty/\n"                    \
    "  odd\\x20name,\\x1b\\xff :\n" \
    "  :00ff\n"                     \
    "  up -> ../../..\n"            \
    "\n"                            \
    "sys/debug/\n"                  \
    "  x ! EACCES\n"                \
    "\n"                            \
    "sys/types/\n"                  \
    "  [4-255] ! EINVAL\n"

Test(record, unpacked_and_packed_again_is_the_same)
{
    tree_file("r", RECORDING);
    struct filetree *tree = load("r");
    cr_assert_eq(recording_unpack_at(tree, tree_path("unpacked")), 0);
    filetree_free(tree);
    cr_expect_eq(access(tree_path("unpacked/sys/debug"), F_OK), -1, "what could not be listed can't be");
    cr_expect_eq(access(tree_path("unpacked/sys/empty"), F_OK), 0);
    expect_packed("unpacked", RECORDING);
}

Test(record, packs_through_the_links_that_errors_name)
{
    tree_file("p/sys/devices/x/mtu", "1500\n");
    tree_link("p/sys/class/net/eth0", "../../devices/x");
    tree_file("p/errors",
              "sys/class/net/eth0/speed\tEINVAL\nsys/devices/x/speed\tEIO\nsys/class/net/lo/[2-3]\tEIO\n");
    expect_packed("p", "# roce recording 1\n\nsys/class/net/\n  eth0 -> ../../devices/x\n\nsys/class/net/lo/\n"
                       "  [2-3] ! EIO\n\nsys/devices/x/\n  mtu 1500\n  speed ! EINVAL\n");
}

static void expect_not_packed(const char *dir, int err, const char *path)
{
    struct bytes where = { 0 };
    struct filetree *tree = NULL;
    int fd = open(tree_path(dir), O_PATH | O_DIRECTORY);
    cr_expect_eq(recording_pack(fd, &tree, &where), -err, "%s", dir);
    cr_expect_str_eq(where.data, path);
    bytes_free(&where);
    close(fd);
}

Test(record, what_cannot_be_packed_is_named)
{
    tree_file("a/errors", "sys/x\tENOSUCH\n");
    expect_not_packed("a", EBADMSG, "errors, line 1");
    tree_file("b/sys/x", "");
    cr_assert_eq(mkfifo(tree_path("b/sys/fifo"), 0600), 0);
    expect_not_packed("b", EINVAL, "sys/fifo");
    tree_file("c/sys/big", "");
    cr_assert_eq(truncate(tree_path("c/sys/big"), RECORDING_SYS_MOST + 1), 0);
    expect_not_packed("c", EFBIG, "sys/big");
}

Test(record, unpacking_that_fails_leaves_nothing)
{
    struct rlimit limit = { .rlim_cur = 4096, .rlim_max = RLIM_INFINITY }; /* of a file's size */
    tree_file("r", "# roce recording 1\n\nsys/\n  a 1\n  b :\n  :00*5000\n\nsys/c/\n  d 1\n");
    struct filetree *tree = load("r");
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(mkdir(tree_path("there"), 0700), 0);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(recording_unpack_at(tree, tree_path("unpacked")), -EFBIG);
    cr_expect_eq(recording_unpack_at(tree, tree_path("there")), -EFBIG);
    filetree_free(tree);
    cr_expect_eq(access(tree_path("unpacked"), F_OK), -1);
    cr_expect_eq(rmdir(tree_path("there")), 0, "it was there before, and is empty again");
}
