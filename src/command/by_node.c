/* SPDX-License-Identifier: MIT */
#include "command/by_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Less than this share of the siblings' median, in percent. What is usual between sockets is more. */
enum { LEAST_SHARE = 70, FEWEST_SIBLINGS = 2 };

/* The more the better; 0: it says nothing. */
static double speed_of(const struct result *result)
{
    if (result->verdict != VERDICT_PASS || !result->numa_node.known)
        return 0;
    return result->kind == TRIAL_BANDWIDTH                               ? result->mbytes_per_second
           : result->kind == TRIAL_LATENCY && result->latency.median > 0 ? 1 / result->latency.median
                                                                         : 0;
}

static const struct pci *pci_of(const struct host *host, const struct result *result)
{
    const struct device *device = host_find_device(host, result->device);
    return device ? host_find_pci(host, device->pci) : NULL;
}

static bool is_near(const struct host *host, const struct result *result)
{
    const struct pci *pci = pci_of(host, result);
    return pci && pci->numa_node.known && pci->numa_node.value == (int64_t)result->numa_node.value;
}

static bool is_same_test(const struct result *a, const struct result *b)
{
    return a->kind == b->kind && a->size == b->size && strcmp(a->operation, b->operation) == 0;
}

static bool is_same_port(const struct result *a, const struct result *b)
{
    return a->port == b->port && strcmp(a->device, b->device) == 0;
}

/* Another port of the same kind of card at the same rate, measured from as near. */
static bool is_sibling(const struct host *host, const struct result *a, const struct result *b)
{
    const struct pci *left = pci_of(host, a), *right = pci_of(host, b);
    if (is_same_port(a, b) || !is_same_test(a, b) || !left || !right || left->physfn || right->physfn ||
        !left->device.known || !num_is(right->device, left->device.value) || !left->vendor.known ||
        !num_is(right->vendor, left->vendor.value) || is_near(host, a) != is_near(host, b))
        return false;
    const struct port *one = device_port(host_find_device(host, a->device), a->port);
    const struct port *other = device_port(host_find_device(host, b->device), b->port);
    return one && other && one->rate_mbps.known && num_is(other->rate_mbps, one->rate_mbps.value);
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void judge(const struct host *host, const struct results *results, struct result *result,
                  double *speeds)
{
    size_t siblings = 0;
    const struct result *best = NULL;
    double own = speed_of(result);
    for (size_t i = 0; i < results->count && own > 0; i++) {
        const struct result *other = &results->items[i];
        if (speed_of(other) <= 0)
            continue;
        if (is_sibling(host, result, other))
            speeds[siblings++] = speed_of(other);
        if (is_same_port(result, other) && is_same_test(result, other) &&
            (!best || speed_of(other) > speed_of(best)))
            best = other;
    }
    qsort(speeds, siblings, sizeof(*speeds), by_value);
    double share = siblings ? 100 * own / speeds[siblings / 2] : 0;
    if (siblings >= FEWEST_SIBLINGS && share < LEAST_SHARE) {
        result->outlier = true;
        snprintf(result->note, sizeof(result->note), "%.0f %% of the median of %zu like ports from %s node",
                 share, siblings, is_near(host, result) ? "their own" : "another");
    } else if (best && best != result) {
        snprintf(result->note, sizeof(result->note), "%.0f %% of the speed from node %" PRIu64,
                 100 * own / speed_of(best), best->numa_node.value);
    }
}

void by_node_judge(const struct host *host, struct results *results)
{
    double *speeds = mem_alloc(results->count + 1, sizeof(*speeds));
    for (size_t i = 0; i < results->count; i++)
        if (!*results->items[i].note)
            judge(host, results, &results->items[i], speeds);
    for (size_t i = 0; i < results->count; i++) /* at the end: the others were measured against it, too */
        if (results->items[i].outlier)
            results->items[i].verdict = VERDICT_WARN;
    free(speeds);
}
