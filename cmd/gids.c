/* SPDX-License-Identifier: MIT */
/* roce gids: the GID table, and with --for the entry that a consumer would take. */
#include "check/rail.h"
#include "check/use.h"
#include "command/context.h"
#include "consumer/advice.h"
#include "view/gpus.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"

struct gid_row {
    const struct port *port;
    const struct gid *gid;        /* NULL for an empty slot */
    const struct gid *of_address; /* NULL also on an iWARP port, where it is the MAC */
    uint32_t index;
    struct choice choice; /* for --for */
};

static struct gid_row gid_row(const struct port *port, const struct gid *gid, uint32_t index)
{
    bool is_mac = port->transport == TRANSPORT_IWARP;
    return (struct gid_row){ .port = port, .gid = gid, .of_address = is_mac ? NULL : gid, .index = index };
}

const struct column gids_columns[] = { GIDS_COLUMNS };

static void add_port(const struct context *context, struct gid_row **rows, size_t *count,
                     const struct port *port)
{
    struct arena *arena = context->host->arena;
    size_t next = 0;
    if (!args_given(context->args, "all")) {
        for (size_t i = 0; i < port->ngids; i++)
            if (selection_has_gid(&context->selection, port, &port->gids[i]))
                *ARENA_PUSH(arena, *rows, *count) = gid_row(port, &port->gids[i], port->gids[i].index);
        return;
    }
    for (uint64_t index = 0; index < port->gid_table_len.value; index++) {
        bool filled = next < port->ngids && port->gids[next].index == index;
        *ARENA_PUSH(arena, *rows, *count) = gid_row(port, filled ? &port->gids[next] : NULL, (uint32_t)index);
        next += filled;
    }
}

static struct value get_verdict(const void *row)
{
    const struct choice *choice = &((const struct gid_row *)row)->choice;
    return choice->flaw      ? value_with_tone(value_text("bad"), TONE_BAD)
           : choice->unused  ? value_text("unused")
           : choice->unknown ? value_text("unknown")
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

const struct column gids_choice_columns[] = { GIDS_CHOICE_COLUMNS };

/* How many bad choices matter; a spare port's don't, nor those of a port with RoCE off beside InfiniBand, such
 * as the Ethernet port of Azure's machines. */
static size_t count_bad(const struct context *context, const struct advice *advice)
{
    const struct host *host = context->host;
    size_t bad = 0;
    bool infiniband = false;
    for (size_t i = 0; i < advice->count; i++) {
        const struct advised_port *port = &advice->ports[i];
        infiniband |= port->port->transport == TRANSPORT_INFINIBAND && !port->choice.flaw &&
                      !port->choice.unused;
    }
    for (size_t i = 0; i < advice->count; i++) {
        const struct port *port = advice->ports[i].port;
        bool matters = advice->asked ||
                       (port_is_judged(host, port, host->arena) && !(infiniband && port_has_roce_off(port)));
        bad += advice->ports[i].choice.flaw && matters;
    }
    return bad;
}

/* The advice, and a row for each of its ports. */
static struct advice find_advice(const struct context *context, enum consumer consumer, struct gid_row **rows)
{
    struct arena *arena = context->host->arena;
    size_t nports;
    const struct port_row *port_row = port_rows(context->host, &context->selection, &nports);
    const struct port **ports = arena_alloc(arena, nports + 1, sizeof(*ports));
    bool *other_prefix = arena_alloc(arena, nports + 1, sizeof(*other_prefix));
    struct found_rails found = { 0 };
    for (size_t i = 0; i < nports; i++) {
        ports[i] = port_row[i].port;
        other_prefix[i] = rail_has_other_prefix(context->host, ports[i], &found, arena);
    }
    struct advice advice = consumer_advice(consumer, context->host, ports, other_prefix, nports,
                                           context->selection.some);
    advice.bad = count_bad(context, &advice);
    *rows = arena_alloc(arena, advice.count + 1, sizeof(**rows));
    for (size_t i = 0; i < advice.count; i++) {
        const struct choice *choice = &advice.ports[i].choice;
        (*rows)[i] = gid_row(advice.ports[i].port, choice->gid, choice->index);
        (*rows)[i].choice = *choice;
    }
    return advice;
}

/* The consumer's settings, in lines below the table. */
static void show_settings(const struct context *context, enum consumer consumer)
{
    const struct system *system = &context->host->system;
    size_t width = context->args->look.width;
    for (const char *const *name = consumer_variables(consumer); *name; name++) {
        struct setting setting = consumer_setting(consumer, system, *name);
        char *value = text_clean(setting.value, TEXT_ONE_LINE), *file = text_clean(setting.file, TEXT_ONE_LINE);
        if (value && file)
            line_print(width, 0, "Set: %s=%s, by line %u of %s.", *name, value, setting.line, file);
        else if (value)
            line_print(width, 0, "Set: %s=%s, by the environment.", *name, value);
        free(value);
        free(file);
    }
}

/* The ports that the line leaves out, as text, with those whose address tells why in apart, and as a JSON list.
 */
static json_t *left_out(const struct advice *advice, struct bytes *line, struct bytes *apart)
{
    struct arena *arena = advice->host->arena;
    json_t *array = json_array();
    for (size_t i = 0; i < advice->count; i++) {
        const struct port *port = advice->ports[i].port;
        if (!advice_leaves_aside(advice, &advice->ports[i]))
            continue;
        const char *name = arena_printf(arena, "%s:%u", port->device->name, port->number);
        const struct gid *gid = advice->ports[i].apart ? advice->ports[i].advised.gid : NULL;
        struct bytes *out = gid ? apart : line;
        const char *text = gid ? gid_address_text(arena, gid->raw)
                               : value_in_words(arena, value_num_as(VALUE_MBPS, port->rate_mbps));
        json_array_append_new(array, json_text(name));
        if (!advice->ports[i].other_prefix) /* its flaw says so */
            bytes_printf(out, "%s%s (%s)", out->len ? ", " : "", name, text);
    }
    return array;
}

/* Why the ports aren't rails, in words. */
static const char *aside_reason(const struct advice *advice)
{
    struct arena *arena = advice->host->arena;
    bool as_fast = false;
    for (size_t i = 0; i < advice->count; i++)
        as_fast |= advice_leaves_aside(advice, &advice->ports[i]) && !advice->ports[i].apart &&
                   !advice_is_slower(advice, &advice->ports[i]);
    if (!as_fast)
        return arena_printf(arena, "slower than the rails of %s",
                            value_in_words(arena, value_num_as(VALUE_MBPS, num_of(advice->rail_mbps))));
    return advice->rail_mbps ? "taken by no accelerator, or slower than the rails" : "taken by no accelerator";
}

static void show_left_out(size_t width, const struct advice *advice)
{
    struct bytes line = { 0 }, apart = { 0 };
    json_decref(left_out(advice, &line, &apart));
    if (apart.len)
        line_print(
            width, 0,
            "Left out of the line: %s, whose addresses are of another kind than those of the ports in it: "
            "neither reaches the other.",
            apart.data);
    bytes_free(&apart);
    if (line.len)
        line_print(width, 0,
                   "Left out of the line: %s, %s, so most likely for storage or management. NCCL alone would "
                   "use them; to have them, name them.",
                   line.data, aside_reason(advice));
    bytes_free(&line);
}

/* Which port in the line belongs to whom, as text and as a JSON list; empty if the user named ports. NCCL
 * goes through the devices in libibverbs' order (src/transport/net_ib/init.cc), whatever the order in
 * NCCL_IB_HCA. */
static json_t *rails(const struct advice *advice, struct bytes *text)
{
    struct arena *arena = advice->host->arena;
    const struct port **ports = arena_alloc(arena, advice->count + 1, sizeof(*ports));
    size_t count = 0;
    if ((advice->consumer != CONSUMER_NCCL && advice->consumer != CONSUMER_RCCL) || advice->asked)
        return json_array();
    for (size_t i = 0; i < advice->count; i++)
        if (advice_names(advice, &advice->ports[i]))
            ports[count++] = advice->ports[i].port;
    return rails_json(advice->host, ports, count, text);
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
        json_put_text(object, "text", setting.value);
        json_put_text(object, "file", setting.file);
        json_put_num(object, "line", setting.file ? num_of(setting.line) : (struct num){ 0 });
        json_array_append_new(array, object);
    }
    return array;
}

static void show_advice(const struct context *context, const struct advice *advice, const struct gid_row *rows)
{
    size_t width = context->args->look.width;
    listing_table(&context->args->look, LISTING(context->host, gids_choice_columns, rows, advice->count));
    if (look_chooses(&context->args->look))
        return;
    const char *before = "\n";
    for (size_t i = 0; i < advice->count; i++) {
        if (!rows[i].choice.flaw)
            continue;
        line_print(width, 0, "%s%s/%u: %s.", before, rows[i].port->device->name, rows[i].port->number,
                   rows[i].choice.flaw);
        before = "";
    }
    const char *paste = advice_line(advice);
    line_print(width, 0, "\nRule: %s.", consumer_rule(advice->consumer));
    show_settings(context, advice->consumer);
    line_print(width, 0, "Advice: %s.", advice_text(advice));
    show_left_out(width, advice);
    struct bytes whose = { 0 };
    json_decref(rails(advice, &whose));
    if (whose.len)
        line_print(width, 0, "By accelerator: %s; their order in the line doesn't matter.", whose.data);
    bytes_free(&whose);
    if (paste)
        printf("\n  %s\n", paste);
}

static void print_advice_json(const struct context *context, const struct advice *advice,
                              const struct gid_row *rows)
{
    json_t *top = json_envelope(context->host);
    json_object_set_new(top, "gids",
                        listing_wanted_json(&context->args->look,
                                            LISTING(context->host, gids_choice_columns, rows, advice->count)));
    json_put_text(top, "consumer", consumer_name(advice->consumer));
    json_put_text(top, "rule", consumer_rule(advice->consumer));
    json_object_set_new(top, "consumer_settings", settings_json(context, advice->consumer));
    json_put_text(top, "advice", advice_text(advice));
    struct bytes line = { 0 };
    json_object_set_new(top, "left_out", left_out(advice, &line, &line));
    bytes_free(&line);
    json_object_set_new(top, "rails", rails(advice, &line));
    bytes_free(&line);
    json_put_text(top, "paste", advice_line(advice));
    json_add_problems(top, context->host);
    json_print(top);
}

static int advise(const struct context *context, enum consumer consumer)
{
    struct gid_row *rows;
    if (host_devices_unknown(context->host))
        return say_unable("%s", no_device_text(context->host));
    struct advice advice = find_advice(context, consumer, &rows);
    if (context->args->look.json)
        print_advice_json(context, &advice, rows);
    else if (advice.count)
        show_advice(context, &advice, rows);
    else
        say_note("%s", context->host->ndevices
                           ? "no RoCE, InfiniBand or iWARP port: nothing to choose a GID for"
                           : no_device_text(context->host));
    if (!context->args->look.json)
        problems_say(context->host);
    bool none = context->host->ndevices == 0 || (advice.count && (advice.none_left || !advice.first_good));
    return none || advice.bad ? STATUS_FOUND : STATUS_OK;
}

static const char *empty_text(const struct host *host, const struct port_row *ports, size_t count)
{
    bool known = false;
    for (size_t i = 0; i < count; i++)
        known |= ports[i].port->gid_table_len.known;
    if (!count)
        return no_device_text(host);
    return known ? "the GID tables are empty: the netdev is down or has no address, or RoCE is switched off; "
                   "'roce doctor' tells which"
                 : "no port's GID table could be read: there is no directory gids";
}

COMMAND(gids)
{
    const struct host *host = context->host;
    const char *consumer = args_value(context->args, "for");
    if (consumer)
        return advise(context, consumer_parse(consumer));
    struct gid_row *rows = NULL;
    size_t count = 0, nports;
    const struct port_row *ports = port_rows(context->host, &context->selection, &nports);
    for (size_t i = 0; i < nports; i++)
        add_port(context, &rows, &count, ports[i].port);
    context_list(context, rows, count, sizeof(*rows), empty_text(host, ports, nports));
    return STATUS_OK;
}
