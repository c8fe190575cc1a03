/* SPDX-License-Identifier: MIT */
#include "view/devinfo.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/say.h"
#include "view/devinfo-caps.h"
#include "view/dropin.h"

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
    { 1, "2.5 Gbps" },   { 2, "5.0 Gbps" },   { 4, "10.0 Gbps" },  { 8, "10.0 Gbps" },
    { 16, "14.0 Gbps" }, { 32, "25.0 Gbps" }, { 64, "50.0 Gbps" }, { 128, "100.0 Gbps" },
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
    printf("\t\t\tactive_speed:\t\t%s (%u)\n", WORD(speeds, port->active_speed, "invalid speed"),
           port->active_speed);
    if (has_phys_state)
        printf("\t\t\tphys_state:\t\t%s (%u)\n",
               WORD(phys_states, port->phys_state, "invalid physical state"), port->phys_state);
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
        devinfo_print_caps(verbs);
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
