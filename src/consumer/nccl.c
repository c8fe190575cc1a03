/* SPDX-License-Identifier: MIT */
/* NCCL's choice of ports and GIDs, as in NCCL 2.30.7 (NVIDIA/nccl 5067397). RCCL's is the same, line by line
 * (ROCm/rocm-systems 07d6aba, projects/rccl/src/transport/net_ib/connect.cc). */
#include <arpa/inet.h>

#include "consumer/consumer.h"

int64_t nccl_number(const char *text, int64_t otherwise)
{
    if (!text || !*text)
        return otherwise;
    errno = 0;
    int64_t value = strtoll(text, NULL, 0);
    return errno ? otherwise : value;
}

static int64_t parameter(const struct settings *settings, const char *name, int64_t otherwise)
{
    return nccl_number(settings_value(settings, name), otherwise);
}

bool nccl_pin(const struct settings *settings, uint32_t *index)
{
    int64_t value = parameter(settings, "NCCL_IB_GID_INDEX", -1);
    if (value < 0 || value > UINT32_MAX)
        return false;
    *index = (uint32_t)value;
    return true;
}

/* envIbAddrFamily(), src/transport/net_ib/connect.cc: anything but AF_INET6 is AF_INET. */
bool nccl_wants_v6(const struct settings *settings)
{
    return text_is(settings_value(settings, "NCCL_IB_ADDR_FAMILY"), "AF_INET6");
}

struct range {
    uint8_t prefix[16]; /* laid out as in a GID */
    int bits;           /* counted from the first of 16 bytes; 0: matches every address, negative: none */
};

/* envIbAddrRange(): "10.0.0.0/8"; ignored if it isn't of the wanted family, or its length is missing or too
 * long. */
static struct range read_range(const struct settings *settings)
{
    struct range range = { 0 };
    char address[128];
    bool v6 = nccl_wants_v6(settings);
    const char *text = settings_value(settings, "NCCL_IB_ADDR_RANGE");
    const char *slash = text ? strchr(text, '/') : NULL;
    if (!slash || (size_t)(slash - text) >= sizeof(address))
        return range;
    snprintf(address, sizeof(address), "%.*s", (int)(slash - text), text);
    if (inet_pton(v6 ? AF_INET6 : AF_INET, address, range.prefix + (v6 ? 0 : 12)) != 1)
        return range;
    long bits = strtol(slash + 1, NULL, 10);
    range.bits = bits < 0 ? -1 : bits > (v6 ? 128 : 32) ? 0 : (int)bits;
    return range;
}

bool nccl_has_range(const struct settings *settings)
{
    return read_range(settings).bits != 0;
}

/* matchGidAddrPrefix(): only the last 4 bytes of an IPv4 address are compared. */
static bool is_in(const struct range *range, bool v6, const uint8_t raw[static 16])
{
    size_t from = v6 ? 0 : 12;
    return range->bits == 0 ||
           (range->bits > 0 && prefix_holds(range->prefix + from, (unsigned)range->bits, raw + from));
}

/* getGidAddrFamily(): anything but an IPv4 address is IPv6, even an empty slot. */
static bool is_v6(const uint8_t raw[static 16])
{
    static const uint8_t multicast[12] = { 0xff, 0x0e, [10] = 0xff, 0xff };
    return !gid_is_v4_mapped(raw) && memcmp(raw, multicast, sizeof(multicast)) != 0;
}

/* validGid(): neither empty nor in fe80::/64. */
static bool is_valid(const uint8_t raw[static 16])
{
    static const uint8_t link_local[8] = { 0xfe, 0x80 };
    return !gid_is_zero(raw) && memcmp(raw, link_local, sizeof(link_local)) != 0;
}

/* ncclIbRoceGetVersionNum() leaves the number unchanged if the kernel doesn't report one. */
static int version_of(const struct gid *gid, int otherwise)
{
    if (!gid || gid->type == GID_TYPE_UNKNOWN)
        return otherwise;
    return gid->type == GID_TYPE_ROCE_V2 ? 2 : 1;
}

struct wish {
    bool v6;
    int64_t version;
    struct range range;
};

/* ncclUpdateGidIndex(): does it move from the current slot to the candidate? NULL: an empty slot. When moving
 * to the wanted family it checks neither the version nor whether the slot is filled. */
static bool prefers(const struct wish *wish, const struct gid *current, const struct gid *candidate)
{
    static const uint8_t empty[16];
    const uint8_t *own = current ? current->raw : empty, *other = candidate ? candidate->raw : empty;
    if (is_v6(other) != wish->v6 || !is_in(&wish->range, wish->v6, other))
        return false;
    if (is_v6(own) != wish->v6)
        return true;
    int version = version_of(candidate, -1);
    return is_valid(other) && (version_of(current, 0) != version || !is_valid(own)) && version == wish->version;
}

/* ncclIbGetGidIndex() for Ethernet ports. Empty slots after the last filled one are all alike: trying the first
 * is enough. */
int64_t nccl_choose(const struct settings *settings, const struct port *port)
{
    struct wish wish = { .v6 = nccl_wants_v6(settings),
                         .version = parameter(settings, "NCCL_IB_ROCE_VERSION_NUM", 2),
                         .range = read_range(settings) };
    const struct gid *current = port_gid(port, 0);
    int64_t chosen = 0;
    uint32_t index = 1;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (gid->index > index && prefers(&wish, current, NULL)) {
            current = NULL;
            chosen = index;
        }
        if (gid->index >= index && prefers(&wish, current, gid)) {
            current = gid;
            chosen = gid->index;
        }
        if (gid->index >= index)
            index = gid->index + 1;
    }
    if (port->gid_table_len.known && index < port->gid_table_len.value && prefers(&wish, current, NULL))
        chosen = index;
    return chosen;
}

/* ncclIbGetGidIndex() for InfiniBand ports: a GID with a FLID (routed InfiniBand), by default at index 1, or
 * else index 0. NCCL_IB_GID_INDEX is for Ethernet only. */
int64_t nccl_choose_infiniband(const struct settings *settings, const struct port *port)
{
    int64_t index = parameter(settings, "NCCL_IB_ROUTABLE_FLID_GID_INDEX", 1);
    const struct gid *gid = index >= 0 && index <= UINT32_MAX ? port_gid(port, (uint32_t)index) : NULL;
    return gid && (gid->raw[4] || gid->raw[5]) ? index : 0;
}

bool nccl_is_disabled(const struct settings *settings)
{
    return parameter(settings, "NCCL_IB_DISABLE", 0) != 0;
}

/* ncclIbConnectImpl(), src/transport/net_ib/connect.cc: -1 means the communicator's own, which is 0 unless the
 * application sets it. */
void nccl_traffic(const struct settings *settings, unsigned *tos, unsigned *sl)
{
    int64_t tc = parameter(settings, "NCCL_IB_TC", -1), level = parameter(settings, "NCCL_IB_SL", -1);
    *tos = tc == -1 ? 0 : (unsigned)tc & 0xff;
    *sl = level == -1 ? 0 : (unsigned)level & 0xf;
}

/* A word of NCCL_IB_HCA or NCCL_SOCKET_IFNAME, "NAME[:PORT[:RAIL[:PLANE]]]": parseStringList() and
 * matchIfList() in src/misc/utils.cc. port -1 means any. */
static bool names_it(const char *word, bool exact, const char *device, long port)
{
    size_t name = strcspn(word, ":"), whole = strlen(device);
    if ((exact ? whole != name : whole < name) || strncmp(word, device, name) != 0)
        return false;
    if (port == -1 || !word[name] || !word[name + 1] || word[name + 1] == ':')
        return true;
    long number = strtol(word + name + 1, NULL, 10);
    return number == -1 || number == port;
}

/* "^" means all but these, a following "=" whole names instead of prefixes. A list without names takes all, or
 * with "^" none. */
static bool list_takes(const char *list, const char *device, long port)
{
    bool except = *list == '^', exact = list[except] == '=', matched = false, names = false;
    char *copy = mem_strdup(list + except + exact), *rest = copy;
    for (char *word; (word = strsep(&rest, ","));)
        if (*word && *word != ':') {
            names = true;
            matched |= names_it(word, exact, device, port);
        }
    free(copy);
    return (matched || !names) != except;
}

/* src/transport/net_ib/init.cc */
bool nccl_takes_port(const struct settings *settings, const struct port *port)
{
    const char *list = settings_value(settings, "NCCL_IB_HCA");
    return !list || list_takes(list, port->device->name, (long)port->number);
}

bool consumer_takes_socket(const char *list, const char *netdev)
{
    return list_takes(list, netdev, -1);
}
