/* conf_resolver.h - what a configuration says about the resolver.
 *
 * thread  main
 */
#ifndef SAKER_CONF_CONF_RESOLVER_H
#define SAKER_CONF_CONF_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "access/acl.h"
#include "base/addr.h"
#include "wire/name.h"

#define CONF_SERVERS_MAX 13u /* addresses of one forward or stub zone: HINTS_SERVERS_MAX */
#define CONF_SOURCES_MAX 2u  /* one of each family */

/* resolver.forward[] and resolver.stub[] */
struct conf_upstream {
	struct name zone;
	uint32_t to_count;
	struct addr to[CONF_SERVERS_MAX]; /* port 53 where none is written */
	uint32_t fall_back; /* 1: where they fail, ask on our own (`fall-back: true`) */
};

struct conf_resolver {
	uint32_t enabled;                    /* 0 or 1, as all that is true or false here */
	struct acl allow;                    /* default: 127.0.0.0/8, ::1/128 */
	char *root_hints;                    /* owns: a file; NULL: built in */
	char *trust_anchors;                 /* owns: a file; NULL: built in */
	struct name *negative_trust_anchors; /* owns */
	uint32_t negative_trust_anchor_count;
	uint32_t validate, sha1, qname_minimisation, aggressive_nsec, query_localhost,
		special_names;
	struct addr source[CONF_SOURCES_MAX]; /* port 0; family ADDR_NONE: absent */
	uint32_t
		source_count; /* 0: any address of both families; else a family that is absent is not used */
	struct conf_upstream *forward; /* owns */
	uint32_t forward_count;
	struct conf_upstream *stub; /* owns */
	uint32_t stub_count;
	struct name *
		local_zones; /* owns: `local-zones`: names that are empty but for the records below */
	uint32_t local_zone_count;
	struct name *
		pass_names; /* owns: `resolve-special`: special names that are resolved like any other */
	uint32_t pass_name_count;
	char *local_records; /* owns: `local-records`: a file of records in master form; NULL: none */
	uint64_t cache_size; /* octets; 0: a quarter of the machine's memory */
	uint32_t ttl_max, negative_ttl_max, serve_stale; /* seconds */
};

#endif
