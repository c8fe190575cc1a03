/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "base/mem.h"
#include "source/netlink/message.h"

/* VALUE types of parameters are the kernel's NLA_* numbers (include/net/netlink.h). */
enum { VALUE_U8 = 1, VALUE_U16, VALUE_U32, VALUE_U64, VALUE_STRING, VALUE_FLAG };

static bool next(struct messages *messages, struct attrs *attrs, int *result)
{
    struct message message;
    if (!messages_next_answer(messages, &message)) {
        if (messages->broken)
            *result = -EBADMSG;
        return false;
    }
    if (attrs_parse(attrs, message.payload, message.len, GENL_HDRLEN) < 0)
        *result = -EBADMSG;
    return true;
}

static const char *device_of(const struct attrs *attrs, struct arena *arena)
{
    const char *bus = attr_text(attrs->at[DEVLINK_ATTR_BUS_NAME], arena);
    const char *name = attr_text(attrs->at[DEVLINK_ATTR_DEV_NAME], arena);
    return bus && name ? arena_printf(arena, "%s/%s", bus, name) : NULL;
}

int devlink_parse_ports(const void *bytes, size_t len, struct arena *arena, struct devlink_port **ports,
                        size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        struct devlink_port port = { .device = device_of(&attrs, arena),
                                     .ifindex = attr_u32(attrs.at[DEVLINK_ATTR_PORT_NETDEV_IFINDEX]) };
        if (port.device && port.ifindex.known)
            *ARENA_PUSH(arena, *ports, *count) = port;
    }
    return result;
}

static const char *mode_text(const struct nlattr *attr)
{
    static const char *const words[] = { "runtime", "driverinit", "permanent" };
    uint64_t mode;
    return attr_number(attr, &mode) && mode < ARRAY_SIZE(words) ? words[mode] : NULL;
}

static void take_value(struct qos_parameter *parameter, unsigned type, const struct nlattr *data,
                       struct arena *arena)
{
    if (type == VALUE_FLAG) { /* the attribute's presence is the value */
        parameter->is_boolean = true;
        parameter->boolean = data != NULL;
        parameter->text = data ? "true" : "false";
    } else if (type == VALUE_STRING) {
        parameter->text = attr_text(data, arena);
    } else {
        struct num number = attr_uint(data);
        if (number.known)
            parameter->text = arena_printf(arena, "%llu", (unsigned long long)number.value);
    }
}

static void take_parameter(const struct nlattr *nest, const char *device, struct arena *arena,
                           struct qos_parameter **parameters, size_t *count)
{
    struct attrs fields, value;
    attrs_parse_nest(&fields, nest);
    const char *name = attr_text(fields.at[DEVLINK_ATTR_PARAM_NAME], arena);
    struct num type = attr_u8(fields.at[DEVLINK_ATTR_PARAM_TYPE]);
    const struct nlattr *list = fields.at[DEVLINK_ATTR_PARAM_VALUES_LIST], *attr = NULL;
    while (device && name && type.known && (attr = attr_next(list, attr, DEVLINK_ATTR_PARAM_VALUE))) {
        attrs_parse_nest(&value, attr);
        struct qos_parameter *parameter = ARENA_PUSH(arena, *parameters, *count);
        parameter->device = device;
        parameter->name = name;
        parameter->mode = mode_text(value.at[DEVLINK_ATTR_PARAM_VALUE_CMODE]);
        take_value(parameter, (unsigned)type.value, value.at[DEVLINK_ATTR_PARAM_VALUE_DATA], arena);
    }
}

int devlink_parse_parameters(const void *bytes, size_t len, struct arena *arena,
                             struct qos_parameter **parameters, size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs;
    int result = 0;
    while (next(&messages, &attrs, &result))
        if (attrs.at[DEVLINK_ATTR_PARAM])
            take_parameter(attrs.at[DEVLINK_ATTR_PARAM], device_of(&attrs, arena), arena, parameters, count);
    return result;
}

/* enum devlink_health_reporter_state of linux/net/devlink.h */
enum { REPORTER_HEALTHY, REPORTER_ERROR };

static enum tristate in_error(const struct nlattr *attr)
{
    struct num state = { 0 }; /* gcc 12's analyzer believes only what it has seen set */
    state = attr_u8(attr);
    return num_is(state, REPORTER_HEALTHY) ? TRI_NO : num_is(state, REPORTER_ERROR) ? TRI_YES : TRI_UNKNOWN;
}

int devlink_parse_health(const void *bytes, size_t len, struct arena *arena, struct qos_reporter **reporters,
                         size_t *count)
{
    struct messages messages = messages_of(bytes, len);
    struct attrs attrs, fields;
    int result = 0;
    while (next(&messages, &attrs, &result)) {
        attrs_parse_nest(&fields, attrs.at[DEVLINK_ATTR_HEALTH_REPORTER]);
        struct qos_reporter reporter = {
            .device = device_of(&attrs, arena),
            .name = attr_text(fields.at[DEVLINK_ATTR_HEALTH_REPORTER_NAME], arena),
            .error = in_error(fields.at[DEVLINK_ATTR_HEALTH_REPORTER_STATE]),
            .errors = attr_u64(fields.at[DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT]),
            .recoveries = attr_u64(fields.at[DEVLINK_ATTR_HEALTH_REPORTER_RECOVER_COUNT]),
        };
        if (reporter.device && reporter.name)
            *ARENA_PUSH(arena, *reporters, *count) = reporter;
    }
    return result;
}
