/* SPDX-License-Identifier: MIT */
/* The conditions under which a failure may come from each cause. */
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
    const bool apart = !f->loopback, drops_itself = f->send_err > 0 || f->peer_send_err > 0;
    const bool impossible[CAUSES] = {
        [CAUSE_NONE] = true,
        [CAUSE_PORT_DOWN] = !f->port_down,
        [CAUSE_BOND_MEMBER] = !f->bond_member,
        [CAUSE_ADDRESS_GONE] = !f->address_known || !f->address_gone,
        [CAUSE_LINK_LOCAL] = !f->link_local || (f->address_known && f->address_gone),
        [CAUSE_MTU_PATH] = !f->port_mtu || f->path_mtu <= f->port_mtu,
        [CAUSE_MTU_DIFFERS] = !f->port_mtu || !f->peer_mtu || f->port_mtu == f->peer_mtu,
        [CAUSE_MTU_SWITCH] = !apart || !f->came_through || f->size < LARGE,
        [CAUSE_OUTPUT_DROP] = f->send_err == 0,
        [CAUSE_PEER_OUTPUT_DROP] = f->peer_send_err == 0,
        [CAUSE_FIREWALL] = !f->soft || f->came_through || drops_itself,
        [CAUSE_FIREWALL_SINCE] = !f->soft || !f->came_through || !apart || drops_itself,
        [CAUSE_FIREWALL_IWARP] = !f->iwarp || !apart,
        [CAUSE_ONE_PATH] = !apart || f->iwarp || !f->others_pass,
        [CAUSE_LOSS] = !apart || (!f->sequence_errors && !f->came_through),
        [CAUSE_NO_ROUTE] = !apart,
        [CAUSE_NEIGHBOUR] = !apart,
        [CAUSE_VLAN] = !apart,
        [CAUSE_PEER_GONE] = !apart,
        [CAUSE_DEVICE_GONE] = !apart, /* it was there when the GIDs were looked up */
        [CAUSE_PINNABLE] = f->soft,
        [CAUSE_GID_MOVED] = !f->came_through,
        [CAUSE_DEVICE_FULL] = f->soft, /* mlx5's MLX5_CMD_STAT_NO_RES_ERR is EAGAIN */
        [CAUSE_SOFT_RETRY] = !soft_retried(f),
        [CAUSE_KEY] = soft_retried(f), /* both ends of a test agree on these */
        [CAUSE_RIGHTS] = soft_retried(f),
        [CAUSE_BUFFER] = soft_retried(f),
    };
    return !impossible[cause];
}

static uint64_t fact(const struct facts *f, const char *name, size_t len)
{
    const struct {
        const char *name;
        uint64_t value;
    } known[] = {
        { "path_mtu", f->path_mtu }, { "port_mtu", f->port_mtu },           { "peer_mtu", f->peer_mtu },
        { "send_err", f->send_err }, { "peer_send_err", f->peer_send_err }, { "soft_retries", f->soft_retries },
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
