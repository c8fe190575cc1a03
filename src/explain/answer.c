/* SPDX-License-Identifier: MIT */
/* Looks up words and terms, and works out what a line means from all that is known. */
#include "explain/knowledge.h"

static bool is_called(const char *name, const char *also, const char *word)
{
    return strcasecmp(name, word) == 0 || (also && text_in_list_fold(also, ',', word));
}

const struct word *word_find(const struct word_table *table, const char *name)
{
    for (const struct word *word = table->words; word->name; word++)
        if (is_called(word->name, word->also, name))
            return word;
    return NULL;
}

const struct word *word_numbered(const struct word_table *table, int number)
{
    for (const struct word *word = table->words; number >= 0 && word->name; word++)
        if (word->number == number)
            return word;
    return NULL;
}

const struct term *term_find(const char *name)
{
    for (const struct term *term = terms; term->name; term++)
        if (is_called(term->name, term->also, name))
            return term;
    return NULL;
}

/* Fills in what is still missing. */
static void complete(struct answer *answer, const char *means, const char *end, const char *checks,
                     const char *causes)
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
        snprintf(answer->causes, sizeof(answer->causes), "%s", causes);
}

static void complete_by_word(struct answer *answer, const struct word *word)
{
    if (word)
        complete(answer, word->text, word->end, word->checks, word->causes);
}

static void complete_by_failure(struct answer *answer, const struct failure *failure)
{
    const struct meaning *meaning = failure->wc_status || failure->step ? failure_meaning(failure) : NULL;
    char causes[LIKELY_TEXT_SIZE];
    if (!meaning)
        return;
    meaning_likely(meaning, "\n", causes);
    complete(answer, meaning->text, meaning->end, meaning->checks, causes);
}

void reading_answer(const struct reading *reading, struct answer *answer)
{
    memset(answer, 0, sizeof(*answer));
    const struct message *message = reading->message;
    if (message) {
        answer->program = message->program;
        complete(answer, message->means, message->end, message->checks, message->causes);
    }
    complete_by_word(answer, reading->word);
    complete_by_failure(answer, &(struct failure){ .step = message ? message->step : STEP_NONE,
                                                   .err = reading->err,
                                                   .wc_status = reading->status > 0 ? reading->status : 0 });
    /* What an errno may mean for any call; causes from the message itself or from an event are better. */
    if (reading->err && !reading->word && !(message && message->causes))
        complete_by_word(answer, word_numbered(&words_errnos, reading->err));
    if (!answer->means)
        answer->means = reading->status > 0 ? wc_text(reading->status) : strerrordesc_np(reading->err);
}
