/* SPDX-License-Identifier: MIT */
/* How many paths between two hosts are shown. */
#include "view/results.h"

#include "view/json.h"
#include "view/page.h"
#include "view/terminal.h"

static struct value state_of(const struct way *w)
{
    enum tone tone = w->state == WAY_CLEAN ? TONE_GOOD : w->state == WAY_UNKNOWN ? TONE_PLAIN : TONE_BAD;
    return value_with_tone(value_text(way_state_text(w->state)), tone);
}

static struct value get_there(const void *row)
{
    return state_of(((const struct path_row *)row)->there);
}

static struct value get_back(const void *row)
{
    return state_of(((const struct path_row *)row)->back);
}

static struct value make_there_share(const struct cell_context *context, const void *row)
{
    const struct path_row *path = row;
    return value_share(context, path->rate_gbits > 0 ? 100 * path->there->gbits / path->rate_gbits : 0);
}

static struct value make_back_share(const struct cell_context *context, const void *row)
{
    const struct path_row *path = row;
    return value_share(context, path->rate_gbits > 0 ? 100 * path->back->gbits / path->rate_gbits : 0);
}

const struct column path_columns[] = { PATH_COLUMNS };

static void put_datagrams(json_t *object, const struct datagrams *g)
{
    bool known[DIRECTIONS] = { g->traffic_class[THERE] != EXCHANGE_NO_CLASS,
                               g->traffic_class[BACK] != EXCHANGE_NO_CLASS };
    json_put_unsigned(object, "sent", g->sent);
    json_put_unsigned(object, "arrived", g->arrived);
    json_put_unsigned(object, "answered", g->answered);
    json_put_unsigned(object, "there_reordered", g->reordered[THERE]);
    json_put_unsigned(object, "back_reordered", g->reordered[BACK]);
    json_put_unsigned(object, "duplicated", g->duplicated);
    json_put_unsigned(object, "train_count", g->ports);
    json_put_unsigned(object, "there_rewritten", g->rewritten[THERE]);
    json_put_unsigned(object, "back_rewritten", g->rewritten[BACK]);
    json_put_unsigned(object, "there_marked", g->marked[THERE]);
    json_put_unsigned(object, "back_marked", g->marked[BACK]);
    json_put_num(object, "there_traffic_class", num_if(known[THERE], g->traffic_class[THERE]));
    json_put_num(object, "back_traffic_class", num_if(known[BACK], g->traffic_class[BACK]));
    json_put_bool(object, "device_clock", g->by_device[BACK]);
    json_put_bool(object, "peer_device_clock", g->by_device[THERE]);
    json_put_unsigned(object, "slow", g->slowness.slow);
    json_put_unsigned(object, "slow_by_peer", g->slowness.by_peer);
    json_put_unsigned(object, "slow_by_us", g->slowness.by_us);
}

static void print_json(const struct paths_page *page, const struct path_row *rows, const char *const *words,
                       size_t nwords)
{
    json_t *top = json_envelope(page->host);
    expectations_put(top, page->expected);
    json_object_set_new(
        top, "paths",
        listing_wanted_json(page->look, LISTING(page->host, path_columns, rows, page->paths->count)));
    json_object_set_new(top, "conclusions", json_texts(words, nwords));
    json_put_text(top, "datagrams", NULL);
    if (page->paths->datagrams.sent)
        put_datagrams(json_add_object(top, "datagrams"), &page->paths->datagrams);
    struct diagnosis d = { .what = "" };
    if (page->failure)
        diagnose(page->failure, &(struct facts){ 0 }, &d);
    json_put_text(top, "failure", page->failure ? d.what : NULL);
    json_object_update(top, page->more);
    json_add_problems(top, page->host);
    json_print(top);
}

static void print_words(const struct paths_page *page, const char *const *words, size_t nwords)
{
    const struct paths *p = page->paths;
    if (p->count && !p->ways[THERE][0].port.known)
        line_print(page->look->width, 0,
                   "\nThe driver here chooses source ports itself: these are the ones that its queue pairs "
                   "happen to have.");
    if (p->count && !p->ways[BACK][0].port.known)
        line_print(
            page->look->width, 0,
            "\nThe other host's driver chooses source ports itself: those of the way back are not known.");
    putchar('\n');
    for (size_t i = 0; i < nwords; i++)
        line_print(page->look->width, 0, "%s", words[i]);
}

static void print_failure(const struct paths_page *page)
{
    struct diagnosis d;
    diagnose(page->failure, &(struct facts){ 0 }, &d);
    line_print(page->look->width, 2, "\n%s", d.what);
    if (d.meaning)
        line_print(page->look->width, 2, "  %s", d.meaning);
}

bool paths_print(const struct paths_page *page)
{
    const struct paths *p = page->paths;
    struct arena *arena = arena_new();
    struct path_row *rows = arena_alloc(arena, PATHS_MOST, sizeof(*rows));
    const char **words;
    size_t nwords = paths_words(p, arena, &words);
    progress_end();
    for (uint32_t i = 0; i < p->count; i++)
        rows[i] = (struct path_row){ .device = page->device,
                                     .port = page->port,
                                     .rate_gbits = page->rate_gbits,
                                     .there = &p->ways[THERE][i],
                                     .back = &p->ways[BACK][i],
                                     .there_mtu = num_if(p->ways[THERE][i].mtu > 0, p->ways[THERE][i].mtu),
                                     .back_mtu = num_if(p->ways[BACK][i].mtu > 0, p->ways[BACK][i].mtu) };
    bool met = expectations_judge(page->expected, LISTING(page->host, path_columns, rows, p->count));
    if (page->look->json && !page->look->columns) {
        print_json(page, rows, words, nwords);
    } else if (look_chooses(page->look)) {
        listing_print(page->look, LISTING(page->host, path_columns, rows, p->count), "paths", "");
    } else {
        listing_table(page->look, LISTING(page->host, path_columns, rows, p->count));
        if (page->failure)
            print_failure(page);
        else
            print_words(page, words, nwords);
        expectations_print(page->expected, page->look->width);
    }
    json_decref(page->more);
    arena_free(arena);
    return !page->failure && met && paths_are_clean(p);
}
