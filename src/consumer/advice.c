/* SPDX-License-Identifier: MIT */
/* What to tell a consumer: the ports and GIDs that are good for it, and the line to paste. */
#include "consumer/advice.h"

#include "consumer/gpu.h"
#include "tables.h"

/* Its rule; and the lines to paste, with variables in braces: good is for RoCE ports, pinned if only an index
 * selects the GID, bare for ports that need none. {forget} is what must not be set, {ports} are all good ports,
 * {pinned} those for which the index is valid. */
static const struct {
    const char *rule, *good, *pinned, *bare;
} texts[CONSUMERS] = { CONSUMER_TEXTS };

const char *consumer_rule(enum consumer consumer)
{
    return texts[consumer].rule;
}

static bool is_nccl(const struct advice *advice)
{
    return advice->consumer == CONSUMER_NCCL || advice->consumer == CONSUMER_RCCL;
}

/* Does the user let roce choose NCCL's ports? */
static bool chooses_ports(const struct advice *advice)
{
    return is_nccl(advice) && !advice->asked &&
           !consumer_setting(advice->consumer, &advice->host->system, "NCCL_IB_HCA").value;
}

/* EFA and usNIC ports have their own transports, which these rules don't cover. */
static bool has_rule(const struct port *port)
{
    return !device_is_smi(port->device) &&
           (port->transport == TRANSPORT_ROCE || port->transport == TRANSPORT_INFINIBAND ||
            port->transport == TRANSPORT_IWARP);
}

/* Could it be named, judging by its GIDs? */
static bool is_usable(const struct advice *advice, const struct advised_port *port)
{
    bool asked = !port->choice.unused || (advice->none_left && port->choice.left_out);
    return asked && !port->advised.unused && !port->advised.unknown && !port->advised.flaw;
}

bool advice_is_slower(const struct advice *advice, const struct advised_port *port)
{
    const struct num rate = port->port->rate_mbps;
    return advice->rail_mbps && rate.known && rate.value < advice->rail_mbps;
}

bool advice_leaves_aside(const struct advice *advice, const struct advised_port *port)
{
    return (advice_is_slower(advice, port) || port->not_taken || port->apart) && is_usable(advice, port);
}

bool advice_names(const struct advice *advice, const struct advised_port *port)
{
    return is_usable(advice, port) && !advice_leaves_aside(advice, port);
}

/* A training host's ports are alike: if two or more are the fastest, slower ones are for storage or management,
 * and including one in NCCL's list slows all down. Users who name or ask for ports know what they want. */
static uint64_t rail_rate(const struct advice *advice)
{
    uint64_t most = 0;
    size_t fastest = 0, slower = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < advice->count; i++) {
            const struct num rate = advice->ports[i].port->rate_mbps;
            if (!is_usable(advice, &advice->ports[i]) || !rate.known)
                continue;
            if (pass == 0)
                most = rate.value > most ? rate.value : most;
            else
                *(rate.value == most ? &fastest : &slower) += 1;
        }
    return fastest >= 2 && slower ? most : 0;
}

/* If each accelerator takes ports on its own switch, ports taken by none are for something else, whatever
 * their rate. */
static void leave_out_not_taken(struct advice *advice)
{
    const struct host *host = advice->host;
    size_t count, chosen = 0;
    const struct pci **accelerators = host_accelerators(host, host->arena, &count);
    bool *taken = arena_alloc(host->arena, advice->count + 1, sizeof(*taken));
    for (size_t i = 0; i < count; i++) {
        struct gpu_nics nics = gpu_nics(host, accelerators, count, i, host->arena);
        if (nics.unclear || !nics.nports || nics.distance > DISTANCE_PXB)
            return;
        for (size_t n = 0; n < nics.nports; n++)
            for (size_t p = 0; p < advice->count; p++)
                if (advice->ports[p].port == nics.ports[n] && !taken[p]) {
                    taken[p] = true;
                    chosen += is_usable(advice, &advice->ports[p]);
                }
    }
    for (size_t p = 0; p < advice->count && chosen; p++)
        advice->ports[p].not_taken = !taken[p];
}

/* IPv4, global IPv6 and 169.254.0.0/16 don't reach each other; other ports have no address to tell by. */
enum kind { KIND_IPV4, KIND_IPV6, KIND_SELF_ASSIGNED, KINDS };
static enum kind kind_of(const struct advised_port *port)
{
    const struct gid *gid = port_is_roce(port->port) ? port->advised.gid : NULL;
    return !gid                             ? KINDS
           : gid_is_v4_link_local(gid->raw) ? KIND_SELF_ASSIGNED
           : gid_is_v4_mapped(gid->raw)     ? KIND_IPV4
                                            : KIND_IPV6;
}

/* A library pairs the ports of two hosts as it finds them: of those whose addresses are of different kinds, the
 * line names the ones that most are like. One that a lease passed by makes the job fail. */
static void leave_out_apart(struct advice *advice)
{
    size_t counts[KINDS + 1] = { 0 };
    enum kind most = KIND_IPV4;
    for (size_t i = 0; i < advice->count; i++)
        counts[kind_of(&advice->ports[i])] += advice_names(advice, &advice->ports[i]);
    for (enum kind kind = 0; kind < KINDS; kind++)
        most = counts[kind] > counts[most] ? kind : most;
    for (size_t i = 0; i < advice->count; i++) {
        struct advised_port *port = &advice->ports[i];
        enum kind kind = kind_of(port);
        if ((kind == most && !port->other_prefix) || kind == KINDS || !advice_names(advice, port))
            continue;
        port->apart = true;
        if (port->choice.flaw)
            continue;
        if (port->other_prefix)
            port->choice.flaw = "another prefix length than those of the ports like it: left out of the line, "
                                "for its routes aren't theirs";
        else if (kind == KIND_SELF_ASSIGNED)
            port->choice.flaw = "169.254.0.0/16 alone, for want of an address such as the other ports have: "
                                "connections to it time out";
    }
}

static void advise(struct advice *advice, bool told)
{
    for (size_t i = 0; i < advice->count; i++)
        advice->ports[i].advised = consumer_advise(advice->consumer, advice->host, advice->ports[i].port, told);
    advice->rail_mbps = chooses_ports(advice) ? rail_rate(advice) : 0;
    if (chooses_ports(advice))
        leave_out_not_taken(advice);
    if (!advice->asked &&
        (is_nccl(advice) || advice->consumer == CONSUMER_UCX || advice->consumer == CONSUMER_MPI))
        leave_out_apart(advice);
    for (size_t i = 0; i < advice->count; i++) {
        const struct advised_port *port = &advice->ports[i];
        if (!advice_names(advice, port))
            continue;
        if (!advice->first_good)
            advice->first_good = port;
        advice->indexes_differ |= port->advised.index != advice->first_good->advised.index;
        advice->transports_differ |= port->port->transport != advice->first_good->port->transport;
    }
}

/* Does UCX_NET_DEVICES name a netdev of this host? */
static bool names_interface(const struct advice *advice)
{
    const struct host *host = advice->host;
    const char *list = consumer_setting(advice->consumer, &host->system, "UCX_NET_DEVICES").value;
    for (size_t i = 0; list && i < host->nnetdevs; i++)
        if (text_in_list(list, host->netdevs[i].name))
            return true;
    return false;
}

struct advice consumer_advice(enum consumer consumer, const struct host *host, const struct port *const *ports,
                              const bool *other_prefix, size_t nports, bool asked)
{
    struct advice advice = { .consumer = consumer, .host = host, .asked = asked };
    size_t left_out = 0;
    for (size_t i = 0; i < nports; i++) {
        if (!has_rule(ports[i]))
            continue;
        struct choice choice = consumer_choose(consumer, host, ports[i]);
        *ARENA_PUSH(host->arena, advice.ports, advice.count) = (struct advised_port){
            .port = ports[i], .choice = choice, .other_prefix = other_prefix && other_prefix[i]
        };
        left_out += choice.left_out;
    }
    advice.none_left = advice.count && left_out == advice.count;
    advice.by_tcp = advice.none_left && names_interface(&advice);
    advise(&advice, false);
    if (!advice.first_good)
        advise(&advice, true);
    return advice;
}

/* -- the line -------------------------------------------------------------------------------------------- */

/* A setting that advice clears, and the value equivalent to not setting it. */
struct neutral {
    const char *name, *value;
    bool always;      /* a shell may have it although roce's doesn't */
    const char *only; /* the value that is in the way; NULL: any */
};
static const struct neutral nccl_neutrals[] = {
    { "NCCL_IB_GID_INDEX", "-1", true, NULL },
    { "NCCL_IB_ADDR_RANGE", "", false, NULL },
    { "NCCL_IB_DISABLE", "0", false, NULL },
    { "NCCL_NET", "IB", false, "Socket" }, /* others name plugins, which a cloud may need: gIB */
    { 0 },
};
static const struct neutral ucx_neutrals[] = {
    { "UCX_IB_GID_INDEX", "auto", true, NULL },
    { "UCX_IB_ROCE_SUBNETS", "all", false, NULL },
    { "UCX_TLS", "all", false, NULL },
    { 0 },
};

/* If so, a file's line would apply without the variable. */
static bool is_in_file(const struct advice *advice, const char *name)
{
    const struct system *system = &advice->host->system;
    struct system files = { .settings = system->settings, .nsettings = system->nsettings };
    return consumer_setting(advice->consumer, &files, name).file;
}

/* "unset A B; export " and what must be set to override a file. */
static void put_forget(const struct advice *advice, struct bytes *out)
{
    const struct system *system = &advice->host->system;
    struct bytes set = { 0 };
    size_t start = out->len;
    const struct neutral *neutral = is_nccl(advice) ? nccl_neutrals : ucx_neutrals;
    for (; neutral->name; neutral++) {
        const char *value = consumer_setting(advice->consumer, system, neutral->name).value;
        bool asked_for = neutral->always && port_is_roce(advice->first_good->port);
        if (neutral->only && !(value && strcasecmp(value, neutral->only) == 0))
            continue;
        if (is_in_file(advice, neutral->name))
            bytes_printf(&set, "%s=%s ", neutral->name, neutral->value);
        else if (asked_for || system_variable(system, neutral->name))
            bytes_printf(out, "%s %s", out->len == start ? "unset" : "", neutral->name);
    }
    bytes_printf(out, "%sexport %s", out->len == start ? "" : "; ", set.data ? set.data : "");
    bytes_free(&set);
}

/* Text quoted as one shell word. */
static void put_word(struct bytes *out, const char *text)
{
    char *word = text_shell(text);
    bytes_printf(out, "%s", word);
    free(word);
}

/* "mlx5_0:1,mlx5_1:1" as one word, for NCCL prefixed with "=", which means exactly these: the ports whose
 * choice is good and whose transport is the first one's, or that one alone. */
static void put_ports(const struct advice *advice, struct bytes *out, bool all)
{
    struct bytes list = { 0 };
    bytes_printf(&list, "%s", is_nccl(advice) ? "=" : "");
    const char *between = "";
    for (size_t i = 0; i < advice->count; i++) {
        const struct advised_port *port = &advice->ports[i];
        bool named = all ? advice_names(advice, port) &&
                               port->port->transport == advice->first_good->port->transport
                         : port == advice->first_good;
        if (named)
            bytes_printf(&list, "%s%s:%u", between, port->port->device->name, port->port->number);
        between = named ? "," : between;
    }
    put_word(out, list.data);
    bytes_free(&list);
}

static void put_variable(const struct advice *advice, struct bytes *out, const char *name)
{
    const struct port *port = advice->first_good->port;
    const struct choice *choice = &advice->first_good->advised;
    char address[GID_ADDRESS_SIZE] = "";
    if (choice->gid)
        gid_address(choice->gid->raw, address);
    bool v4 = choice->gid && gid_is_v4_mapped(choice->gid->raw);
    if (text_starts(name, "forget}"))
        put_forget(advice, out);
    else if (text_starts(name, "ports}"))
        put_ports(advice, out, true);
    else if (text_starts(name, "pinned}")) /* an index is valid for one port, unless all have the same */
        put_ports(advice, out, !advice->indexes_differ);
    else if (text_starts(name, "device}"))
        put_word(out, port->device->name);
    else if (text_starts(name, "netdev}"))
        put_word(out, choice->gid->netdev ? choice->gid->netdev : "NETDEV");
    else if (text_starts(name, "port}"))
        bytes_printf(out, "%" PRIu32, port->number);
    else if (text_starts(name, "index}"))
        bytes_printf(out, "%" PRIu32, choice->index);
    else if (text_starts(name, "address}"))
        bytes_printf(out, "%s", address);
    else if (text_starts(name, "family}"))
        bytes_printf(out, "%s", v4 ? "AF_INET" : "AF_INET6");
    else if (text_starts(name, "v6}"))
        bytes_printf(out, "%s", v4 ? "" : " --ipv6");
    else if (port->transport == TRANSPORT_IWARP) /* cm */
        bytes_printf(out, " -R");
}

const char *advice_line(const struct advice *advice)
{
    const struct advised_port *first = advice->first_good;
    struct bytes out = { 0 };
    if (!first)
        return NULL;
    bool pinned = first->advised.pinned && texts[advice->consumer].pinned;
    const char *at = !port_is_roce(first->port) ? texts[advice->consumer].bare
                     : pinned                   ? texts[advice->consumer].pinned
                                                : texts[advice->consumer].good;
    for (const char *brace; (brace = strchr(at, '{')); at = strchr(brace, '}') + 1) {
        bytes_append(&out, at, (size_t)(brace - at));
        put_variable(advice, &out, brace + 1);
    }
    bytes_printf(&out, "%s", at);
    const char *line = arena_strdup(advice->host->arena, out.data);
    bytes_free(&out);
    return line;
}

/* -- in words -------------------------------------------------------------------------------------------- */

static const char *advice_without(const struct advice *advice)
{
    bool roce = false, v1_alone = true, of_tunnel = true, blocked = true, unknown = false;
    if (!advice->count)
        return "there is no port to choose a GID for";
    for (size_t i = 0; i < advice->count; i++) {
        const struct choice *choice = &advice->ports[i].choice;
        unknown |= choice->unknown && !choice->flaw;
        if (!choice->flaw || !port_is_roce(advice->ports[i].port) || port_has_roce_off(advice->ports[i].port))
            continue;
        roce = true;
        blocked &= port_is_taken(advice->host, advice->ports[i].port) ||
                   system_hides(&advice->host->system, advice->ports[i].port->device);
        v1_alone &= choice->gid && choice->gid->type == GID_TYPE_IB_ROCE_V1 &&
                    gid_is_routable(choice->gid->raw);
        of_tunnel &= choice->gid && gid_is_of_tunnel(advice->host, advice->ports[i].port, choice->gid);
    }
    if (roce && blocked)
        return "no port can be used as it is, and no address on its netdev changes that: 'roce doctor' says "
               "what does";
    if (roce && of_tunnel)
        return "of the GIDs with this address only a pinned index tells the port's own from the tunnel's: see "
               "'roce gids'";
    if (roce && v1_alone)
        return "there is RoCE v1 alone: it works between hosts on one Ethernet segment that all use v1, and "
               "through no router";
    if (roce)
        return "no port has a good GID: give its netdev an address, bring it up, and look at 'roce doctor'";
    if (unknown)
        return "the GIDs of these ports aren't known here: record the machine with 'roce record', or look on "
               "it";
    return advice->bad ? "no port can be used: look at 'roce doctor'"
                       : "none of these ports is one that it uses";
}

const char *advice_text(const struct advice *advice)
{
    const struct advised_port *first = advice->first_good;
    enum consumer consumer = advice->consumer;
    bool by_address = consumer == CONSUMER_RDMA_CM || consumer == CONSUMER_LIBFABRIC;
    if (!first)
        return advice_without(advice);
    if (advice->by_tcp)
        return "what the setting names are interfaces, which UCX uses by TCP: for RDMA name ports, as here";
    if (advice->none_left)
        return "what the setting names isn't here, so nothing is left: name ports that are, as here";
    if (first->port->transport == TRANSPORT_IWARP)
        return "iWARP connects through RDMA_CM, by the address of the port's netdev";
    if (by_address && port_is_roce(first->port))
        return "bind to the address of the port, as here; which RoCE version it then takes is the port's "
               "default: 'roce mode'";
    if (by_address)
        return "InfiniBand needs no GID; RDMA_CM uses the address of the port's IPoIB netdev";
    if (consumer == CONSUMER_PERFTEST && port_is_roce(first->port))
        return "-x pins an index: it holds for this run on this host only; give both ends GIDs of one type";
    if (advice->transports_differ)
        return "InfiniBand and RoCE ports don't reach each other: name ports of one kind, as here";
    if (!port_is_roce(first->port))
        return "InfiniBand needs no GID: pin none";
    if (first->advised.pinned && port_gid(first->port, 0))
        return "the GIDs before it are of no use here, and only a pinned index passes them over, as here; it "
               "moves when an address or a link goes and comes back";
    if (first->advised.pinned)
        return "UCX leaves a port out whose GID 0 is empty, unless another index is pinned, as here for one "
               "port; it moves when an address or a link goes and comes back";
    if (first->choice.flaw && !first->choice.pinned && !gid_is_v4_mapped(first->advised.gid->raw))
        return "it looks for IPv4 unless it is told to look for IPv6, as here";
    if (advice->indexes_differ)
        return "the index differs from port to port, so no pinned one can fit; choose by type and address, as "
               "here";
    return "don't pin the index: it moves when an address or a link goes and comes back; choose by type and "
           "address, as here";
}
