/* SPDX-License-Identifier: MIT */
#include "command/trial_options.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/base.h"
#include "base/say.h"
#include "base/text.h"
#include "selftest/queues/description.h"
#include "selftest/queues/operation.h"
#include "selftest/trial/trial.h"

/* LARGE_MS: real NICs need a millisecond for 8 MiB; a path that takes so long is emulated, or otherwise no
 * example. */
enum { TIMEOUT_MS = 5000, LARGE_MS = 100 };

static int operations(const struct args *args, uint32_t *mask)
{
    const char *list = args_value(args, "op");
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        uint32_t bit = 0;
        for (enum operation op = 0; op < OPERATIONS; op++)
            if (strlen(operation_name(op)) == len && strncmp(operation_name(op), at, len) == 0)
                bit = 1u << op;
        if (!bit) {
            say_error("no operation '%.*s': send, write, write-imm, read, compare-swap, fetch-add", (int)len,
                      at);
            return -EINVAL;
        }
        *mask |= bit;
        at += len + (at[len] == ',');
    }
    return 0;
}

static int one_size(const char *text, size_t len, uint32_t *size)
{
    char copy[16];
    uint64_t value = 0, unit = 1;
    if (len == 0 || len >= sizeof(copy))
        return -EINVAL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    char *last = copy + len - 1;
    if (*last == 'k' || *last == 'K')
        unit = 1024;
    if (*last == 'm' || *last == 'M')
        unit = 1 << 20;
    if (unit > 1)
        *last = '\0';
    if (text_to_u64(copy, 10, &value) < 0 || value == 0 || value > TRIAL_SIZE_MOST / unit)
        return -EINVAL;
    *size = (uint32_t)(value * unit);
    return 0;
}

static int sizes(const struct args *args, struct test_options *o)
{
    for (const char *at = args_value(args, "size"); at && *at;) {
        size_t len = strcspn(at, ",");
        if (o->nsizes == ARRAY_SIZE(o->sizes) || one_size(at, len, &o->sizes[o->nsizes]) < 0) {
            say_error("'%.*s' is not a size for --size: give 1 to 8m, at most %zu of them", (int)len, at,
                      ARRAY_SIZE(o->sizes));
            return -EINVAL;
        }
        o->nsizes++;
        at += len + (at[len] == ',');
    }
    return 0;
}

static int number(const struct args *args, const char *option, uint64_t least, uint64_t most,
                  uint64_t fallback, uint32_t *value)
{
    uint64_t wide = 0;
    int r = args_number(args, option, least, most, fallback, &wide);
    *value = (uint32_t)wide;
    return r;
}

int trial_options(const struct args *args, uint32_t duration, struct test_options *o)
{
    bool latency = args_given(args, "measure") || args_given(args, "latency");
    bool bandwidth = args_given(args, "measure") || args_given(args, "bandwidth");
    bool verify = args_given(args, "verify"), all = !verify && !latency && !bandwidth;
    *o = (struct test_options){ .verify = verify || all,
                                .latency = latency || all,
                                .bandwidth = bandwidth || all,
                                .both_ways = args_given(args, "both-ways"),
                                .thorough = args_given(args, "thorough"),
                                .large = args_given(args, "thorough") ? 0 : LARGE_MS,
                                .size_most = TRIAL_SIZE_MOST };
    uint32_t queues, traffic_class, hop_limit;
    if (operations(args, &o->operations) < 0 || sizes(args, o) < 0 ||
        args_milliseconds(args, "duration", duration, &o->duration) < 0 ||
        args_milliseconds(args, "timeout", TIMEOUT_MS, &o->timeout) < 0 ||
        number(args, "iterations", 1, TRIAL_COUNT_MOST, 0, &o->iterations) < 0 ||
        number(args, "queues", 1, RC_QUEUES_MOST, 1, &queues) < 0 ||
        number(args, "traffic-class", 0, 255, 0, &traffic_class) < 0 ||
        number(args, "hop-limit", 1, 255, 64, &hop_limit) < 0 ||
        number(args, "mtu", 256, 4096, 0, &o->mtu) < 0)
        return -EINVAL;
    if (o->mtu & (o->mtu - 1)) {
        say_error("'%u' is not an MTU for --mtu: 256, 512, 1024, 2048 or 4096", o->mtu);
        return -EINVAL;
    }
    if (o->timeout < TRIAL_TIMEOUT_LEAST || o->timeout > TRIAL_TIMEOUT_MOST) {
        say_error("--timeout must lie between 0.01 and %d seconds", TRIAL_TIMEOUT_MOST / 1000);
        return -EINVAL;
    }
    o->queues = (uint8_t)queues;
    o->traffic_class = (uint8_t)traffic_class;
    o->hop_limit = (uint8_t)hop_limit;
    cpu_set_t cpus;
    o->yield = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) < 2;
    return 0;
}
