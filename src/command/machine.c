/* SPDX-License-Identifier: MIT */
#include "command/machine.h"

#include <errno.h>

#include "base/say.h"
#include "source/root_types.h"

void machine_say_fault(const char *path, int r, const struct recording_fault *fault)
{
    if (fault->line)
        say_error("'%s': line %zu: %s", path, fault->line, fault->what);
    else if (fault->what[0])
        say_error("'%s': %s", path, fault->what);
    else
        say_error("cannot open '%s': %s", path, say_errno(r));
}

void machine_say_unread(const char *path, int r)
{
    const char *before = path ? "'" : "", *shown = path ? path : "the machine", *after = path ? "'" : "";
    if (r == -E2BIG)
        say_error("cannot read %s%s%s: it holds more than %d MB or %d files to read", before, shown, after,
                  ROOT_BYTES_MOST >> 20, ROOT_FILES_MOST);
    else
        say_error("cannot read %s%s%s: %s", before, shown, after, say_errno(r));
}

int machine_open(const char *path, struct source **source)
{
    struct recording_fault fault = { 0 };
    int r = path ? source_open_recording(path, source, &fault) : source_open_live(source);
    if (r < 0)
        machine_say_fault(path ? path : "/", r, &fault);
    return r;
}
