/* server.h - starts everything, waits for signals, reloads, stops.
 *
 *     main      signals, configuration, publication
 *     workers   answer (worker.h)
 *     pool      loads zones (os/pool.h)
 *
 * thread  main, once a process
 */
#ifndef SAKER_SERVER_SERVER_H
#define SAKER_SERVER_SERVER_H

#include "base/check.h"
#include "base/status.h"

struct server_config;

/* Where the configuration comes from: called at the start, and again at each SIGHUP.
 *
 * read() fills an uninitialised config; on failure it has said why on standard error and left nothing to free.
 */
struct server_source {
	enum status (*read)(void *context, struct server_config *out);
	void *context; /* borrows: the caller's */
};

/* server_run - serves until SIGTERM or SIGINT.
 *
 * effect  SIGHUP reads the configuration and every zone file again. Everything is given back at the end.
 * errors  not STATUS_OK: it could not start, or no zone at all could be loaded; why went to standard error
 */
MUST_USE enum status server_run(const struct server_source *source);

#endif
