/* SPDX-License-Identifier: MIT */
/* What configuration files want of storage services, and which modules modprobe.d keeps out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "source/files/automounts.h"
#include "source/files/nfs_conf.h"
#include "source/files/wishes.h"

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
    char lines[1024] = "";
    auto_master_parse("# /a /etc/auto.a\n+auto.master\n+dir:/etc/auto.master.d\n"
                      "/net -hosts\n/home/ /etc/auto.home --timeout=60 -rw,proto=rdma hard # all\n"
                      "/nis yp:auto.nis\n/ldap ldap:ou=auto\n/run program:/etc/auto.run\n"
                      "/b file:/etc/auto.b\n/c\tfile,sun:/etc/auto.c \\\n  proto=rdma\n/d auto.d\n"
                      "/-   /etc/auto.direct\n/e",
                      arena, collect, lines);
    cr_expect_str_eq(lines,
                     "/home etc/auto.home rw,proto=rdma,hard\n"
                     "/b etc/auto.b \n"
                     "/c etc/auto.c proto=rdma\n"
                     "/d etc/auto.d \n"
                     "/- etc/auto.direct \n",
                     "%s", lines);
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
    auto_map_parse("/data/a/ -proto=rdma store:/a\nb -proto=rdma store:/b\n/data/c store:/c\n", &direct,
                   arena, &services);
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
    cr_expect(json_text_says("{\"ports\": [{\"transport\" : \"rdma\"}]}", "transport", "\"rdma\""));
    cr_expect(json_text_says("{\"a\":\"transport\",\"transport\":\n\"rdma\"}", "transport", "\"rdma\""));
    cr_expect_not(json_text_says("{\"transport\":\"tcp\",\"name\":\"rdma\"}", "transport", "\"rdma\""));
    cr_expect_not(json_text_says("{\"transports\":\"rdma\"}", "transport", "\"rdma\""));
    cr_expect(json_text_says("\"iser\": true", "iser", "true"));
    cr_expect_not(json_text_says("\"iser\": false", "iser", "true"));
    cr_expect_not(json_text_says("\"iser", "iser", "true"));
}

Test(wishes, iscsi_records)
{
    cr_expect(iscsi_record_is_iser("node.name = iqn.test\niface.transport_name = iser\n"));
    cr_expect(iscsi_record_is_iser("iface.transport_name = iser"));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name = tcp\n"));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name = iserx\n"));
    cr_expect_not(iscsi_record_is_iser("iface.transport_name\n"));
    cr_expect_not(iscsi_record_is_iser("# iface.transport_name = iser\n"));
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

Test(wishes, modules_that_a_kernel_has_not)
{
    static const char *const lines[] = { "blocked\trpcrdma\talways\t/etc/modprobe.d/a.conf",
                                         "blocked\trpcrdma\tabsent\t/lib/modules/6.1",
                                         "blocked\trpcrdma\talias\t/etc/modprobe.d/b.conf",
                                         "blocked\tib_iser\tgone\t/lib/modules/6.1" };
    for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
        wish_parse_line(lines[i], strlen(lines[i]), arena, &services);
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
    modprobe_parse("install nvmet_rdma false\nblacklist nvme_rdma", "/etc/modprobe.d/b.conf", arena,
                   &services);
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
