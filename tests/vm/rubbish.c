/* SPDX-License-Identifier: MIT */
/*
 * rubbish ADDRESS PORT COUNT [SOURCE]: so many connections to `roce serve`, each with nonsense of another
 * kind: nothing at all, random bytes, another protocol, another version, half a header, a length beyond all
 * limits, a greeting and then nonsense. What it must refuse at once it has to: the next byte from there is
 * its end. Prints "COUNT connections, REFUSED refused". SOURCE: the first comes from there, each other from
 * the next address. rubbish ADDRESS PORT hold COUNT: so many clients that greet, get their answer ("held" is
 * printed when all have) and then are silent until standard input ends.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* AT_A_TIME: fewer than the server keeps of those that say nothing, or it would end others for them. */
enum { OPEN_MOST = 200, AT_A_TIME = 32, PATIENCE_S = 20 };

#define HELLO "RoCE\0\3\0\1\0\0\0\4\1x\1y"

/* closes: the server has to hang up on its own. */
static const struct {
    const char *bytes;
    size_t len;
    bool closes;
} kinds[] = {
    { "", 0, false },
    { NULL, 64, true },
    { "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27, true },
    { "RoCE\0\7\0\1\0\0\0\4", 12, true },
    { "RoCE\0\3", 6, false },
    { "RoCE\0\3\0\3\0\0\0\0", 12, true },
    { "RoCE\0\3\0\1\xff\xff\xff\xff", 12, true },
    { "RoCE\0\3\0\1\0\0\0\4\xff\xff\xff\xff", 16, true },
    { "RoCE\0\3\0\1\0\0\0\4\1x", 14, false },
};
static const char greeting_then_nonsense[] = HELLO "GET / HTTP/1.1\r\n\r\n";

static uint32_t source; /* host order; 0: what routing chooses */

static int call(const struct sockaddr_in *address)
{
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(source) };
    struct linger at_once = { .l_onoff = 1 }; /* closing is one packet */
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    alarm(PATIENCE_S); /* the end, unless the next connection comes before */
    source += source != 0;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) < 0 ||
        bind(fd, (const struct sockaddr *)&from, sizeof(from)) < 0 ||
        connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0) {
        perror("rubbish: connect");
        exit(1);
    }
    return fd;
}

static uint32_t random_next(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}

/* Has the server ended the connection, after whatever it had to say? */
static bool hung_up(int fd)
{
    char answer[4096];
    ssize_t n;
    while ((n = recv(fd, answer, sizeof(answer), 0)) > 0)
        ;
    return n == 0 || errno == ECONNRESET;
}

static void send_kind(int fd, unsigned kind, uint32_t *state)
{
    uint8_t noise[64];
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (uint8_t)(random_next(state) >> 24);
    /* what the server hasn't taken when it hangs up is no error of ours */
    (void)!send(fd, kinds[kind].bytes ? kinds[kind].bytes : (const char *)noise, kinds[kind].len, MSG_NOSIGNAL);
}

/* What has been thrown so far. */
struct heap {
    int silent[OPEN_MOST], loud[AT_A_TIME]; /* connections; loud: that the server has to end */
    unsigned nsilent, nloud, due, refused;
    uint32_t noise;
};

/* Connection number i. Silent ones stay for a while. */
static void throw_one(struct heap *heap, const struct sockaddr_in *address, unsigned i)
{
    bool greets = i % 100 == 99;
    unsigned kind = i % (sizeof(kinds) / sizeof(kinds[0]));
    int fd = call(address);
    if (greets)
        (void)!send(fd, greeting_then_nonsense, sizeof(greeting_then_nonsense) - 1, MSG_NOSIGNAL);
    else
        send_kind(fd, kind, &heap->noise);
    if (greets || kinds[kind].closes) {
        heap->loud[heap->nloud++] = fd;
        return;
    }
    int *oldest = &heap->silent[heap->nsilent++ % OPEN_MOST];
    if (*oldest >= 0)
        close(*oldest);
    *oldest = fd;
}

static void see_refused(struct heap *heap)
{
    for (unsigned i = 0; i < heap->nloud; i++) {
        heap->refused += hung_up(heap->loud[i]);
        close(heap->loud[i]);
    }
    heap->due += heap->nloud;
    heap->nloud = 0;
}

static int throw_rubbish(const struct sockaddr_in *address, unsigned count)
{
    struct heap heap = { .noise = 1 };
    memset(heap.silent, -1, sizeof(heap.silent));
    for (unsigned i = 0; i < count; i++) {
        throw_one(&heap, address, i);
        if (heap.nloud == AT_A_TIME)
            see_refused(&heap);
    }
    see_refused(&heap);
    printf("%u connections, %u of %u refused\n", count, heap.refused, heap.due);
    return heap.refused == heap.due ? 0 : 1;
}

static int hold(const struct sockaddr_in *address, unsigned count)
{
    char answer[12];
    for (unsigned i = 0; i < count; i++) {
        int fd = call(address); /* open until the end of the process */
        if (send(fd, HELLO, sizeof(HELLO) - 1, MSG_NOSIGNAL) < 0 ||
            recv(fd, answer, sizeof(answer), MSG_WAITALL) != (ssize_t)sizeof(answer)) {
            perror("rubbish: hold");
            return 1;
        }
    }
    alarm(0);
    puts("held");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    struct in_addr first = { 0 };
    bool holds = argc == 5 && strcmp(argv[3], "hold") == 0;
    if ((argc != 4 && argc != 5) || (argc == 5 && !holds && inet_pton(AF_INET, argv[4], &first) != 1) ||
        inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) {
        fprintf(stderr, "usage: rubbish ADDRESS PORT COUNT [SOURCE]\n       rubbish ADDRESS PORT hold COUNT\n");
        return 2;
    }
    address.sin_port = htons((uint16_t)strtoul(argv[2], NULL, 10));
    source = ntohl(first.s_addr);
    unsigned count = (unsigned)strtoul(argv[holds ? 4 : 3], NULL, 10);
    return holds ? hold(&address, count) : throw_rubbish(&address, count);
}
