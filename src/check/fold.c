/* SPDX-License-Identifier: MIT */
/* One cause has one fix: what several ports need, but for their names, is told once, as a loop of the shell
 * where it is a command. */
#include <string.h>

#include "base/base.h"
#include "base/mem.h"
#include "base/text.h"
#include "check/judge.h"

/* What a fix may say of its subject; in a template each is a byte of its own, from 1. */
enum { NAMES = 3 };

static void names_of(const struct finding *finding, const char *names[static NAMES])
{
    const struct subject *subject = &finding->subject;
    names[0] = subject->netdev ? subject->netdev->name : subject->port ? subject->port->netdev : NULL;
    names[1] = subject->device ? subject->device->name : NULL;
    names[2] = subject->device ? subject->device->pci : NULL;
}

static bool is_name_byte(char c)
{
    return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", c);
}

/* The fix with the subject's names as their bytes: fixes with one template differ in the names alone. */
static char *template_of(const struct finding *finding, struct arena *arena)
{
    const char *names[NAMES], *fix = finding->fix;
    char *template = arena_alloc(arena, strlen(fix) + 1, 1), *out = template;
    names_of(finding, names);
    for (const char *at = fix; *at;) {
        size_t n = 0, len = 0;
        bool starts = at == fix || !is_name_byte(at[-1]);
        for (; starts && n < NAMES; n++) {
            len = names[n] ? strlen(names[n]) : 0;
            if (len && strncmp(at, names[n], len) == 0 && !is_name_byte(at[len]))
                break;
        }
        bool name = starts && n < NAMES;
        *out++ = name ? (char)(n + 1) : *at;
        at += name ? len : 1;
    }
    return template;
}

static bool names_in(const char *template, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)template[i] <= NAMES)
            return true;
    return false;
}

/* Where the command ends: at the comment behind it, or at the end. */
static size_t command_length(const char *fix)
{
    const char *comment = strstr(fix, " #");
    return comment ? (size_t)(comment - fix) : strlen(fix);
}

/* Does a fix begin with a command? What doesn't is a sentence. */
static bool is_command(const char *fix)
{
    static const char *const commands[] = {
        "bridge", "dcb",      "devlink", "echo", "ethtool", "ip",     "mlnx_qos", "mstflint",
        "nmcli",  "modprobe", "niccli",  "rdma", "roce",    "setpci", "sysctl",
    };
    size_t len = strcspn(fix, " ");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
        if (strlen(commands[i]) == len && strncmp(fix, commands[i], len) == 0)
            return true;
    return false;
}

/* Has the command a word in capitals that the reader has to fill in, another for each port: N, MAC, 1:SIZE? */
static bool has_blank(const char *template)
{
    const char *end = template + command_length(template);
    for (const char *at = template; at < end;) {
        size_t len = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool starts = at == template || (!is_name_byte(at[-1]) && at[-1] != '.');
        if (len && starts && !is_name_byte(at[len]) && at[len] != '.')
            return true;
        at += len ? len : 1;
    }
    return false;
}

/* The one name in a template's command, from 1, where a variable can stand for it. 0: there is none, or it
 * has several, or one in single quotes, or the comment behind it another. */
static unsigned variable_of(const char *template)
{
    size_t len = command_length(template);
    unsigned name = 0;
    bool quoted = false;
    for (size_t i = 0; template[i]; i++) {
        unsigned byte = (unsigned char)template[i];
        if (byte == '\'' && i < len)
            quoted = !quoted;
        if (byte > NAMES)
            continue;
        if ((i < len && quoted) || (name && name != byte) || (!name && i > len))
            return 0;
        name = byte;
    }
    return name;
}

/* Findings of one cause with the same template; the first stands for them. */
struct fold {
    const struct root_cause *cause;
    char **templates; /* of each finding */
    size_t first;
    struct arena *arena;
};

static bool is_of(const struct fold *fold, size_t at)
{
    return strcmp(fold->templates[at], fold->templates[fold->first]) == 0;
}

/* Has an earlier one word for word the same fix? Several ports can have one device. */
static bool repeats(const struct fold *fold, size_t at)
{
    for (size_t i = fold->first; i < at; i++)
        if (strcmp(fold->cause->findings[i]->fix, fold->cause->findings[at]->fix) == 0)
            return true;
    return false;
}

static struct cause_fix *add_fix(struct root_cause *cause, const char *text, struct arena *arena)
{
    struct cause_fix *fix = ARENA_PUSH(arena, cause->fixes, cause->nfixes);
    *fix = (struct cause_fix){ .text = text };
    return fix;
}

/* "for dev in eth0 eth1; do ip link set dev $dev up; done # comment" */
static void add_loop(struct root_cause *cause, const struct fold *fold, unsigned name)
{
    const char *template = fold->templates[fold->first], *names[NAMES];
    size_t len = command_length(template);
    struct bytes loop = { 0 };
    bytes_printf(&loop, "for dev in");
    for (size_t i = fold->first; i < cause->count; i++) {
        names_of(cause->findings[i], names);
        if (is_of(fold, i) && !repeats(fold, i))
            bytes_printf(&loop, " %s", names[name - 1]);
    }
    bytes_printf(&loop, "; do ");
    for (size_t i = 0; template[i] || i == len; i++) {
        if (i == len)
            bytes_printf(&loop, "; done");
        if (!template[i])
            break;
        if ((unsigned char)template[i] == name)
            bytes_printf(&loop, "$dev");
        else
            bytes_append(&loop, &template[i], 1);
    }
    add_fix(cause, arena_strdup(fold->arena, loop.data), fold->arena);
    bytes_free(&loop);
}

/* What is no loop: a line each of what can be pasted, else one for all with who else needs it. */
static void add_others(struct root_cause *cause, const struct fold *fold, bool lines)
{
    struct cause_fix *fix = add_fix(cause, cause->findings[fold->first]->fix, fold->arena);
    for (size_t i = fold->first + 1; i < cause->count; i++) {
        char subject[160];
        if (!is_of(fold, i) || repeats(fold, i))
            continue;
        if (lines) {
            add_fix(cause, cause->findings[i]->fix, fold->arena);
            continue;
        }
        subject_format(cause->check, &cause->findings[i]->subject, subject);
        fix->same_for = fix->same_for ? arena_printf(fold->arena, "%s, %s", fix->same_for, subject)
                                      : arena_strdup(fold->arena, subject);
    }
}

void fold_fixes(struct root_cause *cause, struct arena *arena)
{
    struct fold fold = { .cause = cause, .arena = arena };
    fold.templates = arena_alloc(arena, cause->count, sizeof(*fold.templates));
    for (size_t i = 0; i < cause->count; i++)
        fold.templates[i] = template_of(cause->findings[i], arena);
    for (fold.first = 0; fold.first < cause->count; fold.first++) {
        const char *template = fold.templates[fold.first];
        size_t before = 0, distinct = 0;
        while (!is_of(&fold, before))
            before++;
        if (before < fold.first)
            continue;
        for (size_t i = fold.first; i < cause->count; i++)
            distinct += is_of(&fold, i) && !repeats(&fold, i);
        bool command = is_command(cause->findings[fold.first]->fix) && !has_blank(template);
        unsigned name = command && distinct > 1 ? variable_of(template) : 0;
        if (name)
            add_loop(cause, &fold, name);
        else
            add_others(cause, &fold, command && names_in(template, command_length(template)));
    }
}
