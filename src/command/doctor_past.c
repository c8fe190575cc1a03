/* SPDX-License-Identifier: MIT */
/* Judges what a flight recorder read, minute by minute, and joins the minutes that say the same. */
#include "command/history.h"

#include "view/history.h"

enum { STEPS_MOST = 120, LEAST_APART_MS = 30 * 1000 };

struct judging {
    struct context *context;
    const struct check_selection *selection;
    const struct kept_readings *kept;
    struct judged_past *past;
    struct arena *arena;
    const char *said; /* what the open stretch finds; NULL: none is open */
};

static struct report judge_pair(const struct judging *judging, struct past_stretch *pair, struct arena *arena)
{
    struct context *context = judging->context;
    context->host = pair->host;
    context->needs = ~(needs_t)0; /* a reading has what it has */
    (void)context_select(context, context->args->operands, context->args->noperands);
    return check_run(pair->host, pair->before, pair->end_ms - pair->begin_ms, judging->selection, arena);
}

/* "transport-retries mlx5_0/1\n": what is found and where; NULL: nothing. */
static const char *found_text(const struct report *report, struct arena *arena)
{
    struct bytes text = { 0 };
    char subject[160];
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        if (finding->verdict < VERDICT_WARN)
            continue;
        subject_format(&finding->subject, subject);
        bytes_printf(&text, "%s %s\n", finding->check->id, subject);
    }
    return arena_take(arena, text.data);
}

static int read_pair(const struct judging *judging, size_t i, struct past_stretch *pair)
{
    const struct kept_reading *items = judging->kept->items;
    *pair = (struct past_stretch){ .begin_ms = items[i - 1].time_ms, .end_ms = items[i].time_ms };
    needs_t needs = kept_readings_needs(judging->selection);
    int r = kept_reading_host(&items[i - 1], needs, &pair->before);
    r = r < 0 ? r : kept_reading_host(&items[i], needs, &pair->host);
    if (r == 0)
        pair->host->hostname = arena_strdup(pair->host->arena, judging->kept->hostname);
    else
        host_free(pair->before);
    return r;
}

/* Takes the pair over. */
static void take_pair(struct judging *judging, struct past_stretch *pair)
{
    struct judged_past *past = judging->past;
    struct arena *arena = arena_new();
    const struct report report = judge_pair(judging, pair, arena);
    const char *said = found_text(&report, judging->arena);
    struct past_stretch *open = judging->said ? &past->stretches[past->count - 1] : NULL;
    if (open && said && open->end_ms == pair->begin_ms && strcmp(said, judging->said) == 0) {
        host_free(open->host);
        host_free(pair->before);
        open->host = pair->host;
        open->end_ms = pair->end_ms;
    } else if (said) {
        *ARENA_PUSH(judging->arena, past->stretches, past->count) = *pair;
    } else {
        host_free(pair->before);
        host_free(pair->host);
    }
    judging->said = said;
    arena_free(arena);
}

static int judge_all(struct judging *judging)
{
    const struct kept_readings *kept = judging->kept;
    struct judged_past *past = judging->past;
    struct past_stretch pair;
    int r = 0;
    for (size_t i = 1; i < kept->count && r == 0; i++) {
        if (kept->items[i].first) {
            judging->said = NULL;
            continue;
        }
        r = read_pair(judging, i, &pair);
        if (r == 0)
            take_pair(judging, &pair);
    }
    if (r == 0 && !past->count) { /* what passed is worth being told */
        r = read_pair(judging, kept->count - 1, &pair);
        if (r == 0)
            *ARENA_PUSH(judging->arena, past->stretches, past->count) = pair;
    }
    return r;
}

static int say_too_few(const struct kept_readings *kept, const struct history_place *place,
                       const struct stretch_meant *stretch)
{
    char since[32], until[32], span[PLACE_SPAN_SIZE];
    history_time_text(stretch->since_ms, place->now_ms, since);
    history_time_text(stretch->until_ms, place->now_ms, until);
    say_error("from %s to %s %s: a recorder reads once a minute%s", since, until,
              kept->count ? "there is only one reading, which can be compared with none"
                          : "there is no reading",
              place_span_text(place, span));
    return -ENODATA;
}

static int judge_readings(struct judging *judging, const struct gate *gate)
{
    const struct kept_readings *kept = judging->kept;
    struct judged_past *past = judging->past;
    int r = judge_all(judging);
    if (r < 0) {
        say_error("a reading of the flight recorder cannot be read: %s", say_errno(r));
        return r;
    }
    past->since_ms = kept->items[0].time_ms;
    past->until_ms = kept->items[kept->count - 1].time_ms;
    past->readings = kept->count;
    for (size_t i = 0; i < past->count; i++) {
        struct past_stretch *one = &past->stretches[i];
        one->report = judge_pair(judging, one, judging->arena);
        enum verdict verdict = gate_verdict(gate, &one->report);
        past->verdict = i == 0 || verdict > past->verdict ? verdict : past->verdict;
    }
    return 0;
}

int past_judge(struct context *context, const struct history_place *place, const struct stretch_meant *stretch,
               const struct check_selection *selection, const struct gate *gate, struct arena *arena,
               struct judged_past *past)
{
    struct check_selection own = *selection;
    uint64_t apart = (stretch->until_ms - stretch->since_ms) / STEPS_MOST;
    struct kept_readings kept = { .apart_ms = apart < LEAST_APART_MS ? LEAST_APART_MS : apart };
    struct judging judging = {
        .context = context, .selection = &own, .kept = &kept, .past = past, .arena = arena
    };
    own.interval = true;
    int r = place_read(context, place, stretch, kept_readings_take, &kept);
    if (r == 0 && kept.count < 2)
        r = say_too_few(&kept, place, stretch);
    host_free(context->host); /* which may have held the place */
    context->host = NULL;
    r = r < 0 ? r : judge_readings(&judging, gate);
    kept_readings_free(&kept);
    return r;
}

void past_free(struct judged_past *past)
{
    for (size_t i = 0; i < past->count; i++) {
        host_free(past->stretches[i].before);
        host_free(past->stretches[i].host);
    }
}
