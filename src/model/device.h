/* SPDX-License-Identifier: MIT */
/* An RDMA device, its ports, counters, and the PCI functions below it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/counters.h"
#include "model/gid.h"
#include "model/num.h"

/* What the kernel counted of a PCI function's errors (Advanced Error Reporting), by severity and kind. From
 * drivers/pci/pcie/aer.c: aer_dev_correctable, aer_dev_nonfatal and aer_dev_fatal of the function's directory
 * hold "NAME COUNT" a line and a total at the end, TOTAL_ERR_COR and so on, since the function was found.
 * They tell what this function saw: of a link's two ends the receiving one sees the error. Errors that come
 * while an earlier one of their kind is handled are one bit of a register, and counted once. */

enum aer_severity {
    AER_CORRECTABLE, /* by the hardware, which sends the packet again: nothing is lost */
    AER_NONFATAL,    /* a transaction is lost */
    AER_FATAL,       /* the link is reset */
    AER_SEVERITIES
};
const char *aer_file(enum aer_severity severity); /* "aer_dev_correctable" */

struct aer_kind {
    const char *name; /* the kernel's: "BadTLP", "CmpltTO" */
    uint64_t count;
};

struct aer {
    bool known; /* false: the kernel has no such file, or it could not be read */
    struct aer_kind *kinds;
    size_t nkinds;
};

/* What a kind stands for. */
enum aer_nature {
    AER_OF_LINK, /* the link's signal: it was repeated, for a NIC a loss of speed where there are many */
    AER_SERIOUS, /* data or a transaction was lost */
    AER_HARMLESS,
};
enum aer_nature aer_nature(enum aer_severity severity, const char *kind);

struct arena;
/* One of the files. Lines that aren't "NAME COUNT" are passed over, and so is the total. Texts live in arena.
 */
struct aer aer_parse(const char *text, struct arena *arena);
/* 0 for a kind that isn't there. */
uint64_t aer_count(const struct aer *aer, const char *kind);

/* An RDMA device, its ports, counters, and the PCI functions below it. Text is as the machine gave it,
 * without the newline: clean it before it is shown. */

enum transport {
    TRANSPORT_UNKNOWN,
    TRANSPORT_INFINIBAND,
    TRANSPORT_ROCE,
    TRANSPORT_IWARP,
    TRANSPORT_USNIC,
    TRANSPORT_UNSPECIFIED, /* node_type 7: EFA's SRD and the like */
    TRANSPORT_MIXED,       /* a device with an InfiniBand and an Ethernet port */
};

enum link_layer { LINK_LAYER_UNKNOWN, LINK_LAYER_INFINIBAND, LINK_LAYER_ETHERNET };

/* enum ib_port_state and ib_port_phys_state as sysfs numbers them. */
enum {
    PORT_STATE_NOP,
    PORT_STATE_DOWN,
    PORT_STATE_INIT,
    PORT_STATE_ARMED,
    PORT_STATE_ACTIVE,
    PORT_STATE_ACTIVE_DEFER
};
enum { PHYS_STATE_SLEEP = 1, PHYS_STATE_POLLING, PHYS_STATE_DISABLED, PHYS_STATE_TRAINING, PHYS_STATE_LINK_UP };

/* One counter file. */
struct counter {
    const char *dir;               /* "counters", "hw_counters", "counters_ext" */
    const char *name;              /* the driver's file name, may hold commas */
    struct num raw;                /* as the file has it; not known: see err */
    int err;                       /* why it isn't known: errno, or ENODATA for "N/A (no PMA)" */
    const struct counter_def *def; /* NULL: the dictionary doesn't know it */
    enum counter_role role;        /* host_finish() */
};

/* A character device that user space opens. */
struct device_node {
    const char *name; /* "uverbs0"; NULL: the kernel has none */
    const char *path; /* "/dev/infiniband/uverbs0" */
    bool tried;
    int err;        /* 0: can be opened for reading and writing, else errno */
    struct num abi; /* uverbs abi_version of the provider interface */
};

struct pkey {
    uint32_t index;
    uint16_t value;
};

struct verbs_device; /* model/verbs.h */
struct device;

struct port {
    struct device *device;
    uint32_t number; /* from 1 */

    struct num state, phys_state;
    const char *state_text, *phys_state_text; /* "ACTIVE", "LinkUp" */
    const char *rate_text;                    /* "100 Gb/sec (4X EDR)" */
    struct num rate_mbps;
    int rate_err; /* errno of reading rate: EINVAL means no module or an unknown width */
    enum link_layer link_layer;
    const char *link_layer_text; /* "Ethernet", "InfiniBand", "Unknown" */
    enum transport transport;

    struct num lid, sm_lid, lmc, sm_sl, cap_mask;
    struct num pkey_table_len;
    struct pkey *pkeys; /* filled slots */
    size_t npkeys;

    struct num gid_table_len; /* slots; with a summary read not known */
    struct gid *gids;         /* filled slots, by index */
    size_t ngids;
    struct gid *bare_gids; /* InfiniBand: slots with the subnet's prefix and no GUID. Empty, but not to all of
                              the original tools */
    size_t nbare_gids;
    int gid0_err; /* with NEED_GIDS or NEED_GID_FIRST: errno of reading slot 0; 0: it is empty, or in one of
                     these */
    bool gids_complete; /* false: reading stopped as soon as a v1, a v2 and a routable v2 address were seen */

    struct num traffic_class, ttl; /* MLNX_OFED tc/N; traffic_class not known when its file is empty (unset) */
    bool has_tc;                   /* the directory is there */

    struct counter *counters;
    size_t ncounters;

    /* the kernel's own answer (nldev PORT_GET), NULL: not asked, or in another namespace */
    const char *netdev_nldev;
    bool nldev_answered; /* PORT_GET did */
    /* the netdev that this port is (host_finish): nldev's, else from GIDs, parent and dev_port */
    const char *netdev;
    bool elsewhere; /* that netdev is in another namespace, though one here has its name: host_finish() */
    /* bytes, computed from the netdev's MTU as the kernel does: no file has the real one */
    struct num roce_mtu;
    struct num cm_mode, cm_tos; /* RDMA_CM's default: enum gid_type, TOS byte */
    int cm_err;                 /* why they aren't known */
};

struct device {
    const char *name;
    struct num index; /* nldev's */
    struct num node_type;
    const char *node_type_text; /* "CA", "RNIC", "unspecified" */
    enum transport transport;
    struct num node_guid, sys_image_guid;                          /* host order */
    const char *fw_ver, *hw_rev, *hca_type, *board_id, *node_desc; /* NULL: no file; "": an empty one */
    const char *fw_ver_raw; /* fw_ver with its newline; vmw_pvrdma's has two */
    const char *protocol;   /* nldev's: "ib", "roce", "iw", "usnic" */

    const char *driver;     /* kernel driver of the parent; for soft devices "rxe" or "siw" */
    const char *parent;     /* "0000:17:00.0", "mlx5_core.sf.4", or a netdev's name */
    const char *parent_bus; /* "pci", "auxiliary", "virtual", NULL */
    const char *pci; /* address of the PCI function below it, also behind an auxiliary device; NULL: virtual */
    enum tristate roce_enabled;

    struct device_node uverbs;
    struct device_node *umads; /* one a port, at most */
    size_t numads;

    struct port *ports; /* by number */
    size_t nports;
    int ports_err;            /* errno of listing ports; 0: these are all there are */
    struct counter *counters; /* device-level hw_counters */
    size_t ncounters;
    struct verbs_device *verbs; /* NULL: not asked or not allowed */
    int verbs_err;              /* why there is none; 0: it wasn't asked for */
    bool verbs_opened;          /* libibverbs opened it, whatever it answered then */
    struct num verbs_order; /* sorts devices as libibverbs lists them; not known: it doesn't show this one */
};

/* An interrupt of a PCI function (MSI, MSI-X). */
struct vector {
    const char *irq;  /* its number */
    const char *cpus; /* that take it: "3"; NULL: not known */
};

struct pci {
    const char *address;     /* "0000:17:00.0" */
    const char *upstream;    /* address of the bridge above, NULL: a root port or a host bridge's own device */
    const char *root;        /* "pci0000:16" */
    const struct pci *above; /* that bridge, by host_finish(); NULL: none, or it isn't known yet: pci_above() */
    struct num vendor, device, subsystem_vendor, subsystem_device, class_code;
    /* with NEED_PCI_NAMES: "NVIDIA Corporation", "GH100 [H100 SXM5 80GB]"; NULL: not in pci.ids, or it isn't
     * there */
    const char *vendor_name, *model;
    const char *driver;
    struct snum numa_node; /* -1: the firmware doesn't say */
    const char *local_cpus;
    const char *link_speed, *link_speed_max; /* "16.0 GT/s PCIe" */
    struct num link_width, link_width_max;
    struct num sriov_vfs, sriov_vfs_max;
    const char *physfn; /* of a VF: its PF's address */
    const char *vpd;    /* vital product data as the function gives it; NULL: see vpd_err */
    size_t vpd_len;
    int vpd_err; /* ENOENT: it has none; 0 with vpd NULL: not asked */
    /* with NEED_CONFIG, of accelerators, of what RDMA devices sit on, and of the bridges above them, from their
     * configuration space; express_err: why it isn't known: EACCES (only root reads so far), ENODATA: it has
     * none */
    struct num payload, read_request; /* bytes: MPS, MRRS */
    enum tristate relaxed_ordering, extended_tags, ten_bit_tags;
    int express_err;
    bool config_asked;
    struct num acs;    /* ACS control register of a bridge, when config space could be read that far */
    int acs_err;       /* why it isn't known: EACCES (only root reads so far), ENODATA: it has none */
    enum tristate ats; /* are translations that the IOMMU lent to the function in use? */
    int ats_err;       /* likewise */
    /* with NEED_PEER_MEMORY, of accelerators and drives: bytes of its memory that others may be given (P2PDMA;
     * sysfs-bus-pci of the kernel's ABI), how many aren't given away, and whether others than its driver may */
    struct num p2p_size, p2p_available;
    enum tristate p2p_published;
    bool is_accelerator; /* a GPU or the like, which NICs may talk to directly */
    bool is_nvme;        /* a drive, which shares its links with them */
    bool is_data_direct; /* the DMA function of a ConnectX-8, beside a GPU: it has no RDMA device of its own */
    /* with NEED_CONFIG of accelerators and of what RDMA devices sit on, with NEED_PCIE of the bridges, too */
    struct num iommu_group;
    const char *iommu_type; /* "identity": not translated; "DMA", "DMA-FQ": translated */
    /* with NEED_IRQS, of what RDMA devices sit on */
    struct vector *vectors; /* the first 64 */
    size_t nvectors, nirqs; /* nirqs: all there are */
    int vectors_err;        /* why they aren't known; ENOENT: it has none */
    bool vectors_asked;
    /* with NEED_AER, of functions below RDMA devices and of the bridges above them; with NEED_PCIE of
     * accelerators and those above them, too */
    struct aer aer[AER_SEVERITIES];
    bool aer_asked;
    bool aer_here; /* a root port whose errors the kernel handles itself; else the firmware does, or nobody */
};

const char *transport_text(enum transport transport); /* "RoCE", …; NULL for UNKNOWN */
const char *link_layer_text(enum link_layer layer);   /* "InfiniBand", "Ethernet"; NULL for UNKNOWN */
enum link_layer link_layer_parse(const char *text);
/* What ports say together (device.transport): node_type decides iWARP, usNIC, unspecified; the link layers
 * the rest. */
enum transport device_transport(struct num node_type, const enum link_layer *layers, size_t nports);

/* "25 Gb/sec (1X EDR)" to 25000. 0, or -EINVAL. */
int rate_parse(const char *text, uint64_t *mbps);
/* "4: ACTIVE" to its number; *text points behind the blank (or at an empty string). 0, or -EINVAL. */
int state_parse(const char *line, uint64_t *number, const char **text);
/* "248a:0703:00b4:7a96" to a number. 0, or -EINVAL. */
int guid_parse(const char *text, uint64_t *guid);
enum { GUID_TEXT_SIZE = 20 };
void guid_format(uint64_t guid, char text[static GUID_TEXT_SIZE]); /* the same form */

/* The largest IB MTU (256 to 4096) that fits a netdev's MTU beside the largest RoCE headers, as the kernel
 * computes active_mtu; 0 when not even 256 fits. Hardware drivers use iboe_get_mtu()
 * (include/rdma/ib_addr.h): 96 bytes for GRH 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4. rxe reserves
 * RXE_MAX_HDR_LENGTH, 80 (rxe_param.h). driver may be NULL. */
unsigned roce_mtu(uint64_t netdev_mtu, const char *driver);

bool device_is_rxe(const struct device *device); /* soft-RoCE */
/* "mlx5", "bnxt_re", "irdma", "rxe", …: the family of its driver, NULL when it isn't known. */
const char *device_family(const struct device *device);
bool device_is_smi(const struct device *device);  /* mlx5's smi1: for subnet management, carries no traffic */
bool device_is_soft(const struct device *device); /* rxe or siw: no hardware, no PCI function */
bool port_is_roce(const struct port *port);
/* An Ethernet port without RoCE: the driver says so, or it has no GID table. False: on, or not read. */
bool port_has_roce_off(const struct port *port);
/* A port of MANA that has no GID table takes and gives raw packets, for DPDK: the cloud gives RDMA as a device
 * of its own (mana_ib_query_port() and mana_ib_is_rnic() of the kernel's drivers/infiniband/hw/mana). Until
 * Linux 6.10 the driver told nothing of a port, which reads as state NOP, one that no port is in, and makes
 * reading the rate fail with EINVAL (prometheus/node_exporter issue 3810). False: it isn't so, or wasn't read.
 */
bool port_is_raw(const struct port *port);
bool port_is_active(const struct port *port); /* ACTIVE, or ACTIVE_DEFER; false when the state isn't known */

struct port *device_port(const struct device *device, uint32_t number); /* NULL: none */
/* The port whose directory is called so: "01" is none. */
struct port *device_port_named(const struct device *device, const char *name);
struct gid *port_gid(const struct port *port, uint32_t index); /* NULL: empty or not read */
/* The same, bare ones too: what a tool sees that goes by all 16 bytes. */
const struct gid *port_slot(const struct port *port, uint32_t index);
/* Does one of its GIDs say its type, in words that are known or not? */
bool port_tells_types(const struct port *port);

/* The GID that stands for a port: the first routable RoCE v2 one, else the first routable, else the first;
 * NULL: none, and on iWARP, where a GID is no address but the MAC. */
const struct gid *port_main_gid(const struct port *port);
/* The first GID of the port that is routable and RoCE v2; NULL: none. */
const struct gid *port_first_routable(const struct port *port);
