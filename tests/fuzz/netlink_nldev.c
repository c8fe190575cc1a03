/* SPDX-License-Identifier: MIT */
/* What the RDMA subsystem answers: any bytes for each of its parsers. */
#include "netlink.h"

#include "source/netlink/nldev.h"
#include "source/netlink/notices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct nldev_device *devices = NULL;
    struct nldev_port *ports = NULL;
    struct nldev_notice *notices = NULL;
    struct nldev_system system;
    struct nldev_chardev chardev;
    size_t ndevices = 0, nports = 0, nnotices = 0;
    nldev_parse_devices(input.bytes, input.len, input.arena, &devices, &ndevices);
    nldev_parse_ports(input.bytes, input.len, input.arena, &ports, &nports);
    nldev_parse_notices(input.bytes, input.len, input.arena, &notices, &nnotices);
    nldev_parse_system(input.bytes, input.len, &system);
    nldev_parse_chardev(input.bytes, input.len, input.arena, &chardev);
    for (size_t i = 0; i < ndevices; i++)
        if (!devices[i].name || !devices[i].index.known)
            abort();
    input_end(&input);
    return 0;
}
