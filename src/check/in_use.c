/* SPDX-License-Identifier: MIT */
/* Ports that nobody uses: one remark for each, and no other finding. */
#include "check/judge.h"
#include "check/rail.h"
#include "check/use.h"

JUDGE(port_in_use)
{
    struct port_use use = port_use(s->host, s->port, j->arena);
    if (use.use == USE_HERE && use.unsure && !s->named)
        return judge_unknown(j, "%s", use.reason);
    if (use.use == USE_HERE)
        return judge_pass(j, "%s", use.reason);
    if (s->named)
        return judge_pass(j, "you named it (%s)", use.reason);
    if (!device_is_given(s->host, s->device)) {
        judge_advice(j, "nothing, if it is for others; else ask for it where the container is described");
        return judge_info(j, "it was not given to this container");
    }
    if (!host_uses_rdma(s->host, j->arena))
        return judge_na(j, "%s, and no other port is used: all are judged", use.reason);
    /* a spare one has no gap left for it, and what pods and guests take needs no address here */
    bool bare = use.use == USE_NONE && port_is_active(s->port) && s->netdev &&
                netdev_frames(s->host, s->netdev, NULL) == FRAMES_KEPT;
    const char *gap = bare && !host_serves_others(s->host, j->arena) ? rail_planned_address(s, j->arena) : NULL;
    if (gap && !system_is_container(s->system))
        judge_command(j, "ip address add {ADDRESS/PREFIX} dev {netdev}");
    return judge_as(j, gap ? VERDICT_WARN : VERDICT_INFO, "%s%s%s%s%s", use.reason,
                    s->port->state_text ? "; " : "", s->port->state_text ? s->port->state_text : "",
                    gap ? "; by the plan of the others like it: " : "", gap ? gap : "");
}
