/* SPDX-License-Identifier: MIT */
/* Words that don't reveal whose machine it is, from text that anybody could have written. */
#include "source/anonymise/anonymise.h"

#include <arpa/inet.h>

#include "model/system.h"

bool words_have(const char *words, size_t words_len, const char *word, size_t len)
{
    const char *end = words + words_len;
    for (size_t size; words < end; words += size + 1) {
        const char *bar = memchr(words, '|', (size_t)(end - words));
        size = (size_t)((bar ? bar : end) - words);
        if (size == len && memcmp(words, word, len) == 0)
            return true;
    }
    return false;
}

#define IS_IN(words, word, len) words_have((words), strlen(words), (word), (len))

static bool is_number(const char *text, size_t len)
{
    size_t at = len > 2 && text[0] == '0' && text[1] == 'x' ? 2 : 0, digits = at;
    while (at < len && (digits ? isxdigit((unsigned char)text[at]) : isdigit((unsigned char)text[at])))
        at++;
    return len > 0 && len <= 10 && at == len;
}

/* A word in the list, possibly followed by a number: "el9", "amzn2023". */
static bool is_numbered(const char *words, const char *text, size_t len)
{
    size_t word = len;
    while (word && isdigit((unsigned char)text[word - 1]))
        word--;
    return len - word <= 6 && IS_IN(words, text, word);
}

/* -- modules and programs ------------------------------------------------------------------------------- */

static const char modules[] =
    "8021q|auxiliary|be2net|bnxt_en|bnxt_re|bonding|bridge|configfs|cxgb4|efa|ena|enic|erdma|"
    "gdrdrv|hclge|hfi1|hfi1verbs|hns|hns3|hns_roce|hns_roce_hw_v2|hv_netvsc|i40e|i40iw|ib_cm|"
    "ib_core|ib_ipoib|ib_iser|ib_isert|ib_mthca|ib_qib|ib_srp|ib_srpt|ib_umad|ib_uverbs|ice|idpf|"
    "infiniband|ionic|ionic_rdma|ipathverbs|ipoib|ipvlan|irdma|iw_cm|iw_cxgb4|iwarp|iwpmd|"
    "macvlan|mana|mana_ib|mlx4|mlx4_core|mlx4_en|mlx4_ib|mlx5|mlx5_core|mlx5_fwctl|mlx5_ib|"
    "mlx5_vdpa|mlxfw|mthca|nf_tables|nv_peer_mem|nvidia|nvidia_peermem|nvme|nvme_fabrics|"
    "nvme_rdma|nvmet|nvmet_rdma|ocrdma|opa|opa_vnic|pds_core|qed|qede|qedr|rdma|rdma_cm|rdma_rxe|"
    "rdma_ucm|rdmavt|rds|rds_rdma|roce|rpcrdma|rxe|siw|smc|sunrpc|svcrdma|usnic_verbs|vmw_pvrdma|"
    "vmxnet3|vxlan|xprtrdma|AER:|pcieport|nvmet-rdma|nvme-rdma|cifs|ksmbd|smbdirect|ko2iblnd|"
    "iscsi_iser|iscsi_tcp|ib_mad|ib_sa|smc_diag|ceph|libceph";

static const char programs[] =
    "ib_atomic_bw|ib_atomic_lat|ib_read_bw|ib_read_lat|ib_send_bw|ib_send_lat|ib_write_bw|"
    "ib_write_lat|ibv_rc_pingpong|ibv_srq_pingpong|ibv_uc_pingpong|ibv_ud_pingpong|"
    "ibv_xsrq_pingpon|ibv_devinfo|mckey|opensm|python|python3|qperf|rdma_client|rdma_server|roce|"
    "rping|rstream|srp_daemon|ucmatose|udaddy|ucx_perftest";

static void put_known(const struct anonymiser *anonymiser, const char *words, const char *what,
                      const char *name, size_t len, struct bytes *out)
{
    if (IS_IN(words, name, len))
        bytes_append(out, name, len);
    else
        anonymise_word(anonymiser, what, name, len, out);
}

void words_put_module(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out)
{
    put_known(anonymiser, modules, "module", name, len, out);
}

void words_put_program(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out)
{
    put_known(anonymiser, programs, "program", name, len, out);
}

/* -- kernel and distribution ---------------------------------------------------------------------------- */

static const char release_words[] =
    "rc|el|fc|deb|amzn|al|lp|bpo|generic|default|azure|aws|gcp|gke|kvm|oracle|lowlatency|rt|"
    "cloud|amd|arm|x86|x|aarch|ppc|s390x|riscv|uek|el8uek|el9uek|tlinux|an|oe|tegra|lts|xlnx|"
    "arch|hwe|fips|preempt|ppc64le|bluefield|nvidia|debug|k";

void words_put_release(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    size_t before = out->len;
    char *release = mem_printf("%.*s", (int)len, text);
    (void)anonymiser;
    for (const char *at = release; *at;) {
        size_t blank = strspn(at, "-._+~"), size = strcspn(at + blank, "-._+~");
        const char *word = at + blank;
        if (is_number(word, size) || is_numbered(release_words, word, size))
            bytes_append(out, out->len == before ? word : at, size + (out->len == before ? 0 : blank));
        at += blank + size;
    }
    free(release);
}

static const char distribution_words[] =
    "debian|ubuntu|rhel|centos|fedora|rocky|almalinux|ol|sles|suse|opensuse|opensuse-leap|amzn|"
    "alinux|anolis|arch|alpine|flatcar|azurelinux|mariner|photon|gentoo|nixos|talos|cos|"
    "bottlerocket|linux|openeuler|openEuler|kylin|Debian|GNU/Linux|Linux|Ubuntu|LTS|Red|Hat|"
    "Enterprise|Server|CentOS|Stream|Fedora|Rocky|AlmaLinux|Oracle|SUSE|openSUSE|Leap|Tumbleweed|"
    "Amazon|Alibaba|Cloud|Azure|Alpine|Arch|Flatcar|Container|SP|Core|CoreOS|Microsoft|VMware|"
    "Photon|v";

void words_put_distribution(const struct anonymiser *anonymiser, const char *text, size_t len,
                            struct bytes *out)
{
    const char *end = text + len;
    bool first = true;
    (void)anonymiser;
    bytes_append(out, "\"", 1);
    while (text < end) {
        size_t size = 0;
        while (text + size < end && !strchr(" \t\"'()", text[size]))
            size++;
        const char *dot = memchr(text, '.', size);
        bool version = size && size <= 16 && dot;
        for (size_t i = 0; version && i < size; i++)
            version = isdigit((unsigned char)text[i]) || text[i] == '.';
        if (size && (version || is_number(text, size) || is_numbered(distribution_words, text, size))) {
            bytes_printf(out, "%s%.*s", first ? "" : " ", (int)size, text);
            first = false;
        }
        text += size + 1;
    }
    bytes_append(out, "\"", 1);
}

/* -- parameters and variables --------------------------------------------------------------------------- */

static bool is_plain(const char *text, size_t len)
{
    static const char words[] = "y|n|yes|no|Y|N|true|false|on|off|t";
    return is_number(text, len) || IS_IN(words, text, len);
}

static bool is_parameter(const char *text, size_t len)
{
    static const char names[] =
        "iommu|intel_iommu|amd_iommu|iommu.passthrough|iommu.strict|pci|pcie_aspm|pci_pt_e820_access|"
        "pcie_ports|pcie_port_pm|nopat";
    static const char values[] =
        "pt|force|strict|lazy|merge|nomerge|soft|igfx_off|sm_on|sm_off|realloc|noats|nomsi|noaer|"
        "nocrs|assign-busses|native|compat|pcie_bus_safe|pcie_bus_perf|pcie_bus_peer2peer|norom";
    const char *equals = memchr(text, '=', len);
    size_t name = equals ? (size_t)(equals - text) : len;
    if (!IS_IN(names, text, name))
        return false;
    for (size_t at = name + 1, size; at < len; at += size + 1) {
        for (size = 0; at + size < len && text[at + size] != ','; size++)
            ;
        if (!is_plain(text + at, size) && !IS_IN(values, text + at, size))
            return false;
    }
    return true;
}

void words_put_parameters(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    const char *blank = "";
    (void)anonymiser;
    for (size_t at = 0, size; at < len; at += size + 1) {
        for (size = 0; at + size < len && !strchr(" \t", text[at + size]); size++)
            ;
        if (!is_parameter(text + at, size))
            continue;
        bytes_printf(out, "%s%.*s", blank, (int)size, text + at);
        blank = " ";
    }
}

void words_put_flag(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    size_t size = 0;
    (void)anonymiser;
    while (len && *text == '"') {
        text++;
        len--;
    }
    while (size < len && !strchr(" \t\"#;", text[size]))
        size++;
    if (size && (is_plain(text, size) || (size == 7 && memcmp(text, "nfsrdma", size) == 0)))
        bytes_append(out, text, size);
    else if (size)
        bytes_printf(out, "other");
}

void words_put_conf_file(const struct anonymiser *anonymiser, const char *path, struct bytes *out)
{
    static const char usual[] = "~/.nccl.conf|~/.rccl.conf|~/ucx.conf|./ucx.conf|~/.openmpi/mca-params.conf";
    if (IS_IN(usual, path, strlen(path)))
        bytes_printf(out, "%s", path);
    else
        anonymise_word(anonymiser, "/conf", path, strlen(path), out);
}

static bool is_judged(const char *name, size_t len)
{
    static const char names[] =
        "FI_PROVIDER|I_MPI_OFI_PROVIDER|NCCL_IB_ADDR_FAMILY|NCCL_IB_ADDR_RANGE|NCCL_IB_DISABLE|"
        "NCCL_IB_GID_INDEX|NCCL_IB_HCA|NCCL_IB_ROCE_VERSION_NUM|NCCL_IB_ROUTABLE_FLID_GID_INDEX|"
        "NCCL_IB_PKEY|NCCL_IB_TC|NCCL_IB_SL|NCCL_NET|NCCL_SOCKET_IFNAME|OMPI_MCA_btl|"
        "OMPI_MCA_btl_openib_cpc_include|OMPI_MCA_pml|UCX_IB_GID_INDEX|UCX_IB_ROCE_SUBNETS|UCX_IB_SL|"
        "UCX_IB_TRAFFIC_CLASS|UCX_NET_DEVICES|UCX_SOCKADDR_TLS_PRIORITY|UCX_TLS";
    return IS_IN(names, name, len);
}

static const char *stand_in(const char *name, size_t len)
{
    static const char *const begins[] = { "NCCL_", "RCCL_", "UCX_", "OMPI_MCA_btl", "OMPI_MCA_pml" };
    for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
        if (len >= strlen(begins[i]) && memcmp(name, begins[i], strlen(begins[i])) == 0)
            return begins[i];
    return NULL;
}

/* An address, possibly followed by "/24" or ":4791". */
static bool put_address(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    char copy[64];
    uint8_t raw[16];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    copy[strcspn(copy, "/")] = '\0';
    bool is_v6 = inet_pton(AF_INET6, copy, raw) == 1;
    if (!is_v6)
        copy[strcspn(copy, ":")] = '\0';
    if (!is_v6 && inet_pton(AF_INET, copy, raw) != 1)
        return false;
    size_t address = strlen(copy);
    if (address < len && !is_number(text + address + 1, len - address - 1))
        return false;
    anonymise_text(anonymiser, copy, address, out);
    bytes_append(out, text + address, len - address);
    return true;
}

static void put_element(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    static const char words[] =
        "all|self|sm|shm|tcp|rc|rc_x|rc_v|rc_mlx5|rc_verbs|ud|ud_x|ud_v|ud_mlx5|ud_verbs|dc|dc_x|"
        "dc_mlx5|ib|cma|knem|xpmem|sysv|posix|mm|cuda|cuda_copy|cuda_ipc|gdr_copy|rocm|auto|inf|"
        "AF_INET|AF_INET6|gga_mlx5|rocm_copy|IB|Socket|ucx|ob1|cm|openib|uct|ofi|usnic|portals4|ugni|"
        "vader|rdmacm|udcm|sockcm|verbs|ofi_rxm|ofi_rxd";
    if (len == 0 || is_plain(text, len) || IS_IN(words, text, len)) {
        bytes_append(out, text, len);
        return;
    }
    if (put_address(anonymiser, text, len, out))
        return;
    size_t name = 0;
    while (name < len && text[name] != ':' && text[name] != '/')
        name++;
    anonymise_name(anonymiser, text, name, out);
    if (name + 1 < len && is_number(text + name + 1, len - name - 1)) /* the port */
        bytes_append(out, text + name, len - name);
}

/* Names of devices, addresses, numbers and known words; keeps the separators between them. */
static void put_variable_value(const struct anonymiser *anonymiser, const char *value, size_t len,
                               struct bytes *out)
{
    static const char separators[] = ", \t^=;";
    for (size_t at = 0, size; at <= len; at += size + 1) {
        for (size = 0; at + size < len && !strchr(separators, value[at + size]); size++)
            ;
        put_element(anonymiser, value + at, size, out);
        if (at + size < len)
            bytes_append(out, value + at + size, 1);
    }
}

/* A variable that isn't judged only keeps its library, to show that this is used. */
void words_put_variable(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    const char *equals = memchr(text, '=', len);
    size_t name = equals ? (size_t)(equals - text) : 0;
    const char *other = stand_in(text, name);
    if (equals && is_judged(text, name)) {
        bytes_append(out, text, name + 1);
        put_variable_value(anonymiser, equals + 1, len - name - 1, out);
    } else if (other) {
        bytes_printf(out, "%s_other=", other);
    }
}

/* -- the kernel's log ----------------------------------------------------------------------------------- */

static bool is_pci_address(const char *word, size_t len)
{
    unsigned domain, bus, slot, function;
    int used = 0;
    char copy[24];
    snprintf(copy, sizeof(copy), "%.*s", (int)len, word);
    return sscanf(copy, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &used) == 4 &&
           (size_t)used + 1 >= len && len < sizeof(copy);
}

/* One word: a PCI function or module stays; what ends in a colon may be a device's name. */
static void put_log_word(const struct anonymiser *anonymiser, const char *word, size_t len, struct bytes *out)
{
    bool colon = len && word[len - 1] == ':';
    if (is_pci_address(word, len) || IS_IN(modules, word, len - colon)) {
        bytes_printf(out, "%.*s ", (int)len, word);
    } else if (colon && isalpha((unsigned char)*word)) {
        anonymise_name(anonymiser, word, len - 1, out);
        bytes_append(out, ": ", 2);
    }
}

/* A line of the kernel log, possibly after its age, that matches the same pattern, or nothing. */
void words_put_log(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    struct bytes kept = { 0 };
    unsigned long long age;
    int aged = 0;
    char *copy = mem_printf("%.*s", (int)len, text), *line = copy;
    if (sscanf(copy, "[%llu s ago] %n", &age, &aged) == 1 && aged)
        line += aged;
    else
        aged = 0;
    const struct log_pattern *pattern = kernel_log_pattern(line);
    const char *first = pattern ? strstr(line, pattern->words[0]) : line;
    bytes_append(&kept, "", 0);
    for (const char *at = line; at < first;) {
        size_t size = strcspn(at, " ");
        put_log_word(anonymiser, at, size, &kept);
        at += size + (at[size] == ' ');
    }
    if (pattern) {
        bytes_printf(&kept, "%s ", pattern->words[0]);
        const char *behind = first + strlen(pattern->words[0]);
        behind += strspn(behind, " :");
        put_log_word(anonymiser, behind, strcspn(behind, " "), &kept);
        kept.data[--kept.len] = '\0'; /* the blank */
        if (pattern->words[1])
            bytes_printf(&kept, " %s", pattern->words[1]);
    }
    if (pattern && kernel_log_pattern(kept.data) == pattern)
        bytes_printf(out, "%.*s%s", aged, copy, kept.data);
    bytes_free(&kept);
    free(copy);
}
