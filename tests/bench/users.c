/* SPDX-License-Identifier: MIT */
/*
 * users DIR: the machine of a busy storage server, as `roce --root DIR` reads it, with 10,000 queue pairs on
 * two devices: 5,000 of NFS clients, 1,000 of 100 NVMe controllers, 4,000 of 400 processes; each connection
 * with its CM id, each process with memory and a control group. Prints how many of each there are.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <rdma/rdma_netlink.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEVICES = 2, CLIENTS = 5000, CONTROLLERS = 100, QUEUES = 10, PROCESSES = 400 };
enum { NFS_PORT = 20049, NVME_PORT = 4420, FIRST_PID = 1000, RTS = 3, RC = 2, CONNECTED = 5, TCP = 0x0106 };

static const char *top;

static FILE *create(const char *format, ...) __attribute__((format(printf, 1, 2)));
static FILE *create(const char *format, ...)
{
    char path[512];
    int n = snprintf(path, sizeof(path), "%s/", top);
    va_list args;
    va_start(args, format);
    vsnprintf(path + n, sizeof(path) - (size_t)n, format, args);
    va_end(args);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0777) < 0 && errno != EEXIST)
            exit(2);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static void put_text(const char *path, const char *text)
{
    FILE *file = create("%s", path);
    fputs(text, file);
    fclose(file);
}

/* -- one message, whose attributes nest to a depth of three -- */

static struct {
    _Alignas(8) char data[1024];
    size_t len, nests[3], depth;
} message;

static void put(const void *data, size_t len)
{
    memcpy(message.data + message.len, data, len);
    memset(message.data + message.len + len, 0, NLA_ALIGN(len) - len);
    message.len += NLA_ALIGN(len);
}

static void attribute(uint16_t type, const void *data, size_t len)
{
    struct nlattr attr = { .nla_len = (uint16_t)(sizeof(attr) + len), .nla_type = type };
    put(&attr, sizeof(attr));
    if (len)
        put(data, len);
}

static void number(uint16_t type, uint32_t value)
{
    attribute(type, &value, sizeof(value));
}

static void text(uint16_t type, const char *value)
{
    attribute(type, value, strlen(value) + 1);
}

static void begin(uint16_t type)
{
    message.nests[message.depth++] = message.len;
    attribute(type, NULL, 0);
}

static void end(void)
{
    size_t at = message.nests[--message.depth];
    uint16_t len = (uint16_t)(message.len - at);
    memcpy(message.data + at, &len, sizeof(len));
}

static void start(int op)
{
    struct nlmsghdr header = { .nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op),
                               .nlmsg_flags = NLM_F_MULTI };
    message.len = 0;
    put(&header, sizeof(header));
}

static void finish(FILE *file)
{
    uint32_t len = (uint32_t)message.len;
    memcpy(message.data, &len, sizeof(len));
    fwrite(message.data, 1, message.len, file);
}

static void done(FILE *file)
{
    struct nlmsghdr header = { .nlmsg_type = NLMSG_DONE, .nlmsg_flags = NLM_F_MULTI };
    message.len = 0;
    put(&header, sizeof(header));
    number(0, 0);
    finish(file);
    fclose(file);
}

/* -- resources -- */

/* What the kernel begins each message with. */
static void handle(uint32_t device)
{
    char name[16];
    snprintf(name, sizeof(name), "mlx5_%u", device);
    number(RDMA_NLDEV_ATTR_DEV_INDEX, device);
    text(RDMA_NLDEV_ATTR_DEV_NAME, name);
}

static void owner(uint32_t pid, const char *module)
{
    if (pid)
        number(RDMA_NLDEV_ATTR_RES_PID, pid);
    else
        text(RDMA_NLDEV_ATTR_RES_KERN_NAME, module);
}

static void queue_pair(FILE *file, uint32_t device, uint32_t lqpn, uint32_t pid)
{
    start(RDMA_NLDEV_CMD_RES_QP_GET);
    handle(device);
    begin(RDMA_NLDEV_ATTR_RES_QP);
    begin(RDMA_NLDEV_ATTR_RES_QP_ENTRY);
    uint8_t type = RC, state = RTS;
    number(RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    number(RDMA_NLDEV_ATTR_RES_LQPN, lqpn);
    number(RDMA_NLDEV_ATTR_RES_RQPN, lqpn + 7);
    number(RDMA_NLDEV_ATTR_RES_SQ_PSN, lqpn * 3);
    attribute(RDMA_NLDEV_ATTR_RES_TYPE, &type, 1);
    attribute(RDMA_NLDEV_ATTR_RES_STATE, &state, 1);
    owner(pid, "rdma_cm");
    end();
    end();
    finish(file);
}

static void address(uint16_t type, uint32_t host, uint16_t port)
{
    struct sockaddr_storage storage = { 0 };
    struct sockaddr_in *in = (void *)&storage;
    in->sin_family = AF_INET;
    in->sin_port = htons(port);
    in->sin_addr.s_addr = htonl(host);
    attribute(type, &storage, sizeof(storage));
}

static void connection(FILE *file, uint32_t device, uint32_t lqpn, const char *module, uint32_t peer,
                       uint16_t own_port, uint16_t peer_port)
{
    start(RDMA_NLDEV_CMD_RES_CM_ID_GET);
    handle(device);
    begin(RDMA_NLDEV_ATTR_RES_CM_ID);
    begin(RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY);
    uint8_t type = RC, state = CONNECTED;
    number(RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    number(RDMA_NLDEV_ATTR_RES_CM_IDN, lqpn);
    number(RDMA_NLDEV_ATTR_RES_LQPN, lqpn);
    number(RDMA_NLDEV_ATTR_RES_PS, TCP);
    attribute(RDMA_NLDEV_ATTR_RES_TYPE, &type, 1);
    attribute(RDMA_NLDEV_ATTR_RES_STATE, &state, 1);
    address(RDMA_NLDEV_ATTR_RES_SRC_ADDR, 0x0a000001 + device * 256, own_port);
    address(RDMA_NLDEV_ATTR_RES_DST_ADDR, peer, peer_port);
    owner(0, module);
    end();
    end();
    finish(file);
}

static void memory(FILE *file, uint32_t device, uint32_t id, uint32_t pid)
{
    uint64_t len = 1 << 20;
    start(RDMA_NLDEV_CMD_RES_MR_GET);
    handle(device);
    begin(RDMA_NLDEV_ATTR_RES_MR);
    begin(RDMA_NLDEV_ATTR_RES_MR_ENTRY);
    number(RDMA_NLDEV_ATTR_RES_MRN, id);
    attribute(RDMA_NLDEV_ATTR_RES_MRLEN, &len, sizeof(len));
    owner(pid, "");
    end();
    end();
    finish(file);
}

static void resources(uint32_t device)
{
    FILE *queues = create("netlink/nldev-qp.mlx5_%u", device),
         *ids = create("netlink/nldev-cm_id.mlx5_%u", device),
         *regions = create("netlink/nldev-mr.mlx5_%u", device);
    uint32_t lqpn = 100;
    for (uint32_t i = 0; i < CLIENTS / DEVICES; i++, lqpn++) {
        queue_pair(queues, device, lqpn, 0);
        connection(ids, device, lqpn, "rpcrdma", 0x0a800001 + i, NFS_PORT, (uint16_t)(30000 + i));
    }
    for (uint32_t i = 0; i < CONTROLLERS / DEVICES; i++)
        for (uint32_t k = 0; k < QUEUES; k++, lqpn++) {
            queue_pair(queues, device, lqpn, 0);
            connection(ids, device, lqpn, "nvme_rdma", 0x0ac00001 + device * 65536 + i, (uint16_t)(40000 + i),
                       NVME_PORT);
        }
    for (uint32_t i = 0; i < PROCESSES / DEVICES; i++)
        for (uint32_t k = 0; k < QUEUES; k++, lqpn++) {
            uint32_t pid = FIRST_PID + device * PROCESSES + i;
            queue_pair(queues, device, lqpn, pid);
            memory(regions, device, lqpn, pid);
        }
    done(queues);
    done(ids);
    done(regions);
    const char *const others[] = { "cq", "pd", "srq", "ctx" };
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        done(create("netlink/nldev-%s.mlx5_%u", others[i], device));
}

/* -- files -- */

static void device(uint32_t index)
{
    static const char *const files[][2] = { { "node_type", "1: CA\n" },
                                            { "ports/1/link_layer", "Ethernet\n" },
                                            { "ports/1/state", "4: ACTIVE\n" } };
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        char path[256];
        snprintf(path, sizeof(path), "sys/class/infiniband/mlx5_%u/%s", index, files[i][0]);
        put_text(path, files[i][1]);
    }
}

static void processes(void)
{
    for (uint32_t device = 0; device < DEVICES; device++)
        for (uint32_t i = 0; i < PROCESSES / DEVICES; i++) {
            uint32_t pid = FIRST_PID + device * PROCESSES + i;
            FILE *file = create("proc/%u/comm", pid);
            fprintf(file, "worker%u\n", i);
            fclose(file);
            file = create("proc/%u/cgroup", pid);
            fprintf(file, "0::/system.slice/slurmstepd.scope/job_%u/step_0/user/task_0\n", pid);
            fclose(file);
        }
}

static void controllers(void)
{
    for (uint32_t i = 0; i < CONTROLLERS; i++) {
        FILE *file = create("sys/class/nvme/nvme%u/address", i);
        uint32_t device = i % DEVICES, n = 1 + i / DEVICES;
        fprintf(file, "traddr=10.%u.0.%u,trsvcid=%d\n", 192 + device, n, NVME_PORT);
        fclose(file);
        char path[64];
        snprintf(path, sizeof(path), "sys/class/nvme/nvme%u/transport", i);
        put_text(path, "rdma\n");
        snprintf(path, sizeof(path), "sys/class/nvme/nvme%u/state", i);
        put_text(path, "live\n");
        snprintf(path, sizeof(path), "sys/class/nvme/nvme%u/subsysnqn", i);
        put_text(path, "nqn.2026-11.test:disk\n");
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: users DIR\n");
        return 2;
    }
    top = argv[1];
    FILE *file = create("netlink/nldev-devices");
    for (uint32_t i = 0; i < DEVICES; i++) {
        char name[16];
        snprintf(name, sizeof(name), "mlx5_%u", i);
        start(RDMA_NLDEV_CMD_GET);
        number(RDMA_NLDEV_ATTR_DEV_INDEX, i);
        text(RDMA_NLDEV_ATTR_DEV_NAME, name);
        number(RDMA_NLDEV_ATTR_PORT_INDEX, 1);
        finish(file);
    }
    done(file);
    for (uint32_t i = 0; i < DEVICES; i++) {
        device(i);
        resources(i);
    }
    processes();
    controllers();
    put_text("proc/fs/nfsd/portlist", "rdma 20049\n");
    put_text("proc/fs/nfsd/threads", "64\n");
    printf("%d %d %d\n", CLIENTS + CONTROLLERS * QUEUES + PROCESSES * QUEUES, PROCESSES, CONTROLLERS);
    return 0;
}
