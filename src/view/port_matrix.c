/* SPDX-License-Identifier: MIT */
/* Ports of one host against each other, as a matrix. */
#include "view/results.h"

#include "view/page.h"
#include "view/rows.h"
#include "view/table.h"

/* The names of the ports that are part of a pair, in the order of the results, which is that of the devices. */
struct places {
    const char **names; /* freed by the arena */
    size_t count;
};

static const char *name_of(const struct host *host, const char *device, uint32_t port)
{
    const struct device *known = host_find_device(host, device);
    return known && known->nports > 1 ? arena_printf(host->arena, "%s/%u", device, port) : device;
}

/* The port's place, added if it has none yet. */
static size_t place_of(const struct host *host, struct places *places, const char *device, uint32_t port)
{
    const char *name = name_of(host, device, port);
    size_t i = 0;
    while (i < places->count && strcmp(places->names[i], name) != 0)
        i++;
    if (i == places->count)
        *ARENA_PUSH(host->arena, places->names, places->count) = name;
    return i;
}

static struct places places_of(const struct host *host, const struct results *results)
{
    struct places places = { 0 };
    for (size_t i = 0; i < results->count; i++)
        if (results->items[i].to_device)
            place_of(host, &places, results->items[i].device, results->items[i].port);
    for (size_t i = 0; i < results->count; i++)
        if (results->items[i].to_device)
            place_of(host, &places, results->items[i].to_device, results->items[i].to_port);
    return places;
}

/* A cell's text: the measure, else the verdict. */
static void set_cell(struct table *table, size_t row, size_t column, const struct result *r)
{
    bool measured = r->verdict == VERDICT_PASS && r->kind != TRIAL_VERIFY;
    char *text = !measured                    ? mem_strdup(verdict_name(r->verdict))
                 : r->kind == TRIAL_BANDWIDTH ? mem_printf("%.3g", r->mbytes_per_second * 8 / 1000)
                                              : mem_printf("%.1f", r->latency.median);
    table_set(table, row, column, text, verdict_tone(r->verdict));
}

static void print_heading(const struct result *sample)
{
    static const char *const units[] = {
        [TRIAL_VERIFY] = "", [TRIAL_LATENCY] = ", median in microseconds", [TRIAL_BANDWIDTH] = ", in Gb/s"
    };
    printf("%s of %u bytes%s\n", sample->operation, sample->size, units[sample->kind]);
}

/* Is it about a pair as a whole, having ended before any test? One after a test of the pair only says that
 * no more was tried. */
static bool is_whole(const struct results *results, size_t i)
{
    const struct result *r = &results->items[i], *before = i ? r - 1 : NULL;
    bool goes_on = before && before->to_device && before->port == r->port && before->to_port == r->to_port &&
                   strcmp(before->device, r->device) == 0 && strcmp(before->to_device, r->to_device) == 0;
    return r->size == 0 && !goes_on;
}

/* sample NULL: the pairs on which nothing was tried. */
static void print_one(const struct results_page *page, struct places *places, const struct result *sample)
{
    struct table *table = table_new(places->count + 1, places->count + 1);
    for (size_t i = 0; i < places->count; i++) {
        table->columns[i + 1].right = true;
        table_set_text(table, 0, i + 1, places->names[i], TONE_BOLD);
        table_set_text(table, i + 1, 0, places->names[i], TONE_BOLD);
        for (size_t j = 0; j < places->count; j++)
            table_set_text(table, i + 1, j + 1, i == j ? "X" : "-", TONE_PLAIN);
    }
    for (size_t i = 0; i < page->results->count; i++) {
        const struct result *r = &page->results->items[i];
        if (!r->to_device || !(is_whole(page->results, i) || (sample && result_is_same_test(r, sample))))
            continue;
        set_cell(table, place_of(page->host, places, r->device, r->port) + 1,
                 place_of(page->host, places, r->to_device, r->to_port) + 1, r);
    }
    if (sample)
        print_heading(sample);
    table_print_matrix(table, page->look->color, page->look->width);
    table_free(table);
}

static bool is_first(const struct results *results, size_t i)
{
    const struct result *r = &results->items[i];
    bool first = r->to_device && r->size;
    for (size_t j = 0; j < i && first; j++)
        first = !results->items[j].to_device || !result_is_same_test(&results->items[j], r);
    return first;
}

/* Each note once, with the first pair it applies to and how many more there are. */
static void print_notes(const struct results_page *page)
{
    const struct results *results = page->results;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *r = &results->items[i];
        size_t pairs = 0;
        bool before = !r->to_device || !*r->note || (r->size == 0 && !is_whole(results, i));
        for (size_t j = 0; j < results->count && !before; j++) {
            if (strcmp(results->items[j].note, r->note) != 0 || results->items[j].size != r->size)
                continue;
            before = j < i;
            pairs++;
        }
        if (before)
            continue;
        char more[40] = "";
        if (pairs > 1)
            snprintf(more, sizeof(more), " and %zu more", pairs - 1);
        line_print(page->look->width, 2, "\n%s to %s%s: %s", name_of(page->host, r->device, r->port),
                   name_of(page->host, r->to_device, r->to_port), more, r->note);
    }
}

void port_matrix_print(const struct results_page *page)
{
    struct places places = places_of(page->host, page->results);
    bool any = false;
    for (size_t i = 0; i < page->results->count; i++)
        if (is_first(page->results, i)) {
            if (any)
                putchar('\n');
            any = true;
            print_one(page, &places, &page->results->items[i]);
        }
    if (!any && places.count)
        print_one(page, &places, NULL);
    print_notes(page);
}
