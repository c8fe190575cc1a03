/* SPDX-License-Identifier: MIT */
/* Tests by NUMA node: where memory is and the thread runs, and which measurement is an outlier. */
#include <criterion/criterion.h>
#include <sched.h>
#include <sys/mman.h>

#include "command/trials.h"
#include "selftest/queues/wait.h"

/* The policy that the kernel tells of the mapping at an address, "bind:0"; empty: it has no NUMA. */
static void policy_of(const void *memory, char policy[static 64])
{
    char line[4096], start[32];
    FILE *maps = fopen("/proc/self/numa_maps", "re");
    *policy = '\0';
    snprintf(start, sizeof(start), "%lx ", (unsigned long)memory);
    while (maps && fgets(line, sizeof(line), maps))
        if (strncmp(line, start, strlen(start)) == 0)
            sscanf(line + strlen(start), "%63s", policy);
    if (maps)
        fclose(maps);
}

Test(placement, memory_comes_from_the_node)
{
    enum { LENGTH = 1 << 16 };
    char policy[64];
    void *memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    mprotect((char *)memory + LENGTH - 4096, 4096, PROT_READ); /* a mapping of its own in numa_maps */
    int r = placement_bind(memory, LENGTH, 0);
    if (r == -ENOSYS || r == -EPERM)
        cr_skip_test("no NUMA in this kernel or container");
    cr_assert_eq(r, 0);
    policy_of(memory, policy);
    cr_expect(*policy == '\0' || strcmp(policy, "bind:0") == 0, "%s", policy);
    cr_expect_eq(placement_bind(memory, LENGTH, PLACEMENT_NODES), -EINVAL);
    cr_expect_lt(placement_bind(memory, LENGTH, PLACEMENT_NODES - 2), 0, "no such node");
    munmap(memory, LENGTH);
}

Test(placement, a_thread_goes_where_it_is_told)
{
    cpu_set_t before, inside;
    char cpu[16];
    int first = 0;
    cr_assert_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    snprintf(cpu, sizeof(cpu), "%d", first);
    cr_assert_eq(placement_run_on(cpu), 0);
    cr_assert_eq(sched_getaffinity(0, sizeof(inside), &inside), 0);
    cr_expect(CPU_COUNT(&inside) == 1 && CPU_ISSET(first, &inside));
    cr_assert_eq(placement_run_on("0-8191"), 0, "all that there are");
    cr_expect_eq(placement_run_on(""), -EINVAL);
    cr_assert_eq(sched_setaffinity(0, sizeof(before), &before), 0);
}

enum { PORTS = 4, NODES = 2 };
static struct pci pcis[PORTS];
static struct port ports[PORTS];
static struct device devices[PORTS];
static struct host host;
static struct results results;

/* Four cards, two on each of two nodes, each measured from both: 40 GB/s from its own, 32 from the other. */
static void setup(void)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3" };
    static const char *const addresses[] = { "0000:11:00.0", "0000:12:00.0", "0000:91:00.0", "0000:92:00.0" };
    for (size_t i = 0; i < PORTS; i++) {
        pcis[i] = (struct pci){ .address = addresses[i],
                                .vendor = num_of(0x15b3),
                                .device = num_of(0x1021),
                                .numa_node = snum_of((int64_t)i / 2) };
        ports[i] = (struct port){ .device = &devices[i], .number = 1, .rate_mbps = num_of(400000) };
        devices[i] = (struct device){ .name = names[i], .pci = addresses[i], .ports = &ports[i], .nports = 1 };
        for (size_t node = 0; node < NODES; node++) {
            struct result *result = results_add(&results);
            *result = (struct result){ .device = names[i],
                                       .port = 1,
                                       .numa_node = num_of(node),
                                       .kind = TRIAL_BANDWIDTH,
                                       .size = 65536,
                                       .verdict = VERDICT_PASS,
                                       .mbytes_per_second = node == i / 2 ? 40000 : 32000 };
            snprintf(result->operation, sizeof(result->operation), "RC write, bandwidth");
        }
    }
    host = (struct host){ .devices = devices, .ndevices = PORTS, .pcis = pcis, .npcis = PORTS };
}

static void teardown(void)
{
    free(results.items);
}

TestSuite(by_node, .init = setup, .fini = teardown);

static struct result *of(size_t port, size_t node)
{
    return &results.items[port * NODES + node];
}

/* Judged anew. */
static size_t count_outliers(void)
{
    size_t count = 0;
    for (size_t i = 0; i < results.count; i++) {
        results.items[i].verdict = VERDICT_PASS;
        *results.items[i].note = '\0';
    }
    by_node_judge(&host, &results);
    for (size_t i = 0; i < results.count; i++)
        count += results.items[i].verdict == VERDICT_WARN;
    return count;
}

Test(by_node, the_other_socket_is_slower_and_that_is_no_fault)
{
    cr_expect_eq(count_outliers(), 0);
    cr_expect_str_eq(of(0, 0)->note, "");
    cr_expect_str_eq(of(0, 1)->note, "80 % of the speed from node 0");
}

Test(by_node, a_card_that_its_siblings_leave_behind)
{
    of(2, 1)->mbytes_per_second = 20000;
    of(2, 0)->mbytes_per_second = 20000;
    cr_expect_eq(count_outliers(), 2);
    cr_expect_eq(of(2, 1)->verdict, VERDICT_WARN);
    cr_expect_str_eq(of(2, 1)->note, "50 % of the median of 3 like ports from their own node");
    cr_expect_str_eq(of(2, 0)->note, "62 % of the median of 3 like ports from another node");
}

Test(by_node, latency_is_better_when_it_is_less)
{
    for (size_t i = 0; i < results.count; i++) {
        results.items[i].kind = TRIAL_LATENCY;
        results.items[i].latency.median = 2;
    }
    of(1, 0)->latency.median = 4;
    cr_expect_eq(count_outliers(), 1);
    cr_expect_eq(of(1, 0)->verdict, VERDICT_WARN);
}

Test(by_node, rails_at_once_are_held_against_one_another)
{
    for (size_t i = 0; i < results.count; i++) {
        results.items[i].numa_node = (struct num){ 0 };
        results.items[i].rate_gbits = 400;
        results.items[i].size = i % NODES ? 4096 : 65536;
        results.items[i].mbytes_per_second = 30000;
    }
    of(3, 1)->mbytes_per_second = 20000;
    of(2, 0)->rate_gbits = 200; /* has none like it */
    of(2, 0)->mbytes_per_second = 9000;
    rails_judge(&results);
    for (size_t i = 0; i < results.count; i++)
        cr_expect_eq(results.items[i].verdict == VERDICT_WARN, &results.items[i] == of(3, 1), "%zu", i);
    cr_expect_str_eq(of(3, 1)->note, "the odd one out: 67 % of the median of the 3 others");
}

Test(by_node, other_cards_other_rates_and_one_sibling_are_no_measure)
{
    of(2, 1)->mbytes_per_second = 20000;
    ports[2].rate_mbps = num_of(200000);
    cr_expect_eq(count_outliers(), 0);
    ports[2].rate_mbps = num_of(400000);
    pcis[2].device = num_of(0x101d);
    cr_expect_eq(count_outliers(), 0);
    pcis[2].device = num_of(0x1021);
    pcis[0].device = pcis[1].device = num_of(0x101d); /* one is left */
    cr_expect_eq(count_outliers(), 0);
}

Test(by_node, virtual_functions_are_no_measure)
{
    of(2, 1)->mbytes_per_second = 20000;
    pcis[0].physfn = pcis[1].physfn = "0000:10:00.0"; /* one physical one is left beside it */
    cr_expect_eq(count_outliers(), 0);
    pcis[0].physfn = pcis[1].physfn = NULL;
    pcis[2].physfn = "0000:10:00.0";
    cr_expect_eq(count_outliers(), 0, "nor are they judged");
}
