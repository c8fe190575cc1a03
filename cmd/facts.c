/* SPDX-License-Identifier: MIT */
/* roce facts: what other hosts must agree with. */
#include "model/facts.h"

#include "command/context.h"
#include "view/facts.h"
#include "view/json.h"
#include "view/rows.h"

/* One line, so that the facts of many hosts fit in one file. */
static void print(const struct host *host)
{
    struct arena *arena = arena_new();
    struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    json_print_line(facts_json(host, &report));
    arena_free(arena);
}

COMMAND(facts)
{
    bool to_expect = args_given(context->args, "for-expect");
    needs_t needs = NEED_FACTS | (to_expect ? 0 : check_needs(&(struct check_selection){ 0 }));
    if (context_read(context, needs) < 0)
        return STATUS_ERROR;
    if (host_devices_unknown(context->host))
        return say_unable("%s", no_device_text(context->host));
    if (to_expect)
        json_print(facts_json_to_expect(context->host));
    else
        print(context->host);
    return STATUS_OK;
}
