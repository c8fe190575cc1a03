/* Rows that several listings share. */
#pragma once

#include "model/selection.h"
#include "view/column.h"

/* A row that is about a port: every such row begins with it. */
struct port_row {
    const struct port *port;
};

/* Getters for "device" and "port" of rows that begin with a struct port_row. */
struct value get_row_device(const struct cell_context *context, const void *row);
struct value get_row_port(const struct cell_context *context, const void *row);

/* A row for each selected port, in the host's arena. */
struct port_row *port_rows(const struct host *host, const struct selection *selection, size_t *count);

/* What a listing says when it has no rows because there is no device. */
const char *no_device_text(const struct host *host);

/* Why RDMA_CM's defaults of a port (port.cm_err) aren't known; NULL for 0. */
const char *cm_unread_text(int err);
