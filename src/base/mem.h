/* SPDX-License-Identifier: MIT */
/* Memory: an arena that lives as long as a host, and byte buffers. Running out of memory ends the program
 * with status 2. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* To be called first, once: large blocks are given back to the system when they are freed. glibc raises the
 * size that counts as large with each that is freed, and what grows afterwards would leave its old places
 * behind: 6 of 20 MiB where a recording of 10,000 queue pairs had been read. */
void mem_begin(void);
/* For a program that serves many: keeps so many bytes back, which the functions below take where they find no
 * more, so that what has begun comes to its end. true: they are kept now; false: begin nothing. From any
 * thread. */
bool mem_reserve(size_t size);
/* Never NULL; zeroed. Freed with free(). */
void *mem_alloc(size_t count, size_t size);
/* Never NULL; the new part is not initialised. count*size is checked for overflow. */
void *mem_resize(void *old, size_t count, size_t size);
char *mem_strdup(const char *text);
/* A new string; the caller frees it. */
char *mem_printf(const char *format, ...) PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *format, va_list args) PRINTF_LIKE(1, 0);

/* All that is allocated from an arena is freed at once, with it. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);                              /* NULL is fine */
void *arena_alloc(struct arena *arena, size_t count, size_t size); /* zeroed, aligned for any type */
char *arena_strdup(struct arena *arena, const char *text);         /* NULL gives NULL */
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* Grows an array that lives in an arena by one zeroed element and returns it; *items moves when it has to. */
void *arena_push_size(struct arena *arena, void **items, size_t *count, size_t size);
#define ARENA_PUSH(arena, items, count) \
    ((__typeof__(*(items)) *)arena_push_size((arena), (void **)&(items), &(count), sizeof(*(items))))

/* The same for an array that may have thousands of elements: the memory of its old place is given back, so
 * nobody may keep a pointer into it while it grows. */
void *arena_push_many_size(struct arena *arena, void **items, size_t *count, size_t size);
#define ARENA_PUSH_MANY(arena, items, count) \
    ((__typeof__(*(items)) *)arena_push_many_size((arena), (void **)&(items), &(count), sizeof(*(items))))

/* A growing buffer of bytes; data is NUL-terminated behind len and never NULL after the first append. */
struct bytes {
    char *data;
    size_t len;
    size_t size;
};
void bytes_append(struct bytes *bytes, const void *data, size_t len);
void bytes_printf(struct bytes *bytes, const char *format, ...) PRINTF_LIKE(2, 3);
void bytes_free(struct bytes *bytes); /* leaves it empty and usable */
