/* SPDX-License-Identifier: MIT */
/* The conditions under which a failure may come from each cause. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "selftest/diagnosis/diagnosis.h"

/* Bytes of a message that fills a packet, so that only large packets may be what is dropped. */
enum { LARGE = 1024 };

/* rxe of Linux 7.2 at 2 Mbit/s behind a queue of 400 ms: its own timer lets it send again what is still on
 * its way, and then it goes on in the middle of a message as if at its beginning, or the other way round. The
 * other end's rxe_receiver() comes to ERR_MISSING_OPCODE_LAST_C (SEND) or ERR_LENGTH (WRITE), and answers
 * with "invalid request", as to a message that is too long. Seen in its debug messages. */
static bool soft_retried(const struct facts *f)
{
    return f->soft && f->soft_retries > 0;
}

bool cause_applies(enum cause cause, const struct facts *f)
{
    switch (cause) {
    case CAUSE_NONE:
        return false;
    case CAUSE_PORT_DOWN:
        return f->port_down;
    case CAUSE_BOND_MEMBER:
        return f->bond_member;
    case CAUSE_ADDRESS_GONE:
        return f->address_known && f->address_gone;
    case CAUSE_LINK_LOCAL:
        return f->link_local && !(f->address_known && f->address_gone);
    case CAUSE_MTU_PATH:
        return f->port_mtu && f->path_mtu > f->port_mtu;
    case CAUSE_MTU_DIFFERS:
        return f->port_mtu && f->peer_mtu && f->port_mtu != f->peer_mtu;
    case CAUSE_MTU_SWITCH:
        return !f->loopback && f->came_through && f->size >= LARGE;
    case CAUSE_OUTPUT_DROP:
        return f->send_err > 0;
    case CAUSE_PEER_OUTPUT_DROP:
        return f->peer_send_err > 0;
    case CAUSE_FIREWALL:
        return f->soft && !f->came_through && f->send_err == 0 && f->peer_send_err == 0;
    case CAUSE_FIREWALL_SINCE:
        return f->soft && f->came_through && !f->loopback && f->send_err == 0 && f->peer_send_err == 0;
    case CAUSE_FIREWALL_IWARP:
        return f->iwarp && !f->loopback;
    case CAUSE_ONE_PATH:
        return !f->loopback && !f->iwarp && f->others_pass;
    case CAUSE_LOSS:
        return !f->loopback && (f->sequence_errors || f->came_through);
    case CAUSE_NO_ROUTE:
    case CAUSE_NEIGHBOUR:
    case CAUSE_VLAN:
    case CAUSE_PEER_GONE:
    case CAUSE_DEVICE_GONE: /* it was there when the GIDs were looked up */
        return !f->loopback;
    case CAUSE_PINNABLE:
        return !f->soft;
    case CAUSE_GID_MOVED:
        return f->came_through;
    case CAUSE_DEVICE_FULL: /* mlx5's MLX5_CMD_STAT_NO_RES_ERR is EAGAIN */
        return !f->soft;
    case CAUSE_SOFT_RETRY:
        return soft_retried(f);
    case CAUSE_KEY:
    case CAUSE_RIGHTS:
    case CAUSE_BUFFER: /* both ends of a test agree on these */
        return !soft_retried(f);
    default:
        return true;
    }
}

static uint64_t fact(const struct facts *f, const char *name, size_t len)
{
    const struct {
        const char *name;
        uint64_t value;
    } known[] = {
        { "path_mtu", f->path_mtu },           { "port_mtu", f->port_mtu },
        { "peer_mtu", f->peer_mtu },           { "send_err", f->send_err },
        { "peer_send_err", f->peer_send_err }, { "soft_retries", f->soft_retries },
    };
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0)
            return known[i].value;
    return 0;
}

void cause_text(enum cause cause, const struct facts *facts, char text[static CAUSE_TEXT_SIZE])
{
    const struct cause_words *words = &cause_words[cause];
    const char *at = words->measured ? words->measured : words->text;
    size_t n = 0;
    text[0] = '\0';
    while (*at && n < CAUSE_TEXT_SIZE) {
        size_t plain = strcspn(at, "{"), name = strcspn(at + plain, "}");
        n += (size_t)snprintf(text + n, CAUSE_TEXT_SIZE - n, "%.*s", (int)plain, at);
        at += plain;
        if (*at && n < CAUSE_TEXT_SIZE) {
            n += (size_t)snprintf(text + n, CAUSE_TEXT_SIZE - n, "%" PRIu64, fact(facts, at + 1, name - 1));
            at += name + 1;
        }
    }
}
