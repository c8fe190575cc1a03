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
    char whole[24] = "";
    if (gmtime_r(&seconds, &tm))
        strftime(whole, sizeof(whole), "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text, CLOCK_TEXT_SIZE, "%s.%03uZ", whole, (unsigned)(ms % 1000));
}

int clock_utc_parse(const char *text, uint64_t *ms)
{
    struct tm tm = { 0 };
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
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
    *text = '\0';
    if (localtime_r(&seconds, &tm))
        strftime(text, 16, "%H:%M:%S", &tm);
}
