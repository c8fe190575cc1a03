/* SPDX-License-Identifier: MIT */
/* roce gids: the GID table, and with --for which entry a consumer would take. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "check/use.h"
#include "command/context.h"
#include "consumer/consumer.h"
#include "consumer/gpu.h"
#include "view/gpus.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/value.h"

struct gid_row {
    const struct port *port;
    const struct gid *gid;        /* NULL: an empty slot */
    const struct gid *of_address; /* NULL also on an iWARP port, where it is the MAC */
    uint32_t index;
    struct choice choice;  /* of --for */
    struct choice advised; /* what it would be with the line to paste */
    bool not_taken;        /* NCCL: each accelerator has a port on its switch, and this one is none's */
};

static struct gid_row gid_row(const struct port *port, const struct gid *gid, uint32_t index)
{
    bool is_mac = port->transport == TRANSPORT_IWARP;
    return (struct gid_row){ .port = port, .gid = gid, .of_address = is_mac ? NULL : gid, .index = index };
}

static const struct column columns[] = {
    PORT_COLUMNS(struct gid_row),
    { .attribute = ATTR_GID_INDEX, MEMBER_AS(VALUE_UNSIGNED, struct gid_row, index) },
    { ATTR(GID_GID, struct gid_row, gid), .rank = 2 },
    { ATTR(GID_TYPE, struct gid_row, gid), .flags = COLUMN_WHOLE },
    { ATTR(GID_ADDRESS, struct gid_row, of_address), .flags = COLUMN_WHOLE },
    { ATTR(GID_NETDEV, struct gid_row, gid), .rank = 1 },
    { ATTR(GID_SCOPE, struct gid_row, of_address), .flags = COLUMN_HIDDEN },
    { 0 },
};

static void add_row(const struct host *host, struct gid_row **rows, size_t *count, const struct port *port,
                    const struct gid *gid, uint32_t index)
{
    *ARENA_PUSH(host->arena, *rows, *count) = gid_row(port, gid, index);
}

static void add_port(const struct context *context, struct gid_row **rows, size_t *count,
                     const struct port *port)
{
    const struct host *host = context->host;
    size_t next = 0;
    if (!args_given(context->args, "all")) {
        for (size_t i = 0; i < port->ngids; i++)
            if (selection_has_gid(&context->selection, port, &port->gids[i]))
                add_row(host, rows, count, port, &port->gids[i], port->gids[i].index);
        return;
    }
    for (uint64_t index = 0; index < port->gid_table_len.value; index++) {
        bool filled = next < port->ngids && port->gids[next].index == index;
        add_row(host, rows, count, port, filled ? &port->gids[next] : NULL, (uint32_t)index);
        next += filled;
    }
}

static struct value get_verdict(const void *row)
{
    const struct choice *choice = &((const struct gid_row *)row)->choice;
    return choice->flaw     ? value_with_tone(value_text("bad"), TONE_BAD)
           : choice->unused ? value_text("unused")
                            : value_with_tone(value_text("good"), TONE_GOOD);
}

static struct value get_taken(const void *row)
{
    const struct gid_row *gid_row = row;
    return gid_row->choice.taken ? value_unsigned(gid_row->index) : NO_VALUE;
}

static struct value make_why(const struct cell_context *context, const void *row)
{
    const struct choice *choice = &((const struct gid_row *)row)->choice;
    if (!choice->pinned && !choice->left_out)
        return value_text(choice->why);
    const char *verb = choice->pinned ? "pins it" : "leaves it out";
    return value_text(choice->by.file ? arena_printf(context->arena, "%s of %s:%u %s", choice->why,
                                                     choice->by.file, choice->by.line, verb)
                                      : arena_printf(context->arena, "%s %s", choice->why, verb));
}

static const struct column choice_columns[] = {
    PORT_COLUMNS(struct gid_row),
    { "index", .help = "slot it takes", .type = VALUE_UNSIGNED, .get = get_taken },
    { ATTR(GID_GID, struct gid_row, gid), .flags = COLUMN_JSON_ONLY },
    { ATTR(GID_TYPE, struct gid_row, gid) },
    { ATTR(GID_ADDRESS, struct gid_row, of_address), .flags = COLUMN_WHOLE },
    { ATTR(GID_NETDEV, struct gid_row, gid), .rank = 1 },
    { "verdict", .help = "good, bad, or unused: the consumer leaves the port out, and may",
      .get = get_verdict },
    { "why", .help = "why this one", .flags = COLUMN_CUT, .make = make_why },
    { "flaw", .help = "what is bad about it", .flags = COLUMN_JSON_ONLY, MEMBER(struct gid_row, choice.flaw) },
    { 0 },
};

struct choices {
    struct gid_row *rows;
    size_t count, bad; /* bad: on a port that somebody uses, or that was named */
    bool indexes_differ, transports_differ;
    uint64_t rail_mbps; /* NCCL: ports below that rate are for something else; 0: they are all alike */
    bool none_left;     /* a setting leaves all ports out: what it names isn't here */
    bool by_tcp;        /* or is an interface, which UCX uses by TCP */
    const struct gid_row *first_good; /* as advised */
};

/* EFA's and usNIC's ports have transports of their own, of which these rules say nothing. */
static bool has_rule(const struct port *port)
{
    return !device_is_smi(port->device) &&
           (port->transport == TRANSPORT_ROCE || port->transport == TRANSPORT_INFINIBAND ||
            port->transport == TRANSPORT_IWARP);
}

/* Could it be named, as far as its GIDs go? */
static bool is_usable(const struct choices *choices, const struct gid_row *row)
{
    bool asked = !row->choice.unused || (choices->none_left && row->choice.left_out);
    return asked && !row->advised.unused && !row->advised.flaw;
}

static bool is_slower(const struct choices *choices, const struct gid_row *row)
{
    return choices->rail_mbps && row->port->rate_mbps.known && row->port->rate_mbps.value < choices->rail_mbps;
}

/* A port beside the rails: it would be used, and is slower than they, or no accelerator's. */
static bool is_aside(const struct choices *choices, const struct gid_row *row)
{
    return (is_slower(choices, row) || row->not_taken) && is_usable(choices, row);
}

static bool is_advisable(const struct choices *choices, const struct gid_row *row)
{
    return is_usable(choices, row) && !is_aside(choices, row);
}

/* The ports of a host that trains are alike: where two or more are the fastest, slower ones are storage's or
 * management's, and one of them in NCCL's list slows all down. Who names ports, or asks for some, knows. */
static uint64_t rail_rate(const struct context *context, enum consumer consumer, const struct choices *choices)
{
    bool nccl = consumer == CONSUMER_NCCL || consumer == CONSUMER_RCCL;
    uint64_t most = 0;
    size_t fastest = 0, slower = 0;
    if (!nccl || context->selection.some ||
        consumer_setting(consumer, &context->host->system, "NCCL_IB_HCA").value)
        return 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < choices->count; i++) {
            const struct num rate = choices->rows[i].port->rate_mbps;
            if (!is_usable(choices, &choices->rows[i]) || !rate.known)
                continue;
            if (pass == 0)
                most = rate.value > most ? rate.value : most;
            else
                *(rate.value == most ? &fastest : &slower) += 1;
        }
    return fastest >= 2 && slower ? most : 0;
}

/* Where each accelerator takes ports on its own switch, those that none takes are for something else, at
 * whatever rate. */
static void leave_out_not_taken(const struct context *context, enum consumer consumer, struct choices *choices)
{
    const struct host *host = context->host;
    size_t count, chosen = 0;
    const struct pci **accelerators = host_accelerators(host, host->arena, &count);
    bool nccl = consumer == CONSUMER_NCCL || consumer == CONSUMER_RCCL;
    bool *taken = arena_alloc(host->arena, choices->count + 1, sizeof(*taken));
    if (!nccl || context->selection.some || consumer_setting(consumer, &host->system, "NCCL_IB_HCA").value)
        return;
    for (size_t i = 0; i < count; i++) {
        struct gpu_nics nics = gpu_nics(host, accelerators, count, i, host->arena);
        if (nics.unclear || !nics.nports || nics.distance > DISTANCE_PXB)
            return;
        for (size_t n = 0; n < nics.nports; n++)
            for (size_t r = 0; r < choices->count; r++)
                if (choices->rows[r].port == nics.ports[n] && !taken[r]) {
                    taken[r] = true;
                    chosen += is_usable(choices, &choices->rows[r]);
                }
    }
    for (size_t r = 0; r < choices->count && chosen; r++)
        choices->rows[r].not_taken = !taken[r];
}

static void advise(const struct context *context, struct choices *choices, enum consumer consumer, bool told)
{
    const struct host *host = context->host;
    for (size_t i = 0; i < choices->count; i++)
        choices->rows[i].advised = consumer_advise(consumer, host, choices->rows[i].port, told);
    choices->rail_mbps = rail_rate(context, consumer, choices);
    leave_out_not_taken(context, consumer, choices);
    for (size_t i = 0; i < choices->count; i++) {
        struct gid_row *row = &choices->rows[i];
        if (!is_advisable(choices, row))
            continue;
        if (!choices->first_good)
            choices->first_good = row;
        choices->indexes_differ |= row->advised.index != choices->first_good->advised.index;
        choices->transports_differ |= row->port->transport != choices->first_good->port->transport;
    }
}

/* Does UCX_NET_DEVICES name a netdev of this host? */
static bool names_interface(const struct host *host, enum consumer consumer)
{
    const char *list = consumer_setting(consumer, &host->system, "UCX_NET_DEVICES").value;
    for (size_t i = 0; list && i < host->nnetdevs; i++)
        if (text_in_list(list, host->netdevs[i].name))
            return true;
    return false;
}

/* How many bad choices are of matter: not a spare port's, nor that of one without RoCE beside InfiniBand, as
 * the network of Azure's machines is. */
static size_t count_bad(const struct context *context, const struct choices *choices)
{
    const struct host *host = context->host;
    size_t bad = 0;
    bool infiniband = false;
    for (size_t i = 0; i < choices->count; i++) {
        const struct gid_row *row = &choices->rows[i];
        infiniband |= row->port->transport == TRANSPORT_INFINIBAND && !row->choice.flaw && !row->choice.unused;
    }
    for (size_t i = 0; i < choices->count; i++) {
        const struct port *port = choices->rows[i].port;
        bool matters = context->selection.some ||
                       (port_is_judged(host, port, host->arena) && !(infiniband && port_has_roce_off(port)));
        bad += choices->rows[i].choice.flaw && matters;
    }
    return bad;
}

static struct choices choose(const struct context *context, enum consumer consumer)
{
    struct choices choices = { 0 };
    size_t nports;
    const struct port_row *ports = port_rows(context->host, &context->selection, &nports);
    for (size_t i = 0; i < nports; i++) {
        if (!has_rule(ports[i].port))
            continue;
        struct choice choice = consumer_choose(consumer, context->host, ports[i].port);
        struct gid_row *row = ARENA_PUSH(context->host->arena, choices.rows, choices.count);
        *row = gid_row(ports[i].port, choice.gid, choice.index);
        row->choice = choice;
        choices.none_left = (choices.count == 1 || choices.none_left) && choice.left_out;
    }
    choices.bad = count_bad(context, &choices);
    choices.by_tcp = choices.none_left && names_interface(context->host, consumer);
    advise(context, &choices, consumer, false);
    if (!choices.first_good)
        advise(context, &choices, consumer, true);
    return choices;
}

/* Text as a shell takes it for one word, in memory of the host's. */
static const char *shell_word(struct arena *arena, const char *text)
{
    char *word = text_shell(text);
    const char *copy = arena_strdup(arena, word);
    free(word);
    return copy;
}

/* "mlx5_0:1,mlx5_1:1" behind prefix, as one word: the ports whose choice is good, of the first one's transport. */
static const char *good_ports(const struct context *context, const struct choices *choices, const char *prefix)
{
    struct bytes list = { 0 };
    bytes_printf(&list, "%s", prefix);
    for (size_t i = 0; i < choices->count; i++) {
        const struct gid_row *row = &choices->rows[i];
        if (is_advisable(choices, row) && row->port->transport == choices->first_good->port->transport)
            bytes_printf(&list, "%s%s:%u", list.len > strlen(prefix) ? "," : "", row->port->device->name,
                         row->port->number);
    }
    const char *copy = shell_word(context->host->arena, list.data);
    bytes_free(&list);
    return copy;
}

/* A setting that advice does without, and the value that means it isn't set. */
struct neutral {
    const char *name, *value;
    bool always;      /* a shell may have it although roce's doesn't */
    const char *only; /* of its values this one is in the way; NULL: any */
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

static bool is_in_file(const struct context *context, enum consumer consumer, const char *name)
{
    return consumer_setting(consumer,
                            &(struct system){ .settings = context->host->system.settings,
                                              .nsettings = context->host->system.nsettings },
                            name)
        .file;
}

static bool is_set_to(const struct context *context, enum consumer consumer, const char *name,
                      const char *value)
{
    const char *set = consumer_setting(consumer, &context->host->system, name).value;
    return set && strcasecmp(set, value) == 0;
}

/* "unset A B; export " and what must be set against a file: without the variable the file's line would hold. */
static const char *forget(const struct context *context, enum consumer consumer, bool roce)
{
    struct arena *arena = context->host->arena;
    const char *unset = "", *set = "";
    bool ucx = consumer == CONSUMER_UCX;
    for (const struct neutral *neutral = ucx ? ucx_neutrals : nccl_neutrals; neutral->name; neutral++)
        if (neutral->only && !is_set_to(context, consumer, neutral->name, neutral->only))
            continue;
        else if (is_in_file(context, consumer, neutral->name))
            set = arena_printf(arena, "%s%s=%s ", set, neutral->name, neutral->value);
        else if ((neutral->always && roce) || system_variable(&context->host->system, neutral->name))
            unset = arena_printf(arena, "%s %s", unset, neutral->name);
    return arena_printf(arena, "%s%s%sexport %s", *unset ? "unset" : "", unset, *unset ? "; " : "", set);
}

/* The line for ports that need no GID. */
static const char *paste_without_gid(const struct context *context, enum consumer consumer,
                                     const struct port *port, const char *ports)
{
    struct arena *arena = context->host->arena;
    switch (consumer) {
    case CONSUMER_NCCL:
    case CONSUMER_RCCL:
        return arena_printf(arena, "%sNCCL_IB_HCA=%s", forget(context, consumer, false), ports);
    case CONSUMER_UCX:
        return arena_printf(arena, "%sUCX_NET_DEVICES=%s", forget(context, consumer, false), ports);
    case CONSUMER_MPI:
        return arena_printf(arena, "mpirun -x UCX_NET_DEVICES=%s", ports);
    case CONSUMER_PERFTEST:
        return arena_printf(arena, "ib_write_bw -d %s -i %u%s", shell_word(arena, port->device->name),
                            port->number, port->transport == TRANSPORT_IWARP ? " -R" : "");
    case CONSUMER_LIBFABRIC:
        return "export FI_PROVIDER='verbs;ofi_rxm'";
    default:
        return "rping -c -a SERVER";
    }
}

/* NULL when there is nothing good to paste. */
static const char *paste_line(const struct context *context, enum consumer consumer,
                              const struct choices *choices)
{
    const struct gid_row *row = choices->first_good;
    struct arena *arena = context->host->arena;
    char address[GID_ADDRESS_SIZE];
    if (!row)
        return NULL;
    bool nccl = consumer == CONSUMER_NCCL || consumer == CONSUMER_RCCL;
    const char *ports = good_ports(context, choices, nccl ? "=" : ""); /* "=": exactly these */
    const char *device = shell_word(arena, row->port->device->name);
    /* one index holds for one port, unless it is the same on all */
    const char *pinned = !choices->indexes_differ
                             ? ports
                             : shell_word(arena, arena_printf(arena, "%s%s:%u", nccl ? "=" : "",
                                                              row->port->device->name, row->port->number));
    if (!port_is_roce(row->port))
        return paste_without_gid(context, consumer, row->port, ports);
    gid_address(row->advised.gid->raw, address);
    bool v4 = gid_is_v4_mapped(row->advised.gid->raw);
    switch (consumer) {
    case CONSUMER_NCCL:
    case CONSUMER_RCCL:
        if (row->advised.pinned)
            return arena_printf(arena, "export NCCL_IB_GID_INDEX=%" PRIu32 " NCCL_IB_HCA=%s",
                                row->advised.index, pinned);
        return arena_printf(arena, "%sNCCL_IB_HCA=%s NCCL_IB_ROCE_VERSION_NUM=2 NCCL_IB_ADDR_FAMILY=%s",
                            forget(context, consumer, true), ports, v4 ? "AF_INET" : "AF_INET6");
    case CONSUMER_UCX:
        if (row->advised.pinned)
            return arena_printf(arena, "export UCX_IB_GID_INDEX=%" PRIu32 " UCX_NET_DEVICES=%s",
                                row->advised.index, pinned);
        return arena_printf(arena, "%sUCX_NET_DEVICES=%s", forget(context, consumer, true), ports);
    case CONSUMER_MPI:
        if (row->advised.pinned)
            return arena_printf(arena, "mpirun -x UCX_IB_GID_INDEX=%" PRIu32 " -x UCX_NET_DEVICES=%s",
                                row->advised.index, pinned);
        return arena_printf(arena, "mpirun -x UCX_IB_GID_INDEX=auto -x UCX_NET_DEVICES=%s", ports);
    case CONSUMER_PERFTEST:
        return arena_printf(arena, "ib_write_bw -d %s -i %u -x %" PRIu32 "%s", device, row->port->number,
                            row->advised.index, v4 ? "" : " --ipv6");
    case CONSUMER_LIBFABRIC:
        return arena_printf(arena, "export FI_PROVIDER='verbs;ofi_rxm' FI_VERBS_IFACE=%s",
                            row->advised.gid->netdev ? shell_word(arena, row->advised.gid->netdev) : "NETDEV");
    default:
        return arena_printf(arena, "rping -c -a SERVER -I %s", address);
    }
}

static const char *advice_without(const struct host *host, const struct choices *choices)
{
    bool roce = false, v1_alone = true, of_tunnel = true;
    if (!choices->count)
        return "there is no port to choose a GID for";
    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *choice = &choices->rows[i].choice;
        if (!choice->flaw || !port_is_roce(choices->rows[i].port) || port_has_roce_off(choices->rows[i].port))
            continue;
        roce = true;
        v1_alone &= choice->gid && choice->gid->type == GID_TYPE_IB_ROCE_V1 &&
                    gid_is_routable(choice->gid->raw);
        of_tunnel &= choice->gid && gid_is_of_tunnel(host, choices->rows[i].port, choice->gid);
    }
    if (roce && of_tunnel)
        return "of the GIDs with this address only a pinned index tells the port's own from the tunnel's: see 'roce gids'";
    if (roce && v1_alone)
        return "there is RoCE v1 alone: it works between hosts on one Ethernet segment that all use v1, and through no router";
    if (roce)
        return "no port has a good GID: give its netdev an address, bring it up, and look at 'roce doctor'";
    return choices->bad ? "no port can be used: look at 'roce doctor'"
                        : "none of these ports is one that it uses";
}

static const char *advice(const struct host *host, enum consumer consumer, const struct choices *choices)
{
    const struct gid_row *first = choices->first_good;
    bool by_address = consumer == CONSUMER_RDMA_CM || consumer == CONSUMER_LIBFABRIC;
    if (!first)
        return advice_without(host, choices);
    if (choices->by_tcp)
        return "what the setting names are interfaces, which UCX uses by TCP: for RDMA name ports, as here";
    if (choices->none_left)
        return "what the setting names isn't here, so nothing is left: name ports that are, as here";
    if (first->port->transport == TRANSPORT_IWARP)
        return "iWARP connects through RDMA_CM, by the address of the port's netdev";
    if (by_address && port_is_roce(first->port))
        return "bind to the address of the port, as here; which RoCE version it then takes is the port's default: 'roce mode'";
    if (by_address)
        return "InfiniBand needs no GID; RDMA_CM uses the address of the port's IPoIB netdev";
    if (consumer == CONSUMER_PERFTEST && port_is_roce(first->port))
        return "-x pins an index: it holds for this run on this host only; give both ends GIDs of one type";
    if (choices->transports_differ)
        return "InfiniBand and RoCE ports don't reach each other: name ports of one kind, as here";
    if (!port_is_roce(first->port))
        return "InfiniBand needs no GID: pin none";
    if (first->advised.pinned && port_gid(first->port, 0))
        return "the GIDs before it are of no use here, and only a pinned index passes them over, as here; it moves when an address or a link goes and comes back";
    if (first->advised.pinned)
        return "UCX leaves a port out whose GID 0 is empty, unless another index is pinned, as here for one port; it moves when an address or a link goes and comes back";
    if (first->choice.flaw && !first->choice.pinned && !gid_is_v4_mapped(first->advised.gid->raw))
        return "it looks for IPv4 unless it is told to look for IPv6, as here";
    if (choices->indexes_differ)
        return "the index differs from port to port, so no pinned one can fit; choose by type and address, as here";
    return "don't pin the index: it moves when an address or a link goes and comes back; choose by type and address, as here";
}

static size_t first_bad(const struct choices *choices)
{
    size_t i = 0;
    while (i < choices->count && !choices->rows[i].choice.flaw)
        i++;
    return i;
}

/* What the consumer is told, in lines below the table. */
static void show_settings(const struct context *context, enum consumer consumer)
{
    const struct system *system = &context->host->system;
    size_t width = context->args->look.width;
    for (const char *const *name = consumer_variables(consumer); *name; name++) {
        struct setting setting = consumer_setting(consumer, system, *name);
        char *value = text_clean(setting.value, TEXT_ONE_LINE),
             *file = text_clean(setting.file, TEXT_ONE_LINE);
        if (value && file)
            line_print(width, 0, "Set: %s=%s, by line %u of %s.", *name, value, setting.line, file);
        else if (value)
            line_print(width, 0, "Set: %s=%s, by the environment.", *name, value);
        free(value);
        free(file);
    }
}

/* What the line leaves out, said or as JSON's list. */
static json_t *left_out(const struct choices *choices, struct bytes *line)
{
    json_t *array = json_array();
    for (size_t i = 0; i < choices->count; i++) {
        const struct port *port = choices->rows[i].port;
        if (!is_aside(choices, &choices->rows[i]))
            continue;
        char *name = mem_printf("%s:%u", port->device->name, port->number);
        struct value rate = value_num_as(VALUE_MBPS, port->rate_mbps);
        char *text = cell_text(&rate);
        json_array_append_new(array, json_text(name));
        bytes_printf(line, "%s%s (%s)", line->len ? ", " : "", name, text);
        free(text);
        free(name);
    }
    return array;
}

/* Why ports are beside the rails, in words; in memory of the caller's. */
static char *aside_reason(const struct choices *choices)
{
    struct value rate = value_num_as(VALUE_MBPS, num_of(choices->rail_mbps));
    char *text = cell_text(&rate), *reason;
    bool as_fast = false;
    for (size_t i = 0; i < choices->count; i++)
        as_fast |= is_aside(choices, &choices->rows[i]) && !is_slower(choices, &choices->rows[i]);
    if (!as_fast)
        reason = mem_printf("slower than the rails of %s", text);
    else
        reason = mem_printf("taken by no accelerator%s",
                            choices->rail_mbps ? ", or slower than the rails" : "");
    free(text);
    return reason;
}

static void show_left_out(size_t width, const struct choices *choices)
{
    struct bytes line = { 0 };
    char *reason = aside_reason(choices);
    json_decref(left_out(choices, &line));
    if (line.len)
        line_print(
            width, 0,
            "Left out of the line: %s, %s, so most likely for storage or management. NCCL alone would use them; to have them, name them.",
            line.data, reason);
    free(reason);
    bytes_free(&line);
}

/* Which of the line's ports is whose, said or as JSON's list: nothing where ports were asked for. NCCL goes
 * through the devices as libibverbs lists them (src/transport/net_ib/init.cc), in whatever order NCCL_IB_HCA has them. */
static json_t *rails(const struct context *context, enum consumer consumer, const struct choices *choices,
                     struct bytes *text)
{
    struct arena *arena = context->host->arena;
    const struct port **ports = arena_alloc(arena, choices->count + 1, sizeof(*ports));
    size_t count = 0;
    if ((consumer != CONSUMER_NCCL && consumer != CONSUMER_RCCL) || context->selection.some)
        return json_array();
    for (size_t i = 0; i < choices->count; i++)
        if (is_advisable(choices, &choices->rows[i]))
            ports[count++] = choices->rows[i].port;
    return rails_json(context->host, ports, count, text);
}

static json_t *settings_json(const struct context *context, enum consumer consumer)
{
    json_t *array = json_array();
    for (const char *const *name = consumer_variables(consumer); *name; name++) {
        struct setting setting = consumer_setting(consumer, &context->host->system, *name);
        if (!setting.value)
            continue;
        json_t *object = json_object();
        json_put_text(object, "name", setting.name);
        json_put_text(object, "value", setting.value);
        json_put_text(object, "file", setting.file);
        json_put_num(object, "line", setting.file ? num_of(setting.line) : (struct num){ 0 });
        json_array_append_new(array, object);
    }
    return array;
}

static void show_choices(const struct context *context, enum consumer consumer, const struct choices *choices)
{
    size_t width = context->args->look.width;
    listing_table(&context->args->look, LISTING(context->host, choice_columns, choices->rows, choices->count));
    if (look_chooses(&context->args->look))
        return;
    for (size_t i = 0; i < choices->count; i++) {
        const struct gid_row *row = &choices->rows[i];
        if (!row->choice.flaw)
            continue;
        line_print(width, 0, "%s%s/%u: %s.", i == first_bad(choices) ? "\n" : "", row->port->device->name,
                   row->port->number, row->choice.flaw);
    }
    const char *paste = paste_line(context, consumer, choices);
    line_print(width, 0, "\nRule: %s.", consumer_rule(consumer));
    show_settings(context, consumer);
    line_print(width, 0, "Advice: %s.", advice(context->host, consumer, choices));
    show_left_out(width, choices);
    struct bytes whose = { 0 };
    json_decref(rails(context, consumer, choices, &whose));
    if (whose.len)
        line_print(width, 0, "By accelerator: %s; their order in the line doesn't matter.", whose.data);
    bytes_free(&whose);
    if (paste)
        printf("\n  %s\n", paste);
}

static int run_for(const struct context *context, enum consumer consumer)
{
    if (host_devices_unknown(context->host))
        return say_unable("%s", no_device_text(context->host));
    struct choices choices = choose(context, consumer);
    if (context->args->look.json) {
        json_t *top = json_envelope(context->host);
        json_object_set_new(top, "gids",
                            listing_wanted_json(&context->args->look, LISTING(context->host, choice_columns,
                                                                              choices.rows, choices.count)));
        json_put_text(top, "consumer", consumer_name(consumer));
        json_put_text(top, "rule", consumer_rule(consumer));
        json_object_set_new(top, "settings", settings_json(context, consumer));
        json_put_text(top, "advice", advice(context->host, consumer, &choices));
        struct bytes line = { 0 };
        json_object_set_new(top, "left_out", left_out(&choices, &line));
        bytes_free(&line);
        json_object_set_new(top, "rails", rails(context, consumer, &choices, &line));
        bytes_free(&line);
        json_put_text(top, "paste", paste_line(context, consumer, &choices));
        json_add_problems(top, context->host);
        json_print(top);
    } else if (choices.count) {
        show_choices(context, consumer, &choices);
    } else {
        say_note("%s", context->host->ndevices
                           ? "no RoCE, InfiniBand or iWARP port: nothing to choose a GID for"
                           : no_device_text(context->host));
    }
    if (!context->args->look.json)
        problems_say(context->host);
    bool none = context->host->ndevices == 0 || (choices.count && (choices.none_left || !choices.first_good));
    return none || choices.bad ? STATUS_FOUND : STATUS_OK;
}

static const char *empty_text(const struct host *host, const struct port_row *ports, size_t count)
{
    bool known = false;
    for (size_t i = 0; i < count; i++)
        known |= ports[i].port->gid_table_len.known;
    if (!count)
        return no_device_text(host);
    return known
               ? "the GID tables are empty: the netdev is down or has no address, or RoCE is switched off; 'roce doctor' tells which"
               : "no port's GID table could be read: there is no directory gids";
}

static int run(struct context *context)
{
    const struct host *host = context->host;
    const char *consumer = args_value(context->args, "for");
    if (consumer)
        return run_for(context, consumer_parse(consumer));
    struct gid_row *rows = NULL;
    size_t count = 0, nports;
    const struct port_row *ports = port_rows(context->host, &context->selection, &nports);
    for (size_t i = 0; i < nports; i++)
        add_port(context, &rows, &count, ports[i].port);
    context_list(context, rows, count, sizeof(*rows), empty_text(host, ports, nports));
    return STATUS_OK;
}

static const struct option_def options[] = {
    { "all", 'a', .help = "show empty slots too" },
    { "for", .value = ARG_CHOICE, .arg = "CONSUMER", .choices = "nccl|rccl|ucx|perftest|rdma_cm|libfabric|mpi",
      .help = "which GID CONSUMER takes by its own rule, why, and the line to paste",
      .needs = NEED_STATE | NEED_RATE | NEED_NODES | NEED_NETDEV | NEED_NETDEV_ALL | NEED_ADDRESSES |
               NEED_MODE | NEED_ENVIRONMENT | NEED_PCI | NEED_PEERS | NEED_GUIDS,
      .columns = choice_columns },
    { 0 },
};

const struct command cmd_gids = {
    .name = "gids",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE[/PORT]|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary = "the GID table: index, GID, RoCE version, address, netdev",
    .description =
        "Each IP address of a port's netdev, and of the VLANs and other netdevs on top of it, has a GID for each RoCE version that the device speaks. An application names one by its index, or lets its library choose: --for shows which one that will be.\n\n"
        "An index is only where an entry happens to be: it moves when an address or a link goes and comes back, and it differs from host to host. Where a consumer can choose by type and address, that is what --for advises.",
    .examples = "roce gids mlx5_0\tone device\n"
                "roce gids eth2\tthe entries of the port behind a netdev\n"
                "roce gids --for nccl\twhat NCCL will take, and why",
    .options = options,
    .columns = columns,
    .plural = "gids",
    .needs = NEED_GIDS,
    .pages = true,
    .run = run,
};
