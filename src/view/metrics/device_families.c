/* SPDX-License-Identifier: MIT */
/* What there is: roce itself, the devices, and what they are made of. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "model/resources.h"
#include "view/metrics/family.h"

static void fill_build(struct filling *filling)
{
    put(filling, with_label(filling, "", "version", roce_version), 1);
}

static const char *with_attributes(struct filling *filling, const struct target *target)
{
    const struct device *device = target->device;
    const char *labels = target->labels;
    char guid[GUID_TEXT_SIZE] = "", numa[24] = "";
    const struct pci *pci = target->pci;
    if (device->node_guid.known)
        guid_format(device->node_guid.value, guid);
    if (pci && pci->numa_node.known && pci->numa_node.value >= 0)
        snprintf(numa, sizeof(numa), "%" PRId64, pci->numa_node.value);
    labels = with_label(filling, labels, "driver", device->driver);
    labels = with_label(filling, labels, "transport", transport_text(device->transport));
    labels = with_label(filling, labels, "firmware_version", device->fw_ver);
    labels = with_label(filling, labels, "board_id", device->board_id);
    labels = with_label(filling, labels, "hca_type", device->hca_type);
    labels = with_label(filling, labels, "node_guid", guid);
    labels = with_label(filling, labels, "pci", device->pci);
    return with_label(filling, labels, "numa_node", numa);
}

static void fill_device_info(struct filling *filling)
{
    for (size_t i = 0; i < filling->devices.count; i++)
        put(filling, with_attributes(filling, &filling->devices.items[i]), 1);
}

/* No width is 0: the kernel writes it of what has no PCIe link of its own. */
static struct num pcie_width(const struct target *target)
{
    struct num width = target->pci ? target->pci->link_width : (struct num){ 0 };
    return num_if(width.known && width.value, width.value);
}

static struct num pcie_width_max(const struct target *target)
{
    struct num width = target->pci ? target->pci->link_width_max : (struct num){ 0 };
    return num_if(width.known && width.value, width.value);
}

static void fill_resources(struct filling *filling)
{
    const struct resources *resources = filling->metrics->host->resources;
    for (size_t i = 0; i < filling->devices.count; i++) {
        const struct target *target = &filling->devices.items[i];
        for (size_t k = 0; resources && k < resources->ntotals; k++)
            if (strcmp(resources->totals[k].device, target->device->name) == 0)
                put(filling, with_label(filling, target->labels, "resource", resources->totals[k].type),
                    resources->totals[k].count);
    }
}

const struct family families_devices[] = {
    { "build_info", "version", "the roce that made this", METRIC_INFO, .fill = fill_build },
    { "device_info", "device,driver,transport,firmware_version,board_id,hca_type,node_guid,pci,numa_node",
      "an RDMA device; a label is empty where neither driver nor kernel tells", METRIC_INFO,
      .needs = NEED_NODE_GUID | NEED_FW | NEED_BOARD | NEED_PCI_LINK, .fill = fill_device_info },
    { "device_pcie_width", "device", "PCIe lanes that the device uses", METRIC_GAUGE, .needs = NEED_PCI_LINK,
      .number = pcie_width },
    { "device_pcie_width_max", "device", "PCIe lanes that the device could use", METRIC_GAUGE,
      .needs = NEED_PCI_LINK, .number = pcie_width_max },
    { "device_resources", "device,resource",
      "what is open on the device, by all processes and the kernel: queue pairs (qp), completion queues (cq), memory regions (mr) and so on",
      METRIC_GAUGE, .needs = NEED_TOTALS, .fill = fill_resources },
    { 0 },
};
