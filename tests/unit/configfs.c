/* SPDX-License-Identifier: MIT */
/* RDMA_CM's directory of a device, there only while somebody looks: two who look at once. */
#include <criterion/criterion.h>

#include "model/host.h"
#include "source/files/files.h"
#include "source/reader.h"
#include "source/root/backend.h"
#include "source/source.h"
#include "tree.h"

#define DEVICE "sys/class/infiniband/mlx5_0"
#define SEEN "sys/kernel/config/rdma_cm/mlx5_0/ports/1/"

/* Another looks at the directory, and removes it so many times before it can be read here. */
static unsigned made, removed, taken_away;

static int make_directory(struct root *root, const char *path)
{
    (void)root;
    cr_expect_str_eq(path, "sys/kernel/config/rdma_cm/mlx5_0");
    if (made++ < taken_away)
        return -EEXIST;
    tree_file(SEEN "default_roce_mode", "RoCE v2\n");
    tree_file(SEEN "default_roce_tos", "106\n");
    return 0;
}

static int remove_directory(struct root *root, const char *path)
{
    (void)root, (void)path;
    removed++;
    return 0;
}

static int open_to_write(struct root *root, const char *path)
{
    (void)root;
    int fd = open(tree_path(path), O_WRONLY | O_TRUNC | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static struct source *source;
static struct root_backend backend;

static void begin(unsigned times)
{
    made = removed = 0;
    taken_away = times;
    tree_make();
    tree_file(DEVICE "/node_type", "1: CA\n");
    tree_file(DEVICE "/ports/1/link_layer", "Ethernet\n");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    backend = root_recorded;
    backend.make_directory = make_directory;
    backend.remove_directory = remove_directory;
    backend.open_to_write = open_to_write;
    source->root->backend = &backend;
}

static void end(void)
{
    source_close(source);
    tree_remove();
}

Test(configfs, a_directory_that_another_removes_is_made_again)
{
    struct host *host;
    begin(3);
    cr_assert_eq(host_read(source, NEED_MODE | NEED_STATE, &host), 0);
    const struct port *port = &host->devices[0].ports[0];
    cr_expect(num_is(port->cm_mode, GID_TYPE_ROCE_V2));
    cr_expect(num_is(port->cm_tos, 106));
    cr_expect_eq(port->cm_err, 0);
    cr_expect_eq(made, 4);
    cr_expect_eq(removed, 1, "who made it removes it, and nobody else");
    host_free(host);
    end();
}

Test(configfs, it_is_not_made_for_ever)
{
    struct host *host;
    begin(1000);
    cr_assert_eq(host_read(source, NEED_MODE | NEED_STATE, &host), 0);
    cr_expect_eq(host->devices[0].ports[0].cm_err, ENOENT);
    cr_expect_eq(made, 20);
    cr_expect_eq(removed, 0);
    host_free(host);
    end();
}

Test(configfs, what_is_set_is_set_in_the_end)
{
    begin(2);
    cr_expect_eq(configfs_set_tos(source, "mlx5_0", 1, 104), 0);
    cr_expect_eq(made, 3);
    cr_expect_eq(removed, 1);
    end();
}
