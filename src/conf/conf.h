/* conf.h - the configuration of a server: the struct, and reading it from YAML.
 *
 * What keys there are, and what their values may be, stands in one table (conf_table.h). A file that breaks
 * it is refused with every error that it has, each with its line and column.
 *
 * thread  main
 */
#ifndef SAKER_CONF_CONF_H
#define SAKER_CONF_CONF_H

#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "conf/conf_resolver.h"
#include "wire/name.h"

#define CONF_LISTEN_MAX   64u         /* addresses; each costs every worker two sockets */
#define CONF_FILE_LEN_MAX (64u << 20) /* octets: a million zones with a line each */
#define CONF_WORKERS_AUTO 0u          /* one a usable processor */
#define CONF_WHY_MAX      256u        /* octets of one explanation with its zero */

struct conf_zone {
	struct name name; /* lower case */
	char *file;       /* owns: as opened, the configuration's folder before it */
	uint32_t line;    /* where the configuration names it; 0: the command line */
	uint32_t column;
};

struct server_config {
	struct addr listen[CONF_LISTEN_MAX];
	uint32_t listen_count;
	uint32_t workers; /* CONF_WORKERS_AUTO, or how many */
	uint32_t udp_payload_max;
	uint32_t tcp_idle_timeout_s;
	uint32_t tcp_connections; /* all workers together */
	uint32_t log_level;       /* enum log_level */
	char *state;              /* owns: the folder for what is kept; NULL: nothing is */
	struct conf_zone *zones;  /* owns: different names, in the order of the file */
	uint32_t zone_count;
	uint32_t zone_cap;
	struct conf_resolver resolver;
};

/* conf_init - the defaults, no zones. */
void conf_init(struct server_config *config);

/* conf_fini - gives the memory back. */
void conf_fini(struct server_config *config);

/* conf_load - reads a file over what config holds.
 *
 * errors  STATUS_REFUSED: what is wrong went to the sink, config holds some of the file; STATUS_MEMORY
 */
MUST_USE enum status conf_load(
	const char *path, const struct diag_sink *sink, struct server_config *config);

/* conf_set - one value by its key's path (`server.workers`), as if a file said so; lists are added to.
 *
 * errors  STATUS_REFUSED: why[CONF_WHY_MAX] says what is wrong and what was expected
 */
MUST_USE enum status conf_set(
	struct server_config *config, const char *path, const char *value, char *why);

/* conf_put_state - the folder for what is kept. errors: as conf_set(); STATUS_MEMORY */
MUST_USE enum status conf_put_state(struct server_config *config, const char *folder, char *why);

/* conf_put_zone - adds a zone, or gives one that is there another file.
 *
 * errors  as conf_set(); STATUS_MEMORY
 */
MUST_USE enum status conf_put_zone(
	struct server_config *config, const char *name, const char *file, char *why);

/* conf_next_fixed - walks over the keys whose values differ though a running server cannot change them; *idx starts at 0.
 *
 * effect  the key's path; NULL: there are no more
 */
const char *conf_next_fixed(
	const struct server_config *a, const struct server_config *b, uint32_t *idx);

#endif
