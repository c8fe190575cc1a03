/* SPDX-License-Identifier: MIT */
/* Text: numbers, order, distance, and making untrusted bytes safe to show. */
#pragma once

/* Reads all of text (blanks and one newline around it are allowed) as an unsigned number in base (0: by
 * prefix). Returns 0, -EINVAL (not a number) or -ERANGE. */
int text_to_u64(const char *text, int base, uint64_t *value);
int text_to_i64(const char *text, int base, int64_t *value);
/* Writes a number, of at most 20 digits, without a zero behind it, and returns its end: what printf does, where
 * there are many. */
char *text_put_u64(char *at, uint64_t value);
/* A number of bytes: "512", "64k", "8m", "2G". Returns as text_to_u64() does. */
int text_to_size(const char *text, uint64_t *bytes);
/* Reads len characters, two hexadecimal digits a byte, with a colon between groups of so many bytes (0: none).
 * Returns how many bytes; 0: it is none of that, or more than most. */
size_t text_to_bytes(const char *text, size_t len, size_t group, uint8_t *bytes, size_t most);
/* The value of a digit, whose letters may be of either case; -1: it is none in that base (at most 16). */
int text_digit(char c, int base);

/* Trims blanks and newlines from the end, in place; returns text. */
char *text_trim(char *text);
/* Removes terminal escape sequences (colours, titles) from the len bytes at text. Returns the new length. */
size_t text_drop_escapes(char *text, size_t len);
/* Is text the same as word? False for NULL. */
bool text_is(const char *text, const char *word);
bool text_same(const char *a, const char *b);           /* both may be NULL */
bool text_starts(const char *text, const char *prefix); /* false for NULL */
bool text_ends(const char *text, const char *suffix);
/* Is word one of the comma-separated words of list? */
bool text_in_list(const char *list, const char *word);
/* The same, ignoring case, with another separator. */
bool text_in_list_fold(const char *list, char separator, const char *word);
/* Is word one of the comma-separated names (may be NULL), as people write them: case, blanks, dashes,
 * underscores and a last s aside? */
bool text_is_named(const char *names, const char *word);
/* The item at *list (may be NULL), which then moves past it and the separator; NULL if there are no more. */
const char *text_next_item(const char **list, char separator, size_t *len);
const char *text_next_line(const char *line); /* where the next line begins, or the text ends */
/* Is there a list (not NULL), but without a word: "" or ","? */
bool text_list_is_empty(const char *list);

/* Does name match pattern? A shell pattern, in which [0-15] and [1,4-7] may also be ranges of numbers, as
 * cluster tools write them: rail[0-15]. */
bool text_matches(const char *pattern, const char *name);
bool text_is_pattern(const char *text); /* does it contain a wildcard? */

/* Version order: mlx5_2 before mlx5_10. For qsort-like use: <0, 0, >0. */
int text_version_compare(const char *a, const char *b);
bool text_is_word_char(char c); /* of names in C: letters, digits, _ */
/* Edits (insert, delete, change, swap of neighbours) that turn a into b. */
size_t text_distance(const char *a, const char *b);

/* The pairs of bytes that texts have, hashed. Where one of a word's is missing, the word isn't there: found out
 * sooner than by looking for the word, where there are many words. */
struct text_pairs {
    uint64_t bits[64];
};
static inline unsigned text_pair(char a, char b)
{
    return ((unsigned)(unsigned char)a << 4 ^ (unsigned char)b) % (64 * 64);
}
static inline bool text_pairs_have(const struct text_pairs *pairs, char a, char b)
{
    return pairs->bits[text_pair(a, b) / 64] >> text_pair(a, b) % 64 & 1;
}
void text_pairs_add(struct text_pairs *pairs, const char *text, size_t len);
bool text_pairs_may_spell(const struct text_pairs *pairs, const char *word);

/* The nearest of count words, or NULL if none is near enough to be what was meant. get(i, data) gives word
 * i. */
const char *text_nearest(const char *word, size_t count, const char *(*get)(size_t i, const void *data),
                         const void *data);

enum text_clean_mode { TEXT_ONE_LINE, TEXT_KEEP_NEWLINES };
/* A copy (caller frees it) fit for a terminal, JSON or metrics: valid UTF-8 stays, control characters (C0, DEL,
 * C1, bidirectional and invisible formatting) and invalid bytes become \xNN text. NULL gives NULL. */
char *text_clean(const char *text, enum text_clean_mode mode);
/* The same of one line in an arena, with at most so many bytes. */
const char *text_clean_copy(struct arena *arena, const char *text, size_t most);
/* Does a shell read text as one word, with nothing in it to expand or run? False for "". */
bool text_is_shell_word(const char *text);
/* A copy (caller frees it) that a shell reads as this one word: as is, in '…', or, if it needs cleaning, in
 * $'…', which bash, zsh and ksh know. Anything shown for pasting goes through here. */
char *text_shell(const char *text);
/* Does text need cleaning? */
bool text_is_clean(const char *text);
/* The size in bytes of the first character of text; 0 if it needs cleaning, or the text ends here. */
size_t text_clean_length(const char *text);
/* Columns a terminal needs for clean UTF-8 text (wide East Asian letters take 2, combining marks 0). */
size_t text_width(const char *text);
/* The length in bytes of the longest prefix of text that fits in width columns. */
size_t text_prefix(const char *text, size_t width);

/* Folding text into lines. */

/* How many bytes of clean text go on its first line, given width columns (0: all of them): up to the last blank
 * that fits; or, if a word is wider, up to the last slash, comma or bar in it that fits, else to the next
 * blank. *rest is where the next line begins. */
size_t fold_line(const char *text, size_t width, const char **rest);

/* How many bytes of clean text to show in width columns; *end is what to put after them: an ellipsis if it had
 * to be cut, else "". */
size_t fold_cut(const char *text, size_t width, const char **end);

/* A copy of clean text folded to width columns (0: as is), with all but the first line of each paragraph
 * indented; caller frees it. Newlines stay. */
char *fold_text(const char *text, size_t width, size_t indent);
