/* SPDX-License-Identifier: MIT */
/* What is known of an error message, and how its port and device stand on this machine. */
#include "view/explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

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
static char *operands_of(const char *recording, const struct explained *explained)
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

static void answer_json(struct page *page, const struct host *host, const struct explained *explained,
                        const struct answer *answer, const char *line, const char *operands)
{
    json_t *object = page_object(page, "message", answer->program), *causes = json_array(),
           *named = json_array();
    const struct reading *reading = &explained->reading;
    for (size_t i = 0; i < answer->ncauses; i++)
        json_array_append_new(causes, json_text(answer->causes[i]));
    for (size_t i = 0; i < explained->nmentions; i++)
        json_array_append_new(named, mention_json(host, &explained->mentions[i]));
    json_put_text(object, "line", line);
    json_put_unsigned(object, "line_number", explained->number);
    json_put_unsigned(object, "times", explained->times);
    json_put_num(object, "status",
                 reading->status >= 0 ? num_of((uint64_t)reading->status) : (struct num){ 0 });
    json_put_text(object, "status_name", reading->status >= 0 ? wc_name(reading->status) : NULL);
    json_put_text(object, "errno", reading->err ? strerrorname_np(reading->err) : NULL);
    json_put_text(object, "says", reading->word ? reading->word->name : NULL);
    json_put_text(object, "text", answer->means);
    json_put_text(object, "also", answer->also);
    json_put_text(object, "end", answer->end);
    json_object_set_new(object, "causes", causes);
    json_object_set_new(object, "checks", page_strings(answer->checks, ","));
    json_object_set_new(object, "named", named);
    char *look = answer->checks ? mem_printf("roce doctor --only %s%s", answer->checks, operands) : NULL;
    json_put_text(object, "look", look);
    free(look);
}

static void print_mentions(const struct page *page, const struct host *host, const struct explained *explained)
{
    struct bytes others = { 0 };
    for (size_t i = 0; i < explained->nmentions; i++) {
        const struct mention *mention = &explained->mentions[i];
        if (!mention->device) {
            bytes_printf(&others, "%s%s", others.len ? ", " : "", mention->text);
            continue;
        }
        char *now = mention->port ? port_now(host, mention)
                                  : mem_printf("%s: name its port ('%s/1') for its state",
                                               mention->device->name, mention->device->name);
        page_block(page, "now", now);
        free(now);
    }
    if (others.len) {
        bytes_printf(&others, ": no address of this host");
        page_block(page, "not here", others.data);
    }
    bytes_free(&others);
}

static void print_answer(struct page *page, const struct host *host, const struct explained *explained,
                         const struct answer *answer, const char *line, const char *operands)
{
    char *times = explained->times > 1 ? mem_printf("message, %zu times", explained->times)
                                       : mem_strdup("message");
    page_heading(page, times, answer->program ? answer->program : "a program");
    free(times);
    page_block(page, "line", line);
    char *code = code_text(&explained->reading);
    if (code)
        page_block(page, "says", code);
    free(code);
    page_block(page, "means", answer->means);
    if (answer->also)
        page_block(page, "", answer->also);
    if (answer->end)
        page_block(page, "where", answer->end);
    for (size_t i = 0; i < answer->ncauses; i++)
        page_block(page, i ? "or" : "cause", answer->causes[i]);
    print_mentions(page, host, explained);
    if (answer->checks)
        page_checks(page, answer->checks, operands);
}

void page_message(struct page *page, const struct host *host, const char *recording,
                  const struct explained *explained)
{
    struct answer answer;
    reading_answer(&explained->reading, &answer);
    char *line = mem_printf("%.*s", (int)explained->len, explained->line);
    char *operands = operands_of(recording, explained);
    if (page->list)
        answer_json(page, host, explained, &answer, line, operands);
    else
        print_answer(page, host, explained, &answer, line, operands);
    free(operands);
    free(line);
}
