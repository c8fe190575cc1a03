/* SPDX-License-Identifier: MIT */
/* Arenas, byte buffers, and the reserve for when memory runs out. */
#include <malloc.h>
#include <pthread.h>
#include <regex.h>
#include <stdalign.h>

enum { CHUNK = 16 * 1024, LARGE = 128 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    alignas(max_align_t) char data[];
};

struct arena {
    struct chunk *chunks;
};

static struct {
    size_t most, taken; /* most: 0: no limit */
    const char *sentence;
} limit;

/* Doesn't use say.c, which needs memory for its messages. */
static _Noreturn void end(const char *message)
{
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(2);
    exit(2);
}

static _Noreturn void out_of_memory(void)
{
    end("roce: out of memory\n");
}

void arena_limit(size_t most, const char *sentence)
{
    limit.most = most;
    limit.sentence = sentence;
}

static void take(size_t bytes)
{
    size_t taken = __atomic_add_fetch(&limit.taken, bytes, __ATOMIC_RELAXED);
    if (limit.most && taken > limit.most)
        end(limit.sentence);
}

static void *or_die(void *pointer)
{
    if (!pointer)
        out_of_memory();
    return pointer;
}

static struct {
    pthread_mutex_t lock;
    void *kept;
    bool wanted; /* ever reserved */
} spare = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* May the caller try again? Also true for one that waited here while another gave up the reserve. */
static bool give_up_spare(void)
{
    pthread_mutex_lock(&spare.lock);
    free(spare.kept);
    spare.kept = NULL;
    bool wanted = spare.wanted;
    pthread_mutex_unlock(&spare.lock);
    return wanted;
}

bool mem_reserve(size_t size)
{
    pthread_mutex_lock(&spare.lock);
    spare.wanted = true;
    if (!spare.kept)
        spare.kept = malloc(size);
    bool kept = spare.kept;
    pthread_mutex_unlock(&spare.lock);
    return kept;
}

void mem_begin(void)
{
#ifdef M_MMAP_THRESHOLD /* other C libraries do it their own way */
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* At least 1, so that a request for nothing also gets a block that can be freed as usual. */
static size_t bytes_of(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count ? count : 1, size ? size : 1, &bytes))
        out_of_memory();
    return bytes;
}

void *mem_alloc(size_t count, size_t size)
{
    size_t bytes = bytes_of(count, size);
    void *pointer = calloc(1, bytes);
    if (!pointer && give_up_spare())
        pointer = calloc(1, bytes);
    return or_die(pointer);
}

void *mem_resize(void *old, size_t count, size_t size)
{
    size_t bytes = bytes_of(count, size);
    void *pointer = realloc(old, bytes);
    if (!pointer && give_up_spare())
        pointer = realloc(old, bytes);
    return or_die(pointer);
}

bool mem_regex(int result)
{
    if (result == REG_ESPACE)
        out_of_memory();
    return result == 0;
}

char *mem_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size, 1), text, size);
}

struct arena *arena_new(void)
{
    return mem_alloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct chunk *c = arena->chunks, *next; c; c = next) {
        next = c->next;
        __atomic_sub_fetch(&limit.taken, c->size, __ATOMIC_RELAXED);
        free(c);
    }
    free(arena);
}

static size_t rounded(size_t bytes)
{
    return (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        out_of_memory();
    bytes = rounded(bytes);
    struct chunk *c = arena->chunks;
    if (!c || c->size - c->used < bytes) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        take(room);
        c = mem_alloc(1, sizeof(*c) + room);
        c->size = room;
        c->next = arena->chunks;
        arena->chunks = c;
    }
    void *result = c->data + c->used;
    c->used += bytes;
    return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1, 1);
    memcpy(copy, text, len);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

char *arena_take(struct arena *arena, char *text)
{
    char *own = arena_strdup(arena, text);
    free(text);
    return own;
}

char *mem_vprintf(const char *format, va_list args)
{
    char *text = NULL;
    va_list again;
    va_copy(again, args);
    int n = vasprintf(&text, format, args);
    if (n < 0 && give_up_spare())
        n = vasprintf(&text, format, again);
    va_end(again);
    if (n < 0)
        out_of_memory();
    return text;
}

char *mem_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    return text;
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    char some[256]; /* most fit */
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(some, sizeof(some), format, args);
    char *text = NULL;
    if (n >= 0 && (size_t)n < sizeof(some)) {
        text = arena_strndup(arena, some, (size_t)n);
    } else {
        char *whole = mem_vprintf(format, again);
        text = arena_strdup(arena, whole);
        free(whole);
    }
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

/* Is the array the arena's latest allocation, with room for as much again after it? If so, takes that room. */
static bool grow_in_place(struct arena *arena, const void *items, size_t bytes)
{
    struct chunk *c = arena->chunks;
    size_t kept = rounded(bytes), more = rounded(bytes * 2) - kept;
    if (!c || c->used < kept || c->data + c->used - kept != (const char *)items || c->size - c->used < more)
        return false;
    c->used += more;
    return true;
}

/* A copy of a full array with twice its room; for the first element, room for one. */
static void *doubled(struct arena *arena, const void *items, size_t count, size_t size)
{
    void *grown = arena_alloc(arena, count ? count * 2 : 1, size);
    return count ? memcpy(grown, items, count * size) : grown;
}

void *arena_push_size(struct arena *arena, void **items, size_t *count, size_t size)
{
    /* full at every power of two, so the capacity needn't be stored */
    if ((*count & (*count - 1)) == 0 && !(*count && grow_in_place(arena, *items, *count * size)))
        *items = doubled(arena, *items, *count, size);
    return (char *)*items + size * (*count)++;
}

/* Takes the chunk that holds only the block at data out of the arena; NULL if there is no such chunk. */
static struct chunk *take_own_chunk(struct arena *arena, const void *data, size_t bytes)
{
    struct chunk **link = &arena->chunks;
    while (*link && (const void *)(*link)->data != data)
        link = &(*link)->next;
    struct chunk *chunk = *link;
    if (!chunk || chunk->size != rounded(bytes))
        return NULL;
    *link = chunk->next;
    return chunk;
}

/* Puts it back first in the list, with a new size. */
static void put_chunk(struct arena *arena, struct chunk *chunk, size_t bytes)
{
    struct chunk *next = arena->chunks;
    take(rounded(bytes) - chunk->size);
    arena->chunks = mem_resize(chunk, sizeof(*chunk) + rounded(bytes), 1);
    arena->chunks->size = arena->chunks->used = rounded(bytes);
    arena->chunks->next = next;
}

void *arena_push_many_size(struct arena *arena, void **items, size_t *count, size_t size)
{
    if ((*count & (*count - 1)) == 0) {
        struct chunk *own = *count ? take_own_chunk(arena, *items, *count * size) : NULL;
        if (own)
            put_chunk(arena, own, *count * size * 2); /* no array takes half of all addresses */
        *items = own ? arena->chunks->data : doubled(arena, *items, *count, size);
    }
    return memset((char *)*items + size * (*count)++, 0, size);
}

static void reserve(struct bytes *bytes, size_t more)
{
    size_t need = bytes->len + more + 1;
    if (need <= bytes->size)
        return;
    size_t size = bytes->size ? bytes->size : 256;
    while (size < need)
        size *= 2;
    bytes->data = mem_resize(bytes->data, size, 1);
    bytes->size = size;
}

void bytes_put_hex(struct bytes *bytes, const void *data, size_t len, size_t group)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *raw = data;
    for (size_t i = 0; i < len; i++) {
        const char text[] = { ':', digits[raw[i] >> 4], digits[raw[i] & 15] };
        bool colon = group && i && i % group == 0;
        bytes_append(bytes, text + !colon, 2 + colon);
    }
}

char *arena_hex(struct arena *arena, const void *data, size_t len, size_t group)
{
    struct bytes out = { 0 };
    bytes_append(&out, "", 0);
    bytes_put_hex(&out, data, len, group);
    char *text = arena_strndup(arena, out.data, out.len);
    bytes_free(&out);
    return text;
}

void bytes_append(struct bytes *bytes, const void *data, size_t len)
{
    reserve(bytes, len);
    if (len)
        memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
    bytes->data[bytes->len] = '\0';
}

void bytes_printf(struct bytes *bytes, const char *format, ...)
{
    va_list args;
    reserve(bytes, 0);
    for (;;) { /* if it doesn't fit, print again with enough room */
        size_t room = bytes->size - bytes->len;
        va_start(args, format);
        int n = vsnprintf(bytes->data + bytes->len, room, format, args);
        va_end(args);
        if (n < 0)
            out_of_memory();
        if ((size_t)n < room) {
            bytes->len += (size_t)n;
            return;
        }
        reserve(bytes, (size_t)n);
    }
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){ 0 };
}
