/* SPDX-License-Identifier: MIT */
/* Memory that isn't this process's own, which a device gets by a dma-buf: a GPU's, or the kernel's. */
#include "selftest/queues/queue.h"

#include <dlfcn.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, GPUS = 1023 };

/* What is asked of a GPU's driver. Calls return 0, or an error of the driver's own. */
struct calls {
    int (*cu_init)(unsigned flags);
    int (*cu_retain)(void **context, int device);
    int (*cu_current)(void *context);
    int (*cu_alloc)(uintptr_t *address, size_t size);
    int (*cu_free)(uintptr_t address);
    int (*cu_attribute)(const void *value, int attribute, uintptr_t address);
    int (*cu_export)(void *fd, uintptr_t address, size_t size, int kind, unsigned long long flags);
    int (*cu_give)(uintptr_t to, const void *from, size_t size);
    int (*cu_take)(void *to, uintptr_t from, size_t size);
    int (*hip_device)(int device);
    int (*hip_alloc)(void **address, size_t size);
    int (*hip_free)(void *address);
    int (*hip_copy)(void *to, const void *from, size_t size, int kind);
    int (*hsa_export)(const void *address, size_t size, int *fd, uint64_t *offset);
};

struct memory_kind;
struct memory {
    const struct memory_kind *kind;
    int device;    /* the GPU's number */
    int node;      /* /dev/udmabuf, or the heap's */
    void *context; /* CUDA's, which each thread has to make its own */
    struct calls calls;
};

struct memory_kind {
    const char *name;
    bool is_gpu;
    int (*open)(struct memory *memory, char why[static MEMORY_TEXT_SIZE]);
    int (*make)(struct memory_piece *piece, size_t size, char why[static MEMORY_TEXT_SIZE]);
    void (*free)(struct memory_piece *piece);
    /* between the view and the piece, in either direction; NULL: they are one */
    int (*copy)(uintptr_t there, void *view, size_t size, bool give, const struct memory *memory);
};

static int explain(char why[static MEMORY_TEXT_SIZE], int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, MEMORY_TEXT_SIZE, format, args);
    va_end(args);
    return err < 0 ? err : -err;
}

static void unmap(struct memory_piece *p)
{
    if (p->view)
        munmap(p->view, p->size);
}

/* -- the kernel's: without a GPU. udmabuf: pages of a memfd as a dma-buf; the system's heap: pages of nobody --
 */

static int open_node(struct memory *m, const char *path, const char *missing, char why[static MEMORY_TEXT_SIZE])
{
    m->node = open(path, O_RDWR | O_CLOEXEC);
    return m->node >= 0
               ? 0
               : explain(why, errno, "%s: %s%s", path, say_errno(errno), errno == ENOENT ? missing : "");
}

static int heap_open(struct memory *m, char why[static MEMORY_TEXT_SIZE])
{
    return open_node(m, "/dev/dma_heap/system", ": the kernel needs CONFIG_DMABUF_HEAPS_SYSTEM", why);
}

static int heap_make(struct memory_piece *p, size_t size, char why[static MEMORY_TEXT_SIZE])
{
    struct dma_heap_allocation_data wanted = { .len = size, .fd_flags = O_RDWR | O_CLOEXEC };
    if (ioctl(p->memory->node, DMA_HEAP_IOCTL_ALLOC, &wanted) < 0)
        return explain(why, errno, "a heap's dma-buf of %zu MiB: %s", size >> 20, say_errno(errno));
    p->fd = (int)wanted.fd;
    void *view = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
    if (view == MAP_FAILED)
        return explain(why, errno, "mmap of a heap's dma-buf: %s", say_errno(errno));
    p->view = view;
    return 0;
}

static int udmabuf_open(struct memory *m, char why[static MEMORY_TEXT_SIZE])
{
    return open_node(m, "/dev/udmabuf", ": modprobe udmabuf", why);
}

static int udmabuf_make(struct memory_piece *p, size_t size, char why[static MEMORY_TEXT_SIZE])
{
    struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC, .size = size };
    int memfd = memfd_create("roce", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    create.memfd = (uint32_t)memfd;
    if (memfd < 0 || ftruncate(memfd, (off_t)size) < 0 || fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) < 0) {
        int err = errno;
        if (memfd >= 0)
            close(memfd);
        return explain(why, err, "memfd_create: %s", say_errno(err));
    }
    p->fd = ioctl(p->memory->node, UDMABUF_CREATE, &create);
    int err = errno;
    void *view = p->fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
    err = p->fd < 0 ? err : errno;
    close(memfd);
    if (view == MAP_FAILED)
        return explain(why, err, "udmabuf of %zu MiB: %s%s", size >> 20, say_errno(err),
                       err == EINVAL ? " (more than its parameter size_limit_mb allows?)" : "");
    p->view = view;
    return 0;
}

/* -- GPUs: their memory, and a copy of it that the CPU can see -----------------------------------------------
 */

#ifdef RDMA_STATIC_PROVIDERS
static int gpu_open(struct memory *m, char why[static MEMORY_TEXT_SIZE])
{
    return explain(
        why, ENOSYS,
        "a static program can't load a GPU's driver: build roce with 'make DYNAMIC=1' for %s, or take "
        "udmabuf or dma-heap",
        m->kind->name);
}
#else
/* offset: of its pointer in struct calls. Versions of the CUDA driver's functions are part of their names. */
struct symbol {
    const char *name;
    size_t offset;
};

static int load(struct memory *m, const char *library, const struct symbol *symbols, size_t count,
                char why[static MEMORY_TEXT_SIZE])
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* stays, as its threads do */
    if (!handle)
        return explain(why, ENOSYS, "%s: is the GPU's driver installed?", dlerror());
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(handle, symbols[i].name);
        if (!symbol)
            return explain(why, ENOSYS, "%s has no %s: its driver is too old for dma-bufs", library,
                           symbols[i].name);
        memcpy((char *)&m->calls + symbols[i].offset, &symbol, sizeof(symbol));
    }
    return 0;
}

/* cuda.h of CUDA 11.7, the first with dma-bufs. */
static int cuda_open(struct memory *m, char why[static MEMORY_TEXT_SIZE])
{
    static const struct symbol symbols[] = {
        { "cuInit", offsetof(struct calls, cu_init) },
        { "cuDevicePrimaryCtxRetain", offsetof(struct calls, cu_retain) },
        { "cuCtxSetCurrent", offsetof(struct calls, cu_current) },
        { "cuMemAlloc_v2", offsetof(struct calls, cu_alloc) },
        { "cuMemFree_v2", offsetof(struct calls, cu_free) },
        { "cuPointerSetAttribute", offsetof(struct calls, cu_attribute) },
        { "cuMemGetHandleForAddressRange", offsetof(struct calls, cu_export) },
        { "cuMemcpyHtoD_v2", offsetof(struct calls, cu_give) },
        { "cuMemcpyDtoH_v2", offsetof(struct calls, cu_take) },
    };
    int r = load(m, "libcuda.so.1", symbols, ARRAY_SIZE(symbols), why), err;
    if (r < 0)
        return r;
    if ((err = m->calls.cu_init(0)))
        return explain(why, EIO, "cuInit: CUDA's error %d%s", err, err == 100 ? ", no GPU" : "");
    if ((err = m->calls.cu_retain(&m->context, m->device)))
        return explain(why, ENODEV, "cuDevicePrimaryCtxRetain: CUDA's error %d%s", err,
                       err == 101 ? ", no GPU has this number" : "");
    return 0;
}

static int rocm_open(struct memory *m, char why[static MEMORY_TEXT_SIZE])
{
    static const struct symbol hip[] = {
        { "hipSetDevice", offsetof(struct calls, hip_device) },
        { "hipMalloc", offsetof(struct calls, hip_alloc) },
        { "hipFree", offsetof(struct calls, hip_free) },
        { "hipMemcpy", offsetof(struct calls, hip_copy) },
    };
    static const struct symbol hsa[] = { { "hsa_amd_portable_export_dmabuf",
                                           offsetof(struct calls, hsa_export) } };
    int r = load(m, "libamdhip64.so", hip, ARRAY_SIZE(hip), why);
    if (r == 0)
        r = load(m, "libhsa-runtime64.so.1", hsa, ARRAY_SIZE(hsa), why);
    int err = r == 0 ? m->calls.hip_device(m->device) : 0;
    return err ? explain(why, ENODEV, "hipSetDevice: HIP's error %d%s", err,
                         err == 101 ? ", no GPU has this number" : "")
               : r;
}
/* What the CPU works on; the piece itself is at `there`. */
static int make_copy(struct memory_piece *p, size_t size)
{
    void *view = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p->view = view == MAP_FAILED ? NULL : view;
    return p->view ? 0 : -ENOMEM;
}

/* Copies wait for what the device has written (GPUDirect RDMA's guide, "Synchronization and Memory Ordering").
 */
enum { CU_SYNC_MEMOPS = 6, CU_DMA_BUF_FD = 1 };

static int cuda_make(struct memory_piece *p, size_t size, char why[static MEMORY_TEXT_SIZE])
{
    const struct calls *c = &p->memory->calls;
    const unsigned on = 1;
    int err;
    if ((err = c->cu_current(p->memory->context)))
        return explain(why, EIO, "cuCtxSetCurrent: CUDA's error %d", err);
    if ((err = c->cu_alloc(&p->there, size)))
        return explain(why, ENOMEM, "cuMemAlloc of %zu MiB: CUDA's error %d", size >> 20, err);
    if ((err = c->cu_attribute(&on, CU_SYNC_MEMOPS, p->there)))
        return explain(why, EIO, "cuPointerSetAttribute: CUDA's error %d", err);
    if ((err = c->cu_export(&p->fd, p->there, size, CU_DMA_BUF_FD, 0))) {
        p->fd = -1;
        return explain(why, EOPNOTSUPP, "cuMemGetHandleForAddressRange: CUDA's error %d%s", err,
                       err == 801
                           ? ", this GPU or its kernel driver has no dma-bufs (they need the open kernel "
                             "modules)"
                           : "");
    }
    return make_copy(p, size);
}

static void cuda_free(struct memory_piece *p)
{
    const struct calls *c = &p->memory->calls;
    if (p->there && c->cu_current(p->memory->context) == 0)
        c->cu_free(p->there);
    unmap(p);
}

static int cuda_copy(uintptr_t there, void *view, size_t size, bool give, const struct memory *m)
{
    int err = m->calls.cu_current(m->context);
    return err ? err : give ? m->calls.cu_give(there, view, size) : m->calls.cu_take(view, there, size);
}

enum { HIP_TO_DEVICE = 1, HIP_TO_HOST = 2 };

static int rocm_make(struct memory_piece *p, size_t size, char why[static MEMORY_TEXT_SIZE])
{
    const struct calls *c = &p->memory->calls;
    void *address = NULL;
    int err = c->hip_device(p->memory->device); /* each thread chooses */
    if (err || (err = c->hip_alloc(&address, size)))
        return explain(why, ENOMEM, "hipMalloc of %zu MiB: HIP's error %d", size >> 20, err);
    p->there = (uintptr_t)address;
    if ((err = c->hsa_export(address, size, &p->fd, &p->offset))) {
        p->fd = -1;
        return explain(
            why, EOPNOTSUPP,
            "hsa_amd_portable_export_dmabuf: HSA's error %#x: the kernel needs CONFIG_PCI_P2PDMA and "
            "CONFIG_DMABUF_MOVE_NOTIFY",
            (unsigned)err);
    }
    return make_copy(p, size);
}

static void rocm_free(struct memory_piece *p)
{
    if (p->there)
        p->memory->calls.hip_free((void *)p->there);
    unmap(p);
}

static int rocm_copy(uintptr_t there, void *view, size_t size, bool give, const struct memory *m)
{
    void *own = (void *)there;
    return m->calls.hip_copy(give ? own : view, give ? view : own, size, give ? HIP_TO_DEVICE : HIP_TO_HOST);
}
#endif

/* -- all of them ---------------------------------------------------------------------------------------------
 */

static const struct memory_kind kinds[] = {
    { "udmabuf", false, udmabuf_open, udmabuf_make, unmap, NULL },
    { "dma-heap", false, heap_open, heap_make, unmap, NULL },
#ifdef RDMA_STATIC_PROVIDERS
    { "cuda", true, gpu_open, NULL, NULL, NULL },
    { "rocm", true, gpu_open, NULL, NULL, NULL },
#else
    { "cuda", true, cuda_open, cuda_make, cuda_free, cuda_copy },
    { "rocm", true, rocm_open, rocm_make, rocm_free, rocm_copy },
#endif
};

int memory_open(const char *text, struct memory **memory, char why[static MEMORY_TEXT_SIZE])
{
    const struct memory_kind *kind = NULL;
    size_t len = strcspn(text, ":");
    uint64_t device = 0;
    *memory = NULL;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strlen(kinds[i].name) == len && strncmp(kinds[i].name, text, len) == 0)
            kind = &kinds[i];
    if (strcmp(text, "host") == 0)
        return 0;
    if (!kind ||
        (text[len] && (!kind->is_gpu || text_to_u64(text + len + 1, 10, &device) < 0 || device > GPUS)))
        return explain(why, EINVAL,
                       "it is host, udmabuf, dma-heap, cuda, cuda:1, rocm or rocm:1 (a GPU's number)");
    static struct memory the_one;
    the_one = (struct memory){ .kind = kind, .device = (int)device };
    int r = kind->open(&the_one, why);
    *memory = r == 0 ? &the_one : NULL;
    return r;
}

int memory_make(struct memory *m, size_t size, struct memory_piece *piece, char why[static MEMORY_TEXT_SIZE])
{
    *why = '\0';
    *piece = (struct memory_piece){ .memory = m, .fd = -1 };
    piece->size = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    int r = m->kind->make(piece, piece->size, why);
    if (r < 0)
        memory_free(piece);
    return r;
}

void memory_free(struct memory_piece *piece)
{
    if (piece->fd >= 0)
        close(piece->fd);
    if (piece->memory)
        piece->memory->kind->free(piece);
    *piece = (struct memory_piece){ .fd = -1 };
}

int memory_copy(const struct memory_piece *piece, uint8_t *view, size_t size, bool give)
{
    const struct memory *m = piece->memory;
    size_t at = (size_t)(view - (uint8_t *)piece->view);
    return m && m->kind->copy ? m->kind->copy(piece->there + at, view, size, give, m) : 0;
}
