/* SPDX-License-Identifier: MIT */
/* source/anonymise: one value becomes one other value, whatever form it has; what isn't known stays out. */
#include "source/anonymise/anonymise.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/if_bonding.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>

#include "check/check.h"
#include "model/host.h"
#include "model/services.h"
#include "netlink_bytes.h"
#include "source/files/forms.h"
#include "source/files/texts.h"
#include "source/netlink/parsers.h"
#include "source/root/root.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Valid until the test ends, for there are few. */
static const char *mapped(const char *text)
{
    static char results[16][256];
    static size_t next;
    struct bytes out = { 0 };
    anonymise_text(text, strlen(text), &out);
    char *result = results[next++ % 16];
    snprintf(result, 256, "%s", out.data);
    bytes_free(&out);
    return result;
}

Test(anonymise, what_is_no_address_stays)
{
    static const char *const texts[] = { "0000:17:00.0\n",
                                         "100 Gb/sec (4X EDR)\n",
                                         "4: ACTIVE\n",
                                         "0x04010000\n",
                                         "ff:ff:ff:ff:ff:ff\n",
                                         "16.0 GT/s PCIe\n",
                                         "6.1.0-32-amd64\n",
                                         "127.0.0.1 ::1 169.254.1.2 ff02::1\n",
                                         "12:34:56\n",
                                         "fe80:0000\n",
                                         "0000:0000:0000:0000:0000:0000:0000:0000\n",
                                         "a.b:c\n",
                                         "" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        cr_assert_str_eq(mapped(texts[i]), texts[i]);
}

Test(anonymise, mac_gid_and_guid_belong_together)
{
    const char *mac = mapped("c4:70:bd:aa:1f:c8"), *gid = mapped("fe80:0000:0000:0000:c670:bdff:feaa:1fc8\n"),
               *short_gid = mapped("fe80::c670:bdff:feaa:1fc8");
    const char *guid = mapped("c470:bd03:00aa:1fc8"), *name = mapped("enxc470bdaa1fc8");
    unsigned m[6], low[3], guid_low[3], name_low[3], short_low[2];
    cr_assert_eq(sscanf(mac, "%x:%x:%x:%x:%x:%x", m, m + 1, m + 2, m + 3, m + 4, m + 5), 6);
    cr_assert(m[0] == 0xc4 && m[1] == 0x70 && m[2] == 0xbd, "the vendor stays: %s", mac);
    cr_assert_str_neq(mac, "c4:70:bd:aa:1f:c8");
    cr_assert_eq(sscanf(gid, "fe80:0000:0000:0000:c670:bdff:fe%2x:%2x%2x\n", low, low + 1, low + 2), 3, "%s",
                 gid);
    cr_assert_eq(sscanf(guid, "c470:bd03:00%2x:%2x%2x", guid_low, guid_low + 1, guid_low + 2), 3, "%s", guid);
    cr_assert_eq(sscanf(name, "enxc470bd%2x%2x%2x", name_low, name_low + 1, name_low + 2), 3, "%s", name);
    cr_assert_eq(sscanf(short_gid, "fe80::c670:bdff:fe%2x:%x", short_low, short_low + 1), 2, "%s", short_gid);
    for (size_t i = 0; i < 3; i++)
        cr_assert(m[3 + i] == low[i] && low[i] == guid_low[i] && low[i] == name_low[i]);
    cr_assert_eq(short_low[1], low[1] << 8 | low[2]);
}

static uint32_t v4(const char *text)
{
    uint32_t address;
    cr_assert_eq(inet_pton(AF_INET, text, &address), 1, "%s", text);
    return ntohl(address);
}

Test(anonymise, subnets_stay)
{
    uint32_t a = v4(mapped("10.22.116.221")), b = v4(mapped("10.22.116.222")), c = v4(mapped("10.22.117.221"));
    cr_assert_neq(a, v4("10.22.116.221"));
    cr_assert_eq(a >> 8, b >> 8);
    cr_assert_neq(a, b);
    cr_assert_neq(a >> 8, c >> 8);
    cr_assert_eq(a >> 9, c >> 9, "what was one /23 still is");
    cr_assert_eq(a >> 24, 10);
    char gid[64];
    snprintf(gid, sizeof(gid), "0000:0000:0000:0000:0000:ffff:%04x:%04x", a >> 16, a & 0xffff);
    cr_assert_str_eq(mapped("0000:0000:0000:0000:0000:ffff:0a16:74dd"), gid,
                     "the GID of an address follows it");
}

Test(anonymise, an_address_before_a_port)
{
    char expected[64];
    snprintf(expected, sizeof(expected), "%s:4791", mapped("10.22.116.221"));
    cr_assert_str_eq(mapped("10.22.116.221:4791"), expected);
    cr_assert_str_neq(expected, "10.22.116.221:4791");
}

/* gre shows its local address so. */
Test(anonymise, the_hardware_address_of_a_tunnel)
{
    const char *address = mapped("0a:ca:4a:27\n");
    cr_assert(text_starts(address, "0a:") && !strstr(address, "ca:4a:27"), "%s", address);
}

Test(anonymise, a_uuid_keeps_its_form)
{
    const char *uuid = mapped("7ad35d50-c05b-47ab-b3a0-56a9a845852b\n");
    cr_assert_str_neq(uuid, "7ad35d50-c05b-47ab-b3a0-56a9a845852b\n");
    cr_assert_eq(strlen(uuid), 37);
    cr_assert_eq(strspn(uuid, "0123456789abcdef-"), 36);
    cr_assert_str_eq(uuid, mapped("7ad35d50-c05b-47ab-b3a0-56a9a845852b\n"), "it is the same each time");
}

/* -- names and files ------------------------------------------------------------------------------------ */

static const char *named(const char *name)
{
    static char results[8][64];
    static size_t next;
    struct bytes out = { 0 };
    anonymise_name(name, strlen(name), &out);
    char *result = results[next++ % 8];
    snprintf(result, 64, "%s", out.data);
    bytes_free(&out);
    return result;
}

Test(anonymise, names_that_a_machine_gives_stay)
{
    static const char *const names[] = { "lo",          "eth0",     "enp65s0f0np0", "eth0.7",
                                         "bond0",       "ib0",      "mlx5_0",       "enP2p1s0v3",
                                         "mlx5_bond_0", "bnxt_re0", "rocep65s0f1",  "p0",
                                         "c1pf0vf3",    "all",      "rxe_eth0",     "rdmap0s6" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i], "rxe_eth0") != 0)
            cr_expect_str_eq(named(names[i]), names[i]);
    cr_expect_str_neq(named("rxe_eth0"), "rxe_eth0");
}

Test(anonymise, names_that_a_person_gives_change)
{
    const char *name = named("acme-storage0");
    cr_expect_not(strstr(name, "acme") || strstr(name, "storage"), "%s", name);
    cr_expect(text_ends(name, "0"));
    cr_expect(strlen(name) < 16, "it is still a netdev's: %s", name);
    char vlan[32];
    snprintf(vlan, sizeof(vlan), "%s.7", name);
    cr_expect_str_eq(named("acme-storage0.7"), vlan);
    cr_expect_str_neq(named("acme-storagf0"), name);
    cr_expect_not(strstr(named("4155512345678"), "41555"), "numbers may be a person's, too");
    cr_expect_not(strstr(named("enxacme"), "acme"));
    cr_expect_not(strstr(named("rocex0c42a10300aa1f08"), "aa1f08"));
}

/* What stands in a file of that form afterwards. Valid until the next call but seven. */
static const char *filed(const char *form, const char *text)
{
    static char results[8][1024];
    static size_t next;
    struct bytes out = { 0 };
    char *result = NULL;
    if (anonymise_file(form, "sys/class/infiniband/mlx5_0/x", text, strlen(text), &out)) {
        result = results[next++ % 8];
        snprintf(result, 1024, "%.*s", (int)out.len, out.data);
    }
    bytes_free(&out);
    return result;
}

Test(anonymise, files_that_anybody_may_write)
{
    cr_expect_str_eq(filed("{node-desc}", "CANARY HCA-1\n"), "host mlx5_0\n");
    cr_expect_str_eq(filed("{hostname}", "CANARY\n"), "host\n");
    cr_expect_str_eq(filed("{parameters}",
                           "BOOT_IMAGE=/canary iommu=pt canary=1 password=CANARY intel_iommu=on pci=CANARY\n"),
                     "iommu=pt intel_iommu=on\n");
    cr_expect_str_eq(filed("{release}", "6.1.0-28-canary-amd64\n"), "6.1.0-28-amd64\n");
    cr_expect_str_eq(filed(FORM_OS_RELEASE,
                           "NAME=CANARY\nID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 CANARY\"\n"
                           "HOME_URL=CANARY\n"),
                     "ID=\"debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    cr_expect_str_eq(filed(FORM_EXPORTS, "# CANARY\n/canary 10.1.2.3(rw)\n"), "/\n");
    cr_expect_str_eq(
        filed(FORM_NFS_CONF, "# CANARY\n[nfsd]\n canary=1\n rdma = y\nrdma-port=CANARY\n[CANARY]\n"),
        "[nfsd]\n rdma = y\nrdma-port=other\n[\n");
    cr_expect_str_eq(filed(FORM_PORTLIST, "rdma 20049\nCANARY 1\ntcp CANARY\n"), "rdma 20049\n? 1\ntcp ?\n");
    cr_expect_str_eq(filed("{module} {rest}\n", "mlx5_ib 397312 2 canary, Live 0xffffffffc0a6d000\n"),
                     "mlx5_ib\n");
    cr_expect_str_eq(filed(FORM_UEVENT, "INTERFACE=eth0\nIFINDEX=2\nCANARY=1\n"),
                     "INTERFACE=eth0\nIFINDEX=2\n");
    cr_expect_str_eq(filed("{program}", "ib_write_bw\n"), "ib_write_bw\n");
    cr_expect_not(strstr(filed("{program}", "CANARY\n"), "CANARY"));
    cr_expect_not(strstr(filed("{module} {rest}\n", "CANARY 1 0 - Live 0x0\n"), "CANARY"));
    const char *socket = "0000000000000000 3      3    0003   11    1 0      0      31415\n";
    cr_expect_str_eq(filed(FORM_PACKET_SOCKETS, socket), socket, "a form of many values");
    cr_expect_str_eq(filed(FORM_NUMBER, "CANARY\n"), "?\n");
    cr_expect_str_eq(filed("{version}", "218.0.166.0\n"), "218.0.166.0\n");
    const char *mount = filed(FORM_MOUNTS, "canary /canary ext4 rw 0 0\n"
                                           "canary:/canary /canary nfs4 rw,proto=rdma,canary=1 0 0\n");
    cr_expect_not(strstr(mount, "canary"), "%s", mount);
    cr_expect(strstr(mount, " nfs4 proto=rdma 0 0\n"), "%s", mount);
}

Test(anonymise, a_mount_and_its_statistics_have_the_same_other_names)
{
    const char *mounts = filed(
        FORM_MOUNTS,
        "c4:/canary /canary nfs4 rw,proto=rdma,port=20049,clientaddr=10.1.2.3,addr=10.9.9.9,canary=1 0 0\n");
    const char *stats = filed(
        FORM_MOUNTSTATS, "device c4:/canary mounted on /canary with fstype nfs4 statvers=1.1 canary\n"
                         "\topts:\tcanary\n\txprt:\trdma 0 0 1 0 0\n\txprt:\tcanary 1\n\txprt:\trdma 1 canary\n"
                         "device canary mounted on /canary with fstype ext4\n");
    char source[64], point[64], options[256];
    cr_assert_eq(sscanf(mounts, "%63s %63s nfs4 %255s 0 0", source, point, options), 3, "%s", mounts);
    cr_expect(text_starts(source, "server") && strstr(source, ":/dir"), "%s", source);
    char expected[512];
    snprintf(
        expected, sizeof(expected),
        "device %s mounted on %s with fstype nfs4\n\txprt:\trdma 0 0 1 0 0\n\txprt:\t? 1\n\txprt:\trdma ?\n",
        source, point);
    cr_expect_str_eq(stats, expected);
    snprintf(expected, sizeof(expected), "proto=rdma,port=20049,clientaddr=%s,addr=%s", mapped("10.1.2.3"),
             mapped("10.9.9.9"));
    cr_expect_str_eq(options, expected);
    const char *numeric = filed(FORM_MOUNTS, "10.9.9.9:/x /y nfs rw,rdma,vers=3 0 0\n");
    snprintf(expected, sizeof(expected), "%s:/dir", mapped("10.9.9.9"));
    cr_expect(text_starts(numeric, expected), "an address stays one: %s", numeric);
}

Test(anonymise, a_control_group_tells_the_same_of_another)
{
    static const char *const paths[] = {
        ("/kubepods.slice/kubepods-pod3f2c8e1a_77aa_4b1d_9c3e_0a1b2c3d4e5f.slice/cri-containerd-" ID ".scope"),
        "/system.slice/slurmstepd.scope/job_1234/step_0/user/task_0",
        ("/machine.slice/libpod-" ID ".scope"),
        ("/docker/" ID),
        "/lxc.payload.canary/x",
        "/system.slice/canary.service",
        "/user.slice/canary",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        char text[512];
        snprintf(text, sizeof(text), "4:memory:/\n0::%s\n", paths[i]);
        char *result = arena_strdup(arena, filed("{cgroup}", text));
        cr_assert(text_starts(result, "0::/") && text_ends(result, "\n"), "%s", result);
        cr_expect_not(strstr(result, "canary") || strstr(result, "0123456789ab") ||
                          strstr(result, "3f2c8e1a") || strstr(result, "1234/"),
                      "%s", result);
        result[strlen(result) - 1] = '\0';
        struct cgroup_words before = cgroup_words(arena, paths[i]), after = cgroup_words(arena, result + 3);
        cr_expect_eq(!before.pod, !after.pod, "%s: %s", paths[i], result);
        cr_expect_eq(!before.job, !after.job, "%s: %s", paths[i], result);
        cr_expect_eq(!before.unit, !after.unit, "%s: %s", paths[i], result);
        cr_expect_eq(!before.container, !after.container, "%s: %s", paths[i], result);
        if (before.container)
            cr_expect_eq(strncmp(before.container, after.container, strcspn(before.container, " ")), 0,
                         "%s: %s", before.container, after.container);
    }
    arena_free(arena);
}

Test(anonymise, what_services_say)
{
    char expected[256];
    snprintf(expected, sizeof(expected), "traddr=%s,trsvcid=4420,src_addr=fe80::1\n", mapped("10.9.9.9"));
    const char *address = filed("{nvme-address}",
                                "traddr=10.9.9.9,trsvcid=4420,canary=1,src_addr=fe80::1%canary\n");
    cr_expect_eq(strncmp(address, expected, 30), 0, "%s", address);
    cr_expect_not(strstr(address, "canary"), "%s", address);
    cr_expect(text_starts(filed("{mac}", "c4:70:bd:aa:1f:c8\n"), "c4:70:bd:"));
    const char *name = filed("{qualified}", "nqn.canary\n");
    cr_expect(text_starts(name, "nqn.") && text_ends(name, "\n") && !strstr(name, "canary"), "%s", name);
    cr_expect_str_eq(filed("{qualified}", "nqn.2014-08.org.nvmexpress.discovery\n"),
                     "nqn.2014-08.org.nvmexpress.discovery\n");
    cr_expect_str_eq(filed(FORM_TRANSPORT, "rdma\n"), "rdma\n");
    cr_expect_str_eq(filed(FORM_TRANSPORT, "canary\n"), "?\n");
    cr_expect_str_eq(filed("{module}", "iscsi_iser\n"), "iscsi_iser\n");
    char host[64], own[64];
    snprintf(host, sizeof(host), "%s", mapped("10.9.9.9"));
    snprintf(own, sizeof(own), "%s", mapped("10.9.9.8"));
    snprintf(expected, sizeof(expected),
             "1) ConnectionId: 0x1 Hostname: %s\nSMBDirect protocol version\nTCP status: 1\n"
             "1) Address: %s\n1) ConnectionId: 0x1\n",
             host, own);
    cr_expect_str_eq(filed("{smb}\n",
                           "1) ConnectionId: 0xcanary Hostname: 10.9.9.9 canary\nUser: canary\n"
                           "SMBDirect (in hex) canary\nTCP status: 1 canary\n7) Name: 10.9.9.8 canary\n"
                           "9) ConnectionId: 0x3\n"),
                     expected);
    cr_expect_str_eq(filed("{smb}\n", "TCP status: canary\n"), "TCP status:\n");
    snprintf(expected, sizeof(expected), "%s@o2ib1 up\n", mapped("10.9.9.9"));
    cr_expect_str_eq(filed(FORM_LNET, "nid status canary\n10.9.9.9@o2ib1 up 0 12\n0@lo up 0\n"), expected);
}

Test(anonymise, what_is_wanted_of_services)
{
    char expected[512], source[64], point[64];
    const char *mounts = filed(FORM_MOUNTS, "c4:/canary /canary nfs4 rw,proto=tcp 0 0\n");
    cr_assert_eq(sscanf(mounts, "%63s %63s nfs4 proto=tcp 0 0", source, point), 2, "%s", mounts);
    snprintf(expected, sizeof(expected), "wish\tnfs-client\trdma\t/etc/fstab\t%s\t%s\n", source, point);
    cr_expect_str_eq(filed("{wish}\n", "wish\tnfs-client\trdma\t/etc/fstab\tc4:/canary\t/canary\n"), expected,
                     "as the mount is called");
    const char *blocked = filed("{wish}\n", "blocked\tnvme_rdma\talways\t/etc/modprobe.d/canary.conf\n"
                                            "blocked\tcanary\talways\t/x\nwish\tcanary\trdma\t/x\n");
    cr_expect(text_starts(blocked, "blocked\tnvme_rdma\talways\t/conf") && !strstr(blocked, "canary"), "%s",
              blocked);
    cr_expect_not(strstr(filed(FORM_STATUS, "Name:\tcanary\nVmPin:\t60 kB\n"), "canary"));
    cr_expect(strstr(filed(FORM_STATUS, "Name:\tcanary\nVmPin:\t60 kB\n"), "VmPin:\t60 kB\n"));
}

/* What doctor says of a mount by TCP that a line of probe/services wants by RDMA, both anonymised. */
static struct finding mount_judged(struct arena *arena, const char *wish, const char *from, const char *on)
{
    struct services services = { .wishes_known = true };
    struct nfs_mount mount = { .proto = "tcp" };
    struct host host = { 0 };
    char source[256], point[256];
    const char *mounts = filed(FORM_MOUNTS, arena_printf(arena, "%s %s nfs4 rw,proto=tcp 0 0\n", from, on));
    const char *wishes = filed("{wish}\n", wish);
    cr_assert_eq(sscanf(mounts, "%255s %255s nfs4 proto=tcp 0 0", source, point), 2, "%s", mounts);
    wish_parse_line(wishes, strcspn(wishes, "\n"), arena, &services);
    cr_assert_eq(services.nwishes, 1, "%s", wishes);
    mount.from = source, mount.on = point;
    host.system.services = &services;
    host.system.nfs.mounts = &mount, host.system.nfs.nmounts = 1, host.system.nfs.mounts_known = true;
    struct check_group group = check_ask(check_find("nfs-rdma-mount"), &host, &host, 0, NULL, arena);
    struct finding finding = group.findings[0];
    finding.evidence = arena_strdup(arena, finding.evidence);
    return finding;
}

Test(anonymise, an_automounter_s_wildcard_still_has_its_mounts)
{
    static const struct {
        const char *wish, *from, *on;
        enum verdict verdict;
    } cases[] = {
        { "/etc/auto.home\tstore:/home/&\t/home/*", "store:/home/al", "/home/al", VERDICT_FAIL },
        { "/etc/auto.home\tstore:/home/&\t/home/*", "store:/home/bo", "/home/al", VERDICT_NA },
        { "/etc/auto.home\tstore:/home/&\t/home/*", "store:/home/al", "/home/al/deep", VERDICT_NA },
        { "/etc/auto.home\tstore:/home/&\t/home/*", "store:/home/al", "/other/al", VERDICT_NA },
        { "/etc/auto.home\t10.9.9.9:/x/&/y\t/home/*", "10.9.9.9:/x/al/y", "/home/al", VERDICT_FAIL },
        { "/etc/auto.home\tstore:/vol_&\t/home/*", "store:/vol_al", "/home/al", VERDICT_FAIL },
        { "/etc/auto.home\t&:/home\t/home/*", "al:/home", "/home/al", VERDICT_FAIL },
        { "/etc/auto.data\tstore:/a\t/data/a", "store:/a", "/data/a", VERDICT_FAIL },
        { "/etc/auto.data\tstore:/\t/data", "store:/", "/data", VERDICT_FAIL },
        { "/run/x/data.mount\tstore:/a\t/data", "store:/a", "/data", VERDICT_FAIL },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const char *wish = arena_printf(arena, "wish\tnfs-client\trdma\t%s\n", cases[i].wish);
        struct finding finding = mount_judged(arena, wish, cases[i].from, cases[i].on);
        cr_expect_eq(finding.verdict, cases[i].verdict, "%zu: %s %s", i, finding.evidence,
                     filed("{wish}\n", wish));
        cr_expect_not(strstr(filed("{wish}\n", wish), "home"));
    }
    struct finding by_systemd = mount_judged(
        arena, "wish\tnfs-client\trdma\t/run/x/data.mount\tstore:/a\t/data\n", "store:/a", "/data");
    cr_expect(strstr(by_systemd.fix, "&& systemctl start /dir"), "%s", by_systemd.fix);
    arena_free(arena);
}

static struct smc_diag_msg smc_socket;

Test(anonymise, a_socket_of_smc_keeps_its_ports)
{
    struct nlbytes reply = { 0 };
    struct smc_diag_lgrinfo group = { .lnk[0] = {
                                          .link_id = 1, .ibname = "canary0", .ibport = 1, .gid = "canary" } };
    smc_socket.id.idiag_sport = htons(5000);
    smc_socket.id.idiag_dport = htons(40000);
    inet_pton(AF_INET, "10.1.2.3", smc_socket.id.idiag_src);
    inet_pton(AF_INET, "10.9.9.9", smc_socket.id.idiag_dst);
    smc_socket.id.idiag_cookie[0] = 77;
    smc_socket.diag_uid = 1000;
    smc_socket.diag_inode = 4711;
    nlbytes_message(&reply, SOCK_DIAG_BY_FAMILY, &smc_socket, sizeof(smc_socket));
    nlbytes_attr(&reply, SMC_DIAG_LGRINFO, &group, sizeof(group));
    nlbytes_attr(&reply, SMC_DIAG_CONNINFO, "CANARY", 7);
    nlbytes_end(&reply);
    struct bytes out = { 0 };
    cr_assert(anonymise_reply("smc-sockets", reply.data, reply.len, &out));
    cr_expect_null(memmem(out.data, out.len, "canary", 6));
    cr_expect_null(memmem(out.data, out.len, "CANARY", 6));
    struct arena *arena = arena_new();
    struct smc smc = { 0 };
    struct smc_diag_msg after;
    memcpy(&after, out.data + NLMSG_HDRLEN, sizeof(after));
    cr_expect_eq(after.diag_uid + after.diag_inode + after.id.idiag_cookie[0], 0);
    cr_assert_eq(ANSWER_LIST(&smc_sockets, out.data, out.len, arena, &smc.sockets, &smc.nsockets), 0);
    cr_assert_eq(smc.nsockets, 1);
    char expected[64];
    snprintf(expected, sizeof(expected), "%s:5000", mapped("10.1.2.3"));
    cr_expect_str_eq(smc.sockets[0].local, expected);
    cr_expect(smc.sockets[0].device && text_starts(smc.sockets[0].device, "net") &&
                  text_ends(smc.sockets[0].device, "0"),
              "%s", smc.sockets[0].device);
    cr_expect(num_is(smc.sockets[0].link, 1));
    arena_free(arena);
    bytes_free(&out);
}

/* A message of an address has the number of one about a socket. */
Test(anonymise, an_address_keeps_its_scope)
{
    struct nlbytes reply = { 0 };
    struct ifaddrmsg address = { .ifa_family = AF_INET,
                                 .ifa_prefixlen = 24,
                                 .ifa_flags = 0x80,
                                 .ifa_scope = RT_SCOPE_LINK,
                                 .ifa_index = 77 };
    nlbytes_message(&reply, RTM_NEWADDR, &address, sizeof(address));
    nlbytes_end(&reply);
    struct bytes out = { 0 };
    cr_assert(anonymise_reply("rtnl-addresses", reply.data, reply.len, &out));
    cr_assert_eq(out.len, NLMSG_HDRLEN + sizeof(address));
    cr_expect_eq(memcmp(out.data + NLMSG_HDRLEN, &address, sizeof(address)), 0);
    bytes_free(&out);
}

Test(anonymise, variables_that_roce_judges)
{
    cr_expect_str_eq(filed("{variable}\n",
                           "NCCL_COMM_ID=10.1.2.3:5000\nNCCL_IB_HCA=^mlx5_1:1,mlx5\nUCX_TLS=rc,cuda_copy\n"
                           "NCCL_IB_GID_INDEX=3\nUCX_CANARY=CANARY\nNCCL_DEBUG_FILE=/canary/x\n"),
                     "NCCL__other=\nNCCL_IB_HCA=^mlx5_1:1,mlx5\nUCX_TLS=rc,cuda_copy\nNCCL_IB_GID_INDEX=3\n"
                     "UCX__other=\nNCCL__other=\n");
    cr_expect_str_eq(filed("{variable}\n", "FI_CANARY=canary\nMLX5_CANARY=1\n"), "");
    static const char asks[] = "FI_PROVIDER=verbs;ofi_rxm\nUCX_SOCKADDR_TLS_PRIORITY=rdmacm,tcp\n"
                               "OMPI_MCA_btl_openib_cpc_include=rdmacm\n";
    cr_expect_str_eq(filed("{variable}\n", asks), asks, "what asks for RDMA_CM");
    cr_expect_not(strstr(filed("{variable}\n", "FI_PROVIDER=canary\n"), "canary"));
    const char *named_one = filed("{variable}\n", "NCCL_IB_HCA=canary0:1\n");
    char expected[128];
    snprintf(expected, sizeof(expected), "NCCL_IB_HCA=%s:1\n", named("canary0"));
    cr_expect_str_eq(named_one, expected);
    snprintf(expected, sizeof(expected), "NCCL_IB_ADDR_RANGE=%s/16\n", mapped("10.22.116.221"));
    cr_expect_str_eq(filed("{variable}\n", "NCCL_IB_ADDR_RANGE=10.22.116.221/16\n"), expected);
}

Test(anonymise, a_line_of_the_log_means_the_same)
{
    cr_expect_str_eq(
        filed("{log}\n", "mlx5_core 0000:17:00.0: Port module event[error]: module 0, Cable error, CANARY\n"),
        "mlx5_core 0000:17:00.0: Port module event Cable error\n");
    cr_expect_str_eq(filed("{log}\n", "CANARY: nothing that roce knows\n"), "");
    cr_expect_str_eq(filed("{log}\n", "[42 s ago] CANARY mlx5_core 0000:17:00.0 eth0: Link down CANARY\n"),
                     "[42 s ago] mlx5_core 0000:17:00.0 eth0: Link down\n");
    cr_expect_str_eq(filed("{log}\n", "infiniband bnxt_re0: abnormal ae_id 0x1f CANARY\n"),
                     "infiniband bnxt_re0: abnormal ae_id\n");
    const char *line = filed("{log}\n", "mlx5_core 0000:17:00.0 canary0: Link down\n");
    char expected[128];
    snprintf(expected, sizeof(expected), "mlx5_core 0000:17:00.0 %s: Link down\n", named("canary0"));
    cr_expect_str_eq(line, expected);
}

Test(anonymise, settings_of_conf_files)
{
    cr_expect_str_eq(filed("{nccl-conf}", "# CANARY\nNCCL_IB_TC=106\nNCCL_DEBUG_FILE=/canary\nCANARY=1\n"),
                     "NCCL_IB_TC=106\nNCCL__other=\n");
    cr_expect_str_eq(filed("{ucx-conf}",
                           "UCX_TLS=rc\n[canary]\nCPU model=Canary\nUCX_IB_SL=3\n[more]\nUCX_IB_GID_INDEX=1\n"),
                     "UCX_TLS=rc\n[1]\nCPU model=other\nUCX_IB_SL=3\n[2]\nUCX_IB_GID_INDEX=1\n");
    cr_expect_str_eq(filed("{mpi-conf}", "pml = ucx\nbtl = ^openib\ncanary = 1\n"), "pml=ucx\nbtl=^openib\n");
    cr_expect_str_eq(filed("{setting}\n",
                           "ucx?\t~/ucx.conf:3\tUCX_TLS=rc\nnccl\t~/.nccl.conf:1\tNCCL_CANARY=x\n"
                           "canary\t~/x:1\tUCX_TLS=rc\n"),
                     "ucx?\t~/ucx.conf:3\tUCX_TLS=rc\nnccl\t~/.nccl.conf:1\tNCCL__other=\n");
    const char *elsewhere = filed("{setting}\n", "nccl\t/home/canary/nccl.conf:7\tNCCL_IB_HCA=canary0\n");
    char tail[64];
    snprintf(tail, sizeof(tail), ":7\tNCCL_IB_HCA=%s\n", named("canary0"));
    cr_expect(text_starts(elsewhere, "nccl\t/conf") &&
                  strcmp(elsewhere + strlen("nccl\t/conf123456"), tail) == 0,
              "%s", elsewhere);
}

Test(anonymise, marks_and_tables_and_maps_of_priorities)
{
    cr_expect_str_eq(
        filed(FORM_MARKS, "pid-namespace other\nnet-namespace other\npath canary\npath docker\nCANARY\n"),
        "pid-namespace other\nnet-namespace other\npath ?\npath docker\n");
    cr_expect_str_eq(filed("{filter|nat|mangle|raw|security}\n", "nat\ncanary\n"), "nat\n?\n");
    cr_expect_str_eq(filed(FORM_VLAN, "eth0.7  VID: 7\t REORDER_HDR: 1\nDevice: eth0\n"
                                      "INGRESS priority mappings: 0:0\n"
                                      " EGRESS priority mappings: 2:3 6:5 \n"),
                     "eth0.7  VID: 7\nDevice: eth0\n EGRESS priority mappings: 2:3 6:5\n");
    cr_expect_str_eq(filed("{dscp|pcp|both}", "dscp\n"), "dscp\n");
}

/* -- netlink -------------------------------------------------------------------------------------------- */

/* Whether an answer still has the bytes anywhere, text or not. */
static bool has(const struct bytes *answer, const void *bytes, size_t len)
{
    return memmem(answer->data, answer->len, bytes, len) != NULL;
}

static const uint8_t secret_mac[6] = { 0xc4, 0x70, 0xbd, 0xca, 0x4a, 0x27 };
static const uint8_t secret_v4[4] = { 10, 0xca, 0x4a, 0x27 };

static void put_tunnel(struct nlbytes *bytes, const char *kind, uint16_t address, uint16_t mac)
{
    size_t info = nlbytes_attr(bytes, IFLA_LINKINFO, NULL, 0);
    nlbytes_text(bytes, IFLA_INFO_KIND, kind);
    size_t data = nlbytes_attr(bytes, IFLA_INFO_DATA, NULL, 0);
    if (address)
        nlbytes_attr(bytes, address, secret_v4, sizeof(secret_v4));
    if (mac)
        nlbytes_attr(bytes, mac, secret_mac, sizeof(secret_mac));
    if (strcmp(kind, "bond") == 0) {
        size_t lacp = nlbytes_attr(bytes, IFLA_BOND_AD_INFO | NLA_F_NESTED, NULL, 0);
        nlbytes_attr(bytes, IFLA_BOND_AD_INFO_PARTNER_MAC, secret_mac, sizeof(secret_mac));
        nlbytes_close(bytes, lacp);
    }
    nlbytes_close(bytes, data);
    nlbytes_close(bytes, info);
}

Test(anonymise, of_a_qdisc_the_map_of_its_classes_stays)
{
    static const struct tc_mqprio_qopt map = { .num_tc = 2,
                                               .prio_tc_map = { 1, 0, 1 },
                                               .count = { 0x4141, 0x4141 } };
    static const char *const kinds[] = { "mqprio", "taprio", "htb" };
    struct tcmsg message = { .tcm_ifindex = 2, .tcm_parent = TC_H_ROOT };
    for (size_t i = 0; i < 3; i++) {
        struct nlbytes bytes = { 0 };
        struct bytes out = { 0 };
        const struct traffic_classes *classes = NULL;
        struct arena *arena = arena_new();
        nlbytes_message(&bytes, RTM_NEWQDISC, &message, sizeof(message));
        nlbytes_text(&bytes, TCA_KIND, kinds[i]);
        nlbytes_text(&bytes, TCA_HW_OFFLOAD, "canary");
        size_t options = nlbytes_attr(&bytes, TCA_OPTIONS, i == 0 ? &map : NULL, i == 0 ? sizeof(map) : 0);
        if (i == 1)
            nlbytes_attr(&bytes, TCA_TAPRIO_ATTR_PRIOMAP, &map, sizeof(map));
        else
            nlbytes_text(&bytes, 60, "canary");
        nlbytes_close(&bytes, options);
        nlbytes_end(&bytes);
        cr_assert(anonymise_reply("rtnl-qdisc.eth0", bytes.data, bytes.len, &out));
        cr_expect_not(has(&out, "canary", 6), "%s", kinds[i]);
        cr_expect_not(has(&out, "AAAA", 4), "%s", kinds[i]);
        cr_expect_eq(rtnl_parse_qdisc(out.data, out.len, arena, &classes), 0);
        cr_expect_eq(classes != NULL, i < 2, "%s", kinds[i]);
        cr_expect(!classes || (strcmp(classes->by, kinds[i]) == 0 && classes->of_priority[2] == 1));
        arena_free(arena);
        bytes_free(&out);
    }
}

Test(anonymise, links_keep_what_is_read_of_them)
{
    static const struct {
        const char *kind;
        uint16_t address, mac;
    } kinds[] = { { "vxlan", IFLA_VXLAN_GROUP, 0 },
                  { "vxlan", IFLA_VXLAN_LOCAL, 0 },
                  { "gre", IFLA_GRE_REMOTE, 0 },
                  { "gretap", IFLA_GRE_LOCAL, 0 },
                  { "macvlan", 0, IFLA_MACVLAN_MACADDR },
                  { "macvlan", 0, IFLA_MACVLAN_MACADDR_DATA },
                  { "bond", 0, IFLA_BOND_AD_ACTOR_SYSTEM },
                  { "bond", IFLA_BOND_ARP_IP_TARGET, 0 },
                  { "geneve", 2, 0 } };
    struct ifinfomsg link = { .ifi_index = 2 };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        struct nlbytes bytes = { 0 };
        struct bytes out = { 0 };
        nlbytes_message(&bytes, RTM_NEWLINK, &link, sizeof(link));
        nlbytes_text(&bytes, IFLA_IFNAME, "canary0");
        nlbytes_attr(&bytes, IFLA_ADDRESS, secret_mac, sizeof(secret_mac));
        nlbytes_attr(&bytes, IFLA_PERM_ADDRESS, secret_mac, sizeof(secret_mac));
        nlbytes_text(&bytes, IFLA_IFALIAS, "canary");
        nlbytes_text(&bytes, IFLA_QDISC, "canary");
        size_t names = nlbytes_attr(&bytes, IFLA_PROP_LIST | NLA_F_NESTED, NULL, 0);
        nlbytes_text(&bytes, IFLA_ALT_IFNAME, "canary-alt");
        nlbytes_close(&bytes, names);
        put_tunnel(&bytes, kinds[i].kind, kinds[i].address, kinds[i].mac);
        nlbytes_end(&bytes);
        cr_assert(anonymise_reply("rtnl-links", bytes.data, bytes.len, &out));
        cr_expect_not(has(&out, "canary", 6), "%s", kinds[i].kind);
        cr_expect_not(has(&out, secret_mac + 3, 3), "%s", kinds[i].kind);
        cr_expect_not(has(&out, secret_v4 + 1, 3), "%s", kinds[i].kind);
        struct netdev *links = NULL;
        size_t count = 0;
        struct arena *arena = arena_new();
        cr_assert_eq(ANSWER_LIST(&rtnl_links, out.data, out.len, arena, &links, &count), 0);
        cr_assert_eq(count, 1);
        cr_expect_str_eq(links[0].name, named("canary0"));
        cr_expect_str_eq(links[0].kind_text, kinds[i].kind);
        cr_expect_str_eq(links[0].mac, mapped("c4:70:bd:ca:4a:27"));
        if (strcmp(kinds[i].kind, "bond") == 0)
            cr_expect_str_eq(links[0].bond->ad_partner_mac, mapped("c4:70:bd:ca:4a:27"));
        arena_free(arena);
        bytes_free(&out);
    }
}

Test(anonymise, what_is_broken_stays_broken)
{
    struct nlbytes bytes = { 0 };
    struct bytes out = { 0 };
    struct ifinfomsg link = { .ifi_index = 2 };
    nlbytes_message(&bytes, RTM_NEWLINK, &link, sizeof(link));
    nlbytes_text(&bytes, IFLA_IFNAME, "eth0");
    nlbytes_end(&bytes);
    memcpy(bytes.data + bytes.len, "canary", 6); /* no message, and not as long as it says */
    cr_assert(anonymise_reply("rtnl-links", bytes.data, bytes.len + 8, &out));
    struct netdev *links = NULL;
    size_t count = 0;
    struct arena *arena = arena_new();
    cr_expect_eq(ANSWER_LIST(&rtnl_links, out.data, out.len, arena, &links, &count), -EBADMSG);
    cr_expect_eq(count, 1);
    cr_expect_not(has(&out, "canary", 6));
    arena_free(arena);
    bytes_free(&out);
}

/* The kernel sends the question back, and says what was wrong with it. */
Test(anonymise, an_error_keeps_its_errno)
{
    struct nlbytes bytes = { 0 };
    struct bytes out = { 0 };
    int err = -EPERM;
    nlbytes_message(&bytes, NLMSG_ERROR, &err, sizeof(err));
    nlbytes_message(&bytes, RTM_GETLINK, NULL, 0);
    bytes.message = 0;
    nlbytes_text(&bytes, IFLA_IFNAME, "canary");
    nlbytes_end(&bytes);
    cr_assert(anonymise_reply("rtnl-links", bytes.data, bytes.len, &out));
    cr_expect_not(has(&out, "canary", 6));
    memcpy(&err, out.data + NLMSG_HDRLEN, sizeof(err));
    cr_expect_eq(err, -EPERM);
    bytes_free(&out);
}

static size_t begin_expression(struct nlbytes *bytes, const char *name, size_t *element)
{
    *element = nlbytes_attr(bytes, NFTA_LIST_ELEM, NULL, 0);
    nlbytes_text(bytes, NFTA_EXPR_NAME, name);
    return nlbytes_attr(bytes, NFTA_EXPR_DATA, NULL, 0);
}

static void end_expression(struct nlbytes *bytes, size_t data, size_t element)
{
    nlbytes_close(bytes, data);
    nlbytes_close(bytes, element);
}

static void put_compare(struct nlbytes *bytes, uint32_t base, uint32_t offset, const void *value, size_t len)
{
    size_t element, data = begin_expression(bytes, "payload", &element);
    nlbytes_u32(bytes, NFTA_PAYLOAD_BASE, htonl(base));
    nlbytes_u32(bytes, NFTA_PAYLOAD_OFFSET, htonl(offset));
    nlbytes_u32(bytes, NFTA_PAYLOAD_LEN, htonl((uint32_t)len));
    end_expression(bytes, data, element);
    data = begin_expression(bytes, "cmp", &element);
    nlbytes_u32(bytes, NFTA_CMP_OP, htonl(NFT_CMP_EQ));
    size_t nest = nlbytes_attr(bytes, NFTA_CMP_DATA, NULL, 0);
    nlbytes_attr(bytes, NFTA_DATA_VALUE, value, len);
    nlbytes_close(bytes, nest);
    end_expression(bytes, data, element);
}

/* ip saddr 10.202.74.39 udp dport 4791 counter name canary drop comment "canary" */
Test(anonymise, a_rule_of_the_firewall_keeps_its_port)
{
    struct nlbytes bytes = { 0 };
    struct bytes out = { 0 };
    struct nfgenmsg header = { .nfgen_family = 1 };
    static const uint8_t port[2] = { 4791 >> 8, 4791 & 255 };
    size_t element, data;
    nlbytes_message(&bytes, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE, &header, sizeof(header));
    nlbytes_text(&bytes, NFTA_RULE_TABLE, "canary");
    nlbytes_text(&bytes, NFTA_RULE_CHAIN, "input");
    size_t expressions = nlbytes_attr(&bytes, NFTA_RULE_EXPRESSIONS, NULL, 0);
    put_compare(&bytes, NFT_PAYLOAD_NETWORK_HEADER, 12, secret_v4, sizeof(secret_v4));
    put_compare(&bytes, NFT_PAYLOAD_NETWORK_HEADER, 14, secret_v4 + 1, 2);
    put_compare(&bytes, NFT_PAYLOAD_TRANSPORT_HEADER, 2, port, sizeof(port));
    data = begin_expression(&bytes, "objref", &element);
    nlbytes_text(&bytes, NFTA_OBJREF_IMM_NAME, "canary");
    end_expression(&bytes, data, element);
    data = begin_expression(&bytes, "canary", &element);
    end_expression(&bytes, data, element);
    data = begin_expression(&bytes, "reject", &element);
    end_expression(&bytes, data, element);
    nlbytes_close(&bytes, expressions);
    nlbytes_text(&bytes, NFTA_RULE_USERDATA, "canary");
    nlbytes_end(&bytes);
    cr_assert(anonymise_reply("nft-rules", bytes.data, bytes.len, &out));
    cr_expect_not(has(&out, "canary", 6));
    cr_expect_not(has(&out, secret_v4 + 1, 2));
    bytes_free(&out);
}

/* Everything that a person names in a firewall. */
Test(anonymise, a_firewall_keeps_no_name)
{
    struct nlbytes bytes = { 0 };
    struct nfgenmsg header = { .nfgen_family = 1 };
    static const char *const names[] = { "nft-tables", "nft-chains", "nft-rules" };
    nlbytes_message(&bytes, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE, &header, sizeof(header));
    nlbytes_text(&bytes, NFTA_TABLE_NAME, "canary");
    nlbytes_text(&bytes, NFTA_TABLE_USERDATA, "canary");
    nlbytes_end(&bytes);
    nlbytes_message(&bytes, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN, &header, sizeof(header));
    nlbytes_text(&bytes, NFTA_CHAIN_TABLE, "canary");
    nlbytes_text(&bytes, NFTA_CHAIN_NAME, "canary");
    size_t nest = nlbytes_attr(&bytes, NFTA_CHAIN_HOOK, NULL, 0);
    nlbytes_text(&bytes, NFTA_HOOK_DEV, "canary0");
    size_t devices = nlbytes_attr(&bytes, NFTA_HOOK_DEVS, NULL, 0);
    nlbytes_text(&bytes, NFTA_DEVICE_NAME, "canary0");
    nlbytes_close(&bytes, devices);
    nlbytes_close(&bytes, nest);
    nlbytes_text(&bytes, NFTA_CHAIN_USERDATA, "canary");
    nlbytes_end(&bytes);
    nlbytes_message(&bytes, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE, &header, sizeof(header));
    nlbytes_text(&bytes, NFTA_RULE_TABLE, "canary");
    nlbytes_text(&bytes, NFTA_RULE_CHAIN, "canary");
    size_t expressions = nlbytes_attr(&bytes, NFTA_RULE_EXPRESSIONS, NULL, 0), element;
    size_t data = begin_expression(&bytes, "lookup", &element);
    nlbytes_text(&bytes, NFTA_LOOKUP_SET, "canary");
    end_expression(&bytes, data, element);
    data = begin_expression(&bytes, "match", &element);
    nlbytes_text(&bytes, NFTA_MATCH_NAME, "comment");
    nlbytes_text(&bytes, NFTA_MATCH_INFO, "canary");
    end_expression(&bytes, data, element);
    data = begin_expression(&bytes, "target", &element);
    nlbytes_text(&bytes, NFTA_TARGET_NAME, "canary");
    nlbytes_text(&bytes, NFTA_TARGET_INFO, "canary");
    end_expression(&bytes, data, element);
    data = begin_expression(&bytes, "immediate", &element);
    nlbytes_u32(&bytes, NFTA_IMMEDIATE_DREG, htonl(NFT_REG_1));
    nest = nlbytes_attr(&bytes, NFTA_IMMEDIATE_DATA, NULL, 0);
    nlbytes_attr(&bytes, NFTA_DATA_VALUE, secret_v4, sizeof(secret_v4));
    nlbytes_close(&bytes, nest);
    end_expression(&bytes, data, element);
    nlbytes_close(&bytes, expressions);
    nlbytes_end(&bytes);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct bytes out = { 0 };
        cr_assert(anonymise_reply(names[i], bytes.data, bytes.len, &out), "%s", names[i]);
        cr_expect_gt(out.len, 0, "%s", names[i]);
        cr_expect_not(has(&out, "canary", 6), "%s", names[i]);
        cr_expect_not(has(&out, secret_v4 + 1, 3), "%s", names[i]);
        bytes_free(&out);
    }
}
