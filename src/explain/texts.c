/* SPDX-License-Identifier: MIT */
/* The tables of messages, words and terms, whose texts the binary has packed. */
#include "base/gzip.h"
#include "explain/knowledge.h"

static struct {
    struct message *messages;
    struct word *words;
    struct term *terms;
} known; /* as long as the program runs */

enum { COLUMNS = 6 };

/* Where the columns of embed.awk's write_texts() are read, and the last text of each. */
struct columns {
    char *at[COLUMNS];
    const char *above[COLUMNS];
};

/* The next row's text in a column; NULL if that is nothing. */
static const char *next(struct columns *columns, unsigned column)
{
    char *text = columns->at[column];
    size_t n = strcspn(text, "\t");
    text[n] = '\0';
    columns->at[column] = text + n + 1;
    if (strcmp(text, "=") != 0)
        columns->above[column] = text;
    return n ? columns->above[column] : NULL;
}

/* In the order of embed.awk's pack(). */
static void unpack(void)
{
    struct columns c = { 0 };
    if (known.messages)
        return;
    c.at[0] = gzip_embedded(texts_packed, texts_packed_size, "what is known of messages");
    for (size_t i = 1; i < COLUMNS; i++)
        c.at[i] = strchr(c.at[i - 1], '\f') + 1;
    known.messages = mem_alloc(message_count, sizeof(*known.messages));
    for (size_t i = 0; i < message_count; i++) {
        struct message *m = &known.messages[i];
        const struct message_numbers *numbers = &message_numbers[i];
        m->pattern = next(&c, 0), m->program = next(&c, 1), m->means = next(&c, 2);
        m->end = next(&c, 3), m->causes = next(&c, 4), m->checks = next(&c, 5);
        m->step = (enum step)numbers->step, m->err = numbers->err, m->status = numbers->status,
        m->vague = numbers->vague;
    }
    known.words = mem_alloc(word_count, sizeof(*known.words));
    for (size_t i = 0; i < word_count; i++) {
        struct word *w = &known.words[i];
        w->name = next(&c, 0), w->also = next(&c, 1), w->text = next(&c, 2);
        w->end = next(&c, 3), w->causes = next(&c, 4), w->checks = next(&c, 5);
        w->number = word_numbers[i];
    }
    known.terms = mem_alloc(term_count, sizeof(*known.terms));
    for (size_t i = 0; i < term_count; i++) {
        struct term *t = &known.terms[i];
        t->name = next(&c, 0), t->also = next(&c, 1), t->means = next(&c, 2), t->text = next(&c, 3);
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
