/* SPDX-License-Identifier: MIT */
/* What the kernel counted of a PCI function's errors (Advanced Error Reporting), by severity and kind. From
 * drivers/pci/pcie/aer.c: aer_dev_correctable, aer_dev_nonfatal and aer_dev_fatal of the function's directory
 * hold "NAME COUNT" a line and a total at the end, TOTAL_ERR_COR and so on, since the function was found.
 * They tell what this function saw: of a link's two ends the receiving one sees the error. Errors that come
 * while an earlier one of their kind is handled are one bit of a register, and counted once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum aer_severity {
    AER_CORRECTABLE, /* by the hardware, which sends the packet again: nothing is lost */
    AER_NONFATAL,    /* a transaction is lost */
    AER_FATAL,       /* the link is reset */
    AER_SEVERITIES
};
const char *aer_severity_text(enum aer_severity severity); /* "correctable" */
const char *aer_file(enum aer_severity severity);          /* "aer_dev_correctable" */

struct aer_kind {
    const char *name; /* the kernel's: "BadTLP", "CmpltTO" */
    uint64_t count;
};

struct aer {
    bool known; /* false: the kernel has no such file, or it could not be read */
    struct aer_kind *kinds;
    size_t nkinds;
};

/* What a kind stands for. */
enum aer_nature {
    AER_OF_LINK, /* the link's signal: it was repeated, for a NIC a loss of speed where there are many */
    AER_SERIOUS, /* data or a transaction was lost */
    AER_HARMLESS,
};
enum aer_nature aer_nature(enum aer_severity severity, const char *kind);

struct arena;
/* One of the files. Lines that aren't "NAME COUNT" are passed over, and so is the total. Texts live in arena. */
struct aer aer_parse(const char *text, struct arena *arena);
/* 0 for a kind that isn't there. */
uint64_t aer_count(const struct aer *aer, const char *kind);
