/* SPDX-License-Identifier: MIT */
/* Conversion of libibverbs' answers to and from JSON. */
#include "model/verbs.h"

#include <jansson.h>

enum { MOST_PORTS = 255, MOST_GIDS = 1 << 20 };
enum kind { KIND_INT, KIND_U32, KIND_HEX };

struct field {
    const char *key;
    enum kind kind;
    size_t offset;
};

#define DEVICE_FIELD(kind, name, ...) { #name, KIND_##kind, offsetof(struct verbs_device, name) },
#define PORT_FIELD(kind, name, ...) { #name, KIND_##kind, offsetof(struct verbs_port, name) },

/* clang-format off */
static const struct field device_fields[] = {
    DEVICE_FIELD(INT, transport_type)
    DEVICE_FIELD(HEX, node_guid)
    DEVICE_FIELD(HEX, sys_image_guid)
    DEVICE_FIELD(U32, num_comp_vectors)
    DEVICE_FIELD(U32, gids_err)
    DEVICE_FIELD(INT, dmabuf_err)
    VERBS_DEVICE_ATTRS(DEVICE_FIELD)
    VERBS_DEVICE_EX_ATTRS(DEVICE_FIELD)
    VERBS_DEVICE_NEW_ATTRS(DEVICE_FIELD)
};
static const struct field port_fields[] = {
    PORT_FIELD(U32, number)
    PORT_FIELD(U32, err)
    VERBS_PORT_ATTRS(PORT_FIELD)
    VERBS_PORT_NEW_ATTRS(PORT_FIELD)
};
/* clang-format on */

unsigned verbs_mtu_bytes(uint32_t mtu)
{
    return mtu >= 1 && mtu <= 5 ? 128u << mtu : 0;
}

struct verbs_port *verbs_device_port(const struct verbs_device *device, uint32_t number)
{
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].number == number)
            return &device->ports[i];
    return NULL;
}

static json_t *encode_field(const struct field *field, const void *object)
{
    const char *at = (const char *)object + field->offset;
    char text[24];
    if (field->kind != KIND_HEX)
        return json_integer(field->kind == KIND_INT ? *(const int32_t *)at
                                                    : (json_int_t) * (const uint32_t *)at);
    snprintf(text, sizeof(text), "0x%" PRIx64, *(const uint64_t *)at);
    return json_string(text);
}

static void encode_fields(json_t *json, const struct field *fields, size_t count, const void *object)
{
    for (size_t i = 0; i < count; i++)
        json_object_set_new(json, fields[i].key, encode_field(&fields[i], object));
}

static json_t *encode_gid(const struct gid *gid)
{
    char value[GID_TEXT_SIZE];
    gid_format(gid->raw, value);
    json_t *json = json_object();
    json_object_set_new(json, "index", json_integer(gid->index));
    json_object_set_new(json, "gid", json_string(value));
    const char *type = gid_type_text(gid->type);
    json_object_set_new(json, "type", type ? json_string(type) : json_null());
    json_object_set_new(json, "ifindex", json_integer(gid->ifindex));
    return json;
}

static json_t *encode_port(const struct verbs_port *port)
{
    json_t *json = json_object();
    encode_fields(json, port_fields, ARRAY_SIZE(port_fields), port);
    json_t *gids = json_array();
    for (size_t i = 0; i < port->ngids; i++)
        json_array_append_new(gids, encode_gid(&port->gids[i]));
    json_object_set_new(json, "gids", gids);
    return json;
}

void verbs_encode(const struct verbs_device *device, struct bytes *out)
{
    json_t *json = json_object();
    char *fw_ver = text_clean(device->fw_ver, TEXT_ONE_LINE);
    json_object_set_new(json, "fw_ver", fw_ver ? json_string(fw_ver) : json_null());
    free(fw_ver);
    encode_fields(json, device_fields, ARRAY_SIZE(device_fields), device);
    json_t *ports = json_array();
    for (size_t i = 0; i < device->nports; i++)
        json_array_append_new(ports, encode_port(&device->ports[i]));
    json_object_set_new(json, "ports", ports);
    char *text = json_dumps(json, JSON_INDENT(1));
    bytes_printf(out, "%s\n", text);
    free(text);
    json_decref(json);
}

/* A missing key leaves 0: an older roce didn't know it. */
static int decode_field(const struct field *field, json_t *json, void *object)
{
    char *at = (char *)object + field->offset;
    bool may_be_negative = field->kind == KIND_INT;
    json_t *value = json_object_get(json, field->key);
    json_int_t number = json_integer_value(value);
    if (!value)
        return 0;
    if (field->kind == KIND_HEX)
        return text_to_u64(json_is_string(value) ? json_string_value(value) : "", 16, (uint64_t *)at) < 0
                   ? -EBADMSG
                   : 0;
    if (!json_is_integer(value) || number < (may_be_negative ? INT32_MIN : 0) ||
        number > (may_be_negative ? INT32_MAX : UINT32_MAX))
        return -EBADMSG;
    *(uint32_t *)at = (uint32_t)number;
    return 0;
}

static int decode_fields(json_t *json, const struct field *fields, size_t count, void *object)
{
    for (size_t i = 0; i < count; i++)
        if (decode_field(&fields[i], json, object) < 0)
            return -EBADMSG;
    return 0;
}

static int decode_gid(json_t *json, struct gid *gid)
{
    json_t *index = json_object_get(json, "index"), *ifindex = json_object_get(json, "ifindex");
    const char *value = json_string_value(json_object_get(json, "gid"));
    const char *type = json_string_value(json_object_get(json, "type"));
    json_int_t at = json_integer_value(index), netdev = json_integer_value(ifindex);
    if (!json_is_integer(index) || at < 0 || at > UINT32_MAX || netdev < 0 || netdev > UINT32_MAX)
        return -EBADMSG;
    if (!value || gid_parse(value, gid->raw) < 0)
        return -EBADMSG;
    gid->index = (uint32_t)at;
    gid->ifindex = (uint32_t)netdev;
    gid->type = type ? gid_type_parse(type) : GID_TYPE_UNKNOWN;
    return 0;
}

static int decode_port(json_t *json, struct arena *arena, struct verbs_port *port)
{
    json_t *gids = json_object_get(json, "gids");
    size_t count = json_array_size(gids);
    if (!json_is_object(json) || count > MOST_GIDS ||
        decode_fields(json, port_fields, ARRAY_SIZE(port_fields), port) < 0)
        return -EBADMSG;
    port->gids = arena_alloc(arena, count, sizeof(*port->gids));
    for (; port->ngids < count; port->ngids++)
        if (decode_gid(json_array_get(gids, port->ngids), &port->gids[port->ngids]) < 0)
            return -EBADMSG;
    return 0;
}

static int decode_device(json_t *json, struct arena *arena, struct verbs_device *device)
{
    json_t *ports = json_object_get(json, "ports");
    size_t count = json_array_size(ports);
    if (!json_is_object(json) || !json_is_array(ports) || count > MOST_PORTS ||
        decode_fields(json, device_fields, ARRAY_SIZE(device_fields), device) < 0)
        return -EBADMSG;
    const char *fw_ver = json_string_value(json_object_get(json, "fw_ver"));
    device->fw_ver = arena_strdup(arena, fw_ver ? fw_ver : "");
    device->ports = arena_alloc(arena, count, sizeof(*device->ports));
    for (; device->nports < count; device->nports++)
        if (decode_port(json_array_get(ports, device->nports), arena, &device->ports[device->nports]) < 0)
            return -EBADMSG;
    return 0;
}

int verbs_decode(const char *text, size_t len, struct arena *arena, struct verbs_device **out)
{
    json_t *json = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    struct verbs_device *device = arena_alloc(arena, 1, sizeof(*device));
    int r = json ? decode_device(json, arena, device) : -EBADMSG;
    json_decref(json);
    if (r == 0)
        *out = device;
    return r;
}
