/* SPDX-License-Identifier: MIT */
/* What the parts of source/ share while a host is read. Private to source/. */
#pragma once

#include "model/counters/roles.h"
#include "model/host.h"
#include "source/root/root.h"

struct netlink;
struct netlink_backend;
struct recorder;
struct verbs_backend;

struct source {
    struct root *root;                             /* the three back ends, each live or recorded */
    const struct netlink_backend *netlink_backend; /* netlink/ask.h */
    const struct verbs_backend *verbs_backend;     /* verbs/verbs.h */
    struct netlink *netlink;                       /* live sockets; unused with a recording */
    struct recorder *recorder;                     /* NULL: nothing is recorded */
    const char *open_only;                         /* the one device that may be opened; NULL: all */
    roles_t count_roles;                           /* of NEED_COUNTERS, only what plays one of these; 0: all */
    const char *count_all;                         /* but for this device's; NULL: for none */
    /* Read the files too that other answers make needless: a recording that is made shall hold them, one that
     * was made by hand may say more in them. */
    bool thorough;
};

struct wanted_netdev {
    const char *name;
    const char *parent; /* of the RDMA device on the same parent, else NULL */
    bool only;          /* there is no other on that parent, and its device has one port, the first */
};

/* A PCI function that was looked at, and perhaps not added. */
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
    struct wanted_netdev *wanted; /* the netdevs that files speak of: see find_netdevs */
    size_t nwanted;
    const struct seen_function *seen; /* in version order */
    size_t nseen;
};

/* One meaning of absent for all of them: what the kernel doesn't offer is NULL or !known; anything else is
 * also a problem. */
const char *read_text(struct reader *reader, const char *form, const char *format, ...)
    PRINTF_LIKE(3, 4); /* without the newline at its end */
struct num read_num(struct reader *reader, int base, const char *format, ...) PRINTF_LIKE(3, 4);
/* The last component of a link's target; NULL: it has no name there ("../.."; the kernel's own always have). */
const char *link_name(struct arena *arena, const char *target);
const char *read_link_name(struct reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same of a directory that is open. */
const char *read_link_at(struct reader *reader, struct root_dir *dir, const char *name);
struct names read_list(struct reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
/* Is there a directory that can be listed? Unlike root_exists(), a recording keeps it, though empty. */
bool read_has_directory(struct reader *reader, const char *path);

/* The same below a directory held open. */
const char *read_text_at(struct reader *reader, struct root_dir *dir, const char *form, const char *name);
struct num read_num_at(struct reader *reader, struct root_dir *dir, int base, const char *name);

/* Notes a failed read (err: an errno of either sign; 0: it didn't fail) as a problem unless it only means
 * absent. */
void read_problem(struct reader *reader, int err, const char *path, ...) PRINTF_LIKE(3, 4);

/* src/source/files/: each fills its part of the host */
void read_devices(struct reader *reader);
/* After read_container(): in one, the nodes that say which devices it was given. */
void read_given_nodes(struct reader *reader);
/* Which netdevs are asked for: all that /sys shows, or those that ports may be. */
void find_netdevs(struct reader *reader);
/* After rtnetlink: fills in what it didn't tell, and adds the netdevs that it doesn't know. */
void read_netdevs(struct reader *reader);
void read_pcis(struct reader *reader);
void read_hostname(struct reader *reader);
/* After them: what the kernel counted of their errors. */
void read_aer(struct reader *reader);
/* After read_platform(): the same of accelerators, too. */
void read_aer_of_peers(struct reader *reader);
/* After read_pcis(). */
void read_irqs(struct reader *reader);
void read_numa(struct reader *reader);
void read_system(struct reader *reader);
void read_modes(struct reader *reader);
/* After netlink's word: what the netdevs trust by files of their own. */
void read_qos_files(struct reader *reader);
/* After the resources: the processes are those that hold some. */
void read_services(struct reader *reader);
/* Its limit, pinned memory and capabilities; not known of other users' processes. */
struct process;
void read_process_memory(struct reader *reader, struct process *process);
/* src/source/verbs/ */
void read_verbs(struct reader *reader);
