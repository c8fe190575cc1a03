/* SPDX-License-Identifier: MIT */
/* Asynchronous events of libibverbs: enum ibv_event_type, and the words of ibv_event_type_str(3), which NCCL,
 * UCX and others print. */
#include "base/base.h"
#include "model/word.h"

/* clang-format off */
static const struct word events[] = {
    { "IBV_EVENT_CQ_ERR", "cq error", 0, "A completion queue overran or can't be reached: no completion comes from it any more.", "this host", "more completions than the queue has room for: the program polls too slowly or made it too small\nthe device or PCIe failed", "kernel-log" },
    { "IBV_EVENT_QP_FATAL", "local work queue catastrophic error", 1, "A queue pair failed inside the device and is in the error state.", "this host", "the device, its firmware or PCIe failed\nmemory that a queue lies in went away", "kernel-log,pcie-errors" },
    { "IBV_EVENT_QP_REQ_ERR", "invalid request local work queue error", 2, "The other end sent what this queue pair can't answer: an invalid request.", "the other end's program, or this one's settings", "a message longer than the receive posted for it\nan operation that the queue pair wasn't made for\nmore outstanding reads than were agreed on", NULL },
    { "IBV_EVENT_QP_ACCESS_ERR", "local access violation work queue error", 3, "The other end asked for memory here that it may not use: wrong key, address or right. It gets 'remote access error' (10) or 'remote invalid request' (9).", "either end's program", "the memory was deregistered, or the key is of another registration\nthe two ends' programs or libraries differ in version\nGPU memory whose registration went stale (nvidia_peermem, dma-buf)", NULL },
    { "IBV_EVENT_COMM_EST", "communication established", 4, "The first packet came before the connection was said to be there. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_SQ_DRAINED", "send queue drained", 5, "All that was sent is done. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_PATH_MIG", "path migration succeeded", 6, "The connection went over to its alternate path.", NULL, NULL, NULL },
    { "IBV_EVENT_PATH_MIG_ERR", "path migration failed", 7, "The connection could not go over to its alternate path.", "this host", NULL, NULL },
    { "IBV_EVENT_DEVICE_FATAL", "local catastrophic error", 8, "The whole device failed: every queue pair on it is lost until the driver has reset it.", "this host", "firmware or hardware failed: dmesg has the driver's own words\nthe driver was reloaded, or the device reset, under a running program", "devlink-health,kernel-log,pcie-errors" },
    { "IBV_EVENT_PORT_ACTIVE", "port active", 9, "A port became ACTIVE. No fault, but it was down before.", NULL, NULL, "link-flaps" },
    { "IBV_EVENT_PORT_ERR", "port error", 10, "A port lost its link. Connections over it end in retries exceeded unless it comes back within their timeout.", "this host's port, its cable, or the switch's port", "cable, module or the switch's port; the switch was restarted\nthe netdev was set down", "port-active,link-flaps,netdev-carrier,module-health" },
    { "IBV_EVENT_LID_CHANGE", "lid change", 11, "The subnet manager gave the port another LID (InfiniBand).", "the subnet manager", NULL, NULL },
    { "IBV_EVENT_PKEY_CHANGE", "p_key table change", 12, "The port's P_Key table changed. On RoCE it has no meaning of its own.", NULL, NULL, NULL },
    { "IBV_EVENT_SM_CHANGE", "sm change", 13, "Another subnet manager took over (InfiniBand).", "the subnet manager", NULL, NULL },
    { "IBV_EVENT_SRQ_ERR", "srq catastrophic error", 14, "A shared receive queue failed.", "this host", NULL, "kernel-log" },
    { "IBV_EVENT_SRQ_LIMIT_REACHED", "srq limit reached", 15, "A shared receive queue is below the level that the program asked to be told of. No fault.", NULL, NULL, NULL },
    { "IBV_EVENT_QP_LAST_WQE_REACHED", "last wqe reached", 16, "A queue pair in the error state took its last receive. It follows an error.", "this host", "an earlier error on the same queue pair", NULL },
    { "IBV_EVENT_CLIENT_REREGISTER", "client reregistration", 17, "The subnet manager asks its clients to register again (InfiniBand).", NULL, NULL, NULL },
    { "IBV_EVENT_GID_CHANGE", "gid table change", 18, "A GID was added, removed or moved: an address of the netdev changed, or the link went and came back. Programs that hold a GID index may now use another address.", "this host", "an address was added or removed, or renewed by DHCP or NetworkManager\nthe netdev went down and came back", "gid-address,link-flaps" },
    { "IBV_EVENT_WQ_FATAL", "wq catastrophic error", 19, "A receive work queue failed.", "this host", NULL, "kernel-log" },
};
/* clang-format on */

const struct word_table words_async_events = { "asynchronous event", "async event,async", events,
                                               ARRAY_SIZE(events) };
