/* SPDX-License-Identifier: MIT */
/* How far apart PCI functions are, and what the links between them can carry. Pure. */
#pragma once

#include "model/host.h"

struct arena;

/* Are several NUMA nodes online? */
bool host_has_numa(const struct host *host);

/* A function's NUMA node; also unknown for NULL, and if the firmware gives none (-1). */
struct num pci_numa(const struct pci *pci);

/* The words of `nvidia-smi topo -m`, nearest first, so that they can be compared. */
/* What each means, for the legend of tables and for explain. */
#define MEANS_PIX "at most one PCIe switch"
#define MEANS_PXB "several PCIe switches, no host bridge"
#define MEANS_PHB "one PCIe host bridge"
#define MEANS_NODE "several host bridges of one NUMA node"
#define MEANS_SYS "the link between NUMA nodes"

enum distance {
    DISTANCE_SELF, /* "X" */
    DISTANCE_PIX,  /* at most one PCIe switch between them */
    DISTANCE_PXB,  /* several switches, no host bridge */
    DISTANCE_PHB,  /* the same host bridge (pciDDDD:BB) */
    DISTANCE_NODE, /* different host bridges of one NUMA node */
    DISTANCE_SYS,  /* different NUMA nodes: across the link between sockets */
    DISTANCE_UNKNOWN,
    DISTANCES
};
const char *distance_text(enum distance distance);    /* "PIX"; "?" if it isn't known */
const char *distance_meaning(enum distance distance); /* for a legend */

/* The bridge above a function; NULL if there is none. */
const struct pci *pci_above(const struct host *host, const struct pci *pci);
/* Is the function the bridge itself, or below it? */
bool pci_is_below(const struct host *host, const struct pci *pci, const struct pci *bridge);
/* NULL is at an unknown distance from everything. */
enum distance pci_distance(const struct host *host, const struct pci *a, const struct pci *b);

/* "32.0 GT/s PCIe" to 32; 0 if it gives no speed, or an impossible one (2^20 or more). */
double giga_transfers(const char *text);
/* The Mb/s that a link carries: 8b/10b below 8 GT/s, 128b/130b (FLITs are nearly the same) from there on, less
 * a tenth for the headers of 256-byte packets. */
double pcie_mbps(double transfers, uint64_t lanes);

/* The slowest link between two functions, by its current width and speed; but an accelerator's link slows down
 * while idle, so for it the highest speed that both ends support counts. */
struct pci_path {
    enum distance distance;
    double mbps;            /* of the slowest; 0: unknown for every link on the path */
    const struct pci *slow; /* the function below the slowest link; NULL with mbps 0 */
};
struct pci_path pci_path(const struct host *host, const struct pci *a, const struct pci *b);

bool pci_is_bridge(const struct pci *pci); /* to PCI; false if that isn't known */
bool pci_is_infiniband(const struct pci *pci);
/* Is that the address, or the address without its domain when that is 0? address may be NULL. */
bool pci_is_called(const char *address, const char *name);
/* Are two addresses functions of one card: the same except after the dot? */
bool pci_is_one_card(const char *a, const char *b);

/* A card on two PCIe links (Socket Direct, the ConnectX-7 of a DGX Spark) has two functions for a port, which
 * share its cable: returns the other function's port if that is ACTIVE and has an IP address, else NULL. */
const struct port *port_other_half(const struct host *host, const struct port *port);

/* Orders addresses as the kernel numbers functions: hexadecimal, a domain of five digits after those of
 * four. */
int pci_address_compare(const char *a, const char *b);

/* The accelerators by address, as NVML and ROCm number them; an array in arena. */
const struct pci **host_accelerators(const struct host *host, struct arena *arena, size_t *count);
bool host_has_accelerator(const struct host *host);
/* "NVIDIA", "AMD", "Intel", "Habana", or another's name from pci.ids; NULL if it isn't known. */
const char *accelerator_vendor(const struct pci *pci);
/* Is it half of a superchip, whose CPU it reaches over NVLink-C2C? */
bool accelerator_has_c2c(const struct pci *pci);
