/* SPDX-License-Identifier: MIT */
#include "check/judge.h"

#include <stdarg.h>

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
