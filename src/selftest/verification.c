/* SPDX-License-Identifier: MIT */
/* What is verified: every operation in sizes around the path MTU. */
#include "selftest/test_run.h"

#include "tables.h"

/* TRIES: attempts at a message that an unreliable transport loses. */
enum { TRIES = 4, UNRELIABLE_MS = 1000, SIZES_MOST = 16 };

/* From SIZE_TELLING on, a message shows how fast the path is; from SIZE_LARGE on, it may take too long. */
enum { SIZE_TELLING = 65536, SIZE_LARGE = 1 << 20 };

enum sizes { SIZES_TO_8M, SIZES_TO_1M, SIZES_FEW, SIZES_DATAGRAM, SIZES_INLINE, SIZES_8, SIZES_PIECES };

static const struct item {
    enum queue_kind queue;
    enum operation op;
    unsigned flags;
    enum sizes sizes;
    const char *suffix;
} items[] = { VERIFIED_ITEMS };

static size_t choose_sizes(const struct run *run, const struct item *item, uint32_t sizes[static SIZES_MOST])
{
    const uint32_t mtu = run->mtu, in_line = run->set->queues[item->queue]->inline_size;
    const struct {
        size_t count;
        uint32_t sizes[10];
    } lists[] = {
        [SIZES_TO_8M] = { 10, { 1, 3, 64, mtu - 1, mtu, mtu + 1, 4 * mtu + 5, 65536, 1 << 20, 8 << 20 } },
        [SIZES_FEW] = { 3, { 1, mtu + 1, 65536 } },
        [SIZES_DATAGRAM] = { 4, { 1, 64, mtu - 1, mtu } },
        [SIZES_INLINE] = { in_line > 1 ? 2 : 0, { 1, in_line } },
        [SIZES_8] = { 1, { 8 } },
        [SIZES_PIECES] = { 3, { 3, mtu + 1, 65539 } },
    };
    bool to_1m = item->sizes == SIZES_TO_1M;
    const uint32_t *from = lists[to_1m ? SIZES_TO_8M : item->sizes].sizes;
    size_t kept = 0, count = lists[to_1m ? SIZES_TO_8M : item->sizes].count;
    count -= to_1m && !run->options->thorough;
    for (size_t i = 0; i < count; i++)
        if (from[i] <= run->options->size_most || i == 0)
            sizes[kept++] = from[i];
    return kept;
}

/* Tries again where a lost message is not a fault; count->lost counts them. */
static int try_size(struct run *run, const struct item *item, uint32_t size, struct result *count,
                    struct failure *failure)
{
    bool unreliable = queue_is_unreliable(item->queue);
    for (unsigned tries = 1;; tries++) {
        struct trial t = run_new_trial(run, TRIAL_VERIFY, item->queue, item->op, size, item->flags);
        if (unreliable && run->options->timeout > UNRELIABLE_MS)
            t.timeout -= run->options->timeout - UNRELIABLE_MS;
        int r = run_trial(run, &t, NULL, failure);
        if (r == 0)
            count->messages++;
        if (r != -ETIMEDOUT || !unreliable || tries == TRIES)
            return r;
        count->lost++;
        struct failure again;
        r = run->peer->reopen(run->peer, &run->set, &again);
        if (r < 0) {
            *failure = again;
            return r;
        }
    }
}

static void judge_size(struct result *result, uint32_t size, const struct failure *failure, bool unreliable)
{
    result->failure = *failure;
    result->size = result->size_min = size;
    result->verdict = VERDICT_FAIL;
    if (run_stopped(result, failure))
        return;
    if (unreliable && failure->err == ETIMEDOUT && result->messages) {
        result->verdict = VERDICT_WARN;
        snprintf(result->note, sizeof(result->note),
                 "lost %u times out of %u: an unreliable transport may lose packets, and this path does", TRIES,
                 TRIES);
    } else if (result->lost) {
        snprintf(result->note, sizeof(result->note), "%lu messages were lost before that",
                 (unsigned long)result->lost);
    }
}

/* size: of a message that got through. */
static void learn_pace(struct run *run, uint32_t size, uint64_t ns)
{
    double pace = (double)ns / size;
    if (size >= SIZE_TELLING && (run->pace <= 0 || pace < run->pace))
        run->pace = pace;
}

/* Why this trial is skipped: it is impossible, or would take too long. NULL: it isn't skipped. */
static const char *unfit(const struct run *run, const struct trial *t, char text[static FAILURE_TEXT_SIZE])
{
    const char *why = run_impossible(run, t, text);
    double ms = run->pace * t->size / 1e6;
    if (why || !run->options->large || t->size < SIZE_LARGE || ms <= run->options->large)
        return why;
    snprintf(text, FAILURE_TEXT_SIZE, "a message of %u MiB would take about %.1f s here: --thorough tries it",
             t->size >> 20, ms / 1000);
    return text;
}

/* *why: the reason if some sizes weren't tried. */
static int verify_sizes(struct run *run, const struct item *item, struct trial *t, struct result *result,
                        const char **why, char text[static FAILURE_TEXT_SIZE], struct failure *failure)
{
    uint32_t sizes[SIZES_MOST] = { 0 };
    size_t count = choose_sizes(run, item, sizes);
    if (count == 0)
        *why = "the device takes no inline data";
    for (size_t i = 0; i < count; i++) {
        t->size = sizes[i];
        *why = unfit(run, t, text);
        if (*why)
            break;
        run_say(run, result->operation, sizes[i]);
        uint64_t start = wait_now();
        int r = try_size(run, item, sizes[i], result, failure);
        bool reliable = !queue_is_unreliable(item->queue);
        if (r < 0) {
            judge_size(result, sizes[i], failure, !reliable);
            if (reliable && result->messages && failure_is_silence(failure))
                run_learn_size(run, sizes[i], false);
            return r;
        }
        run_learn_size(run, sizes[i], true);
        learn_pace(run, sizes[i], wait_now() - start);
        result->size = sizes[i];
        result->size_min = sizes[0];
    }
    return 0;
}

static int verify_item(struct run *run, const struct item *item)
{
    struct trial t = { .kind = TRIAL_VERIFY,
                       .queue = (uint8_t)item->queue,
                       .op = (uint8_t)item->op,
                       .flags = (uint8_t)item->flags,
                       .size = 1 };
    char text[FAILURE_TEXT_SIZE];
    const char *why = NULL;
    struct result *result;
    struct failure failure = { 0 };
    if (!run_begin(run, &t, item->suffix, &result))
        return 0;
    int r = verify_sizes(run, item, &t, result, &why, text, &failure);
    if (why) {
        result->verdict = result->messages ? VERDICT_PASS : VERDICT_NA;
        snprintf(result->note, sizeof(result->note), "%s", why);
    } else if (r == 0 && result->lost) {
        snprintf(result->note, sizeof(result->note), "%lu lost and sent again", (unsigned long)result->lost);
    }
    return run_end(run, r, &failure, result->messages > 0);
}

uint32_t plan_largest(const struct test_options *o)
{
    uint32_t largest = 65536 + 4096;
    for (size_t i = 0; o->verify && i < ARRAY_SIZE(items); i++) {
        bool to_8m = items[i].sizes == SIZES_TO_8M || (items[i].sizes == SIZES_TO_1M && o->thorough);
        uint32_t size = to_8m ? 8 << 20 : items[i].sizes == SIZES_TO_1M ? 1 << 20 : 0;
        if ((!o->operations || o->operations & 1u << items[i].op) && size <= o->size_most && size > largest)
            largest = size;
    }
    for (size_t i = 0; i < o->nsizes; i++)
        largest = o->sizes[i] > largest ? o->sizes[i] : largest;
    return largest;
}

int verify_all(struct run *run)
{
    int r = 0;
    for (size_t i = 0; r == 0 && i < ARRAY_SIZE(items); i++)
        if (run_wants(run, items[i].op))
            r = verify_item(run, &items[i]);
    return r;
}
