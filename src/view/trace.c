/* SPDX-License-Identifier: MIT */
/* What steps of connections are called, what they mean, and how they are printed. */
#include "view/trace.h"

#include "base/clock.h"
#include "base/glyph.h"
#include "explain/knowledge.h"
#include "model/value.h"
#include "view/page.h"
#include "view/terminal.h"

enum { HOST_WIDTH = 12 };

/* What a step is, apart from numbers. What a failure means and where it is from, src/explain/roce.txt says. */
static const struct {
    const char *word, *detail;
} texts[TRACE_STEPS] = {
    [STEP_OF_REQUEST] = { .word = "request sent" },
    [STEP_OF_ASKED] = { .word = "request came" },
    [STEP_OF_ACCEPT] = { .word = "accepted" },
    [STEP_OF_CONNECTED] = { .word = "connected" },
    [STEP_OF_CLOSED] = { .word = "closed" },
    [STEP_OF_ENDED] = { "given back", "without a close: the process ended, or never closes" },
    [STEP_OF_WAITING] = { .word = "still waiting" },
    [STEP_OF_CLOSING] = { .word = "still closing" },
    [STEP_OF_MOVED] = { "address changed", "another MAC has this end's address: a bond took another member" },
    [STEP_OF_GAP] = { .word = "gap" },
    [STEP_OF_COUNTERS] = { "counters moved", "since queue pairs reached RTS" },
    [STEP_OF_UNKNOWN] = { "unknown", "it is over; how it ended is among the events that were lost" },
    [STEP_OF_NEIGHBOUR] = { "UNREACHABLE", "the peer's MAC changed while it was connected" },
    [STEP_OF_REFUSED] = { "refused here", "by this program: the peer sees REJECTED 28" },
    [STEP_OF_DROPPED] = { "dropped here", "this program gave it back unanswered: the peer sees REJECTED 28" },
    [STEP_OF_UNHEARD] = { "nobody listens",
                          "here, on the port that somebody knocked at: the peer sees REJECTED 8" },
    [STEP_OF_TURNED_DOWN] = { "turned down", "by this host's kernel, before a program saw it" },
    [STEP_OF_GIVEN_UP] = { .word = "given up" },
    [STEP_OF_NO_ADDRESS] = { "refused at once", "no way was looked for (a guess: nothing else was told)" },
    [STEP_OF_NO_ROUTE] = { "refused at once",
                           "after the address was resolved (a guess: nothing else was told)" },
    [STEP_OF_NO_CONNECT] = { "refused at once", "it connected by TCP (a guess: nothing else was told)" },
    [STEP_OF_NO_BIND] = { "refused at once", "the address to start from (a guess: nothing else was told)" },
    [STEP_OF_QUEUE] = { .word = "queue pair" },
    [STEP_OF_APPEARED] = { .word = "appeared" },
    [STEP_OF_GONE] = { .word = "gone" },
    [STEP_OF_NO_QUEUE] = { .word = "no queue pair" },
};

/* -- words ----------------------------------------------------------------------------------------------- */

static const struct word *event_word(const struct trace_step *step)
{
    return step->event.known ? word_numbered(&words_cm_events, (int)step->event.value) : NULL;
}

/* The status of REJECTED is a reason on RoCE and InfiniBand, a negative errno on iWARP; of all others an errno.
 */
static const struct word *reason_word(const struct trace_step *step)
{
    bool rejected = step->kind == STEP_OF_TURNED_DOWN ||
                    (step->kind == STEP_OF_EVENT && num_is(step->event, CM_REJECTED));
    return rejected && step->status.known && step->status.value > 0
               ? word_numbered(&words_cm_reasons, (int)step->status.value)
               : NULL;
}

static void add_text(struct bytes *text, const char *more)
{
    bytes_append(text, more, strlen(more));
}

/* Parts of a detail stand behind commas. Most lines are made of few, and many lines of text alone: a busy host
 * has hundreds of them a second. */
static void begin_part(struct bytes *text)
{
    if (text->len)
        bytes_append(text, ", ", 2);
}

static void add_part(struct bytes *text, const char *more)
{
    begin_part(text);
    add_text(text, more);
}

static void add_time(struct bytes *text, struct num took_us)
{
    double ms = (double)took_us.value / 1000;
    if (!took_us.known)
        return;
    if (ms < 1000)
        bytes_printf(text, "%s(%.*f ms)", text->len ? " " : "", ms < 10, ms);
    else
        bytes_printf(text, "%s(%.1f s)", text->len ? " " : "", ms / 1000);
}

static void add_tries(struct bytes *text, const struct trace_step *step)
{
    if (step->taken)
        add_part(text, "the peer's kernel has it (MRA), its program hasn't answered");
    else if (step->tries.known) {
        begin_part(text);
        bytes_printf(text, "sent %" PRIu64 " of %" PRIu64 " times, nothing came back", step->tries.value,
                     step->tries_most.value);
    } else
        add_part(text, step->side == SIDE_SERVER ? "the program here hasn't answered" : "nothing came back");
}

static void add_status(struct bytes *text, const struct trace_step *step)
{
    const struct word *reason = reason_word(step);
    int err = trace_step_errno(step);
    if (!step->status.known || !step->status.value)
        return;
    begin_part(text);
    if (reason && step->kind == STEP_OF_TURNED_DOWN)
        bytes_printf(text, "the peer sees REJECTED %d, %s", reason->number, reason->name);
    else if (reason)
        add_text(text, reason->name);
    else if (err)
        add_text(text, say_errno(err));
    else
        bytes_printf(text, "status %" PRId64, step->status.value);
}

static void add_queue_step(struct bytes *text, const struct trace_step *step)
{
    static const char *const steps[] = { [QUEUE_OTHER] = "to RESET, ERR or another state",
                                         [QUEUE_INIT] = "to INIT",
                                         [QUEUE_RTR] = "to RTR",
                                         [QUEUE_RTS] = "to RTS" };
    if (!step->mask.known)
        return;
    enum trace_queue_step to = trace_queue_step(step->mask.value);
    add_part(text, steps[to]);
    if (!step->status.known)
        add_text(text, ": its return wasn't seen");
    else if (to == QUEUE_RTS && step->kind == STEP_OF_QUEUE)
        add_text(text, ": what fails from here on no trace shows");
}

/* What a request or a queue pair is of. */
static void add_device(struct bytes *text, const struct trace_step *step)
{
    if (*step->device)
        add_part(text, step->device);
    if (step->qp.known) {
        begin_part(text);
        bytes_printf(text, "QP %" PRIu64, step->qp.value);
    }
    if (step->kind <= STEP_OF_ACCEPT && step->tos.known && step->tos.value) {
        begin_part(text);
        bytes_printf(text, "TOS %" PRIu64, step->tos.value);
    }
}

static char *detail_of(const struct trace_step *step)
{
    struct bytes text = { 0 };
    add_text(&text, texts[step->kind].detail ? texts[step->kind].detail : "");
    add_queue_step(&text, step);
    if (step->kind == STEP_OF_COUNTERS)
        add_part(&text, step->device);
    if (step->state && step->kind == STEP_OF_COUNTERS)
        bytes_printf(&text, " %s", step->state);
    else if (step->state)
        add_part(&text, step->state);
    add_status(&text, step);
    if (step->kind <= STEP_OF_ACCEPT || step->kind == STEP_OF_APPEARED || step->kind == STEP_OF_GONE)
        add_device(&text, step);
    if (step->kind == STEP_OF_CLOSED)
        add_part(&text, step->by_peer ? "by the peer" : "by this end");
    if (step->kind == STEP_OF_WAITING || step->kind == STEP_OF_CLOSING || step->kind == STEP_OF_GIVEN_UP)
        add_tries(&text, step);
    if (step->kind == STEP_OF_GAP)
        bytes_printf(&text, "%" PRIu64 " events lost: how open connections end may not be told", step->lost);
    add_time(&text, step->took_us);
    return text.data;
}

enum { WORD_SIZE = 40, WHO_SIZE = TRACE_NAME_SIZE + 32, WAY_SIZE = 2 * TRACE_ADDRESS_SIZE + 16 };

/* "REJECTED 8": text, if it has a number. */
static const char *word_of(const struct trace_step *step, char text[static WORD_SIZE])
{
    const struct word *event = step->kind == STEP_OF_EVENT ? event_word(step) : NULL;
    const char *name = event ? event->name + strlen("RDMA_CM_EVENT_") : texts[step->kind].word;
    if (!event || !reason_word(step))
        return name ? name : "event";
    snprintf(text, WORD_SIZE, "%s %d", name, (int)step->status.value);
    return text;
}

/* What a failure means: what explain says of its line. The texts are static. */
static void find_meaning(const struct trace_step *step, struct answer *answer)
{
    struct reading reading = { .status = -1 };
    char word[WORD_SIZE], *detail = detail_of(step);
    char *line = mem_printf("-> ?  %s  %s ", word_of(step, word), detail);
    memset(answer, 0, sizeof(*answer));
    if (line_read(line, strlen(line), &reading))
        reading_answer(&reading, answer);
    if (!reading.word) /* of an errno the step tells more than what it means elsewhere */
        answer->also = NULL;
    free(line);
    free(detail);
}

static char *meaning_text(const struct answer *answer)
{
    return mem_printf("%s%s%s", answer->means ? answer->means : "", answer->also ? " " : "",
                      answer->also ? answer->also : "");
}

static void who_of(const struct trace_step *step, char text[static WHO_SIZE])
{
    const char *name = *step->name ? step->name : step->in_kernel ? "kernel" : "?";
    *text = '\0';
    if (step->kind == STEP_OF_GAP || step->kind == STEP_OF_COUNTERS)
        return;
    if (step->pid.known)
        snprintf(text, WHO_SIZE, "%s[%" PRIu64 "]", name, step->pid.value);
    else
        snprintf(text, WHO_SIZE, step->in_kernel ? "[%s]" : "%s", name);
}

/* A queue pair's ends are addresses without a port. */
static void format_end(const struct trace_step *step, const struct trace_address *end,
                       char text[static TRACE_ADDRESS_SIZE])
{
    trace_address_format(end, text);
    char *port = step->mask.known ? strrchr(text, ':') : NULL;
    if (port)
        *port = '\0';
}

static void way_of(const struct trace_step *step, char text[static WAY_SIZE])
{
    char from[TRACE_ADDRESS_SIZE], to[TRACE_ADDRESS_SIZE];
    format_end(step, &step->from, from);
    format_end(step, &step->to, to);
    *text = '\0';
    if (*from || *to)
        stpcpy(stpcpy(stpcpy(stpcpy(stpcpy(text, from), " "), glyph(GLYPH_ARROW)), " "), *to ? to : "?");
}

char *trace_step_text(const struct trace_step *step)
{
    char word[WORD_SIZE], who[WHO_SIZE], way[WAY_SIZE], *detail = detail_of(step);
    who_of(step, who);
    way_of(step, way);
    char *text = mem_printf("%s  %s%s%s  %s", who, way, *way ? "  " : "", word_of(step, word), detail);
    free(detail);
    return text;
}

bool trace_is_failure(const struct trace_shown *shown)
{
    return shown->step->kind >= STEPS_FAILED && !shown->arose;
}

/* -- for a person ---------------------------------------------------------------------------------------- */

static enum tone tone_of(const struct trace_shown *shown)
{
    enum trace_step_kind kind = shown->step->kind;
    if (kind >= STEPS_FAILED)
        return shown->arose ? TONE_WARN : TONE_BAD;
    if (kind == STEP_OF_WAITING || kind == STEP_OF_CLOSING || (kind >= STEP_OF_GAP && kind < STEPS_FAILED))
        return TONE_WARN;
    return kind == STEP_OF_CONNECTED ? TONE_GOOD : TONE_PLAIN;
}

static void print_reasons(const struct trace_shown *shown, size_t width)
{
    struct answer answer;
    find_meaning(shown->step, &answer);
    char *means = meaning_text(&answer);
    block_print("      means", 14, means, width);
    free(means);
    block_print_lines("      likely", "", 14, answer.causes, width);
    way_facts_print("      here now", 14, shown->facts, shown->nfacts, width);
}

void way_facts_print(const char *label, int indent, const struct way_fact *facts, size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++)
        block_printf(i ? "" : label, indent, width, "%s%s%s%s", facts[i].text, facts[i].check ? " (" : "",
                     facts[i].check ? facts[i].check : "", facts[i].check ? ")" : "");
}

/* What stands last: where it arose, the detail, and whose it is. */
static char *rest_of(const struct trace_shown *shown)
{
    char there[WORD_SIZE], *detail = detail_of(shown->step);
    struct bytes text = { 0 };
    if (shown->arose)
        bytes_printf(&text, "follows %s's '%s'%s", shown->arose->host, word_of(shown->arose->step, there),
                     *detail ? ": " : "");
    add_text(&text, detail);
    if (shown->place)
        bytes_printf(&text, "%s[%s]", text.len ? " " : "", shown->place);
    char *clean = text_clean(text.data, TEXT_ONE_LINE);
    bytes_free(&text);
    free(detail);
    return clean;
}

/* Time, who, way, word, detail: in columns where they fit; else the detail has lines of its own. */
static void print_line(const char *clock, const struct trace_shown *shown, bool color, size_t width)
{
    char room[WORD_SIZE], who[WHO_SIZE], way[WAY_SIZE], *rest = rest_of(shown);
    const char *word = word_of(shown->step, room);
    const char *begin = tone_start(tone_of(shown), color), *end = tone_end(tone_of(shown), color);
    who_of(shown->step, who);
    way_of(shown->step, way);
    char *clean_who = text_clean(who, TEXT_ONE_LINE);
    int gap = 40 - (int)text_width(way);
    bool fits = !width || strlen(clock) + 2 + 18 + 1 + 40 + 1 + 15 + 1 + text_width(rest) <= width;
    if (fits)
        printf("%s  %-18s %s%*s %s%-15s%s %s\n", clock, clean_who, way, gap > 0 ? gap : 0, "", begin, word, end,
               rest);
    else
        printf("%s  %s %s  %s%s%s\n", clock, clean_who, way, begin, word, end);
    if (!fits && *rest)
        block_print("", 10, rest, width);
    free(clean_who);
    free(rest);
}

/* "12:03:11.442", and the host. A second is asked for once. */
static char *clock_text(const struct trace_shown *shown)
{
    static uint64_t last = UINT64_MAX;
    static char text[16];
    uint64_t seconds = shown->utc_ms / 1000;
    if (seconds != last)
        clock_day_text(shown->utc_ms, text);
    last = seconds;
    const char *host = shown->host ? shown->host : "";
    return mem_printf("%s.%03u%s%-*s", text, (unsigned)(shown->utc_ms % 1000), *host ? "  " : "",
                      *host ? HOST_WIDTH : 0, host);
}

void trace_step_print(const struct trace_shown *shown, bool color, size_t width)
{
    char *clock = clock_text(shown);
    print_line(clock, shown, color, width);
    free(clock);
    if (trace_is_failure(shown))
        print_reasons(shown, width);
    for (size_t i = 0; i < shown->nlog; i++)
        block_print(i ? "" : "      kernel", 14, shown->log[i], width);
}

/* -- for a program --------------------------------------------------------------------------------------- */

json_t *way_facts_json(const struct way_fact *facts, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *fact = json_push_object(list);
        json_put_text(fact, "verdict", verdict_name(facts[i].verdict));
        json_put_text(fact, "check", facts[i].check);
        json_put_text(fact, "text", facts[i].text);
    }
    return list;
}

static void put_ends(json_t *line, const struct trace_step *step)
{
    static const char *const sides[] = { [SIDE_CLIENT] = "client", [SIDE_SERVER] = "server" };
    char from[TRACE_ADDRESS_SIZE], to[TRACE_ADDRESS_SIZE];
    format_end(step, &step->from, from);
    format_end(step, &step->to, to);
    json_put_text(line, "side", WORD_AT(sides, step->side));
    json_put_text(line, "from", *from ? from : NULL);
    json_put_text(line, "to", *to ? to : NULL);
    json_put_text(line, "device", *step->device ? step->device : NULL);
    json_put_num(line, "lqpn", step->qp);
    json_put_num(line, "local_id", step->local_id);
    json_put_num(line, "remote_id", step->remote_id);
}

static void put_outcome(json_t *line, const struct trace_shown *shown)
{
    const struct trace_step *step = shown->step;
    const struct word *event = event_word(step);
    static const char *const states[] = { [QUEUE_INIT] = "INIT", [QUEUE_RTR] = "RTR", [QUEUE_RTS] = "RTS" };
    struct answer answer = { 0 };
    if (trace_is_failure(shown))
        find_meaning(step, &answer);
    char *detail = detail_of(step);
    json_put_text(line, "event", event ? event->name : NULL);
    json_object_set_new(line, "status", step->status.known ? json_integer(step->status.value) : json_null());
    json_put_num(line, "took_us", step->took_us);
    json_put_text(line, "qp_state",
                  step->mask.known                ? states[trace_queue_step(step->mask.value)]
                  : step->state && step->qp.known ? step->state
                                                  : NULL);
    json_put_num(line, "tries", step->tries);
    json_put_num(line, "tries_most", step->tries_most);
    json_put_bool(line, "peer_has_it", step->taken);
    json_put_text(line, "closed_by", step->kind != STEP_OF_CLOSED ? NULL : step->by_peer ? "peer" : "here");
    json_put_num(line, "lost", num_if(step->kind == STEP_OF_GAP, step->lost));
    json_put_text(line, "text", *detail ? detail : NULL);
    char *means = meaning_text(&answer);
    json_put_text(line, "means", *means ? means : NULL);
    free(means);
    json_object_set_new(line, "likely_causes", json_parts(answer.causes, '\n'));
    json_object_set_new(line, "here_now", way_facts_json(shown->facts, shown->nfacts));
    json_t *log = json_array();
    for (size_t i = 0; i < shown->nlog; i++)
        json_array_append_new(log, json_text(shown->log[i]));
    json_object_set_new(line, "kernel_log", log);
    free(detail);
}

/* The kernel's release and its events are told once, at the start; the keys are there on each line. */
static void put_head(json_t *line, const struct trace_shown *shown)
{
    bool start = shown->step->kind == STEP_OF_START;
    json_t *found = start ? json_array() : NULL, *missing = start ? json_array() : NULL;
    for (unsigned i = 0; start && i < TRACE_POINTS; i++)
        if (trace_point_names[i].name)
            json_array_append_new(shown->points >> i & 1 ? found : missing,
                                  json_text(trace_point_names[i].name));
    json_put_text(line, "release", shown->release);
    json_object_set_new(line, "tracepoints", found ? found : json_null());
    json_object_set_new(line, "missing", missing ? missing : json_null());
}

json_t *trace_step_json(const struct trace_shown *shown)
{
    const struct trace_step *step = shown->step;
    char time[CLOCK_TEXT_SIZE];
    clock_utc_text(shown->utc_ms, time);
    json_t *line = json_envelope(NULL);
    json_put_text(line, "time", time);
    json_put_text(line, "step", trace_step_name(step->kind));
    if (shown->host)
        json_put_text(line, "host", shown->host);
    json_put_bool(line, "is_failure", trace_is_failure(shown));
    json_put_text(line, "arose_at", shown->arose ? shown->arose->host : NULL);
    json_put_num(line, "connection", num_if(shown->connection, shown->connection));
    json_object_set_new(line, "clock_ahead_us",
                        shown->ahead_us.known ? json_integer(shown->ahead_us.value) : json_null());
    json_put_num(line, "pid", step->pid);
    json_put_text(line, "comm", *step->name ? step->name : NULL);
    json_put_bool(line, "in_kernel", step->in_kernel);
    json_put_text(line, "started_by", shown->place);
    put_ends(line, step);
    put_outcome(line, shown);
    put_head(line, shown);
    return line;
}
