/* SPDX-License-Identifier: MIT */
/* Intel/Cornelis Omni-Path 100 (no RoCE): hw_counters of the device and of its port.
 *
 * Names: Linux 7.3, drivers/infiniband/hw/hfi1/chip.c (dev_cntrs, port_cntrs, init_cntrs) and verbs.c
 * (DRIVER_*). A name goes on with the number of a virtual lane, an SDMA engine or a receive context where
 * there are several (TxWaitVL7, SDMAInt3, RcvHdrOvr12), and ends in ",32" where the register has 32 bits;
 * other() knows both. Of some 450 files the rows have the ones that tell an operator something; the chip's
 * internal checks are summed up by how their names end. Registers that the driver doesn't extend to 64 bits
 * wrap. Flits are 8 bytes. Meanings: by the register names, and where the driver counts. */
#include "model/counters/tables.h"

/* clang-format off */
static const struct counter_def hfi1[] = {
    TOTAL32("CceErrInt", "interrupts for errors of the chip", EVENTS, WARNING),
    TOTAL("CceErrStatusAggregatedCnt", "errors of the chip's core, all kinds together", EVENTS, ERROR),
    TOTAL32("CceMiscInt", "interrupts for other reasons", EVENTS, INFO),
    TOTAL32("CcePciCrSt", "times that PCIe ran out of posted credits", EVENTS, INFO),
    TOTAL32("CcePciTrSt", "times that PCIe reads of the chip stalled", EVENTS, INFO),
    TOTAL32("CcePioWrSt", "times that programmed writes to the chip stalled", EVENTS, INFO),
    TOTAL32("CceRcvAvInt", "interrupts for packets available", EVENTS, INFO),
    TOTAL32("CceRcvUrgInt", "interrupts for urgent packets", EVENTS, INFO),
    TOTAL32("CceSdmaInt", "interrupts of SDMA engines", EVENTS, INFO),
    TOTAL32("CceSndCrInt", "interrupts for send credits returned", EVENTS, INFO),
    TOTAL("CceTrgtAccessErr", "accesses of the host to the chip that failed", EVENTS, ERROR),
    TOTAL("CceTrgtCplTimeoutErr", "accesses of the host to the chip that timed out", EVENTS, ERROR),
    GAUGE("DRIVER_CtxtsOpen", "contexts open now", OBJECTS, INFO),
    TOTAL("DRIVER_EgrBufFull", "packets dropped because the eager buffers were full", PACKETS, WARNING),
    TOTAL("DRIVER_EgrHdrFull", "packets dropped because the header queue was full", PACKETS, WARNING),
    TOTAL("DRIVER_ErrorIntr", "interrupts for errors", EVENTS, WARNING),
    TOTAL("DRIVER_HW_Errs", "hardware errors", EVENTS, ERROR),
    TOTAL("DRIVER_KernIntr", "interrupts", EVENTS, INFO),
    TOTAL("DRIVER_NoPIOBufs", "times that no send buffer was free", EVENTS, INFO),
    TOTAL("DRIVER_RcvLen_Errs", "packets received whose length isn't the announced one", PACKETS, ERROR),
    TOTAL("DRIVER_Rcv_Errs", "packets received with an error other than in the checksum", PACKETS, ERROR),
    TOTAL("DRIVER_Tx_Errs", "packets not sent because of an error", PACKETS, ERROR),
    TOTAL("DcAccLTP", "link transfer packets accepted", PACKETS, INFO),
    TOTAL("DcCrcLn", "checksum errors of a lane of the link", EVENTS, WARNING),
    TOTAL("DcDroppedPkt", "packets dropped by the link block", PACKETS, ERROR),
    TOTAL("DcFmCfgErr", "errors of the fabric manager's configuration", EVENTS, ERROR),
    TOTAL("DcGoodLTP", "link transfer packets received without errors", PACKETS, INFO),
    TOTAL("DcLinkSeqCrc", "sequences of checksum errors of the link", EVENTS, WARNING),
    TOTAL("DcMarkFcn", "packets marked for congestion (FECN) by this port", PACKETS, WARNING),
    TOTAL("DcMarkFcnVl", "packets of a virtual lane marked for congestion (FECN) by this port", PACKETS, WARNING),
    TOTAL("DcMcRcvPkts", "multicast packets received", PACKETS, INFO),
    TOTAL("DcMcXmitPkts", "multicast packets sent", PACKETS, INFO),
    TOTAL("DcMultLn", "checksum errors of several lanes of the link at once", EVENTS, WARNING),
    SCALED("DcPrfRxFlit", "data received by the link, idle time excluded", BYTES, INFO, 8),
    SCALED("DcPrfTxFlit", "data sent by the link, idle time excluded", BYTES, INFO, 8),
    TOTAL("DcRcvBbl", "time inside packets received with no data", TICKS, INFO),
    TOTAL("DcRcvBblVl", "time inside packets received with no data, of a virtual lane", TICKS, INFO),
    TOTAL("DcRcvBcn", "packets received that ask to slow down (BECN)", PACKETS, WARNING),
    TOTAL("DcRcvBcnVl", "packets of a virtual lane received that ask to slow down (BECN)", PACKETS, WARNING),
    TOTAL("DcRcvCorrCnt", "errors of the receive side that were corrected", EVENTS, INFO),
    TOTAL("DcRcvFcn", "packets received that were marked for congestion (FECN)", PACKETS, WARNING),
    TOTAL("DcRcvFcnVl", "packets of a virtual lane received that were marked for congestion (FECN)", PACKETS, WARNING),
    SCALED("DcRcvFlits", "data received", BYTES, INFO, 8),
    TOTAL("DcRcvPkts", "packets received", PACKETS, INFO),
    TOTAL("DcRecvErr", "packets received with an error", PACKETS, ERROR),
    TOTAL("DcReinitPeer", "times that the peer restarted the link", EVENTS, WARNING),
    TOTAL("DcRmtPhyErr", "packets received that a switch had marked bad: an error further up the path", PACKETS, WARNING),
    TOTAL("DcRxFCntl", "flow control packets received", PACKETS, INFO),
    SCALED("DcRxFlitVl", "data received on a virtual lane", BYTES, INFO, 8),
    TOTAL("DcRxPktVl", "packets received on a virtual lane", PACKETS, INFO),
    TOTAL("DcRxReplay", "times that the peer had to send again over the link", EVENTS, WARNING),
    TOTAL("DcSbe", "single bit errors that were corrected", EVENTS, WARNING),
    TOTAL("DcStsTxMbe", "errors of several bits in the send side's memory", EVENTS, ERROR),
    TOTAL("DcStsTxSbe", "errors of single bits in the send side's memory, corrected", EVENTS, WARNING),
    TOTAL("DcTotCrc", "checksum errors of the link, all lanes", EVENTS, WARNING),
    TOTAL("DcTxReplay", "times that this port had to send again over the link", EVENTS, WARNING),
    TOTAL("DcUnctblErr", "errors of the link block that could not be corrected", EVENTS, ERROR),
    TOTAL("DcXmitCorr", "errors of the send side that were corrected", EVENTS, INFO),
    TOTAL("DcXmitFCntl", "flow control packets sent", PACKETS, INFO),
    SCALED("DcXmitFlits", "data sent", BYTES, INFO, 8),
    TOTAL("DcXmitPkts", "packets sent", PACKETS, INFO),
    TOTAL("DmaWait", "times that queue pairs waited for an SDMA engine", EVENTS, INFO),
    TOTAL("Intr", "interrupts", EVENTS, INFO),
    TOTAL("KmemWait", "times that queue pairs waited for kernel memory", EVENTS, WARNING),
    TOTAL("LoopPkts", "packets to this port itself", PACKETS, INFO),
    TOTAL("MISC_FW_AUTH_FAILED_ERR", "firmware images whose signature was wrong", EVENTS, ERROR),
    TOTAL("MISC_KEY_MISMATCH_ERR", "firmware images signed with another key", EVENTS, ERROR),
    TOTAL("OtherNak", "NAKs received for invalid requests, access or operation errors", EVENTS, ERROR),
    TOTAL("PioDrain", "times that queue pairs waited for send buffers to drain", EVENTS, INFO),
    TOTAL("PioWait", "times that queue pairs waited for a send buffer", EVENTS, INFO),
    TOTAL("PktDrop", "packets dropped: wrong partition, queue pair, state or length", PACKETS, WARNING),
    TOTAL("RcAcks", "ACKs sent", PACKETS, INFO),
    TOTAL("RcCrWait", "times that RC queue pairs waited for credits of the peer", EVENTS, INFO),
    TOTAL("RcDelayComp", "completions put off", EVENTS, INFO),
    TOTAL("RcDupRew", "RC requests received again: an ACK was lost or late", PACKETS, WARNING),
    TOTAL("RcQacks", "ACKs put off to the send queue", PACKETS, INFO),
    TOTAL("RcResend", "RC packets sent again", PACKETS, WARNING, RETRANSMISSIONS),
    TOTAL("RcSeqNak", "NAKs for a missing packet sent", EVENTS, WARNING),
    TOTAL("RcTimeOut", "no ACK in time: loss, congestion or a dead peer", EVENTS, WARNING),
    TOTAL("RcvCstrErr", "packets dropped on receipt by partition", PACKETS, WARNING),
    TOTAL32("RcvHdrOvr", "packets dropped because a context's header queue was full", PACKETS, WARNING),
    TOTAL("RcvLimit", "times that the receive interrupt handler reached its limit of packets", EVENTS, INFO),
    TOTAL("RcvOverflow", "packets dropped because the receive buffer was full", PACKETS, ERROR),
    TOTAL("RdmaSeq", "read responses out of order, so the read was sent again", EVENTS, WARNING),
    TOTAL("RnrNak", "RNR NAKs received: the peer had no receive ready", EVENTS, WARNING, RNR_NAKS_RECEIVED),
    TOTAL32("RxCtxEgrS", "times that a context's eager buffers stalled receiving", EVENTS, WARNING),
    TOTAL("RxEbpCnt", "packets received that were marked bad on the way", PACKETS, WARNING),
    TOTAL("RxICrcErr", "packets received with a wrong checksum", PACKETS, ERROR, ICRC_ERRORS),
    TOTAL("RxLenErr", "packets received whose length isn't the announced one", PACKETS, ERROR),
    TOTAL("RxPkt", "packets received", PACKETS, INFO),
    TOTAL("RxShrErr", "packets received that are too short", PACKETS, ERROR),
    TOTAL32("RxTIDFullEr", "packets for expected receives that found no room", PACKETS, WARNING),
    TOTAL32("RxTIDInvalid", "packets for expected receives that aren't set up", PACKETS, WARNING),
    TOTAL32("RxTidFLGMs", "packets for expected receives of another generation", PACKETS, WARNING),
    TOTAL32("RxTidFLSMs", "packets for expected receives out of order", PACKETS, WARNING),
    SCALED("RxWords", "data received", BYTES, INFO, 4),
    TOTAL32("SDEDscFdCn", "descriptors fetched by an SDMA engine", REQUESTS, INFO),
    TOTAL32("SDMAErrCt", "errors of an SDMA engine", EVENTS, ERROR),
    TOTAL32("SDMAIdInt", "idle interrupts of an SDMA engine", EVENTS, INFO),
    TOTAL32("SDMAInt", "interrupts of an SDMA engine", EVENTS, INFO),
    TOTAL32("SDMAPrIntCn", "progress interrupts of an SDMA engine", EVENTS, INFO),
    TOTAL("SDmaHaltErr", "times that an error halted an SDMA engine", EVENTS, ERROR),
    TOTAL("SDmaTimeoutErr", "times that an SDMA engine timed out", EVENTS, ERROR),
    TOTAL("SendSched", "times that sending was scheduled", EVENTS, INFO),
    TOTAL("SeqDrop", "packets of the control context dropped because they came out of order", PACKETS, WARNING),
    TOTAL("SeqNak", "NAKs for a missing packet received: loss on the way", EVENTS, WARNING),
    TOTAL("SwLinkDown", "times that the link went down", EVENTS, ERROR),
    TOTAL("SwLinkUp", "times that the link came up", EVENTS, INFO),
    TOTAL("TidWait", "times that queue pairs waited for expected receive resources", EVENTS, INFO),
    TOTAL32("TxDropped", "packets dropped before sending", PACKETS, WARNING),
    SCALED("TxFlitVL", "data sent on a virtual lane", BYTES, INFO, 8),
    TOTAL32("TxFlowStall", "times that sending stalled for lack of credits", EVENTS, INFO),
    TOTAL32("TxHdrErr", "packets not sent because their header is wrong", PACKETS, ERROR),
    TOTAL32("TxInvalLen", "packets not sent because their length is invalid", PACKETS, ERROR),
    TOTAL("TxLinkdownErr", "packets not sent because the link was down", PACKETS, WARNING),
    TOTAL32("TxMMLenErr", "packets not sent because they are too long or too short", PACKETS, ERROR),
    TOTAL("TxPkt", "packets sent", PACKETS, INFO),
    TOTAL("TxPktVL", "packets sent on a virtual lane", PACKETS, INFO),
    TOTAL32("TxUnVLErr", "packets not sent because their virtual lane isn't supported", PACKETS, ERROR),
    TOTAL32("TxUnderrun", "packets cut off because the host was too slow", PACKETS, ERROR),
    TOTAL("TxWait", "time with data to send and nothing sent: no credit, or other packets first", TICKS, WARNING),
    TOTAL("TxWaitVL", "time with data of a virtual lane to send and nothing sent", TICKS, WARNING),
    SCALED("TxWords", "data sent", BYTES, INFO, 4),
    TOTAL("Unaligned", "packets received with unaligned data", PACKETS, INFO),
    TOTAL("UnknownFrame", "frames received of an unknown kind", PACKETS, WARNING),
    TOTAL("XmitCstrErr", "packets not sent because of partition", PACKETS, WARNING),
    TOTAL("XmitDscd", "packets dropped before sending: port down or congested", PACKETS, WARNING),
    TOTAL("XmitDscdVl", "packets of a virtual lane dropped before sending: port down or congested", PACKETS, WARNING),
    TOTAL("vTxWait", "times that queue pairs waited for a send request", EVENTS, INFO),
};
/* clang-format on */

/* The first that fits counts. */
/* clang-format off */
static const struct counter_def endings[] = {
    TOTAL("*DisallowedPacketErr", "packets of an SDMA engine or send buffer that the chip refused to send", PACKETS, ERROR),
    TOTAL("*BAD_ADDR_ERR", "accesses to a register of the chip that doesn't exist", EVENTS, ERROR),
    TOTAL("*BadAddrErr", "accesses to a register of the chip that doesn't exist", EVENTS, ERROR),
    TOTAL("*PARITY_ERR", "parity errors inside the chip: failing hardware if this grows", EVENTS, ERROR),
    TOTAL("*ParityError", "parity errors inside the chip: failing hardware if this grows", EVENTS, ERROR),
    TOTAL("*EncodingErr", "state machine errors inside the chip", EVENTS, ERROR),
    TOTAL("*ParityErr", "parity errors inside the chip: failing hardware if this grows", EVENTS, ERROR),
    TOTAL("*UncErr", "memory errors inside the chip that could not be corrected", EVENTS, ERROR),
    TOTAL("*CorErr", "memory errors inside the chip, corrected", EVENTS, WARNING),
    TOTAL("*_ERR", "errors that the chip's own checks found", EVENTS, ERROR),
    TOTAL("*Err", "errors that the chip's own checks found", EVENTS, ERROR),
};
/* clang-format on */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* The register with its number, its ",32", or both taken off, else by the name's ending. */
static const struct counter_def *other(const struct counter_table *table, const char *name)
{
    char base[64];
    size_t length = strlen(name);

    if (length >= sizeof base)
        return NULL;
    memcpy(base, name, length + 1);
    if (ends_with(base, ",32")) {
        base[length - 3] = '\0';
        return counter_table_find(table, base);
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(base, endings[i].name + 1))
            return &endings[i];
    while (length > 1 && base[length - 1] >= '0' && base[length - 1] <= '9')
        length--;
    if (!base[length])
        return NULL;
    base[length] = '\0';
    return counter_table_find(table, base);
}

const struct counter_table counter_table_hfi1 = {
    .family = "hfi1",
    .dir = "hw_counters",
    .defs = hfi1,
    .count = sizeof hfi1 / sizeof *hfi1,
    .other = other,
};
