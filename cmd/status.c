/* SPDX-License-Identifier: MIT */
/* roce status: one line per port. */
#include "check/use.h"
#include "command/host_readings.h"
#include "view/findings.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"

static const struct port *port_of(const void *row)
{
    return ((const struct port_row *)row)->port;
}

/* An iWARP port's GID is its MAC, so it is known by its netdev's addresses. */
static struct value iwarp_address(const struct cell_context *context, const struct port *port)
{
    const struct address *address = netdev_main_address(port_netdev(context->host, port));
    char text[64];
    if (!address)
        return NO_VALUE;
    address_format(address, text);
    return value_text(arena_strndup(context->arena, text, strcspn(text, "/")));
}

static struct value make_address(const struct cell_context *context, const void *row)
{
    const struct gid *gid = port_main_gid(port_of(row));
    if (port_of(row)->transport == TRANSPORT_IWARP)
        return iwarp_address(context, port_of(row));
    return value_text(gid ? gid_address_text(context->arena, gid->raw) : NULL);
}

static struct value get_roce(const void *row)
{
    static const char *const names[] = { "v1", "v2" };
    const struct port *port = port_of(row);
    if (port->transport != TRANSPORT_ROCE)
        return NO_VALUE;
    bool v1 = false, v2 = false;
    for (size_t i = 0; i < port->ngids; i++) {
        v1 |= port->gids[i].type == GID_TYPE_IB_ROCE_V1;
        v2 |= port->gids[i].type == GID_TYPE_ROCE_V2;
    }
    return value_texts(names + !v1, (size_t)v1 + (size_t)v2);
}

static struct value get_verdict(const void *row)
{
    const struct port_verdict *verdict = &((const struct port_row *)row)->verdict;
    return value_with_tone(value_text(verdict->word), verdict_tone(verdict->verdict));
}

#define NETDEV_NEEDS (NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)

const struct column status_columns[] = { STATUS_COLUMNS };

static bool is_idle_and_down(const struct host *host, const struct port_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].port->state.known && !port_is_active(rows[i].port) &&
            port_use(host, rows[i].port, host->arena).use == USE_NONE)
            return true;
    return false;
}

/* A port that is used, or that the user named, and isn't ACTIVE. */
static bool is_wrong(const struct context *context, const struct port *port)
{
    if (!port->state.known || port_is_active(port) || device_is_smi(port->device) || port_is_raw(port))
        return false;
    return context->selection.some || port_is_judged(context->host, port, context->host->arena);
}

static bool any_is_wrong(const struct context *context, const struct port_row *rows, size_t count)
{
    bool wrong = context->host->ndevices == 0;
    for (size_t i = 0; i < count && !wrong; i++)
        wrong = is_wrong(context, rows[i].port);
    return wrong;
}

/* Without the verdict, which takes most of the files. */
static int list_fast(struct context *context)
{
    size_t count;
    const struct port_row *rows = port_rows(context->host, &context->selection, &count);
    /* a port that lost its address along with its link may still have a job's queue pairs */
    if (is_idle_and_down(context->host, rows, count)) {
        if (context_read(context, context->host->needs | NEED_USERS) < 0 ||
            context_select(context, context->args->operands, context->args->noperands) < 0)
            return STATUS_ERROR;
        rows = port_rows(context->host, &context->selection, &count);
    }
    context_list(context, rows, count, sizeof(*rows), no_device_text(context->host));
    return any_is_wrong(context, rows, count) ? STATUS_FOUND : STATUS_OK;
}

static void print_json(const struct context *context, const struct report *report, const struct listing *ports)
{
    json_t *top = json_envelope(context->host);
    json_object_set_new(top, "summary", findings_summary_json(report));
    json_object_set_new(top, "ports", listing_wanted_json(&context->args->look, ports));
    json_add_problems(top, context->host);
    json_print(top);
}

static void print_summary(const struct look *look, const struct report *report, bool below)
{
    char *summary = findings_summary_text(report);
    line_print(look->width, 0, "%s%s: roce doctor", below ? "\n" : "", summary);
    free(summary);
}

static int list_judged(const struct context *context, struct arena *arena)
{
    const struct look *look = &context->args->look;
    struct check_selection selection = { .glance = true };
    size_t count;
    struct port_row *rows = port_rows(context->host, &context->selection, &count);
    checks_take_operands(context, &selection);
    struct report report = check_run(context->host, NULL, 0, &selection, arena);
    port_rows_judge(rows, count, &report);
    if (look->json) {
        print_json(context, &report, LISTING(context->host, status_columns, rows, count));
    } else {
        context_list(context, rows, count, sizeof(*rows), no_device_text(context->host));
        if (!look_chooses(look))
            print_summary(look, &report, count > 0);
    }
    return report.told[VERDICT_FAIL] ? STATUS_FOUND : STATUS_OK;
}

COMMAND(status)
{
    if (host_devices_unknown(context->host))
        return say_unable("%s", no_device_text(context->host));
    if (!(context->host->needs & NEED_VERDICT))
        return list_fast(context);
    struct arena *arena = arena_new();
    int status = list_judged(context, arena);
    arena_free(arena);
    return status;
}
