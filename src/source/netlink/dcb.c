/* SPDX-License-Identifier: MIT */
/* dcbnl: the answer to RTM_GETDCB with IEEE_GET. */
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include "source/netlink/parsers.h"

/* Newer than Debian 12's header (uapi/linux/dcbnl.h of Linux 6.3). */
enum { IEEE_TRUST_TABLE = 11 };

static bool take_pfc(void *to, struct reading *reading)
{
    struct qos_dcb *dcb = to;
    struct ieee_pfc pfc;
    attribute_copy(&pfc, sizeof(pfc), reading);
    dcb->has_pfc = true;
    dcb->pfc_cap = pfc.pfc_cap;
    dcb->pfc_enabled = pfc.pfc_en;
    dcb->macsec_bypass = pfc.mbc;
    dcb->pfc_delay = order16(pfc.delay);
    for (int i = 0; i < PRIORITIES; i++) {
        dcb->pfc_sent[i] = order64(pfc.requests[i]);
        dcb->pfc_received[i] = order64(pfc.indications[i]);
    }
    return true;
}

static bool take_ets(void *to, struct reading *reading)
{
    struct qos_dcb *dcb = to;
    struct ieee_ets ets;
    attribute_copy(&ets, sizeof(ets), reading);
    dcb->has_ets = true;
    dcb->willing = ets.willing;
    dcb->ets_cap = ets.ets_cap;
    dcb->cbs = ets.cbs;
    memcpy(dcb->tc_bandwidth, ets.tc_tx_bw, PRIORITIES);
    memcpy(dcb->tc_tsa, ets.tc_tsa, PRIORITIES);
    memcpy(dcb->priority_tc, ets.prio_tc, PRIORITIES);
    return true;
}

static bool take_maxrate(void *to, struct reading *reading)
{
    struct qos_dcb *dcb = to;
    struct ieee_maxrate maxrate;
    attribute_copy(&maxrate, sizeof(maxrate), reading);
    for (int i = 0; i < PRIORITIES; i++)
        dcb->tc_maxrate[i] = order64(maxrate.tc_maxrate[i]);
    return true;
}

static bool take_buffer(void *to, struct reading *reading)
{
    struct qos_dcb *dcb = to;
    struct dcbnl_buffer buffer;
    attribute_copy(&buffer, sizeof(buffer), reading);
    memcpy(dcb->priority_buffer, buffer.prio2buffer, PRIORITIES);
    for (size_t i = 0; i < ARRAY_SIZE(dcb->buffer_size); i++)
        dcb->buffer_size[i] = order32(buffer.buffer_size[i]);
    dcb->buffer_total = order32(buffer.total_size);
    return true;
}

static bool take_app(void *to, struct reading *reading)
{
    struct dcb_app app;
    attribute_copy(&app, sizeof(app), reading);
    *(struct qos_app *)to = (struct qos_app){ app.selector, app.priority, order16(app.protocol) };
    return true;
}

NETLINK_DCB_LISTS;

/* What the other end said, of drivers that keep it: of those with RoCE only qede (cxgb4's peer PFC is its own).
 * CEE_GET would tell nothing more: qede answers both from one record of what the other end sent, in either
 * dialect (qed_dcbnl_ieee_peer_*, qed_dcbnl_cee_peer_* of qed_dcbx.c). It names its entries by CEE's kinds
 * here, too, and their priority by its number (qed_dcbx_get_app_data, qed_dcbnl_peer_getapptable). */
static bool take_peer_apps(void *to, struct reading *reading)
{
    struct qos_dcb *peer = to;
    attributes_read(apps, attr_walk_in(reading->attr), peer, reading);
    for (size_t i = 0; i < peer->napps; i++)
        if (peer->apps[i].selector <= DCB_APP_IDTYPE_PORTNUM)
            peer->apps[i].selector = peer->apps[i].selector == DCB_APP_IDTYPE_ETHTYPE ? QOS_APP_ETHERTYPE
                                                                                      : QOS_APP_ANY;
    peer->apps_known = true;
    return true;
}

NETLINK_DCB_IEEE;
const struct answer dcb_ieee = { .type = RTM_GETDCB, .header = sizeof(struct dcbmsg), .table = dcb };
