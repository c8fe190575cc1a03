/* SPDX-License-Identifier: MIT */
/* What the parts of source/ share while a host is read. Private to source/. */
#pragma once

#include "lists.h"
#include "model/counter_roles.h"
#include "model/host.h"
#include "source/root/root.h"

struct netlink;
struct question;
struct reader;
struct recorder;
struct subject;
struct verbs_backend;

/* source/netlink/ask.h */
typedef int netlink_asker(struct reader *reader, const struct question *question, const struct subject *subject,
                          const char *path, struct span *reply);

struct source {
    struct root *root; /* the three back ends, each live or recorded */
    netlink_asker *ask_netlink;
    const struct verbs_backend *verbs_backend; /* verbs/verbs.h */
    struct netlink *netlink;                   /* live sockets; unused with a recording */
    struct recorder *recorder;                 /* NULL if nothing is being recorded */
    const char *open_only;                     /* the one device that may be opened; NULL: all */
    roles_t count_roles;                       /* NEED_COUNTERS reads only these roles; 0: all */
    const char *count_all;                     /* the device that is exempt from this; NULL: none */
    const struct lldp_listening *listening;    /* NULL: don't */
    /* Also read the files that other answers make redundant: a new recording should contain them, and in one
     * made by hand they may say more. */
    bool thorough;
};

struct wanted_netdev {
    const char *name;
    const char *parent; /* the one it shares with an RDMA device, else NULL */
    bool only;          /* it is alone on that parent, whose device has only port 1 */
};

/* A PCI function that was looked at, though perhaps not added. */
struct seen_function {
    const char *address;
    struct num class_code, vendor;
};

struct reader {
    struct source *source;
    struct root *root;
    struct host *host;
    struct arena *arena; /* the host's */
    needs_t needs;
    struct wanted_netdev *wanted; /* the netdevs that files mention: see find_netdevs */
    size_t nwanted;
    const struct seen_function *seen; /* in version order */
    size_t nseen;
};

/* NULL: it isn't wanted. */
struct wanted_netdev *find_wanted(const struct reader *reader, const char *name);

/* All share one definition of absent: what the kernel doesn't offer is NULL or !known; any other failure is
 * also noted as a problem. */
const char *read_text(struct reader *reader, const char *form, const char *format, ...)
    PRINTF_LIKE(3, 4); /* without the newline at its end */
struct num read_num(struct reader *reader, int base, const char *format, ...) PRINTF_LIKE(3, 4);
/* The last component of a link's target; NULL if that isn't a name ("../.."; in the kernel's own links it
 * always is). */
const char *link_name(struct arena *arena, const char *target);
const char *read_link_name(struct reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same for an open directory. */
const char *read_link_at(struct reader *reader, struct root_dir *dir, const char *name);
struct names read_list(struct reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
/* Is there a directory that can be listed? Unlike root_exists(), this is recorded, even if it is empty. */
bool read_has_directory(struct reader *reader, const char *path);

/* The same below a directory held open. */
const char *read_text_at(struct reader *reader, struct root_dir *dir, const char *form, const char *name);
struct num read_num_at(struct reader *reader, struct root_dir *dir, int base, const char *name);

/* Notes a failed read as a problem unless it only means absent. err is an errno of either sign; 0: no
 * failure. */
void read_problem(struct reader *reader, int err, const char *path, ...) PRINTF_LIKE(3, 4);

/* A process's limit, pinned memory and capabilities; unknown for other users' processes. */
struct process;
void read_process_memory(struct reader *reader, struct process *process);

/* The steps of host_read(), with what each is about: tables.txt. */
#define DECLARE(needs, read) void read(struct reader *reader);
READING_STEPS(DECLARE)
#undef DECLARE
