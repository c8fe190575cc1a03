/* SPDX-License-Identifier: MIT */
/* The text of ibv_devinfo, with the lines that rdma-core 65 has where the kernel can tell more than to 44. */
#include "view/dropin.h"

#include <arpa/inet.h>

enum { LINK_LAYER_IS_ETHERNET = 2, TRANSPORT_IS_IB = 0, NO_SUCH_PORT = 4 };

struct word {
    int64_t number;
    const char *text;
};

#define WORD(words, number, other) find_word(words, ARRAY_SIZE(words), number, other)

static const char *find_word(const struct word *words, size_t count, int64_t number, const char *other)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].number == number)
            return words[i].text;
    return other;
}

static const struct word transports[] = {
    { 0, "InfiniBand" }, { 1, "iWARP" }, { 2, "usNIC" }, { 3, "usNIC UDP" }, { 4, "unspecified" },
};
static const struct word port_states[] = {
    { 1, "PORT_DOWN" },
    { 2, "PORT_INIT" },
    { 3, "PORT_ARMED" },
    { 4, "PORT_ACTIVE" },
};
/* the spelling is the original's */
static const struct word phys_states[] = {
    { 1, "SLEEP" },    { 2, "POLLING" },
    { 3, "DISABLED" }, { 4, "PORT_CONFIGURATION TRAINNING" },
    { 5, "LINK_UP" },  { 6, "LINK_ERROR_RECOVERY" },
    { 7, "PHY TEST" },
};
static const struct word mtus[] = { { 1, "256" }, { 2, "512" }, { 3, "1024" }, { 4, "2048" }, { 5, "4096" } };
static const struct word link_layers[] = { { 0, "Unspecified" }, { 1, "InfiniBand" }, { 2, "Ethernet" } };
static const struct word widths[] = { { 1, "1" }, { 2, "4" }, { 4, "8" }, { 8, "12" }, { 16, "2" } };
static const struct word speeds[] = {
    { 1, "2.5 Gbps" },   { 2, "5.0 Gbps" },   { 4, "10.0 Gbps" },    { 8, "10.0 Gbps" },    { 16, "14.0 Gbps" },
    { 32, "25.0 Gbps" }, { 64, "50.0 Gbps" }, { 128, "100.0 Gbps" }, { 256, "200.0 Gbps" },
};
static const struct word lanes[] = { { 1, "1" }, { 2, "2" }, { 3, "4" }, { 4, "8" }, { 5, "15" } };

static void print_guid(const char *label, uint64_t guid)
{
    char text[GUID_TEXT_SIZE];
    guid_format(guid, text);
    printf("\t%s%s\n", label, text);
}

static void print_head(const struct host *host, const struct device *device)
{
    const struct verbs_device *verbs = device->verbs;
    printf("hca_id:\t%s\n", dropin_text(host, device->name));
    printf("\ttransport:\t\t\t%s (%d)\n", WORD(transports, verbs->transport_type, "invalid transport"),
           verbs->transport_type);
    if (*verbs->fw_ver)
        printf("\tfw_ver:\t\t\t\t%s\n", dropin_text(host, verbs->fw_ver));
    print_guid("node_guid:\t\t\t", verbs->node_guid);
    print_guid("sys_image_guid:\t\t\t", verbs->sys_image_guid);
    printf("\tvendor_id:\t\t\t0x%04x\n", verbs->vendor_id);
    printf("\tvendor_part_id:\t\t\t%d\n", (int)verbs->vendor_part_id);
    printf("\thw_ver:\t\t\t\t0x%X\n", verbs->hw_ver);
    if (device->board_id && *device->board_id)
        printf("\tboard_id:\t\t\t%s\n", dropin_text(host, device->board_id));
    printf("\tphys_port_cnt:\t\t\t%u\n", verbs->phys_port_cnt);
}

/* IB and v1 GIDs in full, v2 as an address. One whose interface id is 0 isn't shown. */
static void print_gid(const struct gid *gid, bool ethernet)
{
    bool v2 = gid->type == GID_TYPE_ROCE_V2, shown = false;
    char text[INET6_ADDRSTRLEN];
    for (int i = 8; i < 16; i++)
        shown |= gid->raw[i] != 0;
    if (!shown)
        return;
    if (v2)
        inet_ntop(AF_INET6, gid->raw, text, sizeof(text));
    else
        gid_format(gid->raw, text);
    printf("\t\t\tGID[%3u]:\t\t%s%s\n", gid->index, text, !ethernet ? "" : v2 ? ", RoCE v2" : ", RoCE v1");
}

static int print_gids(const struct verbs_device *verbs, const struct verbs_port *port)
{
    if (verbs->gids_err && port->gid_tbl_len > 0) {
        say_raw("Failed to query gid to port %u, index 0\n", port->number);
        return (int)verbs->gids_err;
    }
    for (size_t i = 0; i < port->ngids; i++)
        print_gid(&port->gids[i], port->link_layer == LINK_LAYER_IS_ETHERNET);
    return 0;
}

static void print_port(const struct verbs_port *port)
{
    printf("\t\tport:\t%u\n", port->number);
    printf("\t\t\tstate:\t\t\t%s (%u)\n", WORD(port_states, port->state, "invalid state"), port->state);
    printf("\t\t\tmax_mtu:\t\t%s (%u)\n", WORD(mtus, port->max_mtu, "invalid MTU"), port->max_mtu);
    printf("\t\t\tactive_mtu:\t\t%s (%u)\n", WORD(mtus, port->active_mtu, "invalid MTU"), port->active_mtu);
    printf("\t\t\tsm_lid:\t\t\t%u\n", port->sm_lid);
    printf("\t\t\tport_lid:\t\t%u\n", port->lid);
    printf("\t\t\tport_lmc:\t\t0x%02x\n", port->lmc);
    printf("\t\t\tlink_layer:\t\t%s\n", WORD(link_layers, port->link_layer, "Unknown"));
}

static void print_port_more(const struct verbs_port *port, bool has_phys_state)
{
    printf("\t\t\tmax_msg_sz:\t\t0x%x\n", port->max_msg_sz);
    printf("\t\t\tport_cap_flags:\t\t0x%08x\n", port->port_cap_flags);
    printf("\t\t\tport_cap_flags2:\t0x%04x\n", port->port_cap_flags2);
    printf("\t\t\tmax_vl_num:\t\t%s (%u)\n", WORD(lanes, port->max_vl_num, "invalid value"), port->max_vl_num);
    printf("\t\t\tbad_pkey_cntr:\t\t0x%x\n", port->bad_pkey_cntr);
    printf("\t\t\tqkey_viol_cntr:\t\t0x%x\n", port->qkey_viol_cntr);
    printf("\t\t\tsm_sl:\t\t\t%u\n", port->sm_sl);
    printf("\t\t\tpkey_tbl_len:\t\t%u\n", port->pkey_tbl_len);
    printf("\t\t\tgid_tbl_len:\t\t%d\n", port->gid_tbl_len);
    printf("\t\t\tsubnet_timeout:\t\t%u\n", port->subnet_timeout);
    printf("\t\t\tinit_type_reply:\t%u\n", port->init_type_reply);
    printf("\t\t\tactive_width:\t\t%sX (%u)\n", WORD(widths, port->active_width, "invalid width"),
           port->active_width);
    uint32_t speed = port->active_speed_ex ? port->active_speed_ex : port->active_speed;
    printf("\t\t\tactive_speed:\t\t%s (%u)\n", WORD(speeds, speed, "invalid speed"), speed);
    if (port->effective_speed_known)
        printf("\t\t\teffective_speed:\t%u.%u Gbps\n", port->effective_speed / 10, port->effective_speed % 10);
    if (has_phys_state)
        printf("\t\t\tphys_state:\t\t%s (%u)\n", WORD(phys_states, port->phys_state, "invalid physical state"),
               port->phys_state);
}

/* Flags are listed by name below their number; numbers are those of infiniband/verbs.h. */
struct flag {
    uint64_t bit;
    const char *name;
};

#define BIT(n) ((uint64_t)1 << (n))
#define IN "\t\t\t\t\t"

static const struct flag device_flags[] = {
    { BIT(0), "RESIZE_MAX_WR" },       { BIT(1), "BAD_PKEY_CNTR" },       { BIT(2), "BAD_QKEY_CNTR" },
    { BIT(3), "RAW_MULTI" },           { BIT(4), "AUTO_PATH_MIG" },       { BIT(5), "CHANGE_PHY_PORT" },
    { BIT(6), "UD_AV_PORT_ENFORCE" },  { BIT(7), "CURR_QP_STATE_MOD" },   { BIT(8), "SHUTDOWN_PORT" },
    { BIT(9), "INIT_TYPE" },           { BIT(10), "PORT_ACTIVE_EVENT" },  { BIT(11), "SYS_IMAGE_GUID" },
    { BIT(12), "RC_RNR_NAK_GEN" },     { BIT(13), "SRQ_RESIZE" },         { BIT(14), "N_NOTIFY_CQ" },
    { BIT(17), "MEM_WINDOW" },         { BIT(18), "UD_IP_CSUM" },         { BIT(20), "XRC" },
    { BIT(21), "MEM_MGT_EXTENSIONS" }, { BIT(23), "MEM_WINDOW_TYPE_2A" }, { BIT(24), "MEM_WINDOW_TYPE_2B" },
    { BIT(25), "RC_IP_CSUM" },         { BIT(26), "RAW_IP_CSUM" },        { BIT(29), "MANAGED_FLOW_STEERING" },
};
static const struct flag extended_flags[] = {
    { BIT(34), "RAW_SCATTER_FCS" },
    { BIT(36), "PCI_WRITE_END_PADDING" },
    { BIT(41), "CC_DMA_BOUNCE" },
};
static const struct flag odp_flags[] = { { BIT(0), "ODP_SUPPORT" }, { BIT(1), "ODP_SUPPORT_IMPLICIT" } };
static const struct flag odp_transport_flags[] = {
    { BIT(0), "SUPPORT_SEND" },  { BIT(1), "SUPPORT_RECV" },         { BIT(2), "SUPPORT_WRITE" },
    { BIT(3), "SUPPORT_READ" },  { BIT(4), "SUPPORT_ATOMIC" },       { BIT(5), "SUPPORT_SRQ" },
    { BIT(6), "SUPPORT_FLUSH" }, { BIT(7), "SUPPORT_ATOMIC_WRITE" },
};
/* enum ibv_qp_type: RC is 2, UD 4, RAW_PACKET 8 */
static const struct flag qp_types[] = { { BIT(8), "SUPPORT_RAW_PACKET" }, { BIT(4), "SUPPORT_UD" } };
static const struct flag paced_qp_types[] = { { BIT(8), "SUPPORT_RAW_PACKET" },
                                              { BIT(4), "SUPPORT_UD" },
                                              { BIT(2), "SUPPORT_RC" } };
/* enum ibv_qp_attach_comp_cntr_op */
static const struct flag counter_flags[] = {
    { BIT(0), "QP_ATTACH_SEND" },       { BIT(1), "QP_ATTACH_RECV" },
    { BIT(2), "QP_ATTACH_RDMA_READ" },  { BIT(3), "QP_ATTACH_REMOTE_RDMA_READ" },
    { BIT(4), "QP_ATTACH_RDMA_WRITE" }, { BIT(5), "QP_ATTACH_REMOTE_RDMA_WRITE" },
};
static const struct flag raw_packet_flags[] = {
    { BIT(0), "C-VLAN stripping offload" },
    { BIT(1), "Scatter FCS offload" },
    { BIT(2), "IP csum offload" },
    { BIT(3), "Delay drop" },
};

#define FLAGS(flags, value) print_flags(flags, ARRAY_SIZE(flags), value)

/* The bits without a name, or 0. */
static uint64_t print_names(const struct flag *flags, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (value & flags[i].bit)
            printf(IN "%s\n", flags[i].name);
        value &= ~flags[i].bit;
    }
    return value;
}

static void print_flags(const struct flag *flags, size_t count, uint64_t value)
{
    uint64_t unknown = print_names(flags, count, value);
    if (unknown)
        printf(IN "Unknown flags: 0x%" PRIX64 "\n", unknown);
}

static void print_first(const struct verbs_device *v)
{
    printf("\tmax_mr_size:\t\t\t0x%" PRIx64 "\n", v->max_mr_size);
    printf("\tpage_size_cap:\t\t\t0x%" PRIx64 "\n", v->page_size_cap);
    printf("\tmax_qp:\t\t\t\t%d\n", v->max_qp);
    printf("\tmax_qp_wr:\t\t\t%d\n", v->max_qp_wr);
    printf("\tdevice_cap_flags:\t\t0x%08x\n", v->device_cap_flags);
    FLAGS(device_flags, v->device_cap_flags);
}

static const char *atomic_text(int cap)
{
    switch (cap) {
    case 0:
        return "ATOMIC_NONE";
    case 1:
        return "ATOMIC_HCA";
    case 2:
        return "ATOMIC_GLOB";
    }
    return "invalid atomic capability";
}

static void print_limits(const struct verbs_device *v)
{
    printf("\tmax_sge:\t\t\t%d\n", v->max_sge);
    printf("\tmax_sge_rd:\t\t\t%d\n", v->max_sge_rd);
    printf("\tmax_cq:\t\t\t\t%d\n", v->max_cq);
    printf("\tmax_cqe:\t\t\t%d\n", v->max_cqe);
    printf("\tmax_mr:\t\t\t\t%d\n", v->max_mr);
    printf("\tmax_pd:\t\t\t\t%d\n", v->max_pd);
    printf("\tmax_qp_rd_atom:\t\t\t%d\n", v->max_qp_rd_atom);
    printf("\tmax_ee_rd_atom:\t\t\t%d\n", v->max_ee_rd_atom);
    printf("\tmax_res_rd_atom:\t\t%d\n", v->max_res_rd_atom);
    printf("\tmax_qp_init_rd_atom:\t\t%d\n", v->max_qp_init_rd_atom);
    printf("\tmax_ee_init_rd_atom:\t\t%d\n", v->max_ee_init_rd_atom);
    printf("\tatomic_cap:\t\t\t%s (%d)\n", atomic_text(v->atomic_cap), v->atomic_cap);
    printf("\tmax_ee:\t\t\t\t%d\n", v->max_ee);
    printf("\tmax_rdd:\t\t\t%d\n", v->max_rdd);
    printf("\tmax_mw:\t\t\t\t%d\n", v->max_mw);
    printf("\tmax_raw_ipv6_qp:\t\t%d\n", v->max_raw_ipv6_qp);
    printf("\tmax_raw_ethy_qp:\t\t%d\n", v->max_raw_ethy_qp);
    printf("\tmax_mcast_grp:\t\t\t%d\n", v->max_mcast_grp);
    printf("\tmax_mcast_qp_attach:\t\t%d\n", v->max_mcast_qp_attach);
    printf("\tmax_total_mcast_qp_attach:\t%d\n", v->max_total_mcast_qp_attach);
    printf("\tmax_ah:\t\t\t\t%d\n", v->max_ah);
    printf("\tmax_fmr:\t\t\t%d\n", v->max_fmr);
    if (v->max_fmr)
        printf("\tmax_map_per_fmr:\t\t%d\n", v->max_map_per_fmr);
    printf("\tmax_srq:\t\t\t%d\n", v->max_srq);
    if (v->max_srq) {
        printf("\tmax_srq_wr:\t\t\t%d\n", v->max_srq_wr);
        printf("\tmax_srq_sge:\t\t\t%d\n", v->max_srq_sge);
    }
    printf("\tmax_pkeys:\t\t\t%u\n", v->max_pkeys);
    if (v->comp_cntr_known) {
        printf("\tmax_comp_cntr:\t\t\t%d\n", (int)v->max_comp_cntr);
        printf("\tcomp_cntr_caps:\n");
        print_names(counter_flags, ARRAY_SIZE(counter_flags), v->comp_cntr_attach_ops);
    }
    printf("\tlocal_ca_ack_delay:\t\t%u\n", v->local_ca_ack_delay);
}

static void print_odp_transport(const char *name, uint32_t caps)
{
    printf("\t%s_odp_caps:\n", name);
    if (caps)
        FLAGS(odp_transport_flags, caps);
    else
        printf(IN "NO SUPPORT\n");
}

static void print_odp(const struct verbs_device *v)
{
    printf("\tgeneral_odp_caps:\n");
    FLAGS(odp_flags, v->odp_general_caps);
    print_odp_transport("rc", v->odp_rc_caps);
    print_odp_transport("uc", v->odp_uc_caps);
    print_odp_transport("ud", v->odp_ud_caps);
    print_odp_transport("xrc", v->odp_xrc_caps);
}

static void print_clock(const struct verbs_device *v)
{
    if (v->completion_timestamp_mask)
        printf("\tcompletion timestamp_mask:\t\t\t0x%016" PRIx64 "\n", v->completion_timestamp_mask);
    else
        printf("\tcompletion_timestamp_mask not supported\n");
    if (v->hca_core_clock)
        printf("\thca_core_clock:\t\t\t%" PRIu64 "kHZ\n", v->hca_core_clock);
    else
        printf("\tcore clock not supported\n");
}

static void print_qp_types(uint32_t types)
{
    printf("\t\tsupported_qp:\n");
    FLAGS(qp_types, types);
}

static void print_offloads(const struct verbs_device *v)
{
    if (v->raw_packet_caps) {
        printf("\traw packet caps:\n");
        print_names(raw_packet_flags, ARRAY_SIZE(raw_packet_flags), v->raw_packet_caps);
    }
    printf("\tdevice_cap_flags_ex:\t\t0x%" PRIX64 "\n", v->device_cap_flags_ex);
    FLAGS(extended_flags, v->device_cap_flags_ex & 0xffffffff00000000u);
    printf("\ttso_caps:\n\t\tmax_tso:\t\t\t%d\n", (int)v->tso_max);
    if (v->tso_max)
        print_qp_types(v->tso_qpts);
    printf("\trss_caps:\n");
    printf("\t\tmax_rwq_indirection_tables:\t\t\t%u\n", v->rss_max_tables);
    printf("\t\tmax_rwq_indirection_table_size:\t\t\t%u\n", v->rss_max_table_size);
    printf("\t\trx_hash_function:\t\t\t\t0x%x\n", v->rss_hash_function);
    printf("\t\trx_hash_fields_mask:\t\t\t\t0x%" PRIX64 "\n", v->rss_hash_fields);
    if (v->rss_qpts)
        print_qp_types(v->rss_qpts);
    printf("\tmax_wq_type_rq:\t\t\t%u\n", v->max_wq_type_rq);
}

static void print_pacing(const struct verbs_device *v)
{
    printf("\tpacket_pacing_caps:\n");
    printf("\t\tqp_rate_limit_min:\t%ukbps\n", v->pacing_min_kbps);
    printf("\t\tqp_rate_limit_max:\t%ukbps\n", v->pacing_max_kbps);
    if (v->pacing_max_kbps) {
        printf("\t\tsupported_qp:\n");
        FLAGS(paced_qp_types, v->pacing_qpts);
    }
}

static void print_tag_matching(const struct verbs_device *v)
{
    if (!v->tm_max_num_tags) {
        printf("\ttag matching not supported\n");
        return;
    }
    printf("\tmax_rndv_hdr_size:\t\t%u\n", v->tm_max_rndv_hdr_size);
    printf("\tmax_num_tags:\t\t\t%u\n", v->tm_max_num_tags);
    printf("\tmax_ops:\t\t\t%u\n", v->tm_max_ops);
    printf("\tmax_sge:\t\t\t%u\n", v->tm_max_sge);
    printf("\tflags:\n");
    if (v->tm_flags & BIT(0))
        printf(IN "IBV_TM_CAP_RC\n");
}

static void print_caps(const struct verbs_device *v)
{
    print_first(v);
    print_limits(v);
    print_odp(v);
    print_clock(v);
    print_offloads(v);
    print_pacing(v);
    print_tag_matching(v);
    if (v->cq_max_count && v->cq_max_period)
        printf("\n\tcq moderation caps:\n\t\tmax_cq_count:\t%u\n\t\tmax_cq_period:\t%u us\n\n", v->cq_max_count,
               v->cq_max_period);
    if (v->max_dm_size)
        printf("\tmaximum available device memory:\t%" PRIu64 "Bytes\n\n", v->max_dm_size);
    printf("\tnum_comp_vectors:\t\t%d\n", (int)v->num_comp_vectors);
}

int devinfo_print(const struct host *host, const struct device *device, unsigned wanted, bool verbose)
{
    const struct verbs_device *verbs = device->verbs;
    if (wanted > verbs->phys_port_cnt) {
        say_raw("Invalid port requested for device\n");
        return NO_SUCH_PORT;
    }
    print_head(host, device);
    if (verbose)
        print_caps(verbs);
    for (size_t i = 0; i < verbs->nports; i++) {
        const struct verbs_port *port = &verbs->ports[i];
        if (wanted && port->number != wanted)
            continue;
        if (port->err) {
            say_raw("Failed to query port %u props\n", port->number);
            return (int)port->err;
        }
        print_port(port);
        if (verbose) {
            print_port_more(port, verbs->transport_type == TRANSPORT_IS_IB);
            int err = print_gids(verbs, port);
            if (err)
                return err;
        }
        printf("\n");
    }
    return 0;
}
