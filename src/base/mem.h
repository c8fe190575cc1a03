/* SPDX-License-Identifier: MIT */
/* Memory: an arena that lives as long as a host, and byte buffers. Running out of memory ends the program
 * with status 2. */
#pragma once

/* Call once, before anything else: makes free() return large blocks to the system. By default glibc raises its
 * threshold for "large" with each one freed, so arrays that grow later would leave their old blocks
 * behind: 6 of 20 MiB after reading a recording of 10,000 queue pairs. */
void mem_begin(void);
/* For a program that serves many clients: sets size bytes aside, which the functions below use when memory runs
 * out, so that work already begun can finish. Returns true if they are set aside; if false, begin nothing new.
 * Any thread may call it. */
bool mem_reserve(size_t size);
/* Never NULL; zeroed. Caller frees it with free(). */
void *mem_alloc(size_t count, size_t size);
/* Never NULL; the new part is not initialised. count*size is checked for overflow. */
void *mem_resize(void *old, size_t count, size_t size);
char *mem_strdup(const char *text);
/* A new string; caller frees it. */
char *mem_printf(const char *format, ...) PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *format, va_list args) PRINTF_LIKE(1, 0);

/* What regcomp(3) and regexec(3) returned: true for 0. Running out of memory is REG_ESPACE. */
bool mem_regex(int result);

/* Everything allocated from an arena is freed at once, with it. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);                              /* NULL is fine */
void *arena_alloc(struct arena *arena, size_t count, size_t size); /* zeroed, aligned for any type */
char *arena_strdup(struct arena *arena, const char *text);         /* NULL gives NULL */
char *arena_strndup(struct arena *arena, const char *text, size_t len);
/* A copy of a text that was allocated otherwise, and is freed; NULL gives NULL. */
char *arena_take(struct arena *arena, char *text);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* From now on all arenas together get at most so many bytes: who wants more ends the program with this sentence
 * and status 2. */
void arena_limit(size_t most, const char *sentence);

/* Grows an array that lives in an arena by one zeroed element and returns it; *items moves if it must. */
void *arena_push_size(struct arena *arena, void **items, size_t *count, size_t size);
#define ARENA_PUSH(arena, items, count) \
    ((__typeof__(*(items)) *)arena_push_size((arena), (void **)&(items), &(count), sizeof(*(items))))

/* The same for an array that may have thousands of elements: its old memory is freed, so nobody may keep a
 * pointer into it while it grows. */
void *arena_push_many_size(struct arena *arena, void **items, size_t *count, size_t size);
#define ARENA_PUSH_MANY(arena, items, count) \
    ((__typeof__(*(items)) *)arena_push_many_size((arena), (void **)&(items), &(count), sizeof(*(items))))

/* A growing buffer of bytes; data is NUL-terminated after len and never NULL after the first append. */
struct bytes {
    char *data;
    size_t len;
    size_t size;
};
void bytes_append(struct bytes *bytes, const void *data, size_t len);
void bytes_printf(struct bytes *bytes, const char *format, ...) PRINTF_LIKE(2, 3);
/* Two digits a byte, with a colon between groups of so many (0: none). */
void bytes_put_hex(struct bytes *bytes, const void *data, size_t len, size_t group);
char *arena_hex(struct arena *arena, const void *data, size_t len, size_t group); /* the same in an arena */
void bytes_free(struct bytes *bytes); /* leaves it empty and usable */

/* Whole open files, unlike read() and write(): file.c. */

/* Appends the rest of the file to text. Stops soon after most bytes (text is longer then). 0 or -errno. */
int file_read(int fd, size_t most, struct bytes *text);
/* Returns 0, or -errno, when part of it may have been written. */
int file_write(int fd, const void *data, size_t len);
