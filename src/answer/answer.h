/* answer.h - queries to authoritative answers.
 *
 * One struct answerer a worker: it holds scratch memory and counters and is reused for every batch.
 *
 * thread  one owner; the zones it reads are published (zone/zone.h)
 */
#ifndef SAKER_ANSWER_ANSWER_H
#define SAKER_ANSWER_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/now.h"
#include "base/publish.h"
#include "wire/request.h"

#define ANSWER_BATCH_MAX 64u /* requests in one call */

struct answer_config {
	uint16_t
		udp_len_max; /* octets of the longest UDP answer; default 1232 (RFC 9715 sec 3.2) */
	bool leave_foreign; /* questions that no zone answers are marked, not refused: somebody else may know */
};
#define ANSWER_CONFIG_DEFAULT ((struct answer_config){.udp_len_max = 1232})

/* Counted since the start. [worker] writes, anybody reads (relaxed). */
struct answer_counters {
	uint64_t queries;      /* requests given */
	uint64_t dropped;      /* not answered */
	uint64_t truncated;    /* answers with TC */
	uint64_t full_path;    /* answered outside the fast path */
	uint64_t by_rcode[24]; /* answers by RCODE, BADVERS (16) included */
};

struct answerer;

/* answerer_new - zones holds a struct zone_set (NULL: REFUSED to all). NULL: no memory. */
MUST_USE struct answerer *answerer_new(
	const struct published *zones, const struct answer_config *config);
void answerer_free(struct answerer *answerer);

/* answer_batch - answers requests[0..count) in place, count <= ANSWER_BATCH_MAX.
 *
 * effect  each request's answer_len is set; 0 where nothing may be sent
 * cost    no allocation, no lock; about two cache misses a query
 * thread  the owner, registered as a reader and online
 */
void answer_batch(
	struct answerer *answerer, struct request *requests, uint32_t count, struct now now);

/* answer_full - one request, by the thorough parser and without the stages of a batch.
 *
 * effect  the same octets as answer_batch() gives; tests and fuzzers hold the two against each other
 */
void answer_full(struct answerer *answerer, struct request *request, struct now now);

/* answer_refuse - REFUSED to a request that was left as foreign. */
void answer_refuse(struct answerer *answerer, struct request *request);

/* answerer_counters - what was counted so far; valid as long as the answerer. */
const struct answer_counters *answerer_counters(const struct answerer *answerer);

#endif
