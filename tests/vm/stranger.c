/* SPDX-License-Identifier: MIT */
/*
 * What `roce serve` and `roce ping` have to stand. stranger SERVER PORT reflect VICTIM COUNT: so many
 * connections that ask the server to test a GID of somebody else (VICTIM, an IPv4 address): all the probes that
 * a session may have, and the last one also a guessed nonce and tests without a proof. Prints "COUNT
 * connections, SENT bytes said". stranger SERVER PORT crowd DEVICE INDEX: 16 clients until it is killed, each
 * again and again: a third of them idle, a third in a latency test that never starts, a third asking for
 * counters. stranger SERVER PORT chatter DEVICE INDEX: three that never stop talking: queue pairs opened again
 * and again, tests of nothing, and, as the server refuses others once it had them, refused tries last. stranger
 * ADDRESS PORT lie TEXT ERRNO: a server that listens there and fails at once, with this text and number.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/verbs.h>

enum {
    HELLO = 1,
    OFFER,
    PROBE,
    PROBED,
    NONCE,
    PROVEN,
    OPEN,
    OPENED,
    KEYS,
    TRIAL,
    READY,
    FINISH,
    OUTCOME,
    COUNTERS,
    FAILURE
};
enum behaviour { IDLE, LATENCY, ASKING, PROBES, OPENS, TRIALS };
static const char *const names[] = { "idle", "latency", "counters", "probes", "opens", "trials" };
enum {
    HEADER = 12,
    BODY = 32768,
    NONCE_SIZE = 16,
    GRH = 40,
    QKEY = 0x11111111,
    CROWD = 16,
    PATIENCE_S = 10,
    QUEUES = 19
};

struct message {
    uint8_t bytes[HEADER + BODY];
    size_t len;
};

static struct sockaddr_in server;
static uint64_t said;

static void number(struct message *m, uint64_t value, unsigned size)
{
    while (size--)
        m->bytes[m->len++] = (uint8_t)(value >> (8 * size));
}

static void raw(struct message *m, const void *data, size_t len)
{
    memcpy(m->bytes + m->len, data, len);
    m->len += len;
}

static void begin(struct message *m, unsigned type)
{
    m->len = 0;
    raw(m, "RoCE", 4);
    number(m, 3, 2);
    number(m, type, 2);
    number(m, 0, 4);
}

static bool say(int fd, struct message *m)
{
    uint32_t len = htonl((uint32_t)(m->len - HEADER));
    memcpy(m->bytes + 8, &len, sizeof(len));
    said += m->len;
    return send(fd, m->bytes, m->len, MSG_NOSIGNAL) == (ssize_t)m->len;
}

/* The next message's type; 0: there is none. m: its body, from the start. */
static unsigned hear(int fd, struct message *m)
{
    uint32_t len;
    if (recv(fd, m->bytes, HEADER, MSG_WAITALL) != HEADER)
        return 0;
    unsigned type = m->bytes[6] << 8 | m->bytes[7];
    memcpy(&len, m->bytes + 8, sizeof(len));
    m->len = ntohl(len);
    if (m->len > BODY || (m->len && recv(fd, m->bytes, m->len, MSG_WAITALL) != (ssize_t)m->len))
        return 0;
    return type;
}

/* Connected, greeted and answered; -1: turned away. */
static int greet(void)
{
    struct timeval patience = { .tv_sec = PATIENCE_S };
    struct message m;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    begin(&m, HELLO);
    raw(&m, "\1x\1y", 4);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
        connect(fd, (const struct sockaddr *)&server, sizeof(server)) == 0 && say(fd, &m) &&
        hear(fd, &m) == OFFER)
        return fd;
    close(fd);
    return -1;
}

static void probe(struct message *m, const uint8_t gid[16], uint32_t qpn)
{
    begin(m, PROBE);
    number(m, 0, 4);
    raw(m, gid, 16);
    number(m, 2, 1); /* RoCE v2 */
    number(m, 0, 1);
    number(m, 64, 1);
    number(m, 2, 1); /* UD */
    number(m, qpn, 4);
    number(m, 0, 4);
    number(m, QKEY, 4);
}

static void open_queues(struct message *m, const uint8_t gid[16])
{
    begin(m, OPEN);
    number(m, 0, 4);
    raw(m, gid, 16);
    number(m, 2, 1);
    number(m, 1024, 4);
    number(m, 0, 1);
    number(m, 64, 1);
    number(m, 1, 1);
    number(m, 0, 1);
    number(m, 600000, 4);
    number(m, 0x10000, 8);
    number(m, 0x20000, 8);
    number(m, 1, 4);
    number(m, 65536, 4);
    number(m, QUEUES, 4);
    for (unsigned i = 0; i < QUEUES; i++) {
        number(m, i < 4 ? i : 0, 1);
        number(m, i == 0 || i > 3 ? 17 + i : 0, 4); /* of RC, all there are */
        number(m, 0, 4);
        number(m, 0, 4);
    }
}

/* Of RC: the latency of writes, or a read that is verified. */
static void trial(struct message *m, bool latency)
{
    begin(m, TRIAL);
    raw(m, latency ? "\1\1\0\0\1" : "\0\3\0\0\1", 5);
    number(m, 8, 4);
    number(m, latency ? 1000 : 1, 4);
    number(m, 1, 4);
    number(m, 600000, 4);
}

static int reflect(const char *victim, unsigned count)
{
    uint8_t gid[16] = { [10] = 0xff, 0xff };
    struct message m;
    if (inet_pton(AF_INET, victim, gid + 12) != 1)
        return 2;
    for (unsigned i = 0; i < count; i++) {
        int fd = greet();
        for (unsigned qpn = 0x11; fd >= 0 && qpn < 0x15; qpn++) {
            probe(&m, gid, qpn);
            if (!say(fd, &m) || hear(fd, &m) != PROBED)
                break;
            begin(&m, READY);
            say(fd, &m);
        }
        if (fd >= 0 && i + 1 < count) { /* no rule is broken yet, so no penalty */
            close(fd);
        } else if (fd >= 0) {
            begin(&m, NONCE);
            raw(&m, "guessed, guessed", NONCE_SIZE);
            say(fd, &m);
            open_queues(&m, gid);
            say(fd, &m);
            trial(&m, true);
            say(fd, &m);
            while (hear(fd, &m))
                ;
            close(fd);
        }
    }
    printf("%u connections, %lu bytes said\n", count, (unsigned long)said);
    return 0;
}

/* ---- a client that is what it says */

static struct {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    union ibv_gid gid;
    uint8_t buffer[4096];
} end;

static bool make_end(const char *device, int index)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    for (; list && *list && !end.context; list++)
        if (strcmp(ibv_get_device_name(*list), device) == 0)
            end.context = ibv_open_device(*list);
    if (!end.context || ibv_query_gid(end.context, 1, index, &end.gid))
        return false;
    end.pd = ibv_alloc_pd(end.context);
    end.mr = ibv_reg_mr(end.pd, end.buffer, sizeof(end.buffer), IBV_ACCESS_LOCAL_WRITE);
    end.cq = ibv_create_cq(end.context, 16, NULL, NULL, 0);
    struct ibv_qp_init_attr init = {
        .send_cq = end.cq, .recv_cq = end.cq, .qp_type = IBV_QPT_UD, .cap = { 1, 16, 1, 1, 0 }
    };
    end.qp = end.cq ? ibv_create_qp(end.pd, &init) : NULL;
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY };
    if (!end.qp || ibv_modify_qp(end.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY))
        return false;
    attr.qp_state = IBV_QPS_RTR;
    return ibv_modify_qp(end.qp, &attr, IBV_QP_STATE) == 0;
}

static bool take_nonce(uint8_t nonce[NONCE_SIZE])
{
    struct ibv_wc wc;
    for (unsigned i = 0; i < PATIENCE_S * 100; i++) {
        if (ibv_poll_cq(end.cq, 1, &wc) > 0) {
            memcpy(nonce, end.buffer + GRH, NONCE_SIZE);
            return wc.status == IBV_WC_SUCCESS;
        }
        usleep(10000);
    }
    return false;
}

/* Proven, and with queue pairs there. */
static bool become_client(int fd)
{
    struct ibv_sge place = { (uintptr_t)end.buffer, GRH + NONCE_SIZE, end.mr->lkey };
    struct ibv_recv_wr wr = { .sg_list = &place, .num_sge = 1 }, *bad;
    uint8_t nonce[NONCE_SIZE];
    struct message m;
    probe(&m, end.gid.raw, end.qp->qp_num);
    if (ibv_post_recv(end.qp, &wr, &bad) || !say(fd, &m) || hear(fd, &m) != PROBED)
        return false;
    begin(&m, READY);
    if (!say(fd, &m) || !take_nonce(nonce))
        return false;
    begin(&m, NONCE);
    raw(&m, nonce, sizeof(nonce));
    if (!say(fd, &m) || hear(fd, &m) != PROVEN)
        return false;
    open_queues(&m, end.gid.raw);
    return say(fd, &m) && hear(fd, &m) == OPENED;
}

/* Asks once; did the server answer as it does until it has had enough? */
static bool ask(int fd, enum behaviour what)
{
    struct message m;
    if (what == PROBES) {
        probe(&m, end.gid.raw, 1);
        m.bytes[HEADER + 20] = 1; /* a GID of RoCE v1, which this one isn't */
        return say(fd, &m) && hear(fd, &m) == FAILURE;
    }
    if (what == OPENS) {
        open_queues(&m, end.gid.raw);
        return say(fd, &m) && hear(fd, &m) == OPENED;
    }
    if (what == TRIALS) {
        trial(&m, false);
        if (!say(fd, &m) || hear(fd, &m) != READY)
            return false;
        begin(&m, FINISH);
        return say(fd, &m) && hear(fd, &m) == OUTCOME;
    }
    begin(&m, COUNTERS);
    return what == ASKING && say(fd, &m) && hear(fd, &m) == COUNTERS;
}

/* As long as the server has it. */
static void behave(int fd, enum behaviour what, bool *told, int teller)
{
    struct message m;
    if (what != IDLE && what != PROBES && !become_client(fd))
        return;
    if (!*told) {
        puts(names[what]);
        fflush(stdout);
        *told = write(teller, "", 1) == 1;
    }
    if (what == LATENCY) {
        trial(&m, true);
        say(fd, &m);
    }
    while (ask(fd, what))
        ;
    while (what < ASKING && hear(fd, &m))
        ;
}

/* So many, of three kinds. */
static int crowd(const char *device, int index, unsigned count, enum behaviour first)
{
    int others[2]; /* a byte of each that was heard */
    if (pipe(others)) {
        perror("stranger: pipe");
        return 1;
    }
    for (unsigned i = 0; i < count; i++) {
        if (fork())
            continue;
        bool told = false;
        enum behaviour what = first + i % 3;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (unsigned k = 1; what == PROBES && k < count; k++)
            if (read(others[0], &(char){ 0 }, 1) != 1)
                return 1;
        if (!make_end(device, index)) {
            perror("stranger: device");
            return 1;
        }
        for (;; usleep(100000)) {
            int fd = greet();
            if (fd >= 0) {
                behave(fd, what, &told, others[1]);
                close(fd);
            }
        }
    }
    pause();
    return 0;
}

static int lie(const char *text, unsigned err)
{
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct message m;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
        bind(listener, (const struct sockaddr *)&server, sizeof(server)) || listen(listener, 8)) {
        perror("stranger: listen");
        return 1;
    }
    puts("lying");
    fflush(stdout);
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0; close(fd)) {
        hear(fd, &m);
        begin(&m, FAILURE);
        number(&m, 5, 2); /* STEP_REGISTER */
        number(&m, err, 2);
        number(&m, 0, 2);
        number(&m, 0, 4);
        number(&m, strlen(text), 1);
        raw(&m, text, strlen(text));
        say(fd, &m);
    }
    return 1;
}

int main(int argc, char **argv)
{
    server = (struct sockaddr_in){ .sin_family = AF_INET };
    if (argc != 6 || inet_pton(AF_INET, argv[1], &server.sin_addr) != 1) {
        fprintf(stderr, "usage: stranger SERVER PORT reflect VICTIM COUNT\n"
                        "       stranger SERVER PORT crowd|chatter DEVICE INDEX\n"
                        "       stranger ADDRESS PORT lie TEXT ERRNO\n");
        return 2;
    }
    server.sin_port = htons((uint16_t)strtoul(argv[2], NULL, 10));
    if (strcmp(argv[3], "crowd") == 0)
        return crowd(argv[4], (int)strtol(argv[5], NULL, 10), CROWD, IDLE);
    if (strcmp(argv[3], "chatter") == 0)
        return crowd(argv[4], (int)strtol(argv[5], NULL, 10), 3, PROBES);
    if (strcmp(argv[3], "lie") == 0)
        return lie(argv[4], (unsigned)strtoul(argv[5], NULL, 10));
    return reflect(argv[4], (unsigned)strtoul(argv[5], NULL, 10));
}
