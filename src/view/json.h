/* SPDX-License-Identifier: MIT */
/* JSON answers: their envelope, and what they are made of. */
#pragma once

#include <jansson.h>

#include "model/boot.h"
#include "model/host.h"

/* {"version":1,"host":…,"time":…,"roce":…}: a new reference. host: what the answer is about; NULL: this
 * machine, now, without having read it. */
json_t *json_envelope(const struct host *host);
/* "problems": what could not be read; host may be NULL. */
void json_add_problems(json_t *top, const struct host *host);
size_t json_flags(void); /* keys in order; \uXXXX escapes where only ASCII is wanted */
/* To stdout, with a newline; flags: jansson's, for the layout. */
void json_print_value(const json_t *value, size_t flags);
void json_print(json_t *top);      /* indented; takes over the reference */
void json_print_line(json_t *top); /* one line, flushed: for streams */
/* {"version":1,KEY:value,"problems":[...]}, the whole answer of most commands. Takes over the reference. */
void json_print_answer(const char *key, json_t *value, const struct host *host);

/* A string that is safe to show; NULL gives null. */
json_t *json_text(const char *text);
/* JSON integers are signed 64-bit here; a greater one becomes a real. */
json_t *json_unsigned(uint64_t number);

/* An array of strings, safe to show: a new reference. */
json_t *json_texts(const char *const *texts, size_t count);
/* The parts of a list (NULL: none) between separators, likewise. */
json_t *json_parts(const char *list, char separator);

/* An empty array or object as a member of an object, or an object at the end of an array: theirs, not a new
 * reference. */
json_t *json_add_array(json_t *object, const char *key);
json_t *json_add_object(json_t *object, const char *key);
json_t *json_push_object(json_t *array);

/* Members of an object: null for NULL and for what is unknown. */
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_unsigned(json_t *object, const char *key, uint64_t number);
void json_put_time(json_t *object, const char *key, uint64_t ms); /* since 1970, in UTC; null for 0 */
void json_put_num(json_t *object, const char *key, struct num num);
/* Also null for 0 and below: not measured. */
void json_put_real(json_t *object, const char *key, double number);
void json_put_bool(json_t *object, const char *key, bool yes);
void json_put_tristate(json_t *object, const char *key, enum tristate tristate);

/* What couldn't be read is part of the answer: programs find it in the JSON (json_add_problems), people as
 * warnings below the output. */

void problems_say(const struct host *host); /* NULL is fine */

/* Files for the next boot, as shown to the user. */

/* Each file's path and text, for copying. */
void boot_files_print(const struct boot_files *files);
/* "installed /etc/…", one line each. */
void boot_files_tell(const struct boot_files *files, const char *done);
/* ["/etc/…"] */
json_t *boot_files_json(const struct boot_files *files);
