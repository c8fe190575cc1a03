/* SPDX-License-Identifier: MIT */
/* service_level FROM TO TOS…: the service level that RDMA_CM computes for a connection between two IPv4
 * addresses with each TOS byte, a line each: "TOS SL". */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include <rdma/rdma_cma.h>

enum { PATIENCE_MS = 5000 };

/* -1: no way there. */
static int service_level(struct sockaddr_in *from, struct sockaddr_in *to, uint8_t tos)
{
    struct rdma_cm_id *id; /* without a channel, so that each call waits for its event */
    int sl = -1;
    if (rdma_create_id(NULL, &id, NULL, RDMA_PS_TCP))
        return -1;
    if (rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, sizeof(tos)) == 0 &&
        rdma_resolve_addr(id, (struct sockaddr *)from, (struct sockaddr *)to, PATIENCE_MS) == 0 &&
        rdma_resolve_route(id, PATIENCE_MS) == 0 && id->route.num_paths > 0)
        sl = id->route.path_rec->sl;
    rdma_destroy_id(id);
    return sl;
}

int main(int argc, char **argv)
{
    struct sockaddr_in from = { .sin_family = AF_INET },
                       to = { .sin_family = AF_INET, .sin_port = htons(4711) };
    if (argc < 4 || inet_pton(AF_INET, argv[1], &from.sin_addr) != 1 ||
        inet_pton(AF_INET, argv[2], &to.sin_addr) != 1) {
        fprintf(stderr, "usage: service_level FROM TO TOS...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        int sl = service_level(&from, &to, (uint8_t)strtoul(argv[i], NULL, 0));
        if (sl < 0) {
            perror("service_level");
            return 1;
        }
        printf("%s %d\n", argv[i], sl);
    }
    return 0;
}
