/* SPDX-License-Identifier: MIT */
/* The text of ibv_devinfo, with the lines that rdma-core 65 has where the kernel can tell more than to 44. */
#include "view/dropin.h"

#include <arpa/inet.h>

#include "lists.h"
#include "tables.h"

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

static const struct word transports[] = { DEVINFO_TRANSPORTS };
static const struct word port_states[] = { DEVINFO_PORT_STATES };
static const struct word phys_states[] = { DEVINFO_PHYS_STATES };
static const struct word mtus[] = { DEVINFO_MTUS };
static const struct word link_layers[] = { DEVINFO_LINK_LAYERS };
static const struct word widths[] = { DEVINFO_WIDTHS };
static const struct word speeds[] = { DEVINFO_SPEEDS };
static const struct word lanes[] = { DEVINFO_LANES };

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

#define LINE(text, member) printf(text, v->member);
#define PORT_LINE(text, member) printf(text, port->member);

static void print_port(const struct verbs_port *port)
{
    printf("\t\tport:\t%u\n", port->number);
    printf("\t\t\tstate:\t\t\t%s (%u)\n", WORD(port_states, port->state, "invalid state"), port->state);
    printf("\t\t\tmax_mtu:\t\t%s (%u)\n", WORD(mtus, port->max_mtu, "invalid MTU"), port->max_mtu);
    printf("\t\t\tactive_mtu:\t\t%s (%u)\n", WORD(mtus, port->active_mtu, "invalid MTU"), port->active_mtu);
    DEVINFO_LIDS(PORT_LINE)
    printf("\t\t\tlink_layer:\t\t%s\n", WORD(link_layers, port->link_layer, "Unknown"));
}

static void print_port_more(const struct verbs_port *port, bool has_phys_state)
{
    DEVINFO_PORT(PORT_LINE)
    printf("\t\t\tmax_vl_num:\t\t%s (%u)\n", WORD(lanes, port->max_vl_num, "invalid value"), port->max_vl_num);
    DEVINFO_PORT_COUNTERS(PORT_LINE)
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

static const struct flag device_flags[] = { DEVINFO_DEVICE_FLAGS };
static const struct flag extended_flags[] = { DEVINFO_EXTENDED_FLAGS };
static const struct flag odp_flags[] = { DEVINFO_ODP_FLAGS };
static const struct flag odp_transport_flags[] = { DEVINFO_ODP_TRANSPORT_FLAGS };
static const struct flag qp_types[] = { DEVINFO_QP_TYPES };
static const struct flag paced_qp_types[] = { DEVINFO_PACED_QP_TYPES };
static const struct flag counter_flags[] = { DEVINFO_COUNTER_FLAGS };
static const struct flag raw_packet_flags[] = { DEVINFO_RAW_PACKET_FLAGS };

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
    DEVINFO_FIRST(LINE)
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
    DEVINFO_LIMITS(LINE)
    printf("\tatomic_cap:\t\t\t%s (%d)\n", atomic_text(v->atomic_cap), v->atomic_cap);
    DEVINFO_MORE_LIMITS(LINE)
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
    DEVINFO_RSS(LINE)
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
    DEVINFO_TAGS(LINE)
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
