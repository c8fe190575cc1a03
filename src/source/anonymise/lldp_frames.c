/* SPDX-License-Identifier: MIT */
/* LLDP: whose switches they are goes, how they are set stays. The same switch stays the same, and so does a
 * port's number. */
#include <jansson.h>

#include "neighbor/lldp_frame.h"
#include "source/anonymise/anonymise.h"

enum { MAC_SIZE = 6, V4_SIZE = 4, V6_SIZE = 16, VALUE_MOST = 511 };

/* "Ethernet1/10", "25GE1/0/39", "swp5s0", "516": letters that switches use stay, others become a word; so do
 * all if what follows them isn't a number with lanes. */
static void put_port(const char *text, size_t len, struct bytes *out)
{
    size_t leading = 0, letters, tail;
    while (leading < len && isdigit((unsigned char)text[leading]))
        leading++;
    for (letters = leading; letters < len && (isalpha((unsigned char)text[letters]) || text[letters] == '-');)
        letters++;
    for (tail = letters; tail < len && strchr("0123456789/:._-spc", text[tail]);)
        tail++;
    bool is_known = letters == leading || words_have("[switch-ports]", text + leading, letters - leading);
    if (tail == len && is_known) {
        bytes_append(out, text, len);
    } else if (tail == len) {
        bytes_append(out, text, leading);
        anonymise_word("port", text + leading, letters - leading, out);
        bytes_append(out, text + letters, len - letters);
    } else {
        anonymise_word("port", text, len, out);
    }
}

static void put_switch(const char *text, size_t len, struct bytes *out)
{
    anonymise_word("switch", text, len, out);
}

void lldp_put_neighbor(const char *text, size_t len, struct bytes *out)
{
    const char *blank = memrchr(text, ' ', len);
    size_t system = blank ? (size_t)(blank - text) : len;
    put_switch(text, system, out);
    if (system + 1 < len) {
        bytes_append(out, " ", 1);
        put_port(blank + 1, len - system - 1, out);
    }
}

/* IANA's number of its family, then the address. False if it is of none that is known. */
static bool put_address(const uint8_t *value, size_t len, struct bytes *out)
{
    uint8_t address[V6_SIZE];
    bool is_v4 = len == 1 + V4_SIZE && value[0] == 1, is_v6 = len == 1 + V6_SIZE && value[0] == 2;
    if (!is_v4 && !is_v6)
        return false;
    memcpy(address, value + 1, len - 1);
    if (is_v4)
        anonymise_v4(address);
    else
        anonymise_v6(address);
    bytes_append(out, value, 1);
    bytes_append(out, address, len - 1);
    return true;
}

static void put_mac(const uint8_t *value, struct bytes *out)
{
    uint8_t mac[MAC_SIZE];
    memcpy(mac, value, MAC_SIZE);
    anonymise_mac(mac, MAC_SIZE);
    bytes_append(out, mac, MAC_SIZE);
}

/* A chassis or port ID behind its subtype. */
static void put_id(const struct tlv *tlv, unsigned mac, unsigned address, put_value *put, struct bytes *out)
{
    const uint8_t *id = tlv->value + 1;
    size_t len = tlv->len - 1;
    bytes_append(out, tlv->value, 1);
    if (tlv->value[0] == mac && len == MAC_SIZE)
        put_mac(id, out);
    else if (tlv->value[0] != address || !put_address(id, len, out))
        put((const char *)id, len, out);
}

/* Length, address, and which interface it is; an OID is left out. */
static void put_management(const struct tlv *tlv, struct bytes *out)
{
    enum { INTERFACE = 5 };
    size_t len = tlv->len ? tlv->value[0] : 0;
    if (!len || 1 + len + INTERFACE > tlv->len)
        return;
    bytes_append(out, tlv->value, 1);
    if (!put_address(tlv->value + 1, len, out)) {
        out->len--;
        return;
    }
    bytes_append(out, tlv->value + 1 + len, INTERFACE);
    bytes_append(out, "", 1);
}

/* How it is set. Names of VLANs and what roce doesn't read are left out. */
static bool is_kept(uint32_t organisation)
{
    static const uint32_t kept[] = { DOT1_PVID, DOT1_AGGREGATION, DOT1_ETS,         DOT1_ETS_RECOMMENDED,
                                     DOT1_PFC,  DOT1_APP,         DOT3_AGGREGATION, DOT3_FRAME_SIZE,
                                     CEE_DCBX };
    for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
        if (kept[i] == organisation)
            return true;
    return false;
}

/* Appends what may be kept of a TLV's value; nothing: it is left out. */
static void put_tlv_value(const struct tlv *tlv, struct bytes *out)
{
    const char *text = (const char *)tlv->value;
    switch (tlv->type) {
    case TLV_CHASSIS:
        put_id(tlv, CHASSIS_MAC, CHASSIS_ADDRESS, put_switch, out);
        return;
    case TLV_PORT:
        put_id(tlv, PORT_MAC, PORT_ADDRESS, put_port, out);
        return;
    case TLV_PORT_TEXT:
        if (tlv->len)
            put_port(text, tlv->len, out);
        return;
    case TLV_SYSTEM:
        if (tlv->len)
            put_switch(text, tlv->len, out);
        return;
    case TLV_ADDRESS:
        put_management(tlv, out);
        return;
    case TLV_TTL:
    case TLV_CAPABILITIES:
        bytes_append(out, text, tlv->len);
        return;
    case TLV_ORGANISATION:
        if (is_kept(tlv_organisation(tlv)))
            bytes_append(out, text, tlv->len);
        return;
    }
}

/* A frame that can't be parsed becomes one that can't either. */
static void put_frame(const uint8_t *frame, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct lldp_neighbor neighbor;
    struct tlv tlv;
    bool is_good = lldp_parse(frame, len, arena, &neighbor) == 0;
    const uint8_t *at = is_good ? lldp_data(frame, len) : NULL;
    arena_free(arena);
    bytes_append(out, frame, is_good ? MAC_SIZE : 1);
    if (!is_good)
        return;
    put_mac(frame + MAC_SIZE, out);
    bytes_append(out, frame + 2 * MAC_SIZE, (size_t)(at - frame) - 2 * MAC_SIZE);
    while (tlv_next(&at, frame + len, &tlv) && tlv.type != TLV_END) {
        size_t begin = out->len;
        bytes_append(out, "\0", 2);
        put_tlv_value(&tlv, out);
        size_t size = out->len - begin - 2;
        if (!size || size > VALUE_MOST) {
            out->len = begin;
            continue;
        }
        out->data[begin] = (char)(tlv.type << 1 | size >> 8);
        out->data[begin + 1] = (char)size;
    }
    bytes_append(out, "\0", 2);
}

void lldp_put_saved(const char *data, size_t len, struct bytes *out)
{
    const uint8_t *frame;
    size_t at = 0, size;
    while (networkd_next((const uint8_t *)data, len, &at, &frame, &size)) {
        size_t begin = out->len;
        bytes_append(out, "\0\0\0\0\0\0\0", sizeof(uint64_t));
        put_frame(frame, size, out);
        size = out->len - begin - sizeof(uint64_t);
        for (size_t i = 0; i < sizeof(uint64_t); i++)
            out->data[begin + i] = (char)((uint64_t)size >> 8 * i);
    }
}

/* NULL: no text. */
static json_t *json_put_by(put_value *put, const char *text)
{
    struct bytes out = { 0 };
    if (!text)
        return NULL;
    bytes_append(&out, "", 0);
    put(text, strlen(text), &out);
    json_t *json = json_string(out.data);
    bytes_free(&out);
    return json ? json : json_string("");
}

static json_t *json_num(struct num number)
{
    return number.known ? json_integer((json_int_t)number.value) : NULL;
}

static json_t *neighbor_json(const struct lldp_neighbor *neighbor)
{
    bool by_mac = neighbor->chassis_type == CHASSIS_MAC || neighbor->chassis_type == CHASSIS_ADDRESS;
    bool port_by_mac = neighbor->port_type == PORT_MAC || neighbor->port_type == PORT_ADDRESS;
    return json_pack("{s:o, s:[i], s:o, s:[i], s:o*, s:o*, s:o*, s:o*}", "ChassisID",
                     json_put_by(by_mac ? anonymise_text : put_switch, neighbor->chassis), "RawChassisID",
                     neighbor->chassis_type, "PortID",
                     json_put_by(port_by_mac ? anonymise_text : put_port, neighbor->port), "RawPortID",
                     neighbor->port_type, "PortDescription", json_put_by(put_port, neighbor->port_description),
                     "SystemName", json_put_by(put_switch, neighbor->system), "EnabledCapabilities",
                     json_num(neighbor->enabled), "VlanID", json_num(neighbor->pvid));
}

void lldp_put_answer(const char *data, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct networkd_answer *answers = NULL;
    size_t count = 0;
    json_t *interfaces = json_array();
    int r = networkd_answer_parse(data, len, arena, &answers, &count);
    for (size_t i = 0; i < count; i++) {
        json_t *name = json_put_by(anonymise_name, answers[i].netdev);
        json_array_append_new(interfaces,
                              json_pack("{s:o,s:[o]}", "InterfaceName", name ? name : json_string(""),
                                        "Neighbors", neighbor_json(&answers[i].neighbor)));
    }
    json_t *answer = json_pack("{s:{s:o}}", "parameters", "Neighbors", interfaces);
    char *text = r == 0 ? json_dumps(answer, JSON_COMPACT) : NULL;
    bytes_printf(out, "%s", text ? text : "broken");
    free(text);
    json_decref(answer);
    arena_free(arena);
}

void lldp_put_frame(const char *text, size_t len, struct bytes *out)
{
    uint8_t frame[LLDP_FRAME_MOST];
    struct bytes changed = { 0 };
    size_t size = text_to_bytes(text, len, 0, frame, sizeof(frame));
    if (size)
        put_frame(frame, size, &changed);
    bytes_put_hex(out, changed.data, changed.len, 0);
    bytes_free(&changed);
}
