/* SPDX-License-Identifier: MIT */
/* What any run of roce must hold to, whatever it read: clean text, a status that means something, and no JSON
 * that a program would take for an answer when there is none. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct output {
    const char *text;
    size_t len;
};

/* The length of the UTF-8 character at text, 0: it is none. */
static inline size_t utf8_length(const unsigned char *text, size_t left)
{
    static const struct {
        unsigned char mask, lead, len;
        uint32_t least;
    } forms[] = {
        { 0x80, 0x00, 1, 0 }, { 0xe0, 0xc0, 2, 0x80 }, { 0xf0, 0xe0, 3, 0x800 }, { 0xf8, 0xf0, 4, 0x10000 }
    };
    for (size_t form = 0; form < sizeof(forms) / sizeof(*forms); form++) {
        if ((text[0] & forms[form].mask) != forms[form].lead || left < forms[form].len)
            continue;
        uint32_t code = text[0] & (unsigned char)~forms[form].mask;
        for (size_t i = 1; i < forms[form].len; i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code < 0xe000;
        return code >= forms[form].least && code <= 0x10ffff && !surrogate ? forms[form].len : 0;
    }
    return 0;
}

/* Only newlines (tabs, where an original prints them) and printable, valid UTF-8: what may go to a pipe, a
 * log or a terminal. */
static inline bool is_clean(struct output out, bool tabs)
{
    const unsigned char *at = (const unsigned char *)out.text;
    for (size_t left = out.len, len; left; at += len, left -= len) {
        if ((*at < 0x20 && *at != '\n' && !(tabs && *at == '\t')) || *at == 0x7f)
            return false;
        len = utf8_length(at, left);
        if (!len || (len == 2 && at[0] == 0xc2 && at[1] < 0xa0)) /* C1 controls */
            return false;
    }
    return true;
}

static inline bool is_json(struct output out)
{
    json_t *json = json_loadb(out.text, out.len, JSON_REJECT_DUPLICATES, NULL);
    json_decref(json);
    return json != NULL;
}

/* NULL: all is well; or what is wrong. A gate is a monitoring plugin, whose status 3 says "unknown". */
static inline const char *judge_output(int status, bool gate, bool json, bool tabs, struct output out,
                                       struct output err)
{
    if (status < 0 || status > 2 + gate)
        return "a status that roce hasn't";
    if (!is_clean(out, tabs))
        return "raw bytes on standard output";
    if (!is_clean(err, false))
        return "raw bytes on standard error";
    if (status >= 2 && err.len == 0 && !(gate && out.len))
        return "status 2 without a word";
    if (json && status != 2 && !is_json(out))
        return "no JSON";
    if (json && status == 2 && is_json(out))
        return "an error, and yet a JSON that parses";
    return NULL;
}
