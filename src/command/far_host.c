/* SPDX-License-Identifier: MIT */
#include "command/far_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"

static void take(const struct far_host *far, struct client_spec *spec)
{
    spec->address = far->found.addresses[far->taken];
    spec->address_len = far->found.lengths[far->taken];
}

/* What can be done about a name that gave no address is the same in every case. */
static void say_unresolved(const char *name, int err, const struct resolved *found, uint32_t ms)
{
    static const char instead[] =
        "name the host by the address of one of its RoCE ports, or add a line for it to /etc/hosts";
    const char *servers = *found->servers ? found->servers : "none in /etc/resolv.conf";
    switch (err) {
    case -ENOENT:
        say_error(
            "'%s': no such host, neither in /etc/hosts nor in DNS (%s): check the spelling, %s (NIS, LDAP and mDNS aren't asked)",
            name, servers, instead);
        break;
    case -ENODATA:
        say_error("'%s': DNS (%s) knows the name, but no IPv4 or IPv6 address of it: %s", name, servers,
                  instead);
        break;
    case -ETIMEDOUT:
        say_error(
            "'%s' isn't in /etc/hosts, and DNS (%s) didn't answer within the %g s that --timeout allows: see whether that server can be reached (/etc/resolv.conf), or %s",
            name, servers, ms / 1000.0, instead);
        break;
    case -ECONNREFUSED:
        say_error(
            "'%s' isn't in /etc/hosts, and no DNS server can be reached (%s): see /etc/resolv.conf, or %s",
            name, servers, instead);
        break;
    case -EINTR:
        say_note("interrupted");
        break;
    case -EINVAL:
        say_error("'%s' can't be a name in DNS: a label is 1 to 63 characters long", name);
        break;
    case -ENOMEM:
        say_error("'%s': %s", name, say_errno(ENOMEM));
        break;
    default:
        say_error("'%s' isn't in /etc/hosts, and DNS (%s) failed: %s; %s", name, servers,
                  found->trouble ? found->trouble : say_errno(-err), instead);
    }
}

int far_host_find(const char *text, struct client_spec *spec, struct far_host *far)
{
    uint16_t port = CONNECTION_PORT;
    memset(far, 0, sizeof(*far));
    if (address_parse(text, CONNECTION_PORT, &spec->address, &spec->address_len) == 0)
        return 0;
    if (address_name(text, far->name, &port) < 0) {
        say_error(
            "'%s' is neither an address nor a host's name: 10.0.0.1, 10.0.0.1:18517, [2001:db8::1]:18517, fe80::1%%eth0, node7 or node7:18517",
            text);
        return -EINVAL;
    }
    int r = resolve_name(far->name, port, spec->options->timeout, &far->found);
    if (r < 0) {
        say_unresolved(far->name, r, &far->found, spec->options->timeout);
        return r;
    }
    far->preferred = resolve_prefer(&far->found, spec->gids, spec->ngids, spec->device, spec->gid);
    take(far, spec);
    return 0;
}

int far_host_next(struct far_host *far, const struct failure *failure, struct client_spec *spec)
{
    char old[ADDRESS_TEXT_SIZE], new[ADDRESS_TEXT_SIZE];
    if (far->taken + 1 >= far->found.count)
        return -ENOENT;
    address_text(&spec->address, old);
    far->taken++;
    take(far, spec);
    address_text(&spec->address, new);
    say_note("%s: %s: %s; trying %s", far->name, old, say_errno(failure->err), new);
    return 0;
}

bool far_host_text(const struct far_host *far, const struct client_spec *spec,
                   char text[static FAR_HOST_TEXT_SIZE])
{
    char address[ADDRESS_TEXT_SIZE];
    size_t len;
    if (far->found.count == 0)
        return false;
    address_host_text(&spec->address, address);
    len = (size_t)snprintf(text, FAR_HOST_TEXT_SIZE, "%.253s is %s (%s)", far->name, address,
                           far->found.source);
    if (far->found.count > 1)
        snprintf(text + len, FAR_HOST_TEXT_SIZE - len, ", of %zu addresses the first%s", far->found.count,
                 far->taken > 0       ? " that can be connected to"
                 : far->preferred > 0 ? " that a GID here can talk to"
                                      : "");
    return true;
}
