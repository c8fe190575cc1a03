/* SPDX-License-Identifier: MIT */
/* dcbnl, ethtool, devlink; and following every TOS through what was understood. */
#include "netlink.h"

#include "source/netlink/dcb.h"
#include "source/netlink/devlink.h"
#include "source/netlink/ethtool.h"
#include "source/netlink/module.h"

static void follow(const struct qos *qos)
{
    for (unsigned tos = 0; tos < 256; tos += 8) {
        struct qos_path path = tos & 8 ? qos_follow_sl(qos, tos, tos >> 5) : qos_follow(qos, tos, NULL);
        if (path.priority >= PRIORITIES)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct qos qos = { .netdev = "dcb0" };
    struct devlink_port *ports = NULL;
    size_t nports = 0, len = 0;
    uint8_t piece[32];
    if (dcb_parse_ieee(input.bytes, input.len, input.arena, &qos.dcb) == 0)
        follow(&qos);
    ethtool_parse_pause(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_linkmodes(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_linkstate(input.bytes, input.len, &qos.ethtool);
    ethtool_parse_fec(input.bytes, input.len, input.arena, &qos.ethtool);
    ethtool_parse_statistics(input.bytes, input.len, input.arena, &qos.statistics, &qos.nstatistics);
    ethtool_parse_fecparam(input.bytes, input.len, input.arena, &qos.ethtool);
    devlink_parse_ports(input.bytes, input.len, input.arena, &ports, &nports);
    devlink_parse_parameters(input.bytes, input.len, input.arena, &qos.parameters, &qos.nparameters);
    devlink_parse_health(input.bytes, input.len, input.arena, &qos.reporters, &qos.nreporters);
    if (module_parse(input.bytes, input.len, piece, sizeof(piece), &len) == 0)
        for (enum module_part part = 0; part < MODULE_PARTS; part++)
            module_take(&qos.module, part, piece, len);
    input_end(&input);
    return 0;
}
