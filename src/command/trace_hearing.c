/* SPDX-License-Identifier: MIT */
/* Hears the kernel's events of connections and queue pairs, each with its process's name, in order of time. */
#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "command/trace_feed.h"
#include "model/gid.h"
#include "model/services.h"
#include "source/root/root.h"
#include "source/tracing.h"

enum { RING_PAGES = 256, SMALL_RING_PAGES = 8, PROBES = 4 };
enum { NAME_US = 1000000, QUEUE_MOST = 1 << 16, BEHIND = 15 };

/* -- opening --------------------------------------------------------------------------------------------- */

/* Opens every event that this kernel has. */
static int open_points(struct hearing *hearing)
{
    struct source *source = hearing->source;
    for (unsigned i = 0; i < TRACE_POINTS; i++) {
        const struct trace_point_name *name = &trace_point_names[i];
        struct span text;
        int r = name->name ? tracing_format(source, name->system, name->name, &text) : -ENOENT;
        if (r == 0)
            r = trace_format_parse(text.data, text.len, &hearing->formats[i]);
        if (r < 0 && (name->needed || r != -ENOENT))
            return r;
        if (r < 0)
            continue;
        r = tracing_add(hearing->tracing, hearing->formats[i].id, trace_point_filter(i));
        if (r < 0)
            return r;
        hearing->points |= UINT64_C(1) << i;
    }
    return 0;
}

static int open_probes(struct hearing *hearing)
{
    int r = 0;
    for (int at_return = 0; at_return < 2 && r == 0; at_return++)
        r = tracing_probe(hearing->tracing, hearing->source, "ib_modify_qp_with_udata", at_return);
    if (r < 0)
        return r == -ENOENT ? -EOPNOTSUPP : r;
    /* what the kernel refuses of these, there is no more to tell of */
    (void)tracing_probe(hearing->tracing, hearing->source, "ib_destroy_qp_user", true);
    (void)tracing_probe_gids(hearing->tracing, hearing->source, "rdma_addr_find_l2_eth_by_grh");
    return 0;
}

/* What is watched goes first: a connection that is made waits for the kernel's events, not for what becomes of
 * them here. Linux 6.12 and newer let a task finish its slice, however nice it is (RUN_TO_PARITY of
 * kernel/sched/fair.c): it gets the shortest that there is, 0.1 ms. Who has chosen a priority keeps it. */
static void step_back(struct hearing *hearing)
{
    struct sched_attr attr;
    if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) < 0 || attr.sched_policy || attr.sched_nice)
        return;
    attr.sched_nice = BEHIND;
    attr.sched_runtime = 100000;
    hearing->is_back = syscall(SYS_sched_setattr, 0, &attr, 0) == 0;
}

int hearing_open(struct source *source, const struct trace_wish *wish, struct hearing **out)
{
    struct hearing *hearing = mem_alloc(1, sizeof(*hearing));
    const struct trace_point_name *first = &trace_point_names[POINT_EVENT];
    struct span text;
    hearing->source = source;
    hearing->scratch = mem_alloc(1, TRACE_RECORD_MOST);
    hearing->queue = trace_queue_new();
    int r = tracing_format(source, first->system, first->name, &text);
    if (r == 0)
        r = tracing_open(source, TRACE_POINTS + PROBES, wish->woken ? SMALL_RING_PAGES : RING_PAGES,
                         &hearing->tracing);
    if (r == 0)
        r = open_points(hearing);
    if (r == 0 && wish->queue_pairs)
        r = open_probes(hearing);
    if (r < 0) {
        hearing_close(hearing);
        return r;
    }
    if (wish->behind)
        step_back(hearing);
    *out = hearing;
    return 0;
}

void hearing_close(struct hearing *hearing)
{
    if (!hearing)
        return;
    tracing_close(hearing->tracing);
    trace_queue_free(hearing->queue);
    free(hearing->scratch);
    free(hearing);
}

/* -- events ---------------------------------------------------------------------------------------------- */

static struct task *task_of(struct hearing *hearing, uint64_t pid)
{
    struct task *task = &hearing->tasks[pid % ARRAY_SIZE(hearing->tasks)];
    if (task->pid != pid)
        *task = (struct task){ .pid = pid };
    return task;
}

/* A process's name: what was heard when it was started, or what it is now; of one that has ended, what it was.
 */
static void name_task(struct hearing *hearing, struct trace_event *event)
{
    struct task *of = task_of(hearing, event->pid);
    struct process process = { .pid = event->pid };
    uint64_t now = clock_us();
    if (event->pid && (!of->read_us || now > of->read_us + NAME_US)) {
        struct arena *arena = arena_new();
        source_process(hearing->source, arena, &process);
        if (process.comm)
            snprintf(of->name, sizeof(of->name), "%s", process.comm);
        of->read_us = now;
        arena_free(arena);
    }
    memcpy(event->task, of->name, sizeof(event->task));
}

static void hear_name(struct hearing *hearing, const struct trace_record *record)
{
    struct task *of = task_of(hearing, record->pid);
    snprintf(of->name, sizeof(of->name), "%s", record->name);
    of->read_us = clock_us();
}

/* perf's own probes have no id. What they tell begins with 8 bytes in common and the address of the function;
 * at the return, of its caller, too (struct kretprobe_trace_entry_head of kernel/trace/trace.h). */
static void hear_probe(struct hearing *hearing, const struct trace_record *record, struct trace_heard *heard)
{
    enum { CALL_LEAST = 8 + 8, CALL_MOST = CALL_LEAST + 7 };
    if (record->len < CALL_LEAST)
        return;
    memcpy(&heard->function, record->raw + 8, sizeof(heard->function));
    heard->event.point = POINT_MODIFIED;
    heard->kind = record->len <= CALL_MOST ? HEARD_CALL : HEARD_RETURN;
    if (heard->kind == HEARD_CALL)
        trace_put(&heard->event, TRACE_MASK, (int64_t)(uint32_t)record->registers[tracing_third()]);
    else
        trace_put(&heard->event, TRACE_STATUS, (int32_t)record->registers[!tracing_third()]);
    name_task(hearing, &heard->event);
    trace_queue_put(hearing->queue, heard);
}

/* The way that a queue pair's peer is looked up by, as GIDs. */
static void hear_gids(struct hearing *hearing, const struct trace_record *record, struct trace_heard *heard)
{
    struct trace_address *const ends[] = { &heard->event.from, &heard->event.to };
    for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
        memcpy(ends[i]->raw, record->raw + 8 + i * sizeof(ends[i]->raw), sizeof(ends[i]->raw));
        ends[i]->known = !gid_is_any(ends[i]->raw);
    }
    heard->kind = HEARD_WAY;
    trace_queue_put(hearing->queue, heard);
}

static void hear_sample(struct hearing *hearing, const struct trace_record *record)
{
    struct trace_heard heard = { .event = { .time_us = record->time_ns / 1000,
                                            .cpu = record->cpu,
                                            .pid = record->pid,
                                            .tid = record->tid } };
    uint16_t id;
    if (record->len < sizeof(id))
        return;
    memcpy(&id, record->raw, sizeof(id));
    if (!id && record->has_registers)
        hear_probe(hearing, record, &heard);
    else if (!id && record->len >= 8 + 2 * 16)
        hear_gids(hearing, record, &heard);
    for (unsigned i = 0; i < TRACE_POINTS; i++)
        if (id && hearing->formats[i].id == id &&
            trace_decode(&hearing->formats[i], record->raw, record->len, &heard.event) == 0) {
            heard.event.point = i;
            name_task(hearing, &heard.event);
            trace_queue_put(hearing->queue, &heard);
        }
}

/* -- rings ----------------------------------------------------------------------------------------------- */

static void empty_ring(struct hearing *hearing, size_t i, struct trace_ring *ring)
{
    struct trace_record record;
    int r;
    while ((r = trace_ring_next(ring, hearing->scratch, &record)) != 0) {
        if (r > 0 && record.kind == RECORD_SAMPLE)
            hear_sample(hearing, &record);
        else if (r > 0 && record.kind == RECORD_NAME)
            hear_name(hearing, &record);
        hearing->lost += r < 0 ? 1 : record.lost;
    }
    tracing_done(hearing->tracing, i, ring->tail);
}

static bool is_filling(const struct hearing *hearing)
{
    struct trace_ring ring;
    for (size_t i = 0; tracing_ring(hearing->tracing, i, &ring); i++)
        if (ring.head - ring.tail > ring.size / 2)
            return true;
    return false;
}

/* Who stays behind steps forward before events are lost. What can't be kept stays in the rings, which tell what
 * was lost of it. */
void hearing_hear(struct hearing *hearing)
{
    struct trace_ring ring;
    bool hurries = hearing->is_back && is_filling(hearing);
    if (hurries)
        (void)setpriority(PRIO_PROCESS, 0, 0);
    for (size_t i = 0;
         trace_queue_count(hearing->queue) < QUEUE_MOST && tracing_ring(hearing->tracing, i, &ring); i++)
        empty_ring(hearing, i, &ring);
    if (hurries)
        (void)setpriority(PRIO_PROCESS, 0, BEHIND);
}
