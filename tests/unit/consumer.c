/* Which GID a library takes: the tables of the issues that users filed. */
#include "check/consumer.h"

#include <criterion/criterion.h>
#include <string.h>

static struct gid gid(uint32_t index, enum gid_type type, const char *text)
{
    struct gid gid = { .index = index, .type = type };
    cr_assert_eq(gid_parse(text, gid.raw), 0);
    return gid;
}

#define V1 GID_TYPE_IB_ROCE_V1
#define V2 GID_TYPE_ROCE_V2
#define LOCAL "fe80:0000:0000:0000:c670:bdff:feaa:1fc8"
#define IPV4 "0000:0000:0000:0000:0000:ffff:0a16:74dd"
#define IPV6 "2001:0db8:0074:0000:0000:0000:0000:00dd"

static uint32_t chosen(enum consumer consumer, struct gid *gids, size_t count)
{
    struct host host = { 0 };
    struct port port = { .gids = gids, .ngids = count };
    return consumer_choose(consumer, &host, &port).index;
}

Test(consumer, usual_table)
{
    struct gid gids[] = { gid(0, V1, LOCAL), gid(1, V2, LOCAL), gid(2, V1, IPV4), gid(3, V2, IPV4) };
    for (enum consumer consumer = 0; consumer < CONSUMERS; consumer++)
        cr_assert_eq(chosen(consumer, gids, 4), 3, "%s", consumer_name(consumer));
}

Test(consumer, ipv6_only)
{
    struct gid gids[] = { gid(0, V1, LOCAL), gid(1, V2, LOCAL), gid(4, V1, IPV6), gid(5, V2, IPV6) };
    cr_assert_eq(chosen(CONSUMER_NCCL, gids, 4), 0, "NCCL wants IPv4 and stays at 0");
    cr_assert_eq(chosen(CONSUMER_UCX, gids, 4), 5);
    cr_assert_eq(chosen(CONSUMER_PERFTEST, gids, 4), 5);
    cr_assert_eq(chosen(CONSUMER_RDMA_CM, gids, 4), 5);
}

Test(consumer, holes_before_the_first)
{
    struct gid gids[] = { gid(7, V1, IPV4), gid(11, V2, IPV4) };
    cr_assert_eq(chosen(CONSUMER_NCCL, gids, 2), 11);
    cr_assert_eq(chosen(CONSUMER_UCX, gids, 2), 11);
}

Test(consumer, version_1_only)
{
    struct gid gids[] = { gid(0, V1, LOCAL), gid(1, V1, IPV4) };
    struct host host = { 0 };
    struct port port = { .gids = gids, .ngids = 2 };
    struct choice choice = consumer_choose(CONSUMER_UCX, &host, &port);
    cr_assert_eq(choice.index, 1);
    cr_assert(strstr(choice.flaw, "v1"));
}

Test(consumer, default_mode_v1)
{
    struct gid gids[] = { gid(2, V1, IPV4), gid(3, V2, IPV4) };
    struct host host = { 0 };
    struct port port = { .gids = gids, .ngids = 2, .cm_mode = num_of(V1) };
    cr_assert_eq(consumer_choose(CONSUMER_RDMA_CM, &host, &port).index, 2);
}

Test(consumer, environment_pins)
{
    struct gid gids[] = { gid(0, V1, LOCAL), gid(3, V2, IPV4) };
    struct environment environment[] = { { "NCCL_IB_GID_INDEX", "4" } };
    struct host host = { .system = { .environment = environment, .nenvironment = 1 } };
    struct port port = { .gids = gids, .ngids = 2 };
    struct choice choice = consumer_choose(CONSUMER_NCCL, &host, &port);
    cr_assert(choice.pinned);
    cr_assert_eq(choice.index, 4);
    cr_assert_null(choice.gid);
    cr_assert_not_null(choice.flaw);
    cr_assert_eq(consumer_choose(CONSUMER_UCX, &host, &port).index, 3, "another library's variable");
}

Test(consumer, empty_table)
{
    struct host host = { 0 };
    struct port port = { 0 };
    for (enum consumer consumer = 0; consumer < CONSUMERS; consumer++)
        cr_assert_not_null(consumer_choose(consumer, &host, &port).flaw);
}

Test(consumer, names)
{
    for (enum consumer consumer = 0; consumer < CONSUMERS; consumer++)
        cr_assert_eq(consumer_parse(consumer_name(consumer)), consumer);
    cr_assert_eq(consumer_parse("mvapich"), CONSUMERS);
}
