/* SPDX-License-Identifier: MIT */
/* The table of consumers: how each chooses a GID, and its rule in words. */
#include "consumer/consumer.h"

#include "model/topology.h"
#include "tables.h"

static bool is_v4(const struct gid *gid)
{
    return gid_is_v4_mapped(gid->raw);
}

static bool is_v2(const struct gid *gid)
{
    return gid->type == GID_TYPE_ROCE_V2;
}

/* compute_gid_score() of perftest 6.29 (linux-rdma/perftest 00b55b6, src/perftest_communication.c), without
 * --ipv6. */
static int perftest_score(const struct gid *gid, const void *settings)
{
    (void)settings;
    int version = is_v2(gid) ? 2 : gid->type == GID_TYPE_IB_ROCE_V1 ? 1 : 0;
    return (is_v4(gid) ? 100 : 0) + (gid_is_routable(gid->raw) ? 10 : 0) + version;
}

static int64_t perftest_choose(const struct settings *settings, const struct port *port)
{
    const struct gid *best = port_best_gid(port, perftest_score, settings);
    return best ? (int64_t)best->index : NO_SLOT;
}

static int rdma_cm_score(const struct gid *gid, const void *cm_mode)
{
    const struct num *mode = cm_mode;
    int reach = gid_reach(gid->raw);
    if (gid->type == (mode->known ? mode->value : GID_TYPE_ROCE_V2))
        return 10 + reach;
    return mode->known ? -1 : reach;
}

/* Linux 6.12, drivers/infiniband/core/cma.c: cma_validate_port() requires the source address's GID in the
 * port's default version, which is v2 if the device supports it (cma_add_one()), unless configfs says
 * otherwise. The caller chooses the source address; this is what an application bound to the port's first
 * routable address gets. libfabric 2.7 (ofiwg/libfabric af8ddbe, prov/verbs) leaves the choice to it, except
 * for datagram endpoints (FI_VERBS_GID_IDX, 0). */
static int64_t rdma_cm_choose(const struct settings *settings, const struct port *port)
{
    (void)settings;
    const struct gid *best = port_best_gid(port, rdma_cm_score, &port->cm_mode);
    return best ? (int64_t)best->index : NO_SLOT;
}

static const char *const nccl_variables[] = { VARIABLES_OF_NCCL, NULL };
static const char *const ucx_variables[] = { VARIABLES_OF_UCX, NULL };

static const char *const mpi_variables[] = { VARIABLES_OF_MPI, NULL };

#define NCCL_VARIABLES                                                                                      \
    .pin = nccl_pin, .pin_name = "NCCL_IB_GID_INDEX", .takes = nccl_takes_port, .list_name = "NCCL_IB_HCA", \
    .choose = nccl_choose, .variables = nccl_variables
#define UCX_RULE                                                                                             \
    .pin = ucx_pin, .pin_name = "UCX_IB_GID_INDEX", .takes = ucx_takes_port, .list_name = "UCX_NET_DEVICES", \
    .choose = ucx_choose
#define UCX_VARIABLES UCX_RULE, .variables = ucx_variables
#define MPI_VARIABLES UCX_RULE, .variables = mpi_variables

static const struct {
    enum library library;
    const char *name, *pin_name, *list_name;
    const char *const *variables;
    bool (*pin)(const struct settings *settings, uint32_t *index);
    bool (*takes)(const struct settings *settings, const struct port *port);
    int64_t (*choose)(const struct settings *settings, const struct port *port);
} consumers[CONSUMERS] = {
    [CONSUMER_NCCL] = { .name = "nccl", .library = LIBRARY_NCCL, NCCL_VARIABLES },
    [CONSUMER_RCCL] = { .name = "rccl", .library = LIBRARY_RCCL, NCCL_VARIABLES },
    [CONSUMER_UCX] = { .name = "ucx", .library = LIBRARY_UCX, UCX_VARIABLES },
    [CONSUMER_PERFTEST] = { .name = "perftest", .choose = perftest_choose },
    [CONSUMER_RDMA_CM] = { .name = "rdma_cm", .choose = rdma_cm_choose },
    [CONSUMER_LIBFABRIC] = { .name = "libfabric", .choose = rdma_cm_choose },
    [CONSUMER_MPI] = { .name = "mpi", .library = LIBRARY_UCX, MPI_VARIABLES },
};

const char *consumer_name(enum consumer consumer)
{
    return consumers[consumer].name;
}

enum consumer consumer_parse(const char *name)
{
    enum consumer consumer = 0;
    while (consumer < CONSUMERS && strcmp(consumers[consumer].name, name) != 0)
        consumer++;
    return consumer;
}

static struct settings settings_of(enum consumer consumer, const struct system *system)
{
    return (struct settings){ .system = system, .library = consumers[consumer].library };
}

bool consumer_takes_port(enum consumer consumer, const struct system *system, const struct port *port)
{
    struct settings settings = settings_of(consumer, system);
    return !consumers[consumer].takes || consumers[consumer].takes(&settings, port);
}

bool consumer_pin(enum consumer consumer, const struct system *system, uint32_t *index)
{
    struct settings settings = settings_of(consumer, system);
    return consumers[consumer].pin && consumers[consumer].pin(&settings, index);
}

struct setting consumer_setting(enum consumer consumer, const struct system *system, const char *name)
{
    bool mca = consumer == CONSUMER_MPI && text_starts(name, "OMPI_MCA_");
    return system_setting(system, mca ? LIBRARY_MPI : consumers[consumer].library, name);
}

const char *const *consumer_variables(enum consumer consumer)
{
    static const char *const none[] = { NULL };
    return consumers[consumer].variables ? consumers[consumer].variables : none;
}

bool consumer_is_configured(enum consumer consumer, const struct system *system)
{
    static const char *const prefixes[] = {
        [LIBRARY_NCCL] = "NCCL_", [LIBRARY_RCCL] = "RCCL_", [LIBRARY_UCX] = "UCX_", [LIBRARY_MPI] = "OMPI_"
    };
    enum library library = consumers[consumer].library;
    if (library == LIBRARY_NONE)
        return false;
    for (size_t i = 0; i < system->nenvironment; i++)
        if (text_starts(system->environment[i].name, prefixes[library]))
            return true;
    for (size_t i = 0; i < system->nsettings; i++)
        if (system->settings[i].library == library && !system->settings[i].conditional)
            return true;
    return false;
}

bool consumer_is_disabled(enum consumer consumer, const struct system *system)
{
    struct settings settings = settings_of(consumer, system);
    return nccl_is_disabled(&settings);
}

static bool is_nccl(enum consumer consumer)
{
    return consumer == CONSUMER_NCCL || consumer == CONSUMER_RCCL;
}

struct traffic consumer_traffic(enum consumer consumer, const struct system *system)
{
    struct traffic traffic = { 0 };
    struct settings settings = settings_of(consumer, system);
    (is_nccl(consumer) ? nccl_traffic : ucx_traffic)(&settings, &traffic.tos, &traffic.sl);
    traffic.tos_by = consumer_setting(consumer, system,
                                      is_nccl(consumer) ? "NCCL_IB_TC" : "UCX_IB_TRAFFIC_CLASS");
    traffic.sl_by = consumer_setting(consumer, system, is_nccl(consumer) ? "NCCL_IB_SL" : "UCX_IB_SL");
    return traffic;
}

static bool is_ucx(enum consumer consumer)
{
    return consumer == CONSUMER_UCX || consumer == CONSUMER_MPI;
}

static bool is_rdma_cm(enum consumer consumer)
{
    return consumer == CONSUMER_RDMA_CM || consumer == CONSUMER_LIBFABRIC;
}

/* What keeps a port from being used at all, given what was read from the host. */
static const char *flaw_of_port(const struct host *host, const struct port *port, const struct gid *gid)
{
    if (port->state.known && !port_is_active(port))
        return "the port is not ACTIVE";
    const struct device_node *node = &port->device->uverbs;
    if ((host->needs & NEED_NODES) && (node->tried ? node->err : !node->name && !host->partial))
        return "this process can't open the device";
    if (system_hides(&host->system, port->device))
        return "libibverbs hides the device, for want of a provider that can serve it";
    if ((host->needs & NEED_NETDEV) && gid && gid->netdev && !gid_netdev(host, gid))
        return "its netdev is in another network namespace";
    return NULL;
}

/* A card builds the packet itself, from the GID's MAC and VLAN (rdma_read_gid_l2_fields() in
 * drivers/infiniband/core/cache.c); a software device sends through the netdev. */
bool gid_is_of_tunnel(const struct host *host, const struct port *port, const struct gid *gid)
{
    static const char *const kinds[] = { "vxlan", "geneve", "gretap", "ip6gretap", "gre", "ip6gre" };
    const struct netdev *netdev = host->needs & NEED_NETDEV_ALL ? gid_netdev(host, gid) : NULL;
    for (size_t i = 0; netdev && !device_is_soft(port->device) && i < ARRAY_SIZE(kinds); i++)
        if (text_is(netdev->kind_text, kinds[i]))
            return true;
    return false;
}

static const char *flaw_of_cut(const struct cut *cut)
{
    static const char *const flaws[] = { TAKEN_FRAMES };
    return flaws[cut->frames];
}

static const char *flaw_of(const struct choice *choice, const struct host *host, const struct port *port)
{
    struct cut cut;
    if (!choice->gid)
        return choice->pinned  ? "the pinned slot is empty"
               : choice->taken ? "the slot is empty: connections will fail"
                               : "there is no GID to use: connections will fail";
    if (gid_is_link_local(choice->gid->raw) && port_other_half(host, port) && !port_is_taken(host, port))
        return "link-local, though the other PCIe link of its port has an address: give its netdev one, too, "
               "or half of the port's rate may lie idle";
    if (gid_is_link_local(choice->gid->raw))
        return "link-local: reaches the same Ethernet segment only, often nothing at all";
    /* two hosts connected directly usually have only 169.254.0.0/16, which suffices there */
    if (gid_is_v4_link_local(choice->gid->raw) && port_first_routable(port))
        return "169.254.0.0/16: reaches the same Ethernet segment only, and the port has a better GID";
    if (!is_v2(choice->gid))
        return "RoCE v1: not routed, and unreachable for peers that use v2";
    if (gid_is_cut_off(host, port, choice->gid, &cut))
        return flaw_of_cut(&cut);
    if (gid_is_of_tunnel(host, port, choice->gid))
        return "the GID of a tunnel, whose header the card doesn't put around RoCE's packets: nobody answers";
    return NULL;
}

/* NCCL's reason for its choice when nothing is pinned. */
static const char *nccl_reason(const struct settings *settings, const struct choice *choice)
{
    bool v6 = nccl_wants_v6(settings);
    const struct gid *gid = choice->gid;
    if (!gid && choice->index)
        return "it moves to an empty slot: NCCL_IB_ADDR_FAMILY asks for IPv6, and the GIDs before it are IPv4";
    if (choice->index == 0 && gid && is_v4(gid) != v6 && gid_is_routable(gid->raw))
        return "it starts at index 0, and nothing behind it fits better";
    if (choice->index == 0 && nccl_has_range(settings))
        return "no GID in NCCL_IB_ADDR_RANGE: it stays at index 0";
    if (choice->index == 0)
        return v6 ? "no IPv6 GID beyond the link-local ones: it stays at index 0"
                  : "no IPv4 GID: it stays at index 0";
    if (v6)
        return is_v2(gid) ? "first RoCE v2 GID with an IPv6 address, as NCCL_IB_ADDR_FAMILY asks"
                          : "first GID with an IPv6 address, and NCCL_IB_ROCE_VERSION_NUM asks for no v2";
    return is_v2(gid) ? "first RoCE v2 GID with an IPv4 address" : "no RoCE v2 GID that its rule prefers";
}

/* Is there a link-local v2 GID before the chosen one? UCX before 1.21 (openucx/ucx 6136b2f) and perftest before
 * 26.04 (linux-rdma/perftest 57927ab) take it on a port without an IPv4 GID. */
static bool has_local_before(const struct port *port, uint32_t index)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].index < index && is_v2(&port->gids[i]) && gid_is_link_local(port->gids[i].raw))
            return true;
    return false;
}

/* For a global IPv6 v2 GID on a port without an IPv4 one. */
static const char *reason_of_v6(enum consumer consumer, const struct port *port, uint32_t index)
{
    if (is_ucx(consumer) && has_local_before(port, index))
        return "no IPv4 GID: first global IPv6 one of RoCE v2 (UCX before 1.21: link-local)";
    if (consumer == CONSUMER_PERFTEST && has_local_before(port, index))
        return "no IPv4 GID: first global IPv6 one of RoCE v2 (perftest before 26.04: link-local)";
    return "no IPv4 GID: first RoCE v2 GID with a global IPv6 address";
}

static const char *reason(enum consumer consumer, const struct settings *settings, const struct port *port,
                          const struct choice *choice)
{
    const struct gid *gid = choice->gid;
    if (gid && is_v2(gid) && gid_is_v4_link_local(gid->raw))
        return "IPv4 of RoCE v2, of 169.254.0.0/16: peers on the same link only";
    if (is_nccl(consumer))
        return nccl_reason(settings, choice);
    if (!gid && is_ucx(consumer) && ucx_has_subnets(settings))
        return "no GID that UCX_IB_ROCE_SUBNETS leaves";
    if (!gid)
        return "the table has no entry that its rule accepts";
    if (is_rdma_cm(consumer) && !is_v2(gid) && num_is(port->cm_mode, GID_TYPE_IB_ROCE_V1))
        return "the port's default RoCE version is v1";
    if (is_v2(gid))
        return is_v4(gid)                  ? "first RoCE v2 GID with an IPv4 address"
               : gid_is_routable(gid->raw) ? reason_of_v6(consumer, port, choice->index)
                                           : "there is nothing better than a link-local v2 GID";
    return "no RoCE v2 GID that its rule prefers";
}

/* InfiniBand addresses ports by LID; a GID is added only to reach other subnets. */
static struct choice choose_infiniband(enum consumer consumer, const struct host *host,
                                       const struct settings *settings, const struct port *port)
{
    struct choice choice = { .taken = true, .why = "InfiniBand addresses by LID: there is no GID to choose" };
    if (is_nccl(consumer))
        choice.index = (uint32_t)nccl_choose_infiniband(settings, port);
    if (is_ucx(consumer) && ucx_pin(settings, &choice.index)) {
        choice.pinned = true;
        choice.why = consumers[consumer].pin_name;
        choice.by = consumer_setting(consumer, settings->system, choice.why);
    }
    choice.gid = port_gid(port, choice.index);
    if (num_is(port->state, PORT_STATE_DOWN)) {
        choice.unused = true;
        choice.why = "the port is DOWN, and so left alone: no cable, or switched off";
        return choice;
    }
    choice.flaw = flaw_of_port(host, port, NULL);
    if (!choice.flaw && is_ucx(consumer) && port->gid_table_len.known && !ucx_accepts(settings, port))
        choice.flaw = "UCX leaves the port out: the slot it looks at is empty";
    return choice;
}

/* Only RDMA_CM can connect iWARP queue pairs, over TCP, by the netdev's address. Its one GID is the MAC, which
 * UCX treats as empty; NCCL takes the port for RoCE, because its link layer is Ethernet. */
static struct choice choose_iwarp(enum consumer consumer, const struct host *host, const struct port *port)
{
    struct choice choice = { .why = "iWARP uses the netdev's IP address: there is no GID to choose" };
    if (is_ucx(consumer)) {
        choice.unused = true;
        choice.why = "UCX leaves iWARP ports out";
        return choice;
    }
    choice.flaw = flaw_of_port(host, port, NULL);
    if (is_nccl(consumer) && !choice.flaw)
        choice.flaw =
            "iWARP connects through RDMA_CM only, which NCCL doesn't use: leave the port out (NCCL_IB_HCA)";
    return choice;
}

/* NCCL checks only state and link layer, and then ibv_query_gid() fails. */
static struct choice choose_without_roce(enum consumer consumer, const struct host *host,
                                         const struct port *port)
{
    bool of_switch = device_is_switch(host, port->device);
    struct choice choice = { .why = of_switch ? "switchdev mode: RoCE belongs to the functions, there is no GID"
                                              : "RoCE is switched off: there is no GID" };
    if (is_nccl(consumer) && port_is_active(port))
        choice.flaw =
            of_switch
                ? "NCCL takes the port although it has no GID, and connections fail: leave it out (NCCL_IB_HCA)"
                : "NCCL takes the port although RoCE is switched off, and connections fail: leave it out "
                  "(NCCL_IB_HCA)";
    else
        choice.unused = true;
    return choice;
}

static struct choice choose_roce(enum consumer consumer, const struct host *host,
                                 const struct settings *settings, const struct port *port)
{
    struct choice choice = { 0 };
    if (!port->ngids && !port->gid_table_len.known)
        return (struct choice){ .unknown = true,
                                .why = "its GIDs aren't known here",
                                .flaw = flaw_of_port(host, port, NULL) };
    if (consumer_pin(consumer, settings->system, &choice.index)) {
        choice.pinned = choice.taken = true;
        choice.why = consumers[consumer].pin_name;
        choice.by = consumer_setting(consumer, settings->system, choice.why);
    } else {
        int64_t index = consumers[consumer].choose(settings, port);
        choice.taken = index != NO_SLOT;
        choice.index = choice.taken ? (uint32_t)index : 0;
    }
    choice.gid = choice.taken ? port_gid(port, choice.index) : NULL;
    if (!choice.pinned)
        choice.why = reason(consumer, settings, port, &choice);
    choice.flaw = flaw_of_port(host, port, choice.gid);
    /* uct_ib_iface_init_roce_gid_info(), since 1.18 */
    if (!choice.flaw && is_ucx(consumer) && choice.pinned && ucx_has_subnets(settings))
        choice.flaw =
            "UCX_IB_ROCE_SUBNETS is set, too: UCX takes one of the two, and with both leaves the port out";
    if (!choice.flaw && is_ucx(consumer) && !choice.pinned && port->ngids && !ucx_accepts(settings, port))
        choice.flaw = "UCX leaves the port out: its GID 0 is empty";
    if (!choice.flaw)
        choice.flaw = flaw_of(&choice, host, port);
    return choice;
}

static struct choice choose(enum consumer consumer, const struct host *host, const struct system *system,
                            const struct port *port)
{
    struct settings settings = settings_of(consumer, system);
    if (!consumer_takes_port(consumer, system, port))
        return (struct choice){ .unused = true,
                                .left_out = true,
                                .why = consumers[consumer].list_name,
                                .by = consumer_setting(consumer, system, consumers[consumer].list_name) };
    if (port->transport == TRANSPORT_INFINIBAND)
        return choose_infiniband(consumer, host, &settings, port);
    if (port->transport == TRANSPORT_IWARP)
        return choose_iwarp(consumer, host, port);
    if (port_has_roce_off(port))
        return choose_without_roce(consumer, host, port);
    return choose_roce(consumer, host, &settings, port);
}

struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port)
{
    return choose(consumer, host, &host->system, port);
}

/* What it would take with the index pinned. */
static struct choice choose_pinned(enum consumer consumer, const struct host *host, const struct port *port,
                                   uint32_t at)
{
    char index[16];
    snprintf(index, sizeof(index), "%" PRIu32, at);
    struct environment variable = { consumers[consumer].pin_name, index };
    struct system advised = { .environment = &variable, .nenvironment = 1 };
    return choose(consumer, host, &advised, port);
}

struct place {
    const struct host *host;
    const struct port *port;
};

/* Scores good GIDs, preferring IPv4 as the rules do. */
static int good_score(const struct gid *gid, const void *data)
{
    const struct place *at = data;
    bool good = is_v2(gid) && gid_is_routable(gid->raw) && gid_netdev(at->host, gid) &&
                !gid_is_cut_off(at->host, at->port, gid, NULL) && !gid_is_of_tunnel(at->host, at->port, gid);
    return good ? is_v4(gid) : -1;
}

struct choice consumer_advise(enum consumer consumer, const struct host *host, const struct port *port,
                              bool told)
{
    struct environment variable = { "NCCL_IB_ADDR_FAMILY", "AF_INET6" };
    struct system advised = { .environment = &variable, .nenvironment = told && is_nccl(consumer) };
    struct choice choice = choose(consumer, host, &advised, port);
    struct settings settings = settings_of(consumer, &advised);
    if (!told || !consumers[consumer].pin_name || !port_is_roce(port) || !port->ngids)
        return choice;
    if (is_ucx(consumer) && choice.gid && !ucx_accepts(&settings, port))
        return choose_pinned(consumer, host, port, choice.index);
    /* one that the rule doesn't reach, because GIDs of other namespaces or of a tunnel precede it */
    const struct gid *better = choice.flaw ? port_best_gid(port, good_score, &(struct place){ host, port })
                                           : NULL;
    return better ? choose_pinned(consumer, host, port, better->index) : choice;
}

struct choice consumer_best(enum consumer consumer, const struct host *host, const struct port *port)
{
    struct choice choice = consumer_advise(consumer, host, port, false);
    return choice.flaw ? consumer_advise(consumer, host, port, true) : choice;
}
