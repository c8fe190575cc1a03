/* SPDX-License-Identifier: MIT */
/* pcie-acs: Access Control Services of the bridges between a NIC and accelerators, by the kind of machine.
 * Private to check/. */
#pragma once

#include "check/judge.h"

/* On NVIDIA's platforms as kernel-boot/rdma_topo of rdma-core has it, on all others: nothing redirects what
 * they exchange. Of a device. */
enum verdict judge_acs(const struct subject *subject, struct judgement *judgement);
