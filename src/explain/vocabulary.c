/* SPDX-License-Identifier: MIT */
/* Every word that can be asked for. */
#include "check/check.h"
#include "explain/knowledge.h"
#include "model/counters.h"

static void see_words(see_word *see, void *data)
{
    for (size_t t = 0; word_tables[t]; t++)
        for (const struct word *word = word_tables[t]->words; word->name; word++)
            see(data, "STATUS", word->name, word_tables[t]->kind);
    for (int status = 0; status < status_count; status++)
        see(data, "STATUS", wc_name(status), wc_text(status));
}

void vocabulary_see(see_word *see, void *data)
{
    for (size_t i = 0; i < check_count(); i++)
        see(data, "CHECK", check_at(i)->id, check_at(i)->healthy);
    for (const struct topic *topic = check_topics; topic->name; topic++)
        see(data, "CHECK", topic->name, topic->text);
    for (const struct term *term = terms; term->name; term++)
        see(data, "TERM", term->name, term->means);
    size_t count;
    const struct counter_table *const *tables = counter_tables(&count);
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            see(data, "COUNTER", tables[t]->defs[i].name, tables[t]->defs[i].meaning);
    see_words(see, data);
    for (const struct step_call *call = step_calls; call->call; call++)
        see(data, "CALL", call->call, step_text(call->step));
}
