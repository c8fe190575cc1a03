/* SPDX-License-Identifier: MIT */
/* Records of perf's rings (include/uapi/linux/perf_event.h, enum perf_event_type), and what they tell in order
 * of time. */
#include <linux/perf_event.h>

#include "trace/trace.h"

static void copy_out(const struct trace_ring *ring, uint64_t at, uint8_t *to, size_t len)
{
    uint64_t begin = at & (ring->size - 1);
    size_t first = len < ring->size - begin ? len : (size_t)(ring->size - begin);
    memcpy(to, ring->data + begin, first);
    memcpy(to + first, ring->data, len - first);
}

/* Takes a number of so many bytes from the front of a record; 0 behind its end. */
static uint64_t front(const uint8_t **at, const uint8_t *end, size_t size)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (size > (size_t)(end - *at)) {
        *at = end;
        return 0;
    }
    memcpy(size == sizeof(narrow) ? (void *)&narrow : (void *)&wide, *at, size);
    *at += size;
    return size == sizeof(narrow) ? narrow : wide;
}

/* In the order of the bits of TRACE_PROBE_SAMPLE: pid, tid; time; cpu; raw bytes behind their length; the
 * registers' ABI (0: none) and they themselves, in the order of their numbers. */
static void take_sample(const uint8_t *at, const uint8_t *end, struct trace_record *record)
{
    record->pid = (uint32_t)front(&at, end, 4);
    record->tid = (uint32_t)front(&at, end, 4);
    record->time_ns = front(&at, end, 8);
    record->cpu = (uint32_t)front(&at, end, 4);
    (void)front(&at, end, 4);
    uint64_t len = front(&at, end, 4);
    record->raw = at;
    record->len = len <= (uint64_t)(end - at) ? (size_t)len : 0;
    record->kind = record->len ? RECORD_SAMPLE : RECORD_OTHER;
    at += record->len;
    record->has_registers = end - at >= 24 && front(&at, end, 8);
    for (size_t i = 0; record->has_registers && i < ARRAY_SIZE(record->registers); i++)
        record->registers[i] = front(&at, end, 8);
}

static void take_name(const uint8_t *at, uint8_t *end, struct trace_record *record)
{
    record->pid = (uint32_t)front(&at, end, 4);
    record->tid = (uint32_t)front(&at, end, 4);
    if (at == end)
        return;
    end[-1] = '\0';
    record->name = (const char *)at;
    record->kind = RECORD_NAME;
}

int trace_ring_next(struct trace_ring *ring, uint8_t *scratch, struct trace_record *record)
{
    struct perf_event_header header;
    uint64_t left = ring->head - ring->tail;
    *record = (struct trace_record){ 0 };
    if (!left)
        return 0;
    if (left > ring->size || left < sizeof(header))
        goto senseless;
    copy_out(ring, ring->tail, (uint8_t *)&header, sizeof(header));
    if (header.size < sizeof(header) || header.size > left)
        goto senseless;
    copy_out(ring, ring->tail, scratch, header.size);
    ring->tail += header.size;
    const uint8_t *at = scratch + sizeof(header);
    uint8_t *end = scratch + header.size;
    if (header.type == PERF_RECORD_SAMPLE) {
        take_sample(at, end, record);
    } else if (header.type == PERF_RECORD_LOST) {
        (void)front(&at, end, 8);
        record->lost = front(&at, end, 8);
        record->kind = RECORD_LOST;
    } else if (header.type == PERF_RECORD_COMM) {
        take_name(at, end, record);
    }
    return 1;
senseless:
    ring->tail = ring->head;
    return -EBADMSG;
}

/* -- in order -------------------------------------------------------------------------------------------- */

enum { THREADS = 1 << 10 };

struct trace_queue {
    struct waiting {
        uint64_t order;
        struct trace_heard heard;
    } * items;                 /* not yet taken */
    size_t first, count, room; /* in it, from the first one on */
    uint64_t order;
    bool mixed;    /* it isn't in order of time */
    bool returned; /* see trace_queue_returned() */
    struct call {
        uint32_t tid; /* 0: none */
        uint64_t time_us, function;
        int64_t mask;
        struct trace_address from, to;
    } calls[THREADS]; /* that haven't returned, by tid */
};

struct trace_queue *trace_queue_new(void)
{
    return mem_alloc(1, sizeof(struct trace_queue));
}

void trace_queue_free(struct trace_queue *queue)
{
    if (queue)
        free(queue->items);
    free(queue);
}

void trace_queue_put(struct trace_queue *queue, const struct trace_heard *heard)
{
    if (queue->first && queue->first + queue->count == queue->room) {
        memmove(queue->items, queue->items + queue->first, queue->count * sizeof(*queue->items));
        queue->first = 0;
    }
    if (queue->count == queue->room) {
        queue->room = queue->room ? queue->room * 2 : 256;
        queue->items = mem_resize(queue->items, queue->room, sizeof(*queue->items));
    }
    struct waiting *end = queue->items + queue->first + queue->count;
    queue->mixed |= queue->count++ && end[-1].heard.event.time_us > heard->event.time_us;
    *end = (struct waiting){ .order = queue->order++, .heard = *heard };
}

size_t trace_queue_count(const struct trace_queue *queue)
{
    return queue->count;
}

static int compare(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;
    uint64_t one = x->heard.event.time_us, other = y->heard.event.time_us;
    if (one != other)
        return one < other ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

uint64_t trace_queue_oldest(struct trace_queue *queue)
{
    if (queue->mixed)
        qsort(queue->items + queue->first, queue->count, sizeof(*queue->items), compare);
    queue->mixed = false;
    return queue->count ? queue->items[queue->first].heard.event.time_us : UINT64_MAX;
}

/* Is there an event to tell of what was heard of a call? */
static bool take_call(struct trace_queue *queue, const struct trace_heard *heard, struct trace_event *event)
{
    struct call *call = &queue->calls[heard->event.tid % THREADS];
    bool is_open = call->tid && call->tid == heard->event.tid;
    if (heard->kind == HEARD_WAY) {
        call->from = is_open ? heard->event.from : call->from;
        call->to = is_open ? heard->event.to : call->to;
        return false;
    }
    bool returns = is_open && heard->kind == HEARD_RETURN && heard->function == call->function;
    *event = heard->event;
    event->known = 0;
    event->from = call->from;
    event->to = call->to;
    trace_put(event, TRACE_MASK, call->mask);
    if (returns) {
        trace_put(event, TRACE_STATUS, heard->event.numbers[TRACE_STATUS]);
        trace_put(event, TRACE_TOOK, (int64_t)(event->time_us - call->time_us));
    }
    queue->returned |= heard->kind == HEARD_RETURN && !returns;
    *call = (struct call){ .tid = heard->kind == HEARD_CALL ? heard->event.tid : 0,
                           .time_us = heard->event.time_us,
                           .function = heard->function,
                           .mask = heard->event.numbers[TRACE_MASK] };
    return is_open;
}

bool trace_queue_next(struct trace_queue *queue, uint64_t until_us, struct trace_event *event)
{
    while (queue->count && trace_queue_oldest(queue) <= until_us) {
        const struct trace_heard *heard = &queue->items[queue->first++].heard;
        queue->count--;
        if (heard->kind != HEARD_EVENT && !take_call(queue, heard, event))
            continue;
        if (heard->kind == HEARD_EVENT)
            *event = heard->event;
        return true;
    }
    return false;
}

bool trace_queue_returned(struct trace_queue *queue)
{
    bool returned = queue->returned;
    queue->returned = false;
    return returned;
}
