/* SPDX-License-Identifier: MIT */
#include "model/word.h"

#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/text.h"

const struct word_table *const *word_tables(size_t *count)
{
    static const struct word_table *const tables[] = {
        &words_errnos,     &words_cm_events,   &words_cm_reasons,      &words_async_events,
        &words_variables,  &words_port_states, &words_physical_states, &words_qp_states,
        &words_node_types, &words_verdicts,    &words_port_verdicts,
    };
    *count = ARRAY_SIZE(tables);
    return tables;
}

const struct word_table *word_table_find(const char *kind)
{
    size_t count;
    const struct word_table *const *tables = word_tables(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(tables[i]->kind, kind) == 0)
            return tables[i];
    return NULL;
}

const struct word *word_find(const struct word_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct word *word = &table->words[i];
        if (strcasecmp(word->name, name) == 0 || (word->also && text_in_list_fold(word->also, name)))
            return word;
    }
    return NULL;
}

const struct word *word_numbered(const struct word_table *table, int number)
{
    for (size_t i = 0; number >= 0 && i < table->count; i++)
        if (table->words[i].number == number)
            return &table->words[i];
    return NULL;
}
