/* SPDX-License-Identifier: MIT */
#include "model/aer.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/num.h"

const char *aer_severity_text(enum aer_severity severity)
{
    static const char *const texts[] = { "correctable", "nonfatal", "fatal" };
    return WORD_AT(texts, severity);
}

const char *aer_file(enum aer_severity severity)
{
    static const char *const files[] = { "aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal" };
    return WORD_AT(files, severity);
}

/* As the PCI Express Base Specification names them, of the correctable ones the receiver's, the two of bad
 * packets and the two of replays are the link's own; an advisory non-fatal error is one that the other side
 * takes care of, an overflow of the header log loses a record of an error and nothing else, an internal one
 * the device has mended. An unsupported request is mostly one for something that isn't there, as lspci and
 * drivers make them while they look around. */
enum aer_nature aer_nature(enum aer_severity severity, const char *kind)
{
    if (severity == AER_CORRECTABLE)
        return text_in_list("RxErr,BadTLP,BadDLLP,Rollover,Timeout", kind) ? AER_OF_LINK : AER_HARMLESS;
    return severity == AER_NONFATAL && strcmp(kind, "UnsupReq") == 0 ? AER_HARMLESS : AER_SERIOUS;
}

struct aer aer_parse(const char *text, struct arena *arena)
{
    struct aer aer = { .known = true };
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t name = strcspn(line, " \n"), len = strcspn(line, "\n");
        uint64_t count;
        if (!name || name == len || text_starts(line, "TOTAL_"))
            continue;
        if (text_to_u64(arena_strndup(arena, line + name + 1, len - name - 1), 10, &count) < 0)
            continue;
        *ARENA_PUSH(arena, aer.kinds, aer.nkinds) = (struct aer_kind){ arena_strndup(arena, line, name),
                                                                       count };
    }
    return aer;
}

uint64_t aer_count(const struct aer *aer, const char *kind)
{
    for (size_t i = 0; i < aer->nkinds; i++)
        if (strcmp(aer->kinds[i].name, kind) == 0)
            return aer->kinds[i].count;
    return 0;
}
