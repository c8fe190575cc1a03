/* SPDX-License-Identifier: MIT */
/* roce doctor: what is wrong, why it matters, how to fix it. */
#include "base/clock.h"
#include "check/check.h"
#include "command/history.h"
#include "command/host_readings.h"
#include "model/facts.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "view/findings.h"
#include "view/history.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/rows.h"

/* -- what to run --------------------------------------------------------------------------------------- */

static size_t count_checks(void)
{
    size_t count = 0;
    while (check_all[count].id)
        count++;
    return count;
}

/* The name of a check or topic, for "did you mean". */
static const char *word_at(size_t i, const void *count)
{
    const size_t nchecks = *(const size_t *)count;
    return i < nchecks ? check_all[i].id : check_topics[i - nchecks].name;
}

static int list_error(const char *option, const char *list)
{
    char word[64];
    if (!check_list_unknown(list, word))
        return 0;
    size_t nchecks = count_checks(), count = nchecks;
    while (word_at(count, &nchecks))
        count++;
    const char *nearest = text_nearest(word, count, word_at, &nchecks);
    if (nearest)
        return say_invalid("--%s: no check or topic is called '%s'; did you mean '%s'?", option, word, nearest);
    return say_invalid("--%s: no check or topic is called '%s'; 'roce doctor --list' shows them", option, word);
}

/* A gate that checks nothing must not pass: perhaps "$CHECKS" was empty. */
static int nothing_error(const struct check_selection *selection)
{
    for (const struct check *check = check_all; check->id; check++)
        if (check_selected(selection, check))
            return 0;
    return say_invalid("--only and --skip leave no check to run; 'roce doctor --list' shows them all");
}

static int make_selection(struct check_selection *selection, const struct context *context)
{
    *selection = (struct check_selection){ .only = args_value(context->args, "only"),
                                           .skip = args_value(context->args, "skip") };
    checks_take_operands(context, selection);
    int r = list_error("only", selection->only);
    r = r ? r : list_error("skip", selection->skip);
    return r ? r : nothing_error(selection);
}

/* -- reading ------------------------------------------------------------------------------------------- */

/* "doctor link": a topic in place of a device means --only. */
static int operands_error(const struct context *context)
{
    const struct args *args = context->args;
    for (size_t i = 0; i < args->noperands; i++) {
        const char *word = args->operands[i];
        struct selection one;
        struct selection_error error;
        char unknown[64];
        if (check_list_unknown(word, unknown) ||
            selection_make(&one, context->host, &args->operands[i], 1, &error) == 0)
            continue;
        say_error("'%s' is not a device here, but checks have that name: 'roce doctor --only %s'", word, word);
        return -ENODEV;
    }
    return 0;
}

static int read_expectation(const struct context *context, struct arena *arena,
                            struct expectation **expectation)
{
    enum { EXPECTATION_MOST = 1 << 20 };
    struct bytes text = { 0 };
    int r = context_file(context, "expect", EXPECTATION_MOST, &text);
    if (r == 0 && args_given(context->args, "expect"))
        r = context_expectation(context, "expect", &text, arena, expectation);
    bytes_free(&text);
    return r;
}

/* -- --list -------------------------------------------------------------------------------------------- */

static struct value get_healthy(const void *row)
{
    return value_text(packed_line(((const struct check *)row)->healthy));
}

static struct value get_why(const void *row)
{
    return value_text(packed_line(((const struct check *)row)->why));
}

const struct column doctor_list_columns[] = { DOCTOR_LIST_COLUMNS };

static int print_list(const struct context *context, const struct check_selection *selection)
{
    struct check *rows = mem_alloc(count_checks(), sizeof(*rows));
    size_t count = 0;
    context_page(context);
    for (const struct check *check = check_all; check->id; check++)
        if (check_selected(selection, check))
            rows[count++] = *check;
    if (context->args->look.json) {
        json_t *top = json_envelope(context->host);
        json_object_set_new(top, "checks",
                            listing_wanted_json(&context->args->look,
                                                LISTING(context->host, doctor_list_columns, rows, count)));
        json_print(top);
    } else {
        listing_table(&context->args->look, LISTING(context->host, doctor_list_columns, rows, count));
    }
    free(rows);
    return STATUS_OK;
}

/* -- findings as a listing ----------------------------------------------------------------------------- */

struct finding_row {
    const struct finding *finding;
    const char *change;                 /* with --new: since the earlier reading */
    const struct past_stretch *stretch; /* in the past; NULL: now */
};

static struct value make_begin(const struct cell_context *context, const void *row)
{
    const struct past_stretch *stretch = ((const struct finding_row *)row)->stretch;
    return stretch ? history_time_value(context, clock_utc_ms(), stretch->begin_ms) : NO_SUCH_VALUE;
}

static struct value make_end(const struct cell_context *context, const void *row)
{
    const struct past_stretch *stretch = ((const struct finding_row *)row)->stretch;
    return stretch ? history_time_value(context, clock_utc_ms(), stretch->end_ms) : NO_SUCH_VALUE;
}

static struct value get_verdict(const void *row)
{
    enum verdict verdict = ((const struct finding_row *)row)->finding->verdict;
    return value_with_tone(value_text(verdict_name(verdict)), verdict_tone(verdict));
}

static struct value get_because(const void *row)
{
    const struct finding *cause = ((const struct finding_row *)row)->finding->cause;
    return value_text(cause ? cause->check->id : NULL);
}

static struct value get_fix(const void *row)
{
    const struct finding *finding = ((const struct finding_row *)row)->finding;
    return value_text(finding->verdict > VERDICT_PASS ? finding->fix : NULL);
}

const struct column doctor_columns[] = { DOCTOR_COLUMNS };

struct finding_rows {
    struct finding_row *rows;
    size_t count;
};

/* The finding of the same check on the same thing; NULL if there is none. Readings have each their own objects,
 * so that names are compared. */
static const struct finding *find_same(const struct report *report, const struct finding *wanted)
{
    char name[160], other[160];
    subject_format(&wanted->subject, name);
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        if (finding->check != wanted->check)
            continue;
        subject_format(&finding->subject, other);
        if (strcmp(name, other) == 0)
            return finding;
    }
    return NULL;
}

/* What a finding of now was earlier; NULL if it is no other. Checks that compare two readings could not look at
 * one: what they find has happened since. */
static const char *change_of(const struct finding *now, const struct finding *was, const char *word)
{
    bool could_not = was && was->verdict == VERDICT_UNKNOWN && was->obstacle != OBSTACLE_ONE_READING;
    bool there = was && (was->verdict >= VERDICT_WARN || could_not);
    if (now->verdict < VERDICT_WARN || (there && (was->verdict == now->verdict || text_is(word, "gone"))))
        return NULL;
    return there ? verdict_name(was->verdict) : word;
}

/* What one report finds that the other doesn't, or finds otherwise. */
static void add_changes(struct finding_rows *rows, struct arena *arena, const struct report *report,
                        const struct report *other, const char *word)
{
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        const char *change = change_of(finding, find_same(other, finding), word);
        if (change)
            *ARENA_PUSH(arena, rows->rows, rows->count) = (struct finding_row){ finding, change, NULL };
    }
}

/* Without --filter or -v: what was found, not what could not be looked at or is well. */
static void add_findings(struct finding_rows *rows, struct arena *arena, const struct look *look,
                         const struct report *report, const struct past_stretch *stretch)
{
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        bool found = finding->verdict > VERDICT_PASS && finding->verdict != VERDICT_UNKNOWN;
        if (found || look->filter || look->verbose)
            *ARENA_PUSH(arena, rows->rows, rows->count) = (struct finding_row){ finding, NULL, stretch };
    }
}

static void list_findings(const struct context *context, const struct look *look, const struct report *report,
                          const struct host_readings *moments, const struct check_selection *selection,
                          struct arena *arena)
{
    struct finding_rows rows = { 0 };
    if (args_given(context->args, "new")) {
        const struct report before = check_run(moments->before, NULL, 0, selection, arena);
        add_changes(&rows, arena, report, &before, "new");
        add_changes(&rows, arena, &before, report, "gone");
    } else {
        add_findings(&rows, arena, look, report, NULL);
    }
    listing_print(look, LISTING(report->host, doctor_columns, rows.rows, rows.count), "findings",
                  args_given(context->args, "new") ? "nothing has come, and nothing gone"
                                                   : "nothing is found; -v lists what was looked at");
}

/* -- the command --------------------------------------------------------------------------------------- */

/* A line for each failure and warning, nothing where all is well. */
static struct look quiet_look(const struct args *args)
{
    const struct option_list options = command_options(args->command);
    struct look quiet = args->look;
    quiet.columns = option_by_name(&options, "brief")->shows;
    quiet.filter = "verdict=warn or verdict=fail";
    quiet.no_header = true;
    return quiet;
}

static int judge(struct context *context, const struct check_selection *selection, const struct gate *gate,
                 const struct host_readings *moments)
{
    struct arena *arena = arena_new();
    const struct look *look = &context->args->look;
    const struct look quiet = quiet_look(context->args);
    struct report report = check_run(moments->host, moments->before, moments->interval_ms, selection, arena);
    const struct findings_part now = { .report = &report };
    int status = gate_verdict(gate, &report) == VERDICT_PASS ? STATUS_OK : STATUS_FOUND;
    if (args_given(context->args, "nagios"))
        status = findings_print_nagios(&report, gate);
    else if (args_given(context->args, "one-line"))
        /* a gate knows a third answer: where a vital check could not look, it is neither good nor bad */
        status = findings_print_one_line(&report, gate) ? status : STATUS_ERROR;
    else if (look_chooses(look) || (context->args->quiet && !look->json))
        list_findings(context, look_chooses(look) ? look : &quiet, &report, moments, selection, arena);
    else if (context->args->look.json)
        findings_print_json(&now, moments->interval_ms, &now, 1);
    else {
        context_page(context);
        findings_print(look, &report);
    }
    arena_free(arena);
    return status;
}

/* -- in the past --------------------------------------------------------------------------------------- */

static void list_past(const struct context *context, const struct look *look, const struct judged_past *past,
                      struct arena *arena)
{
    struct finding_rows rows = { 0 };
    for (size_t i = 0; i < past->count; i++)
        add_findings(&rows, arena, look, &past->stretches[i].report, &past->stretches[i]);
    listing_print(look, LISTING(context->host, doctor_columns, rows.rows, rows.count), "findings",
                  "nothing is found");
}

static void print_past_json(const struct judged_past *past, struct arena *arena)
{
    struct findings_part *parts = NULL, whole = { NULL, past->since_ms, past->until_ms, past->readings };
    size_t count = 0;
    for (size_t i = 0; i < past->count; i++) {
        const struct past_stretch *stretch = &past->stretches[i];
        *ARENA_PUSH(arena, parts, count) = (struct findings_part){ .report = &stretch->report,
                                                                   stretch->begin_ms,
                                                                   stretch->end_ms };
    }
    findings_print_json(&whole, 0, parts, count);
}

static void print_past(const struct context *context, const struct judged_past *past)
{
    char begin[32], end[32];
    uint64_t now = clock_utc_ms();
    context_page(context);
    history_time_text(past->since_ms, now, begin);
    history_time_text(past->until_ms, now, end);
    printf("%s to %s, local time: %zu readings of the flight recorder, by the checks that compare two\n", begin,
           end, past->readings);
    for (size_t i = 0; i < past->count; i++) {
        const struct past_stretch *stretch = &past->stretches[i];
        history_time_text(stretch->begin_ms, now, begin);
        history_time_text(stretch->end_ms, now, end);
        printf("\n%s to %s: ", begin, end);
        findings_print(&context->args->look, &stretch->report);
    }
}

static int judge_past(struct context *context, const struct check_selection *selection, const struct gate *gate)
{
    struct arena *arena = arena_new();
    const struct look *look = &context->args->look;
    const struct look quiet = quiet_look(context->args);
    struct stretch_meant stretch;
    struct history_place place;
    struct judged_past past = { 0 };
    int status = STATUS_ERROR;
    if (place_find(context, args_value(context->args, "directory"), &place) == 0 &&
        stretch_of(context->args, place.now_ms, &stretch) == 0 &&
        past_judge(context, &place, &stretch, selection, gate, arena, &past) == 0) {
        if (look_chooses(look) || (context->args->quiet && !look->json))
            list_past(context, look_chooses(look) ? look : &quiet, &past, arena);
        else if (look->json)
            print_past_json(&past, arena);
        else
            print_past(context, &past);
        status = past.verdict == VERDICT_PASS ? STATUS_OK : STATUS_FOUND;
    }
    past_free(&past);
    context->host = NULL;
    arena_free(arena);
    return status;
}

/* -- options ------------------------------------------------------------------------------------------- */

static const char *const lines[] = { "nagios", "one-line" };

/* Options that exclude each other. */
static int options_error(const struct args *args)
{
    for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
        if (args_given(args, lines[i]) && (args->look.json || look_chooses(&args->look)))
            return say_invalid("--%s is a format of its own: leave out %s", lines[i],
                               args->look.json ? "either it or --json" : "what chooses columns and rows");
    static const char *const of_now[] = { "nagios", "one-line", "new",    "before",    "state",
                                          "expect", "interval", "listen", "log-window" };
    int past = stretch_is_named(args);
    if (past < 0)
        return past;
    for (size_t i = 0; i < ARRAY_SIZE(of_now) && past; i++)
        if (args_given(args, of_now[i]))
            return say_invalid("--%s is of now, and --since, --until and --around are of what was recorded",
                               of_now[i]);
    if (args_given(args, "new") && !args_given(args, "state") && !args_given(args, "before"))
        return say_invalid("--new compares with an earlier reading: give --before or --state");
    if (args_given(args, "state") && args_given(args, "before"))
        return say_invalid("--state and --before both name an earlier reading: give one");
    if (args_given(args, lines[0]) && args_given(args, lines[1]))
        return say_invalid("--%s and --%s are two formats: give one", lines[0], lines[1]);
    return 0;
}

/* commands.txt names it. */
int doctor_error_status(const struct args *args);
int doctor_error_status(const struct args *args)
{
    return args_given(args, "nagios") ? NAGIOS_UNKNOWN : STATUS_ERROR;
}

static int read_and_judge(struct context *context, struct arena *arena)
{
    struct check_selection selection;
    struct expectation *expectation = NULL;
    struct host_readings moments = { 0 };
    struct host_readings_options wishes = { .before = args_value(context->args, "before"),
                                            .state = args_value(context->args, "state"),
                                            .seconds = args_number(context->args, "interval", 1),
                                            .kept = !args_given(context->args, "interval"),
                                            .whole = args_given(context->args, "new") };
    uint64_t log_window = args_number(context->args, "log-window", LOG_WINDOW);
    struct gate gate;
    int error = doctor_error_status(context->args);
    gate_parse(args_value(context->args, "fail-on"), &gate); /* always one of the option's choices */
    if (options_error(context->args) < 0 || make_selection(&selection, context) < 0)
        return error;
    if (args_given(context->args, "list"))
        return print_list(context, &selection);
    if (stretch_is_named(context->args))
        return judge_past(context, &selection, &gate);
    if (read_expectation(context, arena, &expectation) < 0)
        return error;
    int status = error;
    int r = host_readings_take(context, &selection, &wishes, &moments);
    context->host = moments.host; /* main frees it */
    if (r == 0 && context->args->look.json)
        host_read_name(context->source, moments.host);
    if (r == 0) {
        moments.host->system.log_window_s = log_window ? log_window : UINT64_MAX;
        moments.host->expectation = expectation;
    }
    if (r == 0 && operands_error(context) == 0 &&
        context_select(context, context->args->operands, context->args->noperands) == 0)
        status = judge(context, &selection, &gate, &moments);
    host_free(moments.before);
    return status;
}

COMMAND(doctor)
{
    struct arena *arena = arena_new(); /* for the expectation, which is parsed before the host is read */
    int status = read_and_judge(context, arena);
    arena_free(arena);
    if (context->host)
        context->host->expectation = NULL;
    return status;
}
