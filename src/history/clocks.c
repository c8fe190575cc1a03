/* SPDX-License-Identifier: MIT */
/* What of several hosts was first, as far as their clocks tell. */
#include "history/history.h"

enum { READING_MS = 1000, NAMES_MOST = 4 };

void history_clock_take(struct history_clock *clock, const struct frame *frame)
{
    clock->known |= frame->clock.known;
    clock->lost |= frame->clock.known && !frame->clock.synchronised;
    if (frame->clock.synchronised && frame->clock.error_ms > clock->error_ms)
        clock->error_ms = frame->clock.error_ms;
}

/* -- in words ---------------------------------------------------------------------------------------------- */

enum state { KEPT, LOST, NOT_KNOWN };

static enum state state_of(const struct history_clock *clock)
{
    return clock->lost ? LOST : clock->known ? KEPT : NOT_KNOWN;
}

/* "a", "a, b, c", "a, b, c, d and 7 others": of those in that state; NULL: none is. */
static char *names_of(const struct history_clock *clocks, size_t count, enum state state, struct arena *arena,
                      size_t *all)
{
    char *text = NULL;
    *all = 0;
    for (size_t i = 0; i < count; i++)
        if (state_of(&clocks[i]) == state && ++*all <= NAMES_MOST)
            text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                clocks[i].host ? clocks[i].host : "?");
    return *all > NAMES_MOST ? arena_printf(arena, "%s and %zu others", text, *all - NAMES_MOST) : text;
}

/* Two clocks are as far apart as both may be off together. */
static double widest(const struct history_clock *clocks, size_t count)
{
    double most = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
        double error = state_of(&clocks[i]) == KEPT ? clocks[i].error_ms : 0;
        next = error > most ? most : error > next ? error : next;
        most = error > most ? error : most;
    }
    return most + next;
}

char *history_clocks_text(const struct history_clock *clocks, size_t count, struct arena *arena)
{
    size_t kept, lost, unknown;
    const char *keeps = names_of(clocks, count, KEPT, arena, &kept);
    const char *loses = names_of(clocks, count, LOST, arena, &lost);
    const char *unknowns = names_of(clocks, count, NOT_KNOWN, arena, &unknown);
    char *text = NULL;
    if (kept > 1)
        text = arena_printf(arena, "the clocks of %s are within %.3g ms by NTP", keeps, widest(clocks, count));
    else if (kept)
        text = arena_printf(arena, "%s's clock is right to %.3g ms by NTP", keeps, widest(clocks, count));
    if (lost)
        text = arena_printf(arena, "%s%sthe clock%s of %s %s not synchronised: %s times may be off",
                            text ? text : "", text ? "; " : "", lost > 1 ? "s" : "", loses,
                            lost > 1 ? "are" : "is", lost > 1 ? "their" : "its");
    if (unknown)
        text = arena_printf(arena, "%s%snothing is known of the clock%s of %s, taken to agree",
                            text ? text : "", text ? "; " : "", unknown > 1 ? "s" : "", unknowns);
    return text ? text : arena_strdup(arena, "");
}

/* -- who was first ----------------------------------------------------------------------------------------- */

static const struct history_clock *clock_of(const struct moment *moment, const struct history_clock *clocks,
                                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (clocks[i].host == moment->host)
            return &clocks[i];
    return NULL;
}

struct history_first history_find_first(const struct moment *moments, size_t count,
                                        const struct history_clock *clocks, size_t nclocks)
{
    struct history_first found = { 0 };
    for (size_t i = 0; i < count && !found.next; i++) {
        if (!moment_is_stretch(&moments[i]))
            continue;
        if (!found.first)
            found.first = &moments[i];
        else if (moments[i].host != found.first->host)
            found.next = &moments[i];
    }
    if (!found.next)
        return found;
    const struct history_clock *a = clock_of(found.first, clocks, nclocks);
    const struct history_clock *b = clock_of(found.next, clocks, nclocks);
    found.by_clocks = a && b && state_of(a) == KEPT && state_of(b) == KEPT;
    found.sure = found.by_clocks && (double)(found.next->begin_ms - found.first->begin_ms) >
                                        a->error_ms + b->error_ms + READING_MS;
    return found;
}
