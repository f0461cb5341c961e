/* inspect.h - what the cache holds, for people: listed, looked up, forgotten.
 *
 *     example.com. 3311 A secure set hits=1
 *     nothing.example.com. 251 - secure absent-name hits=0
 *     NAME TTL TYPE STATUS FROM hits=N
 *
 * TTL is what is left, in seconds, `expired` behind the end; TYPE is `-` where the entry is about the name. FROM:
 *
 *     set           an RRset                          absent        there is no such type, with SOA and proofs
 *     absent-name   there is no such name             cut           a delegation, with glue and DS
 *     keys          a zone's keys                     no-keys       it is proven that the zone is not signed
 *     no-zone       it is proven that no zone begins here
 *     failure       nobody could be asked             message       an answer as it goes out
 *
 * Times are the cache's (resolve/core.h): milliseconds of the monotonic clock, and what it jumped.
 *
 * thread  any; a bucket of the cache is locked while a line is made: write to memory or a file, not to somebody who may be
 *         slow
 */
#ifndef SAKER_RESOLVE_INSPECT_H
#define SAKER_RESOLVE_INSPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wire/name.h"

struct cache;

#define INSPECT_ALL_TYPES 0u /* no RR type has this number, RFC 6895 sec 3.1 */

/* inspect_dump - a line an entry, in no order; returns how many. cost: the whole cache */
uint64_t inspect_dump(struct cache *cache, int64_t now_ms, FILE *out);

/* inspect_name - the lines of one name, of one type or all. cost: as inspect_dump() */
uint64_t inspect_name(
	struct cache *cache, int64_t now_ms, const struct name *name, uint16_t type, FILE *out);

/* What is to be forgotten. */
struct inspect_what {
	const struct name *name;
	uint16_t type; /* or INSPECT_ALL_TYPES: delegation and keys, too */
	bool below;    /* and all below it; type is INSPECT_ALL_TYPES */
};

/* inspect_flush - forgets; returns how many entries went, messages not counted.
 *
 * effect  whole messages of all names go, too: any of them may hold the name behind an alias. They come again with the
 *         second question. What cores know of gaps between names stays: resolve_forget()
 * cost    as inspect_dump()
 */
uint64_t inspect_flush(struct cache *cache, const struct inspect_what *what);

/* inspect_sift - forgets entries about names that goes() picks, and all that say of a name that it does not exist; returns how
 * many went, messages not counted.
 *
 * effect  whole messages go, too
 * cost    as inspect_dump(), and a call for each entry
 */
uint64_t inspect_sift(struct cache *cache,
	bool (*goes)(const void *context, const struct name *name), const void *context);

#endif
