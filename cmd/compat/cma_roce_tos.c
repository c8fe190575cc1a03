/* SPDX-License-Identifier: MIT */
/* cma_roce_tos of mlnx-tools: RDMA_CM's default TOS byte for one port. */
#include "cma.h"
#include "source/files/files.h"

static const char *text(const struct host *host, const struct port *port)
{
    return port->cm_tos.known ? arena_printf(host->arena, "%" PRIu64, port->cm_tos.value) : NULL;
}

static int set(struct source *source, const struct port *port, long value)
{
    if (value < 0)
        return 0;
    if (value > UINT8_MAX)
        return -ERANGE;
    int r = configfs_set_tos(source, port->device->name, port->number, (uint8_t)value);
    return r < 0 ? r : 1;
}

COMMAND(cma_roce_tos)
{
    static const struct cma_tool tool = {
        .letter = 't',
        .help = "Set/Show RoCE default ToS of RDMA_CM applications\n\n"
                "Usage:\n"
                "\tcma_roce_tos OPTIONS\n"
                "Options:\n"
                "\t-h              show this help\n"
                "\t-d <dev>        use IB device <dev> (default mlx5_0)\n"
                "\t-p <port>       use port <port> of IB device (default 1)\n"
                "\t-t <tos>        set ToS of RoCE RDMA_CM applications (0)",
        .set = set,
        .text = text,
    };
    return cma_run(context, &tool);
}
