/* SPDX-License-Identifier: MIT */
/* The few terminals whose description is built in. */
#include "view/screen.h"

static const struct terminfo *find(const char *name)
{
    for (const struct terminfo *one = terminfo_all; one->name; one++)
        if (strcmp(one->name, name) == 0)
            return one;
    return NULL;
}

/* Terminals that do what another does, and more. Those like xterm have 256 colours nowadays. */
static const char *like(const char *name)
{
    static const struct {
        const char *prefix, *other;
    } table[] = { { "xterm-kitty", "kitty" },          { "xterm", "xterm-256color" },
                  { "screen", "screen-256color" },     { "tmux", "tmux-256color" },
                  { "rxvt", "rxvt-unicode-256color" }, { "foot", "xterm-256color" },
                  { "konsole", "xterm-256color" },     { "gnome", "xterm-256color" },
                  { "vte", "xterm-256color" },         { "putty", "xterm-256color" },
                  { "wezterm", "xterm-256color" },     { "iterm", "xterm-256color" },
                  { "st-", "xterm-256color" },         { "vt", "vt100" } };
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (text_starts(name, table[i].prefix))
            return table[i].other;
    return NULL;
}

const struct terminfo *terminfo_find(const char *name)
{
    const struct terminfo *own = find(name);
    const char *other = own ? NULL : like(name);
    return other ? find(other) : own;
}
