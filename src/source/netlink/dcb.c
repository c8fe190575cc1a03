/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/message.h"

/* Younger than Debian 12's header (uapi/linux/dcbnl.h of Linux 6.3). */
enum { IEEE_TRUST_TABLE = 11 };

/* The kernel's own struct; false when the attribute is shorter. */
static bool copy(void *to, const struct nlattr *attr, size_t size)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    if (!data || len < size)
        return false;
    memcpy(to, data, size);
    return true;
}

static void take_pfc(struct qos_dcb *dcb, const struct nlattr *attr)
{
    struct ieee_pfc pfc;
    if (!copy(&pfc, attr, sizeof(pfc)))
        return;
    dcb->has_pfc = true;
    dcb->pfc_cap = pfc.pfc_cap;
    dcb->pfc_enabled = pfc.pfc_en;
    dcb->macsec_bypass = pfc.mbc;
    dcb->pfc_delay = order16(pfc.delay);
    for (int i = 0; i < PRIORITIES; i++) {
        dcb->pfc_sent[i] = order64(pfc.requests[i]);
        dcb->pfc_received[i] = order64(pfc.indications[i]);
    }
}

static void take_ets(struct qos_dcb *dcb, const struct nlattr *attr)
{
    struct ieee_ets ets;
    if (!copy(&ets, attr, sizeof(ets)))
        return;
    dcb->has_ets = true;
    dcb->willing = ets.willing;
    dcb->ets_cap = ets.ets_cap;
    dcb->cbs = ets.cbs;
    memcpy(dcb->tc_bandwidth, ets.tc_tx_bw, PRIORITIES);
    memcpy(dcb->tc_tsa, ets.tc_tsa, PRIORITIES);
    memcpy(dcb->priority_tc, ets.prio_tc, PRIORITIES);
}

static void take_rates_and_buffer(struct qos_dcb *dcb, const struct attrs *ieee)
{
    struct ieee_maxrate maxrate;
    struct dcbnl_buffer buffer;
    if (copy(&maxrate, ieee->at[DCB_ATTR_IEEE_MAXRATE], sizeof(maxrate))) {
        dcb->has_maxrate = true;
        for (int i = 0; i < PRIORITIES; i++)
            dcb->tc_maxrate[i] = order64(maxrate.tc_maxrate[i]);
    }
    if (copy(&buffer, ieee->at[DCB_ATTR_DCB_BUFFER], sizeof(buffer))) {
        dcb->has_buffer = true;
        memcpy(dcb->priority_buffer, buffer.prio2buffer, PRIORITIES);
        for (size_t i = 0; i < ARRAY_SIZE(dcb->buffer_size); i++)
            dcb->buffer_size[i] = order32(buffer.buffer_size[i]);
        dcb->buffer_total = order32(buffer.total_size);
    }
}

static void take_apps(struct qos_dcb *dcb, const struct nlattr *table, struct arena *arena)
{
    dcb->apps_known = table != NULL;
    for (const struct nlattr *attr = NULL; (attr = attr_next(table, attr, 0));) {
        struct dcb_app app;
        if (copy(&app, attr, sizeof(app)))
            *ARENA_PUSH(arena, dcb->apps, dcb->napps) = (struct qos_app){ .selector = app.selector,
                                                                          .priority = app.priority,
                                                                          .protocol = order16(app.protocol) };
    }
}

static void take_trust(struct qos_dcb *dcb, const struct nlattr *table, struct arena *arena)
{
    dcb->has_trust_order = table != NULL;
    for (const struct nlattr *attr = NULL; (attr = attr_next(table, attr, 0));) {
        struct num selector = attr_u8(attr);
        if (selector.known)
            *ARENA_PUSH(arena, dcb->trust_order, dcb->ntrust_order) = (uint8_t)selector.value;
    }
}

int dcb_parse_ieee(const void *bytes, size_t len, struct arena *arena, struct qos_dcb *dcb)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    struct attrs attrs, ieee;
    if (!messages_next_answer(&messages, &message) || message.type != RTM_GETDCB ||
        message.len < sizeof(struct dcbmsg))
        return -EBADMSG;
    if (attrs_parse(&attrs, message.payload, message.len, sizeof(struct dcbmsg)) < 0 ||
        attrs_parse_nest(&ieee, attrs.at[DCB_ATTR_IEEE]) < 0)
        return -EBADMSG;
    *dcb = (struct qos_dcb){ .dcbx = attr_u8(attrs.at[DCB_ATTR_DCBX]) };
    take_pfc(dcb, ieee.at[DCB_ATTR_IEEE_PFC]);
    take_ets(dcb, ieee.at[DCB_ATTR_IEEE_ETS]);
    take_rates_and_buffer(dcb, &ieee);
    take_apps(dcb, ieee.at[DCB_ATTR_IEEE_APP_TABLE], arena);
    take_trust(dcb, ieee.at[IEEE_TRUST_TABLE], arena);
    return 0;
}
