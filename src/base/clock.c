/* SPDX-License-Identifier: MIT */
/* The clocks: one to measure by, and the time of day for people. */
#include "base/clock.h"

#include <sys/timex.h>

uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t clock_ms(void)
{
    return clock_us() / 1000;
}

uint64_t clock_utc_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int clock_is_kept(double *error_ms)
{
    struct timex timex = { 0 };
    int state = adjtimex(&timex);
    *error_ms = (double)timex.maxerror / 1000;
    return state < 0 ? -errno : state != TIME_ERROR;
}

void clock_utc_text(uint64_t ms, char text[static CLOCK_TEXT_SIZE])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char whole[CLOCK_TM_SIZE] = "";
    if (gmtime_r(&seconds, &tm))
        clock_tm_text(&tm, whole);
    snprintf(text, CLOCK_TEXT_SIZE, "%.19s.%03uZ", whole, (unsigned)(ms % 1000));
}

int clock_utc_parse(const char *text, uint64_t *ms)
{
    struct tm tm = { 0 };
    const char *end = clock_scan(text, "Y-m-dTH:M:S", &tm);
    bool sound = end && *end == '.' && strspn(end + 1, "0123456789") == 3 && strcmp(end + 4, "Z") == 0 &&
                 tm.tm_year >= 70 && tm.tm_year <= 8099;
    if (!sound)
        return -EINVAL;
    unsigned fraction = (unsigned)((end[1] - '0') * 100 + (end[2] - '0') * 10 + (end[3] - '0'));
    *ms = (uint64_t)timegm(&tm) * 1000 + fraction;
    return 0;
}

void clock_day_text(uint64_t ms, char text[static 16])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char whole[CLOCK_TM_SIZE];
    *text = '\0';
    if (!localtime_r(&seconds, &tm))
        return;
    clock_tm_text(&tm, whole);
    snprintf(text, 16, "%.8s", whole + CLOCK_DAY_AT);
}

void clock_tm_text(const struct tm *tm, char text[static CLOCK_TM_SIZE])
{
    snprintf(text, CLOCK_TM_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d", tm->tm_year + 1900, tm->tm_mon + 1,
             tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec);
}

const char *clock_scan(const char *text, const char *form, struct tm *tm)
{
    const struct {
        char letter;
        int digits, least, most, base; /* what tm counts from */
        int *value;
    } fields[] = {
        { 'Y', 4, 0, 9999, 1900, &tm->tm_year }, { 'm', 2, 1, 12, 1, &tm->tm_mon },
        { 'd', 2, 1, 31, 0, &tm->tm_mday },      { 'H', 2, 0, 23, 0, &tm->tm_hour },
        { 'M', 2, 0, 59, 0, &tm->tm_min },       { 'S', 2, 0, 60, 0, &tm->tm_sec },
    };
    for (; text && *form; form++) {
        size_t i = 0;
        while (i < ARRAY_SIZE(fields) && fields[i].letter != *form)
            i++;
        if (i < ARRAY_SIZE(fields)) {
            int number = 0, digits = 0;
            for (; digits < fields[i].digits && text_digit(*text, 10) >= 0; digits++)
                number = number * 10 + text_digit(*text++, 10);
            if (!digits || number < fields[i].least || number > fields[i].most)
                return NULL;
            *fields[i].value = number - fields[i].base;
        } else if (*form == ' ') {
            text += strspn(text, " ");
        } else if (*text++ != *form) {
            return NULL;
        }
    }
    return text;
}
