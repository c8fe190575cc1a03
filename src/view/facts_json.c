/* SPDX-License-Identifier: MIT */
/* Facts as JSON. */
#include "view/facts.h"

#include "model/facts.h"
#include "view/json.h"
#include "view/value.h"

enum { MOST_SUBJECTS = 16 }; /* named by one finding */

static void put_facts(json_t *object, enum fact_of of, const struct fact_subject *subject, bool to_expect)
{
    const struct attribute *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++) {
        bool left_out = to_expect && fact->flags & (ATTRIBUTE_OWN | ATTRIBUTE_PASSING);
        if (fact_of(fact) != of || fact_is_expected_only(fact) || left_out)
            continue;
        struct value value = fact_value(fact, subject, subject->host->arena);
        if (value_is_known(&value) || !to_expect)
            json_object_set_new(object, fact->key, cell_json(&value));
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
        subject_format(&cause->findings[i]->subject, subject);
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
        json_object_set_new(top, "found_by_doctor", findings_json(report));
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
