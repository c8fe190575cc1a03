/* SPDX-License-Identifier: MIT */
/* devlink: which netdev is a port of which device, the device's parameters and its health reporters. */
#include <linux/devlink.h>
#include <linux/genetlink.h>

#include "source/netlink/parsers.h"

/* Parameter types are the kernel's NLA_* numbers (include/net/netlink.h). */
enum { VALUE_U8 = 1, VALUE_U16, VALUE_U32, VALUE_U64, VALUE_STRING, VALUE_FLAG };

/* The device that a message is about: "pci/0000:17:00.0"; NULL if it names none. */
static const char *device_of(const struct reading *reading)
{
    struct arena *arena = reading->arena;
    const char *bus = attr_text(attr_find(reading->all, DEVLINK_ATTR_BUS_NAME), arena);
    const char *name = attr_text(attr_find(reading->all, DEVLINK_ATTR_DEV_NAME), arena);
    return bus && name ? arena_printf(arena, "%s/%s", bus, name) : NULL;
}

NETLINK_DEVLINK_DEVICE;

/* -- ports ----------------------------------------------------------------------------------------------- */

NETLINK_DEVLINK_PORTS;

static bool end_port(void *to, struct reading *reading)
{
    return (((struct devlink_port *)to)->device = device_of(reading));
}

const struct answer devlink_ports = {
    .header = GENL_HDRLEN, .table = ports, .end = end_port, EACH(struct devlink, ports, nports)
};

/* -- parameters ------------------------------------------------------------------------------------------ */

static const char *const modes[] = { "runtime", "driverinit", "permanent" };

/* The meaning of DATA depends on the parameter's type; a flag's presence is its value. */
struct value {
    const char *mode;
    const struct nlattr *data;
};
/* All values of one parameter. */
struct parameter {
    const char *name;
    struct num type;
    struct value *values;
    size_t nvalues;
};

static bool take_data(void *to, struct reading *reading)
{
    ((struct value *)to)->data = reading->attr;
    return true;
}

/* A number or one of the driver's words: the type is in another attribute. */
static void put_data(const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    bool is_number = len == 0 || attr_number(attr, 0).known;
    if (keep_value(is_number ? KEEP_NUMBER : KEEP_WORD, 0, data, len, out))
        attributes_end(out, begin);
    else
        out->len = begin;
}

NETLINK_DEVLINK_PARAMETERS;

static void take_value(struct qos_parameter *to, uint64_t type, const struct nlattr *data, struct arena *arena)
{
    struct num number = attr_number(data, 0);
    if (type == VALUE_FLAG) {
        to->is_boolean = true;
        to->boolean = data != NULL;
        to->text = data ? "true" : "false";
    } else if (type == VALUE_STRING) {
        to->text = attr_text(data, arena);
    } else if (number.known) {
        to->text = arena_printf(arena, "%llu", (unsigned long long)number.value);
    }
}

static bool end_parameter(void *to, struct reading *reading)
{
    const struct parameter *found = to;
    struct devlink *devlink = reading->into;
    const char *of = device_of(reading);
    for (size_t i = 0; of && i < found->nvalues; i++) {
        struct qos_parameter *one = ARENA_PUSH(reading->arena, devlink->parameters, devlink->nparameters);
        *one = (struct qos_parameter){ .device = of, .name = found->name, .mode = found->values[i].mode };
        take_value(one, found->type.value, found->values[i].data, reading->arena);
    }
    return false;
}

const struct answer devlink_parameters = {
    .header = GENL_HDRLEN, .table = parameters, .end = end_parameter, .size = sizeof(struct parameter)
};

/* -- health reporters ------------------------------------------------------------------------------------ */

/* enum devlink_health_reporter_state in linux/net/devlink.h */
enum { REPORTER_HEALTHY, REPORTER_ERROR };

static bool take_state(void *to, struct reading *reading)
{
    uint64_t state = attr_value(reading->attr, 1, UINT64_MAX);
    ((struct qos_reporter *)to)->error = state == REPORTER_HEALTHY ? TRI_NO
                                         : state == REPORTER_ERROR ? TRI_YES
                                                                   : TRI_UNKNOWN;
    return true;
}

NETLINK_DEVLINK_HEALTH;

static bool end_reporter(void *to, struct reading *reading)
{
    return (((struct qos_reporter *)to)->device = device_of(reading));
}

const struct answer devlink_health = {
    .header = GENL_HDRLEN, .table = health, .end = end_reporter, EACH(struct devlink, reporters, nreporters)
};
