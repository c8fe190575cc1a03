/* SPDX-License-Identifier: MIT */
/* One HTTP request for metrics, from a stranger, and the answer to it (RFC 9110, RFC 9112). Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

enum { HTTP_HEAD_MOST = 8192 };

/* How long the head of a request is that text begins with, its blank line included; 0: it isn't whole yet. */
size_t http_head_length(const char *text, size_t len);

struct http_request {
    unsigned status;  /* 200, or what is wrong with it: 400, 404, 405, 431, 505 */
    bool head;        /* HEAD: the answer's head alone is wanted */
    bool openmetrics; /* that is what the client would rather have */
};
/* head: of http_head_length(). */
struct http_request http_parse(const char *head, size_t len);

/* The whole answer, in out; page is the metrics, with a status of 200, else a line of text is made for it. */
void http_answer(struct bytes *out, const struct http_request *request, const struct bytes *page);
