/* SPDX-License-Identifier: MIT */
/* Finds the message in a line, and the status, errno, reason or event that it names. */
#include "explain/knowledge.h"

#include <infiniband/verbs.h>

#include "tables.h"

/* The rest of a line. */
struct rest {
    const char *at;
    size_t len;
};

static void skip(struct rest *rest, size_t n)
{
    rest->at += n;
    rest->len -= n;
}

int syndrome_status(unsigned long syndrome)
{
    for (int status = 1; status < status_count; status++)
        if (status_words[status].syndrome == syndrome && syndrome)
            return status;
    return -1;
}

/* At most five digits, and no digit after them; -1 if there is no such number. */
static long take_number(struct rest *rest, int base)
{
    long number = 0;
    size_t n = 0;
    while (n < rest->len && n < 6 && text_digit(rest->at[n], base) >= 0)
        number = number * base + text_digit(rest->at[n++], base);
    if (n == 0 || n == 6)
        return -1;
    skip(rest, n);
    return number;
}

/* For one {name} of a pattern: consumes its value from rest and notes it; a word is one of reading->table.
 * Returns false if there is none. */
typedef bool taker(struct rest *rest, struct reading *reading);

static bool take_status(struct rest *rest, struct reading *reading)
{
    long number = take_number(rest, 10);
    reading->status = number > 0 && wc_text((int)number) ? (int)number : -1;
    return reading->status > 0;
}

static bool take_syndrome(struct rest *rest, struct reading *reading)
{
    if (rest->len > 2 && rest->at[0] == '0' && (rest->at[1] | 0x20) == 'x')
        skip(rest, 2);
    if (rest->len > 8 && memcmp(rest->at, "0000", 4) == 0 && text_digit(rest->at[7], 16) >= 0)
        skip(rest, 6); /* the word of a dumped completion that it ends */
    long number = take_number(rest, 16);
    reading->status = number < 0 ? -1 : syndrome_status((unsigned long)number);
    return reading->status > 0;
}

static bool take_errno(struct rest *rest, struct reading *reading)
{
    if (rest->len && *rest->at == '-')
        skip(rest, 1);
    long number = take_number(rest, 10);
    reading->err = number > 0 && strerrorname_np((int)number) ? (int)number : 0;
    return reading->err > 0;
}

/* What a call returned. Not -1, which is "no". */
static bool take_negative(struct rest *rest, struct reading *reading)
{
    return rest->len && *rest->at == '-' && take_errno(rest, reading) && reading->err != EPERM;
}

enum { ERRNO_MOST = 133 };

static bool take_error(struct rest *rest, struct reading *reading)
{
    size_t longest = 0;
    for (int err = 1; err <= ERRNO_MOST; err++) {
        const char *text = strerrordesc_np(err);
        if (!text || !rest->len || tolower((unsigned char)*text) != tolower((unsigned char)*rest->at))
            continue; /* as nearly always, which a comparison would take far longer to find out */
        size_t n = strlen(text);
        if (n > longest && n <= rest->len && strncasecmp(rest->at, text, n) == 0) {
            longest = n;
            reading->err = err;
        }
    }
    skip(rest, longest);
    return longest > 0;
}

static bool take_numbered(struct rest *rest, struct reading *reading)
{
    long number = take_number(rest, 10);
    reading->word = number < 0 ? NULL : word_numbered(reading->table, (int)number);
    return reading->word != NULL;
}

/* A word by its name without the prefix. */
static bool take_name_behind(const char *prefix, struct rest *rest, struct reading *reading)
{
    for (const struct word *word = words_in(reading->table); word->name; word++) {
        const char *name = word->name + strlen(prefix);
        size_t n = strlen(name);
        if (n > rest->len || memcmp(rest->at, name, n) != 0 ||
            (n < rest->len && (rest->at[n] == '_' || isupper((unsigned char)rest->at[n]))))
            continue;
        reading->word = word;
        skip(rest, n);
        return true;
    }
    return false;
}

static bool take_name(struct rest *rest, struct reading *reading)
{
    return take_name_behind("", rest, reading);
}

static bool take_event_name(struct rest *rest, struct reading *reading)
{
    return take_name_behind("RDMA_CM_EVENT_", rest, reading);
}

/* The words of ibv_event_type_str(3) come first among the other spellings. */
static bool take_also(struct rest *rest, struct reading *reading)
{
    for (const struct word *word = words_in(reading->table); word->name; word++) {
        size_t n = strcspn(word->also, ",");
        if (n > rest->len || strncasecmp(rest->at, word->also, n) != 0)
            continue;
        reading->word = word;
        skip(rest, n);
        return true;
    }
    return false;
}

/* "10.0.0.2:18515" or "node7:18515" with nothing after it: anything else is ordinary prose. */
static bool take_address(struct rest *rest, struct reading *reading)
{
    (void)reading;
    size_t n = 0, digits = 0;
    while (n < rest->len && (unsigned char)rest->at[n] > ' ' && rest->at[n] != '/')
        n++;
    while (digits < n && text_digit(rest->at[n - digits - 1], 10) >= 0)
        digits++;
    bool is_one = digits > 0 && digits <= 5 && n > digits + 1 && rest->at[n - digits - 1] == ':' &&
                  (n == rest->len || rest->at[n] != '/');
    skip(rest, n);
    return is_one;
}

/* Moves *pattern past the {name} that it begins with. */
static bool take(const char **pattern, struct rest *rest, struct reading *reading)
{
    static const struct {
        const char *name;
        taker *take;
        const struct word_table *table;
    } takers[] = { PATTERN_TAKERS };
    const char *name = *pattern;
    *pattern += strcspn(name, "}") + 1;
    for (size_t i = 0; i < ARRAY_SIZE(takers); i++) {
        if (!text_starts(name, takers[i].name))
            continue;
        if (takers[i].table)
            reading->table = takers[i].table;
        return takers[i].take(rest, reading);
    }
    return false;
}

/* The end of one text of a choice. */
static const char *choice_end(const char *at)
{
    while (*at && *at != '|' && *at != ')')
        at++;
    return at;
}

/* "(this|that)": one of them. */
static bool is_choice(const char *pattern)
{
    return *pattern == '(' && *choice_end(pattern + 1) == '|';
}

/* Is what *pattern says up to its next '*' at the beginning of *rest? Then moves both behind it. The line may
 * have more blanks where the pattern has one. */
static bool piece_fits(const char **pattern, struct rest *rest, struct reading *reading)
{
    const char *next = *pattern;
    struct rest at = *rest;
    for (bool fits = true; *next && *next != '*';) {
        if (is_choice(next)) {
            const char *end = next + strcspn(next, ")") + 1;
            const struct reading before = *reading;
            for (; next + 1 < end; next = choice_end(next + 1)) {
                size_t n = (size_t)(choice_end(next + 1) - next - 1);
                struct rest behind = { at.at + n, at.len - n };
                const char *tail = end;
                *reading = before;
                if (n <= at.len && memcmp(at.at, next + 1, n) == 0 && piece_fits(&tail, &behind, reading)) {
                    *pattern = tail;
                    *rest = behind;
                    return true;
                }
            }
            return false;
        }
        if (*next == '{') {
            fits = take(&next, &at, reading);
        } else if (*next == '$') {
            fits = at.len == 0 || (at.len == 1 && *at.at == ' ');
            next++;
        } else {
            fits = at.len && *at.at == *next++;
            skip(&at, fits);
            while (fits && next[-1] == ' ' && !strchr(" *", *next) && at.len > 1 && *at.at == ' ')
                skip(&at, 1);
        }
        if (!fits)
            return false;
    }
    *pattern = next;
    *rest = at;
    return true;
}

/* Does a word begin there in the line, "Rdma" of "createRdmaQp" as well? */
static bool word_begins(const char *line, size_t at)
{
    const unsigned char *here = (const unsigned char *)line + at;
    return !at || !isalnum(*here) || !isalnum(here[-1]) || (isupper(*here) && islower(here[-1]));
}

/* Finds the first place in *rest that has what *pattern says up to its next '*', and moves both behind it. A
 * {…} is not looked for inside of a word. line: what *rest was before it was folded, so that no piece is looked
 * for there; NULL: anywhere. */
static bool find_piece(const char **pattern, struct rest *rest, bool fixed, const char *line,
                       struct reading *reading)
{
    const char *folded = rest->at;
    const struct reading before = *reading;
    const bool is_text = !is_choice(*pattern) && !strchr("{$", **pattern);
    for (;;) {
        const char *hit = is_text && !fixed ? memchr(rest->at, **pattern, rest->len) : rest->at;
        if (!hit)
            return false;
        skip(rest, (size_t)(hit - rest->at));
        bool within = line && rest->len > 1 && !word_begins(line, (size_t)(rest->at - folded));
        if (!within && piece_fits(pattern, rest, reading))
            return true;
        *reading = before;
        bool inside;
        do {
            if (fixed || !rest->len)
                return false;
            inside = **pattern == '{' && isalnum((unsigned char)*rest->at);
            skip(rest, 1);
        } while (inside && rest->len && isalnum((unsigned char)*rest->at));
    }
}

/* A pattern that ignores case begins with a word. */
static bool matches(const struct message *message, struct rest line, struct rest folded,
                    struct reading *reading)
{
    const char *pattern = message->pattern;
    bool fixed = false, folds = *pattern == '~';
    struct rest rest = folds ? folded : line;
    const char *words = folds ? line.at : NULL;
    pattern += folds;
    *reading = (struct reading){ .message = message, .status = -1 };
    if (*pattern == '^') {
        fixed = true;
        pattern++;
        while (rest.len && *rest.at == ' ')
            skip(&rest, 1);
    }
    for (; *pattern; fixed = false, words = NULL) {
        if (*pattern == '*')
            pattern++;
        if (*pattern && !find_piece(&pattern, &rest, fixed, words, reading))
            return false;
    }
    if (reading->status < 0 && message->status)
        reading->status = message->status;
    if (!reading->err)
        reading->err = message->err;
    return true;
}

/* Most messages have a pair of bytes that the line lacks, which is quicker to find out than that their pattern
 * doesn't match. */

/* The bytes that mean something in a pattern. */
static const bool means[256] = {
    ['\0'] = 1, ['*'] = 1, ['^'] = 1, ['$'] = 1, ['~'] = 1, ['{'] = 1, ['('] = 1, ['|'] = 1, [')'] = 1
};

/* Has the line all pairs of text, up to the first byte with a meaning? *end is there, or at a pair it lacks. */
static bool has_pairs(const struct text_pairs *pairs, const char *text, const char **end)
{
    for (; !means[(unsigned char)text[0]]; text++) {
        if (!means[(unsigned char)text[1]] && !text_pairs_have(pairs, text[0], text[1]))
            break;
    }
    *end = text;
    return means[(unsigned char)*text];
}

/* Of a choice, one is enough. */
static bool pairs_allow(const struct text_pairs *pairs, const char *pattern)
{
    for (const char *at = pattern; has_pairs(pairs, at, &at); at++) {
        if (!*at)
            return true;
        if (*at == '{')
            at += strcspn(at, "}");
        if (!is_choice(at))
            continue;
        bool allows = false;
        for (; *at != ')'; at = choice_end(at))
            allows |= has_pairs(pairs, at + 1, &at);
        if (!allows)
            return false;
    }
    return false;
}

/* Does a line say of the name at 'at', which ends where 'behind' is, that it didn't come, as "not
 * RDMA_CM_EVENT_ESTABLISHED" does? */
static bool is_missing(const char *line, const char *at, struct rest behind)
{
    static const char *const before[] = { "not ", " expected ", "Expected " };
    for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
        size_t n = strlen(before[i]);
        if ((size_t)(at - line) >= n && memcmp(at - n, before[i], n) == 0)
            return true;
    }
    return behind.len >= 5 && memcmp(behind.at, " fail", 5) == 0;
}

/* A status or event by its name, or a status by its words, in a line that isn't a known message. */
static bool find_name(struct rest rest, struct reading *reading)
{
    const char *line = rest.at;
    *reading = (struct reading){ .status = -1 };
    bool in_word = false;
    for (; rest.len >= 8; skip(&rest, 1)) {
        size_t used;
        struct rest at = rest;
        bool is_inside = in_word;
        in_word = isalnum((unsigned char)*rest.at) || *rest.at == '_';
        if (is_inside || !in_word || !strchr("IRTLWB", *rest.at & ~0x20))
            continue;
        reading->table = &words_cm_events;
        if (take_name(&at, reading)) {
            if (!is_missing(line, rest.at, at))
                return true;
            reading->word = NULL;
            continue;
        }
        reading->table = &words_async_events;
        if (take_name(&at, reading))
            return true;
        int status = wc_parse(rest.at, rest.len, &used);
        if (status > 0 && used >= 12 && (status != IBV_WC_GENERAL_ERR || *rest.at == 'I')) {
            reading->status = status; /* "success" and "general error" could be from anything */
            return true;
        }
    }
    return false;
}

/* An errno that a line names outside its message: by its text at the line's end, or as the number that a call
 * returned, from least on (0: numbers are something else). of_step: the message says which step failed. line:
 * in small letters. */
static int find_errno(struct rest line, int least, bool of_step)
{
    static const struct {
        const char *form;
        bool number, step;
    } forms[] = {
        { .form = "errno(=|:| |= |: | = |: -|=-){errno}" },
        { "(os error {errno}", .step = true },
        { "(: |: (|errno: |errno=){error}", .step = true },
        { .form = "(: |, |- ){error}$" },
        { .form = "(: |, |- ){error}.$" },
        { .form = "({error})" },
        { "(err|errno|error|ret|rc|retval|error code)(=|:| |= |: | = )-{errno}", .number = true },
        { "(err|errno|error|ret|rc|failed|failed |failed: )(-{errno})", .number = true },
        { "(failed|failed:|failed with|failed with error|failed, error|error code) -{errno}", .number = true },
        { " (-{errno})", .number = true },
    };
    /* i40e and iavf of older kernels print statuses of their own (i40e_status.h), ice those of virtchnl */
    enum { I40E_STATUSES = 66 };
    if (least && (memmem(line.at, line.len, "i40e", 4) || memmem(line.at, line.len, "iavf", 4) ||
                  memmem(line.at, line.len, " opcode ", 8)))
        least = I40E_STATUSES + 1;
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        const char *form = forms[i].form;
        struct rest rest = line;
        struct reading reading = { .status = -1 };
        if ((forms[i].number && !least) || (forms[i].step && !of_step))
            continue;
        /* what UCX calls an input/output error may be anything */
        if (find_piece(&form, &rest, false, NULL, &reading) &&
            (forms[i].number ? reading.err >= least : reading.err != EIO || least))
            return reading.err;
    }
    return 0;
}

/* The least number that is an errno, if a call returned its negative: -1 is as often just "no", and small ones
 * may be a program's own. */
static int least_errno(const struct reading *reading)
{
    if (!reading->program)
        return reading->message->vague ? 0 : EIO;
    return text_in_list("kernel,Lustre,SPDK,DPDK,libfabric,Ceph", reading->program) ? EPERM + 1 : 0;
}

/* The first message that the line has; if that is vague, the first that isn't, which is then of the vague one's
 * program if it is nobody's. */
static bool find_message(struct rest line, struct rest folded, struct reading *reading)
{
    struct reading vague = { .message = NULL };
    struct text_pairs pairs = { 0 };
    text_pairs_add(&pairs, line.at, line.len);
    text_pairs_add(&pairs, folded.at, folded.len);
    for (const struct message *message = messages_all(); message->pattern; message++) {
        if ((message->vague && vague.message) || !pairs_allow(&pairs, message->pattern) ||
            !matches(message, line, folded, reading))
            continue;
        reading->program = message->program ? message->program : vague.program;
        if (!message->vague)
            return true;
        vague = *reading;
    }
    *reading = vague;
    return vague.message != NULL;
}

/* Copies the line's beginning to plain (LINE_MOST bytes) as its program wrote it: with the quotes, dashes and
 * blanks of which web pages and mail made typographic ones, and without what JSON escapes. Returns the length.
 */
static size_t copy_plain(char *plain, const char *line, size_t len)
{
    static const struct {
        const char *sign;
        char plain;
    } signs[] = {
        { "‘", '\'' },       { "’", '\'' }, { "“", '"' },    { "”", '"' },   { "–", '-' },   { "—", '-' },
        { "\xc2\xa0", ' ' }, { "\t", ' ' }, { "\\\"", '"' }, { "\\n", ' ' }, { "\\t", ' ' },
    };
    size_t n = 0;
    for (size_t i = 0; i < len && n < LINE_MOST; n++) {
        plain[n] = line[i++];
        for (size_t k = 0; k < ARRAY_SIZE(signs) && strchr("\xe2\xc2\t\\", plain[n]); k++) {
            size_t size = strlen(signs[k].sign);
            if (size > len - i + 1 || memcmp(line + i - 1, signs[k].sign, size) != 0)
                continue;
            plain[n] = signs[k].plain;
            i += size - 1;
        }
    }
    return n;
}

bool line_read(const char *line, size_t len, struct reading *reading)
{
    char plain[LINE_MOST], small[LINE_MOST + 1];
    struct rest rest = { plain, copy_plain(plain, line, len) }, folded = { small, rest.len + 1 };
    for (size_t i = 0; i < rest.len; i++)
        small[i] = (char)tolower((unsigned char)plain[i]);
    small[rest.len] = ' '; /* so that a word has a blank behind it everywhere */
    if (!find_message(rest, folded, reading))
        return find_name(rest, reading);
    struct reading named;
    if (reading->status < 0 && !reading->err && !reading->word && find_name(rest, &named)) {
        named.message = reading->message;
        named.program = reading->program;
        *reading = named;
    }
    if (reading->status < 0 && !reading->err && !reading->word) {
        reading->err = find_errno(folded, least_errno(reading), reading->message->step && !reading->program);
        reading->aside = reading->err != 0;
    }
    return true;
}
