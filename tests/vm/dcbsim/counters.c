// SPDX-License-Identifier: GPL-2.0
/* dcbsim's counters. */
#include <linux/string.h>

#include "dcbsim.h"

/* By the names of mlx5, which are the ones that scripts know. */
static const char *const port_counters[] = {
	"rx_discards_phy",     "tx_discards_phy",	  "rx_out_of_buffer",  "rx_crc_errors_phy",
	"rx_symbol_err_phy",   "link_down_events_phy",	  "rx_pause_ctrl_phy", "tx_pause_ctrl_phy",
	"rx_corrected_blocks", "rx_uncorrectable_blocks",
};

static const char *const priority_counters[] = {
	"rx_prio%u_packets", "rx_prio%u_bytes", "tx_prio%u_packets",  "tx_prio%u_bytes",
	"rx_prio%u_pause",   "tx_prio%u_pause", "rx_prio%u_discards",
};

atomic64_t *dcbsim_priority_counter(struct dcbsim_port *port, enum priority_counter counter, unsigned int priority)
{
	return &port->counters[PORT_COUNTERS + counter * PRIORITIES + priority];
}

void dcbsim_counter_name(char name[ETH_GSTRING_LEN], unsigned int index)
{
	if (index < PORT_COUNTERS) {
		strscpy(name, port_counters[index], ETH_GSTRING_LEN);
		return;
	}
	index -= PORT_COUNTERS;
	snprintf(name, ETH_GSTRING_LEN, priority_counters[index / PRIORITIES], index % PRIORITIES);
}
