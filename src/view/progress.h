/* SPDX-License-Identifier: MIT */
/* What is going on, on the terminal's last line; nothing elsewhere. */
#pragma once

/* One line that the next one replaces. data isn't used: the shape is that of struct run.progress. */
void progress_show(void *data, const char *text);
void progress_end(void);
