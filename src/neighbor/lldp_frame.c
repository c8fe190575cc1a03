/* SPDX-License-Identifier: MIT */
/* LLDP and DCBX frames: their TLVs, what a neighbor says in them, and what systemd-networkd keeps of them. */
#include "neighbor/lldp_frame.h"

#include <arpa/inet.h>
#include <jansson.h>

#include "model/qos.h"

enum { CEE_PG = 2, CEE_PFC, CEE_APP };
enum { MAC_SIZE = 6, ETHER_HEADER = 14, TLV_HEADER = 2, ETHERTYPE_VLAN = 0x8100 };

static unsigned be16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static uint32_t be32(const uint8_t *bytes)
{
    return (uint32_t)be16(bytes) << 16 | be16(bytes + 2);
}

bool tlv_next(const uint8_t **at, const uint8_t *end, struct tlv *tlv)
{
    if (end - *at < TLV_HEADER)
        return false;
    unsigned header = be16(*at);
    size_t len = header & 511;
    if ((size_t)(end - *at) - TLV_HEADER < len)
        return false;
    *tlv = (struct tlv){ header >> 9, *at + TLV_HEADER, len };
    *at += TLV_HEADER + len;
    return true;
}

uint32_t tlv_organisation(const struct tlv *tlv)
{
    return tlv->type == TLV_ORGANISATION && tlv->len >= 4 ? be32(tlv->value) : 0;
}

const uint8_t *lldp_data(const uint8_t *frame, size_t len)
{
    size_t at = ETHER_HEADER;
    if (len >= at + 4 && be16(frame + at - 2) == ETHERTYPE_VLAN)
        at += 4;
    return len >= at && be16(frame + at - 2) == LLDP_ETHERTYPE && frame[0] & 1 ? frame + at : NULL;
}

/* -- identities ------------------------------------------------------------------------------------------ */

/* IANA's number of its family, then the address. */
static const char *address_text(const uint8_t *value, size_t len, struct arena *arena)
{
    char text[INET6_ADDRSTRLEN];
    bool is_v4 = len == 5 && value[0] == 1, is_v6 = len == 17 && value[0] == 2;
    if ((!is_v4 && !is_v6) || !inet_ntop(is_v4 ? AF_INET : AF_INET6, value + 1, text, sizeof(text)))
        return NULL;
    return arena_strdup(arena, text);
}

/* Not terminated; some senders count a zero byte in. */
static const char *text_of(const uint8_t *value, size_t len, struct arena *arena)
{
    return arena_strndup(arena, (const char *)value, strnlen((const char *)value, len));
}

/* A chassis or port ID: its subtype, then 1 to 255 bytes. What is no text is shown in hexadecimal digits. */
static const char *id_text(const struct tlv *tlv, unsigned mac, unsigned address, struct arena *arena)
{
    const uint8_t *id = tlv->value + 1;
    size_t len = tlv->len - 1;
    if (tlv->value[0] == mac && len == MAC_SIZE)
        return arena_hex(arena, id, len, 1);
    if (tlv->value[0] == address)
        return address_text(id, len, arena) ?: arena_hex(arena, id, len, 0);
    return tlv->value[0] == mac ? arena_hex(arena, id, len, 0) : text_of(id, len, arena);
}

/* Length, family, address; what follows numbers the interface. The first one is shown. */
static void take_address(struct lldp_neighbor *neighbor, const struct tlv *tlv, struct arena *arena)
{
    size_t len = tlv->len ? tlv->value[0] : 0;
    if (!neighbor->address && len && len < tlv->len)
        neighbor->address = address_text(tlv->value + 1, len, arena);
}

/* -- DCBX ------------------------------------------------------------------------------------------------- */

/* What a frame holds while it is read; qos_dcb is const once it is a neighbor's. */
struct parsing {
    struct arena *arena;
    struct lldp_neighbor *neighbor;
    struct qos_dcb *ieee, *cee;
};

static struct qos_dcb *dcb_of(struct parsing *p, struct qos_dcb **dcb)
{
    if (!*dcb)
        *dcb = arena_alloc(p->arena, 1, sizeof(**dcb));
    return *dcb;
}

/* A nibble for each priority, the high one of the first byte for priority 0. */
static void take_nibbles(uint8_t to[static PRIORITIES], const uint8_t *bytes)
{
    for (unsigned i = 0; i < PRIORITIES; i++)
        to[i] = i % 2 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4;
}

enum { ETS_SIZE = 4 + 21, PFC_SIZE = 4 + 2, APP_HEADER = 4 + 1, APP_SIZE = 3 };

static void take_ets(struct parsing *p, const uint8_t *value, size_t len)
{
    if (len < ETS_SIZE)
        return;
    struct qos_dcb *dcb = dcb_of(p, &p->ieee);
    dcb->has_ets = true;
    dcb->willing = value[4] >> 7;
    dcb->cbs = value[4] >> 6 & 1;
    dcb->ets_cap = value[4] & 7 ? value[4] & 7 : PRIORITIES;
    take_nibbles(dcb->priority_tc, value + 5);
    memcpy(dcb->tc_bandwidth, value + 9, PRIORITIES);
    memcpy(dcb->tc_tsa, value + 17, PRIORITIES);
}

static void take_pfc(struct parsing *p, const uint8_t *value, size_t len)
{
    if (len < PFC_SIZE)
        return;
    struct qos_dcb *dcb = dcb_of(p, &p->ieee);
    dcb->has_pfc = true;
    p->neighbor->pfc_willing = value[4] >> 7;
    dcb->macsec_bypass = value[4] >> 6 & 1;
    dcb->pfc_cap = value[4] & 15;
    dcb->pfc_enabled = value[5];
}

static void add_app(struct parsing *p, struct qos_dcb *dcb, unsigned selector, unsigned priority,
                    unsigned protocol)
{
    *ARENA_PUSH(p->arena, dcb->apps, dcb->napps) = (struct qos_app){ (uint8_t)selector, (uint8_t)priority,
                                                                     (uint16_t)protocol };
}

static void take_apps(struct parsing *p, const uint8_t *value, size_t len)
{
    if (len < APP_HEADER)
        return;
    struct qos_dcb *dcb = dcb_of(p, &p->ieee);
    dcb->apps_known = true;
    for (const uint8_t *at = value + APP_HEADER; at + APP_SIZE <= value + len; at += APP_SIZE)
        add_app(p, dcb, at[0] & 7, at[0] >> 5, be16(at + 1));
}

enum {
    CEE_HEADER = 4,
    CEE_PG_SIZE = 17,
    CEE_PFC_SIZE = 6,
    CEE_APP_SIZE = 6,
    CEE_WILLING = 0x40,
    CEE_STRICT = 15
};

/* Priority groups: what 15 has is served first, the others share by percent. */
static void take_groups(struct qos_dcb *dcb, const struct tlv *tlv)
{
    const uint8_t *value = tlv->value + CEE_HEADER;
    if (tlv->len < CEE_PG_SIZE)
        return;
    dcb->has_ets = true;
    dcb->willing = (tlv->value[2] & CEE_WILLING) != 0;
    dcb->ets_cap = value[12];
    take_nibbles(dcb->priority_tc, value);
    memcpy(dcb->tc_bandwidth, value + 4, PRIORITIES);
    for (unsigned i = 0; i < PRIORITIES; i++)
        dcb->tc_tsa[i] = QOS_TSA_ETS;
}

/* A protocol and the priorities it has, a bit each. The selector tells ethertypes (0) and TCP or UDP ports (1).
 */
static void take_cee_apps(struct parsing *p, struct qos_dcb *dcb, const struct tlv *tlv)
{
    dcb->apps_known = true;
    for (size_t at = CEE_HEADER; at + CEE_APP_SIZE <= tlv->len; at += CEE_APP_SIZE) {
        const uint8_t *app = tlv->value + at;
        unsigned selector = (app[2] & 3) == 0 ? QOS_APP_ETHERTYPE : QOS_APP_ANY;
        for (unsigned i = 0; i < PRIORITIES && (app[2] & 3) <= 1; i++)
            if (app[5] >> i & 1)
                add_app(p, dcb, selector, i, be16(app));
    }
}

static void take_cee(struct parsing *p, const uint8_t *value, size_t len)
{
    const uint8_t *at = value + 4;
    struct tlv tlv;
    struct qos_dcb *dcb = dcb_of(p, &p->cee);
    while (tlv_next(&at, value + len, &tlv)) {
        if (tlv.type == CEE_PG) {
            take_groups(dcb, &tlv);
        } else if (tlv.type == CEE_PFC && tlv.len >= CEE_PFC_SIZE) {
            dcb->has_pfc = true;
            dcb->pfc_enabled = tlv.value[CEE_HEADER];
            dcb->pfc_cap = tlv.value[CEE_HEADER + 1];
            p->neighbor->pfc_willing |= (tlv.value[2] & CEE_WILLING) != 0;
        } else if (tlv.type == CEE_APP && tlv.len >= CEE_HEADER) {
            take_cee_apps(p, dcb, &tlv);
        }
    }
}

/* -- the frame -------------------------------------------------------------------------------------------- */

static void take_aggregation(struct lldp_neighbor *neighbor, const uint8_t *value, size_t len)
{
    if (len < 9)
        return;
    neighbor->aggregated = tri_of(value[4] >> 1 & 1);
    if (neighbor->aggregated == TRI_YES)
        neighbor->aggregate = num_of(be32(value + 5));
}

static void take_organisation(struct parsing *p, const struct tlv *tlv)
{
    const uint8_t *value = tlv->value;
    size_t len = tlv->len;
    switch (tlv_organisation(tlv)) {
    case DOT1_PVID:
        if (len >= 6)
            p->neighbor->pvid = num_of(be16(value + 4));
        return;
    case DOT1_AGGREGATION:
        take_aggregation(p->neighbor, value, len);
        return;
    case DOT3_AGGREGATION: /* the older place of the same */
        if (p->neighbor->aggregated == TRI_UNKNOWN)
            take_aggregation(p->neighbor, value, len);
        return;
    case DOT3_FRAME_SIZE:
        if (len >= 6)
            p->neighbor->max_frame = num_of(be16(value + 4));
        return;
    case DOT1_ETS:
        take_ets(p, value, len);
        return;
    case DOT1_PFC:
        take_pfc(p, value, len);
        return;
    case DOT1_APP:
        take_apps(p, value, len);
        return;
    case CEE_DCBX:
        take_cee(p, value, len);
        return;
    }
}

static void take_tlv(struct parsing *p, const struct tlv *tlv)
{
    struct lldp_neighbor *neighbor = p->neighbor;
    switch (tlv->type) {
    case TLV_PORT_TEXT:
        neighbor->port_description = text_of(tlv->value, tlv->len, p->arena);
        return;
    case TLV_SYSTEM:
        neighbor->system = text_of(tlv->value, tlv->len, p->arena);
        return;
    case TLV_SYSTEM_TEXT:
        neighbor->system_description = text_of(tlv->value, tlv->len, p->arena);
        return;
    case TLV_CAPABILITIES:
        if (tlv->len >= 4)
            neighbor->enabled = num_of(be16(tlv->value + 2));
        return;
    case TLV_ADDRESS:
        take_address(neighbor, tlv, p->arena);
        return;
    case TLV_ORGANISATION:
        take_organisation(p, tlv);
        return;
    }
}

/* The three that a frame begins with, in this order; none of them comes again. */
static bool take_head(struct parsing *p, const struct tlv *tlv, unsigned place)
{
    struct lldp_neighbor *neighbor = p->neighbor;
    if (tlv->type != place || tlv->len < 2 || (place != TLV_TTL && tlv->len > 256))
        return false;
    if (place == TLV_CHASSIS) {
        neighbor->chassis_type = tlv->value[0];
        neighbor->chassis = id_text(tlv, CHASSIS_MAC, CHASSIS_ADDRESS, p->arena);
    } else if (place == TLV_PORT) {
        neighbor->port_type = tlv->value[0];
        neighbor->port = id_text(tlv, PORT_MAC, PORT_ADDRESS, p->arena);
    } else {
        neighbor->ttl_s = num_of(be16(tlv->value));
    }
    return true;
}

int lldp_parse(const uint8_t *frame, size_t len, struct arena *arena, struct lldp_neighbor *out)
{
    const uint8_t *at = len <= LLDP_FRAME_MOST ? lldp_data(frame, len) : NULL;
    struct lldp_neighbor neighbor = { 0 };
    struct parsing p = { .arena = arena, .neighbor = &neighbor };
    struct tlv tlv;
    unsigned place = 0;
    bool ended = false;
    while (at && place < LLDP_TLVS && !ended && tlv_next(&at, frame + len, &tlv)) {
        place++;
        if (place <= TLV_TTL ? !take_head(&p, &tlv, place) : tlv.type >= TLV_CHASSIS && tlv.type <= TLV_TTL)
            return -EBADMSG;
        if (place > TLV_TTL)
            take_tlv(&p, &tlv);
        ended = tlv.type == TLV_END;
    }
    /* without the last TLV the frame must at least end where one does */
    if (place < TLV_TTL || (!ended && at != frame + len))
        return -EBADMSG;
    neighbor.ieee = p.ieee;
    neighbor.cee = p.cee;
    *out = neighbor;
    return 0;
}

/* -- as systemd-networkd keeps them, and what it answers --------------------------------------------------- */

enum { LENGTH_SIZE = 8 };

bool networkd_next(const uint8_t *bytes, size_t len, size_t *at, const uint8_t **frame, size_t *size)
{
    uint64_t told = 0;
    if (len - *at < LENGTH_SIZE)
        return false;
    for (unsigned i = 0; i < LENGTH_SIZE; i++)
        told |= (uint64_t)bytes[*at + i] << 8 * i;
    if (told > len - *at - LENGTH_SIZE)
        return false;
    *frame = bytes + *at + LENGTH_SIZE;
    *size = (size_t)told;
    *at += LENGTH_SIZE + *size;
    return true;
}

static const char *text_at(const json_t *object, const char *key, struct arena *arena)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? arena_strdup(arena, text) : NULL;
}

/* An ID's subtype is the first of its raw bytes. */
static uint8_t type_at(const json_t *object, const char *key)
{
    return (uint8_t)json_integer_value(json_array_get(json_object_get(object, key), 0));
}

static bool take_neighbor(const json_t *object, struct arena *arena, struct lldp_neighbor *neighbor)
{
    const json_t *capabilities = json_object_get(object, "EnabledCapabilities"),
                 *vlan = json_object_get(object, "VlanID");
    *neighbor = (struct lldp_neighbor){ .source = LLDP_ANSWERED,
                                        .chassis_type = type_at(object, "RawChassisID"),
                                        .port_type = type_at(object, "RawPortID"),
                                        .chassis = text_at(object, "ChassisID", arena),
                                        .port = text_at(object, "PortID", arena),
                                        .port_description = text_at(object, "PortDescription", arena),
                                        .system = text_at(object, "SystemName", arena),
                                        .system_description = text_at(object, "SystemDescription", arena) };
    neighbor->enabled = num_if(json_is_integer(capabilities), (uint64_t)json_integer_value(capabilities));
    neighbor->pvid = num_if(json_is_integer(vlan), (uint64_t)json_integer_value(vlan));
    return neighbor->chassis && neighbor->port;
}

int networkd_answer_parse(const char *text, size_t len, struct arena *arena, struct networkd_answer **out,
                          size_t *count)
{
    json_t *answer = json_loadb(text, strnlen(text, len), JSON_REJECT_DUPLICATES, NULL), *interface, *object;
    json_t *interfaces = json_object_get(json_object_get(answer, "parameters"), "Neighbors");
    struct networkd_answer *answers = NULL, one;
    size_t n = 0, i, k;
    int r = json_is_array(interfaces) ? 0 : -EBADMSG;
    json_array_foreach(interfaces, i, interface)
    {
        one.netdev = text_at(interface, "InterfaceName", arena);
        json_array_foreach(json_object_get(interface, "Neighbors"), k,
                           object) if (n < LLDP_NEIGHBORS_MOST * LLDP_NEIGHBORS_MOST &&
                                       take_neighbor(object, arena, &one.neighbor)) *
            ARENA_PUSH(arena, answers, n) = one;
    }
    json_decref(answer);
    if (r == 0) {
        *out = answers;
        *count = n;
    }
    return r;
}
