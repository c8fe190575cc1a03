/* SPDX-License-Identifier: MIT */
#pragma once

/* Milliseconds on a clock that never goes backwards. */
uint64_t clock_ms(void);
uint64_t clock_us(void); /* the same in microseconds */
/* Milliseconds since 1970. */
uint64_t clock_utc_ms(void);
/* The same in RFC 3339 form, in UTC: "2026-11-22T19:00:00.123Z". */
enum { CLOCK_TEXT_SIZE = 40 };
void clock_utc_text(uint64_t ms, char text[static CLOCK_TEXT_SIZE]);
/* Is it kept by NTP, or the like, so that it may be off by no more than *error_ms? -errno: that may not be
 * asked. */
int clock_is_kept(double *error_ms);
int clock_utc_parse(const char *text, uint64_t *ms); /* reads such a text; 0 or -EINVAL */
/* "12:34:56", in this machine's local time. */
void clock_day_text(uint64_t ms, char text[static 16]);
/* "2026-11-22T19:00:00", what tm says. strftime(3) and strptime(3) would take half a per cent of the binary. */
enum { CLOCK_TM_SIZE = 80, CLOCK_DAY_AT = sizeof("2026-11-22T") - 1 };
void clock_tm_text(const struct tm *tm, char text[static CLOCK_TM_SIZE]);
/* Reads numbers of text into tm as form says: Y, m, d, H, M and S as in strptime(3), a blank any number of
 * them, all else itself. Returns what is behind them; NULL if they aren't there, or if text is NULL. */
const char *clock_scan(const char *text, const char *form, struct tm *tm);
