/* SPDX-License-Identifier: MIT */
/* The events that matter and their fields; format files of tracefs, and the raw records that they describe. */
#include <arpa/inet.h>

#include "model/gid.h"
#include "trace/trace.h"

const struct trace_point_name trace_point_names[TRACE_POINTS] = {
    [POINT_ATTACH] = { .system = "rdma_cma", .name = "cm_id_attach" },
    [POINT_EVENT] = { .system = "rdma_cma", .name = "cm_event_handler", .needed = true },
    [POINT_REQUEST] = { .system = "rdma_cma", .name = "cm_send_req", .needed = true },
    [POINT_REPLY] = { .system = "rdma_cma", .name = "cm_send_rep" },
    [POINT_READY] = { .system = "rdma_cma", .name = "cm_send_rtu", .needed = true },
    [POINT_REJECT] = { .system = "rdma_cma", .name = "cm_send_rej" },
    [POINT_DISCONNECT] = { .system = "rdma_cma", .name = "cm_disconnect" },
    [POINT_DESTROY] = { .system = "rdma_cma", .name = "cm_id_destroy", .needed = true },
    [POINT_QUEUE] = { .system = "rdma_cma", .name = "cm_qp_create" },
    [POINT_IB_REQUEST] = { .system = "ib_cma", .name = "icm_send_req" },
    [POINT_IB_REPLY] = { .system = "ib_cma", .name = "icm_send_rep" },
    [POINT_IB_REJECT] = { .system = "ib_cma", .name = "icm_send_rej" },
    [POINT_IB_ISSUED] = { .system = "ib_cma", .name = "icm_issue_rej" },
    [POINT_IB_UNHEARD] = { .system = "ib_cma", .name = "icm_no_listener_err" },
    [POINT_SENT] = { .system = "ib_mad", .name = "ib_mad_ib_send_mad" },
    [POINT_RECEIVED] = { .system = "ib_mad", .name = "ib_mad_recv_done_handler" },
};

/* Fields by name, whatever event they are of. */
const char *const trace_number_names[TRACE_NUMBERS] = { "cm_id",       "tos",      "qp_num",    "event",
                                                        "status",      "local_id", "remote_id", "reason",
                                                        "mgmt_class",  "attr_id",  "tid",       "retries_left",
                                                        "max_retries", "mask",     "took" };
enum { FROM = TRACE_NUMBERS, TO, DEVICE };
static const struct {
    const char *name;
    unsigned field;
} others[] = { { "rc", TRACE_STATUS }, { "srcaddr", FROM }, { "dstaddr", TO }, { "devname", DEVICE } };

/* TRACE_FIELDS: none that matters. */
static unsigned field_named(const char *name)
{
    for (unsigned i = 0; i < TRACE_NUMBERS; i++)
        if (strcmp(trace_number_names[i], name) == 0)
            return i;
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].field;
    return TRACE_FIELDS;
}

static bool is_big(unsigned field)
{
    return field == TRACE_MESSAGE || field == TRACE_TRANSACTION;
}

/* The kernel compares a field of the network's byte order as it lies. */
const char *trace_point_filter(enum trace_point point)
{
    static char sent[64], received[64];
    snprintf(sent, sizeof(sent), "mgmt_class == %u && (attr_id == %u || attr_id == %u)", MAD_CM_CLASS,
             htons(MAD_REQ), htons(MAD_DREQ));
    snprintf(received, sizeof(received), "mgmt_class == %u && attr_id == %u", MAD_CM_CLASS, htons(MAD_MRA));
    return point == POINT_SENT ? sent : point == POINT_RECEIVED ? received : NULL;
}

void trace_put(struct trace_event *event, enum trace_number number, int64_t value)
{
    event->known |= 1u << number;
    event->numbers[number] = value;
}

bool trace_is_kernel_task(const char *name)
{
    return text_starts(name, "kworker/");
}

enum trace_queue_step trace_queue_step(uint64_t mask)
{
    enum { PORT = 1 << 5, AV = 1 << 7, SQ_PSN = 1 << 16, DEST_QPN = 1 << 20 };
    return mask & PORT              ? QUEUE_INIT
           : mask & (AV | DEST_QPN) ? QUEUE_RTR
           : mask & SQ_PSN          ? QUEUE_RTS
                                    : QUEUE_OTHER;
}

/* -- addresses ------------------------------------------------------------------------------------------- */

void trace_address_format(const struct trace_address *address, char text[static TRACE_ADDRESS_SIZE])
{
    bool v4 = gid_is_v4_mapped(address->raw);
    *text = '\0';
    if (!address->known)
        return;
    gid_address(address->raw, v4 ? text : text + 1);
    if (!v4)
        *text = '[';
    text = stpcpy(text + strlen(text), v4 ? ":" : "]:");
    *text_put_u64(text, address->port) = '\0';
}

bool trace_address_parse(const char *text, struct trace_address *address)
{
    char copy[TRACE_ADDRESS_SIZE];
    uint64_t port;
    snprintf(copy, sizeof(copy), "%s", text);
    char *colon = strrchr(copy, ':'), *own = copy;
    if (!colon || text_to_u64(colon + 1, 10, &port) < 0 || port > UINT16_MAX)
        return false;
    *colon = '\0';
    if (*own == '[' && colon > own + 1 && colon[-1] == ']') {
        colon[-1] = '\0';
        own++;
    } else if (strchr(own, ':')) {
        return false;
    }
    address->known = gid_of_text(own, address->raw);
    address->port = (uint16_t)port;
    return address->known;
}

/* A struct sockaddr_in or sockaddr_in6: include/uapi/linux/in.h, in6.h. */
static void take_address(const uint8_t *raw, size_t size, struct trace_address *address)
{
    uint16_t family, port;
    memcpy(&family, raw, sizeof(family));
    memcpy(&port, raw + 2, sizeof(port));
    address->known = (family == AF_INET && size >= 8) || (family == AF_INET6 && size >= 24);
    if (address->known)
        gid_of_address(family, raw + (family == AF_INET ? 4 : 8), address->raw);
    address->port = ntohs(port);
}

/* -- format files ---------------------------------------------------------------------------------------- */

/* "\tfield:TYPE NAME;\toffset:O;\tsize:S;\tsigned:B;", where TYPE NAME may also be
 * "unsigned char srcaddr[sizeof(struct sockaddr_in6)]" or "__data_loc char[] devname". */
static void take_field(const char *line, struct trace_format *format)
{
    char declared[256];
    unsigned long offset, size, is_signed = 0;
    if (sscanf(line, " field:%255[^;]; offset:%lu; size:%lu; signed:%lu", declared, &offset, &size,
               &is_signed) < 3 ||
        offset > UINT16_MAX || size > UINT16_MAX)
        return;
    char *name = declared + (text_ends(declared, "]") ? strcspn(declared, "[") : strlen(declared));
    *name = '\0';
    while (name > declared && text_is_word_char(name[-1]))
        name--;
    unsigned field = field_named(name);
    if (field < TRACE_FIELDS)
        format->places[field] = (struct trace_place){ .offset = (uint16_t)offset,
                                                      .size = (uint16_t)size,
                                                      .is_signed = is_signed == 1,
                                                      .elsewhere = text_starts(declared, "__data_loc ") };
}

int trace_format_parse(const char *text, size_t len, struct trace_format *format)
{
    struct trace_format made = { 0 };
    unsigned long id = 0;
    bool any = false;
    char *copy = mem_printf("%.*s", (int)len, text);
    for (char *rest = copy, *line; (line = strsep(&rest, "\n"));)
        if (sscanf(line, "ID: %lu", &id) != 1)
            take_field(line, &made);
    free(copy);
    made.id = id <= UINT16_MAX ? (uint32_t)id : 0;
    for (size_t i = 0; i < TRACE_FIELDS; i++)
        any |= made.places[i].size > 0;
    if (!any || !made.id)
        return -EBADMSG;
    *format = made;
    return 0;
}

/* -- records --------------------------------------------------------------------------------------------- */

static bool number_at(const uint8_t *raw, const struct trace_place *place, bool big, int64_t *value)
{
    uint64_t wide = 0;
    if (place->size > sizeof(wide))
        return false;
    for (size_t i = 0; i < place->size; i++) {
        bool first_is_high = big || htons(1) == 1;
        wide |= (uint64_t)raw[place->offset + i] << 8 * (first_is_high ? place->size - 1 - i : i);
    }
    unsigned unused = 64 - 8 * place->size;
    *value = place->is_signed ? (int64_t)(wide << unused) >> unused : (int64_t)wide;
    return true;
}

static bool device_at(const uint8_t *raw, size_t len, const struct trace_place *place, char *device)
{
    uint32_t location;
    if (!place->elsewhere || place->size != sizeof(location))
        return false;
    memcpy(&location, raw + place->offset, sizeof(location));
    size_t offset = location & 0xffff, size = location >> 16;
    if (offset > len || size > len - offset)
        return false;
    snprintf(device, TRACE_NAME_SIZE, "%.*s", (int)strnlen((const char *)raw + offset, size),
             (const char *)raw + offset);
    return true;
}

int trace_decode(const struct trace_format *format, const uint8_t *raw, size_t len, struct trace_event *event)
{
    for (unsigned i = 0; i < TRACE_FIELDS; i++) {
        const struct trace_place *place = &format->places[i];
        int64_t value;
        if (!place->size)
            continue;
        if (place->offset > len || place->size > len - place->offset)
            return -EBADMSG;
        if (i < TRACE_NUMBERS && number_at(raw, place, is_big(i), &value))
            trace_put(event, i, value);
        else if (i == DEVICE && !device_at(raw, len, place, event->device))
            return -EBADMSG;
        else if ((i == FROM || i == TO) && place->size >= 8)
            take_address(raw + place->offset, place->size, i == FROM ? &event->from : &event->to);
    }
    return 0;
}
