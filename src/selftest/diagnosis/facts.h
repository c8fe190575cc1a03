/* SPDX-License-Identifier: MIT */
/* What is known of both ends apart from the failure itself. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Zero is "not known" or "no". */
struct facts {
    bool loopback;      /* both ends on one port */
    bool iwarp;         /* connected by TCP */
    bool soft;          /* rxe: packets pass the kernel's firewall */
    bool link_local;    /* the GID is fe80::/10 */
    bool address_known; /* the addresses of the GID's netdev are known, and */
    bool address_gone;  /* the GID's isn't among them */
    bool bond_member;   /* the port's netdev belongs to a bond */
    bool port_down;     /* now */
    bool came_through;  /* some message did, in this run */
    bool others_pass;   /* after it, by other queue pairs, messages at least as large did */
    uint32_t path_mtu, port_mtu, peer_mtu; /* bytes */
    uint32_t size;                         /* of the message that failed */
    /* packets that this host, or the other, dropped itself during the run */
    uint64_t send_err, peer_send_err;
    uint64_t sequence_errors; /* packets that were missing, at both ends */
    uint64_t soft_retries;    /* times that soft-RoCE sent again, or saw what it had seen, at both ends */
};
