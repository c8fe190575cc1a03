/* SPDX-License-Identifier: MIT */
/* RDMA_CM's default RoCE mode and TOS, read and set in configfs. */
#include "source/files/files.h"
#include "source/files/forms.h"

#include <signal.h>

#define CONFIGFS "sys/kernel/config/rdma_cm"

enum { MOST_TRIES = 20 };

/* A device's directory, while we are using it. */
struct visit {
    struct root *root;
    char path[PATH_MAX];
    bool ours;
    sigset_t before;
};

/* 0 or -errno. -EEXIST from mkdir: somebody else has just made it, and will remove it. */
static int visit_begin(struct visit *visit, struct root *root, const char *device)
{
    *visit = (struct visit){ .root = root };
    snprintf(visit->path, sizeof(visit->path), CONFIGFS "/%s", device);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &visit->before);
    int r = root_make_directory(root, visit->path);
    visit->ours = r == 0;
    if (!visit->ours)
        sigprocmask(SIG_SETMASK, &visit->before, NULL);
    return r == -EEXIST ? 0 : r;
}

/* A missing file may have been removed with the directory: by whoever made it, if we didn't; and somebody else
 * may have made it anew since. */
static bool visit_was_cut(const struct visit *visit)
{
    return !visit->ours || !root_exists(visit->root, visit->path);
}

static void visit_end(struct visit *visit)
{
    if (!visit->ours)
        return;
    root_remove_directory(visit->root, visit->path);
    sigprocmask(SIG_SETMASK, &visit->before, NULL);
}

/* "RoCE v2\n", "106\n" */
static int parse_mode(const char *text, struct num *mode)
{
    char word[32];
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, "\n"), text);
    enum gid_type type = gid_type_parse(word);
    if (type == GID_TYPE_UNKNOWN)
        return -EBADMSG;
    *mode = num_of((uint64_t)type);
    return 0;
}

static int parse_tos(const char *text, struct num *tos)
{
    uint64_t value;
    if (text_to_u64(text, 0, &value) < 0 || value > UINT8_MAX)
        return -EBADMSG;
    *tos = num_of(value);
    return 0;
}

static int read_port(struct root *root, const char *device, uint32_t number, struct num *mode, struct num *tos)
{
    struct span span;
    int r = root_read(root, &span, FORM_GID_TYPE, CONFIGFS "/%s/ports/%u/default_roce_mode", device, number);
    if (r == 0)
        r = parse_mode(span.data, mode);
    if (r < 0)
        return r;
    r = root_read(root, &span, FORM_NUMBER, CONFIGFS "/%s/ports/%u/default_roce_tos", device, number);
    if (r == 0)
        r = parse_tos(span.data, tos);
    return r == -ENOENT ? 0 : r; /* kernels before 4.9 have no TOS */
}

/* Records why there is nothing to see. */
static void refuse(struct reader *reader, struct port *port, int err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), CONFIGFS "/%s/ports/%u/default_roce_mode", port->device->name, port->number);
    port->cm_err = -err;
    root_tell_file(reader->root, NULL, path, NULL, 0, err);
}

/* 0, or -errno: why it can't be read. -EAGAIN: somebody else has removed the directory meanwhile. */
static int visit_device(struct reader *reader, struct device *device)
{
    struct visit visit;
    bool gone = false;
    int r = visit_begin(&visit, reader->root, device->name);
    for (size_t i = 0; i < device->nports; i++) {
        struct port *port = &device->ports[i];
        port->device = device;
        if (port->transport != TRANSPORT_ROCE)
            continue;
        if (r < 0)
            refuse(reader, port, r);
        else
            port->cm_err = -read_port(reader->root, device->name, port->number, &port->cm_mode, &port->cm_tos);
        gone |= r == 0 && (port->cm_err == ENOENT || (port->cm_err == 0 && !port->cm_tos.known));
    }
    gone = gone && visit_was_cut(&visit);
    visit_end(&visit);
    return gone ? -EAGAIN : r;
}

/* Whoever finds the directory uses it, and whoever made it removes it: there may be two at a time, such as
 * another roce or a vendor's script. */
static void read_device(struct reader *reader, struct device *device)
{
    for (int tries = 0; tries < MOST_TRIES && visit_device(reader, device) == -EAGAIN; tries++)
        ;
}

void read_modes(struct reader *reader)
{
    for (size_t d = 0; d < reader->host->ndevices; d++) {
        struct device *device = &reader->host->devices[d];
        bool any = false;
        for (size_t i = 0; i < device->nports; i++)
            any |= device->ports[i].transport == TRANSPORT_ROCE;
        if (any)
            read_device(reader, device);
    }
}

static int set_file(struct source *source, const char *device, uint32_t port, const char *file,
                    const char *text, struct num *mode, struct num *tos)
{
    struct visit visit;
    char path[PATH_MAX * 2];
    bool gone = true;
    int r = -ENOENT;
    for (int tries = 0; tries < MOST_TRIES && gone; tries++) {
        r = visit_begin(&visit, source->root, device);
        if (r < 0)
            return r;
        snprintf(path, sizeof(path), "%s/ports/%u/%s", visit.path, port, file);
        r = root_write(source->root, path, text);
        if (r == 0)
            r = read_port(source->root, device, port, mode, tos);
        gone = r == -ENOENT && visit_was_cut(&visit);
        visit_end(&visit);
    }
    return r;
}

int configfs_set_mode(struct source *source, const char *device, uint32_t port, enum gid_type mode)
{
    struct num now = { 0 }, tos = { 0 };
    int r = set_file(source, device, port, "default_roce_mode", gid_type_text(mode), &now, &tos);
    return r < 0 ? r : num_is(now, (uint64_t)mode) ? 0 : -EIO;
}

int configfs_set_tos(struct source *source, const char *device, uint32_t port, uint8_t tos)
{
    struct num mode = { 0 }, now = { 0 };
    char text[8];
    snprintf(text, sizeof(text), "%u", tos);
    int r = set_file(source, device, port, "default_roce_tos", text, &mode, &now);
    return r < 0 ? r : num_is(now, tos) ? 0 : -EIO;
}
