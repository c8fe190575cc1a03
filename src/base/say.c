/* SPDX-License-Identifier: MIT */
/* Writes messages to standard error; nothing else writes there. */

static bool quiet_mode;
static struct bytes *into;
static size_t width;

void say_set_quiet(bool quiet)
{
    quiet_mode = quiet;
}

void say_into(struct bytes *text)
{
    into = text;
}

void say_set_width(size_t columns)
{
    width = columns;
}

enum { INDENT = 2 }; /* of continuation lines */

static void print(const char *prefix, const char *format, va_list args)
{
    char *text = mem_vprintf(format, args);
    /* a name in a message may have newlines: they must not make lines that look like messages */
    char *clean = text_clean(text, *prefix ? TEXT_ONE_LINE : TEXT_KEEP_NEWLINES);
    char *line = mem_printf("%s%s", prefix, clean);
    char *folded = fold_text(line, *prefix && !into ? width : 0, INDENT);
    if (into)
        bytes_printf(into, "%s", folded);
    else
        fputs(folded, stderr);
    free(folded);
    free(line);
    free(clean);
    free(text);
}

#define SAY(prefix, end)                \
    do {                                \
        va_list args;                   \
        va_start(args, format);         \
        print(prefix, format, args);    \
        va_end(args);                   \
        fputs(into ? "" : end, stderr); \
    } while (0)

void say_error(const char *format, ...)
{
    SAY("roce: ", "\n");
}

int say_invalid(const char *format, ...)
{
    SAY("roce: ", "\n");
    return -EINVAL;
}

int say_unable(const char *format, ...)
{
    SAY("roce: ", "\n");
    return 2;
}

void say_warning(const char *format, ...)
{
    if (!quiet_mode)
        SAY("roce: warning: ", "\n");
}

void say_note(const char *format, ...)
{
    if (!quiet_mode)
        SAY("roce: ", "\n");
}

void say_die(const char *format, ...)
{
    SAY("roce: ", "\n");
    exit(2);
}

void say_raw(const char *format, ...)
{
    SAY("", "");
}

const char *say_errno(int err)
{
    static char text[128];
    if (err < 0)
        err = -err;
    const char *name = strerrorname_np(err);
    snprintf(text, sizeof(text), "%s (%s)", strerror(err), name ? name : "unknown");
    if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a')
        text[0] = (char)(text[0] - 'A' + 'a');
    return text;
}
