/* SPDX-License-Identifier: MIT */
/* What strangers say: the handshake of serve and ping, requests for metrics, lines of logs. */
#include "target.h"

#include "explain/knowledge.h"
#include "model/selection.h"
#include "selftest/peer/protocol.h"
#include "view/metrics/metrics.h"

/* The handshake of serve and ping: any bytes. What is understood is written and read again to the same. */

TARGET(handshake)
{
    static struct wire_message message, again;
    static uint8_t bytes[WIRE_HEADER_SIZE + WIRE_BODY_MOST], more[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
    enum wire_type type;
    size_t length;

    if (size < WIRE_HEADER_SIZE || wire_decode_header(data, &type, &length) < 0)
        return 0;
    if (length > size - WIRE_HEADER_SIZE || wire_decode(type, data + WIRE_HEADER_SIZE, length, &message) < 0)
        return 0;
    int first = wire_encode(&message, bytes, sizeof(bytes));
    if (first < 0 || wire_decode_header(bytes, &type, &length) < 0 ||
        wire_decode(type, bytes + WIRE_HEADER_SIZE, length, &again) < 0)
        abort();
    int second = wire_encode(&again, more, sizeof(more));
    if (first != second || memcmp(bytes, more, (size_t)first) != 0)
        abort();
    if ((size_t)first != WIRE_HEADER_SIZE + length)
        abort();
    return 0;
}

/* A stranger's HTTP request for metrics: what is taken of it, and that the answer is one, whatever it was. */

static void must(bool so)
{
    if (!so)
        abort();
}

/* A head is what ends with the first blank line, however it came in. */
static size_t head_length(const char *text, size_t size)
{
    size_t len = http_head_length(text, size);
    must(len <= size);
    must(!len || text[len - 1] == '\n');
    for (size_t part = 0; part < len; part += 1 + part / 8)
        must(http_head_length(text, part) == 0);
    must(!len || http_head_length(text, len) == len);
    return len;
}

static void check_answer(const struct http_request *request, const struct bytes *page)
{
    struct bytes out = { 0 };
    char status[16], length[48];
    http_answer(&out, request, page);
    snprintf(status, sizeof(status), "HTTP/1.1 %u ", request->status);
    snprintf(length, sizeof(length), "\r\nContent-Length: %zu\r\n", page->len);
    must(strncmp(out.data, status, strlen(status)) == 0);
    must(strstr(out.data, "\r\nContent-Type: ") != NULL);
    must(request->status != 200 || strstr(out.data, length));
    const char *body = strstr(out.data, "\r\n\r\n");
    must(body != NULL);
    must(!request->head || body[4] == '\0');
    must(request->status != 200 || request->head || memcmp(body + 4, page->data, page->len) == 0);
    bytes_free(&out);
}

TARGET(http)
{
    static const unsigned statuses[] = { 200, 400, 404, 405, 505 };
    struct bytes page = { 0 };
    char *text = malloc(size + !size);
    memcpy(text, data, size);
    size_t len = head_length(text, size);
    if (len) {
        char *head = malloc(len); /* exactly so long: what reads on is seen */
        memcpy(head, text, len);
        struct http_request request = http_parse(head, len);
        bool known = false;
        for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
            known |= request.status == statuses[i];
        must(known);
        bytes_append(&page, "a 1\n", 4);
        check_answer(&request, &page);
        bytes_free(&page);
        free(head);
    }
    free(text);
    return 0;
}

/* Lines of logs: which message one is, what it comes to, and what of a host it names. Any bytes. */

static struct gid gids[] = {
    { .index = 1, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2 },
    { .index = 3, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .type = GID_TYPE_ROCE_V2 }
};
static struct port ports[] = { { .number = 1, .netdev = "ens1", .gids = gids, .ngids = 2 },
                               { .number = 2, .netdev = "ens2" } };
static struct device device = { .name = "mlx5_0", .ports = ports, .nports = 2, .pci = "0000:41:00.0" };

TARGET(line)
{
    const struct host host = { .devices = &device, .ndevices = 1 };
    struct mention mentions[MENTIONS_MOST];
    struct reading reading;
    struct answer answer;
    ports[0].device = ports[1].device = &device;
    char *line = malloc(size ? size : 1); /* exactly as long, so that a byte too far is seen */
    if (size)
        memcpy(line, data, size);
    if (line_read(line, size, &reading)) {
        reading_answer(&reading, &answer);
        if (!answer.means && reading.status < 0)
            abort();
        if (reading.status >= 0 && !wc_name(reading.status))
            abort();
    }
    struct arena *arena = arena_new();
    size_t count = mention_find(&host, line, size, arena, mentions);
    for (size_t i = 0; i < count; i++)
        if (!mentions[i].text || (mentions[i].port && mentions[i].port->device != mentions[i].device))
            abort();
    arena_free(arena);
    free(line);
    return 0;
}
