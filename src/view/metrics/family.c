/* SPDX-License-Identifier: MIT */
/* How a family of samples is begun, labelled and filled. */
#include "view/metrics/family.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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
    bytes_printf(&sentence, "%s.", help);
    if (*sentence.data >= 'a' && *sentence.data <= 'z')
        *sentence.data = (char)(*sentence.data - 'a' + 'A');
    exposition_family(filling->to, name, type, unit, sentence.data);
    bytes_free(&sentence);
}

static void begin(struct filling *filling)
{
    const struct family *family = filling->family;
    if (!filling->begun)
        put_head(filling, filling->name, family->type, family->unit, family->help);
    filling->begun = true;
}

void put(struct filling *filling, const char *labels, uint64_t value)
{
    begin(filling);
    exposition_sample(filling->to, filling->name, labels, value);
}

void put_signed(struct filling *filling, const char *labels, int64_t value)
{
    begin(filling);
    exposition_sample_signed(filling->to, filling->name, labels, value);
}

const char *with_label(struct filling *filling, const char *labels, const char *name, const char *value)
{
    return exposition_label(filling->arena, labels, name, value);
}

const char *with_number(struct filling *filling, const char *labels, const char *name, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "%" PRIu64, value);
    return with_label(filling, labels, name, digits);
}

void put_seconds(struct filling *filling, const char *labels, uint64_t microseconds)
{
    begin(filling);
    exposition_sample_seconds(filling->to, filling->name, labels, microseconds);
}
