/* SPDX-License-Identifier: MIT */
/* What systemd-networkd keeps of LLDP: its files up to 256, its answer from 257 on. */
#include <jansson.h>

#include "neighbor/lldp_frame.h"

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
