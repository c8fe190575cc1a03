/* SPDX-License-Identifier: MIT */
/* Runs one trial after another between a pair of GIDs, whatever the other end is, and records its result. */
#include "selftest/test_run.h"

/* Bytes per millisecond that any path manages: large messages get more time. */
enum { SLOWEST = 1000 };

struct trial run_new_trial(struct run *run, enum trial_kind kind, enum queue_kind queue, enum operation op,
                           uint32_t size, unsigned flags)
{
    return (struct trial){ .kind = (uint8_t)kind,
                           .op = (uint8_t)op,
                           .queue = (uint8_t)queue,
                           .flags = (uint8_t)flags,
                           .queues = 1,
                           .size = size,
                           .count = 1,
                           .seed = (uint32_t)run->session << 16 | ++run->trials,
                           .timeout = run->options->timeout + size / SLOWEST };
}

struct result *run_add(struct run *run, const char *operation, enum verdict verdict)
{
    return results_add_like(run->results, &run->template, operation, verdict);
}

bool run_wants(const struct run *run, enum operation op)
{
    return !run->dead && (!run->options->operations || run->options->operations & 1u << op);
}

bool run_stopped(struct result *result, const struct failure *failure)
{
    if (failure->err != EINTR || failure->remote)
        return false;
    result->verdict = VERDICT_NA;
    result->failure = (struct failure){ 0 };
    snprintf(result->note, sizeof(result->note), "interrupted");
    return true;
}

void run_say(struct run *run, const char *what, uint32_t size)
{
    char text[96];
    if (!run->progress)
        return;
    snprintf(text, sizeof(text), "%s/%u GID %u: %s, %u bytes", run->template.device, run->template.port,
             (unsigned)run->template.gid_index.value, what, size);
    run->progress(NULL, text);
}

static const char *no_atomics(const struct endpoint *end)
{
    if (end->attr.atomic_cap == IBV_ATOMIC_NONE)
        return "the device has no atomics";
    return end->fragile ? "soft-RoCE before Linux 6.0 may crash when an atomic is sent twice"
                        : "the other host's device has no such operation, or is soft-RoCE before Linux 6.0, "
                          "which may crash when an atomic is sent twice";
}

void run_learn_size(struct run *run, uint32_t size, bool through)
{
    if (through) {
        run->stuck = size >= run->stuck_size ? 0 : run->stuck;
        run->largest = size > run->largest ? size : run->largest;
    } else {
        run->stuck_size = run->stuck && run->stuck_size < size ? run->stuck_size : size;
        run->stuck++;
    }
}

/* Two operations tell that it is the size: each further one would wait until the device gives up. */
enum { STUCK = 2 };

const char *run_impossible(const struct run *run, const struct trial *t, char text[static FAILURE_TEXT_SIZE])
{
    const struct set *set = run->set;
    const char *kind = queue_kind_name(t->queue);
    if (!set->queues[t->queue]) {
        const struct failure *why = &set->why[t->queue];
        if (*why->text)
            snprintf(text, FAILURE_TEXT_SIZE, "no %.8s here: %.*s", kind, FAILURE_TEXT_SIZE - 24, why->text);
        else
            snprintf(text, FAILURE_TEXT_SIZE, "no %s here: could not %s%s%s%s%s", kind, step_text(why->step),
                     why->err ? " (" : "", why->err ? strerrorname_np(why->err) : "", why->err ? ")" : "",
                     why->remote ? ", says the other host" : "");
        return text;
    }
    if (operation_is_atomic(t->op) && !set->end->atomics)
        return no_atomics(set->end);
    if (t->op == OP_WRITE_IMM && set->end->iwarp)
        return "iWARP has no write with immediate data";
    if (t->op == OP_READ && set->end->attr.max_qp_rd_atom == 0)
        return "the device has no RDMA read";
    if (t->op == OP_READ && t->flags & TRIAL_PIECES && set->end->attr.max_sge_rd < QUEUE_PIECES)
        return "the device doesn't scatter what it reads";
    if (t->size > set->end->port_attr.max_msg_sz && set->end->port_attr.max_msg_sz) {
        snprintf(text, FAILURE_TEXT_SIZE, "the port's messages have %u bytes at most",
                 set->end->port_attr.max_msg_sz);
        return text;
    }
    if (run->stuck >= STUCK && t->size >= run->stuck_size) {
        snprintf(text, FAILURE_TEXT_SIZE,
                 "not tried: messages of %u bytes didn't come through, smaller ones do", run->stuck_size);
        return text;
    }
    if (t->size > set->end->size)
        return set->end->memory_short ? "the limit on locked memory (ulimit -l) leaves no room for this size"
                                      : "the other host has no room for this size ('roce serve --size-most')";
    return NULL;
}

bool run_begin(struct run *run, const struct trial *t, const char *suffix, struct result **result)
{
    const struct failure *missing = &run->set->why[t->queue];
    char operation[RESULT_NAME_SIZE], text[FAILURE_TEXT_SIZE];
    const char *why = run_impossible(run, t, text);
    snprintf(operation, sizeof(operation), "%s %s%s%s", queue_kind_name(t->queue), operation_name(t->op),
             *suffix ? ", " : "", suffix);
    struct result *r = *result = run_add(run, operation, VERDICT_PASS);
    r->kind = t->kind;
    r->size = r->size_min = t->size;
    /* making or connecting the queue pair failed, other than for lack of support */
    if (!run->set->queues[t->queue] && missing->step != STEP_NONE && !failure_is_refusal(missing)) {
        r->verdict = VERDICT_FAIL;
        r->failure = *missing;
        return false;
    }
    if (why) {
        r->verdict = VERDICT_NA;
        snprintf(r->note, sizeof(r->note), "%s", why);
    }
    return !why;
}

/* Of this thread. */
static double cpu_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static int act_trial(struct run *run, struct responder *side, uint64_t *samples, struct failure *failure)
{
    const struct trial *t = &side->trial;
    struct responder *local = run->peer->local;
    struct watch watch = watch_for(t->timeout, run->peer->fd);
    watch.yield = run->options->yield;
    if (t->kind == TRIAL_VERIFY)
        return verify_act(side->queue, t, &watch, failure);
    double cpu = cpu_seconds();
    if (t->kind == TRIAL_LATENCY) {
        if (run->options->inlined.known && t->size > run->options->inlined.value)
            side->pingpong.request.send_flags &= ~(unsigned)IBV_SEND_INLINE;
        int played = pingpong_run(&side->pingpong, local ? &local->pingpong : NULL, &watch, samples, failure);
        run->cpu_seconds = cpu_seconds() - cpu;
        return played;
    }
    flow_shape(&side->flow, run->options);
    uint64_t start = wait_now();
    int r = flow_run(&side->flow, local ? &local->flow : NULL, &watch, failure);
    run->seconds = (double)(wait_now() - start) / 1e9;
    run->cpu_seconds = cpu_seconds() - cpu;
    if (r == 0 && t->op == OP_READ)
        r = verify_pattern(run->set->end, endpoint_rx(run->set->end), t, failure);
    return r;
}

int run_trial(struct run *run, const struct trial *t, uint64_t *samples, struct failure *failure)
{
    struct responder side;
    int r = wait_interrupted() ? failure_set(failure, STEP_NONE, EINTR, "%s", "")
                               : responder_arm(&side, run->set, t, true, failure);
    if (r == 0)
        r = run->peer->arm(run->peer, t, failure);
    if (r == 0) {
        struct failure theirs;
        r = act_trial(run, &side, samples, failure);
        int judged = r == -ECONNRESET || r == -EINTR ? 0 : run->peer->finish(run->peer, t, &theirs);
        if (r == 0 && judged < 0) {
            *failure = theirs;
            r = judged;
        }
    }
    /* a measurement that failed halfway had messages too, and the other end may have seen one */
    run->through |= r == 0 || set_used(run->set) ||
                    (failure->step >= STEP_COMPLETION && failure->step <= STEP_GRH);
    if (r < 0 && failure->step == STEP_FIRST && run->through) /* on an earlier queue pair */
        failure->step = STEP_COMPLETION;
    return r;
}

/* Two operations in a row without any message are enough: each further one would wait for its deadline. */
int run_end(struct run *run, int r, const struct failure *failure, bool some)
{
    struct failure again;
    if (r == -EINTR || r == -ECONNRESET)
        return r;
    if (some || (r < 0 && !failure_is_silence(failure)))
        run->deaths = 0;
    else if (r < 0)
        run->dead |= ++run->deaths >= 2;
    if (r == 0 || run->dead)
        return 0;
    r = run->peer->reopen(run->peer, &run->set, &again);
    if (r == -EINTR || r == -ECONNRESET)
        return r;
    if (r < 0) {
        run->dead = true;
        run_add(run, "connect again", VERDICT_FAIL)->failure = again;
    }
    return 0;
}

struct result *results_add(struct results *results)
{
    if (results->count == results->size) {
        results->size = results->size ? results->size * 2 : 32;
        results->items = mem_resize(results->items, results->size, sizeof(*results->items));
    }
    struct result *result = &results->items[results->count++];
    memset(result, 0, sizeof(*result));
    return result;
}

struct result *results_add_like(struct results *results, const struct result *template, const char *operation,
                                enum verdict verdict)
{
    struct result *result = results_add(results);
    *result = *template;
    result->verdict = verdict;
    snprintf(result->operation, sizeof(result->operation), "%s", operation);
    return result;
}

bool result_is_same_test(const struct result *a, const struct result *b)
{
    return a->kind == b->kind && a->size == b->size && strcmp(a->operation, b->operation) == 0;
}

void result_learn(const struct results *results, size_t i)
{
    struct result *failed = &results->items[i];
    struct facts *facts = &failed->facts;
    bool some = false, silent = failed->verdict == VERDICT_FAIL && failure_is_silence(&failed->failure);
    facts->size = failed->size;
    facts->others_pass = false;
    for (size_t j = i + 1; silent && failed->size && j < results->count; j++) {
        const struct result *r = &results->items[j];
        some |= r->messages > 0;
        facts->others_pass |= r->messages && r->verdict == VERDICT_PASS && r->size >= failed->size;
    }
    facts->smaller_pass = some && !facts->others_pass;
}
