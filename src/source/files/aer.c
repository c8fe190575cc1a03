/* SPDX-License-Identifier: MIT */
/* Errors that the kernel counted of the PCI functions below RDMA devices, and of the bridges above them. */
#include "base/text.h"
#include "source/reader.h"

#define DEVICES "sys/bus/pci/devices"

static void read_errors(struct reader *reader, struct pci *pci)
{
    for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++) {
        const char *text = read_text(reader, DEVICES "/%s/%s", pci->address, aer_file(severity));
        if (text)
            pci->aer[severity] = aer_parse(text, reader->arena);
    }
}

/* The root port's service is there only where the firmware left AER to the kernel: get_port_device_capability() of
 * drivers/pci/pcie/portdrv.c, which numbers a root port's services by themselves, AER 2. */
static bool is_handled(struct reader *reader, const struct pci *pci)
{
    return text_is(read_link_name(reader, "sys/bus/pci_express/devices/%s:pcie002/driver", pci->address),
                   "aer");
}

static void read_chain(struct reader *reader, struct pci *from)
{
    for (struct pci *pci = from; pci && !pci->aer_asked; pci = host_find_pci(reader->host, pci->upstream)) {
        pci->aer_asked = true;
        read_errors(reader, pci);
        if (!pci->upstream)
            pci->aer_here = is_handled(reader, pci);
    }
}

void read_aer(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++)
        read_chain(reader, host_find_pci(host, host->devices[i].pci));
}

void read_aer_of_peers(struct reader *reader)
{
    read_aer(reader);
    for (size_t i = 0; i < reader->host->npcis; i++)
        if (reader->host->pcis[i].is_accelerator)
            read_chain(reader, &reader->host->pcis[i]);
}
