/* SPDX-License-Identifier: MIT */
/* RoCE v2's UDP port: who else might get it. */
#include "check/judge.h"

enum { ROCE_PORT = 4791 };

/* "4791,8080-8090" */
static bool port_listed(const char *list, unsigned port)
{
    const char *item;
    for (size_t len; (item = text_next_item(&list, ',', &len));) {
        unsigned first, last;
        int n = sscanf(item, "%u-%u", &first, &last);
        if (n >= 1 && port >= first && port <= (n == 2 ? last : first))
            return true;
    }
    return false;
}

JUDGE(udp_port_4791)
{
    unsigned first, last;
    bool roce = false;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        roce |= port_is_roce(port);
    if (!roce)
        return judge_na(j, "no RoCE port");
    const char *range = system_sysctl(s->system, "net/ipv4/ip_local_port_range");
    if (!range || sscanf(range, "%u %u", &first, &last) != 2)
        return judge_unknown(j, "/proc/sys/net/ipv4/ip_local_port_range could not be read");
    const char *reserved = system_sysctl(s->system, "net/ipv4/ip_local_reserved_ports");
    if (first > ROCE_PORT || last < ROCE_PORT)
        return judge_pass(j, "net.ipv4.ip_local_port_range: %u to %u, without 4791", first, last);
    if (port_listed(reserved, ROCE_PORT))
        return judge_pass(j, "net.ipv4.ip_local_reserved_ports: %s", reserved);
    fix_sysctl(j, "net.ipv4.ip_local_reserved_ports",
               reserved && *reserved ? arena_printf(j->arena, "%s,4791", reserved) : "4791");
    return judge_warn(j, "net.ipv4.ip_local_port_range: %u to %u, and 4791 is not reserved", first, last);
}
