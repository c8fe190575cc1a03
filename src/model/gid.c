/* SPDX-License-Identifier: MIT */
/* What the 16 bytes of a GID mean. */
#include "model/gid.h"

#include <arpa/inet.h>
#include <endian.h>

static const char *const type_texts[] = {
    [GID_TYPE_IB_ROCE_V1] = "IB/RoCE v1",
    [GID_TYPE_ROCE_V2] = "RoCE v2",
};

const char *gid_type_text(enum gid_type type)
{
    return type_texts[type];
}

const char *gid_kind(const struct gid *gid)
{
    return gid->type == GID_TYPE_UNKNOWN ? gid->unknown_type : gid_type_text(gid->type);
}

enum gid_type gid_type_parse(const char *text)
{
    size_t len = strcspn(text, "\n");
    for (enum gid_type type = GID_TYPE_IB_ROCE_V1; type <= GID_TYPE_ROCE_V2; type++)
        if (strlen(type_texts[type]) == len && memcmp(type_texts[type], text, len) == 0)
            return type;
    return GID_TYPE_UNKNOWN;
}

/* Groups of four hex digits separated by colons, optionally followed by a newline. */
static int parse_groups(const char *text, void *bytes, size_t count)
{
    uint8_t out[16];
    if (text_to_bytes(text, strcspn(text, "\n"), 2, out, count) != count)
        return -EINVAL;
    memcpy(bytes, out, count);
    return 0;
}

int gid_parse(const char *text, uint8_t raw[static 16])
{
    return parse_groups(text, raw, 16);
}

int guid_parse(const char *text, uint64_t *guid)
{
    uint64_t raw;
    int r = parse_groups(text, &raw, sizeof(raw));
    if (r == 0)
        *guid = be64toh(raw);
    return r;
}

void guid_format(uint64_t guid, char text[static GUID_TEXT_SIZE])
{
    snprintf(text, GUID_TEXT_SIZE, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48) & 0xffff,
             (unsigned)(guid >> 32) & 0xffff, (unsigned)(guid >> 16) & 0xffff, (unsigned)guid & 0xffff);
}

void gid_format(const uint8_t raw[static 16], char text[static GID_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 16; i++) {
        *text++ = digits[raw[i] >> 4];
        *text++ = digits[raw[i] & 15];
        if (i % 2 == 1 && i < 15)
            *text++ = ':';
    }
    *text = '\0';
}

bool gid_is_zero(const uint8_t raw[static 16])
{
    static const uint8_t zero[16];
    return memcmp(raw, zero, 16) == 0;
}

bool gid_is_bare(const uint8_t raw[static 16])
{
    static const uint8_t zero[8];
    return memcmp(raw + 8, zero, 8) == 0;
}

bool gid_is_link_local(const uint8_t raw[static 16])
{
    return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80;
}

void gid_of_address(int family, const uint8_t *address, uint8_t raw[static 16])
{
    static const uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff };
    memcpy(raw, family == AF_INET ? mapped : address, 16);
    if (family == AF_INET)
        memcpy(raw + 12, address, 4);
}

void gid_of_mac(const uint8_t mac[static 6], uint8_t raw[static 16])
{
    const uint8_t made[16] = { 0xfe,   0x80,  [8] = (uint8_t)(mac[0] ^ 2), mac[1], mac[2], 0xff, 0xfe, mac[3],
                               mac[4], mac[5] };
    memcpy(raw, made, sizeof(made));
}

bool gid_of_text(const char *text, uint8_t raw[static 16])
{
    uint8_t address[16];
    int family = text && strchr(text, ':') ? AF_INET6 : AF_INET;
    if (!text || inet_pton(family, text, address) != 1)
        return false;
    gid_of_address(family, address, raw);
    return true;
}

bool gid_is_v4_mapped(const uint8_t raw[static 16])
{
    static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };
    return memcmp(raw, prefix, 12) == 0;
}

bool gid_is_any(const uint8_t raw[static 16])
{
    return gid_is_zero(raw) || (gid_is_v4_mapped(raw) && memcmp(raw + 12, "\0\0\0", 4) == 0);
}

bool gid_is_loopback(const uint8_t raw[static 16])
{
    static const uint8_t v6[16] = { [15] = 1 };
    return (gid_is_v4_mapped(raw) && raw[12] == 127) || memcmp(raw, v6, 16) == 0;
}

bool gid_is_v4_link_local(const uint8_t raw[static 16])
{
    return gid_is_v4_mapped(raw) && raw[12] == 169 && raw[13] == 254;
}

bool gid_is_routable(const uint8_t raw[static 16])
{
    return !gid_is_link_local(raw) && !gid_is_v4_link_local(raw);
}

int gid_reach(const uint8_t raw[static 16])
{
    return gid_is_routable(raw) ? 2 : gid_is_v4_link_local(raw) ? 1 : 0;
}

void gid_address(const uint8_t raw[static 16], char text[static GID_ADDRESS_SIZE])
{
    if (!gid_is_v4_mapped(raw)) {
        inet_ntop(AF_INET6, raw, text, GID_ADDRESS_SIZE);
        return;
    }
    for (size_t i = 12; i < 16; i++) {
        text = text_put_u64(text, raw[i]);
        *text++ = i < 15 ? '.' : '\0';
    }
}

const char *gid_address_text(struct arena *arena, const uint8_t raw[static 16])
{
    char *text = arena_alloc(arena, 1, GID_ADDRESS_SIZE);
    gid_address(raw, text);
    return text;
}
