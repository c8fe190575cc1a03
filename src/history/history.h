/* SPDX-License-Identifier: MIT */
/* The flight recorder's files, and what stood out in them. */
#pragma once

#include "model/frame.h"

/* Files: one an hour (UTC) in a directory, "000017-2026-11-27T03.jsonl.gz", in the order of their numbers,
 * which a clock that is set doesn't change. A file is members of gzip, one a minute, so that each can be read
 * without the others; a member is lines, each a frame as frame_parse() takes it, the first of them whole. */

#define HISTORY_DIRECTORY "/var/lib/roce/history"

enum {
    HISTORY_MEMBER_MOST = 64 << 20,
    HISTORY_FILE_MOST = 1 << 30,
    HISTORY_ROWS_MOST = 1 << 25, /* six days of 64 ports, a line a second */
    HISTORY_WORK_MOST = 512 << 20
}; /* bytes: of a minute unpacked, of a file */

/* -- writing ---------------------------------------------------------------------------------------------- */

struct history_writer;

struct history_limits {
    uint64_t keep_ms,
        size; /* older files go, then the oldest of more bytes than these; never the newest file */
};

/* Makes the directory (0755) and the one above it, locks it, and cuts off what an unfinished write left
 * at the end of the newest file. Returns 0; -EAGAIN: another recorder has it; or -errno. */
int history_open(const char *directory, const struct history_limits *limits, struct history_writer **out);
/* Adds a line, without its newline, at that time (since 1970). Where it begins a member, what was added before
 * has been flushed. */
void history_put(struct history_writer *writer, uint64_t time_ms, const char *line, size_t len);
/* Would a line at that time begin a member, so that it has to be whole? */
bool history_begins(const struct history_writer *writer, uint64_t time_ms);
/* And a file, so that its readings have to be whole? */
bool history_begins_file(const struct history_writer *writer, uint64_t time_ms);
/* Writes what was added, as one member, and waits until the disk has it; then old files go. Returns 1;
 * 0: nothing was added; or -errno
 * (-ENOSPC, -EDQUOT, ...): then nothing of it is in the file, and it is given up. */
int history_flush(struct history_writer *writer);
void history_close(struct history_writer *writer); /* without what wasn't flushed; NULL is fine */

/* -- reading ---------------------------------------------------------------------------------------------- */

/* What reading found besides frames. */
struct history_tally {
    size_t files, frames, damaged; /* damaged: members, or lines, that were passed over */
    uint64_t damaged_ms;           /* the last frame before the first of these; 0: none */
    struct frame_fault fault;      /* what is wrong with that, or why reading ended */
};

/* The frame is freed afterwards. Anything but 0 ends reading. */
typedef int history_seen(void *data, const struct frame *frame);

/* Tells the frames of [since_ms, until_ms] in the files of a directory, or in one file, packed or not. What is
 * damaged is passed over and counted. Returns 0; what seen() returned; -errno; or -ENOTSUP, and fault says why:
 * a newer roce wrote it, or it has more rows than HISTORY_ROWS_MOST. */
int history_read(const char *path, uint64_t since_ms, uint64_t until_ms, history_seen *seen, void *data,
                 struct history_tally *tally);

/* The lines of a file's text: the second half of history_read(). Pure. */
int history_parse(const struct bytes *packed, uint64_t since_ms, uint64_t until_ms, history_seen *seen,
                  void *data, struct history_tally *tally);

/* The lines of a directory or file ("-": standard input) as one text, unpacked as it is read; a directory's
 * from the hour of since_ms on. What is damaged is left out. Returns NULL, and errno, if it can't be opened. */
FILE *history_stream(const char *path, uint64_t since_ms);
FILE *history_stream_of(const struct bytes *text); /* lines that aren't packed, and outlive it */
/* Appends the lines of the minutes that have something of [since_ms, until_ms], the first of them whole.
 * Returns 0, or -errno; -EFBIG: they are more than most bytes. */
int history_copy(const char *path, uint64_t since_ms, uint64_t until_ms, size_t most, struct bytes *out);

/* From when to when something is recorded; 0: nothing is. */
struct history_span {
    uint64_t first_ms, last_ms;
    bool only_first; /* history_note()'s: the last isn't looked for */
};
struct history_span history_span(const char *path);
int history_note(void *span, const struct frame *frame); /* a history_seen */

/* -- what stood out --------------------------------------------------------------------------------------- */

/* A port's series: its flows, then PFC sent and received of each priority. */
enum { SERIES_PFC_SENT = FLOWS, SERIES_PFC_RECEIVED = FLOWS + PRIORITIES, SERIES = FLOWS + 2 * PRIORITIES };
const struct rate *series_rate(const struct frame_port *port, unsigned series);
/* "pauses_received", "pfc_received_3" */
const char *series_name(unsigned series, char text[static 32]);

enum moment_kind {
    MOMENT_QUIET,   /* nothing else was */
    MOMENT_RATE,    /* a rate that stood out */
    MOMENT_FALL,    /* the same, below what it had been */
    MOMENT_EVENT,   /* something changed: text says what */
    MOMENT_PROCESS, /* a process came to a device, or left it */
    MOMENT_GAP,     /* nothing was recorded */
};

struct moment {
    enum moment_kind kind;
    uint64_t begin_ms, end_ms; /* the same for what took no time */
    const char *host;          /* NULL: of the only one */
    const char *device, *text; /* NULL: none */
    const char *what;          /* an event's kind, "started" or "ended" of a process */
    struct num port;
    unsigned series;    /* of MOMENT_RATE and MOMENT_FALL */
    double peak, usual; /* usual: what 99 % of the seconds in the hour before had at most; of a fall, 95 %
                         * at least */
    uint64_t peak_ms, reference_s; /* reference_s: how long that hour was */
    size_t others, ports;          /* of `ports` ports, so many others stood out so at the same time */
    double sent, received;         /* of quiet: bytes a second, all ports, the mean */
    bool goes_on;                  /* until the recording's end */
};

bool moment_is_stretch(const struct moment *moment); /* a rate, or a fall */

/* What the files of one host say of its clock. */
struct history_clock {
    const char *host; /* NULL: they don't name it */
    bool known, lost; /* lost: it wasn't synchronised at some time */
    double error_ms;  /* the most of it */
};
void history_clock_take(struct history_clock *clock, const struct frame *frame);
/* "the clocks of a, b are within 12 ms by NTP; c's is not synchronised: its times may be off" */
char *history_clocks_text(const struct history_clock *clocks, size_t count, struct arena *arena);

/* Of several hosts, who stood out first, and the first of the others. */
struct history_first {
    const struct moment *first, *next; /* NULL: none */
    bool sure;      /* next is later by more than the clocks may be off, and than a reading takes */
    bool by_clocks; /* they are synchronised, so that it is known how far that is */
};
/* Of moments in the order of time, each with its host as in clocks. */
struct history_first history_find_first(const struct moment *moments, size_t count,
                                        const struct history_clock *clocks, size_t nclocks);

struct timeline;

/* What is told before since_ms only says what was usual. */
struct timeline *timeline_new(uint64_t since_ms);
int timeline_take(void *timeline, const struct frame *frame); /* in order; a history_seen */
/* What there was, in the order of time; all memory is the timeline's. Call it once. */
const struct moment *timeline_moments(struct timeline *timeline, size_t *count);
void timeline_free(struct timeline *timeline);

/* -- the files' names: private to history/ ------------------------------------------------------------------
 */

enum { HISTORY_NAME_SIZE = 40 };

struct history_file {
    char name[HISTORY_NAME_SIZE];
    unsigned long number;
    uint64_t hour; /* since 1970 */
    uint64_t size; /* bytes */
};

struct history_files {
    struct history_file *items; /* the caller frees them */
    size_t count;
};

/* Of the open directory, by their numbers; others' files aren't looked at. */
struct history_files history_list(int directory);
void history_name(char name[static HISTORY_NAME_SIZE], unsigned long number, uint64_t hour);
