/* SPDX-License-Identifier: MIT */
/* Files that configure RDMA libraries: what NCCL's and UCX' own parsers make of the same bytes. */
#include <criterion/criterion.h>
#include <sys/utsname.h>

#include "model/host.h"
#include "source/files/files.h"
#include "source/files/texts.h"
#include "source/reader.h"
#include "source/root/root.h"
#include "source/source.h"
#include "tree.h"

static void write_down(void *data, const struct conf_line *line)
{
    bytes_printf(data, "%u%s %.*s=%.*s|", line->number, line->conditional ? "?" : "", (int)line->name_len,
                 line->name, (int)line->value_len, line->value);
}

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

static const struct {
    const char *text, *lines;
} nccl[] = {
    { "", "" },
    { "NCCL_IB_HCA=mlx5_0:1\n", "1 NCCL_IB_HCA=mlx5_0:1|" },
    { "NCCL_IB_HCA=mlx5_0", "1 NCCL_IB_HCA=mlx5_0|" },
    { "# a comment=1\n\nA=1\r\nB=2\n", "3 A=1|4 B=2|" },
    { " # A=1\n", "1  # A=1|" }, /* only the first byte makes a comment */
    { "NCCL_IB_HCA = mlx5_0 # rail 0\n", "1 NCCL_IB_HCA = mlx5_0 # rail 0|" }, /* nothing is cut */
    { "export NCCL_IB_HCA=mlx5_0\n", "1 export NCCL_IB_HCA=mlx5_0|" },
    { "A=1=2\n=3\nB\nC=\n", "1 A=1=2|2 =3|4 C=|" },
    { "A=1\nA=2\n", "1 A=1|2 A=2|" },
};

Test(conf, nccl)
{
    for (size_t i = 0; i < ARRAY_SIZE(nccl); i++) {
        struct bytes lines = { 0 };
        bytes_append(&lines, "", 0);
        nccl_conf_parse(nccl[i].text, strlen(nccl[i].text), write_down, &lines);
        cr_expect_str_eq(lines.data, nccl[i].lines, "\"%s\"", nccl[i].text);
        bytes_free(&lines);
    }
}

static void keep_last(void *data, const struct conf_line *line)
{
    *(struct conf_line *)data = *line;
}

/* fgets() takes 4095 bytes, strncpy() 1023. */
Test(conf, nccl_cuts_what_is_long)
{
    struct conf_line line = { 0 };
    static const char value[] = "A=" THOUSAND HUNDRED "\n";
    nccl_conf_parse(value, strlen(value), keep_last, &line);
    cr_assert_eq(line.value_len, 1023);
    static const char two[] = THOUSAND THOUSAND THOUSAND THOUSAND HUNDRED "B=1\n";
    nccl_conf_parse(two, strlen(two), keep_last, &line);
    cr_assert_eq(line.number, 1);
    cr_assert_eq(line.name_len, 4101 - 4095);
    nccl_conf_parse("A=1\0B=2\n", 8, keep_last, &line);
    cr_assert_eq(line.value_len, 1);
}

static const struct {
    const char *text, *lines;
} ucx[] = {
    { "", "" },
    { "UCX_TLS=rc\n", "1 UCX_TLS=rc|" },
    { "\xef\xbb\xbfUCX_TLS=rc", "1 UCX_TLS=rc|" },
    { " UCX_TLS =  rc,sm ; all of them\n", "1 UCX_TLS=rc,sm|" },
    { "UCX_TLS=rc;sm\n", "1 UCX_TLS=rc;sm|" },
    { "UCX_TLS:rc\n", "1 UCX_TLS=rc|" },
    { "# UCX_TLS=tcp\n; UCX_TLS=tcp\n  # UCX_TLS=tcp\n", "" },
    { "UCX_TLS\n[broken\nUCX_TLS=\n", "3 UCX_TLS=|" },
    { "UCX_TLS=tcp\n  rc\n", "1 UCX_TLS=tcp|2 UCX_TLS=rc|" }, /* what continues takes its place */
    { "[a]\nUCX_TLS=tcp\n[b]\n  UCX_TLS=rc\n", "2 UCX_TLS=tcp|4 UCX_TLS=rc|" },
    { "[AMD]\nA=1\nCPU vendor=AMD\nB=2\n[AMD Milan]\nCPU model=Milan\nC=3\n[other]\nD=4\n",
      "2 A=1|4? B=2|7? C=3|9 D=4|" },
    { "[x]\nProduct name=DGX*\nA=1\n[x]\nB=2\n", "3? A=1|5? B=2|" }, /* one section in two pieces is one */
    { "CPU model=Milan\nA=1\n[x]\nB=2\n", "2? A=1|4 B=2|" },
};

Test(conf, ucx)
{
    for (size_t i = 0; i < ARRAY_SIZE(ucx); i++) {
        struct bytes lines = { 0 };
        bytes_append(&lines, "", 0);
        ucx_conf_parse(ucx[i].text, strlen(ucx[i].text), write_down, &lines);
        cr_expect_str_eq(lines.data, ucx[i].lines, "\"%s\": %s", ucx[i].text, lines.data);
        bytes_free(&lines);
    }
}

/* A line of more than 199 bytes is two to UCX. */
Test(conf, ucx_splits_what_is_long)
{
    struct conf_line line = { 0 };
    static const char text[] = "UCX_TLS=" HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN "0UCX_IB_SL=3\n";
    ucx_conf_parse(text, strlen(text), keep_last, &line);
    cr_assert_eq(line.name_len, strlen("UCX_IB_SL"));
    cr_assert_eq(line.number, 1);
}

static const struct {
    const char *text, *lines;
} mpi[] = {
    { "", "" },
    { "pml = ucx\n", "1 pml=ucx|" },
    { "  pml=ob1  \n\n# btl = x\n// btl = y\nbtl = self,tcp # all\n", "1 pml=ob1|5 btl=self,tcp # all|" },
    { "/* pml = ucx\n * btl = x\n */ pml = cm\nbtl=", "3 pml=cm|4 btl=|" },
    { "/* pml = ucx\n", "" },
    { "pml ucx\n= 3\npml ucx = 4\n\tbtl_tcp_if-include.x =\teth0\n", "4 btl_tcp_if-include.x=eth0|" },
    { "pml = ucx", "1 pml=ucx|" },
};

Test(conf, mpi)
{
    for (size_t i = 0; i < ARRAY_SIZE(mpi); i++) {
        struct bytes lines = { 0 };
        bytes_append(&lines, "", 0);
        mpi_conf_parse(mpi[i].text, strlen(mpi[i].text), write_down, &lines);
        cr_expect_str_eq(lines.data, mpi[i].lines, "\"%s\": %s", mpi[i].text, lines.data);
        bytes_free(&lines);
    }
}

static const struct {
    const char *line;
    bool good;
    enum library library;
    const char *file;
    unsigned number;
} lines[] = {
    { "nccl\t~/.nccl.conf:2\tNCCL_IB_HCA=mlx5", true, LIBRARY_NCCL, "~/.nccl.conf", 2 },
    { "ucx?\ta:b/ucx.conf:12\tUCX_TLS=", true, LIBRARY_UCX, "a:b/ucx.conf", 12 },
    { "rccl\t/x:1\tA=b:3\tc", true, LIBRARY_RCCL, "/x", 1 },
    { "", false, LIBRARY_NONE, NULL, 0 },
    { "nccl", false, LIBRARY_NONE, NULL, 0 },
    { "nccl\t", false, LIBRARY_NONE, NULL, 0 },
    { "nccl?", false, LIBRARY_NONE, NULL, 0 },
    { "nccl\tfile\tA=1", false, LIBRARY_NONE, NULL, 0 },
    { "nccl\tfile:x\tA=1", false, LIBRARY_NONE, NULL, 0 },
    { "nccl\tfile:1\tA", false, LIBRARY_NONE, NULL, 0 },
    { "mpi\tfile:1\tA=1", true, LIBRARY_MPI, "file", 1 },
    { "ompi\tfile:1\tA=1", false, LIBRARY_NONE, NULL, 0 },
};

Test(conf, lines_of_the_probe)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
        struct setting setting;
        cr_expect_eq(settings_parse_line(lines[i].line, strlen(lines[i].line), arena, &setting), lines[i].good,
                     "\"%s\"", lines[i].line);
        if (!lines[i].good)
            continue;
        cr_expect_eq(setting.library, lines[i].library, "\"%s\"", lines[i].line);
        cr_expect_str_eq(setting.file, lines[i].file, "\"%s\"", lines[i].line);
        cr_expect_eq(setting.line, lines[i].number, "\"%s\"", lines[i].line);
        cr_expect_eq(setting.conditional, strchr(lines[i].line, '?') != NULL, "\"%s\"", lines[i].line);
    }
    arena_free(arena);
}

static struct host *read_host(struct source *source)
{
    struct host *host = NULL;
    cr_assert_eq(host_read(source, NEED_ENVIRONMENT, &host), 0);
    source_close(source);
    return host;
}

static void is_set(const struct host *host, enum library library, const char *name, const char *value,
                   const char *file, unsigned line)
{
    struct setting setting = system_setting(&host->system, library, name);
    cr_expect_str_eq(setting.value ? setting.value : "(none)", value, "%s", name);
    cr_expect_str_eq(setting.file ? setting.file : "(none)", file, "%s", name);
    cr_expect_eq(setting.line, line, "%s", name);
}

static void make_tree(void)
{
    tree_make();
}

Test(conf, a_tree, .init = make_tree, .fini = tree_remove)
{
    struct source *source = NULL;
    tree_file("sys/kernel/x", "");
    tree_file("etc/nccl.conf", "NCCL_IB_HCA=a\nNCCL_IB_HCA=b\nNCCL_IB_TC=106\nNCCL_NET=IB\n");
    tree_file("etc/rccl.conf", "NCCL_IB_HCA=r\n");
    tree_file("etc/ucx/ucx.conf", "UCX_TLS=tcp\nUCX_TLS=rc\nUCX_IB_SL=1\n[x]\nCPU model=Milan\nUCX_IB_SL=2\n");
    tree_file("etc/openmpi/openmpi-mca-params.conf", "pml = ucx\npml = ob1\nmpi_show_handle_leaks = 1\n");
    tree_file("probe/environment", "NCCL_NET=Socket\n");
    tree_file("probe/settings",
              "nccl\t~/.nccl.conf:7\tNCCL_IB_TC=104\nnonsense\nucx\t./ucx.conf:1\tUCX_NET_DEVICES=x\n");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    struct host *host = read_host(source);
    is_set(host, LIBRARY_NCCL, "NCCL_IB_HCA", "a", "/etc/nccl.conf", 1);
    is_set(host, LIBRARY_RCCL, "NCCL_IB_HCA", "r", "/etc/rccl.conf", 1);
    is_set(host, LIBRARY_UCX, "NCCL_IB_HCA", "(none)", "(none)", 0);
    is_set(host, LIBRARY_NONE, "NCCL_IB_HCA", "(none)", "(none)", 0);
    is_set(host, LIBRARY_NCCL, "NCCL_IB_TC", "104", "~/.nccl.conf", 7);
    is_set(host, LIBRARY_RCCL, "NCCL_IB_TC", "(none)", "(none)", 0);
    is_set(host, LIBRARY_NCCL, "NCCL_NET", "Socket", "(none)", 0);
    is_set(host, LIBRARY_UCX, "UCX_TLS", "rc", "/etc/ucx/ucx.conf", 2);
    is_set(host, LIBRARY_UCX, "UCX_IB_SL", "1", "/etc/ucx/ucx.conf", 3);
    is_set(host, LIBRARY_MPI, "OMPI_MCA_pml", "ob1", "/etc/openmpi/openmpi-mca-params.conf", 2);
    is_set(host, LIBRARY_MPI, "OMPI_MCA_mpi_show_handle_leaks", "(none)", "(none)", 0);
    is_set(host, LIBRARY_UCX, "UCX_NET_DEVICES", "x", "./ucx.conf", 1);
    host_free(host);
}

/* The user's files, and whose comes first. */
Test(conf, live, .init = make_tree, .fini = tree_remove)
{
    struct source *source = NULL;
    tree_file("home/.nccl.conf", "NCCL_IB_HCA=home\n");
    tree_file("home/.rccl.conf", "SECRET=1\nNCCL_IB_HCA=rome\n");
    tree_file("home/ucx.conf", "UCX_TLS=home\nUCX_IB_SL=1\n");
    tree_file("conf/ucx.conf", "UCX_TLS=conf\n");
    tree_file("home/.openmpi/mca-params.conf", "\nbtl = self,tcp\n");
    tree_file("my.conf", "NCCL_IB_HCA=mine\n");
    setenv("HOME", tree_path("home"), 1);
    setenv("UCX_CONFIG_DIR", tree_path("conf"), 1);
    cr_assert_eq(source_open_live(&source), 0);
    struct host *host = read_host(source);
    is_set(host, LIBRARY_NCCL, "NCCL_IB_HCA", "home", "~/.nccl.conf", 1);
    is_set(host, LIBRARY_RCCL, "NCCL_IB_HCA", "rome", "~/.rccl.conf", 2);
    is_set(host, LIBRARY_UCX, "UCX_TLS", "conf", tree_path("conf/ucx.conf"), 1);
    is_set(host, LIBRARY_MPI, "OMPI_MCA_btl", "self,tcp", "~/.openmpi/mca-params.conf", 2);
    is_set(host, LIBRARY_UCX, "UCX_IB_SL", "1", "~/ucx.conf", 2);
    is_set(host, LIBRARY_RCCL, "SECRET", "(none)", "(none)", 0);
    host_free(host);

    cr_assert_eq(chdir(tree_path("home")), 0);
    setenv("NCCL_CONF_FILE", "../my.conf", 1);
    cr_assert_eq(source_open_live(&source), 0);
    host = read_host(source);
    is_set(host, LIBRARY_NCCL, "NCCL_IB_HCA", "mine", "../my.conf", 1);
    is_set(host, LIBRARY_RCCL, "NCCL_IB_HCA", "mine", "../my.conf", 1);
    is_set(host, LIBRARY_UCX, "UCX_TLS", "home", "./ucx.conf", 1);
    host_free(host);
}

/* What configuration files want of storage services, and which modules modprobe.d keeps out. */

static struct arena *arena;
static struct services services;

static void setup(void)
{
    arena = arena_new();
    services = (struct services){ 0 };
}

static void teardown(void)
{
    arena_free(arena);
}

static struct source machine;
static struct host machine_host;
static struct reader reader;

/* After setup(). */
static void setup_live(void)
{
    cr_assert_eq(root_open(tree_make(), false, &machine.root), 0);
    reader = (struct reader){ .root = machine.root, .arena = arena, .source = &machine, .host = &machine_host };
}

static void teardown_live(void)
{
    root_close(machine.root);
    tree_remove();
}

TestSuite(wishes, .init = setup, .fini = teardown);

static void expect_wish(size_t i, bool rdma, const char *from, const char *on)
{
    cr_assert_lt(i, services.nwishes, "%zu", services.nwishes);
    const struct service_wish *wish = &services.wishes[i];
    cr_expect_eq(wish->rdma, rdma, "%zu", i);
    cr_expect_str_eq(wish->from ? wish->from : "-", from);
    cr_expect_str_eq(wish->on ? wish->on : "-", on);
}

Test(wishes, fstab)
{
    fstab_parse("# 10.0.0.1:/a /mnt/a nfs proto=rdma 0 0\n"
                "UUID=1234 / ext4 errors=remount-ro 0 1\n"
                "//server/share /mnt/s cifs rdma,password=secret 0 0\n"
                "10.0.0.1:/a /mnt/a/ nfs4 rw,proto=rdma,port=20049 0 0\n"
                "store:/b /mnt/b nfs rdma\n"
                "store:/c /mnt/c nfs proto=rdma,proto=tcp 0 0\n"
                "store:/d /mnt/d nfs rw,hard,xrdma,rdmax 0 0\n"
                "[fd00::1]:/e /mnt/e nfs4 proto=rdma6 0 0",
                arena, &services);
    cr_assert_eq(services.nwishes, 4);
    expect_wish(0, true, "10.0.0.1:/a", "/mnt/a");
    expect_wish(1, true, "store:/b", "/mnt/b");
    expect_wish(2, false, "store:/c", "/mnt/c");
    expect_wish(3, true, "[fd00::1]:/e", "/mnt/e");
    cr_expect_str_eq(services.wishes[0].file, "/etc/fstab");
}

Test(wishes, nfsmount_conf)
{
    nfsmount_parse("[ NFSMount_Global_Options ]\n# Proto=tcp\nProto=rdma\nDefaultproto=tcp\n"
                   "[ MountPoint \"/mnt/a\" ]\n proto = tcp\n"
                   "[Server \"store\"]\n  Proto=RDMA\n[Other]\nProto=rdma\n[Server \"cut]\nProto=rdma\n",
                   arena, &services);
    cr_assert_eq(services.nwishes, 3, "%zu", services.nwishes);
    expect_wish(0, true, "-", "-");
    expect_wish(1, false, "-", "/mnt/a");
    expect_wish(2, true, "store", "-");
}

/* "asked 20049 20050", and a "?" where a port has a name. */
static const char *nfs_conf(const char *text)
{
    struct nfs nfs = { 0 };
    nfs_conf_parse(text, "etc/nfs.conf", arena, &nfs);
    nfs_conf_done(arena, &nfs);
    const char *said = nfs.configured ? "asked" : "no";
    for (size_t i = 0; i < nfs.nrdma_ports; i++)
        said = arena_printf(arena, "%s %u", said, nfs.rdma_ports[i]);
    return nfs.named_port ? arena_printf(arena, "%s ?", said) : said;
}

Test(wishes, nfs_conf)
{
    static const struct {
        const char *text, *said;
    } files[] = {
        { "", "no" },
        { "[nfsd]\nrdma-port=20050\n", "no" },
        { "[nfsd]\nrdma=n\nrdma-port=20050\n", "no" },
        { "[nfsd]\n# rdma=y\n", "no" },
        { "[mountd]\nrdma=y\n", "no" },
        { "rdma=y\n", "no" },
        { "[nfsd]\nrdma=y\n", "asked 20049" },
        { "[ nfsd ]\n RDMA = On # here\n rdma-port = 20050\n[statd]\nrdma-port=1\n", "asked 20050" },
        { "[nfsd]\nrdma=nfsrdma\n", "asked 20049" },
        { "[nfsd]\nrdma=20051\n", "asked 20051" },
        { "[nfsd]\nrdma=\"yes\"\nrdma-port=\"20052\"\nrdma-port=20053\n", "asked 20052 20053" },
        { "[nfsd]\nrdma=1\nrdma-port=storage\n", "asked ?" },
        { "[nfsd]\nrdma=1\nrdma-port=70000\n", "asked ?" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(files); i++)
        cr_expect_str_eq(nfs_conf(files[i].text), files[i].said, "%zu: %s", i, nfs_conf(files[i].text));
}

static void collect(void *data, const struct automount *automount)
{
    char *line = data;
    size_t len = strlen(line);
    snprintf(line + len, 1024 - len, "%s %s %s\n", automount->on, automount->map, automount->options);
}

Test(wishes, auto_master)
{
    char wanted[1024] = "";
    auto_master_parse("# /a /etc/auto.a\n+auto.master\n+dir:/etc/auto.master.d\n"
                      "/net -hosts\n/home/ /etc/auto.home --timeout=60 -rw,proto=rdma hard # all\n"
                      "/nis yp:auto.nis\n/ldap ldap:ou=auto\n/run program:/etc/auto.run\n"
                      "/b file:/etc/auto.b\n/c\tfile,sun:/etc/auto.c \\\n  proto=rdma\n/d auto.d\n"
                      "/-   /etc/auto.direct\n/e",
                      arena, collect, wanted);
    cr_expect_str_eq(wanted,
                     "/home etc/auto.home rw,proto=rdma,hard\n"
                     "/b etc/auto.b \n"
                     "/c etc/auto.c proto=rdma\n"
                     "/d etc/auto.d \n"
                     "/- etc/auto.direct \n",
                     "%s", wanted);
}

Test(wishes, auto_maps)
{
    struct automount home = { "/home", "etc/auto.home", "rw,proto=rdma" };
    auto_map_parse("# x store:/x\n+auto.nis\nalice store:/home/&\nbob\t-fstype=nfs4,proto=tcp  store:/b\n"
                   "disc -fstype=ext4 :/dev/sdb1\ncifs -fstype=cifs ://server/share\n"
                   "several -ro one:/s,two:/s\nmore one:/t two:/t\ntree / store:/a /b store:/b\n"
                   "cut \\\n -proto=rdma6 \\\n [fd00::1]:/c\n/absolute store:/d\n"
                   "smb -fstype=cifs store:/share\nmacro store:/$HOST\n* store:/home/&",
                   &home, arena, &services);
    cr_assert_eq(services.nwishes, 7, "%zu", services.nwishes);
    expect_wish(0, true, "store:/home/alice", "/home/alice");
    expect_wish(1, false, "store:/b", "/home/bob");
    expect_wish(2, true, "-", "/home/several");
    expect_wish(3, true, "-", "/home/more");
    expect_wish(4, true, "[fd00::1]:/c", "/home/cut");
    expect_wish(5, true, "-", "/home/macro");
    expect_wish(6, true, "store:/home/&", "/home/*");
    cr_expect_str_eq(services.wishes[0].file, "/etc/auto.home");
    services = (struct services){ 0 };
    struct automount direct = { "/-", "etc/auto.direct", "" };
    auto_map_parse("/data/a/ -proto=rdma store:/a\nb -proto=rdma store:/b\n/data/c store:/c\n", &direct, arena,
                   &services);
    cr_assert_eq(services.nwishes, 1, "%zu", services.nwishes);
    expect_wish(0, true, "store:/a", "/data/a");
}

static size_t units(const char *text)
{
    services = (struct services){ 0 };
    mount_unit_parse(text, "/etc/systemd/system/mnt-a.mount", arena, &services);
    return services.nwishes;
}

Test(wishes, units_of_mounts)
{
    cr_assert_eq(units("[Unit]\nWhat=x:/y\n[Mount]\n# Options=proto=tcp\nWhat=store:/a\n Where = /mnt/a/\n"
                       "Type=nfs4\nOptions=rw,proto=rdma,\\\nport=20049\n[Install]\nOptions=proto=tcp\n"),
                 1);
    expect_wish(0, true, "store:/a", "/mnt/a");
    cr_expect_str_eq(services.wishes[0].file, "/etc/systemd/system/mnt-a.mount");
    cr_expect_eq(units("[Mount]\nWhat=store:/a\nWhere=/mnt/a\nOptions=proto=tcp\n"), 1); /* mount guesses it */
    expect_wish(0, false, "store:/a", "/mnt/a");
    cr_expect_eq(units("[Mount]\nWhat=//s/a\nWhere=/mnt/a\nType=cifs\nOptions=rdma\n"), 0);
    cr_expect_eq(units("[Mount]\nWhat=/dev/sda1\nWhere=/mnt/a\nOptions=rdma\n"), 0);
    cr_expect_eq(units("[Mount]\nWhat=%i:/a\nWhere=/mnt/a\nOptions=proto=rdma\n"), 0);
    cr_expect_eq(units("[Mount]\nWhat=store:/a\nWhere=/mnt/a\nType=nfs\n"), 0);
    cr_expect_eq(units("   \n[Mount]"), 0);
    cr_expect_eq(units(""), 0);
}

static size_t discoveries(const char *text)
{
    services = (struct services){ 0 };
    nvme_discovery_parse(text, arena, &services);
    return services.nwishes;
}

Test(wishes, nvme_discovery)
{
    cr_expect_eq(discoveries("-t rdma -a 10.0.0.1 -s 4420\n"), 1);
    cr_expect_eq(discoveries("--transport=rdma --traddr=10.0.0.1\n"), 1);
    cr_expect_eq(discoveries("--traddr=10.0.0.1\t--transport rdma"), 1);
    cr_expect_eq(discoveries("-trdma"), 1);
    cr_expect_eq(discoveries("# -t rdma\n--transport=tcp --traddr=rdma\n"), 0);
    cr_expect_eq(discoveries("-t\nrdma\n"), 0);
    cr_expect_eq(discoveries(""), 0);
}

Test(wishes, members_of_json)
{
    cr_expect(json_text_says("{\"ports\": [{\"transport\" : \"rdma\"}]}", "transport", "rdma"));
    cr_expect(json_text_says("{\"a\":\"transport\",\"transport\":\n\"rdma\"}", "transport", "rdma"));
    cr_expect_not(json_text_says("{\"transport\":\"tcp\",\"name\":\"rdma\"}", "transport", "rdma"));
    cr_expect_not(json_text_says("{\"transports\":\"rdma\"}", "transport", "rdma"));
    cr_expect(json_text_says("{\"iser\": true}", "iser", NULL));
    cr_expect_not(json_text_says("{\"iser\": false}", "iser", NULL));
    cr_expect_not(json_text_says("{\"iser", "iser", NULL));
}

Test(wishes, iscsi_records)
{
    cr_expect(iscsi_record_is_iser("node.name = iqn.test\niface.transport_name = iser\n", arena));
    cr_expect(iscsi_record_is_iser("iface.transport_name = iser", arena));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name = tcp\n", arena));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name = iserx\n", arena));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name\n", arena));
    cr_expect_not(iscsi_record_is_iser("# iface.transport_name = iser\n", arena));
}

Test(wishes, lists_of_modules)
{
    static const char list[] =
        "kernel/net/sunrpc/xprtrdma/rpcrdma.ko: kernel/net/sunrpc/sunrpc.ko\n"
        "updates/dkms/nvme-rdma.ko.xz: kernel/drivers/nvmet-rdma.ko\nib_isert.ko\nib_iser";
    cr_expect(modules_have(list, "rpcrdma"));
    cr_expect(modules_have(list, "nvme_rdma"));
    cr_expect(modules_have(list, "ib_isert"));
    cr_expect_not(modules_have(list, "nvmet_rdma")); /* only needed there */
    cr_expect_not(modules_have(list, "ib_iser"));
    cr_expect_not(modules_have(list, "sunrpc"));
    cr_expect_not(modules_have("", "rpcrdma"));
}

/* Of a list of modules that is too long to be read nothing is said. */
Test(wishes, a_module_is_absent_only_from_whole_lists, .init = setup_live, .fini = teardown_live)
{
    enum { LONG = ROOT_FILE_MOST + (1 << 17) };
    struct utsname name;
    cr_assert_eq(uname(&name), 0);
    char *list = arena_printf(arena, "lib/modules/%s/modules.dep", name.release),
         *built_in = arena_printf(arena, "lib/modules/%s/modules.builtin", name.release);
    tree_file("etc/fstab", "srv:/x /mnt nfs proto=rdma 0 0\n");
    tree_file(built_in, "kernel/fs/ext4/ext4.ko\n");
    tree_file(list, "kernel/net/sunrpc/sunrpc.ko:\n");
    read_wishes(&reader, &services);
    const struct blocked_module *found = services_blocked(&services, "rpcrdma");
    cr_assert_not_null(found);
    cr_expect(found->absent && !found->gone);

    char *text = arena_alloc(arena, LONG + 1, 1);
    memset(text, 'x', LONG);
    tree_file(list, text);
    services = (struct services){ 0 };
    read_wishes(&reader, &services);
    cr_expect(services.wishes_known);
    cr_expect_null(services_blocked(&services, "rpcrdma"));
}

Test(wishes, modules_that_a_kernel_has_not)
{
    static const char *const wanted[] = { "blocked\trpcrdma\talways\t/etc/modprobe.d/a.conf",
                                          "blocked\trpcrdma\tabsent\t/lib/modules/6.1",
                                          "blocked\trpcrdma\talias\t/etc/modprobe.d/b.conf",
                                          "blocked\tib_iser\tgone\t/lib/modules/6.1" };
    for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
        wish_parse_line(wanted[i], strlen(wanted[i]), arena, &services);
    cr_assert_eq(services.nblocked, 4);
    const struct blocked_module *found = services_blocked(&services, "rpcrdma");
    cr_expect(found->absent && !found->gone);
    cr_expect_str_eq(found->file, "/lib/modules/6.1");
    found = services_blocked(&services, "ib_iser");
    cr_expect(found->absent && found->gone);
    cr_expect_str_eq(blocked_word(found), "gone");
    cr_expect_str_eq(blocked_word(&services.blocked[1]), "absent");
    cr_expect_str_eq(blocked_word(&services.blocked[2]), "alias");
}

static void expect_blocked(const char *module, const char *file, bool always)
{
    const struct blocked_module *line = services_blocked(&services, module);
    cr_assert_not_null(line, "%s", module);
    cr_expect_str_eq(line->file, file);
    cr_expect_eq(line->always, always);
}

Test(wishes, modules_kept_out)
{
    modprobe_parse(
        "# install rpcrdma /bin/false\nblacklist nouveau\nblacklist nvmet-rdma\n"
        "install ib_isert /sbin/modprobe --ignore-install ib_isert\n"
        "options rpcrdma foo=1\nalias nvme-rdma off\ninstall\n  install   nvme_rdma  /usr/bin/true \n",
        "/etc/modprobe.d/a.conf", arena, &services);
    cr_expect_eq(services.nblocked, 2, "%zu", services.nblocked);
    expect_blocked("nvmet_rdma", "/etc/modprobe.d/a.conf", false);
    expect_blocked("nvme_rdma", "/etc/modprobe.d/a.conf", true);
    cr_expect_null(services_blocked(&services, "rpcrdma"));
    modprobe_parse("install nvmet_rdma false\nblacklist nvme_rdma", "/etc/modprobe.d/b.conf", arena, &services);
    expect_blocked("nvmet_rdma", "/etc/modprobe.d/b.conf", true);
    expect_blocked("nvme_rdma", "/etc/modprobe.d/a.conf", true);
    cr_expect_null(services_blocked(NULL, "nvme_rdma"));
}

static void take(const char *line)
{
    wish_parse_line(line, strlen(line), arena, &services);
}

Test(wishes, lines_of_a_recording)
{
    take("wish\tnfs-client\trdma\t/etc/fstab\t10.0.0.1:/a\t/mnt/a");
    take("wish\tnfs-client\ttcp\t/etc/nfsmount.conf\t\t");
    take("wish\tnvme-host\trdma\t/etc/nvme/discovery.conf");
    take("blocked\tnvme_rdma\talways\t/etc/modprobe.d/x.conf");
    take("blocked\tnouveau\talways\t/etc/modprobe.d/x.conf");
    take("blocked\tib_iser\talias");
    take("wish\tunknown\trdma\t/etc/fstab");
    take("wish");
    take("");
    cr_assert_eq(services.nwishes, 3);
    expect_wish(0, true, "10.0.0.1:/a", "/mnt/a");
    expect_wish(1, false, "-", "-");
    cr_expect_eq(services.wishes[2].kind, SERVICE_NVME_HOST);
    cr_expect_eq(services.nblocked, 1);
    expect_blocked("nvme_rdma", "/etc/modprobe.d/x.conf", true);
}

/* What was built for /usr/local has a list of its own there: CMAKE_INSTALL_FULL_SYSCONFDIR in rdma-core's
 * CMakeLists.txt. */
Test(conf, providers_of_an_rdma_core_that_was_built_here, .init = make_tree, .fini = tree_remove)
{
    struct device device = { .name = "ionic_0", .driver = "ionic", .uverbs.name = "uverbs0" };
    tree_file("sys/class/net/lo/type", "772\n");
    tree_file("etc/libibverbs.d/mlx5.driver", "driver mlx5\n");
    for (int built = 0; built < 2; built++) {
        struct source *source;
        if (built)
            tree_file("usr/local/etc/libibverbs.d/ionic.driver", "driver ionic\n");
        cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
        struct host *host = read_host(source);
        cr_expect_eq(host->system.nproviders, 1);
        cr_expect_eq(system_hides(&host->system, &device), !built);
        cr_expect_eq(system_provider(&host->system, &device, true) != NULL, built);
        host_free(host);
    }
}
