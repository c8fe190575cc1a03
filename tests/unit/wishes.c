/* SPDX-License-Identifier: MIT */
/* What configuration files want of storage services, and which modules modprobe.d keeps out. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/mem.h"
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
