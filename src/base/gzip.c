/* SPDX-License-Identifier: MIT */
/* Text that is packed with gzip, by zlib. */
#include "base/gzip.h"
#include "lists.h"

#include <zlib.h>

enum { WINDOW = 15, GZIP = 16, PIECE = 1 << 16, BEST = 8 };

bool gzip_is(const struct bytes *packed)
{
    return packed->len >= 2 && memcmp(packed->data, "\x1f\x8b", 2) == 0;
}

/* Packs or unpacks until there is no more, or more than most bytes are there. The last answer of zlib. */
static int pump(z_stream *stream, int step(z_stream *, int), size_t most, struct bytes *out)
{
    char piece[PIECE];
    int r = Z_OK;
    while (r == Z_OK && out->len <= most) {
        const size_t room = most - out->len < sizeof(piece) ? most - out->len + 1 : sizeof(piece);
        stream->next_out = (Bytef *)piece;
        stream->avail_out = (uInt)room;
        r = step(stream, Z_FINISH);
        bytes_append(out, piece, room - stream->avail_out);
        if (r == Z_BUF_ERROR && stream->avail_out == 0) /* it needs another piece */
            r = Z_OK;
    }
    return r;
}

int gzip_unpack_next(const struct bytes *packed, size_t *at, size_t most, struct bytes *text)
{
    static const char head[] = "\x1f\x8b\x08"; /* gzip's mark, and the only method there is */
    z_stream stream = { .next_in = (Bytef *)packed->data + *at, .avail_in = (uInt)(packed->len - *at) };
    if (packed->len > UINT_MAX || inflateInit2(&stream, WINDOW + GZIP) != Z_OK)
        return -ENOMEM;
    int r = pump(&stream, inflate, most, text);
    size_t end = packed->len - stream.avail_in;
    inflateEnd(&stream);
    if (r == Z_STREAM_END) {
        *at = end;
        return 0;
    }
    const char *next = memmem(packed->data + *at + 1, packed->len - *at - 1, head, strlen(head));
    *at = next ? (size_t)(next - packed->data) : packed->len;
    return -EBADMSG;
}

int gzip_unpack(const struct bytes *packed, size_t most, struct bytes *text)
{
    int r = 0;
    for (size_t at = 0; r == 0 && at < packed->len && text->len <= most;)
        r = gzip_unpack_next(packed, &at, most, text);
    return text->len > most ? 0 : r;
}

int gzip_pack(const struct bytes *text, struct bytes *packed)
{
    z_stream stream = { .next_in = (Bytef *)text->data, .avail_in = (uInt)text->len };
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW + GZIP, BEST, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return -ENOMEM;
    pump(&stream, deflate, SIZE_MAX, packed);
    deflateEnd(&stream);
    return 0;
}

enum { PHRASES = 154 };

/* Most bytes, or more, of what the build packed, not yet spelt out; ends the program if that can't be unpacked.
 */
static struct bytes unpack_embedded(const unsigned char *data, size_t size, size_t most, const char *what)
{
    const struct bytes packed = { .data = (char *)data, .len = size };
    struct bytes shortened = { 0 };
    int r = gzip_unpack(&packed, most, &shortened);
    if (r < 0)
        say_die("cannot unpack %s: %s", what, say_errno(r));
    return shortened;
}

/* A byte that is no text stands for a phrase, as embed.awk's shortened() has it. For the caller to free. */
static char *spell_out(const char *shortened, size_t size)
{
#define PHRASE(text) text "\0"
    const char *phrase = PACKED_PHRASES(PHRASE);
    struct {
        const char *phrase; /* NULL: the byte is itself */
        size_t len;
    } of[256];
    for (size_t i = 0; i < 256; i++)
        of[i].phrase = NULL, of[i].len = 1;
    for (size_t i = 0; i < PHRASES; i++, phrase += strlen(phrase) + 1) {
        size_t byte = i < 128 ? i + 128 : i < 136 ? i - 127 : i - 122;
        of[byte].phrase = phrase, of[byte].len = strlen(phrase);
    }
    size_t len = 0;
    for (size_t i = 0; i < size; i++)
        len += of[(unsigned char)shortened[i]].len;
    char *text = mem_alloc(len + 1, 1), *to = text;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)shortened[i];
        if (of[byte].phrase)
            to = mempcpy(to, of[byte].phrase, of[byte].len);
        else
            *to++ = (char)byte;
    }
    return text;
}

char *gzip_embedded(const unsigned char *data, size_t size, const char *what)
{
    struct bytes shortened = unpack_embedded(data, size, SIZE_MAX - 1, what);
    char *text = spell_out(shortened.data, shortened.len);
    bytes_free(&shortened);
    return text;
}

struct line {
    const char *shortened;
    size_t size;
    const char *text; /* once it was asked for */
};

/* Those of the packed lines that were unpacked, as long as the program runs. */
struct lines {
    struct line *lines;
    size_t count;
};

/* At least most bytes of them; texts that were asked for before stay. */
static struct lines unpack_lines(size_t most, struct lines before)
{
    const struct bytes all = unpack_embedded(lines_packed, lines_packed_size, most, "the prose");
    struct lines now = { .count = 0 };
    for (size_t i = 0; i < all.len; i++)
        now.count += all.data[i] == '\n';
    now.lines = mem_alloc(now.count + 1, sizeof(*now.lines));
    const char *at = all.data;
    for (size_t i = 0; i < now.count; i++, at++) {
        now.lines[i] = (struct line){ .shortened = at,
                                      .size = strcspn(at, "\n"),
                                      .text = i < before.count ? before.lines[i].text : NULL };
        at += now.lines[i].size;
    }
    if (before.count)
        free((char *)before.lines[0].shortened);
    free(before.lines);
    return now;
}

const char *packed_line(unsigned number)
{
    static struct lines known;
    if (!number)
        return NULL;
    if (number > known.count)
        known = unpack_lines(number <= lines_first ? lines_first_size : SIZE_MAX - 1, known);
    struct line *line = &known.lines[number - 1];
    line->text = line->text ? line->text : spell_out(line->shortened, line->size);
    return line->text;
}
