/* source/record: what a recording answers is what was recorded; nothing half is left. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/gid_attrs/types/0",
              "RoCE v2\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/ports/1/counters/port_xmit_data",
              "17\n");
    tree_file("m/sys/devices/pci0000:16/0000:17:00.0/net/eth0/mtu", "4200\n");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/net/eth0/device", "../../../0000:17:00.0");
    tree_file("m/sys/bus/pci/drivers/mlx5_core/module", "");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/driver", "../../../bus/pci/drivers/mlx5_core");
    tree_link("m/sys/devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0/device", "../../../0000:17:00.0");
    tree_link("m/sys/class/infiniband/mlx5_0", "../../devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0");
    tree_link("m/sys/class/net/eth0", "../../devices/pci0000:16/0000:17:00.0/net/eth0");
    tree_file("m/errors", "sys/class/infiniband/mlx5_0/ports/1/rate\tEINVAL\nsys/class/infiniband/mlx5_0/"
                          "ports/1/counters/symbol_error\tEIO\n");
}

TestSuite(record, .init = setup, .fini = tree_remove);

static struct source *open_machine(const char *name)
{
    char path[256];
    struct source *source = NULL;
    snprintf(path, sizeof(path), "%s/%s", tree_top(), name);
    cr_assert_eq(source_open_recording(path, &source), 0);
    return source;
}

static int record_into(const char *name)
{
    char path[256];
    struct record_options options = { 0 };
    struct source *source = open_machine("m");
    struct host *host = NULL;
    snprintf(path, sizeof(path), "%s/%s", tree_top(), name);
    int r = source_record_begin(source, path, &options);
    if (r == 0) {
        cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
        r = source_record_end(source, host);
    }
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

Test(record, links_stay_relative_and_lead_somewhere)
{
    char path[300], target[256];
    struct stat st;
    cr_assert_eq(record_into("copy"), 0);
    static const char *const links[] = { "sys/class/infiniband/mlx5_0", "sys/class/infiniband/mlx5_0/device",
                                         "sys/class/infiniband/mlx5_0/device/driver" };
    for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
        snprintf(path, sizeof(path), "%s/copy/%s", tree_top(), links[i]);
        ssize_t n = readlink(path, target, sizeof(target) - 1);
        cr_assert_gt(n, 0, "%s", links[i]);
        cr_assert_neq(target[0], '/');
        cr_assert_eq(stat(path, &st), 0, "%s dangles", links[i]);
    }
}

Test(record, refuses_what_is_not_empty)
{
    tree_file("full/precious", "text");
    cr_assert_eq(record_into("full"), -EEXIST);
    char path[256];
    snprintf(path, sizeof(path), "%s/full/precious", tree_top());
    cr_assert_eq(access(path, R_OK), 0);
}

Test(record, abandoned_leaves_nothing)
{
    char path[256];
    struct record_options options = { 0 };
    struct host *host = NULL;
    struct source *source = open_machine("m");
    snprintf(path, sizeof(path), "%s/copy", tree_top());
    cr_assert_eq(source_record_begin(source, path, &options), 0);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    host_free(host);
    source_close(source); /* without the end */
    cr_assert_eq(access(path, F_OK), -1);
    struct stat st;
    cr_assert_eq(stat(tree_top(), &st), 0);
    cr_assert_eq(st.st_nlink, 3, "only the machine is left: '.', '..' and m");
}
