/* SPDX-License-Identifier: MIT */
/* One HTTP request for metrics: which are whole, which are understood, and what the client would rather have. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/http.h"

static struct http_request parse(const char *text)
{
    size_t len = http_head_length(text, strlen(text));
    cr_assert_gt(len, 0, "%s", text);
    char *head = malloc(len); /* exactly so long: what reads on is seen */
    memcpy(head, text, len);
    struct http_request request = http_parse(head, len);
    free(head);
    return request;
}

Test(http, a_head_ends_with_a_blank_line)
{
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {
        { "", 0 },
        { "GET /metrics HTTP/1.1", 0 },
        { "GET /metrics HTTP/1.1\r\n", 0 },
        { "GET /metrics HTTP/1.1\r\nHost: a\r\n", 0 },
        { "GET /metrics HTTP/1.1\r\n\r", 0 },
        { "GET /metrics HTTP/1.1\r\n\r\n", 25 },
        { "GET /metrics HTTP/1.1\n\n", 23 },
        { "GET /metrics HTTP/1.1\r\n\r\nbody\r\n\r\n", 25 },
        { "\r\n\r\n", 4 }, /* a blank line first may be there: RFC 9112, 2.2 */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        cr_expect_eq(http_head_length(cases[i].text, strlen(cases[i].text)), cases[i].len, "case %zu", i);
}

Test(http, statuses)
{
    static const struct {
        const char *line;
        unsigned status;
    } cases[] = {
        { "GET /metrics HTTP/1.1", 200 },
        { "GET /metrics HTTP/1.0", 200 },
        { "HEAD /metrics HTTP/1.1", 200 },
        { "GET /metrics?module=roce HTTP/1.1", 200 },
        { "GET http://node7:9797/metrics HTTP/1.1", 200 },
        { "GET http://node7:9797 HTTP/1.1", 404 },
        { "GET http://metrics HTTP/1.1", 404 },
        { "GET / HTTP/1.1", 404 },
        { "GET /metrics/ HTTP/1.1", 404 },
        { "GET /metricsx HTTP/1.1", 404 },
        { "GET /METRICS HTTP/1.1", 404 },
        { "GET /../metrics HTTP/1.1", 404 },
        { "POST /metrics HTTP/1.1", 405 },
        { "get /metrics HTTP/1.1", 405 },
        { "OPTIONS * HTTP/1.1", 405 },
        { "GET /metrics HTTP/2.0", 505 },
        { "GET /metrics", 400 },
        { "GET", 400 },
        { "GET  /metrics HTTP/1.1", 400 },
        { "GET /metrics HTTP/1.1 more", 400 },
        { "GET /metrics HTTP/11", 400 },
        { "GET /metrics FTP/1.1", 400 },
        { "\x16\x03\x01\x02", 400 }, /* TLS */
        { "SSH-2.0-OpenSSH_9.2", 400 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[128];
        snprintf(text, sizeof(text), "%s\r\nHost: a\r\n\r\n", cases[i].line);
        cr_expect_eq(parse(text).status, cases[i].status, "%s: %u", cases[i].line, parse(text).status);
    }
    cr_expect_eq(parse("\r\nGET /metrics HTTP/1.1\r\n\r\n").status, 400);
    cr_expect_eq(parse("GET /metrics HTTP/1.1\r\nno field\r\n\r\n").status, 400);
    cr_expect_eq(parse("GET /metrics HTTP/1.1\r\n: empty\r\n\r\n").status, 400);
    cr_expect_eq(http_parse("GET /metrics\0 HTTP/1.1\r\n\r\n", 26).status, 400);
    cr_expect(parse("HEAD /metrics HTTP/1.1\r\n\r\n").head);
    cr_expect_not(parse("GET /metrics HTTP/1.1\r\n\r\n").head);
}

static bool wants_openmetrics(const char *accept)
{
    char text[512];
    snprintf(text, sizeof(text), "GET /metrics HTTP/1.1\r\nhost: a\r\n%s\r\n\r\n", accept);
    struct http_request request = parse(text);
    cr_expect_eq(request.status, 200, "%s", accept);
    return request.openmetrics;
}

Test(http, what_the_client_would_rather_have)
{
    /* Prometheus 2.42 and 3.5, by what they send */
    cr_expect(wants_openmetrics(
        "Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
    cr_expect(wants_openmetrics(
        "accept: application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"));
    cr_expect_not(wants_openmetrics("Accept: */*"));
    cr_expect_not(wants_openmetrics("User-Agent: curl"));
    cr_expect_not(wants_openmetrics("Accept: text/plain"));
    cr_expect(wants_openmetrics("Accept: application/openmetrics-text"));
    cr_expect(wants_openmetrics("Accept: text/html\r\nAccept: APPLICATION/OpenMetrics-Text ; version = 1.0.0"));
    cr_expect_not(wants_openmetrics("Accept: application/openmetrics-text;version=2.0.0"));
    cr_expect_not(wants_openmetrics("Accept: application/openmetrics-text;q=0"));
    cr_expect_not(wants_openmetrics("Accept: application/openmetrics-text;q=0.3,text/plain;q=0.5"));
    cr_expect(wants_openmetrics("Accept: application/openmetrics-text;q=0.501,text/plain;q=0.5"));
    cr_expect_not(wants_openmetrics("Accept: application/openmetrics-text;q=nonsense"));
    cr_expect_not(
        wants_openmetrics("Accept: application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"));
    cr_expect_not(wants_openmetrics("Accept: ,;,=,;q,;q=,"));
}

static char *answer(struct http_request request, const char *text)
{
    struct bytes out = { 0 }, page = { 0 };
    bytes_append(&page, text, strlen(text));
    http_answer(&out, &request, &page);
    bytes_free(&page);
    return out.data;
}

static void expect_in(char *text, const char *part)
{
    cr_expect(strstr(text, part), "'%s' isn't in: %s", part, text);
}

Test(http, answers)
{
    char *text = answer((struct http_request){ .status = 200 }, "a 1\n");
    cr_expect_eq(strncmp(text, "HTTP/1.1 200 OK\r\n", 17), 0);
    expect_in(text, "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
    expect_in(text, "\r\nContent-Length: 4\r\n");
    expect_in(text, "\r\nConnection: close\r\n");
    expect_in(text, "\r\n\r\na 1\n");
    free(text);
    text = answer((struct http_request){ .status = 200, .openmetrics = true, .head = true }, "a 1\n");
    expect_in(text, "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n");
    expect_in(text, "Content-Length: 4\r\n");
    cr_expect_str_eq(strstr(text, "\r\n\r\n"), "\r\n\r\n");
    free(text);
    text = answer((struct http_request){ .status = 405 }, "not to be seen");
    expect_in(text, "HTTP/1.1 405 Method Not Allowed\r\n");
    expect_in(text, "\r\nAllow: GET, HEAD\r\n");
    cr_expect_null(strstr(text, "not to be seen"));
    free(text);
    text = answer((struct http_request){ .status = 404 }, "");
    expect_in(text, "/metrics\n");
    free(text);
    text = answer((struct http_request){ .status = 500 }, "");
    expect_in(text, "HTTP/1.1 500 Internal Server Error\r\n");
    free(text);
}
