/* SPDX-License-Identifier: MIT */
/* Devices and ports: names of their states, and what follows from their drivers. */
#include "model/device.h"

static const char *const transport_texts[] = { WORDS_TRANSPORT };

const char *transport_text(enum transport transport)
{
    return transport_texts[transport];
}

static const char *const link_layer_texts[] = {
    [LINK_LAYER_INFINIBAND] = "InfiniBand",
    [LINK_LAYER_ETHERNET] = "Ethernet",
};

const char *link_layer_text(enum link_layer layer)
{
    return link_layer_texts[layer];
}

enum link_layer link_layer_parse(const char *text)
{
    for (enum link_layer layer = LINK_LAYER_INFINIBAND; layer <= LINK_LAYER_ETHERNET; layer++)
        if (strcmp(text, link_layer_texts[layer]) == 0)
            return layer;
    return LINK_LAYER_UNKNOWN;
}

static enum transport port_transport(enum link_layer layer)
{
    return layer == LINK_LAYER_ETHERNET     ? TRANSPORT_ROCE
           : layer == LINK_LAYER_INFINIBAND ? TRANSPORT_INFINIBAND
                                            : TRANSPORT_UNKNOWN;
}

enum transport device_transport(struct num node_type, const enum link_layer *layers, size_t nports)
{
    /* enum rdma_node_type (rdma/ib_verbs.h): 1 CA, 2 switch, 3 router, 4 RNIC, 5 usNIC, 6 usNIC over UDP, 7
     * unspecified */
    static const enum transport by_type[] = {
        [4] = TRANSPORT_IWARP, [5] = TRANSPORT_USNIC, [6] = TRANSPORT_USNIC, [7] = TRANSPORT_UNSPECIFIED
    };
    if (!node_type.known)
        return TRANSPORT_UNKNOWN;
    if (node_type.value < ARRAY_SIZE(by_type) && by_type[node_type.value])
        return by_type[node_type.value];
    enum transport all = TRANSPORT_UNKNOWN;
    for (size_t i = 0; i < nports; i++) {
        enum transport one = port_transport(layers[i]);
        if (one == TRANSPORT_UNKNOWN)
            continue;
        if (all != TRANSPORT_UNKNOWN && all != one)
            return TRANSPORT_MIXED;
        all = one;
    }
    return all;
}

int rate_parse(const char *text, uint64_t *mbps)
{
    char *end = NULL;
    if (*text < '0' || *text > '9')
        return -EINVAL;
    unsigned long whole = strtoul(text, &end, 10);
    uint64_t result = (uint64_t)whole * 1000;
    if (*end == '.') {
        if (end[1] < '0' || end[1] > '9')
            return -EINVAL;
        result += (uint64_t)(end[1] - '0') * 100;
        end += 2;
    }
    if (strncmp(end, " Gb/sec", 7) != 0 || whole > 1000000)
        return -EINVAL;
    *mbps = result;
    return 0;
}

int state_parse(const char *line, uint64_t *number, const char **text)
{
    char *end = NULL;
    if (*line < '0' || *line > '9')
        return -EINVAL;
    unsigned long value = strtoul(line, &end, 10);
    if (*end != ':' && *end != '\0' && *end != '\n')
        return -EINVAL;
    if (*end == ':')
        end++;
    *number = value;
    *text = end + strspn(end, " ");
    return 0;
}

static bool is_rxe(const char *driver)
{
    return text_is(driver, "rxe");
}

bool device_is_rxe(const struct device *device)
{
    return is_rxe(device->driver);
}

bool device_is_smi(const struct device *device)
{
    return text_starts(device->name, "smi");
}

bool device_is_soft(const struct device *device)
{
    return is_rxe(device->driver) || text_is(device->driver, "siw");
}

bool port_is_roce(const struct port *port)
{
    return port->transport == TRANSPORT_ROCE;
}

bool port_has_roce_off(const struct port *port)
{
    return port_is_roce(port) && (num_is(port->gid_table_len, 0) || port->device->roce_enabled == TRI_NO);
}

bool port_is_raw(const struct port *port)
{
    bool bare = port->gid_table_len.known && port->gid_table_len.value == 0;
    bool mana = text_is(counter_family(port->device->driver), "mana");
    return bare && (mana || num_is(port->state, PORT_STATE_NOP));
}

bool port_is_active(const struct port *port)
{
    return num_is(port->state, PORT_STATE_ACTIVE) || num_is(port->state, PORT_STATE_ACTIVE_DEFER);
}

unsigned roce_mtu(uint64_t netdev_mtu, const char *driver)
{
    uint64_t headers = is_rxe(driver) ? 80 : 96;
    for (unsigned mtu = 4096; mtu >= 256; mtu /= 2)
        if (netdev_mtu >= mtu + headers)
            return mtu;
    return 0;
}

const struct counter *counter_like(const struct counter *counters, size_t count, const struct counter *like)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counters[i].name, like->name) == 0 && strcmp(counters[i].dir, like->dir) == 0)
            return &counters[i];
    return NULL;
}

const struct counter *port_counter_like(const struct port *port, const struct counter *like)
{
    const struct counter *own = counter_like(port->counters, port->ncounters, like);
    return own ? own : counter_like(port->device->counters, port->device->ncounters, like);
}

struct port *device_port(const struct device *device, uint32_t number)
{
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].number == number)
            return &device->ports[i];
    return NULL;
}

struct port *device_port_named(const struct device *device, const char *name)
{
    char text[16];
    for (size_t i = 0; i < device->nports; i++) {
        snprintf(text, sizeof(text), "%u", device->ports[i].number);
        if (strcmp(text, name) == 0)
            return &device->ports[i];
    }
    return NULL;
}

static struct gid *gid_at(struct gid *gids, size_t count, uint32_t index)
{
    for (size_t i = 0; i < count; i++)
        if (gids[i].index == index)
            return &gids[i];
    return NULL;
}

static int by_raw(const void *a, const void *b)
{
    const struct gid *x = *(const struct gid *const *)a, *y = *(const struct gid *const *)b;
    int order = memcmp(x->raw, y->raw, sizeof(x->raw));
    return order ? order : (x > y) - (x < y);
}

void port_order_gids(struct port *port, struct arena *arena)
{
    port->by_raw = arena_alloc(arena, port->ngids + 1, sizeof(*port->by_raw));
    for (size_t i = 0; i < port->ngids; i++)
        port->by_raw[i] = &port->gids[i];
    qsort((void *)port->by_raw, port->ngids, sizeof(*port->by_raw), by_raw);
}

const struct gid *port_next_gid(const struct port *port, const uint8_t raw[static 16],
                                const struct gid *previous)
{
    size_t from = 0, to = port->by_raw ? port->ngids : 0;
    while (from < to) {
        size_t middle = (from + to) / 2;
        const struct gid *gid = port->by_raw[middle];
        int order = memcmp(gid->raw, raw, 16);
        if (order < 0 || (order == 0 && previous && gid <= previous))
            from = middle + 1;
        else
            to = middle;
    }
    if (port->by_raw)
        return from < port->ngids && memcmp(port->by_raw[from]->raw, raw, 16) == 0 ? port->by_raw[from] : NULL;
    for (size_t i = previous ? (size_t)(previous - port->gids) + 1 : 0; i < port->ngids; i++)
        if (memcmp(port->gids[i].raw, raw, 16) == 0)
            return &port->gids[i];
    return NULL;
}

struct gid *port_gid(const struct port *port, uint32_t index)
{
    return gid_at(port->gids, port->ngids, index);
}

bool port_tells_types(const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].type != GID_TYPE_UNKNOWN || port->gids[i].unknown_type)
            return true;
    return false;
}

const struct gid *port_slot(const struct port *port, uint32_t index)
{
    const struct gid *gid = port_gid(port, index);
    return gid ? gid : gid_at(port->bare_gids, port->nbare_gids, index);
}

const struct gid *port_best_gid(const struct port *port, int (*score)(const struct gid *gid, const void *data),
                                const void *data)
{
    const struct gid *best = NULL;
    int most = -1;
    for (size_t i = 0; i < port->ngids; i++) {
        int here = score(&port->gids[i], data);
        if (here > most) {
            most = here;
            best = &port->gids[i];
        }
    }
    return best;
}

/* A GID of a netdev in another namespace is usable only there. */
static int main_score(const struct gid *gid, const void *unused)
{
    (void)unused;
    enum { HERE = 100 };
    int reach = gid_reach(gid->raw);
    return (gid->elsewhere ? 0 : HERE) + (reach ? 2 * reach + (gid->type == GID_TYPE_ROCE_V2) : 0);
}

const struct gid *port_main_gid(const struct port *port)
{
    return port->transport == TRANSPORT_IWARP ? NULL : port_best_gid(port, main_score, NULL);
}

static int routable_score(const struct gid *gid, const void *unused)
{
    (void)unused;
    return gid->type == GID_TYPE_ROCE_V2 && gid_is_routable(gid->raw) ? !gid->elsewhere : -1;
}

const struct gid *port_first_routable(const struct port *port)
{
    return port_best_gid(port, routable_score, NULL);
}

const char *aer_file(enum aer_severity severity)
{
    static const char *const files[] = { "aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal" };
    return WORD_AT(files, severity);
}

/* In the PCI Express Base Specification's terms: of the correctable errors, receiver errors, the two of bad
 * packets and the two of replays concern the link itself; an advisory non-fatal error is left to the other side
 * to handle, a header log overflow loses only an error record, and an internal error has been corrected by the
 * device. An unsupported request is mostly for something that isn't there, as lspci and drivers issue while
 * probing. */
enum aer_nature aer_nature(enum aer_severity severity, const char *kind)
{
    if (severity == AER_CORRECTABLE)
        return text_in_list("RxErr,BadTLP,BadDLLP,Rollover,Timeout", kind) ? AER_OF_LINK : AER_HARMLESS;
    return severity == AER_NONFATAL && strcmp(kind, "UnsupReq") == 0 ? AER_HARMLESS : AER_SERIOUS;
}

struct aer aer_parse(const char *text, struct arena *arena)
{
    struct aer aer = { .known = true };
    for (const char *line = text; *line; line = text_next_line(line)) {
        size_t name = strcspn(line, " \n"), len = strcspn(line, "\n");
        uint64_t count;
        if (!name || name == len || text_starts(line, "TOTAL_"))
            continue;
        if (text_to_u64(arena_strndup(arena, line + name + 1, len - name - 1), 10, &count) < 0)
            continue;
        *ARENA_PUSH(arena, aer.kinds, aer.nkinds) = (struct aer_kind){ arena_strndup(arena, line, name),
                                                                       count };
    }
    return aer;
}

uint64_t aer_count(const struct aer *aer, const char *kind)
{
    for (size_t i = 0; i < aer->nkinds; i++)
        if (strcmp(aer->kinds[i].name, kind) == 0)
            return aer->kinds[i].count;
    return 0;
}

const char *device_family(const struct device *device)
{
    const char *family = counter_family(device->driver);
    return family ? family : counter_family(device->name);
}
