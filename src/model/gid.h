/* SPDX-License-Identifier: MIT */
/* One entry of a port's GID table, and what its 16 bytes reveal. Pure. */
#pragma once

enum gid_type {
    GID_TYPE_UNKNOWN,
    GID_TYPE_IB_ROCE_V1, /* "IB/RoCE v1": RoCE v1 on an Ethernet port, plain InfiniBand or iWARP elsewhere
                            (core/cache.c) */
    GID_TYPE_ROCE_V2,    /* "RoCE v2" */
};

enum { GID_TEXT_SIZE = 40, GID_ADDRESS_SIZE = 46 };

struct gid {
    uint32_t index;
    uint8_t raw[16]; /* network order */
    enum gid_type type;
    const char *unknown_type; /* with GID_TYPE_UNKNOWN: the kernel's text; NULL if there was none */
    const char *netdev;       /* name from gid_attrs/ndevs, perhaps in another namespace; NULL: none */
    uint32_t ifindex;         /* from QUERY_GID_TABLE, 0: not known */
    bool elsewhere; /* that netdev is in another namespace, although one here has the same name, or the
                       port's other GIDs have theirs here: host_finish() */
};

/* The kernel's text for a type and back; gid_type_text(UNKNOWN) is NULL. */
const char *gid_type_text(enum gid_type type);
/* What the kernel calls this one's type, even if roce doesn't know it; NULL: not read. */
const char *gid_kind(const struct gid *gid);
enum gid_type gid_type_parse(const char *text);

/* 8 groups of 4 hex digits, as sysfs prints them (%pI6). gid_parse() returns 0 or -EINVAL; a trailing newline
 * is fine. */
int gid_parse(const char *text, uint8_t raw[static 16]);
void gid_format(const uint8_t raw[static 16], char text[static GID_TEXT_SIZE]);

/* "248a:0703:00b4:7a96" to a number. 0, or -EINVAL. */
int guid_parse(const char *text, uint64_t *guid);
enum { GUID_TEXT_SIZE = 20 };
void guid_format(uint64_t guid, char text[static GUID_TEXT_SIZE]); /* the same form */

bool gid_is_zero(const uint8_t raw[static 16]);
bool gid_is_any(const uint8_t raw[static 16]);           /* :: or 0.0.0.0, as "any address" */
bool gid_is_loopback(const uint8_t raw[static 16]);      /* ::1 or 127.0.0.0/8 */
bool gid_is_bare(const uint8_t raw[static 16]);          /* a prefix, and no interface id or GUID */
bool gid_is_link_local(const uint8_t raw[static 16]);    /* fe80::/10 */
bool gid_is_v4_mapped(const uint8_t raw[static 16]);     /* ::ffff:a.b.c.d */
bool gid_is_v4_link_local(const uint8_t raw[static 16]); /* ::ffff:169.254.0.0/112 */
bool gid_is_routable(const uint8_t raw[static 16]);      /* neither kind of link-local address */
/* How useful the address is: 0 link-local IPv6, 1 link-local IPv4, which somebody had to configure, 2
 * routable. */
int gid_reach(const uint8_t raw[static 16]);
/* The GID of an IP address: 4 bytes for AF_INET, else 16. */
void gid_of_address(int family, const uint8_t *address, uint8_t raw[static 16]);
/* The link-local GID that is made from a MAC (addrconf_ifid_eui48() of the kernel's net/addrconf.h). */
void gid_of_mac(const uint8_t mac[static 6], uint8_t raw[static 16]);
/* The GID of a numeric address in text: "10.0.0.1", "fd00::1"; false if it isn't one, or NULL. */
bool gid_of_text(const char *text, uint8_t raw[static 16]);
/* The address as inet_ntop writes it: "10.0.0.1" for a v4-mapped GID, IPv6 otherwise. */
void gid_address(const uint8_t raw[static 16], char text[static GID_ADDRESS_SIZE]);
/* The same, in arena. */
struct arena;
const char *gid_address_text(struct arena *arena, const uint8_t raw[static 16]);
