/* SPDX-License-Identifier: MIT */
/* Files that configure RDMA libraries: what NCCL's and UCX' own parsers make of the same bytes. */
#include "source/files/conf.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/mem.h"
#include "model/host.h"
#include "source/files/settings.h"
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
        cr_expect_eq(settings_parse_line(lines[i].line, strlen(lines[i].line), arena, &setting),
                     lines[i].good, "\"%s\"", lines[i].line);
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
