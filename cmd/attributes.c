/* SPDX-License-Identifier: MIT */
/* roce attributes: the table of facts that the manual's lists of keys are generated from. */
#include "command/context.h"
#include "model/attribute.h"

/* The manual's name for the JSON type. */
static const char *json_type(enum value_type type)
{
    switch (type) {
    case VALUE_STRINGS:
        return "array of strings";
    case VALUE_NUMBERS:
        return "array of numbers";
    case VALUE_BOOLEAN:
        return "boolean";
    case VALUE_STRING:
    case VALUE_GUID:
        return "string";
    default:
        return "number";
    }
}

static const char *expected_text(unsigned flags)
{
    return flags & (ATTRIBUTE_OWN | ATTRIBUTE_PASSING) ? "not with --for-expect"
           : flags & ATTRIBUTE_PATTERN                 ? "in an expectation perhaps a pattern"
                                                       : "";
}

int run_attributes(struct context *unused); /* commands.txt names it */
int run_attributes(struct context *unused)
{
    static const char *const kinds[] = {
        [OF_HOST] = "host", [OF_DEVICE] = "device", [OF_PCI] = "pci",
        [OF_PORT] = "port", [OF_NETDEV] = "netdev", [OF_GID] = "gid",
    };
    (void)unused;
    for (size_t i = ATTR_NONE + 1; i < ATTRIBUTES; i++) {
        const struct attribute *attribute = &attributes[i];
        enum value_type type = attribute_type(attribute);
        printf("%s\t%s\t%s%s\t%s%s\t%s\n", kinds[attribute->of], attribute->key, json_type(type),
               attribute->flags & ATTRIBUTE_ALWAYS ? "" : ", null", packed_line(attribute->help),
               type == VALUE_MBPS ? ", in Mb/s" : "", expected_text(attribute->flags));
    }
    return STATUS_OK;
}
