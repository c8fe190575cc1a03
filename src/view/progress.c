/* SPDX-License-Identifier: MIT */
#include "view/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "view/terminal.h"

static bool progress_shown;

void progress_show(void *data, const char *text)
{
    (void)data;
    if (!terminal_is())
        return;
    size_t width = terminal_width();
    char *clean = text_clean(text, TEXT_ONE_LINE);
    printf("\r%.*s\033[K", (int)text_prefix(clean, width ? width - 1 : 79), clean);
    fflush(stdout);
    free(clean);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stdout);
    progress_shown = false;
}
