/* SPDX-License-Identifier: MIT */
#include "command/machine.h"

#include "base/say.h"

void machine_say_fault(const char *path, int r, const struct recording_fault *fault)
{
    if (fault->line)
        say_error("'%s': line %zu: %s", path, fault->line, fault->what);
    else if (fault->what[0])
        say_error("'%s': %s", path, fault->what);
    else
        say_error("cannot open '%s': %s", path, say_errno(r));
}

int machine_open(const char *path, struct source **source)
{
    struct recording_fault fault = { 0 };
    int r = path ? source_open_recording(path, source, &fault) : source_open_live(source);
    if (r < 0)
        machine_say_fault(path ? path : "/", r, &fault);
    return r;
}
