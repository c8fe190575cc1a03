/* SPDX-License-Identifier: MIT */
/* The lists of words that may stay in an anonymised recording. */
#include "source/anonymise/anonymise.h"

EMBED(anonymise_words, "src/source/anonymise/words.txt");

bool words_next(const char **words, const char **word, size_t *len)
{
    *word = *words + strspn(*words, " |\n");
    *len = strcspn(*word, " |\n");
    *words = *word + *len;
    return *len && **word != '[' && **word != '#';
}

const char *words_of(const char *list)
{
    return strstr(anonymise_words, list) + strlen(list);
}

bool words_have(const char *list, const char *word, size_t len)
{
    const char *words = words_of(list), *one;
    for (size_t size; words_next(&words, &one, &size);)
        if (size == len && memcmp(one, word, len) == 0)
            return true;
    return false;
}

size_t words_length(const char *text, size_t len, const char *ends)
{
    size_t size = 0;
    while (size < len && !strchr(ends, text[size]))
        size++;
    return size;
}
