/* SPDX-License-Identifier: MIT */
/* The counters of ports and devices, one file each. */
#include "source/files/files.h"

/* A driver without a PMA says so in words ("N/A (no PMA)", before Linux 4.5) or with an errno; neither is a
 * problem with the host. */
static void read_counter(struct reader *reader, struct root_dir *dir, struct counter *counter)
{
    struct span span;
    uint64_t value;
    int r = root_dir_read(dir, FORM_NUMBER, counter->name, &span);
    if (r == 0 && text_to_u64(span.data, 0, &value) == 0) {
        counter->raw = num_of(value);
        return;
    }
    if (r == 0 && !text_starts(span.data, "N/A")) {
        host_problem(reader->host, EBADMSG, "it should hold a number", "%s/%s", dir->path, counter->name);
        counter->err = EBADMSG;
        return;
    }
    counter->err = r == 0 ? ENODATA : -r;
    read_problem(reader, r, "%s/%s", dir->path, counter->name);
}

/* The firmware restricts some functions: each read of a counter is a command that it refuses, with EINVAL and a
 * line in the kernel log (github.com/prometheus/node_exporter/issues/3434). If the first ones in a directory
 * are refused like that, the rest aren't read. */
enum { REFUSED_READS = 2 };

static bool is_wanted(const struct reader *reader, const char *device, const char *group, const char *name)
{
    const struct source *source = reader->source;
    return !source->count_roles || text_is(source->count_all, device) ||
           source->count_roles & ROLES_OF(counter_role_find(NULL, group, name)) & ~ROLES_OF(ROLE_NONE);
}

static void read_group(struct reader *reader, const char *device, const struct root_dir *parent,
                       const char *group, struct counter **counters, size_t *count)
{
    struct root_dir dir = { 0 };
    struct names names = { 0 };
    size_t refused = 0, tried = 0;
    int r = root_dir_open_in(parent, &dir, group);
    if (r == 0)
        r = root_dir_list(&dir, reader->arena, &names);
    read_problem(reader, r, "%s/%s", parent->path, group);
    for (size_t i = 0; r == 0 && i < names.count; i++) {
        if (!is_wanted(reader, device, group, names.items[i]))
            continue;
        struct counter *counter = ARENA_PUSH(reader->arena, *counters, *count);
        counter->dir = group;
        counter->name = names.items[i];
        bool all_refused = refused >= REFUSED_READS && refused == tried;
        tried++;
        if (all_refused) {
            counter->err = EINVAL;
            const char *path = arena_printf(reader->arena, "%s/%s", dir.path, counter->name);
            root_tell_file(reader->root, NULL, path, NULL, 0, -EINVAL); /* as if it had been read */
            refused++;
            continue;
        }
        read_counter(reader, &dir, counter);
        refused += counter->err == EINVAL;
    }
    root_dir_close(&dir);
}

void read_port_counters(struct reader *reader, const char *device, struct root_dir *port_dir, struct port *port)
{
    read_group(reader, device, port_dir, "counters", &port->counters, &port->ncounters);
    read_group(reader, device, port_dir, "counters_ext", &port->counters, &port->ncounters);
    read_group(reader, device, port_dir, "hw_counters", &port->counters, &port->ncounters);
}

void read_device_counters(struct reader *reader, struct root_dir *device_dir, struct device *device)
{
    read_group(reader, device->name, device_dir, "hw_counters", &device->counters, &device->ncounters);
}
