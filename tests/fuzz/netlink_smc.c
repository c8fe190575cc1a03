/* SPDX-License-Identifier: MIT */
/* What SMC and smc_diag answer, and the services made of it. */
#include "netlink.h"

#include "model/services.h"
#include "source/netlink/smc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct smc smc = { .sockets_known = size & 1 };
    struct services services = { 0 };
    smc_parse_links(input.bytes, input.len, input.arena, &smc);
    smc_parse_devices(input.bytes, input.len, input.arena, &smc);
    smc_parse_statistics(input.bytes, input.len, &smc);
    smc_parse_fallbacks(input.bytes, input.len, input.arena, &smc);
    smc_parse_sockets(input.bytes, input.len, input.arena, &smc);
    smc_add_services(&smc, input.arena, &services);
    for (size_t i = 0; i < services.count; i++)
        if (services.items[i].kind != SERVICE_SMC ||
            (services.items[i].reason_code.known && !services.items[i].reason))
            abort();
    input_end(&input);
    return 0;
}
