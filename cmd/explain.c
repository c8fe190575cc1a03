/* SPDX-License-Identifier: MIT */
/* roce explain WORD, LINE: a check, a counter, a word of the field; what a line of a log says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "check/check.h"
#include "command/context.h"
#include "command/machine.h"
#include "model/counters.h"
#include "model/mention.h"
#include "model/terms.h"
#include "model/word.h"
#include "selftest/diagnosis/message.h"
#include "source/recording/file.h"
#include "view/block.h"
#include "view/json.h"
#include "view/rows.h"
#include "view/terminal.h"

enum {
    LABEL = 9,
    TEXT_MOST = 16 << 20, /* bytes of a log */
    ANSWERS_MOST = 100,   /* different ones of a log */
    NEAR_MOST = 3
};

struct page {
    json_t *list; /* NULL: text */
    size_t width, shown;
};

static void print_block(const struct page *page, const char *label, const char *text)
{
    block_print(label, LABEL, text, page->width);
}

static json_t *add_object(struct page *page, const char *kind, const char *name)
{
    json_t *object = json_object();
    json_put_text(object, "kind", kind);
    json_put_text(object, "name", name);
    json_array_append_new(page->list, object);
    page->shown++;
    return object;
}

static void heading(struct page *page, const char *kind, const char *name)
{
    printf("%s%s (%s)\n", page->shown++ ? "\n" : "", name, kind);
}

static void explain_check(struct page *page, const struct check *check)
{
    if (page->list) {
        json_t *object = add_object(page, "check", check->id);
        json_put_text(object, "topic", check->topic);
        json_put_text(object, "scope", check_scope_name(check->scope));
        json_put_text(object, "healthy", check->healthy);
        json_put_text(object, "why", check->why);
        json_put_text(object, "fix", check->fix);
        return;
    }
    heading(page, "check", check->id);
    print_block(page, "topic", check->topic);
    print_block(page, "expected", check->healthy);
    print_block(page, "of each", check_scope_name(check->scope));
    print_block(page, "why", check->why);
    print_block(page, "fix", check->fix);
}

static void explain_topic(struct page *page, const char *topic)
{
    json_t *checks = NULL;
    if (page->list) {
        json_t *object = add_object(page, "topic", topic);
        json_put_text(object, "text", check_topic_text(topic));
        json_object_set_new(object, "checks", checks = json_array());
    } else {
        heading(page, "topic", topic);
        print_block(page, "about", check_topic_text(topic));
    }
    for (size_t i = 0; i < check_count(); i++) {
        if (strcmp(check_at(i)->topic, topic) != 0)
            continue;
        if (checks)
            json_array_append_new(checks, json_text(check_at(i)->id));
        else
            printf("  %-24s %s\n", check_at(i)->id, check_at(i)->healthy);
    }
}

static void explain_counter(struct page *page, const struct counter_table *table,
                            const struct counter_def *def, const char *name)
{
    const char *family = table->family ? table->family : "all drivers";
    if (page->list) {
        json_t *object = add_object(page, "counter", name);
        json_put_text(object, "driver", table->family);
        json_put_text(object, "directory", table->dir);
        json_put_text(object, "text", def->meaning);
        json_put_text(object, "unit", counter_unit_name(def->unit));
        json_put_text(object, "severity", counter_severity_name(def->severity));
        return;
    }
    heading(page, "counter", name);
    print_block(page, "driver", family);
    print_block(page, "in", table->dir);
    print_block(page, "means", def->meaning);
    print_block(page, "unit", counter_unit_name(def->unit));
    print_block(page, "severity", counter_severity_name(def->severity));
}

static void explain_term(struct page *page, const struct term *term)
{
    if (page->list) {
        json_t *object = add_object(page, "term", term->name);
        json_put_text(object, "means", term->means);
        json_put_text(object, "text", term->text);
        return;
    }
    heading(page, "term", term->name);
    if (term->means)
        print_block(page, "short for", term->means);
    print_block(page, "means", term->text);
}

/* -- what has a number or a name: statuses, events, reasons, errnos, states, variables ------------------- */

static json_t *list_json(const char *list, const char *separator)
{
    json_t *array = json_array();
    for (const char *at = list; at && *at;) {
        size_t n = strcspn(at, separator);
        char *item = mem_printf("%.*s", (int)n, at);
        json_array_append_new(array, json_text(item));
        free(item);
        at += n + (at[n] != '\0');
    }
    return array;
}

static void print_causes(const struct page *page, const char *causes)
{
    for (const char *at = causes; at && *at;) {
        size_t n = strcspn(at, "\n");
        char *cause = mem_printf("%.*s", (int)n, at);
        print_block(page, at == causes ? "cause" : "or", cause);
        free(cause);
        at += n + (at[n] == '\n');
    }
}

static void print_checks(const struct page *page, const char *checks, const char *tail)
{
    char *line = mem_printf("roce doctor --only %s%s", checks, tail);
    print_block(page, "look", line);
    free(line);
}

/* Where calls of libibverbs and librdmacm answer with this errno, and what it then means. */
static void explain_steps(struct page *page, int err, json_t *object)
{
    json_t *array = object ? json_array() : NULL;
    enum step step;
    for (size_t i = 0; diagnosis_step_of(err, i, &step); i++) {
        struct explanation explanation;
        const struct failure failure = { .step = step, .err = err };
        if (!diagnosis_explain(&failure, &explanation) || !explanation.meaning)
            continue;
        char *line = mem_printf("could not %s: %s", step_text(step), explanation.meaning);
        if (array)
            json_array_append_new(array, json_text(line));
        else
            print_block(page, "at", line);
        free(line);
    }
    if (object)
        json_object_set_new(object, "at", array);
}

static void explain_named(struct page *page, const struct word_table *table, const struct word *word)
{
    bool is_errno = table == &words_errnos;
    if (page->list) {
        json_t *object = add_object(page, table->kind, word->name);
        json_object_set_new(object, "number", word->number < 0 ? json_null() : json_integer(word->number));
        json_put_text(object, "text", word->text);
        json_put_text(object, "end", word->end);
        json_object_set_new(object, "causes", list_json(word->causes, "\n"));
        json_object_set_new(object, "checks", list_json(word->checks, ","));
        if (is_errno)
            explain_steps(page, word->number, object);
        return;
    }
    char *kind = word->number < 0 ? mem_strdup(table->kind) : mem_printf("%s %d", table->kind, word->number);
    heading(page, kind, word->name);
    free(kind);
    print_block(page, "means", word->text);
    if (is_errno)
        explain_steps(page, word->number, NULL);
    if (word->end)
        print_block(page, "where", word->end);
    print_causes(page, word->causes);
    if (word->checks)
        print_checks(page, word->checks, "");
}

static void explain_status(struct page *page, int status)
{
    struct explanation explanation;
    const struct failure failure = { .wc_status = status };
    bool known = diagnosis_explain(&failure, &explanation);
    struct bytes causes = { 0 };
    for (size_t i = 0; i < explanation.ncauses; i++)
        bytes_printf(&causes, "%s%s", i ? "\n" : "", explanation.causes[i]);
    const char *text = known && explanation.meaning ? explanation.meaning
                       : status                     ? "not used on RoCE, or by few programs"
                                                    : "the request was carried out";
    if (page->list) {
        json_t *object = add_object(page, "completion status", wc_name(status));
        json_object_set_new(object, "number", json_integer(status));
        json_put_text(object, "means", wc_text(status));
        json_put_text(object, "text", text);
        json_put_text(object, "end", explanation.end);
        json_object_set_new(object, "causes", list_json(causes.data, "\n"));
        json_object_set_new(object, "checks", list_json(explanation.checks, ","));
    } else {
        char *kind = mem_printf("completion status %d", status);
        heading(page, kind, wc_name(status));
        free(kind);
        print_block(page, "in words", wc_text(status));
        print_block(page, "means", text);
        if (explanation.end)
            print_block(page, "where", explanation.end);
        print_causes(page, causes.data);
        if (explanation.checks)
            print_checks(page, explanation.checks, "");
    }
    bytes_free(&causes);
}

/* "12", "status 12", "reject 8", "errno -110", "syndrome 0x15": by number. */
static void explain_number(struct page *page, const char *text)
{
    size_t count;
    const struct word_table *const *tables = word_tables(&count);
    const char *blank = strrchr(text, ' ');
    const char *digits = blank ? blank + 1 : text;
    int64_t number;
    if (text_to_i64(digits, 0, &number) < 0 || number < -4096 || number > 4096)
        return;
    char *kind = mem_printf("%.*s", blank ? (int)(blank - text) : 0, text);
    for (char *c = kind; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c | 0x20);
    int status = text_in_list("syndrome,synd", kind) ? syndrome_status((unsigned long)number)
                 : !*kind ||
                         text_in_list(
                             "status,completion,completion status,wc,wc status,error,completion error,ibv_wc",
                             kind)
                     ? (int)number
                     : -1;
    if (status >= 0 && wc_text(status))
        explain_status(page, status);
    for (size_t i = 0; i < count; i++) {
        bool asked = *kind ? tables[i]->numbers && text_in_list(tables[i]->numbers, kind)
                           : tables[i] == &words_errnos;
        const struct word *word = asked ? word_numbered(tables[i], (int)(number < 0 ? -number : number))
                                        : NULL;
        if (word)
            explain_named(page, tables[i], word);
    }
    free(kind);
}

static const struct device *device_with_counter(const struct host *host, const struct counter_table *table,
                                                const char *name)
{
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0;
             text_is(counter_family(host->devices[d].driver), table->family) && p < host->devices[d].nports;
             p++)
            for (size_t c = 0; c < host->devices[d].ports[p].ncounters; c++)
                if (strcmp(host->devices[d].ports[p].counters[c].name, name) == 0)
                    return &host->devices[d];
    return NULL;
}

static bool read_machine(struct context *context, needs_t needs)
{
    if (!context->source && machine_open(context->args->root, &context->source) < 0)
        return false;
    return context_read(context, needs) == 0;
}

/* A row for endings of names ("*Err") takes anything: the name has to be one of a device that is here. */
static bool is_counter(struct context *context, const struct counter_table *table,
                       const struct counter_def *def, const char *name)
{
    return def && (def->name[0] != '*' || (read_machine(context, NEED_COUNTERS | NEED_PCI) &&
                                           device_with_counter(context->host, table, name)));
}

static void explain_word(struct context *context, struct page *page, const char *word)
{
    size_t count;
    const struct check *check = check_find(word);
    const struct term *term = term_find(word);
    if (check)
        explain_check(page, check);
    if (check_topic_text(word))
        explain_topic(page, word);
    if (term)
        explain_term(page, term);
    const struct word_table *const *words = word_tables(&count);
    for (size_t i = 0; i < count; i++) {
        const struct word *found = word_find(words[i], word);
        if (found)
            explain_named(page, words[i], found);
    }
    for (int status = 0; status < wc_count(); status++)
        if (strcasecmp(wc_name(status), word) == 0 ||
            strcasecmp(wc_name(status) + strlen("IBV_"), word) == 0 || strcasecmp(wc_text(status), word) == 0)
            explain_status(page, status);
    explain_number(page, word);
    const struct counter_table *const *tables = counter_tables(&count);
    for (size_t i = 0; i < count; i++) {
        const struct counter_def *def = counter_table_find(tables[i], word);
        if (is_counter(context, tables[i], def, word))
            explain_counter(page, tables[i], def, word);
    }
}

/* -- lines of logs -------------------------------------------------------------------------------------- */

struct answered {
    struct reading reading;
    const char *line; /* the first that says so */
    size_t len, number, times;
    struct mention mentions[MENTIONS_MOST];
    size_t nmentions;
};

struct log {
    struct answered answers[ANSWERS_MOST];
    size_t count, lines, more; /* more: different ones than there is room for */
    const struct host *host;   /* NULL: there is none to read */
    bool tried;
    struct arena *arena;
};

static bool names_same(const struct answered *a, const struct answered *b)
{
    if (a->nmentions != b->nmentions)
        return false;
    for (size_t i = 0; i < a->nmentions; i++)
        if (a->mentions[i].device != b->mentions[i].device || a->mentions[i].port != b->mentions[i].port ||
            (!a->mentions[i].device && strcmp(a->mentions[i].text, b->mentions[i].text) != 0))
            return false;
    return true;
}

/* Reads the machine when the first line is known: what lines name is looked up there. A live machine that
 * can't be read leaves that out; a recording that can't be is an error. */
static int read_once(struct context *context, struct log *log)
{
    if (log->tried)
        return 0;
    log->tried = true;
    if (read_machine(context, NEED_NLDEV | NEED_PCI | NEED_STATE | NEED_RATE | NEED_NETDEV | NEED_GIDS |
                                  NEED_ADDRESSES))
        log->host = context->host;
    return !log->host && context->args->root ? -EINVAL : 0;
}

static int add_line(struct context *context, struct log *log, const char *line, size_t len)
{
    struct answered now = {
        .line = line, .len = len < LINE_MOST ? len : LINE_MOST, .number = ++log->lines, .times = 1
    };
    if (!line_read(line, len, &now.reading))
        return 0;
    int r = read_once(context, log);
    if (r < 0)
        return r;
    if (log->host)
        now.nmentions = mention_find(log->host, line, now.len, log->arena, now.mentions);
    for (size_t i = 0; i < log->count; i++) {
        struct answered *old = &log->answers[i];
        if (old->reading.message == now.reading.message && old->reading.status == now.reading.status &&
            old->reading.err == now.reading.err && old->reading.word == now.reading.word &&
            names_same(old, &now)) {
            old->times++;
            return 0;
        }
    }
    if (log->count < ANSWERS_MOST)
        log->answers[log->count++] = now;
    else
        log->more++;
    return 0;
}

static int read_log(struct context *context, struct log *log, const char *text, size_t len)
{
    const char *end = text + len;
    int r = 0;
    while (text < end && r == 0) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);
        r = add_line(context, log, text, n && text[n - 1] == '\r' ? n - 1 : n);
        text += n + 1;
    }
    return r;
}

/* "mlx5_0/1: ACTIVE, LinkUp, netdev eth0, GID 3 RoCE v2: ok" */
static char *port_now(const struct host *host, const struct mention *mention)
{
    const struct port *port = mention->port;
    struct bytes text = { 0 };
    bytes_printf(&text, "%s/%u: %s, %s", mention->device->name, port->number,
                 port->state_text ? port->state_text : "state unknown",
                 port->phys_state_text ? port->phys_state_text : "physical state unknown");
    if (port->rate_mbps.known)
        bytes_printf(&text, ", %llu Gb/s", (unsigned long long)port->rate_mbps.value / 1000);
    if (port->netdev)
        bytes_printf(&text, ", netdev %s", port->netdev);
    if (mention->gid)
        bytes_printf(&text, ", GID %u %s", mention->gid->index,
                     gid_type_text(mention->gid->type) ? gid_type_text(mention->gid->type)
                                                       : "of unknown type");
    bytes_printf(&text, "; verdict %s", check_port_verdict(host, port).word);
    char *result = mem_strdup(text.data);
    bytes_free(&text);
    return result;
}

/* What to type behind the checks: the recording, and the devices and ports that the line names. */
static char *operands_of(const struct context *context, const struct answered *answered)
{
    struct bytes text = { 0 };
    bytes_append(&text, "", 0);
    if (context->args->root) {
        char *root = text_shell(context->args->root);
        bytes_printf(&text, " --root %s", root);
        free(root);
    }
    for (size_t i = 0; i < answered->nmentions; i++) {
        const struct mention *mention = &answered->mentions[i];
        char *name = mention->device ? text_shell(mention->device->name) : NULL;
        if (name && mention->port)
            bytes_printf(&text, " %s/%u", name, mention->port->number);
        else if (name)
            bytes_printf(&text, " %s", name);
        free(name);
    }
    return text.data;
}

static json_t *mention_json(const struct host *host, const struct mention *mention)
{
    json_t *object = json_object();
    const struct port *port = mention->port;
    json_put_text(object, "text", mention->text);
    json_put_bool(object, "here", mention->device != NULL);
    json_put_text(object, "device", mention->device ? mention->device->name : NULL);
    json_put_num(object, "port", port ? num_of(port->number) : (struct num){ 0 });
    json_put_text(object, "state", port ? port->state_text : NULL);
    json_put_text(object, "phys_state", port ? port->phys_state_text : NULL);
    json_put_num(object, "rate_mbps", port ? port->rate_mbps : (struct num){ 0 });
    json_put_text(object, "netdev", port ? port->netdev : NULL);
    json_put_num(object, "gid_index", mention->gid ? num_of(mention->gid->index) : (struct num){ 0 });
    json_put_text(object, "verdict", port ? check_port_verdict(host, port).word : NULL);
    return object;
}

/* "completion status 12", "errno 110", "reject reason 8": what the line names. */
static char *code_text(const struct reading *reading)
{
    struct bytes text = { 0 };
    if (reading->status >= 0)
        bytes_printf(&text, "completion status %d, %s: %s", reading->status, wc_name(reading->status),
                     wc_text(reading->status));
    if (reading->word)
        bytes_printf(&text, "%s%s %d, %s", text.len ? "; " : "", reading->table->kind, reading->word->number,
                     reading->word->name);
    if (reading->err)
        bytes_printf(&text, "%serrno %d, %s: %s", text.len ? "; " : "", reading->err,
                     strerrorname_np(reading->err), strerrordesc_np(reading->err));
    char *result = text.data ? mem_strdup(text.data) : NULL;
    bytes_free(&text);
    return result;
}

static void answer_json(struct context *context, struct page *page, const struct answered *answered,
                        const struct answer *answer, const char *line, const char *operands)
{
    json_t *object = add_object(page, "message", answer->program), *causes = json_array(),
           *named = json_array();
    const struct reading *reading = &answered->reading;
    for (size_t i = 0; i < answer->ncauses; i++)
        json_array_append_new(causes, json_text(answer->causes[i]));
    for (size_t i = 0; i < answered->nmentions; i++)
        json_array_append_new(named, mention_json(context->host, &answered->mentions[i]));
    json_put_text(object, "line", line);
    json_put_unsigned(object, "line_number", answered->number);
    json_put_unsigned(object, "times", answered->times);
    json_put_num(object, "status",
                 reading->status >= 0 ? num_of((uint64_t)reading->status) : (struct num){ 0 });
    json_put_text(object, "status_name", reading->status >= 0 ? wc_name(reading->status) : NULL);
    json_put_text(object, "errno", reading->err ? strerrorname_np(reading->err) : NULL);
    json_put_text(object, "says", reading->word ? reading->word->name : NULL);
    json_put_text(object, "text", answer->means);
    json_put_text(object, "also", answer->also);
    json_put_text(object, "end", answer->end);
    json_object_set_new(object, "causes", causes);
    json_object_set_new(object, "checks", list_json(answer->checks, ","));
    json_object_set_new(object, "named", named);
    char *look = answer->checks ? mem_printf("roce doctor --only %s%s", answer->checks, operands) : NULL;
    json_put_text(object, "look", look);
    free(look);
}

static void print_mentions(const struct context *context, const struct page *page,
                           const struct answered *answered)
{
    struct bytes others = { 0 };
    for (size_t i = 0; i < answered->nmentions; i++) {
        const struct mention *mention = &answered->mentions[i];
        if (!mention->device) {
            bytes_printf(&others, "%s%s", others.len ? ", " : "", mention->text);
            continue;
        }
        char *now = mention->port ? port_now(context->host, mention)
                                  : mem_printf("%s: name its port ('%s/1') for its state",
                                               mention->device->name, mention->device->name);
        print_block(page, "now", now);
        free(now);
    }
    if (others.len) {
        bytes_printf(&others, ": no address of this host");
        print_block(page, "not here", others.data);
    }
    bytes_free(&others);
}

static void print_answer(const struct context *context, struct page *page, const struct answered *answered,
                         const struct answer *answer, const char *line, const char *operands)
{
    char *times = answered->times > 1 ? mem_printf("message, %zu times", answered->times)
                                      : mem_strdup("message");
    heading(page, times, answer->program ? answer->program : "a program");
    free(times);
    print_block(page, "line", line);
    char *code = code_text(&answered->reading);
    if (code)
        print_block(page, "says", code);
    free(code);
    print_block(page, "means", answer->means);
    if (answer->also)
        print_block(page, "", answer->also);
    if (answer->end)
        print_block(page, "where", answer->end);
    for (size_t i = 0; i < answer->ncauses; i++)
        print_block(page, i ? "or" : "cause", answer->causes[i]);
    print_mentions(context, page, answered);
    if (answer->checks)
        print_checks(page, answer->checks, operands);
}

/* How many lines are explained, 0: none is known. -errno after saying what is wrong with the recording. */
static int explain_text(struct context *context, struct page *page, const char *text, size_t len)
{
    struct log *log = mem_alloc(1, sizeof(*log));
    log->arena = arena_new();
    int r = read_log(context, log, text, len);
    for (size_t i = 0; r == 0 && i < log->count; i++) {
        const struct answered *answered = &log->answers[i];
        struct answer answer;
        reading_answer(&answered->reading, &answer);
        char *line = arena_strndup(log->arena, answered->line, answered->len);
        char *operands = operands_of(context, answered);
        if (page->list)
            answer_json(context, page, answered, &answer, line, operands);
        else
            print_answer(context, page, answered, &answer, line, operands);
        free(operands);
    }
    if (log->more)
        say_note("%zu more lines say something else again; give a shorter piece of the log", log->more);
    r = r < 0 ? r : (int)log->count;
    arena_free(log->arena);
    free(log);
    return r;
}

/* -- words that aren't known -------------------------------------------------------------------------------- */

/* Every word that can be asked for. */
static const char *word_at(size_t i, const void *data)
{
    (void)data;
    if (i < check_count())
        return check_at(i)->id;
    i -= check_count();
    for (size_t topic = 0; check_topic(topic); topic++)
        if (i-- == 0)
            return check_topic(topic);
    if (i < term_count())
        return term_at(i)->name;
    i -= term_count();
    if (i < (size_t)wc_count())
        return wc_name((int)i);
    i -= (size_t)wc_count();
    size_t count;
    const struct word_table *const *words = word_tables(&count);
    for (size_t t = 0; t < count; t++) {
        if (i < words[t]->count)
            return words[t]->words[i].name;
        i -= words[t]->count;
    }
    const struct counter_table *const *tables = counter_tables(&count);
    for (size_t t = 0; t < count; t++) {
        if (i < tables[t]->count)
            return tables[t]->defs[i].name;
        i -= tables[t]->count;
    }
    return NULL;
}

static size_t common_prefix(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && (a[n] | 0x20) == (b[n] | 0x20))
        n++;
    return n;
}

/* How far other is from word: by edits, of as many by how they begin; a word's beginning is near. SIZE_MAX: too far. */
static size_t farness(const char *word, const char *other)
{
    enum { WORD_MOST = 64 };
    size_t len = strlen(word), same = common_prefix(word, other);
    if (len >= WORD_MOST || strlen(other) >= WORD_MOST)
        return SIZE_MAX;
    size_t edits = same == len && len >= 3 ? 1 : text_distance(word, other);
    return edits <= len / 3 + 1 ? edits * WORD_MOST + WORD_MOST - same : SIZE_MAX;
}

/* The nearest words, nearest first: 'a', 'b' or 'c'. NULL: none is near. */
static char *near_words(const char *word)
{
    const char *near[NEAR_MOST] = { NULL };
    size_t far[NEAR_MOST] = { 0 }, count = 0;
    const char *other;
    for (size_t i = 0; (other = word_at(i, NULL)); i++) {
        size_t f = farness(word, other);
        bool known = f == SIZE_MAX || (count == NEAR_MOST && f >= far[NEAR_MOST - 1]);
        for (size_t n = 0; n < count; n++)
            known |= strcmp(near[n], other) == 0;
        if (known)
            continue;
        size_t at = count < NEAR_MOST ? count++ : NEAR_MOST - 1;
        for (; at > 0 && far[at - 1] > f; at--) {
            near[at] = near[at - 1];
            far[at] = far[at - 1];
        }
        near[at] = other;
        far[at] = f;
    }
    struct bytes text = { 0 };
    for (size_t n = 0; n < count; n++)
        bytes_printf(&text, "%s'%s'", n == 0 ? "" : n + 1 == count ? " or " : ", ", near[n]);
    char *result = text.data ? mem_strdup(text.data) : NULL;
    bytes_free(&text);
    return result;
}

static void say_unknown(const char *word)
{
    char *near = near_words(word);
    if (near)
        say_error("nothing is known of '%s'; did you mean %s?", word, near);
    else
        say_error(
            "nothing is known of '%s': no check, counter, term, status, event, variable or message ('roce doctor --list' shows the checks)",
            word);
    free(near);
}

/* "receiver not ready" and receiver-not-ready: words of the command line belong together when nothing is
 * known of the first alone. */
static char *join(char **words, size_t count)
{
    struct bytes joined = { 0 };
    for (size_t i = 0; i < count; i++)
        bytes_printf(&joined, "%s%s", i ? " " : "", words[i]);
    return joined.data;
}

static int explain_operands(struct context *context, struct page *page)
{
    const struct args *args = context->args;
    char *all = join(args->operands, args->noperands);
    explain_word(context, page, all);
    int known = page->shown > 0 ? 1 : explain_text(context, page, all, strlen(all));
    for (size_t i = 0; known == 0 && i < args->noperands; i++) {
        size_t before = page->shown;
        explain_word(context, page, args->operands[i]);
        if (page->shown != before)
            continue;
        say_unknown(args->noperands > 2 && before == 0 ? all : args->operands[i]);
        free(all);
        return STATUS_ERROR;
    }
    free(all);
    return known < 0 ? STATUS_ERROR : STATUS_OK;
}

static int explain_file(struct context *context, struct page *page, const char *path)
{
    struct bytes text = { 0 };
    int r = file_load(path, TEXT_MOST, &text);
    if (r == 0 && text.len > TEXT_MOST)
        r = -EFBIG;
    int known = r == 0 ? explain_text(context, page, text.data ? text.data : "", text.len) : 0;
    if (r == -EFBIG)
        say_error("'%s' is larger than %d MiB: cut out the part in question (grep, tail)", path,
                  TEXT_MOST >> 20);
    else if (r < 0)
        say_error("cannot read '%s': %s", path, say_errno(r));
    else if (known == 0)
        say_error("no line of '%s' is a message that is known", path);
    bytes_free(&text);
    return known > 0 ? STATUS_OK : STATUS_ERROR;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    struct page page = { .list = args->look.json ? json_array() : NULL, .width = terminal_width() };
    const char *file = args_value(args, "file");
    int status = STATUS_ERROR;
    if (!file && args->noperands == 1 && strcmp(args->operands[0], "-") == 0)
        file = "-";
    else if (file && args->noperands)
        say_error("explain takes words or a line, or --file, not both");
    else if (!file && args->noperands == 0)
        say_error(
            "explain what? A check ('roce doctor --list'), a counter, a term, a status or a line of a log: roce explain GID");
    if (file ? args->noperands == 0 || strcmp(args->operands[0], "-") == 0 : args->noperands > 0)
        status = file ? explain_file(context, &page, file) : explain_operands(context, &page);
    if (page.list && status == STATUS_OK) {
        json_t *top = json_envelope();
        json_object_set(top, "explanations", page.list);
        json_print(top);
    }
    json_decref(page.list);
    return status;
}

static const struct option_def options[] = {
    { "file", 'f', .value = ARG_RECORDING, .arg = "FILE",
      .help = "explain the lines of a log that say something of RDMA ('-': standard input)" },
    { 0 },
};

static const char *const words[] = { "CHECK|TERM|COUNTER|STATUS", NULL };

const struct command cmd_explain = {
    .name = "explain",
    .group = GROUP_JUDGE,
    .operands_text = "WORD|LINE",
    .operands = OPERANDS_OWN,
    .words = words,
    .summary = "what a check, a counter, a term, a status or a line of a log means",
    .description =
        "Known are checks and topics of doctor, counters, terms, completion statuses (IBV_WC_*, also by number), errno as RDMA means it, events and reject reasons of RDMA_CM ('reject 8'), asynchronous events, variables of NCCL and UCX, states, types of nodes, roce's own verdicts; and lines that NCCL, UCX, Open MPI, libfabric, perftest, SPDK, NVMe, libibverbs and the kernel print: what they mean, which end they speak of, the likeliest causes, which checks look there, and how the ports that the line names are now, on this machine or in a recording (--root).",
    .examples = "roce explain gid-holes\ta check of doctor\n"
                "roce explain out_of_sequence\ta counter, of each driver that has it\n"
                "roce explain PFC\ta term\n"
                "roce explain 12\ta completion status, or an errno\n"
                "roce explain 'NET/IB : Got completion from peer 10.0.0.2<1> with status=12'\ta line\n"
                "dmesg | roce explain -\tall that the kernel says of RDMA",
    .options = options,
    .no_host = true,
    .no_source = true,
    .run = run,
};
