#include "view/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

json_t *json_envelope(void)
{
    return json_pack("{s:i}", "version", 1);
}

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    char *clean = text_clean(text, TEXT_ONE_LINE);
    json_t *json = json_string(clean);
    free(clean);
    return json;
}

void json_add_problems(json_t *top, const struct host *host)
{
    json_t *array = json_array();
    for (size_t i = 0; host && i < host->nproblems; i++) {
        const struct problem *problem = &host->problems[i];
        const char *name = strerrorname_np(problem->err);
        json_t *object = json_object();
        json_object_set_new(object, "what", json_text(problem->what));
        json_object_set_new(object, "error", json_text(name ? name : "unknown"));
        json_object_set_new(object, "note", json_text(problem->note));
        json_array_append_new(array, object);
    }
    json_object_set_new(top, "problems", array);
}

void json_print(json_t *top)
{
    json_dumpf(top, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(top);
}

void json_print_line(json_t *top)
{
    json_dumpf(top, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    fflush(stdout);
    json_decref(top);
}
