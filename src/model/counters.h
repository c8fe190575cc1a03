/* SPDX-License-Identifier: MIT */
/* The counter dictionary: what a sysfs counter file means, its unit, how bad an increase is, and how it
 * overflows. The tables are made of counters.txt; a file without a row is still shown, with its name and raw
 * value. */
#pragma once

#include "lists.h"
#include "model/num.h"

ENUM_COUNTER_SEVERITY;

ENUM_COUNTER_UNIT;

ENUM_COUNTER_KIND;

/* COUNTER_ROLE_LIST of lists.txt says what each means. */
#define COUNTER_ROLE_MEMBER(role, ...) ROLE_##role,
enum counter_role {
    ROLE_NONE,
    COUNTER_ROLE_LIST(COUNTER_ROLE_MEMBER) COUNTER_ROLES,

    /* Of a netdev's statistics (statistics.h); in netdev_statistics.txt "receive-drop", … */
    ROLE_RECEIVE_DROP = COUNTER_ROLES, /* packets lost on their way in: no room in the port or its queues */
    ROLE_PRIORITY_DROP,                /* the same, of one priority */
    ROLE_PCIE_DROP,                    /* the same, of any priority, because PCIe is too slow */
    ROLE_SEND_DROP,
    ROLE_PFC_RECEIVED, /* frames, for one priority */
    ROLE_PFC_SENT,
    ROLE_PAUSE_TIME,  /* in which one priority sent nothing, as PFC told it */
    ROLE_PAUSE_ASKED, /* grows with it, in another measure */
    ROLE_PAUSE_RECEIVED,
    ROLE_PAUSE_SENT,
    ROLE_ANY_PAUSE_RECEIVED, /* global pause, and perhaps PFC, too */
    ROLE_STORM_WARNING,      /* the NIC has been pausing the switch for long */
    ROLE_STORM_ERROR,        /* for so long that it gave up */
    ROLE_DAMAGED,            /* frames, or blocks that FEC gave up on: each means a frame lost */
    ROLE_UNDECODABLE,        /* symbols */
    ROLE_FRAMES_RECEIVED,    /* of all frames on the wire */
    ROLE_PRIORITY_RECEIVED,  /* packets of one priority */
    ROLE_PRIORITY_SENT,
    ROLE_LINK_DOWNS,
    ROLE_PCIE_STALL, /* how much of the last second was spent waiting for PCIe */
};

struct counter_def {  /* packed: there are some 1,500 */
    const char *name; /* the file's name; "*ParityErr": every name with this ending (hfi1) */
    enum counter_unit unit : 5;
    enum counter_severity severity : 3;
    enum counter_kind kind : 3;
    enum counter_role role : 8;
    bool saturates : 1; /* sticks at its maximum; else wraps to 0 */
    uint8_t width;      /* bits; 0: not known */
    uint16_t meaning;   /* counter_meaning() has it */
    uint8_t narrow;     /* bits on devices that only have the small counter set; 0: one width everywhere */
    uint8_t scale;      /* raw value × scale is in unit; at least 1 */
};

struct counter_table {
    const char *family;             /* "mlx5", …; NULL: every driver */
    const char *dir;                /* "counters", "hw_counters" or "counters_ext" */
    const struct counter_def *defs; /* sorted by name in byte order, no name twice */
    size_t count;
    /* hfi1's names continue with a number and end in ",32"; others are matched by how they begin, with one of
     * blocks, and by their endings: the first match counts, the last entry has no name. NULL if there are no
     * such names. */
    const struct counter_def *endings;
    const char *const *blocks; /* the last is NULL */
};

/* Words as JSON, metrics and tables print them: "info", "warning", "error"; "packets", …; "total", "gauge",
 * "setting". */
const char *counter_severity_name(enum counter_severity severity);
const char *counter_unit_name(enum counter_unit unit);
const char *counter_kind_name(enum counter_kind kind);

/* One line for an operator, at most 100 characters; NULL if there is none, or no def. */
const char *counter_meaning(const struct counter_def *def);

/* The family of tables for a driver. Takes the kernel driver of the device ("mlx5_core", "bnxt_en", "ice",
 * "hns3"), of its RDMA part ("mlx5_ib", "bnxt_re", "irdma", "hns_roce_hw_v2") or an RDMA device's default name
 * ("mlx5_0", "rxe_eth0"). NULL if there is none. */
const char *counter_family(const char *driver);

/* The row of a counter file; NULL if the dictionary doesn't know it. dir is one of the three of struct
 * counter_table; port-level and device-level hw_counters share rows. driver as above; NULL finds only
 * rows common to every driver. */
const struct counter_def *counter_def_find(const char *driver, const char *dir, const char *name);

/* The role of a counter according to its row; without a row (unknown or new driver), the role of another
 * driver's counter of the same name in the same directory. */
enum counter_role counter_role_find(const struct counter_def *def, const char *dir, const char *name);

/* All tables, made of counters.txt; behind the last is one without rows. */
extern const struct counter_table counter_tables[];
const struct counter_def *counter_table_find(const struct counter_table *table, const char *name);

/* raw in def's unit (NULL: unchanged); UINT64_MAX if that doesn't fit. */
uint64_t counter_value(const struct counter_def *def, uint64_t raw);

/* Is it one that only trouble makes grow? False for NULL. */
bool counter_signals_trouble(const struct counter_def *def);
/* Has a counter that reads raw saturated? Unknown if that can't be determined, or for a gauge or setting. */
enum tristate counter_is_saturated(const struct counter_def *def, struct num raw);
/* Does a saturated counter of this kind hide problems? Waiting for credits is how a lossless link works, and
 * management packets dropped for lack of a buffer are resent (leptonai/gpud issue 943). */
bool counter_end_hides(const struct counter_def *def);
/* Is a wrapping total in the last quarter of its range? */
bool counter_wraps_soon(const struct counter_def *def, struct num raw);

ENUM_COUNTER_CHANGE;

struct counter_delta {
    enum counter_change change;
    uint64_t delta; /* in def's unit; at least so many, if it saturated or was reset; 0 for a level */
};

/* "counted", "saturated", "wrapped", "reset", "level" */
const char *counter_change_name(enum counter_change change);

/* What happened between two readings (raw, as the file has them) of one counter. def NULL: a total of unknown
 * width.
 *
 * The rules, first match wins:
 * - a gauge or a setting is a LEVEL;
 * - a saturating counter that reads all ones of its width is SATURATED (at least after - before happened).
 * One with a narrow variant is SATURATED too when both readings are all ones of that;
 * - after >= before: COUNTED;
 * - after < before, the counter wraps at a known width below 64 and the distance through 0 is at most a quarter
 * of its range: WRAPPED, delta is that distance. With the smallest messages at 400 Gb/s a 32-bit counter takes
 * seconds for a quarter, while resetting a counter that isn't high nearly always gives a longer distance;
 * - otherwise RESET, and at least the current value happened.
 * A reading above the width means that the device has a wider counter: then the width counts as unknown.
 *
 * Sources: the InfiniBand Architecture Specification, volume 1, lets the counters of PortCounters stop at all
 * ones, and hardware does (link_downed 255, port_xmit_discards 65535 and port_xmit_wait 4294967295 have been
 * seen on one mlx5 port); mlx5's hw_counters are 32-bit fields of a query (Linux 7.3,
 * drivers/infiniband/hw/mlx5/counters.c) and wrap. Readings closer together than the directory's lifespan are
 * the same reading: the caller keeps its interval above that. */
struct counter_delta counter_compare(const struct counter_def *def, uint64_t before, uint64_t after);
