/* SPDX-License-Identifier: MIT */
/* UCX's choice of ports and GIDs, as in UCX 1.23 (openucx/ucx 9466d104). Open MPI 5 uses InfiniBand and RoCE
 * only through UCX: the openib BTL of older versions is gone (docs.open-mpi.org, v5.0.x,
 * tuning-apps/networking/ib-and-roce). */
#include <arpa/inet.h>

#include "consumer/consumer.h"

/* A number as ucs_config_sscanf_ulunits() reads it (src/ucs/config/parser.c); false: "auto", or not a number.
 */
static bool read_number(const struct settings *settings, const char *name, uint32_t *number)
{
    unsigned long value;
    const char *text = settings_value(settings, name);
    if (!text || strcasecmp(text, "auto") == 0 || sscanf(text, "%lu", &value) != 1 || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

bool ucx_pin(const struct settings *settings, uint32_t *index)
{
    return read_number(settings, "UCX_IB_GID_INDEX", index);
}

/* UCT_IB_DEFAULT_ROCEV2_DSCP, src/uct/ib/base/ib_device.h: DSCP 26, ECT(0). The port's own traffic class takes
 * precedence; that is up to the caller. SL: src/uct/ib/base/ib_iface.c. */
enum { DEFAULT_TOS = 106 };

void ucx_traffic(const struct settings *settings, unsigned *tos, unsigned *sl)
{
    uint32_t number;
    *tos = read_number(settings, "UCX_IB_TRAFFIC_CLASS", &number) ? number & 0xff : DEFAULT_TOS;
    *sl = read_number(settings, "UCX_IB_SL", &number) ? number & 0xf : 0;
}

/* "mlx5_[0-3]:1" means four names: ucs_config_array_expand_range(). */
static bool range_is(const char *word, size_t len, const char *name)
{
    unsigned long first, last, number;
    int behind = 0;
    size_t prefix = strcspn(word, "[,");
    if (prefix >= len || strncmp(word, name, prefix) != 0 ||
        sscanf(word + prefix, "[%lu-%lu]%n", &first, &last, &behind) != 2 || !behind)
        return false;
    const char *digits = name + prefix;
    char *end;
    if (*digits < '0' || *digits > '9' || (*digits == '0' && digits[1] >= '0' && digits[1] <= '9'))
        return false;
    number = strtoul(digits, &end, 10);
    size_t suffix = len - prefix - (size_t)behind;
    return number >= first && number <= last && strlen(end) == suffix &&
           memcmp(end, word + prefix + behind, suffix) == 0;
}

static bool word_is(const char *word, size_t len, const char *name)
{
    return (strlen(name) == len && memcmp(word, name, len) == 0) || range_is(word, len, name);
}

/* ucp_is_resource_in_device_list(), src/ucp/core/ucp_context.c: devices or ports by whole name, "^" for all but
 * these, "all". */
bool ucx_takes_port(const struct settings *settings, const struct port *port)
{
    char name[256];
    const char *list = settings_value(settings, "UCX_NET_DEVICES");
    if (!list)
        return true;
    bool except = *list == '^', matched = false;
    list += except;
    if (strcmp(list, "all") == 0)
        return true;
    snprintf(name, sizeof(name), "%s:%u", port->device->name, port->number);
    while (*list) {
        size_t len = strcspn(list, ",");
        matched |= word_is(list, len, name) || word_is(list, len, port->device->name);
        list += len + (list[len] == ',');
    }
    return matched != except;
}

/* uct_ib_device_is_gid_valid(): InfiniBand's empty slots are "fe80::", and an iWARP port's GID starts with a
 * MAC. */
static bool is_valid(const struct gid *gid)
{
    static const uint8_t none[8];
    return gid && memcmp(gid->raw + 8, none, sizeof(none)) != 0;
}

/* uct_ib_device_port_check() */
bool ucx_accepts(const struct settings *settings, const struct port *port)
{
    uint32_t index = 0;
    ucx_pin(settings, &index);
    return is_valid(port_gid(port, index));
}

static const char *subnets_of(const struct settings *settings)
{
    const char *list = settings_value(settings, "UCX_IB_ROCE_SUBNETS");
    return list && strcmp(list, "all") != 0 && strcmp(list, "^all") != 0 ? list : NULL;
}

bool ucx_has_subnets(const struct settings *settings)
{
    return subnets_of(settings) != NULL;
}

/* Is a GID's address in the subnet "10.0.0.0/8" (len bytes of word)? */
static bool is_in_subnet(const char *word, size_t len, const uint8_t raw[static 16])
{
    char text[64], *slash;
    uint8_t wanted[16];
    bool v4 = gid_is_v4_mapped(raw);
    if (len >= sizeof(text))
        return false;
    memcpy(text, word, len);
    text[len] = '\0';
    slash = strchr(text, '/');
    if (!slash)
        return false;
    *slash = '\0';
    unsigned long bits = strtoul(slash + 1, NULL, 10);
    if (inet_pton(v4 ? AF_INET : AF_INET6, text, wanted) != 1 || bits > (v4 ? 32 : 128))
        return false;
    const uint8_t *own = raw + (v4 ? 12 : 0);
    size_t whole = bits / 8, rest = bits % 8;
    return memcmp(own, wanted, whole) == 0 && (rest == 0 || ((own[whole] ^ wanted[whole]) >> (8 - rest)) == 0);
}

/* uct_ib_device_match_roce_subnet() */
static bool is_in_subnets(const struct settings *settings, const struct gid *gid)
{
    const char *list = subnets_of(settings);
    if (!list)
        return true;
    bool except = *list == '^', matched = false;
    list += except;
    while (*list) {
        size_t len = strcspn(list, ",");
        matched |= is_in_subnet(list, len, gid->raw);
        list += len + (list[len] == ',');
    }
    return matched != except;
}

/* The order of uct_ib_device_select_gid(), src/uct/ib/base/ib_device.c. A type that can't be read is v1. */
static int rank(const struct gid *gid)
{
    int version = gid->type == GID_TYPE_ROCE_V2 ? 0 : 3;
    return version + (gid_is_v4_mapped(gid->raw) ? 0 : gid_is_link_local(gid->raw) ? 2 : 1);
}

int64_t ucx_choose(const struct settings *settings, const struct port *port)
{
    const struct gid *best = NULL;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (is_valid(gid) && is_in_subnets(settings, gid) && (!best || rank(gid) < rank(best)))
            best = gid;
    }
    if (!best)
        return ucx_has_subnets(settings) ? NO_SLOT : 0;
    return best->index;
}

/* The transports over RDMA devices, and their names in ucp_tl_aliases (src/ucp/core/ucp_context.c). gga and
 * rc_gda are left out: they don't carry messages between hosts by themselves. */
static const struct {
    const char *name, *aliases;
    const char *family; /* of devices that offer it; NULL: all */
} transports[] = {
    { "rc_verbs", "rc,rc_v,ib", NULL },  { "ud_verbs", "ud,ud_v,ib", NULL },
    { "rc_mlx5", "rc,rc_x,ib", "mlx5" }, { "ud_mlx5", "ud,ud_x,ib", "mlx5" },
    { "dc_mlx5", "dc,dc_x,ib", "mlx5" }, { "srd", "ib", "efa" },
};

/* A leading backslash makes a name strict. */
static bool names_transport(const char *list, size_t i)
{
    for (; *list; list += strcspn(list, ","), list += *list == ',') {
        size_t strict = *list == '\\', len = strcspn(list, ",") - strict;
        char word[32];
        if (len >= sizeof(word))
            continue;
        memcpy(word, list + strict, len);
        word[len] = '\0';
        if (strcmp(word, transports[i].name) == 0 ||
            (!strict && len && text_in_list(transports[i].aliases, word)))
            return true;
    }
    return false;
}

static bool host_has_family(const struct host *host, const char *family)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (!family || text_is(device_family(&host->devices[i]), family))
            return true;
    return false;
}

bool consumer_offers_rdma(const char *tls, const struct host *host)
{
    bool except = *tls == '^';
    tls += except;
    if (!*tls || text_in_list(tls, "all"))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(transports); i++)
        if (names_transport(tls, i) != except && host_has_family(host, transports[i].family))
            return true;
    return false;
}
