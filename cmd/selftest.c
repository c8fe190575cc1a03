/* SPDX-License-Identifier: MIT */
/* roce selftest: tests in loopback whether data flows through each port, with each GID. */
#include "command/context.h"
#include "command/test_ends.h"
#include "command/trials.h"
#include "selftest/test_run.h"
#include "view/results.h"
#include "view/terminal.h"

/* Short, so that even a slow device takes 3 seconds. OTHER_GIDS_SIZE is four packets and a bit, with any
 * MTU. */
enum { DURATION_MS = 60, OTHER_GIDS_SIZE = 4 * 4096 + 5, ADDRESSES_MOST = 64 };

struct selftest {
    struct context *context;
    struct test_options options;
    struct results results;
    struct num gid; /* --gid */
    bool all_gids, by_node, all_ports;
    struct num node;         /* where memory and thread are now */
    bool measured, verified; /* on this port */
    int stopped;             /* -EINTR */
};

/* What is tested: a GID or, on iWARP, an address of the netdev. */
struct place {
    const struct port *port;
    const struct gid *gid;        /* NULL if none in particular, or iWARP */
    const struct loopback_cm *cm; /* iWARP */
    const struct port_pair *pair; /* the other port of --all-ports; else NULL */
};

static struct result template_of(struct selftest *t, const struct place *place)
{
    struct result result = { .device = place->port->device->name,
                             .port = place->port->number,
                             .numa_node = t->node };
    if (place->gid) {
        result.gid = gid_address_text(t->context->host->arena, place->gid->raw);
        result.gid_index = num_of(place->gid->index);
    } else if (place->cm) {
        result.gid = gid_address_text(t->context->host->arena, place->cm->address);
    }
    if (place->pair) {
        result.to_device = place->pair->to->device->name;
        result.to_port = place->pair->to->number;
        result.to_gid_index = num_if(place->pair->to_gid != NULL,
                                     place->pair->to_gid ? place->pair->to_gid->index : 0);
    }
    return result;
}

/* Adds a result that is not from a trial; facts are those known about the place. */
static struct result *note_result(struct selftest *t, const struct place *place, const struct facts *facts,
                                  const char *what, enum verdict verdict, const char *note)
{
    const struct result template = template_of(t, place);
    struct result *result = results_add_like(&t->results, &template, what, verdict);
    snprintf(result->note, sizeof(result->note), "%s", note);
    result->facts = *facts;
    return result;
}

/* Adds a result that says why nothing is tested there. Returns 0. */
static int skip_all(struct selftest *t, const struct place *place, const struct facts *facts, const char *why)
{
    note_result(t, place, facts, "all", VERDICT_NA, why);
    return 0;
}

/* Measures once per port, and verifies once what doesn't depend on the GID. */
static struct test_options options_of_next(const struct selftest *t)
{
    struct test_options o = t->options;
    if (t->measured)
        o.latency = o.bandwidth = false;
    /* the other GIDs differ in addresses, not in how large messages are cut into packets */
    if (t->verified && !t->options.thorough)
        o.size_most = OTHER_GIDS_SIZE;
    return o;
}

static struct endpoint_spec spec_of(const struct selftest *t, const struct test_options *o,
                                    const struct port *port, const struct gid *gid)
{
    return (struct endpoint_spec){ .device = port->device->name,
                                   .node = port->device->uverbs.path,
                                   .port = (uint8_t)port->number,
                                   .gid_index = (uint16_t)(gid ? gid->index : 0),
                                   .size = plan_largest(o),
                                   .soft = device_is_rxe(port->device),
                                   .numa_node = t->node };
}

static int test_place(struct selftest *t, const struct place *place, struct facts *facts)
{
    const struct port_pair *pair = place->pair;
    struct test_options options_here = options_of_next(t);
    if (!options_here.verify && !options_here.latency && !options_here.bandwidth)
        return 0;
    struct endpoint_spec spec = spec_of(t, &options_here, place->port, place->gid), far = { 0 };
    if (pair)
        far = spec_of(t, &options_here, pair->to, pair->to_gid);
    struct loopback loopback;
    struct failure failure;
    int r = loopback_open(&loopback, &spec, pair ? &far : NULL, place->cm, &options_here, &failure);
    if (r < 0) {
        loopback_close(&loopback);
        struct result *result = note_result(t, place, facts, "set up", VERDICT_FAIL, "");
        result->failure = failure;
        if (pair)
            port_pair_judge(t->context->host, pair, result);
        return 0;
    }
    struct run run = { .options = &options_here,
                       .set = loopback.near,
                       .peer = &loopback.peer,
                       .results = &t->results,
                       .template = template_of(t, place),
                       .mtu = loopback.path.mtu,
                       .session = (uint16_t)(wait_now() >> 10),
                       .deaths = pair ? 1 : 0, /* many may have no path: one timeout each is enough */
                       .progress = progress_show,
                       .interval = trial_interval,
                       .interval_data = t->context };
    size_t before = t->results.count;
    facts->path_mtu = loopback.path.mtu;
    facts->port_mtu = mtu_bytes(loopback.near->end->port_attr.active_mtu);
    r = selftest_run(&run);
    loopback_close(&loopback);
    facts->came_through = run.through;
    for (size_t i = before; i < t->results.count; i++) {
        struct result *result = &t->results.items[i];
        t->measured |= result->kind != TRIAL_VERIFY;
        t->verified |= result->messages > 0;
        facts->size = result->size;
        result->facts = *facts;
        if (pair && !run.through)
            port_pair_judge(t->context->host, pair, result);
    }
    return r;
}

/* Loopback works on a port without a cable, and for a GID whose packets from other hosts go astray, so both are
 * judged separately. */
static void judge_state(struct selftest *t, const struct port *port, const struct facts *facts)
{
    char note[FAILURE_TEXT_SIZE];
    const struct host *host = t->context->host;
    const struct gid *gid = port_first_routable(port);
    struct cut cut;
    bool lost = !facts->port_down && gid && !port_first_reached(host, port) &&
                gid_is_cut_off(host, port, gid, &cut);
    enum verdict verdict = facts->port_down ? VERDICT_FAIL : lost ? VERDICT_WARN : VERDICT_PASS;
    snprintf(note, sizeof(note), "%s, %s%s", port->state_text ? port->state_text : "unknown",
             port->phys_state_text ? port->phys_state_text : "unknown",
             facts->port_down ? ": loopback may pass, but nothing reaches other hosts" : "");
    if (lost && cut.own)
        snprintf(note, sizeof(note),
                 "loopback may pass, but from other hosts soft-RoCE takes the packets of '%s' and its VLANs "
                 "alone, not those of '%s'",
                 cut.own->name, gid->netdev);
    else if (lost)
        snprintf(note, sizeof(note),
                 "netdev '%s' is %s %s, which takes its frames: nothing from other hosts arrives", gid->netdev,
                 frames_text(cut.frames), cut.taker->name);
    note_result(t, &(struct place){ .port = port }, facts, "port state", verdict, note);
}

static bool usable(const struct selftest *t, const struct port *port, const struct gid *gid,
                   const struct facts *facts)
{
    if (t->gid.known)
        return gid->index == t->gid.value;
    bool v2 = false;
    for (size_t i = 0; i < port->ngids; i++)
        v2 |= port->gids[i].type == GID_TYPE_ROCE_V2;
    if (t->all_gids)
        return true;
    return (gid->type == GID_TYPE_ROCE_V2 || !v2) && !(facts->address_known && facts->address_gone);
}

/* Why our own queue pairs can't be connected there; NULL if they can. */
static const char *no_roce(const struct port *port)
{
    return port->transport == TRANSPORT_ROCE          ? NULL
           : port->transport == TRANSPORT_UNSPECIFIED ? "no RoCE: queue pairs of its own kind (SRD)"
                                                      : "no RoCE port";
}

/* With each address of the netdev. */
static int test_iwarp(struct selftest *t, const struct port *port, struct facts *facts)
{
    struct near_gid addresses[ADDRESSES_MOST];
    int r = 0;
    const struct place whole = { .port = port };
    if (t->gid.known)
        return skip_all(t, &whole, facts, "iWARP uses the netdev's addresses: there is no GID to choose");
    judge_state(t, port, facts);
    t->measured = t->verified = false;
    size_t count = near_addresses(t->context->host, port, addresses, ADDRESSES_MOST);
    for (size_t i = 0; r == 0 && i < count; i++) {
        struct loopback_cm cm = { .ifindex = addresses[i].ifindex };
        struct facts here = *facts;
        memcpy(cm.address, addresses[i].gid.raw, sizeof(cm.address));
        r = test_place(t, &(struct place){ .port = port, .cm = &cm }, &here);
    }
    return count ? r
                 : skip_all(t, &whole, facts,
                            "RDMA_CM, which alone connects iWARP, needs an IPv4 or a global IPv6 address of "
                            "the netdev");
}

static void note_empty_slot(struct selftest *t, const struct port *port, const struct facts *facts)
{
    char note[64];
    snprintf(note, sizeof(note), "slot %lu of the GID table is empty", (unsigned long)t->gid.value);
    note_result(t, &(struct place){ .port = port }, facts, "all", VERDICT_FAIL, note);
}

/* With the GID that applications should use, or --gid names, from each NUMA node. */
static int test_nodes(struct selftest *t, const struct port *port, const struct facts *port_facts)
{
    const struct host *host = t->context->host;
    const struct gid *gid = t->gid.known ? port_gid(port, (uint32_t)t->gid.value) : port_main_gid(port);
    struct facts facts = *port_facts;
    int r = 0;
    if (!gid && t->gid.known)
        note_empty_slot(t, port, port_facts);
    near_facts(host, port, gid, &facts);
    for (size_t i = 0; gid && r == 0 && i < host->system.nnodes; i++) {
        const struct numa_node *node = &host->system.nodes[i];
        int placed = placement_run_on(node->cpus);
        t->node = num_of(node->number);
        t->measured = t->verified = false;
        const struct place place = { .port = port, .gid = gid };
        if (placed < 0) {
            skip_all(t, &place, &facts, "this process may not run on the CPUs of that NUMA node");
            continue;
        }
        r = test_place(t, &place, &facts);
    }
    t->node = (struct num){ 0 };
    return r;
}

static int test_port(struct selftest *t, const struct port *port)
{
    const struct host *host = t->context->host;
    struct facts port_facts = { .loopback = true };
    near_facts(host, port, NULL, &port_facts);
    const char *why = no_roce(port);
    if (port->transport == TRANSPORT_IWARP)
        return test_iwarp(t, port, &port_facts);
    const struct place whole = { .port = port };
    if (why)
        return skip_all(t, &whole, &port_facts, why);
    judge_state(t, port, &port_facts);
    if (t->by_node)
        return test_nodes(t, port, &port_facts);
    t->measured = t->verified = false;
    size_t tested = 0;
    int r = 0;
    /* the GID that applications should use is tested, and measured, first */
    const struct gid *main_gid = port_main_gid(port);
    for (size_t i = 0; r == 0 && i <= port->ngids; i++) {
        const struct gid *gid = i == 0 ? main_gid : &port->gids[i - 1];
        struct facts facts = port_facts;
        if (!gid || (i > 0 && gid == main_gid))
            continue;
        near_facts(host, port, gid, &facts);
        const struct place place = { .port = port, .gid = gid };
        if (usable(t, port, gid, &facts)) {
            tested++;
            r = test_place(t, &place, &facts);
        } else if (!t->gid.known && facts.address_gone) {
            skip_all(t, &place, &facts, "the netdev has no such address; --all-gids tries it all the same");
        }
    }
    if (tested == 0 && t->gid.known)
        note_empty_slot(t, port, &port_facts);
    return r;
}

/* Ports that are down are tested only if the user named them. */
static bool wants(const struct selftest *t, const struct port *port)
{
    bool named = t->context->args->noperands > 0;
    return selection_has_port(&t->context->selection, port) &&
           (named || ((port->transport == TRANSPORT_ROCE || port->transport == TRANSPORT_IWARP) &&
                      num_is(port->state, PORT_STATE_ACTIVE)));
}

/* Tests one port against another. */
static int test_pair(struct selftest *t, const struct port *from, const struct port *to)
{
    const struct host *host = t->context->host;
    struct port_pair pair = port_pair_of(host, from, to);
    struct place place = { .port = from, .gid = pair.from_gid, .pair = &pair };
    struct facts facts = { .peer_mtu = to->roce_mtu.known ? (uint32_t)to->roce_mtu.value : 0 };
    near_facts(host, from, pair.from_gid, &facts);
    if (pair.why)
        return skip_all(t, &place, &facts, pair.why);
    t->measured = t->verified = false;
    return test_place(t, &place, &facts);
}

/* Tests from against the ports after it; the answers test the way back. */
static int test_pairs(struct selftest *t, const struct port *from)
{
    const struct host *host = t->context->host;
    int r = 0;
    for (const struct port *to = from; r == 0 && (to = host_next_port(host, to));)
        if (from->transport == TRANSPORT_ROCE && to->transport == TRANSPORT_ROCE && wants(t, to))
            r = test_pair(t, from, to);
    return r;
}

static int options_of(struct selftest *t)
{
    const struct args *args = t->context->args;
    t->all_gids = args_given(args, "all-gids");
    t->gid = num_if(args_given(args, "gid"), args_number(args, "gid", 0));
    int r = trial_options_read(args, DURATION_MS, &t->options);
    t->by_node = args_given(args, "numa");
    t->all_ports = args_given(args, "all-ports");
    if (r == 0 && t->all_ports && (t->by_node || t->gid.known || t->all_gids))
        return say_invalid(
            "--all-ports chooses the GIDs of each pair itself: leave out --gid, --all-gids and --numa");
    if ((t->by_node || t->all_ports) && !args_given(args, "verify"))
        t->options.verify = false;
    if (t->by_node && r == 0 && !t->context->host->system.nnodes)
        return say_invalid("--numa: /sys/devices/system/node doesn't tell of NUMA nodes with CPUs and memory");
    return r;
}

static int test_all(struct selftest *t)
{
    const struct host *host = t->context->host;
    struct port_growth *growths = NULL;
    size_t ngrowths = 0;
    struct host *after = NULL;
    for (const struct port *port = NULL; t->stopped == 0 && (port = host_next_port(host, port));) {
        if (!wants(t, port))
            continue;
        t->stopped = t->all_ports ? test_pairs(t, port) : test_port(t, port);
        *ARENA_PUSH(host->arena, growths, ngrowths) = (struct port_growth){ .host = "local",
                                                                            .device = port->device->name,
                                                                            .port = port->number };
    }
    by_node_judge(host, &t->results);
    if (host_read(t->context->source, GROWN_NEEDS, &after) == 0)
        for (size_t i = 0; i < ngrowths; i++)
            counters_grown(host, after, growths[i].device, growths[i].port, &growths[i].counters);
    host_free(after);
    for (size_t i = 0; i < t->results.count; i++)
        for (size_t g = 0; g < ngrowths; g++)
            if (strcmp(t->results.items[i].device, growths[g].device) == 0 &&
                t->results.items[i].port == growths[g].port)
                counters_tell(&growths[g].counters, false, &t->results.items[i].facts);
    struct results_page page = { .look = &t->context->args->look,
                                 .host = t->context->host,
                                 .results = &t->results,
                                 .growths = growths,
                                 .ngrowths = ngrowths,
                                 .lines = t->options.repeat > 1,
                                 .memory = t->options.memory ? args_value(t->context->args, "memory") : NULL,
                                 .matrix = t->all_ports };
    return results_print(&page) ? STATUS_OK : STATUS_FOUND;
}

COMMAND(selftest)
{
    struct selftest t = { .context = context };
    if (source_is_recording(context->source))
        return say_unable("a recording can't be tested: run selftest on the machine itself");
    if (options_of(&t) < 0)
        return STATUS_ERROR;
    interrupts_end_cleanly();
    int status = test_all(&t);
    if (t.stopped == -EINTR && (t.options.repeat != UNTIL_INTERRUPTED || status != STATUS_OK)) {
        say_note("interrupted");
        status = STATUS_ERROR;
    }
    free(t.results.items);
    return status;
}
