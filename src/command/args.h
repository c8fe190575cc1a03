/* SPDX-License-Identifier: MIT */
/* How a command line is understood. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/command.h"
#include "view/look.h"

struct args {
    const struct command *command;
    const char *root; /* NULL: live */
    struct look look;
    bool quiet, help, version, list_columns;
    struct {
        const struct option_def *def;
        const char *value;
    } given[64];
    size_t ngiven;
    char words[512]; /* choices as they are written, whose values had another case */
    size_t words_len;
    char **operands;
    size_t noperands;
    int argc; /* of raw_args: the command's own argv */
    char **argv;
};

/* Understands argv. 0, or -EINVAL after saying what is wrong and what was perhaps meant. args->operands
 * points into argv. */
int args_parse(struct args *args, int argc, char **argv);

/* The columns of the listing that was asked for; NULL: the command prints none. */
const struct column *args_columns(const struct args *args);
bool args_given(const struct args *args, const char *option);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* A value as a number in [least, most]; fallback when it isn't given. -EINVAL after saying what is wrong. */
int args_number(const struct args *args, const char *option, uint64_t least, uint64_t most, uint64_t fallback,
                uint64_t *value);
/* "0.5" and "10" seconds to milliseconds. -EINVAL after saying what is wrong. */
int args_milliseconds(const struct args *args, const char *option, uint32_t fallback, uint32_t *ms);
