/* SPDX-License-Identifier: MIT */
/* What each port did between two readings of a machine. */
#include "model/frame.h"

#include "model/statistics.h"
#include "model/users.h"

/* clang-format off */
static const struct flow_def {
    const char *name;
    roles_t roles;
} flows[FLOWS] = {
    [FLOW_SENT_BYTES] = { "sent_bytes", ROLES_OF(ROLE_TRANSMITTED_BYTES) },
    [FLOW_RECEIVED_BYTES] = { "received_bytes", ROLES_OF(ROLE_RECEIVED_BYTES) },
    [FLOW_SENT_PACKETS] = { "sent_packets", ROLES_OF(ROLE_TRANSMITTED_PACKETS) },
    [FLOW_RECEIVED_PACKETS] = { "received_packets", ROLES_OF(ROLE_RECEIVED_PACKETS) },
    [FLOW_PAUSES_SENT] = { "pauses_sent", 0 },
    [FLOW_PAUSES_RECEIVED] = { "pauses_received", 0 },
    [FLOW_CNPS_SENT] = { "cnps_sent", ROLES_OF(ROLE_CNP_SENT) },
    [FLOW_CNPS_RECEIVED] = { "cnps_received", ROLES_OF(ROLE_CNP_HANDLED) | ROLES_OF(ROLE_CNP_IGNORED) },
    [FLOW_MARKS] = { "marks", ROLES_OF(ROLE_ECN_MARKED) },
    [FLOW_RETRANSMISSIONS] = { "retransmissions", ROLES_OF(ROLE_RETRANSMISSIONS) },
    [FLOW_OUT_OF_SEQUENCE] = { "out_of_sequence", ROLES_OF(ROLE_OUT_OF_SEQUENCE) },
    [FLOW_RNR_SENT] = { "rnr_sent", ROLES_OF(ROLE_RNR_NAKS_SENT) },
    [FLOW_RNR_RECEIVED] = { "rnr_received", ROLES_OF(ROLE_RNR_NAKS_RECEIVED) },
    [FLOW_DROPS] = { "drops", ROLES_OF(ROLE_RECEIVE_BUFFER_DROPS) | ROLES_OF(ROLE_DISCARDS) },
    [FLOW_FAILURES] = { "failures",
                        ROLES_OF(ROLE_TRANSPORT_RETRIES_EXCEEDED) | ROLES_OF(ROLE_RNR_RETRIES_EXCEEDED) },
    [FLOW_LINK_ERRORS] = { "link_errors", ROLES_OF(ROLE_LINK_ERRORS) | ROLES_OF(ROLE_PACKET_ERRORS) |
                                              ROLES_OF(ROLE_ICRC_ERRORS) },
    [FLOW_FEC_ERRORS] = { "fec_errors", 0 },
    [FLOW_FEC_CORRECTED] = { "fec_corrected", 0 },
};
/* clang-format on */

const char *flow_name(enum flow flow)
{
    return flows[flow].name;
}

roles_t frame_roles(bool link_errors)
{
    roles_t roles = 0;
    for (enum flow flow = 0; flow < FLOWS; flow++)
        roles |= flow != FLOW_LINK_ERRORS || link_errors ? flows[flow].roles : 0;
    return roles;
}

struct frame *frame_new(void)
{
    struct frame *frame = mem_alloc(1, sizeof(*frame));
    frame->arena = arena_new();
    return frame;
}

void frame_free(struct frame *frame)
{
    if (frame)
        arena_free(frame->arena);
    free(frame);
}

struct frame_port *frame_find_port(const struct frame *frame, const char *device, uint32_t number)
{
    for (size_t i = 0; i < frame->nports; i++)
        if (frame->ports[i].number == number && strcmp(frame->ports[i].device, device) == 0)
            return &frame->ports[i];
    return NULL;
}

struct rate rate_sum(struct rate a, struct rate b)
{
    return (struct rate){ .value = (a.known ? a.value : 0) + (b.known ? b.value : 0),
                          .known = a.known || b.known,
                          .least = a.least || b.least };
}

/* One counter's rate; not known if it wasn't read twice, or is a level. */
static struct rate counter_rate(const struct counter *before, const struct counter *now, double seconds)
{
    struct rate none = { .known = false };
    if (!before || !before->raw.known || !now->raw.known || seconds <= 0)
        return none;
    struct counter_delta delta = counter_compare(now->def, before->raw.value, now->raw.value);
    return (struct rate){ .value = (double)delta.delta / seconds,
                          .known = delta.change != COUNTER_LEVEL,
                          .least = delta.change == COUNTER_SATURATED || delta.change == COUNTER_RESET };
}

/* before NULL: the port didn't exist then. */
static struct rate flow_rate(const struct port *before, const struct port *now, enum flow flow, double seconds)
{
    struct rate sum = { .known = false };
    const struct counter *is = NULL;
    while (before && (is = port_next_in_role(now, flows[flow].roles, is))) {
        struct rate one = counter_rate(port_counter_like(before, is), is, seconds);
        sum.value += one.known ? one.value : 0;
        sum.known |= one.known;
        sum.least |= one.least;
    }
    return sum;
}

/* For a netdev's frame counters, which have 64 bits. */
static struct rate grown(struct num before, struct num now, double seconds)
{
    static const struct counter_def frames = { .scale = 1, .width = 64 };
    return counter_rate(&(struct counter){ .def = &frames, .raw = before },
                        &(struct counter){ .def = &frames, .raw = now }, seconds);
}

/* By the statistic that grew most, as several may count the same frames. */
static struct rate dropped(const struct qos *before, const struct qos *now, double seconds)
{
    struct rate most = { .known = false };
    for (const struct qos_statistic *is = NULL; (is = qos_next_in_role(now, DROP_ROLES, is));) {
        const struct qos_statistic *was = qos_statistic(before, is->name);
        struct rate one = grown(num_if(was != NULL, was ? was->value : 0), num_of(is->value), seconds);
        if (one.known && (!most.known || one.value > most.value))
            most = one;
    }
    return most;
}

static void add_ethernet(struct frame_port *port, const struct qos *before, const struct qos *now,
                         double seconds)
{
    if (!before || !now)
        return;
    const struct qos_ethtool *was = &before->ethtool, *is = &now->ethtool;
    port->flows[FLOW_PAUSES_SENT] = grown(was->pause_frames_sent, is->pause_frames_sent, seconds);
    port->flows[FLOW_PAUSES_RECEIVED] = grown(was->pause_frames_received, is->pause_frames_received, seconds);
    port->flows[FLOW_FEC_ERRORS] = grown(was->fec_uncorrectable, is->fec_uncorrectable, seconds);
    port->flows[FLOW_FEC_CORRECTED] = grown(was->fec_corrected, is->fec_corrected, seconds);
    struct rate drops = dropped(before, now, seconds);
    if (drops.known && (!port->flows[FLOW_DROPS].known || drops.value > port->flows[FLOW_DROPS].value))
        port->flows[FLOW_DROPS] = drops;
    bool pfc = before->dcb.has_pfc && now->dcb.has_pfc;
    for (unsigned i = 0; pfc && i < PRIORITIES; i++) {
        port->pfc_sent[i] = grown(num_of(before->dcb.pfc_sent[i]), num_of(now->dcb.pfc_sent[i]), seconds);
        port->pfc_received[i] = grown(num_of(before->dcb.pfc_received[i]), num_of(now->dcb.pfc_received[i]),
                                      seconds);
    }
}

static void add_port(struct frame *frame, const struct host *earlier, const struct host *host,
                     const struct port *port, double seconds)
{
    const struct device *device = host_find_device(earlier, port->device->name);
    const struct port *before = device ? device_port(device, port->number) : NULL;
    struct frame_port *shown = ARENA_PUSH(frame->arena, frame->ports, frame->nports);
    *shown = (struct frame_port){
        .device = arena_strdup(frame->arena, port->device->name),
        .netdev = arena_strdup(frame->arena, port->netdev),
        .state = arena_strdup(frame->arena, port->state_text),
        .number = port->number,
        .rate_mbps = port->rate_mbps,
        .counts_bytes = port_next_in_role(port, flows[FLOW_SENT_BYTES].roles, NULL) ||
                        port_next_in_role(port, flows[FLOW_RECEIVED_BYTES].roles, NULL),
    };
    for (enum flow flow = 0; flow < FLOWS; flow++)
        if (flows[flow].roles)
            shown->flows[flow] = flow_rate(before, port, flow, seconds);
    add_ethernet(shown, host_qos_of(earlier, port->netdev), host_qos_of(host, port->netdev), seconds);
}

struct frame *frame_make(const struct host *before, const struct host *now, const struct selection *selection,
                         double seconds)
{
    static const struct host nothing = { 0 };
    struct frame *frame = frame_new();
    frame->hostname = arena_strdup(frame->arena, now->hostname);
    frame->time_ms = now->time_ms.value;
    frame->seconds = before ? seconds : 0;
    for (const struct port *port = NULL; (port = host_next_port(now, port));)
        if (!selection || selection_has_port(selection, port))
            add_port(frame, before ? before : &nothing, now, port, frame->seconds);
    return frame;
}

static int faster(const void *left, const void *right)
{
    const struct frame_counter *a = left, *b = right;
    if (a->rate.value != b->rate.value)
        return a->rate.value > b->rate.value ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void add_counters(struct frame *frame, const char *device, struct num port, const struct counter *before,
                         size_t nbefore, const struct counter *now, size_t count, double seconds)
{
    for (; count > 0; count--, now++) {
        struct rate rate = counter_rate(counter_like(before, nbefore, now), now, seconds);
        if (!rate.known || rate.value <= 0)
            continue;
        const struct counter_def *def = now->def;
        *ARENA_PUSH(frame->arena, frame->counters, frame->ncounters) = (struct frame_counter){
            .device = arena_strdup(frame->arena, device),
            .name = arena_strdup(frame->arena, now->name),
            .port = port,
            .severity = def ? counter_severity_name(def->severity) : NULL,
            .unit = def ? counter_unit_name(def->unit) : NULL,
            .meaning = counter_meaning(def),
            .rate = rate,
        };
    }
}

void frame_add_counters(struct frame *frame, const struct host *before, const struct host *now,
                        const char *device, double seconds)
{
    const struct device *was = host_find_device(before, device), *is = host_find_device(now, device);
    if (!was || !is)
        return;
    add_counters(frame, device, (struct num){ 0 }, was->counters, was->ncounters, is->counters, is->ncounters,
                 seconds);
    for (size_t p = 0; p < is->nports; p++) {
        const struct port *old = device_port(was, is->ports[p].number), *new = &is->ports[p];
        if (old)
            add_counters(frame, device, num_of(new->number), old->counters, old->ncounters, new->counters,
                         new->ncounters, seconds);
    }
    if (frame->ncounters)
        qsort(frame->counters, frame->ncounters, sizeof(*frame->counters), faster);
}

static const char *queues_text(struct arena *arena, const struct user *user)
{
    const char *text = NULL;
    for (size_t i = 0; i < user->nqueues; i++)
        text = arena_printf(arena, "%s%s%" PRIu64 " %s %s", text ? text : "", text ? ", " : "",
                            user->queues[i].count, user->queues[i].kind ? user->queues[i].kind : "?",
                            user->queues[i].state ? user->queues[i].state : "?");
    return text;
}

void frame_add_users(struct frame *frame, const struct host *host)
{
    size_t count;
    const struct user *users = users_find(host, &count);
    struct arena *arena = frame->arena;
    frame->users_known = resources_listed_anywhere(host, RESOURCE_QP);
    for (size_t i = 0; i < count; i++) {
        const struct user *user = &users[i];
        *ARENA_PUSH(arena, frame->users, frame->nusers) = (struct frame_user){
            .kind = arena_strdup(arena, user->kind),
            .name = arena_strdup(arena, user->name),
            .device = arena_strdup(arena, user->device),
            .queues = queues_text(arena, user),
            .started_by = arena_strdup(arena, cgroup_words_best(arena, &user->started_by)),
            .peer = arena_strdup(arena, user->peer),
            .pid = user->pid,
            .port = user->port,
            .registered = num_if(user->counts[RESOURCE_MR].value, user->registered),
        };
    }
}

void frame_add_event(struct frame *frame, const struct event *event)
{
    struct arena *arena = frame->arena;
    struct bytes text = { 0 };
    event_describe(event, &text);
    struct frame_event *kept = ARENA_PUSH(arena, frame->events, frame->nevents);
    *kept = (struct frame_event){
        .time_ms = event->time_ms,
        .kind = event_kind_name(event->kind),
        .device = event->device && *event->device ? arena_strdup(arena, event->device) : NULL,
        .text = arena_strdup(arena, text.data),
        .port = event->port,
    };
    bytes_free(&text);
}

void frame_take_events(struct frame *frame, struct frame *from)
{
    for (size_t i = 0; i < from->nevents; i++) {
        struct frame_event *event = ARENA_PUSH(frame->arena, frame->events, frame->nevents);
        *event = from->events[i];
        event->device = arena_strdup(frame->arena, event->device);
        event->text = arena_strdup(frame->arena, event->text);
    }
    arena_free(from->arena);
    *from = (struct frame){ .arena = arena_new() };
}

static bool is_named(const struct frame_port *port, const char *name)
{
    enum { NAME_ROOM = 384 }; /* a directory's longest name with what may be made of it, and a number */
    char with_slash[NAME_ROOM], with_colon[NAME_ROOM];
    snprintf(with_slash, sizeof(with_slash), "%s/%" PRIu32, port->device, port->number);
    snprintf(with_colon, sizeof(with_colon), "%s:%" PRIu32, port->device, port->number);
    return text_matches(name, port->device) || text_matches(name, with_slash) ||
           text_matches(name, with_colon) || (port->netdev && text_matches(name, port->netdev));
}

void frame_select(struct frame *frame, char *const *names, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < frame->nports && count; i++) {
        bool wanted = false;
        for (size_t n = 0; n < count && !wanted; n++)
            wanted = is_named(&frame->ports[i], names[n]);
        if (wanted)
            frame->ports[kept++] = frame->ports[i];
    }
    frame->nports = count ? kept : frame->nports;
}

struct frame_port frame_totals(const struct frame *frame)
{
    struct frame_port totals = { 0 };
    for (size_t i = 0; i < frame->nports; i++) {
        const struct frame_port *port = &frame->ports[i];
        totals.counts_bytes |= port->counts_bytes;
        for (enum flow flow = 0; flow < FLOWS; flow++)
            totals.flows[flow] = rate_sum(totals.flows[flow], port->flows[flow]);
        for (unsigned k = 0; k < PRIORITIES; k++) {
            totals.pfc_sent[k] = rate_sum(totals.pfc_sent[k], port->pfc_sent[k]);
            totals.pfc_received[k] = rate_sum(totals.pfc_received[k], port->pfc_received[k]);
        }
    }
    return totals;
}

struct rate frame_share(const struct frame_port *port, enum flow bytes)
{
    struct rate rate = port->flows[bytes];
    if (!rate.known || !port->rate_mbps.known || !port->rate_mbps.value)
        return (struct rate){ 0 };
    rate.value = rate.value * 8 / ((double)port->rate_mbps.value * 1e6);
    return rate;
}

struct rate frame_packet_size(const struct frame_port *port)
{
    double bytes = 0, packets = 0;
    for (unsigned way = 0; way < 2; way++) {
        struct rate data = port->flows[FLOW_SENT_BYTES + way], count = port->flows[FLOW_SENT_PACKETS + way];
        if (!data.known || !count.known)
            continue;
        bytes += data.value;
        packets += count.value;
    }
    return (struct rate){ .value = packets > 0 ? bytes / packets : 0, .known = packets > 0 };
}
