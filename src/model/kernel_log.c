/* SPDX-License-Identifier: MIT */
/* Lines of the kernel's log that tell of trouble with a device. Each is as the driver's source has it; the
 * words are what stays the same in it. */
#include <string.h>

#include "base/base.h"
#include "model/system.h"

static const struct log_pattern patterns[] = {
    /* mlx5/core/events.c: mlx5_pcie_event(), port_module(), temp_warn(). The first is said of every DGX
     * Spark, also of those that reach their rate (github.com/NVIDIA/dgx-spark-playbooks/pull/108); a module
     * that gets too little has a line of its own. */
    { { "insufficient power on the PCIe slot", NULL },
      "the slot tells the card of less power than it may need",
      LOG_NOTICE },
    { { "Port module event", "Power budget exceeded" }, "the module gets too little power", LOG_ERROR },
    { { "Port module event", "powered down due to insufficient" },
      "ports are off, because the slot gives the card too little power",
      LOG_ERROR },
    { { "Port module event", "High Temperature" }, "the module is too hot", LOG_ERROR },
    { { "Port module event", "Cable error" }, "the cable or module failed", LOG_ERROR },
    { { "Port module event", "Cable unplugged" }, "the module was unplugged", LOG_LINK },
    { { "mlx5_core", "High temperature on sensors" }, "the NIC is too hot", LOG_ERROR },
    /* mlx5/core/cmd.c: mlx5_cmd_out_err(), wait_func() */
    { { "mlx5_cmd_out_err", "failed" }, "the firmware refused a command", LOG_WARNING },
    { { "mlx5_core", "timeout. Will cause a leak" }, "the firmware did not answer in time", LOG_ERROR },
    /* mlx5/core/health.c: poll_health(), print_health_info(), mlx5_health_try_recover(); severities as of
       syslog, from 4 up no error */
    { { "mlx5_core", "health recovery flow aborted" }, "the driver gave the device up", LOG_LASTING },
    { { "mlx5_core", "health compromised" }, "the firmware reports that it is unhealthy", LOG_ERROR },
    { { "mlx5_core", "Fatal error" }, "the firmware hit a fatal error", LOG_ERROR },
    { { "Health issue observed", "severity(4)" }, "the firmware warns of its health", LOG_WARNING },
    { { "Health issue observed", "severity(5)" }, "the firmware warns of its health", LOG_WARNING },
    { { "Health issue observed", "severity(6)" }, "the firmware warns of its health", LOG_WARNING },
    { { "Health issue observed", "severity(7)" }, "the firmware warns of its health", LOG_WARNING },
    { { "Health issue observed", NULL }, "the firmware reports that it is unhealthy", LOG_ERROR },
    /* bnxt/bnxt.c: bnxt_async_event_process() (its words before and since Linux 5.12), bnxt_hwrm.c */
    { { "bnxt_en", "Chip temperature has gone above" }, "the NIC's chip is too hot", LOG_ERROR },
    { { "bnxt_en", "hwrm req_type" }, "the firmware refused a command", LOG_WARNING },
    { { "bnxt_en", "Error (timeout" }, "the firmware did not answer in time", LOG_ERROR },
    { { "bnxt_en", "Firmware fatal reset event" }, "the firmware hit a fatal error and restarts", LOG_ERROR },
    { { "bnxt_en", "Firmware non-fatal reset event" }, "the firmware restarts", LOG_WARNING },
    /* bnxt_re/qplib_rcfw.c: bnxt_re_is_fw_stalled(). Its bit FIRMWARE_STALL_DETECTED, which no file shows,
     * refuses every later command. */
    { { "bnxt_en", "FW STALL Detected" }, "the firmware did not answer the RDMA driver", LOG_LASTING },
    /* ice/ice_main.c: ice_init_recovery(), ice_rebuild() */
    { { "ice", "Firmware recovery mode detected" }, "the firmware runs only in recovery mode", LOG_ERROR },
    { { "ice", "Rebuild failed, unload and reload driver" },
      "the NIC did not come back from a reset",
      LOG_ERROR },
    /* idpf_main.c: idpf_pci_err_detected(), whose words are ice's, too */
    { { "unrecoverable device", NULL }, "the NIC did not come back from a PCIe error", LOG_ERROR },
    /* irdma/hw.c: irdma_process_aeq(), the asynchronous event queue */
    { { "infiniband", "abnormal ae_id" }, "a queue pair ended in an error", LOG_WARNING },
    { { "infiniband", "Couldn't" }, "the RDMA core hit an error", LOG_WARNING },
    /* net/sched/sch_generic.c: dev_watchdog(); mlx5e_tx_timeout(), bnxt_tx_timeout() */
    { { "NETDEV WATCHDOG", "timed out" }, "the NIC sends no more: its transmit queue stands", LOG_ERROR },
    { { "TX timeout detected", NULL }, "the NIC sends no more: its transmit queue stands", LOG_ERROR },
    /* mlx5e_update_carrier(); bnxt_report_link(), ice_print_link_msg() */
    { { "Link down", NULL }, "the link went down", LOG_LINK },
    { { "NIC Link is Down", NULL }, "the link went down", LOG_LINK },
    /* iommu/intel/dmar.c: dmar_fault_do_one(); iommu/amd/iommu.c: amd_iommu_report_page_fault() */
    { { "DMAR:", "fault reason" }, "the IOMMU refused a transfer of the device", LOG_ERROR },
    { { "AMD-Vi: Event logged", "IO_PAGE_FAULT" }, "the IOMMU refused a transfer of the device", LOG_ERROR },
    /* pci/pcie/aer.c: aer_print_error(), aer_print_port_info() */
    { { "AER:", "Uncorrected" }, "a PCIe transfer failed and was not recovered", LOG_ERROR },
    { { "AER:", "Uncorrectable" }, "a PCIe transfer failed and was not recovered", LOG_ERROR },
    /* pci/pcie/err.c: pcie_do_recovery() */
    { { "AER:", "device recovery failed" },
      "the kernel could not bring devices back after a PCIe error",
      LOG_ERROR },
    { { "PCIe Bus Error", "severity=Uncorrect" }, "a PCIe transfer failed and was not recovered", LOG_ERROR },
};

const struct log_pattern *kernel_log_pattern(const char *line)
{
    /* Reading counters of a function that the firmware restricts gives such a line for each of them
     * (github.com/prometheus/node_exporter/issues/3434): who looks causes it. */
    if (strstr(line, "mlx5_cmd_out_err") && strstr(line, "ACCESS_REG"))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
        const char *first = strstr(line, patterns[i].words[0]);
        if (first && (!patterns[i].words[1] || strstr(first, patterns[i].words[1])))
            return &patterns[i];
    }
    return NULL;
}

/* A name or address, and not a part of a longer one. */
static bool has_word(const char *line, const char *word)
{
    static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t len = word ? strlen(word) : 0;
    for (const char *at = line; len && (at = strstr(at, word)); at++) {
        bool begins = at == line || !strchr(inside, at[-1]);
        bool ends = !at[len] || !strchr(inside, at[len]);
        if (begins && ends)
            return true;
    }
    return false;
}

bool kernel_log_names(const char *line, const char *address)
{
    if (!address)
        return false;
    if (has_word(line, address))
        return true;
    /* Both IOMMUs leave away the first domain: "Request device [17:00.0]", "device=17:00.0". */
    bool short_form = strncmp(address, "0000:", 5) == 0 && (strstr(line, "DMAR:") || strstr(line, "AMD-Vi:"));
    const char *at = short_form ? strstr(line, address + 5) : NULL;
    return at && at > line && (at[-1] == '[' || at[-1] == '=') && has_word(line, address + 5);
}

bool kernel_log_says(const char *line, const char *name)
{
    return has_word(line, name);
}
