/* SPDX-License-Identifier: MIT */
/* Parses an HTTP request and writes the answer. */
#include "view/metrics/metrics.h"

#include "tables.h"

/* A line ends with CR LF or, as RFC 9112 allows, with LF alone. */
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

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len && strchr(" \t\r", text[len - 1]))
        len--;
    text[len] = '\0';
    return text;
}

/* The text before the next separator, trimmed; *rest moves past that, and is NULL at the end. */
static char *next(char **rest, const char *separator)
{
    return trim(strsep(rest, separator));
}

/* How much a client wants each format. */
struct taste {
    double text, openmetrics;
};

/* "application/openmetrics-text; version=1.0.0; q=0.5, text/plain" */
static void add_accept(struct taste *taste, char *accept)
{
    while (accept) {
        char *range = strsep(&accept, ","), *type = next(&range, ";");
        const char *version = NULL;
        double weight = 1, *wanted = NULL;
        while (range) {
            char *value = strsep(&range, ";"), *name = next(&value, "=");
            if (strcasecmp(name, "q") == 0)
                weight = value ? strtod(trim(value), NULL) : 0;
            else if (strcasecmp(name, "version") == 0)
                version = value && *trim(value) ? trim(value) : NULL;
        }
        if (strcasecmp(type, "application/openmetrics-text") == 0)
            wanted = !version || text_in_list("1.0.0,0.0.1", version) ? &taste->openmetrics : NULL;
        else if (strcasecmp(type, "text/plain") == 0)
            wanted = !version || text_is(version, "0.0.4") ? &taste->text : NULL;
        else if (strcmp(type, "*/*") == 0 || strcasecmp(type, "text/*") == 0)
            wanted = &taste->text;
        if (wanted && *wanted < weight)
            *wanted = weight < 1 ? weight : 1;
    }
}

/* -- the request ------------------------------------------------------------------------------------------ */

/* "/metrics", "/metrics?module=x", "http://host:9797/metrics" */
static bool is_metrics(const char *target)
{
    if (strncasecmp(target, "http://", 7) == 0)
        target = strchrnul(target + 7, '/');
    return strcspn(target, "?") == strlen("/metrics") && text_starts(target, "/metrics");
}

static unsigned parse_line(char *line, struct http_request *request)
{
    const char *method = next(&line, " "), *target = line ? next(&line, " ") : "",
               *version = line ? next(&line, " ") : "";
    if (line || !*method || !*target || strlen(version) != 8 || !text_starts(version, "HTTP/") ||
        version[6] != '.')
        return 400;
    if (version[5] != '1')
        return 505;
    request->head = strcmp(method, "HEAD") == 0;
    if (!request->head && strcmp(method, "GET") != 0)
        return 405;
    return is_metrics(target) ? 200 : 404;
}

struct http_request http_parse(const char *head, size_t len)
{
    struct http_request request = { .status = 400 };
    struct taste taste = { 0 };
    char *copy = mem_alloc(len + 1, 1), *rest = copy, *line;
    memcpy(copy, head, len);
    if (strlen(copy) == len)
        request.status = parse_line(next(&rest, "\n"), &request);
    while (rest && *(line = next(&rest, "\n"))) {
        const char *name = next(&line, ":");
        if (!line || !*name)
            request.status = 400; /* no header field */
        else if (strcasecmp(name, "Accept") == 0)
            add_accept(&taste, line);
    }
    free(copy);
    request.openmetrics = taste.openmetrics > taste.text;
    return request;
}

/* -- the answer ------------------------------------------------------------------------------------------- */

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } reasons[] = { HTTP_REASONS };
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
