/* SPDX-License-Identifier: MIT */
/* What every file may use without including it; the Makefile includes it first: the C library's everyday
 * headers, memory, text, messages and a few macros. */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
/* The word for number in an array of words, or NULL if it has none. Evaluates number twice. */
#define WORD_AT(words, number) ((number) < ARRAY_SIZE(words) ? (words)[number] : NULL)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* A source file, embedded in the program as text that ends with a zero byte. The Makefile rebuilds it when the
 * file changes. */
#define EMBED(name, path)                                        \
    __asm__(".pushsection .rodata." #name ", \"a\", @progbits\n" \
            ".globl " #name "\n" #name ":\n"                     \
            ".incbin \"" path "\"\n.byte 0\n"                    \
            ".popsection\n");                                    \
    extern const char name[]

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"

/* Functions that have a safer replacement here: a use is a compile error. */
#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets strncpy strncat
#pragma GCC poison atoi atol atoll popen asctime ctime
