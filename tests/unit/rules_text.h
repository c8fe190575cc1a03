/* SPDX-License-Identifier: MIT */
/* A ruleset of nftables that stands in a test. */
#pragma once

#include "model/ruleset.h"

struct arena;

/* Lines:
 *   base FAMILY HOOK PRIORITY POLICY [DEVICE]…    a chain that the kernel calls; HOOK is a number
 *   chain NAME                                    one that rules jump to
 *   + EXPRESSION; EXPRESSION; …                   a rule of the chain above
 *   set NAME LENGTH [map] [interval] [untold] [eval] [two]: KEY[-END][>DATA] …    an element "*" is the
 * catch-all
 *
 * An expression is its name and key=, to=, from= (registers: 1 to 4 have 16 bytes, 8 to 23 four), off=, len=,
 * op=, flags=, set= and bytes: hexadecimal digits, or "=N", a number of 32 bits in the machine's order. A
 * verdict stands by its own name: "drop", "jump:NAME". The table is called "t", the chains base0, base1 and
 * so on. */
struct ruleset rules_of(const char *text, struct arena *arena);

/* Phrases */
#define IN "base inet 1 0 accept\n+ "
#define OUT "base inet 3 0 accept\n+ "
#define AT(HOOK, PRIORITY) "base inet " HOOK " " PRIORITY " accept\n+ "
#define IS(BYTES) "cmp from=8 " BYTES "; drop\n"
#define PEER "payload key=ip off=12 len=4 to=8; "
#define PEER6 "payload key=ip off=8 len=16 to=1; "
