/* SPDX-License-Identifier: MIT */
/* Fixes are templates: a finding's names are filled in, and what several subjects need is printed once. */
#include "check/judge.h"

#include "tables.h"

/* What a placeholder stands for: "{netdev}"; in capitals, "{ADDRESS}", it is for the reader to fill in. */
enum kind { KIND_NETDEV, KIND_HARDWARE, KIND_DEVICE, KIND_PCI, KINDS, KIND_BLANK, KIND_NONE };
static const char *const kind_names[KINDS] = { FIX_NAMES };

/* The netdev whose settings apply to the subject. */
static const char *hardware_name(const struct subject *subject)
{
    const struct netdev *hardware = subject->qos ? NULL : hardware_of(subject);
    return subject->qos ? subject->qos->netdev : hardware ? hardware->name : NULL;
}

static const char *name_of(const struct subject *subject, enum kind kind)
{
    const struct device *device = subject->device;
    if (kind == KIND_HARDWARE)
        return hardware_name(subject);
    if (kind == KIND_NETDEV)
        return subject->netdev ? subject->netdev->name : subject->port ? subject->port->netdev : NULL;
    return !device ? NULL : kind == KIND_DEVICE ? device->name : kind == KIND_PCI ? device->pci : NULL;
}

/* The placeholder, if any, that a text begins with, and its length with braces. */
static enum kind kind_at(const char *text, size_t *len)
{
    *len = 1;
    const char *word = text + 1, *end = *text == '{' ? strchr(text, '}') : NULL;
    if (!end)
        return KIND_NONE;
    size_t size = (size_t)(end - word);
    enum kind kind = KIND_NETDEV;
    while (kind < KINDS && !(strlen(kind_names[kind]) == size && strncmp(word, kind_names[kind], size) == 0))
        kind++;
    if (kind == KINDS)
        kind = size && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ/") == size ? KIND_BLANK : KIND_NONE;
    if (kind != KIND_NONE)
        *len = size + 2;
    return kind;
}

/* Fills in the template's names; "$dev" for those of one kind. Unknown ones become blanks in capitals. */
static void fill(struct bytes *out, const char *template, const struct subject *subject, enum kind variable)
{
    size_t len;
    for (const char *at = template; at && *at; at += len) {
        enum kind kind = kind_at(at, &len);
        const char *name = kind < KINDS ? name_of(subject, kind) : NULL;
        if (kind == KIND_NONE)
            bytes_append(out, at, 1);
        else if (kind == variable)
            bytes_printf(out, "$dev");
        else if (name)
            bytes_printf(out, "%s", name);
        else
            for (const char *c = at + 1; c < at + len - 1; c++)
                bytes_printf(out, "%c", *c >= 'a' ? *c - 'a' + 'A' : *c);
    }
}

static const struct {
    const char *blank, *is;
} blanks[] = { FIX_BLANKS };

/* What a word in capitals stands for, where the judge doesn't say it; NULL: the judge has to ("# SIZE: …"). */
static const char *blank_meaning(const char *blank, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE(blanks); i++)
        if (strlen(blanks[i].blank) == len && strncmp(blanks[i].blank, blank, len) == 0)
            return blanks[i].is;
    return NULL;
}

/* "; ADDRESS/PREFIX: a free address of …" for each blank of text that isn't in told, where it was explained. */
static void explain_blanks(struct bytes *out, const char **before, const char *text, const char *told)
{
    size_t len;
    for (const char *at = text; at && *at; at += len) {
        bool blank = kind_at(at, &len) == KIND_BLANK;
        const char *meaning = blank ? blank_meaning(at + 1, len - 2) : NULL;
        if (!meaning || (told && memmem(told, strlen(told), at, len)))
            continue;
        bytes_printf(out, "%s%.*s: %s", *before, (int)len - 2, at + 1, meaning);
        *before = "; ";
    }
}

static void fill_remark(struct bytes *out, const struct fix *fix, const struct subject *subject,
                        enum kind variable)
{
    if (fix->command && (fix->interrupts || fix->remark))
        bytes_printf(out, " # ");
    if (fix->interrupts)
        bytes_printf(out, "interrupts traffic%s", fix->remark ? "; " : "");
    fill(out, fix->remark, subject, variable);
    const char *before = fix->interrupts || fix->remark ? "; " : " # ";
    explain_blanks(out, &before, fix->command, NULL);
    explain_blanks(out, &before, fix->remark, fix->command);
}

const char *fix_text(const struct fix *fix, const struct subject *subject, struct arena *arena)
{
    if (!fix->place && !fix->command && !fix->interrupts && !strchr(fix->remark, '{'))
        return fix->remark;
    struct bytes out = { 0 };
    bytes_printf(&out, "%s", fix->place ? fix->place : "");
    fill(&out, fix->command, subject, KIND_NONE);
    fill_remark(&out, fix, subject, KIND_NONE);
    const char *text = arena_strndup(arena, out.data, out.len);
    bytes_free(&out);
    return text;
}

/* The kernel allows nearly any byte in a name, and a fix is meant to be pasted into a shell. */
static bool holds_odd(const char *template, const struct subject *subject)
{
    size_t len;
    for (const char *at = template; at && *at; at += len) {
        enum kind kind = kind_at(at, &len);
        const char *name = kind < KINDS ? name_of(subject, kind) : NULL;
        if (name && !text_is_shell_word(name))
            return true;
    }
    return false;
}

bool fix_is_odd(const struct fix *fix, const struct subject *subject)
{
    return fix->odd || holds_odd(fix->command, subject) || holds_odd(fix->remark, subject);
}

const char *fix_name(struct judgement *judgement, const char *name)
{
    static const enum kind own[] = { KIND_NETDEV, KIND_DEVICE, KIND_PCI };
    for (size_t i = 0; i < ARRAY_SIZE(own); i++)
        if (text_is(name_of(judgement->subject, own[i]), name))
            return arena_printf(judgement->arena, "{%s}", kind_names[own[i]]);
    judgement->fix.odd |= !text_is_shell_word(name);
    return name;
}

void judge_fix(struct judgement *judgement, enum fix_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = strchr(format, '%') ? arena_vprintf(judgement->arena, format, args) : format;
    va_end(args);
    judgement->fix = (struct fix){ .command = kind == FIX_ADVICE ? NULL : text,
                                   .remark = kind == FIX_ADVICE ? text : NULL,
                                   .interrupts = kind == FIX_INTERRUPTS,
                                   .odd = judgement->fix.odd };
}

void split_remark(struct fix *fix, struct arena *arena)
{
    const char *remark = fix->command ? strstr(fix->command, " # ") : NULL;
    if (!remark)
        return;
    fix->command = arena_strndup(arena, fix->command, (size_t)(remark - fix->command));
    fix->remark = remark + strlen(" # ");
}

/* ---- several findings of one cause */

/* The kinds a template contains, as bits; quoted: only those in single quotes. */
static unsigned kinds_in(const char *template, bool quoted)
{
    unsigned kinds = 0;
    bool in_quotes = false;
    size_t len;
    for (const char *at = template; at && *at; at += len) {
        enum kind kind = kind_at(at, &len);
        in_quotes ^= *at == '\'';
        if (kind != KIND_NONE && (in_quotes || !quoted))
            kinds |= 1u << kind;
    }
    return kinds;
}

/* Can it be pasted as it stands? */
static bool is_whole(const struct fix *fix)
{
    return fix->command && !fix->place && !(kinds_in(fix->command, false) & 1u << KIND_BLANK);
}

/* The only kind of name in a command, if a variable can replace it. KIND_NONE if the command has none, several,
 * or one in single quotes, or if the remark after it has another. */
static enum kind variable_of(const struct fix *fix)
{
    unsigned command = kinds_in(fix->command, false);
    unsigned all = command | (kinds_in(fix->remark, false) & ((1u << KINDS) - 1));
    if (!is_whole(fix) || !command || all & (all - 1) || kinds_in(fix->command, true))
        return KIND_NONE;
    return (enum kind)__builtin_ctz(all);
}

static bool is_alike(const struct fix *a, const struct fix *b)
{
    return text_same(a->command, b->command) && text_same(a->remark, b->remark);
}

/* The findings whose fixes differ from the first's only in names; of those with exactly the same fix, as
 * several ports can share a device, one. 0: an earlier one has been alike. */
static size_t find_alike(const struct root_cause *cause, size_t first, const struct finding **alike)
{
    size_t count = 0;
    for (size_t i = 0; i < cause->count; i++) {
        const struct finding *one = cause->findings[i];
        if (!is_alike(&cause->findings[first]->how, &one->how))
            continue;
        if (i < first)
            return 0;
        size_t same = 0;
        while (same < count && strcmp(alike[same]->fix, one->fix) != 0)
            same++;
        if (same == count)
            alike[count++] = one;
    }
    return count;
}

static struct cause_fix *add_fix(struct root_cause *cause, struct arena *arena, const char *text)
{
    struct cause_fix *fix = ARENA_PUSH(arena, cause->fixes, cause->nfixes);
    *fix = (struct cause_fix){ .text = text };
    return fix;
}

/* "for dev in eth0 eth1; do ip link set dev $dev up; done # remark" */
static const char *loop_text(const struct finding *const *alike, size_t count, enum kind variable,
                             struct arena *arena)
{
    struct bytes loop = { 0 };
    bytes_printf(&loop, "for dev in");
    for (size_t i = 0; i < count; i++)
        bytes_printf(&loop, " %s", name_of(&alike[i]->subject, variable));
    bytes_printf(&loop, "; do ");
    fill(&loop, alike[0]->how.command, &alike[0]->subject, variable);
    bytes_printf(&loop, "; done");
    fill_remark(&loop, &alike[0]->how, &alike[0]->subject, variable);
    return arena_take(arena, loop.data);
}

/* What can't be a loop: a line each if it can be pasted, else one for all, with who else needs it. */
static void add_others(struct root_cause *cause, const struct finding *const *alike, size_t count,
                       struct arena *arena)
{
    bool lines = is_whole(&alike[0]->how) && kinds_in(alike[0]->how.command, false);
    struct cause_fix *fix = add_fix(cause, arena, alike[0]->fix);
    for (size_t i = 1; i < count; i++) {
        char subject[160];
        subject_format(&alike[i]->subject, subject);
        if (lines)
            add_fix(cause, arena, alike[i]->fix);
        else
            fix->same_for = fix->same_for ? arena_printf(arena, "%s, %s", fix->same_for, subject)
                                          : arena_strdup(arena, subject);
    }
}

void find_fixes(struct root_cause *cause, struct arena *arena)
{
    const struct finding **alike = mem_alloc(cause->count + 1, sizeof(*alike));
    for (size_t first = 0; first < cause->count; first++) {
        size_t count = find_alike(cause, first, alike);
        enum kind variable = count > 1 ? variable_of(&alike[0]->how) : KIND_NONE;
        if (variable != KIND_NONE)
            add_fix(cause, arena, loop_text(alike, count, variable, arena));
        else if (count)
            add_others(cause, alike, count, arena);
    }
    free(alike);
}

const char *fix_internal_port(const struct subject *s, struct judgement *j)
{
    const struct netdev *port = netdev_internal_port(s->host);
    return port ? fix_name(j, port->name)
                : arena_printf(j->arena, "\"$(ovs-vsctl iface-to-br %s)\"", fix_name(j, s->netdev->name));
}

void fix_soft_below(const struct subject *s, struct judgement *j, enum frames frames,
                    const struct netdev *taker)
{
    const char *over = frames == FRAMES_TO_OPENVSWITCH ? fix_internal_port(s, j) : fix_name(j, taker->name);
    if (frames == FRAMES_TO_VRF)
        judge_interrupting(j,
                           "ip link set dev %s nomaster # out of the VRF: software RoCE has no use for one, "
                           "and net.ipv4.udp_l3mdev_accept doesn't change that",
                           fix_name(j, s->netdev->name));
    else
        judge_interrupting(j, "rdma link delete {device} && rdma link add {device} type %s netdev %s",
                           s->device->driver, over);
}

void fix_address(const struct subject *s, struct judgement *j, const char *before, const char *address,
                 const char *instead)
{
    const struct netdev *taker = NULL;
    enum frames frames = s->netdev ? netdev_frames(s->host, s->netdev, &taker) : FRAMES_KEPT;
    bool taken = taker && frames_include_arp(frames);
    const char *name = taken ? fix_name(j, taker->name) : "{netdev}";
    if (device_is_rxe(s->device) && (taken || frames == FRAMES_TO_VRF))
        fix_soft_below(s, j, frames, taker);
    else if (taken && s->device->transport == TRANSPORT_IWARP)
        judge_advice(j,
                     "take {netdev} out of %s, or use a device whose netdev is outside it: iWARP goes by the "
                     "addresses of its own netdev, and on {netdev} none works",
                     name);
    else if (frames == FRAMES_TO_OPENVSWITCH)
        judge_advice(
            j,
            "give an address to a netdev outside the vSwitch, such as a virtual function of {netdev}, or "
            "take {netdev} out of it (ovs-vsctl del-port {netdev}): an address on its port doesn't work, "
            "and one of its internal port (%s) gives no GID%s%s",
            fix_internal_port(s, j), *instead ? "; or " : "", instead);
    else
        judge_command(j, "%sip address add %s dev %s%s%s", before, address, name, *instead ? " # or " : "",
                      instead);
}
