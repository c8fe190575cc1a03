/* SPDX-License-Identifier: MIT */
#include "selftest/diagnosis/delta.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/counters.h"
#include "model/host.h"

static const struct counter *find(const struct counter *counters, size_t count, const struct counter *like)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counters[i].dir, like->dir) == 0 && strcmp(counters[i].name, like->name) == 0)
            return &counters[i];
    return NULL;
}

static void add(const struct counter *before, size_t nbefore, const struct counter *after, size_t nafter,
                enum counter_severity severity, struct grown_counters *grown)
{
    for (size_t i = 0; i < nafter && grown->ncounters < GROWN_COUNTERS_MOST; i++) {
        const struct counter *now = &after[i], *then = find(before, nbefore, now);
        if (!then || !then->raw.known || !now->raw.known ||
            (now->def ? now->def->severity : COUNTER_INFO) != severity)
            continue;
        struct counter_delta d = counter_compare(now->def, then->raw.value, now->raw.value);
        if (d.delta == 0 || d.change == COUNTER_LEVEL || d.change == COUNTER_RESET)
            continue;
        struct grown_counter *counter = &grown->counters[grown->ncounters++];
        snprintf(counter->name, sizeof(counter->name), "%s", now->name);
        counter->delta = d.delta;
    }
}

void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct grown_counters *grown)
{
    grown->ncounters = 0;
    const struct device *then = before ? host_find_device(before, device) : NULL;
    const struct device *now = after ? host_find_device(after, device) : NULL;
    const struct port *port_then = then ? device_port(then, port) : NULL;
    const struct port *port_now = now ? device_port(now, port) : NULL;
    if (!port_then || !port_now)
        return;
    for (int severity = COUNTER_ERROR; severity >= COUNTER_INFO; severity--) {
        add(port_then->counters, port_then->ncounters, port_now->counters, port_now->ncounters,
            (enum counter_severity)severity, grown);
        add(then->counters, then->ncounters, now->counters, now->ncounters, (enum counter_severity)severity,
            grown);
    }
}

/* Names of several drivers for "a packet was missing". */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts)
{
    static const char sequence[] =
        "rcvd_seq_err,out_of_seq_request,out_of_sequence,packet_seq_err,seq_err_naks_rcvd,implied_nak_seq_err,rx_out_of_seq_err";
    for (uint32_t i = 0; i < grown->ncounters; i++) {
        const struct grown_counter *c = &grown->counters[i];
        if (strcmp(c->name, "send_err") == 0)
            *(peer ? &facts->peer_send_err : &facts->send_err) += c->delta;
        if (text_in_list(sequence, c->name))
            facts->sequence_errors += c->delta;
        if (text_in_list("completer_retry_err,duplicate_request", c->name))
            facts->soft_retries += c->delta;
    }
}
