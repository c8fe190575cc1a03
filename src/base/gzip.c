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
        stream->next_out = (Bytef *)piece;
        stream->avail_out = sizeof(piece);
        r = step(stream, Z_FINISH);
        bytes_append(out, piece, sizeof(piece) - stream->avail_out);
        if (r == Z_BUF_ERROR && stream->avail_out == 0) /* it needs another piece */
            r = Z_OK;
    }
    return r;
}

int gzip_unpack(const struct bytes *packed, size_t most, struct bytes *text)
{
    z_stream stream = { .next_in = (Bytef *)packed->data, .avail_in = (uInt)packed->len };
    if (packed->len > UINT_MAX || inflateInit2(&stream, WINDOW + GZIP) != Z_OK)
        return -ENOMEM;
    int r;
    do
        r = pump(&stream, inflate, most, text);
    while (r == Z_STREAM_END && stream.avail_in && inflateReset(&stream) == Z_OK);
    inflateEnd(&stream);
    return r == Z_STREAM_END || text->len > most ? 0 : -EBADMSG;
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

/* What a byte stands for that is no text: embed.awk's shortened(). NULL: itself. */
static const char *phrase_of(const char *const phrases[PHRASES], unsigned char byte)
{
    if (byte >= 128)
        return phrases[byte - 128];
    return byte >= ' ' || (byte >= '\t' && byte <= '\r') ? NULL : phrases[byte + (byte < '\t' ? 127 : 122)];
}

static char *spell_out(const struct bytes *shortened)
{
#define PHRASE(text) text "\0"
    const char *phrase = PACKED_PHRASES(PHRASE), *phrases[PHRASES];
    for (size_t i = 0; i < PHRASES; i++, phrase += strlen(phrase) + 1)
        phrases[i] = phrase;
    size_t len = 0;
    for (size_t i = 0; i < shortened->len; i++)
        len += (phrase = phrase_of(phrases, (unsigned char)shortened->data[i])) ? strlen(phrase) : 1;
    char *text = mem_alloc(len + 1, 1), *to = text;
    for (size_t i = 0; i < shortened->len; i++)
        if ((phrase = phrase_of(phrases, (unsigned char)shortened->data[i])))
            to = stpcpy(to, phrase);
        else
            *to++ = shortened->data[i];
    return text;
}

char *gzip_embedded(const unsigned char *data, size_t size, const char *what)
{
    const struct bytes packed = { .data = (char *)data, .len = size };
    struct bytes shortened = { 0 };
    int r = gzip_unpack(&packed, SIZE_MAX - 1, &shortened);
    if (r < 0)
        say_die("cannot unpack %s: %s", what, say_errno(r));
    char *text = spell_out(&shortened);
    bytes_free(&shortened);
    return text;
}

static const char **unpack_lines(void)
{
    char *at = gzip_embedded(lines_packed, lines_packed_size, "the prose");
    size_t count = 0;
    for (const char *line = at; (line = strchr(line, '\n')); line++)
        count++;
    const char **lines = mem_alloc(count + 1, sizeof(*lines));
    for (size_t i = 0; i < count; i++) {
        lines[i] = at;
        at = strchr(at, '\n');
        *at++ = '\0';
    }
    return lines;
}

const char *packed_line(unsigned number)
{
    static const char **lines;
    if (!number)
        return NULL;
    lines = lines ? lines : unpack_lines();
    return lines[number - 1];
}
