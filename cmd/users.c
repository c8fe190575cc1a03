/* SPDX-License-Identifier: MIT */
/* roce users: which processes and kernel services use which device, and the objects that they hold. */
#include "model/users.h"
#include "command/context.h"
#include "view/listing.h"
#include "view/objects.h"
#include "view/rows.h"

static const struct user *user_of(const void *row)
{
    return ((const struct user_row *)row)->user;
}

/* "4 RC RTS, 1 UD RTS" */
static struct value make_queues(const struct cell_context *context, const void *row)
{
    const struct user *user = user_of(row);
    const char **texts = arena_alloc(context->arena, user->nqueues + 1, sizeof(*texts));
    for (size_t i = 0; i < user->nqueues; i++)
        texts[i] = arena_printf(context->arena, "%" PRIu64 " %s %s", user->queues[i].count,
                                user->queues[i].kind ? user->queues[i].kind : "?",
                                user->queues[i].state ? user->queues[i].state : "?");
    return value_texts(texts, user->nqueues);
}

static struct value make_peer(const struct cell_context *context, const void *row)
{
    const struct user *user = user_of(row);
    if (context->for_people && user->npeers > 1)
        return value_text(arena_printf(context->arena, "%s and %zu more", user->peer, user->npeers - 1));
    return value_text(user->peer);
}

static struct value make_started_by(const struct cell_context *context, const void *row)
{
    return value_text(cgroup_words_best(context->arena, &user_of(row)->started_by));
}

static struct value get_registered(const void *row)
{
    const struct user *user = user_of(row);
    return value_num_as(VALUE_BYTES, num_if(user->counts[RESOURCE_MR].value, user->registered));
}

static struct value get_device_by(const void *row)
{
    static const char *const words[] = {
        [BY_OBJECTS] = "objects", [BY_SERVICE] = "service", [BY_ADDRESS] = "address", [BY_ROUTE] = "route"
    };
    return value_text(words[user_of(row)->device_by]);
}

/* A queue pair of a user. */
struct queue_row {
    const struct user *user;
    const struct resource *queue, *connection;
};

enum { OWNER_COLUMNS = 3 }; /* they come first; in JSON the user's own fields say the same */
static const struct column queue_columns[] = { QUEUE_COLUMNS };

static int compare_queue(const void *a, const void *b)
{
    uint64_t x = (*(const struct resource *const *)a)->lqpn.value,
             y = (*(const struct resource *const *)b)->lqpn.value;
    return (x > y) - (x < y);
}

/* The CM ids of a user that connect a queue pair, by its number; all are on one device. */
static const struct resource **connections_of(struct arena *arena, const struct user *user, size_t *count)
{
    const struct resource **ids = arena_alloc(arena, user->nitems + 1, sizeof(*ids));
    *count = 0;
    for (size_t i = 0; i < user->nitems; i++)
        if (user->items[i]->type == RESOURCE_CM_ID && user->items[i]->lqpn.known)
            ids[(*count)++] = user->items[i];
    qsort(ids, *count, sizeof(*ids), compare_queue);
    return ids;
}

static struct queue_row *queue_rows(struct arena *arena, const struct user *user, struct queue_row *rows,
                                    size_t *count)
{
    size_t nids;
    const struct resource **ids = connections_of(arena, user, &nids);
    for (size_t i = 0; i < user->nitems; i++) {
        const struct resource *queue = user->items[i];
        if (queue->type != RESOURCE_QP)
            continue;
        const struct resource **id = queue->lqpn.known ? bsearch(&queue, ids, nids, sizeof(*ids), compare_queue)
                                                       : NULL;
        *ARENA_PUSH_MANY(arena, rows, *count) = (struct queue_row){ user, queue, id ? *id : NULL };
    }
    return rows;
}

static struct value make_queue_pairs(const struct cell_context *context, const void *row)
{
    size_t count = 0;
    const struct queue_row *rows = queue_rows(context->arena, user_of(row), NULL, &count);
    return value_json(listing_json(LISTING(context->host, queue_columns + OWNER_COLUMNS, rows, count)), "");
}

static struct value make_kind(const struct cell_context *context, const void *row)
{
    const struct user *user = user_of(row);
    if (context->for_people && user->software)
        return value_text(arena_printf(context->arena, "%s (%s)", user->kind, user->software));
    return value_text(user->kind);
}

const struct column users_columns[] = { USERS_COLUMNS };

/* Operands: a process by number or name, or what every command takes; with --objects also a type. */
struct question {
    char **names; /* processes and services */
    size_t nnames;
    char **places; /* devices, ports, netdevs */
    size_t nplaces;
    struct object_question objects;
};

static bool has_name(const struct user *user, const char *word)
{
    uint64_t pid;
    if (text_to_u64(word, 10, &pid) == 0)
        return num_is(user->pid, pid);
    return text_is(user->name, word) || text_is(user->handle, word) || strcasecmp(user->kind, word) == 0 ||
           (user->software && strcasecmp(user->software, word) == 0) ||
           (user->service && user->name && strstr(user->name, word));
}

static bool is_somebody(const struct user *users, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (has_name(&users[i], word))
            return true;
    return false;
}

static bool on_selected(const struct context *context, const struct user *user)
{
    const struct device *device = user->device ? host_find_device(context->host, user->device) : NULL;
    if (!device)
        return !context->selection.some;
    const struct port *port = user->port.known ? device_port(device, (uint32_t)user->port.value) : NULL;
    return port ? selection_has_port(&context->selection, port)
                : selection_has_device(&context->selection, device);
}

static bool wanted(const struct context *context, const struct question *question, const struct user *user)
{
    for (size_t i = 0; i < question->nnames; i++)
        if (has_name(user, question->names[i]))
            return true;
    return (question->nplaces || !question->nnames) && on_selected(context, user);
}

/* Sorts the operands. A number is a process, even one that holds nothing. */
static struct question understand(const struct context *context, const struct user *users, size_t count)
{
    const struct args *args = context->args;
    struct question question = { .objects.state = args_value(args, "state") };
    for (size_t i = 0; i < args->noperands; i++) {
        uint64_t pid;
        if (args_given(args, "objects") && !question.objects.one_type &&
            resource_type_parse(args->operands[i], &question.objects.type) == 0) {
            question.objects.one_type = true;
            continue;
        }
        bool name = text_to_u64(args->operands[i], 10, &pid) == 0 ||
                    (!host_find_device(context->host, args->operands[i]) &&
                     is_somebody(users, count, args->operands[i]));
        if (name)
            *ARENA_PUSH(context->host->arena, question.names, question.nnames) = args->operands[i];
        else
            *ARENA_PUSH(context->host->arena, question.places, question.nplaces) = args->operands[i];
    }
    return question;
}

static const char *nobody(const struct context *context, const struct question *question)
{
    const struct host *host = context->host;
    if (!host->ndevices)
        return no_device_text(host);
    if (!resources_listed_anywhere(host, RESOURCE_QP))
        return NO_RESOURCES_TEXT;
    if (question->nnames || question->nplaces)
        return "nobody of that name, or on that device, uses RDMA here";
    return "nobody uses RDMA here: no process and no service of the kernel holds anything";
}

/* For -v: the users, then every queue pair, with counters if any has them. */
static void show_queues(const struct context *context, const struct user_row *users, size_t count)
{
    const struct look *look = &context->args->look;
    struct queue_row *rows = NULL;
    size_t nrows = 0;
    bool counted = false;
    for (size_t i = 0; i < count; i++)
        rows = queue_rows(context->host->arena, users[i].user, rows, &nrows);
    for (size_t i = 0; i < nrows; i++)
        counted |= rows[i].queue->counter != NULL;
    listing_table_of(look, LISTING(context->host, users_columns, users, count), NULL);
    if (!nrows)
        return;
    puts("");
    listing_table_beside(look, LISTING(context->host, queue_columns, rows, nrows), counted ? "all" : NULL);
}

/* Was something hidden because the user is unprivileged? */
static bool was_denied(const struct context *context)
{
    const struct host *host = context->host;
    if (!source_is_recording(context->source) && geteuid() == 0)
        return false;
    for (size_t i = 0; i < host->nproblems; i++)
        if (host->problems[i].err == EACCES || host->problems[i].err == EPERM)
            return true;
    return false;
}

static void show_users(const struct context *context, const struct question *question, const struct user *users,
                       size_t count)
{
    size_t shown = 0;
    struct user_row *rows = arena_alloc(context->host->arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++)
        if (wanted(context, question, &users[i]))
            rows[shown++].user = &users[i];
    const struct look *look = &context->args->look;
    if (shown && look->verbose && !look->json && !look_chooses(look))
        show_queues(context, rows, shown);
    else
        context_list(context, rows, shown, sizeof(*rows), nobody(context, question));
    if (shown && !look_is_exact(look) && !resources_listed_anywhere(context->host, RESOURCE_QP))
        say_note("no process is shown: the kernel doesn't say here who holds RDMA resources");
    if (!look_is_exact(look) && was_denied(context))
        say_note("root would see more: what could not be read for want of permission may name further users");
}

static bool totals_asked(const struct args *args)
{
    return args_given(args, "totals") || args_given(args, "limits");
}

/* All of them, or those of whom the operands name. */
static void show_objects(const struct context *context, struct question *question, const struct user *users,
                         size_t count)
{
    struct object_question *objects = &question->objects;
    objects->some = question->nnames > 0;
    for (size_t i = 0; objects->some && i < count; i++)
        for (size_t k = 0; wanted(context, question, &users[i]) && k < users[i].nitems; k++)
            *ARENA_PUSH(context->host->arena, objects->items, objects->nitems) = users[i].items[k];
    objects_print(context->host, &context->selection, &context->args->look, objects);
}

/* Is there anything wrong with the command line, apart from names of things? */
static int options_error(const struct args *args)
{
    const char *state = args_value(args, "state");
    bool objects = args_given(args, "objects");
    enum resource_type type;
    if (objects && totals_asked(args))
        return say_invalid("--objects and --totals are two views: give one");
    if (state && !objects)
        return say_invalid("--state is of --objects: roce users --objects qp --state ERR");
    if (state && !resource_is_state(state))
        return say_invalid("--state: '%s' is not a state of a queue pair (RESET, INIT, RTR, RTS, SQD, SQE, "
                           "ERR) or CM id (LISTEN, CONNECT and others)",
                           state);
    if (!objects && args->noperands && resource_type_parse(args->operands[0], &type) == 0)
        return say_invalid("'%s' is a type of object: roce users --objects %s", args->operands[0],
                           args->operands[0]);
    return 0;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    const struct host *host = context->host;
    size_t count;
    const struct user *users = users_find(host, &count);
    struct question question = understand(context, users, count);
    struct selection_error error;
    if (selection_make(&context->selection, host, question.places, question.nplaces, &error) < 0 &&
        !error.device)
        return say_unable("'%s' is neither a device or netdev here nor the name of a process or service that "
                          "uses RDMA; 'roce users' lists them",
                          error.name);
    if (context_select(context, question.places, question.nplaces) < 0)
        return STATUS_ERROR;
    if (args_given(args, "objects"))
        show_objects(context, &question, users, count);
    else if (totals_asked(args))
        object_totals_print(host, &context->selection, &args->look);
    else
        show_users(context, &question, users, count);
    return STATUS_OK;
}

COMMAND(users)
{
    const struct args *args = context->args;
    needs_t needs = NEED_NLDEV | NEED_RESOURCES | (args_given(args, "limits") ? NEED_VERBS : 0);
    if (args->noperands || !(args_given(args, "objects") || totals_asked(args)))
        needs |= NEED_SERVICES | NEED_NETDEV | NEED_ADDRESSES | NEED_GID_SUMMARY;
    if (options_error(args) < 0 || context_read(context, needs) < 0)
        return STATUS_ERROR;
    return run(context);
}
