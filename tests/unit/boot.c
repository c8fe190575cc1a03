/* SPDX-License-Identifier: MIT */
/* model/boot: the text of units and rules. source/root_install: files that are replaced, kept and removed. */
#include "model/boot.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "source/reader.h"
#include "source/root_install.h"
#include "tree.h"

static struct arena *arena;
static struct source machine;
static const char *which;

static void setup(void)
{
    arena = arena_new();
    const char *top = tree_make();
    tree_file("etc/systemd/system/keep", "");
    tree_file("etc/udev/rules.d/keep", "");
    cr_assert_eq(root_open(top, false, &machine.root), 0);
}

static void teardown(void)
{
    root_close(machine.root);
    tree_remove();
    arena_free(arena);
}

TestSuite(boot, .init = setup, .fini = teardown);

Test(boot, names_that_need_no_quoting)
{
    cr_expect(boot_takes_device("rxe0") && boot_takes_device("rocep1s0f0") && boot_takes_device("a.b:c-d_e"));
    cr_expect(!boot_takes_device("") && !boot_takes_device("-x") && !boot_takes_device("a b") &&
              !boot_takes_device("a%i") && !boot_takes_device("a\"b") && !boot_takes_device("a@b") &&
              !boot_takes_device("a$b") && !boot_takes_device("a*") && !boot_takes_device("../x"));
    cr_expect(boot_takes_netdev("eth0@x") && boot_takes_netdev("eth0.100") && !boot_takes_netdev("e[0]") &&
              !boot_takes_netdev("we$rd"));
}

Test(boot, a_link_is_wanted_by_its_netdev)
{
    struct boot_files files = { 0 };
    boot_link(&files, arena, "/usr/bin/roce", "rxe0", "rxe", "br-lan.7");
    cr_assert_eq(files.count, 2);
    cr_expect_str_eq(files.items[0].path, "etc/systemd/system/roce-link-rxe0.service");
    const char *text = files.items[0].text;
    cr_expect(text_starts(text, BOOT_MARK));
    cr_expect(strstr(text, "\nBindsTo=sys-subsystem-net-devices-br\\x2dlan.7.device\n"));
    cr_expect(strstr(text, "\nExecStart=/usr/bin/roce link add rxe0 type rxe netdev br-lan.7\n"));
    cr_expect(strstr(text, "modprobe rdma_rxe\n"));
    cr_expect_str_eq(
        files.items[1].path,
        "etc/systemd/system/sys-subsystem-net-devices-br\\x2dlan.7.device.wants/roce-link-rxe0.service");
    cr_expect_str_eq(files.items[1].target, "/etc/systemd/system/roce-link-rxe0.service");
}

Test(boot, one_unit_holds_mode_and_tos_of_all_ports)
{
    struct device device = { .name = "mlx5_0", .nports = 3 };
    struct port ports[3] = {
        { .number = 1, .transport = TRANSPORT_ROCE, .cm_mode = num_of(GID_TYPE_ROCE_V2), .cm_tos = num_of(106) },
        { .number = 2, .transport = TRANSPORT_INFINIBAND, .cm_mode = num_of(GID_TYPE_ROCE_V2) },
        { .number = 3, .transport = TRANSPORT_ROCE, .cm_mode = num_of(GID_TYPE_IB_ROCE_V1) },
    };
    device.ports = ports;
    struct boot_files files = { 0 };
    boot_mode(&files, arena, "/usr/bin/roce", &device);
    cr_assert_eq(files.count, 2);
    cr_expect_str_eq(files.items[0].path, "etc/systemd/system/roce-mode-mlx5_0.service");
    cr_expect(strstr(files.items[0].text, "modprobe rdma_cm\n"
                                          "ExecStart=/usr/bin/roce -q mode set mlx5_0/1 v2\n"
                                          "ExecStart=/usr/bin/roce -q mode tos mlx5_0/1 106\n"
                                          "ExecStart=/usr/bin/roce -q mode set mlx5_0/3 v1\n"));
    cr_expect(!strstr(files.items[0].text, "mlx5_0/2") && !strstr(files.items[0].text, "tos mlx5_0/3"));
    cr_expect_str_eq(files.items[1].path, "etc/udev/rules.d/90-roce-mode-mlx5_0.rules");
    cr_expect(strstr(
        files.items[1].text,
        "KERNEL==\"mlx5_0\", ACTION!=\"remove\", TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"roce-mode-mlx5_0.service\"\n"));
}

#define UNIT "etc/systemd/system/roce-link-rxe0.service"
#define WANTS "etc/systemd/system/x.device.wants/roce-link-rxe0.service"
static const struct boot_file pair[] = {
    { UNIT, BOOT_MARK "new", NULL },
    { WANTS, NULL, "/" UNIT },
};

static int install(size_t *changed)
{
    struct install *ready;
    int r = install_prepare(&machine, pair, 2, &ready, &which);
    return r < 0 ? r : install_commit(ready, &which, changed);
}

static void expect_text(const char *path, const char *text)
{
    char buffer[256] = "";
    FILE *file = fopen(tree_path(path), "r");
    cr_assert(file, "%s", path);
    buffer[fread(buffer, 1, sizeof(buffer) - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(buffer, text);
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(tree_path(path), &st) == 0;
}

Test(boot, installs_renews_and_removes)
{
    size_t changed;
    tree_file("etc/systemd/system/.roce-link-rxe0.service.roce", "of a run that was killed");
    cr_assert_eq(install(&changed), 0);
    cr_expect_eq(changed, 2);
    expect_text(UNIT, BOOT_MARK "new");
    cr_assert_eq(install(&changed), 0);
    cr_expect_eq(changed, 0, "nothing is written twice");
    tree_file(UNIT, BOOT_MARK "old");
    cr_assert_eq(install(&changed), 0);
    cr_expect_eq(changed, 1);
    expect_text(UNIT, BOOT_MARK "new");
    cr_expect(!exists("etc/systemd/system/.roce-link-rxe0.service.roce"));
    char *text;
    cr_assert_eq(install_read(&machine, UNIT, &text), 0);
    cr_expect_str_eq(text, BOOT_MARK "new");
    free(text);
    cr_expect_eq(install_remove(&machine, WANTS, "/elsewhere"), -EEXIST);
    cr_expect_eq(install_remove(&machine, WANTS, "/" UNIT), 0);
    cr_expect(!exists("etc/systemd/system/x.device.wants"), "its directory goes with it");
    cr_expect_eq(install_remove(&machine, UNIT, NULL), 0);
    cr_expect_eq(install_remove(&machine, UNIT, NULL), -ENOENT);
}

Test(boot, what_is_in_the_way_stays_and_nothing_else_is_left)
{
    size_t changed;
    tree_file(UNIT, "[Unit]\n");
    cr_expect_eq(install(&changed), -EEXIST);
    cr_expect_str_eq(which, UNIT);
    expect_text(UNIT, "[Unit]\n");
    cr_expect_eq(install_remove(&machine, UNIT, NULL), -EEXIST);
    cr_assert_eq(unlink(tree_path(UNIT)), 0);

    tree_link(UNIT, "/dev/null"); /* masked */
    cr_expect_eq(install(&changed), -EEXIST);
    cr_assert_eq(unlink(tree_path(UNIT)), 0);

    cr_assert_eq(mkdir(tree_path(UNIT), 0755), 0);
    cr_expect_eq(install(&changed), -EEXIST);
    cr_assert_eq(rmdir(tree_path(UNIT)), 0);

    tree_file(UNIT, BOOT_MARK "old");
    tree_link(WANTS, "/another");
    cr_expect_eq(install(&changed), -EEXIST);
    cr_expect_str_eq(which, WANTS);
    expect_text(UNIT, BOOT_MARK "old");
    cr_expect(!exists("etc/systemd/system/.roce-link-rxe0.service.roce"));
}

Test(boot, a_recording_is_never_written)
{
    size_t changed;
    struct source recording = machine;
    cr_assert_eq(root_open(tree_top(), true, &recording.root), 0);
    struct install *ready;
    cr_expect_eq(install_prepare(&recording, pair, 2, &ready, &which), -EROFS);
    cr_assert_eq(install(&changed), 0);
    cr_expect_eq(install_remove(&recording, UNIT, NULL), -EROFS);
    char *text;
    cr_expect_eq(install_read(&recording, UNIT, &text), -EROFS);
    root_close(recording.root);
}

Test(boot, no_directory_to_write_into)
{
    static const struct boot_file file = { "etc/nowhere/rules.d/x", BOOT_MARK, NULL };
    struct install *ready;
    cr_expect_eq(install_prepare(&machine, &file, 1, &ready, &which), -ENOENT);
    cr_expect_str_eq(which, file.path);
    cr_expect(!exists("etc/nowhere"));
}
