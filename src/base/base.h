/* SPDX-License-Identifier: MIT */
/* The few macros that every other file may use. */
#pragma once

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
