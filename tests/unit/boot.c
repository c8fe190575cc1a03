/* SPDX-License-Identifier: MIT */
/* model/boot: the text of units and rules. source/root/install: files that are replaced, kept and removed. */
#include <criterion/criterion.h>
#include <sys/stat.h>

#include "asked.h"
#include "model/boot.h"
#include "model/system.h"
#include "source/anonymise/anonymise.h"
#include "source/files/forms.h"
#include "source/reader.h"
#include "source/root/install.h"
#include "source/root/root.h"
#include "source/source.h"
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
    cr_expect(strstr(text, "\nExecStart=/usr/bin/roce links add rxe0 type rxe netdev br-lan.7\n"));
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
        { .number = 1,
          .transport = TRANSPORT_ROCE,
          .cm_mode = num_of(GID_TYPE_ROCE_V2),
          .cm_tos = num_of(106) },
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
    cr_expect(strstr(files.items[1].text, "KERNEL==\"mlx5_0\", ACTION!=\"remove\", TAG+=\"systemd\", "
                                          "ENV{SYSTEMD_WANTS}+=\"roce-mode-mlx5_0.service\"\n"));
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

/* What the daemons that start jobs and containers may lock: which they are, how they are found, what is made of
 * it. */

static struct arena *arena;
static struct device device;
static struct daemon daemons[3];
static struct host host;

enum { MIB = 1 << 20 };

static struct daemon daemon_of(const char *line, uint64_t limit)
{
    struct daemon daemon;
    cr_assert(daemon_parse(line, strlen(line), &daemon), "%s", line);
    daemon.memlock_soft = daemon.memlock_hard = num_of(limit);
    return daemon;
}

static void daemons_setup(void)
{
    arena = arena_new();
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core" };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = &device,
                          .ndevices = 1,
                          .system = { .daemons = daemons, .daemons_known = true } };
}

static void daemons_teardown(void)
{
    arena_free(arena);
}

TestSuite(daemons, .init = daemons_setup, .fini = daemons_teardown);

static struct finding ask(void)
{
    return ask_about(&host, "memlock-services", arena);
}

Test(daemons, only_those_that_are_known)
{
    struct daemon daemon;
    cr_expect(daemon_parse("slurmd 812 slurmd.service", 25, &daemon));
    cr_expect_eq(daemon.pid, 812);
    cr_expect_eq(daemon_role(&daemon), DAEMON_JOBS);
    cr_expect(daemon_parse("containerd 1 k3s.service\nx", 24, &daemon));
    cr_expect_eq(daemon_role(&daemon), DAEMON_CONTAINERS);
    cr_expect(daemon_parse("kubelet 1 kubelet.service", 25, &daemon));
    cr_expect_eq(daemon_role(&daemon), DAEMON_CONTAINERS);
    static const char *const others[] = { "",
                                          "slurmd",
                                          "slurmd 812",
                                          "kubelet 1 docker.service",
                                          "slurmd x slurmd.service",
                                          "slurmd 1 docker.service",
                                          "slurmd-and-much-longer 1 slurmd.service" };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        cr_expect_not(daemon_parse(others[i], strlen(others[i]), &daemon), "%s", others[i]);
}

Test(daemons, jobs_with_too_little_warn)
{
    EXPECT_VERDICT(ask(), VERDICT_NA);
    daemons[0] = daemon_of("kubelet 700 kubelet.service", 8 * MIB); /* starts no container itself */
    host.system.ndaemons = 1;
    EXPECT_VERDICT(ask(), VERDICT_NA);
    daemons[0] = daemon_of("slurmd 812 slurmd.service", 8 * MIB);
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence, "/proc/812/limits of slurmd: Max locked memory 8192 KiB, which jobs inherit");
    EXPECT_TEXT(finding.fix, "LimitMEMLOCK=infinity\\n' >/etc/systemd/system/slurmd.service.d/memlock.conf && "
                             "systemctl daemon-reload && systemctl restart slurmd.service # ");
    daemons[0].memlock_soft = num_of(UINT64_MAX);
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    daemons[0].memlock_hard = num_of(UINT64_MAX);
    EXPECT_TEXT(ask().evidence, "Max locked memory unlimited");
    cr_expect_not(strstr(ask().evidence, "who asks"));
    daemons[0].memlock_soft = num_of(512 * MIB);
    EXPECT_VERDICT(ask(), VERDICT_PASS);
    daemons[0].memlock_soft = num_of(512 * MIB - 1);
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    EXPECT_TEXT(ask().evidence,
                "Max locked memory 524287 KiB, up to unlimited for those who ask, which jobs inherit");
    daemons[0].memlock_soft = (struct num){ 0 };
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
}

/* They have other ways: the capability, or --ulimit. */
Test(daemons, containers_with_little_are_worth_knowing)
{
    daemons[0] = daemon_of("containerd 700 containerd.service", 8 * MIB);
    daemons[1] = daemon_of("dockerd 900 docker.service", 64 << 10);
    host.system.ndaemons = 1;
    EXPECT_VERDICT(ask(), VERDICT_INFO);
    EXPECT_TEXT(ask().evidence, "of containerd: Max locked memory 8192 KiB, which containers inherit");
    EXPECT_TEXT(ask().fix, "systemctl restart containerd.service # containers that run go on");
    cr_expect_not(strstr(ask().fix, "docker run"));
    daemons[1] = daemon_of("crio 901 crio.service", 8 * MIB);
    host.system.ndaemons = 2;
    EXPECT_TEXT(ask().evidence, "of containerd:");
    daemons[1] = daemon_of("dockerd 900 docker.service", 64 << 10);
    EXPECT_TEXT(ask().fix, "docker run --ulimit memlock=-1:-1");
    EXPECT_TEXT(ask().evidence, "of containerd:"); /* dockerd starts none */
    daemons[0] = daemon_of("containerd 700 docker.service", 8 * MIB);
    EXPECT_TEXT(ask().fix, "stops containers unless live-restore is on");
    daemons[2] = daemon_of("slurmd 812 slurmd.service", 8 * MIB);
    host.system.ndaemons = 3;
    EXPECT_VERDICT(ask(), VERDICT_WARN);
    EXPECT_TEXT(ask().evidence, "of slurmd");
    daemons[2] = daemon_of("slurmd 812 slurmd.service", UINT64_MAX);
    EXPECT_VERDICT(ask(), VERDICT_INFO);
}

Test(daemons, who_is_not_asked)
{
    daemons[0] = daemon_of("slurmd 812 slurmd.service", 8 * MIB);
    host.system.ndaemons = 1;
    host.system.daemons_known = false; /* a recording that was made before */
    EXPECT_VERDICT(ask(), VERDICT_UNKNOWN);
    host.system.daemons_known = true;
    device.driver = "rxe";
    EXPECT_VERDICT(ask(), VERDICT_NA);
    host.ndevices = 0;
    EXPECT_VERDICT(ask(), VERDICT_NA);
}

static struct host *read_tree(void)
{
    struct source *source = NULL;
    struct host *read = NULL;
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_SYSTEM, &read), 0);
    source_close(source);
    return read;
}

Test(daemons, limits_as_the_kernel_writes_them)
{
    tree_make();
    tree_file("sys/class/x", "");
    tree_file("probe/daemons", "slurmd 812 slurmd.service\ncontainerd 7 containerd.service\nrubbish\n");
    tree_file("proc/812/limits",
              "Limit                     Soft Limit           Hard Limit           Units     \n"
              "Max locked memory         8388608              unlimited            bytes     \n");
    tree_file("proc/self/limits", "Max locked memory         65536              65536            bytes     \n");
    struct host *read = read_tree();
    cr_assert_eq(read->system.ndaemons, 2);
    cr_expect(num_is(read->system.daemons[0].memlock_soft, 8388608));
    cr_expect(num_is(read->system.daemons[0].memlock_hard, UINT64_MAX));
    cr_expect_not(read->system.daemons[1].memlock_soft.known, "it can't be read");
    cr_expect(num_is(read->system.memlock_soft, 65536));
    host_free(read);
    tree_remove();
}

Test(daemons, anonymised_they_are_roces_own_words)
{
    static const struct {
        const char *form, *text, *kept;
    } files[] = {
        { "{daemon}\n", "slurmd 812 slurmd.service\nsecret 3 of-mine\n", "slurmd 812 slurmd.service\n" },
        { FORM_LIMITS, "Max open files 7 7 files\nMax locked memory 8 8 bytes\n",
          "Max locked memory 8 8 bytes\n" },
        { FORM_MEMINFO, "MemFree: 7 kB\nCmaTotal:   0 kB\n", "CmaTotal:   0 kB\n" },
        { "{decimal} {decimal}", "3600.00 0.00\n", "3600.00 0.00\n" },
        { FORM_AER, "DLP 1\nCANARY 1\n", "DLP 1\n? 1\n" },
    };
    struct bytes out = { 0 };
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        out.len = 0;
        cr_assert(anonymise_file(files[i].form, "x", files[i].text, strlen(files[i].text), &out));
        cr_expect_str_eq(out.data, files[i].kept);
    }
    bytes_free(&out);
}
