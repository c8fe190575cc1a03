/* SPDX-License-Identifier: MIT */
/*
 * queues DEVICE GID-INDEX COUNT init|rtr|err: holds so many RC queue pairs in that state, and says "ready";
 * until it is ended. As a job looks whose peer went away while they connected, or whose connections have
 * broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static struct ibv_context *open_device(const char *name)
{
    int count;
    struct ibv_device **list = ibv_get_device_list(&count);
    for (int i = 0; list && i < count; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            return ibv_open_device(list[i]);
    return NULL;
}

static int to_init(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/* It is its own peer. */
static int to_rtr(struct ibv_qp *qp, int index, const union ibv_gid *gid)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR,
                                .path_mtu = IBV_MTU_1024,
                                .dest_qp_num = qp->qp_num,
                                .max_dest_rd_atomic = 1,
                                .min_rnr_timer = 12,
                                .ah_attr = { .is_global = 1, .port_num = 1 } };
    attr.ah_attr.grh.dgid = *gid;
    attr.ah_attr.grh.sgid_index = (uint8_t)index;
    attr.ah_attr.grh.hop_limit = 64;
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

static int to_error(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
    return ibv_modify_qp(qp, &attr, IBV_QP_STATE);
}

int main(int argc, char **argv)
{
    union ibv_gid gid;
    struct ibv_context *context = argc == 5 ? open_device(argv[1]) : NULL;
    int index = context ? atoi(argv[2]) : 0;
    struct ibv_pd *pd = context ? ibv_alloc_pd(context) : NULL;
    struct ibv_cq *cq = pd ? ibv_create_cq(context, 16, NULL, NULL, 0) : NULL;
    struct ibv_qp_init_attr init = {
        .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .cap = { 1, 1, 1, 1, 0 }
    };
    if (!cq || ibv_query_gid(context, 1, index, &gid))
        return 2;
    for (int i = 0; i < atoi(argv[3]); i++) {
        struct ibv_qp *qp = ibv_create_qp(pd, &init);
        if (!qp || to_init(qp) || (strcmp(argv[4], "rtr") == 0 && to_rtr(qp, index, &gid)) ||
            (strcmp(argv[4], "err") == 0 && to_error(qp)))
            return 1;
    }
    puts("ready");
    fflush(stdout);
    pause();
    return 0;
}
