/* SPDX-License-Identifier: MIT */
/* What families of every source share: which are asked for, and how one begins. */
#include "view/metrics/family.h"

bool next_word(const char **list, char word[static 128])
{
    size_t len = *list ? strspn(*list, ",") : 0;
    if (!*list || !(*list)[len])
        return false;
    *list += len;
    len = strcspn(*list, ",");
    snprintf(word, 128, "%.*s", (int)(len < 127 ? len : 127), *list);
    *list += len;
    return true;
}

const char *without_prefix(const char *word)
{
    return text_starts(word, PREFIX) ? word + strlen(PREFIX) : word;
}

static bool list_names(const char *list, const char *name)
{
    for (char word[128]; next_word(&list, word);)
        if (text_matches(without_prefix(word), name))
            return true;
    return false;
}

bool is_wanted(const struct metrics_choice *choice, const char *name)
{
    return (!choice->only || list_names(choice->only, name)) && !list_names(choice->skip, name);
}

void put_head(struct filling *filling, const char *name, enum metric_type type, const char *unit,
              const char *help)
{
    char *sentence = mem_printf("%s%s", help, filling->naming->own ? "." : "");
    if (filling->naming->own && islower((unsigned char)*sentence))
        *sentence = (char)toupper((unsigned char)*sentence);
    exposition_family(filling->to, name, type, filling->naming->own ? unit : NULL, sentence);
    free(sentence);
}
