#include "check/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *format_in(struct arena *arena, const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        return "";
    const char *kept = arena_strdup(arena, text);
    free(text);
    return kept;
}

enum verdict judge_as(struct judgement *judgement, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    judgement->evidence = format_in(judgement->arena, format, args);
    va_end(args);
    return verdict;
}

void judge_fix(struct judgement *judgement, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    judgement->fix = format_in(judgement->arena, format, args);
    va_end(args);
}
