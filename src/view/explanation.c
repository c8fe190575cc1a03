/* SPDX-License-Identifier: MIT */
/* Explanations: each says the same to a person and to a program, under a label and under a key. */
#include "view/explanation.h"

#include "view/page.h"

enum { LABEL = 9 };

/* The text's heading may name a different kind than the JSON. */
static void begin(struct page *page, const char *kind, const char *heading, const char *name)
{
    if (page->list) {
        page->object = json_object();
        json_put_text(page->object, "kind", kind);
        json_put_text(page->object, "name", name);
        json_array_append_new(page->list, page->object);
    } else {
        printf("%s%s (%s)\n", page->shown ? "\n" : "", name, heading);
    }
    page->shown++;
}

/* key NULL: for people only; label NULL: for programs only. What isn't known gets no paragraph. */
static void say(const struct page *page, const char *key, const char *label, const char *text)
{
    if (page->list && key)
        json_put_text(page->object, key, text);
    else if (!page->list && label && text)
        block_print(label, LABEL, text, page->width);
}

/* Each line of a text, under the first's label and that of the others. */
static void say_lines(const struct page *page, const char *key, const char *label, const char *more,
                      const char *lines)
{
    if (page->list)
        json_object_set_new(page->object, key, json_parts(lines, '\n'));
    else
        block_print_lines(label, more, LABEL, lines, page->width);
}

/* The end, the causes and the checks of a failure. */
static void say_where(const struct page *page, const char *end, const char *causes)
{
    say(page, "end", "where", end);
    say_lines(page, "possible_causes", "cause", "or", causes);
}

static void put_checks(const struct page *page, const char *checks)
{
    if (page->list)
        json_object_set_new(page->object, "check_ids", json_parts(checks, ','));
}

/* The command that runs the checks, followed by tail. */
static void say_look(const struct page *page, const char *key, const char *checks, const char *tail)
{
    say(page, key, "look", checks ? arena_printf(page->arena, "roce doctor --only %s%s", checks, tail) : NULL);
}

static void say_checks(const struct page *page, const char *checks)
{
    put_checks(page, checks);
    say_look(page, NULL, checks, "");
}

void page_check(struct page *page, const struct check *check)
{
    begin(page, "check", "check", check->id);
    say(page, "topic", "topic", check->topic);
    say(page, "scope", NULL, check->of);
    say(page, "healthy", "expected", packed_line(check->healthy));
    say(page, NULL, "of each", check->of);
    say(page, "why", "why", packed_line(check->why));
    say(page, "fix", "fix", check->fix);
}

void page_topic(struct page *page, const char *topic)
{
    begin(page, "topic", "topic", topic);
    say(page, "text", "about", check_topic_text(topic));
    json_t *checks = page->list ? json_add_array(page->object, "check_ids") : NULL;
    for (const struct check *check = check_all; check->id; check++) {
        if (strcmp(check->topic, topic) != 0)
            continue;
        if (checks)
            json_array_append_new(checks, json_text(check->id));
        else
            block_print(check->id, 24, packed_line(check->healthy), page->width);
    }
}

void page_counter(struct page *page, const struct counter_table *table, const struct counter_def *def,
                  const char *name)
{
    begin(page, "counter", "counter", name);
    say(page, "driver", NULL, table->family);
    say(page, NULL, "driver", table->family ? table->family : "all drivers");
    say(page, "directory", "in", table->dir);
    say(page, "text", "means", counter_meaning(def));
    say(page, "unit", "unit", counter_unit_name(def->unit));
    say(page, "severity", "severity", counter_severity_name(def->severity));
}

void page_term(struct page *page, const struct term *term)
{
    begin(page, "term", "term", term->name);
    say(page, "means", "short for", term->means);
    say(page, "text", "means", term->text);
}

void page_value(const struct page *page, const char *value)
{
    if (value)
        say(page, "comes_to", "number", value);
}

void page_command(struct page *page, const char *name, const char *roce, const char *says)
{
    begin(page, "command", roce ? "what to run" : "another tool's word", name);
    say(page, "look", "run", roce ? arena_printf(page->arena, "roce %s", roce) : NULL);
    say(page, "text", roce ? "says" : "means", says);
}

void page_fact(struct page *page, const struct attribute *attribute)
{
    static const char *const of[] = {
        [OF_HOST] = "fact of a host", [OF_DEVICE] = "fact of a device", [OF_PCI] = "fact of a PCI function",
        [OF_PORT] = "fact of a port", [OF_NETDEV] = "fact of a netdev", [OF_GID] = "fact of a GID",
    };
    begin(page, of[attribute->of], of[attribute->of], attribute->key);
    say(page, "text", "means", packed_line(attribute->help));
}

/* Which calls of libibverbs and librdmacm fail with this errno, and what it then means. */
static const char *steps_of(struct arena *arena, int err)
{
    struct bytes text = { 0 };
    for (const struct meaning *m = meanings; m->status || m->step; m++)
        if (m->step && m->err == err && m->text)
            bytes_printf(&text, "%scould not %s: %s", text.len ? "\n" : "", step_text(m->step), m->text);
    return arena_take(arena, text.data);
}

void page_word(struct page *page, const struct word_table *table, const struct word *word)
{
    bool is_errno = table == &words_errnos;
    const char *kind = arena_printf(page->arena, "%s %d", table->kind, word->number),
               *steps = is_errno ? steps_of(page->arena, word->number) : NULL;
    begin(page, table->kind, word->number < 0 ? table->kind : kind, word->name);
    if (page->list)
        json_object_set_new(page->object, "number",
                            word->number < 0 ? json_null() : json_integer(word->number));
    say(page, "text", "means", word->text);
    if (!page->list)
        say_lines(page, NULL, "at", "at", steps);
    say_where(page, word->end, word->causes);
    say_checks(page, word->checks);
    if (page->list && is_errno)
        say_lines(page, "at", NULL, NULL, steps);
}

void page_status(struct page *page, int status)
{
    const struct meaning none = { .text = status ? "not used on RoCE, or by few programs"
                                                 : "the request was carried out" };
    const struct meaning *meaning = failure_meaning(&(struct failure){ .wc_status = status });
    char causes[LIKELY_TEXT_SIZE];
    if (!meaning)
        meaning = &none;
    meaning_likely(meaning, "\n", causes);
    begin(page, "completion status", arena_printf(page->arena, "completion status %d", status),
          wc_name(status));
    if (page->list)
        json_object_set_new(page->object, "number", json_integer(status));
    say(page, "means", "in words", wc_text(status));
    say(page, "text", "means", meaning->text);
    say_where(page, meaning->end, causes);
    say_checks(page, meaning->checks);
}

void page_step(struct page *page, const char *name, enum step step)
{
    struct bytes lines = { 0 };
    char causes[LIKELY_TEXT_SIZE];
    for (const struct meaning *m = meanings; m->status || m->step; m++) {
        if (m->step != step || !m->text)
            continue;
        meaning_likely(m, "; or ", causes);
        bytes_printf(&lines, "%s%s: %s%s%s", lines.len ? "\n" : "",
                     m->err ? strerrorname_np(m->err) : "any other errno", m->text, *causes ? ". Likely: " : "",
                     causes);
    }
    begin(page, "step", "step", name);
    say(page, "text", "is to", step_text(step));
    say_lines(page, "at", "with", "with", lines.data);
    bytes_free(&lines);
}

/* -- lines of logs ---------------------------------------------------------------------------- */

/* "mlx5_0/1: ACTIVE, LinkUp, netdev eth0, GID 3 RoCE v2: ok" */
static const char *port_now(struct arena *arena, const struct report *report, const struct mention *mention)
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
                     gid_type_text(mention->gid->type) ? gid_type_text(mention->gid->type) : "of unknown type");
    bytes_printf(&text, "; verdict %s", check_port_verdict(report, port).word);
    return arena_take(arena, text.data);
}

static void print_mentions(const struct page *page, const struct report *report,
                           const struct explained *explained)
{
    struct bytes others = { 0 };
    for (size_t i = 0; i < explained->nmentions; i++) {
        const struct mention *mention = &explained->mentions[i];
        if (!mention->device) {
            bytes_printf(&others, "%s%s", others.len ? ", " : "", mention->text);
            continue;
        }
        say(page, NULL, "now",
            mention->port ? port_now(page->arena, report, mention)
                          : arena_printf(page->arena, "%s: name its port ('%s/1') for its state",
                                         mention->device->name, mention->device->name));
    }
    if (others.len) {
        bytes_printf(&others, ": no address of this host");
        say(page, NULL, "not here", others.data);
    }
    bytes_free(&others);
}

static json_t *mention_json(const struct report *report, const struct mention *mention)
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
    json_put_text(object, "verdict", port ? check_port_verdict(report, port).word : NULL);
    return object;
}

static void say_mentions(const struct page *page, const struct report *report,
                         const struct explained *explained)
{
    if (!page->list) {
        print_mentions(page, report, explained);
        return;
    }
    json_t *named = json_array();
    for (size_t i = 0; i < explained->nmentions; i++)
        json_array_append_new(named, mention_json(report, &explained->mentions[i]));
    json_object_set_new(page->object, "named", named);
}

/* What the line names: for a person "completion status 12, …", "errno 110, …", "reject reason 8, …". */
static void say_codes(const struct page *page, const struct reading *reading)
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
    say(page, NULL, "says", text.data);
    bytes_free(&text);
    if (page->list)
        json_put_num(page->object, "status",
                     reading->status >= 0 ? num_of((uint64_t)reading->status) : (struct num){ 0 });
    say(page, "status_name", NULL, wc_name(reading->status));
    say(page, "errno", NULL, reading->err ? strerrorname_np(reading->err) : NULL);
    say(page, "says", NULL, reading->word ? reading->word->name : NULL);
}

/* What to type after the checks: the recording, and the devices and ports that the line names. */
static const char *operands_of(struct arena *arena, const char *recording, const struct explained *explained)
{
    struct bytes text = { 0 };
    bytes_append(&text, "", 0);
    if (recording) {
        char *root = text_shell(recording);
        bytes_printf(&text, " --root %s", root);
        free(root);
    }
    for (size_t i = 0; i < explained->nmentions; i++) {
        const struct mention *mention = &explained->mentions[i];
        char *name = mention->device ? text_shell(mention->device->name) : NULL;
        if (name && mention->port)
            bytes_printf(&text, " %s/%u", name, mention->port->number);
        else if (name)
            bytes_printf(&text, " %s", name);
        free(name);
    }
    return arena_take(arena, text.data);
}

void page_message(struct page *page, const struct report *report, const char *recording,
                  const struct explained *explained)
{
    struct answer answer;
    struct arena *arena = page->arena;
    reading_answer(&explained->reading, &answer);
    begin(page, "message",
          explained->times > 1 ? arena_printf(arena, "message, %zu times", explained->times) : "message",
          answer.program || page->list ? answer.program : "a program");
    say(page, "asked", "line", arena_strndup(arena, explained->line, explained->len));
    if (page->list) {
        json_put_unsigned(page->object, "line_number", explained->number);
        json_put_unsigned(page->object, "times", explained->times);
    }
    say_codes(page, &explained->reading);
    say(page, "text", "means", answer.means);
    say(page, "see_also", "", answer.also);
    say_where(page, answer.end, answer.causes);
    put_checks(page, answer.checks);
    say_mentions(page, report, explained);
    say_look(page, "look", answer.checks, operands_of(arena, recording, explained));
}
