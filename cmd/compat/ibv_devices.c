/* SPDX-License-Identifier: MIT */
/* ibv_devices of rdma-core 44. */
#include "command/context.h"
#include "view/dropin.h"

COMMAND(ibv_devices)
{
    const struct host *host = context->host;
    if (host->system.verbs_err) {
        say_raw("Failed to get IB devices list: %s\n", strerror(host->system.verbs_err));
        return 1;
    }
    printf("    %-16s\t   node GUID\n", "device");
    printf("    %-16s\t----------------\n", "------");
    for (const struct device **devices = dropin_verbs_devices(host); *devices; devices++)
        printf("    %-16s\t%016" PRIx64 "\n", dropin_text(host, (*devices)->name),
               (*devices)->node_guid.known ? (*devices)->node_guid.value : 0);
    return 0;
}
