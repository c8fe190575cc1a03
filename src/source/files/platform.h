/* SPDX-License-Identifier: MIT */
/* What PCI functions are besides their links: IOMMU, ACS, and the accelerators that NICs talk to. */
#pragma once

struct reader;

void read_platform(struct reader *reader);
