/* SPDX-License-Identifier: MIT */
/* Names of the events that roce monitor shows. */
#include "model/event.h"

#include "base/glyph.h"

const char *event_kind_name(enum event_kind kind)
{
    static const char *const names[] = { WORDS_EVENT_KIND };
    return names[kind];
}

static void add_word(struct bytes *text, const char *before, const char *word)
{
    if (word && *word)
        bytes_printf(text, "%s%s", text->len ? before : "", word);
}

void event_describe(const struct event *event, struct bytes *text)
{
    add_word(text, "", event->device);
    if (event->port.known)
        bytes_printf(text, "/%" PRIu64, event->port.value);
    if (event->index.known)
        bytes_printf(text, " GID %" PRIu64, event->index.value);
    add_word(text, " ", event->netdev);
    add_word(text, " ", event->from);
    if (event->from && *event->from && event->to && *event->to)
        bytes_printf(text, "%s%s", text->len ? " " : "", glyph(GLYPH_ARROW));
    add_word(text, " ", event->to);
    if (event->note && *event->note)
        bytes_printf(text, "%s(%s)", text->len ? " " : "", event->note);
}
