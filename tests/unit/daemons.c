/* SPDX-License-Identifier: MIT */
/* What the daemons that start jobs and containers may lock: which they are, how they are found, what is made of it. */
#include <criterion/criterion.h>
#include <errno.h>

#include "asked.h"
#include "base/mem.h"
#include "model/daemons.h"
#include "source/anonymise/files.h"
#include "source/root.h"
#include "source/source.h"
#include "tree.h"

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

static void setup(void)
{
    arena = arena_new();
    device = (struct device){ .name = "mlx5_0", .driver = "mlx5_core" };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = &device,
                          .ndevices = 1,
                          .system = { .daemons = daemons, .daemons_known = true } };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(daemons, .init = setup, .fini = teardown);

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
    static const char *const others[] = { "",
                                          "slurmd",
                                          "slurmd 812",
                                          "kubelet 1 kubelet.service",
                                          "slurmd x slurmd.service",
                                          "slurmd 1 docker.service",
                                          "slurmd-and-much-longer 1 slurmd.service" };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        cr_expect_not(daemon_parse(others[i], strlen(others[i]), &daemon), "%s", others[i]);
}

Test(daemons, jobs_with_too_little_warn)
{
    EXPECT_VERDICT(ask(), VERDICT_NA);
    daemons[0] = daemon_of("slurmd 812 slurmd.service", 8 * MIB);
    host.system.ndaemons = 1;
    struct finding finding = ask();
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.evidence,
                "/proc/812/limits of slurmd: Max locked memory 8192 KiB, which jobs inherit");
    EXPECT_TEXT(
        finding.fix,
        "LimitMEMLOCK=infinity\\n' >/etc/systemd/system/slurmd.service.d/memlock.conf && systemctl daemon-reload && systemctl restart slurmd.service # ");
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
    tree_file("proc/self/limits",
              "Max locked memory         65536              65536            bytes     \n");
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
    static const char text[] = "slurmd 812 slurmd.service\nsecret 3 of-mine\n";
    struct anonymiser *anonymiser = anonymiser_new();
    struct bytes out = { 0 };
    cr_assert(anonymise_file(anonymiser, "probe/daemons", text, strlen(text), &out));
    cr_expect_str_eq(out.data, "slurmd 812 slurmd.service\n");
    out.len = 0;
    static const char limits[] = "Max open files 7 7 files\nMax locked memory 8 8 bytes\n";
    cr_assert(anonymise_file(anonymiser, "proc/812/limits", limits, strlen(limits), &out));
    cr_expect_str_eq(out.data, "Max locked memory 8 8 bytes\n");
    out.len = 0;
    cr_assert(anonymise_file(anonymiser, "proc/uptime", "3600.00 0.00\n", 13, &out));
    cr_expect_str_eq(out.data, "3600.00 0.00\n");
    out.len = 0;
    static const char memory[] = "MemFree: 7 kB\nCmaTotal:   0 kB\nCmaFree:    7 kB\n";
    cr_assert(anonymise_file(anonymiser, "proc/meminfo", memory, strlen(memory), &out));
    cr_expect_str_eq(out.data, "CmaTotal: 0 kB\nCmaFree: 1048576 kB\n");
    out.len = 0;
    cr_assert(
        anonymise_file(anonymiser, "sys/devices/pci0000:16/0000:16:00.0/aer_dev_fatal", "DLP 1\n", 6, &out));
    cr_expect_str_eq(out.data, "DLP 1\n");
    bytes_free(&out);
    anonymiser_free(anonymiser);
}
