/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "source/netlink/parsers.h"

enum { TYPE_BITS = 6, FIELDS_MOST = 5, ELEMENTS_PER_MESSAGE = 200, PARTS_MOST = 1 << 16 };

struct nft_sets {
    struct arena *arena;
    struct ruleset ruleset; /* its sets, by their names */
    size_t *numbers;        /* of each, by the changed names */
};

/* enum datatypes of nft (include/datatype.h; google/nftables 010a3d4 has the numbers in set.go). */
static const struct datatype {
    uint8_t number, size;
    enum value_kind kind;
} datatypes[] = {
    { 2, 1, VALUE_PLAIN },  /* nf_proto */
    { 7, 4, VALUE_V4 },     /* ipv4_addr */
    { 8, 16, VALUE_V6 },    /* ipv6_addr */
    { 9, 6, VALUE_MAC },    /* ether_addr */
    { 10, 2, VALUE_PLAIN }, /* ether_type */
    { 12, 1, VALUE_PLAIN }, /* inet_proto */
    { 13, 2, VALUE_PLAIN }, /* inet_service */
    { 14, 1, VALUE_PLAIN }, /* icmp_type */
    { 19, 4, VALUE_PLAIN }, /* mark */
    { 20, 4, VALUE_PLAIN }, /* iface_index */
    { 26, 4, VALUE_PLAIN }, /* ct_state */
    { 27, 1, VALUE_PLAIN }, /* ct_dir */
    { 28, 4, VALUE_PLAIN }, /* ct_status */
    { 29, 1, VALUE_PLAIN }, /* icmpv6_type */
    { 31, 1, VALUE_PLAIN }, /* pkt_type */
    { 36, 1, VALUE_PLAIN }, /* dscp */
    { 38, 4, VALUE_PLAIN }, /* fib_addrtype */
    { 41, 16, VALUE_NAME }, /* ifname */
};

static const struct datatype *datatype_of(uint32_t number)
{
    for (size_t i = 0; i < ARRAY_SIZE(datatypes); i++)
        if (datatypes[i].number == number)
            return &datatypes[i];
    return NULL;
}

/* The fields of a key of len bytes, each at a multiple of 4; 0: one of them isn't known. */
static size_t fields_of(uint32_t type, size_t len, const struct datatype *fields[static FIELDS_MOST])
{
    size_t count = 0, used = 0;
    for (uint32_t rest = type; rest && count < FIELDS_MOST; rest >>= TYPE_BITS)
        count++;
    for (size_t i = 0; i < count; i++) {
        fields[i] = datatype_of(type >> TYPE_BITS * (count - 1 - i) & ((1 << TYPE_BITS) - 1));
        if (!fields[i])
            return 0;
        used += count == 1 ? fields[i]->size : (fields[i]->size + 3u) / 4 * 4;
    }
    return used == len ? count : 0;
}

/* -- names -------------------------------------------------------------------------------------------------- */

struct ranked {
    uint8_t family;
    const char *table, *name;
    size_t number;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    int order = strcmp(x->table, y->table);
    return order ? order : strcmp(x->name, y->name);
}

static const char *changed_name(const struct anonymiser *anonymiser, struct arena *arena, const char *name)
{
    struct bytes changed = { 0 };
    bytes_append(&changed, "", 0);
    attributes_put_nft_name(anonymiser, name, strlen(name), &changed);
    const char *copy = arena_strndup(arena, changed.data, changed.len);
    bytes_free(&changed);
    return copy;
}

struct nft_sets *nft_sets_new(const struct anonymiser *anonymiser, const void *reply, size_t len)
{
    struct nft_sets *sets = mem_alloc(1, sizeof(*sets));
    sets->arena = arena_new();
    (void)nft_parse_sets(reply, len, sets->arena, &sets->ruleset); /* what is whole of it */
    size_t count = sets->ruleset.nsets;
    struct ranked *ranked = arena_alloc(sets->arena, count + 1, sizeof(*ranked));
    sets->numbers = arena_alloc(sets->arena, count + 1, sizeof(*sets->numbers));
    for (size_t i = 0; i < count; i++) {
        const struct nft_set *set = &sets->ruleset.sets[i];
        ranked[i] = (struct ranked){ set->family, changed_name(anonymiser, sets->arena, set->table),
                                     changed_name(anonymiser, sets->arena, set->name), i };
    }
    qsort(ranked, count, sizeof(*ranked), compare_ranked);
    for (size_t i = 0; i < count; i++)
        sets->numbers[ranked[i].number] = i;
    return sets;
}

void nft_sets_free(struct nft_sets *sets)
{
    if (sets)
        arena_free(sets->arena);
    free(sets);
}

size_t nft_sets_number(const struct nft_sets *sets, size_t number)
{
    return sets && number < sets->ruleset.nsets ? sets->numbers[number] : number;
}

/* -- elements ----------------------------------------------------------------------------------------------- */

struct elements {
    const struct anonymiser *anonymiser;
    const struct nft_set *set;
    const struct datatype *fields[FIELDS_MOST];
    size_t nfields;
    struct bytes *out;
    size_t count, message, list;
};

static void put_attribute(struct bytes *out, uint16_t type, const void *data, size_t len)
{
    size_t begin = attributes_begin(out, type);
    bytes_append(out, data, len);
    attributes_end(out, begin);
}

static void put_nested(struct bytes *out, uint16_t type, uint16_t inner, const void *data, size_t len)
{
    size_t begin = attributes_begin(out, type);
    put_attribute(out, inner, data, len);
    attributes_end(out, begin);
}

static void put_text(const struct elements *elements, uint16_t type, const char *name)
{
    size_t begin = attributes_begin(elements->out, type);
    attributes_put_nft_name(elements->anonymiser, name, strlen(name), elements->out);
    bytes_append(elements->out, "", 1);
    attributes_end(elements->out, begin);
}

static void begin_message(struct elements *elements)
{
    struct bytes *out = elements->out;
    struct nlmsghdr header = { .nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM,
                               .nlmsg_flags = NLM_F_MULTI };
    struct nfgenmsg family = { .nfgen_family = elements->set->family };
    elements->message = out->len;
    bytes_append(out, &header, sizeof(header));
    bytes_append(out, &family, sizeof(family));
    put_text(elements, NFTA_SET_ELEM_LIST_TABLE, elements->set->table);
    put_text(elements, NFTA_SET_ELEM_LIST_SET, elements->set->name);
    elements->list = attributes_begin(out, NFTA_SET_ELEM_LIST_ELEMENTS);
}

static void end_message(struct elements *elements)
{
    struct bytes *out = elements->out;
    attributes_end(out, elements->list);
    uint32_t len = (uint32_t)(out->len - elements->message);
    memcpy(out->data + elements->message, &len, sizeof(len));
}

static void put_number(struct bytes *out, uint16_t type, uint32_t number)
{
    const uint8_t bytes[] = { (uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
                              (uint8_t)number };
    put_attribute(out, type, bytes, sizeof(bytes));
}

/* What a map gives. */
static bool put_data(struct elements *elements, const struct nft_data *data)
{
    struct bytes changed = { 0 }, *out = elements->out;
    if (data->verdict.known) {
        size_t nest = attributes_begin(out, NFTA_SET_ELEM_DATA);
        size_t verdict = attributes_begin(out, NFTA_DATA_VERDICT);
        put_number(out, NFTA_VERDICT_CODE, (uint32_t)data->verdict.code);
        if (data->verdict.chain)
            put_text(elements, NFTA_VERDICT_CHAIN, data->verdict.chain);
        attributes_end(out, verdict);
        attributes_end(out, nest);
    }
    if (!data->bytes.data)
        return true;
    const struct datatype *type = datatype_of(elements->set->data_type);
    bool told = type && type->size == data->bytes.len &&
                value_put(elements->anonymiser, type->kind, data->bytes.data, data->bytes.len,
                          8 * data->bytes.len, &changed);
    if (told)
        put_nested(out, NFTA_SET_ELEM_DATA, NFTA_DATA_VALUE, changed.data, changed.len);
    bytes_free(&changed);
    return told;
}

/* key NULL: the element for all others. */
static bool put_element(struct elements *elements, const struct nft_element *element, const uint8_t *key,
                        const uint8_t *key_end, uint32_t flags)
{
    struct bytes *out = elements->out;
    size_t len = elements->set->key_len;
    if (elements->count++ % ELEMENTS_PER_MESSAGE == 0) {
        if (elements->count > 1)
            end_message(elements);
        begin_message(elements);
    }
    size_t begin = attributes_begin(out, NFTA_LIST_ELEM);
    if (key)
        put_nested(out, NFTA_SET_ELEM_KEY, NFTA_DATA_VALUE, key, len);
    if (key_end)
        put_nested(out, NFTA_SET_ELEM_KEY_END, NFTA_DATA_VALUE, key_end, len);
    if (flags)
        put_number(out, NFTA_SET_ELEM_FLAGS, flags);
    bool told = flags & NFT_SET_ELEM_INTERVAL_END || put_data(elements, &element->data);
    attributes_end(out, begin);
    return told;
}

/* To the number behind; false: there is none. */
static bool step_up(uint8_t *key, size_t len)
{
    while (len--)
        if (++key[len])
            return true;
    return false;
}

static void step_down(uint8_t *key, size_t len)
{
    while (len-- && key[len]-- == 0)
        ;
}

/* The longest prefix that begins at from and doesn't pass `to`: its last key. */
static void longest_prefix(const uint8_t *from, const uint8_t *to, size_t len, uint8_t *last)
{
    uint8_t wider[VALUE_MOST];
    memcpy(last, from, len);
    memcpy(wider, from, len);
    for (size_t bit = 8 * len; bit-- > 0;) {
        uint8_t mask = (uint8_t)(0x80 >> bit % 8);
        if (from[bit / 8] & mask)
            return;
        wider[bit / 8] |= mask;
        if (memcmp(wider, to, len) > 0)
            return;
        memcpy(last, wider, len);
    }
}

/* An element field by field, each an interval, of one value mostly. */
struct key {
    uint8_t from[VALUE_MOST], to[VALUE_MOST];
};

/* The fields from number i on, which begins at `at`: what is no prefix becomes several elements. */
static bool put_fields(struct elements *elements, const struct nft_element *element, const struct key *key,
                       size_t i, size_t at)
{
    if (i == elements->nfields)
        return put_element(elements, element, key->from, element->key_end.data ? key->to : NULL,
                           element->flags);
    size_t size = elements->fields[i]->size, next = at + (size + 3) / 4 * 4;
    bool plain = elements->fields[i]->kind == VALUE_PLAIN, more = true;
    uint8_t from[VALUE_MOST];
    memcpy(from, key->from + at, size);
    while (more && memcmp(from, key->to + at, size) <= 0) {
        struct key part = *key;
        memcpy(part.from + at, from, size);
        if (!plain)
            longest_prefix(from, key->to + at, size, part.to + at);
        memcpy(from, part.to + at, size);
        more = !plain && step_up(from, size);
        if (elements->count > PARTS_MOST ||
            !value_map_interval(elements->anonymiser, elements->fields[i]->kind, part.from + at, part.to + at,
                                size) ||
            !put_fields(elements, element, &part, i + 1, next))
            return false;
    }
    return true;
}

static bool put_key(struct elements *elements, const struct nft_element *element)
{
    struct key key = { 0 };
    size_t len = elements->set->key_len;
    if (element->key.len != len || (element->key_end.data && element->key_end.len != len))
        return false;
    memcpy(key.from, element->key.data, len);
    memcpy(key.to, element->key_end.data ? element->key_end.data : element->key.data, len);
    return put_fields(elements, element, &key, 0, 0);
}

/* All from from to `to`, both included. Only a prefix is one interval afterwards, too. */
static bool put_prefixes(struct elements *elements, const struct nft_element *element, uint8_t *from,
                         const uint8_t *to)
{
    size_t len = elements->set->key_len;
    uint8_t last[VALUE_MOST], first[VALUE_MOST], end[VALUE_MOST];
    bool more = true;
    while (more && memcmp(from, to, len) <= 0) {
        longest_prefix(from, to, len, last);
        memcpy(first, from, len);
        memcpy(end, last, len);
        if (!value_map_interval(elements->anonymiser, elements->fields[0]->kind, first, end, len) ||
            !put_element(elements, element, first, NULL, element->flags))
            return false;
        if (step_up(end, len) && !put_element(elements, element, end, NULL, NFT_SET_ELEM_INTERVAL_END))
            return false;
        memcpy(from, last, len);
        more = step_up(from, len);
    }
    return true;
}

/* Where the element's interval ends: one before the next key, as the kernel keeps them. */
static bool put_interval(struct elements *elements, size_t i)
{
    const struct nft_set *set = elements->set;
    const struct nft_element *element = &set->elements[i], *next = NULL;
    uint8_t from[VALUE_MOST], to[VALUE_MOST];
    size_t len = set->key_len;
    for (size_t k = i + 1; k < set->nelements && !next; k++)
        if (!(set->elements[k].flags & NFT_SET_ELEM_CATCHALL))
            next = &set->elements[k];
    if (element->flags & NFT_SET_ELEM_INTERVAL_END)
        return true;
    if (element->key.len != len || (next && next->key.len != len))
        return false;
    memcpy(from, element->key.data, len);
    memset(to, 0xff, sizeof(to));
    if (next) {
        memcpy(to, next->key.data, len);
        step_down(to, len);
    }
    return put_prefixes(elements, element, from, to);
}

static bool put_each(struct elements *elements)
{
    const struct nft_set *set = elements->set;
    bool told = true, plain = elements->fields[0]->kind == VALUE_PLAIN;
    bool interval = set->flags & NFT_SET_INTERVAL && elements->nfields == 1 && !plain;
    for (size_t i = 0; told && i < set->nelements; i++) {
        const struct nft_element *element = &set->elements[i];
        if (element->flags & NFT_SET_ELEM_CATCHALL)
            told = put_element(elements, element, NULL, NULL, element->flags);
        else if (interval && !element->key_end.data)
            told = put_interval(elements, i);
        else
            told = put_key(elements, element);
    }
    return told;
}

bool nft_sets_put_elements(const struct anonymiser *anonymiser, const struct nft_sets *sets, size_t number,
                           const void *reply, size_t len, struct bytes *out)
{
    if (!sets || number >= sets->ruleset.nsets)
        return false;
    struct nft_set set = sets->ruleset.sets[number];
    struct elements elements = { .anonymiser = anonymiser, .set = &set, .out = out };
    bool verdicts = !(set.flags & NFT_SET_MAP) || set.data_type == NFT_DATA_VERDICT;
    elements.nfields = set.key_len <= VALUE_MOST ? fields_of(set.key_type, set.key_len, elements.fields) : 0;
    if (!elements.nfields || (!verdicts && !datatype_of(set.data_type)) || set.flags & NFT_SET_OBJECT)
        return false;
    struct arena *arena = arena_new();
    size_t before = out->len;
    bool told = nft_parse_elements(reply, len, arena, &set) == 0 && put_each(&elements);
    if (told && elements.count)
        end_message(&elements);
    if (!told)
        out->len = before;
    arena_free(arena);
    return told;
}
