/* SPDX-License-Identifier: MIT */
/* SMC-R: what its family and smc_diag answer, the reasons to stay with TCP, and how they become services. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/genetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>

#include "model/services.h"
#include "netlink_bytes.h"
#include "source/netlink/parsers.h"

static struct arena *arena;
static struct nlbytes reply;
static struct smc smc;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(smc, .init = setup, .fini = teardown);

static size_t begin(uint8_t command, uint16_t nest)
{
    struct genlmsghdr header = { .cmd = command };
    nlbytes_message(&reply, 30, &header, sizeof(header));
    return nlbytes_attr(&reply, nest, NULL, 0);
}

static void end(size_t nest)
{
    nlbytes_close(&reply, nest);
    nlbytes_end(&reply);
}

static void put_u8(uint16_t type, uint8_t value)
{
    nlbytes_attr(&reply, type, &value, sizeof(value));
}

static void put_u64(uint16_t type, uint64_t value)
{
    nlbytes_attr(&reply, type, &value, sizeof(value));
}

static void put_group(uint32_t id, uint8_t role)
{
    size_t nest = begin(SMC_NETLINK_GET_LGR_SMCR, SMC_GEN_LGR_SMCR);
    nlbytes_u32(&reply, SMC_NLA_LGR_R_ID, id);
    put_u8(SMC_NLA_LGR_R_ROLE, role);
    put_u8(SMC_NLA_LGR_R_TYPE, 1);
    nlbytes_text(&reply, SMC_NLA_LGR_R_PNETID, "");
    end(nest);
}

static void put_link(uint8_t id, const char *device, const char *peer_gid)
{
    size_t nest = begin(SMC_NETLINK_GET_LINK_SMCR, SMC_GEN_LINK_SMCR);
    put_u8(SMC_NLA_LINK_ID, id);
    nlbytes_u32(&reply, SMC_NLA_LINK_STATE, 3);
    nlbytes_u32(&reply, SMC_NLA_LINK_CONN_CNT, 2);
    put_u8(SMC_NLA_LINK_IB_PORT, 1);
    nlbytes_text(&reply, SMC_NLA_LINK_IB_DEV, device);
    nlbytes_text(&reply, SMC_NLA_LINK_GID, "0000:0000:0000:0000:0000:ffff:0a00:0001");
    nlbytes_text(&reply, SMC_NLA_LINK_PEER_GID, peer_gid);
    end(nest);
}

Test(smc, links_belong_to_the_link_group_before_them)
{
    put_group(0x100, 1);
    put_link(1, "rxe0", "0000:0000:0000:0000:0000:ffff:0a00:0002");
    put_link(2, "rxe1", "fe80:0000:0000:0000:0000:00ff:fe00:0002");
    put_group(0xabcdef01, 0);
    put_link(1, "rxe0", "0000:0000:0000:0000:0000:0000:0000:0000");
    cr_assert_eq(smc_parse_links(reply.data, reply.len, arena, &smc), 0);
    cr_assert_eq(smc.nlinks, 3);
    cr_expect_eq(smc.links[0].group, 0x100);
    cr_expect_str_eq(smc.links[0].role, "server");
    cr_expect_str_eq(smc.links[0].redundancy, "single");
    cr_expect_str_eq(smc.links[0].device, "rxe0");
    cr_expect_str_eq(smc.links[0].gid, "10.0.0.1");
    cr_expect_str_eq(smc.links[0].peer_gid, "10.0.0.2");
    cr_expect_str_eq(smc_link_state_text(smc.links[0].state), "ACTIVE");
    cr_expect(num_is(smc.links[0].connections, 2));
    cr_expect_eq(smc.links[1].group, 0x100);
    cr_expect_str_eq(smc.links[1].peer_gid, "fe80::ff:fe00:2");
    cr_expect_eq(smc.links[2].group, 0xabcdef01);
    cr_expect_str_eq(smc.links[2].role, "client");
    cr_expect_null(smc.links[2].peer_gid);
}

Test(smc, what_a_broken_answer_says_before_the_break_is_kept)
{
    put_group(1, 9);
    put_link(1, "rxe0", "x");
    size_t whole = reply.len;
    put_link(2, "rxe0", "x");
    cr_expect_eq(smc_parse_links(reply.data, whole + 20, arena, &smc), -EBADMSG);
    cr_expect_eq(smc.nlinks, 1);
    cr_expect_null(smc.links[0].role, "a role that roce doesn't know");
    cr_expect_null(smc.links[0].peer_gid);
    cr_expect_null(smc_link_state_text(num_of(4)));
}

Test(smc, statistics_are_those_of_rdma)
{
    size_t nest = begin(SMC_NETLINK_GET_STATS, SMC_GEN_STATS);
    size_t ism = nlbytes_attr(&reply, SMC_NLA_STATS_SMCD_TECH, NULL, 0);
    put_u64(SMC_NLA_STATS_T_CLNT_V1_SUCC, 1000);
    nlbytes_close(&reply, ism);
    size_t rdma = nlbytes_attr(&reply, SMC_NLA_STATS_SMCR_TECH, NULL, 0);
    put_u64(SMC_NLA_STATS_T_CLNT_V1_SUCC, 1);
    put_u64(SMC_NLA_STATS_T_CLNT_V2_SUCC, 2);
    put_u64(SMC_NLA_STATS_T_SRV_V1_SUCC, 4);
    put_u64(SMC_NLA_STATS_T_SRV_V2_SUCC, 8);
    nlbytes_close(&reply, rdma);
    end(nest);
    cr_assert_eq(answer_fill_each(&smc_statistics, reply.data, reply.len, arena, &smc), 0);
    cr_expect(num_is(smc.by_rdma, 15));
}

static void put_fallback(uint8_t server, uint32_t code, uint16_t count)
{
    size_t nest = begin(SMC_NETLINK_GET_FBACK_STATS, SMC_GEN_FBACK_STATS);
    put_u8(SMC_NLA_FBACK_STATS_TYPE, server);
    nlbytes_u32(&reply, SMC_NLA_FBACK_STATS_RSN_CODE, code);
    nlbytes_attr(&reply, SMC_NLA_FBACK_STATS_RSN_CNT, &count, sizeof(count));
    end(nest);
}

static void put_socket(uint8_t state, uint8_t mode, uint16_t port, uint16_t peer_port, uint32_t code,
                       uint32_t peer_code)
{
    struct smc_diag_msg message = { .diag_family = 43, .diag_state = state, .diag_mode = mode };
    struct smc_diag_fallback fallback = { code, peer_code };
    message.id.idiag_sport = htons(port);
    message.id.idiag_dport = htons(peer_port);
    message.id.idiag_src[0] = htonl(0x0a000001);
    message.id.idiag_dst[0] = htonl(peer_port ? 0x0a000002 : 0);
    nlbytes_message(&reply, 20, &message, sizeof(message));
    nlbytes_attr(&reply, SMC_DIAG_FALLBACK, &fallback, sizeof(fallback));
    if (mode == 0 && state == 1) {
        struct smc_diag_lgrinfo group = { .lnk[0] = { .link_id = 1, .ibname = "rxe0", .ibport = 1 } };
        nlbytes_attr(&reply, SMC_DIAG_LGRINFO, &group, sizeof(group));
    }
    nlbytes_end(&reply);
}

Test(smc, sockets_with_their_link_or_the_reason_against_one)
{
    put_socket(1, 0, 5000, 40000, 0, 0);
    put_socket(1, 1, 5001, 40001, 0x03010000, 0);
    struct smc_diag_msg v6 = { .diag_state = 10, .diag_mode = 7, .id = { .idiag_sport = htons(80) } };
    v6.id.idiag_src[3] = htonl(1);
    nlbytes_message(&reply, 20, &v6, sizeof(v6));
    nlbytes_end(&reply);
    cr_assert_eq(ANSWER_LIST(&smc_sockets, reply.data, reply.len, arena, &smc.sockets, &smc.nsockets), 0);
    cr_assert_eq(smc.nsockets, 3);
    cr_expect_eq(smc.sockets[0].mode, SMC_MODE_RDMA);
    cr_expect_str_eq(smc.sockets[0].local, "10.0.0.1:5000");
    cr_expect_str_eq(smc.sockets[0].peer, "10.0.0.2:40000");
    cr_expect_str_eq(smc.sockets[0].device, "rxe0");
    cr_expect(num_is(smc.sockets[0].link, 1));
    cr_expect_eq(smc.sockets[1].mode, SMC_MODE_TCP);
    cr_expect(num_is(smc.sockets[1].code, 0x03010000));
    cr_expect_null(smc.sockets[1].device);
    cr_expect_str_eq(smc.sockets[2].local, "[::1]:80");
    cr_expect_null(smc.sockets[2].peer);
    cr_expect_eq(smc.sockets[2].mode, SMC_MODE_UNKNOWN);
    cr_expect(smc_socket_listens(&smc.sockets[2]));
    smc.nsockets = 0;
    cr_expect_eq(ANSWER_LIST(&smc_sockets, reply.data, reply.len - 8, arena, &smc.sockets, &smc.nsockets),
                 -EBADMSG);
}

Test(smc, each_reason_has_words)
{
    cr_expect_str_eq(smc_reason_text(0x03010000), "the peer does not offer SMC");
    cr_expect_null(smc_reason_text(0x12345678));
    cr_expect(smc_reason_is_peers(0x05000000));
}

Test(smc, links_listeners_and_reasons_are_services)
{
    struct services services = { 0 };
    put_group(0x100, 1);
    put_link(1, "rxe0", "0000:0000:0000:0000:0000:ffff:0a00:0002");
    smc_parse_links(reply.data, reply.len, arena, &smc);
    reply.len = 0;
    put_fallback(1, 0x03010000, 3);
    put_fallback(0, 0x03010000, 4);
    put_fallback(0, 0x12345678, 1);
    cr_assert_eq(answer_fill_each(&smc_fallbacks, reply.data, reply.len, arena, &smc), 0);
    reply.len = 0;
    put_socket(10, 0, 5000, 0, 0, 0);
    put_socket(1, 0, 5000, 40000, 0, 0);
    put_socket(1, 1, 5000, 40001, 0x03010000, 0);
    put_socket(1, 1, 5000, 40002, 0x03010000, 0);
    put_socket(1, 1, 5000, 40003, 0x05000000, 0x03030002);
    ANSWER_LIST(&smc_sockets, reply.data, reply.len, arena, &smc.sockets, &smc.nsockets);
    smc.sockets_known = true;
    smc.by_rdma = num_of(9);
    smc_add_services(&smc, arena, &services);
    cr_assert_eq(services.count, 5, "%zu", services.count);

    const struct service *link = &services.items[0], *listener = &services.items[1],
                         *reason = &services.items[2], *other = &services.items[3],
                         *declined = &services.items[4];
    cr_expect_str_eq(link->name, "link group 00000100");
    cr_expect_str_eq(link->handle, "00000100/1");
    cr_expect_str_eq(link->state, "ACTIVE");
    cr_expect_str_eq(link->device, "rxe0");
    cr_expect_str_eq(link->note, "server, single");
    cr_expect(num_is(link->sockets, 2) && !link->reason);
    cr_expect(listener->listens);
    cr_expect_str_eq(listener->local, "10.0.0.1:5000");
    cr_expect_str_eq(reason->reason, "the peer does not offer SMC");
    cr_expect(num_is(reason->sockets, 2) && num_is(reason->fallbacks, 7));
    cr_expect_str_eq(reason->peer, "10.0.0.2:40001");
    cr_expect_str_eq(reason->note, "7 since smc was loaded, 9 by RDMA");
    cr_expect_str_eq(other->reason, "reason 0x12345678");
    cr_expect(num_is(other->sockets, 0));
    cr_expect_str_eq(declined->reason,
                     "the peer declined: it says that no RDMA device for SMC-R serves this address");
    cr_expect(num_is(declined->sockets, 1) && !declined->fallbacks.known && !declined->note);
}

Test(smc, peers_that_decline_for_several_reasons_are_one_user)
{
    struct services services = { 0 };
    put_fallback(1, 0x05000000, 2);
    answer_fill_each(&smc_fallbacks, reply.data, reply.len, arena, &smc);
    reply.len = 0;
    put_socket(1, 1, 5000, 40003, 0x05000000, 0x03030002);
    put_socket(1, 1, 5000, 40004, 0x05000000, 0x03070000);
    ANSWER_LIST(&smc_sockets, reply.data, reply.len, arena, &smc.sockets, &smc.nsockets);
    smc.sockets_known = true;
    smc_add_services(&smc, arena, &services);
    cr_assert_eq(services.count, 1, "%zu", services.count);
    cr_expect_str_eq(services.items[0].reason, "the peer declined");
    cr_expect(num_is(services.items[0].sockets, 2) && num_is(services.items[0].fallbacks, 2));
    cr_expect_str_eq(services.items[0].peer, "10.0.0.2:40003");
}

Test(smc, without_smc_diag_nobody_knows_how_many_sockets)
{
    struct services services = { 0 };
    put_fallback(0, 0x03030002, 1);
    answer_fill_each(&smc_fallbacks, reply.data, reply.len, arena, &smc);
    smc_add_services(&smc, arena, &services);
    cr_assert_eq(services.count, 1);
    cr_expect_not(services.items[0].sockets.known);
    cr_expect_str_eq(services.items[0].note, "1 since smc was loaded");
}
