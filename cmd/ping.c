/* SPDX-License-Identifier: MIT */
/* roce ping: tests whether data flows to another host, and how fast. */
#include "check/towards.h"
#include "command/context.h"
#include "command/test_ends.h"
#include "command/trials.h"
#include "selftest/test_run.h"
#include "view/json.h"
#include "view/page.h"
#include "view/results.h"
#include "view/terminal.h"
#include "view/trace.h"

enum { DURATION_MS = 1000, CLASSES_MOST = 64 };

/* The tests of one pair of GIDs; with --all-rails there is one for each port here. */
struct ping {
    struct context *context;
    struct client *client;
    bool is_rail;  /* with GIDs of one port alone */
    bool unpaired; /* no GID here fits one there */
    struct run run;
    struct test_options options;
    struct client_spec spec;
    struct far_host far;
    struct near_gid gids[CLIENT_GIDS_MOST];
    uint32_t npaths; /* 0 for the usual test */
    double loss;     /* that paths are to show, as a share; 0: no more than is quick */
    struct paths *paths;
    uint8_t classes[CLASSES_MOST]; /* traffic classes to try, nclasses of them */
    size_t nclasses;
    struct class_counting counting; /* by priority, while they are tried */
    char remark[PATHS_TEXT_SIZE];
    struct failure broken; /* STEP_NONE if looking at paths finished */
    struct expectations expected;
    struct results results;
    struct facts facts;
    struct port_growth growths[2];
    char pair_text[PAIR_TEXT_SIZE];
    struct way_fact *here_now; /* of the way to a peer that couldn't be reached */
    size_t nhere_now;
};

/* Appends those of --dscp or --tclass; shift turns a number into a traffic class. */
static int classes_of(struct ping *ping, const char *option, unsigned most, unsigned shift)
{
    const char *list = args_value(ping->context->args, option), *at;
    for (size_t len; (at = text_next_item(&list, ',', &len));) {
        char word[8];
        uint64_t number = 0;
        snprintf(word, sizeof(word), "%.*s", (int)len, at);
        if (len >= sizeof(word) || text_to_u64(word, 10, &number) < 0 || number > most ||
            ping->nclasses == CLASSES_MOST)
            return say_invalid("'%.*s' is not a number for --%s: give 0 to %u, at most %d of them", (int)len,
                               at, option, most, CLASSES_MOST);
        ping->classes[ping->nclasses++] = (uint8_t)(number << shift);
    }
    return 0;
}

static int options_of(struct ping *ping)
{
    const struct args *args = ping->context->args;
    if (args->noperands != 1)
        return say_invalid("ping takes one operand, HOST or HOST:PORT of a host where 'roce serve' runs");
    bool is_auto = text_is(args_value(args, "paths"), "auto");
    ping->npaths = is_auto ? PATHS_MOST : (uint32_t)args_number(args, "paths", 0);
    ping->loss = args_real(args, "loss", is_auto ? 1 : 0) / 100;
    if (args_given(args, "loss") && !ping->npaths)
        return say_invalid("--loss says what --paths is to see: give that, too ('--paths auto')");
    if (trial_options_read(args, DURATION_MS, &ping->options) < 0 || classes_of(ping, "dscp", 63, 2) < 0 ||
        classes_of(ping, "tclass", 255, 0) < 0)
        return -EINVAL;
    if (ping->options.memory && (ping->npaths || ping->nclasses))
        return say_invalid(
            "--memory is for what is verified and measured: leave out --paths, --dscp and --tclass");
    if (args_given(args, "all-rails") && (ping->npaths || ping->nclasses || args_given(args, "gid") ||
                                          args_given(args, "device") || args_given(args, "rdma-cm")))
        return say_invalid("--all-rails measures from each port: leave out --paths, --dscp, --tclass, --gid, "
                           "--device and --rdma-cm");
    if (ping->options.repeat > 1 && (ping->npaths || ping->nclasses))
        return say_invalid(
            "--repeat and --until-interrupted are for measuring: leave out --paths, --dscp and --tclass");
    for (size_t i = 0; i < args->ngiven; i++)
        if (strcmp(args->given[i].def->name, "expect") == 0 &&
            expectations_add(&ping->expected, ping->npaths ? path_columns : result_columns,
                             args->given[i].value) < 0)
            return -EINVAL;
    ping->spec.near.gid = (int)args_number(args, "gid", (uint64_t)-1);
    ping->spec.near.device = args_value(args, "device");
    ping->spec.rdma_cm = args_given(args, "rdma-cm");
    if (ping->spec.near.device && !host_find_device(ping->context->host, ping->spec.near.device)) {
        say_error("no RDMA device '%s'", ping->spec.near.device);
        return -ENODEV;
    }
    ping->spec.options = &ping->options;
    return far_host_find(args->operands[0], &ping->spec, &ping->far);
}

static void judge_mtu(struct ping *ping, const struct client *client, const struct result *template)
{
    if (!client->near_mtu || !client->far_mtu || client->near_mtu == client->far_mtu)
        return;
    struct result *result = results_add_like(&ping->results, template, "path MTU", VERDICT_WARN);
    snprintf(result->note, sizeof(result->note), "%u here, %u there: tested with %u", client->near_mtu,
             client->far_mtu, client->path.mtu);
}

static struct result template_of(struct ping *ping, const struct client *client)
{
    const struct near_gid *near = client_near(client);
    const struct wire_gid *gid = &near->gid;
    return (struct result){ .rate_gbits = near->rate_gbits,
                            .device = gid->device,
                            .gid = gid_address_text(ping->context->host->arena, gid->raw),
                            .port = gid->port,
                            .gid_index = num_if(!wire_gid_is_iwarp(gid), gid->index) };
}

static void learn_facts(struct ping *ping, const struct client *client)
{
    near_facts_of(ping->context->host, client_near(client), &ping->facts);
    ping->facts.path_mtu = client->path.mtu;
    ping->facts.port_mtu = client->near_mtu;
    ping->facts.peer_mtu = client->far_mtu;
}

/* Reads the port again: it may have gone down in the meantime. */
static void look_again(struct ping *ping, const struct client *client, const struct host *after)
{
    struct facts now = { 0 };
    near_facts_of(after, client_near(client), &now);
    ping->facts.port_down = now.port_down;
    if (now.address_known && now.address_gone)
        ping->facts.address_known = ping->facts.address_gone = true;
}

static void count_both_ends(struct ping *ping, struct client *client)
{
    const struct wire_gid *near = &client_near(client)->gid, *far = &client->offer.gids[client->pair.far];
    struct host *after = NULL;
    struct failure ignored;
    ping->growths[0] = (struct port_growth){ .host = "local", .device = near->device, .port = near->port };
    ping->growths[1] = (struct port_growth){ .host = *client->host ? client->host : "remote",
                                             .device = far->device,
                                             .port = far->port };
    /* a GID table has a thousand slots: read it only if there is a failure to explain */
    needs_t needs = GROWN_NEEDS;
    for (size_t i = 0; i < ping->results.count; i++)
        needs |= ping->results.items[i].verdict == VERDICT_FAIL ? NEAR_NEEDS : 0;
    if (host_read(ping->context->source, needs, &after) == 0) {
        counters_grown(ping->context->host, after, near->device, near->port, &ping->growths[0].counters);
        if (needs & NEED_GIDS)
            look_again(ping, client, after);
    }
    host_free(after);
    /* in the middle of a test the server would take the question for nonsense */
    ping->facts.peer_there = !wait_interrupted() &&
                             client_counters(client, &ping->growths[1].counters, &ignored) >= 0;
    if (!ping->facts.peer_there)
        ping->growths[1].counters.ncounters = 0;
    for (size_t i = 0; i < ARRAY_SIZE(ping->growths); i++)
        counters_tell(&ping->growths[i].counters, i > 0, &ping->facts);
}

static void say_pair(struct ping *ping, const struct client *client)
{
    snprintf(ping->pair_text, sizeof(ping->pair_text), "%s", client->pair.why);
    if (ping->context->args->look.json || look_chooses(&ping->context->args->look))
        return;
    size_t width = ping->context->args->look.width;
    char text[FAR_HOST_TEXT_SIZE];
    if (far_host_text(&ping->far, &ping->spec, text))
        line_print(width, 0, "%s", text);
    snprintf(text, sizeof(text), "; MTU %u", client->path.mtu);
    line_print(width, 0, "%s%s", client->pair.why, client_is_iwarp(client) ? "" : text);
    fflush(stdout);
}

/* A failure before anything could be tested is a result too. */
static void add_failure(struct ping *ping, const struct client *client, const struct failure *failure)
{
    struct result template = { 0 };
    bool chosen = (client->side.set && !client->side.set->paths) || failure->step > STEP_GID_PAIR ||
                  (failure->step < STEP_CONNECT && client->offer.ngids > 0 && *client->pair.why);
    if (chosen && ping->spec.near.ngids)
        template = template_of(ping, client);
    else if (ping->is_rail)
        template = (struct result){ .device = ping->gids[0].gid.device, .port = ping->gids[0].gid.port };
    struct result *result = results_add_like(&ping->results, &template, "set up", VERDICT_FAIL);
    result->failure = *failure;
    if (!ping->is_rail || !ping->unpaired)
        return;
    /* the other host may have no port on this one's network */
    result->verdict = VERDICT_NA;
    result->failure = (struct failure){ 0 };
    snprintf(result->note, sizeof(result->note), "%s",
             client->offer.ngids == 1
                 ? "the other end tells just that address: of more with 'roce serve --allow LIST'"
                 : "no address there has its route from this port");
}

static bool is_of_the_way(const struct result *result)
{
    const struct failure *failure = &result->failure;
    bool unreached = failure->step == STEP_CONNECT || failure->step == STEP_RTR || failure->step == STEP_AH ||
                     failure->step == STEP_CM_RESOLVE || failure->step == STEP_CM_CONNECT;
    return result->verdict == VERDICT_FAIL && !failure->remote && failure->err != ECONNREFUSED &&
           (unreached || failure_is_silence(failure));
}

/* err: of the failure; who can't be reached although its MAC is known was refused by somebody. */
static void take_way(struct ping *ping, enum way_about about, int err)
{
    struct facts *facts = &ping->facts;
    facts->route_refuses |= about == WAY_REFUSES;
    facts->port_down |= about == WAY_DOWN;
    facts->neighbour_by_hand |= about == WAY_BY_HAND;
    if (about == WAY_SILENT)
        facts->neighbour = TRI_NO;
    else if (about == WAY_ANSWERS || (about == WAY_RESOLVED && err == EHOSTUNREACH))
        facts->neighbour = TRI_YES;
}

/* Before an operator believes a likely cause, what can be known here is looked at. */
static void look_at_way(struct ping *ping, const struct client *client)
{
    const struct results *results = &ping->results;
    struct host *now = NULL;
    uint8_t to[16];
    size_t i = 0;
    while (i < results->count && !is_of_the_way(&results->items[i]))
        i++;
    if (i == results->count || host_read(ping->context->source, way_needs(), &now) < 0)
        return;
    address_gid(&ping->spec.address, to);
    bool chosen = results->items[i].device && client->offer.ngids;
    ping->nhere_now = way_facts(now, chosen ? client_near(client)->gid.raw : NULL,
                                chosen ? client->offer.gids[client->pair.far].raw : to,
                                ping->context->host->arena, &ping->here_now);
    for (size_t n = 0; n < ping->nhere_now; n++)
        take_way(ping, ping->here_now[n].about, results->items[i].failure.err);
    ping->facts.link_local |= !chosen && gid_is_link_local(to);
    host_free(now);
}

/* The name that was looked up, or null if an address was given. */
static json_t *resolved_json(const struct ping *ping)
{
    char text[ADDRESS_TEXT_SIZE];
    const struct resolved *found = &ping->far.found;
    if (found->count == 0)
        return json_null();
    json_t *object = json_object();
    address_host_text(&ping->spec.address, text);
    json_put_text(object, "name", ping->far.name);
    json_put_text(object, "source", found->source);
    json_put_text(object, "address", text);
    json_t *addresses = json_add_array(object, "addresses");
    for (size_t i = 0; i < found->count; i++) {
        address_host_text(&found->addresses[i], text);
        json_array_append_new(addresses, json_string(text));
    }
    return object;
}

static json_t *counter_json(const struct class_counter *end)
{
    json_t *object = json_object();
    json_put_text(object, "netdev", *end->at.netdevs ? end->at.netdevs : NULL);
    json_put_bool(object, "by_priority", end->known);
    return object;
}

/* Whose counters showed the priority on which traffic classes were sent and received; null if none were
 * tried. */
static json_t *counting_json(const struct class_counting *counting)
{
    return counting->client ? json_pack("{s:o, s:o}", "own_side", counter_json(&counting->near), "peer_side",
                                        counter_json(&counting->far))
                            : json_null();
}

static json_t *pair_json(const struct ping *ping, const struct client *client)
{
    json_t *pair = json_object();
    json_put_text(pair, "why", ping->pair_text);
    json_put_text(pair, "peer_host", client->host);
    if (client->offer.ngids && !ping->unpaired) {
        const struct wire_gid *far = &client->offer.gids[client->pair.far];
        char address[GID_ADDRESS_SIZE];
        gid_address(far->raw, address);
        json_put_text(pair, "peer_device", far->device);
        json_put_unsigned(pair, "peer_port", far->port);
        json_put_num(pair, "peer_gid_index", num_if(!wire_gid_is_iwarp(far), far->index));
        json_put_text(pair, "peer_address", address);
        json_put_text(pair, "type", wire_gid_kind(far));
        json_put_num(pair, "mtu", num_if(client->path.mtu > 0 && !wire_gid_is_iwarp(far), client->path.mtu));
    }
    return pair;
}

static json_t *more_json(const struct ping *ping, const struct client *client)
{
    json_t *more = json_object();
    json_object_set_new(more, "pair", pair_json(ping, client));
    json_object_set_new(more, "priority_counters", counting_json(&ping->counting));
    json_object_set_new(more, "resolved", resolved_json(ping));
    json_object_set_new(more, "here_now", way_facts_json(ping->here_now, ping->nhere_now));
    return more;
}

/* Opens the first of the addresses of a name that accepts a connection. *failure is that of the attempt that
 * got furthest. */
static int open_any(struct ping *ping, struct client *client, struct failure *failure)
{
    for (size_t taken = 0;; taken++) {
        struct failure own;
        int r = client_open(client, &ping->spec, &own);
        if (taken == 0 || r >= 0 || own.step != STEP_CONNECT)
            *failure = own;
        if (r >= 0 || r == -EINTR || own.step != STEP_CONNECT || client->offer.ngids ||
            far_host_next(&ping->far, &own, &ping->spec) < 0)
            return r;
        client_close(client);
    }
}

static int test_paths(struct ping *ping, struct client *client)
{
    struct paths_spec spec = { .count = ping->npaths,
                               .traffic_class = ping->options.traffic_class,
                               .rates = true,
                               .loss = ping->loss,
                               .progress = progress_show };
    ping->paths = arena_alloc(ping->context->host->arena, 1, sizeof(*ping->paths));
    int r = paths_run(client, &spec, ping->paths, &ping->broken);
    if (r == 0)
        ping->broken.step = STEP_NONE; /* from single attempts: the test itself finished */
    return r == -EINTR ? r : 0;
}

static struct num num_of_found(struct priority_found found)
{
    unsigned priority = 0;
    while (priority < PRIORITIES && !(found.mask >> priority & 1))
        priority++;
    return num_if(found.kind == PRIORITY_ONE, priority);
}

static void judge_class(struct ping *ping, const struct client *client, uint8_t class,
                        const struct datagrams *g, const struct class_priorities *p)
{
    char text[PATHS_TEXT_SIZE], operation[RESULT_NAME_SIZE];
    struct result template = template_of(ping, client);
    snprintf(operation, sizeof(operation), "UD send, DSCP %u (traffic class %u)", class >> 2, class);
    struct result *result = results_add_like(&ping->results, &template, operation,
                                             classes_judge(class, g, p, text));
    result->messages = g->answered;
    result->lost = g->sent - g->answered;
    result->size = result->size_min = EXCHANGE_STAMP;
    for (enum direction d = THERE; d < DIRECTIONS; d++) {
        result->dscp[d] = num_if(g->traffic_class[d] != EXCHANGE_NO_CLASS, g->traffic_class[d] >> 2);
        result->priority_sent[d] = num_of_found(p->sent[d]);
        result->priority_received[d] = num_of_found(p->received[d]);
    }
    snprintf(result->note, sizeof(result->note), "%.*s", FAILURE_TEXT_SIZE - 1, text);
}

static struct priority_counts read_priorities(void *data)
{
    const struct ping *ping = data;
    return near_priorities(ping->context->source, ping->counting.near.at.netdevs);
}

/* Tests each traffic class with datagrams, whose header says how they arrived. */
static int test_classes(struct ping *ping, struct client *client)
{
    struct failure failure;
    ping->counting = (struct class_counting){ .client = client, .read = read_priorities, .data = ping };
    snprintf(ping->counting.near.at.netdevs, sizeof(ping->counting.near.at.netdevs), "%s",
             client_near(client)->netdevs);
    int r = classes_begin(&ping->counting, &failure);
    for (size_t i = 0; r == 0 && i < ping->nclasses; i++) {
        struct datagrams datagrams;
        struct class_priorities priorities;
        r = paths_datagrams(client, ping->classes[i], &datagrams, &failure);
        if (r == 0)
            r = classes_count(&ping->counting, &datagrams, &priorities, &failure);
        if (r == 0)
            judge_class(ping, client, ping->classes[i], &datagrams, &priorities);
    }
    if (r < 0)
        add_failure(ping, client, &failure);
    else if (!classes_silent(&ping->counting, client->host, ping->remark))
        *ping->remark = '\0';
    count_both_ends(ping, client);
    return r == -EINTR ? r : 0;
}

/* Opens the session. Returns 0, or -errno: why is a result. */
static int begin(struct ping *ping)
{
    struct client *client = ping->client;
    struct failure failure;
    int r = open_any(ping, client, &failure);
    if (r < 0) {
        snprintf(ping->pair_text, sizeof(ping->pair_text), "%s", client->pair.why);
        ping->unpaired = failure.step == STEP_GID_PAIR;
        if (*client->pair.why && !ping->unpaired)
            learn_facts(ping, client);
        add_failure(ping, client, &failure);
        return r;
    }
    say_pair(ping, client);
    learn_facts(ping, client);
    return 0;
}

static void prepare_run(struct ping *ping)
{
    struct client *client = ping->client;
    if (ping->options.duration > client->test_ms)
        ping->options.duration = client->test_ms;
    struct result template = template_of(ping, client);
    judge_mtu(ping, client, &template);
    ping->run = (struct run){ .options = &ping->options,
                              .set = client->side.set,
                              .peer = &client->peer,
                              .results = &ping->results,
                              .template = template,
                              .mtu = client->path.mtu,
                              .session = (uint16_t)(wait_now() >> 10),
                              .progress = progress_show,
                              .interval = trial_interval,
                              .interval_data = ping->context };
}

static void end_run(struct ping *ping)
{
    ping->facts.came_through = ping->run.through;
    ping->facts.largest = ping->run.largest;
    count_both_ends(ping, ping->client);
}

static int test_client(struct ping *ping)
{
    int r = begin(ping);
    if (r < 0)
        return r == -EINTR ? r : 0;
    if (ping->npaths)
        return test_paths(ping, ping->client);
    if (ping->nclasses)
        return test_classes(ping, ping->client);
    prepare_run(ping);
    r = selftest_run(&ping->run);
    end_run(ping);
    return r == -EINTR ? r : 0;
}

/* -- all rails ------------------------------------------------------------------------------------------- */

static bool is_of_port(const struct wire_gid *a, const struct wire_gid *b)
{
    return a->port == b->port && strcmp(a->device, b->device) == 0;
}

/* One for each active port here but that of the session that is open, with its own GIDs. */
static size_t split_by_port(const struct ping *first, struct ping **rails)
{
    const struct wire_gid *taken = &client_near(first->client)->gid;
    struct arena *arena = first->context->host->arena;
    size_t count = 0;
    for (size_t i = 0; i < first->spec.near.ngids; i++) {
        const struct near_gid *gid = &first->gids[i];
        size_t r = 0;
        while (r < count && !is_of_port(&rails[r]->gids[0].gid, &gid->gid))
            r++;
        if (!gid->active || is_of_port(taken, &gid->gid))
            continue;
        if (r == count) {
            struct ping *rail = rails[count++] = arena_alloc(arena, 1, sizeof(*rail));
            rail->context = first->context;
            rail->is_rail = true;
            rail->client = arena_alloc(arena, 1, sizeof(*rail->client));
            rail->options = first->options;
            rail->spec = first->spec;
            rail->spec.near.gids = rail->gids;
            rail->spec.near.ngids = 0;
            rail->spec.options = &rail->options;
        }
        rails[r]->gids[rails[r]->spec.near.ngids++] = *gid;
    }
    return count;
}

/* A dead rail takes its time, and a server gives up clients that have nothing to ask. */
static void stay_alive(struct ping *const *open, size_t count)
{
    struct grown_counters counters;
    struct failure ignored;
    for (size_t i = 0; i < count; i++)
        client_counters(open[i]->client, &counters, &ignored);
}

/* rails: the first, and then the others, of which there are *count in the end. */
static int test_rails(struct ping **rails, size_t *count)
{
    struct ping *open[CLIENT_GIDS_MOST + 1];
    struct run *runs[CLIENT_GIDS_MOST + 1];
    size_t n = 0;
    int r = begin(rails[0]);
    if (r < 0)
        return r == -EINTR ? r : 0;
    *count = 1 + split_by_port(rails[0], rails + 1);
    for (size_t i = 0; i < *count && r != -EINTR; i++) {
        if (i && (r = begin(rails[i])) < 0) {
            stay_alive(open, n);
            continue;
        }
        prepare_run(rails[i]);
        rails[i]->run.progress = n ? NULL : progress_show;
        runs[n] = &rails[i]->run;
        open[n++] = rails[i];
    }
    r = r == -EINTR ? r : selftest_run_together(runs, n);
    for (size_t i = 0; i < n; i++)
        end_run(open[i]);
    return r == -EINTR ? r : 0;
}

/* What one measurement of bandwidth comes to on all rails together. */
struct sum {
    const struct result *of;
    double mbytes_per_second;
    size_t rails;
};

static size_t find_sums(const struct results *results, struct arena *arena, struct sum **sums)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->items[i];
        size_t at = 0;
        while (at < count && !result_is_same_test((*sums)[at].of, result))
            at++;
        if (result->mbytes_per_second <= 0)
            continue;
        if (at == count)
            ARENA_PUSH(arena, *sums, count)->of = result;
        (*sums)[at].mbytes_per_second += result->mbytes_per_second;
        (*sums)[at].rails++;
    }
    return count;
}

static json_t *sums_json(const struct sum *sums, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_push_object(array);
        json_put_text(object, "operation", sums[i].of->operation);
        json_put_unsigned(object, "size", sums[i].of->size);
        json_put_real(object, "mbytes_per_second", sums[i].mbytes_per_second);
        json_put_unsigned(object, "rail_count", sums[i].rails);
    }
    return array;
}

static json_t *rails_json(struct ping *const *rails, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct client *client = rails[i]->client;
        const struct wire_gid *own = &rails[i]->gids[rails[i]->is_rail ? 0 : client->pair.near].gid;
        json_t *object = pair_json(rails[i], client);
        json_put_text(object, "device", own->device);
        json_put_unsigned(object, "port", own->port);
        json_array_append_new(array, object);
    }
    return array;
}

static const char *sums_text(const struct sum *sums, size_t count, struct arena *arena)
{
    const char *text = NULL;
    for (size_t i = 0; i < count; i++)
        text = arena_printf(arena, "%s %s, %" PRIu32 " B: %.2f Gb/s%s",
                            text ? text : "All rails together:", sums[i].of->operation, sums[i].of->size,
                            sums[i].mbytes_per_second * 8e-3, i + 1 < count ? ";" : "");
    return text;
}

/* -- the report ------------------------------------------------------------------------------------------ */

static int report_paths(struct ping *ping)
{
    const struct client *client = ping->client;
    const struct wire_gid *gid = &client_near(client)->gid;
    struct paths_page page = { .look = &ping->context->args->look,
                               .host = ping->context->host,
                               .device = gid->device,
                               .port = gid->port,
                               .rate_gbits = client_near(client)->rate_gbits,
                               .paths = ping->paths,
                               .expected = &ping->expected,
                               .failure = ping->broken.step ? &ping->broken : NULL,
                               .more = more_json(ping, client) };
    return paths_print(&page) ? STATUS_OK : STATUS_FOUND;
}

/* The pages of all rails as one. */
struct whole {
    struct results results;
    struct port_growth *growths;
    size_t ngrowths;
    const struct ping *unreached; /* the first that has looked at the way */
};

static void add_to_whole(struct whole *whole, const struct ping *rail, struct arena *arena)
{
    for (size_t i = 0; i < rail->results.count; i++) {
        struct result *result = &rail->results.items[i];
        result->facts = rail->facts;
        result_learn(&rail->results, i);
        *results_add(&whole->results) = *result;
    }
    for (size_t i = 0; rail->growths[0].device && i < ARRAY_SIZE(rail->growths); i++)
        *ARENA_PUSH(arena, whole->growths, whole->ngrowths) = rail->growths[i];
    if (rail->nhere_now && !whole->unreached)
        whole->unreached = rail;
}

static int print_report(struct ping *ping, struct ping *const *rails, size_t count)
{
    struct arena *arena = ping->context->host->arena;
    struct whole whole = { 0 };
    struct sum *sums = NULL;
    if (ping->paths)
        return report_paths(ping);
    for (size_t i = 0; i < count; i++)
        add_to_whole(&whole, rails[i], arena);
    rails_judge(&whole.results);
    size_t nsums = count > 1 ? find_sums(&whole.results, arena, &sums) : 0;
    json_t *more = more_json(rails[0], rails[0]->client);
    json_object_set_new(more, "rails", rails_json(rails, count));
    json_object_set_new(more, "sums", sums_json(sums, nsums));
    struct results_page page = { .look = &ping->context->args->look,
                                 .host = ping->context->host,
                                 .results = &whole.results,
                                 .growths = whole.growths,
                                 .ngrowths = whole.ngrowths,
                                 .expected = &ping->expected,
                                 .lines = ping->options.repeat > 1,
                                 .memory = ping->options.memory ? args_value(ping->context->args, "memory")
                                                                : NULL,
                                 .apart = ping->nclasses > 0,
                                 .here_now = whole.unreached ? whole.unreached->here_now : NULL,
                                 .nhere_now = whole.unreached ? whole.unreached->nhere_now : 0,
                                 .remark = *ping->remark ? ping->remark : sums_text(sums, nsums, arena),
                                 .more = more };
    bool passed = results_print(&page);
    free(whole.results.items);
    return passed ? STATUS_OK : STATUS_FOUND;
}

COMMAND(ping)
{
    struct ping *ping = arena_alloc(context->host->arena, 1, sizeof(*ping)), *rails[CLIENT_GIDS_MOST + 1];
    size_t count = 1;
    ping->context = context;
    ping->client = arena_alloc(context->host->arena, 1, sizeof(*ping->client));
    if (source_is_recording(context->source))
        return say_unable(
            "a recording can't ping: run 'roce ping' on the machine itself, and 'roce serve' on the other one");
    interrupts_end_cleanly();
    ping->spec.near.gids = ping->gids;
    ping->spec.near.ngids = near_gids(context->host, ping->gids, CLIENT_GIDS_MOST);
    if (options_of(ping) < 0)
        return STATUS_ERROR;
    ping->spec.size = plan_largest(&ping->options);
    gethostname(ping->spec.host, sizeof(ping->spec.host) - 1);
    rails[0] = ping;
    int r = args_given(context->args, "all-rails") ? test_rails(rails, &count) : test_client(ping);
    for (size_t i = 0; i < count; i++)
        look_at_way(rails[i], rails[i]->client);
    int status = print_report(ping, rails, count);
    for (size_t i = 0; i < count; i++) {
        client_close(rails[i]->client);
        free(rails[i]->results.items);
    }
    if (r == -EINTR && (ping->options.repeat != UNTIL_INTERRUPTED || status != STATUS_OK)) {
        say_note("interrupted");
        status = STATUS_ERROR;
    }
    expectations_free(&ping->expected);
    return status;
}
