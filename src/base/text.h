/* SPDX-License-Identifier: MIT */
/* Text: numbers, order, distance, and making untrusted bytes safe to show. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text (blanks and one newline around it allowed) as an unsigned number in base (0: by prefix).
 * 0, or -EINVAL (not a number), -ERANGE. */
int text_to_u64(const char *text, int base, uint64_t *value);
int text_to_i64(const char *text, int base, int64_t *value);

/* Cuts blanks and newlines off the end, in place; returns text. */
char *text_trim(char *text);
/* Takes escape sequences for terminals (colours, titles) out of the len bytes at text. Their new count. */
size_t text_drop_escapes(char *text, size_t len);
/* Is text the same as word? No for NULL. */
bool text_is(const char *text, const char *word);
bool text_starts(const char *text, const char *prefix); /* no for NULL */
bool text_ends(const char *text, const char *suffix);
/* Is word one of the comma-separated words of list? */
bool text_in_list(const char *list, const char *word);
/* The same, upper or lower case, with another separator. */
bool text_in_list_fold(const char *list, char separator, const char *word);
/* Is list there (not NULL), but no word in it: "" or ","? */
bool text_list_is_empty(const char *list);

/* Is name what pattern describes? A shell's pattern, where [0-15] and [1,4-7] may also be a range of numbers,
 * as cluster tools write them: rail[0-15]. */
bool text_matches(const char *pattern, const char *name);
bool text_is_pattern(const char *text); /* has it something in it that stands for other text? */

/* Version order: mlx5_2 before mlx5_10. For qsort-like use: <0, 0, >0. */
int text_version_compare(const char *a, const char *b);
/* Edits (insert, delete, change, swap of neighbours) that turn a into b. */
size_t text_distance(const char *a, const char *b);
/* The nearest of count words, or NULL when none is near enough to be meant. get(i, data) gives word i. */
const char *text_nearest(const char *word, size_t count, const char *(*get)(size_t i, const void *data),
                         const void *data);

enum text_clean_mode { TEXT_ONE_LINE, TEXT_KEEP_NEWLINES };
/* A copy (caller frees) fit for a terminal, JSON or metrics: valid UTF-8 stays, control characters (C0, DEL,
 * C1, bidirectional and invisible formatting) and invalid bytes become \xNN text. NULL gives NULL. */
char *text_clean(const char *text, enum text_clean_mode mode);
/* Does a shell take text for one word as it stands, with nothing in it to expand or to run? No for "". */
bool text_is_shell_word(const char *text);
/* A copy (caller frees) that a shell reads as this one word: as it is, in '…', or where it needs cleaning in
 * $'…', which bash, zsh and ksh know. What is shown to be pasted goes through here. */
char *text_shell(const char *text);
/* Does text need cleaning? */
bool text_is_clean(const char *text);
/* The bytes of the character that text begins with; 0: it needs cleaning, or the text ends here. */
size_t text_clean_length(const char *text);
/* Columns that a terminal needs for clean UTF-8 text (wide East Asian letters are 2, combining marks 0). */
size_t text_width(const char *text);
/* The longest prefix of text that needs no more than width columns, in bytes. */
size_t text_prefix(const char *text, size_t width);

/* Text in lines. */

/* How many bytes of clean text stand on its first line, when that has room for width columns (0: all of
 * them): up to the last blank that fits, or where a word is wider, up to the last slash, comma or bar
 * in it that fits, or to the next blank. *rest is what the next line begins with. */
size_t fold_line(const char *text, size_t width, const char **rest);

/* How many bytes of clean text are shown where width columns are free; *end is what stands behind them: an
 * ellipsis when it had to be cut, else "". */
size_t fold_cut(const char *text, size_t width, const char **end);

/* A copy of clean text in lines of width columns (0: as it is), those behind a paragraph's first one
 * indented; the caller frees it. Newlines stay. */
char *fold_text(const char *text, size_t width, size_t indent);
