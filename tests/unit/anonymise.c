/* SPDX-License-Identifier: MIT */
/* source/anonymise: one value becomes one other value, whatever form it has; what isn't an address stays. */
#include "source/anonymise.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct host *host;
static struct anonymiser *anonymiser;

static void setup(void)
{
    host = host_new();
    host->system.hostname = "node17";
    struct netdev *netdev = ARENA_PUSH(host->arena, host->netdevs, host->nnetdevs);
    *netdev = (struct netdev){ .name = "eth0", .mac = "c4:70:bd:aa:1f:c8" };
    *ARENA_PUSH(host->arena, netdev->addresses, netdev->naddresses) = (struct address){
        .family = AF_INET, .raw = { 10, 22, 116, 221 }, .peer = { 10, 22, 116, 221 }
    };
    anonymiser = anonymiser_new(host);
}

static void teardown(void)
{
    anonymiser_free(anonymiser);
    host_free(host);
}

TestSuite(anonymise, .init = setup, .fini = teardown);

/* Valid until the test ends, for there are few. */
static const char *mapped(const char *text)
{
    static char results[16][256];
    static size_t next;
    struct bytes out = { 0 };
    anonymise_text(anonymiser, text, strlen(text), &out);
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
                                         "\"fw_ver\": \"218.0.166.0\"\n",
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

Test(anonymise, host_name)
{
    cr_assert_str_eq(mapped("node17 mlx5_0\n"), "host mlx5_0\n");
    cr_assert_str_eq(mapped("node170 xnode17\n"), "node170 xnode17\n");
}

Test(anonymise, replies_follow)
{
    uint8_t reply[16] = { 8, 0, 1, 0, 10, 22, 116, 221, 0xc4, 0x70, 0xbd, 0xaa, 0x1f, 0xc8, 9, 9 };
    anonymise_reply(anonymiser, reply, sizeof(reply));
    uint32_t address = (uint32_t)reply[4] << 24 | (uint32_t)reply[5] << 16 | (uint32_t)reply[6] << 8 |
                       reply[7];
    cr_assert_eq(address, v4(mapped("10.22.116.221")));
    char mac[32];
    snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", reply[8], reply[9], reply[10], reply[11],
             reply[12], reply[13]);
    cr_assert_str_eq(mac, mapped("c4:70:bd:aa:1f:c8"));
    cr_assert(reply[0] == 8 && reply[14] == 9);
}
