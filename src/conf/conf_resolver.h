/* conf_resolver.h - what a configuration says about the resolver.
 *
 * thread  main
 */
#ifndef SAKER_CONF_CONF_RESOLVER_H
#define SAKER_CONF_CONF_RESOLVER_H

#include <stdint.h>

#include "access/acl.h"
#include "base/addr.h"
#include "resolve/dns64.h"
#include "wire/name.h"

#define CONF_ADDRS_MAX 13u /* servers of one forward or stub zone: as many as the root has */

struct conf_addrs {
	uint32_t count;
	struct addr items[CONF_ADDRS_MAX];
};

struct conf_names {
	struct name *items; /* owns: lower case */
	uint32_t count;
};

/* resolver.forward[] and resolver.stub[] */
struct conf_upstream {
	struct name zone;
	struct conf_addrs to; /* port 53 where none is written */
	uint32_t fall_back;   /* forward: where they fail, ask on our own */
	uint32_t line, column;
};

struct conf_upstreams {
	struct conf_upstream *items; /* owns */
	uint32_t count;
};

/* 0 or 1 is what is true or false. */
struct conf_resolver {
	uint32_t enabled;
	struct acl allow;
	char *root_hints;    /* owns: a file; NULL: built in */
	char *trust_anchors; /* owns: a file; NULL: built in */
	struct conf_names negative_trust_anchors;
	uint32_t validate, sha1, qname_minimisation, aggressive_nsec, minimal_any, query_localhost;
	uint32_t special_names, anchor_rollover;
	struct conf_addrs
		source; /* port 0; none: any address of both families; else a family that is absent is not used */
	struct conf_upstreams forward, stub;
	struct conf_names local_zones;     /* empty but for the records below */
	struct conf_names resolve_special; /* special names that are resolved like any other */
	struct acl private_addresses;      /* not in answers from outside */
	struct conf_names private_names;   /* but for these */
	struct dns64 dns64;
	char *local_records; /* owns: a file of records in master form; NULL: none */
	uint32_t cache_size; /* MiB; 0: a quarter of the machine's memory */
	uint32_t udp_payload, ttl_max, negative_ttl_max, serve_stale;
};

#endif
