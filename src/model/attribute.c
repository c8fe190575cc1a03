/* SPDX-License-Identifier: MIT */
/* Types of attributes, and the object an attribute belongs to. */
#include "model/attribute.h"

enum value_type attribute_type(const struct attribute *attribute)
{
    return attribute->type == VALUE_ABSENT ? member_value_type(&attribute->member) : attribute->type;
}

static const void *object_of_device(const struct host *host, enum attribute_of wanted,
                                    const struct device *device)
{
    return wanted == OF_DEVICE ? (const void *)device : wanted == OF_PCI ? device_function(host, device) : NULL;
}

static const void *object_of(const struct host *host, enum attribute_of wanted, enum attribute_of of,
                             const void *object)
{
    if (wanted == of || !object)
        return object;
    if (wanted == OF_HOST)
        return host;
    if (of == OF_PORT && wanted == OF_NETDEV)
        return port_netdev(host, object);
    if (of == OF_PORT)
        return object_of_device(host, wanted, ((const struct port *)object)->device);
    if (of == OF_DEVICE)
        return object_of_device(host, wanted, object);
    return of == OF_GID && wanted == OF_NETDEV ? gid_netdev(host, object) : NULL;
}

struct value attribute_value(const struct attribute *attribute, const struct cell_context *context,
                             enum attribute_of of, const void *object)
{
    const void *own = object_of(context->host, attribute->of, of, object);
    if (!own && attribute->of == OF_NETDEV && of == OF_PORT && object)
        return port_has_no_netdev(context->host, object) ? NO_SUCH_VALUE : NO_VALUE;
    if (!own)
        return NO_VALUE;
    if (attribute->make)
        return attribute->make(context, own);
    return attribute->get ? attribute->get(own) : member_value(&attribute->member, own);
}
