/* SPDX-License-Identifier: MIT */
/* A file of the source, in the program as text that ends with a zero byte. The Makefile has it made anew when
 * the file changes. */
#pragma once

#define EMBED(name, path)                                        \
    __asm__(".pushsection .rodata." #name ", \"a\", @progbits\n" \
            ".globl " #name "\n" #name ":\n"                     \
            ".incbin \"" path "\"\n.byte 0\n"                    \
            ".popsection\n");                                    \
    extern const char name[]
