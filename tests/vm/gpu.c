/* SPDX-License-Identifier: MIT */
/*
 * gpu: what CUDA's and ROCm's drivers give roce, without a GPU, and a NIC's part of it, as rxe registers no
 * dma-bufs. "Its memory" is a memfd, whose file descriptor stands for the dma-buf; nothing that the CPU writes
 * elsewhere gets there unless it is copied. For LD_PRELOAD, and by the names of the drivers' libraries.
 * GPU_COPIES names a file that gets a line for each copy. ROCm's allocation lies behind another, as its export
 * may say an offset.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/verbs.h>

enum { NO_DEVICE = 101, BEFORE = 1 << 16, MOST = 64 };

static struct {
    int fd;
    char *at;
    size_t size, before;
} pieces[MOST];

static int make(char **address, size_t size, size_t before)
{
    for (int i = 0; i < MOST; i++) {
        if (pieces[i].at)
            continue;
        pieces[i].fd = memfd_create("gpu", MFD_CLOEXEC);
        pieces[i].size = size + before;
        pieces[i].before = before;
        if (pieces[i].fd < 0 || ftruncate(pieces[i].fd, (off_t)(size + before)) < 0)
            return 2;
        pieces[i].at = mmap(NULL, size + before, PROT_READ | PROT_WRITE, MAP_SHARED, pieces[i].fd, 0);
        *address = pieces[i].at + before;
        return 0;
    }
    return 2;
}

static int find(const void *address)
{
    for (int i = 0; i < MOST; i++)
        if (pieces[i].at && (const char *)address >= pieces[i].at &&
            (const char *)address < pieces[i].at + pieces[i].size)
            return i;
    abort();
}

static int drop(const void *address)
{
    int i = find(address);
    munmap(pieces[i].at, pieces[i].size);
    close(pieces[i].fd);
    pieces[i].at = NULL;
    return 0;
}

static int copy(void *to, const void *from, size_t size, const char *how)
{
    const char *name = getenv("GPU_COPIES");
    FILE *file = name ? fopen(name, "a") : NULL;
    memcpy(to, from, size);
    if (file)
        fprintf(file, "%s %zu\n", how, size), fclose(file);
    return 0;
}

/* -- CUDA ----------------------------------------------------------------------------------------------- */

int cuInit(unsigned flags)
{
    return flags ? 1 : 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = pieces;
    return device ? NO_DEVICE : 0;
}

/* CUDA says 201, invalid context, to a thread that has none. */
static __thread void *current;

int cuCtxSetCurrent(void *context)
{
    current = context;
    return context == pieces ? 0 : 201;
}
int cuMemAlloc_v2(uintptr_t *address, size_t size)
{
    return current ? make((char **)address, size, 0) : 201;
}
int cuMemFree_v2(uintptr_t address)
{
    return current ? drop((void *)address) : 201;
}
int cuPointerSetAttribute(const void *value, int attribute, uintptr_t address)
{
    find((void *)address);
    return attribute == 6 && *(const unsigned *)value == 1 ? 0 : 1;
}
int cuMemGetHandleForAddressRange(void *fd, uintptr_t address, size_t size, int kind, unsigned long long flags)
{
    int i = find((void *)address);
    if (kind != 1 || flags || size != pieces[i].size)
        return 801;
    *(int *)fd = dup(pieces[i].fd);
    return 0;
}
int cuMemcpyHtoD_v2(uintptr_t to, const void *from, size_t size)
{
    find((char *)to + size - 1);
    return current ? copy((void *)to, from, size, "give") : 201;
}
int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t size)
{
    find((char *)from + size - 1);
    return current ? copy(to, (void *)from, size, "take") : 201;
}

/* -- ROCm ----------------------------------------------------------------------------------------------- */

int hipSetDevice(int device)
{
    return device ? NO_DEVICE : 0;
}
int hipMalloc(void **address, size_t size)
{
    return make((char **)address, size, BEFORE);
}
int hipFree(void *address)
{
    return drop(address);
}
int hipMemcpy(void *to, const void *from, size_t size, int kind)
{
    find(kind == 1 ? to : from);
    return kind == 1 ? copy(to, from, size, "give") : kind == 2 ? copy(to, from, size, "take") : 1;
}
int hsa_amd_portable_export_dmabuf(const void *address, size_t size, int *fd, uint64_t *offset)
{
    int i = find(address);
    if (size + pieces[i].before != pieces[i].size)
        return 0x1001;
    *fd = dup(pieces[i].fd);
    *offset = pieces[i].before;
    return 0;
}

/* -- the NIC -------------------------------------------------------------------------------------------- */

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd,
                                 int access)
{
    char *at = mmap(NULL, offset + length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : ibv_reg_mr_iova(pd, at + offset, length, iova, (unsigned)access);
}
