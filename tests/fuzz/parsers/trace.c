/* SPDX-License-Identifier: MIT */
/* What tracefs and perf say, and what a recording has of it: any bytes. */
#include "target.h"

#include "trace/trace.h"

/* A format file, a zero byte, and a raw record of it. */
TARGET(tracepoint)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    size_t len = end ? (size_t)(end - data) : size;
    struct trace_format format;
    struct trace_event event = { 0 };
    if (trace_format_parse((const char *)data, len, &format) < 0)
        return 0;
    if (!format.id)
        abort();
    uint8_t *raw = malloc(size - len + 1); /* a read behind it is seen */
    if (!raw)
        abort();
    memcpy(raw, data + len, size - len);
    if (trace_decode(&format, raw, size - len, &event) == 0 && strlen(event.device) >= sizeof(event.device))
        abort();
    free(raw);
    return 0;
}

/* A ring of 256 bytes, and where its ends are. */
TARGET(perf_ring)
{
    enum { RING = 256 };
    static uint8_t scratch[TRACE_RECORD_MOST];
    uint8_t *bytes = calloc(1, RING);
    struct trace_ring ring = { .data = bytes, .size = RING };
    struct trace_record record;
    size_t records = 0, sum = 0;
    if (!bytes)
        abort();
    if (size < 2)
        goto done;
    memcpy(bytes, data + 2, size - 2 < RING ? size - 2 : RING);
    ring.tail = data[0];
    ring.head = ring.tail + data[1] + (data[0] & 1);
    for (int r; (r = trace_ring_next(&ring, scratch, &record)) != 0; records++) {
        for (size_t i = 0; r > 0 && record.kind == RECORD_SAMPLE && i < record.len; i++)
            sum += record.raw[i];
        if (r > 0 && record.kind == RECORD_NAME)
            sum += strlen(record.name);
        if (records > RING || ring.tail > ring.head)
            abort();
    }
    if (sum > (size_t)RING * 255)
        abort();
done:
    free(bytes);
    return 0;
}

static void see(void *data, const struct trace_step *step)
{
    size_t *steps = data;
    char cause[TRACE_CAUSE_SIZE];
    trace_step_cause(step, cause);
    if (!*cause || !trace_step_name(step->kind) || strlen(step->name) >= sizeof(step->name) ||
        strlen(step->device) >= sizeof(step->device))
        abort();
    ++*steps;
}

/* Lines of a stream; what can be read can be written, and says the same again. */
TARGET(trace_stream)
{
    size_t steps = 0;
    struct tracer *tracer = tracer_new(see, &steps);
    for (size_t at = 0, len; at < size; at += len + 1) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        struct trace_line line, again;
        struct bytes text = { 0 };
        len = end ? (size_t)(end - data) - at : size - at;
        if (trace_line_parse((const char *)data + at, len, &line) < 0)
            continue;
        trace_line_write(&line, &text);
        if (trace_line_parse(text.data, text.len, &again) < 0 || again.kind != line.kind)
            abort();
        bytes_free(&text);
        tracer_take(tracer, &line);
    }
    tracer_free(tracer);
    return 0;
}
