/* SPDX-License-Identifier: MIT */
/* roce facts: what of this host others must agree with. */
#include "model/facts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "command/context.h"
#include "source/source.h"
#include "view/json.h"
#include "view/rows.h"

static const struct option_def options[] = {
    { "for-expect", .help = "leave out what only this host has: for doctor --expect on others of its kind" },
    { 0 },
};

static json_t *item_json(enum fact_type type, const char *item)
{
    if (type == FACT_YES_NO)
        return json_boolean(text_is(item, "yes"));
    if (type == FACT_NUMBER || type == FACT_NUMBERS)
        return json_unsigned(strtoull(item, NULL, 10));
    return json_text(item);
}

static json_t *value_json(enum fact_type type, const struct fact_value *value)
{
    if (value->state != FACT_KNOWN)
        return json_null();
    if (type != FACT_TEXTS && type != FACT_NUMBERS)
        return item_json(type, value->items[0]);
    json_t *array = json_array();
    for (size_t i = 0; i < value->nitems; i++)
        json_array_append_new(array, item_json(type, value->items[i]));
    return array;
}

/* What isn't known is no part of an expectation. */
static void put_facts(json_t *object, enum fact_of of, const struct fact_subject *subject, bool for_expect)
{
    const struct fact *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++) {
        if (fact->of != of || !fact->get || (for_expect && fact->own))
            continue;
        struct fact_value value = fact->get(subject, subject->host->arena);
        if (value.state == FACT_KNOWN || !for_expect)
            json_object_set_new(object, fact->key, value_json(fact->type, &value));
    }
}

static json_t *object_of(enum fact_of of, const struct fact_subject *subject, bool for_expect)
{
    json_t *object = json_object();
    put_facts(object, of, subject, for_expect);
    return object;
}

static int run(struct context *context)
{
    const struct host *host = context->host;
    if (host_devices_unknown(host)) {
        say_error("%s", no_device_text(host));
        return STATUS_ERROR;
    }
    bool for_expect = args_given(context->args, "for-expect");
    json_t *top = json_envelope(host), *devices = json_array(), *ports = json_array();
    if (for_expect) { /* these are this host's own */
        json_object_del(top, "host");
        json_object_del(top, "time");
    }
    put_facts(top, FACT_HOST, &(struct fact_subject){ .host = host }, for_expect);
    for (size_t i = 0; i < host->ndevices; i++)
        json_array_append_new(
            devices,
            object_of(FACT_DEVICE, &(struct fact_subject){ host, &host->devices[i], NULL }, for_expect));
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        json_array_append_new(
            ports, object_of(FACT_PORT, &(struct fact_subject){ host, port->device, port }, for_expect));
    json_object_set_new(top, fact_list(FACT_DEVICE), devices);
    json_object_set_new(top, fact_list(FACT_PORT), ports);
    if (!for_expect)
        json_add_problems(top, host);
    json_print(top);
    return STATUS_OK;
}

const struct command cmd_facts = {
    .name = "facts",
    .group = GROUP_JUDGE,
    .summary = "what of this host others must agree with, as one JSON object",
    .description =
        "Devices and ports with their firmware, driver, rate, MTU, GIDs, flow control and RDMA_CM's defaults: what hosts of a cluster compare, and what 'roce doctor --expect FILE' holds a host against. It is JSON with and without -j; roce-json(5) tells each key.\n\n"
        "With --for-expect it leaves out what only this host has (name, time, addresses, MACs, GUIDs) and what it couldn't read. Take out what may differ, and let patterns such as mlx5_* stand for names.",
    .examples = "roce facts\tof this host\n"
                "roce facts --for-expect >node.json\twhat others of its kind should be like",
    .options = options,
    .needs = FACT_NEEDS,
    .pages = true,
    .run = run,
};
