/* SPDX-License-Identifier: MIT */
/* roce explain WORD, LINE: explains a check, a counter, a term, or a line of a log. */
#include <sys/stat.h>

#include "command/context.h"
#include "model/statistics.h"
#include "source/recording/recording.h"
#include "view/explanation.h"

enum {
    TEXT_MOST = 16 << 20, /* bytes of a log */
    ANSWERS_MOST = 100,   /* different ones in a log */
    NEAR_MOST = 3,
    PHRASE_WORDS = 6
};

/* A step, by its words or by the call that performs it. */
static void explain_steps_named(struct page *page, const char *word)
{
    size_t before = page->shown;
    for (const struct step_call *call = step_calls; call->call; call++)
        if (strcmp(call->call, word) == 0)
            page_step(page, call->call, call->step);
    for (int step = STEP_NODE; page->shown == before && step < STEPS; step++)
        if (strcasecmp(step_text((enum step)step), word) == 0)
            page_step(page, step_text((enum step)step), (enum step)step);
}

static char *in_small_letters(char *text)
{
    for (char *c = text; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c | 0x20);
    return text;
}

/* "status 12", "errno: -110", "syndrome 0x15", "12": what stands before a number, in small letters, and
 * the number; NULL if there is none at the end. */
static const char *split_number(struct arena *arena, const char *text, int64_t *number)
{
    const char *digits = text + strlen(text);
    while (digits > text && !strchr(" =:-", digits[-1]))
        digits--;
    if (text_to_i64(digits, 0, number) < 0)
        return NULL;
    size_t len = (size_t)(digits - text);
    while (len && strchr(" =:-", text[len - 1]))
        len--;
    return in_small_letters(arena_strndup(arena, text, len));
}

/* "12", "status 12", "status=12", "reject 8", "errno: -110", "syndrome 0x15": by number. */
static void explain_number(struct page *page, const char *text)
{
    int64_t number;
    const char *kind = split_number(page->arena, text, &number);
    if (!kind || number < -4096 || number > 4096)
        return;
    int status = text_in_list("syndrome,synd", kind) ? syndrome_status((unsigned long)number)
                 : !*kind ||
                         text_in_list(
                             "status,completion,completion status,wc,wc status,error,completion error,ibv_wc",
                             kind)
                     ? (int)number
                     : -1;
    if (status >= 0 && wc_text(status))
        page_status(page, status);
    for (size_t i = 0; word_tables[i]; i++) {
        const struct word_table *table = word_tables[i];
        bool asked = *kind ? table->numbers && text_in_list(table->numbers, kind) : table == &words_errnos;
        const struct word *word = asked ? word_numbered(table, (int)(number < 0 ? -number : number)) : NULL;
        if (word)
            page_word(page, table, word);
    }
}

static bool read_machine(struct context *context, needs_t needs)
{
    if (!context->source && machine_open(context->args->root, &context->source) < 0)
        return false;
    return context_read(context, needs) == 0;
}

static void explain_word(struct page *page, const char *word)
{
    const struct check *check = check_find(word);
    const struct term *term = term_find(word);
    if (check)
        page_check(page, check);
    if (check_topic_text(word))
        page_topic(page, word);
    if (term)
        page_term(page, term);
    for (size_t i = 0; word_tables[i]; i++) {
        const struct word *found = word_find(word_tables[i], word);
        if (found)
            page_word(page, word_tables[i], found);
    }
    if (status_find(word) >= 0)
        page_status(page, status_find(word));
    explain_steps_named(page, word);
    explain_number(page, word);
    for (const struct counter_table *table = counter_tables; table->count; table++) {
        const struct counter_def *def = counter_table_find(table, word);
        if (def)
            page_counter(page, table, def, word);
    }
    for (const struct counter_table *table = statistic_tables; table->count; table++) {
        unsigned priority;
        const struct counter_def *def = statistic_table_find(table, word, &priority);
        if (def)
            page_counter(page, table, def, word);
    }
    for (enum attribute_id id = ATTR_NONE + 1; !page->shown && id < ATTRIBUTES; id++)
        if (strcmp(attributes[id].key, word) == 0)
            page_fact(page, &attributes[id]);
}

/* A name as people write it: "pause frames" is pause-frames, "port err" IBV_EVENT_PORT_ERR. */
struct loose {
    const char *word, *found;
};

static void note_same(void *data, const char *kind, const char *other, const char *help)
{
    static const char *const prefixes[] = { "", "IBV_EVENT_", "RDMA_CM_EVENT_" };
    struct loose *loose = data;
    (void)kind;
    (void)help;
    for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !loose->found; i++)
        if (text_starts(other, prefixes[i]) && text_is_named(other + strlen(prefixes[i]), loose->word))
            loose->found = other;
}

/* A command of roce's, or what other tools' users or intuition call one. */
static void explain_command(struct page *page, const char *word)
{
    const struct command *command = command_find(word);
    const struct instead *row = insteads;
    while (row->words && !(row->words[0] != '-' && text_is_named(row->words, word)))
        row++;
    if (command)
        page_command(page, word, command->name, command->summary);
    else if (row->words)
        page_command(page, word, row->roce, packed_line(row->says));
}

/* What "tos 106", "timeout 20" and "mtu 4200" come to; kind in small letters. NULL if there is nothing to
 * reckon. */
static const char *value_of(struct arena *arena, const char *kind, int64_t number)
{
    static const char *const ecn[] = { "without ECN", "with ECN", "with ECN", "marked as congested" };
    bool is_dscp = strcmp(kind, "dscp") == 0;
    bool is_tos = text_in_list("tos,tc,traffic class,traffic_class,nccl_ib_tc,ucx_ib_traffic_class", kind);
    int most = is_dscp ? 63 : 255;
    if ((is_dscp || is_tos) && (number < 0 || number > most))
        return arena_printf(arena, "there is none but 0 to %d", most);
    if (is_tos)
        return arena_printf(arena, "%d is DSCP %d, %s", (int)number, (int)number >> 2, ecn[number & 3]);
    if (is_dscp)
        return arena_printf(arena, "DSCP %d is TOS (traffic class) %d, with ECN %d", (int)number,
                            (int)number << 2, (int)number << 2 | 2);
    if (text_in_list("timeout,ack timeout,ack_timeout,local ack timeout,nccl_ib_timeout", kind) && number > 0 &&
        number < 32) {
        double seconds = 4.096e-6 * (double)(UINT32_C(1) << number);
        return arena_printf(arena, "%d is %.3g %s for each try", (int)number,
                            seconds < 1 ? 1e3 * seconds : seconds, seconds < 1 ? "ms" : "s");
    }
    if (strcmp(kind, "mtu") == 0 && number > 0 && number <= UINT16_MAX && roce_mtu((uint64_t)number, NULL))
        return arena_printf(arena, "a netdev's MTU of %d gives a RoCE MTU of %u", (int)number,
                            roce_mtu((uint64_t)number, NULL));
    return NULL;
}

/* What isn't called so, but nearly: by another spelling, without the number or value behind it ("dscp 26",
 * "UCX_TLS=tcp"), or what to run. Returns whether there is anything. */
static bool explain_loosely(struct page *page, const char *word)
{
    size_t before = page->shown;
    struct loose loose = { .word = word };
    vocabulary_see(note_same, &loose);
    if (strncasecmp(word, "FI_E", 4) == 0) /* libfabric's names of errnos */
        loose.found = word + 3;
    if (loose.found)
        explain_word(page, loose.found);
    int64_t number;
    const char *kind = split_number(page->arena, word, &number);
    bool has_number = kind;
    if (!kind && strchr(word, '='))
        kind = arena_strndup(page->arena, word, strcspn(word, "="));
    const struct term *like = page->shown == before ? term_like(word) : NULL;
    if (like)
        page_term(page, like);
    if (page->shown == before && kind && isalpha((unsigned char)*kind)) {
        const char *value = has_number ? value_of(page->arena, kind, number) : NULL;
        const struct term *term = value ? term_find(kind) : NULL;
        if (term)
            page_term(page, term);
        else
            explain_word(page, kind);
        page_value(page, value);
    }
    if (page->shown == before)
        explain_command(page, word);
    return page->shown != before;
}

/* -- lines of logs -------------------------------------------------------------------------------------- */

struct log {
    struct explained answers[ANSWERS_MOST];
    size_t count, line, more; /* line: the current one; more: different ones beyond those there is room for */
    const struct report *report; /* of the machine; NULL if there is none to read */
    bool tried;
    struct arena *arena;
};

static bool names_same(const struct explained *a, const struct explained *b)
{
    if (a->nmentions != b->nmentions)
        return false;
    for (size_t i = 0; i < a->nmentions; i++)
        if (a->mentions[i].device != b->mentions[i].device || a->mentions[i].port != b->mentions[i].port ||
            (!a->mentions[i].device && strcmp(a->mentions[i].text, b->mentions[i].text) != 0))
            return false;
    return true;
}

/* Reads the machine once a line is recognised, to look up what lines name. If the live machine can't be read,
 * that is left out; for a recording it is an error. */
static int read_once(struct context *context, struct log *log)
{
    if (log->tried)
        return 0;
    log->tried = true;
    if (!read_machine(context, NEED_VERDICT | NEED_RATE))
        return context->args->root ? -EINVAL : 0;
    struct report *report = arena_alloc(log->arena, 1, sizeof(*report));
    *report = check_run(context->host, NULL, 0, &(struct check_selection){ .glance = true }, log->arena);
    log->report = report;
    return 0;
}

static int add_line(struct context *context, struct log *log, const char *line, size_t len)
{
    struct explained now = {
        .line = line, .len = len < LINE_MOST ? len : LINE_MOST, .number = log->line, .times = 1
    };
    if (!line_read(line, len, &now.reading))
        return 0;
    int r = read_once(context, log);
    if (r < 0)
        return r;
    if (log->report)
        now.nmentions = mention_find(log->report->host, line, now.len, log->arena, now.mentions);
    for (size_t i = 0; i < log->count; i++) {
        struct explained *old = &log->answers[i];
        if (old->reading.message == now.reading.message && old->reading.status == now.reading.status &&
            old->reading.err == now.reading.err && old->reading.word == now.reading.word &&
            names_same(old, &now)) {
            old->times++;
            return 0;
        }
    }
    if (log->count < ANSWERS_MOST)
        log->answers[log->count++] = now;
    else
        log->more++;
    return 0;
}

/* The part of *text, up to end, before the next mark; moves *text past the mark. */
static char *next_piece(char **text, char *end, char mark, size_t *len)
{
    char *piece = *text, *at = memchr(piece, mark, (size_t)(end - piece));
    *len = (size_t)((at ? at : end) - piece);
    *text = at ? at + 1 : end;
    return piece;
}

/* A progress bar overwrites itself: one line, in pieces separated by carriage returns. */
static int read_log(struct context *context, struct log *log, char *text, size_t len)
{
    char *end = text + len;
    size_t n;
    int r = 0;
    while (text < end && r == 0) {
        char *piece = next_piece(&text, end, '\n', &n), *behind = piece + n;
        log->line++;
        while (piece < behind && r == 0) {
            char *line = next_piece(&piece, behind, '\r', &n);
            if (n)
                r = add_line(context, log, line, text_drop_escapes(line, n));
        }
    }
    return r;
}

/* Returns how many different answers there are (0 if no line is known), or -errno after saying what is wrong
 * with the recording. Removes colours from text. */
static int explain_text(struct context *context, struct page *page, char *text, size_t len)
{
    struct log *log = mem_alloc(1, sizeof(*log));
    log->arena = arena_new();
    int r = read_log(context, log, text, len);
    for (size_t i = 0; r == 0 && i < log->count; i++)
        page_message(page, log->report, context->args->root, &log->answers[i]);
    if (log->more)
        say_note("%zu more lines say something else again; give a shorter piece of the log", log->more);
    r = r < 0 ? r : (int)log->count;
    arena_free(log->arena);
    free(log);
    return r;
}

/* -- words that aren't known ------------------------------------------------------------------- */

enum { NEAR_LENGTH = 64 };

/* How far other is from word, ignoring case: by edits, then by the length of their common prefix; a word that
 * begins with word is near. SIZE_MAX if too far. */
static size_t farness(const char *word, const char *other)
{
    char a[NEAR_LENGTH], b[NEAR_LENGTH];
    size_t len = strlen(word), size = strlen(other) + 1, same = 0;
    if (len >= NEAR_LENGTH || size > NEAR_LENGTH)
        return SIZE_MAX;
    memcpy(a, word, len + 1);
    memcpy(b, other, size);
    in_small_letters(a);
    in_small_letters(b);
    while (a[same] && a[same] == b[same])
        same++;
    size_t edits = same == len && len >= 3 ? 1 : text_distance(a, b);
    return edits <= len / 3 + 1 ? edits * NEAR_LENGTH + NEAR_LENGTH - same : SIZE_MAX;
}

/* For a word that stands in a line, the less the longer it is; SIZE_MAX if it doesn't, or if it may be ordinary
 * English there. */
static size_t absence(const char *line, const char *word)
{
    size_t len = strlen(word);
    if (len < 2 || len >= NEAR_LENGTH || !strpbrk(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))
        return SIZE_MAX;
    for (const char *at = line; (at = strstr(at, word)); at++)
        if ((at == line || !text_is_word_char(at[-1])) && !text_is_word_char(at[len]))
            return NEAR_LENGTH - len;
    return SIZE_MAX;
}

/* The nearest words, nearest first, by a measure. */
struct near {
    size_t (*measure)(const char *word, const char *other);
    const char *word, *words[NEAR_MOST];
    size_t far[NEAR_MOST], count;
};

static void note_near(void *data, const char *kind, const char *other, const char *help)
{
    (void)kind;
    (void)help;
    struct near *near = data;
    size_t far = near->measure(near->word, other);
    bool is_known = far == SIZE_MAX || (near->count == NEAR_MOST && far >= near->far[NEAR_MOST - 1]);
    for (size_t n = 0; n < near->count; n++)
        is_known |= strcmp(near->words[n], other) == 0;
    if (is_known)
        return;
    size_t at = near->count < NEAR_MOST ? near->count++ : NEAR_MOST - 1;
    for (; at > 0 && near->far[at - 1] > far; at--) {
        near->words[at] = near->words[at - 1];
        near->far[at] = near->far[at - 1];
    }
    near->words[at] = other;
    near->far[at] = far;
}

/* As "'a', 'b' or 'c'"; NULL if none is near. */
static char *near_words(const char *word, size_t (*measure)(const char *word, const char *other))
{
    struct near near = { .word = word, .measure = measure };
    struct bytes text = { 0 };
    vocabulary_see(note_near, &near);
    for (size_t n = 0; n < near.count; n++)
        bytes_printf(&text, "%s'%s'", n == 0 ? "" : n + 1 == near.count ? " or " : ", ", near.words[n]);
    return text.data;
}

static void say_unknown(const char *word, bool is_all)
{
    struct stat st;
    bool is_file = is_all && stat(word, &st) == 0 && S_ISREG(st.st_mode);
    char *near = is_file ? NULL : near_words(word, farness), *quoted = text_shell(word);
    char *inside = is_file || near ? NULL : near_words(word, absence);
    if (is_file)
        say_error("nothing is known of '%s'; for the lines of that file: roce explain --file %s", word, quoted);
    else if (near)
        say_error("nothing is known of '%s'; did you mean %s?", word, near);
    else if (inside)
        say_error("nothing is known of '%s' as a whole; explain a word of it: %s", word, inside);
    else
        say_error("nothing is known of '%s': no check, counter, term, status, event, variable or message "
                  "('roce doctor --list' shows the checks)",
                  word);
    free(near);
    free(inside);
    free(quoted);
}

/* "receiver not ready" or receiver-not-ready: words on the command line belong together if the first alone is
 * unknown. */
static char *join(struct arena *arena, char **words, size_t count)
{
    struct bytes joined = { 0 };
    for (size_t i = 0; i < count; i++)
        bytes_printf(&joined, "%s%s", i ? " " : "", words[i]);
    return arena_take(arena, joined.data);
}

static bool explain_somehow(struct page *page, const char *word)
{
    size_t before = page->shown;
    explain_word(page, word);
    return page->shown != before || explain_loosely(page, word);
}

/* The parts of a phrase that are known, symptoms first, and the words that aren't. */
struct phrase {
    char *words[PHRASE_WORDS];
    const char *parts[PHRASE_WORDS];
    size_t nwords, nparts, nsymptoms, ncovered, nunknown; /* ncovered: words in parts */
    struct bytes unknown;                                 /* "'a', 'b'" */
};

/* How many of the words from the i-th on, at most three, are a part; 0: not even the first. */
static size_t take_part(struct phrase *phrase, struct page *trial, size_t i)
{
    enum { PART_MOST = 3 };
    size_t most = phrase->nwords - i < PART_MOST ? phrase->nwords - i : PART_MOST;
    for (size_t n = most; n > 0; n--) {
        const char *part = join(trial->arena, phrase->words + i, n);
        bool is_symptom = word_find(&words_symptoms, part);
        bool is_plain = n == 1 && (strpbrk(part, "0123456789") == part || word_is_small(part));
        if (is_symptom || (!is_plain && explain_somehow(trial, part))) {
            size_t at = is_symptom ? phrase->nsymptoms++ : phrase->nparts;
            memmove(phrase->parts + at + 1, phrase->parts + at, (phrase->nparts - at) * sizeof(*phrase->parts));
            phrase->parts[at] = part;
            phrase->nparts++;
            phrase->ncovered += n;
            return n;
        }
    }
    return 0;
}

/* "NCCL hangs at init", "gid table empty": a few words, of which most are known, or one is a symptom. Returns
 * whether they are explained. */
static bool explain_phrase(struct page *page, const char *text)
{
    enum { PARTS_SHOWN = 3 };
    struct phrase phrase = { 0 };
    struct page trial = { .list = json_array(), .arena = page->arena };
    char *rest = arena_strdup(page->arena, text);
    while (rest && phrase.nwords < PHRASE_WORDS) {
        char *word = strsep(&rest, " ");
        if (*word)
            phrase.words[phrase.nwords++] = word;
    }
    for (size_t i = 0, n; i < phrase.nwords && !rest; i += n ? n : 1) {
        n = take_part(&phrase, &trial, i);
        if (n == 0 && !word_is_small(phrase.words[i]))
            bytes_printf(&phrase.unknown, "%s'%s'", phrase.nunknown++ ? ", " : "", phrase.words[i]);
    }
    bool is_known = phrase.nsymptoms || (phrase.nparts && phrase.ncovered >= phrase.nunknown);
    for (size_t i = 0; i < phrase.nparts && is_known && i < PARTS_SHOWN; i++)
        explain_somehow(page, phrase.parts[i]);
    if (is_known && phrase.nunknown)
        say_note("nothing is known of %s", phrase.unknown.data);
    bytes_free(&phrase.unknown);
    json_decref(trial.list);
    return is_known;
}

static int explain_operands(struct context *context, struct page *page)
{
    const struct args *args = context->args;
    char *all = join(page->arena, args->operands, args->noperands);
    explain_word(page, all);
    int known = page->shown > 0 ? 1 : explain_text(context, page, all, strlen(all));
    if (known == 0)
        known = explain_loosely(page, all) || explain_phrase(page, all);
    for (size_t i = 0; known == 0 && i < args->noperands; i++) {
        size_t before = page->shown;
        if (explain_somehow(page, args->operands[i]))
            continue;
        say_unknown(args->noperands > 2 && before == 0 ? all : args->operands[i], args->noperands == 1);
        return STATUS_ERROR;
    }
    return known < 0 ? STATUS_ERROR : STATUS_OK;
}

static int explain_file(struct context *context, struct page *page, const char *path)
{
    struct bytes text = { 0 };
    char *name = strcmp(path, "-") == 0 ? mem_strdup("standard input") : mem_printf("'%s'", path);
    int r = file_load(path, TEXT_MOST, &text);
    if (r == 0 && text.len > TEXT_MOST)
        r = -EFBIG;
    int known = r == 0 ? explain_text(context, page, text.data, text.len) : 0;
    if (r == -EFBIG)
        say_error("%s is larger than %d MiB: cut out the part in question (grep, tail)", name, TEXT_MOST >> 20);
    else if (r < 0)
        say_error("cannot read %s: %s", name, say_errno(r));
    else if (known == 0 && text.len == 0)
        say_error("%s is empty", name);
    else if (known == 0)
        say_error("no line of %s is a message that is known", name);
    free(name);
    bytes_free(&text);
    return known > 0 ? STATUS_OK : STATUS_ERROR;
}

/* A pipe or redirected file counts; a terminal doesn't, nor what services and cron get (/dev/null). */
static bool is_input_given(void)
{
    struct stat st;
    return fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode));
}

COMMAND(explain)
{
    const struct args *args = context->args;
    struct page page = { .list = args->look.json ? json_array() : NULL,
                         .arena = arena_new(),
                         .width = args->look.width };
    const char *file = args_value(args, "file");
    bool is_dash = args->noperands == 1 && strcmp(args->operands[0], "-") == 0;
    int status = STATUS_ERROR;
    if (file && args->noperands > 0)
        say_error("explain takes words or a line, or --file, not both");
    else if (file)
        status = explain_file(context, &page, file);
    else if (is_dash || (args->noperands == 0 && is_input_given()))
        status = explain_file(context, &page, "-");
    else if (args->noperands > 0)
        status = explain_operands(context, &page);
    else
        say_error("explain what? A check ('roce doctor --list'), a counter, a term, a status or a line of a "
                  "log: roce explain GID");
    if (page.list && status == STATUS_OK) {
        json_t *top = json_envelope(NULL);
        json_object_set(top, "explanations", page.list);
        json_print(top);
    }
    json_decref(page.list);
    arena_free(page.arena);
    return status;
}
