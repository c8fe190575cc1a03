/* SPDX-License-Identifier: MIT */
/* The results of tests: their columns, tables, what failed and why, counters that grew, JSON. */
#include "view/results.h"

#include "base/clock.h"
#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/terminal.h"
#include "view/trace.h"

/* -- columns -------------------------------------------------------------------------------------------- */

static const struct result *result_of(const void *row)
{
    return row;
}

static struct value get_port(const void *row)
{
    return value_num(num_if(result_of(row)->port > 0, result_of(row)->port));
}

static struct value get_to_port(const void *row)
{
    return value_num(num_if(result_of(row)->to_device != NULL, result_of(row)->to_port));
}

static struct value get_verdict(const void *row)
{
    enum verdict verdict = result_of(row)->verdict;
    return value_with_tone(value_text(verdict_name(verdict)), verdict_tone(verdict));
}

static struct value get_size_min(const void *row)
{
    return value_num(num_if(result_of(row)->messages > 0, result_of(row)->size_min));
}

static struct value get_gbits(const void *row)
{
    return value_real(result_of(row)->mbytes_per_second * 8 / 1000);
}

static struct value make_share(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    return value_share(context, r->rate_gbits > 0 ? r->mbytes_per_second * 0.8 / r->rate_gbits : 0);
}

static struct value get_histogram(const void *row)
{
    const struct result *r = result_of(row);
    return value_text(r->latency.count ? r->picture : NULL);
}

static const char *size_text(struct arena *arena, uint32_t size)
{
    if (size == 1 << 30)
        return "1 GiB";
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        return arena_printf(arena, "%u MiB", size >> 20);
    if (size >= 1024 && size % 1024 == 0)
        return arena_printf(arena, "%u KiB", size >> 10);
    return arena_printf(arena, "%u B", size);
}

static struct value make_size(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (r->size == 0)
        return NO_VALUE;
    if (!context->for_people)
        return value_unsigned(r->size);
    const char *text = size_text(context->arena, r->size);
    if (r->size_min != r->size)
        text = arena_printf(context->arena, "%s to %s", size_text(context->arena, r->size_min), text);
    return value_text(text);
}

static struct value make_note(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (*r->note)
        return value_text(r->note);
    if (r->verdict != VERDICT_FAIL)
        return NO_VALUE;
    struct diagnosis d;
    diagnose(&r->failure, &(struct facts){ 0 }, &d);
    return value_text(arena_strdup(context->arena, d.what));
}

static struct value get_step(const void *row)
{
    const struct result *r = result_of(row);
    return r->failure.step ? value_text(step_text(r->failure.step)) : NO_VALUE;
}

static struct value get_error(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    if (f->step == STEP_NONE)
        return NO_VALUE;
    return value_text(f->wc_status > 0 ? wc_name(f->wc_status) : f->err ? strerrorname_np(f->err) : NULL);
}

static struct value get_vendor_err(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    return f->step && f->wc_status > 0 ? value_unsigned(f->vendor_err) : NO_VALUE;
}

const struct column result_columns[] = { RESULT_COLUMNS };

/* -- tables --------------------------------------------------------------------------------------------- */

/* For people: what passed at one GID becomes one row. */
static void fold_passed(const struct results *results, bool whole, struct results *folded)
{
    size_t passed = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *r = &results->items[i];
        struct result *last = folded->count ? &folded->items[folded->count - 1] : NULL;
        if (r->kind != TRIAL_VERIFY)
            continue;
        bool plain = r->verdict == VERDICT_PASS && r->messages && !*r->note && !whole;
        if (plain && last && passed && r->gid == last->gid) {
            last->messages += r->messages;
            last->size_min = r->size_min < last->size_min ? r->size_min : last->size_min;
            last->size = r->size > last->size ? r->size : last->size;
            snprintf(last->operation, sizeof(last->operation), "%zu operations", ++passed);
            continue;
        }
        *results_add(folded) = *r;
        passed = plain;
    }
}

/* columns: those after device, port and what was tested (a GID, or on iWARP an address). */
static void print_some(const struct results_page *page, const struct results *results, const char *columns)
{
    char list[192];
    bool by_address = false, by_node = false;
    for (size_t i = 0; i < results->count; i++) {
        by_address |= results->items[i].gid && !results->items[i].gid_index.known;
        by_node |= results->items[i].numa_node.known;
    }
    snprintf(list, sizeof(list), "device,port,%s,%s%s", by_address ? "gid_index,address" : "gid_index",
             by_node ? "numa_node," : "", columns);
    if (results->count)
        listing_table_of(page->look, LISTING(page->host, result_columns, results->items, results->count), list);
}

static void print_tables(const struct results_page *page)
{
    struct results verified = { 0 }, measured = { 0 };
    fold_passed(page->results, page->look->verbose > 0 || page->apart, &verified);
    for (size_t i = 0; i < page->results->count; i++)
        if (page->results->items[i].kind != TRIAL_VERIFY)
            *results_add(&measured) = page->results->items[i];
    print_some(page, &verified, page->apart ? "operation,size,verdict" : "operation,size,verdict,note");
    if (verified.count && measured.count)
        putchar('\n');
    print_some(page, &measured,
               "operation,size,verdict,latency_median_us,latency_p99_us,latency_max_us,histogram,gbits_per_"
               "second,rate_percent,note");
    free(verified.items);
    free(measured.items);
}

static void print_notes(const struct results_page *page)
{
    putchar('\n');
    for (size_t i = 0; i < page->results->count; i++) {
        const struct result *r = &page->results->items[i];
        if (*r->note)
            line_print(page->look->width, 2, "%s: %s", r->operation, r->note);
    }
}

/* -- what failed, and why ------------------------------------------------------------------------------- */

static void explain_failure(const struct result *result, const struct look *look)
{
    struct diagnosis d;
    diagnose(&result->failure, &result->facts, &d);
    struct bytes place = { 0 };
    if (result->device)
        bytes_printf(&place, "%s/%u", result->device, result->port);
    if (result->device && result->gid_index.known)
        bytes_printf(&place, " GID %u", (unsigned)result->gid_index.value);
    else if (result->device && result->gid)
        bytes_printf(&place, " %s", result->gid);
    bytes_printf(&place, "%s%s", result->device ? ", " : "", result->operation);
    char *clean = text_clean(place.data, TEXT_ONE_LINE);
    printf("\n%s%s%s\n", tone_start(TONE_BOLD, look->color), clean, tone_end(TONE_BOLD, look->color));
    free(clean);
    bytes_free(&place);
    line_print(look->width, 2, "  %s", d.what);
    if (d.meaning)
        line_print(look->width, 2, "  %s", d.meaning);
    for (size_t i = 0; i < DIAGNOSIS_CAUSES && *d.causes[i]; i++)
        line_print(look->width, 10, "%s%s", i == 0 ? "  likely: " : "      or: ", d.causes[i]);
    if (d.checks)
        line_print(look->width, 10, "  look at: roce doctor --only %s", d.checks);
}

static void print_failures(const struct results_page *page)
{
    const struct results *results = page->results;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *r = &results->items[i];
        bool before = false;
        if (r->verdict != VERDICT_FAIL || r->failure.step == STEP_NONE)
            continue;
        for (size_t j = 0; j < i && !before; j++) {
            const struct failure *a = &results->items[j].failure, *b = &r->failure;
            before = results->items[j].verdict == VERDICT_FAIL && a->step == b->step && a->err == b->err &&
                     a->wc_status == b->wc_status && a->remote == b->remote;
        }
        if (!before)
            explain_failure(r, page->look);
    }
    way_facts_print("    here now:", 14, page->here_now, page->nhere_now, page->look->width);
}

static void print_growth(const struct results_page *page)
{
    for (size_t i = 0; i < page->ngrowths; i++) {
        const struct port_growth *g = &page->growths[i];
        if (g->counters.ncounters == 0)
            continue;
        bool local = strcmp(g->host, "local") == 0;
        line_print(page->look->width, 2, "\n%s/%u%s%s, counters that grew meanwhile:", g->device, g->port,
                   local ? "" : " of ", local ? "" : g->host);
        for (uint32_t c = 0; c < g->counters.ncounters; c++)
            line_print(page->look->width, 2, "  %-28s +%" PRIu64, g->counters.counters[c].name,
                       g->counters.counters[c].delta);
    }
}

static void put_growths(json_t *array, const struct results_page *page)
{
    for (size_t i = 0; i < page->ngrowths; i++) {
        const struct port_growth *g = &page->growths[i];
        for (uint32_t c = 0; c < g->counters.ncounters; c++) {
            json_t *object = json_push_object(array);
            json_put_text(object, "host", g->host);
            json_put_text(object, "device", g->device);
            json_put_unsigned(object, "port", g->port);
            json_put_text(object, "name", g->counters.counters[c].name);
            json_put_unsigned(object, "delta", g->counters.counters[c].delta);
        }
    }
}

static json_t *diagnosis_json(const struct result *result)
{
    struct diagnosis d;
    if (!result->failure.step)
        return json_null();
    diagnose(&result->failure, &result->facts, &d);
    json_t *object = json_object();
    json_put_text(object, "what", d.what);
    json_put_text(object, "meaning", d.meaning);
    json_t *causes = json_add_array(object, "possible_causes");
    for (size_t i = 0; i < DIAGNOSIS_CAUSES && *d.causes[i]; i++)
        json_array_append_new(causes, json_text(d.causes[i]));
    json_put_text(object, "to_check", d.checks);
    return object;
}

void interval_print(const struct look *look, const struct host *host, const struct result *r)
{
    progress_end();
    if (look->json) {
        json_t *top = json_envelope(host);
        json_object_set_new(top, "results", listing_wanted_json(look, LISTING(host, result_columns, r, 1)));
        json_print_line(top);
        return;
    }
    if (look_chooses(look))
        return;
    char when[16];
    clock_day_text(clock_utc_ms(), when);
    if (r->latency.count)
        line_print(look->width, 2, "%s  %s/%u %s, %u B: median %.2f µs, p99 %.2f, max %.2f", when, r->device,
                   r->port, r->operation, r->size, r->latency.median, r->latency.p99, r->latency.max);
    else
        line_print(look->width, 2, "%s  %s/%u %s, %u B: %.2f Gb/s, %.0f messages/s", when, r->device, r->port,
                   r->operation, r->size, r->mbytes_per_second * 8e-3, r->messages_per_second);
    fflush(stdout);
}

static void print_json(const struct results_page *page)
{
    const struct results *results = page->results;
    json_t *top = json_envelope(page->host);
    if (page->expected)
        expectations_put(top, page->expected);
    json_t *rows = listing_wanted_json(page->look,
                                       LISTING(page->host, result_columns, results->items, results->count));
    for (size_t i = 0; i < results->count; i++)
        json_object_set_new(json_array_get(rows, i), "diagnosis", diagnosis_json(&results->items[i]));
    json_object_set_new(top, "results", rows);
    json_put_text(top, "memory", page->memory ? page->memory : "host");
    put_growths(json_add_array(top, "counters"), page);
    if (page->more)
        json_object_update(top, page->more);
    json_add_problems(top, page->host);
    if (page->lines)
        json_print_line(top);
    else
        json_print(top);
}

bool results_print(const struct results_page *page)
{
    const struct results *results = page->results;
    const struct look *look = page->look;
    bool failed = false, done = false;
    progress_end();
    bool met = !page->expected || expectations_judge(page->expected, LISTING(page->host, result_columns,
                                                                             results->items, results->count));
    for (size_t i = 0; i < results->count; i++) {
        failed |= results->items[i].verdict == VERDICT_FAIL;
        done |= results->items[i].messages > 0;
    }
    if (look->json && !look->columns) {
        print_json(page);
    } else if (!look_chooses(look) && results->count) {
        if (page->matrix)
            port_matrix_print(page);
        if (!page->matrix || look->verbose > 0)
            print_tables(page);
        if (page->apart)
            print_notes(page);
        if (page->memory)
            line_print(look->width, 0, "\nmemory of this end: %s, registered by its dma-buf", page->memory);
        if (page->remark)
            line_print(look->width, 0, "%s%s", page->apart ? "" : "\n", page->remark);
        print_failures(page);
        if (page->expected)
            expectations_print(page->expected, look->width);
        print_growth(page);
    } else {
        listing_print(look, LISTING(page->host, result_columns, results->items, results->count), "results",
                      page->matrix ? "fewer than two active RoCE ports: nothing to test against each other"
                                   : "no active RoCE or iWARP port with a usable GID or address: nothing to "
                                     "test; 'roce doctor' looks for the reason");
    }
    json_decref(page->more);
    return done && !failed && met;
}
