/* SPDX-License-Identifier: MIT */
/* What stood out in what was recorded: each rate against what it was in the hour before, and its neighbours. */
#include <math.h>

#include "base/hash.h"
#include "history/history.h"

enum { TRACK_BUCKETS = 1 << 12 };
enum {
    RECENT = 3600,  /* seconds that say what is usual */
    ENOUGH = 60,    /* so many of them, before it can be told that a rate is high, or low */
    A_FEW = 5,      /* the same where hardly any is usual */
    BUCKETS = 168,  /* four for each doubling, up to 2^41 a second */
    CALM_MS = 5000, /* a stretch ends after so long without */
    LEAST_QUIET_MS = 2000,
    GAP_MS = 65000,      /* each minute begins with a frame, whatever happens */
    SAME_MS = 3000,      /* what begins so close together is one thing */
    FALL_BYTES = 1000000 /* a second: who sends less may stop */
};

/* One port's one rate. */
struct series {
    uint8_t recent[RECENT]; /* buckets */
    uint16_t counts[BUCKETS];
    size_t next, filled;
    struct moment *open; /* it stands out; NULL: it doesn't */
    uint64_t last_ms;    /* when it did so last */
};

struct track {
    char *device;
    uint32_t number;
    struct series *series[SERIES]; /* NULL: 0, or not known, in all seconds so far */
    const char *neighbor;          /* the last that was known; NULL: none was */
    size_t repeated, gaps;         /* of the timeline's, what the series know of */
    size_t next;                   /* of its bucket; 0: none, else one more than its index */
};

/* A process, or a kernel service, that is there now. */
struct process {
    char *kind, *name, *device;
    uint64_t pid;
    bool seen;
};

struct timeline {
    struct arena *arena;
    uint64_t since_ms, begin_ms, last_ms;
    struct track *tracks;
    size_t ntracks, most_ports, by_name[TRACK_BUCKETS];
    uint64_t seed;
    struct process *processes;
    size_t nprocesses;
    bool users_known;
    size_t seconds;  /* told so far */
    size_t repeated; /* of these, without a line */
    size_t gaps, process_at;
    struct moment **moments;
    size_t nmoments;
    struct sample {
        uint64_t ms;
        double sent, received;
    } * samples;
    size_t nsamples, sample_at;
};

const struct rate *series_rate(const struct frame_port *port, unsigned series)
{
    if (series < FLOWS)
        return &port->flows[series];
    return series < SERIES_PFC_RECEIVED ? &port->pfc_sent[series - SERIES_PFC_SENT]
                                        : &port->pfc_received[series - SERIES_PFC_RECEIVED];
}

const char *series_name(unsigned series, char text[static 32])
{
    if (series < FLOWS)
        snprintf(text, 32, "%s", flow_name((enum flow)series));
    else
        snprintf(text, 32, "pfc_%s_%u", series < SERIES_PFC_RECEIVED ? "sent" : "received",
                 (series - FLOWS) % PRIORITIES);
    return text;
}

struct timeline *timeline_new(uint64_t since_ms)
{
    struct timeline *timeline = mem_alloc(1, sizeof(*timeline));
    timeline->arena = arena_new();
    timeline->seed = hash_seed();
    timeline->since_ms = since_ms;
    return timeline;
}

static void forget_process(const struct process *process)
{
    free(process->kind);
    free(process->name);
    free(process->device);
}

void timeline_free(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->ntracks; i++)
        free(timeline->tracks[i].device);
    for (size_t i = 0; i < timeline->nprocesses; i++)
        forget_process(&timeline->processes[i]);
    free(timeline->tracks);
    free(timeline->processes);
    free(timeline->samples);
    free(timeline->moments);
    arena_free(timeline->arena);
    free(timeline);
}

static struct moment *add_moment(struct timeline *timeline, const struct moment *moment)
{
    struct moment *own = arena_alloc(timeline->arena, 1, sizeof(*own));
    *own = *moment;
    timeline->moments = mem_resize(timeline->moments, timeline->nmoments + 1, sizeof(struct moment *));
    timeline->moments[timeline->nmoments++] = own;
    return own;
}

/* What took no time; the name of its device (NULL: none) is copied. */
static void add_event(struct timeline *timeline, enum moment_kind kind, uint64_t ms, const char *device,
                      struct num port, const char *what, const char *text)
{
    add_moment(timeline, &(struct moment){ .kind = kind,
                                           .begin_ms = ms,
                                           .end_ms = ms,
                                           .device = arena_strdup(timeline->arena, device),
                                           .port = port,
                                           .what = what,
                                           .text = text });
}

/* -- what is usual ----------------------------------------------------------------------------------------- */

static uint8_t bucket_of(double value)
{
    double bucket = value <= 0 ? 0 : 1 + floor(4 * log2(value + 1));
    return bucket >= BUCKETS ? BUCKETS - 1 : (uint8_t)bucket;
}

/* The highest value of a bucket. */
static double bucket_top(unsigned bucket)
{
    return bucket ? exp2(bucket / 4.0) - 1 : 0;
}

/* The bucket that this share of the seconds is in or below. */
static unsigned bucket_at(const struct series *series, double share)
{
    size_t wanted = (size_t)ceil((double)series->filled * share), sum = 0;
    unsigned bucket = 0;
    for (; bucket + 1 < BUCKETS && (sum += series->counts[bucket]) < wanted; bucket++)
        ;
    return bucket;
}

static void remember(struct series *series, double value)
{
    if (series->filled == RECENT)
        series->counts[series->recent[series->next]]--;
    else
        series->filled++;
    series->recent[series->next] = bucket_of(value);
    series->counts[series->recent[series->next]]++;
    series->next = (series->next + 1) % RECENT;
}

/* A series that was 0 until now. */
static struct series *new_series(struct arena *arena, size_t seconds)
{
    struct series *series = arena_alloc(arena, 1, sizeof(*series));
    series->filled = seconds < RECENT ? seconds : RECENT;
    series->counts[0] = (uint16_t)series->filled;
    series->next = series->filled % RECENT;
    return series;
}

/* -- what stands out --------------------------------------------------------------------------------------- */

/* How much more than usual, a second, is worth a line; 0: this series' growth is no trouble. What follows from
 * congestion is the network at work until it is much; what failed is worth a line each time. */
static double worth(unsigned series)
{
    switch (series) {
    case FLOW_SENT_BYTES:
    case FLOW_RECEIVED_BYTES:
    case FLOW_SENT_PACKETS:
    case FLOW_RECEIVED_PACKETS:
        return 0;
    case FLOW_DROPS:
    case FLOW_FAILURES:
    case FLOW_LINK_ERRORS:
    case FLOW_FEC_ERRORS:
        return 0.001;
    case FLOW_RETRANSMISSIONS:
    case FLOW_OUT_OF_SEQUENCE:
    case FLOW_RNR_SENT:
    case FLOW_RNR_RECEIVED:
        return 0.9;
    case FLOW_FEC_CORRECTED: /* all day on a fast link that is well */
        return 1000;
    default:
        return 10;
    }
}

static bool may_fall(unsigned series)
{
    return series == FLOW_SENT_BYTES || series == FLOW_RECEIVED_BYTES;
}

/* Does it stand out? usual: the limit that it is held against. */
static bool stands_out(const struct series *series, unsigned index, double value, double *usual, bool *fall)
{
    double least = worth(index);
    if (series->open) {
        *usual = series->open->usual;
        *fall = series->open->kind == MOMENT_FALL;
    } else if (value > 0 && least > 0 && series->filled >= (least < 0.1 ? 0 : least < 1 ? A_FEW : ENOUGH)) {
        *usual = bucket_top(bucket_at(series, 0.99));
    } else if (may_fall(index) && series->filled >= ENOUGH) {
        unsigned bucket = bucket_at(series, 0.05);
        *usual = bucket ? bucket_top(bucket - 1) : 0;
        *fall = true;
    } else {
        return false;
    }
    return *fall ? *usual >= FALL_BYTES && value < *usual / 4 : value >= 2 * *usual && value >= *usual + least;
}

static void judge(struct timeline *timeline, const struct frame *frame, const struct frame_port *port,
                  struct series *series, unsigned index, double value)
{
    double usual = 0;
    bool fall = false;
    uint64_t begin = frame->time_ms - (uint64_t)(frame->seconds * 1000);
    if (stands_out(series, index, value, &usual, &fall)) {
        struct moment *open = series->open;
        if (!open)
            open = series->open = add_moment(timeline,
                                             &(struct moment){
                                                 .kind = fall ? MOMENT_FALL : MOMENT_RATE,
                                                 .begin_ms = begin,
                                                 .device = arena_strdup(timeline->arena, port->device),
                                                 .port = num_of(port->number),
                                                 .series = index,
                                                 .peak = value,
                                                 .peak_ms = frame->time_ms,
                                                 .usual = usual,
                                                 .reference_s = series->filled,
                                             });
        if (fall ? value < open->peak : value > open->peak) {
            open->peak = value;
            open->peak_ms = frame->time_ms;
        }
        open->end_ms = series->last_ms = frame->time_ms;
        if (frame->time_ms > open->begin_ms + (uint64_t)RECENT * 1000)
            series->open = NULL; /* it is what is usual now */
    } else if (series->open && frame->time_ms > series->last_ms + CALM_MS) {
        series->open = NULL;
    }
    remember(series, value);
}

static struct track *track_of(struct timeline *timeline, const struct frame_port *port)
{
    uint64_t hash = seeded_hash(timeline->seed + port->number, port->device, strlen(port->device));
    size_t *bucket = &timeline->by_name[hash % TRACK_BUCKETS];
    for (size_t i = *bucket; i; i = timeline->tracks[i - 1].next) {
        struct track *track = &timeline->tracks[i - 1];
        if (track->number == port->number && strcmp(track->device, port->device) == 0)
            return track;
    }
    timeline->tracks = mem_resize(timeline->tracks, timeline->ntracks + 1, sizeof(*timeline->tracks));
    struct track *track = &timeline->tracks[timeline->ntracks++];
    *track = (struct track){ .device = mem_strdup(port->device), .number = port->number, .next = *bucket };
    *bucket = timeline->ntracks;
    return track;
}

/* A cable that ends elsewhere now. One whose end says nothing for a while may be as it was. */
static void take_neighbor(struct timeline *timeline, const struct frame *frame, const struct frame_port *port,
                          struct track *track)
{
    struct arena *arena = timeline->arena;
    if (!port->neighbor || (track->neighbor && strcmp(port->neighbor, track->neighbor) == 0))
        return;
    if (track->neighbor)
        add_event(timeline, MOMENT_EVENT, frame->time_ms, port->device, num_of(port->number), "neighbor",
                  arena_printf(arena, "cabled to %s, before to %s", port->neighbor, track->neighbor));
    track->neighbor = arena_strdup(arena, port->neighbor);
}

/* Seconds without a line were as the one before them; nothing is told of what was while nobody looked. */
static void catch_up(const struct timeline *timeline, struct track *track)
{
    size_t times = timeline->repeated - track->repeated;
    times = times < GAP_MS / 1000 ? times : GAP_MS / 1000;
    for (unsigned s = 0; s < SERIES; s++) {
        struct series *series = track->series[s];
        size_t last = series ? (series->next + RECENT - 1) % RECENT : 0;
        uint8_t bucket = series && series->filled ? series->recent[last] : 0;
        for (size_t i = 0; i < times && series; i++)
            remember(series, bucket_top(bucket));
        if (series && track->gaps != timeline->gaps)
            series->open = NULL;
    }
    track->repeated = timeline->repeated;
    track->gaps = timeline->gaps;
}

static void take_port(struct timeline *timeline, const struct frame *frame, const struct frame_port *port)
{
    struct track *track = track_of(timeline, port);
    take_neighbor(timeline, frame, port, track);
    if (track->repeated != timeline->repeated || track->gaps != timeline->gaps)
        catch_up(timeline, track);
    for (unsigned i = 0; i < SERIES; i++) {
        const struct rate *rate = series_rate(port, i);
        struct series **series = &track->series[i];
        if (!*series && (!rate->known || rate->value <= 0))
            continue;
        if (!*series)
            *series = new_series(timeline->arena, timeline->seconds);
        if (rate->known)
            judge(timeline, frame, port, *series, i, rate->value);
    }
}

/* -- what happened ----------------------------------------------------------------------------------------- */

static void take_event(struct timeline *timeline, const struct frame_event *event)
{
    add_event(timeline, MOMENT_EVENT, event->time_ms, event->device, event->port,
              arena_strdup(timeline->arena, event->kind), arena_strdup(timeline->arena, event->text));
}

/* Looks behind the one that was found last first: most are in the same order again. */
static struct process *find_process(struct timeline *timeline, const struct frame_user *user)
{
    for (size_t i = 0; i < timeline->nprocesses; i++, timeline->process_at++) {
        if (timeline->process_at >= timeline->nprocesses)
            timeline->process_at = 0;
        struct process *process = &timeline->processes[timeline->process_at];
        if (num_is(user->pid, process->pid) && text_is(process->device, user->device ? user->device : "") &&
            text_is(process->kind, user->kind))
            return process;
    }
    return NULL;
}

static void tell_process(struct timeline *timeline, const struct process *process, uint64_t ms,
                         const char *what)
{
    add_event(timeline, MOMENT_PROCESS, ms, *process->device ? process->device : NULL, (struct num){ 0 }, what,
              arena_printf(timeline->arena, "%s (pid %" PRIu64 ")", process->name, process->pid));
}

/* Those of the first frame were there before. Kernel services have no pid, and come with devices. */
static void take_users(struct timeline *timeline, const struct frame *frame)
{
    if (!frame->users_known)
        return;
    for (size_t i = 0; i < timeline->nprocesses; i++)
        timeline->processes[i].seen = false;
    for (size_t i = 0; i < frame->nusers; i++) {
        const struct frame_user *user = &frame->users[i];
        struct process *process = user->pid.known ? find_process(timeline, user) : NULL;
        if (process)
            process->seen = true;
        if (process || !user->pid.known)
            continue;
        timeline->processes = mem_resize(timeline->processes, timeline->nprocesses + 1, sizeof(*process));
        process = &timeline->processes[timeline->nprocesses++];
        *process = (struct process){ .kind = mem_strdup(user->kind),
                                     .name = mem_strdup(user->name ? user->name : user->kind),
                                     .device = mem_strdup(user->device ? user->device : ""),
                                     .pid = user->pid.value,
                                     .seen = true };
        if (timeline->users_known)
            tell_process(timeline, process, frame->time_ms, "started");
    }
    size_t left = 0;
    for (size_t i = 0; i < timeline->nprocesses; i++) {
        if (timeline->processes[i].seen) {
            timeline->processes[left++] = timeline->processes[i];
            continue;
        }
        tell_process(timeline, &timeline->processes[i], frame->time_ms, "ended");
        forget_process(&timeline->processes[i]);
    }
    timeline->nprocesses = left;
    timeline->users_known = true;
}

/* Did a recorder begin here? It says so. */
static bool begins_anew(const struct frame *frame)
{
    for (size_t i = 0; i < frame->nevents; i++)
        if (text_is(frame->events[i].kind, "recording-started"))
            return true;
    return false;
}

static void take_gap(struct timeline *timeline, const struct frame *frame)
{
    uint64_t begin = frame->time_ms - (uint64_t)(frame->seconds * 1000);
    bool long_ago = timeline->last_ms && begin > timeline->last_ms + GAP_MS;
    if (!timeline->last_ms || !(long_ago || begins_anew(frame)))
        return;
    timeline->gaps++;
    timeline->users_known = false;
    for (size_t i = 0; i < timeline->nprocesses; i++)
        forget_process(&timeline->processes[i]);
    timeline->nprocesses = 0;
    if (begin > timeline->last_ms + LEAST_QUIET_MS)
        add_moment(timeline,
                   &(struct moment){ .kind = MOMENT_GAP, .begin_ms = timeline->last_ms, .end_ms = begin });
}

int timeline_take(void *data, const struct frame *frame)
{
    struct timeline *timeline = data;
    if (!timeline->begin_ms && frame->time_ms >= timeline->since_ms)
        timeline->begin_ms = frame->time_ms - (uint64_t)(frame->seconds * 1000);
    take_gap(timeline, frame);
    if (timeline->last_ms && frame->time_ms > timeline->last_ms + 1500 &&
        frame->time_ms < timeline->last_ms + GAP_MS) {
        timeline->repeated += (frame->time_ms - timeline->last_ms) / 1000 - 1;
        timeline->seconds += (frame->time_ms - timeline->last_ms) / 1000 - 1;
    }
    struct sample sample = { .ms = frame->time_ms };
    for (size_t i = 0; i < frame->nports; i++) {
        const struct frame_port *port = &frame->ports[i];
        take_port(timeline, frame, port);
        sample.sent += port->flows[FLOW_SENT_BYTES].value; /* 0 where it isn't known */
        sample.received += port->flows[FLOW_RECEIVED_BYTES].value;
    }
    take_users(timeline, frame);
    for (size_t i = 0; i < frame->nevents; i++)
        take_event(timeline, &frame->events[i]);
    timeline->samples = mem_resize(timeline->samples, timeline->nsamples + 1, sizeof(*timeline->samples));
    timeline->samples[timeline->nsamples++] = sample;
    timeline->most_ports = frame->nports > timeline->most_ports ? frame->nports : timeline->most_ports;
    timeline->last_ms = frame->time_ms;
    timeline->seconds++;
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
    const struct moment *a = *(struct moment *const *)left, *b = *(struct moment *const *)right;
    if (a->begin_ms != b->begin_ms)
        return a->begin_ms < b->begin_ms ? -1 : 1;
    if ((a->kind == MOMENT_QUIET) != (b->kind == MOMENT_QUIET))
        return a->kind == MOMENT_QUIET ? 1 : -1; /* behind what it follows */
    return a->kind != b->kind ? (int)a->kind - (int)b->kind : (int)a->series - (int)b->series;
}

bool moment_is_stretch(const struct moment *moment)
{
    return moment->kind == MOMENT_RATE || moment->kind == MOMENT_FALL;
}

/* The same on several ports is one moment, of the port with the highest peak. */
static void join_ports(struct timeline *timeline)
{
    size_t left = 0;
    for (size_t i = 0; i < timeline->nmoments; i++) {
        struct moment *moment = timeline->moments[i];
        struct moment *same = NULL;
        for (size_t k = left; k > 0 && !same && moment_is_stretch(moment); k--) {
            struct moment *other = timeline->moments[k - 1];
            if (moment->begin_ms > other->begin_ms + SAME_MS)
                break;
            if (other->kind == moment->kind && other->series == moment->series)
                same = other;
        }
        if (!same) {
            moment->ports = timeline->most_ports;
            timeline->moments[left++] = moment;
            continue;
        }
        bool higher = moment->kind == MOMENT_FALL ? moment->peak < same->peak : moment->peak > same->peak;
        struct moment joined = higher ? *moment : *same;
        joined.begin_ms = same->begin_ms;
        joined.end_ms = moment->end_ms > same->end_ms ? moment->end_ms : same->end_ms;
        joined.others = same->others + 1;
        joined.ports = timeline->most_ports;
        *same = joined;
    }
    timeline->nmoments = left;
}

/* Each is behind the one before. */
static void add_quiet(struct timeline *timeline, uint64_t begin, uint64_t end)
{
    struct moment quiet = { .kind = MOMENT_QUIET, .begin_ms = begin, .end_ms = end };
    double weights = 0;
    quiet.ports = timeline->most_ports;
    for (; timeline->sample_at < timeline->nsamples; timeline->sample_at++) {
        const struct sample *sample = &timeline->samples[timeline->sample_at];
        uint64_t next = timeline->sample_at + 1 < timeline->nsamples ? sample[1].ms : sample->ms + 1000;
        if (sample->ms > end)
            break;
        if (sample->ms <= begin || next < sample->ms)
            continue;
        double weight = (double)(next - sample->ms); /* seconds without a line were as this one */
        quiet.sent += sample->sent * weight;
        quiet.received += sample->received * weight;
        weights += weight;
    }
    quiet.sent /= weights > 0 ? weights : 1;
    quiet.received /= weights > 0 ? weights : 1;
    add_moment(timeline, &quiet);
}

/* What is shown lies behind since_ms; between what happened nothing did. */
static void fill(struct timeline *timeline)
{
    size_t count = 0, all = timeline->nmoments;
    for (size_t i = 0; i < all; i++)
        if (timeline->moments[i]->end_ms >= timeline->since_ms)
            timeline->moments[count++] = timeline->moments[i];
    timeline->nmoments = count;
    uint64_t until = timeline->begin_ms;
    for (size_t i = 0; i < count; i++) {
        const struct moment *moment = timeline->moments[i];
        if (until && moment->begin_ms >= until + LEAST_QUIET_MS)
            add_quiet(timeline, until, moment->begin_ms);
        until = moment->end_ms > until ? moment->end_ms : until;
    }
    if (until && timeline->last_ms >= until + LEAST_QUIET_MS)
        add_quiet(timeline, until, timeline->last_ms);
}

const struct moment *timeline_moments(struct timeline *timeline, size_t *count)
{
    for (size_t i = 0; i < timeline->nmoments; i++) {
        struct moment *moment = timeline->moments[i];
        moment->goes_on = moment_is_stretch(moment) && moment->end_ms == timeline->last_ms;
    }
    if (timeline->nmoments)
        qsort(timeline->moments, timeline->nmoments, sizeof(struct moment *), by_time);
    join_ports(timeline);
    fill(timeline);
    if (timeline->nmoments)
        qsort(timeline->moments, timeline->nmoments, sizeof(struct moment *), by_time);
    struct moment *moments = arena_alloc(timeline->arena, timeline->nmoments + 1, sizeof(*moments));
    for (size_t i = 0; i < timeline->nmoments; i++)
        moments[i] = *timeline->moments[i];
    *count = timeline->nmoments;
    return moments;
}
