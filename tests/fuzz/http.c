/* SPDX-License-Identifier: MIT */
/* A stranger's HTTP request for metrics: what is taken of it, and that the answer is one, whatever it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "view/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
