/* SPDX-License-Identifier: MIT */
/* roce compare: compares the facts of many hosts: which one is odd, and in what. */
#include "fleet/compare.h"

#include "command/fleet_input.h"
#include "fleet/cables.h"
#include "source/recording/recording.h"
#include "view/listing.h"
#include "view/tree.h"

/* What is compared with what. */
struct contest {
    struct context *context;
    struct gathered all;
    struct expectation *should; /* from --against, */
    struct cable *plan;         /* or if that is a cable plan */
    size_t nplan;
    struct arena *arena;
    const struct fleet_host **hosts; /* those that are compared */
    size_t nhosts;
    struct fleet_wish wish;
    struct comparison comparison;
};

/* -- the command line ---------------------------------------------------------------------------------- */

static const char *key_at(size_t i, const void *data)
{
    (void)data;
    return fleet_rules[i].key;
}

static size_t count_keys(void)
{
    size_t count = 0;
    while (fleet_rules[count].key)
        count++;
    return count;
}

/* A key, or a name below it: "errors.port_rcv_errors". */
static int key_error(const char *option, const char *word, size_t len)
{
    char *key = mem_printf("%.*s", (int)(len < 64 ? strcspn(word, ",.") : 64), word);
    int r = fleet_rule(FACT_KINDS, key) ? 0 : -EINVAL;
    if (r < 0) {
        const char *nearest = text_nearest(key, count_keys(), key_at, NULL);
        if (nearest)
            say_error("--%s: no key is called '%s'; did you mean '%s'?", option, key, nearest);
        else
            say_error("--%s: no key is called '%s'; roce-json(5) has those of 'roce facts'", option, key);
    }
    free(key);
    return r;
}

static int keys_error(const char *option, const char *list)
{
    const char *at;
    int r = 0;
    for (size_t len; r == 0 && (at = text_next_item(&list, ',', &len));)
        r = key_error(option, at, len);
    return r;
}

static int options_error(const struct args *args)
{
    const char *by = args_value(args, "by");
    if (text_list_is_empty(args_value(args, "only")))
        return say_invalid("--only names no key to compare; roce-json(5) has those of 'roce facts'");
    if (keys_error("only", args_value(args, "only")) < 0 || keys_error("skip", args_value(args, "skip")) < 0)
        return -EINVAL;
    if (by && strcmp(by, "name") != 0 && key_error("by", by, strlen(by)) < 0)
        return -EINVAL;
    if (args_given(args, "html") && args->look.json)
        return say_invalid("--html is a format of its own: leave out either it or --json");
    if (args->noperands == 0 && !args_given(args, "against"))
        return say_invalid("compare what? Name files of 'roce facts', recordings, or directories of either; "
                           "'-' reads lines of JSON");
    return 0;
}

/* -- parts --------------------------------------------------------------------------------------------- */

/* "r1n" for r1n03. */
static const char *name_part(struct contest *contest, const char *name)
{
    size_t len = strlen(name);
    while (len && (name[len - 1] < '0' || name[len - 1] > '9'))
        len--;
    while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
        len--;
    return arena_strndup(contest->arena, name, len ? len : strlen(name));
}

static const char *part_of(struct contest *contest, const struct fleet_host *host, const char *by)
{
    const struct fleet *fleet = contest->all.fleet;
    size_t fact = fleet_fact(FACT_HOST, by);
    const char *text = NULL;
    if (strcmp(by, "name") == 0)
        return name_part(contest, host->name);
    if (fact_at(fact))
        text = fleet_text(fleet, host->values[fact]);
    for (int of = FACT_DEVICE; of <= FACT_PORT && !text; of++) {
        fact = fleet_fact((enum fact_of)of, by);
        for (size_t i = 0; fact_at(fact) && i < host->nsubjects && !text; i++)
            text = fleet_text(fleet, host->subjects[i].values[fact]);
    }
    return text && *text ? text : "not known";
}

struct membership {
    const struct fleet_host *host;
    const char *part;
};

static int compare_members(const void *one, const void *other)
{
    const struct membership *a = one, *b = other;
    int r = text_version_compare(a->part, b->part);
    return r ? r : a->host < b->host ? -1 : a->host > b->host;
}

static void push_report(struct contest *contest, struct fleet_report report)
{
    *ARENA_PUSH_MANY(contest->arena, contest->comparison.reports, contest->comparison.nreports) = report;
}

/* Compares each part on its own; what must be unique is checked across all hosts. */
static void compare_parts(struct contest *contest, const char *by)
{
    struct membership *members = mem_alloc(contest->nhosts, sizeof(*members));
    struct fleet_wish wish = contest->wish;
    wish.no_others = true;
    push_report(contest,
                fleet_compare(contest->all.fleet, contest->hosts, contest->nhosts, &wish, contest->arena));
    wish.no_others = false;
    wish.no_uniques = true;
    for (size_t i = 0; i < contest->nhosts; i++)
        members[i] = (struct membership){ contest->hosts[i], part_of(contest, contest->hosts[i], by) };
    qsort(members, contest->nhosts, sizeof(*members), compare_members);
    for (size_t i = 0, end; i < contest->nhosts; i = end) {
        for (end = i + 1; end < contest->nhosts && strcmp(members[end].part, members[i].part) == 0;)
            end++;
        const struct fleet_host **part = arena_alloc(contest->arena, end - i, sizeof(*part));
        for (size_t h = i; h < end; h++)
            part[h - i] = members[h].host;
        struct fleet_report report = fleet_compare(contest->all.fleet, part, end - i, &wish, contest->arena);
        report.part = arena_strdup(contest->arena, members[i].part);
        push_report(contest, report);
    }
    free(members);
}

/* -- comparing ----------------------------------------------------------------------------------------- */

static void count_hosts(struct contest *contest)
{
    contest->hosts = fleet_settle(contest->all.fleet, &contest->nhosts);
    contest->comparison.replaced = contest->all.fleet->nhosts - contest->nhosts;
}

/* The first and the last record of the only host: before and after. */
static void compare_in_time(struct contest *contest)
{
    const struct fleet *fleet = contest->all.fleet;
    const struct fleet_host **both = arena_alloc(contest->arena, 2, sizeof(*both));
    both[0] = &fleet->hosts[0];
    both[1] = &fleet->hosts[fleet->nhosts - 1];
    contest->comparison.changes = true;
    push_report(contest, fleet_changes(contest->all.fleet, both, &contest->wish, contest->arena));
}

static void compare(struct contest *contest)
{
    const char *by = args_value(contest->context->args, "by");
    if (contest->plan)
        push_report(contest, cables_against(contest->all.fleet, contest->plan, contest->nplan, contest->hosts,
                                            contest->nhosts, &contest->wish, contest->arena));
    else if (contest->comparison.against)
        push_report(contest, fleet_against(contest->all.fleet, contest->should, contest->hosts, contest->nhosts,
                                           &contest->wish, contest->arena));
    else if (contest->nhosts == 1)
        compare_in_time(contest);
    else if (by)
        compare_parts(contest, by);
    else
        push_report(contest, fleet_compare(contest->all.fleet, contest->hosts, contest->nhosts, &contest->wish,
                                           contest->arena));
}

/* -- reading ------------------------------------------------------------------------------------------- */

enum { PLAN_MOST = 64 << 20 };

/* A plan is a table, what is expected of a host is JSON. */
static bool is_table(const struct bytes *text)
{
    size_t first = text->len ? strspn(text->data, " \t\r\n") : 0;
    size_t len = text->len ? strcspn(text->data, "\n") : 0;
    return len && !strchr("{#", text->data[first]) && strcspn(text->data, ",;\t") < len;
}

static int read_plan(struct contest *contest, const char *path, struct bytes *text)
{
    struct fleet_fault fault = { 0 };
    mail_undo(text);
    int r = cables_parse_plan(text->data, contest->arena, &contest->plan, &contest->nplan, &fault);
    if (r < 0)
        say_error("--against: '%s', line %u: %s", path, fault.line, fault.what);
    else if (!contest->nplan)
        r = say_invalid("--against: '%s' has no cable below its first line", path);
    return r;
}

static int read_expected(struct contest *contest)
{
    struct bytes text = { 0 };
    const char *path = contest->comparison.against = args_value(contest->context->args, "against");
    int r = context_file(contest->context, "against", PLAN_MOST, &text);
    if (r == 0 && path)
        r = is_table(&text)
                ? read_plan(contest, path, &text)
                : context_expectation(contest->context, "against", &text, contest->arena, &contest->should);
    bytes_free(&text);
    return r;
}

static int read_hosts(struct contest *contest)
{
    const struct args *args = contest->context->args;
    for (size_t i = 0; i < args->noperands; i++)
        gather(&contest->all, args->operands[i]);
    count_hosts(contest);
    bool alone = contest->nhosts == 1 && contest->all.fleet->nhosts == 1 && !contest->comparison.against;
    if (alone || args->noperands == 0) {
        int r = gather_machine(&contest->all, contest->context);
        if (r < 0)
            return r;
        count_hosts(contest);
    }
    if (contest->nhosts)
        return 0;
    say_error("no host to compare: none of the files holds the facts of one");
    return -ENODATA;
}

static int show(struct contest *contest)
{
    struct comparison *comparison = &contest->comparison;
    const struct args *args = contest->context->args;
    enum verdict worst = VERDICT_PASS;
    comparison->nhosts = contest->nhosts;
    comparison->refused = contest->all.refused;
    comparison->nrefused = contest->all.nrefused;
    for (size_t i = 0; i < comparison->nreports; i++)
        if (fleet_verdict(&comparison->reports[i]) > worst)
            worst = fleet_verdict(&comparison->reports[i]);
    if (args_given(args, "html"))
        comparison_print_html(comparison);
    else if (args->look.json)
        comparison_print_json(comparison);
    else
        comparison_print(&args->look, comparison);
    if (comparison->changes && !args->look.json && !args_given(args, "html"))
        say_note("what counters say of the time between is in 'roce doctor -r AFTER --before BEFORE', of two "
                 "recordings");
    return worst >= VERDICT_WARN ? STATUS_FOUND : comparison->nrefused ? STATUS_ERROR : STATUS_OK;
}

/* -- cables -------------------------------------------------------------------------------------------- */

const struct column cable_columns[] = { CABLE_COLUMNS };

/* Hosts and switches as nodes, cables as edges. */
static void print_graph(const struct cable *cables, size_t count)
{
    puts("graph \"cables\" {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];");
    for (size_t i = 0; i < count; i++) {
        if (!cables[i].system)
            continue;
        fputs("  ", stdout);
        dot_print_name(cables[i].host);
        fputs(" -- ", stdout);
        dot_print_name(cables[i].system);
        fputs(" [taillabel=", stdout);
        dot_print_name(cables[i].nic);
        fputs(", headlabel=", stdout);
        dot_print_name(cables[i].port);
        puts("];");
    }
    puts("}");
}

static int show_cables(struct contest *contest)
{
    size_t count;
    const struct args *args = contest->context->args;
    struct fleet_report report = { .hosts = contest->hosts,
                                   .nhosts = contest->nhosts,
                                   .alignment = fleet_align(contest->all.fleet, contest->hosts, contest->nhosts,
                                                            contest->arena) };
    const struct cable *cables = cables_list(contest->all.fleet, &report, contest->arena, &count);
    if (args_given(args, "dot"))
        print_graph(cables, count);
    else
        listing_print(&args->look, LISTING(NULL, cable_columns, cables, count), "cables",
                      "no host here has a port");
    return contest->comparison.nrefused ? STATUS_ERROR : STATUS_OK;
}

COMMAND(compare)
{
    struct contest contest = { .context = context,
                               .wish = { .only = args_value(context->args, "only"),
                                         .skip = args_value(context->args, "skip") } };
    int status = STATUS_ERROR;
    if (options_error(context->args) < 0)
        return STATUS_ERROR;
    contest.arena = arena_new();
    contest.all.fleet = fleet_new();
    if (read_expected(&contest) == 0 && read_hosts(&contest) == 0) {
        bool cables = args_given(context->args, "cables") || args_given(context->args, "dot");
        if (!cables)
            compare(&contest);
        status = cables ? show_cables(&contest) : show(&contest);
    }
    fleet_free(contest.all.fleet);
    arena_free(contest.arena);
    return status;
}
