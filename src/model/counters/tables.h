/* SPDX-License-Identifier: MIT */
/* The tables of the counter dictionary, and how their rows are written. For counters.c and the tables only.
 */
#pragma once

#include "model/counters.h"

/* As its last argument a row may name its counter's role (enum counter_role without ROLE_). */
#define ROLE(...) __VA_OPT__(.role = ROLE_##__VA_ARGS__)

#define ROW(NAME, MEANING, UNIT, SEVERITY, SCALE, ...)                                                \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .scale = (SCALE), __VA_ARGS__                                                                 \
    }
/* 64 bits wide: never overflows in practice. */
#define TOTAL(NAME, MEANING, UNIT, SEVERITY, ...) \
    ROW(NAME, MEANING, UNIT, SEVERITY, 1, .width = 64, ROLE(__VA_ARGS__))
/* Wraps to 0 after 2^32 - 1. */
#define TOTAL32(NAME, MEANING, UNIT, SEVERITY, ...) \
    ROW(NAME, MEANING, UNIT, SEVERITY, 1, .width = 32, ROLE(__VA_ARGS__))
/* The device counts in steps of SCALE units. */
#define SCALED(NAME, MEANING, UNIT, SEVERITY, SCALE, ...) \
    ROW(NAME, MEANING, UNIT, SEVERITY, SCALE, .width = 64, ROLE(__VA_ARGS__))
/* Stays at 2^WIDTH - 1. */
#define CAPPED(NAME, MEANING, UNIT, SEVERITY, WIDTH, ...) \
    ROW(NAME, MEANING, UNIT, SEVERITY, 1, .width = (WIDTH), .saturates = true, ROLE(__VA_ARGS__))
#define GAUGE(NAME, MEANING, UNIT, SEVERITY) ROW(NAME, MEANING, UNIT, SEVERITY, 1, .kind = COUNTER_GAUGE)

#define TABLE(FAMILY, DIR, DEFS)                                                    \
    {                                                                               \
        .family = (FAMILY), .dir = (DIR), .defs = (DEFS), .count = ARRAY_SIZE(DEFS) \
    }

/* ib is ports/N/counters, ib_ext counters_ext, ib_hw what every hw_counters directory has; mlx5_queue are the
 * device's own queue pairs, mlx5_vport those of other functions. */
/* clang-format off */
#define COUNTER_TABLES(X) \
    X(ib) X(ib_ext) X(ib_hw) X(mlx5_queue) X(mlx5_vport) X(mlx5) X(mlx4) X(bnxt_re) X(irdma) X(hns) X(efa) \
    X(erdma) X(mana) X(ionic) X(rxe) X(hfi1) X(cxgb4)
/* clang-format on */
#define COUNTER_TABLE_EXTERN(name) extern const struct counter_table counter_table_##name;
COUNTER_TABLES(COUNTER_TABLE_EXTERN)
