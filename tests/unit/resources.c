/* SPDX-License-Identifier: MIT */
/* What nldev tells of queue pairs, and of what is counted for some of them. */
#include <criterion/criterion.h>
#include <rdma/rdma_netlink.h>

#include "netlink_bytes.h"
#include "source/netlink/parsers.h"

static struct arena *arena;

static void begin(void)
{
    arena = arena_new();
}

static void end(void)
{
    arena_free(arena);
}

TestSuite(resources, .init = begin, .fini = end);

static void put_qp(struct nlbytes *bytes, uint32_t pid, const char *kernel_name)
{
    uint8_t type = 2, state = 3;
    size_t entry = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_RES_QP_ENTRY, NULL, 0);
    nlbytes_u32(bytes, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    nlbytes_u32(bytes, RDMA_NLDEV_ATTR_RES_LQPN, 17);
    nlbytes_attr(bytes, RDMA_NLDEV_ATTR_RES_TYPE, &type, 1);
    nlbytes_attr(bytes, RDMA_NLDEV_ATTR_RES_STATE, &state, 1);
    if (kernel_name)
        nlbytes_text(bytes, RDMA_NLDEV_ATTR_RES_KERN_NAME, kernel_name);
    else
        nlbytes_u32(bytes, RDMA_NLDEV_ATTR_RES_PID, pid);
    nlbytes_close(bytes, entry);
}

Test(resources, tell_their_owners)
{
    struct nlbytes bytes = { 0 };
    nlbytes_message(&bytes, nldev_type(RDMA_NLDEV_CMD_RES_QP_GET), NULL, 0);
    size_t table = nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_RES_QP, NULL, 0);
    put_qp(&bytes, 4711, NULL);
    put_qp(&bytes, 0, "ib_core");
    nlbytes_close(&bytes, table);
    nlbytes_end(&bytes);
    struct resources found = { 0 };
    cr_assert_eq(answer_fill_each(&nldev_resources[RESOURCE_QP], bytes.data, bytes.len, arena, &found), 0);
    cr_assert_eq(found.nitems, 2);
    cr_expect_str_eq(found.items[0].kind, "RC");
    cr_expect_str_eq(found.items[0].state, "RTS");
    cr_expect(num_is(num_wide(found.items[0].id), 17));
    cr_expect(num_is(num_wide(found.items[0].pid), 4711));
    cr_expect_null(found.items[0].comm);
    cr_expect_not(found.items[1].pid.known, "the kernel's own has no pid");
    cr_expect_str_eq(found.items[1].comm, "ib_core");
    found.nitems = 0;
    cr_assert_eq(answer_fill_each(&nldev_resources[RESOURCE_MR], bytes.data, bytes.len, arena, &found), 0);
    cr_expect_eq(found.nitems, 0, "queue pairs are no memory regions");
}

/* As Linux after 7.2 fills them (uapi/rdma/rdma_netlink.h of rdma-core 65). */
Test(resources, limits_stand_beside_counts)
{
    uint64_t used = 42, most = 131072;
    struct nlbytes bytes = { 0 };
    nlbytes_message(&bytes, nldev_type(RDMA_NLDEV_CMD_RES_GET), NULL, 0);
    nlbytes_text(&bytes, RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0");
    size_t table = nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_RES_SUMMARY, NULL, 0);
    for (int i = 0; i < 2; i++) {
        size_t entry = nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY, NULL, 0);
        nlbytes_text(&bytes, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, i ? "cm_id" : "qp");
        nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, &used, sizeof(used));
        if (!i)
            nlbytes_attr(&bytes, 118, &most, sizeof(most));
        nlbytes_close(&bytes, entry);
    }
    nlbytes_close(&bytes, table);
    nlbytes_end(&bytes);
    struct resources found = { 0 };
    cr_assert_eq(answer_fill_each(&nldev_totals, bytes.data, bytes.len, arena, &found), 0);
    cr_assert_eq(found.ntotals, 2);
    cr_expect_eq(found.totals[0].count, used);
    cr_expect(num_is(found.totals[0].limit, most));
    cr_expect_not(found.totals[1].limit.known, "not every type has one");
}

Test(resources, pools_of_memory_regions)
{
    uint64_t blocks = 0x1000, in_use = 7, most = 25000;
    struct nlbytes bytes = { 0 };
    nlbytes_message(&bytes, nldev_type(29), NULL, 0);
    size_t table = nlbytes_attr(&bytes, 105, NULL, 0), entry = nlbytes_attr(&bytes, 106, NULL, 0);
    size_t key = nlbytes_attr(&bytes, 107, NULL, 0);
    nlbytes_u32(&bytes, 109, 0xf);
    nlbytes_attr(&bytes, 111, &blocks, sizeof(blocks));
    nlbytes_close(&bytes, key);
    nlbytes_u32(&bytes, 112, 3);
    nlbytes_attr(&bytes, 113, &most, sizeof(most));
    nlbytes_attr(&bytes, 114, &in_use, sizeof(in_use));
    nlbytes_u32(&bytes, 116, 100);
    nlbytes_close(&bytes, entry);
    nlbytes_close(&bytes, table);
    nlbytes_end(&bytes);
    struct resources found = { 0 };
    cr_assert_eq(answer_fill_each(&nldev_pools, bytes.data, bytes.len, arena, &found), 0);
    cr_assert_eq(found.npools, 1);
    const struct frmr_pool *pool = found.pools;
    cr_expect(pool->dma_blocks == blocks && pool->access_flags == 0xf && !pool->ats && !pool->vendor_key);
    cr_expect(num_is(pool->idle, 3) && num_is(pool->in_use, 7) && num_is(pool->max_in_use, 25000));
    cr_expect(num_is(pool->pinned, 100));
}

static void put_counter(struct nlbytes *bytes, uint32_t number, const uint32_t *lqpns, size_t nlqpns)
{
    uint64_t value = 5;
    size_t entry = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY, NULL, 0);
    nlbytes_u32(bytes, RDMA_NLDEV_ATTR_STAT_COUNTER_ID, number);
    size_t queues = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_RES_QP, NULL, 0);
    for (size_t i = 0; i < nlqpns; i++) {
        size_t queue = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_RES_QP_ENTRY, NULL, 0);
        nlbytes_u32(bytes, RDMA_NLDEV_ATTR_RES_LQPN, lqpns[i]);
        nlbytes_close(bytes, queue);
    }
    nlbytes_close(bytes, queues);
    size_t values = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, NULL, 0);
    size_t one = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, NULL, 0);
    nlbytes_text(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, "packet_seq_err");
    nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, &value, sizeof(value));
    nlbytes_close(bytes, one);
    nlbytes_close(bytes, values);
    nlbytes_close(bytes, entry);
}

Test(resources, counters_of_queue_pairs)
{
    struct nlbytes bytes = { 0 };
    struct bound_counters counters = { 0 };
    nlbytes_message(&bytes, nldev_type(RDMA_NLDEV_CMD_STAT_GET), NULL, 0);
    size_t table = nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_STAT_COUNTER, NULL, 0);
    put_counter(&bytes, 3, (const uint32_t[]){ 18, 17 }, 2);
    put_counter(&bytes, 4, NULL, 0);
    nlbytes_close(&bytes, table);
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill_each(&nldev_bound, bytes.data, bytes.len, arena, &counters), 0);
    cr_assert_eq(counters.count, 2);
    cr_expect(num_is(counters.items[0].number, 3));
    cr_assert_eq(counters.items[0].nlqpns, 2);
    cr_expect_eq(counters.items[0].lqpns[0], 18);
    cr_expect_eq(counters.items[0].lqpns[1], 17);
    cr_assert_eq(counters.items[0].values.count, 1);
    cr_expect_str_eq(counters.items[0].values.items[0].name, "packet_seq_err");
    cr_expect(num_is(counters.items[0].values.items[0].value, 5));
    cr_expect(num_is(counters.items[1].number, 4));
    cr_expect_eq(counters.items[1].nlqpns, 0, "bound to none");
}
