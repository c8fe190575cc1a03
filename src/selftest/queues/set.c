/* SPDX-License-Identifier: MIT */
/* The queue pairs of one end: opened, described to the other end, and connected to its own or by RDMA_CM. */
#include "selftest/queues/queue.h"

#include <rdma/rdma_cma.h>

/* Finishes opening one: *out becomes the set, which is closed instead if r is an error. */
static int hand_over(struct set *set, int r, struct set **out)
{
    if (r < 0)
        set_close(set);
    else
        *out = set;
    return r;
}

int set_open(const struct set_spec *spec, struct set **out, struct failure *failure)
{
    struct set *set = calloc(1, sizeof(*set));
    unsigned most = spec->paths ? PATHS_MOST : RC_QUEUES_MOST;
    if (!set)
        return failure_set(failure, STEP_PD, ENOMEM, "%s", "");
    set->paths = spec->paths;
    set->count = QUEUE_KINDS - 1 + (spec->rc_queues < most ? spec->rc_queues : most);
    int r = endpoint_open(&spec->end, NULL, &set->end, failure);
    for (unsigned i = 0; r == 0 && i < set->count; i++) {
        enum queue_kind kind = i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC;
        struct failure why = { 0 };
        if (spec->paths && kind != QUEUE_RC && kind != QUEUE_UD)
            continue;
        int made = queue_new(set->end, kind, spec->paths && kind == QUEUE_UD ? QUEUE_STAMPED : 0,
                             &set->queues[i], &why);
        if (made < 0 && i < QUEUE_KINDS)
            set->why[i] = why;
        if (made < 0 && kind == QUEUE_RC) {
            *failure = why;
            r = made;
        }
    }
    return hand_over(set, r, out);
}

void set_close(struct set *set)
{
    if (!set)
        return;
    for (unsigned i = 0; i < set->count; i++)
        queue_free(set->queues[i]);
    endpoint_close(set->end);
    cm_close(set->cm);
    free(set);
}

struct queue *set_rc(const struct set *set, unsigned i)
{
    return set->queues[i == 0 ? QUEUE_RC : QUEUE_KINDS + i - 1];
}

bool set_used(const struct set *set)
{
    bool used = false;
    for (unsigned i = 0; i < set->count; i++)
        used |= set->queues[i] && set->queues[i]->used;
    return used;
}

struct buffer_description set_describe_buffer(const struct set *set)
{
    return (struct buffer_description){ .address = (uintptr_t)endpoint_rx(set->end),
                                        .source = (uintptr_t)endpoint_tx(set->end),
                                        .rkey = set->end->mr->rkey,
                                        .size = (uint32_t)set->end->size };
}

struct set_description set_describe(const struct set *set)
{
    struct set_description d = { .count = set->count, .buffer = set_describe_buffer(set) };
    for (unsigned i = 0; i < set->count; i++) {
        d.queues[i] = queue_describe(set->queues[i], i < QUEUE_KINDS ? (enum queue_kind)i : QUEUE_RC);
        if (set->queues[i] || i >= QUEUE_KINDS || failure_is_refusal(&set->why[i]))
            continue;
        d.queues[i].step = (uint32_t)set->why[i].step;
        d.queues[i].err = (uint32_t)set->why[i].err;
    }
    return d;
}

void set_learn_buffer(struct set *set, const struct buffer_description *buffer)
{
    set->end->remote = *buffer;
    if (buffer->size < set->end->size)
        set->end->size = buffer->size;
}

/* The other end has none: it doesn't support the kind, or making one failed. */
static int missing_there(const struct queue_description *there, struct failure *why)
{
    if (!there->err)
        return failure_set(why, STEP_QP, EOPNOTSUPP, "the other host has none");
    int r = failure_set(why, (enum step)there->step, (int)there->err, "%s", "");
    why->remote = true;
    return r;
}

int set_connect(struct set *set, const struct path *path, const uint32_t *labels,
                const struct set_description *peer, struct failure *failure)
{
    struct path own = *path;
    if (peer->count != set->count)
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "%u queue pairs instead of %u", peer->count,
                           set->count);
    set_learn_buffer(set, &peer->buffer);
    for (unsigned i = 0; i < set->count; i++) {
        const struct queue_description *there = &peer->queues[i];
        struct queue *q = set->queues[i];
        struct failure why = { 0 };
        if (!q)
            continue;
        if (there->kind != q->kind)
            return failure_set(failure, STEP_HANDSHAKE, EPROTO, "queue pairs in another order");
        own.flow_label = !labels ? 0 : labels[i < QUEUE_KINDS ? 0 : i - QUEUE_KINDS + 1];
        int r = there->qpn ? queue_connect(q, &own, there, &why) : missing_there(there, &why);
        if (r < 0 && q->kind == QUEUE_RC) {
            *failure = why;
            return r;
        }
        if (r < 0) {
            set->why[i] = why;
            queue_free(q);
            set->queues[i] = NULL;
        }
    }
    return 0;
}

/* -- RDMA_CM, from either side -------------------------------------------------------------------------- */

struct cm {
    struct rdma_event_channel *channel;
    struct rdma_cm_id *listener, *id;
};

static int cm_new(struct cm **out, struct failure *failure)
{
    struct cm *cm = calloc(1, sizeof(*cm));
    if (!cm)
        return failure_set(failure, STEP_CM_RESOLVE, ENOMEM, "%s", ""), -ENOMEM;
    cm->channel = rdma_create_event_channel();
    int r = 0;
    if (!cm->channel)
        r = failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_create_event_channel");
    else if (fcntl(cm->channel->fd, F_SETFL, O_NONBLOCK) < 0)
        r = failure_set(failure, STEP_CM_RESOLVE, errno, "event channel");
    if (r < 0)
        cm_close(cm);
    else
        *out = cm;
    return r;
}

void cm_close(struct cm *cm)
{
    if (!cm)
        return;
    if (cm->id)
        rdma_destroy_id(cm->id);
    if (cm->listener)
        rdma_destroy_id(cm->listener);
    if (cm->channel)
        rdma_destroy_event_channel(cm->channel);
    free(cm);
}

/* The next event, which must be of this type. id: the event's, if wanted. */
static int expect_event(struct cm *cm, enum rdma_cm_event_type type, enum step step, const struct watch *watch,
                        struct rdma_cm_id **id, struct failure *failure)
{
    struct rdma_cm_event *event;
    while (rdma_get_cm_event(cm->channel, &event) < 0) {
        if (errno != EAGAIN && errno != EINTR)
            return failure_set(failure, step, errno, "rdma_get_cm_event");
        int r = watch_readable(watch, cm->channel->fd);
        if (r < 0)
            return failure_set(failure, step, r, "%s", "");
    }
    int r = 0;
    if (event->event != type) {
        int err = event->status < 0 ? -event->status : EPROTO;
        r = failure_set(failure, step, err, "%s, status %d", rdma_event_str(event->event), event->status);
    } else if (id) {
        *id = event->id;
    }
    rdma_ack_cm_event(event);
    return r;
}

/* If several devices share a netdev, RDMA_CM picks one of them. */
static int check_device(const struct rdma_cm_id *id, const struct set_spec *spec, struct failure *failure)
{
    const char *taken = id->verbs ? ibv_get_device_name(id->verbs->device) : "none";
    if (!spec->that_device || strcmp(taken, spec->end.device) == 0)
        return 0;
    return failure_set(failure, STEP_CM_RESOLVE, ENODEV, "RDMA_CM takes '%s' for this address", taken);
}

/* One RC queue pair, on the id for which RDMA_CM has found a device. */
static int make_set(struct cm *cm, const struct set_spec *spec, struct set **out, struct failure *failure)
{
    int r = check_device(cm->id, spec, failure);
    if (r < 0)
        return r;
    struct set *set = calloc(1, sizeof(*set));
    if (!set)
        return failure_set(failure, STEP_CM_CONNECT, ENOMEM, "%s", ""), -ENOMEM;
    struct endpoint_spec end = spec->end;
    set->count = QUEUE_KINDS;
    for (int kind = QUEUE_UC; kind < QUEUE_KINDS; kind++)
        failure_set(&set->why[kind], STEP_CM_CONNECT, EOPNOTSUPP, "only RC is connected with RDMA_CM");
    if (cm->id->port_num)
        end.port = cm->id->port_num;
    r = endpoint_open(&end, cm->id->verbs, &set->end, failure);
    if (r == 0 && set->end->fragile) /* RDMA_CM chooses the timeout */
        set->end->atomics = false;
    if (r == 0)
        r = queue_new(set->end, QUEUE_RC, QUEUE_BY_CM, &set->queues[QUEUE_RC], failure);
    if (r == 0) {
        struct queue *q = set->queues[QUEUE_RC];
        struct ibv_qp_init_attr init;
        queue_init_attr(q, &init);
        if (rdma_create_qp(cm->id, set->end->pd, &init) < 0)
            r = failure_set(failure, STEP_QP, errno, "rdma_create_qp");
        else {
            q->qp = cm->id->qp;
            q->cm_id = cm->id;
            q->inline_size = init.cap.max_inline_data;
        }
    }
    return hand_over(set, r, out);
}

static struct rdma_conn_param parameters(const struct set *set)
{
    uint8_t reads = endpoint_reads(set->end->attr.max_qp_rd_atom);
    return (struct rdma_conn_param){ .responder_resources = reads,
                                     .initiator_depth = reads,
                                     .retry_count = PATH_RETRIES,
                                     .rnr_retry_count = 6 };
}

int cm_listen(const uint8_t gid[static 16], uint32_t ifindex, const struct set_spec *spec, struct cm **out,
              uint16_t *port, struct failure *failure)
{
    struct sockaddr_storage address;
    gid_sockaddr(gid, 0, ifindex, &address);
    struct cm *cm = NULL;
    int r = cm_new(&cm, failure);
    if (r < 0)
        return r;
    if (rdma_create_id(cm->channel, &cm->listener, NULL, RDMA_PS_TCP) < 0)
        r = failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_create_id");
    else if (rdma_bind_addr(cm->listener, (struct sockaddr *)&address) < 0)
        r = failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_bind_addr");
    else
        r = check_device(cm->listener, spec, failure);
    if (r == 0 && rdma_listen(cm->listener, 1) < 0)
        r = failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_listen");
    if (r < 0) {
        cm_close(cm);
        return r;
    }
    *port = ntohs(rdma_get_src_port(cm->listener));
    *out = cm;
    return 0;
}

/* A request names its sender twice: as an address, and as the GID that packets go to. */
static bool is_from(struct rdma_cm_id *id, const uint8_t client[static 16])
{
    uint8_t from[16];
    address_gid((const struct sockaddr_storage *)rdma_get_peer_addr(id), from);
    if (memcmp(from, client, 16) != 0)
        return false;
    for (int i = 0; i < id->route.num_paths; i++)
        if (memcmp(id->route.path_rec[i].dgid.raw, client, 16) != 0)
            return false;
    return true;
}

/* Requests from others in the meantime are rejected, and are no failure of this client. Afterwards nobody else
 * is listened to. */
static int expect_client(struct cm *cm, const uint8_t client[static 16], const struct watch *watch,
                         struct failure *failure)
{
    struct watch time = *watch; /* without the client, which may have spoken already */
    time.fd = -1;
    for (;;) {
        struct rdma_cm_id *id = NULL;
        int r = expect_event(cm, RDMA_CM_EVENT_CONNECT_REQUEST, STEP_CM_CONNECT, watch, &id, failure);
        if (r < 0)
            return r;
        if (is_from(id, client)) {
            cm->id = id;
            rdma_destroy_id(cm->listener);
            cm->listener = NULL;
            return 0;
        }
        rdma_reject(id, NULL, 0);
        rdma_destroy_id(id);
        r = watch_check(&time); /* a flood of strangers must not keep us here */
        if (r < 0)
            return failure_set(failure, STEP_CM_CONNECT, r, "%s", "");
    }
}

int cm_accept(struct cm *cm, const uint8_t client[static 16], const struct set_spec *spec,
              const struct watch *watch, struct set **out, struct failure *failure)
{
    int r = expect_client(cm, client, watch, failure);
    if (r < 0)
        return r;
    struct set *set = NULL;
    r = make_set(cm, spec, &set, failure);
    struct rdma_conn_param parameter = { 0 };
    if (r == 0) {
        parameter = parameters(set);
        if (rdma_accept(cm->id, &parameter) < 0)
            r = failure_set(failure, STEP_CM_CONNECT, errno, "rdma_accept");
    } else {
        rdma_reject(cm->id, NULL, 0);
    }
    /* The client is ready before its last message arrives here, and may request a test over TCP at once. */
    struct watch patient = *watch;
    patient.peer_may_speak = true;
    if (r == 0)
        r = expect_event(cm, RDMA_CM_EVENT_ESTABLISHED, STEP_CM_CONNECT, &patient, NULL, failure);
    if (r == 0)
        set->cm = cm;
    return hand_over(set, r, out);
}

static int resolve_route(struct cm *cm, const uint8_t source[static 16], const uint8_t server[static 16],
                         uint32_t ifindex, uint16_t port, const struct watch *watch, struct failure *failure)
{
    struct sockaddr_storage from, to;
    gid_sockaddr(source, 0, ifindex, &from);
    gid_sockaddr(server, port, ifindex, &to);
    int ms = (int)((watch->until - wait_now()) / 1000000 + 1);
    if (rdma_create_id(cm->channel, &cm->id, NULL, RDMA_PS_TCP) < 0)
        return failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_create_id");
    if (rdma_resolve_addr(cm->id, (struct sockaddr *)&from, (struct sockaddr *)&to, ms) < 0)
        return failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_resolve_addr");
    int r = expect_event(cm, RDMA_CM_EVENT_ADDR_RESOLVED, STEP_CM_RESOLVE, watch, NULL, failure);
    if (r < 0)
        return r;
    if (rdma_resolve_route(cm->id, ms) < 0)
        return failure_set(failure, STEP_CM_RESOLVE, errno, "rdma_resolve_route");
    return expect_event(cm, RDMA_CM_EVENT_ROUTE_RESOLVED, STEP_CM_RESOLVE, watch, NULL, failure);
}

/* siw connects TCP in rdma_connect(), and sleeps for two minutes if nobody answers. */
static int connect_now(struct cm *cm, const struct set *set, const struct watch *watch, struct failure *failure)
{
    struct rdma_conn_param parameter = parameters(set);
    struct alarm alarm = watch_alarm(watch);
    int err = rdma_connect(cm->id, &parameter) < 0 ? errno : 0;
    alarm_end(&alarm);
    if (err == EINTR && watch_check(watch) == -ETIMEDOUT)
        err = ETIMEDOUT;
    return err ? failure_set(failure, STEP_CM_CONNECT, err, "rdma_connect") : 0;
}

int cm_begin(const uint8_t source[static 16], const uint8_t server[static 16], uint32_t ifindex, uint16_t port,
             const struct set_spec *spec, const struct watch *watch, struct set **out, struct failure *failure)
{
    struct cm *cm = NULL;
    struct set *set = NULL;
    int r = cm_new(&cm, failure);
    if (r == 0)
        r = resolve_route(cm, source, server, ifindex, port, watch, failure);
    if (r == 0)
        r = make_set(cm, spec, &set, failure);
    if (set)
        r = connect_now(cm, set, watch, failure);
    if (r < 0 || !set) {
        set_close(set);
        cm_close(cm);
        return r;
    }
    set->cm = cm;
    *out = set;
    return 0;
}

int cm_established(struct set *set, const struct watch *watch, struct failure *failure)
{
    return expect_event(set->cm, RDMA_CM_EVENT_ESTABLISHED, STEP_CM_CONNECT, watch, NULL, failure);
}
