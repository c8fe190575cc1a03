/* SPDX-License-Identifier: MIT */
/* The tables of messages, words and terms, whose texts the binary has packed: looks them up, lists them, and
 * says what a line means from all that is known. */
#include "base/gzip.h"
#include "check/check.h"
#include "explain/knowledge.h"
#include "model/statistics.h"

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

static bool is_called(const char *name, const char *also, const char *word)
{
    return text_is_named(name, word) || text_is_named(also, word);
}

const struct word *word_find(const struct word_table *table, const char *name)
{
    for (const struct word *word = words_in(table); word->name; word++)
        if (is_called(word->name, word->also, name))
            return word;
    return NULL;
}

const struct word *word_numbered(const struct word_table *table, int number)
{
    for (const struct word *word = words_in(table); number >= 0 && word->name; word++)
        if (word->number == number)
            return word;
    return NULL;
}

const struct term *term_find(const char *name)
{
    for (const struct term *term = terms_all(); term->name; term++)
        if (is_called(term->name, term->also, name) || text_is_named(term->means, name))
            return term;
    return NULL;
}

/* Does one of a list of patterns, among names, fit? */
static bool is_like(const char *list, const char *word)
{
    const char *item;
    bool is = false;
    for (size_t n; !is && (item = text_next_item(&list, ',', &n));) {
        char *other = mem_printf("%.*s", (int)n, item);
        is = text_is_pattern(other) && text_matches(other, word);
        free(other);
    }
    return is;
}

const struct term *term_like(const char *name)
{
    for (const struct term *term = terms_all(); term->name; term++)
        if (term->also && text_is_pattern(term->also) && is_like(term->also, name))
            return term;
    return NULL;
}

int status_find(const char *name)
{
    for (int status = 0; status < status_count; status++) {
        const struct status_words *words = &status_words[status];
        if (is_called(words->name + strlen("IBV_WC_"), words->also, name) || text_is_named(words->text, name) ||
            text_is_named(words->name + strlen("IBV_"), name) || text_is_named(words->name, name))
            return status;
    }
    return -1;
}

/* Is what the line names among the names of a cause's condition? */
static bool is_named(const struct reading *reading, const char *names)
{
    return (reading->err && text_in_list(names, strerrorname_np(reading->err))) ||
           (reading->status > 0 && text_in_list(names, wc_name(reading->status))) ||
           (reading->word && text_in_list(names, reading->word->name));
}

/* The first LIKELY_CAUSES of causes. One with a condition ("?ENOMEM,EPERM?text", by embed.awk) that the line
 * meets comes before those without; if the line names something else, it isn't one. */
static void take_causes(struct answer *answer, const struct reading *reading, const char *causes)
{
    const bool named = reading->err || reading->status > 0 || reading->word;
    size_t taken = 0, len = 0;
    for (int round = 0; round <= named; round++) {
        const char *list = causes, *cause;
        for (size_t n; taken < LIKELY_CAUSES && (cause = text_next_item(&list, '\n', &n));) {
            char *names = *cause == '?' ? mem_printf("%.*s", (int)strcspn(cause + 1, "?"), cause + 1) : NULL;
            const size_t skip = names ? strlen(names) + 2 : 0;
            if (!named || (names ? round == 0 && is_named(reading, names) : round == 1))
                len += (size_t)snprintf(answer->causes + len, sizeof(answer->causes) - len, "%s%.*s",
                                        taken++ ? "\n" : "", (int)(n - skip), cause + skip);
            free(names);
        }
    }
}

/* Fills in what is still missing. */
static void complete(struct answer *answer, const struct reading *reading, const char *means, const char *end,
                     const char *checks, const char *causes)
{
    if (!answer->means)
        answer->means = means;
    else if (!answer->also && means != answer->means)
        answer->also = means;
    if (!answer->end)
        answer->end = end;
    if (!answer->checks)
        answer->checks = checks;
    if (!*answer->causes && causes)
        take_causes(answer, reading, causes);
}

static void complete_by_word(struct answer *answer, const struct reading *reading, const struct word *word)
{
    if (word)
        complete(answer, reading, word->text, word->end, word->checks, word->causes);
}

/* Leaves checks of locked memory out if the errno is none that memory which may not be locked gives
 * (ib_umem_get() of the kernel). */
static void drop_memlock(struct answer *answer, int err)
{
    const char *list = answer->checks, *check;
    size_t len = 0;
    if (!list || !err || err == ENOMEM || err == EPERM || err == EAGAIN)
        return;
    for (size_t n; (check = text_next_item(&list, ',', &n));)
        if (!text_starts(check, "memlock-"))
            len += (size_t)snprintf(answer->checks_left + len, sizeof(answer->checks_left) - len, "%s%.*s",
                                    len ? "," : "", (int)n, check);
    answer->checks = len ? answer->checks_left : NULL;
}

void reading_answer(const struct reading *reading, struct answer *answer)
{
    memset(answer, 0, sizeof(*answer));
    const struct message *message = reading->message;
    const struct failure failure = { .step = message ? message->step : STEP_NONE,
                                     .err = reading->err,
                                     .wc_status = reading->status > 0 ? reading->status : 0 };
    const struct meaning *meaning = failure.wc_status || failure.step ? failure_meaning(&failure) : NULL;
    char likely[LIKELY_TEXT_SIZE] = "";
    if (meaning)
        meaning_likely(meaning, "\n", likely);
    if (message) {
        /* what is known of the step's very errno says more than a message that is nobody's, and of any errno */
        bool exact = meaning && meaning->err && *likely && !message->program && !message->err;
        answer->program = reading->program;
        complete(answer, reading, message->means, message->end, exact ? meaning->checks : message->checks,
                 exact ? likely : message->causes);
    }
    drop_memlock(answer, reading->err);
    complete_by_word(answer, reading, reading->word);
    if (meaning) /* of any errno of a step, the message's own words say more */
        complete(answer, reading, meaning->status || meaning->err || !answer->means ? meaning->text : NULL,
                 meaning->end, meaning->checks, likely);
    /* What an errno may mean for any call; what the message itself, its step or an event say is better. */
    const struct word *err = reading->err && !reading->word ? word_numbered(&words_errnos, reading->err) : NULL;
    const bool own = message && (message->causes || (reading->aside && message->means));
    if (err)
        complete(answer, reading, own || (meaning && meaning->err) ? NULL : err->text,
                 own && !message->causes ? NULL : err->end, own ? NULL : err->checks, own ? NULL : err->causes);
    if (!answer->means)
        answer->means = reading->status > 0 ? wc_text(reading->status) : strerrordesc_np(reading->err);
}

static void see_words(see_word *see, void *data)
{
    for (size_t t = 0; word_tables[t]; t++)
        for (const struct word *word = words_in(word_tables[t]); word->name; word++)
            see(data, "STATUS", word->name, word_tables[t]->kind);
    for (int status = 0; status < status_count; status++)
        see(data, "STATUS", wc_name(status), wc_text(status));
}

void vocabulary_see(see_word *see, void *data)
{
    for (const struct check *check = check_all; check->id; check++)
        see(data, "CHECK", check->id, packed_line(check->healthy));
    for (const struct topic *topic = check_topics; topic->name; topic++)
        see(data, "CHECK", topic->name, topic->text);
    for (const struct term *term = terms_all(); term->name; term++)
        see(data, "TERM", term->name, term->means);
    for (const struct counter_table *table = counter_tables; table->count; table++)
        for (size_t i = 0; i < table->count; i++)
            see(data, "COUNTER", table->defs[i].name, counter_meaning(&table->defs[i]));
    for (const struct counter_table *table = statistic_tables; table->count; table++)
        for (size_t i = 0; i < table->count; i++)
            if (!strchr(table->defs[i].name, '{'))
                see(data, "COUNTER", table->defs[i].name, counter_meaning(&table->defs[i]));
    see_words(see, data);
    for (const struct step_call *call = step_calls; call->call; call++)
        see(data, "CALL", call->call, step_text(call->step));
}
