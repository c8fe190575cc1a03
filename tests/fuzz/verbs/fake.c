/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <sys/eventfd.h>

#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova2

enum { QUEUED = 256, QPN = 0x100, ATOMS = 8 };

struct fake_watch fake_watch;
static const uint8_t *script;
static size_t script_len;
static bool has_no_ud, is_flooded;
static uint8_t gid_here[16];
static unsigned alive;
static uint32_t next_qpn;

void fake_flood(void)
{
    is_flooded = true;
}

void fake_begin(const uint8_t *bytes, size_t len, bool no_ud, const uint8_t own_gid[16])
{
    is_flooded = false;
    fake_cm(NULL, 0);
    script = bytes;
    script_len = len;
    has_no_ud = no_ud;
    memcpy(gid_here, own_gid, sizeof(gid_here));
    next_qpn = QPN;
}

unsigned fake_alive(void)
{
    return alive;
}

static uint8_t decide(void)
{
    if (!script_len)
        return 0;
    script_len--;
    return *script++;
}

/* One in sixteen, so that most sequences get somewhere. */
static bool fails(void)
{
    if ((decide() & 15) != 15)
        return false;
    errno = ENOMEM;
    return true;
}

static void *new_object(size_t size)
{
    void *object = fails() ? NULL : calloc(1, size);
    alive += object != NULL;
    return object;
}

static int free_object(void *object)
{
    alive--;
    free(object);
    return 0;
}

/* ---- queues of completions */

struct fake_cq {
    struct ibv_cq cq; /* first */
    struct ibv_wc items[QUEUED];
    unsigned first, count;
};

static void complete(struct ibv_cq *cq, const struct ibv_wc *wc)
{
    struct fake_cq *fake = (struct fake_cq *)cq;
    uint64_t one = 1;
    if (fake->count == QUEUED)
        return;
    fake->items[(fake->first + fake->count++) % QUEUED] = *wc;
    if (write(cq->channel->fd, &one, sizeof(one)) < 0)
        errno = 0;
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc)
{
    struct fake_cq *fake = (struct fake_cq *)cq;
    int n = 0;
    for (; n < most && fake->count; n++, fake->count--) {
        wc[n] = fake->items[fake->first];
        fake->first = (fake->first + 1) % QUEUED;
    }
    return n;
}

static int notify_cq(struct ibv_cq *cq, int solicited)
{
    (void)cq, (void)solicited;
    return 0;
}

/* What the other end might have sent: bytes of the script, of any length, from anybody. */
static void arrive(struct ibv_cq *cq, struct ibv_qp *qp, const struct ibv_recv_wr *wr)
{
    uint8_t how = decide();
    bool ud = qp && qp->qp_type == IBV_QPT_UD;
    uint32_t room = wr->num_sge ? wr->sg_list[0].length : 0, header = ud ? 40 : 0;
    struct ibv_wc wc = { .wr_id = wr->wr_id,
                         .opcode = IBV_WC_RECV,
                         .qp_num = qp ? qp->qp_num : 0,
                         .src_qp = 7,
                         .wc_flags = IBV_WC_GRH };
    uint8_t *place = room ? (uint8_t *)(uintptr_t)wr->sg_list[0].addr : NULL;
    if (is_flooded) {
        wc.byte_len = room;
        wc.src_qp = 99;
    } else if (fake_watch.nonce && room >= header + 16) {
        memcpy(place + header, fake_watch.nonce, 16);
        wc.byte_len = header + 16;
    } else if ((how & 3) != 3) {
        return;
    } else {
        wc.byte_len = how & 4 ? room : decide();
        wc.src_qp = how & 8 ? 7 : decide();
        wc.status = how & 16 && !decide() ? IBV_WC_WR_FLUSH_ERR : IBV_WC_SUCCESS;
        wc.wc_flags = how & 32 ? IBV_WC_GRH : IBV_WC_WITH_IMM;
        for (uint32_t i = 0; i < room && i < 64 && script_len; i++)
            place[i] = decide();
    }
    complete(cq, &wc);
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    *bad = wr;
    for (; wr; wr = wr->next)
        arrive(qp->recv_cq, qp, wr);
    return 0;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    (void)srq, (void)wr;
    *bad = NULL;
    return fails() ? ENOMEM : 0;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    for (*bad = wr; wr; wr = wr->next) {
        struct ibv_wc wc = { .wr_id = wr->wr_id, .qp_num = qp->qp_num };
        uint32_t length = 0;
        for (int i = 0; i < wr->num_sge; i++)
            length += wr->sg_list[i].length;
        if (fake_watch.sends)
            fake_watch.sends(length);
        if (fails())
            wc.status = IBV_WC_RETRY_EXC_ERR;
        if (wr->send_flags & IBV_SEND_SIGNALED)
            complete(qp->send_cq, &wc);
    }
    return 0;
}

/* ---- the device */

static struct ibv_device device = { .name = "fake0" };
static struct ibv_device *const list[] = { &device, NULL };

struct ibv_device **ibv_get_device_list(int *count)
{
    *count = 1;
    return fails() ? NULL : (struct ibv_device **)list;
}

void ibv_free_device_list(struct ibv_device **devices)
{
    (void)devices;
}

const char *ibv_get_device_name(struct ibv_device *d)
{
    return d->name;
}

struct ibv_context *ibv_open_device(struct ibv_device *d)
{
    struct ibv_context *context = new_object(sizeof(*context));
    if (!context)
        return NULL;
    context->device = d;
    context->ops.poll_cq = poll_cq;
    context->ops.req_notify_cq = notify_cq;
    context->ops.post_send = post_send;
    context->ops.post_recv = post_recv;
    context->ops.post_srq_recv = post_srq_recv;
    return context;
}

int ibv_close_device(struct ibv_context *context)
{
    return free_object(context);
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    (void)context;
    *attr = (struct ibv_device_attr){ .max_qp_wr = 4096,
                                      .max_srq_wr = 4096,
                                      .max_cqe = 8192,
                                      .max_qp_rd_atom = 16,
                                      .max_qp_init_rd_atom = 16,
                                      .atomic_cap = IBV_ATOMIC_HCA };
    return fails() ? EIO : 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr)
{
    (void)context, (void)port;
    ((struct ibv_port_attr *)attr)->active_mtu = (enum ibv_mtu)(decide() % 7);
    return fails() ? EIO : 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                      uint32_t flags, size_t size)
{
    (void)context, (void)port, (void)index, (void)flags, (void)size;
    memcpy(entry->gid.raw, gid_here, sizeof(gid_here));
    entry->gid_type = 2;
    return fails() ? ENODATA : 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
    struct ibv_pd *pd = new_object(sizeof(*pd));
    if (pd)
        pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
    return free_object(pd);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
    struct ibv_mr *mr = new_object(sizeof(*mr));
    (void)access;
    if (mr)
        *mr = (struct ibv_mr){
            .context = pd->context, .pd = pd, .addr = addr, .length = length, .lkey = 1, .rkey = 2
        };
    return mr;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned access)
{
    (void)iova;
    return ibv_reg_mr(pd, addr, length, (int)access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
    return free_object(mr);
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
    struct ibv_comp_channel *channel = new_object(sizeof(*channel));
    if (channel)
        *channel = (struct ibv_comp_channel){ .context = context, .fd = eventfd(0, EFD_CLOEXEC) };
    return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
    close(channel->fd);
    return free_object(channel);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *data,
                             struct ibv_comp_channel *channel, int vector)
{
    struct fake_cq *fake = new_object(sizeof(*fake));
    (void)entries, (void)vector;
    if (!fake)
        return NULL;
    fake->cq = (struct ibv_cq){ .context = context, .channel = channel, .cq_context = data };
    return &fake->cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
    return free_object(cq);
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **data)
{
    uint64_t count;
    (void)cq, (void)data;
    if (read(channel->fd, &count, sizeof(count)) == sizeof(count))
        errno = EAGAIN; /* it is polled anyway */
    return -1;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count)
{
    (void)cq, (void)count;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
    struct ibv_srq *srq = new_object(sizeof(*srq));
    (void)attr;
    if (srq)
        *srq = (struct ibv_srq){ .context = pd->context, .pd = pd };
    return srq;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
    return free_object(srq);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct ibv_qp *qp = NULL;
    if (attr->qp_type == IBV_QPT_UD && has_no_ud)
        errno = EOPNOTSUPP;
    else
        qp = new_object(sizeof(*qp));
    if (qp)
        *qp = (struct ibv_qp){ .context = pd->context,
                               .pd = pd,
                               .send_cq = attr->send_cq,
                               .recv_cq = attr->recv_cq,
                               .srq = attr->srq,
                               .qp_type = attr->qp_type,
                               .qp_num = next_qpn++ };
    return qp;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
    return free_object(qp);
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    (void)qp;
    if (mask & IBV_QP_QKEY && fake_watch.keys)
        fake_watch.keys(attr->qkey);
    if (mask & IBV_QP_SQ_PSN && fake_watch.keys)
        fake_watch.keys(attr->sq_psn);
    if ((mask & IBV_QP_AV) && fake_watch.aims)
        fake_watch.aims(attr->ah_attr.grh.dgid.raw);
    return fails() ? EINVAL : 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
    struct ibv_ah *ah = new_object(sizeof(*ah));
    if (fake_watch.aims)
        fake_watch.aims(attr->grh.dgid.raw);
    if (ah)
        *ah = (struct ibv_ah){ .context = pd->context, .pd = pd };
    return ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
    return free_object(ah);
}

/* ---- RDMA_CM: at each step the peer does its part, or rejects, disconnects, dies or says nothing, and the
 * device may go: as the script says. To who listens requests come from strangers, too. */

enum cm_step { CM_LISTENS, CM_ACCEPTS, CM_ADDRESS, CM_ROUTE, CM_CONNECTS };
enum { CM_OTHERS = 8, CM_STATES = 4 };
/* What is waited for, and what may come in its place (core/cma.c). */
static const struct {
    enum rdma_cm_event_type wanted, others[CM_OTHERS];
} cm_events[] = {
    [CM_LISTENS] = { RDMA_CM_EVENT_CONNECT_REQUEST,
                     { RDMA_CM_EVENT_DEVICE_REMOVAL, RDMA_CM_EVENT_ADDR_CHANGE } },
    [CM_ACCEPTS] = { RDMA_CM_EVENT_ESTABLISHED,
                     { RDMA_CM_EVENT_DEVICE_REMOVAL, RDMA_CM_EVENT_DISCONNECTED, RDMA_CM_EVENT_CONNECT_ERROR,
                       RDMA_CM_EVENT_UNREACHABLE, RDMA_CM_EVENT_REJECTED, RDMA_CM_EVENT_TIMEWAIT_EXIT } },
    [CM_ADDRESS] = { RDMA_CM_EVENT_ADDR_RESOLVED, { RDMA_CM_EVENT_ADDR_ERROR, RDMA_CM_EVENT_DEVICE_REMOVAL } },
    [CM_ROUTE] = { RDMA_CM_EVENT_ROUTE_RESOLVED,
                   { RDMA_CM_EVENT_ROUTE_ERROR, RDMA_CM_EVENT_DEVICE_REMOVAL, RDMA_CM_EVENT_ADDR_CHANGE } },
    [CM_CONNECTS] = { RDMA_CM_EVENT_ESTABLISHED,
                      { RDMA_CM_EVENT_REJECTED, RDMA_CM_EVENT_UNREACHABLE, RDMA_CM_EVENT_CONNECT_ERROR,
                        RDMA_CM_EVENT_DISCONNECTED, RDMA_CM_EVENT_DEVICE_REMOVAL,
                        RDMA_CM_EVENT_CONNECT_RESPONSE, RDMA_CM_EVENT_TIMEWAIT_EXIT } },
};
/* 28: the peer's program has rejected it. */
static const int cm_states[CM_STATES] = { 0, -ETIMEDOUT, -ECONNRESET, 28 };

struct fake_id {
    struct rdma_cm_id id; /* first */
    struct ibv_sa_path_rec path;
    bool stranger, has_qp;
};
static enum cm_step cm_step;
static unsigned unacked, connections;
static const uint8_t *cm_script;
static size_t cm_script_len;
static uint8_t events; /* without a script: two strangers ask, then the client */

void fake_cm(const uint8_t *bytes, size_t len)
{
    cm_script = bytes;
    cm_script_len = len;
}

unsigned fake_connections(void)
{
    unsigned count = connections;
    connections = 0;
    return count;
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
    struct rdma_event_channel *channel = new_object(sizeof(*channel));
    if (channel)
        channel->fd = eventfd(1, EFD_CLOEXEC);
    cm_step = CM_LISTENS;
    events = 0;
    unacked = 0;
    return channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
    close(channel->fd);
    free_object(channel);
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
                   enum rdma_port_space space)
{
    struct fake_id *fake = new_object(sizeof(*fake));
    (void)context, (void)space;
    if (!fake)
        return -1;
    fake->id.channel = channel;
    *id = &fake->id;
    return 0;
}

static _Noreturn void misused(const char *what)
{
    dprintf(STDERR_FILENO, "%s\n", what);
    abort();
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
    if (unacked)
        misused("rdma_destroy_id() would wait for ever for an event to be acknowledged");
    if (((struct fake_id *)id)->has_qp)
        misused("an id is destroyed before its queue pair");
    if (id->verbs)
        ibv_close_device(id->verbs);
    return free_object(id);
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
    (void)address;
    if (fails())
        return -1;
    id->verbs = ibv_open_device(&device);
    return 0;
}

int rdma_listen(struct rdma_cm_id *id, int backlog)
{
    (void)id, (void)backlog;
    return fails() ? -1 : 0;
}

__be16 rdma_get_src_port(struct rdma_cm_id *id)
{
    (void)id;
    return htons(4242);
}

static void set_peer(struct fake_id *fake, const uint8_t *gid)
{
    struct sockaddr_in6 *to = (struct sockaddr_in6 *)&fake->id.route.addr.dst_storage;
    to->sin6_family = AF_INET6;
    memcpy(&to->sin6_addr, gid, 16);
}

/* The lowest three bits of a byte: 0: nothing comes; 7: something else, of which the others tell more; else
 * what is waited for, of which an odd one is a stranger's request: from another address, with 8 for another
 * GID. */
static uint8_t next_event(void)
{
    static const uint8_t usual[] = { 1, 9, 2, 0 };
    if (!cm_script_len)
        return cm_step == CM_LISTENS ? usual[events++ % sizeof(usual)] : 1;
    cm_script_len--;
    return *cm_script++;
}

static bool make_request(struct rdma_event_channel *channel, uint8_t what, struct rdma_cm_event *event)
{
    static const uint8_t somebody[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 99 };
    bool stranger = what & 1;
    struct fake_id *fake = calloc(1, sizeof(*fake));
    if (!fake)
        return false;
    alive++;
    fake->id.channel = channel;
    fake->id.verbs = ibv_open_device(&device);
    fake->id.port_num = 1;
    fake->stranger = stranger;
    set_peer(fake, stranger && !(what & 8) ? somebody : fake_watch.client);
    fake->id.route.num_paths = 1;
    fake->id.route.path_rec = &fake->path;
    memcpy(fake->path.dgid.raw, stranger && what & 8 ? somebody : fake_watch.client, 16);
    event->id = &fake->id;
    return true;
}

static void choose_other(uint8_t how, struct rdma_cm_event *event)
{
    const enum rdma_cm_event_type *others = cm_events[cm_step].others;
    unsigned count = 0;
    while (count < CM_OTHERS && others[count])
        count++;
    event->event = others[(how & 7) % count];
    event->status = cm_states[(how >> 3) % CM_STATES];
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **out)
{
    uint64_t count;
    uint8_t what = next_event();
    struct rdma_cm_event *event = what & 7 ? calloc(1, sizeof(*event)) : NULL;
    if (event)
        event->event = cm_events[cm_step].wanted;
    if (event && (what & 7) == 7) {
        choose_other(what >> 3, event);
    } else if (event && cm_step == CM_LISTENS && !make_request(channel, what, event)) {
        free(event);
        event = NULL;
    }
    if (!event) {
        if (read(channel->fd, &count, sizeof(count)) < 0)
            errno = EAGAIN;
        errno = EAGAIN;
        return -1;
    }
    unacked++;
    connections += event->event == RDMA_CM_EVENT_ESTABLISHED;
    *out = event;
    return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
    unacked--;
    free(event);
    return 0;
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t len)
{
    (void)id, (void)data, (void)len;
    return 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *parameter)
{
    (void)parameter;
    if (((struct fake_id *)id)->stranger)
        misused("a stranger's connection was accepted");
    cm_step = CM_ACCEPTS;
    return fails() ? -1 : 0;
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    id->qp = ibv_create_qp(pd, attr);
    ((struct fake_id *)id)->has_qp = id->qp;
    return id->qp ? 0 : -1;
}

void rdma_destroy_qp(struct rdma_cm_id *id)
{
    ((struct fake_id *)id)->has_qp = false;
    ibv_destroy_qp(id->qp);
}

/* An address of the form that GIDs are made of: IPv4, or IPv6. */
static void gid_of(const struct sockaddr *address, uint8_t gid[static 16])
{
    static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
    if (address->sa_family == AF_INET6) {
        memcpy(gid, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return;
    }
    memcpy(gid, mapped, sizeof(mapped));
    memcpy(gid + sizeof(mapped), &((const struct sockaddr_in *)address)->sin_addr, 4);
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int ms)
{
    uint8_t gid[16];
    (void)from, (void)ms;
    if (fails())
        return -1;
    gid_of(to, gid);
    set_peer((struct fake_id *)id, gid);
    id->verbs = ibv_open_device(&device);
    id->port_num = 1;
    cm_step = CM_ADDRESS;
    return 0;
}

int rdma_resolve_route(struct rdma_cm_id *id, int ms)
{
    (void)id, (void)ms;
    cm_step = CM_ROUTE;
    return fails() ? -1 : 0;
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *parameter)
{
    const struct sockaddr_in6 *to = (const struct sockaddr_in6 *)&id->route.addr.dst_storage;
    (void)parameter;
    if (fake_watch.aims)
        fake_watch.aims((const uint8_t *)&to->sin6_addr);
    cm_step = CM_CONNECTS;
    return fails() ? -1 : 0;
}
