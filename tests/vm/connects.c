/* SPDX-License-Identifier: MIT */
/*
 * connects ADDRESS COUNT: so many connections by RDMA_CM, one after another, to itself at ADDRESS; prints how
 * many microseconds one took, from its id to its end.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <rdma/rdma_cma.h>

static struct rdma_cm_id *end_at(const char *address, int flags)
{
    struct rdma_addrinfo hints = { .ai_flags = flags, .ai_port_space = RDMA_PS_TCP }, *found;
    struct ibv_qp_init_attr attr = { .cap = { 1, 1, 1, 1, 0 }, .qp_type = IBV_QPT_RC };
    struct rdma_cm_id *id = NULL;
    if (rdma_getaddrinfo(address, "7777", &hints, &found))
        return NULL;
    if (rdma_create_ep(&id, found, NULL, &attr))
        id = NULL;
    rdma_freeaddrinfo(found);
    return id;
}

static void *serve(void *data)
{
    struct rdma_cm_id *listener = data, *id;
    while (rdma_get_request(listener, &id) == 0) {
        if (rdma_accept(id, NULL) == 0)
            rdma_disconnect(id);
        rdma_destroy_ep(id);
    }
    return NULL;
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
    struct rdma_cm_id *listener = argc == 3 ? end_at(argv[1], RAI_PASSIVE) : NULL;
    int count = listener ? atoi(argv[2]) : 0;
    pthread_t thread;
    if (!count || rdma_listen(listener, 64) || pthread_create(&thread, NULL, serve, listener))
        return 2;
    double begin = now_us();
    for (int i = 0; i < count; i++) {
        struct rdma_cm_id *id = end_at(argv[1], 0);
        if (!id || rdma_connect(id, NULL))
            return 1;
        rdma_disconnect(id);
        rdma_destroy_ep(id);
    }
    printf("%.0f\n", (now_us() - begin) / count);
    fflush(stdout);
    _Exit(0);
}
