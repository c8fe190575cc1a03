/* SPDX-License-Identifier: MIT */
/* The attributes that hosts must agree on. */
#include "model/facts.h"

const struct attribute *fact_at(size_t i)
{
    static const struct attribute *facts[ATTRIBUTES];
    static size_t count;
    for (size_t id = 0, first = count; first == 0 && id < ATTRIBUTES; id++)
        if (attributes[id].flags & ATTRIBUTE_COMPARED)
            facts[count++] = &attributes[id];
    return i < count ? facts[i] : NULL;
}

enum fact_of fact_of(const struct attribute *fact)
{
    static const enum fact_of kinds[] = {
        [OF_HOST] = FACT_HOST, [OF_DEVICE] = FACT_DEVICE, [OF_PCI] = FACT_DEVICE,
        [OF_PORT] = FACT_PORT, [OF_NETDEV] = FACT_PORT,   [OF_GID] = FACT_PORT,
    };
    return kinds[fact->of];
}

const struct attribute *fact_find(enum fact_of of, const char *key)
{
    const struct attribute *fact;
    for (size_t i = 0; (fact = fact_at(i)); i++)
        if (fact_of(fact) == of && strcmp(fact->key, key) == 0)
            return fact;
    return NULL;
}

const char *fact_list(enum fact_of of)
{
    static const char *const lists[] = { [FACT_DEVICE] = "devices", [FACT_PORT] = "ports" };
    return WORD_AT(lists, of);
}

bool fact_is_expected_only(const struct attribute *fact)
{
    return !fact->get && !fact->make && fact->member.type == MEMBER_NONE;
}

struct value fact_value(const struct attribute *fact, const struct fact_subject *subject, struct arena *arena)
{
    const struct cell_context context = { .host = subject->host, .arena = arena };
    enum fact_of of = fact_of(fact);
    return of == FACT_DEVICE ? attribute_value(fact, &context, OF_DEVICE, subject->device)
           : of == FACT_PORT ? attribute_value(fact, &context, OF_PORT, subject->port)
                             : attribute_value(fact, &context, OF_HOST, subject->host);
}
