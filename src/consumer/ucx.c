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
static bool word_is(const char *word, const char *name)
{
    unsigned long first, last;
    int behind = 0;
    size_t prefix = strcspn(word, "[");
    if (strcmp(word, name) == 0)
        return true;
    if (strncmp(word, name, prefix) != 0 || sscanf(word + prefix, "[%lu-%lu]%n", &first, &last, &behind) != 2 ||
        !behind)
        return false;
    const char *digits = name + prefix;
    char *end;
    if (!isdigit((unsigned char)*digits) || (*digits == '0' && isdigit((unsigned char)digits[1])))
        return false;
    unsigned long number = strtoul(digits, &end, 10);
    return number >= first && number <= last && strcmp(end, word + prefix + behind) == 0;
}

/* What a list names; after "^" all but that. */
static bool list_takes(const char *list, bool (*names)(char *word, const void *what), const void *what)
{
    bool except = *list == '^', matched = false;
    char *copy = mem_strdup(list + except), *rest = copy;
    for (char *word; (word = strsep(&rest, ","));)
        matched |= names(word, what);
    free(copy);
    return matched != except;
}

static bool names_port(char *word, const void *what)
{
    char name[256];
    const struct port *port = what;
    snprintf(name, sizeof(name), "%s:%u", port->device->name, port->number);
    return word_is(word, name) || word_is(word, port->device->name);
}

/* A list; NULL: it takes all. */
static const char *list_of(const struct settings *settings, const char *name)
{
    const char *list = settings_value(settings, name);
    return list && strcmp(list, "all") != 0 && strcmp(list, "^all") != 0 ? list : NULL;
}

/* ucp_is_resource_in_device_list(), src/ucp/core/ucp_context.c: devices or ports by whole name, "^" for all but
 * these, "all". */
bool ucx_takes_port(const struct settings *settings, const struct port *port)
{
    const char *list = list_of(settings, "UCX_NET_DEVICES");
    return !list || list_takes(list, names_port, port);
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

bool ucx_has_subnets(const struct settings *settings)
{
    return list_of(settings, "UCX_IB_ROCE_SUBNETS") != NULL;
}

/* Is a GID's address in the subnet "10.0.0.0/8"? */
static bool names_subnet(char *word, const void *what)
{
    uint8_t wanted[16];
    const uint8_t *raw = what;
    char *length = word;
    bool v4 = gid_is_v4_mapped(raw);
    strsep(&length, "/");
    unsigned long bits = length ? strtoul(length, NULL, 10) : ULONG_MAX;
    return inet_pton(v4 ? AF_INET : AF_INET6, word, wanted) == 1 && bits <= (v4 ? 32 : 128) &&
           prefix_holds(wanted, (unsigned)bits, raw + (v4 ? 12 : 0));
}

/* uct_ib_device_match_roce_subnet() */
static bool is_in_subnets(const struct settings *settings, const struct gid *gid)
{
    const char *list = list_of(settings, "UCX_IB_ROCE_SUBNETS");
    return !list || list_takes(list, names_subnet, gid->raw);
}

/* The order of uct_ib_device_select_gid(), src/uct/ib/base/ib_device.c. A type that can't be read is v1. */
static int score(const struct gid *gid, const void *settings)
{
    int version = gid->type == GID_TYPE_ROCE_V2 ? 3 : 0;
    if (!is_valid(gid) || !is_in_subnets(settings, gid))
        return -1;
    return version + (gid_is_v4_mapped(gid->raw) ? 2 : gid_is_link_local(gid->raw) ? 0 : 1);
}

int64_t ucx_choose(const struct settings *settings, const struct port *port)
{
    const struct gid *best = port_best_gid(port, score, settings);
    return best ? (int64_t)best->index : ucx_has_subnets(settings) ? NO_SLOT : 0;
}

/* The transports over RDMA devices, and their names in ucp_tl_aliases (src/ucp/core/ucp_context.c). gga and
 * rc_gda are left out: they don't carry messages between hosts by themselves. */
static const struct transport_name {
    const char *name, *aliases;
    const char *family; /* of devices that offer it; NULL: all */
} transports[] = {
    { "rc_verbs", "rc,rc_v,ib", NULL },  { "ud_verbs", "ud,ud_v,ib", NULL },
    { "rc_mlx5", "rc,rc_x,ib", "mlx5" }, { "ud_mlx5", "ud,ud_x,ib", "mlx5" },
    { "dc_mlx5", "dc,dc_x,ib", "mlx5" }, { "srd", "ib", "efa" },
};

/* A leading backslash makes a name strict. */
static bool names_transport(char *word, const void *what)
{
    const struct transport_name *transport = what;
    bool strict = *word == '\\';
    word += strict;
    return strcmp(word, transport->name) == 0 || (!strict && *word && text_in_list(transport->aliases, word));
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
    const char *names = tls + (*tls == '^');
    if (!*names || text_in_list(names, "all"))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(transports); i++)
        if (list_takes(tls, names_transport, &transports[i]) && host_has_family(host, transports[i].family))
            return true;
    return false;
}
