/* SPDX-License-Identifier: MIT */
/* Reads messages using the tables that describe their attributes. */
#include "source/netlink/attr_table.h"

enum { ELEMENT_MOST = 1024, HEX_MOST = 32 };

bool attribute_is(const struct attr_row *row, const struct nlattr *attr)
{
    return row->type == ATTRIBUTE_ANY || row->type == attr_type(attr);
}

const struct attr_row *attribute_choose(const struct attr_row *row, struct attr_walk level)
{
    if (!row->choices)
        return row;
    size_t size;
    const char *text = attr_bytes(attr_find(level, row->by), &size);
    for (size_t i = 0; text && i < row->nwords; i++) {
        size_t length = strlen(row->choices[i].word);
        if (strnlen(text, size) == length && memcmp(text, row->choices[i].word, length) == 0)
            return &row->choices[i].as;
    }
    return NULL;
}

/* Empty text counts as none. Consecutive objects often have the same kernel owner: its name is reused. */
static const char *text_of(const struct attr_row *row, const char *data, size_t len, struct reading *reading)
{
    len = strnlen(data, len);
    if (len == 0)
        return NULL;
    const char *before = row->keep == KEEP_MODULE ? reading->module : NULL;
    bool same = before && strlen(before) == len && memcmp(before, data, len) == 0;
    const char *text = same ? before : arena_strndup(reading->arena, data, len);
    reading->module = row->keep == KEEP_MODULE ? text : reading->module;
    return text;
}

static const char *word_of(const struct attr_row *row, struct num number, struct arena *arena)
{
    const char *word = number.known && number.value < row->nwords ? row->words[number.value] : NULL;
    if (!word && number.known && row->or_number)
        return arena_printf(arena, "%u", (unsigned)number.value);
    return word;
}

static const char *string_of(const struct attr_row *row, const struct nlattr *attr, struct reading *reading)
{
    size_t len;
    const char *data = attr_bytes(attr, &len);
    if (row->into == INTO_WORD)
        return word_of(row, attr_number(attr, row->most), reading->arena);
    if (row->into == INTO_TEXT)
        return text_of(row, data, len, reading);
    return len && len <= HEX_MOST ? arena_hex(reading->arena, data, len, row->into == INTO_MAC) : NULL;
}

static bool put_unsigned(void *member, size_t bytes, struct num number)
{
    if (number.known && bytes == 1)
        *(uint8_t *)member = (uint8_t)number.value;
    else if (number.known && bytes == 2)
        *(uint16_t *)member = (uint16_t)number.value;
    else if (number.known && bytes == 4)
        *(uint32_t *)member = (uint32_t)number.value;
    else if (number.known)
        *(uint64_t *)member = number.value;
    return number.known;
}

/* An address of the message's family. */
static bool put_address(void *member, const struct nlattr *attr, unsigned family)
{
    size_t len, size = address_size(family);
    const void *data = attr_bytes(attr, &len);
    if (size == 0 || len < size)
        return false;
    memcpy(member, data, size);
    return true;
}

void attribute_copy(void *to, size_t size, const struct reading *reading)
{
    size_t len;
    memcpy(to, attr_bytes(reading->attr, &len), size);
}

/* False if the attribute is too short for its type. */
static bool read_value(const struct attr_row *row, const struct nlattr *attr, void *member,
                       struct reading *reading)
{
    struct num number = attr_number(attr, row->most);
    reading->attr = attr;
    switch ((enum into)row->into) {
    case INTO_NUM:
        *(struct num *)member = number;
        return number.known;
    case INTO_NUM32:
        *(struct num32 *)member = (struct num32){ (uint32_t)number.value, number.known };
        return number.known;
    case INTO_UNSIGNED:
        return put_unsigned(member, row->bytes, number);
    case INTO_BOOL:
        *(bool *)member = number.value != 0;
        return number.known;
    case INTO_TRISTATE:
        *(enum tristate *)member = number.known ? tri_of(number.value != 0) : TRI_UNKNOWN;
        return number.known;
    case INTO_ADDRESS:
        return put_address(member, attr, reading->family);
    case INTO_TEXT:
    case INTO_WORD:
    case INTO_MAC:
    case INTO_HEX:
        return (*(const char **)member = string_of(row, attr, reading));
    case INTO_STRUCT:
        return attr_payload(attr) >= row->most && row->take(member, reading);
    case INTO_OWN:
        return row->take(member, reading);
    case INTO_NONE:
        break;
    }
    return row->nest ? attributes_read(row->nest, attr_walk_in(attr), member, reading)
                     : attr_payload(attr) >= row->most;
}

/* An element is built outside the array and appended once it is complete. */
static bool read_element(const struct attr_row *row, const struct nlattr *attr, char *to,
                         struct reading *reading)
{
    _Alignas(max_align_t) char element[ELEMENT_MOST];
    void *items = to + row->at, *count = to + row->count - 1;
    if (row->size > sizeof(element))
        return false;
    memset(element, 0, row->size);
    if (!read_value(row, attr, element, reading))
        return false;
    memcpy(arena_push_many_size(reading->arena, items, count, row->size), element, row->size);
    return true;
}

static bool read_row(const struct attr_row *row, const struct nlattr *attr, char *to, struct reading *reading)
{
    void *member = to + row->at;
    if (row->count)
        return read_element(row, attr, to, reading);
    if (row->size) {
        void **made = member;
        *made = *made ? *made : arena_alloc(reading->arena, 1, row->size);
        member = *made;
    }
    return read_value(row, attr, member, reading);
}

/* Applies the rows to one attribute of a level. Returns a bit for each of the first 64 rows that took it. */
static uint64_t read_rows(const struct attr_row *table, const struct nlattr *attr, struct attr_walk level,
                          char *to, struct reading *reading)
{
    uint64_t there = 0;
    for (const struct attr_row *row = table; row->keep != KEEP_END; row++) {
        if (row->type == ATTRIBUTE_AND)
            read_rows(row->nest, attr, level, to, reading);
        if (row->type == ATTRIBUTE_AND || !attribute_is(row, attr))
            continue;
        const struct attr_row *chosen = attribute_choose(row, level);
        if (!chosen || !read_row(chosen, attr, to, reading))
            continue;
        if (row->flag)
            to[row->flag - 1] = true;
        there |= UINT64_C(1) << (row - table);
    }
    return there;
}

bool attributes_read(const struct attr_row *table, struct attr_walk level, void *to, struct reading *reading)
{
    struct attr_walk walk = level;
    uint64_t there = 0;
    for (const struct nlattr *attr; (attr = attr_walk_next(&walk));)
        there |= read_rows(table, attr, level, to, reading);
    reading->broken |= walk.broken;
    for (const struct attr_row *row = table; row->keep != KEEP_END; row++)
        if (row->must && !(there & UINT64_C(1) << (row - table)))
            return false;
    return true;
}

/* -- answers --------------------------------------------------------------------------------------------- */

struct answers answers_of(const struct answer *answer, const void *bytes, size_t len, struct arena *arena)
{
    return (
        struct answers){ .answer = answer, .messages = messages_of(bytes, len), .reading = { .arena = arena } };
}

bool answers_next(struct answers *answers)
{
    const struct answer *answer = answers->answer;
    while (messages_next_answer(&answers->messages, &answers->message)) {
        if (answer->type && answers->message.type != answer->type)
            continue;
        if (answers->message.len >= answer->header)
            return true;
        answers->reading.broken = true;
    }
    return false;
}

static struct attr_walk attributes_of(const struct answers *answers)
{
    return attr_walk_after(&answers->message, answers->answer->header);
}

bool answers_fill(struct answers *answers, void *to)
{
    const struct answer *answer = answers->answer;
    answers->reading.all = attributes_of(answers);
    answers->reading.header = answers->message.payload;
    if (answer->begin && !answer->begin(to, &answers->reading))
        return false;
    bool whole = attributes_read(answer->table, answers->reading.all, to, &answers->reading);
    return whole && (!answer->end || answer->end(to, &answers->reading));
}

const struct nlattr *answers_attr(const struct answers *answers, unsigned type)
{
    return attr_find(attributes_of(answers), type);
}

/* The message as an item of size bytes, built outside the array as well. items NULL: end() puts it away. */
static void take_item(struct answers *answers, void *items, void *count, size_t size)
{
    _Alignas(max_align_t) char item[ELEMENT_MOST];
    memset(item, 0, size < sizeof(item) ? size : sizeof(item));
    if (size <= sizeof(item) && answers_fill(answers, item) && items)
        memcpy(arena_push_many_size(answers->reading.arena, items, count, size), item, size);
}

void answers_push(struct answers *answers, void **items, size_t *count, size_t size, size_t most)
{
    while (*count < most && answers_next(answers))
        take_item(answers, items, count, size);
}

int answers_result(const struct answers *answers)
{
    return answers->messages.broken || answers->reading.broken ? -EBADMSG : 0;
}

int answer_list(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void **items,
                size_t *count, size_t size)
{
    struct answers answers = answers_of(answer, bytes, len, arena);
    answers_push(&answers, items, count, size, SIZE_MAX);
    return answers_result(&answers);
}

int answer_fill(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct answers answers = answers_of(answer, bytes, len, arena);
    if (!answers_next(&answers))
        return -EBADMSG;
    bool is_sound = attr_walk_is_sound(attributes_of(&answers));
    return !is_sound || !answers_fill(&answers, to) ? -EBADMSG : answers_result(&answers);
}

int answer_fill_each(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct answers answers = answers_of(answer, bytes, len, arena);
    char *into = answers.reading.into = to;
    while (answers_next(&answers))
        if (answer->count)
            take_item(&answers, into + answer->at, into + answer->count - 1, answer->size);
        else if (answer->size)
            take_item(&answers, NULL, NULL, answer->size);
        else
            answers_fill(&answers, to);
    return answers_result(&answers);
}
