/* SPDX-License-Identifier: MIT */
/* RDMA_CM's default RoCE version. */
#include "base/say.h"
#include "check/judge.h"

static bool has_v2(const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].type == GID_TYPE_ROCE_V2)
            return true;
    return false;
}

static enum verdict judge_cm_mode(const struct subject *s, struct judgement *j)
{
    const struct port *port = s->port;
    if (!port_is_roce(port) || !port_carries_traffic(s) || !port->ngids)
        return judge_na(j, "not a RoCE port with GIDs");
    if (!port->cm_mode.known)
        return judge_unknown(j, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s", port->device->name,
                             port->number, port->cm_err ? say_errno(port->cm_err) : "not read");
    const char *mode = gid_type_text((enum gid_type)port->cm_mode.value);
    const char *evidence = arena_printf(j->arena, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s",
                                        port->device->name, port->number, mode ? mode : "?");
    if (num_is(port->cm_mode, GID_TYPE_ROCE_V2) || !has_v2(port))
        return judge_pass(j, "%s", evidence);
    judge_fix(
        j,
        "roce mode set %s/%u v2 # on server and client alike; it lasts until the module is unloaded: repeat it at boot",
        port->device->name, port->number);
    return judge_warn(j, "%s, although the port has RoCE v2 GIDs", evidence);
}

static enum verdict judge_cm_mode_equal(const struct subject *s, struct judgement *j)
{
    const struct port *first = NULL;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (!port_is_roce(port) || !port->cm_mode.known)
            continue;
        if (!first)
            first = port;
        else if (first->cm_mode.value != port->cm_mode.value)
            return judge_warn(j, "default_roce_mode: %s/%u has %s, %s/%u has %s", first->device->name,
                              first->number, gid_type_text((enum gid_type)first->cm_mode.value),
                              port->device->name, port->number,
                              gid_type_text((enum gid_type)port->cm_mode.value));
    }
    return first ? judge_pass(j, "default_roce_mode is the same on all ports")
                 : judge_na(j, "no port's default_roce_mode is known");
}

const struct check checks_cm[] = {
    { .id = "cm-roce-mode",
      .topic = "path",
      .healthy = "RDMA_CM chooses RoCE v2",
      .why = "With v1 as the default, RDMA_CM connections don't leave the Ethernet segment: client v1 to server v1 or v2 works, but through no router; client v2 to server v1 never connects; v2 to v2 works.",
      .fix = "roce mode set DEVICE/PORT v2 # on both sides",
      .fires_on = "fault-path",
      .scope = SCOPE_PORT,
      .needs = PORTS | NEED_MODE,
      .judge = judge_cm_mode },
    { .id = "cm-roce-mode-equal",
      .topic = "path",
      .healthy = "RDMA_CM's default is the same on all ports",
      .why = "Which version a connection uses then depends on the port that its address happens to be on; client and server must agree.",
      .fix = "roce mode set DEVICE/PORT v2 # for each port",
      .fires_on = "fault-path",
      .scope = SCOPE_HOST,
      .because = "cm-roce-mode",
      .needs = NEED_MODE | NEED_GIDS,
      .judge = judge_cm_mode_equal },
    { 0 },
};
