/* SPDX-License-Identifier: MIT */
#include "fleet/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 1 << 12 };

/* FNV-1a, eight bytes at a time: of an attacker's texts as good as any, for they are bounded. */
static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    for (; len; text++, len--)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* Where the text is, or would be. */
static uint32_t *slot_of(const struct intern *intern, const char *text, size_t len)
{
    size_t at = hash_of(text, len) & (intern->nslots - 1);
    while (intern->slots[at]) {
        const char *known = intern->texts[intern->slots[at]];
        if (strncmp(known, text, len) == 0 && known[len] == '\0')
            break;
        at = (at + 1) & (intern->nslots - 1);
    }
    return &intern->slots[at];
}

static void grow(struct intern *intern)
{
    free(intern->slots);
    intern->nslots = intern->nslots ? intern->nslots * 2 : FIRST_SLOTS;
    intern->slots = mem_alloc(intern->nslots, sizeof(*intern->slots));
    for (size_t i = 1; i <= intern->count; i++)
        *slot_of(intern, intern->texts[i], strlen(intern->texts[i])) = (uint32_t)i;
}

uint32_t intern(struct intern *intern, const char *text, size_t len)
{
    if (intern->count * 2 >= intern->nslots)
        grow(intern);
    uint32_t *slot = slot_of(intern, text, len);
    if (*slot)
        return *slot;
    if (intern->count + 2 > intern->size) {
        intern->size = intern->size ? intern->size * 2 : FIRST_SLOTS;
        intern->texts = mem_resize(intern->texts, intern->size, sizeof(*intern->texts));
        intern->texts[0] = NULL;
    }
    *slot = (uint32_t)++intern->count;
    intern->texts[intern->count] = arena_strndup(intern->arena, text, len);
    return *slot;
}

const char *intern_text(const struct intern *intern, uint32_t number)
{
    return number ? intern->texts[number] : NULL;
}

void intern_free(struct intern *intern)
{
    free(intern->texts);
    free(intern->slots);
}
