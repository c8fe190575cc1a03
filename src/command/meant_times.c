/* SPDX-License-Identifier: MIT */
/* Times as people write them. */
#include "command/history.h"

#include "base/clock.h"

enum { MINUTE_MS = 60 * 1000, HOUR_MS = 60 * MINUTE_MS, DAY_MS = 24 * HOUR_MS };

int duration_meant(const char *text, uint64_t *ms)
{
    char *end;
    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    double number = strtod(text, &end);
    double unit = text_is(end, "") || text_is(end, "s") ? 1000
                  : text_is(end, "m")                   ? MINUTE_MS
                  : text_is(end, "h")                   ? HOUR_MS
                  : text_is(end, "d")                   ? DAY_MS
                                                        : 0;
    if (errno || unit <= 0 || number > 1e9 || !(number >= 0))
        return -EINVAL;
    *ms = (uint64_t)(number * unit);
    return 0;
}

/* Z, +01:00, or nothing for local time. */
static int with_zone(struct tm *tm, const char *zone, uint64_t *ms)
{
    int hours = 0, minutes = 0, len = 0;
    time_t seconds;
    if (*zone == '.') /* a fraction */
        zone += 1 + strspn(zone + 1, "0123456789");
    tm->tm_isdst = -1;
    if (*zone == '\0')
        seconds = mktime(tm);
    else if (text_is(zone, "Z") || text_is(zone, "z"))
        seconds = timegm(tm);
    else if (strchr("+-", *zone) && sscanf(zone + 1, "%2d:%2d%n", &hours, &minutes, &len) == 2 &&
             !zone[1 + len] && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60)
        seconds = timegm(tm) - (*zone == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
    else
        return -EINVAL;
    if (seconds < 0)
        return -EINVAL;
    *ms = (uint64_t)seconds * 1000;
    return 0;
}

static int job_time(const char *variable, uint64_t *ms)
{
    const char *value = getenv(variable);
    uint64_t seconds;
    if (!value || text_to_u64(value, 10, &seconds) < 0 || seconds > 1ULL << 40)
        return -EINVAL;
    *ms = seconds * 1000;
    return 0;
}

/* A time of day is the last one before now. */
static int time_of_day(const char *text, uint64_t now_ms, uint64_t *ms)
{
    time_t now = (time_t)(now_ms / 1000);
    struct tm tm;
    if (!localtime_r(&now, &tm))
        return -EINVAL;
    tm.tm_sec = 0;
    const char *end = clock_scan(text, "H:M", &tm);
    if (end && *end == ':')
        end = clock_scan(end, ":S", &tm);
    if (!end || *end)
        return -EINVAL;
    int r = with_zone(&tm, "", ms);
    if (r == 0 && *ms > now_ms) {
        tm.tm_mday--;
        r = with_zone(&tm, "", ms);
    }
    return r;
}

int time_meant(const char *text, uint64_t now_ms, uint64_t *ms)
{
    static const char *const forms[] = { "Y-m-d H:M:S", "Y-m-dTH:M:S", "Y-m-d H:M", "Y-m-dTH:M" };
    uint64_t ago;
    if (text_is(text, "now")) {
        *ms = now_ms;
        return 0;
    }
    if (text_is(text, "job") || text_is(text, "job-end"))
        return job_time(text_is(text, "job") ? "SLURM_JOB_START_TIME" : "SLURM_JOB_END_TIME", ms);
    if (*text == '-') {
        int r = duration_meant(text + 1, &ago);
        *ms = now_ms - (r == 0 && ago < now_ms ? ago : 0);
        return r;
    }
    if (time_of_day(text, now_ms, ms) == 0)
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        struct tm tm = { 0 };
        const char *end = clock_scan(text, forms[i], &tm);
        if (end && tm.tm_year >= 70 && with_zone(&tm, end, ms) == 0)
            return 0;
    }
    return -EINVAL;
}

int option_time(const struct args *args, const char *option, uint64_t now_ms, uint64_t *ms)
{
    const char *text = args_value(args, option);
    if (!text || time_meant(text, now_ms, ms) == 0)
        return 0;
    if (text_starts(text, "job"))
        return say_invalid("--%s %s: Slurm's $SLURM_JOB_%s_TIME is not set here", option, text,
                           text_is(text, "job") ? "START" : "END");
    return say_invalid(
        "--%s: '%s' is no time; write 03:12, '2026-11-27 03:12', 2026-11-27T03:12:00Z, -2h or job", option,
        text);
}

int stretch_of(const struct args *args, uint64_t now_ms, struct stretch_meant *stretch)
{
    enum { AROUND_MS = 15 * MINUTE_MS };
    *stretch = (struct stretch_meant){ now_ms - HOUR_MS, now_ms };
    uint64_t around = 0;
    if (args_given(args, "around") && (args_given(args, "since") || args_given(args, "until")))
        return say_invalid("--around is a quarter of an hour before and after: give it alone");
    int r = option_time(args, "around", now_ms, &around);
    if (r == 0 && around)
        *stretch = (struct stretch_meant){ around - AROUND_MS, around + AROUND_MS };
    r = r < 0 ? r : option_time(args, "until", now_ms, &stretch->until_ms);
    if (r == 0 && args_given(args, "until"))
        stretch->since_ms = stretch->until_ms - HOUR_MS;
    r = r < 0 ? r : option_time(args, "since", now_ms, &stretch->since_ms);
    if (r == 0 && stretch->since_ms >= stretch->until_ms)
        return say_invalid("--since is not before %s", args_given(args, "until") ? "--until" : "now");
    return r;
}

int stretch_is_named(const struct args *args)
{
    bool named = args_given(args, "since") || args_given(args, "until") || args_given(args, "around");
    if (!named && args_given(args, "directory") && !args_given(args, "history"))
        return say_invalid(
            "--directory is where what was recorded lies: name the time, too, as in --since -2h");
    return named;
}
