/* SPDX-License-Identifier: MIT */
/* roce about NAME, or just roce NAME: one page about whatever the name means here. */
#include "command/host_readings.h"
#include "command/listings.h"
#include "explain/knowledge.h"
#include "view/findings.h"
#include "view/gpus.h"
#include "view/json.h"
#include "view/page.h"
#include "view/tree.h"

static const struct column about_device_columns[] = { ABOUT_DEVICE_COLUMNS };

/* What decides whether RoCE's packets are lossless on a port, in a line. */
static const struct column about_priority_columns[] = { ABOUT_PRIORITY_COLUMNS };

/* What programs take on a port, those that take the same in one row. */
struct choice_row {
    const char *consumers[CONSUMERS];
    size_t count;
    const struct port *port;
    struct choice choice;
};

static struct value get_consumers(const void *row)
{
    const struct choice_row *choice_row = row;
    return value_texts(choice_row->consumers, choice_row->count);
}

static struct value get_index(const void *row)
{
    const struct choice *choice = &((const struct choice_row *)row)->choice;
    return choice->taken ? value_unsigned(choice->index) : NO_VALUE;
}

static struct value make_address(const struct cell_context *context, const void *row)
{
    const struct gid *gid = ((const struct choice_row *)row)->choice.gid;
    return value_text(gid ? gid_address_text(context->arena, gid->raw) : NULL);
}

static const struct column about_choice_columns[] = { ABOUT_CHOICE_COLUMNS };

/* A page being made: JSON's object, or text as it is printed. */
struct page {
    const struct context *context;
    const struct look *look;
    json_t *top;
};

static void show(const struct page *page, const char *key, const char *title, const struct listing *listing)
{
    if (page->top) {
        json_object_set_new(page->top, key, listing_json(listing));
    } else if (listing->count) {
        printf("%s\n", title);
        listing_table_beside(page->look, listing, NULL);
        putchar('\n');
    }
}

static bool is_same(const struct choice_row *row, const struct port *port, const struct choice *choice)
{
    return row->port == port && row->choice.index == choice->index && row->choice.why == choice->why &&
           row->choice.flaw == choice->flaw;
}

static void add_choice(struct choice_row *rows, size_t *count, const struct port *port, const char *consumer,
                       const struct choice *choice)
{
    size_t i = 0;
    while (i < *count && !is_same(&rows[i], port, choice))
        i++;
    if (i == *count)
        rows[(*count)++] = (struct choice_row){ .port = port, .choice = *choice };
    rows[i].consumers[rows[i].count++] = consumer;
}

static void show_choices(const struct page *page, const struct listing *ports)
{
    const struct host *host = page->context->host;
    const struct port_row *port = ports->rows;
    struct choice_row *rows = arena_alloc(host->arena, CONSUMERS * ports->count + 1, sizeof(*rows));
    size_t count = 0;
    for (size_t i = 0; i < ports->count; i++)
        for (enum consumer consumer = 0; consumer < CONSUMERS; consumer++) {
            const struct choice choice = consumer_choose(consumer, host, port[i].port);
            if (choice.taken)
                add_choice(rows, &count, port[i].port, consumer_name(consumer), &choice);
        }
    show(page, "gids_for", "GIDs that programs take (roce gids --for)",
         LISTING(host, about_choice_columns, rows, count));
}

static void show_tree(const struct page *page)
{
    struct tree_node root = { .kind = "host", .name = "roce" };
    topo_make(page->context->host, &page->context->selection, &root);
    if (page->top) {
        json_object_set_new(page->top, "topo", tree_json(&root));
    } else if (root.nchildren) {
        puts("Where it is (roce topo)");
        tree_print(&root, page->look->color, page->look->width);
        putchar('\n');
    }
    tree_free(&root);
}

static void show_all(const struct page *page, const struct report *report)
{
    const struct context *context = page->context;
    const struct host *host = context->host;
    size_t ntrouble;
    const struct listing ports = port_listing(context, report), users = user_listing(context);
    struct listing counters = counter_listing(context, &ntrouble), priorities = ports, devices = ports;
    counters.count = page->top ? counters.count : ntrouble;
    priorities.columns = about_priority_columns;
    devices.columns = about_device_columns;
    show(page, "ports", "Ports (roce status)", &ports);
    show(page, "devices", "Hardware (roce devices)", &devices);
    show_tree(page);
    show_choices(page, &ports);
    show(page, "priorities", "Priorities (roce qos)", &priorities);
    show(page, "counters", "Counters that signal trouble (roce counters)", &counters);
    show(page, "users", "Used by (roce users)", &users);
    if (page->top) {
        findings_add_json(page->top, report, 0);
        return;
    }
    if (!users.count)
        line_print(page->look->width, 0, "%s\n", no_user_text(host));
    puts("Findings (roce doctor)");
    findings_print(page->look, report);
}

static int show_page(const struct context *context, struct arena *arena)
{
    struct check_selection selection = { 0 };
    struct page page = { context, &context->args->look, NULL };
    checks_take_operands(context, &selection);
    const struct report report = check_run(context->host, NULL, 0, &selection, arena);
    if (page.look->json)
        page.top = json_envelope(context->host);
    show_all(&page, &report);
    if (page.top) {
        json_add_problems(page.top, context->host);
        json_print(page.top);
    }
    return report.told[VERDICT_FAIL] ? STATUS_FOUND : STATUS_OK;
}

/* The address of the accelerator that has this one; NULL if there is none. */
static const char *find_accelerator(const struct host *host, const char *name)
{
    size_t count;
    const struct pci **accelerators = host_accelerators(host, host->arena, &count);
    for (size_t i = 0; i < count; i++)
        if (pci_is_called(accelerators[i]->address, name))
            return accelerators[i]->address;
    return NULL;
}

static int show_accelerator(const struct context *context, const char *address)
{
    struct look look = context->args->look;
    look.filter = arena_printf(context->host->arena, "accelerator=%s", address);
    gpus_print(context->host, &(struct selection){ 0 }, &look);
    return STATUS_OK;
}

static bool is_counter(const struct host *host, const char *name)
{
    size_t count;
    const struct counter_row *rows = counter_rows(host, &(struct selection){ 0 }, &count);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = strcmp(rows[i].counter->name, name) == 0;
    return found;
}

/* What it is that has no page: a netdev without RDMA, or nothing. */
static int refuse(const struct context *context, const char *name)
{
    const char *near = command_nearest(name);
    if (host_devices_unknown(context->host) || (!context->host->ndevices && word_is_name(name)))
        return say_unable("'%s' isn't here: %s", name, no_device_text(context->host));
    if (host_find_netdev(context->host, name))
        return say_unable("'%s' is a netdev without RDMA: no device here has a port on it; 'roce' lists those "
                          "that there are",
                          name);
    if (near)
        return say_unable("'%s' is no command, and names nothing here; did you mean 'roce %s'?", name, near);
    if (strpbrk(name, "=<>~"))
        return say_unable("'%s' names nothing here; rows are chosen by a condition so: roce --filter '%s'",
                          name, name);
    if (is_counter(context->host, name))
        return say_unable(
            "'%s' is a counter: 'roce counters %s' shows it, 'roce explain %s' says what it means", name, name,
            name);
    if (term_find(name))
        return say_unable("'%s' names nothing here; 'roce explain %s' says what it is", name, name);
    return say_unable("'%s' is no command, and no device, port, netdev, address or accelerator here; 'roce' "
                      "lists ports, 'roce help' commands, 'roce explain' knows words",
                      name);
}

/* The first name that names nothing; NULL if all do. */
static const char *find_unknown(const struct context *context)
{
    struct selection selection;
    struct selection_error error;
    for (size_t i = 0; i < context->args->noperands; i++)
        if (selection_make(&selection, context->host, &context->args->operands[i], 1, &error) < 0 &&
            !error.device)
            return strpbrk(context->args->operands[i], ",[") ? error.name : context->args->operands[i];
    return NULL;
}

COMMAND(about)
{
    const struct args *args = context->args;
    if (!args->noperands)
        return say_unable("about needs a name: a device, a port, a netdev, an address, an accelerator");
    if (context_read(context, page_needs() | GPUS_NEEDS | NEED_GIDS | NEED_GUIDS | NEED_NODES) < 0)
        return STATUS_ERROR;
    const char *unknown = find_unknown(context);
    const char *accelerator = unknown ? find_accelerator(context->host, unknown) : NULL;
    if (accelerator)
        return show_accelerator(context, accelerator);
    if (unknown)
        return refuse(context, unknown);
    if (context_select(context, args->operands, args->noperands) < 0)
        return STATUS_ERROR;
    struct arena *arena = arena_new();
    int status = show_page(context, arena);
    arena_free(arena);
    return status;
}
