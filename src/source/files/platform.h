/* SPDX-License-Identifier: MIT */
/* What PCI functions are besides their links: IOMMU, ACS, and the accelerators that NICs talk to. */
#pragma once

struct reader;

/* With NEED_PEERS: accelerators, NVMe drives, NUMA nodes. */
void read_platform(struct reader *reader);
/* With NEED_PCI_NAMES, behind it: what pci.ids calls devices' functions, accelerators and drives. */
void read_pci_names(struct reader *reader);
/* With NEED_PEER_MEMORY, behind it: who lends accelerators' and drives' memory. */
void read_peer_memory(struct reader *reader);
/* With NEED_CONFIG, behind it: their configuration space and IOMMU groups. */
void read_configs(struct reader *reader);
