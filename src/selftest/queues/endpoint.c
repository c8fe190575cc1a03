/* SPDX-License-Identifier: MIT */
/* An open device and the one buffer that a test may touch. */
#include "selftest/queues/queue.h"

#include <sys/mman.h>
#include <sys/utsname.h>

/* Before Linux 6.0, rxe keeps the packet that answers an atomic, and resends that very packet if the request
 * arrives twice, although the network has already had it (rxe_resp.c: 5.10 does, 6.1 makes a new one). Memory
 * is corrupted, and the kernel crashes at the next queue pair. On 5.10, requests arrive twice even without
 * loss: answers don't reset its timer (rxe_req.c). */
bool endpoint_is_fragile(const struct endpoint_spec *spec)
{
    struct utsname kernel;
    return spec->soft && uname(&kernel) == 0 && strtol(kernel.release, NULL, 10) < 6;
}

/* Does the device exist, and may its node be opened? open(2) is tried first, as ibv_open_device() waits 5 s for
 * a node that it may not open (rdma-core, util/open_cdev.c). Returns 0, or -errno with failure filled. */
static int verbs_open(const char *device, const char *node, struct ibv_context **context,
                      struct failure *failure)
{
    if (node) {
        int fd = open(node, O_RDWR | O_CLOEXEC);
        if (fd < 0)
            return failure_set(failure, STEP_NODE, errno, "%s", node);
        close(fd);
    }
    int count = 0;
    struct ibv_device **list = ibv_get_device_list(&count);
    if (!list)
        return failure_set(failure, STEP_OPEN, errno, "ibv_get_device_list");
    struct ibv_device *found = NULL;
    for (int i = 0; i < count; i++)
        if (strcmp(ibv_get_device_name(list[i]), device) == 0)
            found = list[i];
    errno = 0;
    struct ibv_context *opened = found ? ibv_open_device(found) : NULL;
    int err = errno ? errno : EIO;
    ibv_free_device_list(list);
    if (!found)
        return failure_set(failure, STEP_OPEN, ENODEV, "no verbs provider in this program knows '%s'", device);
    if (!opened)
        return failure_set(failure, STEP_OPEN, err, "%s", device);
    *context = opened;
    return 0;
}

static int query_device(struct endpoint *end, struct failure *failure)
{
    if (end->gid_index > UINT8_MAX)
        return failure_set(failure, STEP_PORT, EINVAL,
                           "an address handle can't name GID %u: 255 is the last one", end->gid_index);
    int err = ibv_query_device(end->context, &end->attr);
    if (err)
        return failure_set(failure, STEP_PORT, err, "ibv_query_device");
    err = ibv_query_port(end->context, end->port, &end->port_attr);
    if (err)
        return failure_set(failure, STEP_PORT, err, "ibv_query_port");
    struct ibv_gid_entry entry = { 0 };
    err = ibv_query_gid_ex(end->context, end->port, end->gid_index, &entry, 0);
    if (err)
        return failure_set(failure, STEP_PORT, err, "GID %u", end->gid_index);
    end->gid = entry.gid;
    end->iwarp = end->context->device->transport_type == IBV_TRANSPORT_IWARP;
    end->atomics = end->attr.atomic_cap != IBV_ATOMIC_NONE;
    return 0;
}

static int register_piece(struct endpoint *end, int access, struct failure *failure)
{
    char why[MEMORY_TEXT_SIZE];
    int r = memory_make(end->memory, end->half * 2, &end->piece, why);
    if (r < 0)
        return failure_set(failure, STEP_REGISTER, r, "%s", why);
    end->buffer = end->piece.view;
    end->mr = ibv_reg_dmabuf_mr(end->pd, end->piece.offset, end->half * 2, (uintptr_t)end->buffer,
                                end->piece.fd, access);
    if (end->mr)
        return 0;
    r = failure_set(failure, STEP_REGISTER, errno, "ibv_reg_dmabuf_mr%s",
                    errno == EOPNOTSUPP || errno == ENOSYS ? ": the NIC's driver registers no dma-bufs" : "");
    memory_free(&end->piece);
    return r;
}

int endpoint_give(const struct endpoint *end, uint8_t *from, size_t size, struct failure *failure)
{
    int err = memory_copy(&end->piece, from, size, true);
    return err ? failure_set(failure, STEP_DATA, EIO, "copying to the GPU: its driver's error %d", err) : 0;
}

int endpoint_take(const struct endpoint *end, uint8_t *to, size_t size, struct failure *failure)
{
    int err = memory_copy(&end->piece, to, size, false);
    return err ? failure_set(failure, STEP_DATA, EIO, "copying from the GPU: its driver's error %d", err) : 0;
}

static int map_and_register(struct endpoint *end, int access, struct failure *failure)
{
    const bool placed = end->numa_node.known; /* registering touches the pages, once they are bound */
    void *buffer = mmap(NULL, end->half * 2, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | (placed ? 0 : MAP_POPULATE), -1, 0);
    if (buffer == MAP_FAILED)
        return failure_set(failure, STEP_REGISTER, errno, "%zu KiB", end->half * 2 / 1024);
    unsigned node = (unsigned)end->numa_node.value;
    int r = placed ? placement_bind(buffer, end->half * 2, node) : 0;
    if (r < 0)
        failure_set(failure, STEP_REGISTER, r, "mbind to NUMA node %u", node);
    end->mr = r == 0 ? ibv_reg_mr(end->pd, buffer, end->half * 2, access) : NULL;
    if (r == 0 && !end->mr)
        r = failure_set(failure, STEP_REGISTER, errno, "%zu KiB", end->half * 2 / 1024);
    if (r < 0) {
        munmap(buffer, end->half * 2);
        return r;
    }
    end->buffer = buffer;
    return 0;
}

static int prepare_memory(struct endpoint *end, size_t size, struct failure *failure)
{
    int r = query_device(end, failure);
    if (r < 0)
        return r;
    end->pd = ibv_alloc_pd(end->context);
    if (!end->pd)
        return failure_set(failure, STEP_PD, errno ? errno : EIO, "%s", "");
    /* If locked memory is limited, smaller messages can still be tested. */
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                 (end->atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0);
    for (;; size /= 8) {
        end->size = size;
        end->half = (size + ENDPOINT_MARGIN + 4095) & ~(size_t)4095;
        r = end->memory ? register_piece(end, access, failure) : map_and_register(end, access, failure);
        if (r != -ENOMEM || size / 8 < ENDPOINT_SIZE_LEAST)
            return r;
        end->memory_short = true;
    }
}

int endpoint_open(const struct endpoint_spec *spec, struct ibv_context *context, struct endpoint **out,
                  struct failure *failure)
{
    struct endpoint *end = calloc(1, sizeof(*end));
    if (!end)
        return failure_set(failure, STEP_OPEN, ENOMEM, "%s", "");
    end->port = spec->port;
    end->gid_index = spec->gid_index;
    end->fragile = endpoint_is_fragile(spec);
    end->numa_node = spec->numa_node;
    end->memory = spec->memory;
    end->piece.fd = -1;
    end->context = context;
    end->borrowed = context != NULL;
    int r = context ? 0 : verbs_open(spec->device, spec->node, &end->context, failure);
    if (r == 0)
        r = prepare_memory(end, spec->size, failure);
    if (r < 0)
        endpoint_close(end);
    else
        *out = end;
    return r;
}

void endpoint_close(struct endpoint *end)
{
    if (!end)
        return;
    if (end->mr)
        ibv_dereg_mr(end->mr);
    if (end->memory)
        memory_free(&end->piece);
    else if (end->buffer)
        munmap(end->buffer, end->half * 2);
    if (end->pd)
        ibv_dealloc_pd(end->pd);
    if (end->context && !end->borrowed)
        ibv_close_device(end->context);
    free(end);
}
