/* SPDX-License-Identifier: MIT */
#include "selftest/peer/protocol.h"

#include <errno.h>
#include <string.h>

static const uint8_t magic[4] = { 'R', 'o', 'C', 'E' };

/* Both directions are written once: a codec either puts a field into the bytes or takes it out of them. Once
 * bad, it does nothing more. */
struct codec {
    uint8_t *bytes;
    size_t at, size;
    bool taking, bad;
};

static uint8_t *room(struct codec *c, size_t len)
{
    if (c->bad || c->size - c->at < len) {
        c->bad = true;
        return NULL;
    }
    c->at += len;
    return c->bytes + c->at - len;
}

static uint64_t number(struct codec *c, uint64_t value, size_t len, uint64_t least, uint64_t most)
{
    uint8_t *bytes = room(c, len);
    if (!bytes)
        return least;
    if (c->taking) {
        value = 0;
        for (size_t i = 0; i < len; i++)
            value = value << 8 | bytes[i];
    }
    if (value < least || value > most) {
        c->bad = true;
        return least;
    }
    for (size_t i = 0; !c->taking && i < len; i++)
        bytes[i] = (uint8_t)(value >> (8 * (len - 1 - i)));
    return value;
}

#define NUMBER(c, field, least, most) \
    ((field) = (__typeof__(field))number((c), (uint64_t)(field), sizeof(field), (least), (most)))
#define ANY(c, field) NUMBER(c, field, 0, UINT64_MAX)

static void flag(struct codec *c, bool *value)
{
    *value = number(c, *value, 1, 0, 1) == 1;
}

static void raw(struct codec *c, void *data, size_t len)
{
    uint8_t *bytes = room(c, len);
    if (bytes && c->taking)
        memcpy(data, bytes, len);
    else if (bytes)
        memcpy(bytes, data, len);
}

/* A length byte, then the text without its NUL. */
static void text(struct codec *c, char *value, size_t size)
{
    uint8_t len = c->taking ? 0 : (uint8_t)strnlen(value, size - 1);
    NUMBER(c, len, 0, size - 1);
    raw(c, value, len);
    if (c->bad || memchr(value, '\0', len))
        c->bad = true;
    else if (c->taking)
        value[len] = '\0';
}

static void one_queue(struct codec *c, struct queue_description *queue)
{
    NUMBER(c, queue->kind, 0, QUEUE_KINDS - 1);
    NUMBER(c, queue->qpn, 0, 0xffffff);
    if (queue->qpn) {
        NUMBER(c, queue->psn, 0, 0xffffff);
        NUMBER(c, queue->qkey, 0, 0x7fffffff);
    } else { /* in the same places, where older programs have zeros */
        NUMBER(c, queue->step, 0, STEPS - 1);
        NUMBER(c, queue->err, 0, 4095);
    }
}

static void queues(struct codec *c, uint32_t *count, struct queue_description *queue)
{
    NUMBER(c, *count, 0, QUEUES_MOST);
    for (uint32_t i = 0; !c->bad && i < *count; i++)
        one_queue(c, &queue[i]);
}

static void keys(struct codec *c, struct buffer_description *k)
{
    ANY(c, k->address);
    ANY(c, k->source);
    ANY(c, k->rkey);
    NUMBER(c, k->size, 0, TRIAL_SIZE_MOST);
}

static void mtu(struct codec *c, uint32_t *value, bool optional)
{
    NUMBER(c, *value, optional ? 0 : 256, 4096);
    if (*value && (*value < 256 || (*value & (*value - 1))))
        c->bad = true;
}

static void offer(struct codec *c, struct wire_offer *o)
{
    NUMBER(c, o->ngids, 0, WIRE_GIDS_MOST);
    for (uint32_t i = 0; !c->bad && i < o->ngids; i++) {
        struct wire_gid *g = &o->gids[i];
        raw(c, g->raw, sizeof(g->raw));
        NUMBER(c, g->type, 0, WIRE_GID_IWARP);
    }
}

static void probe(struct codec *c, struct wire_probe *p)
{
    NUMBER(c, p->gid, 0, WIRE_GIDS_MOST - 1);
    raw(c, p->raw, sizeof(p->raw));
    NUMBER(c, p->type, 0, WIRE_GID_IWARP);
    ANY(c, p->traffic_class);
    NUMBER(c, p->hop_limit, 1, 255);
    one_queue(c, &p->queue);
}

static void proven(struct codec *c, struct wire_proven *p)
{
    text(c, p->host, sizeof(p->host));
    raw(c, p->gid.raw, sizeof(p->gid.raw));
    NUMBER(c, p->gid.type, 0, WIRE_GID_IWARP);
    NUMBER(c, p->gid.port, 1, 255);
    NUMBER(c, p->gid.index, 0, 0xffff);
    mtu(c, &p->gid.mtu, true);
    text(c, p->gid.device, sizeof(p->gid.device));
    NUMBER(c, p->test_ms, 1, UINT32_MAX);
}

static void open_message(struct codec *c, struct wire_open *o)
{
    NUMBER(c, o->gid, 0, WIRE_GIDS_MOST - 1);
    raw(c, o->raw, sizeof(o->raw));
    NUMBER(c, o->type, 0, WIRE_GID_IWARP);
    mtu(c, &o->mtu, false);
    ANY(c, o->traffic_class);
    NUMBER(c, o->hop_limit, 1, 255);
    ANY(c, o->rd_atomic);
    flag(c, &o->rdma_cm);
    NUMBER(c, o->timeout, TRIAL_TIMEOUT_LEAST, TRIAL_TIMEOUT_MOST);
    keys(c, &o->keys);
    queues(c, &o->nqueues, o->queues);
}

static void opened(struct codec *c, struct wire_opened *o)
{
    ANY(c, o->cm_port);
    ANY(c, o->rd_atomic);
    flag(c, &o->atomics);
    keys(c, &o->keys);
    queues(c, &o->nqueues, o->queues);
}

static void trial(struct codec *c, struct trial *t)
{
    ANY(c, t->kind);
    ANY(c, t->op);
    ANY(c, t->queue);
    ANY(c, t->flags);
    ANY(c, t->queues);
    ANY(c, t->size);
    ANY(c, t->count);
    ANY(c, t->seed);
    ANY(c, t->timeout);
    if (!c->bad && !trial_is_sane(t))
        c->bad = true;
}

static void failure(struct codec *c, struct failure *f)
{
    uint16_t step = (uint16_t)f->step, err = (uint16_t)f->err;
    uint16_t status = (uint16_t)(f->wc_status ? f->wc_status + 1 : 0); /* 1 would be a good completion */
    NUMBER(c, step, 0, STEPS - 1);
    NUMBER(c, err, 0, 4095);
    NUMBER(c, status, 0, 64);
    ANY(c, f->vendor_err);
    text(c, f->text, sizeof(f->text));
    f->step = (enum step)step;
    f->err = err;
    f->wc_status = status ? status - 1 : 0;
    if (c->taking)
        f->remote = true;
}

static void counters(struct codec *c, struct grown_counters *w)
{
    NUMBER(c, w->ncounters, 0, GROWN_COUNTERS_MOST);
    for (uint32_t i = 0; !c->bad && i < w->ncounters; i++) {
        text(c, w->counters[i].name, sizeof(w->counters[i].name));
        ANY(c, w->counters[i].delta);
    }
}

static void ends(struct codec *c, struct bundle_description *d)
{
    NUMBER(c, d->count, 1, BUNDLE_MOST);
    for (uint32_t i = 0; !c->bad && i < d->count; i++)
        one_queue(c, &d->queues[i]);
    one_queue(c, &d->datagrams);
    keys(c, &d->keys);
}

static void paths(struct codec *c, struct wire_paths *p)
{
    NUMBER(c, p->gid, 0, WIRE_GIDS_MOST - 1);
    raw(c, p->raw, sizeof(p->raw));
    mtu(c, &p->mtu, false);
    ANY(c, p->traffic_class);
    NUMBER(c, p->hop_limit, 1, 255);
    ends(c, &p->ends);
    for (uint32_t i = 0; !c->bad && i < p->ends.count; i++)
        NUMBER(c, p->labels[i], 0, 0xfffff);
}

static void exchange(struct codec *c, struct exchange_plan *p)
{
    flag(c, &p->datagrams);
    flag(c, &p->speaks);
    NUMBER(c, p->messages, 0, EXCHANGE_MESSAGES);
    NUMBER(c, p->count, 1, BUNDLE_MOST);
    for (uint32_t i = 0; !c->bad && i < p->count; i++)
        NUMBER(c, p->sizes[i], 0, EXCHANGE_SIZE_MOST);
    c->bad |= p->speaks && (p->datagrams || !p->messages);
}

static void exchanged(struct codec *c, struct wire_exchanged *e)
{
    NUMBER(c, e->count, 1, BUNDLE_MOST);
    for (uint32_t i = 0; !c->bad && i < e->count; i++) {
        struct exchange_seen *s = &e->seen[i];
        ANY(c, s->received);
        ANY(c, s->reordered);
        ANY(c, s->acknowledged);
        NUMBER(c, s->status, 0, 64);
        ANY(c, s->traffic_class);
        ANY(c, s->held);
    }
}

static void priorities(struct codec *c, struct wire_priorities *p)
{
    text(c, p->netdevs, sizeof(p->netdevs));
    flag(c, &p->counts.known);
    for (unsigned i = 0; i < PRIORITIES; i++) {
        ANY(c, p->counts.received[i]);
        ANY(c, p->counts.sent[i]);
    }
}

static void body(struct codec *c, struct wire_message *m)
{
    switch (m->type) {
    case WIRE_HELLO:
        text(c, m->hello.program, sizeof(m->hello.program));
        text(c, m->hello.host, sizeof(m->hello.host));
        break;
    case WIRE_OFFER:
        offer(c, &m->offer);
        break;
    case WIRE_PROBE:
        probe(c, &m->probe);
        break;
    case WIRE_PROBED:
        one_queue(c, &m->probed);
        break;
    case WIRE_NONCE:
        raw(c, m->nonce, sizeof(m->nonce));
        break;
    case WIRE_PROVEN:
        proven(c, &m->proven);
        break;
    case WIRE_OPEN:
        open_message(c, &m->open);
        break;
    case WIRE_OPENED:
        opened(c, &m->opened);
        break;
    case WIRE_KEYS:
        keys(c, &m->keys);
        break;
    case WIRE_TRIAL:
        trial(c, &m->trial);
        break;
    case WIRE_OUTCOME:
        flag(c, &m->outcome.good);
        ANY(c, m->outcome.messages);
        failure(c, &m->outcome.failure);
        break;
    case WIRE_COUNTERS:
        counters(c, &m->counters);
        break;
    case WIRE_FAILURE:
        failure(c, &m->failure);
        break;
    case WIRE_PATHS:
        paths(c, &m->paths);
        break;
    case WIRE_PATHED:
        NUMBER(c, m->pathed.port_rule, 0, PORT_RULES - 1);
        ends(c, &m->pathed.ends);
        break;
    case WIRE_EXCHANGE:
        exchange(c, &m->exchange);
        break;
    case WIRE_EXCHANGED:
        exchanged(c, &m->exchanged);
        break;
    case WIRE_PRIORITIES:
        priorities(c, &m->priorities);
        break;
    case WIRE_READY:
    case WIRE_FINISH:
    case WIRE_BYE:
        break;
    case WIRE_TYPES:
        c->bad = true;
        break;
    }
}

const char *wire_gid_kind(const struct wire_gid *gid)
{
    return wire_gid_is_iwarp(gid) ? "iWARP" : gid_type_text((enum gid_type)gid->type);
}

int wire_encode(const struct wire_message *message, uint8_t *buffer, size_t size)
{
    struct wire_message copy = *message;
    struct codec c = { .bytes = buffer, .at = WIRE_HEADER_SIZE, .size = size };
    if (size < WIRE_HEADER_SIZE)
        return -EMSGSIZE;
    body(&c, &copy);
    if (c.bad || c.at - WIRE_HEADER_SIZE > WIRE_BODY_MOST)
        return -EMSGSIZE;
    struct codec header = { .bytes = buffer, .size = WIRE_HEADER_SIZE };
    uint8_t mark[sizeof(magic)];
    memcpy(mark, magic, sizeof(mark));
    uint16_t version = WIRE_VERSION, type = (uint16_t)message->type;
    uint32_t length = (uint32_t)(c.at - WIRE_HEADER_SIZE);
    raw(&header, mark, sizeof(mark));
    ANY(&header, version);
    ANY(&header, type);
    ANY(&header, length);
    return (int)c.at;
}

int wire_decode_header(const uint8_t header[static WIRE_HEADER_SIZE], enum wire_type *type, size_t *length)
{
    uint8_t copy[WIRE_HEADER_SIZE];
    memcpy(copy, header, sizeof(copy));
    if (memcmp(copy, magic, sizeof(magic)) != 0)
        return -EPROTO;
    struct codec c = { .bytes = copy, .at = sizeof(magic), .size = sizeof(copy), .taking = true };
    uint16_t version = 0, kind = 0;
    uint32_t len = 0;
    ANY(&c, version);
    ANY(&c, kind);
    ANY(&c, len);
    if (version != WIRE_VERSION)
        return -EPROTONOSUPPORT;
    if (kind < WIRE_HELLO || kind >= WIRE_TYPES)
        return -EPROTO;
    if (len > WIRE_BODY_MOST)
        return -EMSGSIZE;
    *type = (enum wire_type)kind;
    *length = len;
    return 0;
}

int wire_decode(enum wire_type type, const uint8_t *bytes, size_t length, struct wire_message *message)
{
    memset(message, 0, sizeof(*message));
    message->type = type;
    /* only read from: a codec that takes never writes to its bytes */
    struct codec c = { .bytes = (uint8_t *)(uintptr_t)bytes, .size = length, .taking = true };
    body(&c, message);
    return c.bad || c.at != length ? -EPROTO : 0;
}
