/* SPDX-License-Identifier: MIT */
/* Folded host names, node[0-7,9], and JSON objects one after the other, as many hosts print them. */
#include "fleet/hosts.h"

/* At most this many numbers of a name vary; the rest stays as written. */
enum { MOST_NUMBERS = 6, LONGEST_NUMBER = 18 };

enum { NUMBER = 1 }; /* a byte that occurs in no name */

/* "r1n02" has the numbers "1" and "02". */
struct name {
    const char *pattern; /* with NUMBER in place of each */
    const char *numbers[MOST_NUMBERS];
    size_t count;
};

/* Names whose numbers are all combinations of these sets, one per axis. */
struct block {
    struct set {
        const char **texts; /* sorted as nodeset sorts: by length, then by digits */
        size_t count, size; /* size: allocated */
    } axes[MOST_NUMBERS];
};

struct folding {
    struct arena *arena;
    struct bytes out;
};

static struct name split(struct folding *folding, const char *text)
{
    struct name name = { 0 };
    struct bytes pattern = { 0 };
    for (const char *at = text; *at;) {
        size_t len = strspn(at, "0123456789");
        if (len && len <= LONGEST_NUMBER && name.count < MOST_NUMBERS) {
            name.numbers[name.count++] = arena_strndup(folding->arena, at, len);
            bytes_append(&pattern, &(char){ NUMBER }, 1);
        } else {
            bytes_append(&pattern, at, len ? len : (len = 1));
        }
        at += len;
    }
    name.pattern = arena_strndup(folding->arena, pattern.data ? pattern.data : "", pattern.len);
    bytes_free(&pattern);
    return name;
}

static int compare_texts(const void *one, const void *other)
{
    const char *a = *(const char *const *)one, *b = *(const char *const *)other;
    size_t a_len = strlen(a), b_len = strlen(b);
    return a_len != b_len ? (a_len < b_len ? -1 : 1) : strcmp(a, b);
}

static int compare_names(const void *one, const void *other)
{
    const struct name *a = one, *b = other;
    int r = strcmp(a->pattern, b->pattern);
    for (size_t i = 0; r == 0 && i < a->count; i++)
        r = compare_texts(&a->numbers[i], &b->numbers[i]);
    return r;
}

/* -- sets of numbers ----------------------------------------------------------------------------------- */

static bool same_set(const struct set *a, const struct set *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->texts[i], b->texts[i]) != 0)
            return false;
    return true;
}

static void unite(struct folding *folding, struct set *into, const struct set *other)
{
    size_t count = 0, size = (into->count + other->count) * 2;
    bool behind = compare_texts(&into->texts[into->count - 1], &other->texts[0]) < 0;
    if (behind && into->count + other->count <= into->size) {
        memcpy(into->texts + into->count, other->texts, other->count * sizeof(*into->texts));
        into->count += other->count;
        return;
    }
    const char **texts = arena_alloc(folding->arena, size, sizeof(*texts));
    memcpy(texts, into->texts, into->count * sizeof(*texts));
    memcpy(texts + into->count, other->texts, other->count * sizeof(*texts));
    qsort(texts, into->count + other->count, sizeof(*texts), compare_texts);
    for (size_t i = 0; i < into->count + other->count; i++)
        if (count == 0 || strcmp(texts[count - 1], texts[i]) != 0)
            texts[count++] = texts[i];
    *into = (struct set){ texts, count, size };
}

static bool is_padded(const char *text)
{
    return text[0] == '0' && text[1];
}

/* Can b follow a in a range? A padded range keeps its width; an unpadded one never becomes padded. */
static bool follows(const char *first, const char *a, const char *b)
{
    bool fits = is_padded(first) ? strlen(b) == strlen(first) : !is_padded(b);
    return fits && strtoull(b, NULL, 10) == strtoull(a, NULL, 10) + 1;
}

static void put_set(struct bytes *out, const struct set *set)
{
    if (set->count > 1)
        bytes_append(out, "[", 1);
    for (size_t i = 0, end; i < set->count; i = end) {
        for (end = i + 1; end < set->count && follows(set->texts[i], set->texts[end - 1], set->texts[end]);)
            end++;
        bytes_printf(out, end - i > 1 ? "%s%s-%s" : "%s%s", i ? "," : "", set->texts[i], set->texts[end - 1]);
    }
    if (set->count > 1)
        bytes_append(out, "]", 1);
}

/* -- blocks -------------------------------------------------------------------------------------------- */

static bool differ_in_only(const struct block *a, const struct block *b, size_t axis, size_t axes)
{
    for (size_t i = 0; i < axes; i++)
        if (i != axis && !same_set(&a->axes[i], &b->axes[i]))
            return false;
    return true;
}

/* Merges neighbours that differ in one axis; returns how many are left. The last axis varies fastest, so its
 * neighbours are adjacent. For an earlier axis only the last LOOK_BACK blocks are searched. */
static size_t merge_axis(struct folding *folding, struct block *blocks, size_t count, size_t axis, size_t axes)
{
    enum { LOOK_BACK = 64 };
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool merged = false;
        for (size_t back = 1; back <= kept && back <= LOOK_BACK && !merged; back++) {
            merged = differ_in_only(&blocks[kept - back], &blocks[i], axis, axes);
            if (merged)
                unite(folding, &blocks[kept - back].axes[axis], &blocks[i].axes[axis]);
        }
        if (!merged)
            blocks[kept++] = blocks[i];
    }
    return kept;
}

static size_t elements(const struct block *block, size_t axes)
{
    size_t product = 1;
    for (size_t i = 0; i < axes; i++)
        product *= block->axes[i].count;
    return product;
}

/* nodeset's order: more hosts first, then axis by axis the greater set, the lower first and last number.
 * Numbers are compared as texts there. */
static int compare_blocks(const void *one, const void *other, void *data)
{
    const struct block *a = one, *b = other;
    size_t axes = *(const size_t *)data;
    size_t ea = elements(a, axes), eb = elements(b, axes);
    if (ea != eb)
        return ea > eb ? -1 : 1;
    for (size_t i = 0; i < axes; i++) {
        const struct set *sa = &a->axes[i], *sb = &b->axes[i];
        if (sa->count != sb->count)
            return sa->count > sb->count ? -1 : 1;
        int r = strcmp(sa->texts[0], sb->texts[0]);
        if (r == 0)
            r = strcmp(sa->texts[sa->count - 1], sb->texts[sb->count - 1]);
        if (r)
            return r;
    }
    return 0;
}

static void put_block(struct folding *folding, const char *pattern, const struct block *block)
{
    size_t axis = 0;
    if (folding->out.len)
        bytes_append(&folding->out, ",", 1);
    for (const char *at = pattern; *at; at++) {
        if (block && *at == NUMBER && axis < MOST_NUMBERS)
            put_set(&folding->out, &block->axes[axis++]);
        else
            bytes_append(&folding->out, at, 1);
    }
}

/* Names with the same pattern. */
static void fold_pattern(struct folding *folding, struct name *names, size_t count)
{
    size_t axes = names[0].count, nblocks = 0;
    if (axes == 0) {
        put_block(folding, names[0].pattern, NULL);
        return;
    }
    struct block *blocks = mem_alloc(count, sizeof(*blocks));
    for (size_t i = 0; i < count; i++) {
        if (i && compare_names(&names[i - 1], &names[i]) == 0)
            continue;
        for (size_t axis = 0; axis < axes; axis++)
            blocks[nblocks].axes[axis] = (struct set){ &names[i].numbers[axis], 1, 1 };
        nblocks++;
    }
    if (axes == 1) { /* all are in one set: no need to look at pairs */
        const char **texts = arena_alloc(folding->arena, nblocks, sizeof(*texts));
        for (size_t i = 0; i < nblocks; i++)
            texts[i] = blocks[i].axes[0].texts[0];
        blocks[0].axes[0] = (struct set){ texts, nblocks, nblocks };
        nblocks = 1;
    }
    for (size_t before = 0; nblocks > 1 && before != nblocks;) {
        before = nblocks;
        for (size_t axis = axes; axis-- > 0;)
            nblocks = merge_axis(folding, blocks, nblocks, axis, axes);
    }
    qsort_r(blocks, nblocks, sizeof(*blocks), compare_blocks, &axes);
    for (size_t i = 0; i < nblocks; i++)
        put_block(folding, names[0].pattern, &blocks[i]);
    free(blocks);
}

char *nodeset_fold(const char *const *names, size_t count)
{
    struct folding folding = { .arena = arena_new() };
    struct name *all = mem_alloc(count ? count : 1, sizeof(*all));
    for (size_t i = 0; i < count; i++)
        all[i] = split(&folding, names[i]);
    qsort(all, count, sizeof(*all), compare_names);
    bytes_append(&folding.out, "", 0);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(all[i].pattern, all[end].pattern) == 0;)
            end++;
        fold_pattern(&folding, &all[i], end - i);
    }
    free(all);
    arena_free(folding.arena);
    return folding.out.data;
}

/* -- a stream of objects ------------------------------------------------------------------------------- */

/* Drops the unfinished object, and reports that once. */
static void damaged(struct split *split, const char *what)
{
    split->fault(split->data, split->depth ? split->first : split->line + 1, what);
    split->text.len = 0;
    split->depth = 0;
    split->string = split->escaped = false;
    split->name_len = 0;
}

static void begin(struct split *split)
{
    size_t len = split->name_len; /* "h3: " */
    while (len && (split->name[len - 1] == ' ' || split->name[len - 1] == ':'))
        len--;
    split->name[len] = '\0';
    split->first = split->line + 1;
    split->depth = 1;
    split->text.len = 0;
    bytes_append(&split->text, "{", 1);
}

/* Outside any object. */
static void between(struct split *split, char c)
{
    if (c == '\n') {
        if (split->name_len && !split->skipping)
            damaged(split, "no facts: 'roce facts' prints them as one JSON object");
        split->name_len = 0;
        split->skipping = false;
    } else if (split->skipping || (split->name_len == 0 && (c == ' ' || c == '\t' || c == '\r'))) {
        return;
    } else if (c == '{' && (split->name_len == 0 || split->name[split->name_len - 1] == ' ' ||
                            split->name[split->name_len - 1] == ':')) {
        begin(split);
    } else if (split->name_len + 1 < SPLIT_NAME && (unsigned char)c > 0x1f) {
        split->name[split->name_len++] = c;
    } else {
        damaged(split, "no facts: 'roce facts' prints them as one JSON object");
        split->skipping = true;
    }
}

static void within(struct split *split, char c)
{
    bytes_append(&split->text, &c, 1);
    if (split->string) {
        if (c == '\n')
            damaged(split, "it ends within a string: cut off, or damaged");
        else if (split->escaped)
            split->escaped = false;
        else if (c == '\\')
            split->escaped = true;
        else if (c == '"')
            split->string = false;
    } else if (c == '"') {
        split->string = true;
    } else if (c == '{' || c == '[') {
        split->depth++;
    } else if ((c == '}' || c == ']') && --split->depth == 0) {
        split->object(split->data, split->text.data, split->text.len, split->first, split->name);
        split->text.len = 0;
        split->name_len = 0;
    }
}

/* Does this line start a new host's facts although an object is open? Then that one was cut off; no line within
 * valid facts looks like this. */
static bool begins_anew(const char *text, size_t len)
{
    static const char start[] = "{\"version\"";
    return len >= sizeof(start) - 1 && memcmp(text, start, sizeof(start) - 1) == 0;
}

/* The length of an object's text up to the next quote, bracket or end of line. */
static size_t plain(const struct split *split, const char *text, size_t len)
{
    const char *ends = split->string ? "\"\\\n" : "\"\n{}[]";
    size_t i = 0;
    while (!split->escaped && i < len && (!text[i] || !strchr(ends, text[i])))
        i++;
    return i;
}

void split_feed(struct split *split, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (split->depth) {
            size_t run = plain(split, text + i, len - i);
            bytes_append(&split->text, text + i, run);
            i += run;
            if (split->text.len > split->most) {
                damaged(split, "more bytes than the facts of any host take");
                split->skipping = true;
            }
            if (i == len)
                break;
        }
        if (text[i] == '\n') {
            if (split->depth && begins_anew(text + i + 1, len - i - 1))
                damaged(split, "it ends too soon: cut off, or damaged");
            if (split->depth)
                within(split, '\n');
            else
                between(split, '\n');
            split->line++;
        } else if (split->depth) {
            within(split, text[i]);
        } else {
            between(split, text[i]);
        }
    }
}

void split_end(struct split *split)
{
    if (split->depth)
        damaged(split, "it ends too soon: cut off, or damaged");
    else if (split->name_len && !split->skipping)
        damaged(split, "no facts: 'roce facts' prints them as one JSON object");
    bytes_free(&split->text);
}
