/* SPDX-License-Identifier: MIT */
/* PCI functions and the bridges above them. */
#pragma once

struct reader;

/* Adds the functions on the way to what a link below sys leads to ("sys/class/net/eth0"); the address of the
 * last one, or NULL. */
const char *read_pci_chain(struct reader *reader, const char *link);
