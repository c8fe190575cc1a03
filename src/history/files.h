/* SPDX-License-Identifier: MIT */
/* Names of the flight recorder's files. Private to history/. */
#pragma once

#include "history/history.h"

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
