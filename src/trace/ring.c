/* SPDX-License-Identifier: MIT */
/* Records of a perf ring: include/uapi/linux/perf_event.h, enum perf_event_type. */
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
