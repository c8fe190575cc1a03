/* SPDX-License-Identifier: MIT */
/* The ioctl itself: libibverbs would look through all of sysfs and load providers first. */
#include "source/verbs/slots.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST_ATTRS = 3, MOST_SLOTS = 1024 }; /* an attribute's length has 16 bits; rxe has 1024 slots */

union command {
    struct ib_uverbs_ioctl_hdr header;
    char room[sizeof(struct ib_uverbs_ioctl_hdr) + MOST_ATTRS * sizeof(struct ib_uverbs_attr)];
};

static void put(union command *command, uint16_t attr, uint16_t len, uint64_t data)
{
    command->header.attrs[command->header.num_attrs++] = (struct ib_uverbs_attr){
        .attr_id = attr, .len = len, .flags = UVERBS_ATTR_F_MANDATORY, .data = data
    };
}

static int ask(int fd, uint16_t method, union command *command)
{
    struct ib_uverbs_ioctl_hdr *header = &command->header;
    header->length = (uint16_t)(sizeof(*header) + header->num_attrs * sizeof(header->attrs[0]));
    header->object_id = UVERBS_OBJECT_DEVICE;
    header->method_id = method;
    header->driver_id = RDMA_DRIVER_RXE;
    return ioctl(fd, RDMA_VERBS_IOCTL, command) < 0 ? -errno : 0;
}

static int query(int fd, struct ib_uverbs_gid_entry entries[static MOST_SLOTS], uint64_t *count)
{
    uint32_t vectors;
    union command open = { .room = { 0 } }, table = { .room = { 0 } };
    put(&open, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, sizeof(vectors), (uintptr_t)&vectors);
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, sizeof(uint64_t), sizeof(*entries));
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, MOST_SLOTS * sizeof(*entries), (uintptr_t)entries);
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, sizeof(*count), (uintptr_t)count);
    int r = ask(fd, UVERBS_METHOD_GET_CONTEXT, &open);
    if (r == 0)
        r = ask(fd, UVERBS_METHOD_QUERY_GID_TABLE, &table);
    return r == 0 && *count > MOST_SLOTS ? -EBADMSG : r;
}

/* The device's node, opened; -errno. */
static int open_node(struct reader *reader, const char *device)
{
    char path[512];
    struct names names = { 0 };
    int r = root_list(reader->root, reader->arena, &names, "sys/class/infiniband_verbs");
    for (size_t i = 0; r == 0 && i < names.count; i++) {
        const char *ibdev = text_starts(names.items[i], "uverbs")
                                ? read_text(reader, "sys/class/infiniband_verbs/%s/ibdev", names.items[i])
                                : NULL;
        if (!ibdev || strcmp(ibdev, device) != 0)
            continue;
        snprintf(path, sizeof(path), "dev/infiniband/%s", names.items[i]);
        return root_open_stream(reader->root, path);
    }
    return r < 0 ? r : -ENOENT;
}

int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count)
{
    struct ib_uverbs_gid_entry *entries;
    uint64_t found = 0;
    char parent[512];
    snprintf(parent, sizeof(parent), "sys/class/infiniband/%s/parent", device); /* rxe's alone */
    if (reader->source->thorough || !root_exists(reader->root, parent))
        return -EOPNOTSUPP;
    int fd = open_node(reader, device);
    if (fd < 0)
        return fd;
    entries = mem_alloc(MOST_SLOTS, sizeof(*entries));
    int r = query(fd, entries, &found);
    close(fd);
    if (r == 0)
        *slots = arena_alloc(reader->arena, found, sizeof(**slots));
    *count = r == 0 ? found : 0;
    for (size_t i = 0; i < *count; i++)
        (*slots)[i] = (struct gid_slot){ entries[i].port_num, entries[i].gid_index };
    free(entries);
    return r;
}
