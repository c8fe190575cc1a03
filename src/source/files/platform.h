/* SPDX-License-Identifier: MIT */
/* What PCI functions are besides their links: IOMMU, ACS, and the accelerators that NICs talk to. */
#pragma once

struct reader;

/* With NEED_PEERS: accelerators, NVMe drives, NUMA nodes. */
void read_platform(struct reader *reader);
/* With NEED_CONFIG, behind it: their configuration space and IOMMU groups, and who lends accelerators' memory. */
void read_configs(struct reader *reader);
