/* SPDX-License-Identifier: MIT */
/* The bytes that a test sends. Each 8-byte word tells which test it belongs to and where in the message it
 * stands, so that wrong data shows what it is. The same on hosts of either byte order. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a receive buffer holds before a test. */
enum { PATTERN_BLANK = 0xdb };
bool pattern_is_blank(const uint8_t *bytes, size_t len);

void pattern_fill(void *data, size_t len, uint32_t seed); /* any alignment */

enum pattern_fault {
    PATTERN_SAME,
    PATTERN_UNTOUCHED, /* from there on nothing arrived */
    PATTERN_DISPLACED, /* bytes of this message that belong elsewhere */
    PATTERN_STALE,     /* bytes of another test */
    PATTERN_CHANGED,   /* right place, some bits flipped */
};

struct pattern_difference {
    enum pattern_fault fault;
    size_t len;    /* of the message */
    size_t offset; /* first wrong byte */
    size_t count;  /* wrong bytes */
    size_t origin; /* DISPLACED, STALE: where in its message the word at offset belongs */
    unsigned bits; /* CHANGED: flipped bits in the word of the first wrong byte */
    uint8_t want, got;
};

/* True when all bytes are as pattern_fill() makes them; otherwise says how they differ. */
bool pattern_compare(const void *data, size_t len, uint32_t seed, struct pattern_difference *difference);

enum { PATTERN_TEXT_SIZE = 160 };
/* "byte 4096 of 65536 and 1023 more are wrong: …" */
void pattern_explain(const struct pattern_difference *difference, char text[static PATTERN_TEXT_SIZE]);
