/* SPDX-License-Identifier: MIT */
#include "view/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/facts.h"
#include "view/json.h"

enum { MOST_SUBJECTS = 16 }; /* that one finding names */

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

static void put_facts(json_t *object, enum fact_of of, const struct fact_subject *subject, bool to_expect)
{
    struct arena *arena = subject->host->arena;
    const struct fact *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++) {
        if (fact->of != of || !fact->get || (to_expect && (fact->own || fact->passing)))
            continue;
        struct fact_value value = fact->get(subject, arena);
        if (value.state == FACT_KNOWN || !to_expect)
            json_object_set_new(object, fact->key, value_json(fact->type, &value));
    }
}

static json_t *object_of(enum fact_of of, const struct fact_subject *subject, bool to_expect)
{
    json_t *object = json_object();
    put_facts(object, of, subject, to_expect);
    return object;
}

static void put_all(json_t *top, const struct host *host, bool to_expect)
{
    json_t *devices = json_array(), *ports = json_array();
    put_facts(top, FACT_HOST, &(struct fact_subject){ .host = host }, to_expect);
    for (size_t i = 0; i < host->ndevices; i++)
        json_array_append_new(
            devices,
            object_of(FACT_DEVICE, &(struct fact_subject){ host, &host->devices[i], NULL }, to_expect));
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        json_array_append_new(
            ports, object_of(FACT_PORT, &(struct fact_subject){ host, port->device, port }, to_expect));
    json_object_set_new(top, fact_list(FACT_DEVICE), devices);
    json_object_set_new(top, fact_list(FACT_PORT), ports);
}

/* "fail port-active mlx5_0/1 mlx5_3/1" */
static json_t *finding_json(const struct root_cause *cause)
{
    struct bytes line = { 0 };
    bytes_printf(&line, "%s %s", verdict_name(cause->verdict), cause->check->id);
    for (size_t i = 0; i < cause->count && i < MOST_SUBJECTS && cause->check->scope != SCOPE_HOST; i++) {
        char subject[160];
        subject_format(cause->check, &cause->findings[i]->subject, subject);
        bytes_printf(&line, " %s", subject);
    }
    json_t *json = json_text(line.data);
    bytes_free(&line);
    return json;
}

static json_t *findings_json(const struct report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->ncauses; i++)
        if (report->causes[i].verdict >= VERDICT_WARN)
            json_array_append_new(array, finding_json(&report->causes[i]));
    return array;
}

json_t *facts_json(const struct host *host, const struct report *report)
{
    json_t *top = json_envelope(host);
    put_all(top, host, false);
    if (report)
        json_object_set_new(top, "findings", findings_json(report));
    json_add_problems(top, host);
    return top;
}

json_t *facts_json_to_expect(const struct host *host)
{
    json_t *top = json_envelope(NULL);
    json_object_del(top, "host");
    json_object_del(top, "time");
    put_all(top, host, true);
    return top;
}
