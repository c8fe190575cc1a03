/* SPDX-License-Identifier: MIT */
/* What all families share: whether one is wanted, and the lines before its samples. */
#include "view/metrics/family.h"

bool list_next_word(const char **list, char word[static 128])
{
    size_t len = strcspn(*list, ","), copied = len < 127 ? len : 127;
    memcpy(word, *list, copied);
    word[copied] = '\0';
    *list += len + ((*list)[len] == ',');
    return copied > 0;
}

const char *without_prefix(const char *word)
{
    return text_starts(word, PREFIX) ? word + strlen(PREFIX) : word;
}

static bool list_names(const char *list, const char *name)
{
    char word[128];
    while (*list)
        if (list_next_word(&list, word) && text_matches(without_prefix(word), name))
            return true;
    return false;
}

bool is_wanted(const struct metrics_choice *choice, const char *name)
{
    return (!choice->only || list_names(choice->only, name)) &&
           (!choice->skip || !list_names(choice->skip, name));
}

void put_head(struct filling *filling, const char *name, enum metric_type type, const char *unit,
              const char *help)
{
    struct bytes sentence = { 0 };
    bytes_printf(&sentence, "%s%s", help, filling->naming->sentences ? "." : "");
    if (filling->naming->sentences && *sentence.data >= 'a' && *sentence.data <= 'z')
        *sentence.data = (char)(*sentence.data - 'a' + 'A');
    exposition_family(filling->to, name, type, unit, sentence.data);
    bytes_free(&sentence);
}
