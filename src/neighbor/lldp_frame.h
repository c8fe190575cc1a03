/* SPDX-License-Identifier: MIT */
/* LLDP frames (IEEE 802.1AB) with DCBX (IEEE 802.1Qaz; CEE 1.01), and how systemd-networkd keeps them. Bytes
 * from whoever is at the other end of a cable. Pure. */
#pragma once

#include "model/lldp.h"

enum { LLDP_ETHERTYPE = 0x88cc, LLDP_FRAME_MOST = 9216, LLDP_NEIGHBORS_MOST = 64, LLDP_TLVS = 128 };

/* Types of TLVs, and OUI and subtype of organisations' own. */
enum {
    TLV_END,
    TLV_CHASSIS,
    TLV_PORT,
    TLV_TTL,
    TLV_PORT_TEXT,
    TLV_SYSTEM,
    TLV_SYSTEM_TEXT,
    TLV_CAPABILITIES,
    TLV_ADDRESS,
    TLV_ORGANISATION = 127
};
enum {
    DOT1_PVID = 0x0080c201,
    DOT1_AGGREGATION = 0x0080c207,
    DOT1_ETS = 0x0080c209,
    DOT1_ETS_RECOMMENDED = 0x0080c20a,
    DOT1_PFC = 0x0080c20b,
    DOT1_APP = 0x0080c20c,
    DOT3_AGGREGATION = 0x00120f03,
    DOT3_FRAME_SIZE = 0x00120f04,
    CEE_DCBX = 0x001b2102,
};

/* A type-length-value of a frame; of an organisation's own (type 127) the first four bytes are its OUI and a
 * subtype. */
struct tlv {
    unsigned type;
    const uint8_t *value;
    size_t len;
};
/* The next one of the LLDP data at *at, which moves past it. False at its end, or if it is cut off. */
bool tlv_next(const uint8_t **at, const uint8_t *end, struct tlv *tlv);
/* OUI and subtype as one number: 0x0080c20b is IEEE 802.1's PFC. 0 if it has none. */
uint32_t tlv_organisation(const struct tlv *tlv);

/* Where the TLVs of an Ethernet frame begin, behind its addresses and any VLAN tag; NULL if it isn't LLDP for a
 * group address. */
const uint8_t *lldp_data(const uint8_t *frame, size_t len);
/* Parses a frame, from its destination address on, into arena. Returns 0, or -EBADMSG: not LLDP, cut off, a
 * mandatory TLV missing, out of place or twice. */
int lldp_parse(const uint8_t *frame, size_t len, struct arena *arena, struct lldp_neighbor *neighbor);

/* The frames of the file that networkd up to 256 keeps for an interface (networkd-lldp-rx.c): each behind its
 * length, 64 bits little-endian. *at begins at 0. False at the end, or where the file is damaged. */
bool networkd_next(const uint8_t *bytes, size_t len, size_t *at, const uint8_t **frame, size_t *size);

/* One neighbor of what networkd from 257 on answers to io.systemd.Network.GetLLDPNeighbors. */
struct networkd_answer {
    const char *netdev; /* NULL if it wasn't told */
    struct lldp_neighbor neighbor;
};
/* Parses the answer, up to its zero byte. Returns 0 and the array in arena, or -EBADMSG. */
int networkd_answer_parse(const char *text, size_t len, struct arena *arena, struct networkd_answer **answers,
                          size_t *count);
