/* load.h - from a zone file to an image, all or nothing.
 *
 * thread  a struct load has one owner; used on the background pool
 */
#ifndef SAKER_ZONE_LOAD_H
#define SAKER_ZONE_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/status.h"
#include "wire/name.h"

struct image;
struct sources;

/* What loading needs, kept from one zone to the next. One a thread. */
struct load;

/* load_new - NULL: no memory. cost: address space, no memory to speak of until it is used */
MUST_USE struct load *load_new(void);

/* load_set_threads - how many threads may work on a large zone, the caller's among them; 1 at first. */
void load_set_threads(struct load *load, uint32_t count);

/* load_free - accepts NULL. */
void load_free(struct load *load);

/* load_file - reads, checks and builds.
 *
 * shape   key: the one of the zone set that will serve it; image_out: owned by the caller
 *         sources: empty, or NULL; takes what was read, whatever comes of it
 * errors  STATUS_REFUSED  what is wrong went to the sink (warnings go there, too, and refuse nothing)
 *         STATUS_MEMORY
 */
MUST_USE enum status load_file(struct load *load, const char *path, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct sources *sources,
	struct image **image_out);

/* load_octets - the same of text in memory. */
MUST_USE enum status load_octets(struct load *load, const char *name, const char *text, size_t len,
	const struct name *origin, const struct hash_key *key, const struct diag_sink *sink,
	struct image **image_out);

struct image_stats {
	uint64_t record_count;
	uint64_t rrset_count;
	uint64_t owner_count; /* empty non-terminals not counted */
	uint64_t delegation_count;
	uint64_t memory_len; /* octets of the image */
	uint32_t serial;     /* of the SOA */
	bool is_signed;      /* a DNSKEY at the apex and RRSIGs */
};

/* image_stats - counted when the image was built. */
void image_stats(const struct image *image, struct image_stats *out);

/* image_free - gives the memory back to the kernel; accepts NULL. */
void image_free(struct image *image);

/* image_print - every record, canonical order, one a line: owner, TTL, class, type, RDATA; tab-separated.
 *
 * errors  STATUS_IO: out cannot be written; STATUS_MEMORY
 */
MUST_USE enum status image_print(const struct image *image, FILE *out);

#endif
