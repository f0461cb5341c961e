/* harvest.h - what a response says of the name and type that were asked for.
 *
 * thread  the core's
 * source  RFC 2308
 */
#ifndef SAKER_RESOLVE_HARVEST_H
#define SAKER_RESOLVE_HARVEST_H

struct fetch;
struct job;
struct search_result;

/* harvest - the sets that an answer is made of go to the result, unchecked: first what was asked for, or the SOA; then proofs.
 *
 * effect  the sets are borrowed from the fetch's response; a denial without SOA has a TTL of 0
 */
void harvest(const struct job *job, const struct fetch *fetch, struct search_result *result);

#endif
