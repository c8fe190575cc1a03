/* SPDX-License-Identifier: MIT */
/* What is wrong with a recording, for a person: "FILE: line LINE: WHAT". */
#pragma once

#include <stddef.h>

struct recording_fault {
    size_t line;    /* counted from 1; 0: it is no line of text that is wrong */
    char what[256]; /* "": the errno says it all */
};
