/* SPDX-License-Identifier: MIT */
/* Lines of the kernel's log that tell of trouble with an RDMA device. Each was met in the drivers' sources or
 * in reports of users; the words are what stays the same in them. */
#include <string.h>

#include "base/base.h"
#include "model/system.h"

static const struct log_pattern patterns[] = {
    { { "insufficient power on the PCIe slot", NULL }, "the slot gives the card too little power", false },
    { { "Port module event", "High Temperature" }, "the module is too hot", false },
    { { "Port module event", "Cable error" }, "the cable or module failed", false },
    { { "mlx5_cmd_out_err", "failed" }, "the firmware refused a command", true },
    { { "mlx5_core", "timeout. Will cause a leak" }, "the firmware did not answer in time", false },
    { { "mlx5_core", "health compromised" }, "the firmware reports that it is unhealthy", false },
    { { "bnxt_en", "Chip temperature has gone above" }, "the NIC's chip is too hot", false },
    { { "bnxt_en", "hwrm req_type" }, "the firmware refused a command", true },
    { { "bnxt_en", "Error (timeout" }, "the firmware did not answer in time", false },
    { { "ice", "Firmware recovery mode detected" }, "the firmware runs only in recovery mode", false },
    { { "infiniband", "Couldn't" }, "the RDMA core hit an error", true },
    { { "AER:", "Uncorrected" }, "a PCIe transfer failed and was not recovered", false },
    { { "AER:", "Uncorrectable" }, "a PCIe transfer failed and was not recovered", false },
    { { "available PCIe bandwidth", "limited by" }, "the PCIe link runs below what the card can do", true },
};

const struct log_pattern *kernel_log_pattern(const char *line)
{
    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
        const char *first = strstr(line, patterns[i].words[0]);
        if (first && (!patterns[i].words[1] || strstr(first, patterns[i].words[1])))
            return &patterns[i];
    }
    return NULL;
}
