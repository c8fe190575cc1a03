/* SPDX-License-Identifier: MIT */
#include "check/judge.h"

#include <stdarg.h>
#include <stdio.h>

enum verdict judge_as(struct judgement *judgement, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    judgement->evidence = arena_vprintf(judgement->arena, format, args);
    va_end(args);
    return verdict;
}

void judge_fix(struct judgement *judgement, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    judgement->fix = arena_vprintf(judgement->arena, format, args);
    va_end(args);
}

void subject_format(const struct check *check, const struct subject *subject, char text[static 160])
{
    switch (check->scope) {
    case SCOPE_PORT:
        snprintf(text, 160, "%s/%u", subject->device->name, subject->port->number);
        return;
    case SCOPE_DEVICE:
        snprintf(text, 160, "%s", subject->device->name);
        return;
    case SCOPE_NETDEV:
        snprintf(text, 160, "%s", subject->netdev->name);
        return;
    case SCOPE_HOST:
    case CHECK_SCOPES:
        snprintf(text, 160, "host");
        return;
    }
}
