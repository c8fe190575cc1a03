/* SPDX-License-Identifier: MIT */
/* roce qos: what a netdev does with priorities, and what happens to a TOS byte. */
#include "view/qos.h"
#include "command/context.h"
#include "view/json.h"

static bool is_netdev_only(const struct host *host, const char *operand)
{
    if (!host_find_netdev(host, operand) || host_find_device(host, operand))
        return false;
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (text_is(port->netdev, operand))
            return false;
    return true;
}

/* Operands may also name netdevs that carry no RDMA device. */
static int choose(struct context *context, struct qos_subjects *subjects)
{
    const struct args *args = context->args;
    char **others = mem_alloc(args->noperands + 1, sizeof(*others)),
         **alone = mem_alloc(args->noperands + 1, sizeof(*alone));
    size_t nothers = 0, nalone = 0;
    for (size_t i = 0; i < args->noperands; i++) {
        if (is_netdev_only(context->host, args->operands[i]))
            alone[nalone++] = args->operands[i];
        else
            others[nothers++] = args->operands[i];
    }
    int r = nothers || !nalone ? context_select(context, others, nothers) : 0;
    for (size_t i = 0; i < nalone && r == 0; i++)
        qos_subject_of(context->host, subjects, host_find_netdev(context->host, alone[i]));
    if (r == 0 && (nothers || !nalone))
        qos_subjects_of(context->host, &context->selection, subjects);
    free(others);
    free(alone);
    return r;
}

static void print_all(const struct context *context, const struct qos_subjects *subjects)
{
    if (context->args->look.json) {
        json_t *array = json_array();
        for (size_t i = 0; i < subjects->count; i++)
            json_array_append_new(array,
                                  qos_json(context->host, &subjects->items[i], context->args->look.verbose));
        json_print_answer("qos", array, context->host);
        return;
    }
    for (size_t i = 0; i < subjects->count; i++) {
        if (i)
            puts("");
        qos_print(&context->args->look, context->host, &subjects->items[i]);
    }
}

/* Shows one path, or adds it to array. Returns true if the priority was lost. */
static bool follow_one(const struct look *look, const struct qos_subject *subject, unsigned tos,
                       const struct netdev *vlan, json_t *array, bool first)
{
    const char *name = vlan ? vlan->name : subject->netdev->name;
    struct qos_path path = qos_follow(subject->qos, tos, vlan);
    if (array) {
        json_array_append_new(array, qos_path_json(&path, name));
    } else {
        if (!first)
            puts("");
        qos_path_print(look, &path, subject, name);
    }
    return path.loss != QOS_KEPT && path.loss != QOS_LOST_UNKNOWN;
}

static int follow(const struct context *context, const struct qos_subjects *subjects, unsigned tos)
{
    const struct look *look = &context->args->look;
    json_t *array = look->json ? json_array() : NULL;
    bool lost = false;
    for (size_t i = 0; i < subjects->count; i++) {
        const struct qos_subject *subject = &subjects->items[i];
        lost |= follow_one(look, subject, tos, NULL, array, i == 0);
        for (size_t v = 0; v < subject->nvlans; v++)
            lost |= follow_one(look, subject, tos, subject->vlans[v], array, false);
    }
    if (array)
        json_print_answer("qos", array, context->host);
    return lost ? STATUS_FOUND : STATUS_OK;
}

COMMAND(qos)
{
    struct qos_subjects subjects = { 0 };
    const struct args *args = context->args;
    bool by_tos = args_given(args, "for-tos"), by_dscp = args_given(args, "dscp");
    if (by_tos && by_dscp)
        return say_unable("--for-tos and --dscp both name what to follow: give one");
    unsigned tos = (unsigned)(by_dscp ? args_number(args, "dscp", 0) << 2 : args_number(args, "for-tos", 0));
    if (choose(context, &subjects) < 0)
        return STATUS_ERROR;
    const struct host *host = context->host;
    if (!subjects.count && !context->args->look.json)
        say_note("%s", host->ndevices ? "no port has a netdev here" : no_device_text(host));
    int status = STATUS_OK;
    if (by_tos || by_dscp)
        status = follow(context, &subjects, tos);
    else
        print_all(context, &subjects);
    if (by_tos && tos > 0 && tos < DSCPS) /* DSCPs are the six bits above ECN's two */
        say_note("the DSCP of TOS %u is %u; if %u was meant as a DSCP: --dscp %u", tos, tos >> 2, tos, tos);
    if (!context->args->look.json)
        problems_say(host);
    return status;
}
