/* SPDX-License-Identifier: MIT */
/* Reads a request of HTTP and writes the answer. */
#include "view/metrics/metrics.h"

/* A line ends with CR LF, or, as RFC 9112 lets it, with LF alone. */
size_t http_head_length(const char *text, size_t len)
{
    size_t begin = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\n')
            continue;
        bool blank = i == begin || (i == begin + 1 && text[begin] == '\r');
        if (blank && begin)
            return i + 1;
        begin = i + 1;
    }
    return 0;
}

struct piece {
    const char *at;
    size_t len;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct piece trim(struct piece piece)
{
    while (piece.len && is_blank(*piece.at))
        piece.at++, piece.len--;
    while (piece.len && (is_blank(piece.at[piece.len - 1]) || piece.at[piece.len - 1] == '\r'))
        piece.len--;
    return piece;
}

/* What stands in front of the next separator (or the end), trimmed; rest goes on behind it. false: no more. */
static bool next_piece(struct piece *rest, char separator, struct piece *piece)
{
    if (!rest->at)
        return false;
    const char *end = memchr(rest->at, separator, rest->len);
    size_t len = end ? (size_t)(end - rest->at) : rest->len;
    *piece = trim((struct piece){ rest->at, len });
    rest->len -= end ? len + 1 : len;
    rest->at = end ? end + 1 : NULL;
    return true;
}

static bool is(struct piece piece, const char *word)
{
    return piece.len == strlen(word) && strncasecmp(piece.at, word, piece.len) == 0;
}

static bool is_exactly(struct piece piece, const char *word)
{
    return piece.len == strlen(word) && memcmp(piece.at, word, piece.len) == 0;
}

/* -- what the client takes -------------------------------------------------------------------------------- */

/* "0.75" in thousandths: at most three digits are allowed; anything else is 0. */
static unsigned weight_of(struct piece text)
{
    unsigned weight = 0, unit = 1000;
    for (size_t i = 0; i < text.len && i < 5; i++) {
        if (i == 1 && text.at[i] == '.')
            continue;
        if (text.at[i] < '0' || text.at[i] > '9' || i == 1)
            return 0;
        weight += (unsigned)(text.at[i] - '0') * unit;
        unit /= 10;
    }
    return weight < 1000 ? weight : 1000;
}

struct range {
    struct piece type, version;
    unsigned weight;
};

/* "application/openmetrics-text; version=1.0.0; q=0.5" */
static struct range parse_range(struct piece text)
{
    struct range range = { .weight = 1000 };
    struct piece parameter;
    next_piece(&text, ';', &range.type);
    while (next_piece(&text, ';', &parameter)) {
        struct piece name, value = parameter;
        next_piece(&value, '=', &name);
        value = value.at ? trim(value) : (struct piece){ "", 0 };
        if (is(name, "q"))
            range.weight = weight_of(value);
        else if (is(name, "version"))
            range.version = value;
    }
    return range;
}

static bool has_version(const struct range *range, const char *const versions[static 2])
{
    return !range->version.len || is(range->version, versions[0]) || is(range->version, versions[1]);
}

struct taste {
    unsigned text, openmetrics;
};

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static void add_accept(struct taste *taste, struct piece value)
{
    static const char *const text[] = { "0.0.4", "0.0.4" }, *const openmetrics[] = { "1.0.0", "0.0.1" };
    struct piece piece;
    while (next_piece(&value, ',', &piece)) {
        struct range range = parse_range(piece);
        if (is(range.type, "application/openmetrics-text") && has_version(&range, openmetrics))
            taste->openmetrics = larger(taste->openmetrics, range.weight);
        else if ((is(range.type, "text/plain") && has_version(&range, text)) || is(range.type, "text/*") ||
                 is(range.type, "*/*"))
            taste->text = larger(taste->text, range.weight);
    }
}

/* -- the request ------------------------------------------------------------------------------------------ */

/* "/metrics", "/metrics?module=x", "http://host:9797/metrics" */
static bool is_metrics(struct piece target)
{
    if (target.len >= 7 && strncasecmp(target.at, "http://", 7) == 0) {
        const char *path = memchr(target.at + 7, '/', target.len - 7);
        target.len = path ? target.len - (size_t)(path - target.at) : 0;
        target.at = path;
    }
    const char *query = target.len ? memchr(target.at, '?', target.len) : NULL;
    target.len = query ? (size_t)(query - target.at) : target.len;
    return target.len && is_exactly(target, "/metrics");
}

static unsigned parse_line(struct piece line, struct http_request *request)
{
    struct piece method, target, version, more;
    if (!next_piece(&line, ' ', &method) || !next_piece(&line, ' ', &target) ||
        !next_piece(&line, ' ', &version) || next_piece(&line, ' ', &more) || !method.len || !target.len)
        return 400;
    if (version.len != 8 || memcmp(version.at, "HTTP/", 5) != 0 || version.at[6] != '.')
        return 400;
    if (version.at[5] != '1')
        return 505;
    request->head = is_exactly(method, "HEAD");
    if (!request->head && !is_exactly(method, "GET"))
        return 405;
    return is_metrics(target) ? 200 : 404;
}

struct http_request http_parse(const char *head, size_t len)
{
    struct http_request request = { .status = 400 };
    struct taste taste = { 0 };
    struct piece rest = { head, len }, line, name;
    if (memchr(head, '\0', len) || !next_piece(&rest, '\n', &line))
        return request;
    request.status = parse_line(line, &request);
    while (next_piece(&rest, '\n', &line) && line.len) {
        struct piece value = line;
        next_piece(&value, ':', &name);
        if (!value.at || !name.len)
            request.status = 400; /* no header field */
        else if (is(name, "Accept"))
            add_accept(&taste, value);
    }
    request.openmetrics = taste.openmetrics > taste.text;
    return request;
}

/* -- the answer ------------------------------------------------------------------------------------------- */

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } reasons[] = { { 200, "OK" },
                    { 400, "Bad Request" },
                    { 404, "Not Found" },
                    { 405, "Method Not Allowed" },
                    { 408, "Request Timeout" },
                    { 431, "Request Header Fields Too Large" },
                    { 505, "HTTP Version Not Supported" } };
    for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Internal Server Error";
}

static const char *type_of(const struct http_request *request)
{
    if (request->status != 200)
        return "text/plain; charset=utf-8";
    return request->openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                : "text/plain; version=0.0.4; charset=utf-8";
}

void http_answer(struct bytes *out, const struct http_request *request, const struct bytes *page)
{
    const char *reason = reason_of(request->status);
    struct bytes line = { 0 };
    if (request->status != 200) {
        bytes_printf(&line, "%s\n", request->status == 404 ? "Not Found: the metrics are at /metrics" : reason);
        page = &line;
    }
    bytes_printf(out, "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", request->status, reason,
                 type_of(request), page->len);
    if (request->status == 405)
        bytes_printf(out, "Allow: GET, HEAD\r\n");
    bytes_printf(out, "Cache-Control: no-store\r\nConnection: close\r\n\r\n");
    if (!request->head)
        bytes_append(out, page->data, page->len);
    bytes_free(&line);
}
