/* SPDX-License-Identifier: MIT */
/* An RDMA device, its ports, counters, and the PCI functions below it. */
#pragma once

#include "lists.h"
#include "model/counters.h"
#include "model/gid.h"

/* A PCI function's errors as the kernel counted them (Advanced Error Reporting), by severity and kind. From
 * drivers/pci/pcie/aer.c: aer_dev_correctable, aer_dev_nonfatal and aer_dev_fatal of the function's directory
 * hold a "NAME COUNT" line per kind and a final total, TOTAL_ERR_COR and so on, since the function was found.
 * They show what this function saw: the receiving end of a link sees the error. Errors that arrive while an
 * earlier one of their kind is being handled share one register bit and count once. */

enum aer_severity {
    AER_CORRECTABLE, /* corrected by the hardware, which resends the packet: nothing is lost */
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

/* What a kind of error means. */
enum aer_nature {
    AER_OF_LINK, /* signal integrity: the packet was resent; many of these slow a NIC down */
    AER_SERIOUS, /* data or a transaction was lost */
    AER_HARMLESS,
};
enum aer_nature aer_nature(enum aer_severity severity, const char *kind);

struct arena;
/* Parses one of the files. Skips lines that aren't "NAME COUNT", and the total. Texts live in arena. */
struct aer aer_parse(const char *text, struct arena *arena);
/* 0 if the kind isn't listed. */
uint64_t aer_count(const struct aer *aer, const char *kind);

/* An RDMA device, its ports, counters, and the PCI functions below it. Text is as the machine gave it, without
 * the newline: clean it before showing it. */

ENUM_TRANSPORT;

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
    const char *name;              /* the driver's file name, may contain commas */
    struct num raw;                /* as in the file; not known: see err */
    int err;                       /* why it isn't known: errno, or ENODATA for "N/A (no PMA)" */
    const struct counter_def *def; /* NULL if the dictionary doesn't know it */
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

    struct num gid_table_len; /* slots; not known when only a summary was read */
    struct gid *gids;         /* filled slots, by index */
    size_t ngids;
    const struct gid **by_raw; /* set by host_finish(): the same, by their bytes, then by index */
    struct gid *bare_gids; /* InfiniBand: slots with the subnet prefix but no GUID. Some of the original tools
                              don't treat them as empty */
    size_t nbare_gids;
    int gid0_err; /* with NEED_GIDS or NEED_GID_FIRST: errno of reading slot 0; 0: it is empty, or in one of
                     these arrays */

    struct num traffic_class, ttl; /* MLNX_OFED tc/N; traffic_class not known when its file is empty (unset) */
    bool has_tc;                   /* the directory is there */

    struct counter *counters;
    size_t ncounters;

    /* the kernel's own answer (nldev PORT_GET); NULL: not asked, or in another namespace */
    const char *netdev_nldev;
    bool nldev_answered; /* to PORT_GET */
    /* this port's netdev (host_finish): nldev's, else derived from GIDs, parent and dev_port */
    const char *netdev;
    bool elsewhere; /* that netdev is in another namespace, though one here has the same name: host_finish() */
    bool is_joined; /* host_finish() has set its_netdev: port_netdev() */
    struct netdev *its_netdev;
    /* bytes, computed from the netdev's MTU as the kernel does: no file shows the real one */
    struct num roce_mtu;
    struct num cm_mode, cm_tos; /* RDMA_CM's defaults: enum gid_type, TOS byte */
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

    const char *driver;     /* kernel driver of the parent; "rxe" or "siw" for soft devices */
    const char *parent;     /* "0000:17:00.0", "mlx5_core.sf.4", or a netdev's name */
    const char *parent_bus; /* "pci", "auxiliary", "virtual", NULL */
    const char *pci; /* address of the PCI function below it, even behind an auxiliary device; NULL: virtual */
    const struct pci *function; /* the same, set by host_finish(): device_function() */
    enum tristate roce_enabled;

    struct device_node uverbs;
    struct device_node *umads; /* at most one per port */
    size_t numads;

    struct port *ports; /* by number */
    size_t nports;
    int ports_err;            /* errno of listing ports; 0: these are all there are */
    struct counter *counters; /* device-level hw_counters */
    size_t ncounters;
    struct verbs_device *verbs; /* NULL: not asked or not allowed */
    int verbs_err;              /* why there is none; 0: not asked for */
    bool verbs_opened;          /* libibverbs opened it, whatever it then answered */
    struct num verbs_order;     /* position in libibverbs' list; not known: it doesn't show this device */
};

/* An interrupt of a PCI function (MSI, MSI-X). */
struct vector {
    const char *irq;  /* number */
    const char *cpus; /* the CPUs that handle it: "3"; NULL: not known */
};

struct pci {
    const char *address;     /* "0000:17:00.0" */
    const char *upstream;    /* address of the bridge above, NULL: a root port or a host bridge's own device */
    const char *root;        /* "pci0000:16" */
    const struct pci *above; /* that bridge, from host_finish(); NULL: none, or not known yet: pci_above() */
    struct num vendor, device, subsystem_vendor, subsystem_device, class_code;
    /* with NEED_PCI_NAMES: "NVIDIA Corporation", "GH100 [H100 SXM5 80GB]"; NULL: not in pci.ids, or there is no
     * such file */
    const char *vendor_name, *model;
    const char *driver;
    struct snum numa_node; /* -1: the firmware doesn't say */
    const char *local_cpus;
    const char *link_speed, *link_speed_max; /* "16.0 GT/s PCIe" */
    struct num link_width, link_width_max;
    struct num sriov_vfs, sriov_vfs_max;
    const char *physfn; /* of a VF: its PF's address */
    const char **vfs;   /* of a PF: its VFs' addresses, by number */
    size_t nvfs;
    const char *vpd; /* vital product data as the function gives it; NULL: see vpd_err */
    size_t vpd_len;
    int vpd_err; /* ENOENT: it has none; 0 with vpd NULL: not asked */
    /* with NEED_CONFIG, for accelerators, the functions of RDMA devices and the bridges above them, from their
     * configuration space; express_err: why they aren't known: EACCES (only root can read that far), ENODATA:
     * there is no such capability */
    struct num payload, read_request; /* bytes: MPS, MRRS */
    enum tristate relaxed_ordering, extended_tags, ten_bit_tags;
    int express_err;
    bool config_asked;
    struct num acs;    /* a bridge's ACS control register, if config space could be read that far */
    int acs_err;       /* why it isn't known: EACCES (only root can read that far), ENODATA: it has none */
    enum tristate ats; /* does the function use translations supplied by the IOMMU? */
    int ats_err;       /* likewise */
    /* with NEED_PEER_MEMORY, for accelerators and drives: bytes of its memory available to peers (P2PDMA;
     * sysfs-bus-pci of the kernel's ABI), how many of them are still free, and whether anyone but its driver
     * may use them */
    struct num p2p_size, p2p_available;
    enum tristate p2p_published;
    bool is_accelerator; /* a GPU or the like, whose memory NICs may access directly */
    bool is_nvme;        /* a drive, which shares links with them */
    bool is_adapter; /* for RDMA by its class or vendor, not virtual; has neither a netdev nor an RDMA device */
    bool is_data_direct; /* a ConnectX-8's DMA function next to a GPU: it has no RDMA device of its own */
    /* with NEED_CONFIG for accelerators and functions of RDMA devices; with NEED_PCIE for the bridges as well
     */
    struct num iommu_group;
    const char *iommu_type; /* "identity": no translation; "DMA", "DMA-FQ": translated */
    /* with NEED_IRQS, for the functions of RDMA devices */
    struct vector *vectors; /* the first 64 */
    size_t nvectors, nirqs; /* nirqs: all there are */
    int vectors_err;        /* why they aren't known; ENOENT: it has none */
    bool vectors_asked;
    /* with NEED_AER, for the functions of RDMA devices and the bridges above them; with NEED_PCIE also
     * for accelerators and the bridges above them */
    struct aer aer[AER_SEVERITIES];
    bool aer_asked;
    bool aer_here; /* a root port whose errors the kernel handles itself; else the firmware does, or nothing */
};

const char *transport_text(enum transport transport); /* "RoCE", …; NULL for UNKNOWN */
const char *link_layer_text(enum link_layer layer);   /* "InfiniBand", "Ethernet"; NULL for UNKNOWN */
enum link_layer link_layer_parse(const char *text);
/* The transport of all ports together (device.transport): node_type decides iWARP, usNIC and unspecified, the
 * link layers the rest. */
enum transport device_transport(struct num node_type, const enum link_layer *layers, size_t nports);

/* "25 Gb/sec (1X EDR)" to 25000. 0, or -EINVAL. */
int rate_parse(const char *text, uint64_t *mbps);
/* "4: ACTIVE" to its number; *text points past the blank (or at an empty string). 0, or -EINVAL. */
int state_parse(const char *line, uint64_t *number, const char **text);

/* The largest IB MTU (256 to 4096) that fits into a netdev's MTU together with the largest RoCE headers, as the
 * kernel computes active_mtu; 0 when not even 256 fits. Hardware drivers use iboe_get_mtu()
 * (include/rdma/ib_addr.h): 96 bytes for GRH 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4. rxe reserves
 * RXE_MAX_HDR_LENGTH, 80 (rxe_param.h). driver may be NULL. */
unsigned roce_mtu(uint64_t netdev_mtu, const char *driver);

bool device_is_rxe(const struct device *device); /* soft-RoCE */
/* "mlx5", "bnxt_re", "irdma", "rxe", …: the family of its driver; NULL if it isn't known. */
const char *device_family(const struct device *device);
bool device_is_smi(const struct device *device);  /* mlx5's smi1: for subnet management, carries no traffic */
bool device_is_soft(const struct device *device); /* rxe or siw: no hardware, no PCI function */
bool port_is_roce(const struct port *port);
/* Is it an Ethernet port with RoCE off: the driver says so, or it has no GID table? False: on, or not read. */
bool port_has_roce_off(const struct port *port);
/* A MANA port without a GID table carries raw packets, for DPDK: the cloud provides RDMA as a separate device
 * (mana_ib_query_port() and mana_ib_is_rnic() of the kernel's drivers/infiniband/hw/mana). Until Linux 6.10 the
 * driver reported nothing about a port, which reads as state NOP, which no port is ever in, and makes
 * reading the rate fail with EINVAL (prometheus/node_exporter issue 3810). False: not raw, or not read. */
bool port_is_raw(const struct port *port);
bool port_is_active(const struct port *port); /* ACTIVE or ACTIVE_DEFER; false if the state isn't known */

/* The counter of this name and directory; NULL if there is none. */
const struct counter *counter_like(const struct counter *counters, size_t count, const struct counter *like);
/* The same among the port's own, else its device's. */
const struct counter *port_counter_like(const struct port *port, const struct counter *like);
struct port *device_port(const struct device *device, uint32_t number); /* NULL: none */
/* The port whose directory has this name; "01" matches none. */
struct port *device_port_named(const struct device *device, const char *name);
struct gid *port_gid(const struct port *port, uint32_t index); /* NULL: empty or not read */
/* The port's GIDs of these bytes, one after the other: the one after previous, or the first with NULL; NULL: no
 * more. */
const struct gid *port_next_gid(const struct port *port, const uint8_t raw[static 16],
                                const struct gid *previous);
struct arena;
void port_order_gids(struct port *port, struct arena *arena); /* after that they are found at once */
/* The same, including bare ones: what a tool that looks at all 16 bytes sees. */
const struct gid *port_slot(const struct port *port, uint32_t index);
/* Does any of its GIDs state its type, whether or not roce knows the word? */
bool port_tells_types(const struct port *port);

/* The GID with the highest score, the first if several tie; scores below 0 don't count. NULL if none does. */
const struct gid *port_best_gid(const struct port *port, int (*score)(const struct gid *gid, const void *data),
                                const void *data);
/* The GID that represents a port: the first routable RoCE v2 one, else the first routable, else the first. NULL
 * if there is none, and on iWARP, where a GID is the MAC and not an address. */
const struct gid *port_main_gid(const struct port *port);
/* The port's first routable RoCE v2 GID; NULL if there is none. */
const struct gid *port_first_routable(const struct port *port);
