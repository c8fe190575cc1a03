/* SPDX-License-Identifier: MIT */
/* roce facts: what other hosts must agree with. */
#include "model/facts.h"

#include "check/check.h"
#include "command/context.h"
#include "view/facts.h"
#include "view/json.h"
#include "view/rows.h"

static const struct option_def options[] = {
    { "for-expect", .help = "leave out what only this host has: for doctor --expect on others of its kind" },
    LISTEN_OPTION,
    { 0 },
};

/* One line, so that the facts of many hosts fit in one file. */
static void print(const struct host *host)
{
    struct arena *arena = arena_new();
    struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    json_print_line(facts_json(host, &report));
    arena_free(arena);
}

static int run(struct context *context)
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

const struct command cmd_facts = {
    .name = "facts",
    .group = GROUP_JUDGE,
    .operands = OPERANDS_NONE,
    .summary = "what others must agree with this host on, as one JSON object",
    .options = options,
    .no_host = true,
    .pages = true,
    .run = run,
};
