/* SPDX-License-Identifier: MIT */
/* The envelope of every JSON answer, and how it is printed. */
#include "view/json.h"

#include <math.h>

#include "base/clock.h"
#include "base/glyph.h"
#include "base/version.h"

static void put_moment(json_t *top, const struct host *host)
{
    char name[HOST_NAME_MAX + 1] = "";
    struct num ms = host ? host->time_ms : num_of(clock_utc_ms());
    if (!host && gethostname(name, sizeof(name) - 1) < 0)
        *name = '\0';
    json_put_text(top, "host", host ? host->hostname : *name ? name : NULL);
    json_put_time(top, "time", ms.known ? ms.value : 0);
}

json_t *json_envelope(const struct host *host)
{
    json_t *top = json_pack("{s:i}", "version", 1);
    put_moment(top, host);
    json_put_text(top, "roce", roce_version);
    return top;
}

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    if (text_is_clean(text)) /* which includes being valid UTF-8 */
        return json_string_nocheck(text);
    char *clean = text_clean(text, TEXT_ONE_LINE);
    json_t *json = json_string(clean);
    free(clean);
    return json;
}

json_t *json_unsigned(uint64_t number)
{
    return number <= INT64_MAX ? json_integer((json_int_t)number) : json_real((double)number);
}

json_t *json_texts(const char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_text(texts[i]));
    return array;
}

json_t *json_parts(const char *list, char separator)
{
    json_t *array = json_array();
    for (const char *at = list, *end; at && *at; at = end + (*end != '\0')) {
        end = strchrnul(at, separator);
        json_array_append_new(array, json_stringn(at, (size_t)(end - at)));
    }
    return array;
}

json_t *json_add_array(json_t *object, const char *key)
{
    json_object_set_new(object, key, json_array());
    return json_object_get(object, key);
}

json_t *json_add_object(json_t *object, const char *key)
{
    json_object_set_new(object, key, json_object());
    return json_object_get(object, key);
}

json_t *json_push_object(json_t *array)
{
    json_t *object = json_object();
    json_array_append_new(array, object);
    return object;
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_text(text));
}

void json_put_time(json_t *object, const char *key, uint64_t ms)
{
    char time[CLOCK_TEXT_SIZE];
    if (ms)
        clock_utc_text(ms, time);
    json_put_text(object, key, ms ? time : NULL);
}

void json_put_unsigned(json_t *object, const char *key, uint64_t number)
{
    json_object_set_new(object, key, json_unsigned(number));
}

void json_put_num(json_t *object, const char *key, struct num num)
{
    json_object_set_new(object, key, num.known ? json_unsigned(num.value) : json_null());
}

void json_put_real(json_t *object, const char *key, double number)
{
    json_object_set_new(object, key, number > 0 && isfinite(number) ? json_real(number) : json_null());
}

void json_put_bool(json_t *object, const char *key, bool yes)
{
    json_object_set_new(object, key, json_boolean(yes));
}

void json_put_tristate(json_t *object, const char *key, enum tristate tristate)
{
    json_object_set_new(object, key, tristate == TRI_UNKNOWN ? json_null() : json_boolean(tristate == TRI_YES));
}

void json_add_problems(json_t *top, const struct host *host)
{
    json_t *array = json_add_array(top, "problems");
    for (size_t i = 0; host && i < host->nproblems; i++) {
        const struct problem *problem = &host->problems[i];
        const char *name = strerrorname_np(problem->err);
        json_t *object = json_push_object(array);
        json_put_text(object, "what", problem->what);
        json_put_text(object, "error", name ? name : "unknown");
        json_put_text(object, "note", problem->note);
    }
}

size_t json_flags(void)
{
    return JSON_PRESERVE_ORDER | (glyph_is_ascii() ? JSON_ENSURE_ASCII : 0);
}

void json_print_value(const json_t *value, size_t flags)
{
    char *text = json_dumps(value, flags | json_flags());
    puts(text);
    free(text);
}

void json_print(json_t *top)
{
    json_print_value(top, JSON_INDENT(2));
    json_decref(top);
}

void json_print_answer(const char *key, json_t *value, const struct host *host)
{
    json_t *top = json_envelope(host);
    json_object_set_new(top, key, value);
    json_add_problems(top, host);
    json_print(top);
}

void json_print_line(json_t *top)
{
    json_print_value(top, JSON_COMPACT);
    fflush(stdout);
    json_decref(top);
}

void problems_say(const struct host *host)
{
    fflush(stdout); /* so that they come below the output, even if both go to the same place */
    for (size_t i = 0; host && i < host->nproblems; i++) {
        const struct problem *problem = &host->problems[i];
        say_warning("cannot read '%s': %s%s%s", problem->what, say_errno(problem->err),
                    problem->note ? ": " : "", problem->note ? problem->note : "");
    }
}

void boot_files_print(const struct boot_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct boot_file *file = &files->items[i];
        printf("%s/%s%s%s%s\n", i ? "\n" : "", file->path, file->target ? ": a link to " : ":",
               file->target ? file->target : "", file->target ? " ('systemctl enable' makes it)" : "\n");
        for (const char *line = file->text; line && *line; line += strcspn(line, "\n") + 1)
            printf("%s%.*s\n", *line == '\n' ? "" : "  ", (int)strcspn(line, "\n"), line);
    }
}

void boot_files_tell(const struct boot_files *files, const char *done)
{
    for (size_t i = 0; i < files->count; i++)
        printf("%s /%s\n", done, files->items[i].path);
}

json_t *boot_files_json(const struct boot_files *files)
{
    json_t *array = json_array();
    for (size_t i = 0; i < files->count; i++) {
        char *path = mem_printf("/%s", files->items[i].path);
        json_array_append_new(array, json_text(path));
        free(path);
    }
    return array;
}
