/* SPDX-License-Identifier: MIT */
/* What libibverbs answers for a device that may be opened: the attributes from ibv_query_device_ex() and
 * ibv_query_port(), and the GID table from QUERY_GID_TABLE. Plain data: the names are libibverbs', listed once
 * below; the structs, the JSON and the reading code are made from the lists. A number that the provider doesn't
 * fill in is 0, as in libibverbs. */
#pragma once

#include "model/gid.h"

/* How a number is stored and written: INT may be negative, HEX may need all 64 bits and is text in JSON. */
#define VERBS_INT int32_t
#define VERBS_U32 uint32_t
#define VERBS_HEX uint64_t

/* X(kind, name): members of struct ibv_device_attr. */
#define VERBS_DEVICE_ATTRS(X)         \
    X(U32, vendor_id)                 \
    X(U32, vendor_part_id)            \
    X(U32, hw_ver)                    \
    X(U32, phys_port_cnt)             \
    X(HEX, max_mr_size)               \
    X(HEX, page_size_cap)             \
    X(INT, max_qp)                    \
    X(INT, max_qp_wr)                 \
    X(U32, device_cap_flags)          \
    X(INT, max_sge)                   \
    X(INT, max_sge_rd)                \
    X(INT, max_cq)                    \
    X(INT, max_cqe)                   \
    X(INT, max_mr)                    \
    X(INT, max_pd)                    \
    X(INT, max_qp_rd_atom)            \
    X(INT, max_ee_rd_atom)            \
    X(INT, max_res_rd_atom)           \
    X(INT, max_qp_init_rd_atom)       \
    X(INT, max_ee_init_rd_atom)       \
    X(INT, atomic_cap)                \
    X(INT, max_ee)                    \
    X(INT, max_rdd)                   \
    X(INT, max_mw)                    \
    X(INT, max_raw_ipv6_qp)           \
    X(INT, max_raw_ethy_qp)           \
    X(INT, max_mcast_grp)             \
    X(INT, max_mcast_qp_attach)       \
    X(INT, max_total_mcast_qp_attach) \
    X(INT, max_ah)                    \
    X(INT, max_fmr)                   \
    X(INT, max_map_per_fmr)           \
    X(INT, max_srq)                   \
    X(INT, max_srq_wr)                \
    X(INT, max_srq_sge)               \
    X(U32, max_pkeys)                 \
    X(U32, local_ca_ack_delay)

/* X(kind, name, path): members of struct ibv_device_attr_ex. Providers fill some of them from their own part of
 * the reply: tso, rss, packet pacing. */
#define VERBS_DEVICE_EX_ATTRS(X)                                        \
    X(HEX, odp_general_caps, odp_caps.general_caps)                     \
    X(U32, odp_rc_caps, odp_caps.per_transport_caps.rc_odp_caps)        \
    X(U32, odp_uc_caps, odp_caps.per_transport_caps.uc_odp_caps)        \
    X(U32, odp_ud_caps, odp_caps.per_transport_caps.ud_odp_caps)        \
    X(U32, odp_xrc_caps, xrc_odp_caps)                                  \
    X(HEX, completion_timestamp_mask, completion_timestamp_mask)        \
    X(HEX, hca_core_clock, hca_core_clock) /* kHz */                    \
    X(HEX, device_cap_flags_ex, device_cap_flags_ex)                    \
    X(U32, tso_max, tso_caps.max_tso)                                   \
    X(U32, tso_qpts, tso_caps.supported_qpts)                           \
    X(U32, rss_qpts, rss_caps.supported_qpts)                           \
    X(U32, rss_max_tables, rss_caps.max_rwq_indirection_tables)         \
    X(U32, rss_max_table_size, rss_caps.max_rwq_indirection_table_size) \
    X(U32, rss_hash_function, rss_caps.rx_hash_function)                \
    X(HEX, rss_hash_fields, rss_caps.rx_hash_fields_mask)               \
    X(U32, max_wq_type_rq, max_wq_type_rq)                              \
    X(U32, pacing_min_kbps, packet_pacing_caps.qp_rate_limit_min)       \
    X(U32, pacing_max_kbps, packet_pacing_caps.qp_rate_limit_max)       \
    X(U32, pacing_qpts, packet_pacing_caps.supported_qpts)              \
    X(U32, raw_packet_caps, raw_packet_caps)                            \
    X(U32, tm_max_rndv_hdr_size, tm_caps.max_rndv_hdr_size)             \
    X(U32, tm_max_num_tags, tm_caps.max_num_tags)                       \
    X(U32, tm_flags, tm_caps.flags)                                     \
    X(U32, tm_max_ops, tm_caps.max_ops)                                 \
    X(U32, tm_max_sge, tm_caps.max_sge)                                 \
    X(U32, cq_max_count, cq_mod_caps.max_cq_count)                      \
    X(U32, cq_max_period, cq_mod_caps.max_cq_period) /* microseconds */ \
    X(HEX, max_dm_size, max_dm_size)                 /* bytes */        \
    X(U32, pci_atomic_fetch_add, pci_atomic_caps.fetch_add)             \
    X(U32, pci_atomic_swap, pci_atomic_caps.swap)                       \
    X(U32, pci_atomic_compare_swap, pci_atomic_caps.compare_swap)

/* X(kind, name): members of struct ibv_port_attr. Enums keep libibverbs' numbers. */
#define VERBS_PORT_ATTRS(X) \
    X(U32, state)           \
    X(U32, max_mtu)         \
    X(U32, active_mtu)      \
    X(INT, gid_tbl_len)     \
    X(U32, port_cap_flags)  \
    X(U32, port_cap_flags2) \
    X(U32, max_msg_sz)      \
    X(U32, bad_pkey_cntr)   \
    X(U32, qkey_viol_cntr)  \
    X(U32, pkey_tbl_len)    \
    X(U32, lid)             \
    X(U32, sm_lid)          \
    X(U32, lmc)             \
    X(U32, max_vl_num)      \
    X(U32, sm_sl)           \
    X(U32, subnet_timeout)  \
    X(U32, init_type_reply) \
    X(U32, active_width)    \
    X(U32, active_speed)    \
    X(U32, phys_state)      \
    X(U32, link_layer)      \
    X(U32, flags)

/* X(kind, name): what rdma-core 65 can ask the kernel for and earlier ones can't; all 0 if it wasn't. */
#define VERBS_DEVICE_NEW_ATTRS(X)                                                \
    X(U32, comp_cntr_known) /* 1: the next two are (ibv_query_comp_cntr_caps) */ \
    X(U32, max_comp_cntr)                                                        \
    X(U32, comp_cntr_attach_ops)
#define VERBS_PORT_NEW_ATTRS(X)                                                        \
    X(U32, active_speed_ex)       /* the kernel lets active_speed end with NDR, 128 */ \
    X(U32, effective_speed_known) /* 1: the next one is (ibv_query_port_speed) */      \
    X(U32, effective_speed)       /* in 100 Mb/s, of all lanes together */

#define VERBS_MEMBER(kind, name, ...) VERBS_##kind name;

struct verbs_port {
    uint32_t number;
    uint32_t err; /* errno of querying the port; then the rest is 0 */
    VERBS_PORT_ATTRS(VERBS_MEMBER)
    VERBS_PORT_NEW_ATTRS(VERBS_MEMBER)
    struct gid *gids; /* filled slots, by index; netdev is NULL, ifindex perhaps from another namespace */
    size_t ngids;
};

struct verbs_device {
    int32_t transport_type;             /* enum ibv_transport_type: 0 InfiniBand or RoCE, 1 iWARP, … */
    const char *fw_ver;                 /* as decoded by the provider; "": none */
    uint64_t node_guid, sys_image_guid; /* host order */
    uint32_t num_comp_vectors;
    int32_t dmabuf_err; /* errno of ibv_reg_dmabuf_mr() for the file descriptor -1: EBADF if the kernel supports
                           it, EOPNOTSUPP or EPROTONOSUPPORT if it doesn't; 0: not asked */
    uint32_t gids_err;  /* errno of querying the GID table; 0: the ports' gids are complete */
    VERBS_DEVICE_ATTRS(VERBS_MEMBER)
    VERBS_DEVICE_EX_ATTRS(VERBS_MEMBER)
    VERBS_DEVICE_NEW_ATTRS(VERBS_MEMBER)
    struct verbs_port *ports; /* 1 to phys_port_cnt */
    size_t nports;
};

/* enum ibv_mtu (1 to 5) in bytes (256 to 4096); 0 for any other number. */
unsigned verbs_mtu_bytes(uint32_t mtu);
struct verbs_port *verbs_device_port(const struct verbs_device *device, uint32_t number); /* NULL: none */

struct arena;
struct bytes;

/* The form kept in a recording, verbs/DEVICE: a JSON object. Pure. */
void verbs_encode(const struct verbs_device *device, struct bytes *out);
/* Returns 0, or -EBADMSG if it isn't one or is impossible. Everything in *device lives in arena. */
int verbs_decode(const char *text, size_t len, struct arena *arena, struct verbs_device **device);
