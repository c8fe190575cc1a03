/* SPDX-License-Identifier: MIT */
/* The tables of the counter dictionary, and how their rows are written. For counters.c and the tables only.
 */
#pragma once

#include "model/counters.h"

/* As its last argument a row may name its counter's role (enum counter_role without ROLE_). */
#define ROLE(...) __VA_OPT__(.role = ROLE_##__VA_ARGS__)

/* 64 bits wide: never overflows in practice. */
#define TOTAL(NAME, MEANING, UNIT, SEVERITY, ...)                                                     \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .width = 64, .scale = 1, ROLE(__VA_ARGS__)                                                    \
    }
/* Wraps to 0 after 2^32 - 1. */
#define TOTAL32(NAME, MEANING, UNIT, SEVERITY, ...)                                                   \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .width = 32, .scale = 1, ROLE(__VA_ARGS__)                                                    \
    }
/* The device counts in steps of SCALE units. */
#define SCALED(NAME, MEANING, UNIT, SEVERITY, SCALE, ...)                                             \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .width = 64, .scale = (SCALE), ROLE(__VA_ARGS__)                                              \
    }
/* Stays at 2^WIDTH - 1. */
#define CAPPED(NAME, MEANING, UNIT, SEVERITY, WIDTH, ...)                                             \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .width = (WIDTH), .scale = 1, .saturates = true, ROLE(__VA_ARGS__)                            \
    }
#define GAUGE(NAME, MEANING, UNIT, SEVERITY)                                                          \
    {                                                                                                 \
        .name = (NAME), .meaning = (MEANING), .unit = COUNTER_##UNIT, .severity = COUNTER_##SEVERITY, \
        .kind = COUNTER_GAUGE, .scale = 1                                                             \
    }

#define TABLE(FAMILY, DIR, DEFS)                                                                 \
    {                                                                                            \
        .family = (FAMILY), .dir = (DIR), .defs = (DEFS), .count = sizeof(DEFS) / sizeof *(DEFS) \
    }

extern const struct counter_table counter_table_bnxt_re;
extern const struct counter_table counter_table_cxgb4;
extern const struct counter_table counter_table_efa;
extern const struct counter_table counter_table_erdma;
extern const struct counter_table counter_table_hfi1;
extern const struct counter_table counter_table_hns;
extern const struct counter_table counter_table_ib;     /* ports/N/counters */
extern const struct counter_table counter_table_ib_ext; /* ports/N/counters_ext */
extern const struct counter_table counter_table_ib_hw;  /* what every hw_counters directory has */
extern const struct counter_table counter_table_ionic;
extern const struct counter_table counter_table_irdma;
extern const struct counter_table counter_table_mana;
extern const struct counter_table counter_table_mlx4;
extern const struct counter_table counter_table_mlx5;
extern const struct counter_table counter_table_mlx5_queue; /* the device's own queue pairs */
extern const struct counter_table counter_table_mlx5_vport; /* the same for another function */
extern const struct counter_table counter_table_rxe;
