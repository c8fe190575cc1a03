/* The envelope of every JSON answer. */
#pragma once

#include <jansson.h>

#include "model/host.h"

json_t *json_envelope(void); /* {"version":1}: a new reference */
/* "problems": what could not be read; host may be NULL. */
void json_add_problems(json_t *top, const struct host *host);
void json_print(json_t *top);      /* indented, with a newline; takes over the reference */
void json_print_line(json_t *top); /* one line, flushed: for streams */
/* A string that is safe to show; NULL gives null. */
json_t *json_text(const char *text);
