/* SPDX-License-Identifier: MIT */
/* The tables of messages, words and terms, whose texts the binary has packed. */
#include "base/gzip.h"
#include "explain/knowledge.h"

static struct {
    struct message *messages;
    struct word *words;
    struct term *terms;
} known; /* as long as the program runs */

/* What *at is at, up to a tab; NULL if that is nothing. */
static const char *next(char **at)
{
    char *text = *at;
    size_t n = strcspn(text, "\t");
    text[n] = '\0';
    *at = text + n + 1;
    return n ? text : NULL;
}

/* In the order of embed.awk's pack(). */
static void unpack(void)
{
    const struct bytes packed = { .data = (char *)texts_packed, .len = texts_packed_size };
    struct bytes texts = { 0 };
    if (known.messages)
        return;
    int r = gzip_unpack(&packed, SIZE_MAX - 1, &texts);
    if (r < 0)
        say_die("cannot unpack what is known of messages: %s", say_errno(r));
    char *at = texts.data;
    known.messages = mem_alloc(message_count, sizeof(*known.messages));
    for (size_t i = 0; i < message_count; i++) {
        struct message *m = &known.messages[i];
        const struct message_numbers *numbers = &message_numbers[i];
        m->pattern = next(&at), m->program = next(&at), m->means = next(&at);
        m->end = next(&at), m->causes = next(&at), m->checks = next(&at);
        m->step = (enum step)numbers->step, m->err = numbers->err, m->status = numbers->status;
    }
    known.words = mem_alloc(word_count, sizeof(*known.words));
    for (size_t i = 0; i < word_count; i++) {
        struct word *w = &known.words[i];
        w->name = next(&at), w->also = next(&at), w->text = next(&at);
        w->end = next(&at), w->causes = next(&at), w->checks = next(&at);
        w->number = word_numbers[i];
    }
    known.terms = mem_alloc(term_count, sizeof(*known.terms));
    for (size_t i = 0; i < term_count; i++) {
        struct term *t = &known.terms[i];
        t->name = next(&at), t->also = next(&at), t->means = next(&at), t->text = next(&at);
        next(&at);
        next(&at);
    }
}

const struct message *messages_all(void)
{
    unpack();
    return known.messages;
}

const struct word *words_in(const struct word_table *table)
{
    unpack();
    return known.words + table->first;
}

const struct term *terms_all(void)
{
    unpack();
    return known.terms;
}
