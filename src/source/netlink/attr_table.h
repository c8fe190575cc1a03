/* SPDX-License-Identifier: MIT */
/* The contents of the kernel's messages, each attribute described once: its number, its type, and where it
 * goes (attributes.txt). One walk uses the tables to read into the model; another (anonymise/attributes.c) uses
 * them to decide what a recording may keep: an attribute in no table is left out. */
#pragma once

#include <sys/socket.h>

#include "netlink_tables.h"
#include "source/anonymise/anonymise.h"
#include "source/netlink/message.h"
#include "source/root/root.h"

/* What callbacks need to know about the answer being read. */
struct reading {
    struct arena *arena;
    void *into;                /* what all messages of the answer fill, or are items of */
    const void *header;        /* the message's fixed header */
    struct attr_walk all;      /* the message's attributes */
    const struct nlattr *attr; /* the one that take() reads */
    unsigned family;           /* AF_* of its addresses, set by the answer's begin() from the fixed header */
    bool broken;               /* a length was wrong; everything before it was read */
    const char *module;        /* the last one read */
};

/* How a value is stored in its member. */
enum into {
    INTO_NONE,
    INTO_NUM,
    INTO_NUM32,
    INTO_UNSIGNED,
    INTO_BOOL,
    INTO_TRISTATE,
    INTO_TEXT,
    INTO_WORD,    /* text: the word for a number */
    INTO_MAC,     /* text: "52:54:00:00:00:0a" */
    INTO_HEX,     /* text: "5254000a" */
    INTO_ADDRESS, /* 16 bytes */
    INTO_STRUCT,  /* a kernel struct: take() reads it, if it is complete */
    INTO_OWN,     /* take() reads it */
};

enum { ATTRIBUTE_ANY, ATTRIBUTE_AND = 0xffff }; /* numbers that no attribute has */

/* A row of a table, which ends with a row of zeros. Several rows may store the same attribute in several
 * members; the first one decides what is kept of it. */
struct attr_row {
    uint16_t type;   /* its number; ATTRIBUTE_ANY matches any, for nests that are arrays */
    uint16_t keep;   /* enum keep: what a recording may keep of it */
    uint8_t into;    /* enum into */
    uint8_t bytes;   /* size of the member, an unsigned integer */
    bool must;       /* if it is missing, there is no item */
    bool or_number;  /* for INTO_WORD: a number without a word is shown as a number */
    uint16_t most;   /* bytes of a number (0: all it has) or of a struct; any more are ignored */
    uint16_t at;     /* offset of the member */
    uint16_t flag;   /* offset of a bool set if the value is present, plus 1 */
    uint16_t count;  /* for an array in the arena, to which each such attribute adds an element: offset of its
                        length, plus 1 */
    uint16_t size;   /* of an element, or of what the member points to; 0: the member itself is filled */
    uint16_t nwords; /* of words or choices */
    uint16_t by;     /* the sibling attribute whose text makes the choice */
    const struct attr_row *nest;
    const char *const *words;
    const struct choice *choices;
    /* Reads it; false if it is malformed. */
    bool (*take)(void *to, struct reading *reading);
    /* Appends what a recording may keep of it. */
    void (*put)(const struct nlattr *attr, struct bytes *out);
};

/* What an attribute is if its sibling has this text. */
struct choice {
    const char *word;
    struct attr_row as;
};

/* Initialisers for a row. The compiler rejects a member of the wrong type. (Enums count as unsigned.) */
#define MEMBER_OF(s, m) (((s *)0)->m)
#define NUMBER(number, width, s, m)                                               \
    .type = (number), .keep = KEEP_NUMBER, .most = (width), .at = offsetof(s, m), \
    .bytes = sizeof(MEMBER_OF(s, m)),                                             \
    .into = _Generic(MEMBER_OF(s, m), struct num                                  \
                     : INTO_NUM, struct num32                                     \
                     : INTO_NUM32, bool                                           \
                     : INTO_BOOL, uint8_t                                         \
                     : INTO_UNSIGNED, uint16_t                                    \
                     : INTO_UNSIGNED, uint32_t                                    \
                     : INTO_UNSIGNED, uint64_t                                    \
                     : INTO_UNSIGNED)
#define U8(number, s, m) NUMBER(number, 1, s, m)
#define U16(number, s, m) NUMBER(number, 2, s, m)
#define U32(number, s, m) NUMBER(number, 4, s, m)
#define U64(number, s, m) NUMBER(number, 8, s, m)
#define YES_NO(number, s, m)                                                \
    .type = (number), .keep = KEEP_NUMBER, .most = 1, .at = offsetof(s, m), \
    .into = _Generic(MEMBER_OF(s, m), enum tristate                         \
                     : INTO_TRISTATE)
/* A number of which only the presence matters; FLAG says where to store that. */
#define THERE(number, width) .type = (number), .keep = KEEP_NUMBER, .most = (width), .into = INTO_NONE
/* A number that no recording may reveal. */
#define SECRET(number, width, s, m)                                                \
    .type = (number), .keep = KEEP_NOTHING, .most = (width), .at = offsetof(s, m), \
    .into = _Generic(MEMBER_OF(s, m), struct num                                   \
                     : INTO_NUM, struct num32                                      \
                     : INTO_NUM32)
/* Attributes that answers_attr() or BY_WORD looks for. */
#define KEPT_NAME(number) .type = (number), .keep = KEEP_NAME, .into = INTO_NONE
#define KEPT_TEXT(number) .type = (number), .keep = KEEP_TEXT, .into = INTO_NONE
#define KEPT_WORD(number) .type = (number), .keep = KEEP_WORD, .into = INTO_NONE
#define KEPT_OWN(number) .type = (number), .keep = KEEP_OWN, .into = INTO_NONE
#define FLAG(s, m) .flag = offsetof(s, m) + 1 + 0 * sizeof(_Generic(MEMBER_OF(s, m), bool : 1))

#define INTO_STRING(form, s, m) .at = offsetof(s, m), .into = _Generic(&MEMBER_OF(s, m), const char ** : form)
#define NAME(number, s, m) .type = (number), .keep = KEEP_NAME, INTO_STRING(INTO_TEXT, s, m)
#define WORD(number, s, m) .type = (number), .keep = KEEP_WORD, INTO_STRING(INTO_TEXT, s, m)
#define TEXT(number, s, m) .type = (number), .keep = KEEP_TEXT, INTO_STRING(INTO_TEXT, s, m)
#define MODULE(number, s, m) .type = (number), .keep = KEEP_MODULE, INTO_STRING(INTO_TEXT, s, m)
#define MAC(number, s, m) .type = (number), .keep = KEEP_MAC, INTO_STRING(INTO_MAC, s, m)
#define HEX_ID(number, s, m) .type = (number), .keep = KEEP_MAC, INTO_STRING(INTO_HEX, s, m)
/* A number of width bytes, as its word in the array. */
#define CODE(number, width, array, s, m)                                                                   \
    .type = (number), .keep = KEEP_NUMBER, .most = (width), .words = (array), .nwords = ARRAY_SIZE(array), \
    INTO_STRING(INTO_WORD, s, m)
#define ADDRESS(number, s, m)                                     \
    .type = (number), .keep = KEEP_ADDRESS, .at = offsetof(s, m), \
    .into = _Generic(&MEMBER_OF(s, m), uint8_t(*)[16]             \
                     : INTO_ADDRESS)
/* A struct at least as large as that type, read by a function that fills the table's struct. */
#define STRUCT(number, type_of_it, function) \
    .type = (number), .keep = KEEP_NUMBERS, .most = sizeof(type_of_it), .into = INTO_STRUCT, .take = (function)
#define OWN(number, what, function) .type = (number), .keep = (what), .into = INTO_OWN, .take = (function)
#define NEST(number, table) .type = (number), .keep = KEEP_NEST, .nest = (table)
/* Makes it fill a struct that the member points to, allocated if the attribute is present. */
#define NEW(s, m) .at = offsetof(s, m), .size = sizeof(*MEMBER_OF(s, m))
#define NEST_NEW(number, table, s, m) NEST(number, table), NEW(s, m)
/* Makes a NEST or STRUCT append an element to an array in the arena for each such attribute. */
#define EACH(s, items, length)                        \
    .at = offsetof(s, items),                         \
    .count = _Generic(&MEMBER_OF(s, length), size_t * \
                      : offsetof(s, length) + 1),     \
    .size = sizeof(*MEMBER_OF(s, items))
/* The same for an array of numbers; ELEMENT is the row of a nest that holds nothing but the number. */
#define EACH_NUMBER(number, width, s, items, length)                               \
    .type = (number), .keep = KEEP_NUMBER, .most = (width), .into = INTO_UNSIGNED, \
    .bytes = sizeof(*MEMBER_OF(s, items)), EACH(s, items, length)
#define ELEMENT(number, width, of) \
    .type = (number), .keep = KEEP_NUMBER, .most = (width), .into = INTO_UNSIGNED, .bytes = sizeof(of)
#define BY_WORD(number, beside, array) \
    .type = (number), .keep = KEEP_NEST, .by = (beside), .choices = (array), .nwords = ARRAY_SIZE(array)
/* Includes all rows of another table. */
#define AND(table) .type = ATTRIBUTE_AND, .keep = KEEP_NEST, .nest = (table)

/* Size in bytes of an address of that family; 0 if it isn't IP. */
static inline size_t address_size(unsigned family)
{
    return family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0;
}

/* Does the row apply to this attribute's number? */
bool attribute_is(const struct attr_row *row, const struct nlattr *attr);
/* Resolves a row that depends on another attribute of its level; NULL if nothing matches. Returns any other row
 * itself. */
const struct attr_row *attribute_choose(const struct attr_row *row, struct attr_walk level);
/* Copies the attribute being read: a kernel struct, which the table has checked to be complete. */
void attribute_copy(void *to, size_t size, const struct reading *reading);
/* Fills `to`, the struct that the table describes. False if a required attribute is missing. */
bool attributes_read(const struct attr_row *table, struct attr_walk level, void *to, struct reading *reading);

/* The messages that answer one question. */
struct answer {
    uint16_t type;   /* nlmsg_type; 0: any, for nldev and generic netlink, where it means nothing */
    uint16_t header; /* bytes of the fixed header */
    const struct attr_row *table;
    /* Reads the fixed header, and the family of the addresses; false if it isn't about what was asked. */
    bool (*begin)(void *to, struct reading *reading);
    /* Runs after the attributes have been read; false if there is no item. */
    bool (*end)(void *to, struct reading *reading);
    /* Reduces the fixed header to what may be kept; NULL: it has only numbers and is kept whole. */
    void (*change)(void *header);
    /* EACH(): every message is an item of this array of the struct that the answer fills. size alone: an item
     * of this size, which end() puts away itself. Neither: all messages fill that struct. */
    uint16_t at, count, size;
};

/* Walks over an answer. Pure. */
struct answers {
    const struct answer *answer;
    struct messages messages;
    struct message message;
    struct reading reading;
};
struct answers answers_of(const struct answer *answer, const void *bytes, size_t len, struct arena *arena);
/* Moves to the next message; false when there are no more. */
bool answers_next(struct answers *answers);
/* Fills the table's struct from the message. False if that makes no item, even if part of it is filled in. */
bool answers_fill(struct answers *answers, void *to);
/* One of the message's own attributes; NULL if it isn't there. */
const struct nlattr *answers_attr(const struct answers *answers, unsigned type);
/* Appends all that are left to an array in the arena, up to `most` in total. */
#define ANSWERS_PUSH(answers, items, count, most) \
    answers_push((answers), (void **)(items), (count), sizeof(**(items)), (most))
void answers_push(struct answers *answers, void **items, size_t *count, size_t size, size_t most);
/* Returns 0, or -EBADMSG if anything so far was broken. */
int answers_result(const struct answers *answers);

/* Reads an answer that is a list of items; if it is broken, those before that point. Returns 0 or -EBADMSG. */
#define ANSWER_LIST(answer, bytes, len, arena, items, count) \
    answer_list((answer), (bytes), (len), (arena), (void **)(items), (count), sizeof(**(items)))
int answer_list(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void **items,
                size_t *count, size_t size);
/* Reads an answer of one message. Returns 0, or -EBADMSG with nothing filled if there is none or it is
 * broken. */
int answer_fill(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void *to);
/* The same for every message, or an item for each: see EACH() in struct answer. Returns 0 or -EBADMSG. */
int answer_fill_each(const struct answer *answer, const void *bytes, size_t len, struct arena *arena, void *to);
