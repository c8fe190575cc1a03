/* SPDX-License-Identifier: MIT */
/* The messages between client and server as bytes: lists of fields, used for both encoding and decoding. */
#include "selftest/peer/protocol.h"

static const uint8_t magic[4] = { 'R', 'o', 'C', 'E' };

/* Either encodes fields into the bytes or decodes them. Once bad, it does nothing more. */
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

/* Big-endian on the wire; here in the host's byte order. */
static uint64_t number(struct codec *c, void *member, size_t size, uint64_t least, uint64_t most)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint8_t *wire = room(c, size), *own = member;
    uint64_t value = 0;
    for (size_t i = 0; wire && i < size; i++) {
        uint8_t *byte = &own[little ? size - 1 - i : i];
        if (c->taking)
            *byte = wire[i];
        else
            wire[i] = *byte;
        value = value << 8 | wire[i];
    }
    c->bad |= value < least || value > most;
    return value;
}

static void raw(struct codec *c, void *data, size_t len)
{
    uint8_t *bytes = room(c, len);
    if (bytes && c->taking)
        memcpy(data, bytes, len);
    else if (bytes)
        memcpy(bytes, data, len);
}

/* Another host's text is shown to people: it stays on its line, and changes no terminal. */
static void clean(char *value)
{
    for (size_t length; *value; value += length ? length : 1) {
        length = text_clean_length(value);
        if (length == 0)
            *value = '?';
    }
}

/* A length byte, then the text without its NUL. */
static void text(struct codec *c, char *value, size_t size)
{
    uint8_t len = c->taking ? 0 : (uint8_t)strnlen(value, size - 1);
    number(c, &len, 1, 0, size - 1);
    raw(c, value, len);
    c->bad = c->bad || memchr(value, '\0', len);
    if (c->bad || !c->taking)
        return;
    value[len] = '\0';
    clean(value);
}

/* -- fields -------------------------------------------------------------------------------------------- */

/* A member of a structure; one of size 0 ends a list. */
struct field {
    enum { FIELD_NUMBER, FIELD_MTU, FIELD_RAW, FIELD_TEXT, FIELD_EACH, FIELD_CODE } kind;
    size_t offset, size;
    uint64_t least, most;       /* NUMBER, MTU */
    const struct field *fields; /* EACH: of an element */
    size_t count_at, count;     /* EACH: offset of their number (uint32_t), or the number itself */
    void (*code)(struct codec *c, void *member);
};

/* clang-format off */
#define PLACE(type, member) .offset = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)
#define RANGE(type, member, from, to) \
    { .kind = FIELD_NUMBER, PLACE(type, member), .least = (from), .most = (to) }
#define ANY(type, member) RANGE(type, member, 0, UINT64_MAX)
#define FLAG(type, member) RANGE(type, member, 0, 1)
#define MTU(type, member, from) { .kind = FIELD_MTU, PLACE(type, member), .least = (from) }
#define RAW(type, member) { .kind = FIELD_RAW, PLACE(type, member) }
#define TEXT(type, member) { .kind = FIELD_TEXT, PLACE(type, member) }
#define EACH(type, number, member, list) \
    { .kind = FIELD_EACH, PLACE(type, member[0]), .count_at = offsetof(struct type, number), .fields = (list) }
#define PART(type, member, list) { .kind = FIELD_EACH, PLACE(type, member), .count = 1, .fields = (list) }
#define CODE(type, member, function) { .kind = FIELD_CODE, PLACE(type, member), .code = (function) }
#define WHOLE(type, function) { .kind = FIELD_CODE, .size = sizeof(struct type), .code = (function) }
#define END { .size = 0 }
/* clang-format on */

static void walk(struct codec *c, const struct field *f, uint8_t *structure);

static void walk_each(struct codec *c, const struct field *f, uint8_t *structure)
{
    uint32_t count = (uint32_t)f->count;
    if (!count)
        memcpy(&count, structure + f->count_at, sizeof(count));
    for (uint32_t i = 0; !c->bad && i < count; i++)
        walk(c, f->fields, structure + f->offset + i * f->size);
}

static void walk(struct codec *c, const struct field *f, uint8_t *structure)
{
    for (; !c->bad && f->size; f++) {
        uint8_t *member = structure + f->offset;
        if (f->kind == FIELD_NUMBER)
            number(c, member, f->size, f->least, f->most);
        else if (f->kind == FIELD_RAW)
            raw(c, member, f->size);
        else if (f->kind == FIELD_TEXT)
            text(c, (char *)member, f->size);
        else if (f->kind == FIELD_EACH)
            walk_each(c, f, structure);
        else if (f->kind == FIELD_CODE)
            f->code(c, member);
        else {
            uint64_t mtu = number(c, member, f->size, f->least, 4096);
            c->bad |= mtu && (mtu < 256 || mtu & (mtu - 1));
        }
    }
}

/* -- shared by several messages ------------------------------------------------------------------------ */

/* clang-format off */
static void one_queue(struct codec *c, void *data)
{
    static const struct field either[] = {
        RANGE(queue_description, kind, 0, QUEUE_KINDS - 1), RANGE(queue_description, qpn, 0, 0xffffff), END
    };
    static const struct field there[] = {
        RANGE(queue_description, psn, 0, 0xffffff), RANGE(queue_description, qkey, 0, 0x7fffffff), END
    };
    static const struct field missing[] = {
        RANGE(queue_description, step, 0, STEPS - 1), RANGE(queue_description, err, 0, 4095), END
    };
    const struct queue_description *queue = data;
    walk(c, either, data);
    walk(c, queue->qpn ? there : missing, data);
}
static const struct field queue_fields[] = { WHOLE(queue_description, one_queue), END };

static const struct field buffer_fields[] = {
    ANY(buffer_description, address), ANY(buffer_description, source), ANY(buffer_description, rkey),
    RANGE(buffer_description, size, 0, TRIAL_SIZE_MOST), END
};

/* The queue pairs of OPEN: all of them, in the order of the set. */
static const struct field ends_fields[] = {
    PART(set_description, buffer, buffer_fields), RANGE(set_description, count, 0, QUEUES_MOST),
    EACH(set_description, count, queues, queue_fields), END
};

/* The queue pairs of PATHS: the RC ones, and the one for datagrams. */
static void ends_of_paths(struct codec *c, void *data)
{
    struct set_description *d = data;
    uint32_t count = d->count - (QUEUE_KINDS - 1);
    number(c, &count, sizeof(count), 1, PATHS_MOST);
    for (uint32_t i = 0; !c->bad && i < count; i++)
        one_queue(c, &d->queues[i == 0 ? QUEUE_RC : QUEUE_KINDS - 1 + i]);
    one_queue(c, &d->queues[QUEUE_UD]);
    walk(c, buffer_fields, (uint8_t *)&d->buffer);
    if (c->taking)
        d->count = count + QUEUE_KINDS - 1;
}

static void failure(struct codec *c, void *data)
{
    struct failure *f = data;
    uint16_t step = (uint16_t)f->step, err = (uint16_t)f->err;
    uint16_t status = (uint16_t)(f->wc_status ? f->wc_status + 1 : 0); /* 1 would be a good completion */
    number(c, &step, sizeof(step), 0, STEPS - 1);
    number(c, &err, sizeof(err), 0, 4095);
    number(c, &status, sizeof(status), 0, 64);
    number(c, &f->vendor_err, sizeof(f->vendor_err), 0, UINT32_MAX);
    text(c, f->text, sizeof(f->text));
    if (!c->taking)
        return;
    f->step = (enum step)step;
    f->err = err;
    f->wc_status = status ? status - 1 : 0;
    f->remote = true;
}

/* -- messages ------------------------------------------------------------------------------------------ */

static void check_trial(struct codec *c, void *data)
{
    c->bad |= !trial_is_sane(data);
}

static void check_exchange(struct codec *c, void *data)
{
    const struct exchange_plan *p = data;
    c->bad |= p->speaks && (p->datagrams || !p->messages);
}

static void labels(struct codec *c, void *data)
{
    struct wire_open *p = data;
    for (uint32_t i = 0; !c->bad && i < p->ends.count - (QUEUE_KINDS - 1); i++)
        number(c, &p->labels[i], sizeof(p->labels[i]), 0, 0xfffff);
}

static const struct field gid_offered[] = { RAW(wire_gid, raw), RANGE(wire_gid, type, 0, WIRE_GID_IWARP), END };
static const struct field grown[] = { TEXT(grown_counter, name), ANY(grown_counter, delta), END };
static const struct field message_size[] = { { .size = sizeof(uint32_t), .most = EXCHANGE_SIZE_MOST }, END };
static const struct field seen[] = {
    ANY(exchange_seen, received), ANY(exchange_seen, reordered), ANY(exchange_seen, acknowledged),
    RANGE(exchange_seen, status, 0, 64), ANY(exchange_seen, traffic_class), ANY(exchange_seen, held), END
};
/* For one priority: what was received, and what was sent, which is in an array of its own. */
enum { FURTHER = offsetof(struct priority_counts, sent) - offsetof(struct priority_counts, received) };
static const struct field counted[] = {
    { .size = sizeof(uint64_t), .most = UINT64_MAX },
    { .size = sizeof(uint64_t), .most = UINT64_MAX, .offset = FURTHER }, END
};

/* Offsets are from the union of struct wire_message. */
#define FIELDS (const struct field[])
static const struct field *const messages[WIRE_TYPES] = {
    [WIRE_HELLO] = FIELDS{ TEXT(wire_hello, program), TEXT(wire_hello, host), END },
    [WIRE_OFFER] = FIELDS{
        RANGE(wire_offer, ngids, 0, WIRE_GIDS_MOST), EACH(wire_offer, ngids, gids, gid_offered), END },
    [WIRE_PROBE] = FIELDS{
        RANGE(wire_probe, pair.gid, 0, WIRE_GIDS_MOST - 1), RAW(wire_probe, pair.raw),
        RANGE(wire_probe, pair.type, 0, WIRE_GID_IWARP), ANY(wire_probe, pair.traffic_class),
        RANGE(wire_probe, pair.hop_limit, 1, 255), CODE(wire_probe, queue, one_queue), END },
    [WIRE_PROBED] = queue_fields,
    [WIRE_NONCE] = FIELDS{ { .kind = FIELD_RAW, .size = WIRE_NONCE_SIZE }, END },
    [WIRE_PROVEN] = FIELDS{
        TEXT(wire_proven, host), RAW(wire_proven, gid.raw), RANGE(wire_proven, gid.type, 0, WIRE_GID_IWARP),
        RANGE(wire_proven, gid.port, 1, 255), RANGE(wire_proven, gid.index, 0, 0xffff),
        MTU(wire_proven, gid.mtu, 0), TEXT(wire_proven, gid.device),
        RANGE(wire_proven, test_ms, 1, UINT32_MAX), END },
    [WIRE_OPEN] = FIELDS{
        RANGE(wire_open, pair.gid, 0, WIRE_GIDS_MOST - 1), RAW(wire_open, pair.raw),
        RANGE(wire_open, pair.type, 0, WIRE_GID_IWARP), MTU(wire_open, mtu, 256),
        ANY(wire_open, pair.traffic_class), RANGE(wire_open, pair.hop_limit, 1, 255),
        ANY(wire_open, rd_atomic), FLAG(wire_open, rdma_cm),
        RANGE(wire_open, timeout, TRIAL_TIMEOUT_LEAST, TRIAL_TIMEOUT_MOST),
        PART(wire_open, ends, ends_fields), END },
    [WIRE_OPENED] = FIELDS{
        ANY(wire_opened, cm_port), ANY(wire_opened, rd_atomic), FLAG(wire_opened, atomics),
        PART(wire_opened, ends, ends_fields), END },
    [WIRE_KEYS] = buffer_fields,
    [WIRE_TRIAL] = FIELDS{
        ANY(trial, kind), ANY(trial, op), ANY(trial, queue), ANY(trial, flags), ANY(trial, queues),
        ANY(trial, size), ANY(trial, count), ANY(trial, seed), ANY(trial, timeout),
        WHOLE(trial, check_trial), END },
    [WIRE_READY] = FIELDS{ END },
    [WIRE_FINISH] = FIELDS{ END },
    [WIRE_OUTCOME] = FIELDS{
        FLAG(wire_outcome, good), ANY(wire_outcome, messages), CODE(wire_outcome, failure, failure), END },
    [WIRE_COUNTERS] = FIELDS{
        RANGE(grown_counters, ncounters, 0, GROWN_COUNTERS_MOST),
        EACH(grown_counters, ncounters, counters, grown), END },
    [WIRE_FAILURE] = FIELDS{ WHOLE(failure, failure), END },
    [WIRE_BYE] = FIELDS{ END },
    [WIRE_PATHS] = FIELDS{
        RANGE(wire_open, pair.gid, 0, WIRE_GIDS_MOST - 1), RAW(wire_open, pair.raw), MTU(wire_open, mtu, 256),
        ANY(wire_open, pair.traffic_class), RANGE(wire_open, pair.hop_limit, 1, 255),
        CODE(wire_open, ends, ends_of_paths), WHOLE(wire_open, labels), END },
    [WIRE_PATHED] = FIELDS{
        RANGE(wire_opened, port_rule, 0, PORT_RULES - 1), CODE(wire_opened, ends, ends_of_paths), END },
    [WIRE_EXCHANGE] = FIELDS{
        FLAG(exchange_plan, datagrams), FLAG(exchange_plan, speaks),
        RANGE(exchange_plan, messages, 0, EXCHANGE_MESSAGES), RANGE(exchange_plan, count, 1, PATHS_MOST),
        EACH(exchange_plan, count, sizes, message_size), WHOLE(exchange_plan, check_exchange), END },
    [WIRE_EXCHANGED] = FIELDS{
        RANGE(wire_exchanged, count, 1, PATHS_MOST), EACH(wire_exchanged, count, seen, seen), END },
    [WIRE_PRIORITIES] = FIELDS{
        TEXT(wire_priorities, netdevs), FLAG(wire_priorities, counts.known),
        { .kind = FIELD_EACH, PLACE(wire_priorities, counts.received[0]), .count = PRIORITIES,
          .fields = counted }, END },
};

struct wire_header {
    uint8_t magic[4];
    uint16_t version, type;
    uint32_t length; /* of the body */
};
static const struct field header_fields[] = {
    RAW(wire_header, magic), ANY(wire_header, version), ANY(wire_header, type), ANY(wire_header, length), END
};
/* clang-format on */

static void walk_body(struct codec *c, struct wire_message *message)
{
    if (message->type < WIRE_HELLO || message->type >= WIRE_TYPES)
        c->bad = true;
    else
        walk(c, messages[message->type], (uint8_t *)message + offsetof(struct wire_message, hello));
}

const char *wire_gid_kind(const struct wire_gid *gid)
{
    return wire_gid_is_iwarp(gid) ? "iWARP" : gid_type_text((enum gid_type)gid->type);
}

int wire_encode(const struct wire_message *message, uint8_t *buffer, size_t size)
{
    struct codec c = { .bytes = buffer, .at = WIRE_HEADER_SIZE, .size = size };
    if (size < WIRE_HEADER_SIZE)
        return -EMSGSIZE;
    /* only read from: encoding never writes to the message */
    walk_body(&c, (struct wire_message *)(uintptr_t)message);
    if (c.bad || c.at - WIRE_HEADER_SIZE > WIRE_BODY_MOST)
        return -EMSGSIZE;
    struct codec header = { .bytes = buffer, .size = WIRE_HEADER_SIZE };
    struct wire_header own = {
        { 0 }, WIRE_VERSION, (uint16_t)message->type, (uint32_t)(c.at - WIRE_HEADER_SIZE)
    };
    memcpy(own.magic, magic, sizeof(magic));
    walk(&header, header_fields, (uint8_t *)&own);
    return (int)c.at;
}

int wire_decode_header(const uint8_t header[static WIRE_HEADER_SIZE], enum wire_type *type, size_t *length)
{
    struct wire_header own;
    struct codec c = { .bytes = (uint8_t *)(uintptr_t)header, .size = WIRE_HEADER_SIZE, .taking = true };
    walk(&c, header_fields, (uint8_t *)&own);
    if (memcmp(own.magic, magic, sizeof(magic)) != 0)
        return -EPROTO;
    if (own.version != WIRE_VERSION)
        return -EPROTONOSUPPORT;
    if (own.type < WIRE_HELLO || own.type >= WIRE_TYPES)
        return -EPROTO;
    if (own.length > WIRE_BODY_MOST)
        return -EMSGSIZE;
    *type = (enum wire_type)own.type;
    *length = own.length;
    return 0;
}

int wire_decode(enum wire_type type, const uint8_t *bytes, size_t length, struct wire_message *message)
{
    memset(message, 0, sizeof(*message));
    message->type = type;
    /* only read from: decoding never writes to its bytes */
    struct codec c = { .bytes = (uint8_t *)(uintptr_t)bytes, .size = length, .taking = true };
    walk_body(&c, message);
    return c.bad || c.at != length ? -EPROTO : 0;
}
