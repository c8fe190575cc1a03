/* SPDX-License-Identifier: MIT */
/*
 * gid_table [DEVICE]: prints what the ioctl QUERY_GID_TABLE says of each device, as "DEVICE/PORT INDEX GID
 * TYPE IFINDEX"; then whether it refuses a buffer too short for the table, as "DEVICE short ERRNO-TEXT".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

static const char *type_name(uint32_t type)
{
    return type == IBV_GID_TYPE_ROCE_V2 ? "RoCE v2" : "IB/RoCE v1";
}

static void print_entry(const char *device, const struct ibv_gid_entry *entry)
{
    printf("%s/%u %u ", device, entry->port_num, entry->gid_index);
    for (int i = 0; i < 16; i += 2)
        printf("%02x%02x%s", entry->gid.raw[i], entry->gid.raw[i + 1], i < 14 ? ":" : " ");
    printf("%s %u\n", type_name(entry->gid_type), entry->ndev_ifindex);
}

static int print_table(struct ibv_context *context, const char *device)
{
    struct ibv_device_attr attr;
    size_t slots = 0;
    if (ibv_query_device(context, &attr))
        return -1;
    for (int port = 1; port <= attr.phys_port_cnt; port++) {
        struct ibv_port_attr port_attr;
        if (ibv_query_port(context, (uint8_t)port, &port_attr))
            return -1;
        slots += (size_t)port_attr.gid_tbl_len;
    }
    struct ibv_gid_entry *entries = calloc(slots, sizeof(*entries));
    if (!entries)
        return -1;
    ssize_t n = ibv_query_gid_table(context, entries, slots, 0);
    for (ssize_t i = 0; i < n; i++)
        print_entry(device, &entries[i]);
    if (n > 1) {
        ssize_t short_n = ibv_query_gid_table(context, entries, (size_t)n - 1, 0);
        printf("%s short %s\n", device, short_n < 0 ? strerror((int)-short_n) : "taken");
    }
    free(entries);
    return n < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    int status = 0, n = 0;
    struct ibv_device **devices = ibv_get_device_list(&n);
    for (int i = 0; i < n; i++) {
        const char *name = ibv_get_device_name(devices[i]);
        if (argc > 1 && strcmp(argv[1], name) != 0)
            continue;
        struct ibv_context *context = ibv_open_device(devices[i]);
        if (!context || print_table(context, name) < 0) {
            fprintf(stderr, "gid_table: %s: %s\n", name, strerror(errno));
            status = 1;
        }
        if (context)
            ibv_close_device(context);
    }
    if (devices)
        ibv_free_device_list(devices);
    return status;
}
